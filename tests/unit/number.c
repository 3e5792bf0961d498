#include <farsight/farsight.h>
#include <stdlib.h>

#include "base/number.h"
#include "check.h"
#include "comma.h"

static void check_format(double x, const char *expected) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, x);
  CHECK_TEXT(text, expected);
}

static bool reads(const char *text, double *x) {
  return far__real_parse(text, strlen(text), x);
}

static bool reads_integer(const char *text, int64_t *n) {
  return far__integer_parse(text, strlen(text), n);
}

static void test_format(void) {
  check_format(0.1, "0.1");
  check_format(0.95, "0.95");
  check_format(1.0 / 3, "0.3333333333333333");
  check_format(100000000, "100000000");
  check_format(0x1p53, "9007199254740992");
  check_format(-2.5e-7, "-2.5e-07");
  check_format(1e300, "1e+300");
  check_format(INFINITY, "inf");
  check_format(-INFINITY, "-inf");
  check_format(NAN, "nan");
}

static void test_unsigned(void) {
  static const uint64_t cases[] = {0, 9, 10, 99, 100, 101, 12345, 1000000000000000, UINT64_MAX};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[FAR__NUMBER_SIZE], expected[FAR__NUMBER_SIZE];
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)cases[i]);
    CHECK(far__unsigned_format(text, cases[i]) == strlen(expected));
    CHECK_TEXT(text, expected);
  }
}

/* The first of "%.1g", "%.2g", ... that reads back as x; from n digits on. */
static void plain_format(char out[FAR__NUMBER_SIZE], double x, int n) {
  for (; n <= 17; ++n) {
    snprintf(out, FAR__NUMBER_SIZE, "%.*g", n, x);
    if (strtod(out, NULL) == x) return;
  }
}

static int wrong;

/* What is written is what printf writes, of that length, and reads back to the same bits. */
static void check_written(double x, const char *expected) {
  char text[FAR__NUMBER_SIZE];
  double y = 0;
  const size_t length = far__real_format(text, x);
  if (strcmp(text, expected) == 0 && length == strlen(text) && reads(text, &y) &&
      memcmp(&x, &y, sizeof x) == 0)
    return;
  if (wrong++ < 5) printf("%a is written as %s, not %s, and read as %a\n", x, text, expected, y);
}

static void check_read(const char *text) {
  double x = 0;
  const double expected = strtod(text, NULL);
  const bool good = reads(text, &x);
  if (good ? memcmp(&x, &expected, sizeof x) == 0 : expected - expected != 0) return;
  if (wrong++ < 5) printf("%s is read as %a, not %a\n", text, x, expected);
}

static double double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The ends of the range, and where doubles change their distance: every power of two and its neighbours. */
static void test_edges(void) {
  char text[FAR__NUMBER_SIZE];
  wrong = 0;
  for (uint64_t bits = 0x0010000000000000; bits < 0x7ff0000000000000; bits += 0x0010000000000000)
    for (uint64_t i = bits - 2; i <= bits + 2; ++i) {
      if (fabs(double_of(i)) < 1e15 && double_of(i) == floor(double_of(i))) continue;
      plain_format(text, double_of(i), 1);
      check_written(double_of(i), text);
    }
  for (uint64_t bits = 1; bits < 1000; ++bits) {
    plain_format(text, double_of(bits), 1);
    check_written(double_of(bits), text);
    plain_format(text, -double_of(0x7ff0000000000000 - bits), 1);
    check_written(-double_of(0x7ff0000000000000 - bits), text);
  }
  check_written(-0.0, "-0");
  check_written(0x1p-44,
                "5.6843418860808015e-14"); /* ...802e-14 is shorter, but no rounding of it */
  check_written(1125899906842624.25, "1125899906842624.2"); /* .2 and .3 are as near */
  CHECK(wrong == 0);
}

/* Digits of a result: those of the mantissa, less zeros in front. */
static int digits_of(const char *text) {
  int n = 0;
  for (; *text != '\0' && *text != 'e'; ++text)
    n += *text >= '0' && *text <= '9' && (n > 0 || *text > '0');
  return n;
}

/* Numbers of every size, and numbers of every length between 0 and 1. One digit less would not do: then, where
 * doubles are equally far apart, even fewer would not, either. */
static void test_against_library(void) {
  far_rng rng;
  far_rng_init(&rng, 11, 0, FAR_PURPOSE_AGENT);
  wrong = 0;
  for (int i = 0; i < 60000; ++i) {
    const uint64_t bits = far_rng_next(&rng);
    double x = i % 2 ? double_of(bits) : (double)(bits >> 11) * 0x1p-53;
    char text[FAR__NUMBER_SIZE], expected[FAR__NUMBER_SIZE];
    if (i % 4 == 0) x = floor(x * pow(10, i % 17)) / pow(10, i % 17);
    if (x - x != 0 || (fabs(x) < 1e15 && x == floor(x))) continue;
    far__real_format(text, x);
    const int n = digits_of(text);
    plain_format(expected, x, n > 1 ? n - 1 : 1);
    check_written(x, expected);
  }
  CHECK(wrong == 0);
}

/* More digits than are kept, numbers in the middle of two doubles, and a little beside it. */
static void test_long(void) {
  far_rng rng;
  far_rng_init(&rng, 13, 0, FAR_PURPOSE_AGENT);
  char text[200];
  wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = far_rng_next(&rng);
    const double x = double_of((bits >> 12) | (uint64_t)(1023 + i % 60) << 52);
    const double y = double_of(((bits >> 12) + 1) | (uint64_t)(1023 + i % 60) << 52);
    snprintf(text, sizeof text, "%.*e", 15 + i % 12, x);
    check_read(text);
    if (floor(x) != x || x > 0x1p62) continue; /* (x + y) / 2 is whole or a half */
    const uint64_t middle = (uint64_t)x + (uint64_t)(y - x) / 2;
    snprintf(text, sizeof text, "%llu%s", (unsigned long long)middle, y - x == 1 ? ".5" : "");
    check_read(text);
    strcat(text, strchr(text, '.') != NULL ? "0000000001" : ".0000000001");
    check_read(text);
  }
  static const char *const hard[] = {
      "2.2250738585072011e-308",
      "2.2250738585072014e-308",
      "4.9406564584124654e-324",
      "2.4703282292062327e-324",
      "2.4703282292062328e-324",
      "1.7976931348623157e308",
      "1.7976931348623158e308",
      "1.7976931348623159e308",
      "9007199254740993",
      "9007199254740993.00001",
      "6.02214076e23",
      "1e23",
      "8.5e22",
      "1e-400",
      "1e400",
      "0e999999999999",
      "1e-999999999999",
      "18446744073709551615",
      "18446744073709551616",
      "123456789012345678901e-40",
      "0.000000000000000000000000000000000000000000001",
      "100000000000000000000000000000000000000000000000e-46",
      "7.2057594037927933e16",
      "1.000000000000003441691376337985275313258171081542968751", /* a little more than the middle, 19 digits of it less */

      "0.500000000000000166533453693773481063544750213623046875"};
  for (size_t i = 0; i < sizeof hard / sizeof *hard; ++i) check_read(hard[i]);
  double x;
  char many[128];
  memset(many, '1', 127);
  many[127] = '\0';
  CHECK(!reads(many, &x)); /* the limit of what is read */
  many[126] = '\0';
  CHECK(reads(many, &x) && x == strtod(many, NULL));
  CHECK(wrong == 0);
}

static void test_parse(void) {
  static const char *const bad[] = {"",         "nan", "NaN",   "0x10", " 1",    "1 ",    "1e",
                                    "e5",       ".",   "-",     "+",    "1e999", "1.2.3", "1,5",
                                    "infinity", "--1", "1e+-2", "inf ", "١"};
  double x = 0;
  int64_t n = 0;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) CHECK(!reads(bad[i], &x));
  CHECK(reads("inf", &x) && x == INFINITY);
  CHECK(reads("-1.5e3", &x) && x == -1500);
  CHECK(reads(".5", &x) && x == 0.5);
  CHECK(reads("5.", &x) && x == 5);
  CHECK(reads_integer("1e4", &n) && n == 10000);
  CHECK(reads_integer("9007199254740993", &n) && n == 9007199254740993);
  CHECK(reads_integer("-3", &n) && n == -3);
  CHECK(!reads_integer("1.5", &n));
  CHECK(!reads_integer("1e300", &n));
  CHECK(!reads_integer("99999999999999999999", &n));
  CHECK(!reads_integer("inf", &n));
  CHECK(!reads_integer("-", &n));
}

static bool reads_unsigned(const char *text, uint64_t *n) {
  return far__unsigned_parse(text, strlen(text), n);
}

static bool reads_size(const char *text, uint64_t *n) {
  return far__size_parse(text, strlen(text), n);
}

static void test_sizes(void) {
  static const char *const refused[] = {"",    "G",   "0",   "-1",       "1g",    "4GB", "4 G",
                                        "nan", "inf", "0.5", "8388608T", "1e300", "1KK"};
  uint64_t n = 0;
  CHECK(reads_size("1", &n) && n == 1);
  CHECK(reads_size("1e6", &n) && n == 1000000);
  CHECK(reads_size("1.5K", &n) && n == 1536);
  CHECK(reads_size("512M", &n) && n == (uint64_t)512 << 20);
  CHECK(reads_size("4G", &n) && n == (uint64_t)4 << 30);
  CHECK(reads_size("2T", &n) && n == (uint64_t)2 << 40);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) CHECK(!reads_size(refused[i], &n));
}

/* A bound stays one when it is printed with few digits. */
static void test_bounds(void) {
  static const struct {
    double x;
    int digits;
    const char *above, *below;
  } cases[] = {{1.04, 2, "1.1", "1"},
               {9.96e-7, 2, "1e-06", "9.9e-07"},
               {0.5, 2, "0.5", "0.5"},
               {60834, 4, "6.084e+04", "6.083e+04"},
               {-1.04, 2, "-1", "-1.1"},
               {0, 2, "0", "0"},
               {0.1, 15, "0.1", "0.1"},
               {99.999, 3, "100", "99.9"},
               {INFINITY, 2, "inf", "inf"},
               {0x1.fffffffffffffp1023, 2, "1.7976931348623157e+308", "1.7976931348623157e+308"}};
  char text[FAR__NUMBER_SIZE];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far__real_above(text, cases[i].x, cases[i].digits);
    CHECK_TEXT(text, cases[i].above);
    far__real_below(text, cases[i].x, cases[i].digits);
    CHECK_TEXT(text, cases[i].below);
  }
  far_rng rng;
  far_rng_init(&rng, 12, 0, FAR_PURPOSE_AGENT);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = far_rng_next(&rng);
    const int digits = 1 + i % 15;
    double x, high = 0, low = 0;
    memcpy(&x, &bits, sizeof x);
    if (x - x != 0 || !(fabs(x) > 1e-290 && fabs(x) < 1e290)) continue;
    far__real_above(text, x, digits);
    CHECK(reads(text, &high) && high >= x && high - x <= 1.001 * fabs(x) * pow(10, 1 - digits));
    far__real_below(text, x, digits);
    CHECK(reads(text, &low) && low <= x && x - low <= 1.001 * fabs(x) * pow(10, 1 - digits));
  }
}

/* Whole numbers are exact in every spelling, up to the last that there is room for. */
static void test_whole(void) {
  static const struct {
    const char *text;
    int64_t value;
  } good[] = {{"1e18", 1000000000000000000},
              {"4611686018427387903", INT64_MAX / 2},
              {"4.611686018427387903e18", INT64_MAX / 2},
              {"9223372036854775807", INT64_MAX},
              {"9.223372036854775807E+18", INT64_MAX},
              {"92233720368547758070e-1", INT64_MAX},
              {"-9223372036854775808", INT64_MIN},
              {"-9223372036854775807.000", -INT64_MAX},
              {"9007199254740993.0", 9007199254740993},
              {"1.50e1", 15},
              {".5e1", 5},
              {"100e-2", 1},
              {"+7", 7},
              {"0e99999999999999999999", 0},
              {"-0.000", 0},
              {"0000000000000000000000012", 12}};
  static const char *const bad[] = {"9223372036854775808",
                                    "9.223372036854775808e18",
                                    "1e19",
                                    "-9223372036854775809",
                                    "1e99999999999999999999",
                                    "15e-1",
                                    "1e-99999999999999999999",
                                    "0.5",
                                    "1.00000000000000000000001"};
  int64_t n = 0;
  uint64_t u = 0;
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    CHECK(reads_integer(good[i].text, &n) && n == good[i].value);
    CHECK(reads_unsigned(good[i].text, &u) == (good[i].value >= 0));
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) CHECK(!reads_integer(bad[i], &n));
  CHECK(reads_unsigned("18446744073709551615", &u) && u == UINT64_MAX);
  CHECK(reads_unsigned("1.8446744073709551615e19", &u) && u == UINT64_MAX);
  CHECK(!reads_unsigned("18446744073709551616", &u) && !reads_unsigned("-1", &u));
  CHECK(!reads_unsigned("1e20", &u) && !reads_unsigned("", &u) && !reads_unsigned("inf", &u));
}

static void test_locale(void) {
  double x = 0;
  set_decimal_comma();
  check_format(0.25, "0.25");
  CHECK(reads("0.25", &x) && x == 0.25);
  CHECK(reads("9007199254740993.0", &x) && x == 9007199254740992); /* by the C library */
  setlocale(LC_ALL, "C");
}

int main(void) {
  test_format();
  test_unsigned();
  test_edges();
  test_against_library();
  test_long();
  test_parse();
  test_whole();
  test_sizes();
  test_bounds();
  test_locale();
  return check_report();
}
