/* What changed between two stores, as tables. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "questions/changes/changes.h"
#include "questions/comparison/times.h"
#include "report/build.h"
#include "run/series.h"

static void add_columns(far_table *t, bool different, bool episodes) {
  far__table_column(t, "change", "change", FAR__COLUMN_TEXT);
  far__table_column(t, "env", "environment", FAR__COLUMN_SPEC);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "steps", "steps", FAR__COLUMN_COUNT);
  far__table_column(t, "episodes", episodes ? "episodes" : NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "seed", "seed", FAR__COLUMN_TEXT);
  far__table_column(t, "runs", "runs", FAR__COLUMN_TEXT);
  far__table_column(t, "before", "before", FAR__COLUMN_REAL);
  far__table_column(t, "after", "after", FAR__COLUMN_REAL);
  far__table_column(t, "difference", "difference", FAR__COLUMN_INTERVAL);
  far__table_column(t, "p_adjusted", "p", FAR__COLUMN_REAL);
  far__table_column(t, "equal", different ? "equal runs" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "censored_before", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "censored_after", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "numerics", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "hash_before", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "hash_after", NULL, FAR__COLUMN_TEXT);
}

/* "5000 (14 of 20 censored)" */
static void add_mean(far_table *t, const far__changed_cell *cell) {
  if (cell->exists && cell->censored > 0)
    far__table_real_as(t, cell->mean, "%s (%lld of %lld censored)",
                       far__brief_real(cell->mean).text, (long long)cell->censored,
                       (long long)cell->runs);
  else if (cell->exists)
    far__table_real(t, cell->mean);
  else
    far__table_none(t);
}

/* "1", or "1 → 2". */
static void add_pair(far_table *t, const far__change *c, uint64_t before, uint64_t after) {
  if (!c->before.exists || !c->after.exists || before == after)
    far__table_text(t, "%llu", (unsigned long long)(c->after.exists ? after : before));
  else
    far__table_text(t, "%llu → %llu", (unsigned long long)before, (unsigned long long)after);
}

static void add_censored(far_table *t, const far__change *c, const far__changed_cell *cell) {
  far__table_count_if(t, cell->exists && c->limit > 0, cell->censored);
}

static void add_change(far_table *t, const far__change *c) {
  far__table_row(t);
  far__table_text(t, "%s", far__change_name(c->kind));
  far__table_spec(t, c->env_label, c->env);
  far__table_spec(t, c->agent_label, c->agent);
  far__length_entries(t, c->steps, c->episodes);
  add_pair(t, c, c->before.seed, c->after.seed);
  add_pair(t, c, (uint64_t)c->before.runs, (uint64_t)c->after.runs);
  add_mean(t, &c->before);
  add_mean(t, &c->after);
  if (c->difference == c->difference)
    far__table_interval_of(t, c->difference, c->low, c->high);
  else
    far__table_none(t);
  far__table_p(t, c->p_adjusted);
  if (c->common > 0)
    far__table_text(t, "%lld of %lld", (long long)c->equal, (long long)c->common);
  else
    far__table_none(t);
  add_censored(t, c, &c->before);
  add_censored(t, c, &c->after);
  add_pair(t, c, (uint64_t)c->before.numerics, (uint64_t)c->after.numerics);
  far__table_text(t, "%s", c->before.hash);
  far__table_text(t, "%s", c->after.hash);
}

static void write_cell(far__json *j, const char *key, const far__changed_cell *c, int64_t limit) {
  if (!c->exists) {
    far__json_null(j, key);
    return;
  }
  far__json_object(j, key);
  far__json_integer(j, "seed", c->seed);
  far__json_integer(j, "numerics", (uint64_t)c->numerics);
  far__json_integer(j, "runs", (uint64_t)c->runs);
  far__json_real(j, "mean", c->mean);
  if (limit > 0) far__json_integer(j, "censored", (uint64_t)c->censored);
  far__json_text(j, "hash", c->hash);
  far__json_end(j);
}

static void write_change(far__json *j, const far__change *c) {
  far__json_object(j, NULL);
  far__json_text(j, "change", far__change_name(c->kind));
  far__json_text(j, "env", c->env);
  far__json_text(j, "agent", c->agent);
  far__write_length(j, c->steps, c->episodes);
  write_cell(j, "before", &c->before, c->limit);
  write_cell(j, "after", &c->after, c->limit);
  far__json_integer(j, "common_runs", (uint64_t)c->common);
  far__json_integer(j, "equal_runs", (uint64_t)c->equal);
  far__json_flag(j, "paired", c->paired);
  far__json_real(j, "difference", c->difference);
  far__json_real(j, "low", c->low);
  far__json_real(j, "high", c->high);
  far__json_real(j, "p", c->p);
  far__json_real(j, "p_adjusted", c->p_adjusted);
  far__json_end(j);
}

static void write_all(const void *user, far__json *j) {
  const far__changes *c = user;
  far__json_text(j, "before", c->before);
  far__json_text(j, "after", c->after);
  far__json_text(j, "series", c->series);
  far__json_text(j, "better", c->lower ? "lower" : "higher");
  far__json_real(j, "level", c->level);
  far__json_text(j, "correction", far_correction_name(c->correction));
  far__json_object(j, "count");
  for (size_t k = 0; k < FAR__CHANGE_KINDS; ++k)
    far__json_integer(j, far__change_name(k), c->count[k]);
  far__json_end(j);
  far__json_array(j, "changes");
  for (size_t i = 0; i < c->n_changes; ++i) write_change(j, &c->changes[i]);
  far__json_end(j);
}

static bool any_episodes(const far__changes *c) {
  for (size_t i = 0; i < c->n_changes; ++i)
    if (c->changes[i].episodes > 0) return true;
  return false;
}

void far__changes_report(const far__changes *c, far_report *report) {
  enum { MOST_ROWS = 2000 };
  static const char *const methods[] = {
      [FAR_CORRECTION_BONFERRONI] = "Bonferroni",
      [FAR_CORRECTION_HOLM] = "Holm (1979)",
      [FAR_CORRECTION_FDR] = "Benjamini & Hochberg (1995), for the false discovery rate"};
  const size_t changed = c->n_changes - c->count[FAR__CHANGE_SAME];
  if (changed > 0) {
    far_table *t = far__report_table(report, "changes");
    add_columns(t, c->count[FAR__CHANGE_DIFFERENT] > 0, any_episodes(c));
    far__table_caption(
        t,
        "%s before and after, and their differences with intervals that hold together; p is "
        "adjusted.",
        far__series_event(c->series) != NULL ? "Restricted means up to the end of the run (a "
                                               "censored run counts as all of its steps)"
                                             : "Means");
    for (size_t i = 0; i < changed && i < MOST_ROWS; ++i) add_change(t, &c->changes[i]);
  }
  if (changed > MOST_ROWS)
    far__report_note(report, FAR__NOTE_REMARK, "The first %d of %zu changes; JSON has all.",
                     (int)MOST_ROWS, changed);
  far__report_methods(
      report,
      "Cells are matched by environment, agent, steps and seed, and compared by the numbers of "
      "their runs, bit by bit; what is left, by all but the seed. Differences are after less "
      "before: of runs with the same replicate by the paired t-test, else by Welch's, whose "
      "intervals are too wide where the stores share runs. p-values are "
      "adjusted by %s for %zu test%s; intervals hold together with %g%% (Bonferroni).",
      methods[c->correction], c->n_tests, far__plural((int64_t)c->n_tests), 100 * c->level);
  far__report_data_by(report, write_all, c);
}
