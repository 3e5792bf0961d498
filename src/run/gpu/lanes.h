/* Lanes: many runs of one cell side by side, each advanced by the fused loop of its algorithm (run/fused.h).
 *
 * The functions here and in kernels.h are one lane's part of the work. cuda.cu calls them from kernels, one thread a
 * lane, and lanes-host.c from a loop, so that the processor can check what a device would do.
 */
#ifndef FAR_GPU_LANES_H
#define FAR_GPU_LANES_H

#define FAR__DEVICE_LANES /* see agents/delayed.h */
#include "run/fused.h"
#include "run/tally.h"

/* Sizes in bytes. A GPU's cache has lines of 128 bytes and fetches 32 bytes of a line at once. */
enum { LANE_PARAMS = FAR__SPEC_BYTES, LANE_ALIGN = 128 };

/* What all lanes share. Pointers are the device's. */
typedef struct lanes {
  far_mdp mdp;    /* rows only */
  far__body body; /* params and state are set for each lane */
  alignas(8) unsigned char params[LANE_PARAMS];
  const uint64_t *initial; /* the agent's first state */
  size_t words;            /* words of a state; the next lane's begins `stride` words later */
  size_t stride;
  uint64_t *states;
  far__lane *lane;
  double *values; /* totals, then those of each checkpoint, in columns of `n` */
  int64_t n;      /* lanes */
  const int64_t *checkpoints;
  int64_t n_checkpoints;
  uint64_t seed, first;     /* lane i is replicate first + i */
  int64_t until;            /* the step up to which this launch goes */
  const far_tally *tallies; /* metrics that are counted (tallied.h) */
  size_t n_tallies;
  far__count *counts; /* in columns of `n` */
  uint8_t *marks;     /* n_marks of each lane */
  size_t n_marks;
} lanes;

/* Copies one word of the first state; `w` counts the words of the states of all lanes, without gaps. */
static inline FAR_DEVICE void lane_fill(const lanes *all, size_t w) {
  all->states[w / all->words * all->stride + w % all->words] = all->initial[w % all->words];
}

/* Sets the random streams and the first state of lane i. */
static inline FAR_DEVICE void lane_begin(const lanes *all, int64_t i) {
  all->lane[i] = far__lane_begin(&all->mdp, all->seed, all->first + (uint64_t)i);
}

/* The agent of lane i. `n_actions` is a number of actions known to the compiler, or 0: that of the cell. */
static inline FAR_DEVICE far__body lane_body(const lanes *all, uint32_t n_actions, int64_t i) {
  far__body body = all->body;
  body.params = all->params;
  body.state = all->states + (size_t)i * all->stride;
#ifdef __CUDA_ARCH__ /* allows reads of 16 bytes at once */
  body.state = __builtin_assume_aligned(body.state, LANE_ALIGN);
#endif
  if (n_actions != 0) body.n_actions = n_actions;
  return body;
}

/* The first checkpoint after step t. */
static inline FAR_DEVICE int64_t lane_checkpoint(const lanes *all, int64_t t) {
  int64_t k = 0;
  while (k < all->n_checkpoints && all->checkpoints[k] <= t) ++k;
  return k;
}

#endif
