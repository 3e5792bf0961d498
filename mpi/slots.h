/* Which rank gets the next block: one of those that have the fewest, in constant time. */
#ifndef FARSIGHT_MPI_SLOTS_H
#define FARSIGHT_MPI_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

/* Ranks with the same number of blocks out stand in one list. */
typedef struct far__slots {
  int ranks;
  size_t most;         /* the largest limit */
  size_t room;         /* blocks that all together would take */
  int *next, *before;  /* -1: none */
  int *first, *last;   /* of list k = 0 ... most */
  size_t *out, *limit; /* of each rank */
} far__slots;

/* Nobody takes anything yet; false without memory. */
bool far__slots_make(far__slots *slots, int ranks, size_t most);
void far__slots_free(far__slots *slots);

/* The rank takes up to `limit` blocks, at most `most`. Once for each rank. */
void far__slots_open(far__slots *slots, int rank, size_t limit);

/* The rank that gets the next block, which is then out; -1 if there is no room. */
int far__slots_take(far__slots *slots);

/* A block of this rank came back; false if it had none out. */
bool far__slots_return(far__slots *slots, int rank);

#endif
