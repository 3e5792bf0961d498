/* Between doubles and decimal digits, without the C library's conversions and so without a locale. */
#ifndef FAR_BASE_DECIMAL_H
#define FAR_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* digits * 10^exponent; `more`: the number is above that, by less than one in the last digit. */
typedef struct far__decimal {
  uint64_t digits;
  int64_t exponent;
  bool more;
} far__decimal;

/* The fewest digits that read back as x (x > 0, finite): those of the first of "%.1e", "%.2e", ... that does.
 * There are 1 to 17 digits, and the last is not 0. */
far__decimal far__decimal_shortest(double x);

/* The double nearest to d, whose digits are less than 10^19. False where this method cannot decide: d is too near to
 * the middle of two doubles, too large, or smaller than the normal doubles. */
bool far__decimal_nearest(far__decimal d, double *out);

#endif
