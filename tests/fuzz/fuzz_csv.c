/* Any bytes as comma-separated values. What is accepted, written again with every field in quotes, must be
 * read as the same. */
#include "base/csv.h"

#include "fuzz.h"

/* Appends a field in quotes; room for it is there. */
static size_t put(char *out, size_t at, const far__csv_field *field, bool first) {
  if (!first) out[at++] = ',';
  out[at++] = '"';
  for (size_t i = 0; i < field->length; ++i) {
    if (field->text[i] == '"') out[at++] = '"';
    out[at++] = field->text[i];
  }
  out[at++] = '"';
  return at;
}

/* Reads all records and writes them to `out`; false if they are refused. */
static bool copy(char *text, size_t length, char *out, size_t *written) {
  far__csv csv;
  far_error error = {FAR_OK, -1, ""};
  bool found = true;
  far_status status = FAR_OK;
  far__csv_begin(&csv, "f", text, length);
  *written = 0;
  while (found) {
    status = far__csv_next(&csv, &found, &error);
    if (status != FAR_OK || !found) break;
    expect(csv.n_fields > 0 && csv.n_fields == csv.expected);
    for (size_t i = 0; i < csv.n_fields; ++i) {
      expect(strlen(csv.fields[i].text) == csv.fields[i].length);
      expect(csv.fields[i].line >= 1 && csv.fields[i].column >= 1);
      *written = put(out, *written, &csv.fields[i], i == 0);
    }
    out[(*written)++] = '\n';
  }
  expect(status == FAR_OK || (error.code == status && strncmp(error.message, "f:", 2) == 0));
  far__csv_end(&csv);
  return status == FAR_OK;
}

/* Output that is kept from input to input. */
static char *room(char **block, size_t *capacity, size_t size) {
  if (*block == NULL || *capacity < size) *block = realloc(*block, *capacity = 2 * size);
  if (*block == NULL) abort();
  return *block;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char *blocks[2];
  static size_t capacities[2];
  char *once = room(&blocks[0], &capacities[0], 4 * size + 16);
  char *twice = room(&blocks[1], &capacities[1], 4 * size + 16);
  size_t n = 0, m = 0;
  char *text = copy_of(data, size, 1);
  const bool good = copy(text, size, once, &n);
  drop_copy(text);
  if (!good) return 0;
  text = copy_of((const uint8_t *)once, n, 1);
  expect(copy(text, n, twice, &m));
  expect(n == m && memcmp(once, twice, n) == 0);
  drop_copy(text);
  return 0;
}
