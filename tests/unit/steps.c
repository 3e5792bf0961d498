/* What an agent may be told and asked: steps at both sides of every bound of the problem, with what is said of
 * those outside; values and policies by step; sizes; what is effective of a range of rewards. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "agents/agent.h"
#include "agents/facts.h"
#include "check.h"

enum { S = 3, A = 2, H = 4 };

static const bool ABSENT[S] = {false, false, true};

static far_agent *start(const char *spec, far_shape shape) {
  far_agent *agent = NULL;
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, NULL) == FAR_OK);
  return agent;
}

/* ---- steps ---- */

static void check_step(far_agent *agent, far_transition step, const char *why) {
  far_error error = {0};
  const int64_t before = far_agent_steps(agent);
  const far_status status = far_agent_observe(agent, &step, &error);
  CHECK(status == (why == NULL ? FAR_OK : FAR_STATUS_RANGE));
  CHECK_TEXT(error.message, why == NULL ? "" : why);
  CHECK(why == NULL || (error.code == FAR_STATUS_RANGE && error.position == -1));
  CHECK(far_agent_steps(agent) - before == (why == NULL));
}

static void test_steps(void) {
  far_agent *agent = start("q-learning", SHAPE(S, A, -1, 0.5, true, NULL, 0));
  check_step(agent, (far_transition){S - 1, A - 1, 0.5, S - 1, false, false}, NULL);
  check_step(agent, (far_transition){0, 0, -1, S, true, false}, NULL); /* nothing comes next */
  check_step(agent, (far_transition){S, 0, 0, 0, false, false}, "state 3 is outside 0 ... 2");
  check_step(agent, (far_transition){0, 0, 0, S, false, false}, "state 3 is outside 0 ... 2");
  check_step(agent, (far_transition){0, A, 0, 0, false, false}, "action 2 is outside 0 ... 1");
  check_step(agent, (far_transition){0, 0, 0.75, 0, false, false},
             "reward 0.75 is outside the range [-1, 0.5]");
  check_step(agent, (far_transition){0, 0, -1.25, 0, false, false},
             "reward -1.25 is outside the range [-1, 0.5]");
  far_agent_free(agent);
  agent = start("q-learning", SHAPE(S, A, -1, 0.5, false, ABSENT, 0));
  static const char absent[] = "state 2 was declared absent (terminal or unreachable); a step that "
                               "ends in a terminal state is done";
  check_step(agent, (far_transition){2, 0, 0, 0, false, false}, absent);
  check_step(agent, (far_transition){0, 0, 0, 2, false, false}, absent);
  check_step(agent, (far_transition){0, 0, 0, 0, true, false},
             "an episode ends, but the problem was declared continuing");
  far_agent_free(agent);
}

static void test_try_act(void) {
  far_agent *agent = start("random", far_shape_default(S, 1));
  far_error error = {0};
  uint32_t a = 7;
  CHECK(far_agent_try_act(agent, S, &a, &error) == FAR_STATUS_RANGE && a == 7);
  CHECK_TEXT(error.message, "state 3 is outside 0 ... 2");
  CHECK(error.position == -1 && far_agent_try_act(agent, S - 1, &a, &error) == FAR_OK && a == 0);
  far_agent_free(agent);
}

/* ---- values ---- */

static void test_values(void) {
  far_agent *agent = start("ucb-h:c=0", SHAPE(S, A, 0, 1, true, ABSENT, H));
  double x = -1, p[A];
  CHECK(far__agent_by_step(agent) && far_agent_episode_step(agent) == 0);
  for (int64_t h = 0; h < H; ++h) { /* what can still be earned */
    CHECK(far_agent_value_at(agent, FAR_VALUE_Q, h, 1, A - 1, &x) && x == (double)(H - h));
    CHECK(far_agent_value_at(agent, FAR_VALUE_Q, h, 2, 0, &x) && x == 0); /* absent */
    CHECK(far_agent_policy_at(agent, h, S - 1, p) && p[0] == 0.5 && p[1] == 0.5);
  }
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &x) && x == H);
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, H, 0, 0, &x));
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, -1, 0, 0, &x));
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, 0, S, 0, &x));
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, 0, 0, A, &x) && x == H);
  CHECK(!far_agent_policy_at(agent, H, 0, p) && !far_agent_policy_at(agent, -1, 0, p));
  CHECK(!far_agent_policy_at(agent, 0, S, p));
  CHECK(!far_agent_certificate(agent, &x) && !far_agent_stopped(agent) && x == H);
  check_step(agent, (far_transition){0, 0, 1, 1, false, false}, NULL);
  CHECK(far_agent_episode_step(agent) == 1 && far_agent_value(agent, FAR_VALUE_Q, 0, 1, &x));
  CHECK(x == H - 1);
  far_agent_free(agent);
  agent = start("q-learning:q0=2", far_shape_default(S, A));
  CHECK(!far__agent_by_step(agent));
  CHECK(far_agent_value_at(agent, FAR_VALUE_Q, 0, 0, 0, &x) && x == 2); /* all are step 0 */
  CHECK(!far_agent_value_at(agent, FAR_VALUE_Q, 1, 0, 0, &x));
  CHECK(far_agent_param(agent, "q0", &x) && x == 2 && !far_agent_param(agent, "none", &x));
  CHECK(far__agent_local(agent));
  far_agent_free(agent);
}

/* After a step the policy has changed in the state of that step alone, unless there is a plan. */
static void check_local(const char *spec, int64_t horizon, bool local) {
  far_agent *agent = start(spec, SHAPE(S, A, 0, 1, true, NULL, horizon));
  CHECK(far__agent_local(agent) == local);
  far_agent_free(agent);
}

static void test_local(void) {
  check_local("count-q", 0, true);
  check_local("delayed-q", 0, true);
  check_local("ucbmq", H, true);
  check_local("r-max", 0, false);
  check_local("ucbvi", H, false);
}

/* ---- shapes ---- */

/* The state, what stands before it, and the marks of absent states. */
static void test_bytes(void) {
  far_shape shape = SHAPE(S, A, 0, 1, true, NULL, 0);
  size_t with = 0, without = 0, state = 0, none = 0;
  CHECK(far__agent_bytes(&without, "count-q", &shape, NULL) == FAR_OK);
  CHECK(far__agent_bytes(&none, "random", &shape, NULL) == FAR_OK);
  CHECK(far__agent_state_size(&state, "count-q", &shape, NULL) == FAR_OK);
  CHECK(state == 2 * S * A * 8 && without - state > sizeof(far_agent) && none > sizeof(far_agent));
  shape.absent = ABSENT;
  CHECK(far__agent_bytes(&with, "count-q", &shape, NULL) == FAR_OK);
  CHECK(with == without + S * sizeof(bool));
  CHECK(far__agent_bytes(&with, "nobody", &shape, NULL) != FAR_OK && with == 0);
  CHECK(far__agent_state_size(&state, "nobody", &shape, NULL) != FAR_OK && state == 0);
}

/* Where episodes can end, 0 is a value of theirs. */
static void check_range(far_shape shape, double low, double high) {
  far_agent *agent = start("q-learning", shape);
  CHECK(agent->shape.reward_min == low && agent->shape.reward_max == high);
  far_agent_free(agent);
}

static void test_range(void) {
  check_range(SHAPE(S, A, 1, 2, true, NULL, 0), 0, 2);
  check_range(SHAPE(S, A, -2, -1, true, NULL, 0), -2, 0);
  check_range(SHAPE(S, A, -2, 1, true, NULL, 0), -2, 1);
  check_range(SHAPE(S, A, 1, 2, false, NULL, 0), 1, 2);
  check_range(SHAPE(S, A, -2, -1, false, NULL, 0), -2, -1);
}

static void test_peeking(void) {
  const far_shape shape = far_shape_default(S, A);
  far_agent *agent = NULL;
  far_error error = {0};
  char out[FAR_SPEC_SIZE];
  CHECK(far_agent_create(&agent, "optimal", &shape, 1, 0, &error) == FAR_STATUS_CONFLICT);
  CHECK(agent == NULL && error.position == -1);
  CHECK_TEXT(error.message,
             "optimal peeks at the model and cannot be made without one: 'farsight run' runs it, "
             "and in the library far_agent_create_on makes it");
  CHECK(far_agent_resolve(out, "nobody", &shape, NULL) != FAR_OK);
}

int main(void) {
  test_steps();
  test_try_act();
  test_values();
  test_local();
  test_bytes();
  test_range();
  test_peeking();
  return check_report();
}
