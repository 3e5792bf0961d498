/* SHA-256 of texts of any length, FIPS 180-4 section 5.1.1; the compression is in sha256.h. */
#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sha256.h"

const uint32_t far__hash_constants[64] = FAR__SHA256_CONSTANTS;

void far__hash_portable(uint32_t H[8], const uint8_t *blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) far__sha256_compress(H, blocks + 64 * i);
}

/* Asks the processor once; threads that ask at the same time get the same answer. */
static far__hash_blocks *fastest(void) {
  static far__hash_blocks *_Atomic known;
  far__hash_blocks *blocks = atomic_load_explicit(&known, memory_order_relaxed);
  if (blocks == NULL) {
    blocks = far__hash_by_instructions();
    if (blocks == NULL) blocks = far__hash_portable;
    atomic_store_explicit(&known, blocks, memory_order_relaxed);
  }
  return blocks;
}

void far__hash_begin(far__hash *hash) {
  far__sha256_begin(hash->state);
  hash->blocks = fastest();
  hash->length = 0;
}

void far__hash_add(far__hash *hash, const void *data, size_t length) {
  const uint8_t *p = data;
  size_t left = length;
  const size_t held = hash->length % 64;
  hash->length += length;
  if (held > 0) {
    const size_t more = left < 64 - held ? left : 64 - held;
    if (more > 0) memcpy(hash->block + held, p, more);
    p += more;
    left -= more;
    if (held + more < 64) return;
    hash->blocks(hash->state, hash->block, 1);
  }
  if (left >= 64) hash->blocks(hash->state, p, left / 64);
  if (left % 64 > 0) memcpy(hash->block, p + left / 64 * 64, left % 64);
}

void far__hash_u64(far__hash *hash, uint64_t x) {
  uint8_t bytes[8];
  far__put_u64(bytes, x);
  far__hash_add(hash, bytes, sizeof bytes);
}

void far__hash_f64(far__hash *hash, double x) {
  uint8_t bytes[8];
  far__put_f64(bytes, x);
  far__hash_add(hash, bytes, sizeof bytes);
}

void far__hash_text(far__hash *hash, const char *text) {
  const size_t length = strlen(text);
  far__hash_u64(hash, length);
  far__hash_add(hash, text, length);
}

void far__hash_end(far__hash *hash, uint8_t out[FAR_HASH_BYTES]) {
  uint8_t tail[128] = {0}; /* the rest, a one bit, zeros, the length in bits */
  const size_t left = hash->length % 64;
  memcpy(tail, hash->block, left);
  tail[left] = 0x80;
  const size_t end = left < 56 ? 64 : 128;
  const uint64_t bits = hash->length * 8;
  for (int i = 0; i < 8; ++i) tail[end - 1 - i] = (uint8_t)(bits >> (8 * i));
  hash->blocks(hash->state, tail, end / 64);
  for (int i = 0; i < 32; ++i) out[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void far_hash(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length) {
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_add(&hash, data, length);
  far__hash_end(&hash, out);
}

void far__digest_portable(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length) {
  far__hash hash;
  far__hash_begin(&hash);
  hash.blocks = far__hash_portable;
  far__hash_add(&hash, data, length);
  far__hash_end(&hash, out);
}

void far_hash_text(char out[FAR_HASH_TEXT], const uint8_t digest[FAR_HASH_BYTES]) {
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < FAR_HASH_BYTES; ++i) {
    out[2 * i] = digits[digest[i] >> 4];
    out[2 * i + 1] = digits[digest[i] & 15];
  }
  out[2 * FAR_HASH_BYTES] = '\0';
}
