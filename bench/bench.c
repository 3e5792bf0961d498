/* farsight bench: how fast this machine is, beside hand-written loops in the same run. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "cli/picture.h"

static const option_info options[] = {
    {0, "repeats", "N",
     "how often each is measured; the best counts (default 15); scale: less, shorter",
     COMPLETE_NONE},
    {0, "threads", "N", "ranks: threads (of each rank; default as in run)", COMPLETE_NONE},
    {0, "seconds", "S", "ranks: work of a thread (default 3); scale, loads: limit (default 300)",
     COMPLETE_NONE},
    {0, "max-pairs", "N", "device, scale, loads: leave out larger models", COMPLETE_NONE},
    {0, "memory", "GB", "scale, loads: most memory (default half of what is free)", COMPLETE_NONE},
    PLOT_OPTION,
    FORMAT_OPTIONS,
};

int print_measured(const arguments *args, const measured *of, size_t count) {
  far_report_format format;
  far_json json;
  if (!report_format(args, &format)) return EXIT_USAGE;
  if (args_flag(args, "json")) {
    far_json_begin(&json, far_sink_file(stdout));
    far_json_array(&json, NULL);
    of[0].write(of[0].of, &json);
    far_json_end(&json);
    printf("\n");
    return EXIT_OK;
  }
  far_report *report = new_report(args);
  for (size_t i = 0; i < count; ++i) of[i].add(of[i].of, report);
  return print_report(args, report);
}

/* Without a word: both for people, the agents for programs that read JSON. */
static int measure_both(measured *out, size_t *count, const arguments *args, int64_t repeats) {
  *count = args_flag(args, "json") ? 1 : 2;
  const int code = measure_agents(&out[0], repeats);
  return code == EXIT_OK && *count == 2 ? measure_solver(&out[1], repeats, false) : code;
}

static int measure_solvers(measured *out, size_t *count, const arguments *args, int64_t repeats) {
  *count = args_flag(args, "json") ? 1 : 3;
  int code = measure_solver(&out[0], repeats, true);
  if (code == EXIT_OK && *count > 1) code = measure_bandwidth(&out[1], repeats);
  if (code == EXIT_OK && *count > 1) code = measure_device(&out[2], repeats, INT64_MAX, false);
  return code;
}

static int measure(const arguments *args, const char *what, int64_t repeats) {
  const char *folder = args_word(args, 1) != NULL ? args_word(args, 1) : ".";
  measured of[3] = {{0}};
  size_t count = 1;
  int64_t pairs = INT64_MAX;
  if (!args_integer(args, "max-pairs", 1, pairs, &pairs)) return EXIT_USAGE;
  int code = what == NULL                  ? measure_both(of, &count, args, repeats)
             : strcmp(what, "solve") == 0  ? measure_solvers(of, &count, args, repeats)
             : strcmp(what, "device") == 0 ? measure_device(of, repeats, pairs, true)
             : strcmp(what, "store") == 0  ? measure_store(of, folder)
             : strcmp(what, "plans") == 0  ? measure_plans(of, repeats)
             : strcmp(what, "lanes") == 0  ? measure_lanes(of, repeats)
             : strcmp(what, "files") == 0  ? measure_files(of, repeats)
                                           : measure_agents(of, repeats);
  if (code == EXIT_OK) code = print_measured(args, of, count);
  for (size_t i = 0; i < 3; ++i) free((void *)of[i].of);
  return code;
}

static int run(const arguments *args) {
  static const char *const known[] = {"agents", "lanes", "plans", "solve", "device",
                                      "files",  "store", "ranks", "scale", "loads"};
  enum { N_KNOWN = sizeof known / sizeof *known };
  int64_t repeats = 15;
  const char *what = args_word(args, 0);
  far_report_format format;
  size_t i = 0;
  while (what != NULL && i < N_KNOWN && strcmp(known[i], what) != 0) ++i;
  if (i == N_KNOWN)
    return usage_error(
        args,
        "there is no '%s' to measure; there are agents, lanes, plans, solve, device, "
        "files, store, ranks, scale and loads",
        what);
  if (what != NULL && args_word(args, 1) != NULL && strcmp(what, "store") != 0 &&
      strcmp(what, "loads") != 0)
    return usage_error(args, "unexpected argument '%s'", args_word(args, 1));
  if (!args_integer(args, "repeats", 1, 100000, &repeats) || !report_format(args, &format))
    return EXIT_USAGE;
  if (what != NULL && strcmp(what, "ranks") == 0) return bench_ranks(args);
  if (what != NULL && strcmp(what, "scale") == 0) return bench_scale(args, repeats);
  if (what != NULL && strcmp(what, "loads") == 0) return bench_loads(args);
  return measure(args, what, repeats);
}

const command cmd_bench = {
    .name = "bench",
    .synopsis = "[PART [FOLDER]] [OPTIONS]",
    .summary = "Measure speed on this machine, beside hand-written loops",
    .details =
        "PART is agents, lanes, plans, solve, device, files, store, ranks, scale or loads; "
        "without\n"
        "one, the agents and the solver are measured.\n"
        "\n"
        "One thread, processor time, the best of several repeats. 'fused' is the library's fast\n"
        "path for one run after the other, 'side by side' that for several in vector registers,\n"
        "'hand-written' a loop for this chain and these parameters alone, 'with curve' the\n"
        "fast path that notes the reward at 100 checkpoints, 'through hooks' the path that\n"
        "serves every algorithm. All must give the same rewards to the last bit before a time\n"
        "is printed. The solver is timed from a laid-out model to\n"
        "certified values, q and policy; the hand-written loop, which knows the shape of the "
        "model,\n"
        "to the values. Their values must agree. 'solve' also times a sweep of a million states\n"
        "by all threads beside a copy of memory (wall time), and where there is a GPU what\n"
        "'device' measures: sweeps of 10^6 to 10^8 outcomes on it, with the bits of the\n"
        "processors' sweeps, beside a copy of its memory. 'files' measures reading and\n"
        "writing: numbers, beside the C library's conversions; SHA-256, beside plain C; model\n"
        "files. 'lanes' measures runs that a thread computes side by side, as it does where that\n"
        "is faster, beside the same runs one after the other; their rewards must be the same.\n"
        "'plans' measures a step of the agents that learn a model, in units of a step of\n"
        "Q-learning on the same problem. 'store' measures how many blocks of results a\n"
        "second a store in FOLDER (here) commits to the disk: wall time, some seconds. 'ranks'\n"
        "measures handing out blocks of work: to threads, or under mpirun to all ranks. 'scale'\n"
        "measures a step and the bytes of a pair from 100 to 100,000,000 pairs and from 2 to "
        "1,000\n"
        "actions, each problem in a process of its own; a step is measured by runs of two\n"
        "lengths, so that preparing the tables does not count. 'loads' measures loading of model\n"
        "files of 1,000 to 10,000,000 outcomes, written to FOLDER and removed. What would take\n"
        "too much memory or time is left out and listed with the reason. --plot draws both. "
        "--json\n"
        "prints a bare array, of the agents if nothing is named; --format json a document.\n",
    .examples = "  farsight bench\n"
                "  farsight bench lanes\n"
                "  farsight bench plans\n"
                "  farsight bench solve --repeats 5\n"
                "  farsight bench files\n"
                "  farsight bench store /scratch\n"
                "  farsight bench scale --max-pairs 1000000 --seconds 60 --plot scale.svg\n"
                "  farsight bench loads /scratch\n"
                "  mpirun -n 4 farsight bench ranks\n",
    .words = "agents lanes plans solve device files store ranks scale loads",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
