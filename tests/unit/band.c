/* The order of states that makes the equations of a policy a narrow band. */
#include "solve/band.h"

#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "worlds.h"

/* Every state is at the place that it says, hubs and all. */
static void check_places(const far__band *x) {
  for (uint32_t i = 0; i < x->n; ++i) CHECK(x->place[x->state[i]] == i);
}

/* n states in a line, `step` numbers apart: each leads to the one before and the one after it. */
static far_mdp *line_world(uint32_t n, uint32_t step) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, n, 2, NULL);
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t a = 0; a < 2; ++a) {
      const uint32_t to = a == 0 ? (i > 0 ? i - 1 : 0) : (i + 1 < n ? i + 1 : i);
      far_mdp_builder_outcome(b, i * step % n, a, 1, to * step % n, 0, NULL);
    }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* In order of distance a line is a band of three, whatever its numbers. */
static void test_line(void) {
  for (uint32_t step = 1; step <= 17; step += 4) {
    far_mdp *mdp = line_world(53, step);
    far__band x;
    CHECK(far__band_create(&x, mdp, NULL) == FAR_OK);
    CHECK(x.n == 53 && x.n_hubs == 0 && x.below == 1 && x.above == 1);
    check_places(&x);
    far__band_free(&x);
    far_mdp_free(mdp);
  }
}

/* Outcomes lead at most two numbers ahead or back, or one to any state. */
static far_mdp *near_world(uint64_t seed, uint32_t n, bool one_far) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, n, 1, NULL);
  for (uint32_t s = 0; s < n; ++s) {
    const uint32_t near = s + far_rng_below(&rng, 5), far = far_rng_below(&rng, n);
    far_mdp_builder_outcome(b, s, 0, 1,
                            one_far && s == 0 ? far
                            : near < 2        ? 0
                            : near - 2 < n    ? near - 2
                                              : s,
                            0, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* How far outcomes lead where the order is that of the numbers. */
static far__band by_number(const far__band *x) {
  far__band own = *x;
  own.below = own.above = 0;
  for (uint32_t s = 0; s < x->n; ++s) {
    const uint32_t t = x->mdp->outcome[x->mdp->row[s]].next;
    if (t < s && s - t > own.below) own.below = s - t;
    if (t > s && t - s > own.above) own.above = t - s;
  }
  return own;
}

/* It is no wider than in the order of the numbers, which for some is the better one. */
static void test_no_wider(void) {
  int better = 0, equal = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    far_mdp *mdp = near_world(seed, 24, seed % 2 == 0);
    far__band x;
    CHECK(far__band_create(&x, mdp, NULL) == FAR_OK);
    const far__band own = by_number(&x);
    CHECK(far__band_cost(&x) <= far__band_cost(&own));
    better += far__band_cost(&x) < far__band_cost(&own);
    equal += x.below == own.below && x.above == own.above && x.state[0] == 0 && x.state[23] == 23;
    check_places(&x);
    far__band_free(&x);
    far_mdp_free(mdp);
  }
  CHECK(better > 0 && equal > 0);
}

/* ---- hubs ---- */

/* Where the second outcome of a state leads: back to state 0 from even ones, to state 1 from odd ones, and from state 1
 * itself to the middle. */
static uint32_t other_of(uint32_t s, uint32_t n) {
  return s == 1 ? n / 2 : s % 2;
}

/* A line of one action, from which each state may lead elsewhere. */
static far_mdp *restart_world(uint32_t n) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, n, 1, NULL);
  for (uint32_t s = 0; s < n; ++s) {
    far_mdp_builder_outcome(b, s, 0, 0.75, s + 1 < n ? s + 1 : 0, s % 3, NULL);
    far_mdp_builder_outcome(b, s, 0, 0.25, other_of(s, n), 1, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static far_status count(void *user, far_error *error) {
  (void)error;
  *(int *)user += 1;
  return FAR_OK;
}

/* One elimination solves the equations of the only policy, with the hubs outside of the band. */
static void test_hubs(void) {
  enum { N = 200 };
  const double gamma = 0.9375;
  far_mdp *mdp = restart_world(N);
  far__band x;
  uint32_t policy[N] = {0};
  double v[N] = {0};
  int policies = 0;
  CHECK(far__band_create(&x, mdp, NULL) == FAR_OK);
  CHECK(x.n_hubs == 2 && x.place[0] == N - 1 && x.place[1] == N - 2);
  check_places(&x);
  CHECK(far__band_iterate(&x, gamma, policy, v, 1e-11, count, &policies, NULL) == FAR_OK);
  CHECK(policies == 1);
  for (uint32_t s = 0; s < N; ++s) {
    const double next = 0.75 * (s % 3 + gamma * v[s + 1 < N ? s + 1 : 0]);
    CHECK_NEAR(v[s], next + 0.25 * (1 + gamma * v[other_of(s, N)]), 1e-11);
  }
  far__band_free(&x);
  far_mdp_free(mdp);
}

int main(void) {
  test_line();
  test_no_wider();
  test_hubs();
  return check_report();
}
