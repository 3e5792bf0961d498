#include "farsight/csr.h"

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

static far_status add_starts(far_mdp_builder *b, const far_csr *csr, far_error *error) {
  for (size_t k = 0; k < csr->n_starts; ++k) {
    far_error why;
    const far_status status =
        far_mdp_builder_start(b, csr->start_state[k], csr->start_probability[k], &why);
    if (status != FAR_OK) return far__fail(error, status, -1, "start %zu: %.300s", k, why.message);
  }
  return FAR_OK;
}

static far_status fill(far_mdp_builder *b, const far_csr *csr, far_error *error) {
  const size_t pairs = (size_t)csr->n_states * csr->n_actions;
  far_status status = FAR_OK;
  far__mdp_builder_keep(b); /* what was a model before keeps its bits */
  if (!(csr->reward_min > csr->reward_max))
    status = far_mdp_builder_range(b, csr->reward_min, csr->reward_max, error);
  if (status == FAR_OK && csr->discount != 0)
    status = far_mdp_builder_discount(b, csr->discount, error);
  if (status == FAR_OK) status = far_mdp_builder_horizon(b, csr->horizon, error);
  for (size_t i = 0; status == FAR_OK && i < pairs; ++i) status = add_outcomes(b, csr, i, error);
  for (uint32_t s = 0; status == FAR_OK && s < csr->n_states; ++s)
    if (csr->terminal != NULL && csr->terminal[s]) status = far_mdp_builder_terminal(b, s, error);
  return status == FAR_OK ? add_starts(b, csr, error) : status;
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

/* The arrays of a model in one block; those of eight bytes come first, so that all are aligned. */
typedef struct arrays {
  int64_t *offsets;
  double *probability, *reward, *start_probability;
  uint32_t *next, *start_state;
  bool *terminal;
} arrays;

static bool allocate(far_csr *csr, arrays *to) {
  const size_t pairs = (size_t)csr->n_states * csr->n_actions;
  const size_t wide = pairs + 1 + 2 * csr->n_outcomes + csr->n_starts;
  const size_t narrow = csr->n_outcomes + csr->n_starts;
  csr->memory = malloc(wide * sizeof(double) + narrow * sizeof(uint32_t) +
                       csr->n_states * sizeof(bool)); /* less than the model itself takes */
  if (csr->memory == NULL) return false;
  to->offsets = csr->memory;
  to->probability = (double *)(to->offsets + pairs + 1);
  to->reward = to->probability + csr->n_outcomes;
  to->start_probability = to->reward + csr->n_outcomes;
  to->next = (uint32_t *)(to->start_probability + csr->n_starts);
  to->start_state = to->next + csr->n_outcomes;
  to->terminal = (bool *)(to->start_state + csr->n_starts);
  return true;
}

static void copy_model(const arrays *to, const far_csr *csr, const far_mdp *mdp) {
  for (size_t i = 0; i < mdp->n_rows; ++i) to->offsets[i] = (int64_t)mdp->row[i];
  for (size_t k = 0; k < csr->n_outcomes; ++k) {
    to->probability[k] = mdp->outcome[k].probability;
    to->reward[k] = mdp->outcome[k].reward;
    to->next[k] = mdp->outcome[k].next;
  }
  for (size_t k = 0; k < csr->n_starts; ++k) { /* the last row */
    to->start_probability[k] = mdp->outcome[csr->n_outcomes + k].probability;
    to->start_state[k] = mdp->outcome[csr->n_outcomes + k].next;
  }
  memcpy(to->terminal, mdp->terminal, csr->n_states * sizeof *to->terminal);
}

far_status far_mdp_to_csr(far_csr *out, const far_mdp *mdp, far_error *error) {
  const size_t pairs = mdp->n_rows - 1;
  arrays to;
  far_csr csr = far_csr_default(mdp->shape.n_states, mdp->shape.n_actions);
  *out = far_csr_default(0, 0);
  csr.n_outcomes = mdp->row[pairs];
  csr.n_starts = mdp->row[mdp->n_rows] - mdp->row[pairs];
  csr.reward_min = mdp->shape.reward_min;
  csr.reward_max = mdp->shape.reward_max;
  csr.discount = mdp->discount;
  csr.horizon = mdp->shape.horizon;
  if (!allocate(&csr, &to))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the arrays of a model");
  copy_model(&to, &csr, mdp);
  csr.offsets = to.offsets;
  csr.probability = to.probability;
  csr.next = to.next;
  csr.reward = to.reward;
  csr.terminal = to.terminal;
  csr.start_state = to.start_state;
  csr.start_probability = to.start_probability;
  *out = csr;
  return FAR_OK;
}

void far_csr_free(far_csr *csr) {
  free(csr->memory);
  *csr = far_csr_default(0, 0);
}
