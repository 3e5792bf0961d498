/* Random streams keyed by (seed, replicate, purpose), never by thread or order.
 *
 * The generator is xoshiro256++ (Blackman & Vigna 2019). The state of a stream is the SHA-256
 * digest of its three keys as little-endian 64-bit integers, read as four little-endian words: one
 * line in any language, and no two streams overlap in practice.
 */
#ifndef FARSIGHT_RANDOM_H
#define FARSIGHT_RANDOM_H

#include <stdint.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What far_unsigned_parse reads as a seed, for messages: any 64 bits. */
#define FAR_SEED_BOUNDS "a whole number from 0 to 18446744073709551615"

/* What a stream is for. The environment's streams do not depend on the agent, so all agents share
 * them (common random numbers). The numbers are part of the format: never renumber. */
typedef enum far_purpose {
  FAR_PURPOSE_TRANSITION = 1, /* one draw a step */
  FAR_PURPOSE_START = 2,      /* one draw an episode */
  FAR_PURPOSE_REWARD = 3,     /* reserved; rewards are part of a transition's outcome today */
  FAR_PURPOSE_AGENT = 4,      /* exploration and tie-breaking */
  FAR_PURPOSE_SEARCH = 5,     /* parameter search */
  FAR_PURPOSE_MODEL = 6,      /* random models, keyed by (their own seed, 0) */
  FAR_PURPOSE_ROLLOUT = 7,    /* a metric's look ahead, keyed by words of the agent's own stream */
  FAR_PURPOSE_BOOTSTRAP = 8,  /* resamples of results, keyed by (a seed, their number) */
  FAR_PURPOSE_SIGNS = 9, /* signs of differences in a test by permutation, keyed by (a seed, 0) */
} far_purpose;

typedef struct far_rng {
  uint64_t word[4];
} far_rng;

FAR_API void far_rng_init(far_rng *rng, uint64_t seed, uint64_t replicate, far_purpose purpose);

/* The next 64 uniform bits. */
static inline FAR_DEVICE uint64_t far_rng_next(far_rng *rng) {
  uint64_t *s = rng->word;
  const uint64_t sum = s[0] + s[3];
  const uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline FAR_DEVICE double far_rng_uniform(far_rng *rng) {
  return (double)(far_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0); /* 2^-53 */
}

/* Uniform in {0, ..., n-1}; the bias is below n / 2^64. One draw. */
static inline FAR_DEVICE uint32_t far_rng_below(far_rng *rng, uint32_t n) {
  /* the high word of a 64 x 32 bit product, without a 128-bit type */
  const uint64_t x = far_rng_next(rng);
  const uint64_t low = (x & 0xffffffffu) * n;
  const uint64_t high = (x >> 32) * n + (low >> 32);
  return (uint32_t)(high >> 32);
}

#ifdef __cplusplus
}
#endif

#endif
