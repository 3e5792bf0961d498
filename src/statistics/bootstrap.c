#include "statistics/bootstrap.h"

#include <math.h> /* sqrt, fabs, fmax and ldexp, which are exact; INFINITY, NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "base/special.h"
#include "statistics/sample.h"
#include "statistics/sort.h"

far_bootstrap_def far_bootstrap_def_default(void) {
  return (far_bootstrap_def){.resamples = 10000, .seed = 1, .level = 0.95};
}

far_status far__bootstrap_check(const far_bootstrap_def *def, far_error *error) {
  if (def->resamples < 100 || def->resamples > 1000000000)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "%lld resamples are given; there must be 100 to 10^9",
                     (long long)def->resamples);
  return far__level_check(def->level, error);
}

/* ---- samples ---- */

void far__samples_free(far_sample *samples, size_t n_samples) {
  for (size_t s = 0; samples != NULL && s < n_samples; ++s) free((double *)samples[s].x);
  free(samples);
}

far_status far__samples_sort(far_sample **out, const far_sample *samples, size_t n_samples,
                             bool infinite, far_error *error) {
  *out = NULL;
  if (n_samples < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "no sample is given");
  *out = calloc(n_samples, sizeof **out);
  far_status status = *out != NULL ? FAR_OK : FAR_STATUS_MEMORY;
  for (size_t s = 0; status == FAR_OK && s < n_samples; ++s) {
    char what[48];
    snprintf(what, sizeof what, "sample %zu", s);
    status = far__sample_check(what, samples[s].x, samples[s].n, infinite, error);
    if (status != FAR_OK) return status;
    (*out)[s] = (far_sample){far__sorted_copy(samples[s].x, samples[s].n), samples[s].n};
    if ((*out)[s].x == NULL) status = FAR_STATUS_MEMORY;
  }
  if (status == FAR_OK) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu samples", n_samples);
}

/* ---- resamples ---- */

/* Sums of U^2 and U^3 in units of 2^(2 exponent) and 2^(3 exponent), so that neither leaves the range of doubles. */
typedef struct influence {
  double squares, cubes;
  int exponent;
} influence;

typedef struct engine {
  const far_sample *samples;
  size_t n_samples, n_out;
  far__draw_fn *statistic;
  void *user;
  const far_bootstrap_def *def;
  bool together, ordered;
  far__draws draws;
  size_t *first, *row;   /* as far__draw has them */
  int64_t *n, longest;   /* of every sample, of the longest */
  double *value;         /* on the samples themselves: n_out */
  double *resampled;     /* of number k on resample b: [k * resamples + b] */
  far__room columns;     /* where these are */
  double *without;       /* of number k without value i of one sample: [k * longest + i] */
  influence *influences; /* on number k, of all samples */
  double **out;          /* where the next numbers go: n_out */
  void *room;            /* to find quantiles in */
} engine;

/* The numbers on as many resamples as `count`, from `to` on: that of number k and the first one is to[k * apart]. */
static void evaluate(engine *e, double *to, size_t apart, size_t width, size_t count) {
  const far__draw draw = {.samples = e->samples,
                          .n_samples = e->n_samples,
                          .count = count,
                          .n = e->n,
                          .times = e->ordered ? NULL : e->draws.times,
                          .sums = e->draws.sums,
                          .places = e->draws.places,
                          .width = width,
                          .row = e->row,
                          .first = e->first};
  for (size_t k = 0; k < e->n_out; ++k) e->out[k] = to + k * apart;
  e->statistic(e->out, &draw, e->user);
}

/* On one resample, of which the times are given. */
static void evaluate_one(engine *e, double *to, size_t apart) {
  if (e->ordered) far__draws_place_one(&e->draws);
  evaluate(e, to, apart, 1, 1);
}

static void engine_free(engine *e) {
  far__draws_free(&e->draws);
  free(e->first);
  free(e->row);
  free(e->n);
  free(e->value);
  far__cache_give_back(e->def->cache, e->columns);
  free(e->without);
  free(e->influences);
  free(e->out);
  free(e->room);
}

/* False without memory. */
static bool describe_samples(engine *e) {
  size_t rows = 0;
  e->first = malloc(e->n_samples * sizeof *e->first);
  e->n = malloc(e->n_samples * sizeof *e->n);
  if (e->first == NULL || e->n == NULL) return false;
  for (size_t s = 0; s < e->n_samples; ++s) {
    e->first[s] = rows;
    e->n[s] = e->samples[s].n;
    e->longest = e->n[s] > e->longest ? e->n[s] : e->longest;
    rows += (size_t)e->n[s];
  }
  e->row = malloc(rows * sizeof *e->row);
  for (size_t r = 0; r < rows && e->row != NULL; ++r) e->row[r] = r;
  const bool jackknife = e->def->method == FAR_BOOTSTRAP_BCA && rows <= FAR_JACKKNIFE_MOST;
  if (jackknife) e->without = malloc((size_t)e->longest * e->n_out * sizeof *e->without);
  return e->row != NULL && (!jackknife || e->without != NULL);
}

/* Everything is asked for in one place. False without memory. */
static bool engine_create(engine *e) {
  const size_t resamples = (size_t)e->def->resamples;
  if (!describe_samples(e) ||
      !far__draws_create(&e->draws, e->def, e->n, e->together ? 1 : e->n_samples, e->ordered))
    return false;
  e->value = malloc(e->n_out * sizeof *e->value);
  e->out = malloc(e->n_out * sizeof *e->out);
  if (resamples > SIZE_MAX / 4 / sizeof *e->resampled / e->n_out) return false;
  e->columns = far__cache_take(e->def->cache, resamples * e->n_out * sizeof *e->resampled);
  e->resampled = e->columns.at;
  e->room = malloc(far__order_room(resamples));
  e->influences = calloc(e->n_out, sizeof *e->influences);
  return e->value != NULL && e->out != NULL && e->resampled != NULL && e->room != NULL &&
         e->influences != NULL;
}

/* ---- runs that are drawn together ---- */

typedef struct ranked {
  double x;
  uint32_t run;
} ranked;

static int compare_ranked(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->run < b->run ? -1 : a->run > b->run;
}

/* False without memory. */
static bool find_runs(engine *e, const far_sample *given) {
  const size_t n = (size_t)e->longest;
  ranked *order = malloc(n * sizeof *order);
  for (size_t s = 0; order != NULL && s < e->n_samples; ++s) {
    for (size_t i = 0; i < n; ++i) order[i] = (ranked){given[s].x[i], (uint32_t)i};
    qsort(order, n, sizeof *order, compare_ranked);
    for (size_t i = 0; i < n; ++i) e->row[e->first[s] + i] = order[i].run;
  }
  free(order);
  return order != NULL;
}

static far_status same_length(const far_sample *samples, size_t n_samples, far_error *error) {
  for (size_t s = 1; s < n_samples; ++s)
    if (samples[s].n != samples[0].n)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "sample %zu has %lld values and sample 0 %lld: those of the same runs are "
                       "drawn together, so there must be as many",
                       s, (long long)samples[s].n, (long long)samples[0].n);
  return FAR_OK;
}

/* ---- the acceleration ---- */

static void draw_each_once(engine *e) {
  for (size_t r = 0; r < e->draws.rows; ++r) e->draws.times[r] = 1;
}

/* Equal neighbours give equal values. */
static void leave_one_out(engine *e, size_t s) {
  const int64_t n = e->samples[s].n;
  const double *x = e->samples[s].x;
  double *times = e->draws.times + e->first[s];
  const size_t apart = (size_t)e->longest;
  e->n[s] = n - 1;
  for (int64_t i = 0; i < n; ++i) {
    double *to = e->without + i;
    times[i] = 0;
    if (i == 0 || x[i] != x[i - 1]) evaluate_one(e, to, apart);
    times[i] = 1;
    for (size_t k = 0; i > 0 && x[i] == x[i - 1] && k < e->n_out; ++k)
      to[k * apart] = to[k * apart - 1];
  }
  e->n[s] = n;
}

static void leave_out_run(engine *e, int64_t i) {
  for (size_t s = 0; s < e->n_samples; ++s) e->n[s] -= 1;
  e->draws.times[i] = 0;
  evaluate_one(e, e->without + i, (size_t)e->longest);
  e->draws.times[i] = 1;
  for (size_t s = 0; s < e->n_samples; ++s) e->n[s] += 1;
}

/* U / n of the values without one, in place of these; the greatest size. */
static double find_influence(double *v, int64_t n) {
  const double mean = far__mean_std_of(v, n).mean;
  double most = 0;
  for (int64_t i = 0; i < n; ++i) {
    v[i] = (double)(n - 1) * (mean - v[i]) / (double)n;
    most = fmax(most, fabs(v[i]));
  }
  return most;
}

/* Brings the sums to a unit that is not less. */
static void change_unit(influence *x, int exponent) {
  x->squares = ldexp(x->squares, 2 * (x->exponent - exponent));
  x->cubes = ldexp(x->cubes, 3 * (x->exponent - exponent));
  x->exponent = exponent;
}

/* Adds what n values without one say. Powers of two change no bit but of numbers that are nothing beside the others. */
static void add_influence(influence *x, double *v, int64_t n) {
  const double most = find_influence(v, n);
  if (most == 0) return;
  const int own = far__exponent(most);
  if (x->squares == 0 || own > x->exponent) change_unit(x, own);
  double two = 0, three = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double u = ldexp(v[i], -x->exponent);
    two += u * u;
    three += u * u * u;
  }
  x->squares += two;
  x->cubes += three;
}

/* 0 where nothing varies, or the statistic is not finite. */
static double acceleration_of(const influence *x) {
  const double a = x->cubes / (6 * x->squares * sqrt(x->squares));
  return a - a == 0 ? a : 0;
}

/* out[k].acceleration, after every value was drawn once. */
static void accelerate(engine *e, far_estimate *out) {
  const size_t strata = e->together ? 1 : e->n_samples;
  for (size_t s = 0; s < strata; ++s) {
    if (e->samples[s].n < 2) continue;
    if (!e->together) leave_one_out(e, s);
    for (int64_t i = 0; e->together && i < e->longest; ++i) leave_out_run(e, i);
    for (size_t k = 0; k < e->n_out; ++k)
      add_influence(&e->influences[k], e->without + k * (size_t)e->longest, e->samples[s].n);
  }
  for (size_t k = 0; k < e->n_out; ++k) out[k].acceleration = acceleration_of(&e->influences[k]);
}

/* ---- the ends ---- */

static double bias(double value, const double *x, int64_t n) {
  int64_t below = 0, equal = 0;
  for (int64_t b = 0; b < n; ++b) {
    below += x[b] < value;
    equal += x[b] == value;
  }
  const double share = ((double)below + (double)equal / 2) / (double)n;
  if (share <= 0 || share >= 1) return share <= 0 ? -INFINITY : INFINITY;
  return far_student_quantile(share, INFINITY);
}

/* Where the end that the normal quantile z stands for lies among the resampled values. */
static double place(const far_estimate *e, double z) {
  const double at = e->bias + z, under = 1 - e->acceleration * at;
  if (under <= 0) return at > 0 ? 1 : 0;
  return far__student_tail(-(e->bias + at / under), INFINITY);
}

/* `x`: the resampled values, which are not all equal. */
static void find_ends(far_estimate *out, const double *x, const far_bootstrap_def *def,
                      void *room) {
  far__order order;
  const double alpha = (1 - def->level) / 2;
  const double z = -far__cache_quantile(def->cache, alpha, INFINITY);
  double low = alpha, high = 1 - alpha;
  if (def->method == FAR_BOOTSTRAP_BCA) {
    out->bias = bias(out->value, x, def->resamples);
    if (out->bias - out->bias == 0) {
      low = place(out, -z);
      high = place(out, z);
    }
  }
  far__order_create(&order, x, (size_t)def->resamples, room);
  out->low = far__order_quantile(&order, low);
  out->high = far__order_quantile(&order, high);
}

/* RANGE if the number is NaN on a resample, or on the samples themselves. */
static far_status check_numbers(const double *x, int64_t n, double value, size_t k,
                                far_error *error) {
  int64_t b = 0;
  while (b < n && x[b] == x[b] && value == value) ++b;
  if (b == n) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "the statistic's number %zu is not a number on resample %lld", k, (long long)b);
}

/* The estimate of number k from its resampled values. If one is NaN, so is the standard deviation. */
static far_status finish(engine *e, size_t k, far_estimate *out, far_error *error) {
  const int64_t n = e->def->resamples;
  const double *column = e->resampled + k * (size_t)n;
  const bool same = far__all_equal(column, n);
  out->value = e->value[k];
  out->std = same ? column[0] - column[0] : far__mean_std_of_many(column, n).std;
  if (out->std != out->std || out->value != out->value) {
    const far_status status = check_numbers(column, n, out->value, k, error);
    if (status != FAR_OK) return status;
  }
  if (same) out->low = out->high = column[0];
  if (same || e->longest < 2) out->acceleration = 0;
  if (e->longest < 2)
    out->low = out->high = out->std = NAN;
  else if (!same)
    find_ends(out, column, e->def, e->room);
  return FAR_OK;
}

/* Asks whether to go on about once in a million values; false if not. */
static bool resample_all(engine *e) {
  enum { LOOK = 1000000 };
  const far_bootstrap_def *def = e->def;
  int64_t values = 0, drawn = 0;
  for (size_t s = 0; s < e->n_samples; ++s) values += e->samples[s].n;
  for (int64_t b = 0; b < def->resamples;) {
    const size_t count = far__draws_block(&e->draws, b);
    evaluate(e, e->resampled + b, (size_t)def->resamples, e->draws.width, count);
    b += (int64_t)count;
    drawn += values * (int64_t)count;
    if (drawn < LOOK) continue;
    drawn %= LOOK;
    if (def->go_on != NULL && !def->go_on(def->user)) return false;
  }
  return true;
}

static far_status run_engine(engine *e, far_estimate *out, const far_sample *given,
                             far_error *error) {
  far_status status = FAR_OK;
  if (engine_create(e) && (!e->together || find_runs(e, given))) {
    draw_each_once(e);
    evaluate_one(e, e->value, 1);
    if (e->without != NULL) accelerate(e, out);
    if (!resample_all(e))
      status = far__fail(error, FAR_STATUS_CANCELLED, -1, "the bootstrap was stopped");
    for (size_t k = 0; k < e->n_out && status == FAR_OK; ++k) status = finish(e, k, &out[k], error);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld resamples of %zu numbers",
                       (long long)e->def->resamples, e->n_out);
  }
  engine_free(e);
  return status;
}

far_status far__bootstrap(far_estimate *out, size_t n_out, const far_sample *samples,
                          const far_sample *given, size_t n_samples, far__draw_fn *statistic,
                          void *user, const far_bootstrap_def *def, far_error *error) {
  engine e = {.samples = samples,
              .n_samples = n_samples,
              .n_out = n_out,
              .statistic = statistic,
              .user = user,
              .def = def,
              .together = def->together && n_samples > 1};
  for (size_t k = 0; k < n_out; ++k) out[k] = (far_estimate){0};
  const far_status status = e.together ? same_length(samples, n_samples, error) : FAR_OK;
  return status == FAR_OK ? run_engine(&e, out, given, error) : status;
}

far_status far__bootstrap_ordered(far_estimate *out, size_t n_out, const far_sample *sample,
                                  far__draw_fn *statistic, void *user, const far_bootstrap_def *def,
                                  far_error *error) {
  engine e = {.samples = sample,
              .n_samples = 1,
              .n_out = n_out,
              .statistic = statistic,
              .user = user,
              .def = def,
              .ordered = true};
  for (size_t k = 0; k < n_out; ++k) out[k] = (far_estimate){0};
  return run_engine(&e, out, NULL, error);
}

/* ---- statistics ---- */

/* As deviations from the least, which add up to 0 where nothing varies. */
void far__draw_mean(double *out, const far__draw *draw, size_t s) {
  const far_sample *sample = &draw->samples[s];
  const double least = sample->x[0], n = (double)draw->n[s];
  const far__drawn_rows rows = far__draw_rows(draw, s);
  double sum[FAR__BLOCK];
  draw->sums->add(sum, &rows, sample->x, least, draw->count);
  for (size_t b = 0; b < draw->count; ++b) out[b] = least + sum[b] / n;
}

void far_statistic_mean(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)n_samples, (void)user;
  *out = far__sorted_mean(samples->x, samples->n);
}

void far_statistic_median(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)n_samples, (void)user;
  *out = far__sorted_quantile(samples->x, samples->n, 0.5);
}

void far_statistic_iqm(double *out, const far_sample *samples, size_t n_samples, void *user) {
  (void)n_samples, (void)user;
  *out = far__sorted_iqm(samples->x, samples->n);
}

/* A caller's statistic sees the values themselves. */
typedef struct outsider {
  far_statistic_fn *statistic;
  void *user;
  size_t n_out;
  double *out;       /* n_out */
  far_sample *drawn; /* one for each sample */
  double *values;    /* what they point into, as long as all samples together and AHEAD more */
} outsider;

enum { AHEAD = 3 };

/* The values that resample b drew of sample s; what is behind them. Nearly all are drawn at most three times, so as many are
 * written at once, and what is too much is written over. */
static double *write_sample(double *next, const far__draw *draw, size_t s, size_t b) {
  const far_sample *sample = &draw->samples[s];
  for (int64_t i = 0; i < sample->n; ++i) {
    const size_t times = (size_t)far__draw_times(draw, s, i)[b];
    for (size_t j = 0; j < AHEAD; ++j) next[j] = sample->x[i];
    for (size_t j = AHEAD; j < times; ++j) next[j] = sample->x[i];
    next += times;
  }
  return next;
}

static void write_out(double *const *out, const far__draw *draw, void *user) {
  const outsider *o = user;
  for (size_t b = 0; b < draw->count; ++b) {
    double *next = o->values;
    for (size_t s = 0; s < draw->n_samples; ++s) {
      o->drawn[s] = (far_sample){next, draw->n[s]};
      next = write_sample(next, draw, s, b);
    }
    o->statistic(o->out, o->drawn, draw->n_samples, o->user);
    for (size_t k = 0; k < o->n_out; ++k) out[k][b] = o->out[k];
  }
}

far_status far_bootstrap_run(far_estimate *out, size_t n_out, const far_sample *samples,
                             size_t n_samples, far_statistic_fn *statistic, void *user,
                             const far_bootstrap_def *def, far_error *error) {
  far_sample *sorted = NULL;
  far_status status = far__bootstrap_check(def, error);
  if (status == FAR_OK && n_out < 1)
    status = far__fail(error, FAR_STATUS_RANGE, -1, "a statistic must have at least one number");
  if (status == FAR_OK) status = far__samples_sort(&sorted, samples, n_samples, false, error);
  if (status == FAR_OK) {
    size_t total = 0;
    for (size_t s = 0; s < n_samples; ++s) total += (size_t)samples[s].n;
    outsider o = {.statistic = statistic,
                  .user = user,
                  .n_out = n_out,
                  .out = malloc(n_out * sizeof *o.out),
                  .drawn = malloc(n_samples * sizeof *o.drawn),
                  .values = malloc((total + AHEAD) * sizeof *o.values)};
    status = o.out != NULL && o.drawn != NULL && o.values != NULL
                 ? far__bootstrap(out, n_out, sorted, samples, n_samples, write_out, &o, def, error)
                 : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu values", total);
    free(o.out);
    free(o.drawn);
    free(o.values);
  }
  far__samples_free(sorted, n_samples);
  return status;
}

/* ---- the centers of one sample ---- */

enum { MEAN, MEDIAN, IQM, CENTERS };
enum { LANES = 4 };

/* What one resample drew, ascending. */
typedef struct drawn {
  const double *x;
  const uint16_t *places;
  size_t apart;
} drawn;

static double drawn_at(const drawn *d, int64_t j) {
  return d->x[d->places[(size_t)j * d->apart]];
}

/* As far__sorted_mean, of those at `from` and on before `end`, whose sum is known. */
static double drawn_mean(const drawn *d, int64_t from, int64_t end, double sum) {
  const double n = (double)(end - from);
  if (drawn_at(d, from) == drawn_at(d, end - 1)) return drawn_at(d, from);
  if (sum - sum == 0) return sum / n;
  sum = 0;
  for (int64_t j = from; j < end; ++j) sum += drawn_at(d, j) / n;
  return sum;
}

/* As far__sorted_quantile, of what is at `place` and behind it. */
static double drawn_quantile(const drawn *d, int64_t place, double weight) {
  const double low = drawn_at(d, place), high = weight > 0 ? drawn_at(d, place + 1) : low;
  return far__quantile_between((const double[]){low, high}, weight);
}

/* Sums of all that was drawn, and of what is left without the `cut` least and greatest. */
typedef struct drawn_sums {
  double all[FAR__BLOCK], inner[FAR__BLOCK];
} drawn_sums;

/* Of as many resamples as `lanes`, a number that the compiler knows, so that all sums stay in registers. */
FAR__INLINE void add_lanes(drawn_sums *out, const far__draw *draw, int64_t cut, size_t first,
                           size_t lanes) {
  const double *x = draw->samples->x;
  const uint16_t *places = draw->places + first;
  double all[LANES] = {0}, inner[LANES] = {0};
  int64_t j = 0;
  for (; j < cut; ++j, places += draw->width)
    for (size_t k = 0; k < lanes; ++k) all[k] += x[places[k]];
  for (; j < *draw->n - cut; ++j, places += draw->width)
    for (size_t k = 0; k < lanes; ++k) {
      all[k] += x[places[k]];
      inner[k] += x[places[k]];
    }
  for (; j < *draw->n; ++j, places += draw->width)
    for (size_t k = 0; k < lanes; ++k) all[k] += x[places[k]];
  memcpy(out->all + first, all, lanes * sizeof *all);
  memcpy(out->inner + first, inner, lanes * sizeof *inner);
}

static void draw_centers(double *const *out, const far__draw *draw, void *user) {
  const int64_t n = *draw->n, cut = n / 4;
  drawn_sums sums;
  double weight;
  const int64_t middle = far__quantile_place(&weight, n, 0.5);
  size_t first = 0;
  (void)user;
  for (; first + LANES <= draw->count; first += LANES) add_lanes(&sums, draw, cut, first, LANES);
  for (; first < draw->count; ++first) add_lanes(&sums, draw, cut, first, 1);
  for (size_t b = 0; b < draw->count; ++b) {
    const drawn d = {draw->samples->x, draw->places + b, draw->width};
    out[MEAN][b] = drawn_mean(&d, 0, n, sums.all[b]);
    out[MEDIAN][b] = drawn_quantile(&d, middle, weight);
    out[IQM][b] = drawn_mean(&d, cut, n - cut, sums.inner[b]);
  }
}

static void write_centers(double *out, const far_sample *samples, size_t n_samples, void *user) {
  far_statistic_mean(&out[MEAN], samples, n_samples, user);
  far_statistic_median(&out[MEDIAN], samples, n_samples, user);
  far_statistic_iqm(&out[IQM], samples, n_samples, user);
}

far_status far__sample_centers(far__centers *out, const double *x, int64_t n,
                               const far_bootstrap_def *def, far_error *error) {
  const far_sample sample = {x, n};
  far_estimate e[CENTERS] = {{0}};
  far_sample *sorted = NULL;
  far_status status;
  if (n > FAR__PLACES) {
    status = far_bootstrap_run(e, CENTERS, &sample, 1, write_centers, NULL, def, error);
  } else {
    status = far__bootstrap_check(def, error);
    if (status == FAR_OK) status = far__samples_sort(&sorted, &sample, 1, false, error);
    if (status == FAR_OK)
      status = far__bootstrap_ordered(e, CENTERS, sorted, draw_centers, NULL, def, error);
    far__samples_free(sorted, 1);
  }
  *out = (far__centers){e[MEAN], e[MEDIAN], e[IQM]};
  return status;
}
