/* Agents by steps that stop and recommend, or draw: passes computed by hand, what they do once they have
 * stopped, and problems whose answer is known. */
#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* ---- by hand: one state, one action, rewards in [0, 1], episodes of two steps ---- */

static far_agent *start(const char *spec) {
  far_shape shape = far_shape_default(1, 1);
  far_agent *agent;
  far_error error = {0};
  shape.horizon = 2;
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s: %s\n", spec, error.message);
  return agent;
}

static void visit(far_agent *agent, double r) {
  CHECK(far_agent_observe(agent, &(far_transition){.r = r}, NULL) == FAR_OK);
}

static double at(const far_agent *agent, far_value kind, int64_t h) {
  double x = NAN;
  CHECK(far_agent_value_at(agent, kind, h, 0, 0, &x));
  return x;
}

static double bound_of(const far_agent *agent) {
  double bound = NAN;
  CHECK(far_agent_uncertified(agent, &bound));
  return bound;
}

#define Q(h) at(agent, FAR_VALUE_Q, h)
#define E(h) at(agent, FAR_VALUE_E, h)
#define N at(agent, FAR_VALUE_N, 0)

/* Without bonuses: two visits that pay 1/2 make Q_1 = 1/2 and Q_0 = 1, certainly. It stops at once, and the third
 * visit is not even counted. */
static void trace_stop(void) {
  far_agent *agent = start("bpi-ucbvi:scale=0,eps=0.25");
  double bound;
  CHECK(Q(0) == 2 && Q(1) == 1 && !far_agent_uncertified(agent, &bound));
  visit(agent, 0.5);
  CHECK(Q(0) == 2 && N == 1 && bound_of(agent) == 2 && !far_agent_stopped(agent));
  visit(agent, 0.5);
  CHECK(Q(0) == 1 && Q(1) == 0.5 && N == 2 && bound_of(agent) == 0 && far_agent_stopped(agent));
  visit(agent, 1);
  CHECK(Q(0) == 1 && N == 2 && far_agent_stopped(agent) && far_agent_steps(agent) == 3);
  far_agent_free(agent);
}

/* With t = c beta/n and rho = (7/3) beta'/(n-1), no variance, and b = t + rho at n = 2:
 * step 1: U = 1/2 + b, L = 1/2 - b, G = g = 18t/7 + 2 rho;
 * step 0: U = 1/2 + U_1 + b + (U_1 - L_1)/2 = 1 + 3b, G = g + (1 + 3/2) g.
 * S = A = 1, H = 2, delta = 1/2: lambda = ln 12, mu = ln(24 e), one outcome and the end: dim = 2. */
static void trace_bounds(void) {
  far_agent *agent = start("bpi-ucbvi:scale=0.001,dim=2,c=8,delta=0.5,eps=0.001");
  const double lambda = log(12), mu = 1 + log(24);
  const double t = 8 * 0.001 * (lambda + 2 * mu) / 2, rho = 7.0 / 3 * 0.001 * (lambda + 2 * mu);
  const double b = t + rho, g = 18 * t / 7 + 2 * rho;
  visit(agent, 0.5);
  visit(agent, 0.5);
  CHECK_NEAR(Q(1), 0.5 + b, 1e-14);
  CHECK_NEAR(Q(0), 1 + 3 * b, 1e-14);
  CHECK_NEAR(bound_of(agent), 3.5 * g, 1e-14);
  CHECK(!far_agent_stopped(agent));
  far_agent_free(agent);
}

/* Rewards 0 and 1 have mean 1/2 and variance 1/4: rho = sqrt(2/4 beta'/2) + (7/3) beta'. */
static void trace_reward_width(void) {
  far_agent *agent = start("bpi-ucbvi:scale=0.001,dim=0,c=0,delta=0.5,eps=0.001");
  const double beta = 0.001 * (log(12) + 2 * (1 + log(24)));
  visit(agent, 0);
  visit(agent, 1);
  CHECK_NEAR(Q(1), 0.5 + sqrt(0.25 * beta) + 7.0 / 3 * beta, 1e-14);
  far_agent_free(agent);
}

/* Action 1 is certain to pay the most, action 0 has not been tried and may be as good: ties may take either, so the
 * width is that of the untried one. Once it is known to pay nothing it is not greedy. */
static void trace_ties(void) {
  far_shape shape = far_shape_default(1, 2);
  far_agent *agent;
  shape.horizon = 2;
  CHECK(far_agent_create(&agent, "bpi-ucbvi:scale=0,eps=0.25", &shape, 1, 0, NULL) == FAR_OK);
  for (int i = 0; i < 4; ++i)
    CHECK(far_agent_observe(agent, &(far_transition){.a = 1, .r = 1}, NULL) == FAR_OK);
  CHECK(bound_of(agent) == 2 && !far_agent_stopped(agent));
  CHECK(far_agent_observe(agent, &(far_transition){.a = 0, .r = 0}, NULL) == FAR_OK);
  CHECK(far_agent_observe(agent, &(far_transition){.a = 1, .r = 1}, NULL) == FAR_OK);
  CHECK(bound_of(agent) == 0 && far_agent_stopped(agent));
  far_agent_free(agent);
}

/* W_1 = x, W_0 = x + (1 + 1/2) x with x = c beta/2; Q is that of the estimated model: 1/2 and 1. It has no
 * certificate until it stops, which the second episode decides: at n = 4, by 2(3e sqrt(W_0) + W_0). */
static void trace_rf_express(void) {
  far_agent *agent = start("rf-express:scale=0.01,dim=1,c=2,delta=0.5,eps=6");
  const double x = 0.01 * (log(12) + 1 + log(24)), y = 0.01 * (log(12) + 1 + log(40)) / 2;
  double bound;
  CHECK(E(0) == 2 && E(1) == 2);
  visit(agent, 0.5);
  visit(agent, 0.5);
  CHECK_NEAR(E(1), x, 1e-14);
  CHECK_NEAR(E(0), 2.5 * x, 1e-14);
  CHECK(Q(1) == 0.5 && Q(0) == 1);
  CHECK(!far_agent_stopped(agent) && !far_agent_uncertified(agent, &bound));
  visit(agent, 0.5);
  visit(agent, 0.5);
  CHECK(far_agent_stopped(agent) && N == 4);
  CHECK_NEAR(bound_of(agent), 2 * (3 * exp(1) * sqrt(2.5 * y) + 2.5 * y), 1e-12);
  far_agent_free(agent);
}

/* E_1 = sqrt(2 beta/n), E_0 = 2 sqrt(2 beta/n) + E_1, beta = scale (ln(2 2/delta) + dim ln(e(1 + n/dim))), n = 2. */
static void trace_rf_ucrl(void) {
  far_agent *agent = start("rf-ucrl:scale=0.01,dim=1,delta=0.5,eps=2");
  const double beta = 0.01 * (log(8) + 1 + log(3));
  CHECK(E(0) == 2 && E(1) == 1);
  visit(agent, 0.25);
  visit(agent, 0.25);
  CHECK_NEAR(E(1), sqrt(beta), 1e-14);
  CHECK_NEAR(E(0), 3 * sqrt(beta), 1e-14);
  CHECK(Q(0) == 0.5 && far_agent_stopped(agent));
  CHECK_NEAR(bound_of(agent), 6 * sqrt(beta), 1e-14);
  far_agent_free(agent);
}

/* Where next to nothing is uncertain, what is drawn is the estimated model: 1/2 and 1. */
static void trace_drawn(const char *spec) {
  far_agent *agent = start(spec);
  CHECK(Q(0) == 2 && Q(1) == 1);
  visit(agent, 0.25);
  CHECK(Q(0) == 2 && N == 1);
  visit(agent, 0.75);
  CHECK_NEAR(Q(1), 0.5, 1e-9);
  CHECK_NEAR(Q(0), 1, 1e-9);
  far_agent_free(agent);
}

/* The next value is 1/2, that of the state that does not exist 3: x is between them, and near 3 where that
 * has been seen a billion times. */
static void trace_quantile(void) {
  far_agent *agent = start("bayes-ucbvi:n0=1e9,r0=3,draws=3");
  visit(agent, 0.5);
  visit(agent, 0.5);
  CHECK(Q(1) == 0.5);
  CHECK_NEAR(Q(0), 3.5, 1e-6);
  far_agent_free(agent);
}

/* ---- a policy by steps, and what it earns in an episode ---- */

enum { S = 3, A = 2, H = 4 };

static double earned(const far_mdp *mdp, const far_agent *agent, bool best) {
  double v[S] = {0}, p[A];
  for (int64_t h = H; h-- > 0;) {
    double now[S];
    for (uint32_t s = 0; s < S; ++s) {
      double q[A] = {0}, mean = 0;
      for (uint32_t a = 0; a < A; ++a) {
        size_t count;
        const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
        for (size_t k = 0; k < count; ++k) q[a] += o[k].probability * (o[k].reward + v[o[k].next]);
      }
      CHECK(far_agent_policy_at(agent, h, s, p));
      for (uint32_t a = 0; a < A; ++a) mean += p[a] * q[a];
      now[s] = best ? fmax(q[0], q[1]) : mean;
    }
    for (uint32_t s = 0; s < S; ++s) v[s] = now[s];
  }
  return v[0]; /* the chain starts there */
}

static double loss(const far_mdp *mdp, const far_agent *agent) {
  return earned(mdp, agent, true) - earned(mdp, agent, false);
}

/* So many episodes, fewer where it stops. */
static int run(const far_mdp *mdp, far_agent *agent, far_rng *rng, int episodes) {
  for (int i = 0; i < episodes; ++i) {
    if (far_agent_stopped(agent)) return i;
    for (uint32_t s = 0, h = 0; h < H; ++h) {
      const uint32_t a = far_agent_act(agent, s);
      const far_outcome *o = far_mdp_step(mdp, s, a, rng);
      const far_transition step = {s, a, o->reward, o->next, false, false};
      CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
      s = o->next;
    }
  }
  return episodes;
}

static far_agent *on_chain(far_mdp **mdp, far_rng *rng, const char *spec, uint64_t seed) {
  far_agent *agent;
  far_error error = {0};
  CHECK(far_mdp_create(mdp, "chain:n=3,horizon=4,left=0.2", NULL) == FAR_OK);
  CHECK(far_agent_create_on(&agent, spec, *mdp, 0, seed, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s: %s\n", spec, error.message);
  far_rng_init(rng, seed, 0, FAR_PURPOSE_TRANSITION);
  return agent;
}

/* Stops, keeps its promise (and finds the best policy), and learns nothing more. */
static void test_stops(const char *spec, uint64_t seed) {
  far_mdp *mdp;
  far_rng rng;
  far_agent *agent = on_chain(&mdp, &rng, spec, seed), *copy;
  const int episodes = run(mdp, agent, &rng, 3000);
  CHECK(far_agent_stopped(agent) && episodes > 1);
  CHECK(bound_of(agent) <= 2);
  CHECK(loss(mdp, agent) <= 0.02);
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK);
  for (uint32_t s = 0; s < S; ++s) {
    const far_transition step = {s, 0, 1, 0, false, false};
    double before, after;
    CHECK(far_agent_observe(copy, &step, NULL) == FAR_OK);
    for (int64_t h = 0; h < H; ++h) {
      CHECK(far_agent_value_at(agent, FAR_VALUE_Q, h, s, 0, &before));
      CHECK(far_agent_value_at(copy, FAR_VALUE_Q, h, s, 0, &after) && after == before);
      CHECK(far_agent_value_at(agent, FAR_VALUE_N, h, s, 0, &before));
      CHECK(far_agent_value_at(copy, FAR_VALUE_N, h, s, 0, &after) && after == before);
    }
  }
  far_agent_free(copy);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* With the rates of the proof, if not its c: values stay above the best, and the certificate above the loss. */
static void test_certified(void) {
  far_mdp *mdp;
  far_rng rng;
  far_agent *agent = on_chain(&mdp, &rng, "bpi-ucbvi:preset=theory,stages=shared,c=1", 1);
  bool good = true;
  double bound = 0, q[A];
  for (int k = 0; k < 200; ++k) {
    run(mdp, agent, &rng, 20);
    bound = bound_of(agent);
    for (uint32_t a = 0; a < A; ++a) CHECK(far_agent_value_at(agent, FAR_VALUE_Q, 0, 0, a, &q[a]));
    good &= bound >= loss(mdp, agent) && fmax(q[0], q[1]) >= earned(mdp, agent, true);
  }
  CHECK(good && bound < 3.9); /* and they say something */
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* A certificate is given with parameters that carry the guarantee, and with no others; copies and loaded agents
 * follow the same rule. eps = 30: all four have one after an episode. */
static void test_guarantee(const char *name) {
  static const char *const keys[] = {"", ":preset=theory"};
  for (int theory = 0; theory < 2; ++theory) {
    char spec[FAR_SPEC_SIZE];
    double bound;
    snprintf(spec, sizeof spec, "%s%s%s", name, keys[theory],
             strcmp(name, "orlc") == 0 ? ""
             : theory                  ? ",eps=30"
                                       : ":eps=30");
    far_agent *agent = start(spec), *copy;
    CHECK(!far_agent_certificate(agent, &bound) && !far_agent_uncertified(agent, &bound));
    visit(agent, 0.5);
    visit(agent, 0.5);
    CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK);
    CHECK(far_agent_certificate(agent, &bound) == theory);
    CHECK(far_agent_uncertified(agent, &bound) == !theory);
    CHECK(far_agent_certificate(copy, &bound) == theory);
    far_agent_free(copy);
    far_agent_free(agent);
  }
}

/* Those that draw find the best policy, or nearly: a draw may turn it now and then. */
static void test_learns(const char *spec, uint64_t seed) {
  far_mdp *mdp;
  far_rng rng;
  far_agent *agent = on_chain(&mdp, &rng, spec, seed);
  double mean = 0;
  run(mdp, agent, &rng, 400);
  for (int k = 0; k < 50; ++k) {
    run(mdp, agent, &rng, 1);
    mean += loss(mdp, agent) / 50;
  }
  CHECK(mean < 0.05 * earned(mdp, agent, true));
  if (!(mean < 0.05 * earned(mdp, agent, true))) printf("  %s: loses %g\n", spec, mean);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

int main(void) {
  trace_stop();
  trace_bounds();
  trace_reward_width();
  trace_ties();
  trace_rf_express();
  trace_rf_ucrl();
  trace_drawn("psrl-episodic:prior=0,sn=1e-50");
  trace_drawn("rlsvi-episodic:sn=1e-50");
  trace_drawn("bayes-ucbvi:r0=0.5,n0=1e-6");
  trace_quantile();
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    test_stops("bpi-ucbvi:eps=2,scale=0.05", seed);
    test_stops("rf-express:eps=2,scale=0.05,c=0.2", seed);
    test_stops("rf-ucrl:eps=2,scale=0.025", seed);
    test_learns("psrl-episodic:sp=1,sn=0.25", seed);
    test_learns("rlsvi-episodic:sn=0.5", seed);
    test_learns("bayes-ucbvi", seed);
  }
  test_certified();
  test_guarantee("orlc");
  test_guarantee("bpi-ucbvi");
  test_guarantee("rf-express");
  test_guarantee("rf-ucrl");
  return check_report();
}
