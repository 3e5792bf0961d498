/* What a device backend implements for exact values, besides run/backend.h: sweeps of value iteration over a sliced
 * model, bit-identical to far__sweep. It is exported by the same shared object (base/backend-file.h) and calls nothing
 * of the library. Functions return 0, or another number with a reason in `why`.
 *
 * A device computes several sweeps ahead, and stops by itself after the sweep that proves the tolerance: the number
 * of sweeps and the values are the same as on the processors.
 */
#ifndef FAR_SOLVE_BACKEND_H
#define FAR_SOLVE_BACKEND_H

#include "base/backend-file.h"
#include "solve/backup.h"
#include "solve/sliced.h"

/* To be raised with every change of what is declared here, in backup.h or in sliced.h. */
#define FAR__SWEEPS_VERSION 1

/* The exported function's name. */
#define FAR__SWEEPS_SYMBOL "far_sweeps_backend"

enum { FAR__SWEEPS_AHEAD = 32 };

typedef struct far__sweeps_task {
  const far__sliced *rows; /* copied to the device */
  far__bounding bounding;
  double tolerance;
} far__sweeps_task;

typedef struct far__sweeps_backend {
  uint32_t version;              /* FAR__SWEEPS_VERSION ... */
  uint32_t task_size, rows_size; /* ... and the sizes of structs, in the build of the backend */
  int (*open)(void **device, char name[FAR__DEVICE_NAME], const far__sweeps_task *task,
              char why[FAR__WHY]);
  void (*close)(void *device);
  /* Sets the values before the first sweep, one for each state; 0 for terminal ones. */
  int (*begin)(void *device, const double *v, char why[FAR__WHY]);
  /* Computes up to `count` sweeps, at most FAR__SWEEPS_AHEAD; *made is less if one proves the tolerance. Returns their
   * extents, and adds the time that they took to *seconds. */
  int (*sweep)(void *device, int count, far__extent *extents, int *made, double *seconds,
               char why[FAR__WHY]);
  /* Copies the values before the last sweep. */
  int (*before)(void *device, double *v, char why[FAR__WHY]);
  /* Measures the bytes a second that a copy of `bytes` on the device reads and writes. */
  int (*copy)(double *rate, char name[FAR__DEVICE_NAME], size_t bytes, char why[FAR__WHY]);
} far__sweeps_backend;

typedef const far__sweeps_backend *far__sweeps_backend_fn(void);

#endif
