/* An open device, and the cells described for it. */
#ifndef FAR_RUN_DEVICE_H
#define FAR_RUN_DEVICE_H

#include "run/backend.h"
#include "run/batch.h"

typedef struct far__device {
  const far__backend *backend;
  void *state; /* the backend's */
  far__device_traits traits;
} far__device;

/* Loads the backend (`library` may be NULL: see farsight/base.h) and opens the device of this number. Fails with
 * CONFLICT and a message that completes "no device: ...". */
far_status far__device_open(far__device *out, const char *library, int number, far_error *error);
void far__device_close(far__device *device);

/* A cell as a backend needs it; `agent` owns what the task points to. */
typedef struct far__device_cell {
  far_agent *agent;
  far__device_task task;
  far_tally *tallies;
} far__device_cell;

/* Why the cell cannot run on a device, or NULL. `agent` is one of the cell's. */
const char *far__device_refuses(const far_batch_def *def, const far_cell *cell,
                                const far_agent *agent);

/* Fails as the creation of an agent does. */
far_status far__device_cell_make(far__device_cell *out, const far_batch_def *def, size_t cell,
                                 far_error *error);
void far__device_cell_free(far__device_cell *cell);

#endif
