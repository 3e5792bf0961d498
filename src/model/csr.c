#include "farsight/mdp.h"

#include <math.h> /* only for INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/model.h"

far_csr far_csr_default(uint32_t n_states, uint32_t n_actions) {
  return (far_csr){.n_states = n_states,
                   .n_actions = n_actions,
                   .reward_min = INFINITY,
                   .reward_max = -INFINITY};
}

/* ---- from arrays ---- */

static far_status missing(const char *name, far_error *error) {
  return far__fail(error, FAR_STATUS_RANGE, -1, "the array %s is missing", name);
}

static far_status check_arrays(const far_csr *csr, far_error *error) {
  if (csr->offsets == NULL) return missing("offsets", error);
  if (csr->n_outcomes > 0 && csr->probability == NULL) return missing("probability", error);
  if (csr->n_outcomes > 0 && csr->next == NULL) return missing("next", error);
  if (csr->n_outcomes > 0 && csr->reward == NULL) return missing("reward", error);
  if (csr->n_starts > 0 && csr->start_state == NULL) return missing("start_state", error);
  if (csr->n_starts > 0 && csr->start_probability == NULL)
    return missing("start_probability", error);
  return FAR_OK;
}

static far_status check_offsets(const far_csr *csr, far_error *error) {
  const size_t pairs = (size_t)csr->n_states * csr->n_actions;
  const int64_t *offsets = csr->offsets;
  if (offsets[0] != 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "offsets[0] is %lld; it must be 0",
                     (long long)offsets[0]);
  for (size_t i = 0; i < pairs; ++i)
    if (offsets[i + 1] < offsets[i])
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "offsets[%zu] = %lld is below offsets[%zu] = %lld", i + 1,
                       (long long)offsets[i + 1], i, (long long)offsets[i]);
  if ((uint64_t)offsets[pairs] != csr->n_outcomes)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "offsets[%zu], the last, is %lld; there are %zu outcomes", pairs,
                     (long long)offsets[pairs], csr->n_outcomes);
  return FAR_OK;
}

static far_status add_outcomes(far_mdp_builder *b, const far_csr *csr, size_t pair,
                               far_error *error) {
  const uint32_t s = (uint32_t)(pair / csr->n_actions), a = (uint32_t)(pair % csr->n_actions);
  for (size_t k = (size_t)csr->offsets[pair]; k < (size_t)csr->offsets[pair + 1]; ++k) {
    far_error why;
    const far_status status =
        far_mdp_builder_outcome(b, s, a, csr->probability[k], csr->next[k], csr->reward[k], &why);
    if (status != FAR_OK)
      return far__fail(error, status, -1, "outcome %zu, of state %lu and action %lu: %.300s", k,
                       (unsigned long)s, (unsigned long)a, why.message);
  }
  return FAR_OK;
}

static far_status fill(far_mdp_builder *b, const far_csr *csr, far_error *error) {
  const size_t pairs = (size_t)csr->n_states * csr->n_actions;
  far_status status = FAR_OK;
  far__mdp_builder_keep(b); /* a model that was written and is read again keeps its bits */
  if (!(csr->reward_min > csr->reward_max))
    status = far_mdp_builder_range(b, csr->reward_min, csr->reward_max, error);
  if (status == FAR_OK && csr->discount != 0)
    status = far_mdp_builder_discount(b, csr->discount, error);
  if (status == FAR_OK) status = far_mdp_builder_horizon(b, csr->horizon, error);
  for (size_t i = 0; status == FAR_OK && i < pairs; ++i) status = add_outcomes(b, csr, i, error);
  for (uint32_t s = 0; status == FAR_OK && s < csr->n_states; ++s)
    if (csr->terminal != NULL && csr->terminal[s]) status = far_mdp_builder_terminal(b, s, error);
  for (size_t k = 0; status == FAR_OK && k < csr->n_starts; ++k) {
    far_error why;
    status = far_mdp_builder_start(b, csr->start_state[k], csr->start_probability[k], &why);
    if (status != FAR_OK) return far__fail(error, status, -1, "start %zu: %.300s", k, why.message);
  }
  return status;
}

far_status far_mdp_builder_csr(far_mdp_builder *b, const far_csr *csr, far_error *error) {
  far_status status = far__mdp_builder_fits(b, csr->n_states, csr->n_actions, error);
  if (status == FAR_OK) status = check_arrays(csr, error);
  if (status == FAR_OK) status = check_offsets(csr, error);
  return status == FAR_OK ? fill(b, csr, error) : status;
}

far_status far_mdp_from_csr(far_mdp **out, const far_csr *csr, far_error *error) {
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, csr->n_states, csr->n_actions, error);
  if (status != FAR_OK) return status;
  status = far_mdp_builder_csr(b, csr, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

/* ---- to arrays ---- */

far_status far_mdp_to_csr(far_csr *out, const far_mdp *mdp, far_error *error) {
  const far_shape *shape = &mdp->shape;
  const size_t pairs = mdp->n_rows - 1, n = mdp->row[pairs], n_starts = mdp->row[pairs + 1] - n;
  *out = far_csr_default(0, 0);
  /* one block, less than the model itself takes; arrays of eight bytes come first, so that all are aligned */
  int64_t *offsets = malloc((pairs + 1 + 2 * n + n_starts) * sizeof(double) +
                            (n + n_starts) * sizeof(uint32_t) + shape->n_states * sizeof(bool));
  if (offsets == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the arrays of a model");
  double *probability = (double *)(offsets + pairs + 1), *reward = probability + n;
  double *start_probability = reward + n;
  uint32_t *next = (uint32_t *)(start_probability + n_starts), *start_state = next + n;
  bool *terminal = (bool *)(start_state + n_starts);
  for (size_t i = 0; i <= pairs; ++i) offsets[i] = (int64_t)mdp->row[i];
  for (size_t k = 0; k < n; ++k) {
    probability[k] = mdp->outcome[k].probability;
    reward[k] = mdp->outcome[k].reward;
    next[k] = mdp->outcome[k].next;
  }
  for (size_t k = 0; k < n_starts; ++k) { /* the last row */
    start_probability[k] = mdp->outcome[n + k].probability;
    start_state[k] = mdp->outcome[n + k].next;
  }
  memcpy(terminal, mdp->terminal, shape->n_states * sizeof *terminal);
  *out = (far_csr){.n_states = shape->n_states,
                   .n_actions = shape->n_actions,
                   .n_outcomes = n,
                   .n_starts = n_starts,
                   .offsets = offsets,
                   .probability = probability,
                   .next = next,
                   .reward = reward,
                   .terminal = terminal,
                   .start_state = start_state,
                   .start_probability = start_probability,
                   .reward_min = shape->reward_min,
                   .reward_max = shape->reward_max,
                   .discount = mdp->discount,
                   .horizon = shape->horizon,
                   .memory = offsets};
  return FAR_OK;
}

void far_csr_free(far_csr *csr) {
  free(csr->memory);
  *csr = far_csr_default(0, 0);
}
