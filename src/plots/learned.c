/* The kinds of plots that show what the agent of one cell of a store knew in its first run, which is computed
 * again. */
#include "farsight/layout-figure.h"
#include "plots/plot.h"

static bool tick(void *user, const char *what, int64_t done, int64_t count) {
  const far_comparison_def *choice = user;
  return choice->progress(choice->user, what, (size_t)done, (size_t)count);
}

static far_status draw(far_figure **out, far_store *store, const far_plot_def *def,
                       far_learned quantity, far_error *error) {
  far_comparison_def choice = def->results;
  far_learning_def learning_def = far_learning_def_default();
  far_learning_figure_def how = far_learning_figure_def_default();
  far_learning *learning = NULL;
  char key[FAR_HASH_TEXT];
  if (choice.progress != NULL) learning_def.progress = tick;
  learning_def.user = &choice;
  how.colours = def->y_scale;
  how.width = def->width;
  far_status status = far_learning_find(key, &learning_def.replicate, store, &choice, error);
  if (status == FAR_OK)
    status = far_learning_from_store(&learning, store, key, &learning_def, error);
  if (status == FAR_OK) status = far_learning_figure(out, learning, quantity, &how, error);
  far_learning_free(learning);
  return status;
}

#define KIND(word, quantity, words)                                                                \
  static far_status draw_##word(far_figure **out, far_store *store, const far_plot_def *def,       \
                                far_error *error) {                                                \
    return draw(out, store, def, quantity, error);                                                 \
  }                                                                                                \
  const far__plot far__plot_##word = {.name = #word, .summary = words, .of_store = draw_##word};

KIND(visits, FAR_LEARNED_VISITS, "how often one agent was where, at several times of a run")
KIND(q, FAR_LEARNED_Q, "its action values, beside the exact ones")
KIND(bonus, FAR_LEARNED_BONUS, "its exploration bonuses")
KIND(e, FAR_LEARNED_E, "its exploration values E")
KIND(learn, FAR_LEARNED_LEARN, "the pairs that it was learning")
KIND(value, FAR_LEARNED_VALUE, "its values of states, beside the exact ones")
KIND(policy, FAR_LEARNED_POLICY, "its policy, beside the optimal one")
