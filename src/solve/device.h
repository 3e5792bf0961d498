/* Sweeps of an iteration on a device, which makes them in place of the processors with the same bits.
 *
 * Nothing that comes back is trusted. The last sweep is made again by the processors, from the device's values
 * before it: so the values, their bounds and the certificate are the processors' own, and the bounds that the
 * device found must be the same. Where anything fails, the processors make all of the device's sweeps
 * themselves, from the values with which it began.
 */
#ifndef FAR_SOLVE_DEVICE_H
#define FAR_SOLVE_DEVICE_H

#include "solve/backend.h"

struct far__iteration;

typedef struct far__offload {
  far_device device;                    /* who may sweep */
  bool on_device;                       /* are the values there? */
  const far__sweeps_backend *backend;   /* NULL while no device is open */
  void *state;                          /* the backend's */
  const far__sliced *rows;              /* that it has */
  double *spare;                        /* values, for the last sweep */
  int64_t sweeps;                       /* since the values were sent */
  far__extent last;                     /* of these */
  far__extent ahead[FAR__SWEEPS_AHEAD]; /* of `made` sweeps more, of which `taken` are counted */
  int taken, made;
  double began;  /* of auto: when the processors began */
  double first;  /* the error after their first sweep, or after the first of the device */
  int64_t asked; /* how often it was asked whether a device is worth it */
  char name[FAR__DEVICE_NAME]; /* of the device; "" if it did nothing */
  int64_t total;               /* sweeps that it made ... */
  double seconds;              /* ... in so many */
} far__offload;

/* With the values on the processors. Tells def->note if a device was asked for and the method does not use one. */
far__offload far__offload_of(const far_solve_def *def);
void far__offload_end(far__offload *offload);

/* Does a device make the next sweep over these rows? Takes the values there, if that is to begin now. */
bool far__offload_takes(struct far__iteration *it, const far__sliced *rows);

/* The next sweep and its bounds; `sure` as in far__iteration_sweep. CANCELLED, since after a failure this takes
 * long. */
far_status far__offload_sweep(struct far__iteration *it, const far__sliced *rows, double sure,
                              far_error *error);

/* Fetches the values. Likewise. */
far_status far__offload_fetch(struct far__iteration *it, const far__sliced *rows, far_error *error);

#endif
