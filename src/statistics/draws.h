/* What resamples draw, many at once. It depends on the seed, on the number of the resample and on the sizes of the samples,
 * and on no value: so a cache can keep it for other samples of these sizes. */
#ifndef FAR_STATISTICS_DRAWS_H
#define FAR_STATISTICS_DRAWS_H

#include "farsight/statistics.h"
#include "statistics/sums.h"

enum {
  FAR__BLOCK = 128, /* resamples that are drawn at once, at most */
  FAR__PLACES = UINT16_MAX,
};

/* Every value of every stratum has a row; runs that are drawn together have one stratum. */
typedef struct far__draws {
  const far_bootstrap_def *def;
  const int64_t *sizes; /* of the strata */
  size_t n_strata, rows;
  size_t width;  /* of a block */
  double *times; /* times[r * width + b]: how often row r was drawn in resample b of the block */
  bool
      ordered; /* blocks have places, and times only where these were not kept: one stratum, of at most FAR__PLACES rows */
  const uint16_t *
      places; /* places[j * width + b]: the row at place j of all that resample b drew, ascending */
  uint16_t *own; /* places that are not kept */
  const far__sums *sums;
  struct far__kept_draws *kept; /* NULL where nothing is kept */
} far__draws;

/* far_student_quantile, which takes longer than many a statistic, as it was computed before. The cache may be NULL. */
double far__cache_quantile(far_bootstrap_cache *cache, double p, double degrees);

/* Room for at least so many bytes until it is given back; `at` is NULL without memory. The cache, which may be NULL, keeps the
 * largest of moderate size. */
typedef struct far__room {
  void *at;
  size_t bytes;
} far__room;
far__room far__cache_take(far_bootstrap_cache *cache, size_t bytes);
void far__cache_give_back(far_bootstrap_cache *cache, far__room room);

/* How many resamples were drawn with a cache, and not found in it. */
uint64_t far__cache_drawn(const far_bootstrap_cache *cache);

/* How many resamples of so many rows stay near the processor: the more rows, the fewer, and at least one. */
size_t far__draws_width(size_t rows);

/* The strata's sizes must stay where they are. False without memory; far__draws_free, also then. */
bool far__draws_create(far__draws *out, const far_bootstrap_def *def, const int64_t *sizes,
                       size_t n_strata, bool ordered);
void far__draws_free(far__draws *draws);

/* Draws resamples first, first + 1, ..., `first` being a multiple of the width. Returns how many these are: the width, or
 * what is left. */
size_t far__draws_block(far__draws *draws, int64_t first);

/* Finds the places of one resample from its times, which are as in a block of one. */
void far__draws_place_one(far__draws *draws);

#endif
