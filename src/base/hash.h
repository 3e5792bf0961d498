/* SHA-256 of data that is added in pieces. */
#ifndef FAR_BASE_HASH_H
#define FAR_BASE_HASH_H

#include "farsight/base.h"

/* Compresses blocks of 64 bytes: in plain C, or by instructions of the processor, with the same result. */
typedef void far__hash_blocks(uint32_t state[8], const uint8_t *blocks, size_t count);

far__hash_blocks far__hash_portable;
far__hash_blocks *far__hash_by_instructions(void); /* NULL where the processor has none */

extern const uint32_t far__hash_constants[64];

typedef struct far__hash {
  far__hash_blocks *blocks;
  uint32_t state[8];
  uint8_t block[64]; /* the bytes of an incomplete block */
  uint64_t length;   /* of all so far */
} far__hash;

void far__hash_begin(far__hash *hash);
void far__hash_add(far__hash *hash, const void *data, size_t length);
void far__hash_u64(far__hash *hash, uint64_t x);        /* little-endian */
void far__hash_f64(far__hash *hash, double x);          /* its bits, likewise */
void far__hash_text(far__hash *hash, const char *text); /* its length, then its bytes */
void far__hash_end(far__hash *hash, uint8_t out[FAR_HASH_BYTES]);

/* The digest of data as far_hash has it, without the processor's instructions: to compare the two. */
void far__digest_portable(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length);

#endif
