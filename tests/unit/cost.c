/* The estimate of what a study costs: its sums, and what a store has already. No test of time: trials
 * say what they say, but zero runs take none. */
#include <farsight/lab.h>

#include "questions/cost/cost.h"
#include "run/blocks.h"
#include "stores.h"

static const char *const envs[] = {"chain:n=4", "loop"};
static const char *const agents[] = {"delayed-q", "delayed-q:m=9", "psrl"};

static far_study *make_study(int64_t runs) {
  far_study_def def = far_study_def_default();
  far_study *study = NULL;
  def.name = "small";
  def.envs = envs, def.n_envs = 2;
  def.agents = agents, def.n_agents = 3;
  def.steps = 40, def.runs = runs, def.curve = "4";
  CHECK(far_study_create(&study, &def, NULL) == FAR_OK);
  return study;
}

static far__cost *estimate(const far__cost_def *def) {
  far__cost *cost = NULL;
  far_error error = {.message = ""};
  CHECK(far__cost_estimate(&cost, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return cost;
}

static void test_sums(void) {
  far_study *study = make_study(5);
  far__cost_def def = far__cost_def_default();
  def.study = study, def.workers = 2, def.seconds = 0.3;
  far__cost *cost = estimate(&def);
  double seconds = 0;
  CHECK(cost->n_cells == 6 && cost->runs == 30 && cost->known == 0 && cost->steps == 1200);
  for (size_t i = 0; i < 6; ++i) {
    const far__cost_cell *c = &cost->cells[i];
    CHECK(c->runs == 5 && c->known == 0 && c->rate >= 0);
    CHECK_NEAR(c->seconds, 200 * c->rate, 1e-12);
    seconds += c->seconds;
  }
  CHECK_CONTAINS(cost->cells[4].agent, "delayed-q:gamma="); /* canonical */
  CHECK(cost->cells[0].rate == cost->cells[1].rate);        /* the same kind: one trial */
  CHECK_NEAR(cost->seconds, seconds / 2, 1e-12);
  /* numbers, cells, an empty file; at most a block for each run, of two series */
  const double least = 30 * 8 * 5 + 6 * 1024 + 37000;
  CHECK(cost->bytes > least && cost->bytes <= least + 30 * 2 * 100);
  far__cost_free(cost);
  def.workers = 0;
  cost = estimate(&def);
  CHECK(cost->def.workers >= 1);
  far__cost_free(cost);
  far_study_free(study);
}

static void test_report(void) {
  far_study *study = make_study(1000);
  far__cost_def def = far__cost_def_default();
  far_render_def how = far_render_def_default();
  far_buffer out = {0};
  far_report *report;
  def.study = study, def.seconds = 0.05, def.workers = 1;
  far__cost *cost = estimate(&def);
  CHECK(far_report_create(&report, "run", NULL) == FAR_OK);
  far__cost_report(cost, 4, report);
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK_CONTAINS(out.bytes, "small: 2 environments x 3 agents: 6 cells");
  CHECK_CONTAINS(out.bytes, "runs    1,000 of each, 6,000 in all; 40 steps a run, seed 1");
  CHECK_CONTAINS(out.bytes, "curve   4 checkpoints");
  CHECK_CONTAINS(out.bytes, "on 1 thread\n");
  CHECK_CONTAINS(out.bytes, "and 2 more cells");
  far_buffer_free(&out);
  how.format = FAR_REPORT_JSON;
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK_CONTAINS(out.bytes, "\"dry_run\":true,\"study\":\"small\",\"runs\":6000,\"known\":0");
  CHECK_CONTAINS(out.bytes, "\"env\":\"loop");
  far_buffer_free(&out);
  far_report_free(report);
  far__cost_free(cost);
  far_study_free(study);
}

/* What the store has costs nothing. */
static void test_store(void) {
  far_study *study = make_study(5), *longer = make_study(8);
  far__cost_def def = far__cost_def_default();
  far_batch *batch;
  far_store *store;
  CHECK(far_store_open(&store, store_path("cost.db"), FAR_STORE_WRITE, NULL) == FAR_OK);
  CHECK(far_store_run(&batch, store, far_study_batch(study), NULL) == FAR_OK);
  far_batch_free(batch);
  def.study = study, def.store = store, def.seconds = 0.02;
  far__cost *cost = estimate(&def);
  CHECK(cost->known == 30 && cost->steps == 0 && cost->seconds == 0 && cost->bytes == 0);
  far__cost_free(cost);
  def.study = longer;
  cost = estimate(&def);
  CHECK(cost->runs == 48 && cost->known == 30 && cost->steps == 18 * 40 &&
        cost->cells[3].known == 5);
  far__cost_free(cost);
  far_store_close(store);
  far_study_free(study);
  far_study_free(longer);
}

/* A trial that is not finished in time, here one whose plans take days, tells nothing and is no error. */
static void test_out_of_time(void) {
  const char *const endless[] = {"mbie:gamma=0.99999999999"};
  far_study_def of = far_study_def_default();
  far__cost_def def = far__cost_def_default();
  far_study *study = NULL;
  of.envs = envs, of.n_envs = 1;
  of.agents = endless, of.n_agents = 1;
  CHECK(far_study_create(&study, &of, NULL) == FAR_OK);
  def.study = study, def.seconds = 0.001;
  far__cost *cost = estimate(&def);
  CHECK(cost->n_cells == 1 && cost->cells[0].rate == 0 && cost->seconds == 0);
  far__cost_free(cost);
  far_study_free(study);
}

static void test_blocks(void) {
  CHECK(far__schedule_blocks(3, 100, 2) == 3); /* never more than runs */
  CHECK_NEAR(far__schedule_blocks(1e6, 10, 1), 501, 1e-9);
  CHECK_NEAR(far__schedule_blocks(1e6, 10, 40), 140, 1e-9); /* 40 workers: blocks of 0.1 s */
  CHECK_NEAR(far__schedule_last_blocks(15, 1), 8, 1e-12);
  CHECK(far__schedule_last_blocks(0, 4) == 0);
}

int main(void) {
  test_sums();
  test_report();
  test_out_of_time();
  test_blocks();
  if (stores_begin()) test_store();
  return stores_end();
}
