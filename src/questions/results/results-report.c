/* The results of a study as a document, a row for each cell. */
#include <math.h> /* INFINITY */
#include <stdio.h>
#include <string.h>

#include "base/spec.h"
#include "lab/study/parts.h"
#include "questions/comparison/times.h"
#include "questions/results/results.h"
#include "report/build.h"

enum { CURVE_COLUMNS = 6 };

/* ---- parts that other documents share ---- */

/* A spec in full, behind what it is called if that is a name. */
static void list_spec(far_report *report, const char *label, const char *spec) {
  if (label != NULL && !far__spec_same_type(label, spec))
    far__report_item(report, "%s = %s", label, spec);
  else
    far__report_item(report, "%s", spec);
}

void far__list_agents(far_report *report, const far_results *r, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const char *spec = far_batch_result(r->batch, i)->agent;
    bool seen = false;
    for (size_t k = 0; k < i && !seen; ++k)
      seen = strcmp(spec, far_batch_result(r->batch, k)->agent) == 0;
    if (!seen) list_spec(report, r->def.cells[i].agent_label, spec);
  }
}

bool far__peeks(const char *spec) {
  const far_type_info *type = far_spec_type(far_agent_type, spec);
  return type != NULL && type->peeks;
}

void far__note_peeking(far_report *report, const far_results *r) {
  for (size_t j = 0; j < r->info.n_agents; ++j)
    if (far__peeks(r->info.agents[j]))
      far__report_note(report, FAR__NOTE_REMARK, "%s peeks at the model: it does not learn.",
                       r->info.agent_labels[j]);
}

void far__cell_columns(far_table *t) {
  far__table_column(t, "env", "environment", FAR__COLUMN_SPEC);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
}

void far__cell_entries(far_table *t, const far_results *r, size_t cell) {
  const far_cell *c = &r->def.cells[cell];
  if (cell % r->info.n_agents == 0)
    far__table_spec(t, r->info.env_labels[cell / r->info.n_agents], far_cell_env(c));
  else
    far__table_blank(t);
  far__table_spec(t, c->agent_label, far_batch_result(r->batch, cell)->agent);
}

/* ---- rewards ---- */

static void add_rewards(far_report *report, const far_results *r) {
  far_table *t = far__report_table(report, "cells");
  far__cell_columns(t);
  far__length_columns(t);
  far__table_column(t, "seed", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "mean", "mean ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "std", "std", FAR__COLUMN_REAL);
  far__table_column(t, "min", "min", FAR__COLUMN_REAL);
  far__table_column(t, "max", "max", FAR__COLUMN_REAL);
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    const far_result *result = far_batch_result(r->batch, i);
    far__table_row(t);
    far__cell_entries(t, r, i);
    far__length_entries(t, r->def.cells[i].steps, r->def.cells[i].episodes);
    far__table_text(t, "%llu", (unsigned long long)r->def.seed);
    far__table_count(t, result->runs);
    far__table_interval(t, result->mean, far__results_half_width(r, i));
    far__table_real(t, result->std);
    far__table_real(t, result->min);
    far__table_real(t, result->max);
  }
}

/* About this call and not about the results, so that it is not in their data. */
static void add_store(far_report *report, const far_results *r) {
  int64_t runs = 0, computed = 0;
  if (r->store_name == NULL) return;
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    const far_result *result = far_batch_result(r->batch, i);
    runs += result->runs;
    computed += r->sequential ? r->looks[i].computed : result->runs - result->known;
  }
  far__report_paragraph(report, "Reused %lld run%s from %s; computed %lld.",
                        (long long)(runs - computed), runs - computed == 1 ? "" : "s",
                        r->store_name, (long long)computed);
}

/* ---- the stopping rule ---- */

static void add_until(far_report *report, const far_results *r) {
  size_t wide = 0, skewed = 0, between = 0;
  if (!r->sequential || r->ranking != NULL) return;
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    wide += !r->looks[i].enough;
    skewed += r->looks[i].skewed;
    between += r->looks[i].n != far_batch_result(r->batch, i)->runs;
  }
  far__report_note(
      report, FAR__NOTE_REMARK,
      "Runs were added until %s, %lld at first, at most %lld. These intervals allow for having "
      "decided when to stop: each look spends a part of the 5%% (docs/statistics.md). They hold "
      "where runs are near normal in the mean; a success too rare to be among the first runs is "
      "not seen.",
      r->info.until, (long long)r->until.first, (long long)r->until.most);
  if (r->until.most <= r->until.first)
    far__report_note(report, FAR__NOTE_CAVEAT,
                     "There was one look only; more runs allow more looks.");
  if (wide > 0 && skewed > 0)
    far__report_note(report, FAR__NOTE_CAVEAT,
                     "In %zu of %zu cells the interval is not narrow enough, in %zu of these since "
                     "the runs are too skewed.",
                     wide, r->def.n_cells, skewed);
  else if (wide > 0)
    far__report_note(report, FAR__NOTE_CAVEAT,
                     "In %zu of %zu cells the interval is not narrow enough.", wide,
                     r->def.n_cells);
  if (between > 0)
    far__report_note(report, FAR__NOTE_CAVEAT,
                     "In %zu of %zu cells the runs were stopped between two looks; there the "
                     "interval is plain Student's.",
                     between, r->def.n_cells);
}

static const char *plain_interval(const far_results *r) {
  return r->sequential ? "; intervals do not allow for the stopping rule" : "";
}

/* ---- curves ---- */

/* Of n checkpoints, the k-th of those that the table has room for; the last is the last. */
static size_t shown_point(size_t n, size_t k, size_t columns) {
  return (k + 1) * n / columns - 1;
}

/* For people: checkpoints as columns, those that there is room for. */
static void add_curve_columns(far_report *report, const far_results *r, size_t n, size_t columns) {
  far_table *t = far__report_table(report, NULL);
  far__cell_columns(t);
  for (size_t k = 0; k < columns; ++k) {
    char step[32];
    snprintf(step, sizeof step, "%lld",
             (long long)r->def.cells[0].checkpoints[shown_point(n, k, columns)]);
    far__table_column(t, step, step, FAR__COLUMN_INTERVAL);
  }
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    far__table_row(t);
    far__cell_entries(t, r, i);
    for (size_t k = 0; k < columns; ++k) {
      const far_point *p = far_batch_point(r->batch, i, shown_point(n, k, columns));
      far__table_interval(t, p->mean, p->ci95);
    }
  }
}

/* `limit`: with which a run is censored, if the numbers are times; else 0. */
static void add_point(far_table *t, const far_results *r, size_t cell, const char *series,
                      const far_point *p, int64_t limit) {
  far__table_row(t);
  far__cell_entries(t, r, cell);
  far__table_text(t, "%s", series);
  far__table_count(t, p->step);
  far__table_interval(t, p->mean, p->ci95);
  far__table_real(t, p->std);
  far__table_count_if(t, limit > 0,
                      far__censored(p->totals, far_batch_result(r->batch, cell)->runs, limit));
}

/* For programs: a row for each checkpoint of a cell, of the reward and of each metric. */
static void add_curve_rows(far_report *report, const far_results *r) {
  far_table *t = far__report_table(report, "curves");
  far__table_column(t, "env", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "agent", NULL, FAR__COLUMN_SPEC);
  far__table_column(t, "series", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "step", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "mean", NULL, FAR__COLUMN_INTERVAL);
  far__table_column(t, "std", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "censored", NULL, FAR__COLUMN_COUNT);
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    const far_point *p;
    for (size_t c = 0; c < r->def.cells[i].n_checkpoints; ++c)
      add_point(t, r, i, "reward", far_batch_point(r->batch, i, c), 0);
    for (size_t k = 0; k < r->def.n_metrics; ++k)
      for (size_t c = 0; (p = far_batch_metric_point(r->batch, i, k, c)) != NULL; ++c)
        add_point(t, r, i, r->def.metrics[k]->name, p,
                  r->def.metrics[k]->event != NULL ? p->step : 0);
  }
}

static void add_curves(far_report *report, const far_results *r) {
  const size_t n = r->def.cells[0].n_checkpoints;
  const size_t columns = n < CURVE_COLUMNS ? n : CURVE_COLUMNS;
  char left_out[96] = "";
  if (n == 0) return;
  if (columns < n)
    snprintf(left_out, sizeof left_out, " (%zu of %zu checkpoints; JSON and CSV have all)", columns,
             n);
  far__report_heading(report, 2, "Reward so far, after so many %s%s%s",
                      r->def.cells[0].episodes > 0 ? "episodes" : "steps", left_out,
                      plain_interval(r));
  add_curve_columns(report, r, n, columns);
  add_curve_rows(report, r);
}

/* ---- metrics ---- */

void far__note_metrics(far_report *report, const far_results *r) {
  bool any = false;
  for (size_t k = 0; k < r->def.n_metrics; ++k) any = any || r->def.metrics[k]->event != NULL;
  if (any) far__note_times(report);
  for (size_t k = 0; k < r->def.n_metrics; ++k) far__note_promise(report, r->def.metrics[k]->name);
}

/* Of a time people see how many runs came to it, and the median; programs see all. */
static far_table *begin_metric(far_report *report, const char *event) {
  far_table *t = far__report_table(report, "metrics");
  const bool plain = event == NULL;
  far__cell_columns(t);
  far__table_column(t, "metric", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "mean", plain ? "mean ± 95%" : NULL, FAR__COLUMN_INTERVAL);
  far__table_column(t, "std", plain ? "std" : NULL, FAR__COLUMN_REAL);
  far__times_columns(t, event);
  far__table_column(t, "min", "min", FAR__COLUMN_REAL);
  far__table_column(t, "max", plain ? "max" : NULL, FAR__COLUMN_REAL);
  return t;
}

static void add_metric(far_report *report, const far_results *r, size_t k) {
  far__report_heading(report, 2, "%s%s", r->def.metrics[k]->name, plain_interval(r));
  far_table *t = begin_metric(report, r->def.metrics[k]->event);
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    const far_result *result = far_batch_metric(r->batch, i, k);
    far__table_row(t);
    far__cell_entries(t, r, i);
    far__table_text(t, "%s", r->def.metrics[k]->name);
    far__table_interval(t, result->mean, result->ci95);
    far__table_real(t, result->std);
    far__times_entries(t, far__times_at(r, i, k), r->def.cells[i].steps);
    /* The least number, or that it is no less than all of the steps. */
    const far_times *times = far__times_at(r, i, k);
    const bool all = times->runs > 0 && times->censored == times->runs;
    const double least = far_batch_metric(r->batch, i, k)->min;
    far__table_real_as(
        t, least, "%s",
        far__brief_time(all ? INFINITY : least, "≥", (double)r->def.cells[i].steps).text);
    far__table_real(t, result->max);
  }
}

/* Where the numbers at checkpoints are: a table of them all would be too long. */
static void add_where(far_report *report, const far_results *r) {
  size_t k = 0;
  while (k < r->def.n_metrics && far_batch_metric_point(r->batch, 0, k, 0) == NULL) ++k;
  if (k == r->def.n_metrics) return;
  if (r->store_name == NULL) {
    far__report_paragraph(
        report, "Metrics at checkpoints are in JSON, in the CSV table curves, and in a store.");
    return;
  }
  far__report_list(report, "Metrics at checkpoints are in JSON, in the CSV table curves, and in:");
  far__report_item(report, "farsight stats %s --series '%s@%lld'", r->store_name,
                   r->def.metrics[k]->name,
                   (long long)far_batch_metric_point(r->batch, 0, k, 0)->step);
}

/* ---- the whole ---- */

static void add_parameters(far_report *report, const far_results *r) {
  far__report_list(report, "Every parameter:");
  for (size_t i = 0; i < r->info.n_envs; ++i)
    list_spec(report, r->info.env_labels[i], far_cell_env(&r->def.cells[i * r->info.n_agents]));
  far__list_agents(report, r, r->def.n_cells);
}

void far_results_report(const far_results *r, far_report *report) {
  if (r->stopped) far__report_stopped(report);
  char length[FAR__LENGTH_SIZE];
  far__report_data_by(report, far__write_results, r);
  far__length_words(length, r->def.cells[0].steps, r->def.cells[0].episodes);
  far__report_heading(report, 1, "%s%sUndiscounted reward, %s, seed %llu", r->info.name,
                      r->info.name[0] != '\0' ? ": " : "", length, (unsigned long long)r->def.seed);
  add_rewards(report, r);
  far__note_peeking(report, r);
  add_store(report, r);
  add_until(report, r);
  if (r->ranking != NULL) far__add_ranking(report, r);
  add_curves(report, r);
  for (size_t k = 0; k < r->def.n_metrics; ++k) add_metric(report, r, k);
  far__note_metrics(report, r);
  add_where(report, r);
  add_parameters(report, r);
}
