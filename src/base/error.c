#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const texts[] = {
#define FAR_STATUS(name, text) text,
#include "farsight/status.def"
#undef FAR_STATUS
};

const char *far_status_text(far_status status) {
  const size_t count = sizeof texts / sizeof *texts;
  return (size_t)status < count ? texts[status] : "unknown status";
}

const char *far_version(void) {
  return FARSIGHT_VERSION;
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
