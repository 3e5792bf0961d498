/* The agents that learn a model and plan optimistically by steps: plans computed by hand from docs/agents.md,
 * certificates, and problems whose answer is known.
 *
 * The world of the traces is one state with one action that leads back, in episodes of two steps; the
 * rewards lie in [0, 1] unless told. `stages` is shared, so that an episode has two visits of the pair. */
#include <math.h>

#include "episodes.h"

static const double TINY = 1e-12;

static far_agent *start_in(const char *spec, uint32_t n_states, double rmin, double rmax) {
  const far_shape shape = SHAPE(n_states, 1, rmin, rmax, true, NULL, 2);
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) printf("%s\n", error.message);
  return agent;
}

static void visit(far_agent *agent, uint32_t s, double r, uint32_t next, bool done) {
  const far_transition step = {.s = s, .a = 0, .r = r, .next = next, .done = done};
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
}

static void episode(far_agent *agent, double first, double second) {
  visit(agent, 0, first, 0, false);
  visit(agent, 0, second, 0, false);
  CHECK(far_agent_episode_step(agent) == 0);
}

static double get(const far_agent *agent, far_value kind, int64_t h, uint32_t s) {
  double x = NAN;
  CHECK(far_agent_value_at(agent, kind, h, s, 0, &x));
  return x;
}

#define Q(h) get(agent, FAR_VALUE_Q, h, 0)
#define N(h) get(agent, FAR_VALUE_N, h, 0)

/* ---- ucbvi ---- */

/* 7 H L scale = 1/2: the bonus is 1/(2 sqrt(N)). Two visits, then four: 1/4 + 1/4, exact in binary; then
 * better rewards, and Q does not rise. */
static void trace_hoeffding(void) {
  far_agent *agent =
      start_in("ucbvi:bonus=hoeffding,constants=2017,l=1,scale=0.03571428571428571", 1, 0, 1);
  const double b = 0.5 / sqrt(2);
  CHECK(Q(0) == 2 && Q(1) == 1 && N(0) == 0);
  visit(agent, 0, 0.5, 0, false);
  CHECK(Q(0) == 2 && N(1) == 1); /* plans are made between episodes */
  visit(agent, 0, 0.5, 0, false);
  CHECK_NEAR(Q(1), 0.5 + b, TINY);
  CHECK_NEAR(Q(0), 0.5 + (0.5 + b) + b, TINY);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.5, TINY);
  CHECK_NEAR(Q(0), 1, TINY);
  episode(agent, 1, 1);
  CHECK_NEAR(Q(1), 0.5, TINY);
  CHECK_NEAR(Q(0), 1, TINY);
  CHECK(N(0) == 6 && N(1) == 6);
  far_agent_free(agent);
}

/* Two visits, S = A = 1, H = 2, L = 1: no variance; 14/3 H/N + 7/3 = 7, and sqrt(8 H^2/2) = 4 more at the
 * first step, where the next value is uncertain (10^4 H^3 is above H^2). 2025: 7/3 H + 7/3 = 7 and
 * sqrt(4 H^2/2) = sqrt(8). */
static void trace_bernstein(const char *spec, double correction) {
  far_agent *agent = start_in(spec, 1, 0, 1);
  episode(agent, 0.5, 0.5);
  CHECK_NEAR(Q(1), 0.5 + 7.0 / 32, TINY);
  CHECK_NEAR(Q(0), 0.5 + Q(1) + (7 + correction) / 32, TINY);
  far_agent_free(agent);
}

/* Rewards 1 and 0 (variance 1/4) and successors 0 and 1, whose values at the last step differ: state 1 is
 * untried, so that V = (x, 1), of mean (1 + x)/2 and variance ((1 - x)/2)^2. */
static void trace_variances(void) {
  far_agent *agent =
      start_in("ucbvi:bonus=bernstein,constants=2025,l=1,scale=0.03125,correction=0", 2, 0, 1);
  visit(agent, 0, 1, 0, false);
  visit(agent, 0, 0, 1, false);
  const double reward = sqrt(2 * 0.25 / 2) + 7.0 / 3, last = 0.5 + (14.0 / 3 + reward) / 32;
  CHECK_NEAR(Q(1), last, TINY);
  const double spread = (1 - last) / 2, b = sqrt(4 * spread * spread / 2) + 14.0 / 3 + reward;
  CHECK_NEAR(Q(0), 0.5 + (1 + last) / 2 + b / 32, TINY);
  CHECK(get(agent, FAR_VALUE_Q, 0, 1) == 2);
  far_agent_free(agent);
}

/* Rewards in [-1, 1]: u = (r + 1)/2, and an end with one step left is worth 1/2 of u, 0 in rewards. */
static void trace_end(void) {
  far_agent *agent =
      start_in("ucbvi:bonus=hoeffding,constants=2017,l=1,scale=0.00892857142857142818", 1, -1, 1);
  CHECK(Q(0) == 2 && Q(1) == 1);
  visit(agent, 0, -0.5, 0, true);
  CHECK(far_agent_episode_step(agent) == 0);
  CHECK_NEAR(Q(0), (0.25 + 0.5 + 0.125) * 2 - 2, TINY);
  CHECK_NEAR(Q(1), (0.25 + 0 + 0.125) * 2 - 1, TINY);
  far_agent_free(agent);
}

/* apart: the steps have rows of their own, of one visit; replan=2: a plan at the visits 1, 2, 4. */
static void trace_stages(void) {
  const char *spec = "ucbvi:bonus=hoeffding,constants=2017,l=1,scale=0.01785714285714285,"
                     "stages=apart,replan=2";
  far_agent *agent = start_in(spec, 1, 0, 1);
  episode(agent, 0, 0.5);
  CHECK(N(0) == 1 && N(1) == 1);
  CHECK_NEAR(Q(1), 0.75, TINY);
  CHECK_NEAR(Q(0), 0 + 0.75 + 0.25, TINY);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.25 + 0.25 / sqrt(2), TINY);
  const double before = Q(1);
  episode(agent, 0, 0);
  CHECK(Q(1) == before && N(1) == 3);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.125 + 0.125, TINY);
  far_agent_free(agent);
}

/* ---- mvp ---- */

/* 544/9 H L scale = 1/2 and sqrt(8) scale sqrt(Var/N): rows of the visits 3 and 4, or of all four. */
static void trace_mvp(const char *samples, double reward, double spread, double n) {
  char spec[160];
  const double scale = 9.0 / 2176;
  snprintf(spec, sizeof spec, "mvp:samples=%s,l=1,scale=%.17g", samples, scale);
  far_agent *agent = start_in(spec, 1, 0, 1);
  episode(agent, 0.5, 0.25);
  episode(agent, 1, 0);
  const double b = 0.5 / n + scale * sqrt(8 * spread / n);
  CHECK_NEAR(Q(1), reward + b, TINY);
  CHECK_NEAR(Q(0), reward + (reward + b) + b, TINY);
  const double before = Q(0);
  episode(agent, 1, 1); /* six visits: no power of two */
  CHECK(Q(0) == before && N(0) == 6);
  episode(agent, 1, 1);
  CHECK(Q(0) != before && N(0) == 8);
  far_agent_free(agent);
}

/* ---- ubev ---- */

/* phi = sqrt((2 ln ln N + 1)/N)/4; the last step adds min(1, r + phi), the first also min(V, V + phi) = V. */
static void trace_ubev(void) {
  far_agent *agent = start_in("ubev:l=1,scale=0.25", 1, 0, 1);
  CHECK(Q(0) == 2 && Q(1) == 1);
  episode(agent, 0.5, 0.5);
  CHECK_NEAR(Q(1), 0.5 + 0.25 / sqrt(2), TINY);
  CHECK_NEAR(Q(0), 2 * Q(1), TINY);
  episode(agent, 0, 0);
  CHECK_NEAR(Q(1), 0.25 + 0.25 * sqrt((2 * log(log(4)) + 1) / 4), TINY);
  far_agent_free(agent);
}

/* State 1 is untried and worth more: the mean of the values with the width stays below the greatest. */
static void trace_ubev_next(void) {
  far_agent *agent = start_in("ubev:l=1,scale=0.0625", 2, 0, 1);
  episode(agent, 0, 0);
  const double phi = 0.0625 / sqrt(2);
  CHECK_NEAR(Q(1), phi, TINY);
  CHECK_NEAR(Q(0), phi + (phi + phi), TINY);
  CHECK(get(agent, FAR_VALUE_Q, 1, 1) == 1 && get(agent, FAR_VALUE_Q, 0, 1) == 2);
  far_agent_free(agent);
}

/* ---- orlc ---- */

/* 0.52 (1.4 ln ln 4 + L) = 1: phi = sqrt(1/2) at two visits; correction S H^2 = 1/90, so that 45 and 31 add 1/4 and 31/180. */
static void trace_orlc(void) {
  far_agent *agent =
      start_in("orlc:l=1.4657889591073296,scale=0.25,correction=0.0027777777777777779", 1, 0, 2);
  double bound;
  CHECK(!far_agent_uncertified(agent, &bound));
  visit(agent, 0, 1, 0, false);
  CHECK(far_agent_uncertified(agent, &bound) &&
        bound == 4); /* nothing is known yet: H times the range */
  visit(agent, 0, 1, 0, false);
  const double phi = sqrt(0.5), up = 0.25 * (phi + 0.25), down = 0.25 * (phi + 31.0 / 180);
  const double high = 0.5 + up, low = 0.5 - down, gap = (high - low) / 2;
  CHECK_NEAR(Q(1), 2 * high, TINY);
  CHECK_NEAR(Q(0), 2 * (0.5 + high + up + gap), TINY);
  CHECK(far_agent_uncertified(agent, &bound));
  CHECK_NEAR(bound, 2 * ((0.5 + high + up + gap) - (0.5 + low - down - gap)), TINY);
  far_agent_free(agent);
}

/* ---- behaviour ---- */

static void test_refusals(const char *name) {
  far_agent *agent = NULL;
  far_error error = {0};
  far_shape shape = far_shape_default(3, 2);
  CHECK(far_agent_create(&agent, name, &shape, 1, 0, &error) == FAR_STATUS_CONFLICT);
  CHECK(strstr(error.message, "no horizon") != NULL);
  shape = far_shape_default(100000, 100);
  shape.horizon = 1000;
  CHECK(far_agent_create(&agent, name, &shape, 1, 0, &error) == FAR_STATUS_MEMORY);
}

/* The certificate falls below what it was, and bounds the loss of the policy. */
static void test_certificate(void) {
  far_mdp *mdp;
  double early, late;
  CHECK(far_mdp_create(&mdp, "chain:n=3,horizon=4", NULL) == FAR_OK);
  far_agent *agent = train(mdp, "orlc:correction=0,scale=1,l=2", 400);
  CHECK(far_agent_uncertified(agent, &early));
  far_agent_free(agent);
  agent = train(mdp, "orlc:correction=0,scale=1,l=2", 40000);
  CHECK(far_agent_uncertified(agent, &late) && late < early / 2 && late > 0);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

static void test_behaviour(void) {
  const char *river = "riverswim:n=6,horizon=20", *chain = "chain:n=5,horizon=10";
  const char *small = "riverswim:n=4,form=2013,horizon=8";
  static const char *const all[] = {"ucbvi", "ucbvi:bonus=hoeffding", "mvp", "ubev", "orlc"};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    learns(river, all[i], 20000, 0.9);
    learns(chain, all[i], 10000, 0.95);
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (i != 1) test_refusals(all[i]);
  CHECK(optimistic(small, "ucbvi:preset=theory", 10000));
  CHECK(optimistic(small, "ucbvi:preset=theory,bonus=hoeffding,scale=0.25", 10000));
  CHECK(optimistic(small, "mvp:preset=theory,scale=0.05", 10000));
  CHECK(optimistic(small, "ubev:preset=theory,stages=shared,scale=0.5", 10000));
  CHECK(optimistic(small, "orlc:preset=theory,correction=0", 10000));
  CHECK(!optimistic(small, "ucbvi:scale=0", 10000));
  CHECK(!optimistic(small, "mvp:scale=0", 10000));
  test_certificate();
}

int main(void) {
  trace_hoeffding();
  trace_bernstein("ucbvi:bonus=bernstein,constants=2017,l=1,scale=0.03125,correction=1", 4);
  trace_bernstein("ucbvi:bonus=bernstein,constants=2025,l=1,scale=0.03125,correction=1", sqrt(8));
  trace_variances();
  trace_end();
  trace_stages();
  trace_mvp("latest", 0.5, 0.25, 2);
  trace_mvp("all", 0.4375, 0.13671875, 4);
  trace_ubev();
  trace_ubev_next();
  trace_orlc();
  test_behaviour();
  return check_report();
}
