/* The kinds of plots that show what one agent knew in its first run, which is computed again: of the cells that
 * the definition names the first whose algorithm has such numbers. */
#include <stdio.h>

#include "base/error.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "questions/plots/plot.h"
#include "report/build.h"

typedef struct job {
  far_store *store;
  const far_plot_def *def;
  far__learned quantity;
  far_figure **figure; /* is drawn, or if NULL: */
  far_report *report;  /* gets the numbers */
} job;

static bool tick(void *user, const char *what, int64_t done, int64_t count) {
  const far_comparison_def *choice = user;
  return choice->progress(choice->user, what, (size_t)done, (size_t)count);
}

static void free_learning(void *learning) {
  far__learning_free(learning);
}

static far_status check_quantity(const far__learning *x, far__learned quantity, far_error *error) {
  if (far__learning_array(x, 0, quantity) != NULL) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "%.200s has no such number: %s", x->agent_label,
                   far__learned_title(quantity));
}

/* Shows a cell. UNKNOWN also if it has no such numbers. */
static far_status show_cell(const job *j, const far__learning_cell *cell, far_error *error) {
  far_comparison_def choice = j->def->results;
  far__learning_def learning_def = far__learning_def_default();
  far__learning_figure_def how = far__learning_figure_def_default();
  far__learning *learning = NULL;
  char remark[80];
  snprintf(remark, sizeof remark, "one of %zu cells", cell->count);
  if (cell->count > 1) how.remark = remark;
  how.colours = j->def->y_scale;
  how.width = j->def->width;
  if (choice.progress != NULL) learning_def.progress = tick;
  learning_def.user = &choice;
  learning_def.replicate = cell->replicate;
  learning_def.step = j->def->step;
  learning_def.mdp = cell->mdp;
  far_status status =
      far__learning_from_store(&learning, j->store, cell->key, &learning_def, error);
  if (status == FAR_OK && j->figure != NULL)
    status = far__learning_figure(j->figure, learning, j->quantity, &how, error);
  else if (status == FAR_OK)
    status = check_quantity(learning, j->quantity, error);
  if (status == FAR_OK && j->figure == NULL) {
    far__learning_report(learning, j->report);
    far__report_keep(j->report, learning, free_learning);
    return FAR_OK;
  }
  far__learning_free(learning);
  return status;
}

static far_status show(const job *j, far_error *error) {
  far__learning_cell cell;
  far_status status = far__learning_find(&cell, j->store, &j->def->results, 0, error);
  if (status != FAR_OK) return status;
  const size_t count = cell.count;
  for (size_t i = 0;;) {
    status = show_cell(j, &cell, error);
    if (status != FAR_STATUS_UNKNOWN || ++i == count) return status;
    status = far__learning_find(&cell, j->store, &j->def->results, i, error);
    if (status != FAR_OK) return status;
  }
}

#define KIND(word, quantity, words)                                                                \
  static far_status draw_##word(far_figure **out, far_store *store, const far_plot_def *def,       \
                                far_error *error) {                                                \
    return show(&(job){store, def, quantity, out, NULL}, error);                                   \
  }                                                                                                \
  static far_status report_##word(far_report *report, far_store *store, const far_plot_def *def,   \
                                  far_error *error) {                                              \
    return show(&(job){store, def, quantity, NULL, report}, error);                                \
  }                                                                                                \
  const far__plot far__plot_##word = {.name = #word,                                               \
                                      .summary = words,                                            \
                                      .of_store = draw_##word,                                     \
                                      .numbers_of_store = report_##word,                           \
                                      .table = "pairs"};

KIND(visits, FAR__LEARNED_VISITS, "how often one agent was where, at several times of a run")
KIND(q, FAR__LEARNED_Q, "its action values, beside the exact ones")
KIND(bonus, FAR__LEARNED_BONUS, "its exploration bonuses")
KIND(e, FAR__LEARNED_E, "its exploration values E")
KIND(learn, FAR__LEARNED_LEARN, "the pairs that it was learning")
KIND(value, FAR__LEARNED_VALUE, "its values of states, beside the exact ones")
KIND(policy, FAR__LEARNED_POLICY, "its policy, beside the optimal one")
