/* What resamples draw, kept and drawn again: a cache changes no bit, whatever was computed with it before. And the sorting of
 * resampled values. */
#include "statistics/draws.h"

#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "statistics/sort.h"

enum { SAMPLES = 4, LONGEST = 40, NUMBERS = 16 };

/* ---- the same bits ---- */

typedef struct data {
  double x[SAMPLES][LONGEST];
  far_sample samples[SAMPLES];
} data;

static void make(data *d, const int64_t n[SAMPLES], uint64_t seed, bool ties) {
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SEARCH);
  for (size_t s = 0; s < SAMPLES; ++s) {
    for (int64_t i = 0; i < n[s]; ++i) {
      const double u = far_rng_uniform(&rng) - 0.25;
      d->x[s][i] = ties ? (u < 0 ? -0.0 : (double)(int)(3 * u)) : u;
    }
    d->samples[s] = (far_sample){d->x[s], n[s]};
  }
}

static void three_numbers(double *out, const far_sample *samples, size_t n, void *user) {
  far_statistic_mean(&out[0], samples, n, user);
  far_statistic_median(&out[1], samples + n - 1, 1, user);
  far_statistic_iqm(&out[2], samples, n, user);
}

/* Everything that resamples, in NUMBERS estimates. */
static void estimate(far_estimate e[NUMBERS], const data *d, const far_bootstrap_def *def) {
  static const double tau[] = {-0.1, 0, 0.4};
  const far_sample *x = d->samples, *y = d->samples + 2;
  far_aggregate g;
  far_paired p;
  memset(e, 0, NUMBERS * sizeof *e);
  CHECK(far_bootstrap_run(&e[0], 3, x, 1, three_numbers, NULL, def, NULL) == FAR_OK);
  CHECK(far_bootstrap_run(&e[3], 3, x, SAMPLES, three_numbers, NULL, def, NULL) == FAR_OK);
  CHECK(far_profile(&e[6], tau, 3, x, SAMPLES, def, NULL) == FAR_OK);
  CHECK(far_improvement(&e[9], x, y, 2, def, NULL) == FAR_OK);
  CHECK(far_scores_aggregate(&g, x, SAMPLES, def, NULL) == FAR_OK);
  e[10] = g.mean, e[11] = g.median, e[12] = g.iqm, e[13] = g.gap;
  if (x[0].n != x[2].n) return;
  CHECK(far_pairs_compare(&p, x[0].x, x[2].x, x[0].n, def, NULL) == FAR_OK);
  CHECK(far_improvement_paired(&e[14], x, y, 1, def, NULL) == FAR_OK);
  e[15] = p.bootstrap;
}

static void check_same(const data *d, far_bootstrap_def def, far_bootstrap_cache *cache) {
  far_estimate plain[NUMBERS], kept[NUMBERS];
  estimate(plain, d, &def);
  def.cache = cache;
  for (int again = 0; again < 2; ++again) {
    estimate(kept, d, &def);
    CHECK(memcmp(plain, kept, sizeof plain) == 0);
  }
}

/* More sizes, seeds and numbers of resamples than a cache keeps, in turn. */
static void test_same_bits(far_bootstrap_cache *cache) {
  static const int64_t sizes[][SAMPLES] = {
      {5, 5, 5, 5}, {20, 20, 20, 20}, {7, 1, 12, 3}, {1, 1, 1, 1}, {40, 2, 40, 9}};
  far_bootstrap_def def = far_bootstrap_def_default();
  data d;
  for (uint64_t round = 0; round < 3; ++round)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      make(&d, sizes[k], 10 * round + k, k % 2 == round % 2);
      def.resamples = 1000 + 57 * (int64_t)(round % 2); /* the last block is not full */
      def.seed = 1 + round / 2;
      def.method = round == 1 ? FAR_BOOTSTRAP_PERCENTILE : FAR_BOOTSTRAP_BCA;
      def.together = false;
      check_same(&d, def, cache);
      def.together = true;
      if (sizes[k][0] == sizes[k][1] && sizes[k][0] == sizes[k][3]) check_same(&d, def, cache);
    }
}

/* ---- many environments ---- */

/* Of few runs, drawn together: a block then has as many resamples as one environment alone would have. With the same
 * scores everywhere the mean of means is that of one of them. */
static void test_many_environments(void) {
  enum { ENVS = 400, RUNS = 3 };
  static const double x[RUNS] = {0.25, 0.5, 1};
  far_sample samples[ENVS];
  far_aggregate one, all;
  for (size_t e = 0; e < ENVS; ++e) samples[e] = (far_sample){x, RUNS};
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = 1000;
  def.together = true;
  CHECK(far_scores_aggregate(&one, samples, 1, &def, NULL) == FAR_OK);
  CHECK(far_scores_aggregate(&all, samples, ENVS, &def, NULL) == FAR_OK);
  CHECK_NEAR(all.mean.value, one.mean.value, 1e-12);
  CHECK_NEAR(all.mean.low, one.mean.low, 1e-12);
  CHECK_NEAR(all.mean.high, one.mean.high, 1e-12);
}

/* ---- samples that are long ---- */

static far_estimate mean_of(const double *x, int64_t n, const far_bootstrap_def *def) {
  const far_sample sample = {x, n};
  far_estimate e;
  CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, def, NULL) == FAR_OK);
  return e;
}

/* Too long to be kept at all; and so long that one makes room for another. */
static void test_long(far_bootstrap_cache *cache) {
  static const int64_t sizes[][2] = {{70000, 100}, {60000, 300}, {59999, 300},
                                     {60000, 300}, {60000, 600}, {9, 300}};
  static double x[70000];
  far_bootstrap_def def = far_bootstrap_def_default();
  for (int i = 0; i < 70000; ++i) x[i] = i % 991;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    def.resamples = sizes[k][1];
    def.cache = NULL;
    const far_estimate plain = mean_of(x, sizes[k][0], &def);
    def.cache = cache;
    const far_estimate kept = mean_of(x, sizes[k][0], &def);
    CHECK(memcmp(&plain, &kept, sizeof plain) == 0);
  }
}

/* ---- work that is stopped ---- */

static bool count_down(void *user) {
  return --*(int *)user > 0;
}

/* What was drawn before remains, and the rest is drawn later. */
static void test_stopped(void) {
  static double x[10000];
  far_bootstrap_cache *cache = far_bootstrap_cache_create();
  far_bootstrap_def def = far_bootstrap_def_default();
  const far_sample sample = {x, 10000};
  far_estimate e;
  for (int i = 0; i < 10000; ++i) x[i] = i % 101;
  def.resamples = 1000;
  const far_estimate plain = mean_of(x, 10000, &def);
  def.cache = cache;
  for (int asked = 1; asked <= 10; asked += 3) {
    int left = asked;
    def.go_on = count_down;
    def.user = &left;
    CHECK(far_bootstrap_run(&e, 1, &sample, 1, far_statistic_mean, NULL, &def, NULL) ==
          FAR_STATUS_CANCELLED);
    CHECK(left == 0);
  }
  def.go_on = NULL;
  for (int again = 0; again < 2; ++again) {
    e = mean_of(x, 10000, &def);
    CHECK(memcmp(&plain, &e, sizeof e) == 0);
  }
  far_bootstrap_cache_free(cache);
  far_bootstrap_cache_free(NULL);
}

/* ---- sorting ---- */

enum { MOST = 20000 };

static int by_bits(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  if (x != y) return x < y ? -1 : 1;
  return (signbit(y) != 0) - (signbit(x) != 0);
}

/* Values of a kind: dense, in all sizes, few different ones, zeros with both signs, and far apart from one another. */
static double value_of(far_rng *rng, int kind, int i) {
  static const double odd[] = {0, -0.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1e308, -1e308};
  const double u = far_rng_uniform(rng);
  switch (kind) {
  case 0: return 100 + u;
  case 1: return ldexp(u - 0.5, (int)far_rng_below(rng, 2000) - 1000);
  case 2: return (double)far_rng_below(rng, 7) - 3;
  case 3: return odd[far_rng_below(rng, 8)];
  case 4: return i % 100 == 0 ? odd[far_rng_below(rng, 8)] : 1 + u * 0x1p-40;
  default: return 3.5;
  }
}

static void test_sorting(void) {
  static double x[MOST], plain[MOST], short_one[MOST];
  void *room = malloc(far__sort_room(MOST));
  static const int sizes[] = {0, 1, 2, 3, 16, 17, 24, 25, 100, 4096, 10000, MOST};
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  for (int kind = 0; kind < 6; ++kind)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      const size_t n = (size_t)sizes[k];
      for (size_t i = 0; i < n; ++i) x[i] = value_of(&rng, kind, (int)i);
      memcpy(plain, x, n * sizeof *x);
      memcpy(short_one, x, n * sizeof *x);
      qsort(plain, n, sizeof *plain, by_bits);
      far_sort(short_one, (int64_t)n);
      far__sort_within(x, (int64_t)n, room);
      CHECK(memcmp(plain, x, n * sizeof *x) == 0);
      CHECK(memcmp(plain, short_one, n * sizeof *x) == 0);
    }
  free(room);
}

int main(void) {
  far_bootstrap_cache *cache = far_bootstrap_cache_create();
  test_same_bits(cache);
  test_many_environments();
  test_long(cache);
  test_same_bits(cache);
  test_stopped();
  test_sorting();
  far_bootstrap_cache_free(cache);
  return check_report();
}
