/* Properties of the model-free agents that explore by bonuses, counters, bounds and posteriors. */
#include <farsight/farsight.h>
#include <float.h>
#include <stdlib.h>

#include "agents/agent.h"
#include "check.h"
#include "theory/ucb-q.h"
#include "worlds.h"

enum { S = 5, A = 3 };

static const char *const specs[] = {
    "count-q",
    "count-q:place=choice",
    "count-q:decay=linear,step=constant,alpha=0.25",
    "dora",
    "dora:rule=lll-epsilon,epsilon=0.25",
    "dora:rule=softmax",
    "dora:rule=softmax,place=target,decay=linear",
    "dora:rule=epsilon,gamma_e=0",
    "ucb-q",
    "ucb-q:log=on",
    "ucb-q:preset=theory",
    "speedy-q:form=step",
    "speedy-q:form=round,explore=softmax",
    "bayes-q",
    "bayes-q:update=point",
    "bayes-q:choice=vpi",
};

enum { SPECS = sizeof specs / sizeof *specs };

static far_agent *start(const char *spec, const far_shape *shape) {
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s: %s\n", spec, error.message);
  return agent;
}

static double get(const far_agent *agent, far_value kind, uint32_t s, uint32_t a) {
  double x = NAN;
  CHECK(far_agent_value(agent, kind, s, a, &x));
  return x;
}

static void observe(far_agent *agent, uint32_t s, uint32_t a, double r, uint32_t next, bool done) {
  CHECK(far_agent_observe(agent, &(far_transition){s, a, r, next, done, false}, NULL) == FAR_OK);
}

/* A world of rewards in [-1, 1] times `scale` in which every tenth step or so ends an episode. */
typedef struct walk {
  far_agent *agent;
  far_rng rng;
  double scale;
  uint32_t s;
} walk;

static walk walk_of(const char *spec, double scale) {
  far_shape shape = far_shape_default(S, A);
  shape.reward_min = -scale;
  shape.reward_max = scale;
  walk w = {.agent = start(spec, &shape), .scale = scale};
  far_rng_init(&w.rng, 5, 0, FAR_PURPOSE_TRANSITION);
  return w;
}

static uint32_t walk_step(walk *w) {
  const uint32_t a = far_agent_act(w->agent, w->s);
  const uint32_t next = far_rng_below(&w->rng, S);
  const bool done = far_rng_below(&w->rng, 10) == 0;
  const double r = ((double)((w->s + a) % 3) - 1 + (far_rng_uniform(&w->rng) - 0.5)) / 1.5;
  CHECK(a < A);
  observe(w->agent, w->s, a, r * w->scale, next, done);
  w->s = done ? 0 : next;
  return a;
}

/* ---- all of them ---- */

/* The canonical spec makes the same agent. */
static void test_canonical(const char *spec) {
  walk w = walk_of(spec, 1);
  const far_shape shape = *far_agent_shape(w.agent);
  far_agent *again = start(far_agent_spec(w.agent), &shape);
  CHECK_TEXT(far_agent_spec(again), far_agent_spec(w.agent));
  far_agent_free(again);
  far_agent_free(w.agent);
}

/* Rewards and their range times 8: the same actions, values times 8 to the last bit. */
static void test_scale(const char *spec) {
  walk one = walk_of(spec, 1), eight = walk_of(spec, 8);
  for (int t = 0; t < 2000; ++t) CHECK(walk_step(&one) == walk_step(&eight));
  for (uint32_t s = 0; s < S; ++s)
    for (uint32_t a = 0; a < A; ++a)
      CHECK(8 * get(one.agent, FAR_VALUE_Q, s, a) == get(eight.agent, FAR_VALUE_Q, s, a));
  far_agent_free(one.agent);
  far_agent_free(eight.agent);
}

/* Any word of the state replaced by rubbish is refused, or does no harm. */
static void test_rubbish(const char *spec) {
  walk w = walk_of(spec, 1);
  for (int t = 0; t < 300; ++t) walk_step(&w);
  const far__agent_type *type = far__agent_type_of(w.agent);
  CHECK(type->valid(w.agent));
  const double reals[] = {NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 5e-324, -1, 0, 0.5, 1e6};
  const int64_t whole[] = {-1, -2, 1, 7, 299, 301, INT64_MIN, INT64_MAX};
  int refused = 0;
  for (size_t word = 0; word < w.agent->state_size / 8; ++word)
    for (size_t i = 0; i < 18; ++i) {
      walk bad = w;
      CHECK(far_agent_clone(&bad.agent, w.agent, NULL) == FAR_OK);
      unsigned char *at = (unsigned char *)far__agent_state(bad.agent) + 8 * word;
      memcpy(at, i < 10 ? (const void *)&reals[i] : (const void *)&whole[i - 10], 8);
      const bool good = type->valid(bad.agent);
      refused += !good;
      for (int t = 0; good && t < 30; ++t) walk_step(&bad);
      far_agent_free(bad.agent);
    }
  CHECK(refused > 0);
  far_agent_free(w.agent);
}

/* A NaN among the numbers of any pair is refused. */
static void test_nan(const char *spec) {
  walk w = walk_of(spec, 1);
  walk_step(&w);
  const size_t words = w.agent->state_size / 8;
  for (size_t word = words % (S * A); word < words; ++word) {
    far_agent *bad;
    const double nan = NAN;
    CHECK(far_agent_clone(&bad, w.agent, NULL) == FAR_OK);
    memcpy((unsigned char *)far__agent_state(bad) + 8 * word, &nan, 8);
    CHECK(!far__agent_type_of(bad)->valid(bad));
    far_agent_free(bad);
  }
  far_agent_free(w.agent);
}

static void test_refused(const char *spec, const char *part) {
  const far_shape shape = far_shape_default(S, A);
  far_error error = {0};
  CHECK(far_agent_check(spec, &shape, NULL, NULL, &error) != FAR_OK);
  CHECK_CONTAINS(error.message, part);
}

/* ---- count-q ---- */

/* Every action of a state is tried before one is repeated, whatever the rewards. In episodes of one
 * step, because dora chooses the next action before it counts the last. */
static void test_untried_first(const char *spec) {
  const far_shape shape = far_shape_default(1, 8);
  far_agent *agent = start(spec, &shape);
  uint32_t tried = 0;
  for (int t = 0; t < 8; ++t) {
    const uint32_t a = far_agent_act(agent, 0);
    CHECK(!(tried >> a & 1u));
    tried |= 1u << a;
    observe(agent, 0, a, 1, 0, true);
  }
  CHECK(tried == 255);
  far_agent_free(agent);
}

/* gamma = 1/2, H = 2. Target: n = 1, alpha = 1: 1/2 + 1/4 + 1/2 min(2, 2) = 7/4; n = 2, alpha =
 * 3/4: 7/4 + 3/4 (1/2 + 1/8 + 7/8 - 7/4) = 25/16. */
static void test_count_trace(void) {
  const far_shape shape = far_shape_default(1, 1);
  far_agent *agent = start("count-q:gamma=0.5,beta=0.25,decay=linear", &shape);
  CHECK(get(agent, FAR_VALUE_Q, 0, 0) == 2);
  observe(agent, 0, 0, 0.5, 0, false);
  CHECK(get(agent, FAR_VALUE_Q, 0, 0) == 1.75);
  observe(agent, 0, 0, 0.5, 0, false);
  CHECK(get(agent, FAR_VALUE_Q, 0, 0) == 25.0 / 16);
  far_agent_free(agent);
  agent = start("count-q:gamma=0.5,place=choice,beta=0.5", &shape);
  CHECK(get(agent, FAR_VALUE_BONUS, 0, 0) == DBL_MAX);
  for (int i = 0; i < 4; ++i) observe(agent, 0, 0, 0, 0, false);
  CHECK(get(agent, FAR_VALUE_BONUS, 0, 0) == 0.25 && get(agent, FAR_VALUE_Q, 0, 0) == 0);
  far_agent_free(agent);
}

/* ---- dora ---- */

static void test_counter_counts(const char *spec) {
  walk w = walk_of(spec, 1);
  double visits[S][A] = {{0}};
  for (int t = 0; t < 20000; ++t) {
    const uint32_t s = w.s;
    visits[s][walk_step(&w)] += 1;
  }
  for (uint32_t s = 0; s < S; ++s)
    for (uint32_t a = 0; a < A; ++a)
      CHECK_NEAR(get(w.agent, FAR_VALUE_N, s, a), visits[s][a], 1e-9 * (1 + visits[s][a]));
  far_agent_free(w.agent);
}

/* E in logarithms against E itself, on a loop: E <- (1-alpha_e) E + alpha_e gamma_e E. */
static void test_e_values(void) {
  const far_shape shape = far_shape_default(1, 1);
  far_agent *agent = start("dora:alpha_e=0.25,gamma_e=0.5", &shape);
  double e = 1;
  for (int t = 0; t < 100; ++t) {
    CHECK_NEAR(get(agent, FAR_VALUE_E, 0, 0), e, 1e-13 * e);
    observe(agent, 0, 0, 0, 0, false);
    e = 0.75 * e + 0.125 * e;
  }
  observe(agent, 0, 0, 0, 9, true);
  CHECK_NEAR(get(agent, FAR_VALUE_E, 0, 0), 0.75 * e, 1e-13 * e);
  far_agent_free(agent);
}

/* The action chosen while learning is the one taken, however often one asks; other states are
 * asked anew. */
static void test_remembered(void) {
  walk w = walk_of("dora:rule=softmax,place=target,temperature=inf", 1);
  for (int t = 0; t < 50; ++t) {
    observe(w.agent, 0, 0, 0, 2, false);
    const uint32_t a = far_agent_act(w.agent, 2);
    for (int i = 0; i < 5; ++i) CHECK(far_agent_act(w.agent, 2) == a);
  }
  observe(w.agent, 2, 0, 0, 2, true);
  uint32_t seen = 0;
  for (int i = 0; i < 50; ++i) seen |= 1u << far_agent_act(w.agent, 2);
  CHECK(seen == 7);
  far_agent_free(w.agent);
}

/* ---- ucb-q ---- */

/* Q^ never rises, starts at Vmax and stays above the least value there can be. */
static void test_only_falls(const char *spec) {
  walk w = walk_of(spec, 1);
  double q[S][A];
  int falls = 0;
  for (uint32_t s = 0; s < S; ++s)
    for (uint32_t a = 0; a < A; ++a) q[s][a] = get(w.agent, FAR_VALUE_Q, s, a);
  CHECK_NEAR(q[0][0], 20, 1e-12);
  for (int t = 0; t < 3000; ++t) {
    const uint32_t s = w.s, a = walk_step(&w);
    const double now = get(w.agent, FAR_VALUE_Q, s, a);
    CHECK(now <= q[s][a] && now >= -20.000001);
    falls += now < q[s][a];
    q[s][a] = now;
  }
  CHECK(falls > 100);
  far_agent_free(w.agent);
}

/* The constants of the theorem, computed elsewhere: R, L and M are 69, 6, 29 in the first case. */
static void test_ucb_theory(void) {
  CHECK_NEAR(far__ucb_q_h(0.95, 2), 276.434378559474, 1e-9);
  CHECK_NEAR(far__ucb_q_h(0.9, 0.5), 133.71884484312645, 1e-9);
  CHECK_NEAR(far__ucb_q_h(0.99, 0.1), 2209.9632302234245, 1e-8);
  CHECK_NEAR(far__ucb_q_c(0.9), 40 * sqrt(2), 1e-12);
}

static void count_warning(void *user, bool severe, const char *message) {
  (void)severe, (void)message;
  *(int *)user += 1;
}

static int warnings(const char *spec) {
  const far_shape shape = far_shape_default(S, A);
  int count = 0;
  CHECK(far_agent_check(spec, &shape, count_warning, &count, NULL) == FAR_OK);
  return count;
}

/* ---- speedy-q ---- */

/* Two states, deterministic: 0 stays (1/4) or goes to 1 (0), 1 stays (1) or goes to 0 (0). gamma =
 * 1/2: V*(1) = 2, V*(0) = 1. */
static void test_speedy(const char *spec, double tolerance) {
  static const double reward[2][2] = {{0.25, 0}, {1, 0}}, best[2][2] = {{0.75, 1}, {2, 0.5}};
  far_shape shape = far_shape_default(2, 2);
  shape.episodic = false;
  far_agent *agent = start(spec, &shape);
  uint32_t s = 0;
  for (int t = 0; t < 40000; ++t) {
    const uint32_t a = far_agent_act(agent, s), next = a == 0 ? s : 1 - s;
    observe(agent, s, a, reward[s][a], next, false);
    s = next;
  }
  for (s = 0; s < 2; ++s)
    for (uint32_t a = 0; a < 2; ++a)
      CHECK_NEAR(get(agent, FAR_VALUE_Q, s, a), best[s][a], tolerance);
  far_agent_free(agent);
}

/* ---- bayes-q ---- */

/* alpha0 = 1 is Student with 2 degrees of freedom, which has a closed form: with equal means the
 * information is worth scale/sqrt 2 for both actions, here sqrt(4/(1*2))/sqrt 2 = 1. */
static void test_vpi_closed(void) {
  const far_shape shape = far_shape_default(1, 2);
  far_agent *agent =
      start("bayes-q:choice=vpi,update=point,alpha0=1,lambda0=2,beta0=4,mu0=3,gamma=0", &shape);
  CHECK_NEAR(get(agent, FAR_VALUE_BONUS, 0, 0), 1, 1e-14);
  CHECK(get(agent, FAR_VALUE_BONUS, 0, 1) == get(agent, FAR_VALUE_BONUS, 0, 0));
  observe(agent, 0, 0, 0, 0, false); /* mu = 6/3 = 2, lambda 3, alpha 1.5, beta 4 + 2 9/6 = 7 */
  CHECK(get(agent, FAR_VALUE_Q, 0, 0) == 2);
  /* action 1 is best and 1 ahead: z = 1/sqrt 2, E = (sqrt(2 + z^2) - z)/2, times sqrt 2 */
  CHECK_NEAR(get(agent, FAR_VALUE_BONUS, 0, 1), (sqrt(5) - 1) / 2, 1e-14);
  far_agent_free(agent);
}

static void test_vpi_positive(void) {
  walk w = walk_of("bayes-q:choice=vpi", 1);
  for (int t = 0; t < 3000; ++t) walk_step(&w);
  for (uint32_t s = 0; s < S; ++s)
    for (uint32_t a = 0; a < A; ++a) {
      const double bonus = get(w.agent, FAR_VALUE_BONUS, s, a);
      CHECK(bonus >= 0 && bonus < 10);
    }
  far_agent_free(w.agent);
  const far_shape shape = far_shape_default(1, 1);
  far_agent *alone = start("bayes-q:choice=vpi", &shape);
  CHECK(get(alone, FAR_VALUE_BONUS, 0, 0) == 0 && far_agent_act(alone, 0) == 0);
  far_agent_free(alone);
}

int main(void) {
  for (int i = 0; i < SPECS; ++i) {
    test_canonical(specs[i]);
    test_scale(specs[i]);
    test_rubbish(specs[i]);
    if (strncmp(specs[i], "speedy", 6) != 0) test_nan(specs[i]);
  }
  test_refused("count-q:alpha=0.5", "step=constant");
  test_refused("dora:place=choice", "lll rules");
  test_refused("dora:epsilon=0.5", "lll-epsilon");
  test_refused("dora:rule=epsilon,temperature=1", "softmax");
  test_refused("dora:rule=softmax,place=target,ties=lowest", "at random");
  test_refused("dora:alpha_e=1e-20", "too small");
  test_refused("ucb-q:eps=1", "preset=theory");
  test_refused("ucb-q:delta=0.5", "log=on");
  test_refused("ucb-q:preset=theory,gamma=0.5", "above 1/2");
  test_refused("ucb-q:preset=theory,eps=1,h=9", "is given");
  test_refused("speedy-q:temperature=1,epsilon=0.5", "explore=epsilon");
  test_refused("bayes-q:alpha0=1", "above 1");
  test_refused("bayes-q:alpha0=0.5,update=point,choice=vpi", "above 1/2");
  CHECK(warnings("ucb-q") == 3 && warnings("ucb-q:preset=theory") == 0);
  CHECK(warnings("count-q") == 0 && warnings("count-q:beta=0,q0=0") == 1);
  CHECK(warnings("dora") == 0 && warnings("dora:rule=softmax,beta=0") == 1);
  test_untried_first("count-q:place=choice");
  test_untried_first("count-q:place=choice,beta=0,ties=highest");
  test_untried_first("dora:rule=softmax");
  test_untried_first("dora:rule=epsilon,epsilon=0");
  test_count_trace();
  test_counter_counts("dora:gamma_e=0");
  test_counter_counts("dora:gamma_e=0,rule=epsilon,alpha_e=0.5");
  test_e_values();
  test_remembered();
  test_only_falls("ucb-q:gamma=0.95");
  test_only_falls("ucb-q:gamma=0.95,log=on,c=0.01");
  test_ucb_theory();
  test_speedy("speedy-q:gamma=0.5,form=round,epsilon=0.5", 1e-2);
  test_speedy("speedy-q:gamma=0.5,form=step,epsilon=0.5", 1e-2);
  test_vpi_closed();
  test_vpi_positive();
  return check_report();
}
