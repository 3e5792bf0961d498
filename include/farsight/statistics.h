/* Statistics of runs: estimates, intervals, comparisons and stopping rules.
 *
 *     const double x[] = {3, 5, 4, 6, 5, 4, 7, 5}, y[] = {2, 4, 4, 3, 5, 3, 4, 4}; // totals of the same replicates
 *     far_summary s;
 *     if (far_sample_summarise(&s, x, 8, 0.95, &error)) return puts(error.message);
 *     printf("%g in [%.3g, %.3g]\n", s.mean, s.low, s.high);
 *     far_bootstrap_def how = far_bootstrap_def_default();
 *     far_paired difference;
 *     if (far_pairs_compare(&difference, x, y, 8, &how, &error)) return puts(error.message);
 *
 * Pure functions of arrays of doubles: only + - * / sqrt, our own logarithm and exponential, and
 * fixed orders of summation, so that every machine gives the same bits. Random resamples come from
 * the streams (seed, resample, FAR_PURPOSE_BOOTSTRAP). No function keeps or changes its arguments.
 * docs/statistics.md explains which method to use when, and what it assumes.
 *
 * All functions refuse NaN (RANGE), infinite values unless documented otherwise, and levels outside
 * (0, 1). Numbers for which a sample is too small are NaN.
 */
#ifndef FARSIGHT_STATISTICS_H
#define FARSIGHT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- distributions ---- */

/* The t with P(T <= t) = p; NaN unless 0 < p < 1 and degrees > 0. The relative error is below 1e-13
 * for degrees of 1 and more. */
FAR_API double far_student_quantile(double p, double degrees);

/* ---- a proportion ---- */

/* The 95% interval of Clopper and Pearson for a probability, after `failed` of n > 0 trials. */
FAR_API void far_proportion_interval(int64_t failed, int64_t n, double *low, double *high);

/* ---- one sample ---- */

typedef struct far_sample {
  const double *x;
  int64_t n;
} far_sample;

typedef struct far_summary {
  int64_t n;
  double mean, std; /* n - 1 in the standard deviation; NaN for n = 1 */
  double low, high; /* Student's interval of the mean: mean -+ t std / sqrt(n) */
  double min, first_quartile, median, third_quartile, max;
  double
      iqm; /* interquartile mean: of the sorted values the middle half, as scipy.stats.trim_mean(x, 0.25) */
} far_summary;

/* Mean, standard deviation (with n - 1) and half-width of Student's 95% interval of the mean, of n >= 1
 * values, summed in their order; allocates nothing. std and ci95 are NaN for n = 1. Where all values
 * are equal the mean is that value and the others are 0, exactly. Values that are not finite give
 * infinite or NaN moments. */
typedef struct far_moments {
  double mean, std, ci95;
} far_moments;
FAR_API far_moments far_sample_moments(const double *x, int64_t n);

/* Takes infinite values; mean, std and interval are then infinite or NaN, the rest holds. */
FAR_API far_status far_sample_summarise(far_summary *out, const double *x, int64_t n, double level,
                                        far_error *error);

/* ---- bootstrap ---- */

typedef enum far_bootstrap_method {
  FAR_BOOTSTRAP_BCA,        /* bias-corrected and accelerated (Efron 1987) */
  FAR_BOOTSTRAP_PERCENTILE, /* the quantiles of the resampled values themselves (Efron 1979) */
} far_bootstrap_method;

/* What resamples drew, kept for other samples of the same sizes: it depends on nothing else but the seed and the number of
 * resamples, and drawing takes longer than most statistics. Results are the same bits with a cache and without. It takes 80
 * MiB at most and is for one thread at a time. NULL without memory. */
typedef struct far_bootstrap_cache far_bootstrap_cache;

typedef struct far_bootstrap_def {
  int64_t resamples; /* 10,000 by default; at least 100 */
  uint64_t seed;     /* 1 by default */
  double level;      /* 0.95 by default */
  far_bootstrap_method method;
  /* Value i of every sample is of the same run i, or of runs with the same random numbers, on other environments: they
   * are drawn, and left out, together, and the samples are no strata. All must have as many values. False by default. */
  bool together;
  /* May be NULL: asked now and then during long work; false stops it with CANCELLED. */
  bool (*go_on)(void *user);
  void *user;                 /* of go_on */
  far_bootstrap_cache *cache; /* may be NULL */
} far_bootstrap_def;
FAR_API far_bootstrap_def far_bootstrap_def_default(void);

/* A number computed from samples, with its interval.
 *
 * Resample b draws n of the n values of every sample with replacement, sample after sample, from
 * stream (seed, b, FAR_PURPOSE_BOOTSTRAP): within their samples, so that several samples are
 * strata. With v the value on the samples, v_b on the resamples, F the normal distribution, alpha
 * = (1 - level) / 2: bias is z0 = F^-1(share of v_b below v, equal ones by half); acceleration is
 *     a = sum_s sum_i U_si^3 / n_s^3 / 6 / (sum_s sum_i U_si^2 / n_s^2)^(3/2),
 * U_si = (n_s - 1) (mean over j of v_(sj) - v_(si)), v_(si) the value without value i of sample s
 * (the jackknife; Efron & Tibshirani 1993, ch. 14, for several samples as SciPy has it); drawn
 * together, both sums are over i alone, v_(i) being the value without run i. The ends
 * are the quantiles (type 7) of the v_b at F(z0 + (z0 + z) / (1 - a (z0 + z))), z = F^-1(alpha),
 * F^-1(1 - alpha); in the percentile method at alpha and 1 - alpha. An end that the formula sends
 * past its pole is the least or greatest v_b.
 *
 * Degenerate cases: if no sample has two values, the ends are NaN: one value says nothing about
 * its spread. If all v_b are equal, the interval is that one point, however small the samples:
 * they do not vary, which is no proof that runs cannot. If v lies outside all v_b, z0 is infinite
 * and the ends are the percentile method's. Above FAR_JACKKNIFE_MOST values in all, a is taken as
 * 0 (for a mean it is skewness / (6 sqrt n), below 0.002 of the skewness there). */
typedef struct far_estimate {
  double value, low, high;
  double std;                /* of the resampled values: the standard error */
  double bias, acceleration; /* z0 and a; 0 where they are not used */
} far_estimate;

enum { FAR_JACKKNIFE_MOST = 8192 };

/* Writes numbers (not NaN) that are computed from samples; each is ascending and has at least one
 * value. Besides the samples and their resamples it is called with samples that lack one value. */
typedef void far_statistic_fn(double *out, const far_sample *samples, size_t n_samples, void *user);

/* One number, of the first sample. */
FAR_API void far_statistic_mean(double *out, const far_sample *samples, size_t n_samples, void *);
FAR_API void far_statistic_median(double *out, const far_sample *samples, size_t n_samples, void *);
FAR_API void far_statistic_iqm(double *out, const far_sample *samples, size_t n_samples, void *);

/* Estimates the n_out numbers that `statistic` computes, all from the same resamples. RANGE,
 * CANCELLED, MEMORY. */
FAR_API far_status far_bootstrap_run(far_estimate *out, size_t n_out, const far_sample *samples,
                                     size_t n_samples, far_statistic_fn *statistic, void *user,
                                     const far_bootstrap_def *def, far_error *error);

/* ---- two samples ---- */

/* x - y, pair by pair: runs of two agents with the same random numbers (common random numbers). */
typedef struct far_paired {
  int64_t n;
  double mean, std;       /* of the differences */
  double low, high;       /* Student's interval of the mean difference */
  double t, p;            /* the paired t-test, two-sided */
  far_estimate bootstrap; /* of the mean difference */
  double won, tied;       /* shares of the pairs with x > y and x = y */
  double correlation;     /* Pearson's; NaN if x or y does not vary */
  double saving; /* variance reduction by pairing, (var x + var y) / var (x - y): how many times as
                  * many independent runs would give an interval as narrow; below 1 where pairing
                  * harms; INFINITY where the differences do not vary but the runs do, NaN where
                  * neither does */
} far_paired;

/* Differences that are all equal have t infinite and p = 0, or t = 0 and p = 1 if they are 0: they
 * do not vary, which is no proof that others would not. A single pair has no interval, t or p. With
 * 0 resamples (here only) there is no bootstrap, and its interval is NaN. */
FAR_API far_status far_pairs_compare(far_paired *out, const double *x, const double *y, int64_t n,
                                     const far_bootstrap_def *def, far_error *error);

/* The difference of the means of two independent samples: Welch's t-test (1947). */
typedef struct far_welch {
  double mean; /* of x less that of y */
  double low, high;
  double t, degrees, p; /* two-sided */
} far_welch;

/* Needs two values each (else interval, t, degrees and p are NaN). Samples that both do not vary:
 * as for far_pairs_compare, with INFINITY degrees. */
FAR_API far_status far_samples_compare(far_welch *out, const double *x, int64_t nx, const double *y,
                                       int64_t ny, double level, far_error *error);

/* ---- several environments ---- */

/* P(X > Y) + P(X = Y) / 2 for independent runs, in the mean over environments: x[e] and y[e] are
 * the runs on environment e (Mann & Whitney's U / (nx ny); "probability of improvement" in
 * rliable, which uses the percentile method). Resampled within each sample, unless `together`. Takes
 * infinite values. */
FAR_API far_status far_improvement(far_estimate *out, const far_sample *x, const far_sample *y,
                                   size_t n_envs, const far_bootstrap_def *def, far_error *error);

/* The same for pairs of runs with the same random numbers: the share of pairs with x > y, ties
 * counting half, in the mean over environments; x[e].n = y[e].n. Pairs are resampled within
 * environments, unless `together`. It need not be near the former: with the same random numbers an agent may win most
 * pairs by a small amount and lose the others by a large one. */
FAR_API far_status far_improvement_paired(far_estimate *out, const far_sample *x,
                                          const far_sample *y, size_t n_envs,
                                          const far_bootstrap_def *def, far_error *error);

/* Differences of the same size: `won` are +weight, `lost` are -weight. */
typedef struct far_outcomes {
  double weight; /* finite, at least 0 */
  int64_t won, lost;
} far_outcomes;

/* The two-sided p-value of the sign test (Arbuthnott 1710; Dixon & Mood 1946) of differences with weights: how likely
 * is a sum as far from 0, if each difference has its sign by a fair coin (the sign-flip test; Fisher 1935). The
 * hypothesis is that each is as likely as its negative; they must be independent of one another. With one weight, p is
 * the exact binomial one. With several, the distribution of the sum is computed on a grid of 2,049 places: exactly
 * where the weights are whole numbers and the standard deviation of the sum is at most 120, else rounded so that p
 * is too large, if anything (by up to a fifth; and never below some 1e-16). 1 where there are no differences.
 * Linear in n, for few weights. */
FAR_API double far_sign_test(const far_outcomes *outcomes, size_t n);

/* The two-sided p-value of Wilcoxon's rank-sum test (Mann & Whitney 1947) for independent runs, stratified by
 * environment as far_improvement is: x[e] and y[e] are the ascending runs on environment e. The
 * statistic is the mean over environments of U / (nx ny) less 1/2; its variance is that of equal
 * distributions, with the correction for ties; the distribution is taken as normal, with the correction for
 * continuity; p is never less than twice the probability of the rarest arrangement of the runs in the same
 * direction, which matters for few runs or many ties. *improvement is the mean of U / (nx ny) itself, as in far_improvement. The hypothesis is that
 * the runs of both have the same distribution in every environment. Infinite values are taken. 1 where all
 * runs are equal; NAN without environments. */
FAR_API double far_rank_sum_test(double *improvement, const far_sample *x, const far_sample *y,
                                 size_t n_envs);

/* The performance profile (run-score distribution in rliable): out[k] is the share of runs with a
 * score above tau[k], which may be infinite, in the mean over environments, with a pointwise
 * interval; scores[e] are the normalised scores on environment e. */
FAR_API far_status far_profile(far_estimate *out, const double *tau, size_t n_tau,
                               const far_sample *scores, size_t n_envs,
                               const far_bootstrap_def *def, far_error *error);

/* Aggregates over environments as in rliable, resampled within environments unless `together`. In all of them every
 * environment weighs the same, however many runs it has.
 *
 * The interquartile mean is that of all scores together, each with the weight 1 / n_e of its
 * environment: of the weight the share floor(N / 4) / N is cut from each end, N the number of all
 * scores (a score at the border by a part of its weight), and the weighted mean of the rest is
 * taken. Where all n_e are equal, this is scipy.stats.trim_mean(all scores, 0.25). */
typedef struct far_aggregate {
  far_estimate mean;   /* of the environments' means */
  far_estimate median; /* of the environments' means */
  far_estimate iqm;
  /* optimality gap: what is missing to 1, the mean of the means of max(0, 1 - x) */
  far_estimate gap;
} far_aggregate;
FAR_API far_status far_scores_aggregate(far_aggregate *out, const far_sample *scores, size_t n_envs,
                                        const far_bootstrap_def *def, far_error *error);

/* ---- many comparisons ---- */

typedef enum far_correction {
  FAR_CORRECTION_BONFERRONI, /* m p; no assumption, any error at all is bounded */
  FAR_CORRECTION_HOLM,       /* Holm (1979): the same bound, never less powerful */
  FAR_CORRECTION_FDR,        /* Benjamini & Hochberg (1995): the expected share of false claims;
                              * for tests that are independent or positively dependent */
} far_correction;

/* Adjusted p-values in the order of p[0..m): comparison i is significant at alpha if out[i] <=
 * alpha. out may be p. RANGE unless all p are in [0, 1]. */
FAR_API far_status far_p_adjust(double *out, const double *p, size_t m, far_correction correction,
                                far_error *error);

/* The level of each of m intervals that all hold at once with `level` (Bonferroni): 1 - (1 -
 * level)/m. */
FAR_API double far_simultaneous_level(double level, size_t m);

/* ---- until the interval is narrow enough ---- */

/* Runs are added until the interval of the mean is as narrow as wanted, and the interval is valid
 * although it decided when to stop.
 *
 * Look k = 1, 2, ... is at the runs 0 ... n_k - 1, with n_1 = first and n_(k+1) = n_k growth,
 * rounded up: fixed beforehand, so that the decision is a function of the numbers alone, not of
 * threads or of the time. The interval of look k is Student's at the level 1 - alpha_k, alpha_k =
 * alpha / (k (k + 1)), alpha = 1 - level. These add up to alpha; so with probability `level` or
 * more the intervals of *all* looks hold (as far as Student's holds at that n: exactly for normal
 * runs), and with them the one at which any rule stops. The last look, at `most`, is valid as
 * well, if perhaps not narrow.
 *
 * What it cannot detect: if one run in a thousand is a great success, the first 300 usually include
 * none, hardly vary, and have a narrow interval. No rule that sees only these runs can detect that;
 * `first` must be large enough that rare runs are seen. Once they are, no look is narrow enough
 * before n = 25 skewness^2 (Cochran 1977).
 *
 * The alternatives: Student's 95% interval at every look misses more often than 5%
 * (tests/unit/until-coverage.c shows it); Chow & Robbins (1965) prove that rule right in the limit of
 * narrow intervals only; confidence sequences (Howard et al. 2021; Waudby-Smith et al. 2024) hold
 * at every n at once, but need runs that are bounded or sub-Gaussian with known constants, or hold
 * again in a limit only, and must be tuned to an n (they are 1.55 times as wide there as Student's
 * of a fixed n, and wider elsewhere). Here look 1 is 1.14 times as wide, look 5 1.60 times, look
 * 10 1.79 times. */
typedef struct far_until {
  double width;  /* wanted half-width, above 0 */
  bool relative; /* in units of |mean|, else of x. Near mean 0 a relative width is never reached,
                  * and runs are added up to `most` */
  double level;  /* 0.95 */
  int64_t first; /* 300; at least 2 */
  double growth; /* 1.5; at least 1.01 */
  int64_t most;  /* 100,000; at least `first` */
} far_until;

/* All but the width, which is 0 and must be set. */
FAR_API far_until far_until_default(void);

/* n_k of look k >= 1; `most` from there on. */
FAR_API int64_t far_until_runs(const far_until *until, int look);

/* The result of a look. */
typedef struct far_look {
  int64_t n;
  double mean, half_width; /* at the level of this look; the interval is mean -+ half_width */
  bool skewed; /* n < 25 skewness^2: too few for Student's interval (Cochran 1977, 2.15) */
  bool enough; /* not skewed, and half_width <= width, or <= width |mean| */
  bool last;   /* there is no further look */
  /* by a study, over all looks: the other runs were known before it. Or 0 */
  int64_t computed;
} far_look;

/* Look k at x[0 .. far_until_runs(until, k)). If the relative width w is reached and the interval
 * holds, the mean is off by at most w / (1 - w) of the true one. Runs that do not vary are narrow
 * enough at the first look. */
FAR_API far_status far_until_look(far_look *out, const far_until *until, int look, const double *x,
                                  far_error *error);

/* Enough runs to rank agents: a sequential comparison of all pairs, with an error of at most alpha.
 *
 * Runs of two agents with the same replicate are a pair (they saw the same random numbers of the
 * environment), and the test asks whether the sign of their difference is a coin: a group-sequential
 * permutation test after AdaStop (Mathieu, Della Vecchia, Shilova, Centa de Medeiros, Kohler, Maillard,
 * Preux 2023, arXiv 2306.10882) that swaps within pairs. docs/statistics.md, "Enough runs to rank",
 * derives it, compares it with the alternatives, and says what it assumes.
 *
 *     far_ranking *r;
 *     far_ranking_def def = far_ranking_def_default();
 *     far_ranking_create(&r, &def, 1, 2, &error);
 *     const far_sample cells[] = {{x, nx}, {y, ny}};             runs of two agents, by replicate
 *     far_ranking_compute(r, cells, &error);
 *     far_ranking_pair_at(r, 0)->better                          1: the first, -1: the second, 0: a tie
 *     far_ranking_free(r);
 *
 * A pure function of the numbers: the same bits on every machine, no threads.
 */

/* ---- the rule ---- */

/* Look k = 1, 2, ... is at replicates 0 ... n_k - 1, n_1 = first, n_(k+1) = n_k growth, rounded up,
 * as long as n_k <= most: `most` decides only how long the rule goes on, and more runs may be added
 * later without harm. Look k may spend the share s_k = 4 / ((k + 3)(k + 4)) of alpha; these add up
 * to 1 over all k.
 *
 * A pair has the p-value p_k at look k (a test by sign flips of x_a - x_b), unless the differences are too
 * skewed for a claim about means, n_k < 25 skewness^2 (Cochran 1977, 2.15), or all equal and not 0
 * while n_k < 300; then it has none there.
 * P = least p_k / s_k over its looks so far (at most 1) is a p-value although it was looked at again
 * and again. At every look, Holm's correction (1979) of the P of all pairs on all environments
 * decides the pairs whose adjusted P is at most alpha; the better agent is the one with the better
 * mean at the look of the least p_k / s_k. A pair that is decided is looked at no more, and an agent
 * whose pairs are all decided needs no more runs.
 *
 * With probability 1 - alpha or more no pair is decided whose differences are symmetric about 0, as
 * they are if the agents respond alike to the random numbers; for differences of mean 0 of any other
 * shape this holds in the limit of many runs. Whatever the dependence between pairs, agents and
 * environments, and whenever one stops. */
typedef struct far_ranking_def {
  double alpha;              /* 0.05; above 0, below 1 */
  int64_t first;             /* 100; at least 2 */
  double growth;             /* 1.5; 1.01 to 1000 */
  int64_t most;              /* 10,000; at least `first` */
  uint64_t seed;             /* of the signs; 1 */
  bool lower_is_better;      /* false */
  bool (*go_on)(void *user); /* asked before every pair of a look; false ends it with CANCELLED */
  void *user;
} far_ranking_def;

FAR_API far_ranking_def far_ranking_def_default(void);

/* ---- the comparison ---- */

typedef struct far_ranking far_ranking;

/* Agents a < b on environment env. */
typedef struct far_ranking_pair {
  size_t env, a, b;
  int better;   /* 1: a is better, -1: b is, 0: not decided: a tie, as far as these runs tell */
  int look;     /* at which it was decided, or the last one; 0: there was none */
  int64_t runs; /* of each at that look */
  double mean;  /* of x_a - x_b there; NAN without a look */
  double p;     /* P */
  double p_adjusted; /* P corrected for all pairs, as it stands at the last look of all */
  /* at that look it had no p-value, because the differences are too skewed, or all equal */
  bool skewed;
} far_ranking_pair;

/* RANGE unless there are two agents or more, an environment, and at most FAR_RANKING_PAIRS_MOST pairs. */
enum { FAR_RANKING_PAIRS_MOST = 1000000 };
FAR_API far_status far_ranking_create(far_ranking **out, const far_ranking_def *def, size_t n_envs,
                                      size_t n_agents, far_error *error);
FAR_API void far_ranking_free(far_ranking *ranking); /* NULL is fine */

/* Takes the next look at every open pair. cells[env * n_agents + agent] are the runs of an agent, by
 * replicate from the first on; those of an agent without an open pair are not read. A pair of which an
 * agent has fewer than n_k runs stays as it is. *looked (may be NULL) is the number of pairs that were
 * looked at; where it is 0, the look was not taken. RANGE if a number is NaN or infinite; MEMORY. The
 * ranking is then as it was. */
FAR_API far_status far_ranking_look(far_ranking *ranking, const far_sample *cells, size_t *looked,
                                    far_error *error);

/* Takes looks while there are runs for one. */
FAR_API far_status far_ranking_compute(far_ranking *ranking, const far_sample *cells,
                                       far_error *error);

typedef struct far_ranking_info {
  far_ranking_def def;
  size_t n_envs, n_agents, n_pairs, n_open; /* n_pairs = n_envs n_agents (n_agents - 1) / 2 */
  int looks;                                /* taken so far */
  int64_t next;                             /* runs of the next look; 0: there is none */
} far_ranking_info;
FAR_API far_ranking_info far_ranking_info_of(const far_ranking *ranking);

/* Pair i of n_pairs, by environment, then a, then b. Owned by the ranking. */
FAR_API const far_ranking_pair *far_ranking_pair_at(const far_ranking *ranking, size_t i);

/* The ranks that an agent may have on an environment: 1 + the number of agents that are better, up to
 * the number of agents less those that are worse. With probability 1 - alpha all these hold at once,
 * as far as no wrong direction was claimed. */
FAR_API void far_ranking_ranks(const far_ranking *ranking, size_t env, size_t agent, size_t *best,
                               size_t *worst);

/* ---- times, of which some are censored ---- */

/* Times of runs, of which some are censored: these are only known to exceed a limit. A quantile
 * that depends on them is INFINITY. */
typedef struct far_times {
  int64_t runs, censored;
  double median;    /* finite if fewer than half are censored */
  double low, high; /* 95% interval of the median, from order statistics and so whatever the
                     * distribution; NaN below 6 runs, of which none has such an interval */
  double first_quartile, third_quartile;
} far_times;

/* A time above `limit` is censored; none may be NaN (RANGE), nor may there be none. MEMORY. */
FAR_API far_status far_times_summarise(far_times *out, const double *times, int64_t runs,
                                       double limit, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
