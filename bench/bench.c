/* farsight-bench: how fast this machine is, beside hand-written loops in the same run. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/picture.h"
#include "cli/roff.h"

const char program_name[] = "farsight-bench";

static const option_info options[] = {
    {0, "repeats", "N",
     "how often each is measured; the best counts (default 15; scale: fewer and shorter)",
     COMPLETE_NONE},
    {0, "threads", "N", "ranks: threads (of each rank; default as in run)", COMPLETE_NONE},
    {0, "seconds", "S",
     "ranks: seconds of work of a thread (default 3); scale, loads: limit (default 300)",
     COMPLETE_NONE},
    {0, "max-pairs", "N", "device, scale, loads: leave out larger models (default: none)",
     COMPLETE_NONE},
    {0, "memory", "GB", "scale, loads: memory to use at most (default: half of what is free)",
     COMPLETE_NONE},
    PLOT_OPTION,
    FORMAT_OPTIONS_WITH("only the array of --format json"),
};

int print_measured(const arguments *args, const measured *of, size_t count) {
  far_report_format format;
  far__json json;
  if (!report_format(args, &format)) return EXIT_USAGE;
  if (args_flag(args, "json")) {
    far__json_begin(&json, far_sink_file(stdout));
    far__json_array(&json, NULL);
    of[0].write(of[0].of, &json);
    far__json_end(&json);
    printf("\n");
    return EXIT_OK;
  }
  far_report *report = new_report(args);
  for (size_t i = 0; i < count; ++i) of[i].add(of[i].of, report);
  return print_report(args, report);
}

/* ---- the parts ---- */

enum { MOST_MEASURED = 3 };

typedef struct measuring {
  const arguments *args;
  int64_t repeats;
  bool alone; /* with --json only the first measurement is printed */
  measured of[MOST_MEASURED];
  size_t count;
} measuring;

static int part_agents(measuring *m) {
  return measure_agents(&m->of[m->count++], m->repeats);
}

static int part_lanes(measuring *m) {
  return measure_lanes(&m->of[m->count++], m->repeats);
}

static int part_plans(measuring *m) {
  return measure_plans(&m->of[m->count++], m->repeats);
}

static int part_files(measuring *m) {
  return measure_files(&m->of[m->count++], m->repeats);
}

static int part_solve(measuring *m) {
  int code = measure_solver(&m->of[m->count++], m->repeats, true);
  if (code == EXIT_OK && !m->alone) code = measure_bandwidth(&m->of[m->count++], m->repeats);
  if (code == EXIT_OK && !m->alone)
    code = measure_device(&m->of[m->count++], m->repeats, INT64_MAX, false);
  return code;
}

static int part_device(measuring *m) {
  int64_t pairs = INT64_MAX;
  if (!args_integer(m->args, "max-pairs", 1, pairs, &pairs)) return EXIT_USAGE;
  return measure_device(&m->of[m->count++], m->repeats, pairs, true);
}

static int part_store(measuring *m) {
  const char *folder = args_word(m->args, 1);
  return measure_store(&m->of[m->count++], folder != NULL ? folder : ".");
}

static int part_ranks(measuring *m) {
  return bench_ranks(m->args);
}

static int part_scale(measuring *m) {
  return bench_scale(m->args, m->repeats);
}

static int part_loads(measuring *m) {
  return bench_loads(m->args);
}

static int part_none(measuring *m) {
  const int code = part_agents(m);
  return code == EXIT_OK && !m->alone ? measure_solver(&m->of[m->count++], m->repeats, false)
                                      : code;
}

/* A part that adds no measurement to `measuring` has printed its results itself. */
static const struct {
  const char *name;
  int (*measure)(measuring *m);
  bool in_folder; /* takes a FOLDER */
} parts[] = {{"agents", part_agents, false}, {"lanes", part_lanes, false},
             {"plans", part_plans, false},   {"solve", part_solve, false},
             {"device", part_device, false}, {"files", part_files, false},
             {"store", part_store, true},    {"ranks", part_ranks, false},
             {"scale", part_scale, false},   {"loads", part_loads, true}};

enum { N_PARTS = sizeof parts / sizeof *parts };

#define PARTS "agents lanes plans solve device files store ranks scale loads"

static int measure(const arguments *args, int (*part)(measuring *), int64_t repeats) {
  measuring m = {.args = args, .repeats = repeats, .alone = args_flag(args, "json")};
  int code = part(&m);
  if (code == EXIT_OK && m.count > 0) code = print_measured(args, m.of, m.count);
  for (size_t i = 0; i < m.count; ++i) free((void *)m.of[i].of);
  return code;
}

static int run(const arguments *args) {
  int64_t repeats = 15;
  const char *what = args_word(args, 0), *folder = args_word(args, 1);
  far_report_format format;
  size_t i = 0;
  while (what != NULL && i < N_PARTS && strcmp(parts[i].name, what) != 0) ++i;
  if (i == N_PARTS) return usage_error(args, "there is no '%s' to measure; there are " PARTS, what);
  if (folder != NULL && !parts[i].in_folder)
    return usage_error(args, "unexpected argument '%s'", folder);
  if (!args_integer(args, "repeats", 1, 100000, &repeats) || !report_format(args, &format))
    return EXIT_USAGE;
  return measure(args, what != NULL ? parts[i].measure : part_none, repeats);
}

static const command cmd_bench = {
    .name = "bench",
    .synopsis = "[PART [FOLDER]] [OPTIONS]",
    .summary = "Measure speed on this machine, beside hand-written loops",
    .details =
        "PART is one of\n"
        "  agents  a step of the agents beside hand-written loops\n"
        "  lanes   runs that a thread computes side by side, beside one after the other\n"
        "  plans   agents that learn a model, in units of a step of Q-learning\n"
        "  solve   certified values beside a hand-written loop; a sweep beside a copy\n"
        "  device  sweeps of 10^6 to 10^8 outcomes on a GPU beside a copy there\n"
        "  files   numbers as text, SHA-256 and model files\n"
        "  store   blocks of results a second that a store in FOLDER (here) takes\n"
        "  ranks   handing out blocks: to threads, or under mpirun to all ranks\n"
        "  scale   a step and the bytes of a pair, 100 to 100,000,000 pairs\n"
        "  loads   loading of model files, 1,000 to 10,000,000 outcomes, in FOLDER\n"
        "Without one, the agents and the solver are measured.\n"
        "\n"
        "One thread, processor time, the best of several repeats; store, ranks, device and a\n"
        "sweep by all threads are measured in wall time. Of the agents, 'fused' is the fast\n"
        "path for one run after the other, 'side by side' that for several in vector registers,\n"
        "'hand-written' a loop for this chain and these parameters alone, 'with curve' the\n"
        "fast path that notes the reward at 100 checkpoints, 'through hooks' the path that\n"
        "serves every algorithm. All must give the same rewards to the last bit before a time\n"
        "is printed. The solver is timed from a laid-out model to certified values, q and\n"
        "policy; the hand-written loop, which knows the shape of the model, to the values.\n"
        "'scale' measures each problem in a process of its own, by runs of two lengths, so that\n"
        "preparing the tables does not count; 'loads' removes what it wrote. What would take\n"
        "too much memory or time is left out and listed with the reason; --plot draws both.\n"
        "--json prints a bare array, of the agents if nothing is named; --format json a\n"
        "document. 'farsight-bench man' prints the manual page.\n",
    .examples = "  farsight-bench\n"
                "  farsight-bench lanes\n"
                "  farsight-bench solve --repeats 5\n"
                "  farsight-bench store /scratch\n"
                "  farsight-bench scale --max-pairs 1000000 --seconds 60 --plot scale.svg\n"
                "  mpirun -n 4 farsight-bench ranks\n",
    .words = PARTS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
    .is_program = true,
};

static void print_manual(void) {
  printf(".TH FARSIGHT\\-BENCH 1 \"\" \"farsight %s\" \"User Commands\"\n"
         ".SH NAME\nfarsight\\-bench \\- measure the speed of Farsight on this machine\n"
         ".SH SYNOPSIS\n.B farsight\\-bench\n",
         far_version());
  print_roff(cmd_bench.synopsis);
  printf("\n.SH DESCRIPTION\n");
  print_command_page(&cmd_bench);
  printf(".SH SEE ALSO\n.BR farsight (1)\n");
}

int dispatch(int argc, char **argv) {
  const char *first = argc > 1 ? argv[1] : "";
  if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0)
    print_version();
  else if (argc == 2 && strcmp(first, "man") == 0)
    print_manual();
  else
    return run_command(&cmd_bench, argc, argv, 1);
  return EXIT_OK;
}
