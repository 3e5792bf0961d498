#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"

/* The decimal point of the locale, which the C library reads and writes where our text has '.'. It may be
 * several bytes long, and is taken from between the digits of "0.5": localeconv is not safe with threads. */
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

void far__plain_points(char *text) {
  const locale_point from = current_point();
  const size_t length = strlen(from.text);
  for (char *at = text; (at = strstr(at, from.text)) != NULL; ++at) {
    *at = '.';
    memmove(at + 1, at + length, strlen(at + length) + 1);
  }
}

/* ---- writing ---- */

/* Writes the digits of n to the end of `out` and returns how many there are. */
static int write_digits(char out[20], uint64_t n) {
  static const char pairs[] =
      "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
      "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
      "8081828384858687888990919293949596979899";
  char *at = out + 20;
  for (; n >= 100; n /= 100) memcpy(at -= 2, pairs + 2 * (n % 100), 2);
  if (n >= 10)
    memcpy(at -= 2, pairs + 2 * n, 2);
  else
    *--at = (char)('0' + n);
  return (int)(out + 20 - at);
}

size_t far__unsigned_format(char out[FAR__NUMBER_SIZE], uint64_t n) {
  char digits[20];
  const int count = write_digits(digits, n);
  memcpy(out, digits + 20 - count, (size_t)count);
  out[count] = '\0';
  return (size_t)count;
}

/* "e-07", as printf writes it */
static char *write_exponent(char *at, int exponent) {
  char digits[20];
  const int count = write_digits(digits, (uint64_t)(exponent < 0 ? -exponent : exponent));
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  if (count == 1) *at++ = '0';
  memcpy(at, digits + 20 - count, (size_t)count);
  return at + count;
}

/* Writes d as "%.*g" does with as many digits as d has: 0.00012, 12.5, 1.25e+20. */
static char *write_decimal(char *at, far__decimal d) {
  static const char zeros[] = {'0', '.', '0', '0', '0'};
  char field[20];
  const int count = write_digits(field, d.digits), first = (int)d.exponent + count - 1;
  const char *digits = field + 20 - count;
  const bool scientific = first < -4 || first >= count;
  const int whole = scientific ? 1 : first + 1; /* digits before the point */
  if (whole <= 0) {
    memcpy(at, zeros, sizeof zeros);
    at += 2 - whole;
    memcpy(at, digits, (size_t)count);
    return at + count;
  }
  memcpy(at, digits, (size_t)whole);
  at += whole;
  if (count > whole) *at++ = '.';
  memcpy(at, digits + whole, (size_t)(count - whole));
  at += count - whole;
  return scientific ? write_exponent(at, first) : at;
}

size_t far__real_format(char out[FAR__NUMBER_SIZE], double x) {
  const char *word = x != x ? "nan" : x - x == 0 ? NULL : x > 0 ? "inf" : "-inf";
  if (word != NULL) {
    memcpy(out, word, strlen(word) + 1);
    return strlen(word);
  }
  char *at = out;
  if (signbit(x)) *at++ = '-';
  const double size = fabs(x);
  if (size < 1e15 && size == (double)(int64_t)size) /* 100000000 rather than 1e+08 */
    return (size_t)(at - out) + far__unsigned_format(at, (uint64_t)size);
  at = write_decimal(at, far__decimal_shortest(size));
  *at = '\0';
  return (size_t)(at - out);
}

/* One unit in the last of the first `digits` digits of x. */
static double last_digit(double x, int digits) {
  char text[FAR__NUMBER_SIZE], unit[FAR__NUMBER_SIZE];
  snprintf(text, sizeof text, "%.16e", x); /* all digits: with fewer, 9.96 could become 10 */
  const long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
  snprintf(unit, sizeof unit, "1e%ld", exponent - digits + 1);
  return strtod(unit, NULL);
}

/* Rounds x to `digits` digits, towards infinity (sign 1) or minus infinity (-1). */
static void round_towards(char out[FAR__NUMBER_SIZE], double x, int digits, double sign) {
  double y = x;
  if (x - x != 0) {
    far__real_format(out, x);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    snprintf(out, FAR__NUMBER_SIZE, "%.*g", digits, y);
    const double read = strtod(out, NULL);
    if (read - read != 0) break; /* beyond the largest double */
    if (sign * read >= sign * x) {
      far__plain_points(out);
      return;
    }
    y = read + sign * last_digit(x, digits);
  }
  far__real_format(out, x); /* x is too small for its digits, or too large: all of them */
}

void far__real_above(char out[FAR__NUMBER_SIZE], double x, int digits) {
  round_towards(out, x, digits, 1);
}

void far__real_below(char out[FAR__NUMBER_SIZE], double x, int digits) {
  round_towards(out, x, digits, -1);
}

/* ---- reading ---- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* A number's text while it is scanned, and its digits as far as there is room. */
typedef struct scanner {
  const char *at, *end;
  far__decimal decimal;
} scanner;

/* Scans digits into 64 bits (beyond 19 digits those overflow) and returns how many there are. */
static size_t scan_digits(scanner *s) {
  const char *at = s->at;
  uint64_t digits = s->decimal.digits;
  for (; at < s->end && is_digit(*at); ++at) digits = 10 * digits + (uint64_t)(*at - '0');
  const size_t count = (size_t)(at - s->at);
  s->at = at;
  s->decimal.digits = digits;
  return count;
}

/* The first 19 digits of a mantissa that has more, zeros in front not counted. */
static void keep_digits(far__decimal *out, const char *text, const char *end) {
  *out = (far__decimal){0};
  bool fraction = false;
  for (; text < end; ++text) {
    if (!is_digit(*text)) {
      fraction |= *text == '.';
      continue;
    }
    const bool room = out->digits < 1000000000000000000;
    if (room) out->digits = 10 * out->digits + (uint64_t)(*text - '0');
    out->exponent += (int)!room - (int)fraction;
    out->more |= !room && *text != '0';
  }
}

/* The value of an exponent stops growing at 10000, beyond all doubles. */
static bool scan_exponent(scanner *s) {
  int exponent = 0;
  const bool minus = s->at < s->end && *s->at == '-';
  if (s->at < s->end && (*s->at == '-' || *s->at == '+')) ++s->at;
  const char *begin = s->at;
  for (; s->at < s->end && is_digit(*s->at); ++s->at)
    if (exponent < 10000) exponent = 10 * exponent + (*s->at - '0');
  s->decimal.exponent += minus ? -exponent : exponent;
  return s->at > begin;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit in the mantissa */
static bool scan_decimal(const char *text, size_t length, far__decimal *out) {
  scanner s = {.at = text, .end = text + length};
  if (length > 0 && (*text == '+' || *text == '-')) ++s.at;
  size_t count = scan_digits(&s);
  if (s.at < s.end && *s.at == '.') {
    ++s.at;
    const size_t decimals = scan_digits(&s);
    s.decimal.exponent = -(int64_t)decimals;
    count += decimals;
  }
  if (count == 0) return false;
  if (count > 19) keep_digits(&s.decimal, text, s.at);
  if (s.at < s.end && (*s.at == 'e' || *s.at == 'E')) {
    ++s.at;
    if (!scan_exponent(&s)) return false;
  }
  *out = s.decimal;
  return s.at == s.end;
}

enum { MOST_CHARACTERS = 126 }; /* of a number that is read */

/* By the C library's strtod, which expects the decimal point of the locale. */
static double read_slowly(const char *text, size_t length) {
  char copy[MOST_CHARACTERS + sizeof(locale_point)];
  const char *dot = memchr(text, '.', length);
  const size_t before = dot != NULL ? (size_t)(dot - text) : length;
  memcpy(copy, text, before);
  size_t end = before;
  if (dot != NULL) {
    const locale_point point = current_point();
    const size_t n = strlen(point.text), decimals = length - before - 1;
    memcpy(copy + end, point.text, n);
    memcpy(copy + end + n, dot + 1, decimals);
    end += n + decimals;
  }
  copy[end] = '\0';
  return strtod(copy, NULL);
}

bool far__real_parse(const char *text, size_t length, double *out) {
  if (length == 3 && memcmp(text, "inf", 3) == 0) {
    *out = INFINITY;
    return true;
  }
  far__decimal decimal;
  double x;
  if (length > MOST_CHARACTERS || !scan_decimal(text, length, &decimal)) return false;
  if (far__decimal_nearest(decimal, &x))
    x = *text == '-' ? -x : x;
  else if (decimal.digits == 0)
    x = *text == '-' ? -0.0 : 0.0;
  else
    x = read_slowly(text, length);
  if (x - x != 0) return false;
  *out = x;
  return true;
}

/* The exponent behind the e, with its sign; it stops growing at 10^12, which gives the same result. */
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
  far__decimal decimal;
  if (!scan_decimal(text, length, &decimal)) return false;
  *negative = text[0] == '-';
  if (decimal.exponent == 0 &&
      !decimal.more) { /* usual; what follows also counts digits left out */
    *out = decimal.digits;
    return true;
  }
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

bool far__unsigned_parse(const char *text, size_t length, uint64_t *out) {
  bool negative;
  uint64_t value;
  if (!parse_whole(text, length, &negative, &value) || (negative && value > 0)) return false;
  *out = value;
  return true;
}

bool far__integer_parse(const char *text, size_t length, int64_t *out) {
  bool negative;
  uint64_t value;
  if (!parse_whole(text, length, &negative, &value)) return false;
  if (value > (uint64_t)INT64_MAX + negative) return false;
  *out = negative && value > 0 ? -(int64_t)(value - 1) - 1 : (int64_t)value;
  return true;
}

bool far__size_parse(const char *text, size_t length, uint64_t *out) {
  static const char units[] = {'K', 'M', 'G', 'T'};
  const char *unit = length > 0 ? memchr(units, text[length - 1], sizeof units) : NULL;
  const double factor = unit != NULL ? ldexp(1, 10 * (int)(unit - units + 1)) : 1;
  double value;
  if (!far__real_parse(text, length - (unit != NULL), &value)) return false;
  value *= factor;
  if (!(value >= 1 && value < 0x1p63)) return false;
  *out = (uint64_t)value;
  return true;
}
