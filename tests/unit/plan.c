/* The optimistic inner maximisation against brute force: every order of the arcs, every recipient,
 * and random distributions of the set, none of which may be worth more. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "solve/plan/divergence.h"
#include "solve/plan/optimistic.h"

enum { MOST = 5, STATES = 7 };

typedef struct problem {
  far__arc arc[MOST];
  far__row row;
  double v[STATES], p[STATES]; /* p: the estimate as a dense distribution */
  uint64_t best;
} problem;

static void random_problem(problem *out, far_rng *rng) {
  problem x = {.row = {.count = 1 + far_rng_below(rng, MOST)}};
  uint64_t states[STATES];
  for (uint32_t s = 0; s < STATES; ++s) {
    x.v[s] = far_rng_below(rng, 4) * 0.5 - 1; /* few values, so that there are ties */
    if (far_rng_below(rng, 2)) x.v[s] += far_rng_uniform(rng);
    if (x.v[s] > x.v[x.best]) x.best = s;
    states[s] = s;
  }
  for (uint32_t k = 0; k < x.row.count; ++k) { /* distinct successors */
    const uint32_t j = k + far_rng_below(rng, STATES - k);
    const uint64_t s = states[j];
    states[j] = states[k];
    x.arc[k] = (far__arc){s, 1 + far_rng_below(rng, 9)};
    x.row.total += x.arc[k].weight;
  }
  for (uint32_t k = 0; k < x.row.count; ++k) x.p[x.arc[k].next] = x.arc[k].weight / x.row.total;
  *out = x;
  out->row.arc = out->arc;
}

static double dot(const double *p, const double *v) {
  double sum = 0;
  for (int s = 0; s < STATES; ++s) sum += p[s] * v[s];
  return sum;
}

/* Calls visit with every order of n indices. */
typedef void visitor(void *user, const uint32_t *order, size_t n);
static void permute(uint32_t *order, size_t n, size_t at, visitor *visit, void *user) {
  if (at >= n) {
    visit(user, order, n);
    return;
  }
  for (size_t i = at; i < n; ++i) {
    uint32_t t = order[at];
    order[at] = order[i], order[i] = t;
    permute(order, n, at + 1, visit, user);
    t = order[at];
    order[at] = order[i], order[i] = t;
  }
}

typedef struct search {
  const problem *x;
  double width;             /* L1 */
  const double *low, *high; /* boxes */
  double most;
} search;

/* Takes width / 2 in this order, and gives it to each state in turn. */
static void try_l1(void *user, const uint32_t *order, size_t n) {
  search *f = user;
  for (int to = 0; to < STATES; ++to) {
    double p[STATES], mass = f->width / 2, moved = 0, norm = 0;
    memcpy(p, f->x->p, sizeof p);
    for (size_t i = 0; i < n; ++i) {
      const uint64_t s = f->x->arc[order[i]].next;
      const double taken = fmin(p[s], mass);
      p[s] -= taken, mass -= taken, moved += taken;
    }
    p[to] += moved;
    for (int s = 0; s < STATES; ++s) norm += fabs(p[s] - f->x->p[s]);
    CHECK(norm <= f->width + 1e-12);
    f->most = fmax(f->most, dot(p, f->x->v));
  }
}

static double brute(search f, visitor *visit) {
  uint32_t order[8] = {0, 1, 2, 3, 4}; /* room that gcc's bounds check believes in */
  f.most = -INFINITY;
  permute(order, f.x->row.count, 0, visit, &f);
  return f.most;
}

static void test_l1(void) {
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 400; ++i) {
    problem x;
    random_problem(&x, &rng);
    const problem before = x;
    uint32_t order[MOST];
    double last = -INFINITY;
    for (int j = 0; j <= 10; ++j) {
      const double width = 0.22 * j;
      const double value = far__l1_best(&x.row, width, x.v, x.best, order);
      CHECK_NEAR(value, brute((search){.x = &x, .width = width}, try_l1), 1e-12);
      CHECK(value >= last - 1e-15 && value <= x.v[x.best]);
      last = value;
    }
    CHECK_NEAR(far__l1_best(&x.row, 0, x.v, x.best, order), dot(x.p, x.v), 1e-14);
    CHECK(far__l1_best(&x.row, 2, x.v, x.best, order) == x.v[x.best]);
    CHECK(memcmp(x.arc, before.arc, sizeof x.arc) == 0);
  }
}

/* A random distribution inside the ball is never worth more. */
static void test_l1_upper(void) {
  far_rng rng;
  far_rng_init(&rng, 2, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 2000; ++i) {
    problem x;
    random_problem(&x, &rng);
    uint32_t order[MOST];
    double q[STATES], total = 0, norm = 0;
    for (int s = 0; s < STATES; ++s) total += q[s] = far_rng_uniform(&rng);
    for (int s = 0; s < STATES; ++s) norm += fabs((q[s] /= total) - x.p[s]);
    CHECK(dot(q, x.v) <= far__l1_best(&x.row, norm, x.v, x.best, order) + 1e-12);
  }
}

/* Fills every state up in this order. */
static void try_intervals(void *user, const uint32_t *order, size_t n) {
  search *f = user;
  double left = 1, value = 0;
  for (size_t i = 0; i < n; ++i) left -= f->low[i], value += f->low[i] * f->x->v[i];
  for (size_t i = 0; i < n; ++i) {
    const double given = fmin(left, f->high[order[i]] - f->low[order[i]]);
    left -= given, value += given * f->x->v[order[i]];
  }
  if (left < 1e-12) f->most = fmax(f->most, value);
}

static void test_intervals(void) {
  far_rng rng;
  far_rng_init(&rng, 5, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 40; ++i) {
    problem x;
    random_problem(&x, &rng);
    const double rest = far_rng_uniform(&rng) * 0.3;
    double low[STATES] = {0}, high[STATES], slack[STATES];
    uint64_t order[STATES];
    uint32_t indices[8] = {0};
    far__interval box[MOST];
    for (uint32_t s = 0; s < STATES; ++s)
      order[s] = indices[s] = s, high[s] = rest, slack[s] = FAR__UNSEEN;
    for (uint32_t k = 0; k < x.row.count; ++k) {
      const uint64_t y = x.arc[k].next;
      const double w = far_rng_uniform(&rng);
      box[k] = (far__interval){fmax(0, x.p[y] - w), fmin(1, x.p[y] + w * far_rng_uniform(&rng))};
      low[y] = box[k].low, high[y] = box[k].high;
    }
    far__order_by_value(order, STATES, x.v);
    const far__outcomes all = {order, STATES, slack, rest};
    const double value = far__intervals_best(&x.row, box, &all, x.v);
    search f = {.x = &x, .low = low, .high = high, .most = -INFINITY};
    permute(indices, STATES, 0, try_intervals, &f);
    CHECK_NEAR(value, f.most, 1e-12);
    for (int s = 0; s < STATES; ++s) CHECK(slack[s] == FAR__UNSEEN), x.v[s] += 1; /* from 0 on */
    const double kappa = far_rng_uniform(&rng) * 0.5;
    const double near = far__intervals_near(&x.row, box, &all, x.v, kappa);
    CHECK(near <= value + 1 + 1e-12 && near >= value + 1 - kappa - 1e-12);
    CHECK_NEAR(far__intervals_near(&x.row, box, &all, x.v, 0), value + 1, 1e-12);
  }
}

/* nu - exp(sum p ln(nu - v) - c): by duality no such number is below the maximum, and one attains it. */
static double kl_dual(const problem *x, double c, double nu) {
  double sum = 0;
  for (uint32_t k = 0; k < x->row.count; ++k)
    sum += x->p[x->arc[k].next] * log(nu - x->v[x->arc[k].next]);
  return nu - exp(sum - c);
}

static void test_kl(void) {
  far_rng rng;
  far_rng_init(&rng, 6, 0, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < 500; ++i) {
    problem x;
    random_problem(&x, &rng);
    double q[STATES], sum = 0, c = 0, least = INFINITY;
    for (int s = 0; s < STATES; ++s) sum += q[s] = 0.01 + far_rng_uniform(&rng);
    for (int s = 0; s < STATES; ++s) {
      q[s] /= sum;
      if (x.p[s] > 0) c += x.p[s] * log(x.p[s] / q[s]);
    }
    const double best = far__kl_best(&x.row, c, x.v, x.best);
    CHECK(dot(q, x.v) <= best + 1e-12 && best <= x.v[x.best]);
    for (double z = 1e-12; z < 1e6; z *= 1.01) {
      const double dual = kl_dual(&x, c, x.v[x.best] + z);
      CHECK(dual >= best - 1e-9); /* rounding, where nu is large */
      least = fmin(least, dual);
    }
    CHECK_NEAR(best, least, 1e-4);
    CHECK_NEAR(far__kl_best(&x.row, 0, x.v, x.best), dot(x.p, x.v), 1e-12);
  }
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Long rows go through the same heap: against a sort. */
static void test_long(void) {
  enum { N = 1000 };
  static far__arc arc[N];
  static double v[N], sorted[N];
  static uint32_t order[N];
  far_rng rng;
  far_rng_init(&rng, 4, 0, FAR_PURPOSE_SEARCH);
  uint64_t best = 0;
  for (uint32_t k = 0; k < N; ++k) {
    arc[k] = (far__arc){k, 1};
    sorted[k] = v[k] = far_rng_uniform(&rng);
    if (v[k] > v[best]) best = k;
  }
  qsort(sorted, N, sizeof *sorted, by_value);
  const far__row row = {arc, N, N};
  for (int moved = 0; moved < N; moved += 111) { /* a whole number of successors move */
    double sum = moved * v[best];
    for (int k = moved; k < N; ++k) sum += sorted[k];
    CHECK_NEAR(far__l1_best(&row, 2.0 * moved / N, v, best, order), sum / N, 1e-12);
  }
}

static void test_edges(void) {
  const double v[3] = {1, 5, 3};
  uint32_t order[2];
  const far__row unknown = {NULL, 0, 0};
  CHECK(far__l1_best(&unknown, 2, v, 1, order) == 5);
  const far__arc arc[2] = {{0, 1}, {2, 3}};
  const far__row row = {arc, 2, 4};
  CHECK(far__row_dot(&row, v) == 10);
  /* a quarter of the mass moves from state 0 to state 1, which is no successor */
  CHECK(far__l1_best(&row, 0.5, v, 1, order) == 3.5);
  const far__row some = {(const far__arc[]){{0, 0.25}, {2, 0.25}}, 2,
                         1}; /* less than is to be moved */
  CHECK(far__l1_move(&some, 0.75, 1, v, 1, order) == 1 + 0.25 * (5 - 1) + 0.25 * (5 - 3));
}

int main(void) {
  test_l1();
  test_l1_upper();
  test_intervals();
  test_kl();
  test_long();
  test_edges();
  return check_report();
}
