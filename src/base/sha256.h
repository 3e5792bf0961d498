/* The compression of SHA-256, FIPS 180-4 sections 4.1.2, 5.3.3 and 6.2; names as in the standard. Inline, because
 * devices seed their random streams by it. */
#ifndef FAR_BASE_SHA256_H
#define FAR_BASE_SHA256_H

#include <string.h>

#include "farsight/base.h"

/* K of the standard. */
#define FAR__SHA256_CONSTANTS                                                                      \
  {                                                                                                \
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,            \
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,        \
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,        \
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,        \
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,        \
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,        \
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,        \
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,        \
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,        \
        0xc67178f2                                                                                 \
  }

static inline FAR_DEVICE void far__sha256_begin(uint32_t H[8]) {
  const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(H, initial, sizeof initial);
}

static inline FAR_DEVICE uint32_t far__rotr(uint32_t x, int n) {
  return (x >> n) | (x << (32 - n));
}

static inline FAR_DEVICE uint32_t far__big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Round t. Instead of moving a, b, ..., h along, they are called by other names: a is v[-t mod 8]. */
static inline FAR_DEVICE void far__sha256_round(uint32_t v[8], unsigned t, uint32_t K, uint32_t W) {
  const uint32_t a = v[-t & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
  const uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7];
  uint32_t *d = &v[(3 - t) & 7], *h = &v[(7 - t) & 7];
  const uint32_t S1 = far__rotr(e, 6) ^ far__rotr(e, 11) ^ far__rotr(e, 25);
  const uint32_t T1 = *h + S1 + ((e & f) ^ (~e & g)) + K + W;
  const uint32_t S0 = far__rotr(a, 2) ^ far__rotr(a, 13) ^ far__rotr(a, 22);
  *d += T1;
  *h = T1 + S0 + ((a & b) ^ (a & c) ^ (b & c));
}

static inline FAR_DEVICE void far__sha256_compress(uint32_t H[8], const uint8_t block[64]) {
  static const uint32_t K[64] = FAR__SHA256_CONSTANTS;
  uint32_t W[64], v[8];
  for (int t = 0; t < 16; ++t) W[t] = far__big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const uint32_t s0 = far__rotr(W[t - 15], 7) ^ far__rotr(W[t - 15], 18) ^ (W[t - 15] >> 3);
    const uint32_t s1 = far__rotr(W[t - 2], 17) ^ far__rotr(W[t - 2], 19) ^ (W[t - 2] >> 10);
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  memcpy(v, H, sizeof v);
  for (unsigned t = 0; t < 64;
       t += 8) { /* eight by name, for the compiler to keep v in registers */
    far__sha256_round(v, t, K[t], W[t]);
    far__sha256_round(v, t + 1, K[t + 1], W[t + 1]);
    far__sha256_round(v, t + 2, K[t + 2], W[t + 2]);
    far__sha256_round(v, t + 3, K[t + 3], W[t + 3]);
    far__sha256_round(v, t + 4, K[t + 4], W[t + 4]);
    far__sha256_round(v, t + 5, K[t + 5], W[t + 5]);
    far__sha256_round(v, t + 6, K[t + 6], W[t + 6]);
    far__sha256_round(v, t + 7, K[t + 7], W[t + 7]);
  }
  for (int i = 0; i < 8; ++i) H[i] += v[i];
}

#endif
