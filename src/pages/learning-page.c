#include "farsight/learning-page.h"

#include <stdio.h>

#include "farsight/layout-figure.h"

/* Shapes of a figure up to which each time has a view of its own. */
static const double LIGHT = 3000;

static const far_learned ORDER[] = {FAR_LEARNED_VISITS, FAR_LEARNED_Q,     FAR_LEARNED_VALUE,
                                    FAR_LEARNED_POLICY, FAR_LEARNED_BONUS, FAR_LEARNED_E,
                                    FAR_LEARNED_LEARN};
enum { N_ORDER = sizeof ORDER / sizeof *ORDER };

static const char *caption_of(far_learned quantity) {
  switch (quantity) {
  case FAR_LEARNED_VISITS: return "How often it was where.";
  case FAR_LEARNED_Q: return "Its action values, beside the exact ones.";
  case FAR_LEARNED_VALUE: return "Its values of states, beside the exact ones.";
  case FAR_LEARNED_POLICY: return "Its policy, beside the optimal one.";
  case FAR_LEARNED_BONUS: return "Its exploration bonuses.";
  case FAR_LEARNED_E: return "Its exploration values E.";
  default: return "The pairs that it was learning.";
  }
}

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

static far_status add_figure(far_report *report, const char *name, const far_learning *x,
                             far_learned quantity, far_error *error) {
  const bool light = (double)x->n_states * x->n_actions * (double)x->n_frames <= LIGHT;
  char id[200];
  snprintf(id, sizeof id, "%.150s-%s", name, far_learned_name(quantity));
  far_report_figure(report, id, "%s", caption_of(quantity));
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
  for (size_t k = 0; k < N_ORDER; ++k) {
    if (far_learning_array(learning, 0, ORDER[k]) == NULL) continue;
    const far_status status = add_figure(report, name, learning, ORDER[k], &why);
    if (status == FAR_OK) continue;
    if (status == FAR_STATUS_MEMORY) {
      if (error != NULL) *error = why;
      return status;
    }
    far_report_note(report, FAR_NOTE_REMARK, "No figure of its %s: %s.",
                    far_learned_title(ORDER[k]), why.message);
  }
  return FAR_OK;
}
