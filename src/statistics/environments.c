/* Several environments at once: each is a stratum of its own, unless their runs are drawn together. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "statistics/bootstrap.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the statistics");
}

/* ---- the probability of improvement ---- */

static far_status check(const far_bootstrap_def *def, size_t n_envs, far_error *error) {
  const far_status status = far__bootstrap_check(def, error);
  if (status != FAR_OK || n_envs > 0) return status;
  return far__fail(error, FAR_STATUS_RANGE, -1, "no sample is given");
}

/* For every x the number of y below it, and of those not above it: with sums of how often each
 * y was drawn, a resample needs no comparison. Integers until the last division. */
typedef struct ranks {
  uint32_t **below, **up_to; /* of every environment and x */
  double *room;              /* for how often each y was drawn, in the resamples of a block */
  size_t n_envs;
} ranks;

static void ranks_free(ranks *r) {
  for (size_t e = 0; e < r->n_envs; ++e) {
    if (r->below != NULL) free(r->below[e]);
    if (r->up_to != NULL) free(r->up_to[e]);
  }
  free(r->below);
  free(r->up_to);
  free(r->room);
}

static bool rank(ranks *r, size_t e, const far_sample *x, const far_sample *y) {
  uint32_t *below = r->below[e] = malloc((size_t)x->n * sizeof *below);
  uint32_t *up_to = r->up_to[e] = malloc((size_t)x->n * sizeof *up_to);
  if (below == NULL || up_to == NULL) return false;
  uint32_t j = 0, k = 0;
  for (int64_t i = 0; i < x->n; ++i) {
    while (j < y->n && y->x[j] < x->x[i]) ++j;
    while (k < y->n && y->x[k] <= x->x[i]) ++k;
    below[i] = j;
    up_to[i] = k;
  }
  return true;
}

/* Samples 2e and 2e + 1 are x and y on environment e. */
static bool ranks_create(ranks *r, const far_sample *samples, size_t n_envs) {
  int64_t longest = 0;
  for (size_t e = 0; e < n_envs; ++e)
    if (samples[2 * e + 1].n > longest) longest = samples[2 * e + 1].n;
  *r = (ranks){
      .below = calloc(n_envs + 1, sizeof *r->below),
      .up_to = calloc(n_envs + 1, sizeof *r->up_to),
      .room = malloc(((size_t)longest + 1) * far__draws_width((size_t)longest) * sizeof(double)),
      .n_envs = n_envs};
  bool good = r->below != NULL && r->up_to != NULL && r->room != NULL;
  for (size_t e = 0; good && e < n_envs; ++e)
    good = rank(r, e, &samples[2 * e], &samples[2 * e + 1]);
  return good;
}

/* Adds the share of environment e. Twice the number of wins is a whole number of at most 2 n_x n_y. */
static void add_improvement(double *out, const far__draw *draw, const ranks *r, size_t e) {
  const size_t x = 2 * e, y = 2 * e + 1, count = draw->count;
  const far__drawn_rows of_x = far__draw_rows(draw, x), of_y = far__draw_rows(draw, y);
  double won[FAR__BLOCK]; /* twice */
  draw->sums->add_won(won, &of_x, &of_y, r->below[e], r->up_to[e], r->room, count);
  const double all = 2 * (double)draw->n[x] * (double)draw->n[y];
  for (size_t b = 0; b < count; ++b) out[b] += won[b] / all;
}

static void draw_improvement(double *const *out, const far__draw *draw, void *user) {
  const ranks *r = user;
  for (size_t b = 0; b < draw->count; ++b) out[0][b] = 0;
  for (size_t e = 0; e < r->n_envs; ++e) add_improvement(out[0], draw, r, e);
  for (size_t b = 0; b < draw->count; ++b) out[0][b] /= (double)r->n_envs;
}

far_status far_improvement(far_estimate *out, const far_sample *x, const far_sample *y,
                           size_t n_envs, const far_bootstrap_def *def, far_error *error) {
  *out = (far_estimate){0};
  far_status status = check(def, n_envs, error);
  if (status != FAR_OK) return status;
  far_sample *both = malloc(2 * n_envs * sizeof *both), *sorted = NULL;
  if (both == NULL) return no_memory(error);
  for (size_t e = 0; e < n_envs; ++e) {
    both[2 * e] = x[e];
    both[2 * e + 1] = y[e];
  }
  ranks r = {0};
  status = far__samples_sort(&sorted, both, 2 * n_envs, true, error);
  if (status == FAR_OK && !ranks_create(&r, sorted, n_envs)) status = no_memory(error);
  if (status == FAR_OK)
    status = far__bootstrap(out, 1, sorted, both, 2 * n_envs, draw_improvement, &r, def, error);
  ranks_free(&r);
  far__samples_free(sorted, 2 * n_envs);
  free(both);
  return status;
}

static void draw_mean_of_means(double *const *out, const far__draw *draw, void *user) {
  double mean[FAR__BLOCK];
  (void)user;
  for (size_t b = 0; b < draw->count; ++b) out[0][b] = 0;
  for (size_t e = 0; e < draw->n_samples; ++e) {
    far__draw_mean(mean, draw, e);
    for (size_t b = 0; b < draw->count; ++b) out[0][b] += mean[b];
  }
  for (size_t b = 0; b < draw->count; ++b) out[0][b] /= (double)draw->n_samples;
}

/* Scores pairs of runs, as a sample of its own: 1 if x won, 1/2 for a tie. */
static far_status score_pairs(far_sample *out, const far_sample *x, const far_sample *y, size_t e,
                              far_error *error) {
  far_status status = far__sample_check("the first of the pairs", x->x, x->n, true, error);
  if (status == FAR_OK)
    status = far__sample_check("the second of the pairs", y->x, y->n, true, error);
  if (status == FAR_OK && x->n != y->n)
    status = far__fail(error, FAR_STATUS_RANGE, -1,
                       "environment %zu: %lld runs cannot be paired with %lld", e, (long long)x->n,
                       (long long)y->n);
  if (status != FAR_OK) return status;
  double *score = malloc((size_t)x->n * sizeof *score);
  *out = (far_sample){score, x->n};
  if (score == NULL) return no_memory(error);
  for (int64_t i = 0; i < x->n; ++i)
    score[i] = x->x[i] > y->x[i] ? 1 : x->x[i] == y->x[i] ? 0.5 : 0;
  return FAR_OK;
}

far_status far_improvement_paired(far_estimate *out, const far_sample *x, const far_sample *y,
                                  size_t n_envs, const far_bootstrap_def *def, far_error *error) {
  *out = (far_estimate){0};
  far_status status = check(def, n_envs, error);
  if (status != FAR_OK) return status;
  far_sample *scores = calloc(n_envs, sizeof *scores), *sorted = NULL;
  if (scores == NULL) return no_memory(error);
  for (size_t e = 0; status == FAR_OK && e < n_envs; ++e)
    status = score_pairs(&scores[e], &x[e], &y[e], e, error);
  if (status == FAR_OK) status = far__samples_sort(&sorted, scores, n_envs, false, error);
  if (status == FAR_OK)
    status = far__bootstrap(out, 1, sorted, scores, n_envs, draw_mean_of_means, NULL, def, error);
  far__samples_free(sorted, n_envs);
  far__samples_free(scores, n_envs);
  return status;
}

/* ---- profiles ---- */

/* For every environment and tau the place of the first score above it in the ascending sample. */
typedef struct profile {
  size_t n_tau;
  const size_t *first; /* [e * n_tau + k] */
} profile;

static void draw_profile(double *const *out, const far__draw *draw, void *user) {
  const profile *p = user;
  for (size_t k = 0; k < p->n_tau; ++k) memset(out[k], 0, draw->count * sizeof **out);
  for (size_t e = 0; e < draw->n_samples; ++e) {
    const far__drawn_rows rows = far__draw_rows(draw, e);
    draw->sums->add_shares(out, &rows, p->first + e * p->n_tau, p->n_tau, (double)draw->n[e],
                           draw->count);
  }
  for (size_t k = 0; k < p->n_tau; ++k)
    for (size_t b = 0; b < draw->count; ++b) out[k][b] /= (double)draw->n_samples;
}

static size_t first_above(const far_sample *sorted, double tau) {
  size_t low = 0, high = (size_t)sorted->n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (sorted->x[middle] > tau)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Neighbours of which no value lies between have the same share in every resample: `same` is, of each tau, the number of its
 * share. Returns how many shares there are; first[e * n_tau + k] then is that of share k. */
static size_t join_equal(size_t *first, size_t *same, size_t n_envs, size_t n_tau) {
  size_t n = 0;
  for (size_t k = 0; k < n_tau; ++k) {
    bool equal = n > 0;
    for (size_t e = 0; e < n_envs && equal; ++e)
      equal = first[e * n_tau + k] == first[e * n_tau + n - 1];
    if (!equal) {
      for (size_t e = 0; e < n_envs; ++e) first[e * n_tau + n] = first[e * n_tau + k];
      ++n;
    }
    same[k] = n - 1;
  }
  for (size_t e = 1; e < n_envs; ++e) memmove(&first[e * n], &first[e * n_tau], n * sizeof *first);
  return n;
}

static far_status profile_sorted(far_estimate *out, const double *tau, size_t n_tau,
                                 const far_sample *sorted, const far_sample *given, size_t n_envs,
                                 const far_bootstrap_def *def, far_error *error) {
  size_t *first = malloc((n_envs * n_tau + 1) * sizeof *first);
  size_t *same = malloc((n_tau + 1) * sizeof *same);
  far_status status = FAR_OK;
  if (first != NULL && same != NULL) {
    for (size_t e = 0; e < n_envs; ++e)
      for (size_t k = 0; k < n_tau; ++k) first[e * n_tau + k] = first_above(&sorted[e], tau[k]);
    const size_t n = join_equal(first, same, n_envs, n_tau);
    profile p = {n, first};
    status = far__bootstrap(out, n, sorted, given, n_envs, draw_profile, &p, def, error);
    for (size_t k = n_tau; k-- > 0 && status == FAR_OK;) out[k] = out[same[k]];
  } else {
    status = no_memory(error);
  }
  free(first);
  free(same);
  return status;
}

far_status far_profile(far_estimate *out, const double *tau, size_t n_tau, const far_sample *scores,
                       size_t n_envs, const far_bootstrap_def *def, far_error *error) {
  far_sample *sorted = NULL;
  far_status status = far__bootstrap_check(def, error);
  if (status == FAR_OK) status = far__sample_check("tau", tau, (int64_t)n_tau, true, error);
  if (status == FAR_OK) status = far__samples_sort(&sorted, scores, n_envs, false, error);
  if (status == FAR_OK)
    status = profile_sorted(out, tau, n_tau, sorted, scores, n_envs, def, error);
  far__samples_free(sorted, n_envs);
  return status;
}

/* ---- aggregates ---- */

/* A score, and its place among all scores in ascending order. */
typedef struct place {
  double x;
  uint32_t sample, index;
} place;

typedef struct pool {
  place *places;
  far__part *parts; /* of each place, in the resamples of a block */
  size_t n_places;
  double *means;   /* means[e * count + b] */
  double *weights; /* room for one of each environment */
} pool;

/* Ties are ordered by their origin, so that the result does not depend on the sorting algorithm. */
static int compare_places(const void *x, const void *y) {
  const place *a = x, *b = y;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->sample != b->sample) return a->sample < b->sample ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static bool pool_create(pool *p, const far_sample *sorted, size_t n_envs) {
  size_t total = 0;
  for (size_t e = 0; e < n_envs; ++e) total += (size_t)sorted[e].n;
  *p = (pool){.places = malloc((total + 1) * sizeof *p->places),
              .parts = malloc((total + 1) * sizeof *p->parts),
              .means = malloc(n_envs * FAR__BLOCK * sizeof *p->means),
              .weights = malloc((n_envs + 1) * sizeof *p->weights)};
  if (p->places == NULL || p->parts == NULL || p->means == NULL || p->weights == NULL) return false;
  for (size_t e = 0; e < n_envs; ++e)
    for (int64_t i = 0; i < sorted[e].n; ++i)
      p->places[p->n_places++] = (place){sorted[e].x[i], (uint32_t)e, (uint32_t)i};
  qsort(p->places, p->n_places, sizeof *p->places, compare_places);
  return true;
}

/* The interquartile means of all that was drawn, every environment with the same weight: a run on e
 * weighs longest / n_e. What counts is the weight in [cut, all - cut). Where all n_e are equal the
 * weights are 1, so that every number is an integer and this is trim_mean to the last bit. */
static void pooled_iqm(double *out, const far__draw *draw, const pool *p) {
  int64_t drawn = 0, longest = 0;
  for (size_t e = 0; e < draw->n_samples; ++e) {
    drawn += draw->n[e];
    longest = draw->n[e] > longest ? draw->n[e] : longest;
  }
  for (size_t e = 0; e < draw->n_samples; ++e) p->weights[e] = (double)longest / (double)draw->n[e];
  const double all = (double)draw->n_samples * (double)longest;
  const int64_t quarter = drawn / 4;
  const double cut = (double)quarter * (all / (double)drawn), end = all - cut;
  const double least = p->places[0].x;
  double sum[FAR__BLOCK];
  for (size_t i = 0; i < p->n_places; ++i) {
    const place *at = &p->places[i];
    p->parts[i] = (far__part){far__draw_times(draw, at->sample, at->index), p->weights[at->sample],
                              at->x - least};
  }
  draw->sums->add_parts(sum, p->parts, p->n_places, cut, end, draw->count);
  for (size_t b = 0; b < draw->count; ++b) out[b] = least + sum[b] / (end - cut);
}

/* Adds the mean of max(0, 1 - x) over what was drawn of sample s, by the number of samples. What is summed is x - 1. */
static void add_missing(double *out, const far__draw *draw, size_t s) {
  const far_sample *sample = &draw->samples[s];
  far__drawn_rows rows = far__draw_rows(draw, s);
  double sum[FAR__BLOCK];
  for (rows.n = 0; (int64_t)rows.n < sample->n && sample->x[rows.n] < 1;) rows.n += 1;
  draw->sums->add(sum, &rows, sample->x, 1, draw->count);
  for (size_t b = 0; b < draw->count; ++b)
    out[b] -= sum[b] / (double)draw->n[s] / (double)draw->n_samples;
}

enum { MEAN, MEDIAN, IQM, GAP, AGGREGATES };

/* Sorts n rows, each resample for itself, by Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M). */
static void sort_rows(double *rows, size_t n, const far__draw *draw) {
  size_t most = 1;
  while (2 * most < n) most *= 2;
  for (size_t p = most; p > 0; p /= 2) {
    size_t r = 0, apart = p;
    for (size_t q = most;; q /= 2) {
      for (size_t i = 0; i + apart < n; ++i)
        if ((i & p) == r)
          draw->sums->order(rows + i * draw->count, rows + (i + apart) * draw->count, draw->count);
      if (q == p) break;
      apart = q - p;
      r = p;
    }
  }
}

/* As far__sorted_mean has them, of n ascending rows. */
static void mean_rows(double *out, const double *rows, size_t n, const far__draw *draw) {
  const size_t count = draw->count;
  double sum[FAR__BLOCK] = {0};
  for (size_t e = 0; e < n; ++e)
    for (size_t b = 0; b < count; ++b) sum[b] += rows[e * count + b];
  for (size_t b = 0; b < count; ++b) {
    const double *x = rows + b;
    out[b] = x[0] == x[(n - 1) * count] ? x[0] : sum[b] / (double)n;
    if (out[b] - out[b] == 0) continue;
    out[b] = 0; /* the sum was beyond doubles, and the mean need not be */
    for (size_t e = 0; e < n; ++e) out[b] += x[e * count] / (double)n;
  }
}

/* As far__sorted_quantile has them. */
static void median_rows(double *out, const double *rows, size_t n, const far__draw *draw) {
  double weight;
  const size_t middle = (size_t)far__quantile_place(&weight, (int64_t)n, 0.5);
  const double *low = rows + middle * draw->count, *high = weight > 0 ? low + draw->count : low;
  for (size_t b = 0; b < draw->count; ++b)
    out[b] = far__quantile_between((const double[]){low[b], high[b]}, weight);
}

static void draw_aggregates(double *const *out, const far__draw *draw, void *user) {
  const pool *p = user;
  const size_t n = draw->n_samples;
  for (size_t b = 0; b < draw->count; ++b) out[GAP][b] = 0;
  for (size_t e = 0; e < n; ++e) {
    far__draw_mean(p->means + e * draw->count, draw, e);
    add_missing(out[GAP], draw, e);
  }
  sort_rows(p->means, n, draw);
  mean_rows(out[MEAN], p->means, n, draw);
  median_rows(out[MEDIAN], p->means, n, draw);
  pooled_iqm(out[IQM], draw, p);
}

far_status far_scores_aggregate(far_aggregate *out, const far_sample *scores, size_t n_envs,
                                const far_bootstrap_def *def, far_error *error) {
  *out = (far_aggregate){0};
  far_estimate estimates[AGGREGATES];
  far_sample *sorted = NULL;
  pool p = {0};
  far_status status = far__bootstrap_check(def, error);
  if (status == FAR_OK) status = far__samples_sort(&sorted, scores, n_envs, false, error);
  if (status == FAR_OK && !pool_create(&p, sorted, n_envs)) status = no_memory(error);
  if (status == FAR_OK)
    status = far__bootstrap(estimates, AGGREGATES, sorted, scores, n_envs, draw_aggregates, &p, def,
                            error);
  if (status == FAR_OK)
    *out = (far_aggregate){estimates[MEAN], estimates[MEDIAN], estimates[IQM], estimates[GAP]};
  free(p.places);
  free(p.parts);
  free(p.means);
  free(p.weights);
  far__samples_free(sorted, n_envs);
  return status;
}
