/* Which cell of a store is meant. */
#include <stdio.h>

#include "analysis/comparison.h"
#include "base/error.h"
#include "farsight/label.h"
#include "farsight/learning.h"

typedef struct finding {
  char *key;
  uint64_t *replicate;
  size_t count;
  char first[2 * 200 + 64], second[2 * 200 + 64]; /* of several, what they are */
} finding;

static void name_cell(far__comparing *c, char *out, size_t size, const far__stored_cell *cell) {
  const far__stored_env *env = &c->stored->envs[cell->env];
  char label[FAR_SPEC_SIZE];
  snprintf(label, sizeof label, "%s", cell->agent);
  if (env->mdp != NULL) {
    const far_shape shape = far_mdp_shape(env->mdp);
    far__work_check(c, far_agent_label(label, cell->agent, &shape, c->error));
  }
  snprintf(out, size, "%.200s in %.200s (%lld steps, seed %llu)", label, env->label,
           (long long)cell->steps, (unsigned long long)cell->seed);
}

static void find_in(far__comparing *c, void *user) {
  finding *found = user;
  for (size_t i = 0; c->status == FAR_OK && i < c->stored->n_cells; ++i) {
    const far__stored_cell *cell = &c->stored->cells[i];
    if (!cell->kept || cell->numerics == 0) continue;
    found->count += 1;
    if (found->count == 1) {
      snprintf(found->key, FAR_HASH_TEXT, "%s", cell->key);
      *found->replicate = cell->n > 0 ? (uint64_t)cell->replicates[0] : 0;
      name_cell(c, found->first, sizeof found->first, cell);
    } else if (found->count == 2) {
      name_cell(c, found->second, sizeof found->second, cell);
    }
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
                     found.count, found.first, found.second);
  return FAR_OK;
}
