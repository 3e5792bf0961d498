/* Numbers of about 106 bits: the sum of two doubles, the low one at most half a unit in the last place of the
 * high one (Dekker 1971). Sums and products are wrong by less than 2^-103 of the exact result, quotients by
 * less than 2^-101 (Joldes, Muller & Popescu 2017). No contraction, no wider registers: the library is compiled
 * so. */
#ifndef FAR_SOLVE_WIDE_H
#define FAR_SOLVE_WIDE_H

typedef struct far__wide {
  double high, low;
} far__wide;

static inline far__wide far__wide_of(double x) {
  return (far__wide){x, 0};
}

/* Exact, for |a| >= |b| or a = 0. */
static inline far__wide far__wide_fast_sum(double a, double b) {
  const double sum = a + b;
  return (far__wide){sum, b - (sum - a)};
}

/* Exact (Knuth 1969). */
static inline far__wide far__wide_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return (far__wide){sum, (a - (sum - part)) + (b - part)};
}

/* Exact unless it overflows (Veltkamp and Dekker). */
static inline far__wide far__wide_product(double a, double b) {
  const double product = a * b, ca = 0x8000001p0 * a, cb = 0x8000001p0 * b;
  const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
  return (far__wide){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

static inline far__wide far__wide_add(far__wide a, far__wide b) {
  const far__wide s = far__wide_sum(a.high, b.high), t = far__wide_sum(a.low, b.low);
  const far__wide v = far__wide_fast_sum(s.high, s.low + t.high);
  return far__wide_fast_sum(v.high, t.low + v.low);
}

static inline far__wide far__wide_subtract(far__wide a, far__wide b) {
  return far__wide_add(a, (far__wide){-b.high, -b.low});
}

static inline far__wide far__wide_multiply(far__wide a, far__wide b) {
  const far__wide p = far__wide_product(a.high, b.high);
  return far__wide_fast_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline far__wide far__wide_divide(far__wide a, far__wide b) {
  const double first = a.high / b.high;
  far__wide rest = far__wide_subtract(a, far__wide_multiply(b, far__wide_of(first)));
  const double second = rest.high / b.high;
  rest = far__wide_subtract(rest, far__wide_multiply(b, far__wide_of(second)));
  return far__wide_add(far__wide_fast_sum(first, second), far__wide_of(rest.high / b.high));
}

#endif
