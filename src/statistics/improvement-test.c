/* Is one of two agents better more often? Tests of the probability of improvement. */
#include <math.h> /* sqrt, NAN, INFINITY */

#include "base/special.h"
#include "farsight/base.h"
#include "farsight/statistics.h"

static double two_sided(double z) {
  return z > 0 ? 2 * far__student_tail(z, INFINITY) : 1;
}

/* ---- pairs ---- */

/* C(n, m) / 2^n, m = floor(n / 2): with h = m, C(2h, h) / 4^h = gamma(h + 1/2) / (sqrt(pi) h gamma(h)). */
static double central_term(int64_t n) {
  const int64_t half = n / 2;
  const double h = (double)half;
  const double even = h > 0 ? far__gamma_ratio(h) / (h * 1.7724538509055160273) : 1;
  return n % 2 == 0 ? even : even * (2 * h + 1) / (2 * (h + 1));
}

/* P(X <= k) for X binomial (n, 1/2), k <= n / 2: from the central term down to that of k, and the sum from there.
 * Terms fall faster than e^(-2 d^2 / n), d the distance from the centre, so that either loop ends after some
 * sqrt(n) steps. */
static double lower_tail(int64_t k, int64_t n) {
  double term = central_term(n), sum = 0;
  int64_t j = n / 2;
  for (; j > k && term > 0; --j) term *= (double)j / (double)(n - j + 1);
  for (; j >= 0 && term > 1e-17 * sum; --j) {
    sum += term;
    term *= (double)j / (double)(n - j + 1);
  }
  return sum;
}

static double exact_sign_test(int64_t won, int64_t lost) {
  const double p = 2 * lower_tail(won < lost ? won : lost, won + lost);
  return p < 1 ? p : 1;
}

/* The distribution of the sum on a grid: place i is (i - CELLS) h, up to 8.5 standard deviations; mass beyond
 * is at the ends. */
enum { CELLS = 1024, PLACES = 2 * CELLS + 1 };
static const double FARTHEST = 8.5;

/* What each place has; nothing before `first` and behind `last`. */
typedef struct grid {
  double mass[PLACES];
  int64_t first, last;
} grid;

/* to[] gets a part of the masses moved by so many places, but for what falls on an end of the grid. */
static void move_inside(double *restrict to, const grid *from, int64_t by, double part) {
  const int64_t first = from->first + by > 1 ? from->first + by : 1;
  const int64_t last = from->last + by < PLACES - 2 ? from->last + by : PLACES - 2;
  for (int64_t j = first; j <= last; ++j) to[j] += part * from->mass[j - by];
}

static void move_to_end(double *to, int64_t place, double mass) {
  if (place <= 0) to[0] += mass;
  if (place >= PLACES - 1) to[PLACES - 1] += mass;
}

/* What falls on an end or beyond it: of the places up to `left`, and from `right` on. */
static void move_outside(double *to, const grid *from, int64_t by, double near, double far) {
  const int64_t left = by + 1, right = PLACES - 1 - left;
  for (int64_t i = from->first; i <= from->last; ++i) {
    if (i > left && i < right) continue;
    move_to_end(to, i + by, near * from->mass[i]);
    move_to_end(to, i - by, near * from->mass[i]);
    move_to_end(to, i + by + 1, far * from->mass[i]);
    move_to_end(to, i - by - 1, far * from->mass[i]);
  }
}

/* to[] gets the masses times a probability, by so many places in each direction. What falls between two places is
 * divided, so that the mean stays and the spread grows, if by little. Each place gets its parts from left to right. */
static void move_mass(grid *to, const grid *from, double places, double probability) {
  const int64_t by = (int64_t)places;
  const double far = places - (double)by, near = 1 - far;
  grid part; /* its places from `first` to `last` */
  part.first = from->first;
  part.last = from->last;
  for (int64_t i = part.first; i <= part.last; ++i) part.mass[i] = probability * from->mass[i];
  if (far > 0) move_inside(to->mass, &part, by + 1, far);
  move_inside(to->mass, &part, by, near);
  move_inside(to->mass, &part, -by, near);
  if (far > 0) move_inside(to->mass, &part, -by - 1, far);
  move_outside(to->mass, &part, by, near, far);
}

/* Adds m fair coins, each of `places` in one direction or the other: k heads and m - k heads together, which
 * for m = 2 k are the same. */
static void add_coins(grid *g, int64_t m, double places) {
  grid sum = {.mass = {0}};
  double term = central_term(m);
  for (int64_t k = m / 2; k >= 0 && term > 1e-20; --k) {
    const double by = (double)(m - 2 * k) * places;
    move_mass(&sum, g, by, k < m - k ? term : term / 2);
    term *= (double)k / (double)(m - k + 1);
    sum.first = g->first - (int64_t)by - 1;
    sum.last = g->last + (int64_t)by + 1;
  }
  sum.first = sum.first > 0 ? sum.first : 0;
  sum.last = sum.last < PLACES ? sum.last : PLACES - 1;
  *g = sum;
}

/* Sums over all outcomes that a test needs. */
typedef struct coins {
  int64_t won, lost;
  double sum, variance; /* of the sum, if signs are fair coins */
  size_t sizes;         /* number of different weights */
  bool whole;           /* all weights are whole numbers */
} coins;

static coins add_up(const far_outcomes *outcomes, size_t n) {
  coins c = {.whole = true};
  for (size_t i = 0; i < n; ++i) {
    const far_outcomes *o = &outcomes[i];
    if (o->won + o->lost == 0 || o->weight == 0) continue;
    c.won += o->won;
    c.lost += o->lost;
    c.sum += (double)(o->won - o->lost) * o->weight;
    c.variance += (double)(o->won + o->lost) * o->weight * o->weight;
    c.sizes += 1;
    c.whole = c.whole && o->weight < PLACES && o->weight == (double)(int64_t)o->weight;
  }
  return c;
}

/* If places are whole numbers, and they reach far enough, nothing is rounded. Otherwise divided mass is less
 * than a place from its exact position, for each weight: this counts against the result, up to two places, since many
 * weights hardly ever err in the same direction. */
static double grid_sign_test(const far_outcomes *outcomes, size_t n, const coins *c) {
  if (!(c->variance > 0 && c->variance < INFINITY)) return 1; /* no grid has such wide places */
  const double least = FARTHEST * sqrt(c->variance) / CELLS;
  const bool exact = c->whole && least <= 1;
  const double h = exact ? 1 : least, slack = exact ? 1e-6 : 2;
  grid g = {.first = CELLS, .last = CELLS};
  double p = 0;
  g.mass[CELLS] = 1;
  for (size_t i = 0; i < n; ++i) {
    const int64_t m = outcomes[i].won + outcomes[i].lost;
    if (m > 0 && outcomes[i].weight > 0) add_coins(&g, m, outcomes[i].weight / h);
  }
  const double from = fmin(fabs(c->sum) / h - slack, CELLS);
  for (int64_t i = 0; i < PLACES; ++i)
    if (fabs((double)(i - CELLS)) >= from) p += g.mass[i];
  return p < 1 ? p : 1;
}

double far_sign_test(const far_outcomes *outcomes, size_t n) {
  const coins c = add_up(outcomes, n);
  if (c.sizes == 0) return 1;
  if (c.sizes == 1) return exact_sign_test(c.won, c.lost);
  return grid_sign_test(outcomes, n, &c);
}

/* ---- any two runs ---- */

typedef struct ranked {
  double won;       /* pairs with x > y, ties counting half */
  double variance;  /* of won / (nx ny), if both have the same distribution */
  double rarest[2]; /* then, ln of the probability that x has the least or the greatest values */
} ranked;

/* ln of the number of ways to choose k of n, C(n, k). */
static double log_ways(int64_t n, int64_t k) {
  double out = 0;
  if (k > n - k) k = n - k;
  for (int64_t i = 1; i <= k; ++i) out += far_log((double)(n - k + i) / (double)i);
  return out;
}

/* How many of the ascending x[from..n) are equal to x[from]. */
static int64_t run_of(const far_sample *x, int64_t from, double value) {
  int64_t to = from;
  while (to < x->n && x->x[to] == value) ++to;
  return to - from;
}

/* Goes through the values of both in ascending order, ties together. */
static ranked rank_both(const far_sample *x, const far_sample *y) {
  const double nx = (double)x->n, ny = (double)y->n, all = nx + ny;
  double won = 0, ties = 0; /* sum of t^3 - t over groups of t equal values */
  double ways[2] = {0};     /* ln of the ways to choose among equal values at the border */
  for (int64_t i = 0, j = 0; i < x->n || j < y->n;) {
    const bool first = j == y->n || (i < x->n && x->x[i] < y->x[j]);
    const double value = first ? x->x[i] : y->x[j];
    const int64_t of_x = run_of(x, i, value), of_y = run_of(y, j, value);
    const double t = (double)(of_x + of_y);
    won += (double)of_x * ((double)j + (double)of_y / 2);
    const int64_t before = i + j, upto = before + of_x + of_y;
    if (before < x->n && x->n <= upto) ways[0] = log_ways(upto - before, x->n - before);
    if (before < y->n && y->n <= upto) ways[1] = log_ways(upto - before, y->n - before);
    ties += t * (t * t - 1);
    i += of_x;
    j += of_y;
  }
  const double spread = all + 1 - ties / (all * (all - 1));
  const double arrangements = log_ways(x->n + y->n, x->n);
  return (ranked){won, spread / (12 * nx * ny), {ways[0] - arrangements, ways[1] - arrangements}};
}

double far_rank_sum_test(double *improvement, const far_sample *x, const far_sample *y,
                         size_t n_envs) {
  double sum = 0, variance = 0, step = INFINITY, rarest[2] = {0};
  *improvement = NAN;
  for (size_t e = 0; e < n_envs; ++e) {
    const double pairs = (double)x[e].n * (double)y[e].n;
    const ranked r = rank_both(&x[e], &y[e]);
    sum += r.won / pairs;
    variance += r.variance;
    for (int k = 0; k < 2; ++k) rarest[k] += r.rarest[k];
    step = fmin(step, 1 / (2 * pairs));
  }
  if (n_envs == 0) return NAN;
  *improvement = sum / (double)n_envs;
  const double away = fabs(sum - (double)n_envs / 2);
  if (!(variance > 0)) return 1;
  const double p = two_sided((away - step) / sqrt(variance));
  return fmin(1, fmax(p, 2 * far_exp(rarest[sum > (double)n_envs / 2])));
}
