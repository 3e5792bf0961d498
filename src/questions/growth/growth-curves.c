/* Growth with size, from a group of a comparison or from a scaling study. */
#include "questions/growth/growth-curves.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/kept.h"
#include "base/number.h"
#include "base/spec.h"
#include "farsight/base.h"
#include "farsight/mdp.h"
#include "questions/growth/scaling.h"
#include "run/series.h"
#include "statistics/growth.h"

/* The result comes first. */
typedef struct whole {
  far__growth_curves result;
  far__kept kept;
} whole;

far__growth_curves_def far__growth_curves_def_default(void) {
  return (far__growth_curves_def){.key = NULL};
}

void far__growth_curves_free(far__growth_curves *growth) {
  if (growth == NULL) return;
  far__kept_free(&((whole *)growth)->kept);
  free(growth);
}

double far__law_at(const far__fit *fit, double size) {
  return fit->scale * far_exp(fit->power * far_log(size) + fit->rate * size);
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the growth curves");
}

static far_status finish(far__growth_curves **out, whole *w, far_status status, far_error *error) {
  if (status == FAR_OK && w->kept.failed) status = no_memory(error);
  if (status == FAR_OK)
    *out = &w->result;
  else
    far__growth_curves_free(&w->result);
  return status;
}

static void fit(far__kept *kept, far__growth_curve *curve, const int64_t *sizes, size_t n) {
  double *x = far__kept_room(kept, 2 * n, sizeof *x), *y = x + n;
  size_t count = 0;
  if (x == NULL) return;
  for (size_t i = 0; i < n; ++i) {
    const double value = curve->points[i].value;
    if (!(value > 0 && value < INFINITY)) continue;
    x[count] = (double)sizes[i];
    y[count++] = value;
  }
  curve->fit = far__fit_points(x, y, count);
}

/* ---- families of environments ---- */

/* One environment as a member of a family. */
typedef struct member {
  const char *base, *key;
  int64_t size;
  size_t env;
} member;

typedef struct members {
  member *list;
  size_t n, room;
} members;

/* A seed is a whole number, too, and no size. */
static bool may_be_size(const far_type_info *type, const char *key, const char *wanted) {
  if (wanted != NULL) return strcmp(wanted, key) == 0;
  const far_param *param = far_type_param(type, key, strlen(key));
  if (type != NULL && (param == NULL || param->kind != FAR_PARAM_INTEGER)) return false;
  return strcmp(key, "seed") != 0;
}

static void add_member(far__kept *kept, members *out, const char *label, size_t env,
                       const char *key, const char *wanted) {
  char base[FAR_SPEC_SIZE];
  size_t length = 0;
  int64_t size;
  const char *value = far_spec_value(label, key, &length);
  if (!may_be_size(far_spec_type(far_mdp_family, label), key, wanted)) return;
  if (value == NULL || !far__integer_parse(value, length, &size) || size < 1) return;
  if (far__spec_without(base, label, key, NULL) != FAR_OK) return;
  out->list[out->n++] = (member){far__kept_text(kept, base), key, size, env};
}

static size_t count_commas(const char *text) {
  size_t n = 0;
  for (; *text != '\0'; ++text) n += *text == ',';
  return n;
}

/* An environment is a member for each of its parameters that may be a size. */
static void add_members(far__kept *kept, members *out, const char *label, size_t env,
                        const char *wanted) {
  const char *at = label + strcspn(label, ":");
  while (*at != '\0' && !kept->failed) {
    ++at; /* ':' or ',' */
    const size_t length = strcspn(at, ","), end = strcspn(at, "=,");
    const char *key = end > 0 && end < length ? far__kept_part(kept, at, end) : NULL;
    if (key != NULL) add_member(kept, out, label, env, key, wanted);
    at += length;
  }
}

/* As it was typed, which has the keys that matter; of one with a name the whole. */
static const char *spec_of(const far_comparison_env *env) {
  return far_spec_type(far_mdp_family, env->label) != NULL ? env->label : env->spec;
}

static members find_members(far__kept *kept, const far_comparison_group *g, const char *wanted) {
  members out = {0};
  for (size_t e = 0; e < g->n_envs; ++e) out.room += count_commas(spec_of(&g->envs[e])) + 1;
  out.list = far__kept_room(kept, out.room, sizeof *out.list);
  for (size_t e = 0; e < g->n_envs && !kept->failed; ++e) {
    const far_type_info *type = far_spec_type(far_mdp_family, spec_of(&g->envs[e]));
    if (type == NULL || !type->bare) add_members(kept, &out, spec_of(&g->envs[e]), e, wanted);
  }
  return out;
}

static bool same_family(const member *a, const member *b) {
  return strcmp(a->base, b->base) == 0 && strcmp(a->key, b->key) == 0;
}

static int by_size(const void *x, const void *y) {
  const member *a = x, *b = y;
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  return a->env < b->env ? -1 : a->env > b->env;
}

/* The members of the family of member i, if that is the first of them: ascending, each size once. */
static size_t find_family(member *out, const members *all, size_t i) {
  size_t n = 0, kept = 0;
  for (size_t k = 0; k < all->n; ++k) {
    if (!same_family(&all->list[k], &all->list[i])) continue;
    if (k < i) return 0;
    out[n++] = all->list[k];
  }
  qsort(out, n, sizeof *out, by_size);
  for (size_t k = 0; k < n; ++k)
    if (kept == 0 || out[k].size != out[kept - 1].size) out[kept++] = out[k];
  return kept;
}

/* ---- points of a store ---- */

static bool is_time(const char *series) {
  return far__series_event(series) != NULL && strchr(series, '@') == NULL;
}

static const far__growth_point unknown = {.value = NAN, .low = NAN, .high = NAN, .limit = NAN};

static void time_point(far__kept *kept, far__growth_point *out, const far_comparison_cell *cell,
                       int64_t steps) {
  far_times times;
  const int64_t half = steps / 2;
  out->limit = steps > 0 ? (double)half : DBL_MAX;
  const far_status status = far_times_summarise(&times, cell->values, cell->runs, out->limit, NULL);
  kept->failed = kept->failed || status == FAR_STATUS_MEMORY;
  if (status != FAR_OK) return;
  out->censored = times.censored;
  out->value = times.median;
  out->low = times.low;
  out->high = times.high;
}

static far__growth_point point_of(far__kept *kept, const far_comparison_group *g,
                                  const far_comparison_cell *cell, bool times) {
  far__growth_point out = unknown;
  out.runs = cell->runs;
  if (cell->runs == 0) return out;
  if (times) {
    time_point(kept, &out, cell, g->steps);
  } else {
    out.value = cell->summary.mean;
    out.low = cell->summary.low;
    out.high = cell->summary.high;
  }
  return out;
}

/* The curve of agent j; false if it has fewer than two points. */
static bool make_curve(far__kept *kept, far__growth_curve *out, const far_comparison_group *g,
                       const member *in, size_t n, size_t j, bool times) {
  far__growth_point *points = far__kept_room(kept, n, sizeof *points);
  size_t count = 0;
  if (points == NULL) return false;
  for (size_t i = 0; i < n; ++i) {
    points[i] = point_of(kept, g, &g->cells[in[i].env * g->n_agents + j], times);
    count += points[i].runs > 0;
  }
  *out = (far__growth_curve){.agent = far__kept_text(kept, g->agents[j].label), .points = points};
  return count > 1 && !kept->failed;
}

static void make_family(far__kept *kept, far__growth_family *out, const far_comparison_group *g,
                        const member *in, size_t n, bool times) {
  int64_t *sizes = far__kept_room(kept, n, sizeof *sizes);
  far__growth_curve *curves = far__kept_room(kept, g->n_agents, sizeof *curves);
  *out = (far__growth_family){.env = in[0].base, .key = in[0].key, .n_sizes = n};
  if (kept->failed) return;
  for (size_t i = 0; i < n; ++i) sizes[i] = in[i].size;
  for (size_t j = 0; j < g->n_agents && !kept->failed; ++j) {
    if (!make_curve(kept, &curves[out->n_curves], g, in, n, j, times)) continue;
    fit(kept, &curves[out->n_curves++], sizes, n);
  }
  out->sizes = sizes;
  out->curves = curves;
}

far_status far__growth_curves_create(far__growth_curves **out, const far_comparison *comparison,
                                     const far__growth_curves_def *def, far_error *error) {
  *out = NULL;
  if (def->group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no group %zu; there are %zu",
                     def->group, comparison->n_groups);
  whole *w = calloc(1, sizeof *w);
  if (w == NULL) return no_memory(error);
  const bool times = is_time(comparison->series);
  w->result = (far__growth_curves){
      .quantity = far__kept_format(&w->kept, "%s%s", times ? "steps by " : "", comparison->series),
      .times = times,
      .lower = comparison->lower,
      .level = comparison->bootstrap.level};
  const far_comparison_group *g = &comparison->groups[def->group];
  far__kept *kept = &w->kept;
  const members all = find_members(kept, g, def->key);
  member *in = far__kept_room(kept, all.n, sizeof *in);
  far__growth_family *list = far__kept_room(kept, all.n, sizeof *list);
  w->result.families = list;
  for (size_t i = 0; i < all.n && !kept->failed; ++i) {
    const size_t n = find_family(in, &all, i);
    far__growth_family *family = &list[w->result.n_families];
    if (n > 1) make_family(kept, family, g, in, n, w->result.times);
    w->result.n_families += n > 1 && family->n_curves > 0;
  }
  far_status status = FAR_OK;
  if (def->key != NULL && w->result.n_families == 0 && !w->kept.failed)
    status =
        far__fail(error, FAR_STATUS_UNKNOWN, -1,
                  "no agent has runs on two environments that differ in '%.100s' alone", def->key);
  return finish(out, w, status, error);
}

/* ---- a scaling study ---- */

static far__growth_point scaling_point(const far__scaling *s, size_t i, size_t j) {
  const far__scaling_cell *cell = far__scaling_cell_of(s, i, j);
  far__growth_point out = unknown;
  out.left_out = cell->left_out;
  if (!cell->known) return out;
  out.runs = cell->runs;
  out.value = far__scaling_value(s, i, j);
  if (far__measures_time(s)) {
    out.censored = cell->times.censored;
    out.limit = cell->limit;
    out.low = cell->times.low;
    out.high = cell->times.high;
  } else {
    out.low = cell->mean - cell->ci95;
    out.high = cell->mean + cell->ci95;
  }
  return out;
}

static const char *quantity_of(far__kept *kept, const far__scaling_def *def) {
  char share[FAR__NUMBER_SIZE], off[FAR__NUMBER_SIZE];
  far__real_above(share, 100 * (1 - def->eps), 4);
  far__real_above(off, 100 * def->eps, 4);
  switch (def->measure) {
  case FAR__SCALING_EARNED:
    return far__kept_format(kept, "steps to earn %s%% of the best average reward", share);
  case FAR__SCALING_LEARNED:
    return far__kept_format(kept, "steps to a policy within %s%% of the best at the start", off);
  case FAR__SCALING_LAST_MISTAKE:
    return far__kept_format(kept, "last step with a loss above %s%% of the best start", off);
  default: return far__kept_format(kept, "total reward of %lld steps", (long long)def->steps);
  }
}

far_status far__growth_curves_from_scaling(far__growth_curves **out, const far__scaling *s,
                                           far_error *error) {
  const far__scaling_def *def = far__scaling_def_of(s);
  *out = NULL;
  whole *w = calloc(1, sizeof *w);
  if (w == NULL) return no_memory(error);
  far__kept *kept = &w->kept;
  far__growth_family *family = far__kept_room(kept, 1, sizeof *family);
  far__growth_curve *curves = far__kept_room(kept, def->n_agents, sizeof *curves);
  int64_t *sizes = far__kept_room(kept, def->n_sizes, sizeof *sizes);
  if (kept->failed) return finish(out, w, FAR_OK, error);
  memcpy(sizes, def->sizes, def->n_sizes * sizeof *sizes);
  for (size_t j = 0; j < def->n_agents; ++j) {
    far__growth_point *points = far__kept_room(kept, def->n_sizes, sizeof *points);
    if (points == NULL) continue;
    for (size_t i = 0; i < def->n_sizes; ++i) points[i] = scaling_point(s, i, j);
    curves[j] = (far__growth_curve){.agent = far__kept_text(kept, def->agents[j]),
                                    .points = points,
                                    .fit = far__scaling_fit_of(s, j, false)};
  }
  *family = (far__growth_family){.env = far__kept_text(kept, def->env),
                                 .key = far__kept_text(kept, def->key),
                                 .sizes = sizes,
                                 .n_sizes = def->n_sizes,
                                 .curves = curves,
                                 .n_curves = def->n_agents};
  w->result = (far__growth_curves){.quantity = quantity_of(kept, def),
                                   .times = far__measures_time(s),
                                   .lower = far__measures_time(s),
                                   .level = 0.95,
                                   .families = family,
                                   .n_families = 1};
  return finish(out, w, FAR_OK, error);
}
