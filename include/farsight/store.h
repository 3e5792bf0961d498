/* The store: results in one SQLite file, keyed by content, so that no run is computed twice and
 * results are never confused. A batch with a store can be killed at any moment and resumes when it
 * is run again; the numbers are the same to the last bit.
 *
 *     far_mdp *mdp;
 *     far_store *store;
 *     far_batch *batch;
 *     if (far_mdp_create(&mdp, "chain:n=10", &error)) return puts(error.message);
 *     const far_cell cell = {.mdp = mdp, .agent = "delayed-q", .steps = 1000};
 *     far_batch_def def = far_batch_def_default();
 *     def.cells = &cell;
 *     def.n_cells = 1;
 *     def.runs = 20;
 *     if (far_store_open(&store, "results.db", FAR_STORE_WRITE, &error)) return puts(error.message);
 *     if (far_store_run(&batch, store, &def, &error)) return puts(error.message); // in place of far_batch_run
 *     printf("%lld of 20 runs were known\n", (long long)far_batch_result(batch, 0)->known);
 *     far_batch_free(batch);
 *     far_store_close(store);
 *     far_mdp_free(mdp);
 *
 * A store belongs to one thread. Several processes may use one file at the same time.
 */
#ifndef FARSIGHT_STORE_H
#define FARSIGHT_STORE_H

#include "farsight/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_store far_store;

typedef enum far_store_mode {
  FAR_STORE_READ,  /* must exist */
  FAR_STORE_WRITE, /* is created if it does not exist */
  FAR_STORE_MEMORY, /* a new one in memory, for reading and writing; it is gone when it is closed. The
                     * path is only its name in messages and may be empty */
} far_store_mode;

/* Fails with IO, FORMAT (damaged, or another program's file: it is left as it is), MISMATCH (a later
 * version's), or ABSENT (this build has no SQLite). */
FAR_API far_status far_store_open(far_store **out, const char *path, far_store_mode mode,
                                  far_error *error);
FAR_API void far_store_close(far_store *store); /* NULL is fine */

/* Sets the recorded origin of results written from now on, such as a command line; copied. */
FAR_API far_status far_store_command(far_store *store, const char *command, far_error *error);

/* A cell as it is stored. */
typedef struct far_record {
  const char *key; /* SHA-256 of what follows, in hexadecimal */
  const char *env; /* canonical spec, or any name for imported results */
  const char
      *model; /* SHA-256 of the model if the spec does not determine it (file:PATH), of a simulator
                      * ("simulator:...") that of its shape; or "" */
  const char *agent; /* canonical spec, or any name */
  int64_t steps;     /* of a run, the most where it ends by episodes; 0: not known */
  int64_t episodes;  /* a run ends after so many episodes; 0: after its steps */
  uint64_t seed;     /* 0 where imported results name only their runs */
  int numerics;      /* far_numerics() of the library that computed it; 0: imported */
  int64_t runs;      /* how many totals it has */
  const char *env_label, *agent_label; /* what these were called where it was run first, as typed or
                                        * by a name; "" where that is not known */
} far_record;

/* ---- batches through the store ---- */

/* As far_batch_run; runs that the store has are not computed again, the others are committed in blocks
 * as they are finished. The definition's own `done` and `keep` must be empty. Fails also with IO (a
 * full disk: what was committed is kept), FORMAT (damage, or a run that gave other numbers than
 * the store has of it) and CONFLICT (a simulator without a version, or one version with two shapes). */
FAR_API far_status far_store_run(far_batch **out, far_store *store, const far_batch_def *def,
                                 far_error *error);

/* The same in parts, for programs that run batches in their own way. The definition and its cells
 * must outlive the keeper; its `done` and `keep` are not read. */
typedef struct far_keeper far_keeper;
FAR_API far_status far_keeper_create(far_keeper **out, far_store *store, const far_batch_def *def,
                                     far_error *error);
FAR_API void far_keeper_free(far_keeper *keeper); /* NULL is fine */

/* A far_keep_fn with the keeper as its user: all these blocks in one transaction, or none of them. */
FAR_API far_status far_keeper_keep(void *keeper, const far_block *blocks, size_t count,
                                   far_error *error);

/* ---- reading; strings live until the next call on the store ---- */

/* Cells in the order of their specs, then steps, seed, numerics; false past the end. Index 0 looks at
 * the store again. */
FAR_API far_status far_store_record(far_record *out, bool *found, far_store *store, size_t index,
                                    far_error *error);

/* The columns of a record (NULL: of any): "total", metrics by their specs, "curve@STEP" by step, metrics
 * at checkpoints by spec and step ("regret:against=gain@1000"); false past the end. Index 0 looks at
 * the store again. */
FAR_API far_status far_store_series(const char **out, bool *found, far_store *store,
                                    const char *key, size_t index, far_error *error);

/* The column of any record that is meant by `series`: parameters of a metric that have defaults may
 * be left out ("regret@1000"), and where a curve has no such step the nearest of its steps is
 * taken, of two the earlier. *exact is true if it is the requested one. UNKNOWN if there is none.
 * Reads the store again. */
FAR_API far_status far_store_series_nearest(const char **out, bool *exact, far_store *store,
                                            const char *series, far_error *error);

/* Several columns of a record in one call, aligned by run: values[k * count + i] is that of series k in
 * replicate replicates[i], NAN where the run has none. Replicates ascend. */
typedef struct far_columns {
  int64_t count; /* runs that have any of the columns */
  int64_t *replicates;
  double *values;
} far_columns;

/* UNKNOWN if there is no such record or series; *out is then empty. Free by far_columns_free. */
FAR_API far_status far_store_columns(far_columns *out, far_store *store, const char *key,
                                     const char *const *series, size_t n_series, far_error *error);
FAR_API void far_columns_free(far_columns *columns); /* leaves an empty one */

/* Makes the model of a record from its `env` and `model`. A file is read only if it is a regular one
 * of at most 256 MiB. Fails as far_mdp_create does, with IO (no such file) or MISMATCH (it is another
 * model now); *out is then NULL. */
FAR_API far_status far_record_model(far_mdp **out, const char *env, const char *model,
                                    far_error *error);
FAR_API far_status far_record_model_from(far_mdp **out, const far_spec *env, const char *model,
                                         far_error *error); /* of an `env` that was read */

/* The first snapshot of a record, in the order of replicates and then of steps, that is not before
 * this replicate and step; *found is false if there is none. The caller frees it
 * (far_snapshot_free). To read all of them, begin at 0, 0 and continue at out->replicate, out->step
 * + 1. UNKNOWN if there is no such record. */
FAR_API far_status far_store_snapshot_read(far_snapshot *out, bool *found, far_store *store,
                                           const char *key, int64_t replicate, int64_t step,
                                           far_error *error);

typedef struct far_store_info {
  int format; /* of the file: 1, or 2 if it has or had snapshots */
  int64_t cells, runs, blocks, values, sessions;
  double seconds; /* of processor time that the runs took */
  int64_t bytes;  /* of the file, and of the log beside it; or of memory */
  int64_t snapshots;
} far_store_info;

FAR_API far_status far_store_info_of(far_store_info *out, far_store *store, far_error *error);

/* The origin of results: one session for each time that the store was opened and written to. */
typedef struct far_session {
  const char *version, *compiler; /* of the library */
  int numerics;
  const char *machine; /* name, system, release, architecture */
  int processors;
  const char *command;        /* or "" */
  const char *started, *last; /* time of the first and the last commit, as 2026-01-31T23:59:59Z */
  int64_t runs;               /* totals that it added */
} far_session;

/* In the order of their beginning; false past the end. */
FAR_API far_status far_store_session(far_session *out, bool *found, far_store *store, size_t index,
                                     far_error *error);

/* ---- care ---- */

typedef struct far_store_report {
  int64_t faults, cells, blocks, values;
  /* of all results, however they came and are divided; "" after a fault */
  char hash[FAR_HASH_TEXT];
  int64_t snapshots;
} far_store_report;

/* Reads everything: the file's structure, every key, every checksum. Calls `fault` (unless NULL) with
 * a sentence for each thing that is wrong, up to a hundred; `faults` counts all. OK also then. */
typedef void far_fault_fn(void *user, const char *sentence);
FAR_API far_status far_store_check(far_store_report *out, far_store *store, far_fault_fn *fault,
                                   void *user, far_error *error);

typedef enum far_export {
  FAR_EXPORT_CSV,   /* RFC 4180, with a first line of names */
  FAR_EXPORT_JSONL, /* one JSON object a line */
} far_export;

/* A row for every number: env, agent, steps, seed, replicate, series, step, value, model, numerics.
 * Numbers read back exactly. `series` chooses among "total", metrics (with their curves), "curve",
 * "curve@STEP" and "METRIC@STEP"; none: all; UNKNOWN if there is no such series. Exports the state
 * of the store at the beginning. `write` returns false to stop, which is CANCELLED. */
typedef bool far_write_fn(void *user, const char *bytes, size_t length);
FAR_API far_status far_store_export(far_store *store, far_export format, const char *const *series,
                                    size_t n_series, far_write_fn *write, void *user,
                                    far_error *error);

/* A row of CSV for every pair of every snapshot: env, agent, steps, seed, replicate, step, state, action, q,
 * bonus, visits, probability, model, numerics. Fields of numbers that the agent does not have are empty.
 * `write` is as in far_store_export. */
FAR_API far_status far_store_export_snapshots(far_store *store, far_write_fn *write, void *user,
                                              far_error *error);

typedef struct far_import_report {
  int64_t rows, added; /* rows read, and numbers that the store did not have */
  char unused[200];    /* the names of columns that were not read */
  int64_t apart;       /* rows of environments read from files whose model is unknown */
  char why[300];       /* if there are any: the first such environment, and the reason */
} far_import_report;

/* Imports results of other programs: a CSV file with columns env, agent, seed, value in any order
 * and perhaps steps, replicate, series (or metric), step, model. All rows or none are imported.
 * Without `replicate` the seed is the replicate. Rows of an environment that is read from a file
 * (file:PATH) and that have no model are given the digest of that file as it is now, so that they
 * join the runs computed on it; not so, and counted in `apart`, if the file cannot be read or the
 * store has results of another model of that name. Fails with IO, FORMAT ("PATH:LINE:COLUMN: ...")
 * or CONFLICT (another number is stored for that run). Without a store (NULL) the file is only
 * checked. */
FAR_API far_status far_store_import(far_import_report *out, far_store *store, const char *path,
                                    far_error *error);

/* One run of another program in an environment of this library: it is compared with the runs of the
 * library's agents that have the same seed and replicate. */
typedef struct far_imported_run {
  const far_mdp *mdp;
  const char *agent; /* any name of 1 to 255 bytes of UTF-8 without control characters */
  int64_t steps;     /* at least 1 */
  uint64_t seed, replicate;
  double total;               /* not NaN */
  const int64_t *checkpoints; /* ascending, each in 1 ... steps; may be NULL */
  const double *curve;        /* the total so far at each of them; not NaN */
  size_t n_checkpoints;
} far_imported_run;

/* Stores it; *added is false if the store has it already. RANGE, IO, or CONFLICT (other numbers are
 * stored for that run). Without a store (NULL) the run is only checked. */
FAR_API far_status far_store_add(bool *added, far_store *store, const far_imported_run *run,
                                 far_error *error);

/* Adds all results of other stores, or none if any disagrees (FORMAT). *added: numbers that the
 * store did not have. */
FAR_API far_status far_store_merge(int64_t *added, far_store *store, const char *const *others,
                                   size_t count, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
