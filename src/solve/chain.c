#include "solve/chain.h"

#include <math.h> /* only for fabs */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/evaluate.h"
#include "solve/pairs.h"

#define NONE UINT32_MAX

/* ---- the matrix ---- */

/* Adds the moves of a row of the model, with a weight: to its outcomes, or to the starts where it ends. */
static void add_row(far__chain *out, const far_mdp *mdp, size_t row, double weight, double *p) {
  const size_t first = mdp->row[mdp->n_rows - 1], end = mdp->row[mdp->n_rows];
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    const double x = weight * o->probability;
    if (!o->done) p[out->index[o->next]] += x;
    for (size_t i = first; o->done && i < end; ++i)
      p[out->index[mdp->outcome[i].next]] += x * mdp->outcome[i].probability;
  }
}

static void fill(far__chain *out, const far_mdp *mdp, const far_policy *policy) {
  const uint32_t n = mdp->shape.n_actions;
  for (uint32_t i = 0; i < out->n; ++i) {
    const uint32_t s = out->state[i];
    double *p = out->p + (size_t)i * out->n;
    const double *chance =
        policy != NULL && policy->probability != NULL ? policy->probability + (size_t)s * n : NULL;
    double total = chance == NULL ? n : 0;
    for (uint32_t a = 0; chance != NULL && a < n; ++a) total += chance[a];
    for (uint32_t a = 0; a < n; ++a) {
      double weight = (chance != NULL ? chance[a] : 1) / total;
      if (policy != NULL && policy->action != NULL) weight = policy->action[s] == a;
      if (weight > 0) add_row(out, mdp, (size_t)s * n + a, weight, p);
    }
  }
}

far_status far__chain_create(far__chain *out, const far_mdp *mdp, const far_policy *policy,
                             far_error *error) {
  const size_t n_states = mdp->shape.n_states, live = far_shape_live(&mdp->shape);
  const size_t starts = mdp->row[mdp->n_rows] - mdp->row[mdp->n_rows - 1];
  *out = (far__chain){0};
  const far_status status = policy != NULL ? far__policy_check(mdp, policy, error) : FAR_OK;
  if (status != FAR_OK) return status;
  out->state = malloc(live * sizeof *out->state);
  out->index = malloc(n_states * sizeof *out->index);
  if (live < SIZE_MAX / sizeof(double) / live) out->p = calloc(live * live, sizeof *out->p);
  if (out->state == NULL || out->index == NULL || out->p == NULL) {
    far__chain_free(out);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a chain of %zu states", live);
  }
  for (uint32_t s = 0; s < n_states; ++s) {
    const bool live_state = far_shape_is_live(&mdp->shape, s);
    out->index[s] = live_state ? out->n : NONE;
    if (live_state) out->state[out->n++] = s;
  }
  fill(out, mdp, policy);
  const size_t terms = far__longest_row(mdp) * mdp->shape.n_actions + starts + live;
  out->unit = ((double)terms + 16) * 0x1p-53;
  return FAR_OK;
}

void far__chain_free(far__chain *chain) {
  free(chain->state);
  free(chain->index);
  free(chain->p);
  *chain = (far__chain){0};
}

/* ---- closed classes ---- */

typedef struct search {
  const far__chain *chain;
  uint32_t *queue, *level; /* level: steps from the root; NONE where it is not reached */
  bool *back;              /* states that lead to the root */
  bool *seen;              /* states that lead to a class found before */
} search;

/* Finds the states that the root leads to, or that lead to the root (`backwards`); returns how many. */
static uint32_t spread(search *x, uint32_t root, bool backwards) {
  const size_t n = x->chain->n;
  uint32_t tail = 0;
  for (uint32_t i = 0; i < n; ++i) x->level[i] = NONE;
  x->level[root] = 0;
  x->queue[tail++] = root;
  for (uint32_t head = 0; head < tail; ++head) {
    const uint32_t i = x->queue[head];
    for (uint32_t j = 0; j < n; ++j) {
      const double p = backwards ? x->chain->p[j * n + i] : x->chain->p[i * n + j];
      if (!(p > 0) || x->level[j] != NONE) continue;
      x->level[j] = x->level[i] + 1;
      x->queue[tail++] = j;
    }
  }
  return tail;
}

/* Moves from the root to a state of a closed class: as long as it leads to a state that does not lead back, moves
 * there. In the end the levels are those of the returned state, and `back` has the states that lead to it. */
static uint32_t settle(search *x, uint32_t root) {
  for (;;) {
    uint32_t out = NONE;
    spread(x, root, true);
    for (uint32_t i = 0; i < x->chain->n; ++i) x->back[i] = x->level[i] != NONE;
    spread(x, root, false);
    for (uint32_t i = 0; i < x->chain->n && out == NONE; ++i)
      if (x->level[i] != NONE && !x->back[i]) out = i;
    if (out == NONE) return root;
    root = out;
  }
}

static uint32_t divisor(uint32_t a, uint32_t b) {
  while (b != 0) {
    const uint32_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

/* The greatest common divisor of the lengths of all cycles in the class. */
static uint32_t period_of(const search *x) {
  const size_t n = x->chain->n;
  uint32_t period = 0;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n && x->level[i] != NONE; ++j) {
      if (!(x->chain->p[i * n + j] > 0)) continue;
      const uint32_t from = x->level[i] + 1, to = x->level[j];
      period = divisor(from > to ? from - to : to - from, period);
    }
  return period;
}

far_status far__chain_closed(far__closed *out, const far__chain *chain, far_error *error) {
  const size_t n = chain->n;
  search x = {.chain = chain,
              .queue = malloc(n * sizeof *x.queue),
              .level = malloc(n * sizeof *x.level),
              .back = malloc(n * sizeof *x.back),
              .seen = calloc(n, sizeof *x.seen)};
  *out = (far__closed){.member = calloc(n, sizeof *out->member)};
  far_status status = FAR_OK;
  if (!x.queue || !x.level || !x.back || !x.seen || !out->member)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the classes of a chain");
  for (uint32_t s = 0; status == FAR_OK && s < n; ++s) {
    if (x.seen[s]) continue;
    settle(&x, s);
    if (out->n_classes++ == 0) {
      for (size_t i = 0; i < n; ++i) out->n_states += out->member[i] = x.level[i] != NONE;
      out->period = period_of(&x);
    }
    for (size_t i = 0; i < n; ++i) x.seen[i] = x.seen[i] || x.back[i];
  }
  free(x.queue);
  free(x.level);
  free(x.back);
  free(x.seen);
  if (status != FAR_OK) far__closed_free(out);
  return status;
}

void far__closed_free(far__closed *closed) {
  free(closed->member);
  *closed = (far__closed){0};
}
