/* The store: results in one SQLite file, named by their content, so that finished work is never done
 * again and never confused. A batch that goes through a store can be killed at any moment and goes on
 * where it was when it is run again; the numbers are the same to the last bit.
 *
 *     far_store *store;
 *     far_status status = far_store_open(&store, "results.db", FAR_STORE_WRITE, &error);
 *     status = far_store_run(&batch, store, &def, &error);         in place of far_batch_run
 *     far_store_close(store);
 *
 * A store belongs to one thread. Several processes may use one file at the same time.
 */
#ifndef FARSIGHT_STORE_H
#define FARSIGHT_STORE_H

#include "farsight/run.h"

typedef struct far_store far_store;

typedef enum far_store_mode {
  FAR_STORE_READ,  /* must be there */
  FAR_STORE_WRITE, /* is made if it is not there */
} far_store_mode;

/* Fails with IO, FORMAT (damaged, or another program's file: it is left as it is), MISMATCH (a later
 * version's), or ABSENT (this build has no SQLite). */
FAR_API far_status far_store_open(far_store **out, const char *path, far_store_mode mode,
                                  far_error *error);
FAR_API void far_store_close(far_store *store); /* NULL is fine */

/* As far_batch_run; runs that the store has are not computed again, the others are committed in blocks
 * as they are finished. The definition's own `done` and `keep` must be empty. */
FAR_API far_status far_store_run(far_batch **out, far_store *store, const far_batch_def *def,
                                 far_error *error);

/* How many runs of a cell of the batch the store has in full (total, metrics, curve), out of def->runs. */
FAR_API far_status far_store_known(int64_t *out, far_store *store, const far_batch_def *def,
                                   size_t cell, far_error *error);

/* ---- reading ---- */

/* A cell as it is stored. Strings live until the next call. */
typedef struct far_record {
  const char *key;   /* SHA-256 of what follows */
  const char *env;   /* canonical spec, or any name for results made elsewhere */
  const char *model; /* SHA-256 of the model where the spec does not tell it (file:PATH); or "" */
  const char *agent; /* canonical spec, or any name */
  int64_t steps;     /* 0: not known */
  uint64_t seed;     /* of results made elsewhere: 0 */
  int numerics;      /* far_numerics() of the library that computed it; 0: made elsewhere */
  int64_t runs;      /* how many totals it has */
} far_record;

/* Cells in the order of their specs, then steps, seed, numerics; false past the end. */
FAR_API far_status far_store_record(far_record *out, bool *found, far_store *store, size_t index,
                                    far_error *error);

/* Column `series` of a record: "total", a metric's spec, or "curve@STEP". Values and the replicates
 * that they are of (malloc, both the caller's), ascending. UNKNOWN if it has no such series. */
FAR_API far_status far_store_values(double **values, int64_t **replicates, int64_t *count,
                                    far_store *store, const char *key, const char *series,
                                    far_error *error);

#endif
