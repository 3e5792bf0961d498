/* Sorting: by insertion for few values, by parts of their bits for many. Values that are equal in all bits cannot be told
 * apart, and -0 stands before 0, so every method gives the same array. */
#include "statistics/sort.h"

#include <math.h> /* signbit */
#include <stdlib.h>
#include <string.h>

#include "statistics/sample.h"

enum { FEW = 16, MOST_BUCKETS = FEW << 10, FEW_TO_MOVE = 64 };

static int compare(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  if (a == b) return (signbit(b) != 0) - (signbit(a) != 0);
  return a < b ? -1 : 1;
}

static bool is_before(double a, double b) {
  return a < b || (a == b && signbit(a) && !signbit(b));
}

void far__sort(double *x, int64_t n) {
  if (n > FEW_TO_MOVE) {
    qsort(x, (size_t)n, sizeof *x, compare);
    return;
  }
  for (int64_t i = 1; i < n; ++i) {
    const double moved = x[i];
    int64_t j = i;
    for (; j > 0 && is_before(moved, x[j - 1]); --j) x[j] = x[j - 1];
    x[j] = moved;
  }
}

/* ---- many values ---- */

/* Whole numbers in the order of the doubles: the bits, all of them turned over where the number is negative. */
static uint64_t key_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits ^ (bits >> 63 != 0 ? UINT64_MAX : UINT64_C(1) << 63);
}

static double value_of(uint64_t key) {
  const uint64_t bits = key ^ (key >> 63 != 0 ? UINT64_C(1) << 63 : UINT64_MAX);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void sort_few(uint64_t *keys, size_t n) {
  for (size_t i = 1; i < n; ++i) {
    const uint64_t moved = keys[i];
    size_t j = i;
    for (; j > 0 && moved < keys[j - 1]; --j) keys[j] = keys[j - 1];
    keys[j] = moved;
  }
}

/* The bucket of a key is its distance from the least without the last bits, `shift` of them. */
typedef struct split {
  uint64_t least;
  int shift;
  size_t buckets;
} split;

static size_t bucket_of(const split *s, uint64_t key) {
  return (size_t)((key - s->least) >> s->shift);
}

/* About as many buckets as keys, over the range that these have. False where all are equal. */
static bool find_split(split *s, const uint64_t *keys, size_t n) {
  uint64_t least = keys[0], most = keys[0];
  for (size_t i = 1; i < n; ++i) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
  }
  *s = (split){.least = least, .buckets = FEW};
  while (s->buckets < n && s->buckets < MOST_BUCKETS) s->buckets *= 2;
  while ((most - least) >> s->shift >= s->buckets) ++s->shift;
  return least < most;
}

/* Brings the keys into the order of their buckets; the size of the largest. `places` has room for all buckets. */
static uint32_t distribute(const split *s, uint64_t *keys, size_t n, uint64_t *room,
                           uint32_t *places) {
  uint32_t begin = 0, largest = 0;
  memset(places, 0, s->buckets * sizeof *places);
  for (size_t i = 0; i < n; ++i) places[bucket_of(s, keys[i])] += 1;
  for (size_t k = 0; k < s->buckets; ++k) {
    const uint32_t size = places[k];
    largest = size > largest ? size : largest;
    places[k] = begin;
    begin += size;
  }
  for (size_t i = 0; i < n; ++i) room[places[bucket_of(s, keys[i])]++] = keys[i];
  memcpy(keys, room, n * sizeof *keys);
  return largest;
}

/* Every level takes at least four bits from the range of a bucket. */
static void sort_keys(uint64_t *keys, size_t n, uint64_t *room, uint32_t *places) {
  split s;
  if (n <= FEW) {
    sort_few(keys, n);
    return;
  }
  if (!find_split(&s, keys, n)) return;
  const uint32_t largest = distribute(&s, keys, n, room, places);
  if (s.shift == 0) return;
  if (largest <= FEW) {
    sort_few(keys, n); /* no key is far from its place */
    return;
  }
  for (size_t i = 0, j; i < n; i = j) {
    const size_t bucket = bucket_of(&s, keys[i]);
    for (j = i + 1; j < n && bucket_of(&s, keys[j]) == bucket;) ++j;
    sort_keys(keys + i, j - i, room, places);
  }
}

size_t far__sort_room(size_t n) {
  return 2 * n * sizeof(uint64_t) + MOST_BUCKETS * sizeof(uint32_t);
}

void far__sort_within(double *x, int64_t n, void *room) {
  uint64_t *keys = room, *other = keys + n;
  uint32_t *places = (uint32_t *)(other + n);
  for (int64_t i = 0; i < n; ++i) keys[i] = key_of(x[i]);
  sort_keys(keys, (size_t)n, other, places);
  for (int64_t i = 0; i < n; ++i) x[i] = value_of(keys[i]);
}

/* ---- quantiles ---- */

enum { BUCKETS = 1024 };

size_t far__order_room(size_t n) {
  return far__sort_room(n) + n * (sizeof(double) + sizeof(uint16_t)) +
         (BUCKETS + 1) * sizeof(uint32_t);
}

/* In eight lanes, which a processor compares side by side. */
static void find_range(far__order *o) {
  enum { LANES = 8 };
  double least[LANES], most[LANES];
  const size_t whole = o->n - o->n % LANES;
  for (size_t k = 0; k < LANES; ++k) least[k] = most[k] = o->x[0];
  for (size_t i = 0; i < whole; i += LANES)
    for (size_t k = 0; k < LANES; ++k) {
      const double x = o->x[i + k];
      least[k] = x < least[k] ? x : least[k];
      most[k] = x > most[k] ? x : most[k];
    }
  for (size_t i = whole; i < o->n; ++i) {
    least[0] = o->x[i] < least[0] ? o->x[i] : least[0];
    most[0] = o->x[i] > most[0] ? o->x[i] : most[0];
  }
  for (size_t k = 1; k < LANES; ++k) {
    least[0] = least[k] < least[0] ? least[k] : least[0];
    most[0] = most[k] > most[0] ? most[k] : most[0];
  }
  o->least = least[0];
  o->most = most[0];
}

/* Greater values are in no lesser bucket, however the products are rounded. Where the width is not a number that can be
 * divided by, all values are in the first bucket. */
static void find_buckets(far__order *o) {
  const double range = o->most - o->least, scale = (BUCKETS - 0.5) / range;
  const bool usable = range - range == 0 && scale - scale == 0;
  const double least = o->least;
  if (!usable) memset(o->bucket, 0, o->n * sizeof *o->bucket);
  for (size_t i = 0; usable && i < o->n; ++i)
    o->bucket[i] = (uint16_t)(int32_t)((o->x[i] - least) * scale);
}

void far__order_create(far__order *out, const double *x, size_t n, void *room) {
  *out = (far__order){.x = x, .n = n, .picked = room};
  out->room = out->picked + n;
  out->begin = (uint32_t *)((char *)out->room + far__sort_room(n));
  out->bucket = (uint16_t *)(out->begin + BUCKETS + 1);
  find_range(out);
  find_buckets(out);
  memset(out->begin, 0, (BUCKETS + 1) * sizeof *out->begin);
  for (size_t i = 0; i < n; ++i) out->begin[out->bucket[i] + 1] += 1;
  for (size_t k = 0; k < BUCKETS; ++k) out->begin[k + 1] += out->begin[k];
}

/* The bucket of the value at a place in the order. */
static size_t bucket_at(const far__order *o, size_t place) {
  size_t low = 0, high = BUCKETS;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(o->begin[middle] <= place ? &low : &high) = middle;
  }
  return low;
}

/* Looks at many values at once, of which nearly all are in other buckets. Returns how many were picked. */
static size_t pick(const far__order *o, size_t first, size_t last) {
  enum { LANES = 32 };
  const uint16_t from = (uint16_t)first, span = (uint16_t)(last - first);
  size_t picked = 0;
  for (size_t i = 0; i < o->n; i += LANES) {
    const size_t lanes = o->n - i < LANES ? o->n - i : LANES;
    const uint16_t *bucket = o->bucket + i;
    uint16_t any = lanes < LANES;
    for (size_t k = 0; k < LANES && lanes == LANES; ++k)
      any |= (uint16_t)(bucket[k] - from) <= span;
    for (size_t k = 0; k < lanes && any; ++k)
      if ((uint16_t)(bucket[k] - from) <= span) o->picked[picked++] = o->x[i + k];
  }
  return picked;
}

double far__order_quantile(const far__order *o, double p) {
  double weight;
  const size_t place = (size_t)far__quantile_place(&weight, (int64_t)o->n, p);
  const size_t first = bucket_at(o, place), last = weight > 0 ? bucket_at(o, place + 1) : first;
  far__sort_within(o->picked, (int64_t)pick(o, first, last), o->room);
  return far__quantile_between(o->picked + (place - o->begin[first]), weight);
}
