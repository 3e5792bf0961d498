/* Little-endian integers and doubles as bytes, whatever the machine's own order. */
#ifndef FAR_BASE_BYTES_H
#define FAR_BASE_BYTES_H

#include <string.h>

#include "farsight/base.h"

static inline FAR_DEVICE void far__put_u64(uint8_t *out, uint64_t x) {
  for (int i = 0; i < 8; ++i) out[i] = (uint8_t)(x >> (8 * i));
}

static inline FAR_DEVICE uint64_t far__get_u64(const uint8_t *in) {
  uint64_t x = 0;
  for (int i = 0; i < 8; ++i) x |= (uint64_t)in[i] << (8 * i);
  return x;
}

static inline uint64_t far__bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline void far__put_f64(uint8_t *out, double x) {
  far__put_u64(out, far__bits(x));
}

static inline double far__get_f64(const uint8_t *in) {
  const uint64_t bits = far__get_u64(in);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif
