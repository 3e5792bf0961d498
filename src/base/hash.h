/* SHA-256 of what comes in pieces. */
#ifndef FAR_BASE_HASH_H
#define FAR_BASE_HASH_H

#include "farsight/hash.h"

typedef struct far__hash {
  uint32_t state[8];
  uint8_t block[64]; /* what does not fill one yet */
  uint64_t length;   /* of all so far */
} far__hash;

void far__hash_begin(far__hash *hash);
void far__hash_add(far__hash *hash, const void *data, size_t length);
void far__hash_u64(far__hash *hash, uint64_t x);        /* little-endian */
void far__hash_f64(far__hash *hash, double x);          /* its bits, likewise */
void far__hash_text(far__hash *hash, const char *text); /* its length, then its bytes */
void far__hash_end(far__hash *hash, uint8_t out[FAR_HASH_BYTES]);

#endif
