#include "base/kept.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void *far__kept_room(far__kept *kept, size_t count, size_t size) {
  const size_t n = count > 0 ? count : 1;
  void *out = n <= SIZE_MAX / 2 / size ? far__arena_room(&kept->arena, n * size) : NULL;
  kept->failed = kept->failed || out == NULL;
  return out != NULL ? memset(out, 0, n * size) : NULL;
}

char *far__kept_part(far__kept *kept, const char *text, size_t length) {
  char *out = far__kept_room(kept, length + 1, 1);
  if (out != NULL) memcpy(out, text, length);
  return out;
}

char *far__kept_text(far__kept *kept, const char *text) {
  return text != NULL ? far__kept_part(kept, text, strlen(text)) : NULL;
}

char *far__kept_print(far__kept *kept, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  const int n = vsnprintf(NULL, 0, format, list);
  char *out = n >= 0 ? far__kept_room(kept, (size_t)n + 1, 1) : NULL;
  if (out != NULL) vsnprintf(out, (size_t)n + 1, format, again);
  va_end(again);
  return out;
}

char *far__kept_format(far__kept *kept, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *out = far__kept_print(kept, format, list);
  va_end(list);
  return out;
}

void far__kept_free(far__kept *kept) {
  far__arena_free(&kept->arena);
}
