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
#ifndef FARSIGHT_RANKING_H
#define FARSIGHT_RANKING_H

#include "farsight/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one test ---- */

enum { FAR_FLIP_BITS_MOST = 20 };

/* The p-value of the sign-flip test that the differences d[0..n) are symmetric about 0 (Fisher 1935,
 * section 21), two-sided: the share of 2^bits ways to choose signs, the signs as they are among them,
 * whose sum is as far from 0 as that of d.
 *
 * Way e, 0 <= e < 2^bits, changes the sign of d[i] if e & g_i has an odd number of ones. g_i = 2^i for
 * i < bits, so that up to n = bits these are all ways there are; from there on g_i is the upper `bits`
 * bits of the next word of stream (seed, 0, FAR_PURPOSE_SIGNS). The ways are a group, so that the test
 * is exact: p <= u has a probability of at most u if d is symmetric. Their sums are a Walsh-Hadamard
 * transform: n + bits 2^bits additions. A sum counts as equally far if it is closer to 0 by no more
 * than 2^-40 sum |d[i]|, which is more than rounding makes of it, so that ties count as ties.
 *
 * RANGE if a value is NaN or infinite or their sum is, or bits are not 1 ... FAR_FLIP_BITS_MOST;
 * MEMORY. */
FAR_API far_status far_flip_test(double *p, const double *d, int64_t n, int bits, uint64_t seed,
                                 far_error *error);

/* ---- the rule ---- */

/* Look k = 1, 2, ... is at replicates 0 ... n_k - 1, n_1 = first, n_(k+1) = n_k growth, rounded up,
 * as long as n_k <= most: `most` decides only how long the rule goes on, and more runs may be added
 * later without harm. Look k may spend the share s_k = 4 / ((k + 3)(k + 4)) of alpha; these add up
 * to 1 over all k.
 *
 * A pair has the p-value p_k at look k (far_flip_test of x_a - x_b), unless the differences are too
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

/* Whether the text of a stopping rule asks for a ranking, "rank=5%", rather than for narrow intervals. */
FAR_API bool far_ranking_is_goal(const char *text);

/* Sets alpha from "rank=5%" or "rank=0.05", and `first` from "rank=5%,first=30". SYNTAX, RANGE, with
 * the position. */
FAR_API far_status far_ranking_parse(far_ranking_def *def, const char *text, far_error *error);

/* RANGE if a member is out of bounds. */
FAR_API far_status far_ranking_check(const far_ranking_def *def, far_error *error);

/* n_k of look k >= 1; 0 if that is above `most`. */
FAR_API int64_t far_ranking_runs(const far_ranking_def *def, int look);

/* s_k of look k >= 1. */
FAR_API double far_ranking_share(int look);

/* The bits of far_flip_test at look k of n_pairs pairs: the least from 14 to FAR_FLIP_BITS_MOST with
 * 2^bits >= 16 n_pairs / (alpha s_k), so that the p-values that matter are not too coarse. */
FAR_API int far_ranking_bits(const far_ranking_def *def, size_t n_pairs, int look);

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
  bool
      skewed; /* at that look it had no p-value, because the differences are too skewed, or all equal */
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

/* Whether this agent has an open pair on this environment: it needs runs for the next look. */
FAR_API bool far_ranking_is_open(const far_ranking *ranking, size_t env, size_t agent);

/* The ranks that an agent may have on an environment: 1 + the number of agents that are better, up to
 * the number of agents less those that are worse. With probability 1 - alpha all these hold at once,
 * as far as no wrong direction was claimed. */
FAR_API void far_ranking_ranks(const far_ranking *ranking, size_t env, size_t agent, size_t *best,
                               size_t *worst);

#ifdef __cplusplus
}
#endif

#endif
