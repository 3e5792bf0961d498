/* farsight-bench ranks: the overhead of handing blocks to workers. Under mpirun the workers are the ranks of the
 * job, otherwise the threads of this process. */
#include "bench/bench.h"

#include <stdlib.h>

#include "cli/ranks.h"
#include "base/clock.h"
#include "base/json.h"
#include "report/build.h"

enum { BLOCKS = 20000, TRIPS = 500, SIZES = 3 };

static const size_t widths[SIZES] = {1, 128, 1024}; /* numbers in a block */

/* Measured with blocks of one short run, so that almost all of the time is the transport's. */
typedef struct transport {
  double blocks_a_second;
  double micros; /* microseconds of processor time of the calling thread a block */
  double messages, bytes;
  double naps;
} transport;

typedef struct bench {
  size_t ranks, workers;
  double round_trip; /* seconds of a block there and back, while no other is out */
  transport of[SIZES];
  double steps_a_second, busy, block_seconds, seconds;
} bench;

/* ---- blocks there and back, without a batch ---- */

static far_status take_one(far_pool *pool, bool *got, double seconds, far_error *error) {
  far_block block = {0};
  const far_status status = pool->take(pool, &block, got, seconds, error);
  if (status == FAR_OK && *got) free((double *)block.values);
  return status;
}

/* Hands out `count` blocks of one run and takes them back, with at most `most` out at once. */
static far_status pass_blocks(far_pool *pool, int64_t count, int64_t most, far_error *error) {
  far_status status = FAR_OK;
  int64_t given = 0, taken = 0;
  while (status == FAR_OK && taken < count) {
    while (status == FAR_OK && given < count && given - taken < most && pool->room(pool) > 0) {
      const far_block block = {.first = given++, .runs = 1};
      status = pool->give(pool, &block, error);
    }
    bool got = true;
    for (double wait = 0.1; status == FAR_OK && got && taken < given; wait = 0) {
      status = take_one(pool, &got, wait, error);
      taken += got;
    }
  }
  return status;
}

static far_status time_blocks(transport *out, far_pool *pool, far_error *error) {
  const far_traffic before = traffic_of_ranks();
  const double begun = far__clock_seconds(), cpu = far__clock_thread();
  const far_status status = pass_blocks(pool, BLOCKS, BLOCKS, error);
  const far_traffic after = traffic_of_ranks();
  *out =
      (transport){.blocks_a_second = BLOCKS / (far__clock_seconds() - begun),
                  .micros = 1e6 * (far__clock_thread() - cpu) / BLOCKS,
                  .messages = (double)(after.sent + after.received - before.sent - before.received),
                  .bytes = (double)(after.bytes_sent + after.bytes_received - before.bytes_sent -
                                    before.bytes_received),
                  .naps = (double)(after.naps - before.naps)};
  return status;
}

static far_status measure_transport(bench *b, size_t i, far_pool *pool, const far_mdp *mdp,
                                    unsigned threads, far_error *error) {
  int64_t checkpoints[1024];
  const size_t n = widths[i] - 1;
  for (size_t k = 0; k < n; ++k) checkpoints[k] = (int64_t)k + 1;
  const far_cell cell = {.mdp = mdp,
                         .agent = "q-learning",
                         .steps = (int64_t)n + 1,
                         .checkpoints = checkpoints,
                         .n_checkpoints = n,
                         .runs = BLOCKS};
  const far_batch_def def = {.cells = &cell,
                             .n_cells = 1,
                             .runs = BLOCKS,
                             .seed = 1,
                             .threads = threads,
                             .progress = show_progress};
  far_status status = pool->begin(pool, &def, error);
  if (status != FAR_OK) return status;
  b->workers = pool->workers(pool);
  status = pass_blocks(pool, 4 * (int64_t)b->workers, INT64_MAX, error);
  if (status == FAR_OK && i == 0) {
    const double begun = far__clock_seconds();
    status = pass_blocks(pool, TRIPS, 1, error);
    b->round_trip = (far__clock_seconds() - begun) / TRIPS;
  }
  if (status == FAR_OK) status = time_blocks(&b->of[i], pool, error);
  pool->end(pool);
  return status;
}

/* ---- a batch ---- */

static far_status count_blocks(void *user, const far_block *blocks, size_t count,
                               far_error *error) {
  (void)blocks;
  (void)error;
  *(size_t *)user += count;
  return FAR_OK;
}

/* Runs a batch of about `seconds` of work for each worker. */
static far_status measure_batch(bench *b, far_pool *pool, const far_mdp *mdp, unsigned threads,
                                double seconds, far_error *error) {
  const far_cell cell = {.mdp = mdp, .agent = "delayed-q", .steps = 10000};
  size_t blocks = 0;
  far_batch_def def = {.cells = &cell,
                       .n_cells = 1,
                       .runs = 300 * (int64_t)b->workers,
                       .seed = 1,
                       .threads = threads,
                       .pool = pool,
                       .progress = show_progress,
                       .keep = count_blocks,
                       .keep_user = &blocks};
  for (int pass = 0; pass < 2; ++pass) { /* the first pass measures how long a run takes */
    far_batch *batch;
    blocks = 0;
    const double begun = far__clock_seconds();
    const far_status status = far_batch_run(&batch, &def, error);
    if (status != FAR_OK) {
      far_batch_free(batch);
      return status;
    }
    const double took = far__clock_seconds() - begun, work = far_batch_result(batch, 0)->seconds;
    b->steps_a_second = (double)def.runs * (double)cell.steps / took;
    b->busy = work / took / (double)b->workers;
    b->block_seconds = work / (double)blocks;
    b->seconds = took;
    def.runs = 1 + (int64_t)(seconds * (double)b->workers * (double)def.runs / work);
    far_batch_free(batch);
  }
  return FAR_OK;
}

/* ---- printing ---- */

static void write_data(const void *user, far__json *j) {
  const bench *b = user;
  far__json_integer(j, "ranks", b->ranks);
  far__json_integer(j, "workers", b->workers);
  far__json_real(j, "steps_a_second", b->steps_a_second);
  far__json_real(j, "busy", b->busy);
  far__json_real(j, "seconds", b->seconds);
  far__json_real(j, "block_seconds", b->block_seconds);
  far__json_real(j, "round_trip", b->round_trip);
  far__json_array(j, "transport");
  for (size_t i = 0; i < SIZES; ++i) {
    const transport *t = &b->of[i];
    far__json_object(j, NULL);
    far__json_integer(j, "numbers", widths[i]);
    far__json_real(j, "blocks_a_second", t->blocks_a_second);
    far__json_real(j, "micros", t->micros);
    far__json_real(j, "messages", t->messages);
    far__json_real(j, "bytes", t->bytes);
    far__json_real(j, "naps", t->naps);
    far__json_end(j);
  }
  far__json_end(j);
}

static void add_table(far_report *report, const bench *b) {
  far_table *t = far__report_table(report, "transport");
  far__table_column(t, "numbers", "numbers", FAR__COLUMN_COUNT);
  far__table_column(t, "blocks_a_second", "blocks/s", FAR__COLUMN_REAL);
  far__table_column(t, "micros", "µs of rank 0", FAR__COLUMN_REAL);
  far__table_column(t, "messages", "messages", FAR__COLUMN_COUNT);
  far__table_column(t, "bytes", "bytes", FAR__COLUMN_COUNT);
  far__table_column(t, "naps", "naps", FAR__COLUMN_COUNT);
  for (size_t i = 0; i < SIZES; ++i) {
    far__table_row(t);
    far__table_count(t, (int64_t)widths[i]);
    far__table_real_as(t, b->of[i].blocks_a_second, "%.0f", b->of[i].blocks_a_second);
    far__table_real_as(t, b->of[i].micros, "%.2f", b->of[i].micros);
    far__table_count(t, (int64_t)b->of[i].messages);
    far__table_count(t, (int64_t)b->of[i].bytes);
    far__table_count(t, (int64_t)b->of[i].naps);
  }
}

static int print(const arguments *args, const bench *b) {
  far_report *report = new_report(args);
  far__report_data_by(report, write_data, b);
  far__report_list(report, "%zu ranks, %zu workers", b->ranks, b->workers);
  far__report_item(
      report, "A batch of %.1f s: %.1f million steps/s, workers busy %.1f%%, blocks of %.1f ms",
      b->seconds, 1e-6 * b->steps_a_second, 100 * b->busy, 1e3 * b->block_seconds);
  far__report_item(report, "A block there and back, alone: %.0f µs", 1e6 * b->round_trip);
  far__report_heading(
      report, 2, "%d blocks of one run, as fast as possible, by the numbers that each brings back",
      BLOCKS);
  add_table(report, b);
  return print_report(args, report);
}

static far_status measure(bench *b, far_pool *pool, unsigned threads, double seconds,
                          far_error *error) {
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, "chain:n=10", error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; status == FAR_OK && i < SIZES; ++i)
    status = measure_transport(b, i, pool, mdp, threads, error);
  if (status == FAR_OK) status = measure_batch(b, pool, mdp, threads, seconds, error);
  far_mdp_free(mdp);
  return status;
}

int bench_ranks(const arguments *args) {
  int64_t threads = 0;
  double seconds = 3;
  far_error error;
  far_pool *own = NULL;
  if (!args_integer(args, "threads", 1, 1024, &threads) || !args_real(args, "seconds", &seconds))
    return EXIT_USAGE;
  if (!(seconds > 0 && seconds < 1e6)) return usage_error(args, "--seconds: must be above 0");
  far_pool *pool = all_ranks();
  if (pool == NULL && far_pool_create(&own, (unsigned)threads, &error) != FAR_OK)
    return run_error(&error);
  bench b = {.ranks = (size_t)count_ranks()};
  catch_interrupts();
  const far_status status =
      measure(&b, pool != NULL ? pool : own, (unsigned)threads, seconds, &error);
  far_pool_free(own);
  if (status == FAR_STATUS_CANCELLED) return interrupted_code();
  if (status != FAR_OK) return run_error(&error);
  return print(args, &b);
}
