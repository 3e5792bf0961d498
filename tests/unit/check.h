/* The smallest test harness that serves: CHECK counts, the report says where, a failure is an exit
 * code. Every test program ends in `return check_report();`. */
#ifndef FARSIGHT_TESTS_CHECK_H
#define FARSIGHT_TESTS_CHECK_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static atomic_int check_passed, check_failed; /* hooks check on threads of their own */

/* Addresses of 32 bits: no memory has room for the largest problems. */
#define NARROW (SIZE_MAX == UINT32_MAX)

/* A shape in one line. */
#define SHAPE(states, actions, least, most, ends, not_live, steps)                                 \
  ((far_shape){.n_states = (states),                                                               \
               .n_actions = (actions),                                                             \
               .reward_min = (least),                                                              \
               .reward_max = (most),                                                               \
               .episodic = (ends),                                                                 \
               .absent = (not_live),                                                               \
               .horizon = (steps)})

#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(x, y, tolerance) check_near((x), (y), (tolerance), __FILE__, __LINE__, #x)
#define CHECK_TEXT(x, y) check_text((x), (y), __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains((text), (part), __FILE__, __LINE__)

static inline void check_that(bool good, const char *file, int line, const char *what) {
  *(good ? &check_passed : &check_failed) += 1;
  if (!good) printf("%s:%d: failed: %s\n", file, line, what);
}

static inline void check_near(double x, double y, double tolerance, const char *file, int line,
                              const char *what) {
  const bool good = fabs(x - y) <= tolerance;
  check_that(good, file, line, what);
  if (!good) printf("  %.17g, expected %.17g within %g\n", x, y, tolerance);
}

static inline void check_text(const char *x, const char *y, const char *file, int line) {
  const bool good = strcmp(x, y) == 0;
  check_that(good, file, line, "the texts are equal");
  if (!good) printf("  \"%s\"\n  expected \"%s\"\n", x, y);
}

static inline void check_contains(const char *text, const char *part, const char *file, int line) {
  const bool good = strstr(text, part) != NULL;
  check_that(good, file, line, "the text contains the part");
  if (!good) printf("  \"%s\"\n  has no \"%s\"\n", text, part);
}

static inline int check_report(void) {
  printf("%d passed, %d failed\n", check_passed, check_failed);
  return check_failed > 0 || check_passed == 0;
}

#endif
