/* Performance profiles of a comparison on a fine grid of scores. */
#include "questions/comparison/profiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "questions/comparison/comparison.h"
#include "statistics/bootstrap.h"

enum { MOST_SCORES = 100000 };

far__profiles_def far__profiles_def_default(void) {
  return (far__profiles_def){
      .n_scores = 101, .low = NAN, .high = NAN, .bootstrap = far_bootstrap_def_default()};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the profiles");
}

static double score(const far_comparison_scale *scale, double value) {
  return (value - scale->low) / (scale->high - scale->low);
}

/* ---- the grid ---- */

/* From the least score or 0 to the greatest or 1, within bounds. */
static void find_ends(double *low, double *high, const far_comparison_group *g) {
  double least = 0, most = 1;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_scale *scale = &g->envs[i / g->n_agents].scale;
    if (!scale->used || g->cells[i].runs == 0) continue;
    const double a = score(scale, g->cells[i].summary.min),
                 b = score(scale, g->cells[i].summary.max);
    least = fmin(least, fmin(a, b));
    most = fmax(most, fmax(a, b));
  }
  if (*low != *low) *low = fmax(least, -1);
  if (*high != *high) *high = fmin(most, 2);
}

/* Ends are exact, and so are 0 and 1 where the grid meets them but for rounding. */
static void make_grid(double *scores, size_t n, double low, double high) {
  const double step = (high - low) / (double)(n - 1);
  for (size_t k = 0; k < n; ++k) {
    double x = (low * (double)(n - 1 - k) + high * (double)k) / (double)(n - 1);
    if (fabs(x) < 1e-9 * step) x = 0;
    if (fabs(x - 1) < 1e-9 * step) x = 1;
    scores[k] = x;
  }
  scores[n - 1] = high;
}

/* ---- agents ---- */

static double *scores_of(const far_comparison_cell *cell, const far_comparison_scale *scale) {
  double *out = malloc(((size_t)cell->runs + 1) * sizeof *out);
  for (int64_t i = 0; out != NULL && i < cell->runs; ++i) out[i] = score(scale, cell->values[i]);
  return out;
}

/* The agent has the same replicates on all environments. */
static far_status check_replicates(const far_comparison_group *g, size_t j, far_error *error) {
  if (far__same_replicates(g, j, j)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "%s has not the same replicates on all environments", g->agents[j].label);
}

/* The share of environments on which replicate k is above a score. */
static double share_above(const far_sample *samples, size_t n_envs, int64_t k, double score) {
  size_t above = 0;
  for (size_t e = 0; e < n_envs; ++e) above += samples[e].x[k] > score;
  return (double)above / (double)n_envs;
}

/* Student's bands over the shares of replicates. */
static far_status profile_replicates(far_estimate *shares, const double *scores, size_t n_scores,
                                     const far_sample *samples, size_t n_envs, double level,
                                     far_error *error) {
  const int64_t n = samples[0].n;
  double *x = malloc((size_t)n * sizeof *x);
  far_status status = x != NULL ? FAR_OK : no_memory(error);
  for (size_t i = 0; i < n_scores && status == FAR_OK; ++i) {
    far_summary s;
    for (int64_t k = 0; k < n; ++k) x[k] = share_above(samples, n_envs, k, scores[i]);
    status = far_sample_summarise(&s, x, n, level, error);
    if (status == FAR_OK)
      shares[i] = (far_estimate){.value = s.mean,
                                 .low = fmax(s.low, 0),
                                 .high = fmin(s.high, 1),
                                 .std = s.std / sqrt((double)n)};
  }
  free(x);
  return status;
}

/* `samples` has room for one of each environment. */
static far_status profile_agent(far__profiles *out, const far_comparison_group *g, size_t j,
                                far_sample *samples, const far__profiles_def *def,
                                far_error *error) {
  far_estimate *shares = &out->shares[j * out->n_scores];
  far_bootstrap_def how = def->bootstrap;
  how.together = far__same_replicates(g, j, j);
  size_t count = 0;
  bool single = false;
  far_status status = FAR_OK;
  for (size_t e = 0; e < g->n_envs && status == FAR_OK; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    if (!g->envs[e].scale.used || cell->runs == 0) continue;
    samples[count] = (far_sample){scores_of(cell, &g->envs[e].scale), cell->runs};
    single = single || cell->runs < 2;
    if (samples[count++].x == NULL) status = no_memory(error);
  }
  out->exists[j] = count > 0 && count == out->n_envs;
  if (status == FAR_OK && def->by_replicate) status = check_replicates(g, j, error);
  if (status == FAR_OK && out->exists[j])
    status = def->by_replicate
                 ? profile_replicates(shares, out->scores, out->n_scores, samples, count,
                                      def->bootstrap.level, error)
                 : far_profile(shares, out->scores, out->n_scores, samples, count, &how, error);
  if (single)
    for (size_t k = 0; k < out->n_scores; ++k) shares[k].low = shares[k].high = shares[k].std = NAN;
  for (size_t i = 0; i < count; ++i) free((double *)samples[i].x);
  return status;
}

static bool wanted(const far__profiles_def *def, size_t j) {
  for (size_t i = 0; i < def->n_agents; ++i)
    if (def->agents[i] == j) return true;
  return def->n_agents == 0;
}

static bool goes_on(const far__profiles_def *def, size_t done, size_t count) {
  return def->progress == NULL || def->progress(def->user, "profile", done, count);
}

static far_status profile_all(far__profiles *out, const far_comparison_group *g,
                              const far__profiles_def *given, far_error *error) {
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
  far__profiles_def own = *given;
  const far__profiles_def *def = &own;
  if (own.bootstrap.cache == NULL) own.bootstrap.cache = cache; /* NULL: slower, and the same */
  far_sample *samples = calloc(g->n_envs + 1, sizeof *samples);
  far_status status = samples != NULL ? FAR_OK : no_memory(error);
  for (size_t j = 0; j <= g->n_agents && status == FAR_OK; ++j) {
    if (!goes_on(def, j, g->n_agents))
      status = far__fail(error, FAR_STATUS_CANCELLED, -1, "the profiles were stopped");
    else if (j < g->n_agents && wanted(def, j))
      status = profile_agent(out, g, j, samples, def, error);
  }
  far__bootstrap_cache_free(cache);
  free(samples);
  return status;
}

/* ---- the whole ---- */

void far__profiles_free(far__profiles *profiles) {
  if (profiles == NULL) return;
  free(profiles->scores);
  free(profiles->exists);
  free(profiles->shares);
  free(profiles);
}

static far__profiles *profiles_new(const far_comparison *comparison, size_t group,
                                   const far__profiles_def *def) {
  far__profiles *out = calloc(1, sizeof *out);
  const far_comparison_group *g = &comparison->groups[group];
  if (out == NULL) return NULL;
  *out = (far__profiles){.comparison = comparison,
                         .group = group,
                         .n_agents = g->n_agents,
                         .n_scores = def->n_scores,
                         .scores = calloc(def->n_scores, sizeof *out->scores),
                         .exists = calloc(g->n_agents + 1, sizeof *out->exists),
                         .shares = calloc(g->n_agents * def->n_scores + 1, sizeof *out->shares),
                         .by_replicate = def->by_replicate,
                         .level = def->bootstrap.level};
  for (size_t e = 0; e < g->n_envs; ++e) {
    out->n_envs += g->envs[e].scale.used;
    out->n_observed += g->envs[e].scale.used && g->envs[e].scale.kind == FAR_SCALE_OBSERVED;
  }
  if (out->scores != NULL && out->exists != NULL && out->shares != NULL) return out;
  far__profiles_free(out);
  return NULL;
}

static far_status check_def(const far_comparison *comparison, size_t group,
                            const far__profiles_def *def, far_error *error) {
  if (group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the comparison has no group %zu", group);
  if (def->n_scores < 2 || def->n_scores > MOST_SCORES)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a profile needs 2 to %d scores", MOST_SCORES);
  if (def->low >= def->high || isinf(def->low) || isinf(def->high))
    return far__fail(error, FAR_STATUS_RANGE, -1, "scores must go from less to more, both finite");
  return FAR_OK;
}

far_status far__profiles_create(far__profiles **out, const far_comparison *comparison, size_t group,
                                const far__profiles_def *def, far_error *error) {
  *out = NULL;
  far_status status = check_def(comparison, group, def, error);
  if (status != FAR_OK) return status;
  far__profiles *profiles = profiles_new(comparison, group, def);
  if (profiles == NULL) return no_memory(error);
  const far_comparison_group *g = &comparison->groups[group];
  double low = def->low, high = def->high;
  find_ends(&low, &high, g);
  if (!(low < high))
    status = far__fail(error, FAR_STATUS_RANGE, -1, "no score is in the range that is asked for");
  if (status == FAR_OK) make_grid(profiles->scores, profiles->n_scores, low, high);
  if (status == FAR_OK) status = profile_all(profiles, g, def, error);
  if (status == FAR_OK)
    *out = profiles;
  else
    far__profiles_free(profiles);
  return status;
}
