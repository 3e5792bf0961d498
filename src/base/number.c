#include "farsight/number.h"

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

/* One in the last of as many digits of x. */
static double last_digit(double x, int digits) {
  char text[FAR_NUMBER_SIZE], unit[FAR_NUMBER_SIZE];
  snprintf(text, sizeof text, "%.16e", x); /* not so few that 9.96 becomes 10 */
  const long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
  snprintf(unit, sizeof unit, "1e%ld", exponent - digits + 1);
  return strtod(unit, NULL);
}

/* Towards +-infinity, as the sign says. */
static void round_towards(char out[FAR_NUMBER_SIZE], double x, int digits, double sign) {
  double y = x;
  if (x - x != 0) {
    far_real_format(out, x);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    snprintf(out, FAR_NUMBER_SIZE, "%.*g", digits, y);
    const double read = strtod(out, NULL);
    if (read - read != 0) break; /* beyond the largest double */
    if (sign * read >= sign * x) {
      replace_point(out);
      return;
    }
    y = read + sign * last_digit(x, digits);
  }
  far_real_format(out, x); /* smaller than its digits can be */
}

void far_real_above(char out[FAR_NUMBER_SIZE], double x, int digits) {
  round_towards(out, x, digits, 1);
}

void far_real_below(char out[FAR_NUMBER_SIZE], double x, int digits) {
  round_towards(out, x, digits, -1);
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

/* The digits after the e, with their sign; so far away that it does not matter, a little nearer. */
static int64_t parse_exponent(const char *text, size_t length) {
  const bool signed_ = text[0] == '+' || text[0] == '-';
  int64_t out = 0;
  for (size_t i = signed_; i < length && out < 1000000000000; ++i) out = 10 * out + (text[i] - '0');
  return text[0] == '-' ? -out : out;
}

static bool append(uint64_t *value, uint64_t digit) {
  if (*value > (UINT64_MAX - digit) / 10) return false;
  *value = 10 * *value + digit;
  return true;
}

/* A decimal number that is whole, exactly: its digits times 10^shift. */
static bool parse_whole(const char *text, size_t length, bool *negative, uint64_t *out) {
  if (!is_decimal(text, length)) return false;
  *negative = text[0] == '-';
  *out = 0;
  size_t at = text[0] == '+' || text[0] == '-', end = at;
  while (end < length && text[end] != 'e' && text[end] != 'E') ++end;
  int64_t shift = end < length ? parse_exponent(text + end + 1, length - end - 1) : 0;
  const char *dot = memchr(text + at, '.', end - at);
  if (dot != NULL) shift -= (int64_t)(text + end - dot - 1);
  for (; shift < 0 && end > at && (text[end - 1] == '0' || text[end - 1] == '.'); --end)
    shift += text[end - 1] == '0';
  for (; at < end; ++at)
    if (text[at] != '.' && !append(out, (uint64_t)(text[at] - '0'))) return false;
  if (*out == 0) return true;
  for (; shift > 0; --shift)
    if (!append(out, 0)) return false;
  return shift == 0;
}

bool far_unsigned_parse(const char *text, size_t length, uint64_t *out) {
  bool negative;
  uint64_t value;
  if (!parse_whole(text, length, &negative, &value) || (negative && value > 0)) return false;
  *out = value;
  return true;
}

bool far_integer_parse(const char *text, size_t length, int64_t *out) {
  bool negative;
  uint64_t value;
  if (!parse_whole(text, length, &negative, &value)) return false;
  if (value > (uint64_t)INT64_MAX + negative) return false;
  *out = negative && value > 0 ? -(int64_t)(value - 1) - 1 : (int64_t)value;
  return true;
}
