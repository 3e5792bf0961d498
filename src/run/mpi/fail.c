#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

far_status far__rank_fail(far_error *error, far_status code, const char *format, ...) {
  if (error == NULL) return code;
  *error = (far_error){.code = code, .position = -1};
  va_list list;
  va_start(list, format);
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return code;
}
