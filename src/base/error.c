#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "farsight/base.h"

/* No default: the compiler names a code that has no text. */
const char *far_status_text(far_status status) {
  switch (status) {
  case FAR_STATUS_OK: return "success";
  case FAR_STATUS_SYNTAX: return "the text does not follow the grammar";
  case FAR_STATUS_UNKNOWN: return "there is nothing of that name";
  case FAR_STATUS_RANGE: return "a value is outside its bounds";
  case FAR_STATUS_CONFLICT: return "values that do not go together";
  case FAR_STATUS_MEMORY: return "out of memory, or a size too large for this machine";
  case FAR_STATUS_IO: return "the system could not read or write";
  case FAR_STATUS_FORMAT: return "the file is damaged or is not of this kind";
  case FAR_STATUS_MISMATCH: return "the file belongs to another algorithm, shape or parameter set";
  case FAR_STATUS_CANCELLED: return "stopped on request";
  case FAR_STATUS_ABSENT: return "this build was made without it";
  }
  return "unknown status";
}

const char *far_version(void) {
  return FAR_VERSION_TEXT;
}

void far_free(void *block) {
  free(block);
}

void far__set_error(far_error *error, far_status code, int position, const char *format, ...) {
  if (error == NULL) return;
  error->code = code;
  error->position = position;
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
}
