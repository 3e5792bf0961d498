/* Specs as values: what is read is passed on, and read once. */
#include <farsight/lab.h>
#include "agents/facts.h"
#include "questions/page/page.h"
#include <math.h> /* only for NAN */

#include "base/spec.h"
#include "check.h"

static far_mdp *model(const char *text) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, text, NULL) == FAR_OK);
  return mdp;
}

/* ---- what a value has ---- */

static void test_agent(void) {
  far_mdp *chain = model("chain:n=4");
  const far_shape shape = far_shape_for(far_mdp_shape(chain), 50, 0);
  far_spec *spec;
  far_agent *from, *created;
  size_t bytes;
  char label[FAR_SPEC_SIZE];
  CHECK(far_spec_of_agent(&spec, "r-max:gamma=0.95,m=5", &shape, NULL) == FAR_OK);
  CHECK_TEXT(far_spec_info(spec)->name, "r-max");
  CHECK_TEXT(far_spec_typed(spec), "r-max:gamma=0.95,m=5");
  CHECK(far_spec_label(label, spec, NULL) == FAR_OK);
  CHECK_TEXT(label, "r-max:m=5");
  CHECK(far__agent_bytes(&bytes, "r-max:m=5", &shape, NULL) == FAR_OK);
  CHECK(far__spec_bytes(spec) == bytes);
  CHECK(far_agent_from(&from, spec, chain, 7, 3, NULL) == FAR_OK);
  CHECK(far_agent_create_on(&created, "r-max:m=5", chain, 50, 7, 3, NULL) == FAR_OK);
  CHECK_TEXT(far_spec_canonical(spec), far_agent_spec(created));
  CHECK_TEXT(far_agent_spec(from), far_agent_spec(created));
  far_spec_free(spec); /* the agent keeps nothing of it */
  for (int i = 0; i < 50; ++i) {
    const uint32_t action = far_agent_act(from, 0);
    CHECK(action == far_agent_act(created, 0));
    const far_transition seen = {.s = 0, .a = action, .r = 0.5, .next = 1};
    CHECK(far_agent_observe(from, &seen, NULL) == FAR_OK);
    CHECK(far_agent_observe(created, &seen, NULL) == FAR_OK);
  }
  far_agent_free(from);
  far_agent_free(created);
  far_mdp_free(chain);
  far_spec_free(NULL);
}

/* The preset is written where fewer keys do it, and a value that follows the length of the run is no key. */
static void test_labels(void) {
  static const char *const all[][2] = {
      {"delayed-q:preset=theory", "delayed-q:preset=theory"},
      {"directed-delayed-q:preset=paper", "directed-delayed-q:preset=paper"},
      {"directed-delayed-q:steps=900", "directed-delayed-q"},
      {"directed-delayed-q:steps=901", "directed-delayed-q:m=901"},
      {"psrl", "psrl"},
  };
  const far_shape shape = far_shape_for(far_shape_default(5, 2), 900, 0);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    far_spec *spec;
    char label[FAR_SPEC_SIZE], again[FAR_SPEC_SIZE];
    CHECK(far_spec_of_agent(&spec, all[i][0], &shape, NULL) == FAR_OK);
    CHECK(far_spec_label(label, spec, NULL) == FAR_OK);
    CHECK_TEXT(label, all[i][1]);
    CHECK(far_agent_resolve(again, label, &shape, NULL) == FAR_OK);
    CHECK_TEXT(again, far_spec_canonical(spec));
    far_spec_free(spec);
  }
}

static void hear(void *said, bool severe, const char *message) {
  (void)severe;
  snprintf(said, 400, "%s", message);
}

static void test_advice(void) {
  const far_shape shape = far_shape_default(5, 2);
  char said[400] = "", as_text[400] = "";
  far_spec *spec;
  CHECK(far_spec_of_agent(&spec, "r-max:gamma=0.5", &shape, NULL) == FAR_OK);
  far_spec_advise(spec, hear, said);
  CHECK(far_agent_check("r-max:gamma=0.5", &shape, hear, as_text, NULL) == FAR_OK);
  CHECK_TEXT(said, as_text);
  CHECK_CONTAINS(said, "its bound is not guaranteed");
  far_spec_free(spec);
}

static void test_env(void) {
  far_spec *spec;
  far_mdp *mdp;
  far_error error = {0};
  CHECK(far_spec_of_env(&spec, "chain:slip=0.2,n=6", 0.9, NULL) == FAR_OK);
  CHECK_TEXT(far_spec_typed(spec), "chain:slip=0.2,n=6");
  CHECK(far_mdp_from(&mdp, spec, NULL) == FAR_OK);
  CHECK_TEXT(far_mdp_spec(mdp), far_spec_canonical(spec));
  CHECK_TEXT(far_mdp_label(mdp), "chain:n=6,gamma=0.9");
  CHECK(far_mdp_gamma(mdp) == 0.9);
  far_mdp_free(mdp);
  CHECK(far_record_model_from(&mdp, spec, "", NULL) == FAR_OK);
  CHECK(far_mdp_gamma(mdp) == 0.9);
  far_mdp_free(mdp);
  CHECK(far_record_model_from(&mdp, spec, "0123", &error) != FAR_OK);
  CHECK(mdp == NULL);
  far_spec_free(spec);
  CHECK(far_spec_of_env(&spec, "chian", NAN, &error) == FAR_STATUS_UNKNOWN);
  CHECK(spec == NULL);
  CHECK_CONTAINS(error.message, "chain");
}

/* ---- how often a text is read ---- */

static const char *const ENVS[] = {"chain:n=4", "riverswim:n=4", "loop:length=3"};
static const char *const AGENTS[] = {"directed-delayed-q", "r-max:m=5", "psrl"};

/* Runs a study through a store; how many specs were read for it. */
static size_t run_study(far_store *store, size_t n_envs, size_t n_agents) {
  far_study_def def = far_study_def_default();
  def.envs = ENVS;
  def.n_envs = n_envs;
  def.agents = AGENTS;
  def.n_agents = n_agents;
  def.steps = 60;
  def.runs = 3;
  const size_t before = far__spec_parsed();
  far_study *study;
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  far_batch *batch;
  CHECK(far_store_run(&batch, store, far_study_batch(study), NULL) == FAR_OK);
  far_batch_free(batch);
  far_study_free(study);
  return far__spec_parsed() - before;
}

/* The page of a store; how many specs were read for it. */
static size_t make_page(far_store *store) {
  const size_t before = far__spec_parsed();
  far__page_def def = far__page_def_default();
  far_report *report;
  def.results.bootstrap.resamples = 100;
  CHECK(far_report_create(&report, "report", NULL) == FAR_OK);
  CHECK(far__store_page(report, store, &def, NULL) == FAR_OK);
  far_report_free(report);
  return far__spec_parsed() - before;
}

/* A page reads each environment, and an agent where its run is computed again. */
static void test_counts(void) {
  far_store *store;
  for (size_t n = 1; n <= 3; n += 2) {
    if (far_store_open(&store, "counted", FAR_STORE_MEMORY, NULL) == FAR_STATUS_ABSENT) return;
    CHECK(run_study(store, n, n) == n + n * n); /* every environment, and every agent on each */
    CHECK(run_study(store, n, n) == n + n * n);
    CHECK(make_page(store) <= n + n * n);
    far_store_close(store);
  }
}

int main(void) {
  test_counts();
  test_agent();
  test_labels();
  test_advice();
  test_env();
  return check_report();
}
