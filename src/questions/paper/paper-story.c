#include "questions/paper/paper-story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "questions/growth/scaling.h"
#include "questions/paper/paper-tables.h"

#define STEPS 10000
#define CURVE "log 50"
#define TABLES "directed-delayed-q:gamma=0.9356,eps1=0.02319,m=2,lambda=3.097,rho=1.46"
#define TUNED "directed-delayed-q:gamma=0.9802,eps1=0.08601,m=3,lambda=0.31,rho=1.502"
#define GAMMA_E "gamma_e=[0.1,0.25,0.5,0.75,0.9,0.95,0.99]"

static const far__paper_reading readings[FAR__PAPER_READINGS] = {
    {.name = "as printed", .spec = TABLES ",clamp=off,learn=printed"},
    {.name = "LEARN as in the proof", .spec = TABLES ",clamp=off,learn=2009"},
    {.name = "clamp as in the proof", .spec = TABLES ",clamp=on,learn=printed"},
    {.name = "both as in the proof", .spec = TABLES ",clamp=on,learn=2009"},
};

/* The Delayed QL row with interval estimation, rho = eps1 sqrt(m), and nothing else changed. */
static const char *const intervals = "delayed-q-ie:gamma=0.85,eps1=0.014,m=68,rho=0.1154";

far__paper_story_def far__paper_story_def_default(void) {
  return (far__paper_story_def){.tables = far__paper_def_default(), .runs = 100, .growth_runs = 40};
}

static void begin(const far__paper_story_def *def, const char *part) {
  if (def->begin != NULL) def->begin(def->tables.user, part);
}

/* ---- runs ---- */

/* A study of these agents on both chains, through the store unless that is NULL. */
static far_status run_study(far_results **out, far_study **study, const far__paper_story_def *def,
                            const char *const *agents, size_t n, far_store *store,
                            far_error *error) {
  const char *const envs[] = {far__paper_env(0), far__paper_env(1)};
  far_study_def what = far_study_def_default();
  const far_study_run_def how = {.store = store,
                                 .threads = def->tables.threads,
                                 .pool = def->tables.pool,
                                 .progress = def->tables.progress,
                                 .user = def->tables.user};
  what.envs = envs;
  what.n_envs = FAR__PAPER_TABLES;
  what.agents = agents;
  what.n_agents = n;
  what.steps = STEPS;
  what.runs = def->runs;
  what.seed = def->tables.seed;
  *out = NULL;
  const far_status status = far_study_create(study, &what, error);
  return status == FAR_OK ? far_study_run(out, *study, &how, error) : status;
}

static far_status run_tables(far__paper_story *s, const far__paper_story_def *def,
                             far_error *error) {
  far__paper_def tables = def->tables;
  tables.curve = CURVE;
  begin(def, "the tables");
  far_status status = far_store_open(&s->curves, "", FAR_STORE_MEMORY, error);
  tables.store = s->curves;
  if (status == FAR_OK) status = far__paper_tables_run(&s->tables, &tables, error);
  return status;
}

/* The first and the last value of gamma_E of each setting. */
static void take_sweep(far__paper_story *s, const far_results *results) {
  const size_t n = results->info.n_agents, each = n / FAR__PAPER_SETTINGS;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    for (size_t k = 0; k < FAR__PAPER_SETTINGS; ++k) {
      const size_t first = t * n + k * each;
      s->sweep_low[k][t] = far_batch_result(results->batch, first)->mean;
      s->sweep_high[k][t] = far_batch_result(results->batch, first + each - 1)->mean;
    }
}

/* Two settings: that of the tables, and the clamped one that was tuned. */
static far_status run_sweep(far__paper_story *s, const far__paper_story_def *def,
                            far_error *error) {
  const char *const agents[FAR__PAPER_SETTINGS] = {TABLES ",clamp=off,learn=printed," GAMMA_E,
                                                   TUNED "," GAMMA_E};
  far_results *results = NULL;
  far_study *study = NULL;
  begin(def, "gamma_E");
  far_status status = far_store_open(&s->sweep, "", FAR_STORE_MEMORY, error);
  if (status == FAR_OK)
    status = run_study(&results, &study, def, agents, FAR__PAPER_SETTINGS, s->sweep, error);
  if (status == FAR_OK) take_sweep(s, results);
  far_results_free(results);
  far_study_free(study);
  return status;
}

static void take_readings(far__paper_story *s, const far_results *results) {
  const size_t n = FAR__PAPER_READINGS + 1;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) {
    for (size_t i = 0; i < FAR__PAPER_READINGS; ++i) {
      const far_result *result = far_batch_result(results->batch, t * n + i);
      s->readings[i].mean[t] = result->mean;
      s->readings[i].ci95[t] = result->ci95;
    }
    s->interval_mean[t] = far_batch_result(results->batch, t * n + FAR__PAPER_READINGS)->mean;
  }
}

static far_status run_readings(far__paper_story *s, const far__paper_story_def *def,
                               far_error *error) {
  const char *agents[FAR__PAPER_READINGS + 1];
  far_results *results = NULL;
  far_study *study = NULL;
  begin(def, "print against proof");
  memcpy(s->readings, readings, sizeof readings);
  for (size_t i = 0; i < FAR__PAPER_READINGS; ++i) agents[i] = readings[i].spec;
  agents[FAR__PAPER_READINGS] = intervals;
  const far_status status =
      run_study(&results, &study, def, agents, FAR__PAPER_READINGS + 1, NULL, error);
  if (status == FAR_OK) take_readings(s, results);
  far_results_free(results);
  far_study_free(study);
  return status;
}

static far_status run_growth(far__paper_story *s, const far__paper_story_def *def,
                             far_error *error) {
  static const int64_t sizes[] = {3, 5, 8, 12, 20, 30};
  static const char *const agents[] = {"directed-delayed-q:preset=practical",
                                       "delayed-q:preset=practical", "q-learning"};
  far__scaling_def what = far__scaling_def_default();
  what.env = "chain";
  what.sizes = sizes;
  what.n_sizes = sizeof sizes / sizeof *sizes;
  what.agents = agents;
  what.n_agents = sizeof agents / sizeof *agents;
  what.runs = def->growth_runs;
  what.seed = def->tables.seed;
  what.threads = def->tables.threads;
  what.pool = def->tables.pool;
  what.progress = def->tables.progress;
  what.user = def->tables.user;
  begin(def, "growth with N");
  const far_status status = far__scaling_create(&s->growth, &what, error);
  return status == FAR_OK ? far__scaling_run(s->growth, error) : status;
}

/* ---- what they come to ---- */

static double mean_of(const far__paper_story *s, size_t table, size_t row, size_t n_rows) {
  size_t n_cells;
  return far_batch_result(far__paper_tables_batch(s->tables, &n_cells), table * n_rows + row)->mean;
}

static void judge_cell(far__paper_story *s, double mean, double paper, double ci95) {
  if (paper != paper) return;
  ++s->cells;
  if (fabs(mean - paper) <= ci95)
    ++s->in_interval;
  else if (fabs(mean - paper) <= 0.05 * paper)
    ++s->within;
}

/* Rows of one method follow each other, gamma_E falling. */
static void judge_table(far__paper_story *s, size_t t, size_t n_rows) {
  double least = INFINITY, most = -INFINITY, delayed = NAN;
  s->order_kept[t] = true;
  for (size_t i = 0; i < n_rows; ++i) {
    const far__paper_row *row = far__paper_row_at(i),
                         *before = i > 0 ? far__paper_row_at(i - 1) : NULL;
    const double mean = mean_of(s, t, i, n_rows), paper = row->mean[t];
    judge_cell(s, mean, paper, row->ci95[t]);
    if (before != NULL && row->gamma_e == row->gamma_e && paper == paper)
      s->order_kept[t] =
          s->order_kept[t] && (mean < mean_of(s, t, i - 1, n_rows)) == (paper < before->mean[t]);
    if (paper != paper) {
      least = fmin(least, mean);
      most = fmax(most, mean);
    }
    if (strcmp(row->method, "Delayed QL") == 0) delayed = paper;
  }
  s->tuned_spread[t] = (most - least) / most;
  s->gap_closed[t] = (s->interval_mean[t] - delayed) / (far__paper_row_at(0)->mean[t] - delayed);
}

static void judge(far__paper_story *s) {
  size_t n_rows = 0;
  while (far__paper_row_at(n_rows) != NULL) ++n_rows;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) judge_table(s, t, n_rows);
}

/* ---- the whole ---- */

far_status far__paper_story_create(far__paper_story **out, const far__paper_story_def *def,
                                   far_error *error) {
  far__paper_story *s = calloc(1, sizeof *s);
  *out = NULL;
  if (s == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the paper's story");
  far_status status = run_tables(s, def, error);
  if (status == FAR_OK) status = run_sweep(s, def, error);
  if (status == FAR_OK) status = run_readings(s, def, error);
  if (status == FAR_OK) status = run_growth(s, def, error);
  if (status != FAR_OK) {
    far__paper_story_free(s);
    return status;
  }
  judge(s);
  *out = s;
  return FAR_OK;
}

void far__paper_story_free(far__paper_story *s) {
  if (s == NULL) return;
  far__paper_tables_free(s->tables);
  far_store_close(s->curves);
  far_store_close(s->sweep);
  far__scaling_free(s->growth);
  free(s);
}
