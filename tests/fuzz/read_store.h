/* A store, read in all ways: what opens must be read to an end, and what `check` finds nothing wrong with must be read
 * without an error. */
#ifndef FARSIGHT_TESTS_FUZZ_READ_STORE_H
#define FARSIGHT_TESTS_FUZZ_READ_STORE_H

#include <farsight/lab.h>
#include <stdio.h>

#include "fuzz.h"
#include "lab/store/access.h"

static bool drop(void *user, const char *bytes, size_t length) {
  (void)user, (void)bytes, (void)length;
  return true;
}

/* Every number is touched. */
static far_status add_block(void *user, const far__store_block *block, far_error *error) {
  double *sum = user;
  (void)error;
  for (int64_t i = 0; block->totals != NULL && i < block->runs; ++i) *sum += block->totals[i];
  *sum += (double)strlen(block->series) + (double)strlen(block->cell.env);
  return FAR_OK;
}

static far_status read_blocks(far_store *store, far_error *error) {
  double sum = 0;
  return far__store_blocks_after(store, 0, add_block, &sum, error);
}

static far_status read_records(far_store *store, far_error *error) {
  far_record record;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_record(&record, &found, store, i, error);
    if (status != FAR_OK || !found) break;
    char key[FAR_HASH_TEXT];
    double *values;
    int64_t *replicates, count;
    snprintf(key, sizeof key, "%s", record.key);
    status = far__store_values(&values, &replicates, &count, store, key, "total", error);
    if (status == FAR_STATUS_UNKNOWN) status = FAR_OK;
    free(values);
    free(replicates);
  }
  return status;
}

static far_status read_names(far_store *store, far_error *error) {
  const char *series;
  far_session session;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i)
    status = far_store_series(&series, &found, store, NULL, i, error);
  found = true;
  for (size_t i = 0; status == FAR_OK && found; ++i)
    status = far_store_session(&session, &found, store, i, error);
  return status;
}

static void read_store(far_store *store) {
  far_store_report report;
  far_store_info info;
  far_error error;
  const bool sound =
      far_store_check(&report, store, NULL, NULL, &error) == FAR_OK && report.faults == 0;
  const bool good[] = {far_store_info_of(&info, store, &error) == FAR_OK,
                       read_records(store, &error) == FAR_OK,
                       read_names(store, &error) == FAR_OK,
                       read_blocks(store, &error) == FAR_OK,
                       far_store_export(store, FAR_EXPORT_JSONL, NULL, 0, drop, NULL, &error) ==
                           FAR_OK,
                       far_store_export_snapshots(store, drop, NULL, &error) == FAR_OK};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) expect(!sound || good[i]);
}

#endif
