/* farsight tune: search the parameters of agents. */
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "grid.h"
#include "hints.h"
#include "memory.h"
#include "policies.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment; may be repeated", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent with ranges in brackets; may be repeated", COMPLETE_AGENT},
    {0, "method", "NAME", "how to search (default halving)", COMPLETE_NONE},
    {0, "budget", "N", "environment steps of the search (default: those of 300 full candidates)",
     COMPLETE_NONE},
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "runs of a full candidate on every environment (default 30)", COMPLETE_NONE},
    {0, "evaluate", "N", "runs of the winner on fresh seeds (default 300; 0: none)", COMPLETE_NONE},
    {0, "profile", "N", "runs of every point of the profiles (default 100; 0: none)",
     COMPLETE_NONE},
    {0, "fit", "FILE", "meet the means of this CSV file instead of earning most", COMPLETE_NONE},
    {0, "relative", NULL, "with --fit: distances are fractions of the means", COMPLETE_NONE},
    {0, "seed", "N", "seed that all others follow from (default 1)", COMPLETE_NONE},
    {0, "store", "FILE", "keep every run there, and go on where a search was stopped",
     COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 a rank under mpirun)",
     COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

/* ---- cells ---- */

void tune_add_cell(tune_cells *c, const char *env, const char *with, double target) {
  const size_t n = c->count;
  c->cells = room_for_more(c->cells, n, sizeof *c->cells);
  c->envs = room_for_more(c->envs, n, sizeof *c->envs);
  c->with = room_for_more(c->with, n, sizeof *c->with);
  c->mdps = room_for_more(c->mdps, n, sizeof *c->mdps);
  c->envs[n] = copy_of(env);
  c->with[n] = copy_of(with != NULL ? with : "");
  c->mdps[n] = NULL;
  c->cells[n] = (far_tune_cell){.with = c->with[n], .target = target};
  c->count = n + 1;
}

void tune_free_cells(tune_cells *c) {
  for (size_t i = 0; i < c->count; ++i) {
    bool shared = false; /* cells of one environment share its model */
    for (size_t k = 0; k < i && !shared; ++k) shared = c->mdps[k] == c->mdps[i];
    if (!shared) far_mdp_free(c->mdps[i]);
  }
  for (size_t i = 0; i < c->count; ++i) {
    free(c->envs[i]);
    free(c->with[i]);
  }
  free(c->cells);
  free(c->envs);
  free(c->with);
  free(c->mdps);
}

static int make_models(tune_cells *c, const arguments *args) {
  for (size_t i = 0; i < c->count; ++i) {
    for (size_t k = 0; k < i && c->mdps[i] == NULL; ++k)
      if (strcmp(c->envs[k], c->envs[i]) == 0) c->mdps[i] = c->mdps[k];
    const int code = c->mdps[i] != NULL ? EXIT_OK : model_from_spec(&c->mdps[i], args, c->envs[i]);
    if (code != EXIT_OK) return code;
    c->cells[i].mdp = c->mdps[i];
  }
  return EXIT_OK;
}

/* The scale on which rewards are compared: from the random policy's to the best's. */
static void find_scales(tune_cells *c, int64_t steps) {
  for (size_t i = 0; i < c->count; ++i) {
    far_tune_cell *cell = &c->cells[i];
    size_t k = 0;
    while (c->mdps[k] != c->mdps[i]) ++k;
    cell->low = k < i ? c->cells[k].low : random_total(cell->mdp, steps);
    cell->high = k < i ? c->cells[k].high : best_total(cell->mdp, steps);
  }
}

/* Options replace what the file says. */
static int choose_goal(tune_study *study, const arguments *args, const char **fit) {
  const bool envs = args_flag(args, "env");
  if (args_flag(args, "fit") && envs)
    return usage_error(args, "--fit: the file names the environments; leave out -e");
  *fit = args_last(args, "fit");
  if (*fit == NULL && !envs && study->plan != NULL) *fit = study->plan->fit;
  if (*fit == NULL && args_flag(args, "relative"))
    return usage_error(args, "--relative goes with --fit FILE");
  if (*fit == NULL)
    study->def.goal = FAR_GOAL_REWARD;
  else if (args_flag(args, "relative") || study->def.goal == FAR_GOAL_FIT_RELATIVE)
    study->def.goal = FAR_GOAL_FIT_RELATIVE;
  else
    study->def.goal = FAR_GOAL_FIT;
  return EXIT_OK;
}

static int make_cells(tune_study *study, const arguments *args) {
  static const char *const none[] = {NULL};
  const char *fit = NULL;
  size_t n = 0;
  int code = choose_goal(study, args, &fit);
  if (code != EXIT_OK) return code;
  if (fit != NULL) code = tune_read_fit(&study->cells, fit);
  const char **envs =
      option_values(args, "env", study->plan != NULL ? study->plan->envs : none, &n);
  if (fit == NULL && n == 0)
    code = usage_error(args, "no environment is given, as in -e chain:n=10");
  for (size_t i = 0; fit == NULL && i < n; ++i) tune_add_cell(&study->cells, envs[i], NULL, NAN);
  free(envs);
  if (code == EXIT_OK) code = make_models(&study->cells, args);
  if (code == EXIT_OK && fit == NULL) find_scales(&study->cells, study->def.steps);
  study->def.cells = study->cells.cells;
  study->def.n_cells = study->cells.count;
  return code;
}

/* ---- the search ---- */

static bool show(void *user, const far_tune_progress *p) {
  static const char *const stages[] = {"search", "evaluation", "profiles"};
  const tune_study *study = user;
  size_t at = 0;
  if (!isatty(STDERR_FILENO)) return !interrupted();
  while (at + 1 < study->n_agents && study->tunes[at] != NULL) ++at;
  fprintf(stderr, "\r\033[K");
  if (!interrupted() && p->seconds > 0.3) {
    if (study->n_agents > 1) fprintf(stderr, "  agent %zu of %zu", at + 1, study->n_agents);
    fprintf(stderr, "  %s %3.0f%%  %lld sets", stages[p->stage], 100 * p->steps_done / p->steps,
            (long long)p->candidates);
    if (p->best == p->best) fprintf(stderr, "  best %s", format_number(p->best).text);
    fprintf(stderr, "  %.0f s", p->seconds);
  }
  fflush(stderr);
  return !interrupted();
}

static bool is_position(const far_error *error, const char *spec) {
  return error->position >= 0 && (size_t)error->position <= strlen(spec);
}

/* The exit code; what is finished stays in the study. */
static int search(tune_study *study) {
  far_error error;
  catch_interrupts();
  for (size_t i = 0; i < study->n_agents; ++i) {
    study->def.agent = study->agents[i];
    const far_status status = far_tune_run(&study->tunes[i], &study->def, &error);
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
    if (status == FAR_STATUS_CANCELLED) return interrupted_code();
    if (status == FAR_OK) continue;
    if (status != FAR_STATUS_SYNTAX && status != FAR_STATUS_UNKNOWN && status != FAR_STATUS_RANGE &&
        status != FAR_STATUS_CONFLICT)
      return run_error(&error);
    if (is_position(&error, study->agents[i])) return spec_error(&error, study->agents[i]);
    fprintf(stderr, "farsight: %s: %s\n", study->agents[i], error.message);
    return EXIT_USAGE;
  }
  return EXIT_OK;
}

/* All agents are read before the first is searched. */
static int check_agents(const tune_study *study) {
  const far_shape shape = far_mdp_shape(study->cells.mdps[0]);
  far_error error;
  for (size_t i = 0; i < study->n_agents; ++i) {
    char *space;
    if (far_tune_space(&space, study->agents[i], &shape, &error) != FAR_OK)
      return spec_error(&error, study->agents[i]);
    free(space);
  }
  return EXIT_OK;
}

static int search_and_print(tune_study *study, const arguments *args) {
  far_error error;
  const char *path = args_last(args, "store");
  int code = check_agents(study);
  if (code != EXIT_OK) return code;
  if (path != NULL && open_store(&study->def.store, path, FAR_STORE_WRITE, &error) != FAR_OK)
    return run_error(&error);
  code = search(study);
  close_store(study->def.store);
  if (code == EXIT_OK || interrupted()) {
    (args_flag(args, "json") ? tune_print_json : tune_print_text)(study);
    fflush(stdout);
  }
  if (interrupted()) fprintf(stderr, "farsight: stopped; the best so far is above\n");
  return code;
}

/* ---- comparison ---- */

static const far_tune_result *result_of(const tune_study *study, size_t i) {
  return study->tunes[i] != NULL ? far_tune_result_of(study->tunes[i]) : NULL;
}

/* The runs of the search choose, so that those of the evaluation are fresh for the one that is chosen. */
size_t tune_best_agent(const tune_study *study) {
  size_t best = study->n_agents;
  for (size_t i = 0; i < study->n_agents; ++i) {
    const far_tune_result *r = result_of(study, i);
    if (r == NULL || r->score.runs == 0) continue;
    if (best == study->n_agents || r->tuned > result_of(study, best)->tuned) best = i;
  }
  return best;
}

tune_difference tune_compare(const tune_study *study, size_t agent, size_t best) {
  const far_tune_score *x = &result_of(study, agent)->score, *y = &result_of(study, best)->score;
  const int64_t n = x->runs;
  double mean = 0, squares = 0;
  if (agent == best || n != y->runs) return (tune_difference){agent == best ? 0 : NAN, NAN};
  for (int64_t i = 0; i < n; ++i) mean += (x->values[i] - y->values[i]) / (double)n;
  for (int64_t i = 0; i < n; ++i) {
    const double d = x->values[i] - y->values[i] - mean;
    squares += d * d;
  }
  const double error = sqrt(squares / (double)(n - 1) / (double)n);
  return (tune_difference){x->mean - y->mean, far_student_975(n - 1) * error};
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
  def->pool = all_ranks();
  return good;
}

static bool read_method(const arguments *args, far_tune_def *def) {
  const char *name = args_last(args, "method");
  if (name == NULL) return true;
  def->method = name;
  for (size_t i = 0; far_tune_method(i) != NULL; ++i)
    if (strcmp(far_tune_method(i)->name, name) == 0) return true;
  char all[160] = "";
  for (size_t i = 0; far_tune_method(i) != NULL; ++i) {
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", far_tune_method(i)->name);
  }
  usage_error(args, "--method %s: must be one of %s", name, all);
  return false;
}

static int load_plan(tune_study *study, const arguments *args) {
  const char *path = args_word(args, 0);
  far_error error;
  if (path == NULL) return EXIT_OK;
  if (access(path, F_OK) != 0)
    return usage_error(args, "there is no file '%s'%s", path, word_hint_of(args, path).text);
  const far_status status = far_tune_load(&study->plan, path, &error);
  if (status != FAR_OK) {
    fprintf(stderr, "farsight: %s\n", error.message);
    return exit_code_of(status);
  }
  study->def = study->plan->def;
  return EXIT_OK;
}

static int run_study(tune_study *study, const arguments *args) {
  static const char *const none[] = {NULL};
  if (!read_numbers(args, &study->def) || !read_method(args, &study->def)) return EXIT_USAGE;
  study->def.progress = show;
  study->def.user = study;
  study->agents = option_values(args, "agent", study->plan != NULL ? study->plan->agents : none,
                                &study->n_agents);
  if (study->n_agents == 0)
    return usage_error(args, "no agent is given, as in -a 'delayed-q:m=[1..100 log]'");
  study->tunes = room_for(study->n_agents, sizeof(far_tune *));
  const int code = make_cells(study, args);
  return code == EXIT_OK ? search_and_print(study, args) : code;
}

static int run(const arguments *args) {
  tune_study study = {.def = far_tune_def_default()};
  int code = load_plan(&study, args);
  if (code == EXIT_OK) code = run_study(&study, args);
  for (size_t i = 0; study.tunes != NULL && i < study.n_agents; ++i) far_tune_free(study.tunes[i]);
  free(study.tunes);
  free(study.agents);
  tune_free_cells(&study.cells);
  far_tune_plan_free(study.plan);
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
        "their defaults; what follows from other parameters goes on following them.\n"
        "A candidate's score is the mean over the environments of (x - random)/(best - random):\n"
        "its total reward x, what the random policy earns and what the best does, both exact. It\n"
        "is plain reward, and that is said, where an environment has no such numbers.\n"
        "All candidates meet the same runs. The winner is evaluated on seeds\n"
        "that the search has not met, against the agent's defaults; profiles tell how far each\n"
        "parameter can move alone. Several agents may each spend at most the budget; the best of\n"
        "them is chosen by the runs of the search. A new attempt needs a new --seed: with the\n"
        "same one the runs of the evaluation are no longer fresh.\n"
        "Methods:\n"
        "  random   independent draws, each measured on all runs\n"
        "  halving  few runs of many; the best third goes on with three times as many\n"
        "  crs      controlled random search (NLopt)\n"
        "A fifth of the budget is for a final, in which the best meet on more runs.\n",
    .examples = "  farsight tune -e chain -a 'delayed-q:m=[1..100 log],eps1=[0.01..1 log]'\n"
                "  farsight tune -e chain:n=10 -e riverswim -a delayed-q -a psrl --store tune.db\n"
                "  farsight tune --fit means.csv -a 'q-learning:alpha=[0.01..1]' --relative\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .run = run,
};
