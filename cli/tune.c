/* farsight tune: search the parameters of agents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_output.h"
#include "device.h"
#include "grid.h"
#include "hints.h"
#include "lab/study/parts.h"
#include "memory.h"
#include "output.h"
#include "picture.h"
#include "questions/tuning/tuned-comparison.h"
#include "report/build.h"
#include "store_open.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent with ranges in brackets; may be repeated", COMPLETE_AGENT},
    {0, "method", "NAME", "how to search (default halving)", COMPLETE_NONE},
    {0, "budget", "N", "environment steps of the search (default: those of 300 full candidates)",
     COMPLETE_NONE},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "runs of a full candidate on every environment (default 30)", COMPLETE_NONE},
    {0, "evaluate", "N", "runs of the best setting on fresh seeds (default 300; 0: none)",
     COMPLETE_NONE},
    {0, "profile", "N", "runs of each point of the sensitivity profiles (default 100; 0: none)",
     COMPLETE_NONE},
    {0, "fit", "FILE", "fit the mean rewards of this CSV file instead of maximising reward",
     COMPLETE_NONE},
    {0, "relative", NULL, "with --fit: measure distances as fractions of the means", COMPLETE_NONE},
    SCORE_OPTION,
    {0, "seed", "N", "seed from which all others are derived (default 1)", COMPLETE_NONE},
    {0, "store", "FILE", "store every run there; an interrupted search resumes from it",
     COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 per rank under mpirun)",
     COMPLETE_NONE},
    DEVICE_OPTION,
    PLOT_OPTION,
    FORMAT_OPTIONS,
};

/* The definition of the search, and what it points to. */
typedef struct tuning {
  far_tune_plan *plan; /* of a file; NULL */
  far__fit_table *fit; /* NULL: the goal is reward */
  far__tuned_comparison_def def;
  const char **agents;
  const char **envs; /* specs of the cells, as given */
  far_mdp **mdps;    /* of the cells; those of equal specs are one */
  far_tune_cell *cells;
  size_t n_cells;
  const char *wrong; /* the agent that an error is about */
} tuning;

/* ---- cells ---- */

static int make_model(tuning *t, const arguments *args, size_t i) {
  for (size_t k = 0; k < i; ++k)
    if (strcmp(t->envs[k], t->envs[i]) == 0) {
      t->mdps[i] = t->mdps[k];
      return EXIT_OK;
    }
  char problem[FAR_SPEC_SIZE];
  double gamma = t->plan != NULL ? t->plan->gamma : NAN;
  if (!gamma_option(args, &gamma)) return EXIT_USAGE;
  return model_with_gamma(&t->mdps[i], problem, gamma, t->envs[i]);
}

/* Options replace what the file says. */
static int choose_goal(tuning *t, const arguments *args, const char **fit) {
  const bool envs = args_flag(args, "env"), relative = args_flag(args, "relative");
  far_tune_def *def = &t->def.tune;
  if (args_flag(args, "fit") && envs)
    return usage_error(args, "--fit: the file names the environments; leave out -e");
  *fit = args_last(args, "fit");
  if (*fit == NULL && !envs && t->plan != NULL) *fit = t->plan->fit;
  if (*fit == NULL && relative) return usage_error(args, "--relative requires --fit FILE");
  if (*fit == NULL)
    def->goal = FAR_GOAL_REWARD;
  else if (def->goal != FAR_GOAL_FIT_RELATIVE)
    def->goal = relative ? FAR_GOAL_FIT_RELATIVE : FAR_GOAL_FIT;
  const bool fits = *fit != NULL;
  if (fits) t->def.tune.score = NULL; /* of the file */
  if (fits && args_flag(args, "score"))
    return usage_error(args, "--score scores by a metric, and a fit by means: give one");
  return score_option(args, &t->def.tune.score);
}

/* A table that cannot be used is wrong usage, wherever the fault is; one that cannot be read is not. */
static int load_fit(tuning *t, const char *path) {
  far_error error;
  if (far__fit_table_load(&t->fit, path, &error) == FAR_OK) return EXIT_OK;
  run_error(&error);
  const bool failed =
      error.code == FAR_STATUS_MEMORY || (error.code == FAR_STATUS_IO && !is_absent(path));
  return failed ? EXIT_FAILED : EXIT_USAGE;
}

/* The specs of the cells: the table's, or those of the options or the file. */
static int list_cells(tuning *t, const arguments *args) {
  static const char *const none[] = {NULL};
  if (t->fit == NULL) {
    t->envs = option_values(args, "env", t->plan != NULL ? t->plan->envs : none, &t->n_cells);
    if (t->n_cells > 0) return EXIT_OK;
    return usage_error(args, "no environment is given, as in -e chain:n=10");
  }
  t->n_cells = t->fit->n_targets;
  t->envs = room_for(t->n_cells, sizeof *t->envs);
  for (size_t i = 0; i < t->n_cells; ++i) t->envs[i] = t->fit->targets[i].env;
  return EXIT_OK;
}

static int fill_cells(tuning *t, const arguments *args) {
  int code = EXIT_OK;
  t->cells = room_for(t->n_cells, sizeof *t->cells);
  t->mdps = room_for(t->n_cells, sizeof *t->mdps);
  for (size_t i = 0; code == EXIT_OK && i < t->n_cells; ++i) {
    code = make_model(t, args, i);
    t->cells[i] = (far_tune_cell){.mdp = t->mdps[i], .target = NAN};
    if (t->fit == NULL) continue;
    t->cells[i].with = t->fit->targets[i].with;
    t->cells[i].target = t->fit->targets[i].mean;
    t->cells[i].unit = t->fit->targets[i].unit;
    t->cells[i].std = t->fit->targets[i].std;
  }
  return code;
}

static int make_cells(tuning *t, const arguments *args) {
  const char *fit = NULL;
  far_error error;
  int code = choose_goal(t, args, &fit);
  if (code == EXIT_OK && fit != NULL) code = load_fit(t, fit);
  if (code == EXIT_OK) code = list_cells(t, args);
  if (code == EXIT_OK) code = fill_cells(t, args);
  if (code != EXIT_OK) return code;
  const int64_t steps = t->def.tune.steps;
  const bool scaled = fit == NULL && t->def.tune.score == NULL;
  if (scaled && far__tune_cells_scale(t->cells, t->n_cells, steps, NULL, &error) != FAR_OK)
    return run_error(&error);
  t->def.envs = t->envs;
  t->def.tune.cells = t->cells;
  t->def.tune.n_cells = t->n_cells;
  return EXIT_OK;
}

/* ---- the search ---- */

static bool show(void *user, size_t agent, const far_tune_progress *p) {
  static const char *const stages[] = {"search", "evaluation", "profiles"};
  const tuning *t = user;
  char of[64] = "";
  far__brief best = {""};
  if (t->def.n_agents > 1)
    snprintf(of, sizeof of, "  agent %zu of %zu", agent + 1, t->def.n_agents);
  const char *metric = t->def.tune.score;
  const bool least = metric != NULL && !far_series_higher_is_better(metric);
  if (p->best == p->best) best = far__brief_real(least ? -p->best : p->best);
  if (!interrupted())
    progress("%s  %s %3.0f%%  %lld settings%s%s  %.0f s", of, stages[p->stage],
             100 * p->steps_done / p->steps, (long long)p->candidates,
             best.text[0] != '\0' ? "  best " : "", best.text, p->seconds);
  return !interrupted();
}

static int agent_error(const tuning *t, const far_error *error) {
  return t->wrong != NULL ? spec_error(error, t->wrong) : library_error(error);
}

/* Prints what is finished, also after Ctrl-C. */
static int compare_and_print(tuning *t, const arguments *args) {
  far__tuned_comparison *comparison;
  far_error error;
  t->def.progress = show;
  t->def.user = t;
  catch_interrupts();
  const far_status status = far__tuned_comparison_run(&comparison, &t->def, &error);
  close_store(t->def.tune.store);
  progress_end();
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return agent_error(t, &error);
  far_report *report = new_report(args);
  far__tuned_comparison_report(comparison, report);
  int code = print_report(args, report);
  if (code == EXIT_OK && args_flag(args, "plot") && status == FAR_OK) {
    const far_plot_def how = far_plot_def_default();
    far_figure *figure; /* the sensitivity profiles */
    const far_status drawn = far__tuned_comparison_figure(&figure, comparison, &how, &error);
    code = save_plot(args, drawn, figure, &error);
  }
  far__tuned_comparison_free(comparison);
  if (code != EXIT_OK || status == FAR_OK) return code;
  flush_output();
  complain("stopped; the best so far is above");
  return interrupted_code();
}

static int open_and_compare(tuning *t, const arguments *args) {
  const char *path = args_last(args, "store");
  far_error error;
  t->def.wrong = &t->wrong;
  if (far__tuned_comparison_check(&t->def, &error) != FAR_OK) return agent_error(t, &error);
  if (path != NULL && open_store(&t->def.tune.store, path, FAR_STORE_WRITE, &error) != FAR_OK)
    return run_error(&error);
  return compare_and_print(t, args);
}

/* ---- the command ---- */

static bool read_numbers(const arguments *args, far_tune_def *def) {
  const int64_t most = INT64_MAX / 4, runs = 100000000, steps = 1000000000000000;
  int64_t threads = 0;
  const bool good = args_integer(args, "steps", 1, steps, &def->steps) &&
                    args_integer(args, "runs", 1, runs, &def->runs) &&
                    args_integer(args, "budget", 1, most, &def->budget) &&
                    args_integer(args, "evaluate", 0, runs, &def->evaluation) &&
                    args_integer(args, "profile", 0, runs, &def->profile) &&
                    args_integer(args, "threads", 1, 1024, &threads) &&
                    args_seed(args, "seed", &def->seed);
  def->threads = (unsigned)threads;
  return good && device_option(args, &def->pool);
}

static bool read_method(const arguments *args, far_tune_def *def) {
  const char *name = args_last(args, "method");
  if (name == NULL) return true;
  def->method = name;
  for (size_t i = 0; far__tune_method(i) != NULL; ++i)
    if (strcmp(far__tune_method(i)->name, name) == 0) return true;
  char all[160] = "";
  for (size_t i = 0; far__tune_method(i) != NULL; ++i) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", far__tune_method(i)->name);
  }
  usage_error(args, "--method %s: must be one of %s", name, all);
  return false;
}

static int load_plan(tuning *t, const arguments *args) {
  const char *path = args_word(args, 0);
  far_error error;
  if (path == NULL) return EXIT_OK;
  if (is_absent(path)) return absent_file(args, "file", path);
  if (far_tune_load(&t->plan, path, &error) != FAR_OK) return library_error(&error);
  t->def.tune = t->plan->def;
  return EXIT_OK;
}

static int run_tuning(tuning *t, const arguments *args) {
  static const char *const none[] = {NULL};
  far_report_format format;
  int code = load_plan(t, args);
  if (code != EXIT_OK) return code;
  if (!report_format(args, &format) || !plot_option(args) || !read_numbers(args, &t->def.tune) ||
      !read_method(args, &t->def.tune))
    return EXIT_USAGE;
  t->agents =
      option_values(args, "agent", t->plan != NULL ? t->plan->agents : none, &t->def.n_agents);
  t->def.agents = t->agents;
  if (t->def.n_agents == 0)
    return usage_error(args, "no agent is given, as in -a 'delayed-q:m=[1..100 log]'");
  code = make_cells(t, args);
  return code == EXIT_OK ? open_and_compare(t, args) : code;
}

static int run(const arguments *args) {
  tuning t = {.def = far__tuned_comparison_def_default()};
  const int code = run_tuning(&t, args);
  for (size_t i = 0; t.mdps != NULL && i < t.n_cells; ++i) {
    size_t first = 0;
    while (t.mdps[first] != t.mdps[i]) ++first;
    if (first == i) far_mdp_free(t.mdps[i]);
  }
  free(t.mdps);
  free(t.cells);
  free(t.envs);
  free(t.agents);
  far__fit_table_free(t.fit);
  far_tune_plan_free(t.plan);
  return code;
}

const command cmd_tune = {
    .name = "tune",
    .synopsis = "[FILE] [-a AGENT...] [-e ENV...] [OPTIONS]",
    .summary = "Search the parameters of agents within a budget of steps",
    .details =
        "Values in brackets are searched; in the shell put them in quotes:\n"
        "  m=[1..100]                   evenly\n"
        "  m=[1..100 log]               evenly in ln m\n"
        "  gamma=[0.5..0.999 horizon]   evenly in ln 1/(1 - gamma)\n"
        "  m=[5..25 step 5]             5, 10, 15, 20, 25\n"
        "  clamp=[on,off]               one of these\n"
        "Without brackets the agent's own numbers are searched, a decade to either side of\n"
        "their defaults; parameters derived from others stay derived.\n"
        "A candidate's score is the mean over the environments of (x - random)/(best - random):\n"
        "its total reward x, and the exact rewards of the random and of the best policy. Where an\n"
        "environment has no such numbers, scores are plain reward, and the output says so.\n"
        "With --score METRIC it is the mean of that metric instead, the most or the least of it.\n"
        "All candidates see the same random numbers (paired runs). The best parameter setting is\n"
        "evaluated on seeds that the search has not used, against the agent's defaults; profiles\n"
        "show how far each parameter can move alone. Each of several agents may spend at most the\n"
        "budget; the one with the best score in the search is chosen. A new attempt needs a new\n"
        "--seed: with the same one the runs of the evaluation are no longer fresh.\n"
        "Methods:\n"
        "  random   independent draws, each measured on all runs\n"
        "  halving  many candidates on few runs, the best third on three times as many\n"
        "  crs      controlled random search (NLopt)\n"
        "A fifth of the budget is kept for a final, in which the best meet on more runs.\n"
        "Tables of --format csv: scores, cells, profiles, points, trials, comparison.\n",
    .examples = "  farsight tune -e chain -a 'delayed-q:m=[1..100 log],eps1=[0.01..1 log]'\n"
                "  farsight tune -e chain:n=10 -e riverswim -a delayed-q -a psrl --store tune.db\n"
                "  farsight tune -e chain -a 'delayed-q:m=[1..100 log]' --plot profiles.svg\n"
                "  farsight tune -e cliff-walking -a q-learning --score episodes\n"
                "  farsight tune --fit means.csv -a 'q-learning:alpha=[0.01..1]' --relative\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .tables = "scores, cells, profiles, points, trials, comparison",
    .run = run,
};
