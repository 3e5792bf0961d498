/* The store's part of farsight bench: how many blocks a second it commits, every commit flushed to the
 * disk. What it can take bounds how many processors may feed it. */
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "memory.h"
#include "table.h"

enum { RUNS = 64, CURVE = 100 }; /* of a block */

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
  const double begun = far_clock_seconds(), worked = far_clock_thread();
  double seconds = 0;
  int64_t commits = 0;
  far_status status = FAR_OK;
  while (status == FAR_OK && seconds < 1 && !interrupted()) {
    for (int i = 0; i < group; ++i)
      blocks[i] = (far_block){.first = RUNS * (*next)++, .runs = RUNS, .values = values};
    status = far_keeper_keep(keeper, blocks, (size_t)group, error);
    commits += 1;
    seconds = far_clock_seconds() - begun;
  }
  out->commits = (double)commits / seconds;
  out->blocks = out->commits * group;
  out->work = (far_clock_thread() - worked) / (double)(commits * group);
  out->bytes = out->blocks * RUNS * (double)width * 8;
  return status;
}

/* Blocks of totals, or with a curve as well. */
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

static void print_rates(rate of[N_KINDS][N_GROUPS], bool json) {
  static const char *const heads[] = {"block",    "in a commit", "commits/s",
                                      "blocks/s", "MB/s",        "processor us/block"};
  static const char *const kinds[] = {"64 totals", "and a curve of 100"};
  table t = table_create("lrrrrr");
  table_row(&t);
  for (size_t c = 0; c < 6; ++c) table_cell(&t, c, "%s", heads[c]);
  for (int k = 0; k < N_KINDS; ++k)
    for (int g = 0; g < N_GROUPS; ++g) {
      const rate r = of[k][g];
      if (json)
        printf("%s\n  {\"runs\":%d,\"numbers\":%d,\"group\":%d,\"commits\":%.1f,\"blocks\":%.1f,"
               "\"bytes\":%.0f,\"us_work\":%.2f}",
               k + g ? "," : "[", RUNS, RUNS * (k ? CURVE + 1 : 1), groups[g], r.commits, r.blocks,
               r.bytes, 1e6 * r.work);
      table_row(&t);
      table_cell(&t, 0, "%s", kinds[k]);
      table_cell(&t, 1, "%d", groups[g]);
      table_cell(&t, 2, "%.0f", r.commits);
      table_cell(&t, 3, "%.0f", r.blocks);
      table_cell(&t, 4, "%.2f", 1e-6 * r.bytes);
      table_cell(&t, 5, "%.1f", 1e6 * r.work);
    }
  if (json)
    printf("\n]\n");
  else
    table_print(&t, 2);
  if (json) free(t.cells);
}

int bench_store(const arguments *args, const char *folder) {
  char path[4096], beside[4200];
  rate of[N_KINDS][N_GROUPS] = {{{0}}};
  far_error error;
  snprintf(path, sizeof path, "%.4000s/farsight-bench-%ld.db", folder, (long)getpid());
  catch_interrupts();
  const far_status status = measure_all(of, path, &error);
  static const char *const suffixes[] = {"", "-wal", "-shm"};
  for (int i = 0; i < 3; ++i) {
    snprintf(beside, sizeof beside, "%s%s", path, suffixes[i]);
    unlink(beside);
  }
  if (status != FAR_OK) return run_error(&error);
  if (interrupted()) return interrupted_code();
  print_rates(of, args_flag(args, "json"));
  return EXIT_OK;
}
