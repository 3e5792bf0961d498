/* Many worlds in one call: the streams of a batch, resets, time limits. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"

enum { WORLDS = 7 };

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

static far_worlds *make(const far_mdp *mdp, size_t n, far_autoreset mode, int64_t limit) {
  far_worlds_def def = far_worlds_def_default();
  far_worlds *worlds = NULL;
  def.autoreset = mode;
  def.max_episode_steps = limit;
  CHECK(far_worlds_create(&worlds, mdp, n, &def, NULL) == FAR_OK);
  return worlds;
}

/* ---- the same as a batch ---- */

/* An agent for each world, over `steps` steps of every agent. */
static void run_worlds(double *totals, const far_mdp *mdp, const char *spec, int64_t steps,
                       uint64_t first, far_autoreset mode) {
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agents[WORLDS];
  far_worlds_def def = far_worlds_def_default();
  far_worlds *worlds;
  uint32_t s[WORLDS], a[WORLDS], next[WORLDS], reached[WORLDS];
  double r[WORLDS];
  bool done[WORLDS], truncated[WORLDS], ended[WORLDS] = {false};
  int64_t left[WORLDS];
  def.seed = 5;
  def.first_replicate = first;
  def.autoreset = mode;
  CHECK(far_worlds_create(&worlds, mdp, WORLDS, &def, NULL) == FAR_OK);
  CHECK(far_worlds_reset(worlds, NULL, s, NULL) == FAR_OK);
  for (int i = 0; i < WORLDS; ++i) {
    CHECK(far_agent_create(&agents[i], spec, &shape, 5, first + (uint64_t)i, NULL) == FAR_OK);
    totals[i] = 0;
    left[i] = steps;
  }
  for (int64_t t = 0; t < 3 * steps; ++t) {
    if (mode == FAR_AUTORESET_DISABLED) CHECK(far_worlds_reset(worlds, ended, s, NULL) == FAR_OK);
    const bool resets = mode == FAR_AUTORESET_NEXT_STEP;
    for (int i = 0; i < WORLDS; ++i)
      a[i] = resets && ended[i] ? UINT32_MAX : left[i] > 0 ? far_agent_act(agents[i], s[i]) : 0;
    CHECK(far_worlds_step(worlds, a, next, r, done, truncated, reached, NULL) == FAR_OK);
    for (int i = 0; i < WORLDS; ++i) {
      if (!(resets && ended[i]) && left[i] > 0) {
        const far_transition step = {s[i], a[i], r[i], reached[i], done[i], truncated[i]};
        CHECK(far_agent_observe(agents[i], &step, NULL) == FAR_OK);
        totals[i] += r[i];
        left[i] -= 1;
      }
      ended[i] = done[i];
      s[i] = next[i];
    }
  }
  for (int i = 0; i < WORLDS; ++i) {
    CHECK(left[i] == 0);
    far_agent_free(agents[i]);
  }
  far_worlds_free(worlds);
}

static void test_batch(const char *env, const char *spec) {
  const int64_t steps = 300;
  far_mdp *mdp = model(env);
  const far_cell cell = {.mdp = mdp, .agent = spec, .steps = steps};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  double totals[WORLDS];
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = WORLDS;
  def.seed = 5;
  def.first_replicate = 3;
  def.threads = 1;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  for (int mode = 0; mode <= FAR_AUTORESET_DISABLED; ++mode) {
    run_worlds(totals, mdp, spec, steps, 3, (far_autoreset)mode);
    CHECK(memcmp(totals, far_batch_result(batch, 0)->totals, sizeof totals) == 0);
  }
  far_batch_free(batch);
  far_mdp_free(mdp);
}

/* ---- resets ---- */

/* Two steps to the end: 0, 1, and 2 is terminal; a step pays 1. */
static far_mdp *corridor(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 3, 1, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 1, 1, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 2, 1, NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

typedef struct seen {
  uint32_t s, reached;
  double r;
  bool terminated, truncated;
} seen;

static seen step_one(far_worlds *worlds) {
  const uint32_t action = 0;
  seen x;
  CHECK(far_worlds_step(worlds, &action, &x.s, &x.r, &x.terminated, &x.truncated, &x.reached,
                        NULL) == FAR_OK);
  CHECK(far_worlds_state(worlds, 0) == x.s);
  return x;
}

static bool is(seen x, uint32_t s, uint32_t reached, double r, bool terminated, bool truncated) {
  return x.s == s && x.reached == reached && x.r == r && x.terminated == terminated &&
         x.truncated == truncated;
}

static void test_modes(void) {
  far_mdp *mdp = corridor();
  far_worlds *w = make(mdp, 1, FAR_AUTORESET_NEXT_STEP, 0);
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  CHECK(is(step_one(w), 2, 2, 1, true, false));
  CHECK(is(step_one(w), 0, 0, 0, false, false)); /* the reset */
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  far_worlds_free(w);

  w = make(mdp, 1, FAR_AUTORESET_SAME_STEP, 0);
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  CHECK(is(step_one(w), 0, 2, 1, true, false));
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  far_worlds_free(w);

  w = make(mdp, 1, FAR_AUTORESET_DISABLED, 0);
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  step_one(w);
  CHECK(is(step_one(w), 2, 2, 1, true, false));
  const uint32_t action = 0;
  far_error error = {0};
  CHECK(far_worlds_step(w, &action, NULL, NULL, NULL, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "world 0 must be reset before it steps: its episode has ended");
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK && far_worlds_state(w, 0) == 0);
  far_worlds_free(w);
  far_mdp_free(mdp);
}

static void test_time_limit(void) {
  far_mdp *mdp = corridor();
  far_worlds *w = make(mdp, 1, FAR_AUTORESET_SAME_STEP, 1);
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  CHECK(is(step_one(w), 0, 1, 1, false, true));
  CHECK(is(step_one(w), 0, 1, 1, false, true));
  far_worlds_free(w);
  w = make(mdp, 1, FAR_AUTORESET_NEXT_STEP, 2); /* the limit falls on the end */
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  CHECK(is(step_one(w), 2, 2, 1, true, true));
  CHECK(is(step_one(w), 0, 0, 0, false, false)); /* counts for no episode */
  CHECK(is(step_one(w), 1, 1, 1, false, false));
  CHECK(is(step_one(w), 2, 2, 1, true, true));
  far_worlds_free(w);
  far_mdp_free(mdp);
}

/* A reset in the midst of an episode, of some worlds only; the others go on. */
static void test_mask(void) {
  far_mdp *mdp = corridor();
  far_worlds *w = make(mdp, 3, FAR_AUTORESET_DISABLED, 0);
  const bool second[] = {false, true, false}, all[] = {true, true, true};
  const uint32_t actions[] = {0, 0, 0};
  uint32_t s[3];
  far_error error = {0};
  CHECK(far_worlds_count(w) == 3);
  CHECK(far_worlds_step(w, actions, s, NULL, NULL, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "it is new");
  CHECK(far_worlds_reset(w, second, s, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "world 0 was never reset");
  CHECK(far_worlds_reset(w, all, s, NULL) == FAR_OK);
  CHECK(far_worlds_reset(w, NULL, s, NULL) == FAR_OK && s[0] == 0 && s[1] == 0 && s[2] == 0);
  CHECK(far_worlds_step(w, actions, s, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worlds_reset(w, second, s, NULL) == FAR_OK && s[0] == 1 && s[1] == 0 && s[2] == 1);
  CHECK(far_worlds_step(w, actions, s, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(s[0] == 2 && s[1] == 1 && s[2] == 2);
  far_worlds_free(w);
  far_mdp_free(mdp);
}

/* ---- what they begin with ---- */

static bool same_worlds(const far_worlds *x, const far_worlds *y) {
  uint64_t a[3 * FAR_WORLDS_WORDS], b[3 * FAR_WORLDS_WORDS];
  CHECK(far_worlds_count(x) == 3 && far_worlds_count(y) == 3);
  far_worlds_save(x, a);
  far_worlds_save(y, b);
  return memcmp(a, b, sizeof a) == 0;
}

/* New worlds are in state 0, and so are those that are seeded again, wherever they were: as if created anew. */
static void test_seed(void) {
  far_mdp *mdp = corridor();
  far_worlds_def def = far_worlds_def_default();
  far_worlds *plain = NULL, *same = NULL, *other = NULL;
  const uint32_t actions[] = {0, 0, 0};
  CHECK(def.seed == 1 && def.first_replicate == 0 && def.max_episode_steps == 0);
  CHECK(def.autoreset == FAR_AUTORESET_NEXT_STEP);
  CHECK(far_worlds_create(&plain, mdp, 3, NULL, NULL) == FAR_OK);
  CHECK(far_worlds_create(&same, mdp, 3, &def, NULL) == FAR_OK);
  def.seed = 9;
  def.first_replicate = 4;
  CHECK(far_worlds_create(&other, mdp, 3, &def, NULL) == FAR_OK);
  for (size_t i = 0; i < 3; ++i) CHECK(far_worlds_state(plain, i) == 0);
  CHECK(same_worlds(plain, same) && !same_worlds(plain, other));
  CHECK(far_worlds_reset(same, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worlds_step(same, actions, NULL, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worlds_state(same, 2) == 1 && !same_worlds(same, other));
  far_worlds_seed(same, 9, 4);
  CHECK(far_worlds_state(same, 2) == 0 && same_worlds(same, other));
  CHECK(far_worlds_step(same, actions, NULL, NULL, NULL, NULL, NULL, NULL) == FAR_STATUS_CONFLICT);
  far_worlds_seed(plain, 9, 5); /* world i is world i + 1 of the other */
  CHECK(!same_worlds(plain, other));
  far_worlds_free(plain);
  far_worlds_free(same);
  far_worlds_free(other);
  far_mdp_free(mdp);
}

/* A wrong action moves no world; the streams begin again where they are told to. */
static void test_refusals(void) {
  far_mdp *mdp = model("riverswim");
  far_worlds *w = make(mdp, 3, FAR_AUTORESET_SAME_STEP, 0), *other = NULL;
  const uint32_t good[] = {1, 1, 1}, bad[] = {1, 1, 2};
  uint32_t s[3], again[3];
  far_error error = {0};
  CHECK(far_worlds_reset(w, NULL, s, NULL) == FAR_OK);
  CHECK(far_worlds_step(w, bad, s, NULL, NULL, NULL, NULL, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "action 2 of world 2 is outside 0 ... 1");
  for (int t = 0; t < 50; ++t)
    CHECK(far_worlds_step(w, good, s, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  far_worlds_seed(w, 1, 0);
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  for (int t = 0; t < 50; ++t)
    CHECK(far_worlds_step(w, good, again, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(memcmp(s, again, sizeof s) == 0);
  far_worlds_free(w);

  far_worlds_def def = far_worlds_def_default();
  CHECK(far_worlds_create(&other, mdp, 0, NULL, &error) == FAR_STATUS_RANGE && other == NULL);
  CHECK(far_worlds_create(&other, mdp, SIZE_MAX, NULL, &error) == FAR_STATUS_MEMORY);
  for (size_t n = SIZE_MAX / 2 + 1; n > SIZE_MAX / 64; n /= 2) /* sizes that would run over to 0 */
    CHECK(far_worlds_create(&other, mdp, n, NULL, &error) == FAR_STATUS_MEMORY && other == NULL);
  def.max_episode_steps = -1;
  CHECK(far_worlds_create(&other, mdp, 1, &def, &error) == FAR_STATUS_RANGE && other == NULL);
  CHECK_CONTAINS(error.message, "time limit");
  def = far_worlds_def_default();
  def.autoreset = (far_autoreset)3;
  CHECK(far_worlds_create(&other, mdp, 1, &def, &error) == FAR_STATUS_RANGE && other == NULL);
  far_worlds_free(NULL);
  far_mdp_free(mdp);
}

/* A clone continues as its original does, and neither disturbs the other. */
static void test_clone(void) {
  far_mdp *mdp = model("frozen-lake");
  far_worlds *w = make(mdp, 3, FAR_AUTORESET_NEXT_STEP, 0), *clone = NULL;
  const uint32_t actions[] = {1, 2, 1};
  uint32_t s[3], other[3];
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  for (int t = 0; t < 5; ++t)
    CHECK(far_worlds_step(w, actions, s, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_worlds_clone(&clone, w, NULL) == FAR_OK);
  CHECK(far_worlds_count(clone) == 3 && far_worlds_state(clone, 1) == s[1]);
  for (int t = 0; t < 30; ++t)
    CHECK(far_worlds_step(w, actions, s, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  far_worlds_free(w);
  for (int t = 0; t < 30; ++t)
    CHECK(far_worlds_step(clone, actions, other, NULL, NULL, NULL, NULL, NULL) == FAR_OK);
  CHECK(memcmp(s, other, sizeof s) == 0);
  far_worlds_free(clone);
  far_mdp_free(mdp);
}

/* What is saved continues elsewhere as it would have here. */
static void test_save(void) {
  enum { N = 3 };
  far_mdp *mdp = model("frozen-lake");
  far_worlds *w = make(mdp, N, FAR_AUTORESET_NEXT_STEP, 7),
             *other = make(mdp, N, FAR_AUTORESET_NEXT_STEP, 7);
  const uint32_t actions[N] = {1, 2, 1};
  uint32_t s[N], s2[N];
  bool cut[N], cut2[N];
  uint64_t words[N * FAR_WORLDS_WORDS], again[N * FAR_WORLDS_WORDS];
  CHECK(far_worlds_reset(w, NULL, NULL, NULL) == FAR_OK);
  for (int t = 0; t < 100; ++t) {
    far_worlds_save(w, words);
    CHECK(far_worlds_restore(other, words, NULL) == FAR_OK);
    far_worlds_save(other, again);
    CHECK(memcmp(words, again, sizeof words) == 0);
    CHECK(far_worlds_step(w, actions, s, NULL, NULL, cut, NULL, NULL) == FAR_OK);
    CHECK(far_worlds_step(other, actions, s2, NULL, NULL, cut2, NULL, NULL) == FAR_OK);
    CHECK(memcmp(s, s2, sizeof s) == 0 && memcmp(cut, cut2, sizeof cut) == 0);
  }
  far_worlds_save(w, words);
  static const struct {
    size_t at;
    uint64_t word;
  } wrong[] = {{8, UINT64_MAX}, {9, 16}, {9, UINT64_MAX}, {10, 3}, {10, UINT64_MAX}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    far_error error;
    memcpy(again, words, sizeof words);
    again[0] += 1;
    again[FAR_WORLDS_WORDS + wrong[i].at] = wrong[i].word;
    CHECK(far_worlds_restore(other, again, &error) == FAR_STATUS_RANGE);
    CHECK_TEXT(error.message, "world 1 can not be as it was saved");
    CHECK(error.position == -1);
    CHECK(same_worlds(w, other)); /* nothing has happened, in world 0 neither */
  }
  memcpy(again, words, sizeof words);
  again[9] = 15, again[10] = 1; /* an episode goes on in the goal, which is terminal */
  CHECK(far_worlds_restore(other, again, NULL) == FAR_STATUS_RANGE);
  far_worlds_free(w);
  far_worlds_free(other);
  far_mdp_free(mdp);
}

int main(void) {
  test_batch("riverswim", "delayed-q:m=3");
  test_batch("frozen-lake", "q-learning:epsilon=0.3");
  test_batch("frozen-lake", "q-learning:epsilon=0,q0=0,ties=lowest"); /* a fixed policy */
  test_batch("frozen-lake:map=SF/HG", "psrl:resample=tsde");
  test_batch("garnet:states=20,seed=3", "dora");
  test_modes();
  test_time_limit();
  test_mask();
  test_seed();
  test_refusals();
  test_clone();
  test_save();
  return check_report();
}
