/* Traces computed by hand from the pseudo-code, with numbers that are exact in binary wherever no
 * square root enters. The world is one state with one action that pays 1/2 and leads back; gamma =
 * 1/2, rewards in [0, 1], so Vmax = 2. A second state serves where two pairs are needed. */
#include <farsight/farsight.h>

#include "check.h"

static far_agent *start(const char *spec, uint32_t n_states) {
  const far_shape shape = far_shape_default(n_states, 1);
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s\n", error.message);
  return agent;
}

/* One visit of the self-loop at s. */
static void visit(far_agent *agent, uint32_t s, double r) {
  CHECK(far_agent_observe(agent, &(far_transition){s, 0, r, s, false, false}, NULL) == FAR_OK);
}

static double get(const far_agent *agent, far_value kind, uint32_t s) {
  double x = NAN;
  CHECK(far_agent_value(agent, kind, s, 0, &x));
  return x;
}

#define Q(s) get(agent, FAR_VALUE_Q, s)
#define E(s) get(agent, FAR_VALUE_E, s)
#define BONUS(s) get(agent, FAR_VALUE_BONUS, s)
#define N(s) get(agent, FAR_VALUE_N, s)
#define LEARN(s) get(agent, FAR_VALUE_LEARN, s)

/* Delayed Q-learning, m = 2, eps1 = 1/8. Targets 1/2 + Q/2:
 * t=1,2: 3/2, and 2 - 3/2 >= 1/4: Q = 3/2 + 1/8 = 13/8.
 * t=3,4: 1/2 + 13/16 = 21/16, and 13/8 - 21/16 = 5/16 >= 1/4: Q = 21/16 + 1/8 = 23/16.
 * t=5,6: 1/2 + 23/32 = 39/32, and 23/16 - 39/32 = 7/32 < 1/4: a failure in which nothing changed
 *        (begun at 5, last success at 4), so LEARN goes off. t=7 is ignored. */
static void trace_delayed(const char *spec) {
  far_agent *agent = start(spec, 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 2 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && N(0) == 0 && LEARN(0) == 1);
  visit(agent, 0, 0.5);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 23.0 / 16);
  visit(agent, 0, 0.5);
  CHECK(LEARN(0) == 1 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 23.0 / 16 && LEARN(0) == 0 && N(0) == 0);
  visit(agent, 0, 0.5);
  CHECK(LEARN(0) == 0 && N(0) == 0);
  far_agent_free(agent);
}

/* State 0 is switched off at t=6 as above; state 1 succeeds at t=8. The next visit to state 0, t=9,
 * enables it again: in the 2009 form the sample counts, in the 2006 form it is discarded. */
static void trace_again(const char *spec, double counted) {
  far_agent *agent = start(spec, 2);
  for (int i = 0; i < 6; ++i) visit(agent, 0, 0.5);
  CHECK(LEARN(0) == 0);
  visit(agent, 1, 0.5);
  visit(agent, 1, 0.5);
  CHECK(Q(1) == 13.0 / 8 && LEARN(0) == 0); /* lazily: only a visit looks */
  visit(agent, 0, 0.5);
  CHECK(LEARN(0) == 1 && N(0) == counted);
  far_agent_free(agent);
}

/* The form of 2006 keeps the time of the last attempt when a pair is switched on again: gamma 4/5, eps1 1/10, m = 1.
 * State 1 succeeds at t=2, so that state 0 goes on at t=3 although it went off at t=1; its failure at t=4 does not
 * switch it off, since its last attempt was before t=2. */
static void trace_kept(void) {
  far_agent *agent = start("delayed-q:gamma=0.8,eps1=0.1,m=1,form=2006", 2);
  static const uint32_t state[] = {0, 1, 0, 0};
  static const double reward[] = {1, 0, 1, 1}, learn[] = {0, 0, 1, 1};
  for (int i = 0; i < 4; ++i) {
    far_transition step = {.s = state[i], .r = reward[i], .next = 0};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    CHECK(LEARN(0) == learn[i]);
  }
  far_agent_free(agent);
}

/* State 0 pays 1, so that its targets are 2 and its attempts fail; state 1 pays 0 and succeeds at
 * t=3, inside the window of state 0 that began at 1 and fails at 4. The proof needs LEARN to stay
 * on then (a success lies in the window); as printed it goes off. */
static void trace_learn(const char *spec, double learn) {
  far_agent *agent = start(spec, 2);
  visit(agent, 0, 1);
  visit(agent, 1, 0);
  visit(agent, 1, 0);
  CHECK(Q(1) == 1 + 1.0 / 8);
  visit(agent, 0, 1);
  CHECK(Q(0) == 2 && N(0) == 0 && LEARN(0) == learn);
  visit(agent, 0, 1);
  CHECK(N(0) == learn); /* t=5 counts only if the pair still learns */
  far_agent_free(agent);
}

/* Interval estimation, m = 2, eps1 = 1/8, rho = 1/4:
 * t=1: 3/2 + 1/4 = 7/4, 2 - 7/4 >= 1/8: Q = 7/4.   t=2: 11/8 + 1/4 = 13/8: exactly 1/8, Q = 13/8.
 * t=3: 21/16 + 1/4 = 25/16, 1/16 too little.   t=4: 21/16 + 1/(4 sqrt 2) = 1.48928, 0.136: Q. */
static void trace_interval(const char *spec) {
  far_agent *agent = start(spec, 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 7.0 / 4 && N(0) == 0);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 21.0 / 16 + 0.25 / sqrt(2) && N(0) == 0 && LEARN(0) == 1);
  far_agent_free(agent);
}

/* Directed, as before with lambda = 1, eta = e0 = gamma_e = 1/2: E = 2^-k has bonus 1/sqrt k.
 * t=1: Q' = 3 against 7/4 + 1/sqrt 2 = 2.457: success.
 * t=2: 2.457 against 13/8 + 1/sqrt 3 = 2.202: success.
 * t=3: 2.202 against 25/16 + 1/2 = 2.0625: 0.140, success.
 * t=4: 2.0625 against (1/2 + 25/32) + 1/4 + 1/sqrt 5 = 1.978: 0.084, failure; the window stays
 * open. t=5: mean 41/32, width 1/(4 sqrt 2): 1.458 + 0.447 = 1.905: success. */
static void trace_directed(void) {
  far_agent *agent = start("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=0.25,lambda=1,eta=0.5,"
                           "gamma_e=0.5",
                           1);
  CHECK(Q(0) == 2 && E(0) == 0.5);
  CHECK_NEAR(BONUS(0), 1, 1e-15);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 7.0 / 4 && E(0) == 1.0 / 4);
  CHECK_NEAR(BONUS(0), 1 / sqrt(2), 1e-15);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && E(0) == 1.0 / 8);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 25.0 / 16 && E(0) == 1.0 / 16);
  CHECK_NEAR(BONUS(0), 0.5, 1e-15);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 25.0 / 16 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 41.0 / 32 + 0.25 / sqrt(2) && E(0) == 1.0 / 32 && N(0) == 0);
  CHECK_NEAR(BONUS(0), 1 / sqrt(5), 1e-15);
  far_agent_free(agent);
}

/* What is not printed: E at every visit, alpha_e = gamma_e = 1/2, so that the self-loop takes E to 3/4 E,
 * and the bonus 2 sqrt E. It has no part in the test of an update. m = 1, width 1/4:
 * t=1: 3/2 + 1/4 = 7/4, lower by 1/4. t=2: 11/8 + 1/4 = 13/8, lower by 1/8 = eps1: success.
 * t=3: 21/16 + 1/4 = 25/16, lower by 1/16: failure, LEARN off; E falls all the same, also at t=4. */
static void trace_visit(void) {
  far_agent *agent = start("directed-delayed-q:gamma=0.5,eps1=0.125,m=1,rho=0.25,lambda=2,e0=0.25,"
                           "gamma_e=0.5,e_rule=visit,alpha_e=0.5,bonus=sqrt",
                           1);
  CHECK(Q(0) == 2 && E(0) == 1.0 / 4 && BONUS(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 7.0 / 4 && E(0) == 3.0 / 16);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && E(0) == 9.0 / 64 && BONUS(0) == 3.0 / 4 && LEARN(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && E(0) == 27.0 / 256 && LEARN(0) == 0);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && E(0) == 81.0 / 1024 && LEARN(0) == 0);
  const far_transition end = {0, 0, 0.5, 0, true, false}; /* nothing to explore behind an end */
  CHECK(far_agent_observe(agent, &end, NULL) == FAR_OK);
  CHECK(E(0) == 81.0 / 2048);
  far_agent_free(agent);
}

/* Two states: what state 0 leads to has more to explore, so that its E rises, unless clamped. */
static void trace_visit_rises(const char *clamp, double risen) {
  char spec[200];
  snprintf(spec, sizeof spec,
           "directed-delayed-q:gamma=0.5,eps1=0.125,m=1,lambda=1,eta=0.5,e0=0.5,gamma_e=0.75,"
           "e_rule=visit,alpha_e=1,clamp=%s",
           clamp);
  far_agent *agent = start(spec, 2);
  visit(agent, 0, 0.5);
  visit(agent, 0, 0.5);
  CHECK(E(0) == 9.0 / 32 && E(1) == 0.5);
  const far_transition over = {0, 0, 0.5, 1, false, false};
  CHECK(far_agent_observe(agent, &over, NULL) == FAR_OK);
  CHECK(E(0) == risen);
  far_agent_free(agent);
}

/* A threshold below 0 lets Q rise: 3/2 + 5/8 is higher by 1/8, and 1/2 + 17/16 + 5/8 by 1/16. */
static void trace_threshold(void) {
  far_agent *agent =
      start("directed-delayed-q:gamma=0.5,eps1=0.125,m=1,rho=0.625,lambda=0,clamp=off,"
            "threshold=-0.125",
            1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 17.0 / 8);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 35.0 / 16 && LEARN(0) == 1);
  far_agent_free(agent);
}

/* Fully delayed: nothing at t=1; at t=2 3/2 + eps1 + 1/sqrt 2 = 2.332 against 3: success. */
static void trace_directed_full(void) {
  far_agent *agent = start("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=9,lambda=1,eta=0.5,"
                           "gamma_e=0.5,delay=full",
                           1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 2 && E(0) == 0.5 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 13.0 / 8 && E(0) == 0.25 && N(0) == 0);
  far_agent_free(agent);
}

/* A wide interval, rho = 1, and a large bonus, lambda = 4: the candidate 3/2 + 1 = 5/2 exceeds Q.
 * As printed Q rises to 5/2 (6 against 5/2 + 4/sqrt 2 = 5.33 is a success); clamped it stays 2. */
static void trace_clamp(const char *spec, double expected) {
  far_agent *agent = start(spec, 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == expected && E(0) == 0.25);
  CHECK_NEAR(BONUS(0), 4 / sqrt(2), 1e-15);
  far_agent_free(agent);
}

/* gamma_e = 0: the exploration value falls to 0 and the bonus with it, at the first success. */
static void trace_gamma_e_zero(void) {
  far_agent *agent = start("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=0.25,lambda=1,eta=0.5,"
                           "gamma_e=0",
                           1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 7.0 / 4 && E(0) == 0 && BONUS(0) == 0);
  far_agent_free(agent);
}

/* A true end is worth 0 and has no exploration value: target 1/2, Q = 1/2 + 1/4. */
static void trace_end(void) {
  far_agent *agent = start("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=0.25,lambda=1,eta=0.5,"
                           "gamma_e=0.5",
                           1);
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0.5, 77, true, false}, NULL) == FAR_OK);
  CHECK(Q(0) == 0.75 && E(0) == 0 && BONUS(0) == 0);
  far_agent_free(agent);
}

/* Rewards in [-1, 1]: shifted range 2, so Vmax is 2/(1/2) - 2 = 2 in the rewards' own units. The
 * target of r = -1 is 0 + 4/2 = 2 shifted, plus rho = 1/4: 9/4 - 2 = 1/4 in the rewards' units. */
static void trace_range(void) {
  far_shape shape = far_shape_default(1, 1);
  shape.reward_min = -1;
  far_agent *agent;
  CHECK(far_agent_create(&agent, "delayed-q-ie:gamma=0.5,eps1=0.125,m=2,rho=0.25", &shape, 1, 0,
                         NULL) == FAR_OK);
  CHECK(Q(0) == 2);
  visit(agent, 0, -1);
  CHECK(Q(0) == 0.25);
  far_agent_free(agent);
}

/* Q-learning, alpha = 1/2 from 0: 1/4, then 1/4 + (1/2 + 1/8 - 1/4)/2 = 7/16. With steps 1/n the
 * first target replaces the initial value. */
static void trace_q_learning(void) {
  far_agent *agent = start("q-learning:gamma=0.5,alpha=0.5", 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 0.25 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 7.0 / 16 && N(0) == 2);
  far_agent_free(agent);
  agent = start("q-learning:gamma=0.5,step=polynomial,omega=1,q0=2", 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 1.5);
  visit(agent, 0, 0.5); /* target 1/2 + 3/4 = 5/4, half way from 3/2 */
  CHECK_NEAR(Q(0), 1.375, 1e-15);
  far_agent_free(agent);
}

/* UCRL2B with one pair: nothing but the reward counts. A visit doubles the visits at n = 1, 2, 4. At n = 2
 * the mean of 1/2 and 1/4 is 3/8, and M2 = (1/4 - 1/2)(1/4 - 3/8) = 1/32, a variance of 1/64. At n = 3 no
 * episode begins, at n = 4 one does. With
 * scale = 1 the interval ends at the greatest reward. */
static void trace_ucrl2b(void) {
  far_agent *agent = start("ucrl2b:delta=0.5,scale=0.015625", 1);
  CHECK(Q(0) == 1 && N(0) == 0);
  visit(agent, 0, 0.5);
  CHECK_NEAR(Q(0), 0.5 + 6 * log(12) / 64, 1e-15);
  visit(agent, 0, 0.25);
  CHECK_NEAR(Q(0), 0.375 + (2 * sqrt(log(24) / 64 / 2) + 6 * log(24) / 2) / 64, 1e-15);
  const double second = Q(0);
  visit(agent, 0, 0.125);
  CHECK(Q(0) == second && N(0) == 3);
  visit(agent, 0, 0.125); /* mean 1/4, variance 3/128 */
  CHECK_NEAR(Q(0), 0.25 + (2 * sqrt(3.0 / 128 * log(48) / 4) + 6 * log(48) / 4) / 64, 1e-15);
  far_agent_free(agent);
  agent = start("ucrl2b:delta=0.5,scale=1", 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 1);
  far_agent_free(agent);
}

/* UCBVI-gamma, Vmax = 2, u = 1/128. One successor has no variance, equal rewards have none, b = 0: Q = 1/2 +
 * (V + 8 u Vmax/n)/2 = 1/2 + (V + 1/(8 n))/2 where that is less. Rewards of 0 and 1/2 have the variance 1/16, and
 * sqrt(8 u/16/2) = 1/(16 sqrt(2)). With S = 2, A = 1, b = 1/2 and one visit of state 0, B is Vmax^2 2^-31. */
static void trace_ucbvi_gamma(void) {
  far_agent *agent = start("ucbvi-gamma:gamma=0.5,u=0.0078125,b=0", 1);
  CHECK(Q(0) == 2 && N(0) == 0);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 0.5 + (2 + 1.0 / 8) / 2 && N(0) == 1);
  visit(agent, 0, 0.5);
  CHECK(Q(0) == 0.5 + (1.5625 + 1.0 / 16) / 2);
  far_agent_free(agent);
  agent = start("ucbvi-gamma:gamma=0.5,u=0.0078125,b=0", 1);
  visit(agent, 0, 0);
  CHECK(Q(0) == 1.0625);
  visit(agent, 0, 0.5);
  CHECK_NEAR(Q(0), 0.25 + 1 / (16 * sqrt(2)) + (1.0625 + 1.0 / 16) / 2, 1e-15);
  far_agent_free(agent);
  agent = start("ucbvi-gamma:gamma=0.5,u=0.0078125,b=0.5", 2);
  visit(agent, 0, 0);
  CHECK_NEAR(Q(0), 1 + 1.0 / 16 + sqrt(8 * 0x1p-31), 1e-15);
  visit(agent, 1, 1);
  CHECK(Q(1) == 2); /* 1 + 1 + ... is above it */
  far_agent_free(agent);
}

/* KL-UCRL with scale = 0 for the rewards and one action: state 0 pays 1 and stays, state 1 pays 0 and leads to
 * itself. After both were seen u = (1, 0) and more, and the row of state 1 may put 1 - exp(-c) on state 0, never
 * seen from there: nothing is left of the divergence, f(0) = 0. In the second sweep its value is u(0) (1 -
 * exp(-c)), u(0) = 1, after which the span, exp(-c) against 1/sqrt(t), decides. */
static void trace_kl_ucrl(void) {
  far_agent *agent = start("kl-ucrl:delta=0.5,scale=0.125,scale_r=0", 2);
  visit(agent, 0, 1); /* t = 2: state 1 is unknown: worth 1, as state 0 is */
  CHECK(Q(0) == 1 && Q(1) == 1);
  visit(agent, 1, 0); /* t = 3 */
  const double ln = log(3), b = log(2 * exp(1) * 4 * ln / 0.5), x = b + 1 / ln;
  const double c = 0.125 * 2 * (b + log(x) * (1 + 1 / x));
  CHECK(exp(-c) < 1 / sqrt(3));
  CHECK_NEAR(Q(0), 2, 1e-15);
  CHECK_NEAR(Q(1), 1 - exp(-c), 1e-15);
  far_agent_free(agent);
}

/* IMED-RL with one state: a bandit, and K is the divergence of Bernoulli laws. Arm 0 has paid 1, 0, 1, 0: index
 * ln 4. Arm 1 has paid 0: index kl(0, 1/2) + ln 1 = ln 2, less than that; after a second 0 it is 3 ln 2, more. Each arm is
 * tried once first. */
static void trace_imed_rl(void) {
  const far_shape shape = far_shape_default(1, 2);
  far_agent *agent;
  CHECK(far_agent_create(&agent, "imed-rl:ties=lowest", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_act(agent, 0) == 0);
  for (int i = 0; i < 4; ++i) {
    const far_transition step = {0, 0, i % 2 == 0, 0, false, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    CHECK(far_agent_act(agent, 0) == 1); /* not tried */
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(far_agent_observe(agent, &(far_transition){0, 1, 0, 0, false, false}, NULL) == FAR_OK);
    CHECK(far_agent_act(agent, 0) == (i == 0));
  }
  CHECK(Q(0) == 0.5 && N(0) == 4);
  far_agent_free(agent);
}

/* UCRL3 with one pair: nothing but the reward counts. At n = 1 Bernstein's width is 7 l/3, l = scale 1.12 ln(2/risk),
 * since ln(eta^2) = 2 ln(eta); Laplace's is sqrt(scale 2 ln(sqrt(2)/risk)/2); risk = delta/6. */
static void trace_ucrl3(void) {
  const double risk = 0.5 / 6, ell = 1.12 * log(2 / risk) / 64;
  far_agent *agent = start("ucrl3:delta=0.5,scale=0.015625", 1);
  visit(agent, 0, 0.25);
  CHECK(7 * ell / 3 < sqrt(log(sqrt(2) / risk) / 64));
  CHECK_NEAR(Q(0), 0.25 + 7 * ell / 3, 1e-14);
  far_agent_free(agent);
  agent = start("ucrl3:delta=0.5,scale=0.25", 1);
  visit(agent, 0, 0.25);
  CHECK_NEAR(Q(0), fmin(1, 0.25 + sqrt(log(sqrt(2) / risk) / 4)), 1e-14);
  far_agent_free(agent);
}

int main(void) {
  trace_delayed("delayed-q:gamma=0.5,eps1=0.125,m=2");
  trace_delayed("delayed-q:gamma=0.5,eps1=0.125,m=2,form=2006");
  trace_delayed("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,delay=full,lambda=0");
  trace_again("delayed-q:gamma=0.5,eps1=0.125,m=2", 1);
  trace_again("delayed-q:gamma=0.5,eps1=0.125,m=2,form=2006", 0);
  trace_kept();
  trace_learn("delayed-q:gamma=0.5,eps1=0.125,m=2", 1);
  trace_learn("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,delay=full,lambda=0,learn=2009", 1);
  trace_learn("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,delay=full,lambda=0,learn=printed", 0);
  trace_interval("delayed-q-ie:gamma=0.5,eps1=0.125,m=2,rho=0.25");
  trace_interval("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=0.25,lambda=0");
  trace_directed();
  trace_directed_full();
  trace_visit();
  trace_visit_rises("off", 3.0 / 8);
  trace_visit_rises("on", 9.0 / 32);
  trace_threshold();
  trace_clamp("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=1,lambda=4,eta=0.5,gamma_e=0.5", 2);
  trace_clamp("directed-delayed-q:gamma=0.5,eps1=0.125,m=2,rho=1,lambda=4,eta=0.5,gamma_e=0.5,"
              "clamp=off",
              2.5);
  trace_gamma_e_zero();
  trace_end();
  trace_range();
  trace_q_learning();
  trace_ucrl2b();
  trace_ucbvi_gamma();
  trace_kl_ucrl();
  trace_imed_rl();
  trace_ucrl3();
  return check_report();
}
