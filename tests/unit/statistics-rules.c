/* Rules and tests at their borders: rank sums and signs by brute force, looks and rankings by hand, laws of growth. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "statistics/growth.h"
#include "statistics/rules.h"
#include "statistics/sample.h"

/* ---- the rank-sum test ---- */

enum { MOST = 10 };

/* Twice U: pairs that x won, ties counting 1. */
static int twice_u(const double *x, int nx, const double *y, int ny) {
  int won = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) won += x[i] > y[j] ? 2 : x[i] == y[j];
  return won;
}

/* The share of the arrangements of all values with the same U as if x had all of the greatest, or the least. */
static double rarest(const double *all, int nx, int n, bool greatest) {
  int count = 0, total = 0, best = greatest ? -1 : 1 << 20;
  for (unsigned mask = 0; mask < 1u << n; ++mask) {
    double x[MOST], y[MOST];
    int i = 0, j = 0;
    for (int k = 0; k < n; ++k) {
      const bool is_x = mask >> k & 1;
      if (is_x) x[i++] = all[k];
      if (!is_x) y[j++] = all[k];
    }
    if (i != nx) continue;
    const int u = twice_u(x, nx, y, j);
    if (greatest ? u > best : u < best) best = u, count = 0;
    count += u == best;
    total += 1;
  }
  return (double)count / total;
}

/* By the formula of the header, with ties counted one by one. */
static double second_rank_sum(const far_sample *x, const far_sample *y, int n_envs) {
  double sum = 0, variance = 0, step = 1, low = 1, high = 1;
  for (int e = 0; e < n_envs; ++e) {
    const int nx = (int)x[e].n, ny = (int)y[e].n, n = nx + ny;
    double all[MOST], ties = 0;
    memcpy(all, x[e].x, (size_t)nx * sizeof *all);
    memcpy(all + nx, y[e].x, (size_t)ny * sizeof *all);
    for (int i = 0; i < n; ++i) { /* each of t values adds t^2 - 1 */
      int t = 0;
      for (int j = 0; j < n; ++j) t += all[i] == all[j];
      ties += t * t - 1;
    }
    sum += twice_u(x[e].x, nx, y[e].x, ny) / 2.0 / (nx * ny) - 0.5;
    variance += (n + 1 - ties / (n * (n - 1))) / (12.0 * nx * ny);
    step = fmin(step, 1.0 / (2 * nx * ny));
    low *= rarest(all, nx, n, false);
    high *= rarest(all, nx, n, true);
  }
  if (variance == 0) return 1;
  const double z = (fabs(sum) - step) / sqrt(variance);
  const double p = z > 0 ? erfc(z / sqrt(2)) : 1;
  return fmin(1, fmax(p, 2 * (sum > 0 ? high : low)));
}

static void check_ranks(const double *x, int nx, const double *y, int ny) {
  const far_sample a = {x, nx}, b = {y, ny};
  double u;
  CHECK_NEAR(far_rank_sum_test(&u, &a, &b, 1), second_rank_sum(&a, &b, 1), 1e-12);
  CHECK_NEAR(u, twice_u(x, nx, y, ny) / 2.0 / (nx * ny), 1e-15);
  CHECK_NEAR(far_rank_sum_test(&u, &b, &a, 1), second_rank_sum(&b, &a, 1), 1e-12);
}

/* One, two and three environments; the probability of improvement is the mean of theirs. */
static void check_several(const far_sample *x, const far_sample *y) {
  double sum = 0, u;
  for (int n = 1; n <= 3; ++n) {
    const far_sample *a = &x[n - 1], *b = &y[n - 1];
    sum += twice_u(a->x, (int)a->n, b->x, (int)b->n) / 2.0 / (double)(a->n * b->n);
    CHECK_NEAR(far_rank_sum_test(&u, x, y, (size_t)n), second_rank_sum(x, y, n), 1e-12);
    CHECK_NEAR(u, sum / n, 1e-14);
    CHECK_NEAR(far_rank_sum_test(&u, y, x, (size_t)n), second_rank_sum(y, x, n), 1e-12);
  }
}

static void test_rank_sums(void) {
  const double low[] = {1, 2, 3}, high[] = {4, 5, 6, 7}, tied[] = {3, 3, 4}, more[] = {1, 3, 3, 3};
  const double one[] = {2}, same[] = {3, 3}, wide[] = {0, 2, 2.5, 6, 9}, ends[] = {3, 3, 3, 9};
  const far_sample x[] = {{low, 3}, {tied, 3}, {wide, 5}}, y[] = {{high, 4}, {more, 4}, {one, 1}};
  double u;
  check_ranks(low, 3, high, 3); /* twice 1 of 20 ways */
  check_ranks(low, 3, high, 4);
  check_ranks(low, 2, high, 4);
  check_ranks(tied, 3, more, 4);
  check_ranks(tied, 3, low, 3);
  check_ranks(more, 4, ends, 4);
  check_ranks(one, 1, wide, 5);
  check_ranks(one, 1, low, 1);
  check_ranks(same, 2, same, 2);
  check_ranks(same, 2, ends, 4);
  check_ranks(wide, 5, more, 4);
  check_several(x, y);
  /* the environment with the most pairs, and so the least step, comes last */
  check_several((far_sample[]){{wide, 5}, {low, 2}, {tied, 3}},
                (far_sample[]){{one, 1}, {same, 2}, {more, 4}});
  CHECK(isnan(far_rank_sum_test(&u, x, y, 0)) && isnan(u));
}

/* ---- the sign test ---- */

/* All sums of whole weights, coin by coin. */
static double second_signs(const far_outcomes *o, int n) {
  enum { SUM = 20000 };
  static double mass[2 * SUM + 1], next[2 * SUM + 1];
  double seen = 0, p = 0;
  memset(mass, 0, sizeof mass);
  mass[SUM] = 1;
  for (int k = 0; k < n; ++k) {
    const int w = (int)o[k].weight;
    seen += w * (double)(o[k].won - o[k].lost);
    for (int64_t coin = 0; coin < o[k].won + o[k].lost; ++coin) {
      for (int i = 0; i <= 2 * SUM; ++i)
        next[i] = ((i >= w ? mass[i - w] : 0) + (i + w <= 2 * SUM ? mass[i + w] : 0)) / 2;
      memcpy(mass, next, sizeof mass);
    }
  }
  for (int i = 0; i <= 2 * SUM; ++i)
    if (abs(i - SUM) >= fabs(seen)) p += mass[i];
  return p;
}

static void test_signs(void) {
  const far_outcomes small[] = {{1, 3, 1}, {2, 2, 0}, {5, 1, 2}, {7, 0, 1}};
  const far_outcomes whole[] = {{1, 30, 10}, {3, 20, 21}, {40, 4, 2}},
                     even[] = {{1, 4, 4}, {2, 1, 1}};
  const far_outcomes large[] = {{100, 40, 20}, {250, 12, 10}}, huge[] = {{2000, 3, 0}, {3, 1, 1}};
  for (int n = 1; n <= 4; ++n)
    CHECK_NEAR(far_sign_test(small, (size_t)n), second_signs(small, n), 1e-12);
  for (int n = 2; n <= 3; ++n)
    CHECK_NEAR(far_sign_test(whole, (size_t)n), second_signs(whole, n), 1e-12);
  CHECK(far_sign_test(even, 1) == 1 && far_sign_test(even, 0) == 1);
  CHECK_NEAR(far_sign_test(even, 2), 1, 1e-15);
  /* on a grid of wider places p is too large, if anything, and by up to a fifth */
  const double exact = second_signs(large, 2), p = far_sign_test(large, 2);
  CHECK(p >= exact * (1 - 1e-9) && p <= 1.2 * exact && exact < 0.1);
  const double far = second_signs(huge, 2), q = far_sign_test(huge, 2);
  CHECK(q >= far * (1 - 1e-9) && q <= 1.34 * far); /* more for a handful */
  /* nothing that has no weight or did not happen counts as a weight */
  const far_outcomes idle[] = {{0, 5, 0}, {1, 4, 0}, {2, 0, 0}};
  CHECK_NEAR(far_sign_test(idle, 3), 0.125, 1e-15);
  CHECK(far_sign_test(idle, 1) == 1);
  /* farther out than the grid */
  const far_outcomes sure[] = {{1, 300, 0}, {3, 100, 0}};
  CHECK(far_sign_test(sure, 2) >= 0 && far_sign_test(sure, 2) < 1e-15);
  const far_outcomes part[] = {{0.5, 3, 1}, {1, 2, 0}}, twice[] = {{1, 3, 1}, {2, 2, 0}};
  const double halves = far_sign_test(part, 2), wholes = second_signs(twice, 2);
  CHECK(halves >= wholes * (1 - 1e-9) && halves <= 1.25 * wholes);
  /* one weight that is not whole makes the grid inexact, wherever it stands */
  const far_outcomes mixed[][2] = {{{1.5, 3, 0}, {2, 2, 0}}, {{2, 2, 0}, {1.5, 3, 0}}};
  for (int i = 0; i < 2; ++i)
    CHECK(far_sign_test(mixed[i], 2) >= 0.0625 * (1 - 1e-9) && far_sign_test(mixed[i], 2) < 0.08);
}

/* ---- flips ---- */

static void test_flips(void) {
  double p = 0;
  CHECK(far__flip_test(&p, (double[]){5}, 1, 1, 1, NULL) == FAR_OK && p == 1);
  CHECK(far__flip_test(&p, (double[]){5, 1}, 2, FAR__FLIP_BITS_MOST, 1, NULL) == FAR_OK &&
        p == 0.5);
  CHECK(far__flip_test(&p, (double[]){1e-14, 2e-14, 3e-14}, 3, 3, 1, NULL) == FAR_OK && p == 0.25);
}

/* ---- looks ---- */

static far_until looks(int64_t first, double growth, int64_t most) {
  far_until u = far_until_default();
  u.width = 1;
  u.first = first;
  u.growth = growth;
  u.most = most;
  return u;
}

static far_status check_looks(int64_t first, double growth, int64_t most) {
  const far_until u = looks(first, growth, most);
  return far__until_check(&u, NULL);
}

static void test_looks(void) {
  far_error error;
  far_until u = far_until_default();
  CHECK(u.most == 100000 && u.first == 300 && u.growth == 1.5 && u.level == 0.95 && u.width == 0);
  CHECK(check_looks(2, 1.01, 2) == FAR_OK && check_looks(1, 1.5, 9) == FAR_STATUS_RANGE);
  CHECK(check_looks(3, 1000, UINT32_MAX) == FAR_OK && check_looks(4, 2, 3) == FAR_STATUS_RANGE);
  CHECK(check_looks(3, 1.009, 9) == FAR_STATUS_RANGE && check_looks(3, NAN, 9) == FAR_STATUS_RANGE);
  CHECK(check_looks(3, 1000.5, 9) == FAR_STATUS_RANGE);
  CHECK(check_looks(3, 2, (int64_t)UINT32_MAX + 1) == FAR_STATUS_RANGE);
  CHECK(far__until_parse(&u, "ci=2,first=2", &error) == FAR_OK && u.first == 2 && u.width == 2);
  CHECK(far__until_parse(&u, "ci=inf", &error) == FAR_STATUS_RANGE && u.width == 2);
  CHECK(far__until_parse(&u, "ci=x,first=9", &error) == FAR_STATUS_SYNTAX && u.first == 2);
  CHECK(far__until_parse(&u, "ci=1,first=1", &error) == FAR_STATUS_RANGE && error.position == 11);
  u.width = INFINITY;
  CHECK(far__until_check(&u, &error) == FAR_STATUS_RANGE);
  const double x[] = {1, 2, 3, 4};
  far_look look = {.mean = 7};
  u = looks(2, 1.5, 4);
  CHECK(far_until_look(&look, &u, 0, x, &error) == FAR_STATUS_RANGE && look.mean == 0);
  CHECK_TEXT(error.message, "look 0: they are counted from 1");
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && look.n == 2 && !look.last);
  CHECK(far_until_look(&look, &u, 3, x, NULL) == FAR_OK && look.n == 4 && look.last);
}

/* 7 of 27 and 8 of 33 are just even enough, 5 of 17 and 6 of 22 just not: 25 skewness^2 against n. */
static void test_skewness(void) {
  static const int shares[][3] = {{7, 27, 0}, {8, 33, 0}, {5, 17, 1}, {6, 22, 1}};
  for (int i = 0; i < 4; ++i) {
    double x[40] = {0};
    for (int k = 0; k < shares[i][0]; ++k) x[k] = 1;
    const int64_t n = shares[i][1];
    CHECK(far__is_skewed(x, n, far__mean_std_of(x, n)) == shares[i][2]);
  }
}

/* ---- rankings ---- */

static far_ranking *ranking(double alpha, int64_t first, int64_t most, size_t envs, size_t agents) {
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r = NULL;
  def.alpha = alpha;
  def.first = first;
  def.most = most;
  CHECK(far_ranking_create(&r, &def, envs, agents, NULL) == FAR_OK);
  return r;
}

/* Four agents on two environments: all alike on the first, in this order on the second: 2, 0, 3 = 1. */
static void test_places(void) {
  static const int level[] = {20, 10, 30, 10};
  static const size_t best[] = {2, 3, 1, 3}, worst[] = {2, 4, 1, 4};
  static double x[4][64];
  far_sample cells[8];
  for (int a = 0; a < 4; ++a) {
    for (int i = 0; i < 64; ++i) x[a][i] = level[a] + (i + a * i / 2) % 3;
    cells[a] = (far_sample){x[1], 64};
    cells[4 + a] = (far_sample){x[a == 3 ? 1 : a], 64};
  }
  far_ranking *r = ranking(0.05, 64, 64, 2, 4);
  CHECK(far_ranking_compute(r, cells, NULL) == FAR_OK);
  for (size_t a = 0; a < 4; ++a) {
    size_t from, to;
    far_ranking_ranks(r, 0, a, &from, &to);
    CHECK(from == 1 && to == 4 && far__ranking_is_open(r, 0, a));
    far_ranking_ranks(r, 1, a, &from, &to);
    CHECK(from == best[a] && to == worst[a] && far__ranking_is_open(r, 1, a) == (a % 2 == 1));
  }
  far_ranking_free(r);
}

/* A pair that was not enough at look 1 is decided at look 2 by the sign it had then: another pair left it more of
 * alpha (Holm). The other one could not be tested at look 1, since its differences did not vary. */
static void test_kept_sign(void) {
  const double a[] = {-1, -2, -3, -2, 1, 3}, b[] = {2, 2, 2, 2, 1, 3}, none[6] = {0};
  const far_sample cells[] = {{a, 6}, {none, 6}, {b, 6}, {none, 6}};
  far_ranking *r = ranking(0.7, 4, 6, 2, 2);
  CHECK(far_ranking_look(r, cells, NULL, NULL) == FAR_OK && far_ranking_info_of(r).n_open == 2);
  CHECK(far_ranking_pair_at(r, 0)->p == 0.625 && far_ranking_pair_at(r, 1)->skewed);
  CHECK(far_ranking_look(r, cells, NULL, NULL) == FAR_OK && far_ranking_info_of(r).n_open == 0);
  CHECK(far_ranking_pair_at(r, 0)->better == -1 && far_ranking_pair_at(r, 0)->p_adjusted == 0.625);
  CHECK(far_ranking_pair_at(r, 1)->better == 1);
  far_ranking_free(r);
}

static void test_rankings(void) {
  static double x[300], y[300];
  far_error error;
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r = NULL;
  CHECK(def.seed == 1);
  def.alpha = 5.0 / 1024; /* 16 / (alpha / 5) is 2^14 */
  CHECK(far__ranking_bits(&def, 1, 1) == 14);
  CHECK(far__ranking_parse(&def, "rank=x,first=9", &error) == FAR_STATUS_SYNTAX &&
        def.first == 100);
  CHECK(far__ranking_parse(&def, "rank=1%,first=x", &error) == FAR_STATUS_RANGE);
  CHECK(error.position == 14);
  /* a million pairs and no more */
  CHECK(far_ranking_create(&r, &def, 1000000, 2, NULL) == FAR_OK);
  far_ranking_free(r);
  CHECK(far_ranking_create(&r, &def, 1000001, 2, NULL) == FAR_STATUS_RANGE);
  CHECK(far_ranking_create(&r, &def, 333334, 3, NULL) == FAR_STATUS_RANGE && r == NULL);
  CHECK(far_ranking_create(&r, &def, 1, 1000001, NULL) == FAR_STATUS_RANGE);
  /* differences that do not vary are believed from 300 on; runs of both are needed */
  for (int i = 0; i < 300; ++i) x[i] = 1;
  r = ranking(0.05, 300, 300, 1, 2);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 300}, {y, 299}}, NULL) == FAR_OK);
  CHECK(far_ranking_info_of(r).looks == 0);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 300}, {y, 300}}, NULL) == FAR_OK);
  CHECK(far_ranking_pair_at(r, 0)->better == 1);
  far_ranking_free(r);
  y[7] = NAN;
  r = ranking(0.05, 300, 300, 1, 2);
  CHECK(far_ranking_compute(r, (far_sample[]){{x, 300}, {y, 300}}, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "the runs: value 7 is not a number");
  far_ranking_free(r);
  /* alpha itself is enough, anything less is not */
  const double d[] = {1, 2, 3, 2}, none[4] = {0};
  const far_sample cells[] = {{d, 4}, {none, 4}};
  for (int less = 0; less < 2; ++less) {
    r = ranking(less ? nextafter(0.625, 0) : 0.625, 4, 4, 1, 2);
    CHECK(far_ranking_compute(r, cells, NULL) == FAR_OK);
    CHECK(far_ranking_pair_at(r, 0)->better == !less);
    far_ranking_free(r);
  }
}

/* ---- growth ---- */

static void test_times(void) {
  static double t[1001];
  far_times out;
  for (int i = 0; i < 1001; ++i) t[i] = i + 1;
  CHECK(far_times_summarise(&out, t, 1, 9, NULL) == FAR_OK && out.median == 1 && isnan(out.low));
  CHECK(far_times_summarise(&out, t, 0, 9, NULL) == FAR_STATUS_RANGE);
  CHECK(far_times_summarise(&out, t, 5, 9, NULL) == FAR_OK && isnan(out.low) && isnan(out.high));
  CHECK(far_times_summarise(&out, t, 6, 5, NULL) == FAR_OK && out.low == 1 && out.high == INFINITY);
  CHECK(out.censored == 1 && out.runs == 6); /* 5 itself is in time */
  /* the 469th of 1,000 by the binomial distribution; beyond, by the normal one and rounded outwards */
  CHECK(far_times_summarise(&out, t, 1000, 1e9, NULL) == FAR_OK && out.low == 469 &&
        out.high == 532);
  CHECK(far_times_summarise(&out, t, 1001, 1e9, NULL) == FAR_OK && out.low == 468 &&
        out.high == 534);
  t[0] = NAN;
  CHECK(far_times_summarise(&out, t, 9, 1e9, NULL) == FAR_STATUS_RANGE);
}

static void test_laws(void) {
  const double sizes[] = {1, 2, 3, 4, 5, 6}, squares[] = {1, 4, 9, 16, 25, 36};
  const double near[] = {1e6, 1e6 + 1, 1e6 + 2, 1e6 + 3, 1e6 + 4}, wild[] = {1, 3, 2, 5, 4, 9};
  const double far[] = {1, 2, INFINITY}, zero[] = {1, 2, 0};
  far__growth g;
  CHECK(far__growth_fit(&g, sizes, squares, 6, NULL) == FAR_OK);
  /* exact but for rounding, which counts as 1e-24 for each point */
  CHECK_NEAR(g.laws[FAR__LAW_POLYNOMIAL].aicc, 6 * log(1e-24) + 6 + 12, 1e-9);
  CHECK(far__growth_fit(&g, sizes, wild, 3, NULL) == FAR_OK && !g.laws[FAR__LAW_MIXED].fitted);
  CHECK(far__growth_fit(&g, sizes, wild, 4, NULL) == FAR_OK && g.laws[FAR__LAW_MIXED].fitted);
  CHECK(isnan(g.laws[FAR__LAW_MIXED].aicc) && isnan(g.laws[FAR__LAW_POLYNOMIAL].aicc));
  CHECK(far__growth_fit(&g, sizes, wild, 5, NULL) == FAR_OK);
  CHECK(isnan(g.laws[FAR__LAW_MIXED].aicc) && !isnan(g.laws[FAR__LAW_POLYNOMIAL].aicc));
  CHECK(far__growth_fit(&g, sizes, wild, 6, NULL) == FAR_OK && !isnan(g.laws[FAR__LAW_MIXED].aicc));
  /* sizes so near that size and its logarithm are the same up to a factor */
  CHECK(far__growth_fit(&g, near, wild, 5, NULL) == FAR_OK && !g.laws[FAR__LAW_MIXED].fitted);
  CHECK(far__growth_fit(&g, far, wild, 3, NULL) == FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, wild, far, 3, NULL) == FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, zero, wild, 3, NULL) == FAR_STATUS_RANGE);
  CHECK(far__growth_fit(&g, wild, zero, 3, NULL) == FAR_STATUS_RANGE);
}

int main(void) {
  test_rank_sums();
  test_signs();
  test_flips();
  test_looks();
  test_skewness();
  test_places();
  test_kept_sign();
  test_rankings();
  test_times();
  test_laws();
  return check_report();
}
