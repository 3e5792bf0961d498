/* Model files: what each construct means, exact round trips, and what broken files are told. */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "models.h"
#include "worlds.h"

/* ---- helpers ---- */

static far_mdp *read_text(const char *text) {
  far_mdp *mdp = NULL;
  far_error error = {FAR_OK, -1, ""};
  CHECK(far_mdp_read(&mdp, text, strlen(text), FAR_FORMAT_AUTO, &error) == FAR_OK);
  if (mdp == NULL) printf("  %s\n  %s\n", text, error.message);
  return mdp;
}

static void refused(const char *text, const char *says) {
  far_mdp *mdp;
  far_error error = {FAR_OK, -1, ""};
  CHECK(far_mdp_read(&mdp, text, strlen(text), FAR_FORMAT_AUTO, &error) == FAR_STATUS_FORMAT);
  CHECK(mdp == NULL && error.position == -1);
  CHECK_CONTAINS(error.message, says);
}

/* Is the k-th outcome of (s, a) this one? */
static bool is_outcome(const far_mdp *mdp, uint32_t s, uint32_t a, size_t k, double p,
                       uint32_t next, double reward) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  return k < count && fabs(o[k].probability - p) < 1e-12 && o[k].next == next &&
         fabs(o[k].reward - reward) < 1e-12;
}

static bool is_only(const far_mdp *mdp, uint32_t s, uint32_t a, uint32_t next, double reward) {
  size_t count;
  far_mdp_outcomes(mdp, s, a, &count);
  return count == 1 && is_outcome(mdp, s, a, 0, 1, next, reward);
}

static size_t n_starts(const far_mdp *mdp) {
  size_t count;
  far_mdp_starts(mdp, &count);
  return count;
}

static void check_round_trips(const far_mdp *mdp) {
  for (int f = FAR_FORMAT_CASSANDRA; f <= FAR_FORMAT_JSON; ++f) {
    char *text;
    size_t length;
    far_mdp *again;
    far_error error = {FAR_OK, -1, ""};
    CHECK(far_mdp_print(&text, &length, mdp, (far_format)f, 0, &error) == FAR_OK);
    CHECK(strlen(text) == length);
    CHECK(far_mdp_read(&again, text, length, FAR_FORMAT_AUTO, &error) == FAR_OK);
    CHECK(again != NULL && same_model(mdp, again));
    if (again == NULL) printf("  %s: %s\n", far_format_name((far_format)f), error.message);
    if (again != NULL && (f != FAR_FORMAT_CASSANDRA || far_mdp_discount(mdp) > 0))
      CHECK(same_real(far_mdp_discount(mdp), far_mdp_discount(again)));
    far_mdp_free(again);
    free(text);
  }
}

/* ---- Cassandra ---- */

#define TWO "discount: 0.9\nvalues: reward\nstates: a b\nactions: 2\n"

static void test_cassandra_transitions(void) {
  far_mdp *m = read_text("# a comment\n" TWO "start: b\n"
                         "T: * identity\n"
                         "T: 0 : a\n0.25 0.75\n"
                         "T: 1\n0 1\n0.5 0.5\n"
                         "T: 1 : a : * 0.0\n"
                         "T: 1 : a : b 0.5 # overridden\n"
                         "T: 1 : a : a 0.5\n"
                         "T: * : b : b 0\nT: * : b : 0 1.0\n");
  CHECK(far_mdp_shape(m).n_states == 2 && far_mdp_shape(m).n_actions == 2);
  CHECK(far_mdp_discount(m) == 0.9);
  CHECK_TEXT(far_mdp_state_name(m, 1), "b");
  CHECK(far_mdp_action_name(m, 0) == NULL);
  CHECK(n_starts(m) == 1 && far_mdp_starts(m, &(size_t){0})[0].next == 1);
  CHECK(is_outcome(m, 0, 0, 0, 0.25, 0, 0) && is_outcome(m, 0, 0, 1, 0.75, 1, 0));
  CHECK(is_outcome(m, 0, 1, 0, 0.5, 1, 0) && is_outcome(m, 0, 1, 1, 0.5, 0, 0)); /* as they came */
  CHECK(is_only(m, 1, 0, 0, 0) && is_only(m, 1, 1, 0, 0));
  far_mdp_free(m);
  m = read_text(TWO "T: * uniform T: 1 : * reset start: 0.25 0.75");
  CHECK(is_outcome(m, 1, 0, 1, 0.5, 1, 0) && is_outcome(m, 1, 1, 1, 0.75, 1, 0));
  far_mdp_free(m);
}

static void test_cassandra_starts(void) {
  static const struct {
    const char *text;
    size_t count;
    double first;
  } cases[] = {{"start: uniform", 3, 1.0 / 3},
               {"", 3, 1.0 / 3},
               {"start: 2", 1, 1},
               {"start: y", 1, 1},
               {"start: 0.5 0 0.5", 2, 0.5},
               {"start include: x z", 2, 0.5},
               {"start exclude: 1", 2, 0.5},
               {"start: x y", 2, 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[256];
    snprintf(text, sizeof text,
             "discount: 1 values: reward states: x y z actions: go\n%s\nT: go identity",
             cases[i].text);
    far_mdp *m = read_text(text);
    CHECK(n_starts(m) == cases[i].count);
    CHECK(far_mdp_starts(m, &(size_t){0})[0].probability == cases[i].first);
    far_mdp_free(m);
  }
}

static void test_cassandra_rewards(void) {
  far_mdp *m = read_text(TWO "T: * uniform\n"
                             "R: * : * : * 1\n"
                             "R: 0 : a : b 2\n"
                             "R: 1 : b\n3 4\n"
                             "R: * : * : a 5\n"
                             "R: 1 : a : * : * -6\n");
  CHECK(is_outcome(m, 0, 0, 0, 0.5, 0, 5) && is_outcome(m, 0, 0, 1, 0.5, 1, 2));
  CHECK(is_outcome(m, 0, 1, 0, 0.5, 0, -6) && is_outcome(m, 0, 1, 1, 0.5, 1, -6));
  CHECK(is_outcome(m, 1, 0, 0, 0.5, 0, 5) && is_outcome(m, 1, 0, 1, 0.5, 1, 1));
  CHECK(is_outcome(m, 1, 1, 0, 0.5, 0, 5) && is_outcome(m, 1, 1, 1, 0.5, 1, 4));
  far_mdp_free(m);
  m = read_text(TWO "T: * uniform\nR: 1\n1 2\n3 4\n");
  CHECK(is_outcome(m, 1, 1, 0, 0.5, 0, 3) && is_outcome(m, 0, 1, 1, 0.5, 1, 2));
  CHECK(far_mdp_shape(m).reward_min == 0 && far_mdp_shape(m).reward_max == 4);
  far_mdp_free(m);
}

/* Rewards by observation count as their expectation; costs as negative rewards. */
static void test_cassandra_observations(void) {
  far_mdp *m = read_text("discount: 0.9 values: cost states: 2 actions: 1 observations: lo hi\n"
                         "T: * uniform\n"
                         "O: * : 0\n0.25 0.75\n"
                         "O: * : 1 : lo 1.0\n"
                         "R: 0 : 0 : 0 : * 8\n"
                         "R: 0 : 0 : 0 : lo 4\n"
                         "R: 0 : 1 : 0 : hi 4\n"
                         "R: 0 : 1 : 1\n3 9\n"
                         "R: 0 : 0 : 1 : hi 100\n");
  CHECK(is_outcome(m, 0, 0, 0, 0.5, 0, -7)); /* 1/4 of 4 and 3/4 of 8 */
  CHECK(is_outcome(m, 1, 0, 0, 0.5, 0, -3)); /* 1/4 of nothing and 3/4 of 4 */
  CHECK(is_outcome(m, 1, 0, 1, 0.5, 1, -3));
  CHECK(is_outcome(m, 0, 0, 1, 0.5, 1, 0)); /* hi never comes there */
  far_mdp_free(m);
  m = read_text("discount: 0.9 values: reward states: 2 actions: 1 observations: 2\n"
                "T: * identity O: * uniform R: 0 : 1 1 2 3 4\n");
  CHECK(is_only(m, 1, 0, 1, 3.5) && is_only(m, 0, 0, 0, 0));
  far_mdp_free(m);
}

static void test_cassandra_refusals(void) {
  refused("", "the text is empty");
  refused(" \n\t\n", "the text is empty");
  refused("# nothing but a comment\n", "the file has no 'states:'");
  refused("states: 2\n", "the file has no 'actions:'");
  refused("stats: 3", "line 1: unknown entry 'stats'; did you mean 'states'?");
  refused(TWO "T: 0 : aa : b 1", "line 5: unknown state 'aa'; there are 2, from 0 to 1");
  refused("discount: 0.9\nstates: left right\nactions: go\nT: go : lfet : right 1\n",
          "line 4: unknown state 'lfet'; did you mean 'left'?");
  refused(TWO "\nT: 2 identity", "line 6: unknown action '2'; there are 2, from 0 to 1");
  refused(TWO "T: * \n0 1\n1", "line 7: expected 2 rows of 2 numbers before this; found 3");
  refused(TWO "T: * : a\n0 1\n1\n", "line 7: expected 2 numbers before this; found 3");
  refused(TWO "T: 0 : a : b 1.5", "line 5: the probability 1.5 is outside [0, 1]");
  refused(TWO "T: 0 : a : b x", "expected a probability; found 'x'");
  refused(TWO "T: 0 : a : b", "the text ends here");
  refused(TWO "T: 0 identity\nT: 1 : * : a 0.5",
          "line 6: state 'a', action 1: the probabilities add to 0.5");
  refused(TWO "T: 0 identity", "state 'a', action 1 has no outcomes");
  refused("discount: 0.9\nstates: left right\nactions: go stay\nT: * : left : right 1\n",
          "state 'right', action 'go' has no outcomes");
  refused("discount: 0.9\nstates: left right\nactions: 2\nT: * : * : right 0.5\n",
          "line 4: state 'left', action 0: the probabilities add to 0.5");
  refused(TWO, "the file has no transitions");
  refused(TWO "states: 3", "line 5: the states are declared twice, first in line 3");
  refused("states: a b a actions: 1", "'a' is twice among the states");
  refused("states: 0 actions: 1", "the number of states must be from 1");
  refused("states: 4000000000 actions: 4000000000\nT: * uniform", "line 1: the number of states");
  refused("states: 1000000 actions: 10\nT: * uniform", "line 1: 1000000 states x 10 actions");
  refused("states: 3000 actions: 1\nT: * uniform",
          "line 2: this is more than the 4194304 outcomes allowed for a text of this length");
  refused("states: 3000000 actions: 1\nT: * identity", /* as many again are starts */
          "line 2: this is more than the 4194304 outcomes");
  refused("actions: 1 T: * identity", "'states:' must come before this");
  refused(TWO "T: * identity\nR: 0 : a : a : 1 2",
          "line 6: an observation, but the file declares none");
  refused("values: profit", "expected 'reward' or 'cost'; found 'profit'");
  refused(TWO "O: * uniform", "'observations:' must come before this");
  refused(TWO "start: a\nstart: b\nT: * identity", "line 6: the start is given twice");
  refused(TWO "start: 0.5 0.25\nT: * identity", "start probabilities add to 0.75");
  refused("observations: 2 " TWO "T: * identity R: 0 : a : a : 0 1", "(O:) add to 0");
}

/* Repeated wildcards: what is replaced as a whole decides nothing, but the order of the columns stays
 * that of their first mention. */
static void test_cassandra_repeats(void) {
  far_mdp *m = read_text(TWO "T: * identity\n"
                             "T: 0 : * : b 0.25\n" /* a, b in state a; b alone in b */
                             "T: * : * : * 0.125\n"
                             "T: * : * : a 0.75\n"
                             "T: * : * : * 0.5\n"
                             "T: 0 : a : b 0.75 T: 0 : a : a 0.25\n");
  CHECK(is_outcome(m, 0, 0, 0, 0.25, 0, 0) && is_outcome(m, 0, 0, 1, 0.75, 1, 0));
  CHECK(is_outcome(m, 1, 0, 0, 0.5, 1, 0) && is_outcome(m, 1, 0, 1, 0.5, 0, 0));
  CHECK(is_outcome(m, 1, 1, 0, 0.5, 1, 0) && is_outcome(m, 0, 1, 0, 0.5, 0, 0));
  far_mdp_free(m);
  m = read_text("states: 2 actions: 1 observations: 2 T: * uniform O: * uniform\n"
                "R: * : * : * : 0 8\n"
                "R: * : 1 : * : 1 4\n"); /* state 0 is as any, state 1 is not */
  CHECK(is_outcome(m, 0, 0, 0, 0.5, 0, 4) && is_outcome(m, 0, 0, 1, 0.5, 1, 4));
  CHECK(is_outcome(m, 1, 0, 0, 0.5, 0, 6) && is_outcome(m, 1, 0, 1, 0.5, 1, 6));
  far_mdp_free(m);
}

/* A few kilobytes that stand for hours of work, if every entry met every pair. */
static void test_cassandra_work(void) {
  enum { ROOM = 1 << 20 };
  char *text = malloc(ROOM);
  size_t n = (size_t)snprintf(text, ROOM, "states: 1000 actions: 1 T: * uniform\n");
  for (int i = 0; i < 20000; ++i) n += (size_t)snprintf(text + n, ROOM - n, "T: * : * : * 0.001\n");
  far_mdp_free(read_text(text));
  far_mdp_free(read_text("states: 500 actions: 2 observations: 50000 T: * uniform O: * uniform\n"
                         "R: * : * : * : 0 1\n"));
  n = (size_t)snprintf(text, ROOM,
                       "states: 2000 actions: 1 observations: 20000\n"
                       "T: * uniform O: * uniform\n");
  for (int s = 0; s < 2000; ++s)
    n += (size_t)snprintf(text + n, ROOM - n, "R: * : %d : * : 0 1\n", s);
  refused(text, "line 2: to resolve the entries takes more than the 536870912 steps allowed");
  free(text);
}

/* ---- DRN ---- */

#define HEAD "@type: MDP\n@nr_states\n3\n@model\n"

static void test_drn(void) {
  far_mdp *m =
      read_text("// by hand\n@type: MDP\n@parameters\n\n@reward_models\nr q\n@nr_states\n3\n"
                "@nr_choices\n3\n@model\n"
                "state 0 [1, 9] init \"a b\"\n"
                "//[a comment]\n"
                "\taction up [0.5, 9]\n\t\t1 : 1/4\n\t\t0 : 0.75\n"
                "\taction down [0, 0]\n\t\t2 : 1\n"
                "state 1 init\n\taction down\n\t\t2 : 1\n"
                "state 2 [7] \n");
  CHECK(far_mdp_shape(m).n_actions == 2 && far_mdp_terminal(m, 2) && !far_mdp_terminal(m, 1));
  CHECK_TEXT(far_mdp_action_name(m, 1), "down");
  CHECK(is_outcome(m, 0, 0, 0, 0.25, 1, 1.5) && is_outcome(m, 0, 0, 1, 0.75, 0, 1.5));
  CHECK(is_only(m, 0, 1, 2, 1) && is_only(m, 1, 0, 2, 0) && is_only(m, 1, 1, 2, 0));
  CHECK(n_starts(m) == 2 && far_mdp_starts(m, &(size_t){0})[1].probability == 0.5);
  far_mdp_free(m);
  m = read_text("@type: MDP\n@model\nstate 0\n action west\n  0 : 1\n action east\n  1 : 1\n"
                "state 1\n action __NOLABEL__ [2]\n  0 : 1\n");
  CHECK_TEXT(far_mdp_action_name(m, 1), "east");
  CHECK(is_only(m, 0, 1, 1, 0) && is_only(m, 1, 0, 0, 2) && is_only(m, 1, 1, 0, 2));
  far_mdp_free(m);
  m = read_text(
      "@type: DTMC\n@model\nstate 0\n action go\n 1 : 1\nstate 1\n action stop\n 1 : 1\n");
  CHECK(far_mdp_shape(m).n_actions == 1);
  far_mdp_free(m);
  m = read_text(
      "@type: DTMC\n@model\nstate 0\n 0 : 0.5\n 1 : 0.5\nstate 1 terminal\n action 0\n 1 : 1\n");
  CHECK(far_mdp_shape(m).n_actions == 1 && far_mdp_terminal(m, 1) && n_starts(m) == 1);
  CHECK(far_mdp_action_name(m, 0) == NULL);
  far_mdp_free(m);
}

static void test_drn_refusals(void) {
  refused("@type: CTMC\n@model\n", "line 1: a model of type CTMC is not supported");
  refused("@type: MDP\n@value_type: double-interval\n", "line 2: values of type double-interval");
  refused("@type: MDP\n@parameters\np q\n", "line 3: parametric models");
  refused("@type: MDP\n@nr_states\nmany\n", "line 3: expected the number of states");
  refused("@type: MDP\n", "the file ends before '@model'");
  refused("@tpye: MDP\n", "line 1: expected @type:");
  refused("@nr_states\n1\n@model\n", "line 3: @type: is missing");
  refused(HEAD "state 1\n", "line 5: expected state 0 (they come in order); found '1'");
  refused(HEAD "state 0\n action 0\n  5 : 1\n", "line 7: state 5 is beyond the 3 of @nr_states");
  refused(HEAD "state 0\n action 0\n  0 : half\n", "line 7: expected a probability");
  refused(HEAD "state 0\n action 0\n  0 : [0.1, 0.9]\n", "line 7: intervals such as");
  refused(HEAD "state 0\n action 0\n  0 : 0.5\nstate 1\nstate 2\n",
          "line 6: state 0, action 0: the probabilities add to 0.5");
  refused(HEAD "state 0\n action 0\n  0 : 1/0\n", "expected a probability");
  refused(HEAD "state 0\n", "line 3: 3 states are declared, but 1 follow");
  refused(HEAD "state 0 [1\n", "line 5: ']' is missing");
  refused("@type: DTMC\n@model\nstate 0\n action a\n 0 : 1\n action b\n 0 : 1\n",
          "line 6: a second");
  refused(HEAD "action 0\n", "line 5: an action before the first state");
  refused("@type: MDP\n@nr_states\n4000000000\n@model\nstate 0\n 0 : 1\n", "but 1 follow");
  refused("@type: MDP\n@model\nstate 0\n", "start state 0 is terminal");
}

/* ---- JSON ---- */

static void test_json(void) {
  far_mdp *m = read_text(
      "{\"1\": {\"1\": [[1.0, 1, 0, true]], \"0\": [[1.0, 1, 0, true]]},\n"
      " \"0\": {\"0\": [[0.5, 0, -1, false], [0.5, 1, 2.5, true]], \"1\": [[1, 0, 0, false]]}}");
  CHECK(far_mdp_shape(m).n_states == 2 && far_mdp_terminal(m, 1) && far_mdp_shape(m).episodic);
  CHECK(is_outcome(m, 0, 0, 0, 0.5, 0, -1) && is_outcome(m, 0, 0, 1, 0.5, 1, 2.5));
  CHECK(n_starts(m) == 1);
  far_mdp_free(m);
  /* state 1 is entered both ways, so the end has a state of its own; 2 lacks the second action */
  m = read_text(
      "{\"P\": [[[[1, 1, 3, true]], [[1, 1, 0, false]]], [[[1, 0, 0, false]], [[1, 2, 0, 0]]],"
      " [[[1, 0, 4, 0]]]],\n \"start\": [[1, 1]], \"discount\": 0.5, \"reward_range\": [-1, 5],"
      " \"state_names\": [\"\\u03b1\", null, \"x\\\"y\"], \"notes\": {\"a\": [1, {}]}}");
  CHECK(far_mdp_shape(m).n_states == 4 && far_mdp_terminal(m, 3) && !far_mdp_terminal(m, 1));
  CHECK(is_only(m, 0, 0, 3, 3) && is_only(m, 0, 1, 1, 0) && is_only(m, 2, 1, 0, 4));
  CHECK(far_mdp_shape(m).reward_min == -1 && far_mdp_discount(m) == 0.5);
  CHECK_TEXT(far_mdp_state_name(m, 0), "\xce\xb1");
  CHECK(far_mdp_state_name(m, 1) == NULL);
  CHECK_TEXT(far_mdp_state_name(m, 2), "x\"y");
  CHECK_TEXT(far_mdp_state_name(m, 3), "end");
  far_mdp_free(m);
  /* as in CliffWalking: what follows an end can never happen */
  m = read_text("[[[[1, 1, -1, true]]], [[[1, 0, -1, false]]]]");
  CHECK(far_mdp_shape(m).n_states == 2 && far_mdp_terminal(m, 1));
  far_mdp_free(m);
}

static void test_json_refusals(void) {
  refused("{", "expected a key in quotes; the text ends here");
  refused("{}", "P has no state");
  refused("{\"start\": 0}", "the key \"P\" is missing");
  refused("{\"P\": [], \"start\": 0}", "P has no state");
  refused("{\"strat\": 0, \"P\": []}", "unknown key 'strat'; did you mean 'start'?");
  refused("{\n\"0\": {\"0\": [[1, 0, 0]]}}",
          "line 2: expected ',' and whether the episode ends; found ']'");
  refused("{\"0\": {\"0\": [[1, 7, 0, false]]}}", "state 7 is outside 0 ... 0");
  refused("{\"0\": {\"0\": [[0.5, 0, 0, false]]}}", "probabilities add to 0.5");
  refused("{\"0\": {\"1\": [[1, 0, 0, false]]}}",
          "state 0 has 1 actions, so their keys are 0 ... 0; found 1");
  refused("{\"4000000000\": {\"0\": [[1, 0, 0, false]]}}", "P has 1 states");
  refused("{\"0\": {\"0\": [[NaN, 0, 0, false]]}}", "expected a probability; found 'N'");
  refused("{\"0\": {\"0\": [[01, 0, 0, false]]}}", "expected a probability");
  refused("{\"0\": {\"0\": [[1, 0.5, 0, false]]}}", "a whole number from 0; found 0.5");
  refused("{\"0\": {\"0\": [[1, 0, 0, false],]}}", "expected a transition");
  refused("{\"0\": {\"0\": [[1, 0, 0, 2]]}}", "true or false");
  refused("[[[[1, 0, 0, false]]]] x", "something follows the JSON value");
  refused("{\"P\": [[[[1, 0, 0, false]]]], \"discount\": 1.5}", "outside (0, 1]");
  refused("{\"P\": [[[[1, 0, 0, false]]]], \"state_names\": [\"a\", \"b\"]}",
          "state 1 is outside 0 ... 0");
  refused("{\"P\": [[[[1, 0, 0, false]]]], \"state_names\": [\"a\\nb\"]}", "is no name");
  refused("{\"P\": [[[[1, 0, 0, false]]]], \"x\": \"\\ud800\"}", "a bad escape");
}

/* ---- exactness ---- */

/* Successors twice, rewards of their own, odd names, an order that is not that of the states. */
static far_mdp *awkward_model(void) {
  far_mdp *mdp;
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, 4, 2, NULL) == FAR_OK);
  for (uint32_t a = 0; a < 2; ++a) {
    far_mdp_builder_outcome(b, 0, a, 0.1, 2, 1.0 / 3, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.2, 1, -0.0, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.3, 2, -1e-300, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.1, 3, 0.1 + 0.2, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.3, 2, 1.0 / 3, NULL);
    far_mdp_builder_outcome(b, 1, a, a == 0 ? 1e-17 : 0.5, 0, 3, NULL);
    far_mdp_builder_outcome(b, 1, a, a == 0 ? 1 : 0.5, 1, 3, NULL);
    far_mdp_builder_outcome(b, 2, a, 1, 2, 0, NULL); /* absorbing, but not terminal */
  }
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp_builder_start(b, 2, 0.1, NULL);
  far_mdp_builder_start(b, 0, 0.7, NULL);
  far_mdp_builder_start(b, 2, 0.2, NULL);
  far_mdp_builder_range(b, -2, 5, NULL);
  CHECK(far_mdp_builder_state_name(b, 0, "two words", NULL) == FAR_OK);
  CHECK(far_mdp_builder_state_name(b, 2, "\xce\xb3 # \"x\"", NULL) == FAR_OK);
  CHECK(far_mdp_builder_action_name(b, 1, "1", NULL) == FAR_OK);
  CHECK(far_mdp_builder_discount(b, 0.99, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_round_trips(void) {
  static const char *const specs[] = {"chain:n=2", "chain:n=7,slip=0.3", "chain:n=50,left=-0.1"};
  far_mdp *m = awkward_model();
  check_round_trips(m);
  far_mdp_free(m);
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    CHECK(far_mdp_create(&m, specs[i], NULL) == FAR_OK);
    check_round_trips(m);
    far_mdp_free(m);
  }
  for (uint32_t successors = 1; successors < 20; successors += 3) {
    m = random_world(successors, 12, 3, successors); /* 1/7 and so on do not add to 1 exactly */
    check_round_trips(m);
    far_mdp_free(m);
  }
  m = read_text("discount: 0.9 values: reward states: go stay actions: up down T: * uniform");
  check_round_trips(m); /* listed by name */
  far_mdp_free(m);
}

/* A remark that no longer fits what was edited beside it is not believed. */
static void test_remarks_must_agree(void) {
  const char *text = "@type: MDP\n@nr_states\n2\n@model\nstate 0 init\n"
                     "//@ outcomes 0 0  0 0.5 1  1 0.5 3\n"
                     "\taction 0 [%s]\n\t\t0 : %s\n\t\t1 : %s\nstate 1\n";
  char edited[256];
  snprintf(edited, sizeof edited, text, "2", "0.5", "0.5");
  far_mdp *m = read_text(edited);
  CHECK(is_outcome(m, 0, 0, 0, 0.5, 0, 1) && is_outcome(m, 0, 0, 1, 0.5, 1, 3));
  far_mdp_free(m);
  snprintf(edited, sizeof edited, text, "2", "0.25", "0.75");
  refused(edited, "line 6: these outcomes of state 0, action 0 disagree with the rest");
  snprintf(edited, sizeof edited, text, "2.5", "0.5", "0.5");
  refused(edited, "line 6: these outcomes");
  refused("@type: MDP\n@model\n//@ range 3\n", "line 3: this remark has the form @ range MIN MAX");
  refused(TWO "#@ terminal a\nT: * identity", "line 5: this remark has the form @ terminal S");
  refused(TWO "#@ terminal 1\nT: * identity\nR: * : 1 : 1 1",
          "state 'b' is marked as terminal, but has an outcome");
  refused(TWO "#@ start 0 0.5 7 0.5\nT: * identity", "line 5: state 7 is outside 0 ... 1");
}

/* ---- files and the spec ---- */

/* A horizon is kept in every format, and is part of the model. */
static void test_horizon(void) {
  far_mdp *mdp = read_text("{\"horizon\": 3, \"P\": {\"0\": {\"0\": [[1, 0, 1, false]]}}}");
  CHECK(far_mdp_horizon(mdp) == 3);
  check_round_trips(mdp);
  for (int f = FAR_FORMAT_CASSANDRA; f <= FAR_FORMAT_JSON; ++f) {
    char *text;
    size_t length;
    far_mdp *again;
    CHECK(far_mdp_print(&text, &length, mdp, (far_format)f, 0, NULL) == FAR_OK);
    CHECK(far_mdp_read(&again, text, length, FAR_FORMAT_AUTO, NULL) == FAR_OK);
    CHECK(far_mdp_horizon(again) == 3);
    far_free(text);
    far_mdp_free(again);
  }
  CHECK(far_mdp_set_horizon(mdp, 7, NULL) == FAR_OK && far_mdp_horizon(mdp) == 7);
  CHECK(far_mdp_set_horizon(mdp, -1, NULL) == FAR_STATUS_RANGE);
  far_mdp_free(mdp);
  refused("{\"horizon\": 0, \"P\": {\"0\": {\"0\": [[1, 0, 1, false]]}}}", "horizon 0");
  refused("{\"horizon\": 1.5, \"P\": {\"0\": {\"0\": [[1, 0, 1, false]]}}}", "whole number");
}

static void test_files(void) {
  char path[64];
  far_mdp *m = awkward_model(), *again;
  far_error error;
  snprintf(path, sizeof path, "/tmp/farsight-files-%ld.Pomdp", (long)getpid());
  CHECK(far_mdp_save(m, path, FAR_FORMAT_AUTO, 0.5, &error) == FAR_OK);
  CHECK(far_mdp_load(&again, path, FAR_FORMAT_AUTO, &error) == FAR_OK);
  CHECK(same_model(m, again) && far_mdp_discount(again) == 0.5);
  far_mdp_free(again);
  CHECK(far_mdp_load(&again, path, FAR_FORMAT_JSON, &error) == FAR_STATUS_FORMAT && again == NULL);
  CHECK_CONTAINS(error.message, ".Pomdp:1: expected");
  char spec[80];
  snprintf(spec, sizeof spec, "file:%s", path);
  CHECK(far_mdp_create(&again, spec, &error) == FAR_OK);
  CHECK(same_model(m, again));
  CHECK_TEXT(far_mdp_spec(again), spec);
  far_mdp_free(again);
  unlink(path);
  CHECK(far_mdp_create(&again, spec, &error) == FAR_STATUS_IO && again == NULL);
  CHECK_CONTAINS(error.message, "No such file");
  CHECK(far_mdp_save(m, "model.txt", FAR_FORMAT_AUTO, 0, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_save(m, "/nonexistent/model.drn", FAR_FORMAT_AUTO, 0, &error) == FAR_STATUS_IO);
  CHECK(far_mdp_create(&again, "file", &error) == FAR_STATUS_SYNTAX);
  CHECK(far_format_of_path("a.b/c") == FAR_FORMAT_AUTO);
  CHECK(far_format_of_path("x.DRN") == FAR_FORMAT_DRN);
  CHECK_TEXT(far_format_name(FAR_FORMAT_JSON), "json");
  far_mdp_free(m);
}

/* A file that is longer than what is read, or than what there are addresses for, is refused by its size. */
static void test_long_files(void) {
  const off_t limit = (off_t)1 << 32;
  for (off_t size = NARROW ? limit - 1 : limit + 1; size <= limit + 1; ++size) {
    char path[] = "/tmp/farsight-long-XXXXXX", says[80];
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && ftruncate(fd, size) == 0 && close(fd) == 0);
    far_mdp *mdp;
    far_error error = {FAR_OK, -1, ""};
    CHECK(far_mdp_load(&mdp, path, FAR_FORMAT_JSON, &error) == FAR_STATUS_IO && mdp == NULL);
    snprintf(says, sizeof says, "it has %lld bytes, at most", (long long)size);
    CHECK_CONTAINS(error.message, says);
    unlink(path);
  }
}

static void test_names(void) {
  far_mdp_builder *b;
  far_error error;
  char longest[300];
  memset(longest, 'x', sizeof longest);
  longest[256] = '\0';
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_state_name(b, 2, "x", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_action_name(b, 1, "x", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_state_name(b, 0, "", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_state_name(b, 0, longest, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_state_name(b, 0, longest + 1, &error) == FAR_OK);
  CHECK(far_mdp_builder_state_name(b, 0, "a\tb", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_state_name(b, 0, "\xff", &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_discount(b, 1.5, &error) == FAR_STATUS_RANGE);
  CHECK(far_mdp_builder_discount(b, 0, &error) == FAR_STATUS_RANGE);
  far_mdp_builder_free(b);
}

int main(void) {
  test_cassandra_transitions();
  test_cassandra_starts();
  test_cassandra_rewards();
  test_cassandra_observations();
  test_cassandra_refusals();
  test_cassandra_repeats();
  test_cassandra_work();
  test_drn();
  test_drn_refusals();
  test_json();
  test_json_refusals();
  test_round_trips();
  test_remarks_must_agree();
  test_horizon();
  test_files();
  test_long_files();
  test_names();
  return check_report();
}
