/* Agents compared with the baseline: by how much, and how often. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "questions/comparison/comparison.h"
#include "statistics/sample.h"

static const far_estimate unknown = {NAN, NAN, NAN, NAN, NAN, NAN};

/* ---- two cells ---- */

static void difference(double *out, const far_sample *samples, size_t n_samples, void *user) {
  double y;
  far_statistic_mean(out, samples, n_samples, user);
  far_statistic_mean(&y, samples + 1, n_samples - 1, user);
  *out -= y;
}

static void compare_apart(far__comparing *c, far_comparison_difference *out,
                          const far_comparison_cell *x, const far_comparison_cell *y,
                          const far_bootstrap_def *how) {
  const far_sample both[] = {{x->values, x->runs}, {y->values, y->runs}};
  far_welch w;
  if (!far__work_check(
          c, far_samples_compare(&w, x->values, x->runs, y->values, y->runs, how->level, c->error)))
    return;
  *out = (far_comparison_difference){.exists = true,
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
    far__work_check(
        c, far_bootstrap_run(&out->bootstrap, 1, both, 2, difference, NULL, how, c->error));
  if (x->runs < 2 || y->runs < 2) far__no_interval(&out->bootstrap);
}

static void compare_pairs(far__comparing *c, far_comparison_difference *out, const double *x,
                          const double *y, int64_t n, const far_bootstrap_def *how) {
  far_paired p;
  if (!far__work_check(c, far_pairs_compare(&p, x, y, n, how, c->error))) return;
  *out = (far_comparison_difference){.exists = true,
                                     .paired = true,
                                     .pairs = n,
                                     .mean = p.mean,
                                     .low = p.low,
                                     .high = p.high,
                                     .t = p.t,
                                     .degrees = (double)(n - 1),
                                     .p = p.p,
                                     .bootstrap = p.bootstrap,
                                     .won = c->out->lower ? 1 - p.won - p.tied : p.won,
                                     .tied = p.tied,
                                     .correlation = p.correlation,
                                     .saving = p.saving};
}

/* Two samples of the same length, heap: values with the same replicate. */
typedef struct pairs {
  double *x, *y;
  int64_t n;
} pairs;

static void pairs_free(pairs *p) {
  free(p->x);
  free(p->y);
}

/* The pairs of two cells. A single pair tells less than two samples, if these have more. */
static pairs match(far__comparing *c, const far_comparison_group *g, size_t e, size_t i, size_t j) {
  const far_comparison_cell *x = far__cell_of(g, e, i), *y = far__cell_of(g, e, j);
  pairs out = {0};
  if (!far__pairable(g, c->def->paired, e, i, j)) return out;
  const size_t most = (size_t)(x->runs < y->runs ? x->runs : y->runs);
  out.x = far__work_room(c, most, sizeof *out.x);
  out.y = far__work_room(c, most, sizeof *out.y);
  if (out.x == NULL || out.y == NULL) return out;
  const int64_t n = far__pairs_match(out.x, out.y, x->values, x->replicates, x->runs, y->values,
                                     y->replicates, y->runs);
  out.n = n >= 2 || most < 2 ? n : 0;
  return out;
}

static bool has_replicates_of(const far_comparison_cell *x, const far_comparison_cell *y) {
  return x->runs == y->runs &&
         memcmp(x->replicates, y->replicates, (size_t)x->runs * sizeof *x->replicates) == 0;
}

bool far__pairable(const far_comparison_group *g, bool paired, size_t e, size_t i, size_t j) {
  const far_origin a = g->agents[i].origin, b = g->agents[j].origin;
  if (a == FAR_ORIGIN_COMPUTED && b == FAR_ORIGIN_COMPUTED) return true;
  return paired && a == b && far__cell_of(g, e, i)->records == 1 &&
         far__cell_of(g, e, j)->records == 1;
}

bool far__same_replicates(const far_comparison_group *g, size_t i, size_t j) {
  const far_comparison_cell *first = NULL;
  if (g->agents[i].origin != FAR_ORIGIN_COMPUTED || g->agents[j].origin != FAR_ORIGIN_COMPUTED)
    return false;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *x = far__cell_of(g, e, i), *y = far__cell_of(g, e, j);
    if (x->runs == 0 || y->runs == 0) continue;
    if (first == NULL) first = x;
    if (!has_replicates_of(first, x) || !has_replicates_of(first, y)) return false;
  }
  return true;
}

/* Agent i less agent j on environment e; does not exist where a cell is missing or infinite. */
static far_comparison_difference compare(far__comparing *c, const far_comparison_group *g, size_t e,
                                         size_t i, size_t j, const far_bootstrap_def *how) {
  const far_comparison_cell *x = far__cell_of(g, e, i), *y = far__cell_of(g, e, j);
  far_comparison_difference out = {0};
  if (x->runs == 0 || y->runs == 0) return out;
  pairs p = match(c, g, e, i, j);
  if (x->finite && y->finite && p.n > 0 && c->status == FAR_OK)
    compare_pairs(c, &out, p.x, p.y, p.n, how);
  else if (x->finite && y->finite && c->status == FAR_OK)
    compare_apart(c, &out, x, y, how);
  pairs_free(&p);
  out.runs = x->runs;
  out.baseline_runs = y->runs;
  out.p_adjusted = NAN;
  out.testable = p.n > 1 || (p.n == 0 && x->runs > 1 && y->runs > 1);
  if (out.exists && out.testable && !(out.low < out.high)) {
    out.constant = true;
    out.low = out.high = out.t = out.p = NAN;
    far__no_interval(&out.bootstrap);
  }
  return out;
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

static bool in_family(far__comparing *c, const far_comparison_group *g, size_t i, size_t j) {
  return c->def->baseline == NULL || i == g->baseline || j == g->baseline;
}

/* Only the p-value: no bootstrap. */
static void add_pair(far__comparing *c, family *f, far_comparison_group *g, size_t e, size_t i,
                     size_t j) {
  const far_bootstrap_def none = {.level = c->def->bootstrap.level, .cache = c->how.cache};
  const bool shown = i == g->baseline || j == g->baseline;
  const size_t agent = i == g->baseline ? j : i;
  const far_comparison_difference d =
      compare(c, g, e, shown ? agent : i, shown ? g->baseline : j, &none);
  if (c->status != FAR_OK || !d.testable) return;
  const bool tested = d.exists && d.p == d.p;
  if (!far__work_grow(c, (void **)&f->p, f->count, sizeof *f->p) ||
      !far__work_grow(c, (void **)&f->to, f->count, sizeof *f->to))
    return;
  f->p[f->count] = tested ? d.p : 1;
  f->to[f->count++] = shown && tested ? &far__cell_of(g, e, agent)->difference.p_adjusted : NULL;
}

static void find_family(far__comparing *c, family *f, far_comparison_group *g) {
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t i = 0; i < g->n_agents; ++i)
      for (size_t j = i + 1; j < g->n_agents && c->status == FAR_OK; ++j)
        if (in_family(c, g, i, j)) add_pair(c, f, g, e, i, j);
  if (c->status == FAR_OK && f->count > 0)
    far__work_check(c, far_p_adjust(f->p, f->p, f->count, c->def->correction, c->error));
}

/* The ends of a bootstrap interval are told by the resamples beyond them. */
static bool few_resamples(const far__comparing *c, const far_bootstrap_def *how) {
  if (c->def->quick) return false;
  return (double)how->resamples * (1 - how->level) / 2 < FAR__FEWEST_BEYOND;
}

/* The differences that are shown, with simultaneous intervals. */
static void compare_shown(far__comparing *c, far_comparison_group *g) {
  const size_t count = g->n_envs * g->n_agents;
  far_bootstrap_def how = c->how;
  if (c->def->quick) how.resamples = 0;
  how.level = g->difference_level = far_simultaneous_level(how.level, g->n_differences);
  for (size_t k = 0; k < count && far__work_progress(c, "difference", k, count); ++k) {
    far_comparison_difference *d = &g->cells[k].difference;
    if (k % g->n_agents == g->baseline) continue;
    *d = compare(c, g, k / g->n_agents, k % g->n_agents, g->baseline, &how);
    far__no_point(&d->bootstrap);
    if (few_resamples(c, &how)) d->bootstrap.low = d->bootstrap.high = NAN;
  }
  far__work_progress(c, "difference", count, count);
  g->few_resamples = g->few_resamples || few_resamples(c, &how);
}

static void compare_all(far__comparing *c, far_comparison_group *g) {
  family f = {0};
  find_family(c, &f, g);
  g->n_differences = f.count;
  if (c->status == FAR_OK) compare_shown(c, g);
  for (size_t k = 0; k < f.count && c->status == FAR_OK; ++k)
    if (f.to[k] != NULL) *f.to[k] = f.p[k];
  free(f.p);
  free(f.to);
}

/* ---- how often ---- */

/* Of environments, for two agents; the numbers are heap. */
typedef struct sides {
  far_sample *x, *y;
  size_t n;
} sides;

static sides sides_create(far__comparing *c, size_t n_envs) {
  return (sides){far__work_room(c, n_envs, sizeof(far_sample)),
                 far__work_room(c, n_envs, sizeof(far_sample)), 0};
}

static void sides_free(sides *s) {
  for (size_t i = 0; i < s->n; ++i) {
    free((double *)s->x[i].x);
    free((double *)s->y[i].x);
  }
  free(s->x);
  free(s->y);
}

/* Better is greater: numbers of which less is better are negated. */
static double *goods(far__comparing *c, const double *x, int64_t n) {
  double *out = far__work_room(c, (size_t)n, sizeof *out);
  for (int64_t i = 0; i < n && out != NULL; ++i) out[i] = c->out->lower ? -x[i] : x[i];
  return out;
}

static void sides_add(far__comparing *c, sides *s, const double *x, int64_t nx, const double *y,
                      int64_t ny) {
  s->x[s->n] = (far_sample){goods(c, x, nx), nx};
  s->y[s->n++] = (far_sample){goods(c, y, ny), ny};
}

/* The samples, and the pairs, of all environments that the agent and the baseline are on; `single`:
 * one of the samples is a single run. */
static void find_sides(far__comparing *c, const far_comparison_group *g, size_t agent, sides *any,
                       sides *paired, bool *single) {
  for (size_t e = 0; e < g->n_envs && c->status == FAR_OK; ++e) {
    const far_comparison_cell *x = far__cell_of(g, e, agent), *y = far__cell_of(g, e, g->baseline);
    if (x->runs == 0 || y->runs == 0) continue;
    pairs p = match(c, g, e, agent, g->baseline);
    sides_add(c, any, x->values, x->runs, y->values, y->runs);
    *single = *single || x->runs < 2 || y->runs < 2;
    if (p.n > 0) sides_add(c, paired, p.x, p.n, p.y, p.n);
    pairs_free(&p);
  }
}

/* Takes away the intervals that cannot be known. */
static void settle(far_comparison_improvement *i, bool single, bool few) {
  far_estimate *const both[] = {&i->any, &i->paired};
  for (size_t k = 0; k < 2; ++k) {
    if (both[k]->value != both[k]->value) continue;
    i->constant = i->constant || (!single && both[k]->low == both[k]->high);
    if (single) far__no_interval(both[k]);
    far__no_point(both[k]);
    if (few) both[k]->low = both[k]->high = NAN;
  }
}

static void improve(far__comparing *c, far_comparison_group *g, size_t agent,
                    const far_bootstrap_def *given) {
  far_bootstrap_def def = *given;
  const far_bootstrap_def *how = &def;
  def.together = far__same_replicates(g, agent, g->baseline);
  far_comparison_improvement *out = &g->agents[agent].improvement;
  sides any = sides_create(c, g->n_envs), paired = sides_create(c, g->n_envs);
  bool single = false;
  find_sides(c, g, agent, &any, &paired, &single);
  *out = (far_comparison_improvement){.n_envs = any.n, .any = unknown, .paired = unknown};
  if (c->status == FAR_OK && any.n > 0)
    far__work_check(c, far_improvement(&out->any, any.x, any.y, any.n, how, c->error));
  if (c->status == FAR_OK && any.n > 0 && paired.n == any.n)
    far__work_check(
        c, far_improvement_paired(&out->paired, paired.x, paired.y, paired.n, how, c->error));
  settle(out, single || c->def->quick, few_resamples(c, how));
  sides_free(&any);
  sides_free(&paired);
}

/* Two agents are on an environment together. */
static bool meet(const far_comparison_group *g, size_t i, size_t j) {
  for (size_t e = 0; e < g->n_envs; ++e)
    if (far__cell_of(g, e, i)->runs > 0 && far__cell_of(g, e, j)->runs > 0) return true;
  return false;
}

static void improve_all(far__comparing *c, far_comparison_group *g) {
  far_bootstrap_def how = c->how;
  for (size_t i = 0; i < g->n_agents; ++i)
    for (size_t j = i + 1; j < g->n_agents; ++j)
      g->n_improvements += in_family(c, g, i, j) && meet(g, i, j);
  how.level = g->improvement_level = far_simultaneous_level(how.level, g->n_improvements);
  for (size_t j = 0; j < g->n_agents && far__work_progress(c, "improvement", j, g->n_agents); ++j)
    if (j != g->baseline) improve(c, g, j, &how);
  far__work_progress(c, "improvement", g->n_agents, g->n_agents);
  g->few_resamples = g->few_resamples || few_resamples(c, &how);
}

void far__group_compare(far__comparing *c, far_comparison_group *g) {
  compare_all(c, g);
  if (c->status == FAR_OK) improve_all(c, g);
}
