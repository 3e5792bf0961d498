/* far_sort for many values, in time that grows with their number. */
#ifndef FAR_STATISTICS_SORT_H
#define FAR_STATISTICS_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes to sort n values in. */
size_t far__sort_room(size_t n);

/* Sorts as far_sort does, fewer than 2^32 values; `room` as above, from malloc. */
void far__sort_within(double *x, int64_t n, void *room);

#endif
