#include "solve_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  LANES = 8,
  SLICE_ROWS = BENCH_ACTIONS * LANES,
  SLICE_OUTCOMES = SLICE_ROWS * BENCH_SUCCESSORS
};

/* ---- the model ---- */

/* Distinct successors, in the order in which they are drawn. */
static void draw_successors(far_rng *rng, uint32_t n_states, uint32_t next[BENCH_SUCCESSORS]) {
  for (int k = 0; k < BENCH_SUCCESSORS; ++k) {
    next[k] = far_rng_below(rng, n_states);
    for (int j = 0; j < k; ++j)
      if (next[j] == next[k]) {
        --k; /* draw again */
        break;
      }
  }
}

static far_status add_pair(far_mdp_builder *b, far_rng *rng, uint32_t n_states, uint32_t s,
                           uint32_t a, far_error *error) {
  uint32_t next[BENCH_SUCCESSORS];
  double weight[BENCH_SUCCESSORS], total = 0;
  draw_successors(rng, n_states, next);
  for (int k = 0; k < BENCH_SUCCESSORS; ++k) total += weight[k] = 0.001 + far_rng_uniform(rng);
  const double reward = far_rng_uniform(rng);
  far_status status = FAR_OK;
  for (int k = 0; k < BENCH_SUCCESSORS && status == FAR_OK; ++k)
    status = far_mdp_builder_outcome(b, s, a, weight[k] / total, next[k], reward, error);
  return status;
}

far_status bench_random_model(far_mdp **out, uint32_t n_states, far_error *error) {
  far_mdp_builder *b;
  far_rng rng;
  *out = NULL;
  far_rng_init(&rng, 1, n_states, FAR_PURPOSE_SEARCH);
  far_status status = far_mdp_builder_create(&b, n_states, BENCH_ACTIONS, error);
  if (status != FAR_OK) return status;
  status = far_mdp_builder_start(b, 0, 1, error);
  for (uint32_t s = 0; s < n_states; ++s)
    for (uint32_t a = 0; a < BENCH_ACTIONS && status == FAR_OK; ++a)
      status = add_pair(b, &rng, n_states, s, a, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

/* ---- the loop ---- */

struct bench_slices {
  size_t count; /* of slices */
  double *probability, *reward, *v, *w;
  uint32_t *next;
};

void bench_slices_free(bench_slices *x) {
  if (x == NULL) return;
  free(x->probability);
  free(x->reward);
  free(x->next);
  free(x->v);
  free(x->w);
  free(x);
}

static void fill(bench_slices *x, const far_mdp *mdp) {
  for (size_t i = 0; i < x->count; ++i)
    for (uint32_t a = 0; a < BENCH_ACTIONS; ++a)
      for (uint32_t l = 0; l < LANES; ++l) {
        size_t n;
        const far_outcome *o = far_mdp_outcomes(mdp, (uint32_t)i * LANES + l, a, &n);
        double reward = 0;
        for (size_t k = 0; k < BENCH_SUCCESSORS; ++k) {
          const size_t at = i * SLICE_OUTCOMES + (a * BENCH_SUCCESSORS + k) * LANES + l;
          x->next[at] = o[k].next;
          x->probability[at] = o[k].probability;
          reward += o[k].probability * o[k].reward;
        }
        x->reward[i * SLICE_ROWS + a * LANES + l] = reward;
      }
}

bench_slices *bench_slices_create(const far_mdp *mdp) {
  bench_slices *x = calloc(1, sizeof *x);
  if (x == NULL) return NULL;
  x->count = far_mdp_shape(mdp).n_states / LANES;
  x->probability = malloc(x->count * SLICE_OUTCOMES * sizeof *x->probability);
  x->next = malloc(x->count * SLICE_OUTCOMES * sizeof *x->next);
  x->reward = malloc(x->count * SLICE_ROWS * sizeof *x->reward);
  x->v = malloc(x->count * LANES * sizeof *x->v);
  x->w = malloc(x->count * LANES * sizeof *x->w);
  if (x->probability && x->next && x->reward && x->v && x->w) {
    fill(x, mdp);
    return x;
  }
  bench_slices_free(x);
  return NULL;
}

typedef struct change {
  double low, high;
} change;

static change sweep(const bench_slices *x, double gamma, const double *v, double *w) {
  const double *p = x->probability, *r = x->reward;
  const uint32_t *next = x->next;
  double low[LANES], high[LANES];
  for (int l = 0; l < LANES; ++l) low[l] = INFINITY, high[l] = -INFINITY;
  for (size_t i = 0; i < x->count; ++i) {
    double best[LANES];
    for (int l = 0; l < LANES; ++l) best[l] = -INFINITY;
    for (int a = 0; a < BENCH_ACTIONS; ++a, r += LANES) {
      double sum[LANES] = {0};
      for (int k = 0; k < BENCH_SUCCESSORS; ++k, p += LANES, next += LANES)
        for (int l = 0; l < LANES; ++l) sum[l] += p[l] * v[next[l]];
      for (int l = 0; l < LANES; ++l) {
        const double q = r[l] + gamma * sum[l];
        best[l] = q > best[l] ? q : best[l];
      }
    }
    for (int l = 0; l < LANES; ++l) {
      const double d = best[l] - v[i * LANES + l];
      low[l] = d < low[l] ? d : low[l];
      high[l] = d > high[l] ? d : high[l];
      w[i * LANES + l] = best[l];
    }
  }
  change all = {low[0], high[0]};
  for (int l = 1; l < LANES; ++l) {
    all.low = fmin(all.low, low[l]);
    all.high = fmax(all.high, high[l]);
  }
  return all;
}

int64_t bench_slices_solve(bench_slices *x, double gamma, double tolerance) {
  const double factor = gamma / (1 - gamma);
  const size_t n = x->count * LANES;
  change d = {-INFINITY, INFINITY};
  int64_t sweeps = 0;
  memset(x->v, 0, n * sizeof *x->v);
  while (!(factor * (d.high - d.low) / 2 <= tolerance)) {
    d = sweep(x, gamma, x->v, x->w);
    double *swap = x->v;
    x->v = x->w;
    x->w = swap;
    ++sweeps;
  }
  const double shift = factor * (d.high + d.low) / 2;
  for (size_t s = 0; s < n; ++s) x->v[s] += shift;
  return sweeps;
}

const double *bench_slices_values(const bench_slices *x) {
  return x->v;
}
