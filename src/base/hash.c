/* SHA-256, FIPS 180-4 sections 4.1.2, 5.1.1 and 6.2; names as in the standard. */
#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

#include "base/bytes.h"

const uint32_t far__hash_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n) {
  return (x >> n) | (x << (32 - n));
}

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Round t. Instead of moving a, b, ..., h along, they are called by other names: a is v[-t mod 8]. */
static inline void step(uint32_t v[8], unsigned t, uint32_t W) {
  const uint32_t a = v[-t & 7], b = v[(1 - t) & 7], c = v[(2 - t) & 7];
  const uint32_t e = v[(4 - t) & 7], f = v[(5 - t) & 7], g = v[(6 - t) & 7];
  uint32_t *d = &v[(3 - t) & 7], *h = &v[(7 - t) & 7];
  const uint32_t S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
  const uint32_t T1 = *h + S1 + ((e & f) ^ (~e & g)) + far__hash_constants[t] + W;
  const uint32_t S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
  *d += T1;
  *h = T1 + S0 + ((a & b) ^ (a & c) ^ (b & c));
}

static void compress(uint32_t H[8], const uint8_t block[64]) {
  uint32_t W[64], v[8];
  for (int t = 0; t < 16; ++t) W[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ (W[t - 15] >> 3);
    const uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ (W[t - 2] >> 10);
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  memcpy(v, H, sizeof v);
  for (unsigned t = 0; t < 64;
       t += 8) { /* eight by name, for the compiler to keep v in registers */
    step(v, t, W[t]);
    step(v, t + 1, W[t + 1]);
    step(v, t + 2, W[t + 2]);
    step(v, t + 3, W[t + 3]);
    step(v, t + 4, W[t + 4]);
    step(v, t + 5, W[t + 5]);
    step(v, t + 6, W[t + 6]);
    step(v, t + 7, W[t + 7]);
  }
  for (int i = 0; i < 8; ++i) H[i] += v[i];
}

void far__hash_portable(uint32_t H[8], const uint8_t *blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) compress(H, blocks + 64 * i);
}

/* The processor is asked once; several threads that ask at a time get the same answer. */
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
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, initial, sizeof initial);
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

void far_hash_portable(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length) {
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
