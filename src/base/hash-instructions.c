/* SHA-256 by the instructions that x86 (SHA extensions, 2013) and ARMv8 have for it: each does two or four
 * rounds, or four words of the message schedule. Which processor runs this is found out at run time. */
#include "base/hash.h"

/* clang declares the intrinsics only if the whole file may use these instructions. */
#if defined(__ARM_FEATURE_SHA2)
#define ARM_SHA
#elif defined(__aarch64__) && defined(__linux__) && !defined(__clang__)
#define ARM_SHA
#endif

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>

#define WITH_SHA __attribute__((target("sha,ssse3,sse4.1")))

/* Words 4 i ... 4 i + 3 of the schedule, from the 16 before them, of which the oldest are in w[i mod 4]. */
WITH_SHA static inline __m128i next_words(const __m128i w[4], unsigned i) {
  const __m128i oldest = w[i % 4], newest = w[(i + 3) % 4];
  const __m128i minus_7 = _mm_alignr_epi8(newest, w[(i + 2) % 4], 4);
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(oldest, w[(i + 1) % 4]), minus_7);
  return _mm_sha256msg2_epu32(sum, newest);
}

WITH_SHA static inline __m128i read_words(const uint8_t *bytes) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes), swap);
}

/* The instructions want the state as A B E F and C D G H, A in the highest word. */
WITH_SHA static void blocks_by_sha(uint32_t H[8], const uint8_t *blocks, size_t count) {
  __m128i *state = (__m128i *)(void *)H;
  const __m128i *constants = (const __m128i *)(const void *)far__hash_constants;
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(state), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(state + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0), w[4];
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
#pragma GCC unroll 16
    for (unsigned i = 0; i < 16; ++i) {
      w[i % 4] = i < 4 ? read_words(blocks + 16 * i) : next_words(w, i);
      const __m128i wk = _mm_add_epi32(w[i % 4], _mm_loadu_si128(constants + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk); /* now these are the newer ones */
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(state + 1, _mm_alignr_epi8(dchg, feba, 8));
}

static bool has_sha(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

far__hash_blocks *far__hash_by_instructions(void) {
  return has_sha() ? blocks_by_sha : NULL;
}

#elif defined(ARM_SHA)

#include <arm_neon.h>
#include <stdbool.h>

#if defined(__ARM_FEATURE_SHA2)
#define WITH_SHA
#else
#define WITH_SHA __attribute__((target("+crypto")))
#endif

WITH_SHA static inline uint32x4_t next_words(const uint32x4_t w[4], unsigned i) {
  const uint32x4_t sum = vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]);
  return vsha256su1q_u32(sum, w[(i + 2) % 4], w[(i + 3) % 4]);
}

WITH_SHA static void blocks_by_sha(uint32_t H[8], const uint8_t *blocks, size_t count) {
  uint32x4_t abcd = vld1q_u32(H), efgh = vld1q_u32(H + 4), w[4];
  for (; count > 0; --count, blocks += 64) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
#pragma GCC unroll 16
    for (unsigned i = 0; i < 16; ++i) {
      w[i % 4] =
          i < 4 ? vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks + 16 * i))) : next_words(w, i);
      const uint32x4_t wk = vaddq_u32(w[i % 4], vld1q_u32(far__hash_constants + 4 * i));
      const uint32x4_t older = abcd;
      abcd = vsha256hq_u32(abcd, efgh, wk);
      efgh = vsha256h2q_u32(efgh, older, wk);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(H, abcd);
  vst1q_u32(H + 4, efgh);
}

#if defined(__ARM_FEATURE_SHA2)
static bool has_sha(void) {
  return true;
}
#else
#include <sys/auxv.h>

static bool has_sha(void) {
  return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
}
#endif

far__hash_blocks *far__hash_by_instructions(void) {
  return has_sha() ? blocks_by_sha : NULL;
}

#else

far__hash_blocks *far__hash_by_instructions(void) {
  return NULL;
}

#endif
