/* Numbers of runs that are times, of which the end of a run cuts some off: what all documents say of them. */
#ifndef FAR_QUESTIONS_COMPARISON_TIMES_H
#define FAR_QUESTIONS_COMPARISON_TIMES_H

#include "base/json.h"
#include "farsight/report.h"
#include "farsight/statistics.h"
#include "report/build.h"

/* How many of the numbers are censored: at least `limit` (far__series_limit). None if that is 0. */
int64_t far__censored(const double *x, int64_t n, int64_t limit);

/* Describes the times; all is 0 if `limit` is, or n. RANGE, MEMORY. */
far_status far__times_describe(far_times *out, const double *x, int64_t n, int64_t limit,
                               far_error *error);

/* A time, or a bound where it is infinite: ">500", "≥10000". */
far__brief far__brief_time(double x, const char *sign, double bound);

/* "12 of 20": the runs that came to the event. */
far__brief far__brief_event(const far_times *times);

/* "1234", "≥10000"; with its interval "1234 [1100, 1500]", if there is one. */
far__brief far__brief_median(const far_times *times, int64_t limit);
far__brief far__brief_median_interval(const far_times *times, int64_t limit);

/* Columns "censored" and "time_median" of a table, and their entries. People see them where `event` is given, as
 * the runs that came to it and the median; otherwise they are hidden, and without entries. */
void far__times_columns(far_table *table, const char *event);
void far__times_entries(far_table *table, const far_times *times, int64_t limit);

/* The member "times" of a number's object: nothing if it is no time (no runs). */
void far__write_times(far__json *json, const far_times *times, int64_t limit);

/* What the tables mean by it. */
void far__note_times(far_report *report);

/* The note below numbers of the series `promise`, if that is what this is: not every agent promises. */
void far__note_promise(far_report *report, const char *series);

/* The length of a run: its steps, or the episodes after which it ends, and then `steps` is the most that it may have.
 *
 * The columns "steps" and "episodes" of data, and their entries; 0: there is none. */
void far__length_columns(far_table *table);
void far__length_entries(far_table *table, int64_t steps, int64_t episodes);

/* "steps 1000", or where a run ends by episodes "episodes 50"; "steps unknown" if neither is known. */
enum { FAR__LENGTH_SIZE = 40 };
void far__length_words(char out[FAR__LENGTH_SIZE], int64_t steps, int64_t episodes);

/* The members "steps" and, where there are some, "episodes". */
void far__write_length(far__json *json, int64_t steps, int64_t episodes);

/* far__series_limit of such a run. Where it ends by episodes, a time that did not come is all the steps that there may be, at
 * every checkpoint. */
int64_t far__length_limit(const char *series, int64_t steps, int64_t episodes);

#endif
