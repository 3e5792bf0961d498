/* The paper's story: its numbers against runs that are made here, and the page that tells it. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "questions/page/page.h"
#include "questions/paper/paper-story.h"
#include "questions/paper/paper-tables.h"

enum { RUNS = 6 };

static far__paper_story *make_story(void) {
  far__paper_story_def def = far__paper_story_def_default();
  far__paper_story *story = NULL;
  far_error error = {.message = ""};
  def.tables.runs = def.runs = RUNS;
  def.growth_runs = 5;
  const far_status status = far__paper_story_create(&story, &def, &error);
  if (status == FAR_STATUS_ABSENT) return NULL; /* no store in this build */
  CHECK(status == FAR_OK);
  if (status != FAR_OK) printf("  %s\n", error.message);
  return story;
}

/* The mean of an agent on a chain, run by itself. */
static double mean_of(const char *env, const char *agent) {
  far_mdp *mdp;
  far_batch *batch;
  far_batch_def def = far_batch_def_default();
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = 10000};
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = RUNS;
  def.seed = 1;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const double mean = far_batch_result(batch, 0)->mean;
  far_batch_free(batch);
  far_mdp_free(mdp);
  return mean;
}

static void test_readings(const far__paper_story *s) {
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) {
    for (size_t i = 0; i < FAR__PAPER_READINGS; ++i)
      CHECK(s->readings[i].mean[t] == mean_of(far__paper_env(t), s->readings[i].spec));
    const double delayed = far__paper_row_at(5)->mean[t], best = far__paper_row_at(0)->mean[t];
    const double ours =
        mean_of(far__paper_env(t), "delayed-q-ie:gamma=0.85,eps1=0.014,m=68,rho=0.1154");
    CHECK(s->interval_mean[t] == ours);
    CHECK_NEAR(s->gap_closed[t], (ours - delayed) / (best - delayed), 1e-12);
  }
}

static void test_sweep(const far__paper_story *s) {
  static const char *const setting =
      "directed-delayed-q:gamma=0.9356,eps1=0.02319,m=2,lambda=3.097,rho=1.46,clamp=off,"
      "learn=printed,gamma_e=";
  char low[200], high[200];
  snprintf(low, sizeof low, "%s0.1", setting);
  snprintf(high, sizeof high, "%s0.99", setting);
  CHECK(s->sweep_low[0][1] == mean_of("chain:n=50", low));
  CHECK(s->sweep_high[0][1] == mean_of("chain:n=50", high));
  CHECK(s->sweep_high[0][1] == s->readings[0].mean[1]); /* gamma_e is 0.99 by default */
}

/* Counted by hand from the table's own numbers. */
static void test_agreement(const far__paper_story *s) {
  size_t n_cells, in_interval = 0, within = 0;
  const far_batch *batch = far__paper_tables_batch(s->tables, &n_cells);
  const size_t n_rows = n_cells / FAR__PAPER_TABLES;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) {
    double least = INFINITY, most = 0;
    bool order = true;
    for (size_t i = 0; i < n_rows; ++i) {
      const double mean = far_batch_result(batch, t * n_rows + i)->mean;
      const far__paper_row *row = far__paper_row_at(i);
      if (i < 7 && fabs(mean - row->mean[t]) <= row->ci95[t])
        ++in_interval;
      else if (i < 7 && fabs(mean / row->mean[t] - 1) <= 0.05)
        ++within;
      if (i > 0 && i < 5) order = order && mean < far_batch_result(batch, t * n_rows + i - 1)->mean;
      if (i >= 7) least = fmin(least, mean), most = fmax(most, mean);
    }
    CHECK(s->order_kept[t] == order); /* the paper's means fall with gamma_E in both tables */
    CHECK_NEAR(s->tuned_spread[t], (most - least) / most, 1e-12);
  }
  CHECK(s->cells == 14 && s->in_interval == in_interval && s->within == within);
}

static far_buffer page_of(const far__paper_story *s) {
  far_render_def how = far_render_def_default();
  far_report *report;
  far_buffer out = {0};
  how.format = FAR_REPORT_HTML;
  CHECK(far_report_create(&report, "reproduce", NULL) == FAR_OK);
  CHECK(far__paper_page(report, s, NULL) == FAR_OK);
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  far_report_free(report);
  return out;
}

static void test_page(const far__paper_story *s) {
  far_buffer one = page_of(s), two = page_of(s);
  char sentence[200];
  snprintf(sentence, sizeof sentence, "closes %.0f%% and %.0f%% of the reported gap",
           100 * s->gap_closed[0], 100 * s->gap_closed[1]);
  CHECK_CONTAINS(one.bytes, sentence);
  CHECK_CONTAINS(one.bytes, "data-kind=\"curves\"");
  CHECK_CONTAINS(one.bytes, "data-kind=\"sensitivity\"");
  CHECK_CONTAINS(one.bytes, "data-kind=\"growth\"");
  CHECK_CONTAINS(one.bytes, "data-kind=\"paper\"");
  CHECK_CONTAINS(one.bytes, "logarithmic time");
  CHECK_CONTAINS(one.bytes, "left_paid=stay"); /* in a command */
  const far_result *x = far__paper_tables_alternative(s->tables, 0, 5);
  snprintf(sentence, sizeof sentence, "It has a mean of %.0f at N = 10", x->mean);
  CHECK_CONTAINS(one.bytes, sentence);
  bool falls = true; /* with the clamp, in both tables and by both intervals */
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    falls = falls && s->readings[2].mean[t] + s->readings[2].ci95[t] <
                         s->readings[0].mean[t] - s->readings[0].ci95[t];
  CHECK((strstr(one.bytes, "depend on values that rise above what is possible") != NULL) == falls);
  CHECK(one.length == two.length && strcmp(one.bytes, two.bytes) == 0);
  far_buffer_free(&one);
  far_buffer_free(&two);
}

/* Without the title, for a report that has one. */
static void test_sections(const far__paper_story *s) {
  far_report *report;
  far_buffer out = {0};
  const far_render_def how = far_render_def_default();
  CHECK(far_report_create(&report, "reproduce", NULL) == FAR_OK);
  far__paper_tables_sections(s->tables, report);
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK(strncmp(out.bytes, "The paper: 300 runs.", 20) == 0);
  CHECK_CONTAINS(out.bytes, "Table 2: chain:n=50");
  far_buffer_free(&out);
  far_report_free(report);
}

static bool refuse(void *user, const far_progress *progress) {
  (void)user;
  (void)progress;
  return false;
}

static void test_stop(void) {
  far__paper_story_def def = far__paper_story_def_default();
  far__paper_story *story;
  def.tables.progress = refuse;
  CHECK(far__paper_story_create(&story, &def, NULL) == FAR_STATUS_CANCELLED && story == NULL);
}

int main(void) {
  far__paper_story *story = make_story();
  if (story == NULL) {
    CHECK(story == NULL);
    return check_report();
  }
  test_readings(story);
  test_sweep(story);
  test_agreement(story);
  test_page(story);
  test_sections(story);
  test_stop();
  far__paper_story_free(story);
  return check_report();
}
