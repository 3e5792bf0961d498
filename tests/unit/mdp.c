/* The builder's checks, the sampling, and the paper's chain entry by entry. */
#include <farsight/farsight.h>
#include "model/criterion.h"
#include <math.h> /* only for NAN */
#include <stdlib.h>

#include "check.h"
#include "worlds.h"

static void finish_fails(far_mdp_builder *b, const char *part) {
  far_mdp *mdp;
  far_error error;
  CHECK(far_mdp_builder_finish(&mdp, b, &error) == FAR_STATUS_RANGE);
  CHECK(mdp == NULL);
  CHECK_CONTAINS(error.message, part);
}

/* Two states, one action, a proper model as far as it goes. */
static far_mdp_builder *two_states(void) {
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 0.25, 0, 0.5, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 0.75, 1, -1, NULL) == FAR_OK);
  return b;
}

static double outcomes_of(const char *text) {
  far_spec *spec;
  CHECK(far_spec_of_env(&spec, text, NAN, NULL) == FAR_OK);
  const double outcomes = far__spec_outcomes(spec);
  far_spec_free(spec);
  return outcomes;
}

static void test_expected_outcomes(void) {
  CHECK(outcomes_of("chain:n=10") == 40);
  CHECK(outcomes_of("chain:n=10,slip=0") == 20);
  CHECK(outcomes_of("garnet:states=8,actions=2,branching=3") == 48);
  CHECK(outcomes_of("dirichlet:states=5,actions=3") == 75);
  CHECK(outcomes_of("mountain-car:positions=10,velocities=20") == 600);
  CHECK(outcomes_of("riverswim") == 0);
}

static void test_builder_refusals(void) {
  far_mdp_builder *b;
  far_error error;
  CHECK(far_mdp_builder_create(&b, 0, 1, &error) == FAR_STATUS_RANGE && b == NULL);
  CHECK(far_mdp_builder_create(&b, UINT32_MAX, UINT32_MAX, &error) == FAR_STATUS_MEMORY);
  b = two_states();
  CHECK(far_mdp_builder_outcome(b, 2, 0, 1, 0, 0, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "state 2 is outside 0 ... 1");
  CHECK(far_mdp_builder_outcome(b, 0, 1, 1, 0, 0, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 1, 9, 0, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_outcome(b, 0, 0, NAN, 0, 0, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 0.1, 0, INFINITY, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_range(b, 1, 0, &error) == FAR_STATUS_RANGE);
  far_mdp_builder_free(b);

  finish_fails(two_states(), "state 1, action 0 has no outcome");
  b = two_states();
  CHECK(far_mdp_builder_state_name(b, 1, "an alley of elms in Ümläüt, whose name is long", NULL) ==
        FAR_OK);
  CHECK(far_mdp_builder_action_name(b, 0, "go", NULL) == FAR_OK);
  finish_fails(
      b, "state 'an alley of elms in Ümläüt, whose name is lon...', action 'go' has no outcome");
  b = two_states();
  far_mdp_builder_terminal(b, 1, NULL);
  finish_fails(b, "the start distribution has no outcome");
  b = two_states();
  far_mdp_builder_outcome(b, 1, 0, 0.5, 0, 0, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  finish_fails(b, "state 1, action 0: probabilities add to 0.5, not to 1");
  b = two_states();
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 1, 1, NULL);
  finish_fails(b, "start state 1 is terminal");
  b = two_states();
  far_mdp_builder_terminal(b, 0, NULL);
  far_mdp_builder_start(b, 1, 1, NULL);
  finish_fails(b, "terminal state has no outcomes");
  b = two_states();
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_range(b, 0, 1, NULL);
  finish_fails(b, "reward -1 is outside the range [0, 1]");
  b = two_states();
  far_mdp_builder_outcome(b, 1, 0, 0.5, 0, 1e308, NULL);
  far_mdp_builder_outcome(b, 1, 0, 0.5, 0, -1e308, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  finish_fails(b, "the rewards from -1e+308 to 1e+308 are too far apart");
}

static void test_model(void) {
  far_mdp *mdp;
  far_mdp_builder *b = two_states();
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(shape.n_states == 2 && shape.n_actions == 1 && shape.episodic);
  CHECK(shape.reward_min == -1 && shape.reward_max == 0.5);
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, 0, 0, &count);
  CHECK(count == 2 && o[0].next == 0 && !o[0].done && o[1].next == 1 && o[1].done);
  CHECK(o[1].probability == 0.75 && o[1].reward == -1);
  far_mdp_outcomes(mdp, 1, 0, &count);
  CHECK(count == 0 && far_mdp_terminal(mdp, 1) && !far_mdp_terminal(mdp, 0));
  uint32_t unreachable, first;
  CHECK(far_mdp_unreachable(mdp, &unreachable, &first, NULL) == FAR_OK && unreachable == 0);
  CHECK(far_shape_is_live(&shape, 0) && !far_shape_is_live(&shape, 1));
  CHECK(far_shape_live(&shape) == 1);
  far_mdp_free(mdp);

  CHECK(far_mdp_builder_create(&b, 3, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 3; ++s) far_mdp_builder_outcome(b, s, 0, 1, s, 0, NULL);
  far_mdp_builder_start(b, 1, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_mdp_unreachable(mdp, &unreachable, &first, NULL) == FAR_OK);
  CHECK(unreachable == 2 && first == 0);
  const far_shape lonely = far_mdp_shape(mdp);
  CHECK(far_shape_is_live(&lonely, 1) && far_shape_live(&lonely) == 1);
  far_mdp_free(mdp);
}

/* Draws from a row of n outcomes with probabilities proportional to 1 ... n, and compares the
 * frequencies: chi-squared with n - 1 degrees of freedom. */
static void test_sampling(uint32_t n) {
  enum { DRAWS = 200000 };
  far_mdp_builder *b;
  far_mdp *mdp;
  CHECK(far_mdp_builder_create(&b, n, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < n; ++s)
    for (uint32_t k = 0; k < n; ++k)
      far_mdp_builder_outcome(b, s, 0, 2.0 * (k + 1) / n / (n + 1), k, k, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  double *count = calloc(n, sizeof *count), chi2 = 0;
  far_rng rng;
  far_rng_init(&rng, 5, n, FAR_PURPOSE_TRANSITION);
  for (int i = 0; i < DRAWS; ++i) count[far_mdp_step(mdp, 0, 0, &rng)->next] += 1;
  for (uint32_t k = 0; k < n; ++k) {
    const double expected = DRAWS * 2.0 * (k + 1) / n / (n + 1);
    chi2 += (count[k] - expected) * (count[k] - expected) / expected;
  }
  CHECK(chi2 < n - 1 + 5 * sqrt(2.0 * n)); /* five standard deviations */
  free(count);
  far_mdp_free(mdp);
}

static void test_chain(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(shape.n_states == 4 && shape.n_actions == 2 && !shape.episodic && shape.absent == NULL);
  CHECK(shape.reward_min == 0 && shape.reward_max == 1);
  static const uint32_t next[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  static const double reward[4] = {0.001, 0, 0, 1};
  for (uint32_t s = 0; s < 4; ++s)
    for (uint32_t a = 0; a < 2; ++a) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      CHECK(count == 2);
      CHECK(o[0].next == next[s][a] && o[0].probability == 0.8 && o[0].reward == reward[o[0].next]);
      CHECK(o[1].next == next[s][!a] && o[1].probability == 0.2 &&
            o[1].reward == reward[o[1].next]);
    }
  size_t count;
  CHECK(far_mdp_starts(mdp, &count)[0].next == 0 && count == 1);
  far_mdp_free(mdp);
  CHECK(far_mdp_create(&mdp, "chain:n=2,slip=0", NULL) ==
        FAR_OK); /* outcomes of probability 0 go */
  far_mdp_outcomes(mdp, 0, 1, &count);
  CHECK(count == 1);
  far_mdp_free(mdp);
}

/* Going right for ever earns 0.75 / (1 - 4^-N) a step plus what the left end pays: the stationary
 * distribution is geometric with ratio 4. Exact, by iterating the distribution. */
static void test_always_right(uint32_t n) {
  far_mdp *mdp;
  char spec[32];
  snprintf(spec, sizeof spec, "chain:n=%u,left=0", n);
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  double now[16] = {1}, earned = 0;
  for (int t = 0; t < 4000; ++t) {
    double then[16] = {0};
    earned = 0;
    for (uint32_t s = 0; s < n; ++s) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, 1, &count);
      for (size_t k = 0; k < count; ++k) {
        then[o[k].next] += now[s] * o[k].probability;
        earned += now[s] * o[k].probability * o[k].reward;
      }
    }
    memcpy(now, then, sizeof now);
  }
  CHECK_NEAR(earned, 0.75 / (1 - pow(4, -(double)n)), 1e-12);
  far_mdp_free(mdp);
}

/* The slip comes from the same draw whatever the action: the same luck for every agent. */
static void test_common_luck(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=9", NULL) == FAR_OK);
  far_rng left, right;
  far_rng_init(&left, 1, 2, FAR_PURPOSE_TRANSITION);
  right = left;
  int different = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool slipped = far_mdp_step(mdp, 4, 0, &left)->next == 5;
    different += slipped != (far_mdp_step(mdp, 4, 1, &right)->next == 3);
  }
  CHECK(different == 0);
  far_mdp_free(mdp);
}

/* Finishes the two states as a model whose end is 1; the hash of it. */
static void hash_of(char out[FAR_HASH_TEXT], far_mdp_builder *b) {
  far_mdp *mdp;
  CHECK(far_mdp_builder_terminal(b, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  far_mdp_hash(out, mdp);
  far_mdp_free(mdp);
}

/* Names do not matter, anything else does: the discount where it is another one than usual. */
static void test_hash(void) {
  char plain[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  hash_of(plain, two_states());
  CHECK(strlen(plain) == FAR_HASH_TEXT - 1);
  far_mdp_builder *b = two_states();
  CHECK(far_mdp_builder_state_name(b, 0, "door", NULL) == FAR_OK);
  CHECK(far_mdp_builder_discount(b, FAR_GAMMA_DEFAULT, NULL) == FAR_OK);
  hash_of(other, b);
  CHECK_TEXT(other, plain);
  b = two_states();
  CHECK(far_mdp_builder_discount(b, 0.5, NULL) == FAR_OK);
  hash_of(other, b);
  CHECK(strcmp(other, plain) != 0);
  b = two_states();
  CHECK(far_mdp_builder_range(b, -1, 1, NULL) == FAR_OK);
  hash_of(other, b);
  CHECK(strcmp(other, plain) != 0);
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 0.75, 1, -1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_outcome(b, 0, 0, 0.25, 0, 0.5, NULL) == FAR_OK);
  hash_of(other, b); /* the order decides which draws lead where */
  CHECK(strcmp(other, plain) != 0);
}

int main(void) {
  test_hash();
  test_expected_outcomes();
  test_builder_refusals();
  test_model();
  test_sampling(3);
  test_sampling(8);
  test_sampling(9); /* the first with an alias table */
  test_sampling(100);
  test_chain();
  test_always_right(2);
  test_always_right(10);
  test_common_luck();
  return check_report();
}
