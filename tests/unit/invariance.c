/* What holds for every agent whatever the numbers: values stay within bounds and counts are right,
 * an end has no successor, and neither the unit nor (for agents that shift rewards) the zero of the
 * rewards changes a choice. Runs over all agents and every word of their choices. */
#include <float.h>

#include "base/number.h"
#include "suite.h"

static bool is_any(const char *name, const char *const *names) {
  for (; *names != NULL; ++names)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

static double number(const far_agent *agent, far_value kind, uint32_t s, uint32_t a) {
  double x = 0;
  far_agent_value(agent, kind, s, a, &x);
  return x;
}

/* A parameter as the canonical spec has it; 0 where it has none. */
static double parameter(const far_agent *agent, const char *key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "%s=", key);
  for (const char *at = far_agent_spec(agent); (at = strstr(at, pattern)) != NULL; ++at)
    if (at[-1] == ':' || at[-1] == ',') return strtod(at + strlen(pattern), NULL);
  return 0;
}

/* ---- bounds and counts ---- */

/* Values of which the largest possible return is an upper bound, and the smallest a lower one. */
static const char *const BOUNDED[] = {"directed-delayed-q",
                                      "delayed-q",
                                      "delayed-q-ie",
                                      "r-max",
                                      "v-max",
                                      "mbie",
                                      "mbie-eb",
                                      "beb",
                                      "ucb-q",
                                      "mormax",
                                      "ucrl-gamma",
                                      "ucbvi-gamma",
                                      "ucbvi",
                                      "mvp",
                                      "ubev",
                                      "orlc",
                                      NULL};

/* Those that report every visit as it was. */
static const char *const COUNTING[] = {"q-learning", "mbie",    "mbie-eb",     "beb",   "oim",
                                       "ucrl-gamma", "psrl",    "rlsvi",       "ucb-q", "count-q",
                                       "speedy-q",   "bayes-q", "ucbvi-gamma", "ucbvi", "mvp",
                                       "ubev",       "orlc",    NULL};
static const char *const AVERAGE[] = {"ucrl2", "ucrl2b", "kl-ucrl", "ucrl3", "imed-rl", NULL};
static const char *const DELAYED[] = {"directed-delayed-q", "delayed-q", "delayed-q-ie", NULL};
static const char *const KNOWING[] = {"r-max", "v-max", NULL};

/* The n that an agent should report after so many visits; -1 where only bounds are known. */
static double expected_n(const far_agent *agent, const far_type_info *type, double visits) {
  const double m = parameter(agent, "m");
  if (is_any(type->name, KNOWING)) return fmin(visits, m);
  if (strcmp(type->name, "mormax") == 0) return fmod(visits, m);
  if (strcmp(type->name, "e3") == 0)
    return strstr(far_agent_spec(agent), "freeze=on") ? fmin(visits, m) : visits;
  if (!is_any(type->name, COUNTING)) return -1;
  if (strstr(far_agent_spec(agent), "stages=apart") != NULL) return -1; /* n of this step alone */
  return m > 0 ? fmin(visits, m) : visits;
}

static void check_pair(const far_agent *agent, const far_type_info *type, uint32_t s, uint32_t a,
                       double visits) {
  const far_shape *shape = far_agent_shape(agent);
  const double gamma = parameter(agent, "gamma"), q = number(agent, FAR_VALUE_Q, s, a);
  const double left = type->finite_horizon
                          ? (double)(shape->horizon - far_agent_episode_step(agent))
                          : 1 / (1 - gamma); /* steps, or what they come to */
  const double low = shape->reward_min * left, high = shape->reward_max * left;
  const double n = number(agent, FAR_VALUE_N, s, a), wanted = expected_n(agent, type, visits);
  const char *spec = far_agent_spec(agent);
  for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind) {
    const double x = number(agent, (far_value)kind, s, a);
    check_agent(x - x == 0, spec, "finite");
    if (kind != FAR_VALUE_Q) check_agent(x >= 0, spec, "not negative");
  }
  if (!far_shape_is_live(shape, s)) { /* nothing is earned there, whatever the range */
    for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind)
      check_agent(number(agent, (far_value)kind, s, a) == 0, spec, "worth nothing where absent");
    return;
  }
  if (is_any(type->name, BOUNDED))
    check_agent(q >= low - 1e-9 && q <= high + 1e-9, spec, "within the possible returns");
  if (wanted >= 0) check_agent(n == wanted, spec, "visits");
  if (is_any(type->name, AVERAGE))
    check_agent(n == visits || n == visits - 1, spec, "visits, but for an end");
  if (is_any(type->name, DELAYED)) check_agent(n < parameter(agent, "m"), spec, "open windows");
}

static void test_bounds(const far_type_info *type, const char *spec, bool ends) {
  far_mdp *mdp = dyadic_world(ends, 1, ends ? 0 : 2);
  far_agent *agent = begin_in(mdp, spec, 2);
  double visits[WORLD_STATES][WORLD_ACTIONS] = {{0}};
  walk w = begin_walk(mdp, 2);
  for (int t = 0; t < 600; ++t) {
    const uint32_t s = w.s, a = walk_step(&w, agent);
    visits[s][a] += 1;
    check_pair(agent, type, s, a, visits[s][a]);
    if (t % 50 != 49) continue;
    for (uint32_t x = 0; x < WORLD_STATES; ++x)
      for (uint32_t y = 0; y < WORLD_ACTIONS; ++y) check_pair(agent, type, x, y, visits[x][y]);
  }
  CHECK(far_agent_steps(agent) == 600);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* ---- ends ---- */

/* The same experience, but with another state behind every end; or cut off instead of ended. With a
 * q0 other than 0, where there is one, an unknown successor is worth something from the first. */
static void test_ends(const far_type_info *type, const char *plain) {
  char spec[SPEC_SIZE];
  with_setting(spec, plain, "q0", "4");
  far_mdp *mdp = dyadic_world(true, 1, 0);
  far_agent *x = begin_in(mdp, spec, 1), *elsewhere = begin_in(mdp, spec, 1);
  far_agent *nowhere = begin_in(mdp, spec, 1), *cut = begin_in(mdp, spec, 1);
  walk w = begin_walk(mdp, 1);
  for (int t = 0; t < 300; ++t) {
    far_transition step = go(&w, (uint32_t)t % WORLD_ACTIONS);
    CHECK(far_agent_observe(x, &step, NULL) == FAR_OK);
    if (step.done) step.next = 0;
    CHECK(far_agent_observe(elsewhere, &step, NULL) == FAR_OK);
    if (step.done) step.next = UINT32_MAX;
    CHECK(far_agent_observe(nowhere, &step, NULL) == FAR_OK);
    if (step.done) step.next = 0;
    step.done = false;
    CHECK(far_agent_observe(cut, &step, NULL) == FAR_OK);
  }
  check_agent(same_agent(x, elsewhere) && same_agent(x, nowhere), spec, "an end has no successor");
  check_agent(type->baseline || !same_state(x, cut), spec, "what is cut off goes on");
  far_agent *all[] = {x, elsewhere, nowhere, cut};
  for (int i = 0; i < 4; ++i) far_agent_free(all[i]);
  far_mdp_free(mdp);
}

static void test_refusals(const char *spec) {
  far_mdp *mdp = dyadic_world(false, 1, 0);
  far_agent *agent = begin_in(mdp, spec, 1), *before;
  walk w = begin_walk(mdp, 1);
  walk_steps(&w, agent, 20);
  CHECK(far_agent_clone(&before, agent, NULL) == FAR_OK);
  static const far_transition bad[] = {{0, 0, 0, 0, true, false},
                                       {WORLD_STATES, 0, 0, 0, false, false},
                                       {0, 0, 0, WORLD_STATES, false, false},
                                       {0, WORLD_ACTIONS, 0, 0, false, false},
                                       {0, 0, 1.5, 0, false, false},
                                       {0, 0, NAN, 0, false, false}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    CHECK(far_agent_observe(agent, &bad[i], NULL) == FAR_STATUS_RANGE);
  check_agent(same_agent(agent, before), spec, "a refusal changes nothing");
  far_agent_free(agent);
  far_agent_free(before);
  far_mdp_free(mdp);
}

/* ---- the unit of the rewards ---- */

enum { TEXT = 1024, SCALED_STEPS = 2000 };

/* The power of the unit in which a key is measured. */
static int unit_of(const char *key, size_t length) {
  static const char *const rewards[] = {"q0",          "beta",      "ve",  "eps1", "lambda",
                                        "rho",         "tol",       "sp",  "sn",   "mu0",
                                        "temperature", "threshold", "eps", NULL};
  for (int i = 0; rewards[i] != NULL; ++i)
    if (strlen(rewards[i]) == length && strncmp(key, rewards[i], length) == 0) return 1;
  return length == 5 && strncmp(key, "beta0", 5) == 0 ? 2 : 0;
}

/* A canonical spec in a unit of 2^k. */
static void scale_spec(char *out, const char *spec, double scale) {
  const char *at = spec + strcspn(spec, ":");
  size_t used = (size_t)snprintf(out, TEXT, "%.*s", (int)(at - spec), spec);
  while (*at != '\0') {
    const char *key = at + 1;
    const size_t length = strcspn(key, "="), end = strcspn(key, ",");
    const int unit = unit_of(key, length);
    if (unit == 0) {
      used += (size_t)snprintf(out + used, TEXT - used, "%c%.*s", *at, (int)end, key);
    } else {
      char value[FAR__NUMBER_SIZE];
      const double x = strtod(key + length + 1, NULL) * (unit == 1 ? scale : scale * scale);
      far__real_format(value, x);
      used += (size_t)snprintf(out + used, TEXT - used, "%c%.*s=%s", *at, (int)length, key, value);
    }
    at = key + end;
  }
}

/* Is x times the scale y? The largest double stands for an infinite bonus. */
static bool scaled(double x, double y, double scale) {
  return x * scale == y || (x == DBL_MAX && y == DBL_MAX);
}

static void compare_values(const far_agent *x, const far_agent *y, double scale) {
  bool good = true;
  for (uint32_t s = 0; s < WORLD_STATES; ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
      for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind) {
        const bool money = kind == FAR_VALUE_Q || kind == FAR_VALUE_BONUS;
        good &= scaled(number(x, (far_value)kind, s, a), number(y, (far_value)kind, s, a),
                       money ? scale : 1);
      }
  check_agent(good, far_agent_spec(x), "the values have the unit of the rewards");
}

/* Powers of two are exact: the same actions, and values that differ by the factor. */
static void test_unit(const char *spec, bool ends, double scale) {
  far_mdp *mdp = dyadic_world(ends, 1, 0), *large = dyadic_world(ends, scale, 0);
  char text[TEXT];
  far_agent *x = begin_in(mdp, spec, 1);
  scale_spec(text, far_agent_spec(x), scale);
  far_agent *y = begin_in(large, text, 1), *derived = begin_in(large, spec, 1);
  CHECK_TEXT(far_agent_spec(y), text);
  if (strchr(spec, ':') == NULL) /* nothing given: defaults carry the unit themselves */
    check_agent(strcmp(far_agent_spec(derived), text) == 0, far_agent_spec(derived),
                "what is in units of reward has a default derived from the range, and unit_of "
                "knows its key");
  walk v = begin_walk(mdp, 1), w = begin_walk(large, 1);
  bool same = true;
  for (int t = 0; same && t < SCALED_STEPS; ++t) same = walk_step(&v, x) == walk_step(&w, y);
  check_agent(same, spec, "the unit does not matter");
  if (!same)
    puts("  is one of its parameters in units of reward? Then unit_of in tests/unit/invariance.c "
         "must know its key");
  if (same) compare_values(x, y, scale);
  far_agent_free(x);
  far_agent_free(y);
  far_agent_free(derived);
  far_mdp_free(mdp);
  far_mdp_free(large);
}

/* ---- the zero of the rewards ---- */

/* Agents that learn from r - rmin do the same in a continuing problem whatever is added to all
 * rewards; with numbers such as these, to the last bit. */
static void test_zero(const far_type_info *type, const char *spec) {
  if (!type->model_based && !is_any(type->name, DELAYED) && strcmp(type->name, "ucb-q") != 0)
    return;
  far_mdp *mdp = dyadic_world(false, 1, 0), *high = dyadic_world(false, 1, 8);
  far_agent *x = begin_in(mdp, spec, 1), *y = begin_in(high, spec, 1);
  walk v = begin_walk(mdp, 1), w = begin_walk(high, 1);
  bool same = true;
  for (int t = 0; same && t < SCALED_STEPS; ++t) same = walk_step(&v, x) == walk_step(&w, y);
  check_agent(same, spec, "the zero does not matter");
  far_agent_free(x);
  far_agent_free(y);
  far_mdp_free(mdp);
  far_mdp_free(high);
}

/* ---- absent states ---- */

enum { LIVE = WORLD_STATES - 1, SPARSE = 4 * LIVE + 3 };

/* Where a live state of the world stands among many that are absent. */
static uint32_t sparse(uint32_t s) {
  return 4 * s + 2;
}

static bool same_values(const far_agent *x, const far_agent *y) {
  bool good = true;
  for (uint32_t s = 0; s < LIVE; ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
      for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind)
        good &= number(x, (far_value)kind, s, a) == number(y, (far_value)kind, sparse(s), a);
  return good;
}

/* Ids of terminal states and of states that cannot be met change nothing, however many there are: the
 * same choices, draws and values to the last bit as without them. Where rewards are poor, an absent
 * state, worth nothing, would be better than all live ones. */
static void test_absent(const char *spec, bool ends, bool poor) {
  bool absent[SPARSE];
  for (uint32_t s = 0; s < SPARSE; ++s) absent[s] = true;
  for (uint32_t s = 0; s < LIVE; ++s) absent[sparse(s)] = false;
  const far_shape dense = SHAPE(LIVE, WORLD_ACTIONS, -1, 1, ends, NULL, 0);
  const far_shape holes = SHAPE(SPARSE, WORLD_ACTIONS, -1, 1, ends, absent, 0);
  far_mdp *mdp = poor ? dyadic_world(ends, 0.125, -0.875) : dyadic_world(ends, 1, 0);
  far_agent *x = begin_agent(spec, &dense, 3), *y = begin_agent(spec, &holes, 3);
  for (uint32_t s = 0; s < SPARSE; ++s) absent[s] = false; /* the agent has its own copy */
  CHECK_TEXT(far_agent_spec(x), far_agent_spec(y));
  walk w = begin_walk(mdp, 3);
  bool same = true;
  for (int t = 0; same && t < 600; ++t) {
    const uint32_t s = w.s, a = far_agent_act(x, s);
    far_transition step = go(&w, a);
    same = far_agent_act(y, sparse(s)) == a && far_agent_observe(x, &step, NULL) == FAR_OK;
    step.s = sparse(s);
    step.next = step.done ? UINT32_MAX : sparse(step.next);
    same = same && far_agent_observe(y, &step, NULL) == FAR_OK && same_stream(x, y);
  }
  check_agent(same, spec, "absent states change no choice");
  check_agent(same_values(x, y), spec, "absent states change no value");
  for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
    check_agent(number(y, FAR_VALUE_Q, 0, a) == 0, spec, "an absent state is worth nothing");
  CHECK(far_agent_observe(y, &(far_transition){0, 0, 0, sparse(0), false, false}, NULL) ==
        FAR_STATUS_RANGE);
  CHECK(far_agent_observe(y, &(far_transition){sparse(0), 0, 0, 0, false, false}, NULL) ==
        FAR_STATUS_RANGE);
  far_agent_free(x);
  far_agent_free(y);
  far_mdp_free(mdp);
}

/* ---- the smallest shapes ---- */

static void test_shape(const char *spec, uint32_t n_states, uint32_t n_actions, bool episodic) {
  const far_shape shape = SHAPE(n_states, n_actions, -1, 1, episodic, NULL, 0);
  far_agent *agent = begin_agent(spec, &shape, 1);
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  uint32_t s = 0;
  for (int t = 0; t < 500; ++t) {
    const uint32_t a = far_agent_act(agent, s), next = far_rng_below(&rng, n_states);
    check_agent(a < n_actions, spec, "an action that there is");
    const bool done = episodic && far_rng_below(&rng, 5) == 0;
    const far_transition step = {s, a, (double)far_rng_below(&rng, 3) - 1, next, done, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    const double q = number(agent, FAR_VALUE_Q, s, a);
    check_agent(q - q == 0, spec, "finite");
    s = next;
  }
  far_agent_free(agent);
}

static void test_all(const far_type_info *type, const char *spec) {
  for (int ends = 0; ends < 2; ++ends) {
    test_bounds(type, spec, ends);
    test_unit(spec, ends, 8);
    test_unit(spec, ends, 0x1p-5);
    if (type->peeks) continue; /* the rest has no model to peek at */
    test_absent(spec, ends, false);
    test_absent(spec, ends, true);
    test_shape(spec, 1, 1, ends);
    test_shape(spec, 2, 1, ends);
    test_shape(spec, 1, 5, ends);
  }
  test_ends(type, spec);
  test_refusals(spec);
  test_zero(type, spec);
}

int main(int argc, char **argv) {
  each_spec(test_all, argc, argv);
  return check_report();
}
