/* What agents keep for speed alone must never change a result: agents that work it out anew at every step, or
 * now and then, learn the same to the last bit. And the agenda of a plan, beside one that is plain. */
#include "solve/plan/agenda.h"
#include "solve/plan/optimistic.h"
#include "suite.h"

/* ---- agents with and without ---- */

static const char *const WORLDS[] = {"garnet:states=40,actions=3,branching=2,rewarded=0.3",
                                     "chain:n=24", "frozen-lake:map=8x8",
                                     "garnet:states=4,actions=2,branching=2,rewarded=1"};

/* In the last one the agents hardly ever choose: some pairs are visited very rarely. */
enum { N_WORLDS = 4, FORCED = 3, STEPS = 260 };

static far_mdp *worlds[N_WORLDS];

static void step_in(walk *w, far_agent *agent, int t) {
  const uint32_t chosen = far_agent_act(agent, w->s);
  const far_transition step = go(w, w->mdp == worlds[FORCED] && t % 40 != 0 ? 0 : chosen);
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
}

/* One keeps all, one forgets at every step, one at some; the last is swapped for its copy, too. */
static void walk_beside(const char *spec, const far_mdp *mdp) {
  far_agent *keeps = begin_in(mdp, spec, 3), *forgets = begin_in(mdp, spec, 3);
  far_agent *copied = begin_in(mdp, spec, 3), *copy;
  walk u = begin_walk(mdp, 4), v = begin_walk(mdp, 4), w = begin_walk(mdp, 4);
  bool same = true;
  for (int t = 0; same && t < STEPS; ++t) {
    forgets->memo.holds = false;
    if (t % 41 == 40 && far_agent_clone(&copy, copied, NULL) == FAR_OK) {
      far_agent_free(copied);
      copied = copy;
    }
    step_in(&u, keeps, t);
    step_in(&v, forgets, t);
    step_in(&w, copied, t);
    same = same_agent(keeps, forgets) && same_agent(keeps, copied);
  }
  check_agent(same, spec, "what is kept changes nothing");
  CHECK(keeps->memo.room > 0);
  far_agent_free(keeps);
  far_agent_free(forgets);
  far_agent_free(copied);
}

static size_t n_tried;

static void test_agent(const far_type_info *type, const char *spec) {
  if (!type->model_based || type->finite_horizon) return;
  far_agent *agent = begin_in(worlds[0], spec, 1);
  const bool keeps = far__agent_type_of(agent)->memo_need != NULL;
  far_agent_free(agent);
  n_tried += keeps;
  for (int i = 0; keeps && i < N_WORLDS; ++i) walk_beside(spec, worlds[i]);
}

/* A reset forgets: the second run is as the first. */
static void test_reset(void) {
  far_agent *agent = begin_in(worlds[0], "mbie-eb", 5), *fresh = begin_in(worlds[0], "mbie-eb", 5);
  walk v = begin_walk(worlds[0], 6), w = begin_walk(worlds[0], 7);
  walk_steps(&v, agent, 100);
  far_agent_reset(agent, 5, 0);
  CHECK(!agent->memo.holds);
  v = w;
  walk_steps(&v, agent, 200);
  walk_steps(&w, fresh, 200);
  CHECK(same_agent(agent, fresh));
  far_agent_free(agent);
  far_agent_free(fresh);
}

/* ---- the agenda ---- */

enum { STATES = 300, ACTIONS = 3, PAIRS = STATES * ACTIONS, LINKS = 400 };

/* The next of a plain list of marks. */
static size_t plain_next(const bool *due, size_t from) {
  while (from < PAIRS && !due[from]) ++from;
  return from < PAIRS ? from : SIZE_MAX;
}

static void test_agenda(void) {
  static uint64_t words[4096];
  static bool due[PAIRS];
  far_rng rng;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  CHECK(far__agenda_size(STATES, ACTIONS, LINKS) <= 4096);
  const far__agenda a = far__agenda_at(words, STATES, ACTIONS);
  far__agenda_clear(&a);
  CHECK(a.state->all);
  for (int t = 0; t < 20000; ++t) {
    const size_t i = far_rng_below(&rng, PAIRS);
    const bool adds = far_rng_below(&rng, t % 4000 < 2000 ? 3 : 40) == 0; /* full and empty */
    (adds ? far__agenda_add : far__agenda_remove)(&a, i);
    due[i] = adds;
    const size_t from = far_rng_below(&rng, PAIRS + 2);
    CHECK(far__agenda_next(&a, from) == plain_next(due, from));
  }
  CHECK((unsigned char *)(a.link + LINKS) <=
        (unsigned char *)(words + far__agenda_size(STATES, ACTIONS, LINKS)));
}

/* State 5 follows the pairs 2, 15 to 17 (its own), and 40. */
static far__agenda linked(uint64_t *words) {
  static const size_t before[] = {2, 15, 16, 17, 40};
  const far__agenda a = far__agenda_at(words, STATES, ACTIONS);
  far__agenda_clear(&a);
  for (int k = 0; k < 5; ++k) far__agenda_link(&a, before[k], 5);
  far__agenda_link(&a, 100, 6);
  return a;
}

static void test_moves(void) {
  static uint64_t words[4096];
  const far__agenda a = linked(words);
  a.state->all = a.state->rose = 0;
  far__agenda_moved(&a, 5, false);
  CHECK(!a.state->rose && far__agenda_next(&a, 0) == 2 && far__agenda_next(&a, 3) == 15);
  CHECK(far__agenda_next(&a, 18) == 40 && far__agenda_next(&a, 41) == SIZE_MAX);
  far__agenda_watch(&a, 6);
  far__agenda_moved(&a, 6, false);
  CHECK(a.state->rose && far__agenda_next(&a, 41) == 41 && far__agenda_next(&a, 899) == 899);
}

/* After a sweep over all: only those before the state in the sweep's order have not seen its new value. */
static void test_refill(void) {
  static uint64_t words[4096];
  const far__agenda a = linked(words);
  far__agenda_unmark(&a);
  far__agenda_mark(&a, 5, true);
  far__agenda_mark(&a, 6, false);
  far__agenda_refill(&a, 1);
  CHECK(!a.state->all && far__agenda_next(&a, 0) == 2 && far__agenda_next(&a, 17) == 17);
  CHECK(far__agenda_next(&a, 18) == SIZE_MAX);
  a.state->all = 1;
  far__agenda_refill(&a, STATES); /* many moved */
  CHECK(a.state->all);
  far__agenda_watch(&a, 5);
  far__agenda_refill(&a, 1);
  CHECK(a.state->all);
}

/* The best few in order, as sorting all has them. */
static void test_order(void) {
  enum { N = 37 };
  far_rng rng;
  far_rng_init(&rng, 2, 0, FAR_PURPOSE_SEARCH);
  for (int t = 0; t < 200; ++t) {
    double v[N];
    uint64_t all[N], some[N];
    const uint64_t count = 1 + far_rng_below(&rng, N), wanted = far_rng_below(&rng, count + 1);
    for (uint64_t s = 0; s < N; ++s) v[s] = far_rng_below(&rng, 12);
    for (uint64_t k = 0; k < count; ++k) all[k] = some[k] = k;
    far__order_by_value(all, count, v);
    far__order_best(some, count, wanted, v);
    far__order_best(some, count, wanted, v); /* from any order */
    for (uint64_t k = 0; k < wanted; ++k) CHECK(some[count - 1 - k] == all[k]);
  }
}

int main(int argc, char **argv) {
  for (int i = 0; i < N_WORLDS; ++i)
    check_begun(far_mdp_create(&worlds[i], WORLDS[i], NULL), WORLDS[i], &(far_error){0});
  each_spec(test_agent, argc, argv);
  if (argc == 1) CHECK(n_tried >= 20);
  test_reset();
  test_agenda();
  test_moves();
  test_refill();
  test_order();
  for (int i = 0; i < N_WORLDS; ++i) far_mdp_free(worlds[i]);
  return check_report();
}
