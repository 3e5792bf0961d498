#include "chain_loops.h"

#include <farsight/farsight.h>
#include <math.h>
#include <string.h>

/* The parameters of the loops; TEXT puts the same numbers into the specs for the library. */
#define GAMMA 0.95
#define EPS1 0.2
#define M 5
#define RHO 1.25
#define LAMBDA 0.5
#define ETA 0.8
#define GAMMA_E 0.99
#define ALPHA 0.1
#define EPSILON 0.1
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define WINDOW_SPEC "gamma=" TEXT(GAMMA) ",eps1=" TEXT(EPS1) ",m=" TEXT(M)

static const uint64_t STAY_ON_COURSE = (uint64_t)(0.8 * 0x1p64) - 1;

typedef struct world {
  far_rng transition, agent;
  int s, last;
} world;

static world begin(int n, uint64_t seed, uint64_t replicate) {
  world w = {.last = n - 1};
  far_rng_init(&w.transition, seed, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&w.agent, seed, replicate, FAR_PURPOSE_AGENT);
  return w;
}

static inline int greedy(double left, double right, far_rng *rng) {
  if (right > left) return 1;
  return right == left ? far_rng_next(rng) >> 63 == 0 : 0;
}

static inline int move(world *w, int a) {
  const int right = a ^ (far_rng_next(&w->transition) > STAY_ON_COURSE);
  const int to = w->s + 2 * right - 1;
  return to < 0 ? 0 : to > w->last ? w->last : to;
}

static inline double reward(const world *w, int s) {
  return s == 0 ? 0.001 : s == w->last ? 1.0 : 0.0;
}

static inline double larger(const double v[2]) {
  return v[0] > v[1] ? v[0] : v[1];
}

typedef struct pair_state {
  double q[2], e[2], bonus[2], q_sum[2], e_sum[2];
  int64_t n[2], begun[2], learn[2];
} pair_state;

static void clear(pair_state *table, int n, double bonus) {
  memset(table, 0, (size_t)n * sizeof *table);
  for (int s = 0; s < n; ++s)
    for (int a = 0; a < 2; ++a) {
      table[s].q[a] = 1 / (1 - GAMMA);
      table[s].e[a] = ETA;
      table[s].bonus[a] = bonus;
      table[s].learn[a] = 1;
    }
}

static double delayed_q(int n, int64_t steps, uint64_t seed, uint64_t replicate) {
  pair_state table[BENCH_LONGEST];
  clear(table, n, 0);
  world w = begin(n, seed, replicate);
  int64_t last_success = 0;
  double total = 0;
  for (int64_t t = 1; t <= steps; ++t) {
    pair_state *c = &table[w.s];
    const int a = greedy(c->q[0], c->q[1], &w.agent);
    const int next = move(&w, a);
    const double r = reward(&w, next);
    total += r;
    w.s = next;
    c->learn[a] |= c->begun[a] <= last_success;
    if (!c->learn[a]) continue;
    if (c->n[a] == 0) c->begun[a] = t;
    c->q_sum[a] += r + GAMMA * larger(table[next].q);
    if (++c->n[a] < M) continue;
    const double q = c->q_sum[a] / M + EPS1;
    if (c->q[a] - q >= EPS1) {
      c->q[a] = q;
      last_success = t;
    } else if (c->begun[a] > last_success) {
      c->learn[a] = 0;
    }
    c->n[a] = 0;
    c->q_sum[a] = 0;
  }
  return total;
}

static double delayed_q_ie(int n, int64_t steps, uint64_t seed, uint64_t replicate) {
  pair_state table[BENCH_LONGEST];
  clear(table, n, 0);
  world w = begin(n, seed, replicate);
  int64_t last_success = 0;
  double total = 0;
  for (int64_t t = 1; t <= steps; ++t) {
    pair_state *c = &table[w.s];
    const int a = greedy(c->q[0], c->q[1], &w.agent);
    const int next = move(&w, a);
    const double r = reward(&w, next);
    total += r;
    w.s = next;
    c->learn[a] |= c->begun[a] <= last_success;
    if (!c->learn[a]) continue;
    if (c->n[a] == 0) c->begun[a] = t;
    c->q_sum[a] += r + GAMMA * larger(table[next].q);
    const double count = (double)++c->n[a];
    const double q = c->q_sum[a] / count + RHO / sqrt(count);
    const int success = c->q[a] - q >= EPS1;
    if (success) {
      c->q[a] = q;
      last_success = t;
    } else if (c->n[a] < M) {
      continue;
    } else if (c->begun[a] > last_success) {
      c->learn[a] = 0;
    }
    c->n[a] = 0;
    c->q_sum[a] = 0;
  }
  return total;
}

static double bonus_of(double e, double inverse_log_eta) {
  const double x = far_log(e) * inverse_log_eta;
  return LAMBDA / sqrt(x > 1 ? x : 1);
}

static double directed_delayed_q(int n, int64_t steps, uint64_t seed, uint64_t replicate) {
  const double inverse_log_eta = 1 / far_log(ETA);
  pair_state table[BENCH_LONGEST];
  clear(table, n, bonus_of(ETA, inverse_log_eta));
  world w = begin(n, seed, replicate);
  int64_t last_success = 0;
  double total = 0;
  for (int64_t t = 1; t <= steps; ++t) {
    pair_state *c = &table[w.s];
    const int a = greedy(c->q[0] + c->bonus[0], c->q[1] + c->bonus[1], &w.agent);
    const int next = move(&w, a);
    const double r = reward(&w, next);
    total += r;
    w.s = next;
    c->learn[a] |= c->begun[a] <= last_success;
    if (!c->learn[a]) continue;
    if (c->n[a] == 0) c->begun[a] = t;
    c->q_sum[a] += r + GAMMA * larger(table[next].q);
    c->e_sum[a] += GAMMA_E * larger(table[next].e);
    const double count = (double)++c->n[a];
    const double q = fmin(c->q[a], c->q_sum[a] / count + RHO / sqrt(count));
    const double current = c->q[a] + c->bonus[a];
    int success = 0;
    if (current - q >= EPS1) {
      const double e = fmin(c->e[a], c->e_sum[a] / count);
      const double bonus = bonus_of(e, inverse_log_eta);
      success = current - (q + bonus) >= EPS1;
      if (success) {
        c->q[a] = q;
        c->e[a] = e;
        c->bonus[a] = bonus;
        last_success = t;
      }
    }
    if (!success && c->n[a] < M) continue;
    if (!success && c->begun[a] > last_success) c->learn[a] = 0;
    c->n[a] = 0;
    c->q_sum[a] = 0;
    c->e_sum[a] = 0;
  }
  return total;
}

static double q_learning(int n, int64_t steps, uint64_t seed, uint64_t replicate) {
  double q[BENCH_LONGEST][2] = {{0}};
  world w = begin(n, seed, replicate);
  double total = 0;
  for (int64_t t = 1; t <= steps; ++t) {
    int a;
    if (far_rng_uniform(&w.agent) < EPSILON)
      a = (int)(far_rng_next(&w.agent) >> 63);
    else
      a = greedy(q[w.s][0], q[w.s][1], &w.agent);
    const int next = move(&w, a);
    const double r = reward(&w, next);
    total += r;
    q[w.s][a] += ALPHA * (r + GAMMA * larger(q[next]) - q[w.s][a]);
    w.s = next;
  }
  return total;
}

const bench_loop bench_loops[] = {
    {"directed-delayed-q",
     "directed-delayed-q:" WINDOW_SPEC ",rho=" TEXT(RHO) ",lambda=" TEXT(LAMBDA) ",eta=" TEXT(
         ETA) ",e0=" TEXT(ETA) ",gamma_e=" TEXT(GAMMA_E),
     directed_delayed_q},
    {"delayed-q", "delayed-q:" WINDOW_SPEC, delayed_q},
    {"delayed-q-ie", "delayed-q-ie:" WINDOW_SPEC ",rho=" TEXT(RHO), delayed_q_ie},
    {"q-learning", "q-learning:gamma=" TEXT(GAMMA) ",alpha=" TEXT(ALPHA) ",epsilon=" TEXT(EPSILON),
     q_learning},
    {NULL, NULL, NULL}};
