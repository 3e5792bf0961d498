/* Logarithm and exponential by argument reduction and Taylor series; see farsight/base.h. Inline, for the
 * step functions that the fused loops and devices share. */
#ifndef FAR_BASE_LOG_EXP_H
#define FAR_BASE_LOG_EXP_H

#include <float.h>
#include <math.h> /* only for INFINITY and NAN */
#include <string.h>

#include "farsight/base.h"

/* ln 2 in two parts; the first has 32 significant bits, so k * LN2_HIGH is exact for |k| < 2^21 */
#define FAR__LN2_HIGH 0x1.62e42feep-1
#define FAR__LN2_LOW 0x1.a39ef35793c76p-33

static inline FAR_DEVICE uint64_t far__bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline FAR_DEVICE double far__from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2). With s = f / (2 + f):
 *   ln(1 + f) = 2 artanh s = 2s + 2s(z/3 + z^2/5 + ...),  z = s^2 < 0.0295,
 * and since 2s = f - s f, the exact f carries the leading part: ln(1 + f) = f - s (f - 2 series).
 */
static inline FAR_DEVICE double far__log(double x) {
  if (x != x || x < 0) return NAN;
  if (x == 0) return -INFINITY;
  if (x > DBL_MAX) return x;
  int k = 0;
  if (x < DBL_MIN) {
    x *= 0x1p54;
    k = -54;
  }
  const uint64_t bits = far__bits_of(x);
  k += (int)(bits >> 52) - 1023;
  const uint64_t fraction = bits & 0x000fffffffffffffu;
  /* whether x is above sqrt 2 times a power of two; a branch would be mispredicted half the time */
  const uint64_t above = fraction > 0x6a09e667f3bcdu;
  k += (int)above;
  const double f = far__from_bits(fraction | (0x3ff0000000000000u - (above << 52))) - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  double series = 0.0;
  for (int j = 12; j >= 1; --j) series = z * (1.0 / (2 * j + 1) + series);
  return k * FAR__LN2_HIGH + (f - (s * (f - 2.0 * series) - k * FAR__LN2_LOW));
}

/* x = k ln 2 + r with |r| <= ln(2)/2 and r = high - low; e^r = 1 + high + (r^2/2! + ... - low). */
static inline FAR_DEVICE double far__exp(double x) {
  if (x != x) return NAN;
  if (x > 709.782712893384) return INFINITY;
  if (x < -745.1332191019412) return 0.0;
  const double scaled = x * 0x1.71547652b82fep0; /* x / ln 2 */
  const int k = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double high = x - k * FAR__LN2_HIGH;
  const double low = k * FAR__LN2_LOW;
  const double r = high - low;
  double series = 0.0; /* r^2/2! + r^3/3! + ..., by nesting */
  for (int j = 14; j >= 3; --j) series = (1.0 + series) * r / j;
  series = (1.0 + series) * (r * r * 0.5);
  const double y = 1.0 + (high + (series - low));
  const int half = k / 2; /* two exact-or-final scalings reach the subnormals without overflow */
  return y * far__from_bits((uint64_t)(1023 + half) << 52) *
         far__from_bits((uint64_t)(1023 + k - half) << 52);
}

/* For branches that a loop rarely takes: a call, not inlined, keeps the loop small. Devices always inline. */
#ifdef __CUDACC__
#define far__rare_log far__log
#define far__rare_exp far__exp
#else
#define far__rare_log far_log
#define far__rare_exp far_exp
#endif

#endif
