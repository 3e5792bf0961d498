/* Any bytes as a table of results made elsewhere (`farsight store import`), which is checked and not stored, and as a
 * table of means to be fitted (`farsight tune`). */
#include <farsight/lab.h>

#include "base/file.h"
#include "input_file.h"
#include "questions/tuning/tuned-comparison.h"

#define far__file_read read_input
#include "lab/store/import.c"

static void check_results(void) {
  far_import_report report;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far_store_import(&report, NULL, "f", &error);
  expect(status == FAR_OK || (error.code == status && error.message[0] != '\0'));
  expect(report.added == 0 && report.rows >= 0);
  expect(memchr(report.unused, '\0', sizeof report.unused) != NULL);
}

static void check_means(const uint8_t *data, size_t size) {
  far__fit_table *table;
  far_error error = {FAR_OK, -1, ""};
  char *text = copy_of(data, size, 0);
  const far_status status = far__fit_table_read(&table, text, size, "f", &error);
  drop_copy(text);
  if (status != FAR_OK) {
    expect(table == NULL && error.code == status && error.message[0] != '\0');
    return;
  }
  expect(table->n_targets > 0);
  for (size_t i = 0; i < table->n_targets; ++i) {
    const far__fit_target *t = &table->targets[i];
    expect(t->mean - t->mean == 0 && t->unit - t->unit == 0 && t->std - t->std == 0);
    expect(t->env != NULL && t->with != NULL);
  }
  far__fit_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input_file.data = data;
  input_file.size = size;
  check_results();
  check_means(data, size);
  return 0;
}
