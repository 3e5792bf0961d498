/* Episodes that are cut off: every agent learns from such a step what it learns from any other, and
 * does not carry on across it. */
#include "suite.h"

/* Those that carry something from a step to the following one. */
static bool links_steps(const far_type_info *type) {
  static const char *const names[] = {"dora", "e3", "ucrl2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(type->name, names[i]) == 0) return true;
  return false;
}

static bool same_number(const far_agent *x, const far_agent *y, far_value kind) {
  for (uint32_t s = 0; s < WORLD_STATES; ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a) {
      double p = 0, q = 0;
      if (far_agent_value(x, kind, s, a, &p) != far_agent_value(y, kind, s, a, &q)) return false;
      if (p != q) return false;
    }
  return true;
}

/* The same experience, told with and without the cuts, and with cuts at the ends as well. */
static void test_spec(const far_type_info *type, const char *spec) {
  far_mdp *mdp = dyadic_world(true, 1, 0);
  far_agent *plain = begin_in(mdp, spec, 1), *cut = begin_in(mdp, spec, 1);
  far_agent *both = begin_in(mdp, spec, 1);
  walk w = begin_walk(mdp, 1);
  for (int t = 0; t < 400; ++t) {
    far_transition step = go(&w, (uint32_t)t % WORLD_ACTIONS);
    const bool new_start = !step.done && w.s != step.next; /* suite.h: every 37th step */
    CHECK(far_agent_observe(plain, &step, NULL) == FAR_OK);
    step.cut = step.done;
    CHECK(far_agent_observe(both, &step, NULL) == FAR_OK);
    step.cut = new_start;
    CHECK(far_agent_observe(cut, &step, NULL) == FAR_OK);
  }
  check_agent(same_agent(plain, both), spec, "a step that is done is not cut");
  if (!links_steps(type)) check_agent(same_agent(plain, cut), spec, "a cut is a step like others");
  check_agent(same_number(plain, cut, FAR_VALUE_N), spec, "a cut step counts");
  if (strcmp(type->name, "dora") == 0)
    check_agent(same_number(plain, cut, FAR_VALUE_Q) && same_number(plain, cut, FAR_VALUE_E) &&
                    same_stream(plain, cut),
                spec, "a cut step is learned from");
  far_agent_free(plain);
  far_agent_free(cut);
  far_agent_free(both);
  far_mdp_free(mdp);
}

/* The value of the state that was reached counts: gamma times the initial 8, not 0. */
static void test_bootstrap(void) {
  const far_shape shape = {2, 1, 0, 1, true, NULL};
  far_agent *agent = begin_agent("q-learning:q0=8,alpha=1,gamma=0.5", &shape, 1);
  double q;
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 1, 1, false, true}, NULL) == FAR_OK);
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &q) && q == 5);
  CHECK(far_agent_observe(agent, &(far_transition){0, 0, 1, 1, true, true}, NULL) == FAR_OK);
  CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &q) && q == 1);
  far_error error = {0};
  const far_transition nowhere = {0, 0, 1, 2, false, true}; /* a cut has a successor */
  CHECK(far_agent_observe(agent, &nowhere, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "state 2");
  far_agent_free(agent);
}

/* dora takes the action that it chose for the next state; after a cut it chooses anew. */
static void test_dora(void) {
  const far_shape shape = {2, 100, 0, 1, true, NULL};
  for (int cut = 0; cut < 2; ++cut) {
    far_agent *agent = begin_agent("dora:rule=epsilon,epsilon=1", &shape, 1);
    CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0, 1, false, cut}, NULL) == FAR_OK);
    const uint32_t first = far_agent_act(agent, 1);
    bool same = true;
    for (int i = 0; i < 5; ++i) same = same && far_agent_act(agent, 1) == first;
    CHECK(same == !cut);
    far_agent_free(agent);
  }
}

/* A ring of three states and a way on in each; e3's plan counts its steps, and a cut ends it. */
static void test_e3(void) {
  const far_shape shape = {3, 1, 0, 1, false, NULL};
  double after[2];
  for (int cut = 0; cut < 2; ++cut) {
    far_agent *agent = begin_agent("e3:m=1,horizon=10,theta=0.5,freeze=off", &shape, 1);
    for (uint32_t t = 0; t < 3; ++t) { /* all is known */
      const far_transition step = {t % 3, 0, 0, (t + 1) % 3, false, false};
      CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    }
    /* under way, no table is renewed: what is learned shows only where the plan has ended */
    const far_transition step = {0, 0, 1, 1, false, cut};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    CHECK(far_agent_value(agent, FAR_VALUE_Q, 0, 0, &after[cut]));
    far_agent_free(agent);
  }
  CHECK(after[0] == 0 && after[1] > 0);
}

/* State 0 is met as a start only: where it was reached by nothing but cuts, its visits end ucrl2's
 * episodes all the same, and the better action is found. */
static void test_ucrl2(void) {
  const far_shape shape = {2, 2, 0, 1, false, NULL};
  for (int cut = 0; cut < 2; ++cut) {
    far_agent *agent = begin_agent("ucrl2:scale=0.01,ties=lowest", &shape, 1);
    uint32_t a = 0;
    for (int t = 0; t < 50; ++t) {
      a = far_agent_act(agent, 0);
      const far_transition step = {0, a, a, 1, false, cut};
      CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    }
    CHECK(a == (uint32_t)cut);
    far_agent_free(agent);
  }
}

/* What stands after a cut is saved and loaded. */
static void test_saved(const far_type_info *type, const char *spec) {
  if (type->peeks) return; /* made on a model, and learns nothing */
  const far_shape shape = far_shape_default(3, 2);
  far_agent *agent = begin_agent(spec, &shape, 1), *loaded;
  for (uint32_t t = 0; t < 20; ++t) {
    const far_transition step = {t % 3, t % 2, 0.5, (t + 1) % 3, false, t % 4 == 3};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  }
  void *data;
  size_t size;
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  CHECK(far_agent_load_memory(&loaded, data, size, NULL) == FAR_OK);
  if (loaded != NULL) check_agent(same_agent(agent, loaded), spec, "a cut survives saving");
  far_agent_free(loaded);
  far_agent_free(agent);
  far_free(data);
}

int main(int argc, char **argv) {
  each_spec(test_spec, argc, argv);
  test_bootstrap();
  test_dora();
  test_e3();
  test_ucrl2();
  each_spec(test_saved, argc, argv);
  return check_report();
}
