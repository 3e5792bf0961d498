/* The input in place of a file that a reader opens by its name: define one of the reader's calls as one of these. */
#ifndef FARSIGHT_TESTS_FUZZ_INPUT_FILE_H
#define FARSIGHT_TESTS_FUZZ_INPUT_FILE_H

#include <farsight/farsight.h>
#include <stdio.h>

#include "fuzz.h"

static struct {
  const uint8_t *data;
  size_t size;
} input_file;

static inline far_status open_input(FILE **out, const char *path, int64_t most, far_error *error) {
  (void)path, (void)most, (void)error;
  *out = fmemopen((void *)input_file.data, input_file.size, "rb"); /* which is only read */
  if (*out == NULL) abort();
  return FAR_OK;
}

static inline far_status read_input(uint8_t **out, size_t *size, const char *path, int64_t most,
                                    far_error *error) {
  (void)path, (void)most, (void)error;
  *out = malloc(input_file.size + 1);
  if (*out == NULL) abort();
  if (input_file.size > 0) memcpy(*out, input_file.data, input_file.size);
  *size = input_file.size;
  return FAR_OK;
}

#endif
