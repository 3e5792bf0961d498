#include "solve/sliced.h"

#include <math.h> /* only for fabs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/available.h"
#include "base/error.h"
#include "base/pages.h"
#include "solve/parts.h"

/* The rows that are laid out: the model's, or those of a policy. */
typedef struct source {
  const far_mdp *mdp;
  const far_policy *policy; /* NULL: every action has its row */
} source;

/* The place of a row: the k-th outcome is stored at next[k * stride]. */
typedef struct target {
  uint32_t *next;
  double *probability;
  size_t stride;
} target;

static size_t pair_length(const far_mdp *mdp, uint32_t s, uint32_t a) {
  const size_t row = (size_t)s * mdp->shape.n_actions + a;
  return mdp->row[row + 1] - mdp->row[row];
}

static size_t row_length(const source *from, uint32_t s, uint32_t a) {
  const far_policy *policy = from->policy;
  if (policy == NULL) return pair_length(from->mdp, s, a);
  if (policy->action != NULL) return pair_length(from->mdp, s, policy->action[s]);
  const uint32_t n = from->mdp->shape.n_actions;
  size_t length = 0;
  for (uint32_t b = 0; b < n; ++b)
    if (policy->probability[(size_t)s * n + b] > 0) length += pair_length(from->mdp, s, b);
  return length;
}

enum { NEARBY = 1 << 13 }; /* states: their values are still cached when a sweep reaches them */

/* Sums over a row. */
typedef struct sums {
  double reward, size; /* the expected reward, and that of its absolute value */
  double ends;         /* the probability to end */
  size_t far;          /* outcomes that are not near by */
} sums;

static size_t copy_pair(const source *from, uint32_t s, uint32_t a, double weight, size_t at,
                        target to, sums *sum) {
  const far_mdp *mdp = from->mdp;
  const size_t row = (size_t)s * mdp->shape.n_actions + a;
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k, ++at) {
    const far_outcome *o = &mdp->outcome[k];
    const double p = weight * o->probability;
    to.next[at * to.stride] = o->next;
    sum->far += o->next > s ? o->next - s > NEARBY : s - o->next > NEARBY;
    to.probability[at * to.stride] = p;
    sum->reward += p * o->reward;
    sum->size += p * fabs(o->reward);
    if (o->done) sum->ends += p;
  }
  return at;
}

static sums copy_row(const source *from, uint32_t s, uint32_t a, target to) {
  const far_policy *policy = from->policy;
  sums sum = {0};
  if (policy == NULL || policy->action != NULL) {
    copy_pair(from, s, policy == NULL ? a : policy->action[s], 1, 0, to, &sum);
    return sum;
  }
  const uint32_t n = from->mdp->shape.n_actions;
  const double *weight = policy->probability + (size_t)s * n;
  size_t at = 0;
  double total = 0; /* 1 but for rounding */
  for (uint32_t b = 0; b < n; ++b) total += weight[b];
  for (uint32_t b = 0; b < n; ++b)
    if (weight[b] > 0) at = copy_pair(from, s, b, weight[b] / total, at, to, &sum);
  return sum;
}

/* ---- the order of the states ---- */

/* One pass of a stable counting sort by the length of the row of action a. Very long rows count as
 * equally long: they hardly share a slice with others. */
static void sort_by_length(const source *from, uint32_t a, const uint32_t *in, uint32_t *out,
                           size_t n) {
  enum { KEYS = 256 };
  size_t start[KEYS + 1] = {0};
  for (size_t i = 0; i < n; ++i) {
    const size_t length = row_length(from, in[i], a);
    start[(length < KEYS ? length : KEYS - 1) + 1] += 1;
  }
  for (size_t k = 0; k < KEYS; ++k) start[k + 1] += start[k];
  for (size_t i = 0; i < n; ++i) {
    const size_t length = row_length(from, in[i], a);
    out[start[length < KEYS ? length : KEYS - 1]++] = in[i];
  }
}

/* Are all rows of an action equally long, as in most models? Then sorting changes nothing. */
static bool same_lengths(const source *from, uint32_t a, const uint32_t *state, size_t n) {
  for (size_t i = 1; i < n; ++i)
    if (row_length(from, state[i], a) != row_length(from, state[0], a)) return false;
  return true;
}

static far_status order_states(far__sliced *out, const source *from, size_t n, far_error *error) {
  size_t live = 0, ended = 0;
  for (uint32_t s = 0; s < out->n_states; ++s) {
    if (from->mdp->terminal[s])
      out->terminal[ended++] = s;
    else
      out->state[live++] = s;
  }
  uint32_t *other = calloc(n + 1, sizeof *other);
  if (other == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to sort %zu states", n);
  for (uint32_t a = out->n_actions; a-- > 0;) {
    if (same_lengths(from, a, out->state, n)) continue;
    sort_by_length(from, a, out->state, other, n);
    uint32_t *swap = out->state;
    out->state = other;
    other = swap;
  }
  free(other);
  return FAR_OK;
}

/* ---- slices ---- */

/* May these eight states be stored side by side? Sets the lengths of the padded rows. */
static bool fits(const far__sliced *out, const source *from, const uint32_t *state,
                 uint32_t *length) {
  size_t used = 0, padded = 0;
  for (uint32_t a = 0; a < out->n_actions; ++a) {
    size_t most = 0;
    for (size_t l = 0; l < FAR__LANES; ++l) {
      const size_t n = row_length(from, state[l], a);
      used += n;
      most = n > most ? n : most;
    }
    length[a] = (uint32_t)most;
    padded += most * FAR__LANES;
  }
  return padded <= used + used / 4;
}

/* Puts the states that fit into slices in front, the others behind, and counts the outcomes with
 * their padding. `length` is filled for the slices of eight. */
static far_status choose_slices(far__sliced *out, const source *from, size_t n, size_t *total,
                                far_error *error) {
  uint32_t *single = malloc((n + 1) * sizeof *single);
  if (single == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to slice %zu states", n);
  size_t i = 0;
  *total = 0;
  for (; i + FAR__LANES <= n; i += FAR__LANES) {
    uint32_t *length = out->length + out->n_wide * out->n_actions;
    if (fits(out, from, out->state + i, length)) {
      for (uint32_t a = 0; a < out->n_actions; ++a) *total += (size_t)length[a] * FAR__LANES;
      memmove(out->state + out->n_wide++ * FAR__LANES, out->state + i,
              FAR__LANES * sizeof *out->state);
    } else {
      memcpy(single + out->n_single, out->state + i, FAR__LANES * sizeof *single);
      out->n_single += FAR__LANES;
    }
  }
  for (; i < n; ++i) single[out->n_single++] = out->state[i];
  memcpy(out->state + out->n_wide * FAR__LANES, single, out->n_single * sizeof *single);
  uint32_t *length = out->length + out->n_wide * out->n_actions;
  for (size_t j = 0; j < out->n_single; ++j)
    for (uint32_t a = 0; a < out->n_actions; ++a)
      *total += *length++ = (uint32_t)row_length(from, out->state[out->n_wide * FAR__LANES + j], a);
  free(single);
  return FAR_OK;
}

static void note_row(far__sliced *out, sums sum, size_t length) {
  if (sum.size > out->most_reward) out->most_reward = sum.size;
  if (sum.ends < out->least_end) out->least_end = sum.ends;
  if (sum.ends > out->most_end) out->most_end = sum.ends;
  if (length > out->longest) out->longest = length;
  out->n_far += sum.far;
}

/* Fills slices of `lanes` states; `at` counts outcomes. */
static void fill_slices(far__sliced *out, const source *from, size_t lanes, size_t count,
                        const uint32_t *state, const uint32_t *length, size_t at, double *reward) {
  for (size_t i = 0; i < count; ++i, state += lanes) {
    for (uint32_t a = 0; a < out->n_actions; ++a, reward += lanes) {
      const size_t padded = *length++;
      for (size_t l = 0; l < lanes; ++l) {
        const target to = {out->next + at + l, out->probability + at + l, lanes};
        const size_t n = row_length(from, state[l], a);
        const sums sum = copy_row(from, state[l], a, to);
        for (size_t k = n; k < padded; ++k) {
          to.next[k * lanes] = to.next[0];
          to.probability[k * lanes] = 0;
        }
        reward[l] = sum.reward;
        note_row(out, sum, n);
      }
      at += padded * lanes;
    }
  }
}

static void fill(far__sliced *out, const source *from) {
  const size_t wide = out->n_wide * FAR__LANES;
  size_t at = 0;
  for (size_t i = 0; i < out->n_wide * out->n_actions; ++i)
    at += (size_t)out->length[i] * FAR__LANES;
  out->least_end = 1;
  out->most_end = 0;
  fill_slices(out, from, FAR__LANES, out->n_wide, out->state, out->length, 0, out->reward);
  fill_slices(out, from, 1, out->n_single, out->state + wide,
              out->length + out->n_wide * out->n_actions, at, out->reward + wide * out->n_actions);
}

/* ---- stretches ---- */

enum { STRETCH = 8192 }; /* outcomes, at least: about 100 kB and 10 microseconds */

/* Cuts the slices into stretches. */
static far_status cut(far__sliced *x, far_error *error) {
  const size_t n = x->n_wide + x->n_single;
  x->stretch = malloc((x->n_outcomes / STRETCH + 2) * sizeof *x->stretch);
  if (x->stretch == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to slice %zu outcomes",
                     x->n_outcomes);
  size_t at = 0, first = 0;
  x->stretch[0] = (far__stretch){0, 0};
  for (size_t i = 0; i < n; ++i) {
    size_t outcomes = 0;
    for (uint32_t a = 0; a < x->n_actions; ++a) outcomes += x->length[i * x->n_actions + a];
    at += outcomes * (i < x->n_wide ? FAR__LANES : 1);
    if (at - first < STRETCH && i + 1 < n) continue;
    x->stretch[++x->n_stretches] = (far__stretch){i + 1, at};
    first = at;
  }
  return FAR_OK;
}

static far_status create(far__sliced *out, const source *from, far_error *error) {
  size_t n = 0, total;
  for (uint32_t s = 0; s < out->n_states; ++s) n += !from->mdp->terminal[s];
  out->n_terminal = out->n_states - n;
  const size_t rows = n * out->n_actions;
  out->state = calloc(n + 1, sizeof *out->state);
  out->terminal = malloc((out->n_terminal + 1) * sizeof *out->terminal);
  out->length = malloc((rows + 1) * sizeof *out->length);
  out->reward = malloc((rows + 1) * sizeof *out->reward);
  if (!out->state || !out->terminal || !out->length || !out->reward)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the rewards of %zu rows", rows);
  far_status status = order_states(out, from, n, error);
  if (status == FAR_OK) status = choose_slices(out, from, n, &total, error);
  if (status != FAR_OK) return status;
  char what[64];
  snprintf(what, sizeof what, "solving a model of %zu outcomes", total);
  status = far__check_memory((double)total * (sizeof(uint32_t) + sizeof(double)), what, error);
  if (status != FAR_OK) return status;
  out->next = malloc((total + FAR__AHEAD + FAR__LANES) * sizeof *out->next);
  out->probability = malloc((total + 1) * sizeof *out->probability);
  if (out->next == NULL || out->probability == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to lay out %zu outcomes", total);
  far__large_pages(out->next, total * sizeof *out->next);
  far__large_pages(out->probability, total * sizeof *out->probability);
  out->n_outcomes = total;
  memset(out->next + total, 0, (FAR__AHEAD + FAR__LANES) * sizeof *out->next);
  fill(out, from);
  return cut(out, error);
}

far_status far__sliced_create(far__sliced *out, const far_mdp *mdp, const far_policy *policy,
                              far_error *error) {
  const source from = {mdp, policy};
  *out = (far__sliced){.n_states = mdp->shape.n_states,
                       .n_actions = policy == NULL ? mdp->shape.n_actions : 1};
  const far_status status = create(out, &from, error);
  if (status != FAR_OK) far__sliced_free(out);
  return status;
}

void far__sliced_free(far__sliced *sliced) {
  free(sliced->state);
  free(sliced->length);
  free(sliced->reward);
  free(sliced->next);
  free(sliced->probability);
  free(sliced->terminal);
  free(sliced->stretch);
  *sliced = (far__sliced){0};
}

/* ---- solvers ---- */

far_status far_solver_create(far_solver **out, const far_mdp *mdp, far_error *error) {
  far_solver *solver = calloc(1, sizeof *solver);
  *out = NULL;
  if (solver == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a solver");
  solver->mdp = mdp;
  const far_status status = far__sliced_create(&solver->rows, mdp, NULL, error);
  if (status != FAR_OK) {
    free(solver);
    return status;
  }
  *out = solver;
  return FAR_OK;
}

void far_solver_free(far_solver *solver) {
  if (solver == NULL) return;
  far__sliced_free(&solver->rows);
  free(solver);
}

size_t far__solver_bytes(const far_solver *solver) {
  const far__sliced *r = &solver->rows;
  const size_t live = r->n_states - r->n_terminal, rows = live * r->n_actions;
  return sizeof *solver + rows * (sizeof *r->reward + sizeof *r->length) +
         r->n_states * sizeof *r->state +
         r->n_outcomes * (sizeof *r->next + sizeof *r->probability);
}
