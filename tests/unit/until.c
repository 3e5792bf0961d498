/* Runs until the interval is narrow enough: the schedule, and looks by hand. How often the interval holds:
 * until-coverage.c. */
#include <farsight/farsight.h>

#include "check.h"
#include "statistics/rules.h"

static far_until until(double width, bool relative) {
  far_until u = far_until_default();
  u.width = width;
  u.relative = relative;
  u.first = 30;
  return u;
}

static void test_schedule(void) {
  const int64_t runs[] = {30, 45, 68, 102, 153, 230, 345, 518, 777, 1000, 1000};
  far_until u = until(0.01, true);
  u.most = 1000;
  for (int k = 1; k <= 11; ++k) CHECK(far_until_runs(&u, k) == runs[k - 1]);
  CHECK(far_until_runs(&u, 1000000000) == 1000);
  u.first = 2;
  u.growth = 1.01;
  CHECK(far_until_runs(&u, 2) == 3); /* it grows, however slowly */
}

static void test_parse(void) {
  far_until u = far_until_default();
  far_error error;
  CHECK(far__until_parse(&u, "ci=1%", &error) == FAR_OK && u.relative && u.width == 0.01);
  CHECK(far__until_parse(&u, "ci=0.25", &error) == FAR_OK && !u.relative && u.width == 0.25);
  CHECK(u.first == 300);
  CHECK(far__until_parse(&u, "ci=250,first=40", &error) == FAR_OK && u.width == 250);
  CHECK(u.first == 40);
  const char *const syntax[] = {"",     "ci", "ci=",    "ci=%",   "ci=1%%",
                                "ci=x", "1%", "ci=1 %", "ci=1%,", "ci=1%,most=5"};
  for (size_t i = 0; i < sizeof syntax / sizeof *syntax; ++i)
    CHECK(far__until_parse(&u, syntax[i], &error) == FAR_STATUS_SYNTAX);
  const char *const range[] = {"ci=0", "ci=-1%", "ci=100%", "ci=0%"};
  for (size_t i = 0; i < sizeof range / sizeof *range; ++i) {
    CHECK(far__until_parse(&u, range[i], &error) == FAR_STATUS_RANGE);
    CHECK(error.position == 3);
  }
  const char *const first[] = {"ci=1,first=", "ci=1,first=1", "ci=1,first=x", "ci=1,first=9%"};
  for (size_t i = 0; i < sizeof first / sizeof *first; ++i) {
    CHECK(far__until_parse(&u, first[i], &error) == FAR_STATUS_RANGE);
    CHECK(error.position == 11);
  }
  CHECK(u.width == 250 && u.first == 40);
}

static void test_check(void) {
  far_until u = far_until_default();
  far_error error;
  far_look look;
  const double x[] = {1, 2, NAN};
  CHECK(far__until_check(&u, &error) == FAR_STATUS_RANGE); /* no width yet */
  u = until(1, true);
  CHECK(far__until_check(&u, &error) == FAR_STATUS_RANGE);
  u.relative = false;
  CHECK(far__until_check(&u, &error) == FAR_OK);
  u.growth = 1;
  CHECK(far__until_check(&u, &error) == FAR_STATUS_RANGE);
  u.growth = 1.5;
  u.first = 1;
  CHECK(far__until_check(&u, &error) == FAR_STATUS_RANGE);
  u.first = 3;
  CHECK(far_until_look(&look, &u, 0, x, &error) == FAR_STATUS_RANGE);
  CHECK(far_until_look(&look, &u, 1, x, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "value 2 is not a number");
}

static void test_look(void) {
  const double x[] = {11, 12, 13, 14, 12, 12}, same[] = {5, 5}, zero[] = {0, 0};
  far_until u = until(0.5, false);
  far_look look;
  u.first = 4;
  u.most = 6;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK);
  CHECK(look.n == 4 && look.mean == 12.5 && !look.enough && !look.last);
  const double half = far_student_quantile(1 - 0.05 / 4, 3) * sqrt(5.0 / 3) / 2;
  CHECK_NEAR(look.half_width, half, 1e-13);
  u.width = half * (1 + 1e-12);
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && look.enough);
  u.width = half / 12.5 * (1 + 1e-12);
  u.relative = true;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && look.enough);
  u.width = half / 12.5 * (1 - 1e-12);
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && !look.enough);
  CHECK(far_until_look(&look, &u, 2, x, NULL) == FAR_OK);
  CHECK(look.n == 6 && look.last);
  CHECK_NEAR(look.half_width / far_student_quantile(1 - 0.05 / 12, 5) * sqrt(6),
             sqrt((16.0 / 3) / 5), 1e-12);
  u.first = 2;
  CHECK(far_until_look(&look, &u, 1, same, NULL) == FAR_OK && look.enough && look.half_width == 0);
  CHECK(far_until_look(&look, &u, 1, zero, NULL) == FAR_OK && look.enough);
}

/* Looks at mean 0 with a relative width go on to the end, and say so. */
static void test_near_zero(void) {
  static double x[1000];
  far_until u = until(0.05, true);
  far_look look;
  u.most = 1000;
  for (int i = 0; i < 1000; ++i) x[i] = i % 2 ? 1 : -1;
  int k = 1;
  do CHECK(far_until_look(&look, &u, k++, x, NULL) == FAR_OK);
  while (!look.enough && !look.last);
  CHECK(look.last && !look.enough && look.n == 1000);
}

/* A look at skewed runs waits for more of them, however narrow its interval is. */
static void test_skewed(void) {
  static double x[2000];
  far_until u = until(1, false);
  far_look look;
  x[5] = 1; /* and 29 zeros */
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK);
  CHECK(look.half_width < 1 && look.skewed && !look.enough);
  for (int i = 0; i < 30; ++i) x[i] = i % 2;
  CHECK(far_until_look(&look, &u, 1, x, NULL) == FAR_OK && !look.skewed && look.enough);
}

int main(void) {
  test_schedule();
  test_parse();
  test_check();
  test_look();
  test_near_zero();
  test_skewed();
  return check_report();
}
