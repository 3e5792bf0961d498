/* Judges the entries of a benchmark: scores, ranks, ties. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "questions/benchmark/benchmark.h"
#include "questions/comparison/profiles.h"

/* The runs of agent j on problem e. */
static const double *runs_of(const double *x, const far_comparison_group *g, size_t e, size_t j,
                             int64_t runs) {
  return x + (e * g->n_agents + j) * (size_t)runs;
}

/* The scores of agent j: its replicates' means over the problems go to `mean`. Replicates are independent
 * of one another; the problems of one are not, since they share random numbers. Of ranks the greatest is worst. */
static void judge_scores(far__standing *x, const far__benchmark_part *part, size_t j,
                         const far__benchmark *b, double *mean) {
  const far_comparison_group *g = &part->comparison->groups[0];
  const double sign = b->score != NULL ? -1 : 1;
  double n_scales = 0, least = INFINITY;
  for (int64_t k = 0; k < b->runs; ++k) mean[k] = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const double *scores = runs_of(part->scores, g, e, j, b->runs);
    const double own = far_sample_moments(scores, b->runs).mean;
    if (own != own) continue;
    n_scales += 1;
    for (int64_t k = 0; k < b->runs; ++k) mean[k] += scores[k];
    if (sign * own < least) x->weakest = g->envs[e].label;
    least = fmin(least, sign * own);
  }
  for (int64_t k = 0; k < b->runs; ++k) mean[k] /= n_scales;
  const far_moments m = far_sample_moments(mean, b->runs);
  x->score = m.mean;
  x->low = m.ci95 > 0 ? m.mean - m.ci95 : NAN;
  x->high = m.ci95 > 0 ? m.mean + m.ci95 : NAN;
  x->least = sign * least;
}

static void judge_late(far__standing *x, const far__benchmark_part *part, size_t j,
                       const far__benchmark *b) {
  const far_comparison_group *g = &part->comparison->groups[0];
  for (size_t e = 0; e < g->n_envs; ++e) {
    const double *late = runs_of(part->late, g, e, j, b->runs);
    for (int64_t k = 0; k < b->runs && late[k] == late[k]; ++k) {
      x->late += late[k];
      x->n_judged += 1;
      x->n_locked += late[k] < FAR__LOCKED;
    }
  }
  x->late /= (double)x->n_judged;
}

/* Which agents are decidedly better than which: a paired t-test over the replicates' means of each two,
 * adjusted for all of them (Holm). Who is better comes before, who is worse after; what is between is a
 * tie. */
static far_status rank(far__standing *x, const double *means, size_t n, const far__benchmark *b,
                       double *p, far_error *error) {
  const int64_t runs = b->runs;
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
  if (status == FAR_OK) status = far_p_adjust(p, p, m, FAR_CORRECTION_HOLM, error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < n; ++i) {
    x[i].first = 1;
    x[i].last = n;
  }
  m = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j) {
      if (!(p[m++] <= 0.05)) continue;
      const bool more = x[i].score > x[j].score;
      const size_t better = more == (b->score == NULL) ? i : j, worse = i + j - better;
      x[better].last -= 1;
      x[worse].first += 1;
    }
  return FAR_OK;
}

static far_status judge_all(far__benchmark_part *part, const far__benchmark_plan *plan,
                            far_error *error) {
  const int64_t runs = plan->benchmark->runs;
  const size_t n = part->n_agents;
  double *means = calloc(n, (size_t)runs * sizeof *means), *p = calloc(n * n, sizeof *p);
  far_status status = FAR_OK;
  if (means == NULL || p == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for scores");
  for (size_t j = 0; status == FAR_OK && j < n; ++j) {
    part->standings[j].agent = plan->agents[j];
    part->standings[j].seconds = plan->entries[j].seconds;
    judge_scores(&part->standings[j], part, j, plan->benchmark, means + j * (size_t)runs);
    judge_late(&part->standings[j], part, j, plan->benchmark);
  }
  if (status == FAR_OK) status = rank(part->standings, means, n, plan->benchmark, p, error);
  free(means);
  free(p);
  return status;
}

static int by_name(const far__standing *a, const far__standing *b) {
  return strcmp(a->agent, b->agent);
}

static int most_first(const void *x, const void *y) {
  const far__standing *a = x, *b = y;
  if (a->score == b->score) return by_name(a, b);
  return a->score > b->score ? -1 : 1;
}

static int least_first(const void *x, const void *y) {
  const far__standing *a = x, *b = y;
  return a->score == b->score ? by_name(a, b) : most_first(y, x);
}

far_status far__benchmark_judge(far__benchmark_part *part, const far__benchmark_plan *p,
                                far_error *error) {
  far__standing *x = part->standings;
  part->n_agents = p->n_agents;
  memmove(x + p->n_agents, x, part->n_failed * sizeof *x);
  memset(x, 0, p->n_agents * sizeof *x);
  if (p->n_agents == 0) return FAR_OK;
  const bool ranks = p->benchmark->score != NULL;
  far_status status = far__benchmark_score(part, p, error);
  if (status == FAR_OK) status = judge_all(part, p, error);
  if (status == FAR_OK && !ranks) {
    far__profiles_def d = far__profiles_def_default();
    d.low = 0;
    d.high = 1;
    d.by_replicate = true;
    status = far__profiles_create(&part->profiles, part->comparison, 0, &d, error);
  }
  if (status == FAR_OK) qsort(x, p->n_agents, sizeof *x, ranks ? least_first : most_first);
  return status;
}
