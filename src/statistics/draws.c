#include "statistics/draws.h"

#include <stdlib.h>
#include <string.h>

#include "farsight/base.h"
#include "statistics/bootstrap.h"

enum {
  NEAR_VALUES = 1 << 15,              /* of a block: 256 KiB, which a processor has at hand */
  MOST_KEPT = 8,                      /* a comparison needs about four */
  MOST_KEPT_BYTES = 64 * 1024 * 1024, /* of all draws that a cache keeps */
  MOST_ROOM_BYTES = 16 * 1024 * 1024, /* for resampled values */
  MOST_QUANTILES = 4,
  MOST_NUMBERS = MOST_KEPT_BYTES / sizeof(uint16_t),
};

/* ---- what is kept ---- */

/* 16 bits are enough for samples that are kept. Blocks are added in their order. */
typedef struct far__kept_draws {
  uint64_t seed, used; /* used: when, in calls */
  int64_t resamples;
  int64_t drawn, placed; /* so many resamples have times, so many have places */
  int64_t *sizes;
  size_t n_strata, bytes;
  uint16_t *times;  /* block after block, each as far__draws has it */
  uint16_t *places; /* likewise; NULL where there is no room for them */
} far__kept_draws;

typedef struct quantile {
  double p, degrees, value;
} quantile;

struct far_bootstrap_cache {
  far__kept_draws kept[MOST_KEPT];
  size_t bytes;
  uint64_t calls, drawn;
  quantile quantiles[MOST_QUANTILES]; /* p is 0 where there is none */
  size_t next_quantile;
  far__room room; /* of 0 bytes: there is none, or someone has it */
};

far_bootstrap_cache *far__bootstrap_cache_create(void) {
  return calloc(1, sizeof(far_bootstrap_cache));
}

uint64_t far__cache_drawn(const far_bootstrap_cache *cache) {
  return cache->drawn;
}

static void forget(far_bootstrap_cache *cache, far__kept_draws *kept) {
  cache->bytes -= kept->bytes;
  free(kept->sizes);
  free(kept->times);
  *kept = (far__kept_draws){0};
}

void far__bootstrap_cache_free(far_bootstrap_cache *cache) {
  for (size_t i = 0; cache != NULL && i < MOST_KEPT; ++i) forget(cache, &cache->kept[i]);
  if (cache != NULL) free(cache->room.at);
  free(cache);
}

double far__cache_quantile(far_bootstrap_cache *cache, double p, double degrees) {
  if (cache == NULL || !(p > 0)) return far_student_quantile(p, degrees);
  for (size_t i = 0; i < MOST_QUANTILES; ++i)
    if (cache->quantiles[i].p == p && cache->quantiles[i].degrees == degrees)
      return cache->quantiles[i].value;
  quantile *to = &cache->quantiles[cache->next_quantile++ % MOST_QUANTILES];
  *to = (quantile){p, degrees, far_student_quantile(p, degrees)};
  return to->value;
}

far__room far__cache_take(far_bootstrap_cache *cache, size_t bytes) {
  if (cache == NULL || cache->room.bytes < bytes) return (far__room){malloc(bytes), bytes};
  const far__room out = cache->room;
  cache->room = (far__room){0};
  return out;
}

void far__cache_give_back(far_bootstrap_cache *cache, far__room room) {
  if (cache != NULL && room.bytes <= MOST_ROOM_BYTES && room.bytes > cache->room.bytes) {
    free(cache->room.at);
    cache->room = room;
  } else {
    free(room.at);
  }
}

static bool is_of(const far__kept_draws *kept, const far__draws *d) {
  return kept->times != NULL && kept->seed == d->def->seed &&
         kept->resamples == d->def->resamples && kept->n_strata == d->n_strata &&
         memcmp(kept->sizes, d->sizes, d->n_strata * sizeof *d->sizes) == 0;
}

/* Numbers in all blocks; 0 where these are too many, or a count may need more than 16 bits. */
static size_t numbers_of(const far__draws *d) {
  const size_t blocks = ((size_t)d->def->resamples - 1) / d->width + 1;
  for (size_t s = 0; s < d->n_strata; ++s)
    if (d->sizes[s] > UINT16_MAX) return 0;
  if (d->rows * d->width > MOST_NUMBERS / blocks) return 0;
  return blocks * d->width * d->rows;
}

/* A free place, after what was used longest ago has gone, as far as there must be room. */
static far__kept_draws *make_room(far_bootstrap_cache *cache, size_t bytes) {
  for (;;) {
    far__kept_draws *empty = NULL, *oldest = NULL;
    for (size_t i = 0; i < MOST_KEPT; ++i) {
      far__kept_draws *at = &cache->kept[i];
      if (at->times == NULL)
        empty = at;
      else if (oldest == NULL || at->used < oldest->used)
        oldest = at;
    }
    if (empty != NULL && cache->bytes + bytes <= MOST_KEPT_BYTES) return empty;
    forget(cache, oldest);
  }
}

/* Places have the room that times have, if both together are not too much: whoever asks first may need none, and who asks
 * next some. NULL without memory: then nothing is kept, and the results are the same. */
static far__kept_draws *begin_to_keep(far_bootstrap_cache *cache, const far__draws *d,
                                      size_t numbers) {
  const bool places = d->n_strata == 1 && numbers <= MOST_NUMBERS / 2;
  const size_t bytes = (places ? 2 : 1) * numbers * sizeof(uint16_t);
  far__kept_draws *kept = make_room(cache, bytes);
  int64_t *sizes = malloc(d->n_strata * sizeof *sizes);
  uint16_t *times = malloc(bytes);
  if (sizes == NULL || times == NULL) {
    free(sizes);
    free(times);
    return NULL;
  }
  memcpy(sizes, d->sizes, d->n_strata * sizeof *sizes);
  *kept = (far__kept_draws){.seed = d->def->seed,
                            .resamples = d->def->resamples,
                            .sizes = sizes,
                            .n_strata = d->n_strata,
                            .bytes = bytes,
                            .times = times,
                            .places = places ? times + numbers : NULL};
  cache->bytes += bytes;
  return kept;
}

static far__kept_draws *find_kept(far_bootstrap_cache *cache, const far__draws *d) {
  far__kept_draws *kept = NULL;
  const size_t numbers = cache != NULL ? numbers_of(d) : 0;
  if (numbers == 0) return NULL;
  for (size_t i = 0; i < MOST_KEPT && kept == NULL; ++i)
    if (is_of(&cache->kept[i], d)) kept = &cache->kept[i];
  if (kept == NULL) kept = begin_to_keep(cache, d, numbers);
  if (kept != NULL) kept->used = ++cache->calls;
  return kept;
}

/* ---- drawing ---- */

size_t far__draws_width(size_t rows) {
  const size_t width = NEAR_VALUES / rows;
  if (width >= FAR__BLOCK) return FAR__BLOCK;
  return width >= FAR__LANES ? width - width % FAR__LANES : width > 0 ? width : 1;
}

bool far__draws_create(far__draws *out, const far_bootstrap_def *def, const int64_t *sizes,
                       size_t n_strata, bool ordered) {
  *out = (far__draws){.def = def,
                      .sizes = sizes,
                      .n_strata = n_strata,
                      .sums = far__sums_best(),
                      .ordered = ordered};
  for (size_t s = 0; s < n_strata; ++s) out->rows += (size_t)sizes[s];
  out->width = far__draws_width(out->rows);
  if (out->rows <= SIZE_MAX / sizeof *out->times / out->width)
    out->times = malloc(out->rows * out->width * sizeof *out->times);
  if (out->times != NULL && ordered) out->own = malloc(out->rows * out->width * sizeof *out->own);
  if (out->times == NULL || (ordered && out->own == NULL)) return false;
  out->kept = find_kept(def->cache, out);
  return true;
}

void far__draws_free(far__draws *draws) {
  free(draws->times);
  free(draws->own);
}

static void draw(const far__draws *d, int64_t first, size_t count) {
  memset(d->times, 0, d->rows * d->width * sizeof *d->times); /* 0.0 in all bits */
  for (size_t b = 0; b < count; ++b) {
    far_rng rng;
    far_rng_init(&rng, d->def->seed, (uint64_t)first + b, FAR_PURPOSE_BOOTSTRAP);
    double *times = d->times + b;
    for (size_t s = 0; s < d->n_strata; ++s) {
      const uint32_t n = (uint32_t)d->sizes[s];
      for (uint32_t i = 0; i < n; ++i) times[far_rng_below(&rng, n) * d->width] += 1;
      times += n * d->width;
    }
  }
  if (d->def->cache != NULL) d->def->cache->drawn += count;
}

/* The times of a block: drawn, or as they were kept. */
static void find_times(far__draws *d, int64_t first, size_t count) {
  const size_t values = d->rows * d->width;
  far__kept_draws *kept = d->kept;
  if (kept == NULL) {
    draw(d, first, count);
    return;
  }
  uint16_t *times = kept->times + (size_t)first * d->rows;
  if (first < kept->drawn) {
    d->sums->widen(d->times, times, values);
    return;
  }
  draw(d, first, count);
  for (size_t i = 0; i < values; ++i) times[i] = (uint16_t)d->times[i];
  kept->drawn = first + (int64_t)count;
}

static void place(uint16_t *out, const far__draws *d, size_t width, size_t count) {
  for (size_t b = 0; b < count; ++b) {
    size_t j = b;
    for (size_t r = 0; r < d->rows; ++r)
      for (size_t left = (size_t)d->times[r * width + b]; left > 0; --left, j += width)
        out[j] = (uint16_t)r;
  }
}

/* Where places are kept, the times are not asked for. */
static void find_places(far__draws *d, int64_t first, size_t count) {
  far__kept_draws *kept = d->kept;
  const bool keeps = kept != NULL && kept->places != NULL;
  uint16_t *to = keeps ? kept->places + (size_t)first * d->rows : d->own;
  d->places = to;
  if (keeps && first < kept->placed) return;
  find_times(d, first, count);
  place(to, d, d->width, count);
  if (keeps) kept->placed = first + (int64_t)count;
}

void far__draws_place_one(far__draws *d) {
  d->places = d->own;
  place(d->own, d, 1, 1);
}

size_t far__draws_block(far__draws *d, int64_t first) {
  const int64_t left = d->def->resamples - first;
  const size_t count = left < (int64_t)d->width ? (size_t)left : d->width;
  if (d->ordered)
    find_places(d, first, count);
  else
    find_times(d, first, count);
  return count;
}
