/* Learning curves of the cells of a store. */
#include "questions/curves/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"

far__curves_def far__curves_def_default(void) {
  return (far__curves_def){.choice = far_comparison_def_default()};
}

/* ---- a record ---- */

/* What a record has of the series, by checkpoint and run. */
typedef struct part {
  int64_t *steps; /* ascending */
  size_t n, next; /* next: the first that is not used yet */
  far_columns columns;
} part;

/* The step of a column of the series; 0 if it is another one. */
static int64_t step_of(const char *name, const char *series) {
  const size_t length = strlen(series);
  int64_t step;
  if (strncmp(name, series, length) != 0 || name[length] != '@') return 0;
  const char *digits = name + length + 1;
  return far__integer_parse(digits, strlen(digits), &step) ? step : 0;
}

static void find_steps(far__comparing *c, part *p, const char *key) {
  const char *name;
  bool found = true;
  for (size_t i = 0; c->status == FAR_OK && found; ++i) {
    if (!far__work_check(c, far_store_series(&name, &found, c->store, key, i, c->error))) return;
    const int64_t step = found ? step_of(name, c->out->series) : 0;
    if (step > 0 && far__work_grow(c, (void **)&p->steps, p->n, sizeof *p->steps))
      p->steps[p->n++] = step;
  }
}

static void read_columns(far__comparing *c, part *p, const char *key) {
  const size_t size = strlen(c->out->series) + 24;
  char *text = far__work_room(c, p->n, size);
  const char **names = far__work_room(c, p->n, sizeof *names);
  for (size_t k = 0; k < p->n && c->status == FAR_OK; ++k) {
    names[k] = text + k * size;
    snprintf(text + k * size, size, "%s@%lld", c->out->series, (long long)p->steps[k]);
  }
  if (c->status == FAR_OK)
    far__work_check(c, far_store_columns(&p->columns, c->store, key, names, p->n, c->error));
  free(text);
  free(names);
}

/* From sums so far to changes per step; at step 0 nothing has been added up. */
static void take_rates(part *p) {
  const int64_t runs = p->columns.count;
  for (size_t k = p->n; k-- > 0;) {
    const int64_t before = k > 0 ? p->steps[k - 1] : 0;
    double *x = &p->columns.values[(int64_t)k * runs];
    for (int64_t i = 0; i < runs; ++i)
      x[i] = (k > 0 ? x[i] - x[i - runs] : x[i]) / (double)(p->steps[k] - before);
  }
}

/* ---- a cell: its records together ---- */

static int by_value(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* All checkpoints of the parts, ascending and once each. */
static size_t all_steps(far__comparing *c, int64_t **out, const part *parts, size_t n_parts) {
  size_t all = 0, n = 0;
  for (size_t i = 0; i < n_parts; ++i) all += parts[i].n;
  int64_t *steps = *out = far__work_room(c, all, sizeof *steps);
  if (steps == NULL) return 0;
  for (size_t i = 0; i < n_parts; ++i)
    for (size_t k = 0; k < parts[i].n; ++k) steps[n++] = parts[i].steps[k];
  qsort(steps, n, sizeof *steps, by_value);
  all = n;
  n = 0;
  for (size_t k = 0; k < all; ++k)
    if (n == 0 || steps[k] != steps[n - 1]) steps[n++] = steps[k];
  return n;
}

/* The values at a step, of all parts that have it. */
static int64_t gather(double *out, part *parts, size_t n_parts, int64_t step) {
  int64_t count = 0;
  for (size_t i = 0; i < n_parts; ++i) {
    part *p = &parts[i];
    if (p->next == p->n || p->steps[p->next] != step) continue;
    const double *x = &p->columns.values[(int64_t)p->next++ * p->columns.count];
    for (int64_t r = 0; r < p->columns.count; ++r)
      if (x[r] == x[r]) out[count++] = x[r];
  }
  return count;
}

static double half_width(const far_moments *m, int64_t n, double level) {
  if (level == 0.95) return m->ci95;
  return far_student_quantile(1 - (1 - level) / 2, (double)(n - 1)) * m->std / sqrt((double)n);
}

static void add_point(far__curve *curve, int64_t step, const double *x, int64_t n, double level) {
  const far_moments m = far_sample_moments(x, n);
  const double half = half_width(&m, n, level);
  const size_t k = curve->n++;
  curve->steps[k] = step;
  curve->runs[k] = n;
  curve->mean[k] = m.mean;
  if (curve->censored != NULL) curve->censored[k] = far__censored(x, n, step);
  const bool known = half - half == 0 && (curve->censored == NULL || curve->censored[k] < n);
  curve->low[k] = known ? m.mean - half : NAN;
  curve->high[k] = known ? m.mean + half : NAN;
}

static void make_curve(far__comparing *c, far__curve *curve, part *parts, size_t n_parts,
                       bool time) {
  int64_t *steps, runs = 0;
  const size_t n = all_steps(c, &steps, parts, n_parts);
  for (size_t i = 0; i < n_parts; ++i) runs += parts[i].columns.count;
  double *x = far__work_room(c, (size_t)runs, sizeof *x);
  curve->steps = far__work_room(c, n, sizeof *curve->steps);
  curve->runs = far__work_room(c, n, sizeof *curve->runs);
  curve->mean = far__work_room(c, n, sizeof *curve->mean);
  curve->low = far__work_room(c, n, sizeof *curve->low);
  curve->high = far__work_room(c, n, sizeof *curve->high);
  if (time) curve->censored = far__work_room(c, n, sizeof *curve->censored);
  for (size_t k = 0; k < n && c->status == FAR_OK; ++k) {
    const int64_t count = gather(x, parts, n_parts, steps[k]);
    if (count > 0) add_point(curve, steps[k], x, count, c->def->bootstrap.level);
  }
  free(steps);
  free(x);
}

static void read_curve(far__comparing *c, far__curve *curve, const far_comparison_cell *cell,
                       bool per_step) {
  part *parts = far__work_room(c, cell->records, sizeof *parts);
  for (size_t i = 0; i < cell->records && c->status == FAR_OK; ++i) {
    find_steps(c, &parts[i], cell->keys[i]);
    if (c->status == FAR_OK) read_columns(c, &parts[i], cell->keys[i]);
    if (c->status == FAR_OK && per_step) take_rates(&parts[i]);
  }
  const bool time = c->out->event != NULL && !per_step;
  if (c->status == FAR_OK) make_curve(c, curve, parts, cell->records, time);
  for (size_t i = 0; parts != NULL && i < cell->records; ++i) {
    free(parts[i].steps);
    far_columns_free(&parts[i].columns);
  }
  free(parts);
}

/* ---- groups ---- */

static void read_group(far__comparing *c, far__curves_group *out, const far_comparison_group *g,
                       bool per_step) {
  const size_t count = g->n_envs * g->n_agents;
  *out = (far__curves_group){.steps = g->steps,
                             .episodes = g->episodes,
                             .seed = g->seed,
                             .numerics = g->numerics,
                             .n_older = g->n_older,
                             .envs = far__work_room(c, g->n_envs, sizeof *out->envs),
                             .n_envs = g->n_envs,
                             .agents = far__work_room(c, g->n_agents, sizeof *out->agents),
                             .n_agents = g->n_agents,
                             .curves = far__work_room(c, count, sizeof *out->curves)};
  if (c->status != FAR_OK) return;
  for (size_t e = 0; e < g->n_envs; ++e)
    out->envs[e] = (far__curves_env){
        .label = g->envs[e].label, .spec = g->envs[e].spec, .best = NAN, .random = NAN};
  for (size_t j = 0; j < g->n_agents; ++j)
    out->agents[j] = (far__curves_agent){g->agents[j].label, g->agents[j].origin};
  for (size_t i = 0; i < count && far__work_progress(c, "curve", i, count); ++i)
    if (g->cells[i].records > 0) read_curve(c, &out->curves[i], &g->cells[i], per_step);
  far__work_progress(c, "curve", count, count);
  for (size_t e = 0; e < g->n_envs && far__work_progress(c, "scale", e, g->n_envs); ++e)
    far__policy_rates(c, g, e, &out->envs[e].random, &out->envs[e].best);
  far__work_progress(c, "scale", g->n_envs, g->n_envs);
}

static void read_groups(far__comparing *c, void *user) {
  far__curves *out = user;
  out->groups = far__work_room(c, c->out->n_groups, sizeof *out->groups);
  if (c->status == FAR_OK) out->n_groups = c->out->n_groups;
  if (out->n_groups == 1) far__group_name(c, c->out->groups);
  for (size_t i = 0; i < out->n_groups && c->status == FAR_OK; ++i)
    read_group(c, &out->groups[i], &c->out->groups[i], out->per_step);
}

/* ---- the whole ---- */

/* The comparison owns the names; the result comes first. */
typedef struct whole {
  far__curves result;
  far_comparison *names;
} whole;

void far__curves_free(far__curves *curves) {
  if (curves == NULL) return;
  for (size_t i = 0; i < curves->n_groups; ++i) {
    far__curves_group *g = &curves->groups[i];
    for (size_t k = 0; g->curves != NULL && k < g->n_envs * g->n_agents; ++k) {
      far__curve *curve = &g->curves[k];
      free(curve->steps);
      free(curve->runs);
      free(curve->mean);
      free(curve->low);
      free(curve->high);
      free(curve->censored);
    }
    free(g->envs);
    free(g->agents);
    free(g->curves);
  }
  free(curves->groups);
  far_comparison_free(((whole *)curves)->names);
  free(curves);
}

far_status far__curves_create(far__curves **out, far_store *store, const far__curves_def *def,
                              far_error *error) {
  far__comparing c = {.def = &def->choice, .error = error, .curve = true};
  *out = NULL;
  whole *w = far__work_room(&c, 1, sizeof *w);
  if (w == NULL) return c.status;
  w->result.per_step = def->per_step;
  w->result.level = def->choice.bootstrap.level;
  const far_status status = far__comparison_make(&w->names, store, &c, read_groups, &w->result);
  if (status != FAR_OK) {
    far__curves_free(&w->result);
    return status;
  }
  w->result.series = w->names->series;
  w->result.lower = w->names->lower;
  w->result.n_without = w->names->n_without;
  *out = &w->result;
  return FAR_OK;
}
