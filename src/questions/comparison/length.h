/* The length of a run: its steps, or the episodes after which it ends, and then `steps` is the most that it may have. */
#ifndef FAR_QUESTIONS_COMPARISON_LENGTH_H
#define FAR_QUESTIONS_COMPARISON_LENGTH_H

#include "base/json.h"
#include "farsight/report.h"
#include "report/build.h"

/* The columns "steps" and "episodes" of data, and their entries; 0: there is none. */
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
