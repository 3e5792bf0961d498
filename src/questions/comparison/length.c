#include "questions/comparison/length.h"

#include <stdio.h>

#include "farsight/metric.h"

static void add_count(far_table *t, int64_t n) {
  if (n > 0)
    far_table_count(t, n);
  else
    far_table_none(t);
}

void far__length_columns(far_table *t) {
  far_table_column(t, "steps", NULL, FAR_COLUMN_COUNT);
  far_table_column(t, "episodes", NULL, FAR_COLUMN_COUNT);
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

void far__write_length(far_json *j, int64_t steps, int64_t episodes) {
  far_json_integer(j, "steps", (uint64_t)steps);
  if (episodes > 0) far_json_integer(j, "episodes", (uint64_t)episodes);
}

int64_t far__length_limit(const char *series, int64_t steps, int64_t episodes) {
  if (episodes == 0) return far_series_limit(series, steps);
  return far_series_event(series) != NULL ? steps : 0;
}
