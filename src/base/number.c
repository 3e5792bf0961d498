#include "farsight/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library reads and writes the decimal point of the current locale; our text always uses
 * '.'. The point, which may be several bytes long, is what stands between the digits of "0.5".
 * (localeconv would tell, but is not safe with threads.) */
typedef struct locale_point {
  char text[16];
} locale_point;

static locale_point current_point(void) {
  char half[sizeof(locale_point)];
  locale_point point = {"."};
  const int n = snprintf(half, sizeof half, "%.1f", 0.5);
  if (n > 2 && (size_t)n < sizeof half) {
    memcpy(point.text, half + 1, (size_t)n - 2);
    point.text[n - 2] = '\0';
  }
  return point;
}

static void replace_point(char *text) {
  const locale_point from = current_point();
  const size_t length = strlen(from.text);
  char *at = strstr(text, from.text);
  if (at == NULL) return;
  *at = '.';
  memmove(at + 1, at + length, strlen(at + length) + 1);
}

void far_real_format(char out[FAR_NUMBER_SIZE], double x) {
  if (x != x) {
    snprintf(out, FAR_NUMBER_SIZE, "nan");
    return;
  }
  if (x - x != 0) {
    snprintf(out, FAR_NUMBER_SIZE, x > 0 ? "inf" : "-inf");
    return;
  }
  const bool whole = x > -1e15 && x < 1e15 && x == (double)(int64_t)x;
  if (whole) { /* 100000000 rather than 1e+08 */
    snprintf(out, FAR_NUMBER_SIZE, "%.0f", x);
    return;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(out, FAR_NUMBER_SIZE, "%.*g", digits, x);
    if (strtod(out, NULL) == x) break;
  }
  replace_point(out);
}

static size_t span_digits(const char *text, size_t at, size_t length) {
  while (at < length && text[at] >= '0' && text[at] <= '9') ++at;
  return at;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit in the mantissa */
static bool is_decimal(const char *text, size_t length) {
  size_t at = length > 0 && (text[0] == '+' || text[0] == '-');
  const size_t whole = at;
  at = span_digits(text, at, length);
  size_t digits = at - whole;
  if (at < length && text[at] == '.') {
    const size_t fraction = ++at;
    at = span_digits(text, at, length);
    digits += at - fraction;
  }
  if (digits == 0) return false;
  if (at < length && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < length && (text[at] == '+' || text[at] == '-')) ++at;
    const size_t exponent = at;
    at = span_digits(text, at, length);
    if (at == exponent) return false;
  }
  return at == length;
}

bool far_real_parse(const char *text, size_t length, double *out) {
  if (length == 3 && memcmp(text, "inf", 3) == 0) {
    *out = INFINITY;
    return true;
  }
  char copy[128];
  const locale_point point = current_point();
  const size_t point_length = strlen(point.text);
  if (!is_decimal(text, length) || length + point_length >= sizeof copy) return false;
  const char *dot = memchr(text, '.', length);
  const size_t before = dot != NULL ? (size_t)(dot - text) : length;
  memcpy(copy, text, before);
  size_t end = before;
  if (dot != NULL) {
    memcpy(copy + end, point.text, point_length);
    end += point_length;
    memcpy(copy + end, dot + 1, length - before - 1);
    end += length - before - 1;
  }
  copy[end] = '\0';
  const double x = strtod(copy, NULL);
  if (x - x != 0) return false;
  *out = x;
  return true;
}

bool far_integer_parse(const char *text, size_t length, int64_t *out) {
  double x;
  if (length > 0 && span_digits(text, text[0] == '-', length) == length && length < 20) {
    char copy[24] = {0};
    memcpy(copy, text, length);
    errno = 0;
    char *end;
    const long long value = strtoll(copy, &end, 10);
    if (errno != 0 || *end != '\0' || end == copy) return false;
    *out = value;
    return true;
  }
  if (!far_real_parse(text, length, &x)) return false;
  if (!(x >= -0x1p53 && x <= 0x1p53) || x != (double)(int64_t)x) return false;
  *out = (int64_t)x;
  return true;
}
