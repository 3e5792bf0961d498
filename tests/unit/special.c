/* Special functions against 400-digit references, to the accuracy that special.h promises. */
#include "base/special.h"

#include "check.h"
#include "special_reference.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static double relative(double x, double exact) {
  return exact == 0 ? fabs(x) : fabs(x - exact) / exact;
}

static void test_tables(void) {
  for (size_t i = 0; i < COUNT(log1p_reference); ++i) {
    const one_argument *r = &log1p_reference[i];
    CHECK(relative(far__log1p(r->x), r->value) < 5e-16);
  }
  for (size_t i = 0; i < COUNT(ratio_reference); ++i) {
    const one_argument *r = &ratio_reference[i];
    CHECK(relative(far__gamma_ratio(r->x), r->value) < 2e-15);
  }
}

/* The worst relative errors, by the size of what is computed. */
static void test_student(void) {
  double near = 0, deep = 0, excess = 0;
  for (size_t i = 0; i < COUNT(student_references); ++i) {
    const student_reference *r = &student_references[i];
    const double error = relative(far__student_tail(r->z, r->nu), r->tail);
    double *worst = r->tail > 1e-10 ? &near : &deep;
    if (r->tail > 1e-290 && error > *worst) *worst = error;
    const double win = relative(far__student_excess(r->z, r->nu), r->excess);
    if (r->excess > 1e-30 && win > excess) excess = win;
    CHECK(far__student_tail(-r->z, r->nu) + far__student_tail(r->z, r->nu) == 1);
  }
  printf("worst relative errors: %.2g %.2g %.2g\n", near, deep, excess);
  CHECK(near < 1e-14);
  CHECK(deep < 1e-13);
  CHECK(excess < 1e-12);
}

/* nu = 2 has a closed form: P(T > z) = 1/2 - z / (2 sqrt(2 + z^2)), E = (sqrt(2 + z^2) - z) / 2. */
static void test_closed_form(void) {
  for (int i = -24; i <= 24; ++i) {
    const double z = i / 8.0;
    const double root = sqrt(2 + z * z);
    CHECK_NEAR(far__student_tail(z, 2), 0.5 - z / root / 2, 2e-15);
    CHECK_NEAR(far__student_excess(z, 2), (root - z) / 2, 4e-15);
  }
}

/* Nothing to win far out, everything on the other side; no NaN and no endless loop anywhere. */
static void test_extremes(void) {
  static const double nus[] = {1.0000001, 3, 1e6, 1e15, 1e300};
  static const double zs[] = {0, 1e-300, 1e-5, 1.4, 40, 1e8, 1e155, 1e308, INFINITY};
  for (size_t i = 0; i < COUNT(nus); ++i)
    for (size_t j = 0; j < COUNT(zs); ++j) {
      const double tail = far__student_tail(zs[j], nus[i]);
      const double excess = far__student_excess(zs[j], nus[i]);
      CHECK(tail >= 0 && tail <= 0.5 && excess >= 0);
      CHECK(far__student_excess(-zs[j], nus[i]) == excess + zs[j]);
    }
  CHECK(far__student_excess(INFINITY, 3) == 0 && far__student_tail(1e200, 3) == 0);
}

int main(void) {
  test_tables();
  test_student();
  test_closed_form();
  test_extremes();
  return check_report();
}
