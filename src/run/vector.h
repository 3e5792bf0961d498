/* Vectors whose element l belongs to replicate l, in the extensions of GCC and Clang. A file that includes this is
 * compiled for one instruction set, which decides the number of elements; everything is static, so that such files
 * do not mix. Operations and their order are those of the scalar functions, so that a replicate has the same bits as
 * alone.
 */
#ifndef FAR_RUN_VECTOR_H
#define FAR_RUN_VECTOR_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "agents/greedy.h"
#include "base/inline.h"
#include "base/log-exp.h"

/* LANES: elements of a vector. GROUPS: vectors side by side, so that each waits for memory while the others
 * compute; fewer than LEAST_GROUPS are no faster than scalars. EACH(f) is f of all elements. AVX-512 has vectors of 8,
 * but assembling and splitting them costs more than they save. */
#if defined(__AVX2__)
#include <immintrin.h>
enum { LANES = 4, GROUPS = 8, LEAST_GROUPS = 2 };
#define EACH(f)                                                                                    \
  { f(0), f(1), f(2), f(3) }
#else
#include <arm_neon.h>
enum { LANES = 2, GROUPS = 8, LEAST_GROUPS = 4 };
#define EACH(f)                                                                                    \
  { f(0), f(1) }
#endif

typedef double reals __attribute__((vector_size(8 * LANES)));
typedef int64_t integers __attribute__((vector_size(8 * LANES)));
typedef uint64_t words __attribute__((vector_size(8 * LANES)));

#define FOR_LANES _Pragma("GCC unroll 4") for (int l = 0; l < LANES; ++l)

FAR__INLINE words all_words(uint64_t x) {
  return x - (words){0};
}

FAR__INLINE integers all_integers(int64_t x) {
  return x - (integers){0};
}

FAR__INLINE reals all_reals(double x) {
#define IT(l) x
  return (reals)EACH(IT);
#undef IT
}

/* ---- masks: all bits of an element, or none ---- */

FAR__INLINE words choose(integers mask, words yes, words no) {
  return ((words)mask & yes) | (~(words)mask & no);
}

FAR__INLINE reals choose_real(integers mask, reals yes, reals no) {
  return (reals)choose(mask, (words)yes, (words)no);
}

FAR__INLINE integers choose_integer(integers mask, integers yes, integers no) {
  return (integers)choose(mask, (words)yes, (words)no);
}

/* Bit l of the result is the highest bit of element l. */
FAR__INLINE uint32_t bits_of(integers mask) {
#if defined(__AVX2__)
  return (uint32_t)_mm256_movemask_pd((__m256d)mask);
#else
  return (uint32_t)((words)mask >> 63)[0] | (uint32_t)((words)mask >> 63)[1] << 1;
#endif
}

/* ---- numbers ---- */

FAR__INLINE reals square_root(reals x) {
#if defined(__AVX2__)
  return (reals)_mm256_sqrt_pd((__m256d)x);
#else
  return (reals)vsqrtq_f64((float64x2_t)x);
#endif
}

/* The doubles of whole numbers in 0 ... 2^52 - 1: the digits of 2^52 + n end with n. */
FAR__INLINE reals real_of(words n) {
  return (reals)(n | (uint64_t)0x4330000000000000u) - 0x1p52;
}

/* far__log of numbers of at least DBL_MIN; undefined for others. */
FAR__INLINE reals logarithm(reals x) {
  const words bits = (words)x, fraction = bits & 0x000fffffffffffffu;
  const words above = (words)(fraction > (uint64_t)0x6a09e667f3bcdu) & 1;
  const reals k = real_of((bits >> 52) + above) - 1023;
  const reals f = (reals)(fraction | (0x3ff0000000000000u - (above << 52))) - 1.0;
  const reals s = f / (2.0 + f), z = s * s;
  reals series = {0};
  _Pragma("GCC unroll 12") for (int j = 12; j >= 1; --j) series = z * (1.0 / (2 * j + 1) + series);
  return k * FAR__LN2_HIGH + (f - (s * (f - 2.0 * series) - k * FAR__LN2_LOW));
}

/* ---- memory of each replicate ---- */

/* Addresses. They are split through memory, which is cheaper than in registers. */
typedef union spots {
  words at;
  char *pointer[LANES];
} spots;

static_assert(sizeof(void *) == 8, "an address fits into an element");

FAR__INLINE words address_of(const void *p) {
  return all_words((uint64_t)(uintptr_t)p);
}

/* The numbers `offset` bytes behind each address. */
FAR__INLINE reals get_reals(const spots *from, size_t offset) {
#define IT(l) *(const double *)(from->pointer[l] + offset)
  return (reals)EACH(IT);
#undef IT
}

FAR__INLINE words get_words(const spots *from, size_t offset) {
#define IT(l) *(const uint64_t *)(from->pointer[l] + offset)
  return (words)EACH(IT);
#undef IT
}

FAR__INLINE void put_words(const spots *to, size_t offset, words x) {
  FOR_LANES *(uint64_t *)(to->pointer[l] + offset) = x[l];
}

FAR__INLINE void put_reals(const spots *to, size_t offset, reals x) {
  FOR_LANES *(double *)(to->pointer[l] + offset) = x[l];
}

/* Two adjacent words of each replicate, read at once. Slow for words that were just written one by one: such a read
 * waits until the writes have left the processor. */
typedef struct word_pairs {
  words first, second;
} word_pairs;

#if defined(__AVX2__)
FAR__INLINE __m256i two_of(const spots *from, int l, size_t offset) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(from->pointer[l] + offset))),
      _mm_loadu_si128((const __m128i *)(from->pointer[l + 2] + offset)), 1);
}
#endif

FAR__INLINE word_pairs get_pairs(const spots *from, size_t offset) {
#if defined(__AVX2__)
  const __m256i even = two_of(from, 0, offset), odd = two_of(from, 1, offset);
  return (word_pairs){(words)_mm256_unpacklo_epi64(even, odd),
                      (words)_mm256_unpackhi_epi64(even, odd)};
#else
  return (word_pairs){get_words(from, offset), get_words(from, offset + 8)};
#endif
}

FAR__INLINE void put_pairs(const spots *to, size_t offset, words first, words second) {
#if defined(__AVX2__)
  const __m256i even = _mm256_unpacklo_epi64((__m256i)first, (__m256i)second);
  const __m256i odd = _mm256_unpackhi_epi64((__m256i)first, (__m256i)second);
#define PUT(half, i, l)                                                                            \
  _mm_storeu_si128((__m128i *)(to->pointer[l] + offset), _mm256_extracti128_si256(half, i))
  PUT(even, 0, 0);
  PUT(odd, 0, 1);
  PUT(even, 1, 2);
  PUT(odd, 1, 3);
#undef PUT
#else
  put_words(to, offset, first);
  put_words(to, offset + 8, second);
#endif
}

/* ---- random streams ---- */

typedef struct streams {
  words word[4];
} streams;

FAR__INLINE words rotate(words x, int by) {
  return (x << by) | (x >> (64 - by));
}

/* far_rng_next for every replicate. */
FAR__INLINE words next_words(streams *rng) {
  words *s = rng->word;
  const words result = rotate(s[0] + s[3], 23) + s[0];
  const words t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

/* far_rng_next for `some`; the streams of the others do not change. */
FAR__INLINE words next_words_of(streams *rng, integers some) {
  streams moved = *rng;
  const words result = next_words(&moved);
  _Pragma("GCC unroll 4") for (int i = 0; i < 4; ++i) rng->word[i] =
      choose(some, moved.word[i], rng->word[i]);
  return result;
}

/* The number that far_rng_below makes of a draw. */
FAR__INLINE words below(words draw, words n) {
  const words low = (draw & 0xffffffffu) * n;
  const words high = (draw >> 32) * n + (low >> 32);
  return high >> 32;
}

/* ---- rows of values, of at least one action ---- */

FAR__INLINE void get_row(reals *row, const spots *from, uint32_t n) {
  row[0] = get_reals(from, 0);
  for (uint32_t a = 1; a < n; ++a) row[a] = get_reals(from, 8 * (size_t)a);
}

FAR__INLINE reals most_of(const reals *row, uint32_t n) {
  reals most = row[0];
  for (uint32_t a = 1; a < n; ++a) most = choose_real(row[a] > most, row[a], most);
  return most;
}

FAR__INLINE reals value_of(const reals *row, uint32_t n, words a) {
  reals value = row[0];
  for (uint32_t k = 1; k < n; ++k) value = choose_real((integers)(a == k), row[k], value);
  return value;
}

/* far__greedy for `some`; the others draw nothing, and their results are undefined. */
FAR__INLINE words greedy_of(const reals *row, uint32_t n, far__ties ties, integers some,
                            streams *rng) {
  reals most = row[0];
  words action = {0}, tied = all_words(1);
  for (uint32_t a = 1; a < n; ++a) {
    const integers above = row[a] > most, equal = row[a] == most;
    integers wins = above;
    if (n > 2) {
      most = choose_real(above, row[a], most);
      tied = choose(above, all_words(1), tied - (words)equal);
    }
    if (ties == FAR__TIES_HIGHEST) wins |= equal;
    if (ties == FAR__TIES_RANDOM && bits_of(equal & some) != 0) {
      const words draw = next_words_of(rng, equal & some);
      wins |= equal & (integers)((n == 2 ? draw >> 63 : below(draw, tied)) == 0);
    }
    action = choose(wins, all_words(a), action);
  }
  return action;
}

#endif
