/* Unrolls a model for a horizon: in the new model a state knows the step. */
#include "base/error.h"
#include "farsight/solve.h"
#include "model/model.h"

/* Adds the rows of a state at a step; the last step leads to the end. */
static far_status add_state(far_mdp_builder *b, const far_mdp *mdp, uint32_t s, uint32_t step,
                            uint32_t horizon, far_error *error) {
  const uint32_t n = mdp->shape.n_states, at = step * n + s, end = horizon * n;
  far_status status = FAR_OK;
  if (mdp->terminal[s]) return far_mdp_builder_terminal(b, at, error);
  for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
    const size_t row = (size_t)s * mdp->shape.n_actions + a;
    for (size_t k = mdp->row[row]; status == FAR_OK && k < mdp->row[row + 1]; ++k) {
      const far_outcome *o = &mdp->outcome[k];
      const uint32_t next = step + 1 < horizon ? (step + 1) * n + o->next : end;
      status = far_mdp_builder_outcome(b, at, a, o->probability, next, o->reward, error);
    }
  }
  return status;
}

static far_status fill(far_mdp_builder *b, const far_mdp *mdp, uint32_t horizon, far_error *error) {
  const size_t first = mdp->row[mdp->n_rows - 1], last = mdp->row[mdp->n_rows];
  far_status status = far_mdp_builder_terminal(b, horizon * mdp->shape.n_states, error);
  if (status == FAR_OK)
    status = far_mdp_builder_range(b, mdp->shape.reward_min, mdp->shape.reward_max, error);
  for (uint32_t t = 0; t < horizon && status == FAR_OK; ++t)
    for (uint32_t s = 0; s < mdp->shape.n_states && status == FAR_OK; ++s)
      status = add_state(b, mdp, s, t, horizon, error);
  for (size_t k = first; k < last && status == FAR_OK; ++k)
    status = far_mdp_builder_start(b, mdp->outcome[k].next, mdp->outcome[k].probability, error);
  return status;
}

far_status far_mdp_unroll(far_mdp **out, const far_mdp *mdp, int64_t horizon, far_error *error) {
  far_mdp_builder *b;
  *out = NULL;
  if (horizon < 1 || horizon > FAR_HORIZON_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a horizon must be in 1 ... %d", FAR_HORIZON_MAX);
  if (horizon > (UINT32_MAX - 1) / mdp->shape.n_states)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lu states at %lld steps",
                     (unsigned long)mdp->shape.n_states, (long long)horizon);
  far_status status = far_mdp_builder_create(&b, (uint32_t)horizon * mdp->shape.n_states + 1,
                                             mdp->shape.n_actions, error);
  if (status != FAR_OK) return status;
  status = fill(b, mdp, (uint32_t)horizon, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}
