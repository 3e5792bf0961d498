/* What every run of a setting is worth: its score, and that of its last part. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "questions/benchmark/benchmark.h"

int64_t far__benchmark_late(const far__benchmark *b) {
  return b->steps - b->steps / FAR__LATE;
}

static far_status compare(far_comparison **out, const far__benchmark_plan *p, const char *series,
                          far_error *error) {
  far_comparison_def d = far_comparison_def_default();
  d.series = series;
  d.steps = p->benchmark->steps;
  d.one_seed = true;
  d.seed = p->benchmark->seed;
  d.envs = p->envs;
  d.n_envs = p->n_envs;
  d.agents = p->specs;
  d.n_agents = p->n_agents;
  d.agent_names = p->agents;
  d.env_names = p->envs;
  d.most_agents = 0;
  d.quick = true;
  const far_status status = far_comparison_create(out, p->store, &d, error);
  if (status != FAR_OK) return status;
  if ((*out)->n_groups == 1) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the store has results of the suite by other numerics: give another store");
}

/* ---- by reward ---- */

static double score(const far_comparison_scale *scale, double total) {
  if (scale->kind == FAR_SCALE_NONE) return NAN;
  return (total - scale->low) / (scale->high - scale->low);
}

static void score_rewards(double *out, const far_comparison_group *g, int64_t runs) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    for (int64_t k = 0; k < runs; ++k)
      *out++ = score(&g->envs[i / g->n_agents].scale, g->cells[i].values[k]);
}

/* The scale of what is earned after `early`. Without a random and a best policy there is none. */
static far_comparison_scale late_scale(const far_comparison_scale *whole,
                                       const far_comparison_scale *early) {
  far_comparison_scale out = {.low = whole->low - early->low, .high = whole->high - early->high};
  if (whole->kind == FAR_SCALE_POLICIES && early->kind == FAR_SCALE_POLICIES)
    out.kind = FAR_SCALE_POLICIES;
  return out;
}

static void score_late(double *out, const far_comparison_group *g,
                       const far_comparison_group *early, int64_t runs) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const size_t e = i / g->n_agents;
    const far_comparison_scale scale = late_scale(&g->envs[e].scale, &early->envs[e].scale);
    for (int64_t k = 0; k < runs; ++k)
      *out++ = score(&scale, g->cells[i].values[k] - early->cells[i].values[k]);
  }
}

/* More than the best policy earns, by more than chance or a lucky start explains: over six standard errors
 * and a tenth of the scale. (The best long-run policy is no bound for a short run: hence the tenth.) */
static bool is_impossible(const far_comparison_group *g, size_t i) {
  const far_comparison_scale *scale = &g->envs[i / g->n_agents].scale;
  const far_comparison_cell *cell = &g->cells[i];
  if (scale->kind != FAR_SCALE_POLICIES || cell->runs < 2) return false;
  const double error = cell->summary.std / sqrt((double)cell->runs);
  return cell->summary.mean > scale->high + 0.1 * (scale->high - scale->low) + 6 * error;
}

/* ---- by a metric ---- */

/* The greater the better; what is no number is worst. */
static double merit(double x, bool lower) {
  if (x != x) return -INFINITY;
  return lower ? -x : x;
}

/* The rank of agent j in run k on an environment: 1 and those that are better, equal ones counting half. */
static double rank_of(const far_comparison_cell *cells, size_t n, size_t j, int64_t k, bool lower) {
  const double own = merit(cells[j].values[k], lower);
  double rank = 1;
  for (size_t i = 0; i < n; ++i) {
    const double other = merit(cells[i].values[k], lower);
    if (i != j) rank += other > own ? 1 : other < own ? 0 : 0.5;
  }
  return rank;
}

static void score_ranks(double *out, const far_comparison *c, int64_t runs) {
  const far_comparison_group *g = &c->groups[0];
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    for (int64_t k = 0; k < runs; ++k)
      *out++ = rank_of(&g->cells[i / g->n_agents * g->n_agents], g->n_agents, i % g->n_agents, k,
                       c->lower);
}

/* ---- all ---- */

static void fill(far__benchmark_part *part, const far__benchmark *b, const far_comparison *reward,
                 const far_comparison *early) {
  const far_comparison_group *g = &reward->groups[0];
  if (b->score != NULL)
    score_ranks(part->scores, part->comparison, b->runs);
  else
    score_rewards(part->scores, g, b->runs);
  score_late(part->late, g, &early->groups[0], b->runs);
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    part->standings[i % g->n_agents].impossible |= is_impossible(g, i);
}

far_status far__benchmark_score(far__benchmark_part *part, const far__benchmark_plan *p,
                                far_error *error) {
  const far__benchmark *b = p->benchmark;
  const size_t count = p->n_envs * p->n_agents;
  far_comparison *reward = NULL, *early = NULL;
  char curve[32];
  snprintf(curve, sizeof curve, "curve@%lld", (long long)far__benchmark_late(b));
  part->scores = calloc(count, (size_t)b->runs * sizeof *part->scores);
  part->late = calloc(count, (size_t)b->runs * sizeof *part->late);
  far_status status = FAR_OK;
  if (part->scores == NULL || part->late == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for scores");
  if (status == FAR_OK)
    status = compare(&part->comparison, p, b->score != NULL ? b->score : "total", error);
  if (status == FAR_OK && b->score != NULL) status = compare(&reward, p, "total", error);
  if (status == FAR_OK) status = compare(&early, p, curve, error);
  if (status == FAR_OK) fill(part, b, reward != NULL ? reward : part->comparison, early);
  far_comparison_free(reward);
  far_comparison_free(early);
  return status;
}
