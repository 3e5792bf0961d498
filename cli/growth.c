/* farsight growth: how the steps to learn grow with the size of the problem. */
#include <math.h>
#include <string.h>

#include "batch_output.h"
#include "grid.h"
#include "lab/study/parts.h"
#include "memory.h"
#include "notes.h"
#include "output.h"
#include "picture.h"
#include "questions/growth/scaling.h"
#include "report/build.h"
#include "store_open.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment, without its size", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated; gaps are to the first", COMPLETE_AGENT},
    {0, "sizes", "LIST", "sizes, as in 5,10,20,40 or '5..50 step 5'", COMPLETE_NONE},
    {0, "key", "NAME", "the environment's key that holds the size (default n)", COMPLETE_NONE},
    {0, "measure", "NAME", "earned, learned, last-mistake or reward (default earned)",
     COMPLETE_NONE},
    {0, "eps", "E", "how far below the best is good enough, a fraction (default 0.5)",
     COMPLETE_NONE},
    {0, "gamma", "G", "the problem's discount, at every size", COMPLETE_NONE},
    {0, "gamma-scale", "C", "the same, 1 - C / size (default 1)", COMPLETE_NONE},
    {0, "max-steps", "N", "the largest budget of a run (default 1000000)", COMPLETE_NONE},
    {0, "censored", "F", "double the budget until at most this fraction is left (default 0.25)",
     COMPLETE_NONE},
    {0, "steps", "N", "steps of a run with --measure reward (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "independent runs of every agent at every size (default 100)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 per rank under mpirun)",
     COMPLETE_NONE},
    DEVICE_OPTION,
    {0, "store", "FILE", "keep the runs in this file, and take from it those that it has",
     COMPLETE_NONE},
    PLOT_OPTION,
    FORMAT_OPTIONS,
};

/* ---- running ---- */

/* A large model may take long to make and to solve, and knows nothing of signals meanwhile. */
typedef struct preparation {
  far__scaling *scaling;
  bool more;
  far_status status;
  far_error error;
} preparation;

static void prepare(void *user) {
  preparation *p = user;
  p->status = far__scaling_prepare(p->scaling, &p->more, &p->error);
}

/* All sizes; the first has notes. *busy: a thread still works on the study, which must not be freed. */
static far_status run_sizes(far__scaling *scaling, notes *n, bool *busy, far_error *error) {
  static preparation p; /* the thread may outlive this call */
  far_status status = FAR_OK;
  for (bool first = true; status == FAR_OK; first = false) {
    p = (preparation){.scaling = scaling};
    *busy = !run_aside(prepare, &p);
    if (*busy) return FAR_STATUS_CANCELLED;
    if (p.status != FAR_OK) *error = p.error;
    if (first) notes_end(n, p.status == FAR_OK);
    if (p.status != FAR_OK || !p.more) return p.status;
    status = far__scaling_run_prepared(scaling, error);
  }
  return status;
}

static int print(const arguments *args, const far__scaling *scaling, bool stopped) {
  far_report *report = new_report(args);
  far__scaling_report(scaling, report);
  if (stopped) far__report_stopped(report);
  int code = print_report(args, report);
  if (code == EXIT_OK && args_flag(args, "plot")) {
    const far_plot_def def = far_plot_def_default();
    far_figure *figure;
    far_error error;
    const far_status status = far__scaling_figure(&figure, scaling, &def, &error);
    code = save_plot(args, status, figure, &error);
  }
  if (!stopped || code != EXIT_OK) return code;
  flush_output();
  complain("stopped; what is finished is above");
  return interrupted_code();
}

/* What is wrong with the definition, or with a spec of it. */
static int definition_error(const arguments *args, const far_error *error, const char *wrong) {
  if (wrong[0] != '\0') return spec_error(error, wrong);
  if (exit_code_of(error->code) == EXIT_USAGE) return usage_error(args, "%s", error->message);
  return run_error(error);
}

static int run_and_print(const arguments *args, far__scaling_def *def) {
  static notes n; /* as `p` above */
  far__scaling *scaling;
  far_error error;
  bool busy = false;
  notes_begin(&n, args);
  def->note = notes_take;
  def->note_user = &n;
  far_status status = far__scaling_create(&scaling, def, &error);
  if (status == FAR_OK)
    status = run_sizes(scaling, &n, &busy, &error);
  else
    notes_end(&n, false);
  const bool stopped = status == FAR_STATUS_CANCELLED;
  const int code = status == FAR_OK || stopped ? print(args, scaling, stopped)
                                               : definition_error(args, &error, def->wrong);
  if (busy) {
    close_store(def->store);
    leave_program(code);
  }
  far__scaling_free(scaling);
  return code;
}

static int run_through_store(const arguments *args, far__scaling_def *def) {
  const char *path = args_last(args, "store");
  far_error error;
  far_status status = FAR_OK;
  catch_interrupts();
  if (path != NULL) status = open_store(&def->store, path, FAR_STORE_WRITE, &error);
  if (def->store != NULL) status = far_store_command(def->store, command_line(), &error);
  int code = status == FAR_OK ? run_and_print(args, def) : run_error(&error);
  if (status == FAR_STATUS_CANCELLED) code = interrupted_code();
  close_store(def->store);
  return code;
}

/* ---- options ---- */

static bool read_measure(far__scaling_def *def, const arguments *args) {
  const char *given = args_last(args, "measure");
  for (size_t i = 0; given != NULL; ++i) {
    const char *name = far__scaling_measure_name(i);
    if (name == NULL) {
      usage_error(args, "--measure %s: must be earned, learned, last-mistake or reward", given);
      return false;
    }
    def->measure = (far__scaling_measure)i;
    if (strcmp(name, given) == 0) return true;
  }
  return true;
}

static bool read_discount(far__scaling_def *def, const arguments *args) {
  if (args_flag(args, "gamma") && args_flag(args, "gamma-scale")) {
    usage_error(args, "--gamma and --gamma-scale: give one");
    return false;
  }
  return args_real(args, "gamma", &def->gamma) && args_real(args, "gamma-scale", &def->gamma_scale);
}

static bool read_sizes(far__scaling_def *def, int64_t *sizes, const arguments *args) {
  const char *text = args_last(args, "sizes");
  far_error error;
  if (text == NULL) {
    usage_error(args, "no sizes are given, as in --sizes 5,10,20,40 or --sizes '5..50 step 5'");
    return false;
  }
  def->sizes = sizes;
  if (far__integers_parse(sizes, &def->n_sizes, FAR__SCALING_SIZES, text, &error) == FAR_OK)
    return true;
  usage_error(args, "--sizes: %s", error.message);
  return false;
}

static bool read_environment(far__scaling_def *def, const arguments *args) {
  def->env = args_text(args, "env", 0);
  if (def->env != NULL && args_text(args, "env", 1) == NULL) return true;
  usage_error(args, "one environment must be given, without its size, as in -e chain");
  return false;
}

static bool read_numbers(far__scaling_def *def, const arguments *args) {
  const int64_t most = INT64_MAX / 4;
  far_batch_def batch = far_batch_def_default();
  batch.runs = def->runs;
  batch.seed = def->seed;
  if (!args_real(args, "eps", &def->eps) || !args_real(args, "censored", &def->censored) ||
      !args_integer(args, "steps", 1, most, &def->steps) ||
      !args_integer(args, "max-steps", 2, most, &def->max_steps) || !batch_options(args, &batch))
    return false;
  def->runs = batch.runs;
  def->seed = batch.seed;
  def->threads = batch.threads;
  def->pool = batch.pool;
  def->progress = batch.progress;
  return true;
}

/* An option of another measure would change nothing; false after a usage error. */
static bool check_unused(const far__scaling_def *def, const arguments *args) {
  static const char *const of_times[] = {"eps", "max-steps", "censored"};
  const bool reward = def->measure == FAR__SCALING_REWARD;
  for (size_t i = 0; reward && i < sizeof of_times / sizeof *of_times; ++i)
    if (args_flag(args, of_times[i])) {
      usage_error(args, "--%s is of the steps to learn: --measure reward has --steps instead",
                  of_times[i]);
      return false;
    }
  if (reward || !args_flag(args, "steps")) return true;
  usage_error(args, "--steps is for --measure reward: here --max-steps bounds the steps of a run");
  return false;
}

/* Environment, sizes and agents from the options. */
static int run_options(far__scaling_def *def, int64_t *sizes, const arguments *args) {
  if (!read_environment(def, args)) return EXIT_USAGE;
  if (args_text(args, "agent", 0) == NULL)
    return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  if (!read_sizes(def, sizes, args) || !read_numbers(def, args)) return EXIT_USAGE;
  const char **agents = option_values(args, "agent", NULL, &def->n_agents);
  def->agents = agents;
  const int code = run_through_store(args, def);
  free(agents);
  return code;
}

/* The same from a study file; other options still replace what it says. */
static int run_file(far__scaling_def *def, int64_t *sizes, const arguments *args) {
  const grid_defaults defaults = {0};
  char env[FAR_SPEC_SIZE];
  far_error error;
  grid g;
  if (args_flag(args, "env") || args_flag(args, "sizes"))
    return usage_error(args, "a study file gives environment and sizes; leave out -e and --sizes");
  int code = grid_make(&g, args, &defaults);
  if (code == EXIT_OK && far__scaling_def_from(def, env, sizes, g.study, &error) != FAR_OK)
    code = usage_error(args, "%s: %s", g.file, error.message);
  if (code == EXIT_OK && !read_numbers(def, args)) code = EXIT_USAGE;
  if (code == EXIT_OK) code = run_through_store(args, def);
  grid_free(&g);
  return code;
}

static int run(const arguments *args) {
  int64_t sizes[FAR__SCALING_SIZES];
  static char wrong[FAR_SPEC_SIZE]; /* a thread that is left behind may still write to it */
  far__scaling_def def = far__scaling_def_default();
  far_report_format format;
  def.wrong = wrong;
  if (args_last(args, "key") != NULL) def.key = args_last(args, "key");
  if (!report_format(args, &format) || !plot_option(args) || !read_measure(&def, args) ||
      !read_discount(&def, args) || !check_unused(&def, args))
    return EXIT_USAGE;
  return args_word(args, 0) != NULL ? run_file(&def, sizes, args) : run_options(&def, sizes, args);
}

const command cmd_growth = {
    .name = "growth",
    .synopsis = "[FILE] [-e ENV -a AGENT... --sizes LIST] [OPTIONS]",
    .summary = "Fit how the steps to learn grow with the size of the problem",
    .details =
        "At every size the budget of a run is doubled until most runs have learned. A time is\n"
        "known if the run then continued for as long again; other runs are censored: they count\n"
        "as longer, never as a number. Printed are medians with 95% intervals, and the laws\n"
        "a n^b, a e^(b n) and a n^b e^(c n), fitted to their logarithms, with 95% intervals of\n"
        "the exponents; then the same for the gap, the ratio of an agent's number to the first\n"
        "agent's. Measures:\n"
        "  earned        steps after which the reward so far stays above (1 - eps) of\n"
        "                the best average reward\n"
        "  learned       steps after which the frozen policy is within eps V* at the\n"
        "                start\n"
        "  last-mistake  the last step on which it is not within eps V*(start) where it\n"
        "                acts\n"
        "  reward        the total reward of --steps steps, as a mean\n\n"
        "FILE is a study (docs/studies.md) whose environments are one at several sizes, as in\n"
        "chain: {n: [5..50 step 5]}; its agents, runs, seed and steps count unless options\n"
        "replace them.\n",
    .examples = "  farsight growth -e chain -a delayed-q -a psrl --sizes '5..50 step 5'\n"
                "  farsight growth -e deepsea -a psrl -a q-learning --sizes 4,6,8,10 --eps 0.2\n"
                "  farsight growth study.yaml --store results.db --plot growth.svg\n",
    .words = "",
    .max_words = 1,
    .tables = "values, cells, laws, gaps",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
