/* preset=scaled of the delayed family, and gamma=short: every rule, computed by hand.
 *
 * N = steps/(S A); gamma is the problem's, or short: 1 - 1/H with H = N/25 in 3 ... 20, at most as far as the problem looks
 * itself; eps1 = R/(5000 H) with H = 1/(1 - gamma); m = 10 N, fully delayed N/(15 H); rho = eps1 sqrt(m). */
#include <farsight/farsight.h>
#include <math.h>
#include <string.h>

#include "check.h"

typedef struct values {
  double gamma, eps1, m, rho;
} values;

static double param(const far_agent *agent, const char *name) {
  double x = NAN;
  far_agent_param(agent, name, &x);
  return x;
}

static void expect(const char *spec, const far_shape *shape, values v) {
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) {
    printf("%s: %s\n", spec, error.message);
    return;
  }
  CHECK_NEAR(param(agent, "gamma"), v.gamma, 1e-15);
  CHECK_NEAR(param(agent, "eps1"), v.eps1, 1e-15 * v.eps1);
  CHECK_NEAR(param(agent, "m"), v.m, 0);
  if (v.rho > 0) CHECK_NEAR(param(agent, "rho"), v.rho, 1e-14 * v.rho);
  CHECK(strstr(far_agent_spec(agent), "steps") == NULL);
  CHECK(strstr(far_agent_spec(agent), "preset") == NULL);
  far_agent_free(agent);
}

/* 10 states, 10 actions: N = 100 of 10,000 steps. */
static void test_rules(void) {
  far_shape shape = far_shape_default(10, 10);
  const double h20 = (1 - 0.95) / 5000; /* not quite 1e-5 */
  const values usual = {0.95, h20, 1000, h20 * sqrt(1000)};
  expect("directed-delayed-q", &shape, usual);
  expect("directed-delayed-q:preset=scaled,steps=10000", &shape, usual);
  expect("delayed-q-ie", &shape, usual);
  expect("delayed-q:steps=150000", &shape, (values){0.95, h20, 5, 0}); /* N = 1,500, H = 20 */
  expect("directed-delayed-q:delay=full", &shape, (values){0.95, h20, 1, 0});
  shape.gamma = 0.75; /* H = 4 */
  expect("directed-delayed-q", &shape, (values){0.75, 5e-5, 1000, 5e-5 * sqrt(1000)});
  expect("delayed-q:steps=29600", &shape, (values){0.75, 5e-5, 5, 0}); /* N = 296; 296/60 = 4.93 */
  expect("directed-delayed-q:delay=full", &shape, (values){0.75, 5e-5, 2, 0});
}

/* As far as the data reach. */
static void test_short(void) {
  far_shape shape = far_shape_default(10, 10);
  const values four = {0.75, 5e-5, 1000, 5e-5 * sqrt(1000)};
  expect("directed-delayed-q:gamma=short", &shape, four); /* N = 100 */
  expect("delayed-q-ie:gamma=short", &shape, four);
  shape.steps = 99; /* what the spec says counts */
  expect("directed-delayed-q:gamma=short,steps=10000", &shape, four);
  shape.steps = 0;
  /* N = 20,000: the furthest horizon, 20 */
  expect("delayed-q:gamma=short,steps=2e6", &shape, (values){0.95, (1 - 0.95) / 5000, 67, 0});
  /* N = 0.01: the nearest horizon, 3, and a window of one sample */
  const double third = 1 - (1 - 1.0 / 3);
  expect("delayed-q:gamma=short,steps=1", &shape, (values){1 - 1.0 / 3, third / 5000, 1, 0});
  shape.steps = 2000000; /* told by the run */
  expect("delayed-q:gamma=short", &shape, (values){0.95, (1 - 0.95) / 5000, 67, 0});
  shape.gamma = 0.8; /* no further than the problem looks */
  expect("delayed-q:gamma=short", &shape, (values){0.8, (1 - 0.8) / 5000, 267, 0});
  shape.gamma = 0.99; /* ... and no further than 20 steps */
  expect("delayed-q:gamma=short", &shape, (values){0.95, (1 - 0.95) / 5000, 67, 0});
  shape = far_shape_default(1, 1); /* N = 10,000: H = 20, or that of the episodes */
  shape.horizon = 5;
  expect("delayed-q-ie:gamma=short", &shape, (values){0.8, (1 - 0.8) / 5000, 100000, 0});
  shape.horizon = 1; /* no further than an episode, however near that is */
  expect("delayed-q-ie:gamma=short", &shape, (values){0, 1.0 / 5000, 100000, 0});
  shape.horizon = 1000;
  expect("delayed-q-ie:gamma=short", &shape, (values){0.95, (1 - 0.95) / 5000, 100000, 0});
}

/* The run tells how many steps there will be, and a key tells it better. */
static void test_told(void) {
  const far_shape one = far_shape_for(far_shape_default(10, 10), 1, 0);
  expect("delayed-q-ie", &one, (values){0.95, (1 - 0.95) / 5000, 1, 0});
  far_agent *agent = NULL; /* whose bound wants two steps at the least */
  CHECK(far_agent_create(&agent, "ucbvi-gamma:preset=theory", &one, 1, 0, NULL) == FAR_OK);
  CHECK(param(agent, "u") > 0);
  far_agent_free(agent);
  const far_shape shape = far_shape_for(far_shape_default(10, 10), 50000, 0);
  expect("delayed-q-ie", &shape, (values){0.95, (1 - 0.95) / 5000, 5000, 0});
  expect("delayed-q-ie:steps=20000", &shape, (values){0.95, (1 - 0.95) / 5000, 2000, 0});
}

/* The range is the unit of eps1 and rho; absent states do not count. */
static void test_shape(void) {
  bool absent[20] = {false};
  for (int s = 10; s < 20; ++s) absent[s] = true;
  far_shape shape = far_shape_default(20, 10);
  shape.gamma = 0.75;
  shape.absent = absent;
  shape.reward_min = -3;
  shape.reward_max = 5;
  expect("directed-delayed-q", &shape, (values){0.75, 4e-4, 1000, 4e-4 * sqrt(1000)});
  shape.absent = NULL; /* N = 50 */
  expect("delayed-q-ie", &shape, (values){0.75, 4e-4, 500, 0});
}

/* What is given stays, and the rest follows it. */
static void test_given(void) {
  far_shape shape = far_shape_default(10, 10);
  expect("directed-delayed-q:gamma=0.5", &shape, (values){0.5, 1e-4, 1000, 1e-4 * sqrt(1000)});
  expect("delayed-q:gamma=0.5", &shape, (values){0.5, 1e-4, 3, 0}); /* 100/30 = 3.3 */
  shape.gamma = 0.75;
  expect("directed-delayed-q:m=16", &shape, (values){0.75, 5e-5, 16, 2e-4});
  expect("directed-delayed-q:eps1=0.3", &shape, (values){0.75, 0.3, 1000, 5e-5 * sqrt(1000)});
  expect("delayed-q-ie:rho=0.3", &shape, (values){0.75, 5e-5, 1000, 0.3});
}

/* The numbers of before, whatever the problem, and the theory's are as they were. */
static void test_others(void) {
  const far_shape shape = far_shape_default(10, 10);
  expect("directed-delayed-q:preset=practical", &shape, (values){0.95, 0.2, 5, 0.6 * sqrt(5)});
  expect("delayed-q-ie:preset=practical,m=20", &shape, (values){0.95, 0.2, 20, 0.6 * sqrt(20)});
  expect("delayed-q:preset=practical", &shape, (values){0.95, 0.2, 5, 0});
  far_agent *agent;
  CHECK(far_agent_create(&agent, "delayed-q:preset=theory,eps=1", &shape, 1, 0, NULL) == FAR_OK);
  CHECK_NEAR(param(agent, "gamma"), 0.95, 0);
  CHECK_NEAR(param(agent, "eps1"), (1 - 0.95) / 12, 1e-17);
  far_agent_free(agent);
}

static void refused(const char *spec, const char *part) {
  const far_shape shape = far_shape_default(10, 10);
  far_agent *agent;
  far_error error = {0};
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) != FAR_OK);
  CHECK_CONTAINS(error.message, part);
  far_agent_free(agent);
}

static void test_bad(void) {
  refused("directed-delayed-q:steps=0", "whole number in [1, 9007199254740992]");
  refused("delayed-q:preset=practical,steps=5", "applies only with preset=scaled");
  refused("delayed-q-ie:preset=theory,steps=5", "applies only with preset=scaled");
  refused("delayed-q:eps=1", "applies only with preset=theory");
}

/* Discounts next to 1 and steps beyond all counting still give an agent. */
static void test_extremes(void) {
  const far_shape shape = far_shape_default(1, 1);
  far_agent *agent;
  CHECK(far_agent_create(&agent, "directed-delayed-q:gamma=0.9999999999999,steps=9007199254740992",
                         &shape, 1, 0, NULL) == FAR_OK);
  if (agent == NULL) return;
  CHECK_NEAR(param(agent, "m"), 0x1p53, 0);
  CHECK_NEAR(param(agent, "eps1"), 0x1p-40, 0);
  CHECK(param(agent, "eta") < 1);
  far_agent_free(agent);
}

int main(void) {
  test_rules();
  test_short();
  test_told();
  test_shape();
  test_given();
  test_others();
  test_bad();
  test_extremes();
  return check_report();
}
