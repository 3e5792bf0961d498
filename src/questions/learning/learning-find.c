/* Which cells of a store a choice names. */
#include <stdio.h>

#include "base/error.h"
#include "questions/comparison/comparison.h"
#include "questions/learning/learning.h"

typedef struct finding {
  size_t wanted;
  far__learning_cell *out;
} finding;

static void add_cell(finding *found, const far_comparison_cell *cell, const far__stored_env *env) {
  if (found->out->count++ != found->wanted) return;
  snprintf(found->out->key, FAR_HASH_TEXT, "%s", cell->keys[0]);
  found->out->replicate = (uint64_t)cell->replicates[0];
  found->out->mdp = env->lent ? env->mdp : NULL;
}

static void find_in(far__comparing *c, void *user) {
  for (size_t k = 0; k < c->out->n_groups; ++k) {
    const far_comparison_group *g = &c->out->groups[k];
    for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
      if (g->cells[i].runs > 0 && g->agents[i % g->n_agents].origin == FAR_ORIGIN_COMPUTED)
        add_cell(user, &g->cells[i], &c->stored->envs[g->envs[i / g->n_agents].id]);
  }
}

far_status far__learning_find(far__learning_cell *out, far_store *store,
                              const far_comparison_def *choice, size_t index, far_error *error) {
  far_comparison_def any = *choice;
  any.most_agents = 0;
  far__comparing c = {.def = &any, .error = error};
  finding found = {.wanted = index, .out = out};
  far_comparison *comparison = NULL;
  *out = (far__learning_cell){.count = 0};
  const far_status status = far__comparison_make(&comparison, store, &c, find_in, &found);
  far_comparison_free(comparison);
  if (status != FAR_OK) return status;
  if (index < out->count) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there are %zu computed cells, and no cell %zu",
                   out->count, index);
}
