/* The state of a random stream from its keys; see farsight/base.h. Inline, because devices seed their own streams. */
#ifndef FAR_BASE_STREAM_H
#define FAR_BASE_STREAM_H

#include "base/bytes.h"
#include "base/sha256.h"
#include "farsight/base.h"

/* The 24 bytes of the keys fit into one block of SHA-256, whose digest is read as little-endian words. */
static inline FAR_DEVICE far_rng far__stream(uint64_t seed, uint64_t replicate,
                                             far_purpose purpose) {
  uint8_t block[64] = {0};
  uint32_t H[8];
  far_rng rng;
  far__put_u64(block, seed);
  far__put_u64(block + 8, replicate);
  far__put_u64(block + 16, (uint64_t)purpose);
  block[24] = 0x80;    /* the end of the text ... */
  block[63] = 24 * 8u; /* ... and its length in bits */
  far__sha256_begin(H);
  far__sha256_compress(H, block);
  for (int i = 0; i < 4; ++i) {
    uint8_t bytes[8];
    for (int k = 0; k < 8; ++k) bytes[k] = (uint8_t)(H[2 * i + k / 4] >> (24 - 8 * (k % 4)));
    rng.word[i] = far__get_u64(bytes);
  }
  return rng;
}

#endif
