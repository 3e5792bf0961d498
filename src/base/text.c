#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

size_t far__utf8_length(const char *text, size_t length) {
  const unsigned char *p = (const unsigned char *)text;
  if (length == 0) return 0;
  const size_t n = p[0] < 0x80                   ? 1
                   : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                   : (p[0] & 0xf0) == 0xe0       ? 3
                   : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                 : 0;
  if (n > length) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((p[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  const bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
  return overlong || outside ? 0 : n;
}

uint32_t far__utf8_code(const char *text, size_t n) {
  const unsigned char *p = (const unsigned char *)text;
  uint32_t code = n == 1 ? p[0] : p[0] & (0xffU >> (n + 1));
  for (size_t i = 1; i < n; ++i) code = code << 6 | (p[i] & 0x3fU);
  return code;
}

int far__text_width(const char *text, size_t length) {
  int n = 0;
  for (size_t i = 0; i < length; ++i) n += ((unsigned char)text[i] & 0xc0) != 0x80;
  return n;
}

bool far__is_name(const char *text) {
  return far__is_line(text, strlen(text), FAR__NAME_MAX);
}

bool far__is_line(const char *text, size_t length, size_t most) {
  if (length == 0 || length > most) return false;
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    if (n == 0 || (unsigned char)text[at] < 32 || text[at] == 127) return false;
    at += n;
  }
  return true;
}

bool far__grow(void **array, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return true;
  const size_t wanted = *capacity ? 2 * *capacity : 16;
  void *grown = wanted <= SIZE_MAX / 2 / size ? realloc(*array, wanted * size) : NULL;
  if (grown == NULL) return false;
  *array = grown;
  *capacity = wanted;
  return true;
}

void far__text_add(far__text *t, const char *bytes, size_t length) {
  far_buffer_add(t, bytes, length);
}

void far__put(far_buffer *out, const char *text) {
  far_buffer_add(out, text, strlen(text));
}

void far__text_real(far__text *t, double x) {
  char number[FAR__NUMBER_SIZE];
  far__text_add(t, number, far__real_format(number, x));
}

void far__text_count(far__text *t, uint64_t n) {
  char number[FAR__NUMBER_SIZE];
  far__text_add(t, number, far__unsigned_format(number, n));
}

void far__text_format(far__text *t, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (n > 0) far__text_add(t, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

far__real_text far__shortest(double x) {
  far__real_text out;
  far__real_format(out.text, x);
  return out;
}

far__real_text far__above(double x) {
  far__real_text out;
  far__real_above(out.text, x, 4);
  return out;
}

far__real_text far__below(double x) {
  far__real_text out;
  far__real_below(out.text, x, 4);
  return out;
}
