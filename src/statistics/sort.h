/* far__sort for many values, and their quantiles without sorting all of them, in time that grows with their number. */
#ifndef FAR_STATISTICS_SORT_H
#define FAR_STATISTICS_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/export.h"

/* Sorts ascending, -0 before 0. No NaN. */
FAR_LAB void far__sort(double *x, int64_t n);

/* Bytes to sort n values in. */
size_t far__sort_room(size_t n);

/* Sorts as far__sort does, fewer than 2^32 values; `room` as above, from malloc. */
void far__sort_within(double *x, int64_t n, void *room);

/* Values in any order, in buckets of equal width. */
typedef struct far__order {
  const double *x;
  size_t n;
  double least, most;
  uint16_t *bucket; /* of each value */
  uint32_t *begin;  /* how many values are in the buckets before each, and in all */
  double *picked;   /* room for n values */
  void *room;       /* to sort them in */
} far__order;

/* Bytes for n values. */
size_t far__order_room(size_t n);

/* n values, 1 to 2^32 - 1, of which none is NaN; they and `room` (as above, from malloc) must stay where they are. */
void far__order_create(far__order *out, const double *x, size_t n, void *room);

/* far__sorted_quantile of them. */
double far__order_quantile(const far__order *order, double p);

#endif
