/* farsight benchmark: agents on a frozen suite of problems. */
#include <farsight/lab.h>

#include "batch_output.h"
#include "output.h"
#include "picture.h"
#include "process.h"
#include "questions/benchmark/benchmark.h"
#include "store_open.h"

static const option_info options[] = {
    {'a', "agent", "SPEC", "an agent; may be repeated (default: all that learn)", COMPLETE_AGENT},
    {0, "tuning", NULL, "on the problems for tuning instead of those for judging", COMPLETE_NONE},
    {0, "suite", NULL, "print the problems, how hard they are and why; run nothing", COMPLETE_NONE},
    {0, "seed", "N",
     "seed of all random streams, to check an entry with other ones (default: the suite's)",
     COMPLETE_NONE},
    {0, "store", "FILE", "keep results there, and compute only what it does not have",
     COMPLETE_NONE},
    {0, "long", NULL, "runs of 1,000,000 steps instead of 20,000, to see who is locked in",
     COMPLETE_NONE},
    SCORE_OPTION,
    {0, "runs", "N", "runs of every agent on every problem (default 20, with --long 5)",
     COMPLETE_NONE},
    {0, "threads", "N", "threads; the results do not depend on it (default: all processors)",
     COMPLETE_NONE},
    PLOT_OPTION,
    PROCESS_OPTIONS,
    FORMAT_OPTIONS,
};

enum { MOST_AGENTS = 200 };

static size_t list_agents(const char *out[MOST_AGENTS], const arguments *args) {
  size_t n = 0;
  for (; n < MOST_AGENTS && args_text(args, "agent", n) != NULL; ++n)
    out[n] = args_text(args, "agent", n);
  if (n > 0) return n;
  for (size_t i = 0; n < MOST_AGENTS && far_agent_type(i) != NULL; ++i) {
    const far_type_info *type = far_agent_type(i);
    if (!type->baseline && !type->bare) out[n++] = type->name;
  }
  return n;
}

static int run_suite(const arguments *args, far__benchmark_def *def) {
  far__benchmark *benchmark;
  far_error error;
  const far_status status = far__benchmark_run(&benchmark, def, &error);
  progress_end();
  if (status == FAR_STATUS_CANCELLED) {
    complain("stopped%s", def->store != NULL ? "; what is finished is in the store" : "");
    return interrupted_code();
  }
  if (status != FAR_OK)
    return exit_code_of(error.code) == EXIT_USAGE ? usage_error(args, "%s", error.message)
                                                  : run_error(&error);
  far_report *report = new_report(args);
  far__benchmark_report(benchmark, report);
  int code = print_report(args, report);
  if (code == EXIT_OK && args_flag(args, "plot")) {
    const far_plot_def how = far_plot_def_default();
    far_figure *figure;
    const far_status drawn = far__benchmark_figure(&figure, benchmark, &how, &error);
    code = save_plot(args, drawn, figure, &error);
  }
  if (code == EXIT_OK && far__benchmark_failed(benchmark) > 0) code = EXIT_FAILED;
  far__benchmark_free(benchmark);
  return code;
}

/* The suite is the same whatever is run on it; false after a usage error. */
static bool check_suite(const arguments *args) {
  static const char *const of_runs[] = {"agent",   "tuning",       "seed",   "store",
                                        "runs",    "long",         "score",  "plot",
                                        "threads", "answer-limit", "process"};
  for (size_t i = 0; args_flag(args, "suite") && i < sizeof of_runs / sizeof *of_runs; ++i)
    if (args_flag(args, of_runs[i])) {
      usage_error(args, "--suite prints all problems and runs nothing: leave out --%s", of_runs[i]);
      return false;
    }
  return true;
}

static int run(const arguments *args) {
  const char *agents[MOST_AGENTS], *path = args_last(args, "store");
  far__benchmark_def def = far__benchmark_def_default();
  far_report_format format;
  far_error error;
  int64_t threads = 0;
  if (!report_format(args, &format) || !plot_option(args) || !check_suite(args) ||
      !args_integer(args, "runs", 2, 1000000, &def.runs) ||
      !args_integer(args, "threads", 1, 4096, &threads) || !args_seed(args, "seed", &def.seed))
    return EXIT_USAGE;
  if (args_flag(args, "suite")) {
    far_report *report = new_report(args);
    if (far__benchmark_suite_report(report, &error) != FAR_OK) {
      far_report_free(report);
      return run_error(&error);
    }
    return print_report(args, report);
  }
  int code = score_option(args, &def.score);
  if (code == EXIT_OK && def.score != NULL && args_flag(args, "plot"))
    return usage_error(args,
                       "--plot draws scores of rewards, and --score ranks by a metric: give one");
  if (code == EXIT_OK) code = register_process(args);
  if (code != EXIT_OK) return code;
  def.threads = (unsigned)threads;
  def.agents = agents;
  def.n_agents = list_agents(agents, args);
  code = allow_processes(args, agents, def.n_agents, NULL);
  if (code != EXIT_OK) return code;
  def.tuning = args_flag(args, "tuning");
  def.long_runs = args_flag(args, "long");
  def.progress = show_progress;
  catch_interrupts();
  far_status status = FAR_OK;
  if (path != NULL) status = open_store(&def.store, path, FAR_STORE_WRITE, &error);
  if (def.store != NULL) status = far_store_command(def.store, command_line(), &error);
  code = status == FAR_OK ? run_suite(args, &def) : run_error(&error);
  close_store(def.store);
  return code;
}

const command cmd_benchmark = {
    .name = "benchmark",
    .synopsis = "[-a AGENT...] [OPTIONS]",
    .summary = "Judge agents on the benchmark: a frozen suite of problems",
    .details =
        "Runs agents on a versioned suite of 40 problems in three settings (continuing,\n"
        "episodic, finite horizon) and prints, of each setting:\n"
        "  score      from 0 (random policy) to 1 (best policy), with a 95% interval\n"
        "  rank       a tie where the runs do not decide: 2-5 may be second or fifth\n"
        "  late       the score of the last quarter of the runs alone\n"
        "  locked in  the runs whose late score is below 0.5: they end with a policy\n"
        "             worth less than half of the scale. After 20,000 steps some still\n"
        "             learn; --long shows after 1,000,000 steps who is stuck\n"
        "  worst, on  the lowest mean score of a problem, and the problem\n"
        "  ns/step    processor time\n"
        "and performance profiles: the share of runs above some scores (--plot draws them).\n"
        "Problems are divided: --tuning are those on which parameters may be chosen; the\n"
        "others, the default, are for judging. Agents that need a horizon are run in that\n"
        "setting alone. Agents with the key 'steps' are told the steps of a run unless their\n"
        "spec gives it.\n"
        "With --score METRIC agents are ranked by that metric. A metric has no scale from the\n"
        "random policy to the best one; so in each run on each problem agents get ranks, from\n"
        "1, the best, and the table has their means. late and locked in are always of rewards.\n"
        "Your own agent enters by one option: -a 'process:python3 mine.py' runs a program, in any\n"
        "language, that speaks the protocol of 'farsight agent'; agents in Python may be passed "
        "to\n"
        "fs.benchmark. With --store only what is missing is run. One that earns more than the "
        "best\n"
        "policy can is marked.\n",
    .examples = "  farsight benchmark --suite\n"
                "  farsight benchmark -a directed-delayed-q -a psrl -a r-max --store bench.db\n"
                "  farsight benchmark --store bench.db --format markdown > benchmark.md\n"
                "  farsight benchmark -a psrl -a r-max --store bench.db --plot profiles.svg\n"
                "  farsight benchmark --long -a mbie -a r-max --store bench.db\n"
                "  farsight benchmark -a psrl -a r-max --score mistakes:eps=0.1,relative=on\n"
                "  farsight benchmark -a 'process:python3 mine.py' -a psrl --store bench.db\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
