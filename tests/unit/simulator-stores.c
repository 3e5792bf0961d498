/* Stores and simulators: runs are known by name, version, shape and what counts; a store shows them without the program. */
#include "run/simulator.h"
#include "stores.h"

/* A walk over five states: action 1 goes on with 3/4; the last state ends the episode, with a reward of 1. */
static far_status walk_reset(void *of, far_rng *rng, uint32_t *s, far_error *error) {
  (void)of, (void)rng, (void)error;
  *s = 0;
  return FAR_OK;
}

static far_status walk_step(void *of, far_rng *rng, far_transition *step, far_error *error) {
  const bool on = step->a == 1 && far_rng_below(rng, 4) > 0;
  (void)error;
  *(int64_t *)of += 1;
  step->done = on && step->s == 3;
  step->next = on ? step->s + 1 : 0;
  step->r = step->done ? 1 : 0;
  return FAR_OK;
}

static int64_t stepped; /* by all runs so far: on one thread */

static far_simulator_def walk(const char *version) {
  return (far_simulator_def){.size = sizeof(far_simulator_def),
                             .name = "walk",
                             .shape = far_shape_default(5, 2),
                             .user = &stepped,
                             .reset = walk_reset,
                             .step = walk_step,
                             .version = version};
}

/* ---- names ---- */

static void check_spec(const far_simulator_def *def, const char *expected) {
  char spec[FAR_SPEC_SIZE];
  far_error error = {.message = ""};
  CHECK(far_simulator_spec(spec, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  CHECK_TEXT(spec, expected);
  CHECK(far__simulator_is_spec(spec));
  CHECK(far_spec_type(far_mdp_family, spec) == NULL); /* no family is called so */
}

static void test_specs(void) {
  far_simulator_def def = walk("1.0-rc_2+x");
  check_spec(&def, "simulator:walk@1.0-rc_2+x");
  def.version = "2";
  def.shape.gamma = FAR_GAMMA_DEFAULT;
  check_spec(&def, "simulator:walk@2");
  def.shape.gamma = 0.99;
  check_spec(&def, "simulator:walk@2,gamma=0.99");
  def.shape.gamma = 0;
  def.shape.average = true;
  check_spec(&def, "simulator:walk@2,average=on");
  def.shape.average = false;
  def.shape.horizon = 20;
  def.name = "Blackjack-v1:natural=True,sab=False";
  check_spec(&def, "simulator:Blackjack-v1:natural=True,sab=False@2,horizon=20");
  CHECK(!far__simulator_is_spec("chain:n=5") && !far__simulator_is_spec("simulator"));
}

static void refuses(far_simulator_def def, far_status as, const char *why) {
  char spec[FAR_SPEC_SIZE];
  far_error error = {.message = ""};
  CHECK(far_simulator_spec(spec, &def, &error) == as);
  CHECK_CONTAINS(error.message, why);
}

static void test_wrong_versions(void) {
  far_simulator_def def = walk(NULL);
  CHECK(far_simulator_check(&def, NULL) == FAR_OK);
  refuses(def, FAR_STATUS_CONFLICT, "the simulator walk has no version");
  refuses(walk(""), FAR_STATUS_RANGE, "the version of walk is ''; it must be 1 to 64 letters");
  refuses(walk("1,gamma=0.5"), FAR_STATUS_RANGE, "letters, digits and any of . _ + -");
  refuses(walk("12345678901234567890123456789012345678901234567890123456789012345"),
          FAR_STATUS_RANGE, "1 to 64");
  def = walk("1");
  def.name = "a@b";
  refuses(def, FAR_STATUS_RANGE, "'@' in its name");
  def = walk("1");
  def.size = offsetof(far_simulator_def, version); /* compiled before there were versions */
  CHECK(far_simulator_check(&def, NULL) == FAR_OK);
  refuses(def, FAR_STATUS_CONFLICT, "has no version");
}

static bool differs(far_simulator_def def) {
  char one[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  const far_simulator_def plain = walk("1");
  far__simulator_hash(one, &plain);
  far__simulator_hash(other, &def);
  return strcmp(one, other) != 0;
}

static void test_hash(void) {
  static const bool absent[5] = {false, true};
  far_simulator_def defs[7];
  for (size_t i = 0; i < 7; ++i) defs[i] = walk("1");
  defs[0].shape.n_states = 6;
  defs[1].shape.n_actions = 3;
  defs[2].shape.reward_min = -1;
  defs[3].shape.reward_max = 2;
  defs[4].shape.episodic = false;
  defs[5].shape.absent = absent;
  defs[6].shape.horizon = 9;
  for (size_t i = 0; i < 7; ++i) CHECK(differs(defs[i]));
  far_simulator_def same = walk("2");
  same.shape.gamma = 0.5;
  same.shape.steps = 100;
  CHECK(!differs(same));
}

/* ---- runs ---- */

enum { RUNS = 6 };

typedef struct outcome {
  far_status status;
  int64_t known, stepped;
  char hash[FAR_HASH_TEXT];
  far_error error;
} outcome;

static outcome run_study(far_store *store, const far_simulator_def *def, const char *agent,
                         int64_t episodes, int64_t runs) {
  static const char *const metrics[] = {"episodes", "return", "success:at_least=1"}, *const envs[] =
                                                                                         {"mine"};
  far_study_def d = far_study_def_default();
  far_study *study = NULL;
  far_batch *batch = NULL;
  outcome out = {.stepped = stepped};
  d.envs = envs;
  d.simulators = &def;
  d.agents = &agent;
  d.n_envs = d.n_agents = 1;
  d.metrics = metrics;
  d.n_metrics = 3;
  d.steps = 200;
  d.episodes = episodes;
  d.runs = runs;
  d.curve = "1,5";
  CHECK(far_study_create(&study, &d, &out.error) == FAR_OK);
  far_batch_def b = *far_study_batch(study);
  b.threads = 1;
  out.status = far_store_run(&batch, store, &b, &out.error);
  out.stepped = stepped - out.stepped;
  if (batch != NULL) {
    out.known = far_batch_result(batch, 0)->known;
    memcpy(out.hash, far_batch_result(batch, 0)->hash, FAR_HASH_TEXT);
  }
  far_batch_free(batch);
  far_study_free(study);
  return out;
}

static void check_reuse(far_store *s) {
  const far_simulator_def first = walk("1"), second = walk("2");
  const outcome a = run_study(s, &first, "q-learning", 0, RUNS);
  CHECK(a.status == FAR_OK && a.known == 0 && a.stepped == 200 * RUNS);
  const outcome b = run_study(s, &first, "q-learning", 0, RUNS + 2);
  CHECK(b.known == RUNS && b.stepped == 200 * 2);
  const outcome again = run_study(s, &first, "q-learning", 0, RUNS);
  CHECK(again.known == RUNS && again.stepped == 0);
  CHECK_TEXT(again.hash, a.hash);
  CHECK(run_study(s, &second, "q-learning", 0, RUNS).known == 0);
  CHECK(run_study(s, &first, "q-learning:epsilon=0.5", 0, RUNS).known == 0);
  CHECK(run_study(s, &first, "q-learning", 5, RUNS).known == 0);
  CHECK(run_study(s, &first, "q-learning", 5, RUNS).known == RUNS);
}

/* What does not plan with the problem's discount has the same runs under another. */
static void check_criterion(far_store *s) {
  far_simulator_def other = walk("1");
  other.shape.gamma = 0.5;
  CHECK(run_study(s, &other, "q-learning", 0, RUNS).known == 0);
  CHECK(run_study(s, &other, "q-learning:gamma=0.95", 0, RUNS).status == FAR_OK);
  const far_simulator_def first = walk("1");
  CHECK(run_study(s, &first, "random", 0, RUNS).known == 0);
  const outcome shared = run_study(s, &other, "random", 0, RUNS);
  CHECK(shared.known == RUNS && shared.stepped == 0);
}

static void check_shapes(far_store *s) {
  far_simulator_def def = walk("1");
  def.shape.reward_max = 2;
  const int64_t before = stepped;
  outcome x = run_study(s, &def, "q-learning", 0, RUNS);
  CHECK(x.status == FAR_STATUS_CONFLICT && stepped == before);
  CHECK_CONTAINS(x.error.message, "has runs of simulator:walk@1 with another shape");
  CHECK_CONTAINS(x.error.message, "another version");
  def = walk("1");
  def.shape.horizon = 30;
  x = run_study(s, &def, "random", 0, RUNS);
  CHECK(x.status == FAR_STATUS_CONFLICT);
  def.version = "1.1";
  CHECK(run_study(s, &def, "random", 0, RUNS).status == FAR_OK);
  def = walk(NULL);
  x = run_study(s, &def, "random", 0, RUNS);
  CHECK(x.status == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(x.error.message, "the simulator walk has no version");
}

static void test_runs(void) {
  far_store *s = open_store("runs.db", FAR_STORE_WRITE);
  check_reuse(s);
  check_criterion(s);
  check_shapes(s);
  far_store_close(s);
  CHECK(strlen(content("runs.db", NULL)) > 0);
}

/* ---- what a store shows ---- */

static void check_comparison(far_store *s) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *c = NULL;
  far_error error = {.message = ""};
  def.quick = true;
  CHECK(far_comparison_create(&c, s, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  if (c == NULL) return;
  CHECK(c->n_groups == 1 && c->groups[0].n_agents == 2 && c->groups[0].n_envs == 1);
  const far_comparison_env *env = &c->groups[0].envs[0];
  CHECK_TEXT(env->label, "mine");
  CHECK_TEXT(env->spec, "simulator:walk@1");
  CHECK(env->mdp == NULL && env->unusable == NULL);
  CHECK(env->scale.kind == FAR_SCALE_OBSERVED);
  far_comparison_free(c);
}

static void check_record(far_store *s) {
  far_record record;
  far_mdp *mdp;
  far_error error;
  bool found;
  char hash[FAR_HASH_TEXT];
  const far_simulator_def def = walk("1");
  far__simulator_hash(hash, &def);
  CHECK(far_store_record(&record, &found, s, 0, NULL) == FAR_OK && found);
  CHECK_TEXT(record.env, "simulator:walk@1");
  CHECK_TEXT(record.model, hash);
  CHECK_TEXT(record.env_label, "mine");
  CHECK(far_record_model(&mdp, record.env, record.model, &error) == FAR_STATUS_UNKNOWN);
  CHECK(mdp == NULL);
  CHECK_CONTAINS(error.message, "simulator:walk@1 is a simulator, which only its own program");
}

static void test_shown(void) {
  const far_simulator_def def = walk("1");
  far_store *s = open_store("shown.db", FAR_STORE_WRITE);
  CHECK(run_study(s, &def, "q-learning", 0, RUNS).status == FAR_OK);
  CHECK(run_study(s, &def, "random", 0, RUNS).status == FAR_OK);
  check_record(s);
  check_comparison(s);
  far_store_close(s);
}

/* One version with two shapes does not come in by merging, either; another version does. */
static void test_merged(void) {
  far_simulator_def def = walk("1");
  int64_t added = 0;
  far_error error;
  far_store *s = open_store("other.db", FAR_STORE_WRITE);
  def.shape.n_states = 7;
  CHECK(run_study(s, &def, "random", 0, RUNS).status == FAR_OK);
  far_store_close(s);
  s = open_store("fine.db", FAR_STORE_WRITE);
  def.version = "7";
  CHECK(run_study(s, &def, "random", 0, RUNS).status == FAR_OK);
  far_store_close(s);
  const char *const wrong[] = {store_path("other.db")}, *const fine[] = {store_path("fine.db")};
  s = open_store("shown.db", FAR_STORE_WRITE);
  CHECK(far_store_merge(&added, s, wrong, 1, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "with another shape");
  CHECK(far_store_merge(&added, s, fine, 1, &error) == FAR_OK && added > 0);
  far_store_close(s);
}

/* Two names for one simulator are one environment; without a version nobody can know. */
static void test_twins(void) {
  static const char *const envs[] = {"one", "other"}, *const agents[] = {"random"};
  far_simulator_def first = walk("1"), second = walk("1");
  const far_simulator_def *const both[] = {&first, &second};
  far_study *study;
  far_error error;
  far_study_def def = far_study_def_default();
  def.envs = envs;
  def.simulators = both;
  def.agents = agents;
  def.n_envs = 2;
  def.n_agents = 1;
  CHECK(far_study_create(&study, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "'one' and 'other' are the same: simulator:walk@1");
  second.shape.gamma = 0.9;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  far_study_free(study);
  first.version = NULL;
  second = first;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  far_study_free(study);
}

/* A model may not be called as stores call simulators. */
static void test_reserved(void) {
  static const char *const envs[] = {"simulator:walk@1"}, *const agents[] = {"random"};
  far_mdp *mdp;
  far_study *study;
  far_error error;
  far_study_def def = far_study_def_default();
  CHECK(far_mdp_create(&mdp, "chain", NULL) == FAR_OK);
  const far_mdp *const models[] = {mdp};
  def.envs = envs;
  def.models = models;
  def.agents = agents;
  def.n_envs = def.n_agents = 1;
  CHECK(far_study_create(&study, &def, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "so stores call simulators");
  far_mdp_free(mdp);
}

int main(void) {
  test_specs();
  test_wrong_versions();
  test_hash();
  test_reserved();
  test_twins();
  if (!stores_begin()) return stores_end();
  test_runs();
  test_shown();
  test_merged();
  return stores_end();
}
