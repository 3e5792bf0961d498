/* Snapshots: copies of what an agent has learned, at a moment of a run. */
#include "run/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/blocks.h"

void far_snapshot_free(far_snapshot *snapshot) {
  free(snapshot->visits); /* the other arrays are in the same block */
  *snapshot = (far_snapshot){0};
}

void far__snapshots_free(far_snapshot *list, size_t count) {
  for (size_t i = 0; i < count; ++i) far_snapshot_free(&list[i]);
  free(list);
}

void far__block_free(far_block *block) {
  free((double *)block->values);
  far__snapshots_free((far_snapshot *)block->snapshots, block->n_snapshots);
  block->values = NULL;
  block->snapshots = NULL;
  block->n_snapshots = 0;
}

far_status far__snapshot_create(far_snapshot *out, uint32_t n_states, uint32_t n_actions, bool q,
                                bool bonus, bool policy, far_error *error) {
  const uint64_t pairs = (uint64_t)n_states * n_actions;
  const size_t arrays = 1 + (size_t)q + (size_t)bonus + (size_t)policy;
  double *next = pairs < SIZE_MAX / 32 ? calloc(arrays * (size_t)pairs, sizeof *next) : NULL;
  *out = (far_snapshot){.n_states = n_states, .n_actions = n_actions, .visits = next};
  if (next == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a snapshot of %llu pairs",
                     (unsigned long long)pairs);
  if (q) out->q = next += pairs;
  if (bonus) out->bonus = next += pairs;
  if (policy) out->policy = next + pairs;
  return FAR_OK;
}

/* ---- snapshots of an agent; with a horizon, of the first step of an episode ---- */

static void copy_state(far_snapshot *out, const far_agent *agent, uint32_t s) {
  const size_t at = (size_t)s * out->n_actions;
  for (uint32_t a = 0; a < out->n_actions; ++a) {
    if (out->q != NULL) far_agent_value_at(agent, FAR_VALUE_Q, 0, s, a, &out->q[at + a]);
    if (out->bonus != NULL)
      far_agent_value_at(agent, FAR_VALUE_BONUS, 0, s, a, &out->bonus[at + a]);
  }
  if (out->policy != NULL) far_agent_policy_at(agent, 0, s, out->policy + at);
}

far_status far__snapshot_take(far_snapshot *out, const far_agent *agent, const double *visits,
                              double *row, far_error *error) {
  const far_shape *shape = far_agent_shape(agent);
  uint32_t live = 0;
  double x;
  while (live + 1 < shape->n_states && !far_shape_is_live(shape, live)) ++live;
  const bool q = far_agent_value_at(agent, FAR_VALUE_Q, 0, live, 0, &x);
  const bool bonus = far_agent_value_at(agent, FAR_VALUE_BONUS, 0, live, 0, &x);
  const bool policy = far_agent_policy_at(agent, 0, live, row);
  const far_status status =
      far__snapshot_create(out, shape->n_states, shape->n_actions, q, bonus, policy, error);
  if (status != FAR_OK) return status;
  memcpy(out->visits, visits, (size_t)shape->n_states * shape->n_actions * sizeof *visits);
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (far_shape_is_live(shape, s)) copy_state(out, agent, s);
  return FAR_OK;
}
