/* The interval of Clopper and Pearson (Biometrika 26, 1934): the probabilities under which as many
 * failures or more, or as many or fewer, are not rarer than 2.5%. */
#include "farsight/base.h"
#include "farsight/statistics.h"

/* P(X >= k) for X binomial (n, p), k >= 1, summed from the term at k upwards. `log_ways` is
 * ln C(n, k). Only for 0 < p < k/n, where the terms fall. */
static double upper_tail(int64_t k, int64_t n, double log_ways, double p) {
  const double K = (double)k, N = (double)n;
  double term = far_exp(log_ways + K * far_log(p) + (N - K) * far_log(1 - p)), sum = 0;
  for (int64_t j = k; term > 1e-17 * sum; ++j) { /* the term after that of n is 0 */
    sum += term;
    term *= (double)(n - j) / (double)(j + 1) * (p / (1 - p));
  }
  return sum;
}

/* The p at which k or more failures have the probability 2.5%; 0 for k = 0. */
static double lower_end(int64_t k, int64_t n) {
  if (k == 0) return 0;
  double log_ways = 0, low = 0, high = (double)k / (double)n;
  for (int64_t i = 1; i <= k; ++i) log_ways += far_log((double)(n - k + i) / (double)i);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    if (upper_tail(k, n, log_ways, middle) < 0.025)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* The upper end is the lower end for successes in place of failures. */
void far_proportion_interval(int64_t failed, int64_t n, double *low, double *high) {
  *low = lower_end(failed, n);
  *high = 1 - lower_end(n - failed, n);
}
