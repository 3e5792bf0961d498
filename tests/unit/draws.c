/* What resamples draw, kept and drawn again: a cache changes no bit, whatever was computed with it before, and draws once.
 * The loops over a block, for all instructions that there are. And the sorting of resampled values, and their quantiles. */
#include "statistics/draws.h"

#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "statistics/bootstrap.h"
#include "statistics/sample.h"
#include "statistics/sort.h"
#include "statistics/sums.h"

enum { SAMPLES = 4, LONGEST = 40, NUMBERS = 19 };

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

static void all_three(double *out, const far_sample *samples, size_t n, void *user) {
  far_statistic_mean(&out[0], samples, n, user);
  far_statistic_median(&out[1], samples, n, user);
  far_statistic_iqm(&out[2], samples, n, user);
}

/* The mean, the median and the interquartile mean by counts are those of resamples that are written out. */
static far__centers centers_of(const far_sample *x, const far_bootstrap_def *def) {
  far__centers out;
  far_estimate plain[3];
  CHECK(far__sample_centers(&out, x->x, x->n, def, NULL) == FAR_OK);
  CHECK(far_bootstrap_run(plain, 3, x, 1, all_three, NULL, def, NULL) == FAR_OK);
  CHECK(memcmp(&out.mean, &plain[0], sizeof *plain) == 0);
  CHECK(memcmp(&out.median, &plain[1], sizeof *plain) == 0);
  CHECK(memcmp(&out.iqm, &plain[2], sizeof *plain) == 0);
  return out;
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
  const far__centers c = centers_of(x, def);
  e[16] = c.mean, e[17] = c.median, e[18] = c.iqm;
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
    centers_of(&(far_sample){x, sizes[k][0]}, &def);
  }
}

/* Sums that leave the range of doubles, ties, and values that are all equal. */
static void test_odd_centers(void) {
  static const double x[][9] = {
      {1.5e308, 1.5e308, 1.2e308, -1e308, 1.7e308, 1.6e308, 1.5e308, 1.1e308, 1.4e308},
      {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 7},
      {-0.0, 0, -0.0, 0, -0.0, -0.0, 0, 0, -0.0},
      {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3},
      {5e-324, 0, -5e-324, 1e-310, 0, 0, 1e-320, 2e-320, 3e-320}};
  far_bootstrap_def def = far_bootstrap_def_default();
  def.resamples = 300;
  for (size_t k = 0; k < sizeof x / sizeof *x; ++k)
    for (int64_t n = 1; n <= 9; ++n) centers_of(&(far_sample){x[k], n}, &def);
}

/* Sums beyond doubles, of numbers whose mean is 0 in more than a third of the resamples. */
static void test_huge_centers(void) {
  const far_sample huge = {(const double[]){-1e308, -1e308, 1e308, 1e308}, 4};
  far_bootstrap_def def = far_bootstrap_def_default();
  def.level = 0.1;
  def.method = FAR_BOOTSTRAP_PERCENTILE;
  const far_estimate mean = centers_of(&huge, &def).mean;
  CHECK(mean.value == 0 && mean.low == 0 && mean.high == 0);
}

/* ---- how much is drawn ---- */

/* A cache draws once for all samples of a size; two strata are another size. */
static void test_drawn_once(void) {
  static const int64_t sizes[SAMPLES] = {20, 20, 20, 20};
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
  far_bootstrap_def def = far_bootstrap_def_default();
  far_paired p;
  far_estimate e;
  data d;
  def.resamples = 1000;
  def.cache = cache;
  CHECK(far__cache_drawn(cache) == 0);
  for (uint64_t cell = 0; cell < 5; ++cell) {
    make(&d, sizes, cell, false);
    centers_of(d.samples, &def);
    CHECK(far_pairs_compare(&p, d.x[0], d.x[1], 20, &def, NULL) == FAR_OK);
    CHECK(far__cache_drawn(cache) == 1000);
  }
  for (int again = 0; again < 2; ++again) {
    CHECK(far_improvement(&e, d.samples, d.samples + 1, 1, &def, NULL) == FAR_OK);
    CHECK(far__cache_drawn(cache) == 2000);
  }
  far__bootstrap_cache_free(cache);
}

/* ---- work that is stopped ---- */

static bool count_down(void *user) {
  return --*(int *)user > 0;
}

/* What was drawn before remains, and the rest is drawn later. */
static void test_stopped(void) {
  static double x[10000];
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
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
  far__bootstrap_cache_free(cache);
  far__bootstrap_cache_free(NULL);
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
      far__sort(short_one, (int64_t)n);
      far__sort_within(x, (int64_t)n, room);
      CHECK(memcmp(plain, x, n * sizeof *x) == 0);
      CHECK(memcmp(plain, short_one, n * sizeof *x) == 0);
    }
  free(room);
}

/* To the last bit those of sorted values. */
static void test_quantiles(void) {
  static const double p[] = {0, 1e-9, 0.025, 0.1, 0.5, 0.75, 0.975, 0.9999, 1};
  static const int sizes[] = {1, 2, 3, 31, 32, 33, 100, 1000, 10000, MOST};
  static double x[MOST], sorted[MOST];
  void *room = malloc(far__order_room(MOST));
  far_rng rng;
  far_rng_init(&rng, 2, 0, FAR_PURPOSE_SEARCH);
  for (int kind = 0; kind < 6; ++kind)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
      const int n = sizes[k];
      far__order order;
      for (int i = 0; i < n; ++i) sorted[i] = x[i] = value_of(&rng, kind, i);
      qsort(sorted, (size_t)n, sizeof *sorted, by_bits);
      far__order_create(&order, x, (size_t)n, room);
      CHECK(order.least == sorted[0] && order.most == sorted[n - 1]);
      for (size_t j = 0; j < sizeof p / sizeof *p; ++j) {
        const double plain = far__sorted_quantile(sorted, n, p[j]);
        const double found = far__order_quantile(&order, p[j]);
        CHECK(memcmp(&plain, &found, sizeof plain) == 0 || (plain != plain && found != found));
      }
    }
  free(room);
}

/* One run on each environment: the mean and the median of so many numbers, in any order. */
static void test_median_of_many(void) {
  enum { MOST_ENVS = 70 };
  far_bootstrap_def def = far_bootstrap_def_default();
  far_rng rng;
  far_rng_init(&rng, 4, 0, FAR_PURPOSE_SEARCH);
  def.resamples = 100;
  for (size_t n = 1; n <= MOST_ENVS; ++n) {
    double x[MOST_ENVS];
    far_sample samples[MOST_ENVS];
    far_aggregate g;
    for (size_t e = 0; e < n; ++e) {
      x[e] = n % 7 == 0 ? 0.1 * (double)far_rng_below(&rng, 5) : far_rng_uniform(&rng);
      samples[e] = (far_sample){&x[e], 1};
    }
    CHECK(far_scores_aggregate(&g, samples, n, &def, NULL) == FAR_OK);
    far__sort(x, (int64_t)n);
    CHECK(g.median.value == far__sorted_quantile(x, (int64_t)n, 0.5));
    CHECK(g.mean.value == far__sorted_mean(x, (int64_t)n));
  }
}

/* ---- what else a cache keeps ---- */

static void test_kept_quantiles(void) {
  static const double degrees[] = {1, 2.5, 29, 1e6, INFINITY};
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
  for (int round = 0; round < 3; ++round)
    for (size_t k = 0; k < 5; ++k)
      for (double p = 0; p <= 1; p += 0.25) {
        const double plain = far_student_quantile(p, degrees[k]);
        const double kept = far__cache_quantile(round < 2 ? cache : NULL, p, degrees[k]);
        const double again = far__cache_quantile(cache, p, degrees[k]);
        CHECK(memcmp(&plain, &kept, sizeof kept) == 0 && memcmp(&plain, &again, sizeof kept) == 0);
      }
  far__bootstrap_cache_free(cache);
}

/* The larger of two is kept, unless it is very large. */
static void test_kept_room(void) {
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
  const far__room small = far__cache_take(cache, 1000), large = far__cache_take(cache, 5000);
  CHECK(small.at != NULL && large.at != NULL && small.at != large.at);
  far__cache_give_back(cache, small);
  far__cache_give_back(cache, large);
  const far__room again = far__cache_take(cache, 2000), other = far__cache_take(cache, 2000);
  CHECK(again.at == large.at && again.bytes == 5000 && other.at != again.at);
  far__cache_give_back(cache, again);
  far__cache_give_back(cache, other);
  const far__room huge = far__cache_take(cache, (size_t)1 << 30);
  far__cache_give_back(cache, huge);
  const far__room last = far__cache_take(cache, 1);
  CHECK(last.at == large.at);
  far__cache_give_back(cache, last);
  far__cache_give_back(NULL, far__cache_take(NULL, 10));
  far__bootstrap_cache_free(cache);
}

/* ---- loops ---- */

enum { ROWS = 9, COLUMNS = 131, KINDS = 6, BORDERS = 4 };

/* What is summed: rows in another order than they lie in memory, and what is above or below which place. */
static const size_t order_of_x[ROWS] = {3, 1, 4, 0, 5, 8, 2, 7, 6}, order_of_y[] = {8, 2, 0, 7};
static const uint32_t below[ROWS] = {0, 0, 1, 1, 2, 3, 3, 4, 4};
static const uint32_t up_to[ROWS] = {0, 1, 1, 2, 2, 3, 4, 4, 4};
static const size_t borders[BORDERS] = {0, 3, 3, ROWS};
static const double heights[ROWS] = {-1.5, -0.3, 0, 0.1, 0.7, 1.1, 1.2, 9, INFINITY};

typedef struct numbers {
  double times[ROWS][COLUMNS];
  double shares[BORDERS][COLUMNS];
  double out[KINDS][COLUMNS];
  uint16_t narrow[COLUMNS];
} numbers;

static void numbers_draw(numbers *x) {
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_SEARCH);
  memset(x, 0, sizeof *x);
  for (size_t b = 0; b < COLUMNS; ++b) {
    x->narrow[b] = (uint16_t)far_rng_below(&rng, UINT16_MAX);
    for (size_t i = 0; i < ROWS; ++i) x->times[i][b] = (double)far_rng_below(&rng, 4);
    for (size_t k = 0; k < BORDERS; ++k) x->shares[k][b] = far_rng_uniform(&rng);
    for (size_t k = 3; k < 5; ++k) x->out[k][b] = far_rng_uniform(&rng);
  }
}

/* By the loops of a set. The last value is only in add_parts, which knows what is infinite. */
static void use_sums(numbers *x, const far__sums *sums, size_t count) {
  double room[(ROWS + 1) * FAR__LANES], *shares[BORDERS];
  const far__drawn_rows of_x = {x->times[0], order_of_x, COLUMNS, ROWS - 1};
  const far__drawn_rows of_y = {x->times[0], order_of_y, COLUMNS, 4};
  far__part parts[ROWS];
  for (size_t i = 0; i < ROWS; ++i)
    parts[i] = (far__part){x->times[order_of_x[i]], 1.1, heights[i] - heights[0]};
  for (size_t k = 0; k < BORDERS; ++k) shares[k] = x->shares[k];
  sums->add(x->out[0], &of_x, heights, 0.7, count);
  sums->add_won(x->out[1], &of_x, &of_y, below, up_to, room, count);
  sums->add_parts(x->out[2], parts, ROWS, 2.5, 9.5, count);
  sums->add_shares(shares, &(far__drawn_rows){x->times[0], order_of_x, COLUMNS, ROWS}, borders,
                   BORDERS, 3, count);
  sums->order(x->out[3], x->out[4], count);
  sums->widen(x->out[5], x->narrow, count);
}

static double won_of(const numbers *x, size_t b) {
  double before[5] = {0}, out = 0;
  for (size_t j = 0; j < 4; ++j) before[j + 1] = before[j] + x->times[order_of_y[j]][b];
  for (size_t i = 0; i < ROWS - 1; ++i)
    out += x->times[order_of_x[i]][b] * (before[below[i]] + before[up_to[i]]);
  return out;
}

static double parts_of(const numbers *x, size_t b) {
  double seen = 0, out = 0;
  for (size_t i = 0; i < ROWS; ++i) {
    const double from = seen > 2.5 ? seen : 2.5;
    seen += x->times[order_of_x[i]][b] * 1.1;
    const double part = (seen < 9.5 ? seen : 9.5) - from;
    if (part > 0) out += part * (heights[i] - heights[0]);
  }
  return out;
}

/* By the formulas, of one resample after the other. */
static void use_formulas(numbers *x, size_t count) {
  for (size_t b = 0; b < count; ++b) {
    const double low = x->out[3][b], high = x->out[4][b];
    x->out[0][b] = 0;
    for (size_t i = 0; i < ROWS - 1; ++i)
      x->out[0][b] += x->times[order_of_x[i]][b] * (heights[i] - 0.7);
    x->out[1][b] = won_of(x, b);
    x->out[2][b] = parts_of(x, b);
    for (size_t k = 0; k < BORDERS; ++k) {
      double drawn = 0;
      for (size_t i = borders[k]; i < ROWS; ++i) drawn += x->times[order_of_x[i]][b];
      x->shares[k][b] += drawn / 3;
    }
    x->out[3][b] = low < high ? low : high;
    x->out[4][b] = low < high ? high : low;
    x->out[5][b] = x->narrow[b];
  }
}

/* All bits, and behind the last number nothing is written. */
static void test_sums(void) {
  static numbers formulas, loops;
  CHECK(far__sums_at(0) == far__sums_best());
  for (size_t count = 0; count < COLUMNS; ++count) {
    numbers_draw(&formulas);
    use_formulas(&formulas, count);
    for (size_t i = 0; far__sums_at(i) != NULL; ++i) {
      numbers_draw(&loops);
      use_sums(&loops, far__sums_at(i), count);
      CHECK(memcmp(&formulas, &loops, sizeof loops) == 0);
    }
  }
  CHECK(formulas.out[2][0] < INFINITY);
}

/* As many resamples as go side by side, or fewer. */
static void test_widths(void) {
  CHECK(far__draws_width(1) == FAR__BLOCK && far__draws_width(30) == FAR__BLOCK);
  CHECK(far__draws_width(600) == 48 && far__draws_width(2048) == 16);
  CHECK(far__draws_width(2049) == 15 && far__draws_width(1 << 20) == 1);
}

int main(void) {
  far_bootstrap_cache *cache = far__bootstrap_cache_create();
  test_same_bits(cache);
  test_many_environments();
  test_long(cache);
  test_same_bits(cache);
  test_stopped();
  test_odd_centers();
  test_huge_centers();
  test_drawn_once();
  test_sorting();
  test_quantiles();
  test_median_of_many();
  test_kept_quantiles();
  test_kept_room();
  test_sums();
  test_widths();
  far__bootstrap_cache_free(cache);
  return check_report();
}
