/* Writing uses R. Giulietti's Schubfach ("The Schubfach way to render doubles", 2020), with its names; the one
 * difference is at powers of two (far__decimal_shortest). Reading bounds the number from both sides by products of 64
 * and 128 bits and succeeds where both bounds round to the same double.
 *
 * Schubfach: x = c 2^q stands for all numbers nearer to it than to its neighbours, an interval of width 2^q. With
 * 10^k <= 2^q < 10^(k+1), it holds at most one multiple of 10^(k+1): that is the shortest, or else a multiple of
 * 10^k is. All ends and candidates are compared in units of 10^k / 4, cut to odd if they are not whole; the paper proves
 * that 126 bits of the power of ten are enough for every comparison to come out right. */
#include "base/decimal.h"

#include <string.h>

#include "base/bytes.h"
#include "base/powers-of-ten.h"

/* The floors of log2(10^k) and of log10(2^q), for |k|, |q| < 1200. */
static int log2_of_power(int k) {
  return (k * 1741647) >> 19;
}

static int log10_of_power(int q) {
  return (q * 1262611) >> 22;
}

/* The upper 64 bits of x y; *low: the lower 64. */
static uint64_t multiply(uint64_t x, uint64_t y, uint64_t *low) {
#if defined(__SIZEOF_INT128__) && !defined(FAR__NO_INT128)
  __extension__ const unsigned __int128 product = (unsigned __int128)x * y;
  *low = (uint64_t)product;
  return (uint64_t)(product >> 64);
#else
  const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
  const uint64_t middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (uint32_t)middle;
  *low = x * y;
  return x1 * y1 + (middle >> 32) + (other >> 32);
#endif
}

/* The highest 64 of the 192 bits of x times a power of ten; *rest: the next 64. */
static uint64_t scale(const uint64_t power[2], uint64_t x, uint64_t *rest) {
  uint64_t low;
  const uint64_t carried = multiply(power[1], x, &low);
  const uint64_t high = multiply(power[0], x, &low);
  *rest = low + carried;
  return high + (*rest < carried);
}

/* ---- the shortest digits ---- */

/* The whole part of x times a power of ten, made odd if a fraction is cut off. The power is rounded up, so that a
 * rest of 1 may be no fraction. */
static uint64_t scale_to_odd(const uint64_t power[2], uint64_t x) {
  uint64_t rest;
  const uint64_t whole = scale(power, x, &rest);
  return whole | (rest > 1);
}

typedef struct rounding {
  uint64_t below, value, above; /* the interval's ends and x, in units of 10^k / 4 */
  bool odd;                     /* the ends are not in it: they round to their even neighbours */
} rounding;

/* The numbers that round to c 2^q. A power of two has its lower neighbour at half the distance. */
static rounding round_in(uint64_t c, int q, int k, bool is_power) {
  const uint64_t *power = POWERS[-k - FIRST_POWER];
  const int shift = q + log2_of_power(-k) + 1;
  return (rounding){.below = scale_to_odd(power, (4 * c - (is_power ? 1 : 2)) << shift),
                    .value = scale_to_odd(power, 4 * c << shift),
                    .above = scale_to_odd(power, (4 * c + 2) << shift),
                    .odd = c & 1};
}

/* The multiple of 10^k that is nearest to x, the even one of two. */
static uint64_t nearest_multiple(const rounding *r) {
  const uint64_t s = r->value / 4, middle = 4 * s + 2;
  return s + (r->value > middle || (r->value == middle && (s & 1)));
}

static bool is_inside(const rounding *r, uint64_t multiple) {
  return r->below + r->odd <= 4 * multiple && 4 * multiple + r->odd <= r->above;
}

static far__decimal without_zeros(uint64_t digits, int exponent) {
  for (; digits % 100000000 == 0; exponent += 8) digits /= 100000000;
  for (; digits % 10 == 0; ++exponent) digits /= 10;
  return (far__decimal){.digits = digits, .exponent = exponent};
}

/* Below a power of two the interval is shorter, and the nearest multiple of 10^k may be outside although the next one
 * above is inside. Schubfach takes that; rounding x to fewer digits does not give it, so one digit more is needed. */
far__decimal far__decimal_shortest(double x) {
  const uint64_t bits = far__bits(x), fraction = bits & (((uint64_t)1 << 52) - 1);
  const int biased = (int)(bits >> 52 & 0x7ff);
  const uint64_t c = biased > 0 ? fraction | (uint64_t)1 << 52 : fraction;
  const int q = (biased > 0 ? biased : 1) - 1075;
  const bool is_power = fraction == 0 && biased > 1;
  int k = log10_of_power(q);
  rounding r = round_in(c, q, k, is_power);
  const uint64_t tens = r.value / 40;
  const bool down = is_inside(&r, 10 * tens), up = is_inside(&r, 10 * tens + 10);
  if (down || up) return without_zeros(tens + up, k + 1);
  uint64_t s = nearest_multiple(&r);
  if (!is_inside(&r, s)) {
    r = round_in(c, q, --k, is_power);
    s = nearest_multiple(&r);
  }
  return without_zeros(s, k);
}

/* ---- the nearest double ---- */

/* x / 2 + more. 63 bits convert to a double as a signed number, which needs no branches. */
static double halved(uint64_t x, unsigned more) {
  return (double)(int64_t)((x >> 1) + more);
}

/* With g the power rounded up and g - 1 less than it, digits * 10^exponent is in [low, high + 1] * 2^e; and rounding, of these 64 bits
 * or of their upper 63, keeps the order. */
bool far__decimal_nearest(far__decimal d, double *out) {
  if (d.digits == 0 || d.exponent < FIRST_POWER || d.exponent > LAST_POWER) return false;
  const uint64_t *g = POWERS[d.exponent - FIRST_POWER];
  const uint64_t less[2] = {g[0] - (g[1] == 0), g[1] - 1};
  const int zeros = __builtin_clzll(d.digits);
  uint64_t rest;
  const double low = halved(scale(less, d.digits << zeros, &rest), 0);
  const double high = halved(scale(g, (d.digits + d.more) << zeros, &rest), 1);
  const int e = log2_of_power((int)d.exponent) + 2 - zeros;
  const int biased = (int)(far__bits(low) >> 52) + e;
  if (low != high || biased < 1 || biased > 2046) return false;
  const uint64_t bits = far__bits(low) + ((uint64_t)(int64_t)e << 52);
  memcpy(out, &bits, sizeof bits);
  return true;
}
