/* Models as arrays: there and back, and every kind of wrong array. */
#include <farsight/farsight.h>

#include "models.h"
#include "check.h"

static void check_round_trip(const far_mdp *mdp) {
  far_csr csr;
  far_mdp *again = NULL;
  char hash[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  CHECK(far_mdp_to_csr(&csr, mdp, NULL) == FAR_OK);
  CHECK(csr.offsets[0] == 0);
  CHECK((size_t)csr.offsets[(size_t)csr.n_states * csr.n_actions] == csr.n_outcomes);
  CHECK(far_mdp_from_csr(&again, &csr, NULL) == FAR_OK);
  far_csr_free(&csr);
  CHECK(csr.memory == NULL && csr.offsets == NULL && csr.n_states == 0);
  if (again == NULL) return;
  far_mdp_hash(hash, mdp);
  far_mdp_hash(other, again);
  CHECK_TEXT(other, hash);
  CHECK(far_mdp_discount(again) == far_mdp_discount(mdp));
  far_mdp_free(again);
}

static void test_families(void) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    far_mdp *mdp;
    if (far_mdp_family(i)->bare) continue;
    CHECK(far_mdp_create(&mdp, far_mdp_family(i)->name, NULL) == FAR_OK);
    check_round_trip(mdp);
    far_mdp_free(mdp);
  }
}

/* State 0 stays or ends in state 1; two starts that are one. */
static const int64_t offsets[] = {0, 2, 3, 3, 3};
static const double probability[] = {0.9, 0.1, 1}, reward[] = {0, 1, 0.5};
static const uint32_t next[] = {0, 1, 0};
static const bool terminal[] = {false, true};
static const uint32_t start_state[] = {0, 0};
static const double start_probability[] = {0.25, 0.75};

static far_csr small(void) {
  far_csr csr = far_csr_default(2, 2);
  csr.n_outcomes = 3;
  csr.offsets = offsets;
  csr.probability = probability;
  csr.next = next;
  csr.reward = reward;
  csr.terminal = terminal;
  csr.n_starts = 2;
  csr.start_state = start_state;
  csr.start_probability = start_probability;
  return csr;
}

/* The same as a builder makes. */
static void test_small(void) {
  far_csr csr = small();
  far_mdp_builder *b;
  far_mdp *mdp = NULL, *built = NULL;
  csr.discount = 0.9;
  CHECK(far_mdp_from_csr(&mdp, &csr, NULL) == FAR_OK);
  CHECK(far_mdp_builder_create(&b, 2, 2, NULL) == FAR_OK);
  far_mdp_builder_outcome(b, 0, 0, 0.9, 0, 0, NULL);
  far_mdp_builder_outcome(b, 0, 0, 0.1, 1, 1, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 0, 0.5, NULL);
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 0, 0.25, NULL);
  far_mdp_builder_start(b, 0, 0.75, NULL);
  CHECK(far_mdp_builder_finish(&built, b, NULL) == FAR_OK);
  CHECK(same_model(mdp, built));
  CHECK(far_mdp_discount(mdp) == 0.9);
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(shape.reward_min == 0 && shape.reward_max == 1);
  check_round_trip(mdp);
  far_mdp_free(mdp);
  far_mdp_free(built);
  csr.reward_min = -2;
  csr.reward_max = 3;
  CHECK(far_mdp_from_csr(&mdp, &csr, NULL) == FAR_OK);
  CHECK(far_mdp_shape(mdp).reward_min == -2 && far_mdp_shape(mdp).reward_max == 3);
  check_round_trip(mdp);
  far_mdp_free(mdp);
}

/* Arrays in a builder: the model may then have names, too. */
static void test_builder(void) {
  far_csr csr = small();
  far_mdp_builder *b;
  far_mdp *mdp = NULL, *plain = NULL;
  far_error error;
  CHECK(far_mdp_builder_create(&b, 2, 2, NULL) == FAR_OK);
  CHECK(far_mdp_builder_csr(b, &csr, NULL) == FAR_OK);
  CHECK(far_mdp_builder_state_name(b, 1, "end", NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_mdp_from_csr(&plain, &csr, NULL) == FAR_OK);
  char hash[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  far_mdp_hash(hash, mdp);
  far_mdp_hash(other, plain);
  CHECK_TEXT(hash, other);
  CHECK_TEXT(far_mdp_state_name(mdp, 1), "end");
  far_mdp_free(mdp);
  far_mdp_free(plain);
  CHECK(far_mdp_builder_create(&b, 2, 3, NULL) == FAR_OK);
  CHECK(far_mdp_builder_csr(b, &csr, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "the arrays are of 2 states and 2 actions, the builder of 2 and 3");
  far_mdp_builder_free(b);
}

static void refuses(const far_csr *csr, const char *part) {
  far_mdp *mdp = (far_mdp *)1;
  far_error error = {0};
  CHECK(far_mdp_from_csr(&mdp, csr, &error) == FAR_STATUS_RANGE);
  CHECK(mdp == NULL);
  CHECK_CONTAINS(error.message, part);
}

static void test_sizes(void) {
  far_csr csr = small();
  csr.n_states = 0;
  refuses(&csr, "at least 1 state");
  csr = small();
  csr.n_outcomes = 4;
  refuses(&csr, "offsets[4], the last, is 3; there are 4 outcomes");
  csr = small();
  csr.offsets = (const int64_t[]){1, 2, 3, 3, 3};
  refuses(&csr, "offsets[0] is 1; it must be 0");
  csr.offsets = (const int64_t[]){0, 3, 2, 3, 3};
  refuses(&csr, "offsets[2] = 2 is below offsets[1] = 3");
  csr.offsets = (const int64_t[]){0, 2, 3, 3, -1};
  refuses(&csr, "offsets[4] = -1 is below offsets[3] = 3");
  csr.offsets = (const int64_t[]){0, 3, 3, 3, 3};
  refuses(&csr, "add to 2, not to 1");
  csr.offsets = (const int64_t[]){0, 2, 2, 3, 3};
  refuses(&csr, "state 0, action 1 has no outcome");
}

static void test_missing(void) {
  far_csr csr = small();
  csr.offsets = NULL;
  refuses(&csr, "the array offsets is missing");
  csr = small();
  csr.probability = NULL;
  refuses(&csr, "the array probability is missing");
  csr = small();
  csr.next = NULL;
  refuses(&csr, "the array next is missing");
  csr = small();
  csr.reward = NULL;
  refuses(&csr, "the array reward is missing");
  csr = small();
  csr.start_state = NULL;
  refuses(&csr, "the array start_state is missing");
  csr = small();
  csr.start_probability = NULL;
  refuses(&csr, "the array start_probability is missing");
  csr = small();
  csr.n_starts = 0;
  refuses(&csr, "the start distribution has no outcome");
}

static void test_values(void) {
  far_csr csr = small();
  csr.probability = (const double[]){0.9, NAN, 1};
  refuses(&csr, "outcome 1, of state 0 and action 0: probability nan is outside [0, 1]");
  csr.probability = (const double[]){0.9, 0.2, 1};
  refuses(&csr, "state 0, action 0: probabilities add to 1.1");
  csr = small();
  csr.next = (const uint32_t[]){0, 1, 2};
  refuses(&csr, "outcome 2, of state 0 and action 1: state 2 is outside 0 ... 1");
  csr = small();
  csr.reward = (const double[]){0, INFINITY, 0};
  refuses(&csr, "outcome 1, of state 0 and action 0: a reward must be finite");
  csr = small();
  csr.terminal = NULL;
  refuses(&csr, "state 1, action 0 has no outcome");
  csr.terminal = (const bool[]){true, true};
  refuses(&csr, "state 0, action 0: a terminal state has no outcomes");
  csr = small();
  csr.start_state = (const uint32_t[]){0, 9};
  refuses(&csr, "start 1: state 9 is outside 0 ... 1");
  csr = small();
  csr.start_probability = (const double[]){-1, 2};
  refuses(&csr, "start 0: probability -1 is outside [0, 1]");
  csr = small();
  csr.reward_min = NAN;
  refuses(&csr, "the reward range");
  csr = small();
  csr.reward_min = 0;
  csr.reward_max = 0.75;
  refuses(&csr, "reward 1 is outside the range [0, 0.75]");
  csr = small();
  csr.discount = 2;
  refuses(&csr, "the discount 2 is outside (0, 1]");
}

int main(void) {
  test_families();
  test_small();
  test_builder();
  test_sizes();
  test_missing();
  test_values();
  return check_report();
}
