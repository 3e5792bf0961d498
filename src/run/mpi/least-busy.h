/* Which rank gets the next block: one of those that have the fewest, in constant time. */
#ifndef FARSIGHT_MPI_LEAST_BUSY_H
#define FARSIGHT_MPI_LEAST_BUSY_H

#include <stdbool.h>
#include <stddef.h>

/* Ranks with the same number of blocks out stand in one list. */
typedef struct far__least_busy {
  int ranks;
  size_t most;         /* the largest limit */
  size_t room;         /* blocks that all ranks together can still take */
  int *next, *before;  /* -1: none */
  int *first, *last;   /* of list k = 0 ... most */
  size_t *out, *limit; /* of each rank */
} far__least_busy;

/* Makes lists of `ranks` ranks that take no blocks yet; false without memory. */
bool far__least_busy_make(far__least_busy *ranks_by_load, int ranks, size_t most);
void far__least_busy_free(far__least_busy *ranks_by_load);

/* The rank takes up to `limit` blocks, at most `most`. Once for each rank. */
void far__least_busy_open(far__least_busy *ranks_by_load, int rank, size_t limit);

/* The rank takes no more blocks; those that are out come back all the same. */
void far__least_busy_close(far__least_busy *ranks_by_load, int rank);

/* The rank that gets the next block, which is then out; -1 if there is no room. */
int far__least_busy_take(far__least_busy *ranks_by_load);

/* A block of this rank came back; false if it had none out. */
bool far__least_busy_return(far__least_busy *ranks_by_load, int rank);

#endif
