/* What agents of finite horizon and those with a model begin with and learn from single steps, what memory they
 * ask for, and when they plan: all of it computed by hand from the formulas of their papers, in numbers that are
 * exact in binary. */
#include <farsight/farsight.h>

#include "agents/average.h"
#include "agents/sample.h"
#include "check.h"

static far_agent *start(const char *spec, far_shape shape) {
  far_agent *agent = NULL;
  CHECK(far__agent_create(&agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  return agent;
}

static void see(far_agent *agent, uint32_t s, double r, uint32_t next) {
  const far_transition step = {s, 0, r, next, false, false};
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
}

/* ---- finite horizon ---- */

/* Upper bounds and advantages begin with the steps that are left, references too, and all are open. */
static void test_q_advantage_begins(void) {
  enum { A = 2, H = 2, PAIR = 9, STATE = 4 };
  far_agent *agent = start("q-advantage", SHAPE(1, A, 0, 1, true, NULL, H));
  const double *q = far__agent_state(agent), *pair = q + H * A, *state = pair + H * A * PAIR;
  for (int i = 0; i < H * A; ++i, pair += PAIR) {
    const double left = i < A ? 2 : 1;
    CHECK(q[i] == left && pair[0] == left && pair[2] == left); /* q, upper, advantage */
    CHECK(pair[1] == 0 && pair[3] == 0 && pair[7] == 0);       /* lower, means, width */
  }
  for (int h = 0; h < H; ++h, state += STATE) {
    const double left = H - h;
    CHECK(state[0] == left && state[1] == left && state[2] == 0); /* v, ref, v_lower */
    CHECK(((const int64_t *)state)[3] == 1);
  }
  far_agent_free(agent);
}

/* Nothing is promised where something can be earned; what is over has its one value, here half a unit for
 * every step that is left, as 0 is in the midst of the rewards. */
static void test_orlc_begins(void) {
  enum { S = 2, H = 2, LOW = (H + 1) * (S + 1) };
  static const bool absent[S] = {true, false};
  static const double expected[LOW] = {1, 0, 1, 0.5, 0, 0.5, 0, 0, 0}; /* absent, live, the end */
  far_agent *agent = start("orlc", SHAPE(S, 1, -1, 1, true, absent, H));
  const double *low = (const double *)far__agent_state(agent) + agent->state_size / 8 - LOW;
  for (int i = 0; i < LOW; ++i) CHECK(low[i] == expected[i]);
  far_agent_free(agent);
}

/* No start was seen, so that nothing is certain yet. */
static void test_no_start(void) {
  far_agent *agent = start("orlc", SHAPE(2, 2, 0, 1, true, NULL, 1));
  double bound = -1;
  CHECK(!far_agent_uncertified(agent, &bound) && bound == -1);
  see(agent, 1, 1, 0);
  CHECK(far_agent_uncertified(agent, &bound) && bound >= 0);
  far_agent_free(agent);
}

/* One state and one action in two steps, and no bonus but left/n. The fourth visit has rate 1/4, momentum
 * 2/(2+4) 3/4 = 1/4, and drift 0 - 1. */
static void test_ucbmq(void) {
  far_agent *agent = start("ucbmq:c=0", SHAPE(1, 1, 0, 1, true, NULL, 2));
  double *upper = far__agent_state(agent), *q = upper + 2, *v = q + 4, *bias = v + 2;
  int64_t *visits = (int64_t *)(q + 2);
  CHECK(v[0] == 2 && v[1] == 1 && bias[0] == 0);
  visits[0] = 3, q[0] = -1, bias[0] = 1, v[1] = 0;
  see(agent, 0, 0, 0);
  CHECK(q[0] == -0.75 - 0.25 && upper[0] == q[0] + 2 / 4.0);
  CHECK(v[0] == 0); /* as upper is negative */
  CHECK(bias[0] == 0.5 && visits[0] == 4);
  see(agent, 0, 1, 0); /* the last step has no other behind it */
  CHECK(q[1] == 1 && upper[1] == 2 && v[1] == 0 && bias[1] == 0);
  visits[0] = 7, q[0] = 0.5, bias[0] = v[1] = 0.25, v[0] = 2; /* rate 1/8, no drift */
  see(agent, 0, 0.25, 0);
  CHECK(q[0] == 0.5 && upper[0] == 0.75 && v[0] == 0.75 && bias[0] == 0.25);
  far_agent_free(agent);
}

/* ---- values that round, and rules that choose ---- */

/* A spread that comes out below 0 by rounding is none. Of S = 2 and A = 1 the words are mu, lambda, alpha, beta and
 * visits of both. */
static void test_bayes_q(void) {
  far_agent *agent = start("bayes-q:gamma=0.9", SHAPE(2, 1, 0, 200, true, NULL, 0));
  double *mu = far__agent_state(agent), *lambda = mu + 2, *alpha = mu + 4, *beta = mu + 6;
  bool below = false;
  for (int k = 1; k <= 64; ++k) {
    const double r = k / 8.0, first = r + 0.9 * (mu[1] = 3 * k / 8.0), before = beta[0] = 0x1p-40;
    lambda[1] = 1e6, alpha[1] = 3, beta[1] = 1e-30;
    const double square = (lambda[1] + 1) / lambda[1] * (beta[1] / (alpha[1] - 1));
    const double second = r * r + 2 * 0.9 * r * mu[1] + 0.9 * 0.9 * (square + mu[1] * mu[1]);
    const double spread = second - first * first;
    mu[0] = first; /* no error */
    see(agent, 0, r, 1);
    CHECK(beta[0] == before + (spread > 0 ? spread : 0) / 2);
    below |= spread < 0;
  }
  CHECK(below); /* it does happen */
  far_agent_free(agent);
}

/* Counters 1 and 4: f/C is 0.95/1 and 0.05/4 of the epsilon-greedy rule, and e^0/1 and e^2/4 of the softmax. */
static void check_dora(const char *spec, double second, int chosen) {
  far_agent *agent = start(spec, SHAPE(1, 2, 0, 1, true, NULL, 0));
  double *q = (double *)far__agent_state(agent) + 2, *l = q + 2, p[2];
  double unit = 0;
  see(agent, 0, 0, 0); /* its counter becomes 1 */
  unit = l[0];
  q[0] = 0, q[1] = second, l[1] = 4 * unit;
  CHECK(far_agent_policy(agent, 0, p) && p[chosen] == 1 && p[1 - chosen] == 0);
  l[1] = 0; /* untried */
  CHECK(far_agent_policy(agent, 0, p) && p[0] == 0 && p[1] == 1);
  far_agent_free(agent);
}

static void test_dora(void) {
  check_dora("dora:gamma_e=0,epsilon=0.1,rule=lll-epsilon", -1, 0);
  check_dora("dora:gamma_e=0,temperature=1,rule=lll-softmax", 1, 0); /* e/4 < 1 */
  check_dora("dora:gamma_e=0,temperature=1,rule=lll-softmax", 2, 1);
}

/* ---- average reward: when a plan is over ---- */

typedef struct planning {
  int backups, plans;
  double rise; /* of state 0 in every sweep; state 1 stays */
} planning;

static planning seen;

static double backup(const average *u, size_t pair) {
  ++seen.backups;
  return u->l.v[pair] + (pair == 0 ? seen.rise : 0);
}

static void planned(average *u) {
  ++seen.plans;
  CHECK(u->rise == seen.rise);
}

/* The fourth step visits pair 0 for the first time. Then the span of a sweep's change is compared with
 * range/sqrt(4) = 1. */
static void check_plan(int most, double rise, int sweeps) {
  const average_rule rule = {.backup = backup, .planned = planned, .most_sweeps = most};
  const far_transition step = {0, 0, 0.5, 0, false, false};
  far_agent *agent = start("ucrl2", SHAPE(2, 1, -1, 1, true, NULL, 0));
  CHECK(far__agent_grow(agent, average_need(agent, 0), NULL) == FAR_OK);
  seen = (planning){.rise = rise};
  agent->t = 3;
  average_observe(agent, &step, &rule, NULL);
  const average u = average_of(agent);
  CHECK(seen.plans == 1 && seen.backups == 2 * sweeps);
  CHECK(u.base[0] == 1 && u.base[1] == 0 && u.l.v[0] == sweeps * rise && u.l.v[1] == 0);
  far_agent_free(agent);
}

static void test_sweeps(void) {
  check_plan(3, 1, 3); /* so wide a span is not enough */
  check_plan(3, 0.75, 1);
  check_plan(1, 1, 1);
  check_plan(0, 1, AVERAGE_MOST_SWEEPS);
}

/* A reward is kept while its transition is pending, and no longer. */
static void test_pending(void) {
  far_agent *agent = start("ucrl2", SHAPE(2, 1, -1, 0.5, true, NULL, 0));
  const average_state *state = average_of(agent).state;
  far_transition step = {1, 0, 0.25, 0, true, false};
  CHECK(state->pending == AVERAGE_NOTHING && state->reward == 0);
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  state = average_of(agent).state;
  CHECK(state->pending == 1 && state->reward == 1.25); /* above the least */
  step = (far_transition){0, 0, 0.25, 1, false, true};
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  state = average_of(agent).state;
  CHECK(state->pending == AVERAGE_CUT && state->reward == 0);
  see(agent, 1, 0.25, 1);
  state = average_of(agent).state;
  CHECK(state->pending == AVERAGE_NOTHING && state->reward == 0);
  far_agent_free(agent);
}

/* ---- intervals of rewards ---- */

/* One state that stays: Q = (1/2 + 2a/sqrt(n)) / (1 - gamma), planned anew at visits 1, 2 and 4. */
static void test_ucrl_gamma(void) {
  far_agent *agent =
      start("ucrl-gamma:gamma=0.5,l1=0,a=0.25,tol=1e-9", SHAPE(1, 1, 0, 2, false, NULL, 0));
  double q = 0;
  for (int n = 1; n <= 4; ++n) {
    see(agent, 0, 0.5, 0);
    CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &q));
    CHECK_NEAR(q, 2 * (0.5 + 0.5 / sqrt(n == 3 ? 2 : n)), 1e-8);
  }
  far_agent_free(agent);
}

/* ---- memory ---- */

/* The first row has room for one arc of two words, and for another as it grows; an order has half a word for
 * every outcome. */
static void test_needs(void) {
  for (uint32_t s = 3; s <= 4; ++s) {
    far_agent *agent = start("mbie", SHAPE(s, 2, 0, 1, true, NULL, 0));
    CHECK(far__agent_type_of(agent)->pool_need(agent) == 4 + (s + 2) / 2);
    far_agent_free(agent);
  }
  far_agent *agent = start("ucrl-gamma", SHAPE(5, 13, 0, 1, true, NULL, 0));
  const size_t kept = 2 + 3 * (5 + 1) + 2, boxes = 4; /* 65 pairs have marks in two words */
  CHECK(far__agent_type_of(agent)->memo_need(agent) == learner_memo_need(agent) + kept + boxes);
  far_agent_free(agent);
}

/* So many words that twice as many bytes would be counted anew from 0. */
static void test_no_room(void) {
  const size_t words = SIZE_MAX / 16 + 2;
  char why[100];
  far_agent *agent = start("mbie", far_shape_default(2, 2));
  far_error error = {0};
  CHECK(far__agent_grow_memo(agent, words, &error) == FAR_STATUS_MEMORY);
  CHECK(error.position == -1 && agent->memo.words == NULL && agent->memo.room == 0);
  snprintf(why, sizeof why, "no memory for the plans of mbie (%.3g GB)", (double)words * 8 / 1e9);
  CHECK_TEXT(error.message, why);
  CHECK(far__agent_grow_memo(agent, 3, &error) == FAR_OK && agent->memo.room == 6);
  far_agent_free(agent);
}

/* ---- drawn models ---- */

static void test_too_many_rows(void) {
  far_agent *agent = start("psrl", far_shape_default(2, 2));
  CHECK(sample_need(agent, SIZE_MAX / 64 + 1, 1) == SIZE_MAX);
  CHECK(sample_need(agent, SIZE_MAX / 100, 1) == SIZE_MAX); /* of so many arcs */
  /* a row has four words, and at most three arcs of two; marks and outcomes of three */
  CHECK(sample_need(agent, 5, 1) == 5 * 4 + 2 * (5 * 3 + 1) + 2 * 3);
  far_agent_free(agent);
}

/* Where all that was drawn is rounded to 0 one outcome has all, and no other is left in the row. */
static void test_no_weight(void) {
  static const bool absent[] = {true, false, false};
  far_agent *agent = start("psrl", SHAPE(3, 1, 0, 1, true, absent, 0));
  const sample_prior prior = {.weight = 1e-300, .deviation = 1, .noise = 1};
  CHECK(far__agent_grow(agent, sample_need(agent, 2, prior.weight), NULL) == FAR_OK);
  sample x = sample_begin(agent, 2, prior);
  const learner_pair unseen = {0};
  for (size_t i = 0; i < 2; ++i) {
    sample_draw(&x, i, &unseen);
    CHECK(x.row[i].first == i && x.row[i].count == 1 && x.row[i].total == 1);
    CHECK(x.arc[i].next == 1 && x.arc[i].weight == 1 && x.used == i + 1);
  }
  far_agent_free(agent);
}

int main(void) {
  test_q_advantage_begins();
  test_orlc_begins();
  test_no_start();
  test_ucbmq();
  test_bayes_q();
  test_dora();
  test_sweeps();
  test_pending();
  test_ucrl_gamma();
  test_needs();
  test_no_room();
  test_too_many_rows();
  test_no_weight();
  return check_report();
}
