/* The model-free agents of finite horizon: steps computed by hand from docs/agents.md, with numbers that
 * are exact in binary wherever no square root or third enters, and problems whose answer is known.
 *
 * The world of the traces is one state with one action that leads back, in episodes of two steps; the
 * rewards lie in [0, 1] unless told. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "episodes.h"

static const double TINY = 1e-13;

static far_agent *start(const char *spec, double rmin, double rmax) {
  const far_shape shape = SHAPE(1, 1, rmin, rmax, true, NULL, 2);
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s\n", error.message);
  return agent;
}

/* One step; an episode of two. */
static void visit(far_agent *agent, double r, bool done) {
  const far_transition step = {.s = 0, .a = 0, .r = r, .next = 0, .done = done};
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
}

static void episode(far_agent *agent, double first, double second) {
  visit(agent, first, false);
  visit(agent, second, false);
  CHECK(far_agent_episode_step(agent) == 0);
}

static double get(const far_agent *agent, far_value kind, int64_t h) {
  double x = NAN;
  CHECK(far_agent_value_at(agent, kind, h, 0, 0, &x));
  return x;
}

#define Q(h) get(agent, FAR_VALUE_Q, h)
#define N(h) get(agent, FAR_VALUE_N, h)
#define LEARN(h) get(agent, FAR_VALUE_LEARN, h)

/* ---- ucb-h: H = 2, c = 1/4: bonuses sqrt(8)/4 = sqrt(1/2), then 1/2; step sizes 1, then 3/4 ---- */

/* First episode: Q_0 = 1/2 + V_1 + b with V_1 = 1, Q_1 = 1/2 + b = 1.2..., of which V_1 is 1.
 * Second: Q_0 = 1/4 (3/2 + b) + 3/4 (1/2 + 1 + 1/2); Q_1 = 1/4 (1/2 + b) + 3/4 (0 + 1/2). */
static void trace_ucb_h(void) {
  const double b = sqrt(0.5);
  far_agent *agent = start("ucb-h:c=0.25,log=off", 0, 1);
  CHECK(Q(0) == 2 && Q(1) == 1 && N(0) == 0);
  episode(agent, 0.5, 0.5);
  CHECK_NEAR(Q(0), 1.5 + b, TINY);
  CHECK_NEAR(Q(1), 0.5 + b, TINY);
  episode(agent, 0.5, 0);
  CHECK_NEAR(Q(0), 0.25 * (1.5 + b) + 0.75 * 2, TINY);
  CHECK_NEAR(Q(1), 0.25 * (0.5 + b) + 0.375, TINY);
  CHECK(N(0) == 2 && N(1) == 2);
  visit(agent, 0,
        true); /* the end, with one step left, is worth 0: 2/5 Q + 3/5 (0 + 0 + sqrt(1/6)) */
  CHECK_NEAR(Q(0), 0.4 * (0.25 * (1.5 + b) + 1.5) + 0.6 * sqrt(8.0 / 3) / 4, TINY);
  CHECK(N(0) == 3 && N(1) == 2 && far_agent_episode_step(agent) == 0);
  far_agent_free(agent);
}

/* Rewards in [-1, 1]: 1 is x = 1, and with one step left the end is worth 1/2. Told as 2 Q - 2. */
static void trace_units(const char *spec, double bonus) {
  far_agent *agent = start(spec, -1, 1);
  CHECK(Q(0) == 2 && Q(1) == 1);
  visit(agent, 1, true);
  CHECK_NEAR(Q(0), 2 * (1 + 0.5 + bonus) - 2, TINY);
  visit(agent, 0, false);
  visit(agent, 0, true); /* at the last step nothing is left */
  CHECK_NEAR(Q(1), 2 * (0.5 + bonus) - 1, TINY);
  far_agent_free(agent);
}

/* With one pair and two steps iota(k) = ln(4 k(k+1)/delta). */
static void trace_log(void) {
  far_agent *agent = start("ucb-h:c=0.25,log=on,delta=0.5", 0, 1);
  episode(agent, 0.5, 0.25);
  CHECK_NEAR(Q(1), 0.25 + 0.25 * sqrt(8 * log(16)), TINY);
  episode(agent, 0.5, 0.25);
  CHECK_NEAR(Q(1),
             0.25 * (0.25 + 0.25 * sqrt(8 * log(16))) + 0.75 * (0.25 + 0.25 * sqrt(4 * log(48))),
             TINY);
  far_agent_free(agent);
}

/* ---- ucb-b ---- */

/* c1 = 1/4, the other bound far: beta = 1/4 sqrt(2 (0 + 2)) = 1/2 at first, b = 1/4. Then the values that
 * followed step 0 are 1 and 3/4, with a variance of 1/64: beta = 1/4 sqrt(1/64 + 2). */
static void trace_ucb_b(void) {
  far_agent *agent = start("ucb-b:c1=0.25,c2=9,tail=0,log=off", 0, 1);
  episode(agent, 0.5, 0.5);
  CHECK(Q(0) == 1.75 && Q(1) == 0.75);
  episode(agent, 0.5, 0);
  const double beta = 0.25 * sqrt(1.0 / 64 + 2), b = (beta - 0.25 * 0.5) / 1.5;
  CHECK_NEAR(Q(0), 0.25 * 1.75 + 0.75 * (0.5 + 0.75 + b), TINY);
  const double beta1 = 0.25 * sqrt(2), b1 = (beta1 - 0.125) / 1.5;
  CHECK_NEAR(Q(1), 0.25 * 0.75 + 0.75 * b1, TINY);
  far_agent_free(agent);
}

/* The tail: 1/4 (2 + 2) = 1, b = 1/2. And the other bound: c2 sqrt(8) = sqrt(1/2), b half of it. */
static void trace_bounds(void) {
  far_agent *agent = start("ucb-b:c1=0.25,c2=9,tail=2,log=off", 0, 1);
  visit(agent, 0, false);
  CHECK(Q(0) == 1.5);
  far_agent_free(agent);
  agent = start("ucb-b:c1=0.25,c2=0.125,tail=2,log=off", 0, 1);
  visit(agent, 0, false);
  CHECK_NEAR(Q(0), 1 + sqrt(8) / 16, TINY);
  far_agent_free(agent);
}

/* ---- ucbmq, c = 0: the bonus is left/n ---- */

/* First: Q_0 = 3/2 + 2, Q_1 = 1/2 + 1; V stays at 2 and 1. Second: no drift, since V_1 is what it was:
 * Q_0 = 3/2 + 1; Q_1 = 1/4 + 1/2, so V_1 falls to 3/4. Third: the bias value is 1, the drift -1/4, the
 * momentum 2/5 2/3 = 4/15: Q_0 = 2/3 3/2 + 1/3 (1/2 + 3/4) - 1/15 + 2/3. The bias value is then
 * 1 - 3/5 1/4 = 17/20, and the fourth has the momentum 1/3 3/4 = 1/4 of 5/8 - 17/20. */
static void trace_ucbmq(void) {
  far_agent *agent = start("ucbmq:c=0", 0, 1);
  episode(agent, 0.5, 0.5);
  CHECK(Q(0) == 3.5 && Q(1) == 1.5);
  episode(agent, 0.5, 0);
  CHECK(Q(0) == 2.5 && Q(1) == 0.75);
  visit(agent, 0.5, false);
  CHECK_NEAR(Q(0), 1 + 5.0 / 12 - 1.0 / 15 + 2.0 / 3, TINY);
  visit(agent, 0.375, false); /* Q_1 = 2/3 1/4 + 1/3 3/8 = 7/24, and 1/3 */
  CHECK_NEAR(Q(1), 0.625, TINY);
  const double third = 1 + 5.0 / 12 - 1.0 / 15;
  visit(agent, 0.5, false);
  CHECK_NEAR(Q(0), 0.75 * third + 0.25 * (0.5 + 0.625) + 0.25 * (0.625 - 0.85) + 0.5, TINY);
  far_agent_free(agent);
}

/* The bonus is at most left. */
static void trace_ucbmq_bonus(void) {
  far_agent *agent = start("ucbmq:c=4", 0, 1);
  episode(agent, 0, 0);
  CHECK(Q(0) == 3 && Q(1) == 1);
  far_agent_free(agent);
}

/* ---- rand-ql: with kappa near 0 the step sizes are near their means ---- */

/* Then a stage of Staged-RandQL is a mean of the prior value, r0 left, and its targets: 2 and 3/2, 3/2 at
 * step 0, 1 and 1/2, 0 at step 1. Stages have 2, 3 and 4 samples. */
static void trace_staged(void) {
  far_agent *agent = start("rand-ql:form=staged,ensemble=2,prior=1,kappa=1e-6", 0, 1);
  episode(agent, 0.5, 0.5);
  CHECK(Q(0) == 2 && Q(1) == 1 && N(0) == 1);
  episode(agent, 0.5, 0);
  CHECK_NEAR(Q(0), 5.0 / 3, 0.01);
  CHECK_NEAR(Q(1), 0.5, 0.01);
  episode(agent, 0, 0);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.5, 0.01);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.25, 0.01); /* 1, 0, 0, 0 */
  for (int i = 0; i < 3; ++i) episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.25, 0.01);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.2, 0.01);
  far_agent_free(agent);
}

/* RandQL without a prior: step sizes 3/(3+n), so Q_1 = 1/4 1 + 3/4 1/2, then 2/5 of that. */
static void trace_step(void) {
  far_agent *agent = start("rand-ql:form=step,ensemble=2,prior=1e-6,kappa=1e-6", 0, 1);
  episode(agent, 0.5, 0.5);
  CHECK_NEAR(Q(1), 0.625, 0.01);
  CHECK_NEAR(Q(0), 0.25 * 2 + 0.75 * 1.5, 0.01);
  episode(agent, 0.5, 0);
  CHECK_NEAR(Q(1), 0.25, 0.01);
  far_agent_free(agent);
}

/* A prior that outweighs everything keeps the value at left. */
static void trace_prior(void) {
  far_agent *agent = start("rand-ql:form=step,ensemble=2,prior=1e6,kappa=1e-6", 0, 1);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(0), 2, 0.01);
  far_agent_free(agent);
}

/* ---- q-advantage ---- */

/* Without bonuses, settle = 3/4. First: U = G = 3/2, L = 1/2 at step 0, which stays open (1 apart); 1/2 for
 * all at step 1, which settles. Second: U = 9/8, G = 3/8 + 3/4 (1/2 + 3/4) = 21/16, L = 7/8: Q_0 = 9/8,
 * settled; Q_1 = 1/8, its reference stays at 1/2. Third: v = 1/8, f = 1/2, mu = 2/3: U = 21/40, G =
 * 2/5 21/16 + 3/5 (1/8 - 1/2 + 2/3) = 7/10. */
static void trace_q_advantage(void) {
  far_agent *agent = start("q-advantage:c=0,tail=0,settle=0.75,log=off", 0, 1);
  CHECK(Q(0) == 2 && Q(1) == 1 && LEARN(0) == 1 && LEARN(1) == 1);
  episode(agent, 0.5, 0.5);
  CHECK(Q(0) == 1.5 && Q(1) == 0.5 && LEARN(0) == 1 && LEARN(1) == 0);
  episode(agent, 0.5, 0);
  CHECK(Q(0) == 1.125 && Q(1) == 0.125 && LEARN(0) == 0 && LEARN(1) == 0);
  visit(agent, 0, false);
  CHECK_NEAR(Q(0), 0.525, TINY);
  far_agent_free(agent);
}

/* What the reference is for: rewards of 1 at step 1 raise U, of which G is the smaller. Bonuses: c = 1/4,
 * U has 1/4 sqrt(8), G has tail c H^2 = tail; with tail = 1/8: G = 0 + 0 + 1 + 1/8 = 9/8 < U. */
static void trace_bonuses(void) {
  far_agent *agent = start("q-advantage:c=0.25,tail=0.125,settle=0.75,log=off", 0, 1);
  visit(agent, 0, false);
  CHECK_NEAR(Q(0), 1 + 0.125, TINY);
  far_agent_free(agent);
  agent = start("q-advantage:c=0.25,tail=1,settle=0.75,log=off", 0, 1);
  visit(agent, 0, false);
  CHECK_NEAR(Q(0), 1 + sqrt(0.5), TINY); /* U */
  far_agent_free(agent);
}

/* The width of G: after references 1 and 1/2 (settled) its variance is 1/16. Second visit of step 0, c = 1,
 * tail = 0: B = sqrt(1/2) (1/4 + 0), g = B + (1/4)(B - 0)/(3/4); what the first left, G = 1/2 + 1, is the
 * smaller of the two then, and Q_0 = 1/4 3/2 + 3/4 (0 + 0 + 3/4 + g). */
static void trace_width(void) {
  far_agent *agent = start("q-advantage:c=1,tail=0,settle=9,log=off", 0, 1);
  const double b = sqrt(0.5) / 4, g = b + b / 3;
  episode(agent, 0.5, 0.5);
  CHECK_NEAR(Q(0), 1.5, TINY);
  CHECK_NEAR(Q(1), 0.5, TINY);
  visit(agent, 0, false);
  CHECK_NEAR(Q(0), 0.25 * 1.5 + 0.75 * (0.75 + g), TINY);
  far_agent_free(agent);
}

/* ---- refusals ---- */

static void refused(const char *spec, far_shape shape, far_status status, const char *part) {
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == status);
  CHECK_CONTAINS(error.message, part);
}

static void test_refusals(const char *spec) {
  refused(spec, far_shape_default(3, 2), FAR_STATUS_CONFLICT, "horizon");
  refused(spec, SHAPE(1000, 10, 0, 1, true, NULL, 1000000), FAR_STATUS_MEMORY, "2^31");
  refused(spec, SHAPE(2, 2, 0, 1e308, true, NULL, 20), FAR_STATUS_RANGE, "exceeds");
}

/* ---- behaviour ---- */

static void test_traces(void) {
  trace_ucb_h();
  trace_units("ucb-h:c=0.25,log=off", sqrt(0.5));
  trace_units("ucb-b:c1=0.25,c2=9,tail=0,log=off", 0.25);
  trace_log();
  trace_ucb_b();
  trace_bounds();
  trace_ucbmq();
  trace_ucbmq_bonus();
  trace_staged();
  trace_step();
  trace_prior();
  trace_q_advantage();
  trace_bonuses();
  trace_width();
}

static void test_behaviour(void) {
  const char *river = "riverswim:n=6,form=2013,horizon=20", *chain = "chain:n=5,horizon=10";
  static const char *const all[] = {"ucb-h:c=0.01", "ucb-b:c1=0.05", "ucbmq", "rand-ql",
                                    "q-advantage:c=0.02,settle=1"};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    test_refusals(all[i]);
    learns(river, all[i], 80000, i < 4 ? 0.95 : 0.85);
    learns(chain, all[i], 20000, 0.9);
  }
  learns(chain, "rand-ql:form=staged", 40000, 0.85);
  refused("ucbmq", SHAPE(5000, 10, 0, 1, true, NULL, 100), FAR_STATUS_MEMORY, "every state");
  CHECK(optimistic("riverswim:n=4,form=2013,horizon=8", "ucb-h:preset=theory", 20000));
  CHECK(optimistic("riverswim:n=4,form=2013,horizon=8", "ucb-b:preset=theory", 20000));
  CHECK(optimistic("riverswim:n=4,form=2013,horizon=8", "q-advantage:preset=theory", 20000));
  CHECK(!optimistic("riverswim:n=4,form=2013,horizon=8", "ucb-h:c=0", 20000));
}

int main(void) {
  test_traces();
  test_behaviour();
  return check_report();
}
