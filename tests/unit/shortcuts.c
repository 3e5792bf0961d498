/* Shortcuts of the step functions: they spare work and change no number. */
#include <farsight/farsight.h>

#include "agents/delayed.h"
#include "check.h"

enum { MOST = 70 };

/* Few different values, so that there are ties. */
static void fill(double *row, uint32_t n, uint32_t values, far_rng *rng) {
  for (uint32_t a = 0; a < n; ++a) row[a] = (double)far_rng_below(rng, values) - 2;
}

static uint32_t plain_greedy(const double *row, uint32_t n, far__ties ties, far_rng *rng) {
  far__best best = far__best_first(row[0]);
  for (uint32_t a = 1; a < n; ++a) far__best_offer(&best, row[a], a, ties, rng);
  return best.action;
}

static double plain_max(const double *row, uint32_t n) {
  double most = row[0];
  for (uint32_t a = 1; a < n; ++a)
    if (row[a] > most) most = row[a];
  return most;
}

/* Blocks choose the same action with the same draws. */
static void test_rows(void) {
  double row[MOST];
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  int64_t differ = 0;
  for (uint32_t n = 1; n <= MOST; ++n)
    for (uint32_t k = 0; k < 90; ++k) {
      fill(row, n, 1 + k / 3 % 30, &rng);
      far_rng first = rng, second = rng;
      const far__ties ties = (far__ties)(k % 3);
      differ += far__greedy(row, n, ties, &first) != plain_greedy(row, n, ties, &second);
      differ += memcmp(&first, &second, sizeof first) != 0;
      differ += far__max(row, n) != plain_max(row, n);
    }
  CHECK(differ == 0);
}

/* Where the bound says that a bonus is above a number, it is; and it says so of nearly all that are. */
static void test_bonus_above(double eta) {
  const delayed_view v = {.lambda = 0.7, .inverse_log_eta = 1 / far_log(eta), .form = BONUS_LOG};
  int64_t wrong = 0, above = 0, told = 0;
  far_rng rng;
  far_rng_init(&rng, 2, 0, FAR_PURPOSE_AGENT);
  for (int k = 0; k < 100000; ++k) {
    const double before = far_exp(-20 * far_rng_uniform(&rng) * far_rng_uniform(&rng));
    const double e = before * (1 - 0.5 * far_rng_uniform(&rng) * far_rng_uniform(&rng));
    const double bonus = delayed_bonus(&v, e), most = bonus * (0.9 + 0.2 * far_rng_uniform(&rng));
    const bool says = delayed_bonus_above(&v, e, before, delayed_bonus(&v, before), most);
    wrong += says && !(bonus > most);
    above += bonus > most;
    told += says;
  }
  CHECK(wrong == 0);
  CHECK(told > 0.9 * (double)above);
}

static void test_bonus_edges(void) {
  const delayed_view v = {.lambda = 0.7, .inverse_log_eta = 1 / far_log(0.9), .form = BONUS_LOG};
  delayed_view root = v, none = v;
  root.form = BONUS_SQRT;
  none.lambda = 0;
  CHECK(delayed_bonus_above(&v, 0.8, 0.9, 0.7, 0.1));
  CHECK(!delayed_bonus_above(&v, 0.8, 0.9, 0.7, 0.7));
  CHECK(!delayed_bonus_above(&root, 0.8, 0.9, 0.7, 0.1));
  CHECK(!delayed_bonus_above(&none, 0.8, 0.9, 0, 0));
  CHECK(!delayed_bonus_above(&v, 0, 0.9, 0.7, 0));
  CHECK(!delayed_bonus_above(&v, DBL_MIN, DBL_MIN, 1e-3, 1));
  CHECK(!delayed_bonus_above(&v, 0.9, 0.8, 0.6, 0.1)); /* it rose */
}

/* What lanes of a device ask before an attempt: an update of which it says so fails, and it says so of nearly all that
 * fail. Many are within rounding of a success. */
static void test_hopeless(double eta, delayed_delay delay, delayed_kind kind) {
  delayed_view v = {.lambda = 0.07,
                    .eps1 = 0.01,
                    .threshold = 0.01,
                    .rho = 0.2,
                    .delay = delay,
                    .inverse_log_eta = 1 / far_log(eta)};
  int64_t wrong = 0, failed = 0, told = 0;
  far_rng rng;
  far_rng_init(&rng, 3, 0, FAR_PURPOSE_AGENT);
  for (int k = 0; k < 100000; ++k) {
    static const double apart[] = {1, 1e-3, 1e-9, 1e-14, 1e-15};
    const double n = 1 + far_rng_below(&rng, 1000), q = 20 * far_rng_uniform(&rng);
    const double before = far_exp(-5 * far_rng_uniform(&rng) * far_rng_uniform(&rng));
    const double e = before * (1 - 0.5 * far_rng_uniform(&rng) * far_rng_uniform(&rng));
    double row[6] = {q, 0, delayed_bonus(&v, before), 0, before, 0};
    const bool directed = kind == DELAYED_DIRECTED;
    const double width = delay == DELAY_FULL ? v.eps1 : v.rho / sqrt(n);
    const double edge = q + (directed ? row[2] - delayed_bonus(&v, e) : 0) - v.threshold - width;
    const double mean = edge + (far_rng_uniform(&rng) - 0.5) * apart[k % 5];
    const delayed_window w = {.count = 2 * (int64_t)n + 1, .q_sum = n * mean, .e_sum = n * e};
    v.clamp = k % 2 == 0;
    const bool says = delayed_hopeless(&v, kind, 2, row, 0, &w);
    const bool success = delayed_attempt(&v, kind, 2, row, 0, &w);
    wrong += says && success;
    failed += !success;
    told += says;
  }
  CHECK(wrong == 0);
  CHECK(failed > 40000 && told > 0.35 * (double)failed);
}

int main(void) {
  test_rows();
  for (int delay = DELAY_INTERVAL; delay <= DELAY_FULL; ++delay) {
    test_hopeless(0.9, (delayed_delay)delay, DELAYED_DIRECTED);
    test_hopeless(0.99999, (delayed_delay)delay, DELAYED_DIRECTED);
    test_hopeless(1 - 1e-9, (delayed_delay)delay, DELAYED_DIRECTED);
    test_hopeless(0.9, (delayed_delay)delay, DELAYED_PLAIN);
  }
  test_bonus_above(0.9);
  test_bonus_above(0.999);
  test_bonus_edges();
  return check_report();
}
