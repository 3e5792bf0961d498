/* Agents compared with the baseline: by how much, and how often. */
#include <math.h>
#include <stdlib.h>

#include "stats.h"

static const far_estimate unknown = {NAN, NAN, NAN, NAN, NAN, NAN};

/* ---- two cells ---- */

static void difference(double *out, const far_sample *samples, size_t n_samples, void *user) {
  double y;
  far_statistic_mean(out, samples, n_samples, user);
  far_statistic_mean(&y, samples + 1, n_samples - 1, user);
  *out -= y;
}

static far_status compare_apart(stats_comparison *out, const stats_cell *x, const stats_cell *y,
                                const far_bootstrap_def *how, far_error *error) {
  const far_sample both[] = {{x->x, x->n}, {y->x, y->n}};
  far_welch w;
  far_status status = far_samples_compare(&w, x->x, x->n, y->x, y->n, how->level, error);
  if (status != FAR_OK) return status;
  *out = (stats_comparison){.there = true,
                            .mean = w.mean,
                            .low = w.low,
                            .high = w.high,
                            .t = w.t,
                            .degrees = w.degrees,
                            .p = w.p,
                            .won = NAN,
                            .tied = NAN,
                            .correlation = NAN,
                            .saving = NAN};
  out->bootstrap = (far_estimate){w.mean, NAN, NAN, NAN, 0, 0};
  if (how->resamples > 0)
    status = far_bootstrap_run(&out->bootstrap, 1, both, 2, difference, NULL, how, error);
  if (x->n < 2 || y->n < 2) stats_no_interval(&out->bootstrap);
  return status;
}

static far_status compare_pairs(stats_comparison *out, const double *x, const double *y, int64_t n,
                                const stats_query *query, const far_bootstrap_def *how,
                                far_error *error) {
  far_paired p;
  const far_status status = far_pairs_compare(&p, x, y, n, how, error);
  if (status != FAR_OK) return status;
  *out = (stats_comparison){.there = true,
                            .paired = true,
                            .n = n,
                            .mean = p.mean,
                            .low = p.low,
                            .high = p.high,
                            .t = p.t,
                            .degrees = (double)(n - 1),
                            .p = p.p,
                            .bootstrap = p.bootstrap,
                            .won = query->lower ? 1 - p.won - p.tied : p.won,
                            .tied = p.tied,
                            .correlation = p.correlation,
                            .saving = p.saving};
  return FAR_OK;
}

/* The pairs of two cells, malloc. A single pair tells less than two samples, if these have more. */
static int64_t match(double **px, double **py, const stats_group *g, size_t e, size_t i, size_t j,
                     const stats_query *query) {
  const stats_cell *x = &g->cells[e * g->n_agents + i], *y = &g->cells[e * g->n_agents + j];
  const stats_origin a = g->agents[i].origin, b = g->agents[j].origin;
  *px = *py = NULL;
  const bool here = a == ORIGIN_HERE && b == ORIGIN_HERE;
  if (!here && !(query->paired && a == b && x->records == 1 && y->records == 1)) return 0;
  const size_t most = (size_t)(x->n < y->n ? x->n : y->n);
  *px = room_for(most, sizeof **px);
  *py = room_for(most, sizeof **py);
  const int64_t n = far_pairs_match(*px, *py, x->x, x->replicates, x->n, y->x, y->replicates, y->n);
  return n >= 2 || most < 2 ? n : 0;
}

/* What does not vary within the runs at hand tells nothing of how much others would. */
static void forget_test(stats_comparison *c) {
  c->still = true;
  c->low = c->high = c->t = c->p = NAN;
  stats_no_interval(&c->bootstrap);
}

/* Agent i less agent j on environment e; not `there` where a cell is missing or infinite. */
static far_status compare(stats_comparison *out, const stats_group *g, size_t e, size_t i, size_t j,
                          const stats_query *query, const far_bootstrap_def *how,
                          far_error *error) {
  const stats_cell *x = &g->cells[e * g->n_agents + i], *y = &g->cells[e * g->n_agents + j];
  double *px, *py;
  far_status status = FAR_OK;
  *out = (stats_comparison){0};
  if (x->n == 0 || y->n == 0) return FAR_OK;
  const int64_t n = match(&px, &py, g, e, i, j, query);
  if (x->finite && y->finite)
    status = n > 0 ? compare_pairs(out, px, py, n, query, how, error)
                   : compare_apart(out, x, y, how, error);
  free(px);
  free(py);
  out->runs = x->n;
  out->baseline_runs = y->n;
  out->adjusted = NAN;
  out->testable = n > 1 || (n == 0 && x->n > 1 && y->n > 1);
  if (out->there && out->testable && !(out->low < out->high)) forget_test(out);
  return status;
}

/* ---- all of them ---- */

/* What the p-values and the intervals are corrected for: all comparisons with the baseline that the
 * numbers of runs allow, of all environments. If the baseline was chosen by the results, any pair
 * of agents might have been compared, and counts. What has no p, since it does not vary or is
 * infinite, counts too: otherwise the results would decide how much is corrected. */
typedef struct family {
  double *p;
  double **to; /* where the adjusted one belongs; NULL: is not shown */
  size_t count;
} family;

static bool in_family(const stats_group *g, size_t i, size_t j, const stats_query *query) {
  return query->baseline == NULL || i == g->baseline || j == g->baseline;
}

/* Only the p-value: no bootstrap. */
static far_status add_pair(family *f, stats_group *g, size_t e, size_t i, size_t j,
                           const stats_query *query, far_error *error) {
  const far_bootstrap_def none = {.level = query->how.level};
  const bool shown = i == g->baseline || j == g->baseline;
  const size_t agent = i == g->baseline ? j : i;
  stats_comparison c;
  const far_status status =
      compare(&c, g, e, shown ? agent : i, shown ? g->baseline : j, query, &none, error);
  if (status != FAR_OK || !c.testable) return status;
  const bool tested = c.there && c.p == c.p;
  f->p = room_for_more(f->p, f->count, sizeof *f->p);
  f->to = room_for_more(f->to, f->count, sizeof *f->to);
  f->p[f->count] = tested ? c.p : 1;
  f->to[f->count++] = shown && tested ? &g->comparisons[e * g->n_agents + agent].adjusted : NULL;
  return FAR_OK;
}

static far_status find_family(family *f, stats_group *g, const stats_query *query,
                              far_error *error) {
  far_status status = FAR_OK;
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t i = 0; i < g->n_agents; ++i)
      for (size_t j = i + 1; j < g->n_agents && status == FAR_OK; ++j)
        if (in_family(g, i, j, query)) status = add_pair(f, g, e, i, j, query, error);
  if (status == FAR_OK && f->count > 0)
    status = far_p_adjust(f->p, f->p, f->count, query->correction, error);
  return status;
}

/* The ends of a bootstrap interval are told by the resamples beyond them. */
static bool coarse(const far_bootstrap_def *how) {
  return (double)how->resamples * (1 - how->level) / 2 < FEWEST_BEYOND;
}

/* Those that are shown, with intervals that hold together. */
static far_status compare_shown(stats_group *g, const stats_query *query, far_error *error) {
  far_bootstrap_def how = query->how;
  far_status status = FAR_OK;
  how.level = g->level = far_simultaneous_level(query->how.level, g->family);
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t j = 0; j < g->n_agents && status == FAR_OK; ++j) {
      stats_comparison *c = &g->comparisons[e * g->n_agents + j];
      stats_progress("comparison", e * g->n_agents + j, g->n_envs * g->n_agents);
      if (j == g->baseline) continue;
      status = compare(c, g, e, j, g->baseline, query, &how, error);
      stats_no_point(&c->bootstrap);
      if (coarse(&how)) c->bootstrap.low = c->bootstrap.high = NAN;
    }
  stats_progress("comparison", g->n_envs * g->n_agents, g->n_envs * g->n_agents);
  g->coarse = g->coarse || coarse(&how);
  return status;
}

static far_status compare_all(stats_group *g, const stats_query *query, far_error *error) {
  family f = {0};
  far_status status = find_family(&f, g, query, error);
  g->family = f.count;
  if (status == FAR_OK) status = compare_shown(g, query, error);
  for (size_t k = 0; k < f.count && status == FAR_OK; ++k)
    if (f.to[k] != NULL) *f.to[k] = f.p[k];
  free(f.p);
  free(f.to);
  return status;
}

/* ---- how often ---- */

/* Better is greater: numbers of which less is better are negated. */
static double *goods(const double *x, int64_t n, bool lower) {
  double *out = room_for((size_t)n, sizeof *out);
  for (int64_t i = 0; i < n; ++i) out[i] = lower ? -x[i] : x[i];
  return out;
}

typedef struct sides {
  far_sample *x, *y; /* of environments */
  size_t n;
} sides;

static sides sides_create(size_t n_envs) {
  return (sides){room_for(n_envs, sizeof(far_sample)), room_for(n_envs, sizeof(far_sample)), 0};
}

static void sides_add(sides *s, const double *x, int64_t nx, const double *y, int64_t ny,
                      bool lower) {
  s->x[s->n] = (far_sample){goods(x, nx, lower), nx};
  s->y[s->n++] = (far_sample){goods(y, ny, lower), ny};
}

static void sides_free(sides *s) {
  for (size_t i = 0; i < s->n; ++i) {
    free((double *)s->x[i].x);
    free((double *)s->y[i].x);
  }
  free(s->x);
  free(s->y);
}

/* Takes away the intervals that cannot be known. */
static void settle(stats_improvement *i, bool single, bool few_resamples) {
  far_estimate *const both[] = {&i->any, &i->pairs};
  for (size_t k = 0; k < 2; ++k) {
    if (both[k]->value != both[k]->value) continue;
    i->still = i->still || (!single && both[k]->low == both[k]->high);
    if (single) stats_no_interval(both[k]);
    stats_no_point(both[k]);
    if (few_resamples) both[k]->low = both[k]->high = NAN;
  }
}

static far_status improve(stats_group *g, size_t agent, const stats_query *query,
                          const far_bootstrap_def *how, far_error *error) {
  stats_improvement *out = &g->improvements[agent];
  sides any = sides_create(g->n_envs), pairs = sides_create(g->n_envs);
  bool single = false;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_cell *x = &g->cells[e * g->n_agents + agent];
    const stats_cell *y = &g->cells[e * g->n_agents + g->baseline];
    double *px = NULL, *py = NULL;
    if (x->n == 0 || y->n == 0) continue;
    const int64_t n = match(&px, &py, g, e, agent, g->baseline, query);
    sides_add(&any, x->x, x->n, y->x, y->n, query->lower);
    single = single || x->n < 2 || y->n < 2;
    if (n > 0) sides_add(&pairs, px, n, py, n, query->lower);
    free(px);
    free(py);
  }
  *out = (stats_improvement){.n_envs = any.n, .any = unknown, .pairs = unknown};
  far_status status = FAR_OK;
  if (any.n > 0) status = far_improvement(&out->any, any.x, any.y, any.n, how, error);
  if (status == FAR_OK && any.n > 0 && pairs.n == any.n)
    status = far_improvement_paired(&out->pairs, pairs.x, pairs.y, pairs.n, how, error);
  settle(out, single, coarse(how));
  sides_free(&any);
  sides_free(&pairs);
  return status;
}

/* Pairs of agents that are on an environment together. */
static size_t count_improvements(const stats_group *g, const stats_query *query) {
  size_t out = 0;
  for (size_t i = 0; i < g->n_agents; ++i)
    for (size_t j = i + 1; j < g->n_agents; ++j) {
      bool meet = false;
      for (size_t e = 0; e < g->n_envs && in_family(g, i, j, query); ++e)
        meet = meet || (g->cells[e * g->n_agents + i].n > 0 && g->cells[e * g->n_agents + j].n > 0);
      out += meet;
    }
  return out;
}

static far_status improve_all(stats_group *g, const stats_query *query, far_error *error) {
  far_bootstrap_def how = query->how;
  far_status status = FAR_OK;
  g->improvement_family = count_improvements(g, query);
  how.level = g->improvement_level = far_simultaneous_level(how.level, g->improvement_family);
  for (size_t j = 0; j < g->n_agents && status == FAR_OK; ++j) {
    stats_progress("improvement of agent", j, g->n_agents);
    if (j != g->baseline) status = improve(g, j, query, &how, error);
  }
  stats_progress("improvement of agent", g->n_agents, g->n_agents);
  g->coarse = g->coarse || coarse(&how);
  return status;
}

far_status stats_compare(stats_group *g, const stats_query *query, far_error *error) {
  const far_status status = compare_all(g, query, error);
  return status == FAR_OK ? improve_all(g, query, error) : status;
}
