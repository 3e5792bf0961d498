/* The pool of a device, as others see it besides farsight/run.h and as its two parts share it: device-place.c decides
 * which cells it computes, device-pool.c runs it. */
#ifndef FAR_RUN_DEVICE_POOL_H
#define FAR_RUN_DEVICE_POOL_H

#include <stdatomic.h>

#include "base/export.h"
#include "farsight/base.h"
#include "farsight/run.h"
#include "run/device.h"

/* "cpu", "gpu" or "auto"; false for another text. */
bool far__device_parse(far_device *out, const char *text);

/* Where a cell runs. */
typedef struct far__placement {
  bool on_device;
  char why[FAR_DEVICE_TEXT]; /* the reason, if there is one */
  /* estimates for the cell's runs, of AUTO only; NAN where they were not needed */
  double cpu_seconds, device_seconds;
} far__placement;

/* Where the cells of a batch would run, of which `out` has room for n_cells; lanes[i], unless `lanes` is NULL, is the
 * number of runs of a block of cell i. With AUTO this runs a few steps of each cell on a processor and on the
 * device. Fails as far_batch_run does. */
FAR_LAB far_status far__device_place(far__placement *out, int64_t *lanes, far_pool *pool,
                                     const far_batch_def *def, far_error *error);

/* ---- what its files share ---- */

typedef struct far__device_pool {
  far_pool base;
  far_device_def def;
  char *library;
  bool tried, noted; /* was the device looked for; was its failure reported? */
  far__device device;
  const far_batch_def *batch; /* the current one */
  int64_t *lanes;             /* of each of its cells; 0: computed by the processors */
  far_pool *driver;           /* one thread; NULL while the device has nothing to do */
  far_pool *rest;             /* the processors, during a batch */
  size_t out, rest_out;       /* blocks handed to the driver, and to the processors */
  unsigned warm;              /* bits: loops that the device has run */
  /* AUTO's estimates for the cells of the processors and of the device: seconds on processors, on the device */
  double here[2], there[2];
  atomic_bool failed; /* set after info.failure, by the driver or while it does not run */
  far_device_info info;
} far__device_pool;

/* Ends the use of the device, with a failure described by `what` and `why`. */
void far__device_give_up(far__device_pool *pool, const char *what, const char *why);
bool far__device_has_failed(const far__device_pool *pool);

/* Seconds that the device takes for `runs` runs of a cell in blocks of `lanes`, estimated from a few steps; NAN after a
 * failure, which ends the use of the device. */
double far__device_measure(far__device_pool *pool, const far__device_task *task, int64_t runs,
                           int64_t lanes);

#endif
