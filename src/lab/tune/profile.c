#include "lab/tune/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/statistics.h"

enum { MOST_POINTS = 20 };

static const double TOLERANCE = 0.01; /* of the best score */

/* Steps away from the best, in parts of the range; dense near it, since that is where it matters. */
static const double offsets[] = {-1,   -0.7, -0.4, -0.2, -0.1, -0.05, -0.02,
                                 0.02, 0.05, 0.1,  0.2,  0.4,  0.7,   1};

enum { N_OFFSETS = sizeof offsets / sizeof *offsets };

typedef struct row { /* the points of one axis */
  far__candidate *points[MOST_POINTS];
  double at[MOST_POINTS];
  size_t n;
} row;

static double clamp(double x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static bool is_known(const row *r, const far__candidate *c) {
  for (size_t i = 0; i < r->n; ++i)
    if (r->points[i] == c) return true;
  return false;
}

static far_status add_point(far__search *s, row *r, size_t axis, double at, far_error *error) {
  double u[FAR__TUNE_KEYS];
  far__candidate *c;
  memcpy(u, s->candidates[0]->u, sizeof u);
  u[axis] = at;
  const far_status status = far__search_add(s, u, &c, error);
  if (status != FAR_OK || c == NULL || c == s->candidates[0] || is_known(r, c)) return status;
  r->at[r->n] = at;
  r->points[r->n++] = c;
  return FAR_OK;
}

static far_status add_row(far__search *s, row *r, size_t axis, far_error *error) {
  const far__axis *a = &s->space->axes[axis];
  const double best = s->candidates[0]->u[axis];
  if (best != best) return FAR_OK; /* it does not apply to the best setting */
  const bool list = a->scale == FAR__SCALE_LIST && a->n_values <= MOST_POINTS;
  const size_t n = list ? a->n_values : N_OFFSETS;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < n; ++i) {
    const double at = list ? ((double)i + 0.5) / (double)n : clamp(best + offsets[i]);
    status = add_point(s, r, axis, at, error);
  }
  return status;
}

/* ---- the profile of an axis ---- */

typedef struct context {
  const far__scorer *scorer;
  const far__space *space;
  const far__candidate *best;
  double *best_values, *values; /* one a run */
  int64_t runs;
} context;

static char *text_of(const far__axis *a, double u) {
  const far__value_text value = far__axis_value(a, u);
  char *out = malloc(strlen(value.text) + 1);
  if (out != NULL) memcpy(out, value.text, strlen(value.text) + 1);
  return out;
}

static far_tune_point point_of(const context *x, const far__candidate *c, char *value) {
  const double score = far__scorer_score(x->scorer, c->totals, x->runs, x->values);
  for (int64_t r = 0; r < x->runs; ++r) x->values[r] = x->best_values[r] - x->values[r];
  const double loss = x->best->score - score, slack = TOLERANCE * fabs(x->best->score);
  const double ci95 = far_sample_moments(x->values, x->runs).ci95;
  const far_tune_near near = loss + ci95 <= slack  ? FAR_TUNE_NEAR
                             : loss - ci95 > slack ? FAR_TUNE_FAR
                                                   : FAR_TUNE_PERHAPS;
  return (far_tune_point){value, loss, ci95, near};
}

/* The ends of the stretch about the best in which no point is further than `most`. */
static void find_ends(const far_tune_profile *p, size_t right, far_tune_near most, const char **low,
                      const char **high) {
  *low = *high = p->value;
  for (size_t i = right; i > 0 && p->points[i - 1].near <= most; --i) *low = p->points[i - 1].value;
  for (size_t i = right; i < p->n_points && p->points[i].near <= most; ++i)
    *high = p->points[i].value;
}

static void find_stretches(far_tune_profile *p, const row *r, double best) {
  size_t right = 0; /* the first point beyond the best */
  while (right < r->n && r->at[right] < best) ++right;
  find_ends(p, right, FAR_TUNE_NEAR, &p->low, &p->high);
  find_ends(p, right, FAR_TUNE_PERHAPS, &p->low_perhaps, &p->high_perhaps);
}

static far_status describe(const context *x, far_tune_profile *p, const row *r, size_t axis,
                           far_error *error) {
  const far__axis *a = &x->space->axes[axis];
  far_tune_point *points = calloc(r->n + 1, sizeof *points);
  *p = (far_tune_profile){.key = a->param->name, .points = points, .n_points = r->n};
  p->mean_loss = p->worst_loss = NAN;
  const bool there = x->best->u[axis] == x->best->u[axis];
  if (there) p->value = text_of(a, x->best->u[axis]);
  bool memory = points != NULL && (!there || p->value != NULL);
  for (size_t i = 0; memory && i < r->n; ++i) {
    points[i] = point_of(x, r->points[i], text_of(a, r->at[i]));
    memory = points[i].value != NULL;
    p->mean_loss = (i > 0 ? p->mean_loss : 0) + points[i].loss / (double)r->n;
    if (i == 0 || points[i].loss > p->worst_loss) p->worst_loss = points[i].loss;
  }
  if (!memory) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a profile");
  const bool number = a->param->kind == FAR_PARAM_REAL || a->param->kind == FAR_PARAM_INTEGER;
  if (number && there) find_stretches(p, r, x->best->u[axis]);
  return FAR_OK;
}

static bool is_before(const far_tune_profile *a, const far_tune_profile *b) {
  return a->mean_loss > b->mean_loss || (a->n_points > 0 && b->n_points == 0);
}

/* The most sensitive first; insertion keeps equals in the order of the axes. */
static void sort(far_tune_profile *p, size_t n) {
  for (size_t i = 1; i < n; ++i)
    for (size_t k = i; k > 0 && is_before(&p[k], &p[k - 1]); --k) {
      const far_tune_profile swap = p[k];
      p[k] = p[k - 1];
      p[k - 1] = swap;
    }
}

static far_status describe_all(far__tune_profiles *out, const far__scorer *scorer, const row *rows,
                               far_error *error) {
  const far__search *s = &out->points;
  const size_t n = s->space->n_axes;
  context x = {scorer, s->space, s->candidates[0], NULL, NULL, s->runs};
  x.best_values = malloc(2 * (size_t)s->runs * sizeof(double));
  out->profiles = calloc(n, sizeof *out->profiles);
  far_status status = FAR_OK;
  if (x.best_values == NULL || out->profiles == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for profiles");
  if (status == FAR_OK) {
    x.values = x.best_values + s->runs;
    out->score = far__scorer_score(scorer, x.best->totals, s->runs, x.best_values);
  }
  for (size_t i = 0; status == FAR_OK && i < n; ++i) {
    out->n_profiles = i + 1;
    status = describe(&x, &out->profiles[i], &rows[i], i, error);
  }
  if (status == FAR_OK) sort(out->profiles, n);
  free(x.best_values);
  return status;
}

far_status far__tune_profiles_make(far__tune_profiles *out, far__scorer *scorer,
                                   const far__space *space, const far__candidate *best,
                                   far_error *error) {
  far__search *s = &out->points;
  *out = (far__tune_profiles){.score = NAN};
  *s = (far__search){
      .space = space, .objective = far__scorer_objective(scorer), .runs = scorer->def->profile};
  row *rows = calloc(space->n_axes, sizeof *rows);
  if (rows == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for profiles");
  far__candidate *first;
  far_status status = far__search_add(s, best->u, &first, error);
  for (size_t i = 0; status == FAR_OK && i < space->n_axes; ++i)
    status = add_row(s, &rows[i], i, error);
  s->budget = (int64_t)s->count * s->runs * s->objective.cost;
  far__scorer_stage(scorer, FAR_TUNE_PROFILE, (double)s->budget);
  if (status == FAR_OK) status = far__search_measure(s, s->candidates, s->count, s->runs, error);
  out->steps = s->spent;
  if (status == FAR_OK) status = describe_all(out, scorer, rows, error);
  free(rows);
  return status;
}

void far__tune_profiles_free(far__tune_profiles *p) {
  for (size_t i = 0; i < p->n_profiles; ++i) {
    for (size_t k = 0; p->profiles[i].points != NULL && k < p->profiles[i].n_points; ++k)
      free((char *)p->profiles[i].points[k].value);
    free((far_tune_point *)p->profiles[i].points);
    free((char *)p->profiles[i].value);
  }
  free(p->profiles);
  far__search_free(&p->points);
}
