/* Which states of agents that learn a model `valid` takes from a file, word by word. */
#include "agents/learner.h"
#include "kept.h"

/* A pair that was never visited, the head of every learner, and that of agents of finite horizon: places
 * of rows, whether a plan is due, episodes; pairs, squares, planned, seen, Q and V. */
#define EMPTY "==ZZZ"
#define LEARNER "1L 4" EMPTY " 4F 2F 1="
#define EPISODIC "1L 1B 1C 4" EMPTY " 4P 4= 4t 8F 9F"
#define STAGED "1L 1B 1C 8" EMPTY " 8P 8= 4t 8F 9F"

static const layout LAYOUTS[] = {
    {"r-max", LEARNER},
    {"v-max", LEARNER},
    {"mbie", LEARNER " 4="},
    {"mbie-eb", LEARNER " 4="},
    {"beb", LEARNER " 4="},
    {"oim", LEARNER " 4F 2F 1= 4="},
    {"mormax", LEARNER " 4" EMPTY " 4N 6."},
    {"imed-rl", LEARNER " 1Qr 4="},
    {"ucrl2", LEARNER " 1Qr 4="},
    {"kl-ucrl", LEARNER " 1Qr 4= 1F"},
    {"ucrl2b", LEARNER " 1Qr 4= 1F 4="},
    {"ucrl3", LEARNER " 1Qr 4= 1F 4="},
    {"ucrl-gamma:delay=3", LEARNER " 1D 4="},
    {"ucbvi-gamma", LEARNER " 4= 2="},
    {"psrl", LEARNER " 1CC. 4="},
    {"rlsvi", LEARNER " 1CC. 4="},
    {"ucbvi", EPISODIC},
    {"ucbvi:stages=apart", STAGED},
    {"ubev", EPISODIC},
    {"mvp", EPISODIC " 4" EMPTY " 4P 4t"},
    {"orlc", EPISODIC " 9F"},
    {"bpi-ucbvi", EPISODIC " 1b 9h 9h 2h 2h"},
    {"rf-express", EPISODIC " 1b 9h 8h"},
    {"rf-ucrl", EPISODIC " 1b 9h 8h"},
    {"bayes-ucbvi:draws=3", EPISODIC " 3F"},
    {"psrl-episodic", EPISODIC},
    {"rlsvi-episodic", EPISODIC},
    {"e3:horizon=4", LEARNER " 1D.. 2N 1= 2. 1= 2Z 8A 5."},
};

/* ---- rows of transitions ---- */

/* Pair 0 has gone to state 1, to the end, and to state 0, with rewards 2, 1 and 0 above the least: places
 * for 2 arcs, then for 4, of which the last is not in use. */
enum { FIRST_PAIR = 1, N = FIRST_PAIR, SUM, FIRST, COUNT, ROOM, OLD_ARCS = 2, ARCS = OLD_ARCS + 4 };

static far_agent *with_a_row(void) {
  static const far_transition steps[] = {
      {0, 0, 1, 1, false, false}, {0, 0, 0, 0, true, false}, {0, 0, -1, 0, false, false}};
  far_agent *agent = start("r-max:m=9,tol=0.5");
  if (agent == NULL) return NULL;
  agent->t = 0;
  for (size_t i = 0; i < 3; ++i) CHECK(far_agent_observe(agent, &steps[i], NULL) == FAR_OK);
  CHECK(agent->t == 3 && agent->pool_used == 2 * ARCS && valid(agent));
  return agent;
}

static void test_pair(far_agent *agent) {
  within(agent, N, 3, 3, true, 'n');
  within(agent, SUM, 0, 3 * RANGE, true, 's');
  real(agent, SUM, INFINITY, false, 's');
  whole(agent, FIRST, OLD_ARCS + 1, false, 'f');
  whole(agent, FIRST, ARCS + 1, false, 'f');
  between(agent, COUNT, 3, 3, 'c');
  between(agent, ROOM, 4, 4, 'r');
  whole(agent, 0, 4, true, 'L');
  whole(agent, 0, 3, false, 'L');
}

/* What `valid` says while a number that it reads is another one. */
#define WHILE(place, value, good)                                                                  \
  do {                                                                                             \
    const word before = {.n = (int64_t)(place)};                                                   \
    (place) = (value);                                                                             \
    CHECK(valid(agent) == (good));                                                                 \
    (place) = before.n;                                                                            \
  } while (0)

static void test_arcs(far_agent *agent) {
  far__arc *arc = (far__arc *)far__agent_pool(agent) + OLD_ARCS;
  CHECK(arc[0].next == 1 && arc[1].next == S && arc[2].next == 0);
  for (size_t k = 0; k < 4; ++k) {
    WHILE(arc[k].next, S, k == 1 || k == 3); /* twice in a row of three */
    WHILE(arc[k].next, S + 1, false);
  }
  WHILE(agent->t, 2, false); /* more visits than steps */
  WHILE(agent->pool_used, 2 * ARCS + 1, false);
  WHILE(agent->pool_used, 2 * ARCS - 2, false);
  WHILE(agent->shape.episodic, false, false); /* then there is no end */
  arc[1].weight = 0.5, arc[2].weight = 1.5;
  CHECK(!valid(agent)); /* nothing is seen half a time */
  arc[1].weight = arc[2].weight = 1;
  CHECK(valid(agent));
}

static void keep_one_arc(far_agent *agent) {
  word *state = far__agent_state(agent);
  state[COUNT].n = 1;
  state[N].x = state[SUM].x = 1;
}

/* No more successors than there are, and none that is absent. */
static void test_successors(far_agent *agent) {
  far__arc *arc = (far__arc *)far__agent_pool(agent) + OLD_ARCS;
  static const bool absent[S] = {false, true};
  arc[1].next = 0;
  CHECK(!valid(agent));                       /* the first state twice */
  WHILE(agent->shape.episodic, false, false); /* three outcomes of two */
  arc[0].next = 0;
  agent->shape.absent = absent;
  CHECK(!valid(agent)); /* three outcomes of two: a state and the end */
  agent->shape.absent = NULL;
  keep_one_arc(agent);
  agent->shape.absent = absent;
  CHECK(valid(agent));
  WHILE(arc[0].next, 1, false);
  agent->shape.absent = NULL;
}

/* Four words of room for one arc are no place that a row could have. */
static void test_odd_room(far_agent *agent) {
  keep_one_arc(agent);
  CHECK(valid(agent));
  whole(agent, ROOM, 3, false, 'r');
  whole(agent, ROOM, 2, true, 'r');
}

static void test_rows(void (*test)(far_agent *agent)) {
  far_agent *agent = with_a_row();
  if (agent != NULL) test(agent);
  far_agent_free(agent);
}

/* ---- rows that are long ---- */

enum { STATES = 130, ARCS_OF_EACH = 20 };

/* States 0 and 1 lead to 0 ... 9 and to 64 ... 73. */
static far_agent *with_long_rows(void) {
  const far_shape shape = SHAPE(STATES, 1, 0, 1, false, NULL, 0);
  far_agent *agent = NULL;
  CHECK(far__agent_create(&agent, "r-max:m=99", &shape, 1, 0, NULL) == FAR_OK);
  for (uint32_t i = 0; i < 2 * ARCS_OF_EACH; ++i) {
    const uint32_t k = i % ARCS_OF_EACH;
    const far_transition step = {i / ARCS_OF_EACH, 0, 0, k < 10 ? k : 54 + k, false, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  }
  CHECK(valid(agent));
  return agent;
}

/* None of the successors stands twice, and no two rows share a place. */
static void test_long_rows(void) {
  far_agent *agent = with_long_rows();
  const learner l = learner_of(agent);
  far__arc *arc = (far__arc *)far__agent_pool(agent) + l.pair[0].first;
  CHECK(l.pair[0].count == ARCS_OF_EACH && l.pair[1].count == ARCS_OF_EACH);
  WHILE(arc[ARCS_OF_EACH - 1].next, 0, false);
  WHILE(arc[ARCS_OF_EACH - 1].next, 64, false);
  WHILE(arc[0].next, 73, false);
  WHILE(arc[0].next, 128, true);
  WHILE(l.pair[1].first, l.pair[0].first, false);
  WHILE(l.pair[1].first, l.pair[0].first + l.pair[0].room - 1, false); /* one place */
  CHECK(valid(agent));
  far_agent_free(agent);
}

/* ---- spreads ---- */

/* Rewards 1, 3 and 5: squared deviations 0, 2 and 8. */
static void test_spread(void) {
  learner_pair pair = {0};
  const learner l = {.range = 2, .pair = &pair};
  double spread = 0;
  static const double expected[] = {0, 2, 8};
  for (int i = 0; i < 3; ++i) {
    spread = learner_spread(&pair, spread, 1 + 2 * i);
    pair.n += 1;
    pair.sum += 1 + 2 * i;
    CHECK(spread == expected[i]);
  }
  CHECK(learner_spread_is_valid(&l, 0, 0) && learner_spread_is_valid(&l, 0, 12)); /* n range^2 */
  CHECK(!learner_spread_is_valid(&l, 0, -0.5) && !learner_spread_is_valid(&l, 0, 12.5));
}

int main(void) {
  test_spread();
  test_long_rows();
  test_rows(test_pair);
  test_rows(test_arcs);
  test_rows(test_successors);
  test_rows(test_odd_room);
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; ++i)
    test_layout(LAYOUTS[i].spec, LAYOUTS[i].words);
  return check_report();
}
