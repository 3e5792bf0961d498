/* Which cell of a store is meant. */
#include <stdio.h>

#include "analysis/comparison.h"
#include "base/error.h"
#include "farsight/learning.h"

typedef struct finding {
  char *key;
  uint64_t *replicate;
  size_t count;
  char names[2][480]; /* of the first two */
} finding;

static void add_cell(finding *found, const far_comparison_group *g, size_t i) {
  const far_comparison_cell *cell = &g->cells[i];
  if (found->count < 2)
    snprintf(found->names[found->count], sizeof found->names[0],
             "%.200s in %.200s (%lld steps, seed %llu)", g->agents[i % g->n_agents].label,
             g->envs[i / g->n_agents].label, (long long)g->steps, (unsigned long long)g->seed);
  if (found->count++ > 0) return;
  snprintf(found->key, FAR_HASH_TEXT, "%s", cell->keys[0]);
  *found->replicate = (uint64_t)cell->replicates[0];
}

static void find_in(far__comparing *c, void *user) {
  for (size_t k = 0; k < c->out->n_groups; ++k) {
    const far_comparison_group *g = &c->out->groups[k];
    for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
      if (g->cells[i].runs > 0 && g->agents[i % g->n_agents].origin == FAR_ORIGIN_COMPUTED)
        add_cell(user, g, i);
  }
}

far_status far_learning_find(char key[FAR_HASH_TEXT], uint64_t *replicate, far_store *store,
                             const far_comparison_def *choice, far_error *error) {
  far_comparison_def any = *choice;
  any.most_agents = 0;
  far__comparing c = {.def = &any, .error = error};
  finding found = {.key = key, .replicate = replicate};
  far_comparison *comparison = NULL;
  const far_status status = far__comparison_make(&comparison, store, &c, find_in, &found);
  far_comparison_free(comparison);
  if (status != FAR_OK) return status;
  if (found.count == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there are no computed runs");
  if (found.count > 1)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "this shows one agent in one environment: choose one of %zu, such as %s or %s",
                     found.count, found.names[0], found.names[1]);
  return FAR_OK;
}
