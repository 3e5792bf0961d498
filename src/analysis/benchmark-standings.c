/* Judges the entries of a benchmark: scores, ranks, ties. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/benchmark.h"
#include "base/error.h"

static far_status compare(far_benchmark_part *part, const far__benchmark_plan *p,
                          far_error *error) {
  far_comparison_def d = far_comparison_def_default();
  d.steps = FAR_BENCHMARK_STEPS;
  d.one_seed = true;
  d.seed = p->def->seed;
  d.envs = p->envs;
  d.n_envs = p->n_envs;
  d.agents = p->specs;
  d.n_agents = p->n_agents;
  d.agent_names = p->agents;
  d.env_names = p->envs;
  d.most_agents = 0;
  d.quick = true;
  const far_status status = far_comparison_create(&part->comparison, p->store, &d, error);
  if (status != FAR_OK) return status;
  if (part->comparison->n_groups == 1) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the store has results of the suite by other numerics: give another store");
}

static double score(const far_comparison_scale *scale, double total) {
  return (total - scale->low) / (scale->high - scale->low);
}

/* More than the best policy earns, by more than chance or a lucky start explains: over six standard errors
 * and a tenth of the scale. (The best long-run policy is no bound for a short run: hence the tenth.) */
static bool is_impossible(const far_comparison_group *g, size_t e, size_t j) {
  const far_comparison_scale *scale = &g->envs[e].scale;
  const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
  if (scale->kind != FAR_SCALE_POLICIES || cell->runs < 2) return false;
  const double error = cell->summary.std / sqrt((double)cell->runs);
  return cell->summary.mean > scale->high + 0.1 * (scale->high - scale->low) + 6 * error;
}

/* The scores of agent j: its replicates' means over the problems go to `mean`. Replicates are independent
 * of one another; the problems of one are not, since they share random numbers. */
static void judge(far_standing *x, const far_comparison_group *g, size_t j, int64_t runs,
                  double *mean) {
  double n_scales = 0;
  x->least = INFINITY;
  for (int64_t k = 0; k < runs; ++k) mean[k] = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_scale *scale = &g->envs[e].scale;
    const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
    if (scale->kind == FAR_SCALE_NONE) continue;
    n_scales += 1;
    for (int64_t k = 0; k < runs; ++k) mean[k] += score(scale, cell->values[k]);
    x->impossible |= is_impossible(g, e, j);
    const double own = score(scale, cell->summary.mean);
    if (own < x->least) x->weakest = g->envs[e].label;
    x->least = fmin(x->least, own);
  }
  for (int64_t k = 0; k < runs; ++k) mean[k] /= n_scales;
  const far_moments m = far_sample_moments(mean, runs);
  x->score = m.mean;
  x->low = m.ci95 > 0 ? m.mean - m.ci95 : NAN;
  x->high = m.ci95 > 0 ? m.mean + m.ci95 : NAN;
}

/* Which agents are decidedly better than which: a paired t-test over the replicates' means of each two,
 * adjusted for all of them (Holm). Who is better comes before, who is worse after; what is between is a
 * tie. */
static far_status rank(far_standing *x, const double *means, size_t n, int64_t runs, double *p,
                       far_error *error) {
  const far_bootstrap_def none = {.level = 0.95};
  far_status status = FAR_OK;
  size_t m = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n && status == FAR_OK; ++j) {
      far_paired pair;
      status = far_pairs_compare(&pair, means + i * (size_t)runs, means + j * (size_t)runs, runs,
                                 &none, error);
      p[m++] = pair.p;
    }
  if (status == FAR_OK && m > 0) status = far_p_adjust(p, p, m, FAR_CORRECTION_HOLM, error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < n; ++i) {
    x[i].first = 1;
    x[i].last = n;
  }
  m = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j) {
      if (!(p[m++] <= 0.05)) continue;
      const size_t better = x[i].score > x[j].score ? i : j, worse = i + j - better;
      x[better].last -= 1;
      x[worse].first += 1;
    }
  return FAR_OK;
}

static far_status judge_all(far_benchmark_part *part, const far__benchmark_plan *plan,
                            far_error *error) {
  const far_comparison_group *g = &part->comparison->groups[0];
  const int64_t runs = plan->def->runs;
  const size_t n = part->n_agents;
  double *means = calloc(n, (size_t)runs * sizeof *means), *p = calloc(n * n, sizeof *p);
  far_status status = FAR_OK;
  if (means == NULL || p == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for scores");
  for (size_t j = 0; status == FAR_OK && j < n; ++j) {
    part->standings[j].agent = plan->agents[j];
    part->standings[j].seconds = plan->entries[j].seconds;
    judge(&part->standings[j], g, j, runs, means + j * (size_t)runs);
  }
  if (status == FAR_OK) status = rank(part->standings, means, n, runs, p, error);
  free(means);
  free(p);
  return status;
}

static far_status profile(far_benchmark_part *part, far_error *error) {
  far_profiles_def d = far_profiles_def_default();
  d.low = 0;
  d.high = 1;
  d.by_replicate = true;
  return far_profiles_create(&part->profiles, part->comparison, 0, &d, error);
}

static int better_first(const void *x, const void *y) {
  const far_standing *a = x, *b = y;
  if (a->score == b->score) return strcmp(a->agent, b->agent);
  return a->score > b->score ? -1 : 1;
}

far_status far__benchmark_judge(far_benchmark_part *part, const far__benchmark_plan *p,
                                far_error *error) {
  far_standing *x = part->standings;
  part->n_agents = p->n_agents;
  memmove(x + p->n_agents, x, part->n_failed * sizeof *x);
  memset(x, 0, p->n_agents * sizeof *x);
  if (p->n_agents == 0) return FAR_OK;
  far_status status = compare(part, p, error);
  if (status == FAR_OK) status = judge_all(part, p, error);
  if (status == FAR_OK) status = profile(part, error);
  if (status == FAR_OK) qsort(x, p->n_agents, sizeof *x, better_first);
  return status;
}
