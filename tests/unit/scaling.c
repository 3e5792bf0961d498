/* Scaling studies: what is refused, numbers against batches of their own, budgets, censoring, laws, the
 * way through a store, and stopping. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "questions/growth/scaling.h"
#include "statistics/growth.h"
#include "stores.h"

static const int64_t sizes[] = {3, 4, 5, 6};
static const char *const agents[] = {"directed-delayed-q", "delayed-q:gamma=0.9"};

static far__scaling_def small(void) {
  far__scaling_def def = far__scaling_def_default();
  def.env = "chain";
  def.sizes = sizes;
  def.n_sizes = 4;
  def.agents = agents;
  def.n_agents = 2;
  def.runs = 20;
  def.max_steps = 8000;
  def.threads = 1;
  return def;
}

static void refused(const far__scaling_def *def, far_status code, const char *part) {
  far__scaling *s;
  far_error error = {.code = FAR_OK};
  CHECK(far__scaling_create(&s, def, &error) == code && s == NULL);
  CHECK_CONTAINS(error.message, part);
}

static void test_refusals(void) {
  static const int64_t falling[] = {5, 3}, none[] = {0}, huge[] = {(int64_t)1 << 31};
  far__scaling_def def = small();
#define REFUSED(member, value, code, part)                                                         \
  def = small();                                                                                   \
  def.member = value;                                                                              \
  refused(&def, FAR_STATUS_##code, part)
  REFUSED(env, NULL, RANGE, "environment");
  REFUSED(n_agents, 0, RANGE, "agent");
  REFUSED(n_sizes, 0, RANGE, "1 to 200");
  REFUSED(n_sizes, 201, RANGE, "1 to 200");
  REFUSED(eps, 0, RANGE, "fraction");
  REFUSED(eps, NAN, RANGE, "fraction");
  REFUSED(censored, 0.5, RANGE, "below 0.5");
  REFUSED(gamma, 1, RANGE, "(0, 1)");
  REFUSED(gamma_scale, 0, RANGE, "above 0");
  REFUSED(gamma_scale, 4, RANGE, "1 - 4 / 3 is no discount");
  REFUSED(steps, 0, RANGE, "at least 1");
  REFUSED(max_steps, 1, RANGE, "at least 2");
  REFUSED(runs, 0, RANGE, "at least 1");
  REFUSED(measure, (far__scaling_measure)9, RANGE, "no measure 9");
  REFUSED(key, "size", UNKNOWN, "no key 'size'");
  REFUSED(env, "chain:n=5", CONFLICT, "leave out n");
  REFUSED(env, "file:n", UNKNOWN, "no key 'n'");
  def = small();
  def.n_sizes = 2, def.sizes = falling;
  refused(&def, FAR_STATUS_RANGE, "3 after 5; sizes must ascend");
  def.n_sizes = 1, def.sizes = none;
  refused(&def, FAR_STATUS_RANGE, "at least 1");
  def.sizes = huge;
  refused(&def, FAR_STATUS_RANGE, "at most 2147483647");
}

/* Specs are checked where they meet a model, and the one at fault is named. */
static void test_wrong_specs(void) {
  static const char *const bad[] = {"delayed-q:m=0"};
  char wrong[FAR_SPEC_SIZE] = "?";
  far__scaling_def def = small();
  far__scaling *s;
  far_error error;
  def.wrong = wrong;
  def.agents = bad, def.n_agents = 1;
  CHECK(far__scaling_create(&s, &def, &error) == FAR_OK);
  CHECK_TEXT(wrong, "");
  CHECK(far__scaling_run(s, &error) == FAR_STATUS_RANGE && error.position == 12);
  CHECK_TEXT(wrong, "delayed-q:m=0");
  far__scaling_free(s);
  def = small();
  def.wrong = wrong;
  def.env = "chian";
  CHECK(far__scaling_create(&s, &def, &error) == FAR_OK);
  CHECK(far__scaling_run(s, &error) == FAR_STATUS_UNKNOWN);
  CHECK_TEXT(wrong, "chian:n=3");
  CHECK(!far__scaling_cell_of(s, 0, 0)->known);
  far__scaling_free(s);
}

/* A cell is the batch of its last budget, on streams of its size. */
static void same_as_batch(const far__scaling *s, size_t i, size_t j) {
  const far__scaling_cell *cell = far__scaling_cell_of(s, i, j);
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  far_mdp *mdp;
  far_metric *metric;
  CHECK(cell->known && !cell->left_out && cell->size == sizes[i]);
  CHECK(far_mdp_create(&mdp, cell->env, NULL) == FAR_OK);
  CHECK(far_metric_create(&metric, "earned:fraction=0.5", NULL) == FAR_OK);
  const far_cell one = {.mdp = mdp, .agent = cell->agent, .steps = cell->steps};
  const far_metric *const metrics[] = {metric};
  def.cells = &one, def.n_cells = 1;
  def.metrics = metrics, def.n_metrics = 1;
  def.runs = 20;
  def.first_replicate = (uint64_t)cell->size << 32;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK_TEXT(cell->hash, far_batch_metric(batch, 0, 0)->hash);
  far_batch_free(batch);
  far_metric_free(metric);
  far_mdp_free(mdp);
}

static void test_numbers(void) {
  const far__scaling_def def = small();
  far__scaling *s;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 2; ++j) {
      const far__scaling_cell *cell = far__scaling_cell_of(s, i, j);
      same_as_batch(s, i, j);
      CHECK(cell->limit == (double)(cell->steps / 2) && cell->runs == 20 && cell->reused == 0);
      CHECK(cell->times.censored <= 5 && far__scaling_value(s, i, j) == cell->times.median);
      CHECK(cell->gamma == 1 - 1.0 / (double)sizes[i]);
    }
  CHECK_CONTAINS(far__scaling_cell_of(s, 1, 0)->agent, "gamma=0.75,");
  CHECK_CONTAINS(far__scaling_cell_of(s, 1, 1)->agent, "gamma=0.9,");
  CHECK(far__scaling_run(s, NULL) == FAR_OK); /* nothing is left to do */
  CHECK(far__scaling_def_of(s)->n_sizes == 4);
  far__scaling_free(s);
}

static void test_fits(void) {
  const far__scaling_def def = small();
  double x[4], own[4], gaps[4];
  far__scaling *s;
  far__growth expected;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(!far__scaling_fit_of(s, 0, false).fitted); /* not run yet */
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  for (size_t i = 0; i < 4; ++i) {
    x[i] = (double)sizes[i];
    own[i] = far__scaling_value(s, i, 1);
    gaps[i] = far__scaling_value(s, i, 1) / far__scaling_value(s, i, 0);
  }
  far__scaling_fit fit = far__scaling_fit_of(s, 1, false);
  CHECK(far__growth_fit(&expected, x, own, 4, NULL) == FAR_OK);
  CHECK(fit.fitted && fit.growth.points == 4 && fit.growth.evidence == expected.evidence);
  CHECK((fit.better == FAR__LAW_POLYNOMIAL) == (expected.evidence >= FAR__EVIDENCE));
  fit = far__scaling_fit_of(s, 1, true);
  CHECK(far__growth_fit(&expected, x, gaps, 4, NULL) == FAR_OK);
  CHECK(fit.growth.laws[FAR__LAW_POLYNOMIAL].power == expected.laws[FAR__LAW_POLYNOMIAL].power);
  fit = far__scaling_fit_of(s, 0, true); /* of the first to itself */
  CHECK(fit.growth.laws[FAR__LAW_POLYNOMIAL].power == 0 && fit.flat);
  far__scaling_free(s);
}

/* Who never learns is never a number, and is not tried at larger sizes. */
static void test_censoring(void) {
  static const char *const random[] = {"q-learning:epsilon=1"};
  far__scaling_def def = small();
  far__scaling *s;
  def.env = "combination-lock";
  def.agents = random, def.n_agents = 1;
  def.max_steps = 3000;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  size_t i = 0;
  while (i < 4 && !far__scaling_cell_of(s, i, 0)->left_out) ++i;
  CHECK(i > 0 && i < 4);
  CHECK(far__scaling_value(s, i - 1, 0) == INFINITY);
  CHECK(far__scaling_cell_of(s, i - 1, 0)->steps == 3000);
  CHECK(!far__scaling_cell_of(s, i, 0)->known && isnan(far__scaling_value(s, i, 0)));
  CHECK(far__scaling_cell_of(s, 3, 0)->left_out);
  CHECK(far__scaling_fit_of(s, 0, false).growth.points == i - 1);
  far__scaling_free(s);
}

static bool asked_to_go_on(void *user, const far_progress *progress) {
  (void)progress;
  return *(const bool *)user;
}

/* What was stopped goes on, and gives the same. */
static void test_stopping(void) {
  far__scaling_def def = small();
  bool go_on = false, more;
  far__scaling *s, *whole;
  def.progress = asked_to_go_on;
  def.user = &go_on;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run_prepared(s, NULL) == FAR_STATUS_CONFLICT);
  CHECK(far__scaling_prepare(s, &more, NULL) == FAR_OK && more);
  go_on = true;
  CHECK(far__scaling_run_prepared(s, NULL) == FAR_OK);
  go_on = false;
  const far_status status = far__scaling_run(s, NULL);
  CHECK(status == FAR_STATUS_CANCELLED || status == FAR_OK); /* what ends at once is not asked */
  CHECK(far__scaling_cell_of(s, 0, 0)->known);
  go_on = true;
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  CHECK(far__scaling_prepare(s, &more, NULL) == FAR_OK && !more);
  CHECK(far__scaling_create(&whole, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(whole, NULL) == FAR_OK);
  for (size_t i = 0; i < 4; ++i)
    CHECK_TEXT(far__scaling_cell_of(s, i, 1)->hash, far__scaling_cell_of(whole, i, 1)->hash);
  far__scaling_free(s);
  far__scaling_free(whole);
}

static void take_note(void *user, const far_study_note *note) {
  CHECK(note->agent != NULL && note->env != NULL);
  *(int *)user += 1;
}

static void test_report(void) {
  far__scaling_def def = small();
  far_render_def how = far_render_def_default();
  far_buffer text = {0}, json = {0};
  far__scaling *s;
  far_report *report;
  int notes = 0;
  def.measure = FAR__SCALING_REWARD;
  def.steps = 100;
  def.note = take_note;
  def.note_user = &notes;
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  CHECK(notes > 0);
  CHECK(far_report_create(&report, "growth", NULL) == FAR_OK);
  far__scaling_report(s, report);
  CHECK(far_report_render(report, &how, far_sink_buffer(&text), NULL) == FAR_OK);
  how.format = FAR_REPORT_JSON;
  CHECK(far_report_render(report, &how, far_sink_buffer(&json), NULL) == FAR_OK);
  CHECK_CONTAINS(text.bytes, "Undiscounted reward of 100 steps on chain");
  CHECK_CONTAINS(text.bytes, "reward of agent 1 / reward of an agent");
  CHECK_CONTAINS(text.bytes, "2 delayed-q:gamma=0.9");
  CHECK_CONTAINS(json.bytes, "\"measure\":\"reward\"");
  CHECK_CONTAINS(json.bytes, "\"laws\":[");
  CHECK_CONTAINS(json.bytes, far__scaling_cell_of(s, 3, 1)->hash);
  far_buffer_free(&text);
  far_buffer_free(&json);
  far_report_free(report);
  far__scaling_free(s);
}

static void test_from_study(void) {
  static const char *const envs[] = {"chain:n=[3..9 step 3],slip=0.1"};
  static const char *const others[] = {"chain:n=3", "chain:n=5,slip=0.1"}, *const loop[] = {"loop"};
  far_study_def given = far_study_def_default();
  far__scaling_def def = far__scaling_def_default();
  char env[FAR_SPEC_SIZE];
  int64_t from[FAR__SCALING_SIZES];
  far_study *study;
  far_error error;
  given.envs = envs, given.n_envs = 1;
  given.agents = agents, given.n_agents = 2;
  given.runs = 7, given.seed = 5, given.steps = 50;
  CHECK(far_study_create(&study, &given, NULL) == FAR_OK);
  CHECK(far__scaling_def_from(&def, env, from, study, &error) == FAR_OK);
  CHECK_TEXT(def.env, "chain:slip=0.1");
  CHECK(def.n_sizes == 3 && def.sizes[0] == 3 && def.sizes[2] == 9 && def.n_agents == 2);
  CHECK(def.runs == 7 && def.seed == 5 && def.steps == 50);
  far_study_free(study);
  given.envs = others, given.n_envs = 2;
  CHECK(far_study_create(&study, &given, NULL) == FAR_OK);
  CHECK(far__scaling_def_from(&def, env, from, study, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "differ in more than n");
  far_study_free(study);
  given.envs = loop, given.n_envs = 1;
  CHECK(far_study_create(&study, &given, NULL) == FAR_OK);
  CHECK(far__scaling_def_from(&def, env, from, study, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "gives no size");
  far_study_free(study);
}

static void test_store(void) {
  far__scaling_def def = small();
  far__scaling *s, *again;
  CHECK(far_store_open(&def.store, store_path("scaling.db"), FAR_STORE_WRITE, NULL) == FAR_OK);
  CHECK(far__scaling_create(&s, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(s, NULL) == FAR_OK);
  CHECK(far__scaling_create(&again, &def, NULL) == FAR_OK);
  CHECK(far__scaling_run(again, NULL) == FAR_OK);
  for (size_t i = 0; i < 4; ++i) {
    const far__scaling_cell *x = far__scaling_cell_of(s, i, 0),
                            *y = far__scaling_cell_of(again, i, 0);
    CHECK(x->reused == 0 && x->computed >= 20);
    CHECK(y->reused == x->computed && y->computed == 0);
    CHECK_TEXT(x->hash, y->hash);
  }
  far__scaling_free(s);
  far__scaling_free(again);
  far_store_close(def.store);
}

int main(void) {
  CHECK_TEXT(far__scaling_measure_name(FAR__SCALING_LAST_MISTAKE), "last-mistake");
  CHECK(far__scaling_measure_name(4) == NULL);
  test_refusals();
  test_wrong_specs();
  test_numbers();
  test_fits();
  test_censoring();
  test_stopping();
  test_report();
  test_from_study();
  if (stores_begin()) test_store();
  return stores_end();
}
