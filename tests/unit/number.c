#include <farsight/farsight.h>
#include <locale.h>

#include "check.h"

static void check_format(double x, const char *expected) {
  char text[FAR_NUMBER_SIZE];
  far_real_format(text, x);
  CHECK_TEXT(text, expected);
}

static bool reads(const char *text, double *x) {
  return far_real_parse(text, strlen(text), x);
}

static bool reads_integer(const char *text, int64_t *n) {
  return far_integer_parse(text, strlen(text), n);
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

/* Whatever is written reads back to the same bits. */
static void test_round_trip(void) {
  far_rng rng;
  far_rng_init(&rng, 11, 0, FAR_PURPOSE_AGENT);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = far_rng_next(&rng);
    double x, y;
    memcpy(&x, &bits, sizeof x);
    if (x - x != 0) continue;
    char text[FAR_NUMBER_SIZE];
    far_real_format(text, x);
    wrong += !reads(text, &y) || memcmp(&x, &y, sizeof x) != 0;
  }
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
  return far_unsigned_parse(text, strlen(text), n);
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
  char text[FAR_NUMBER_SIZE];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far_real_above(text, cases[i].x, cases[i].digits);
    CHECK_TEXT(text, cases[i].above);
    far_real_below(text, cases[i].x, cases[i].digits);
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
    far_real_above(text, x, digits);
    CHECK(reads(text, &high) && high >= x && high - x <= 1.001 * fabs(x) * pow(10, 1 - digits));
    far_real_below(text, x, digits);
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

/* A program that uses us may have set a locale with a decimal comma. */
static void test_locale(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  bool set = false;
  for (size_t i = 0; i < 3 && !set; ++i) set = setlocale(LC_ALL, names[i]) != NULL;
  if (!set) printf("skipped: no locale with a decimal comma is installed\n");
  double x = 0;
  check_format(0.25, "0.25");
  CHECK(reads("0.25", &x) && x == 0.25);
  setlocale(LC_ALL, "C");
}

int main(void) {
  test_format();
  test_round_trip();
  test_parse();
  test_whole();
  test_bounds();
  test_locale();
  return check_report();
}
