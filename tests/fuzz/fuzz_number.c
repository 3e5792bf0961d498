/* Text as a number and a number as text, against the C library's strtod and printf, and whole numbers against
 * arithmetic with digits. The first byte chooses: raw text, text of the letters that numbers are made of, or the bits
 * of a double. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "fuzz.h"

enum { MOST_CHARACTERS = 126 };

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* ---- reading ---- */

/* [+-] digits [. digits] [e [+-] digits]: the digits of the mantissa and the power of ten of the last of them. */
typedef struct decimal {
  bool negative;
  char digits[4096];
  size_t count;
  int64_t exponent;
} decimal;

static size_t take_digits(const char **at, char *out, size_t count) {
  while (**at >= '0' && **at <= '9') out[count++] = *(*at)++;
  return count;
}

static bool split(decimal *out, const char *text, size_t length) {
  const char *at = text;
  out->negative = *at == '-';
  at += *at == '-' || *at == '+';
  out->count = take_digits(&at, out->digits, 0);
  const size_t whole = out->count;
  if (*at == '.') {
    ++at;
    out->count = take_digits(&at, out->digits, whole);
  }
  out->exponent = (int64_t)whole - (int64_t)out->count;
  if (out->count == 0) return false;
  if (*at == 'e' || *at == 'E') {
    const bool minus = at[1] == '-';
    at += 1 + (at[1] == '-' || at[1] == '+');
    if (*at < '0' || *at > '9') return false;
    int64_t e = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
      if (e < 100000000) e = 10 * e + (*at - '0');
    out->exponent += minus ? -e : e;
  }
  return at == text + length;
}

/* Is it a whole number of 64 bits without its sign? */
static bool whole_of(decimal *d, uint64_t *out) {
  size_t first = 0;
  while (first < d->count && d->digits[first] == '0') ++first;
  for (; d->count > first && d->digits[d->count - 1] == '0'; ++d->exponent) --d->count;
  *out = 0;
  if (d->count == first) return true;
  if (d->exponent < 0 || (int64_t)(d->count - first) + d->exponent > 20) return false;
  for (size_t i = first; i < d->count + (size_t)d->exponent; ++i) {
    const uint64_t digit = i < d->count ? (uint64_t)(d->digits[i] - '0') : 0;
    if (*out > (UINT64_MAX - digit) / 10) return false;
    *out = 10 * *out + digit;
  }
  return true;
}

static void check_real(const char *text, size_t length, bool is_decimal) {
  double x = 0;
  const bool read = far__real_parse(text, length, &x);
  if (length == 3 && memcmp(text, "inf", 3) == 0) {
    expect(read && x > 0 && x - x != 0);
    return;
  }
  const double right = is_decimal ? strtod(text, NULL) : INFINITY;
  expect(read == (is_decimal && length <= MOST_CHARACTERS && right - right == 0));
  expect(!read || bits_of(x) == bits_of(right));
}

static void check_whole(const char *text, size_t length, decimal *d) {
  uint64_t n = 0, size = 0;
  int64_t i = 0;
  const bool is_whole = d != NULL && whole_of(d, &size), negative = d != NULL && d->negative;
  expect(far__unsigned_parse(text, length, &n) == (is_whole && (size == 0 || !negative)));
  const bool fits = is_whole && size <= (uint64_t)INT64_MAX + negative;
  expect(far__integer_parse(text, length, &i) == fits);
  if (is_whole && !negative) expect(n == size);
  if (fits) expect((uint64_t)i == (negative ? 0 - size : size));
}

static void check_text(const uint8_t *data, size_t size) {
  static decimal d;
  if (size >= sizeof d.digits) return;
  char *text =
      copy_of(data, size, 1); /* strtod needs an end, and stops there: split() has looked first */
  const bool is_decimal = split(&d, text, size);
  check_real(text, size, is_decimal);
  check_whole(text, size, is_decimal ? &d : NULL);
  drop_copy(text);
}

/* ---- writing ---- */

/* As many digits as the text has, no more: rounding to fewer does not read back. */
static void check_shortest(const char *text, double x) {
  static decimal d;
  char fewer[64];
  expect(split(&d, text, strlen(text)));
  size_t first = 0, end = d.count;
  while (first + 1 < end && d.digits[first] == '0') ++first;
  while (end > first + 1 && d.digits[end - 1] == '0') --end;
  const int count = (int)(end - first);
  if (count == 1) return;
  snprintf(fewer, sizeof fewer, "%.*e", count - 2, x);
  expect(strtod(fewer, NULL) != x);
}

static void check_bounds(double x, int digits) {
  char text[FAR__NUMBER_SIZE];
  far__real_above(text, x, digits);
  expect(strtod(text, NULL) >= x);
  far__real_below(text, x, digits);
  expect(strtod(text, NULL) <= x);
}

static void check_bits(double x, int digits) {
  char text[FAR__NUMBER_SIZE];
  double again = 0;
  const size_t length = far__real_format(text, x);
  expect(length < FAR__NUMBER_SIZE && strlen(text) == length);
  if (x - x != 0) {
    expect(strcmp(text, x != x ? "nan" : x > 0 ? "inf" : "-inf") == 0);
    return;
  }
  expect(far__real_parse(text, length, &again) && bits_of(again) == bits_of(x));
  expect(bits_of(strtod(text, NULL)) == bits_of(x));
  check_shortest(text, x);
  check_bounds(x, digits);
}

static void check_unsigned(uint64_t n) {
  char text[FAR__NUMBER_SIZE], right[FAR__NUMBER_SIZE];
  uint64_t again = 0;
  const size_t length = far__unsigned_format(text, n);
  snprintf(right, sizeof right, "%llu", (unsigned long long)n);
  expect(strlen(text) == length && strcmp(text, right) == 0);
  expect(far__unsigned_parse(text, length, &again) && again == n);
}

/* Most bytes are no part of any number; these are. */
static void check_letters(const uint8_t *data, size_t size) {
  static const char letters[] = "0123456789.e-+05";
  uint8_t text[256];
  size_t n = 0;
  for (size_t i = 0; i < size && n + 2 <= sizeof text; ++i) {
    text[n++] = (uint8_t)letters[data[i] & 15];
    text[n++] = (uint8_t)letters[data[i] >> 4];
  }
  check_text(text, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 4 == 0) check_text(data + 1, size - 1);
  if (data[0] % 4 == 1) check_letters(data + 1, size - 1);
  if (data[0] % 4 < 2 || size < 9) return 0;
  double x;
  uint64_t n;
  memcpy(&x, data + 1, sizeof x);
  memcpy(&n, data + 1, sizeof n);
  check_bits(x, data[0] / 4 % 15 + 1);
  check_unsigned(n >> data[0] / 4);
  return 0;
}
