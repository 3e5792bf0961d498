/* Devices: a graphics processor computes runs of a batch, with the same bits as a thread.
 *
 *     far_device_def what = far_device_def_default();
 *     what.device = FAR_DEVICE_GPU;
 *     far_pool *pool;
 *     far_device_pool_create(&pool, &what, &error);
 *     batch.pool = pool;
 *     ... far_batch_run(...) ...
 *     far_device_pool_free(pool);
 *
 * The device is driven by a backend, a shared object that is loaded when a batch needs it. It takes the
 * agents that have a fused loop, on models without a horizon, in batches without snapshots whose
 * metrics follow from the transitions alone (far_metric.tally); threads compute the other cells of the batch, at
 * the same time. One run of every block is computed by a thread as well, and
 * compared. Where there is no device, where it has too little memory or where it fails, a note says so and
 * threads compute what is missing: the results are the same.
 */
#ifndef FARSIGHT_DEVICE_H
#define FARSIGHT_DEVICE_H

#include "farsight/device-choice.h"
#include "farsight/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_device_def {
  far_device device;
  const char *library; /* the backend's file; NULL: see device-choice.h */
  int number;          /* of the machine's devices, from 0 */
  unsigned workers;    /* threads of `rest` in all, for AUTO; 0: the batch's threads */
  far_pool *rest;      /* computes the other cells, at the same time; NULL: the batch's threads */
  far_device_note_fn
      *note; /* is told, once each, why there is no device and why it failed; may be NULL */
  void *user;
} far_device_def;

/* FAR_DEVICE_AUTO, and nothing else. */
FAR_API far_device_def far_device_def_default(void);

/* A pool for any number of batches, one at a time. The device is looked for by the first batch that could use
 * it. Fails with MEMORY. */
FAR_API far_status far_device_pool_create(far_pool **out, const far_device_def *def,
                                          far_error *error);
FAR_API void far_device_pool_free(far_pool *pool); /* NULL is fine */

/* Where a cell runs. */
typedef struct far_placement {
  bool on_device;
  char why[FAR_DEVICE_TEXT]; /* the reason, if there is one */
  /* estimates for the cell's runs, of AUTO only; NAN where they were not needed */
  double cpu_seconds, device_seconds;
} far_placement;

/* Where the cells of a batch would run, of which `out` has room for n_cells. With AUTO this runs a few steps of
 * each cell on a processor and on the device. Fails as far_batch_run does. */
FAR_API far_status far_device_place(far_placement *out, far_pool *pool, const far_batch_def *def,
                                    far_error *error);

/* What a device pool has done so far. */
typedef struct far_device_info {
  char name
      [FAR_DEVICE_TEXT]; /* of the device; "" while it has not been needed, or if there is none */
  char failure
      [FAR_DEVICE_TEXT]; /* why there is none, or why it is not used any more; "" if it is fine */
  char choice[FAR_DEVICE_TEXT]; /* of AUTO: the estimates by which it chose; else "" */
  int64_t batches;              /* that the pool was given */
  int64_t runs;                 /* that the device has computed */
  double seconds;               /* in so many */
} far_device_info;
FAR_API far_device_info far_device_pool_info(const far_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
