/* The store from inside. One file of tables:
 *
 *     session   the origin of results: one row for each time that something was written
 *     cell      what was run, keyed by the SHA-256 of its description
 *     series    a quantity recorded of runs: "total", a metric's spec, or either at checkpoints:
 *               "curve@10,100,1000", "regret:against=gain@10,100,1000"
 *     block     the numbers of successive runs of a cell in one series
 *
 *     snapshot  what an agent knew at a checkpoint of a run; the table is there from format 2 on
 *     label     what environment and agent of a cell were called where it was run: as they were typed, or by a name;
 *               from format 3 on
 *     shared    of a cell whose problem has another criterion than the default: the key that it would have with that, by
 *               which cells find each other that share their runs; from format 3 on
 *     episodes  of a cell whose runs end by episodes: after how many; from format 3 on
 *
 * No two blocks of a cell and series overlap. Every block has a checksum of its numbers and its place.
 */
#ifndef FAR_LAB_STORE_STORE_H
#define FAR_LAB_STORE_STORE_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/hash.h"
#include "farsight/store.h"
#include "lab/store/access.h"

enum {
  FAR__STORE_APPLICATION = 0x46415231, /* "FAR1" */
  FAR__STORE_PLAIN = 1,                /* the format of a store without snapshots */
  FAR__STORE_SNAPSHOTS = 2,            /* with them */
  FAR__STORE_LABELS = 3,               /* and with labels; the latest that is known */
  FAR__BLOCK_RUNS = 1024, /* the maximum in one row, which limits the search for overlaps */
  FAR__BUSY_SECONDS = 600,
  /* the most bytes of texts; what is longer in a file is refused */
  FAR__LONGEST_NAME = 4096,    /* environments and agents: specs, or names of imported ones */
  FAR__LONGEST_ORIGIN = 1024,  /* version, compiler, machine and times of a session */
  FAR__LONGEST_TEXT = 1 << 20, /* series, and the command of a session */
};

typedef enum far__statement {
#define STATEMENT(name, sql) FAR__##name,
#include "lab/store/statements.def"
#undef STATEMENT
  FAR__N_STATEMENTS
} far__statement;

typedef struct far__series {
  int64_t id;
  char *name; /* malloc */
  size_t width;
  int64_t *steps; /* of a curve: its checkpoints; or NULL */
  size_t base;    /* of a curve: the length of what stands before '@' in the name */
  bool shared;    /* set by a keeper: the numbers do not depend on the criterion */
} far__series;

/* What one number of a run is called. The name is a series' own: it may be long, and thousands of
 * columns have the same. */
typedef struct far__column_name {
  const char *text; /* not ended by a zero */
  size_t length;
  int64_t step; /* of a curve; else 0 */
} far__column_name;

/* The columns of the record that was asked for last, so that a list of them is read once. */
typedef struct far__columns {
  bool known;
  char key[FAR_HASH_TEXT]; /* "": of all records */
  far__series *series;     /* whose the names are */
  size_t n_series;
  far__column_name *names; /* in their order, each once */
  size_t n_names;
  char *shown; /* the last that was asked for */
} far__columns;

struct far_store {
  sqlite3 *db;
  char *path; /* as it was given */
  char *file; /* as SQLite may have it */
  far_store_mode mode;
  sqlite3_stmt *statement[FAR__N_STATEMENTS];
  int64_t session;      /* row of what is being written; 0: not yet */
  int64_t session_kept; /* the same, once committed */
  char *command;
  far__go_fn *go_on; /* asked in long calls */
  void *go_user;
  bool in_long_call;
  double busy_since; /* when the last wait for another process began */
  bool stopped;      /* the watcher has ended that wait */
  int64_t ticks;     /* of the progress handler since the last step of a statement began */
  double tick_since; /* when the first of them came */
  int64_t rows[FAR__N_STATEMENTS]; /* of each statement since it was last used anew */
  int64_t most_ticks, most_rows;   /* as many as an honest file of this size needs */
  bool endless;                    /* there were more */
  int64_t *order;                  /* the cells' rows in the order of records */
  size_t n_order;
  far__columns columns;
  bool immutable;       /* SQLite takes the file as one that does not change */
  int64_t size, moment; /* then: of the file when it was opened */
  void *shown;          /* what the last reading call lent out */
  bool fresh;           /* far_store_open is making the file */
  bool closing;         /* the watcher is not called any more */
};

/* ---- sql.c: SQLite's calls, with errors as values ---- */

/* What a failed call of SQLite means; `doing` as in "write". */
far_status far__sql_fail(far_store *store, int code, const char *doing, far_error *error);

/* The statement, ready to be bound. */
far_status far__sql_use(sqlite3_stmt **out, far_store *store, far__statement which,
                        far_error *error);

/* Steps; *row is false if there is no further row. After a failure or the last row it is reset. */
far_status far__sql_step(far_store *store, sqlite3_stmt *s, bool *row, far_error *error);
far_status far__sql_run(far_store *store, sqlite3_stmt *s, far_error *error); /* to its end */
far_status far__sql_text(far_store *store, const char *sql, far_error *error);

/* The first column of the only row, 0 if there is none. */
far_status far__sql_integer(int64_t *out, far_store *store, sqlite3_stmt *s, far_error *error);

/* The same for a query that is prepared for this once. */
far_status far__sql_number(int64_t *out, far_store *store, const char *sql, far_error *error);

const char *far__sql_string(sqlite3_stmt *s, int column); /* "" for NULL */

/* Steps a statement that finds row `id` of a table; FORMAT if there is none. */
far_status far__sql_row(far_store *store, sqlite3_stmt *s, const char *table, int64_t id,
                        far_error *error);

/* A column of texts, and how many bytes these may have; `what` as in "the command of session". */
typedef struct far__text_column {
  int column, most;
  const char *what;
} far__text_column;

/* Sets out[column] for each column of row `id`; FORMAT if one is too long. They live until the
 * statement is stepped or reset. */
far_status far__sql_texts(const char **out, far_store *store, sqlite3_stmt *s,
                          const far__text_column *columns, size_t count, int64_t id,
                          far_error *error);

/* Operations of SQLite between two calls of the progress handler. */
enum { FAR__TICK = 10000 };

/* Has a step of a statement taken more of them than an honest file of this size needs? */
bool far__sql_is_endless(far_store *store, int64_t ticks);
void far__sql_bind_string(sqlite3_stmt *s, int at,
                          const char *text); /* which must outlive the step */

/* A transaction that writes: waits for other writers. */
far_status far__sql_begin(far_store *store, far_error *error);

/* One that only reads: sees the store as it is at its first read. */
far_status far__sql_begin_read(far_store *store, far_error *error);
void far__sql_end_read(far_store *store);

far_status far__sql_end(far_store *store, far_status status, far_error *error); /* commit if OK */
far_status far__sql_abandon(far_store *store, far_error *error); /* as if it had not been begun */

/* Takes the log into the open file, where that has lost its name: SQLite would leave it for whatever file
 * gets that name. True if nothing is left in the log. */
bool far__sql_leave_place(far_store *store);

/* ---- key.c: what cells and series are called ---- */

/* Does the spec name a file: file:PATH, map=@PATH? */
bool far__spec_reads_file(const char *spec);

/* Does the spec identify the model? Not if it names a file or no family: then only the model's hash does. */
bool far__spec_tells(const char *spec);

/* The length of a simulator's spec without the criterion. */
size_t far__simulator_world(const char *spec);

typedef struct far__stored_cell {
  int64_t id;
  char key[FAR_HASH_TEXT], shared[FAR_HASH_TEXT]; /* the second: see shared.c */
  char *env, *agent;                              /* malloc */
  char model[FAR_HASH_TEXT];
  int64_t steps, episodes; /* as far_record has them */
  uint64_t seed;
  int numerics;
} far__stored_cell;

void far__stored_cell_free(far__stored_cell *cell);
void far__stored_cell_key(char out[FAR_HASH_TEXT], const far__stored_cell *cell);

/* Row `id`; FORMAT if its key is not that of its content. */
far_status far__stored_cell_get(far__stored_cell *out, far_store *store, int64_t id,
                                far_error *error);
far_status far__stored_cell_find(int64_t *id, far_store *store, const char *key,
                                 far_error *error); /* or 0 */

/* The cell with this key; UNKNOWN if there is none. */
far_status far__stored_cell_of_key(far__stored_cell *out, far_store *store, const char *key,
                                   far_error *error);
far_status far__stored_cell_add(far__stored_cell *cell, far_store *store,
                                far_error *error); /* unless it is there */

/* CONFLICT if the cell is of a simulator of which the store has runs with another shape. Also asked by
 * far__stored_cell_add. */
far_status far__refuse_shapes(const far__stored_cell *cell, far_store *store, far_error *error);

/* ---- digest.c: which models imported rows are of ---- */

typedef struct far__digest {
  char *env; /* as the rows call it */
  char model[FAR_HASH_TEXT];
  int64_t rows;
  char why[80]; /* there is no digest; "" if there is */
} far__digest;

typedef struct far__digests {
  far__digest *items;
  size_t count, capacity, last; /* the item found last */
} far__digests;

/* The digest of the model that `env` names now, "" if env reads no file; also "" (and noted) if that
 * file cannot be read, or if the store has results of another model of that name. */
far_status far__digest_find(char out[FAR_HASH_TEXT], far__digests *digests, far_store *store,
                            const char *env, far_error *error);

/* Fills in the part of the report that is about digests. */
void far__digests_report(const far__digests *digests, far_import_report *report);
void far__digests_free(far__digests *digests);

void far__series_free(far__series *series);

/* Fills in width and steps; FORMAT if it is no name of a series. Takes ownership of name, also then. */
far_status far__series_name(far__series *out, char *name, far_error *error);
/* Takes the whole name as that of one number. */
void far__series_plain(far__series *series);

/* "BASE@10,100,1000" (malloc); NULL without memory. */
char *far__curve_name(const char *base, const int64_t *steps, size_t count);

/* Column k of a series. */
far__column_name far__series_column(const far__series *series, size_t k);

/* Total, metrics by name, the curve of the rewards by step, those of metrics by name and step. */
int far__column_order(const far__column_name *x, const far__column_name *y);

/* Is this the column that is called so, "curve@100" or "regret:against=gain@100"? */
bool far__column_is(const far__column_name *name, const char *text);

far_status far__series_find(far__series *series, far_store *store, far_error *error); /* id or 0 */
far_status far__series_add(far__series *series, far_store *store, far_error *error);

/* The series of a cell (0: of any) by name; array and texts are malloc'ed. */
far_status far__series_of_cell(far__series **out, size_t *count, far_store *store, int64_t cell,
                               far_error *error);
void far__series_list_free(far__series *list, size_t count);

/* ---- block.c: numbers ---- */

typedef struct far__rows {
  int64_t first, runs;
  const double *values; /* run by run, each `width` long */
  double seconds;
  int64_t session; /* row of where they come from */
} far__rows;

/* Stores what is not there yet, in the open transaction; *added: runs that were new. Runs that are there
 * and differ are a failure with code `conflict`. */
far_status far__block_put(int64_t *added, far_store *store, const far__stored_cell *cell,
                          const far__series *series, const far__rows *rows, far_status conflict,
                          far_error *error);

/* The runs first ... end-1 that are stored. */
typedef struct far__column {
  int64_t count;
  int64_t *replicates; /* ascending */
  double *values;      /* run by run */
  double *seconds;     /* of each run */
} far__column;

far_status far__block_read(far__column *out, far_store *store, const far__stored_cell *cell,
                           const far__series *series, int64_t first, int64_t end, far_error *error);
void far__column_free(far__column *column);

/* One row of the table, checked against its seal, with columns as in BLOCK_RANGE from `at` on. The
 * values are malloc'ed. */
typedef struct far__block_row {
  far__rows rows;
  double *values;
} far__block_row;
far_status far__block_take(far__block_row *out, far_store *store, sqlite3_stmt *s, int at,
                           const far__stored_cell *cell, const far__series *series,
                           far_error *error);

/* ---- snapshot.c ---- */

/* The first snapshot of a cell that is not before (replicate, step), and its session; the caller frees
 * it. */
far_status far__snapshot_next(far_snapshot *out, int64_t *session, bool *found, far_store *store,
                              const far__stored_cell *cell, int64_t replicate, int64_t step,
                              far_error *error);

size_t far__snapshot_numbers(const far_snapshot *snapshot); /* in all of its arrays */

/* All of a cell, in the order of replicates and steps. */
typedef far_status far__snapshot_fn(void *user, const far_snapshot *snapshot, int64_t session,
                                    far_error *error);
far_status far__snapshots_each(far_store *store, const far__stored_cell *cell,
                               far__snapshot_fn *visit, void *user, far_error *error);

/* Adds to counts[i] how many of the checkpoints of the cell `of` replicate first + i has a snapshot of. */
far_status far__snapshots_count(size_t *counts, far_store *store, const far__stored_cell *cell,
                                const far_cell *of, int64_t first, int64_t runs, far_error *error);

/* Stores one unless it is there, in the open transaction; FORMAT if another is there. */
far_status far__snapshot_put(bool *added, far_store *store, const far__stored_cell *cell,
                             const far_snapshot *snapshot, int64_t session, far_error *error);

/* ---- label.c ---- */

typedef struct far__label {
  char *env, *agent; /* malloc; NULL where there is none */
} far__label;
void far__label_free(far__label *label);

/* Label `index` of a cell, in the order in which they came. */
far_status far__label_get(far__label *out, bool *found, far_store *store,
                          const far__stored_cell *cell, size_t index, far_error *error);
far_status far__label_has(bool *out, far_store *store, const far__stored_cell *cell,
                          const char *env, const char *agent, far_error *error);

/* Stores one unless it is there, in the open transaction. */
far_status far__label_put(far_store *store, const far__stored_cell *cell, const char *env,
                          const char *agent, far_error *error);

/* ---- shared.c: cells that differ only in the criterion of the problem ---- */

/* Other cells that have the same runs. */
typedef struct far__sharers {
  far__stored_cell *cells;
  size_t count;
} far__sharers;
void far__sharers_free(far__sharers *sharers);

/* The key by which a cell on this model (NULL: a simulator's) shares its runs: its own where the criterion is the default one. */
far_status far__shared_key(char out[FAR_HASH_TEXT], const far__stored_cell *cell,
                           const far_mdp *mdp, far_error *error);

/* Stores cell->shared, in the open transaction. */
far_status far__shared_put(far_store *store, const far__stored_cell *cell, far_error *error);

/* The other cells with this cell's `shared`. */
far_status far__shared_find(far__sharers *out, far_store *store, const far__stored_cell *cell,
                            far_error *error);

/* Copies the shared key of row `there` of another store, of format 3, to row `cell` of this one. */
far_status far__shared_copy(far_store *to, int64_t cell, far_store *from, int64_t there,
                            far_error *error);

/* ---- read.c ---- */

/* All of a record but its runs; the texts live until the next reading call. */
far_status far__record_lend(far_record *out, far_store *store, const far__stored_cell *cell,
                            far_error *error);

/* ---- session.c ---- */

/* Makes sure that there is a session in the open transaction, and notes the time. */
far_status far__session_touch(far_store *store, far_error *error);

/* All sessions' seals; calls fault for those that are wrong. */
far_status far__session_check(far_store *store, far_fault_fn *fault, void *user, far_error *error);

/* Copies session `id` of another store unless it is there; *out: its row here. */
far_status far__session_copy(int64_t *out, far_store *store, far_store *other, int64_t id,
                             far_error *error);

/* ---- result-table.c: the columns of a cell, whatever series they came in ---- */

typedef struct far__export_column {
  far__column_name name;
  int64_t count;
  int64_t *replicates;
  double *values;
} far__export_column;

typedef struct far__result_table {
  far__export_column *columns; /* in the order of far__column_order */
  size_t count;
  far__series *series; /* whose the names are */
  size_t n_series;
} far__result_table;

far_status far__result_table_read(far__result_table *out, far_store *store,
                                  const far__stored_cell *cell, far_error *error);
void far__result_table_free(far__result_table *table);

/* The table of the record with this key, and one of its columns; UNKNOWN where there is none. */
far_status far__result_table_of(far__result_table *out, far_store *store, const char *key,
                                far_error *error);
far_status far__result_table_column(far__export_column **out, const far__result_table *table,
                                    const char *series, far_error *error);

/* ---- read.c ---- */

void far__columns_forget(far__columns *columns);

/* The rows of all cells, in the order of records. */
far_status far__store_order(far_store *store, far_error *error);

/* Are there numbers that no cell or series leads to? Then FORMAT. */
far_status far__store_whole(far_store *store, far_error *error);

/* Copies n texts to where they live until the next reading call, and sets *to[i] to each. */
far_status far__store_lend(far_store *store, const char *const *from, const char **const *to,
                           size_t n, far_error *error);

/* ---- store.c ---- */

/* The name of a file beside a store, or of the store itself. It allocates nothing, so that a lack
 * of memory is never mistaken for a missing log. False if it is longer than any system allows. */
enum { FAR__LONGEST_PATH = 8192 };
bool far__name_beside(char out[FAR__LONGEST_PATH], const char *path, const char *suffix);

/* Has the file the tables of this format? Another process may have made them meanwhile. */
far_status far__store_has(bool *out, far_store *store, int format, far_error *error);

/* Makes those that are not there, in the open transaction. */
far_status far__store_grow(far_store *store, int format, far_error *error);

bool far__has_log(const char *path);
int64_t far__store_bytes(const far_store *store); /* of the file and its log; no bound in memory */

/* Has a file that was taken as one that does not change been changed after all? Then what looks like
 * damage may be none: an IO failure that says to try again takes the place of FORMAT. */
bool far__store_changed(const far_store *store);
far_status far__store_doubt(far_store *store, far_status status, far_error *error);

/* Begins a call that the watcher may end. */
void far__long_call(far_store *store, bool begins);

/* Has the wait that began then been long enough, or was it ended (store->stopped)? */
bool far__wait_is_over(far_store *store, double begun);

/* CANCELLED if the watcher says so. */
far_status far__ask(far_store *store, far_error *error);

#endif
