/* What a device backend implements for exact values, besides run/backend.h: sweeps of value iteration over a sliced
 * model, with the bits of far__sweep. The same shared object has it (base/backend-file.h); it calls nothing of the
 * library. Functions return 0, or another number with a reason in `why`.
 *
 * A device makes several sweeps ahead of the one that asks, and stops by itself after the sweep that proves the
 * tolerance: so many sweeps are made as on the processors, and the values are those of the last.
 */
#ifndef FAR_SOLVE_BACKEND_H
#define FAR_SOLVE_BACKEND_H

#include "base/backend-file.h"
#include "solve/backup.h"
#include "solve/sliced.h"

/* Raise it with every change of what is declared here, in backup.h or in sliced.h. */
#define FAR__SWEEPS_VERSION 1

/* What the shared object exports for this. */
#define FAR__SWEEPS_SYMBOL "far_sweeps_backend"

enum { FAR__SWEEPS_AHEAD = 32 };

typedef struct far__sweeps_task {
  const far__sliced *rows; /* copied to the device */
  far__bounding bounding;
  double tolerance;
} far__sweeps_task;

typedef struct far__sweeps_backend {
  uint32_t version;              /* FAR__SWEEPS_VERSION, ... */
  uint32_t task_size, rows_size; /* ... and the sizes of structs, as it was built with */
  int (*open)(void **device, char name[FAR__DEVICE_NAME], const far__sweeps_task *task,
              char why[FAR__WHY]);
  void (*close)(void *device);
  /* The values before the first sweep, one of each state; 0 if it is terminal. */
  int (*begin)(void *device, const double *v, char why[FAR__WHY]);
  /* Up to `count` more, at most FAR__SWEEPS_AHEAD; *made of them, fewer after the one that proves the tolerance.
   * Their extents; *seconds grows by the time that they took. */
  int (*sweep)(void *device, int count, far__extent *extents, int *made, double *seconds,
               char why[FAR__WHY]);
  /* The values before the last sweep. */
  int (*before)(void *device, double *v, char why[FAR__WHY]);
  /* Bytes a second that a copy of as many bytes on the device reads and writes. */
  int (*copy)(double *rate, char name[FAR__DEVICE_NAME], size_t bytes, char why[FAR__WHY]);
} far__sweeps_backend;

typedef const far__sweeps_backend *far__sweeps_backend_fn(void);

#endif
