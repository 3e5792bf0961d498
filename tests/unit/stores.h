/* What the tests of the store share: a folder, a batch, hashes. */
#ifndef FARSIGHT_TESTS_STORES_H
#define FARSIGHT_TESTS_STORES_H

#include <farsight/lab.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static char store_folder[256];

static inline const char *store_path(const char *name) {
  static char path[4][600];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", store_folder, name);
  return path[next];
}

/* False where this build has no store: then there is nothing to test but its words. */
static inline bool stores_begin(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(store_folder, sizeof store_folder, "%s/farsight-store-XXXXXX",
           parent != NULL && strlen(parent) < 200 ? parent : "/tmp");
  CHECK(mkdtemp(store_folder) != NULL);
  far_store *store;
  far_error error;
  const far_status status = far_store_open(&store, store_path("probe.db"), FAR_STORE_WRITE, &error);
  if (status == FAR_STATUS_ABSENT)
    CHECK_CONTAINS(error.message, "without SQLite");
  else
    CHECK(status == FAR_OK);
  far_store_close(store);
  return status == FAR_OK;
}

static inline int stores_end(void) {
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", store_folder);
  CHECK(system(command) == 0);
  return check_report();
}

static inline void remove_store(const char *name) {
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < 4; ++i) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s%s", store_folder, name, suffixes[i]);
    unlink(path);
  }
}

static inline bool is_there(const char *name) {
  return access(store_path(name), F_OK) == 0;
}

static inline far_store *open_store(const char *name, far_store_mode mode) {
  far_store *store = NULL;
  far_error error = {.message = ""};
  CHECK(far_store_open(&store, store_path(name), mode, &error) == FAR_OK);
  if (store == NULL) printf("  %s\n", error.message);
  return store;
}

/* Total, two metrics, and all three at three checkpoints. */
enum { SMALL_WIDTH = 12 };

/* Two environments, two agents, two metrics and a curve; small enough for thousands of runs. */
typedef struct small_batch {
  far_mdp *mdps[2];
  far_metric *metrics[2];
  far_cell cells[4];
  int64_t checkpoints[3];
  far_batch_def def;
} small_batch;

static inline void small_make(small_batch *b, int64_t runs) {
  static const char *const agents[] = {"q-learning", "directed-delayed-q:m=3"};
  *b = (small_batch){.checkpoints = {10, 100, 300}, .def = far_batch_def_default()};
  CHECK(far_mdp_create(&b->mdps[0], "chain:n=5", NULL) == FAR_OK);
  CHECK(far_mdp_create(&b->mdps[1], "riverswim", NULL) == FAR_OK);
  CHECK(far_metric_create(&b->metrics[0], "coverage", NULL) == FAR_OK);
  CHECK(far_metric_create(&b->metrics[1], "earned:fraction=0.5", NULL) == FAR_OK);
  for (int i = 0; i < 4; ++i)
    b->cells[i] = (far_cell){.mdp = b->mdps[i / 2],
                             .agent = agents[i % 2],
                             .steps = 300,
                             .checkpoints = b->checkpoints,
                             .n_checkpoints = 3};
  b->def.cells = b->cells;
  b->def.n_cells = 4;
  b->def.metrics = (const far_metric *const *)b->metrics;
  b->def.n_metrics = 2;
  b->def.runs = runs;
  b->def.seed = UINT64_MAX - 6; /* more than a signed integer holds */
  b->def.threads = 2;
}

static inline void small_free(small_batch *b) {
  for (int i = 0; i < 2; ++i) {
    far_mdp_free(b->mdps[i]);
    far_metric_free(b->metrics[i]);
  }
}

/* The hash of all results; "" if anything is wrong. */
static inline const char *content(const char *name, int64_t *values) {
  static char hash[4][FAR_HASH_TEXT];
  static int next;
  far_store_report report = {0};
  far_store *store = open_store(name, FAR_STORE_READ);
  if (store == NULL) return "";
  CHECK(far_store_check(&report, store, NULL, NULL, NULL) == FAR_OK);
  far_store_close(store);
  if (values != NULL) *values = report.values;
  next = (next + 1) % 4;
  memcpy(hash[next], report.hash, FAR_HASH_TEXT);
  return hash[next];
}

static inline void run_through(const char *name, const far_batch_def *def) {
  far_store *store = open_store(name, FAR_STORE_WRITE);
  far_batch *batch = NULL;
  far_error error = {.message = ""};
  CHECK(far_store_run(&batch, store, def, &error) == FAR_OK);
  if (batch == NULL) printf("  %s\n", error.message);
  far_batch_free(batch);
  far_store_close(store);
}

#endif
