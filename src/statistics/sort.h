/* far_sort for many values, in time that grows with their number. */
#ifndef FAR_STATISTICS_SORT_H
#define FAR_STATISTICS_SORT_H

#include <stdint.h>

/* Sorts as far_sort does, fewer than 2^32 values; there is room for 2 n. */
void far__sort_within(double *x, int64_t n, uint64_t *room);

#endif
