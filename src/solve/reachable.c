#include "solve/reachable.h"

#include <stdlib.h>

#include "base/error.h"

/* Marks and queues the successors in a row. index[s] is 1 + the number of state s in the part, or 0. */
static size_t visit(const far_mdp *mdp, size_t row, uint32_t *index, uint32_t *queue, size_t tail) {
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
    const uint32_t next = mdp->outcome[k].next;
    if (index[next] != 0) continue;
    index[next] = 1;
    queue[tail++] = next;
  }
  return tail;
}

/* Finds the states, and numbers them in their old order. */
static void find(far__part *out, const far_mdp *mdp, uint32_t *index) {
  size_t tail = visit(mdp, mdp->n_rows - 1, index, out->old, 0);
  for (size_t head = 0; head < tail; ++head)
    for (uint32_t a = 0; a < mdp->shape.n_actions; ++a)
      tail = visit(mdp, (size_t)out->old[head] * mdp->shape.n_actions + a, index, out->old, tail);
  out->n_states = 0;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    if (index[s] == 0) continue;
    out->old[out->n_states++] = s;
    index[s] = out->n_states;
  }
}

static far_status copy_state(far_mdp_builder *b, const far__part *part, const far_mdp *mdp,
                             const uint32_t *index, uint32_t s, far_error *error) {
  const uint32_t old = part->old[s];
  if (mdp->terminal[old]) return far_mdp_builder_terminal(b, s, error);
  far_status status = FAR_OK;
  for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
    const size_t row = (size_t)old * mdp->shape.n_actions + a;
    for (size_t k = mdp->row[row]; status == FAR_OK && k < mdp->row[row + 1]; ++k) {
      const far_outcome *o = &mdp->outcome[k];
      status =
          far_mdp_builder_outcome(b, s, a, o->probability, index[o->next] - 1, o->reward, error);
    }
  }
  return status;
}

static far_status build(far__part *out, const far_mdp *whole, uint32_t *index, far_error *error) {
  far_mdp_builder *b;
  find(out, whole, index);
  far_status status = far_mdp_builder_create(&b, out->n_states, whole->shape.n_actions, error);
  if (status != FAR_OK) return status;
  status = far_mdp_builder_range(b, whole->shape.reward_min, whole->shape.reward_max, error);
  for (uint32_t s = 0; status == FAR_OK && s < out->n_states; ++s)
    status = copy_state(b, out, whole, index, s, error);
  for (size_t k = whole->row[whole->n_rows - 1]; status == FAR_OK && k < whole->row[whole->n_rows];
       ++k)
    status = far_mdp_builder_start(b, index[whole->outcome[k].next] - 1,
                                   whole->outcome[k].probability, error);
  if (status == FAR_OK) return far_mdp_builder_finish(&out->mdp, b, error);
  far_mdp_builder_free(b);
  return status;
}

far_status far__part_create(far__part *out, const far_mdp *whole, far_error *error) {
  const size_t n = whole->shape.n_states;
  *out = (far__part){.old = malloc(n * sizeof *out->old)};
  uint32_t *index = calloc(n, sizeof *index);
  far_status status = FAR_OK;
  if (out->old == NULL || index == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to search %zu states", n);
  else
    status = build(out, whole, index, error);
  free(index);
  if (status != FAR_OK) far__part_free(out);
  return status;
}

void far__part_free(far__part *part) {
  far_mdp_free(part->mdp);
  free(part->old);
  *part = (far__part){0};
}
