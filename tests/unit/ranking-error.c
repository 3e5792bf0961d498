/* By simulation: agents which are equal are told apart in at most the share alpha of all comparisons, however often
 * one looks, while a t-test at every look does so much more often; and differences are found. */
#include <farsight/farsight.h>

#include "base/variate.h"
#include "rankings.h"
#include "statistics/rules.h"

/* ---- by simulation ---- */

enum { RUNS = 230, MOST_AGENTS = 5 }; /* six looks */

typedef double law(far_rng *rng);

static double exponential(far_rng *rng) {
  return -far_log(1 - far_rng_uniform(rng));
}

/* An agent that finds the reward or not. */
static double coin(far_rng *rng) {
  return far_rng_uniform(rng) < 0.4;
}

typedef struct shares {
  double rule, naive; /* shares of the trials with a false claim */
  double found;       /* share of the true differences that were found, of the right sign */
} shares;

/* A paired t-test of every pair at each look of the rule: is one below 5%? */
static bool naive_claims(const far_sample *cells, size_t agents, const far_ranking_def *def) {
  far_bootstrap_def none = far_bootstrap_def_default();
  far_paired t;
  none.resamples = 0;
  for (int k = 1; far__ranking_runs(def, k) > 0; ++k)
    for (size_t a = 0; a < agents; ++a)
      for (size_t b = a + 1; b < agents; ++b) {
        far_pairs_compare(&t, cells[a].x, cells[b].x, far__ranking_runs(def, k), &none, NULL);
        if (t.p <= def->alpha) return true;
      }
  return false;
}

/* The last agent is better by `gap`, the others are equal; runs of a replicate share a part. */
static void run_trial(shares *out, law *draw, size_t agents, double gap, far_rng *rng, int trials) {
  static double x[MOST_AGENTS][RUNS];
  far_sample cells[MOST_AGENTS];
  for (size_t i = 0; i < RUNS; ++i) {
    const double shared = draw(rng);
    for (size_t j = 0; j < agents; ++j) x[j][i] = shared + draw(rng) + (j + 1 == agents ? gap : 0);
  }
  for (size_t j = 0; j < agents; ++j) cells[j] = (far_sample){x[j], RUNS};
  far_ranking *r = make(0.05, 30, RUNS, 1, agents);
  CHECK(far_ranking_compute(r, cells, NULL) == FAR_OK);
  const far_ranking_info info = far_ranking_info_of(r);
  bool wrong = false;
  for (size_t i = 0; i < info.n_pairs; ++i) {
    const far_ranking_pair *pair = far_ranking_pair_at(r, i);
    const bool differs = gap != 0 && pair->b + 1 == agents;
    wrong = wrong || (differs ? pair->better == 1 : pair->better != 0);
    out->found += (double)(differs && pair->better == -1) / (double)(agents - 1) / trials;
  }
  out->rule += (double)wrong / trials;
  if (gap == 0) out->naive += (double)naive_claims(cells, agents, &info.def) / trials;
  far_ranking_free(r);
}

static shares simulate(law *draw, size_t agents, double gap, int trials) {
  shares out = {0};
  for (int i = 0; i < trials; ++i) {
    far_rng rng;
    far_rng_init(&rng, 11 + agents, (uint64_t)i, FAR_PURPOSE_SEARCH);
    run_trial(&out, draw, agents, gap, &rng, trials);
  }
  printf("%zu agents, gap %g, %d trials: false claims %.1f%%, by t-tests %.1f%%; found %.0f%%\n",
         agents, gap, trials, 100 * out.rule, 100 * out.naive, 100 * out.found);
  return out;
}

/* Three deviations above 5% would be too many; a t-test at six looks has more than twice 5%. */
static void check_null(law *draw, size_t agents, int trials) {
  const shares s = simulate(draw, agents, 0, trials);
  CHECK(s.rule <= 0.05 + 3 * sqrt(0.05 * 0.95 / trials));
  CHECK(s.naive > 0.05 + 3 * sqrt(0.05 * 0.95 / trials) && s.naive > 0.1);
}

static void test_error(void) {
  check_null(far__normal, 2, 400);
  check_null(coin, 3, 150);
  check_null(exponential, 5, 40);
}

/* A difference of one deviation of a difference is found by 230 runs, and nothing else is. */
static void test_power(void) {
  const shares s = simulate(far__normal, 3, sqrt(2), 40);
  CHECK(s.found > 0.999 && s.rule <= 0.05 + 3 * sqrt(0.05 * 0.95 / 40));
  CHECK(simulate(far__normal, 2, 0.3 * sqrt(2), 60).found > 0.75);
}

int main(void) {
  test_error();
  test_power();
  return check_report();
}
