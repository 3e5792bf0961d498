/* Agents that are told the model's policy: it does not depend on the unit of the rewards, can be stopped while it is
 * computed, and is not computed where a cell is only looked at. */
#include "run/peek.h"

#include <farsight/farsight.h>

#include "check.h"

static far_mdp *model_of(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

/* Right is best everywhere, though at the left end it pays a while later: what a sweep or two would not see. */
static void check_policy(const char *model, const char *spec) {
  far_mdp *mdp = model_of(model);
  far_agent *agent = NULL;
  CHECK(far_agent_create_on(&agent, spec, mdp, 0, 1, 0, NULL) == FAR_OK);
  for (uint32_t s = 0; s < far_mdp_shape(mdp).n_states; ++s) CHECK(far_agent_act(agent, s) == 1);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

static void test_units(void) {
  static const char *const models[] = {"chain:n=8,left=1e-11,right=1e-9", "chain:n=8,left=0.01",
                                       "chain:n=8,left=1e6,right=1e8"};
  for (int i = 0; i < 3; ++i) {
    check_policy(models[i], "optimal");
    check_policy(models[i], "optimal:criterion=discounted,gamma=0.95");
  }
}

/* Its stream is that of an agent that was made without a model. */
static void test_stream(void) {
  far_mdp *mdp = model_of("chain:n=8");
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent = NULL, *other = NULL;
  CHECK(far_agent_create_on(&agent, "random", mdp, 0, 5, 2, NULL) == FAR_OK);
  CHECK(far_agent_create(&other, "random", &shape, 5, 2, NULL) == FAR_OK);
  for (int i = 0; i < 64; ++i) CHECK(far_agent_act(agent, 0) == far_agent_act(other, 0));
  far_agent_free(agent);
  far_agent_free(other);
  far_mdp_free(mdp);
}

static bool at_once(void *user) {
  *(int *)user += 1;
  return true;
}

/* A policy that would take for ever. */
static void test_stop(void) {
  far_mdp *mdp = model_of("chain:n=8");
  const far_cell cell = {.mdp = mdp, .agent = "optimal:criterion=discounted,gamma=0.9999999"};
  far_agent *agent = NULL;
  far_error error = {0};
  int asked = 0;
  far__stop stop = {at_once, &asked, false};
  CHECK(far__agent_create_on(&agent, &cell, &stop, &error) == FAR_STATUS_CANCELLED);
  CHECK_TEXT(error.message, "stopped on request after 1 sweeps");
  CHECK(agent == NULL && asked == 1 && stop.fired);
  CHECK(far__agent_try_on(&agent, &cell, &error) == FAR_OK);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

int main(void) {
  test_units();
  test_stream();
  test_stop();
  return check_report();
}
