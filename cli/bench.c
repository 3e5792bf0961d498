/* farsight bench: nanoseconds a step, beside hand-fused loops in the same run. */
#include "bench.h"
#include "json.h"
#include "table.h"

#include <math.h>
#include <string.h>

#include "../bench/chain_loops.h"

enum { STEPS = 10000, RUNS = 30, POINTS = 100 };

static const option_info options[] = {
    {0, "repeats", "N", "how often each is measured; the best counts (default 15)", COMPLETE_NONE},
    {0, "threads", "N", "ranks: threads (of each rank; default as in run)", COMPLETE_NONE},
    {0, "seconds", "S", "ranks: work of the batch, for each thread (default 3)", COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

typedef struct timing {
  double ours, curve, hooks, hand; /* nanoseconds a step, the best so far */
} timing;

static void keep_best(double *best, double seconds) {
  *best = fmin(*best, seconds * 1e9 / STEPS / RUNS);
}

/* The library on one thread; totals go to `out`. */
static far_status time_library(const far_cell *cell, bool generic, double *best, double *out,
                               far_error *error) {
  far_batch_def def = far_batch_def_default();
  def.cells = cell;
  def.n_cells = 1;
  def.runs = RUNS;
  def.threads = 1;
  def.generic = generic;
  far_batch *batch;
  const far_status status = far_batch_run(&batch, &def, error);
  if (status != FAR_OK) return status;
  const far_result *result = far_batch_result(batch, 0);
  keep_best(best, result->seconds);
  for (int i = 0; i < RUNS; ++i) out[i] = result->totals[i];
  far_batch_free(batch);
  return FAR_OK;
}

static void time_worker(const bench_loop *loop, int n, double *best, double *out) {
  const double begun = far_clock_thread();
  for (int i = 0; i < RUNS; ++i) out[i] = loop->run(n, STEPS, 1, (uint64_t)i);
  keep_best(best, far_clock_thread() - begun);
}

/* All in turn, so that a noisy moment hits them alike. */
static int measure(const bench_loop *loop, const far_mdp *mdp, int n, int64_t repeats,
                   timing *out) {
  const far_cell cell = {.mdp = mdp, .agent = loop->agent, .steps = STEPS};
  far_cell curved = cell;
  int64_t points[POINTS];
  for (int k = 0; k < POINTS; ++k) points[k] = (k + 1) * (STEPS / POINTS);
  curved.checkpoints = points;
  curved.n_checkpoints = POINTS;
  double fused[RUNS], curve[RUNS], hooks[RUNS], hand[RUNS];
  far_error error;
  *out = (timing){INFINITY, INFINITY, INFINITY, INFINITY};
  for (int64_t k = 0; k < repeats; ++k) {
    if (time_library(&cell, false, &out->ours, fused, &error) != FAR_OK ||
        time_library(&curved, false, &out->curve, curve, &error) != FAR_OK ||
        time_library(&cell, true, &out->hooks, hooks, &error) != FAR_OK)
      return run_error(&error);
    time_worker(loop, n, &out->hand, hand);
    for (int i = 0; i < RUNS; ++i) {
      if (fused[i] == hand[i] && curve[i] == hand[i] && hooks[i] == hand[i]) continue;
      complain("%s on %s: run %d gives %.17g fused, %.17g by hooks, %.17g by hand", loop->agent,
               far_mdp_spec(mdp), i, fused[i], hooks[i], hand[i]);
      return EXIT_FAILED;
    }
  }
  return EXIT_OK;
}

static const int sizes[] = {10, 50};

enum { N_SIZES = sizeof sizes / sizeof *sizes, MOST_LOOPS = 8 };

typedef struct results {
  timing of[N_SIZES][MOST_LOOPS];
} results;

static int measure_all(int64_t repeats, results *out) {
  for (size_t i = 0; i < N_SIZES; ++i) {
    far_mdp *mdp;
    far_error error;
    char env[32];
    snprintf(env, sizeof env, "chain:n=%d", sizes[i]);
    if (far_mdp_create(&mdp, env, &error) != FAR_OK) return run_error(&error);
    int code = EXIT_OK;
    for (size_t k = 0; code == EXIT_OK && bench_loops[k].name != NULL && k < MOST_LOOPS; ++k)
      code = measure(&bench_loops[k], mdp, sizes[i], repeats, &out->of[i][k]);
    far_mdp_free(mdp);
    if (code != EXIT_OK) return code;
  }
  return EXIT_OK;
}

static void print_json(const results *r) {
  char separator = '[';
  for (size_t i = 0; i < N_SIZES; ++i)
    for (size_t k = 0; bench_loops[k].name != NULL && k < MOST_LOOPS; ++k) {
      const timing t = r->of[i][k];
      printf("%c\n  {\"agent\":", separator);
      json_write_string(stdout, bench_loops[k].agent);
      printf(",\"n\":%d,\"ns_fused\":%.3f,\"ns_curve\":%.3f,\"ns_hooks\":%.3f,\"ns_hand\":%.3f,"
             "\"ratio\":%.3f,\"ratio_curve\":%.3f}",
             sizes[i], t.ours, t.curve, t.hooks, t.hand, t.ours / t.hand, t.curve / t.ours);
      separator = ',';
    }
  printf("\n]\n");
}

static void print_table(const results *r) {
  static const char *const heads[] = {"agent",        "chain",        "fused ns/step",
                                      "by hand",      "fused / hand", "with curve / fused",
                                      "through hooks"};
  table t = table_create("lrrrrrr");
  table_row(&t);
  for (size_t c = 0; c < 7; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t i = 0; i < N_SIZES; ++i)
    for (size_t k = 0; bench_loops[k].name != NULL && k < MOST_LOOPS; ++k) {
      const timing best = r->of[i][k];
      table_row(&t);
      table_cell(&t, 0, "%s", bench_loops[k].name);
      table_cell(&t, 1, "N = %d", sizes[i]);
      table_cell(&t, 2, "%.2f", best.ours);
      table_cell(&t, 3, "%.2f", best.hand);
      table_cell(&t, 4, "%.2f", best.ours / best.hand);
      table_cell(&t, 5, "%.2f", best.curve / best.ours);
      table_cell(&t, 6, "%.2f", best.hooks);
    }
  table_print(&t, 2);
}

static int bench_agents(const arguments *args, int64_t repeats) {
  results r;
  const int code = measure_all(repeats, &r);
  if (code != EXIT_OK) return code;
  if (args_flag(args, "json"))
    print_json(&r);
  else
    print_table(&r);
  return EXIT_OK;
}

/* Without a word: both for people, the agents for machines. */
static int run(const arguments *args) {
  int64_t repeats = 15;
  const char *what = args_word(args, 0);
  const bool solver = what != NULL && strcmp(what, "solve") == 0;
  const bool store = what != NULL && strcmp(what, "store") == 0;
  if (!store && args_word(args, 1) != NULL)
    return usage_error(args, "unexpected argument '%s'", args_word(args, 1));
  if (what != NULL && strcmp(what, "ranks") == 0) return bench_ranks(args);
  if (what != NULL && !solver && !store && strcmp(what, "agents") != 0)
    return usage_error(
        args, "there is no '%s' to measure; there are agents, solve, store and ranks", what);
  if (!args_integer(args, "repeats", 1, 100000, &repeats)) return EXIT_USAGE;
  if (solver) return bench_solver(args, repeats, true);
  if (store) return bench_store(args, args_word(args, 1) != NULL ? args_word(args, 1) : ".");
  const int code = bench_agents(args, repeats);
  if (code != EXIT_OK || what != NULL || args_flag(args, "json")) return code;
  printf("\n");
  return bench_solver(args, repeats, false);
}

const command cmd_bench = {
    .name = "bench",
    .synopsis = "[agents|solve|store [FOLDER]|ranks] [OPTIONS]",
    .summary = "Measure agents and solver on this machine, beside loops written by hand",
    .details =
        "One thread, processor time, the best of several repeats. 'fused' is the library's fast\n"
        "path, 'by hand' a loop written out for this chain and these parameters, 'with curve'\n"
        "the fast path that notes the reward at 100 checkpoints, 'through hooks' the path that\n"
        "serves every algorithm. All must give the same rewards to the last bit before a time\n"
        "is printed. The solver is timed from a laid-out model to\n"
        "certified values, q and policy; the loop by hand, which knows the shape of the model,\n"
        "to the values. Their values must agree. 'store' measures how many blocks of results a\n"
        "second a store in FOLDER (here) commits to the disk: wall time, some seconds. 'ranks'\n"
        "measures handing out blocks of work: to threads, or under mpirun to all ranks.\n",
    .examples = "  farsight bench\n"
                "  farsight bench solve --repeats 5\n"
                "  farsight bench store /scratch\n"
                "  mpirun -n 4 farsight bench ranks\n",
    .words = "agents solve store ranks",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
