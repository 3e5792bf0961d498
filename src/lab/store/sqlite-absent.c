/* In place of the store where the build found no SQLite. No store can be opened then, so that the other
 * functions are never reached with one. */
#include "base/error.h"
#include "farsight/store.h"
#include "lab/store/access.h"

static far_status absent(far_error *error) {
  return far__fail(error, FAR_STATUS_ABSENT, -1,
                   "this farsight was built without SQLite, so it has no store; install "
                   "libsqlite3-dev and build again");
}

far_status far_store_open(far_store **out, const char *path, far_store_mode mode,
                          far_error *error) {
  (void)path, (void)mode;
  *out = NULL;
  return absent(error);
}

far_status far__store_open_watched(far_store **out, const char *path, far_store_mode mode,
                                   far__go_fn *go_on, void *user, far_error *error) {
  (void)go_on, (void)user;
  return far_store_open(out, path, mode, error);
}

void far_store_close(far_store *store) {
  (void)store;
}

far_status far_store_command(far_store *store, const char *command, far_error *error) {
  (void)store, (void)command;
  return absent(error);
}

far_status far_store_add(bool *added, far_store *store, const far_imported_run *run,
                         far_error *error) {
  (void)store, (void)run;
  *added = false;
  return absent(error);
}

void far__store_watch(far_store *store, far__go_fn *go_on, void *user) {
  (void)store, (void)go_on, (void)user;
}

far_status far_store_run(far_batch **out, far_store *store, const far_batch_def *def,
                         far_error *error) {
  (void)store, (void)def;
  *out = NULL;
  return absent(error);
}

far_status far__store_known(int64_t *out, far_store *store, const far_batch_def *def, size_t cell,
                            far_error *error) {
  (void)store, (void)def, (void)cell;
  *out = 0;
  return absent(error);
}

far_status far_keeper_create(far_keeper **out, far_store *store, const far_batch_def *def,
                             far_error *error) {
  (void)store, (void)def;
  *out = NULL;
  return absent(error);
}

void far_keeper_free(far_keeper *keeper) {
  (void)keeper;
}

far_status far__keeper_done(const far_block **blocks, size_t *count, far_keeper *keeper,
                            far_error *error) {
  (void)keeper;
  *blocks = NULL;
  *count = 0;
  return absent(error);
}

far_status far_keeper_keep(void *keeper, const far_block *blocks, size_t count, far_error *error) {
  (void)keeper, (void)blocks, (void)count;
  return absent(error);
}

far_record far__keeper_record(const far_keeper *keeper, size_t cell) {
  (void)keeper, (void)cell;
  return (far_record){0};
}

const char *far__keeper_series(const far_keeper *keeper, size_t cell, size_t index) {
  (void)keeper, (void)cell, (void)index;
  return NULL;
}

far_status far__store_blocks_after(far_store *store, int64_t after, far__store_block_fn *take,
                                   void *user, far_error *error) {
  (void)store, (void)after, (void)take, (void)user;
  return absent(error);
}

far_status far__store_origin(far_session *out, bool *found, far_store *store, int64_t session,
                             far_error *error) {
  (void)store, (void)session;
  *out = (far_session){0};
  *found = false;
  return absent(error);
}

far_status far_store_record(far_record *out, bool *found, far_store *store, size_t index,
                            far_error *error) {
  (void)store, (void)index;
  *out = (far_record){0};
  *found = false;
  return absent(error);
}

far_status far__store_label(const char **env, const char **agent, bool *found, far_store *store,
                            const char *key, size_t index, far_error *error) {
  (void)store, (void)key, (void)index;
  *env = *agent = NULL;
  *found = false;
  return absent(error);
}

far_status far_store_series(const char **out, bool *found, far_store *store, const char *key,
                            size_t index, far_error *error) {
  (void)store, (void)key, (void)index;
  *out = NULL;
  *found = false;
  return absent(error);
}

far_status far_store_series_nearest(const char **out, bool *exact, far_store *store,
                                    const char *series, far_error *error) {
  (void)store, (void)series;
  *out = NULL;
  *exact = false;
  return absent(error);
}

far_status far_store_snapshot_read(far_snapshot *out, bool *found, far_store *store,
                                   const char *key, int64_t replicate, int64_t step,
                                   far_error *error) {
  (void)store, (void)key, (void)replicate, (void)step;
  *out = (far_snapshot){0};
  *found = false;
  return absent(error);
}

far_status far_store_export_snapshots(far_store *store, far_write_fn *write, void *user,
                                      far_error *error) {
  (void)store, (void)write, (void)user;
  return absent(error);
}

far_status far_store_columns(far_columns *out, far_store *store, const char *key,
                             const char *const *series, size_t n_series, far_error *error) {
  (void)store, (void)key, (void)series, (void)n_series;
  *out = (far_columns){0};
  return absent(error);
}

void far_columns_free(far_columns *columns) {
  *columns = (far_columns){0};
}

far_status far__store_values(double **values, int64_t **replicates, int64_t *count,
                             far_store *store, const char *key, const char *series,
                             far_error *error) {
  (void)store, (void)key, (void)series;
  *values = NULL;
  *replicates = NULL;
  *count = 0;
  return absent(error);
}

far_status far_store_info_of(far_store_info *out, far_store *store, far_error *error) {
  (void)store;
  *out = (far_store_info){0};
  return absent(error);
}

far_status far_store_session(far_session *out, bool *found, far_store *store, size_t index,
                             far_error *error) {
  (void)store, (void)index;
  *out = (far_session){0};
  *found = false;
  return absent(error);
}

far_status far_store_check(far_store_report *out, far_store *store, far_fault_fn *fault, void *user,
                           far_error *error) {
  (void)store, (void)fault, (void)user;
  *out = (far_store_report){0};
  return absent(error);
}

far_status far_store_export(far_store *store, far_export format, const char *const *series,
                            size_t n_series, far_write_fn *write, void *user, far_error *error) {
  (void)store, (void)format, (void)series, (void)n_series, (void)write, (void)user;
  return absent(error);
}

far_status far_store_import(far_import_report *out, far_store *store, const char *path,
                            far_error *error) {
  (void)store, (void)path;
  *out = (far_import_report){0};
  return absent(error);
}

far_status far_store_merge(int64_t *added, far_store *store, const char *const *others,
                           size_t count, far_error *error) {
  (void)store, (void)others, (void)count;
  *added = 0;
  return absent(error);
}
