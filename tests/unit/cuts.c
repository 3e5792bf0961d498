/* Episodes that are cut off: every agent learns from such a step what it learns from any other, and
 * does not carry on across it. */
#include "agents/facts.h"
#include "base/spec.h"
#include "suite.h"

/* Specs, with uniform choices, of the agents that choose the next action in `observe`. */
static const char *const AHEAD[] = {"dora:rule=epsilon,epsilon=1"};

enum { N_AHEAD = sizeof AHEAD / sizeof *AHEAD };

static bool chooses_ahead(const far_type_info *type) {
  bool found = false;
  for (size_t i = 0; i < N_AHEAD; ++i) found |= far__spec_same_type(AHEAD[i], type->name);
  return found;
}

/* A number of a pair, those of all steps together where they have their own: a cut moves what comes
 * after it to other steps. */
static bool number_of(const far_agent *agent, far_value kind, uint32_t s, uint32_t a, double *out) {
  if (!far__agent_by_step(agent)) return far_agent_value(agent, kind, s, a, out);
  double x;
  *out = 0;
  for (int64_t h = 0; far_agent_value_at(agent, kind, h, s, a, &x); ++h) *out += x;
  return true;
}

static bool same_number(const far_agent *x, const far_agent *y, far_value kind) {
  for (uint32_t s = 0; s < WORLD_STATES; ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a) {
      double p = 0, q = 0;
      if (number_of(x, kind, s, a, &p) != number_of(y, kind, s, a, &q)) return false;
      if (p != q) return false;
    }
  return true;
}

/* Of the agents with links_steps: has a cut made a difference to any spec? */
static enum { UNTESTED, SAME, DIFFERS } told[FAR__AGENT_COUNT];

/* `parted` is the first step after which the agent with cuts was not the same as that without. */
static void check_links(const far_agent *agent, const char *spec, int parted) {
  if (far__agent_type_of(agent)->links_steps) {
    if (told[agent->type] != DIFFERS) told[agent->type] = parted < 0 ? SAME : DIFFERS;
    return;
  }
  check_agent(parted < 0, spec, "a cut step is the same as a plain one");
  if (parted >= 0)
    printf(
        "  they differ after step %d. If it carries something from one step to the next, set\n"
        "  .links_steps in its descriptor, name it in docs/agents.md (Termination and truncation)\n"
        "  and, where that is an action chosen ahead, in AHEAD in tests/unit/cuts.c\n",
        parted);
}

static void check_told(void) {
  for (size_t i = 0; i < FAR__AGENT_COUNT; ++i) {
    CHECK(told[i] != SAME);
    if (told[i] == SAME)
      printf("  %s has .links_steps, but a cut step is the same to it as a plain one\n",
             far_agent_type(i)->name);
  }
}

/* The same experience, told with and without the cuts, and with cuts at the ends as well. */
static void test_spec(const far_type_info *type, const char *spec) {
  far_mdp *mdp = dyadic_world(true, 1, 0);
  far_agent *plain = begin_in(mdp, spec, 1), *cut = begin_in(mdp, spec, 1);
  far_agent *both = begin_in(mdp, spec, 1);
  walk w = begin_walk(mdp, 1);
  int parted = -1;
  for (int t = 0; t < 400; ++t) {
    far_transition step = go(&w, (uint32_t)t % WORLD_ACTIONS);
    const bool new_start = !step.done && w.s != step.next; /* suite.h: every 37th step */
    CHECK(far_agent_observe(plain, &step, NULL) == FAR_OK);
    step.cut = step.done;
    CHECK(far_agent_observe(both, &step, NULL) == FAR_OK);
    step.cut = new_start;
    CHECK(far_agent_observe(cut, &step, NULL) == FAR_OK);
    /* at once: what was carried over the cut may be gone a step later */
    if (parted < 0 && !same_agent(plain, cut)) parted = t;
  }
  check_agent(same_agent(plain, both), spec, "a step that is done is not cut");
  check_links(plain, spec, parted);
  check_agent(same_number(plain, cut, FAR_VALUE_N), spec, "a cut step counts");
  if (chooses_ahead(type))
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
  const far_shape shape = SHAPE(2, 1, 0, 1, true, NULL, 0);
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

/* The action that was chosen for the next state is taken; after a cut it is chosen anew. */
static void test_ahead(const char *spec) {
  const far_shape shape = SHAPE(2, 100, 0, 1, true, NULL, 0);
  for (int cut = 0; cut < 2; ++cut) {
    far_agent *agent = begin_agent(spec, &shape, 1);
    CHECK(far_agent_observe(agent, &(far_transition){0, 0, 0, 1, false, cut}, NULL) == FAR_OK);
    const uint32_t first = far_agent_act(agent, 1);
    bool same = true;
    for (int i = 0; i < 5; ++i) same = same && far_agent_act(agent, 1) == first;
    check_agent(same == !cut, spec,
                cut ? "forgotten after a cut" : "the action chosen ahead is taken");
    far_agent_free(agent);
  }
}

/* A ring of three states and a way on in each; e3's plan counts its steps, and a cut ends it. */
static void test_e3(void) {
  const far_shape shape = SHAPE(3, 1, 0, 1, false, NULL, 0);
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
  const far_shape shape = SHAPE(2, 2, 0, 1, false, NULL, 0);
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
  check_told();
  test_bootstrap();
  for (size_t i = 0; i < N_AHEAD; ++i) test_ahead(AHEAD[i]);
  test_e3();
  test_ucrl2();
  each_spec(test_saved, argc, argv);
  return check_report();
}
