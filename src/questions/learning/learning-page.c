#include "farsight/page.h"

#include <math.h> /* only for INFINITY */
#include <stdio.h>

#include "farsight/layout-figure.h"

/* Numbers of a figure up to which each time has a view of its own, and up to which all quantities are drawn. */
#define LIGHT 1000.0
#define MEDIUM 2000.0

static const struct {
  far_learned quantity;
  bool views;  /* of each time */
  double most; /* numbers up to which it is drawn */
  const char *caption;
} FIGURES[] = {
    {FAR_LEARNED_VISITS, true, INFINITY, "How often each state was visited."},
    {FAR_LEARNED_Q, true, INFINITY, "Action values of the agent, beside the exact ones."},
    {FAR_LEARNED_POLICY, true, INFINITY, "Policy of the agent, beside an optimal one."},
    {FAR_LEARNED_BONUS, false, MEDIUM, "Exploration bonuses."},
    {FAR_LEARNED_E, false, MEDIUM, "Exploration values E."},
    {FAR_LEARNED_LEARN, false, MEDIUM, "Pairs that were being learned."},
};
enum { N_FIGURES = sizeof FIGURES / sizeof *FIGURES };

/* A view of one frame, or of all. */
static far_status add_view(far_report *report, const far_learning *x, far_learned quantity,
                           size_t frame, far_error *error) {
  far_learning_figure_def def = far_learning_figure_def_default();
  far_figure *figure;
  char label[FAR_BRIEF_SIZE + 16] = "all times", steps[FAR_BRIEF_SIZE];
  def.frame = frame;
  const far_status status = far_learning_figure(&figure, x, quantity, &def, error);
  if (status != FAR_OK) return status;
  if (frame != FAR_LEARNING_ALL) {
    far_count_brief(steps, x->frames[frame].step);
    snprintf(label, sizeof label, "%s step%s", steps, x->frames[frame].step == 1 ? "" : "s");
  }
  far_report_view(report, figure, label);
  return FAR_OK;
}

static double numbers_of(const far_learning *x) {
  return (double)x->n_states * x->n_actions * (double)x->n_frames;
}

static far_status add_figure(far_report *report, const char *name, const far_learning *x, size_t k,
                             far_error *error) {
  const far_learned quantity = FIGURES[k].quantity;
  const bool light = FIGURES[k].views && numbers_of(x) <= LIGHT;
  char id[200];
  snprintf(id, sizeof id, "%.150s-%s", name, far_learned_name(quantity));
  far_report_figure(report, id, "%s", FIGURES[k].caption);
  far_status status = add_view(report, x, quantity, FAR_LEARNING_ALL, error);
  for (size_t i = 0; status == FAR_OK && light && i < x->n_frames; ++i)
    status = add_view(report, x, quantity, i, error);
  return status;
}

far_status far_learning_page(far_report *report, int level, const char *name,
                             const far_learning *learning, far_error *error) {
  far_error why = {FAR_OK, -1, ""};
  far_report_heading(report, level, "%s in %s", learning->agent_label, learning->env_label);
  far_learning_table(learning, report);
  for (size_t k = 0; k < N_FIGURES; ++k) {
    if (far_learning_array(learning, 0, FIGURES[k].quantity) == NULL) continue;
    if (numbers_of(learning) > FIGURES[k].most) continue;
    const far_status status = add_figure(report, name, learning, k, &why);
    if (status == FAR_OK) continue;
    if (status == FAR_STATUS_MEMORY) {
      if (error != NULL) *error = why;
      return status;
    }
    far_report_note(report, FAR_NOTE_REMARK, "No figure of its %s: %s.",
                    far_learned_title(FIGURES[k].quantity), why.message);
  }
  return FAR_OK;
}
