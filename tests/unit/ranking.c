/* Enough runs to rank: the sign-flip test by brute force, decisions computed by hand, and bad input. How often it
 * errs: ranking-error.c. */
#include <farsight/farsight.h>

#include "base/variate.h"
#include "rankings.h"
#include "statistics/rules.h"

/* ---- the test ---- */

static double flips(const double *d, int64_t n, int bits) {
  double p = NAN;
  CHECK(far__flip_test(&p, d, n, bits, 1, NULL) == FAR_OK);
  return p;
}

static void test_flips_by_hand(void) {
  CHECK(flips((double[]){1, 2, 3}, 3, 14) == 2.0 / 8);   /* only +++ and --- reach 6 */
  CHECK(flips((double[]){1, 2, -3}, 3, 14) == 1);        /* the sum is 0 */
  CHECK(flips((double[]){-3, -1, 1}, 3, 14) == 6.0 / 8); /* 3: all but the two sums of +-1 */
  CHECK(flips((double[]){5}, 1, 14) == 1);
  CHECK(flips((double[]){0, 0, 0, 0}, 4, 14) == 1);
  CHECK(flips((double[]){7, 7, 7, 7, 0}, 5, 14) == 2.0 / 16);
  CHECK(flips((double[]){1, 2, 3}, 3, 3) == 2.0 / 8);
  /* 0.01 +- (0.1 + 0.2 - 0.3): equally far from 0, but by rounding not quite */
  CHECK(flips((double[]){0.1, 0.2, -0.3, 0.01}, 4, 14) == 1);
}

/* All choices one by one, and their sums from the left. */
static double brute_force(const double *d, int64_t n, int bits, uint64_t seed) {
  const uint64_t size = (uint64_t)1 << bits;
  uint64_t g[200], count = 0;
  double seen = 0;
  far_rng rng;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SIGNS);
  for (int64_t i = 0; i < n; ++i) g[i] = i < bits ? 1u << i : far_rng_next(&rng) >> (64 - bits);
  for (uint64_t e = 0; e < size; ++e) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      bool odd = false;
      for (uint64_t both = e & g[i]; both != 0; both &= both - 1) odd = !odd;
      sum += odd ? -d[i] : d[i];
    }
    if (e == 0) seen = fabs(sum);
    count += fabs(sum) >= seen * (1 - 1e-12);
  }
  return (double)count / (double)size;
}

static void test_flips_by_brute_force(void) {
  double d[200];
  far_rng rng;
  far_rng_init(&rng, 5, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 200; ++i) d[i] = far__normal(&rng) + 0.1;
  for (int64_t n = 1; n < 200; n = n * 3 / 2 + 1)
    for (int bits = 6; bits <= 10; bits += 4) {
      double p;
      CHECK(far__flip_test(&p, d, n, bits, 7, NULL) == FAR_OK);
      CHECK(p == brute_force(d, n, bits, 7));
      CHECK(p >= 1.0 / (double)((int64_t)1 << bits));
    }
}

static void test_flips_bad(void) {
  far_error error;
  double p = 0;
  CHECK(far__flip_test(&p, (double[]){1, NAN}, 2, 14, 1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 1 is not a number");
  CHECK(far__flip_test(&p, (double[]){1, INFINITY}, 2, 14, 1, &error) == FAR_STATUS_RANGE);
  CHECK(far__flip_test(&p, (double[]){1e308, 1e308}, 2, 14, 1, &error) == FAR_STATUS_RANGE);
  CHECK(far__flip_test(&p, (double[]){1}, 0, 14, 1, &error) == FAR_STATUS_RANGE);
  CHECK(far__flip_test(&p, (double[]){1}, 1, 0, 1, &error) == FAR_STATUS_RANGE);
  CHECK(far__flip_test(&p, (double[]){1}, 1, FAR__FLIP_BITS_MOST + 1, 1, &error) ==
        FAR_STATUS_RANGE);
}

/* ---- the rule ---- */

static void test_rule(void) {
  const int64_t runs[] = {30, 45, 68, 102, 153, 230, 345, 518, 777, 0};
  far_ranking_def def = far_ranking_def_default();
  double sum = 0;
  CHECK(def.alpha == 0.05 && def.first == 100 && def.growth == 1.5 && def.most == 10000);
  def.first = 30;
  def.most = 1000; /* there is no look at 1000 */
  for (int k = 1; k <= 10; ++k) CHECK(far__ranking_runs(&def, k) == runs[k - 1]);
  CHECK(far__ranking_share(1) == 4.0 / 20 && far__ranking_share(2) == 4.0 / 30);
  for (int k = 1; k <= 100000; ++k) sum += far__ranking_share(k);
  CHECK(sum < 1 && sum > 1 - 1e-4);
  CHECK(far__ranking_bits(&def, 1, 1) == 14);  /* 16 / 0.01 */
  CHECK(far__ranking_bits(&def, 10, 1) == 14); /* 16,000 of 16,384 */
  CHECK(far__ranking_bits(&def, 11, 1) == 15);
  CHECK(far__ranking_bits(&def, 10, 8) == 17); /* 105,600 */
  CHECK(far__ranking_bits(&def, 1000000, 8) == FAR__FLIP_BITS_MOST);
}

static void test_parse(void) {
  far_ranking_def def = far_ranking_def_default();
  far_error error;
  CHECK(far__ranking_parse(&def, "rank=1%", &error) == FAR_OK && def.alpha == 0.01);
  CHECK(far__ranking_parse(&def, "rank=0.1", &error) == FAR_OK && def.alpha == 0.1);
  CHECK(def.first == 100);
  CHECK(far__ranking_parse(&def, "rank=10%,first=50", &error) == FAR_OK && def.first == 50);
  const char *const syntax[] = {
      "",         "rank",        "rank=",    "rank=%",         "rank=x",
      "ranks=1%", "rank=1 %",    "rank=1%%", "rank=1%,",       "rank:alpha=0.05",
      "ci=1%",    "rank=1%,m=3", "rank=nan", "rank=0.05,first"};
  for (size_t i = 0; i < sizeof syntax / sizeof *syntax; ++i)
    CHECK(far__ranking_parse(&def, syntax[i], &error) == FAR_STATUS_SYNTAX);
  const char *const range[] = {"rank=0", "rank=0%", "rank=100%", "rank=1", "rank=5", "rank=-1%"};
  for (size_t i = 0; i < sizeof range / sizeof *range; ++i) {
    CHECK(far__ranking_parse(&def, range[i], &error) == FAR_STATUS_RANGE);
    CHECK(error.position == 5);
  }
  CHECK(far__ranking_parse(&def, "rank=5%,first=1", &error) == FAR_STATUS_RANGE);
  CHECK(def.alpha == 0.1 && def.first == 50);
  CHECK(far__ranking_is_goal("rank=5%") && far__ranking_is_goal("rank") &&
        !far__ranking_is_goal("ci=5%"));
}

static far_status create(double alpha, int64_t first, int64_t most, size_t envs, size_t agents) {
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  far_error error;
  def.alpha = alpha;
  def.first = first;
  def.most = most;
  const far_status status = far_ranking_create(&r, &def, envs, agents, &error);
  CHECK((status == FAR_OK) == (r != NULL));
  far_ranking_free(r);
  return status;
}

static void test_bounds(void) {
  far_ranking_def def = far_ranking_def_default();
  far_error error;
  CHECK(far__ranking_check(&def, &error) == FAR_OK);
  def.growth = 1;
  CHECK(far__ranking_check(&def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "1.01 to 1000");
  CHECK(create(0.05, 30, 100, 1, 2) == FAR_OK);
  const double alphas[] = {0, 1, -0.1, 2, NAN, INFINITY};
  for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i)
    CHECK(create(alphas[i], 30, 100, 1, 2) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 1, 100, 1, 2) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 30, 29, 1, 2) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 30, 100, 1, 1) == FAR_STATUS_RANGE); /* one agent */
  CHECK(create(0.05, 30, 100, 1, 0) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 30, 100, 0, 2) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 30, 100, 2, 1001) == FAR_STATUS_RANGE);
  CHECK(create(0.05, 30, 100, SIZE_MAX, SIZE_MAX) == FAR_STATUS_RANGE);
}

/* ---- decisions ---- */

/* alpha = 1/2. Look 1 at 4 runs: of 16 choices two reach the sum, p = 1/8, P = (1/8) / (4/20) = 5/8. Look 2
 * at 6 runs: p = 2/64, P = (1/32) / (4/30) = 15/64, which is enough. */
static void test_two_by_hand(void) {
  const double x[] = {5, 6, 7, 8, 9, 10, 11, 12, 13}, y[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
  const far_sample cells[] = {{x, 9}, {y, 9}};
  far_ranking *r = make(0.5, 4, 9, 1, 2);
  size_t looked;
  CHECK(far_ranking_info_of(r).next == 4 && far_ranking_info_of(r).n_open == 1);
  CHECK(far_ranking_look(r, cells, &looked, NULL) == FAR_OK && looked == 1);
  const far_ranking_pair *pair = far_ranking_pair_at(r, 0);
  CHECK(pair->better == 0 && pair->look == 1 && pair->runs == 4 && pair->mean == 2.5);
  CHECK_NEAR(pair->p, 0.625, 1e-15);
  CHECK(far__ranking_is_open(r, 0, 0) && far__ranking_is_open(r, 0, 1));
  CHECK(far_ranking_look(r, cells, &looked, NULL) == FAR_OK && looked == 1);
  pair = far_ranking_pair_at(r, 0);
  CHECK(pair->better == 1 && pair->look == 2 && pair->runs == 6 && pair->mean == 3.5);
  CHECK_NEAR(pair->p, 15.0 / 64, 1e-15);
  CHECK(far_ranking_info_of(r).n_open == 0 && far_ranking_info_of(r).next == 0);
  CHECK(far_ranking_look(r, cells, &looked, NULL) == FAR_OK && looked == 0);
  CHECK(far_ranking_info_of(r).looks == 2);
  far_ranking_free(r);
}

/* Three agents, 0 > 1 = 2. Holm: both decided pairs have P = p / s_k with
 * p = 2^(1 - n); the least must be at most alpha / 3, the second alpha / 2. At n = 6, 3 * 15/64 = 45/64 is
 * more than alpha = 3/5; at n = 9, p = 2/512, s_3 = 4/42, P = 21/512, 3 P = 63/512. */
static void test_three_by_hand(void) {
  const double x[] = {2, 3, 2, 3, 2, 3, 2, 3, 2}, y[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const far_sample cells[] = {{x, 9}, {y, 9}, {y, 9}};
  far_ranking *r = make(0.6, 4, 9, 1, 3);
  size_t best, worst;
  CHECK(far_ranking_compute(r, cells, NULL) == FAR_OK);
  CHECK(far_ranking_info_of(r).looks == 3 && far_ranking_info_of(r).n_open == 1);
  CHECK(far_ranking_info_of(r).next == 0);
  for (size_t i = 0; i < 2; ++i) {
    const far_ranking_pair *pair = far_ranking_pair_at(r, i);
    CHECK(pair->a == 0 && pair->b == i + 1 && pair->better == 1 && pair->look == 3);
    CHECK_NEAR(pair->p, 21.0 / 512, 1e-15);
    CHECK_NEAR(pair->p_adjusted, 63.0 / 512, 1e-15);
  }
  CHECK(far_ranking_pair_at(r, 2)->better == 0 && far_ranking_pair_at(r, 2)->p_adjusted == 1);
  CHECK(!far__ranking_is_open(r, 0, 0) && far__ranking_is_open(r, 0, 1));
  far_ranking_ranks(r, 0, 0, &best, &worst);
  CHECK(best == 1 && worst == 1);
  far_ranking_ranks(r, 0, 2, &best, &worst);
  CHECK(best == 2 && worst == 3);
  far_ranking_free(r);
}

/* Environments are one family: what is enough for one pair alone is not enough for one of 2 x 1. */
static void test_environments(void) {
  const double x[] = {2, 3, 2, 3, 2, 3}, y[] = {1, 1, 1, 1, 1, 1};
  const far_sample cells[] = {{x, 6}, {y, 6}, {y, 6}, {y, 6}};
  far_ranking *one = make(0.25, 4, 6, 1, 2), *two = make(0.25, 4, 6, 2, 2);
  CHECK(far_ranking_compute(one, cells, NULL) == FAR_OK);
  CHECK(far_ranking_compute(two, cells, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(one, 0)->better == 1); /* 15/64 <= 1/4 < 2 * 15/64 */
  CHECK(far_ranking_pair_at(two, 0)->better == 0);
  CHECK_NEAR(far_ranking_pair_at(two, 0)->p_adjusted, 30.0 / 64, 1e-15);
  CHECK(far_ranking_pair_at(two, 1)->env == 1 && far_ranking_pair_at(two, 1)->p == 1);
  far_ranking_free(one);
  far_ranking_free(two);
}

/* The opposite signs give the opposite decision, and so does a number that is better when lower. */
static void test_direction(void) {
  const double x[] = {2, 3, 2, 3, 2, 3, 2, 3}, y[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const far_sample up[] = {{x, 8}, {y, 8}}, down[] = {{y, 8}, {x, 8}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  def.alpha = 0.1;
  def.first = def.most = 8;
  for (int i = 0; i < 4; ++i) {
    def.lower_is_better = i >= 2;
    CHECK(far_ranking_create(&r, &def, 1, 2, NULL) == FAR_OK);
    CHECK(far_ranking_compute(r, i % 2 ? down : up, NULL) == FAR_OK);
    CHECK(far_ranking_pair_at(r, 0)->better == ((i % 2 == 0) == (i < 2) ? 1 : -1));
    far_ranking_free(r);
  }
}

/* Too few runs: no look. Unequal numbers of runs: looks as far as both go. */
static void test_few_runs(void) {
  double x[100], y[100];
  for (int i = 0; i < 100; ++i) x[i] = 2 + i % 2, y[i] = 1;
  far_ranking *r = make(0.05, 30, 100, 1, 2);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 29}, {y, 100}}, NULL) == FAR_OK);
  const far_ranking_pair *pair = far_ranking_pair_at(r, 0);
  CHECK(pair->better == 0 && pair->look == 0 && pair->runs == 0 && pair->mean != pair->mean);
  CHECK(far_ranking_info_of(r).looks == 0 && far_ranking_info_of(r).next == 30);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 44}, {y, 100}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->better == 1 && far_ranking_pair_at(r, 0)->runs == 30);
  far_ranking_free(r);
}

/* NaN is refused, and the ranking is as it was. */
static void test_nan(void) {
  double x[45], y[45];
  far_error error;
  for (int i = 0; i < 45; ++i) x[i] = i % 3, y[i] = i % 2;
  far_ranking *r = make(0.05, 30, 45, 1, 2);
  const far_sample cells[] = {{x, 45}, {y, 45}};
  y[44] = NAN;
  CHECK(far_ranking_look(r, cells, NULL, &error) == FAR_OK);
  const far_ranking_pair before = *far_ranking_pair_at(r, 0);
  CHECK(far_ranking_look(r, cells, NULL, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 44 is not a number");
  CHECK(far_ranking_info_of(r).looks == 1);
  const far_ranking_pair *after = far_ranking_pair_at(r, 0);
  CHECK(after->look == before.look && after->p == before.p && after->mean == before.mean);
  y[44] = -INFINITY;
  CHECK(far_ranking_look(r, cells, NULL, &error) == FAR_STATUS_RANGE);
  y[44] = -1e308, x[44] = 1e308;
  CHECK(far_ranking_look(r, cells, NULL, &error) == FAR_STATUS_RANGE);
  far_ranking_free(r);
}

/* All pairs are won, one of them by so much that others may come which are lost: no claim about means. */
static void test_skewed(void) {
  double x[30], y[30];
  for (int i = 0; i < 30; ++i) x[i] = 1, y[i] = i == 17 ? -20 : 0;
  far_ranking *r = make(0.5, 30, 30, 1, 2);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 30}, {y, 30}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->skewed && far_ranking_pair_at(r, 0)->better == 0);
  CHECK(far_ranking_pair_at(r, 0)->p == 1);
  far_ranking_free(r);
}

/* Differences that do not vary are believed from 300 runs on: before, a rare run may not have come yet. */
static void test_constant(void) {
  static double x[400], y[400];
  for (int i = 0; i < 400; ++i) x[i] = 1, y[i] = 0;
  far_ranking *r = make(0.05, 100, 400, 1, 2);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 300}, {y, 300}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->runs == 225 && far_ranking_pair_at(r, 0)->better == 0);
  CHECK(far_ranking_pair_at(r, 0)->skewed && far_ranking_pair_at(r, 0)->p == 1);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 400}, {y, 400}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->runs == 338 && far_ranking_pair_at(r, 0)->better == 1);
  far_ranking_free(r);
}

/* Equal agents are a tie for ever. The maximum does not matter before it is reached, and more runs later
 * give the decisions that they would have given at once. */
static void test_resumed(void) {
  double x[400], y[400];
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 400; ++i) y[i] = far__normal(&rng), x[i] = y[i] + 0.3 + far__normal(&rng);
  far_ranking *whole = make(0.05, 30, 400, 1, 2), *parts = make(0.05, 30, 400, 1, 2);
  far_ranking *equal = make(0.05, 30, 400, 1, 2);
  CHECK(far_ranking_compute(whole, (far_sample[]){{x, 400}, {y, 400}}, NULL) == FAR_OK);
  for (int64_t n = 10; n <= 400; n += 10)
    CHECK(far_ranking_compute(parts, (far_sample[]){{x, n}, {y, n}}, NULL) == FAR_OK);
  const far_ranking_pair *a = far_ranking_pair_at(whole, 0), *b = far_ranking_pair_at(parts, 0);
  CHECK(a->better == 1 && a->look > 1 && a->look < 7);
  CHECK(a->better == b->better && a->look == b->look && a->p == b->p && a->runs == b->runs);
  CHECK(far_ranking_compute(equal, (far_sample[]){{x, 400}, {x, 400}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(equal, 0)->better == 0 && far_ranking_pair_at(equal, 0)->p == 1);
  CHECK(far_ranking_info_of(equal).next == 0 && far_ranking_info_of(equal).looks == 7);
  far_ranking_free(whole);
  far_ranking_free(parts);
  far_ranking_free(equal);
}

int main(void) {
  test_flips_by_hand();
  test_flips_by_brute_force();
  test_flips_bad();
  test_rule();
  test_parse();
  test_bounds();
  test_two_by_hand();
  test_three_by_hand();
  test_environments();
  test_direction();
  test_few_runs();
  test_nan();
  test_skewed();
  test_constant();
  test_resumed();
  return check_report();
}
