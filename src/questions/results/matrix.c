/* Agents side by side: a table with agents as rows and environments as columns. */
#include <stdio.h>

#include "base/json.h"
#include "lab/study/parts.h"
#include "questions/comparison/times.h"
#include "questions/results/results.h"
#include "report/build.h"

enum { REWARD = -1 }; /* in place of a metric */

typedef struct matrix {
  const far_results *results;
  const double *best;
  bool no_best, short_of_runs; /* what the notes explain */
} matrix;

static matrix examine(const far_results *r, const double *best) {
  matrix m = {.results = r, .best = best};
  for (size_t i = 0; i < r->info.n_envs; ++i) m.no_best = m.no_best || best[i] != best[i];
  for (size_t i = 0; i < r->def.n_cells && !m.short_of_runs; ++i)
    m.short_of_runs = !r->sequential && far_batch_result(r->batch, i)->runs < r->def.runs;
  return m;
}

static void add_entry(far_table *t, const far_results *r, size_t cell, int metric) {
  const far_result *reward = far_batch_result(r->batch, cell);
  const far_result *x =
      metric == REWARD ? reward : far_batch_metric(r->batch, cell, (size_t)metric);
  const double half = metric == REWARD ? far__results_half_width(r, cell) : x->ci95;
  far__table_interval_as(t, x->mean, x->mean - half, x->mean + half, "%s%s",
                         far__brief_interval(x->mean, half).text,
                         !r->sequential && reward->runs < r->def.runs ? "*" : "");
}

/* "1234 (12 of 20)": the median, and in how many runs. */
static void add_time(far_table *t, const far_results *r, size_t cell, size_t metric) {
  const far_times *x = far__times_at(r, cell, metric);
  if (x->runs > 0)
    far__table_interval_as(t, x->median, x->low, x->high, "%s (%s)%s",
                           far__brief_median(x, r->def.cells[cell].steps).text,
                           far__brief_event(x).text,
                           !r->sequential && x->runs < r->def.runs ? "*" : "");
  else
    far__table_none(t);
}

/* For people alone: programs read the cells. */
static void add_table(far_report *report, const matrix *m, int metric) {
  const far_results *r = m->results;
  far_table *t = far__report_table(report, NULL);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < r->info.n_envs; ++i)
    far__table_column(t, r->info.env_labels[i], r->info.env_labels[i], FAR__COLUMN_INTERVAL);
  for (size_t j = 0; j < r->info.n_agents; ++j) {
    far__table_row(t);
    far__table_text(t, "%s", r->info.agent_labels[j]);
    for (size_t i = 0; i < r->info.n_envs; ++i) {
      if (metric != REWARD && r->def.metrics[metric]->event != NULL)
        add_time(t, r, i * r->info.n_agents + j, (size_t)metric);
      else
        add_entry(t, r, i * r->info.n_agents + j, metric);
    }
  }
  if (metric == REWARD) {
    far__table_rule(t);
    far__table_row(t);
    far__table_text(t, "best policy");
    for (size_t k = 0; k < m->results->info.n_envs; ++k) far__table_real(t, m->best[k]);
  }
}

/* Of a time also how many runs are censored. */
static void add_metric_columns(far_table *t, const far_metric *metric) {
  char key[FAR_SPEC_SIZE + 16];
  snprintf(key, sizeof key, "%s_censored", metric->name);
  far__table_column(t, metric->name, NULL, FAR__COLUMN_INTERVAL);
  if (metric->event != NULL) far__table_column(t, key, NULL, FAR__COLUMN_COUNT);
}

static void add_cells(far_report *report, const matrix *m) {
  const far_results *r = m->results;
  far_table *t = far__report_table(report, "cells");
  far__table_column(t, "env", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "agent", NULL, FAR__COLUMN_SPEC);
  far__length_columns(t);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "mean", NULL, FAR__COLUMN_INTERVAL);
  far__table_column(t, "best", NULL, FAR__COLUMN_REAL);
  for (size_t k = 0; k < r->def.n_metrics; ++k) add_metric_columns(t, r->def.metrics[k]);
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    const far_result *x = far_batch_result(r->batch, i);
    far__table_row(t);
    far__cell_entries(t, r, i);
    far__length_entries(t, r->def.cells[i].steps, r->def.cells[i].episodes);
    far__table_count(t, x->runs);
    far__table_interval(t, x->mean, far__results_half_width(r, i));
    far__table_real(t, m->best[i / r->info.n_agents]);
    for (size_t k = 0; k < r->def.n_metrics; ++k) {
      const far_result *metric = far_batch_metric(r->batch, i, k);
      far__table_interval(t, metric->mean, metric->ci95);
      if (r->def.metrics[k]->event != NULL) far__table_count(t, far__times_at(r, i, k)->censored);
    }
  }
}

static void add_heading(far_report *report, const far_results *r) {
  char runs[96];
  if (r->def.runs == 1)
    snprintf(runs, sizeof runs, "one run");
  else
    snprintf(runs, sizeof runs, "mean of %lld runs ± 95%%", (long long)r->def.runs);
  const int64_t episodes = r->def.cells[0].episodes;
  far__report_heading(report, 1, "Undiscounted reward of %lld %s, %s, seed %llu",
                      (long long)(episodes > 0 ? episodes : r->def.cells[0].steps),
                      episodes > 0 ? "episodes" : "steps", r->sequential ? "mean ± 95%" : runs,
                      (unsigned long long)r->def.seed);
}

static void add_notes(far_report *report, const matrix *m) {
  far__report_note(report, FAR__NOTE_REMARK,
                   m->results->def.cells[0].episodes > 0
                       ? "The best policy's row is its exact return times the episodes."
                       : "The best policy's row is its exact average reward times the steps.");
  if (m->no_best && m->results->stopped)
    far__report_note(report, FAR__NOTE_REMARK, "–: not computed, because the command was stopped.");
  else if (m->no_best)
    far__report_note(report, FAR__NOTE_REMARK,
                     "–: not one average reward for all starts (farsight solve -e ENV --average "
                     "says more).");
  far__note_peeking(report, m->results);
  if (m->short_of_runs)
    far__report_note(report, FAR__NOTE_CAVEAT, "* stopped early: fewer runs than requested.");
}

/* For the report, whose copies the numbers are. */
typedef struct best_totals {
  const far_results *results;
  const double *best;
} best_totals;

static void write_best(const void *user, far__json *j) {
  const best_totals *b = user;
  const far_results *r = b->results;
  far__json_array(j, "best");
  for (size_t i = 0; i < r->info.n_envs; ++i) {
    far__json_object(j, NULL);
    far__json_text(j, "env", far_cell_env(&r->def.cells[i * r->info.n_agents]));
    far__json_real(j, "total", b->best[i]);
    far__json_end(j);
  }
  far__json_end(j);
}

static void add_parameters(far_report *report, const far_results *r) {
  far__report_list(report, "Every environment:");
  for (size_t i = 0; i < r->info.n_envs; ++i)
    far__report_item(report, "%s", far_cell_env(&r->def.cells[i * r->info.n_agents]));
  far__report_list(report,
                   "Every agent, as it was on %s (elsewhere, what depends on the range of rewards "
                   "follows it; JSON shows all):",
                   r->info.env_labels[0]);
  far__list_agents(report, r, r->info.n_agents);
}

void far__results_matrix(const far_results *r, const double *best, far_report *report) {
  const matrix m = examine(r, best);
  if (r->stopped) far__report_stopped(report);
  const best_totals b = {r, far__report_copy(report, best, r->info.n_envs * sizeof *best)};
  far__report_data_by(report, far__write_results, r);
  far__report_data_by(report, write_best, far__report_copy(report, &b, sizeof b));
  add_heading(report, r);
  add_table(report, &m, REWARD);
  add_cells(report, &m);
  add_notes(report, &m);
  if (r->ranking != NULL) far__add_ranking(report, r);
  for (size_t k = 0; k < r->def.n_metrics; ++k) {
    far__report_heading(report, 2, "%s%s", r->def.metrics[k]->name,
                        r->def.metrics[k]->event != NULL ? ": median (in how many runs)" : "");
    add_table(report, &m, (int)k);
  }
  far__note_metrics(report, r);
  add_parameters(report, r);
}
