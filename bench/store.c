/* farsight-bench store: how many blocks a second a store commits, with every commit flushed to the disk. This rate
 * bounds how many processors can feed one store. */
#include "bench/bench.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/memory.h"
#include "report/build.h"

enum { RUNS = 64, CURVE = 100 }; /* runs of a block, checkpoints of a curve */

static const int groups[] = {1, 16, 256};

enum { N_GROUPS = sizeof groups / sizeof *groups, N_KINDS = 2, MOST_GROUP = 256 };

typedef struct rate {
  double blocks, commits, bytes; /* a second of wall time */
  double work;                   /* seconds of processor time a block */
} rate;

/* Commits groups of blocks for about a second. */
static far_status measure(rate *out, far_keeper *keeper, int group, size_t width,
                          const double *values, int64_t *next, far_error *error) {
  far_block blocks[MOST_GROUP];
  const double begun = far__clock_seconds(), worked = far__clock_thread();
  double seconds = 0;
  int64_t commits = 0;
  far_status status = FAR_OK;
  while (status == FAR_OK && seconds < 1 && !interrupted()) {
    for (int i = 0; i < group; ++i)
      blocks[i] = (far_block){.first = RUNS * (*next)++, .runs = RUNS, .values = values};
    status = far_keeper_keep(keeper, blocks, (size_t)group, error);
    commits += 1;
    seconds = far__clock_seconds() - begun;
  }
  out->commits = (double)commits / seconds;
  out->blocks = out->commits * group;
  out->work = (far__clock_thread() - worked) / (double)(commits * group);
  out->bytes = out->blocks * RUNS * (double)width * 8;
  return status;
}

/* Measures all group sizes, with blocks of totals and, if `checkpoints` is above 0, of curves. */
static far_status measure_kind(rate out[N_GROUPS], far_store *store, const far_mdp *mdp,
                               size_t checkpoints, far_error *error) {
  int64_t steps[CURVE], next = 0;
  far_keeper *keeper;
  for (int i = 0; i < CURVE; ++i) steps[i] = 10 * (i + 1);
  const far_cell cell = {.mdp = mdp,
                         .agent = "q-learning",
                         .steps = 1000 + (int64_t)checkpoints,
                         .checkpoints = steps,
                         .n_checkpoints = checkpoints};
  far_batch_def def = far_batch_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = INT64_MAX / 1000;
  double *values = room_for(RUNS * (CURVE + 1), sizeof *values);
  far_status status = far_keeper_create(&keeper, store, &def, error);
  for (int g = 0; status == FAR_OK && g < N_GROUPS; ++g)
    status = measure(&out[g], keeper, groups[g], 1 + checkpoints, values, &next, error);
  far_keeper_free(keeper);
  free(values);
  return status;
}

static far_status measure_all(rate out[N_KINDS][N_GROUPS], const char *path, far_error *error) {
  far_mdp *mdp;
  far_store *store;
  far_status status = far_mdp_create(&mdp, "chain:n=5", error);
  if (status != FAR_OK) return status;
  status = far_store_open(&store, path, FAR_STORE_WRITE, error);
  if (status == FAR_OK) status = measure_kind(out[0], store, mdp, 0, error);
  if (status == FAR_OK) status = measure_kind(out[1], store, mdp, CURVE, error);
  far_store_close(store);
  far_mdp_free(mdp);
  return status;
}

typedef struct results {
  rate of[N_KINDS][N_GROUPS];
} results;

static void add_row(far_table *t, const char *kind, int group, const rate *r) {
  far__table_row(t);
  far__table_text(t, "%s", kind);
  far__table_count(t, group);
  far__table_real_as(t, r->commits, "%.0f", r->commits);
  far__table_real_as(t, r->blocks, "%.0f", r->blocks);
  far__table_real_as(t, r->bytes, "%.2f", 1e-6 * r->bytes);
  far__table_real_as(t, 1e6 * r->work, "%.1f", 1e6 * r->work);
}

static void add_table(const void *of, far_report *report) {
  static const char *const kinds[] = {"64 totals", "and a curve of 100"};
  const results *r = of;
  far_table *t = far__report_table(report, "store");
  far__table_column(t, "block", "block", FAR__COLUMN_TEXT);
  far__table_column(t, "group", "in a commit", FAR__COLUMN_COUNT);
  far__table_column(t, "commits", "commits/s", FAR__COLUMN_REAL);
  far__table_column(t, "blocks", "blocks/s", FAR__COLUMN_REAL);
  far__table_column(t, "bytes", "MB/s", FAR__COLUMN_REAL);
  far__table_column(t, "us_work", "processor us/block", FAR__COLUMN_REAL);
  for (int k = 0; k < N_KINDS; ++k)
    for (int g = 0; g < N_GROUPS; ++g) add_row(t, kinds[k], groups[g], &r->of[k][g]);
}

static void write_json(const void *of, far__json *j) {
  const results *r = of;
  for (int k = 0; k < N_KINDS; ++k)
    for (int g = 0; g < N_GROUPS; ++g) {
      const rate *x = &r->of[k][g];
      far__json_object(j, NULL);
      far__json_integer(j, "runs", RUNS);
      far__json_integer(j, "numbers", RUNS * (k ? CURVE + 1 : 1));
      far__json_integer(j, "group", (uint64_t)groups[g]);
      far__json_real(j, "commits", x->commits);
      far__json_real(j, "blocks", x->blocks);
      far__json_real(j, "bytes", x->bytes);
      far__json_real(j, "us_work", 1e6 * x->work);
      far__json_end(j);
    }
}

int measure_store(measured *out, const char *folder) {
  static const char *const suffixes[] = {"", "-wal", "-shm"};
  char path[4096], beside[4200];
  results *r = room_for(1, sizeof *r);
  far_error error;
  *out = (measured){add_table, write_json, r};
  snprintf(path, sizeof path, "%.4000s/farsight-bench-%ld.db", folder, (long)getpid());
  catch_interrupts();
  const far_status status = measure_all(r->of, path, &error);
  for (int i = 0; i < 3; ++i) {
    snprintf(beside, sizeof beside, "%s%s", path, suffixes[i]);
    unlink(beside);
  }
  if (status != FAR_OK) return run_error(&error);
  return interrupted() ? interrupted_code() : EXIT_OK;
}
