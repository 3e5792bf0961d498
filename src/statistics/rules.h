/* Stopping rules: as text, and what looks at runs are made of. */
#ifndef FAR_STATISTICS_RULES_H
#define FAR_STATISTICS_RULES_H

#include "base/export.h"
#include "farsight/statistics.h"

/* ---- narrow intervals: far_until ---- */

/* Sets width and relative from "ci=1%" (of |mean|) or "ci=0.5" (units of x), and `first` from
 * "ci=1%,first=1000". SYNTAX, RANGE, with the position. */
FAR_LAB far_status far__until_parse(far_until *until, const char *text, far_error *error);

/* RANGE if a member is out of bounds. */
FAR_LAB far_status far__until_check(const far_until *until, far_error *error);

/* ---- the ranking of agents: far_ranking ---- */

enum { FAR__FLIP_BITS_MOST = 20 }; /* of far__flip_test */

/* Whether the text of a stopping rule asks for a ranking, "rank=5%", rather than for narrow intervals. */
FAR_LAB bool far__ranking_is_goal(const char *text);

/* Sets alpha from "rank=5%" or "rank=0.05", and `first` from "rank=5%,first=30". SYNTAX, RANGE, with
 * the position. */
FAR_LAB far_status far__ranking_parse(far_ranking_def *def, const char *text, far_error *error);

/* RANGE if a member is out of bounds. */
FAR_LAB far_status far__ranking_check(const far_ranking_def *def, far_error *error);

/* n_k of look k >= 1; 0 if that is above `most`. */
FAR_LAB int64_t far__ranking_runs(const far_ranking_def *def, int look);

/* s_k of look k >= 1. */
double far__ranking_share(int look);

/* The bits of far__flip_test at look k of n_pairs pairs: the least from 14 to FAR__FLIP_BITS_MOST with
 * 2^bits >= 16 n_pairs / (alpha s_k), so that the p-values that matter are not too coarse. */
int far__ranking_bits(const far_ranking_def *def, size_t n_pairs, int look);

/* Whether this agent has an open pair on this environment: it needs runs for the next look. */
FAR_LAB bool far__ranking_is_open(const far_ranking *ranking, size_t env, size_t agent);

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
 * RANGE if a value is NaN or infinite or their sum is, or bits are not 1 ... FAR__FLIP_BITS_MOST;
 * MEMORY. */
far_status far__flip_test(double *p, const double *d, int64_t n, int bits, uint64_t seed,
                          far_error *error);

/* ---- what both share ---- */

/* Parses ",first=1000" of "ci=1%,first=1000" or "rank=5%,first=1000", which begins at byte `at` of the rule; SYNTAX or
 * RANGE. */
far_status far__parse_first(int64_t *first, const char *text, int at, far_error *error);

/* RANGE unless the looks can grow by this factor, from `first` to `most` runs. */
far_status far__check_looks(int64_t first, double growth, int64_t most, far_error *error);

#endif
