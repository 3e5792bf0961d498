#include "questions/comparison/length.h"

#include <stdio.h>

#include "base/json.h"
#include "report/build.h"
#include "run/series.h"
#include "farsight/run.h"

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
