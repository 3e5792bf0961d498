#include "agents/sample.h"

#include <math.h> /* sqrt and ceil are exact operations */
#include <string.h>

#include "base/variate.h"

/* The most sticks of one row; the probability that more are needed is far below 2^-53. */
static uint64_t most_sticks(double weight) {
  return 128 + 64 * (uint64_t)ceil(weight);
}

static size_t most_arcs(const far_agent *agent, size_t n_rows, double weight) {
  const uint64_t all = (uint64_t)agent->shape.n_states + 1, sticks = most_sticks(weight);
  const uint64_t arcs = agent->pool_used / 2 + (uint64_t)n_rows * (sticks < all ? sticks : all) + 1;
  return arcs < SIZE_MAX ? (size_t)arcs : SIZE_MAX;
}

size_t sample_need(const far_agent *agent, size_t n_rows, double prior_weight) {
  const size_t arcs = most_arcs(agent, n_rows, prior_weight);
  if (arcs > SIZE_MAX / 64 || n_rows > SIZE_MAX / 64) return SIZE_MAX; /* too many */
  return n_rows * (sizeof(sampled_row) / 8) + 2 * arcs + 2 * ((size_t)agent->shape.n_states + 1);
}

sample sample_begin(far_agent *agent, size_t n_rows, sample_prior prior) {
  sample x = {.agent = agent, .prior = prior, .pool = far__agent_pool(agent)};
  const far_shape *shape = &agent->shape;
  x.row = (sampled_row *)(x.pool + agent->pool_used / 2);
  x.arc = (far__arc *)(x.row + n_rows);
  x.mark = (uint64_t *)(x.arc + most_arcs(agent, n_rows, prior.weight));
  memset(x.mark, 0, (shape->n_states + (size_t)1) * sizeof *x.mark);
  x.outcome = x.mark + shape->n_states + 1;
  for (uint64_t y = 0; y <= shape->n_states; ++y)
    if (rows_can_follow(shape, y)) x.outcome[x.outcomes++] = y;
  return x;
}

static void take(sample *x, size_t i, uint64_t outcome, double weight) {
  x->arc[x->used++] = (far__arc){outcome, weight};
  x->row[i].total += weight;
  x->mark[outcome] = i + 1;
}

/* An outcome that is not in row i yet. */
static uint64_t fresh_outcome(const sample *x, size_t i, far_rng *rng) {
  uint64_t y;
  do y = x->outcome[far_rng_below(rng, (uint32_t)x->outcomes)];
  while (x->mark[y] == i + 1);
  return y;
}

/* Splits a weight among `unseen` outcomes of prior weight alpha each. */
static void take_sticks(sample *x, size_t i, double weight, double alpha, uint64_t unseen) {
  far_rng *rng = &x->agent->rng;
  const double enough = 0x1p-53 * (x->row[i].total + weight);
  const uint64_t most = most_sticks(x->prior.weight);
  double rest = weight;
  for (uint64_t j = 1;; ++j) {
    double stick = rest;
    if (j < unseen) {
      const double in = far__gamma(rng, 1 + alpha);
      const double out = far__gamma(rng, (double)(unseen - j) * alpha);
      stick = rest * (in / (in + out));
    }
    take(x, i, fresh_outcome(x, i, rng), stick);
    rest -= stick;
    if (j == unseen || j == most || rest <= enough) return;
  }
}

/* All weights were rounded to 0, which needs a row without visits, as Gamma(1) and above is never 0. Its outcomes have the same
 * parameter; the first gets all. */
static void take_first(sample *x, size_t i) {
  x->used = x->row[i].first;
  take(x, i, x->outcome[0], 1);
}

static void draw_transitions(sample *x, size_t i, const learner_pair *pair) {
  far_rng *rng = &x->agent->rng;
  const double alpha = x->prior.weight / (double)x->outcomes;
  const far__row seen = {x->pool + pair->first, (size_t)pair->count, pair->n};
  const uint64_t unseen = x->outcomes - seen.count;
  x->row[i] = (sampled_row){.first = x->used};
  if (alpha == 0 && seen.count == 0) return;
  for (size_t k = 0; k < seen.count; ++k)
    take(x, i, seen.arc[k].next, far__gamma(rng, alpha + seen.arc[k].weight));
  if (unseen > 0 && alpha > 0)
    take_sticks(x, i, far__gamma(rng, alpha * (double)unseen), alpha, unseen);
  if (!(x->row[i].total > 0)) take_first(x, i);
  x->row[i].count = x->used - x->row[i].first;
}

/* The mean reward, normal with normal prior. */
static void draw_reward(sample *x, size_t i, const learner_pair *pair) {
  const sample_prior *p = &x->prior;
  const double prior = 1 / (p->deviation * p->deviation), noise = p->noise * p->noise;
  const double variance = 1 / (prior + pair->n / noise);
  const double mean = variance * (p->mean * prior + pair->sum / noise);
  x->row[i].reward = mean + sqrt(variance) * far__normal(&x->agent->rng);
}

void sample_draw(sample *x, size_t i, const learner_pair *pair) {
  draw_transitions(x, i, pair);
  draw_reward(x, i, pair);
}
