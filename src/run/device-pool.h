/* The pool of a device, as its two parts share it: who computes which cell (device-place.c), and the work itself
 * (device-pool.c). */
#ifndef FAR_RUN_DEVICE_POOL_H
#define FAR_RUN_DEVICE_POOL_H

#include <stdatomic.h>

#include "farsight/device.h"
#include "run/device.h"

typedef struct far__device_pool {
  far_pool base;
  far_device_def def;
  char *library;
  bool tried, told; /* the device was looked for; the failure was told */
  far__device device;
  const far_batch_def *batch; /* the present one */
  int64_t *lanes;             /* of each of its cells, 0: not taken */
  far_pool *driver;           /* one thread; NULL while the device has nothing to do */
  far_pool *rest;             /* the processors, while a batch is going on */
  size_t out, rest_out;       /* blocks that each of them has */
  unsigned warm;              /* bits: loops that the device has run */
  double here[2],
      there
          [2]; /* AUTO: seconds of cells left to the processors, and of those on the device: as estimated
                               * for processors and device */
  atomic_bool failed; /* set after the text, by the driver or while it does not run */
  far_device_info info;
} far__device_pool;

/* The device is not used any more: `what` and `why` are its failure. */
void far__device_give_up(far__device_pool *pool, const char *what, const char *why);
bool far__device_has_failed(const far__device_pool *pool);

/* Seconds that the device takes for so many runs of a cell, measured on a few steps; NAN after a failure, by which the
 * device is given up. `lanes` runs of it make a block. */
double far__device_measure(far__device_pool *pool, const far__device_task *task, int64_t runs,
                           int64_t lanes);

/* Where the cells of a batch run, and if `lanes` is not NULL how many runs a block of each has. */
far_status far__device_place(far_placement *out, int64_t *lanes, far__device_pool *pool,
                             const far_batch_def *def, far_error *error);

#endif
