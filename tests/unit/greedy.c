/* Greedy, softmax and epsilon-greedy choices against the plainest code for them, in rows of every length that
 * is looked at in blocks and of those that are not; and every agent with so many actions. */
#include <farsight/farsight.h>

#include "agents/explore.h"
#include "check.h"

enum { LONGEST = 41, ROWS = 40 };

/* Few values, so that there are ties; a row of -0.5 at every fifth time. */
static void fill(double *row, uint32_t n, int round, far_rng *rng) {
  for (uint32_t a = 0; a < n; ++a)
    row[a] = round % 5 == 0 ? -0.5 : (double)far_rng_below(rng, round % 3 == 0 ? 4 : 1000) - 2;
}

static double plain_max(const double *row, uint32_t n) {
  double most = row[0];
  for (uint32_t a = 1; a < n; ++a)
    if (row[a] > most) most = row[a];
  return most;
}

/* One draw for each further tied action, in their order. */
static uint32_t plain_greedy(const double *row, uint32_t n, far__ties ties, far_rng *rng) {
  double most = row[0];
  uint32_t chosen = 0, tied = 1;
  for (uint32_t a = 1; a < n; ++a) {
    if (row[a] < most) continue;
    tied = row[a] == most ? tied + 1 : 1;
    if (tied == 1 || ties == FAR__TIES_HIGHEST) chosen = a;
    if (tied > 1 && ties == FAR__TIES_RANDOM && far_rng_below(rng, tied) == 0) chosen = a;
    most = row[a];
  }
  return chosen;
}

static bool same_stream(far_rng *x, far_rng *y) {
  return memcmp(x, y, sizeof *x) == 0;
}

static void test_row(const double *row, uint32_t n, uint64_t seed) {
  CHECK(far__max(row, n) == plain_max(row, n));
  for (int ties = FAR__TIES_RANDOM; ties <= FAR__TIES_HIGHEST; ++ties) {
    far_rng ours, theirs;
    far_rng_init(&ours, seed, n, FAR_PURPOSE_AGENT);
    theirs = ours;
    const uint32_t a = far__greedy(row, n, (far__ties)ties, &ours);
    CHECK(a == plain_greedy(row, n, (far__ties)ties, &theirs));
    CHECK(same_stream(&ours, &theirs));
  }
}

static void test_rows(void) {
  far_rng rng;
  double row[LONGEST];
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_AGENT);
  for (uint32_t n = 1; n <= LONGEST; ++n)
    for (int round = 0; round < ROWS; ++round) {
      fill(row, n, round, &rng);
      test_row(row, n, (uint64_t)round);
    }
}

/* A single best action is found wherever it stands. */
static void test_every_place(void) {
  double row[LONGEST];
  far_rng rng;
  far_rng_init(&rng, 2, 0, FAR_PURPOSE_AGENT);
  for (uint32_t n = 1; n <= LONGEST; ++n)
    for (uint32_t best = 0; best < n; ++best) {
      for (uint32_t a = 0; a < n; ++a) row[a] = a == best ? 0.25 : -1;
      CHECK(far__max(row, n) == 0.25);
      CHECK(far__greedy(row, n, FAR__TIES_RANDOM, &rng) == best);
    }
}

/* ---- chances ---- */

/* exp(0), exp(-ln 2) and exp(-ln 4) are 1, 1/2 and 1/4 of 7/4. */
static void test_softmax(void) {
  const double row[] = {-far_log(2), 0, -far_log(4)}, temperature = 1;
  double p[3];
  far__softmax_policy(far__score_row, row, 3, temperature, p);
  CHECK_NEAR(p[0], 2 / 7.0, 1e-15);
  CHECK_NEAR(p[1], 4 / 7.0, 1e-15);
  CHECK_NEAR(p[2], 1 / 7.0, 1e-15);
  const double doubled[] = {2 * row[0] + 9, 9, 2 * row[2] + 9}; /* at twice the temperature */
  for (uint64_t seed = 0; seed < 200; ++seed) {
    far_rng x, y, z;
    far_rng_init(&x, seed, 0, FAR_PURPOSE_AGENT);
    y = z = x;
    const double u = far_rng_uniform(&z);
    const uint32_t a = u < 2 / 7.0 ? 0 : u < 6 / 7.0 ? 1 : 2;
    CHECK(far__softmax(far__score_row, row, 3, temperature, &x) == a);
    CHECK(far__softmax(far__score_row, doubled, 3, 2, &y) == a);
    CHECK(same_stream(&x, &z) && same_stream(&y, &z)); /* one draw */
  }
}

/* Scores are compared with the largest: exponentials never exceed every number. */
static void test_large_scores(void) {
  const double row[] = {0, 1000, -1000};
  double p[3];
  far__softmax_policy(far__score_row, row, 3, 0.5, p);
  CHECK(p[0] == 0 && p[1] == 1 && p[2] == 0);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    far_rng rng;
    far_rng_init(&rng, seed, 0, FAR_PURPOSE_AGENT);
    CHECK(far__softmax(far__score_row, row, 3, 0.5, &rng) == 1);
  }
}

/* What stands behind the row is none of its scores. */
static void test_ends(void) {
  const double row[] = {0, 0, 0, 1e6};
  double p[4] = {0, 0, 0, 0.5};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    far_rng x, y;
    far_rng_init(&x, seed, 0, FAR_PURPOSE_AGENT);
    y = x;
    const double u = far_rng_uniform(&y);
    CHECK(far__softmax(far__score_row, row, 3, 1, &x) == (u < 1 / 3.0 ? 0 : u < 2 / 3.0 ? 1 : 2));
  }
  far__softmax_policy(far__score_row, row, 3, 1, p);
  CHECK(p[0] == 1 / 3.0 && p[1] == p[0] && p[2] == p[0] && p[3] == 0.5);
  far__greedy_policy(far__score_row, row, 3, FAR__TIES_RANDOM, p);
  CHECK(p[0] == 1 / 3.0 && p[1] == p[0] && p[2] == p[0] && p[3] == 0.5);
  far__mix_policy(3, 0.5, p);
  CHECK_NEAR(p[2], 1 / 3.0, 1e-15);
  CHECK(p[3] == 0.5);
}

/* The coin, then the action: uniform or greedy. */
static void test_epsilon(void) {
  const double row[] = {1, 3, 3};
  for (uint64_t seed = 0; seed < 200; ++seed) {
    far_rng x, y;
    far_rng_init(&x, seed, 0, FAR_PURPOSE_AGENT);
    y = x;
    const uint32_t a = far__epsilon_greedy_row(row, 3, 0.5, FAR__TIES_HIGHEST, &x);
    const bool explores = far_rng_uniform(&y) < 0.5;
    CHECK(a == (explores ? far_rng_below(&y, 3) : 2) && same_stream(&x, &y));
  }
}

/* The coin is below epsilon, not at it. */
static void test_coin(void) {
  const double row[] = {0, 0, 0, 0, 0, 0, 0, 1};
  for (uint64_t seed = 0; seed < 40; ++seed) {
    far_rng x, y;
    far_rng_init(&x, seed, 0, FAR_PURPOSE_AGENT);
    y = x;
    const double u = far_rng_uniform(&y);
    CHECK(far__epsilon_greedy_row(row, 8, u, FAR__TIES_LOWEST, &x) == 7 && same_stream(&x, &y));
    far_rng_init(&x, seed, 0, FAR_PURPOSE_AGENT);
    const uint32_t a = far__epsilon_greedy_row(row, 8, nextafter(u, 1), FAR__TIES_LOWEST, &x);
    CHECK(a == far_rng_below(&y, 8) && same_stream(&x, &y));
  }
}

static void test_policies(void) {
  const double row[] = {1, 3, 2, 3};
  static const double expected[][4] = {{0, 0.5, 0, 0.5}, {0, 1, 0, 0}, {0, 0, 0, 1}};
  double p[4];
  for (int ties = FAR__TIES_RANDOM; ties <= FAR__TIES_HIGHEST; ++ties) {
    far__greedy_policy(far__score_row, row, 4, (far__ties)ties, p);
    for (int a = 0; a < 4; ++a) CHECK(p[a] == expected[ties][a]);
    far__mix_policy(4, 0.5, p);
    for (int a = 0; a < 4; ++a) CHECK(p[a] == expected[ties][a] / 2 + 0.125);
  }
}

/* ---- every agent with many actions ---- */

enum { ACTIONS = 19, STEPS = 120, HORIZON = 3 };

/* What it does has a chance in the policy that it says it has. */
static void test_agent(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  const far_shape shape = SHAPE(2, ACTIONS, 0, 1, true, NULL, type->finite_horizon ? HORIZON : 0);
  far_agent *agent = NULL;
  double p[ACTIONS];
  uint32_t s = 0;
  if (type->peeks) return;
  CHECK(far_agent_create(&agent, spec, &shape, 3, 0, NULL) == FAR_OK);
  for (int t = 0; agent != NULL && t < STEPS; ++t) {
    const bool known = far_agent_policy(agent, s, p), cut = (t + 1) % HORIZON == 0;
    const uint32_t a = far_agent_act(agent, s);
    CHECK(a < ACTIONS && (!known || p[a] > 0 || strcmp(type->name, "dora") == 0));
    const far_transition step = {s, a, a == 17 ? 1 : 0.25 * s, (s + a) % 2, false, cut};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    s = cut ? 0 : step.next;
  }
  far_agent_free(agent);
}

int main(void) {
  test_rows();
  test_every_place();
  test_softmax();
  test_large_scores();
  test_ends();
  test_epsilon();
  test_coin();
  test_policies();
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) test_agent(far_agent_type(i)->name);
  test_agent("dora:rule=epsilon");
  test_agent("dora:rule=softmax,place=target");
  test_agent("count-q:place=choice");
  test_agent("q-learning:explore=softmax");
  test_agent("speedy-q:form=round,ties=lowest");
  test_agent("r-max:m=2,plan=rtdp,ties=highest");
  return check_report();
}
