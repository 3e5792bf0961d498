/* Sweeps of an iteration on a device in place of the processors, with the same bits.
 *
 * Results of a device are not trusted. The processors repeat the last sweep, from the device's values
 * before it: the values, their bounds and the certificate are the processors' own, and the device's bounds must be the
 * same. If anything fails, the processors repeat all of the device's sweeps from the values with which
 * it began.
 */
#ifndef FAR_SOLVE_DEVICE_H
#define FAR_SOLVE_DEVICE_H

#include "solve/backend.h"

struct far__iteration;

typedef struct far__offload {
  far_device device;                    /* which device may be used */
  bool on_device;                       /* are the current values on the device? */
  const far__sweeps_backend *backend;   /* NULL while no device is open */
  void *state;                          /* the backend's */
  const far__sliced *rows;              /* that the device has */
  double *spare;                        /* values, for the last sweep */
  int64_t sweeps;                       /* since the values were sent */
  far__extent last;                     /* of the last of these */
  far__extent ahead[FAR__SWEEPS_AHEAD]; /* of `made` more sweeps, of which `taken` are counted */
  int taken, made;
  double began;  /* AUTO: time at which the processors began */
  double first;  /* the error after the first sweep, of the processors or of the device */
  int64_t asked; /* how often it was estimated whether a device is worth it */
  char name[FAR__DEVICE_NAME]; /* of the device; "" if it did nothing */
  int64_t total;               /* sweeps by the device ... */
  double seconds;              /* ... and the time that they took */
} far__offload;

/* Starts on the processors. Calls def->note if a device was asked for and the method does not use one. */
far__offload far__offload_of(const far_solve_def *def);
void far__offload_end(far__offload *offload);

/* Does a device compute the next sweep over these rows? Sends the values to it if that begins now. */
bool far__offload_takes(struct far__iteration *it, const far__sliced *rows);

/* The next sweep and its bounds; `sure` as in far__iteration_sweep. May be CANCELLED, since a failed device's sweeps
 * are repeated. */
far_status far__offload_sweep(struct far__iteration *it, const far__sliced *rows, double sure,
                              far_error *error);

/* Fetches the values from the device; may be CANCELLED as well. */
far_status far__offload_fetch(struct far__iteration *it, const far__sliced *rows, far_error *error);

#endif
