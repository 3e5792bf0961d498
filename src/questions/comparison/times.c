#include "base/json.h"
#include "farsight/run.h"
#include "questions/comparison/times.h"
#include "report/build.h"
#include "run/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

int64_t far__censored(const double *x, int64_t n, int64_t limit) {
  int64_t out = 0;
  for (int64_t i = 0; i < n && limit > 0; ++i) out += x[i] >= (double)limit;
  return out;
}

far_status far__times_describe(far_times *out, const double *x, int64_t n, int64_t limit,
                               far_error *error) {
  *out = (far_times){0};
  if (limit <= 0 || n < 1) return FAR_OK;
  /* times are whole numbers of steps */
  return far_times_summarise(out, x, n, (double)limit - 0.5, error);
}

/* ---- words ---- */

far__brief far__brief_time(double x, const char *sign, double bound) {
  far__brief out;
  snprintf(out.text, sizeof out.text, "%s%.40s", x == INFINITY ? sign : "",
           far__brief_real(x == INFINITY ? bound : x).text);
  return out;
}

far__brief far__brief_event(const far_times *times) {
  far__brief out;
  snprintf(out.text, sizeof out.text, "%lld of %lld", (long long)(times->runs - times->censored),
           (long long)times->runs);
  return out;
}

far__brief far__brief_median(const far_times *times, int64_t limit) {
  return far__brief_time(times->median, "≥", (double)limit);
}

far__brief far__brief_median_interval(const far_times *times, int64_t limit) {
  far__brief out = far__brief_median(times, limit);
  if (times->low < INFINITY)
    snprintf(out.text, sizeof out.text, "%.19s [%.19s, %.19s]",
             far__brief_median(times, limit).text,
             far__brief_time(times->low, "≥", (double)limit).text,
             far__brief_time(times->high, "≥", (double)limit).text);
  return out;
}

/* ---- parts of documents ---- */

void far__times_columns(far_table *t, const char *event) {
  far__table_column(t, "censored", event, FAR__COLUMN_REAL);
  far__table_column(t, "time_median", event != NULL ? "median, 95%" : NULL, FAR__COLUMN_INTERVAL);
}

void far__times_entries(far_table *t, const far_times *times, int64_t limit) {
  if (times->runs == 0) {
    far__table_none(t);
    far__table_none(t);
    return;
  }
  far__table_real_as(t, (double)times->censored, "%s", far__brief_event(times).text);
  far__table_interval_as(t, times->median, times->low, times->high, "%s",
                         far__brief_median_interval(times, limit).text);
}

void far__write_times(far__json *j, const far_times *times, int64_t limit) {
  if (times->runs == 0) return;
  far__json_object(j, "times");
  far__json_integer(j, "censored", (uint64_t)times->censored);
  far__json_integer(j, "limit", (uint64_t)limit);
  far__json_real(j, "median", times->median);
  far__json_real(j, "low", times->low);
  far__json_real(j, "high", times->high);
  far__json_real(j, "first_quartile", times->first_quartile);
  far__json_real(j, "third_quartile", times->third_quartile);
  far__json_end(j);
}

void far__note_promise(far_report *report, const char *series) {
  const char *name = "promise";
  if (strncmp(series, name, strlen(name)) != 0) return;
  far__report_note(
      report, FAR__NOTE_CAVEAT,
      "promise is the share of runs in which the agent's bound held. It is a promise only "
      "with parameters that carry the guarantee (preset=theory); with all others, defaults "
      "too, nothing is promised, and the bound happened to hold or not.");
}

void far__note_times(far_report *report) {
  far__report_note(report, FAR__NOTE_REMARK,
                   "Runs without the event by their end are censored: their times are at least "
                   "their steps (≥). Medians count them as longer than every known time; intervals "
                   "of medians are of order statistics.");
}

/* ---- the length of a run ---- */

static void add_count(far_table *t, int64_t n) {
  far__table_count_if(t, n > 0, n);
}

void far__length_columns(far_table *t) {
  far__table_column(t, "steps", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "episodes", NULL, FAR__COLUMN_COUNT);
}

void far__length_entries(far_table *t, int64_t steps, int64_t episodes) {
  add_count(t, steps);
  add_count(t, episodes);
}

void far__length_words(char out[FAR__LENGTH_SIZE], int64_t steps, int64_t episodes) {
  const int64_t n = episodes > 0 ? episodes : steps;
  snprintf(out, FAR__LENGTH_SIZE, "steps unknown");
  if (n > 0)
    snprintf(out, FAR__LENGTH_SIZE, "%s %lld", episodes > 0 ? "episodes" : "steps", (long long)n);
}

void far__write_length(far__json *j, int64_t steps, int64_t episodes) {
  far__json_integer(j, "steps", (uint64_t)steps);
  if (episodes > 0) far__json_integer(j, "episodes", (uint64_t)episodes);
}

int64_t far__length_limit(const char *series, int64_t steps, int64_t episodes) {
  if (episodes == 0) return far__series_limit(series, steps);
  return far__series_event(series) != NULL ? steps : 0;
}
