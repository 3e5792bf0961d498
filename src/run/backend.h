/* What a device backend implements: a shared object that device.c loads when a batch asks for a device. It gets plain
 * data and returns numbers, and calls nothing of the library. `gpu/` has the one for CUDA, and the same code for the
 * processor, which tests use.
 *
 * A backend computes runs of one cell at a time, each in a lane of its own: begin, run (often), end. Functions
 * return 0, or another number with a reason in `why`; results of a failed call are not used.
 */
#ifndef FAR_RUN_BACKEND_H
#define FAR_RUN_BACKEND_H

#include "base/backend-file.h"
#include "run/fused.h"
#include "run/tally.h"

/* To be raised with every change of what is declared here or in fused.h. */
#define FAR__BACKEND_VERSION 3

/* The one symbol that a backend exports. */
#define FAR__BACKEND_SYMBOL "far_backend"

typedef struct far__device_traits {
  char name[FAR__DEVICE_NAME];
  double memory; /* bytes that are free */
} far__device_traits;

/* A cell: the rows of its model, and the parameters and the first state of its agent. Everything is copied. */
typedef struct far__device_task {
  far__fused loop;
  far_mdp mdp; /* only n_rows, row, outcome, upto and other are used */
  far__body body;
  size_t params_size, state_size; /* bytes; of the state those that a lane needs */
  int64_t steps;
  const int64_t *checkpoints;
  size_t n_checkpoints;
  uint64_t seed;
  const far_tally *tallies; /* of the metrics, in their order */
  size_t n_tallies;
} far__device_task;

typedef struct far__backend {
  uint32_t version; /* FAR__BACKEND_VERSION ... */
  uint32_t task_size, mdp_size,
      lane_size; /* ... and the sizes of structs, in the build of the backend */
  /* Opens the machine's device of this number, from 0. */
  int (*open)(void **device, int number, far__device_traits *traits, char why[FAR__WHY]);
  void (*close)(void *device);
  /* The most runs of a block for which there is room and which are faster together; 0: not even one fits. */
  int64_t (*lanes)(void *device, const far__device_task *task);
  int (*begin)(void *device, const far__device_task *task, int64_t lanes, char why[FAR__WHY]);
  /* Computes the replicates first ... first+runs-1. Values: their totals, then their numbers of each tally, totals at
   * each checkpoint, and numbers of each tally at each checkpoint. `stop` is asked now and then; *stopped: it said yes,
   * and there are no values. */
  int (*run)(void *device, uint64_t first, int64_t runs, double *values, bool (*stop)(void *user),
             void *user, bool *stopped, char why[FAR__WHY]);
  void (*end)(void *device);
} far__backend;

typedef const far__backend *far__backend_fn(void);

#endif
