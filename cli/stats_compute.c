/* Cells described, and agents compared with the baseline. */
#include "stats.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const far_estimate unknown = {NAN, NAN, NAN, NAN, NAN, NAN};

void stats_no_interval(far_estimate *estimate) {
  estimate->low = estimate->high = estimate->std = NAN;
}

/* ---- cells ---- */

enum { MEAN, MEDIAN, IQM };

static void three_numbers(double *out, const far_sample *samples, size_t n_samples, void *user) {
  far_statistic_mean(&out[MEAN], samples, n_samples, user);
  far_statistic_median(&out[MEDIAN], samples, n_samples, user);
  far_statistic_iqm(&out[IQM], samples, n_samples, user);
}

static far_status describe(stats_cell *cell, const stats_query *query, far_error *error) {
  far_estimate e[3] = {unknown, unknown, unknown};
  const far_sample sample = {cell->x, cell->n};
  far_status status =
      far_sample_summarise(&cell->summary, cell->x, cell->n, query->how.level, error);
  if (status == FAR_OK && cell->finite)
    status = far_bootstrap_run(e, 3, &sample, 1, three_numbers, NULL, &query->how, error);
  cell->mean = e[MEAN];
  cell->median = e[MEDIAN];
  cell->iqm = e[IQM];
  return status;
}

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
  *px = stats_room(most, sizeof **px);
  *py = stats_room(most, sizeof **py);
  const int64_t n = far_pairs_match(*px, *py, x->x, x->replicates, x->n, y->x, y->replicates, y->n);
  return n >= 2 || most < 2 ? n : 0;
}

/* Agent i less agent j on environment e; not `there` where a cell is missing or infinite. */
static far_status compare(stats_comparison *out, const stats_group *g, size_t e, size_t i, size_t j,
                          const stats_query *query, const far_bootstrap_def *how,
                          far_error *error) {
  const stats_cell *x = &g->cells[e * g->n_agents + i], *y = &g->cells[e * g->n_agents + j];
  double *px, *py;
  *out = (stats_comparison){0};
  if (x->n == 0 || y->n == 0 || !x->finite || !y->finite) return FAR_OK;
  const int64_t n = match(&px, &py, g, e, i, j, query);
  const far_status status = n > 0 ? compare_pairs(out, px, py, n, query, how, error)
                                  : compare_apart(out, x, y, how, error);
  free(px);
  free(py);
  out->adjusted = NAN;
  return status;
}

/* ---- all of them ---- */

/* p-values are adjusted for all comparisons with the baseline, of all environments. If the baseline
 * was chosen by the results, any pair of agents might have been compared, and counts. */
typedef struct family {
  double *p;
  double **to; /* where the adjusted one belongs; NULL: is not shown */
  size_t count;
} family;

static far_status add_pair(family *f, stats_group *g, size_t e, size_t i, size_t j,
                           const stats_query *query, far_error *error) {
  far_bootstrap_def quick = query->how;
  stats_comparison c;
  const bool shown = i == g->baseline || j == g->baseline;
  const size_t agent = i == g->baseline ? j : i;
  stats_comparison *to = &g->comparisons[e * g->n_agents + agent];
  quick.resamples = 100;
  if (!shown && query->baseline != NULL) return FAR_OK;
  const far_status status =
      compare(shown ? to : &c, g, e, shown ? agent : i, shown ? g->baseline : j, query,
              shown ? &query->how : &quick, error);
  const stats_comparison *made = shown ? to : &c;
  if (status != FAR_OK || !made->there || made->p != made->p) return status;
  f->p = stats_grow(f->p, f->count, sizeof *f->p);
  f->to = stats_grow(f->to, f->count, sizeof *f->to);
  f->p[f->count] = made->p;
  f->to[f->count++] = shown ? &to->adjusted : NULL;
  return FAR_OK;
}

static far_status compare_all(stats_group *g, const stats_query *query, far_error *error) {
  family f = {0};
  far_status status = FAR_OK;
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t i = 0; i < g->n_agents; ++i)
      for (size_t j = i + 1; j < g->n_agents && status == FAR_OK; ++j)
        status = add_pair(&f, g, e, i, j, query, error);
  if (status == FAR_OK && f.count > 0)
    status = far_p_adjust(f.p, f.p, f.count, query->correction, error);
  for (size_t k = 0; k < f.count && status == FAR_OK; ++k)
    if (f.to[k] != NULL) *f.to[k] = f.p[k];
  g->family = f.count;
  free(f.p);
  free(f.to);
  return status;
}

/* ---- how often ---- */

/* Better is greater: numbers of which less is better are negated. */
static double *goods(const double *x, int64_t n, bool lower) {
  double *out = stats_room((size_t)n, sizeof *out);
  for (int64_t i = 0; i < n; ++i) out[i] = lower ? -x[i] : x[i];
  return out;
}

typedef struct sides {
  far_sample *x, *y; /* of environments */
  size_t n;
} sides;

static sides sides_create(size_t n_envs) {
  return (sides){stats_room(n_envs, sizeof(far_sample)), stats_room(n_envs, sizeof(far_sample)), 0};
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

static far_status improve(stats_group *g, size_t agent, const stats_query *query,
                          far_error *error) {
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
  *out = (stats_improvement){any.n, unknown, unknown};
  far_status status = FAR_OK;
  if (any.n > 0) status = far_improvement(&out->any, any.x, any.y, any.n, &query->how, error);
  if (status == FAR_OK && any.n > 0 && pairs.n == any.n)
    status = far_improvement_paired(&out->pairs, pairs.x, pairs.y, pairs.n, &query->how, error);
  if (single) {
    stats_no_interval(&out->any);
    stats_no_interval(&out->pairs);
  }
  sides_free(&any);
  sides_free(&pairs);
  return status;
}

/* ---- the baseline ---- */

static bool is_agent(const stats_group *g, size_t j, const stats_data *data, const char *wanted) {
  if (strcmp(g->agents[j].label, wanted) == 0) return true;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_record r = {.agent = (char *)g->cells[e * g->n_agents + j].agent,
                            .env = g->envs[e]};
    if (r.agent != NULL && !stats_agent_is(data, &r, wanted)) return false;
  }
  return true;
}

static size_t find_baseline(const stats_group *g, const stats_data *data, const char *wanted) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (is_agent(g, j, data, wanted)) return j;
  for (size_t j = 0; j < g->n_agents; ++j)
    if (fnmatch(wanted, g->agents[j].label, 0) == 0) return j;
  return g->n_agents;
}

/* On how many environments no agent has a better mean. */
static size_t environments_led(const stats_group *g, size_t agent, bool lower) {
  size_t out = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_cell *cells = &g->cells[e * g->n_agents];
    bool best = cells[agent].n > 0;
    for (size_t j = 0; j < g->n_agents && best; ++j) {
      if (cells[j].n == 0) continue;
      const double more = cells[j].summary.mean - cells[agent].summary.mean;
      best = !(lower ? more < 0 : more > 0);
    }
    out += best;
  }
  return out;
}

static size_t best_scored(const stats_group *g) {
  size_t best = g->n_agents;
  for (size_t j = 0; j < g->n_agents; ++j)
    if (g->scores[j].there && (best == g->n_agents || g->scores[j].aggregate.iqm.value >
                                                          g->scores[best].aggregate.iqm.value))
      best = j;
  return best;
}

/* The greatest interquartile mean of the scores; where there are none, the best mean on the most
 * environments. Of equal ones the first. */
static size_t best_agent(const stats_group *g, bool lower) {
  const size_t scored = best_scored(g);
  if (scored < g->n_agents) return scored;
  size_t best = 0, most = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const size_t led = environments_led(g, j, lower);
    best = led > most ? j : best;
    most = led > most ? led : most;
  }
  return best;
}

far_status stats_compute(stats_group *g, const stats_data *data, const stats_query *query,
                         far_error *error) {
  far_status status = FAR_OK;
  g->comparisons = stats_room(g->n_envs * g->n_agents, sizeof *g->comparisons);
  g->improvements = stats_room(g->n_agents, sizeof *g->improvements);
  for (size_t i = 0; i < g->n_envs * g->n_agents && status == FAR_OK; ++i)
    if (g->cells[i].n > 0) status = describe(&g->cells[i], query, error);
  if (status == FAR_OK) status = stats_score(g, data, query, error);
  if (status != FAR_OK) return status;
  g->baseline = query->baseline != NULL ? find_baseline(g, data, query->baseline)
                : g->n_agents > 1       ? best_agent(g, query->lower)
                                        : g->n_agents;
  if (g->baseline == g->n_agents) return FAR_OK;
  status = compare_all(g, query, error);
  for (size_t j = 0; j < g->n_agents && status == FAR_OK; ++j)
    if (j != g->baseline) status = improve(g, j, query, error);
  return status;
}
