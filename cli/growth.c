/* farsight growth: how the steps to learn grow with the size of the problem. */
#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "grid.h"
#include "memory.h"
#include "table.h"

enum { FIRST_BUDGET = 1000 };

static const option_info options[] = {
    {'e', "env", "SPEC", "environment, without its size", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent; may be repeated; gaps are to the first", COMPLETE_AGENT},
    {0, "sizes", "LIST", "sizes, as in 5,10,20,40 or 5..50:5", COMPLETE_NONE},
    {0, "key", "NAME", "the environment's key that holds the size (default n)", COMPLETE_NONE},
    {0, "measure", "NAME", "earned, learned, last-mistake or reward (default earned)",
     COMPLETE_NONE},
    {0, "eps", "E", "how far below the best is good enough, a fraction (default 0.5)",
     COMPLETE_NONE},
    {0, "gamma", "G", "discount of every agent whose spec has none, at every size", COMPLETE_NONE},
    {0, "gamma-scale", "C", "the same, 1 - C / size (default 1)", COMPLETE_NONE},
    {0, "max-steps", "N", "the largest budget of a run (default 1000000)", COMPLETE_NONE},
    {0, "censored", "F", "double the budget until at most this fraction is left (default 0.25)",
     COMPLETE_NONE},
    {0, "steps", "N", "steps of a run with --measure reward (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "independent runs of every agent at every size (default 100)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "threads", "N",
     "threads; the results do not depend on it (default: all processors, 1 a rank under mpirun)",
     COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
    {'q', "quiet", NULL, "hide notes about parameters outside the guarantee", COMPLETE_NONE},
};

double growth_value(const growth_study *study, const growth_cell *cell) {
  if (!cell->known) return NAN;
  return study->kind == MEASURE_TIME ? cell->times.median : cell->mean;
}

/* ---- one size ---- */

/* What is at hand while a size is run. */
typedef struct station {
  growth_study *study;
  far_batch_def def;
  const arguments *args;
  size_t size; /* index */
  far_mdp *mdp;
  far_metric *metric; /* NULL with rewards */
  char **specs;       /* of the agents, with a discount */
  far_cell *cells;    /* of one batch, and whose they are */
  size_t *agent_of;
} station;

static growth_cell *cell_of(const station *at, size_t agent) {
  return &at->study->cells[at->size * at->study->n_agents + agent];
}

static double gamma_at(const growth_study *study, int64_t size) {
  if (study->gamma == study->gamma) return study->gamma;
  return 1 - study->gamma_scale / (double)size;
}

static void station_free(station *at) {
  for (size_t j = 0; at->specs != NULL && j < at->study->n_agents; ++j) free(at->specs[j]);
  free(at->specs);
  free(at->cells);
  free(at->agent_of);
  far_metric_free(at->metric);
  far_mdp_free(at->mdp);
}

static int make_model(station *at, const char *size) {
  far_error error;
  char spec[FAR_SPEC_SIZE];
  if (far_spec_with(spec, at->study->env, at->study->key, size, &error) != FAR_OK ||
      far_mdp_create(&at->mdp, spec, &error) != FAR_OK)
    return spec_error(&error, spec);
  return EXIT_OK;
}

/* Notes are printed at the first size only. */
static int make_agents(station *at, const char *gamma) {
  const growth_study *study = at->study;
  const far_shape shape = far_mdp_shape(at->mdp);
  far_error error;
  for (size_t j = 0; j < study->n_agents; ++j) {
    const far_type_info *type = far_spec_type(far_agent_type, study->agents[j]);
    const bool takes = far_type_param(type, "gamma", 5) != NULL;
    char spec[FAR_SPEC_SIZE];
    size_t length;
    if (takes && far_spec_value(study->agents[j], "gamma", &length) == NULL &&
        far_spec_with(spec, study->agents[j], "gamma", gamma, &error) == FAR_OK)
      at->specs[j] = copy_of(spec);
    else
      at->specs[j] = copy_of(study->agents[j]);
    if (far_agent_check(at->specs[j], &shape, NULL, NULL, &error) != FAR_OK)
      return spec_error(&error, at->specs[j]);
    if (at->size == 0) print_warnings(at->args, at->specs[j], far_mdp_spec(at->mdp), &shape);
  }
  return EXIT_OK;
}

static int make_metric(station *at, const char *gamma) {
  const growth_study *study = at->study;
  char spec[128], number[FAR_NUMBER_SIZE];
  far_error error;
  if (study->kind != MEASURE_TIME) return EXIT_OK;
  const bool earned = strcmp(study->measure, "earned") == 0;
  far_real_format(number, earned ? 1 - study->eps : study->eps);
  if (earned)
    snprintf(spec, sizeof spec, "earned:fraction=%s", number);
  else
    snprintf(spec, sizeof spec, "%s:eps=%s,relative=on,gamma=%s", study->measure, number, gamma);
  if (far_metric_create(&at->metric, spec, &error) != FAR_OK) return spec_error(&error, spec);
  for (size_t j = 0; j < study->n_agents; ++j)
    if (far_metric_check(at->metric, at->mdp, at->specs[j], study->max_steps, NULL, NULL, &error) !=
        FAR_OK) {
      fprintf(stderr, "farsight: %s of %s on %s: %s\n", spec, at->specs[j], far_mdp_spec(at->mdp),
              error.message);
      return exit_code_of(error.code);
    }
  return EXIT_OK;
}

static int make_station(station *at) {
  const growth_study *study = at->study;
  const int64_t size = study->sizes[at->size];
  const double gamma = gamma_at(study, size);
  char text[FAR_NUMBER_SIZE], number[FAR_NUMBER_SIZE];
  if (!(gamma >= 0 && gamma < 1)) {
    usage_error(at->args, "--gamma-scale %g leaves no discount in [0, 1) at size %lld",
                study->gamma_scale, (long long)size);
    return EXIT_USAGE;
  }
  at->specs = room_for(study->n_agents, sizeof *at->specs);
  at->cells = room_for(study->n_agents, sizeof *at->cells);
  at->agent_of = room_for(study->n_agents, sizeof *at->agent_of);
  far_real_format(text, gamma);
  snprintf(number, sizeof number, "%lld", (long long)size);
  int code = make_model(at, number);
  if (code == EXIT_OK) code = make_agents(at, text);
  if (code == EXIT_OK) code = make_metric(at, text);
  return code;
}

/* ---- running ---- */

/* Takes what a batch found of an agent; is it enough? */
static bool take(station *at, size_t i, const far_batch *batch, int64_t steps, far_error *error) {
  const growth_study *study = at->study;
  growth_cell *cell = cell_of(at, at->agent_of[i]);
  const far_result *total = far_batch_result(batch, i);
  const far_result *result = at->metric != NULL ? far_batch_metric(batch, i, 0) : total;
  free(cell->env);
  free(cell->agent);
  cell->env = copy_of(far_mdp_spec(at->mdp));
  cell->agent = copy_of(total->agent);
  cell->known = true;
  cell->steps = steps;
  const int64_t half = steps / 2;
  cell->limit = (double)half;
  cell->runs = result->runs;
  cell->mean = result->mean;
  cell->ci95 = result->ci95;
  cell->seconds += total->seconds;
  memcpy(cell->hash, result->hash, sizeof cell->hash);
  if (study->kind == MEASURE_REWARD) return true;
  if (need_memory(far_times_summarise(&cell->times, result->totals, result->runs, cell->limit,
                                      error)) != FAR_OK)
    cell->known = false;
  return (double)cell->times.censored <= study->censored * (double)cell->runs;
}

static void append(station *at, size_t agent, int64_t steps) {
  at->cells[at->def.n_cells] =
      (far_cell){.mdp = at->mdp, .agent = at->specs[agent], .steps = steps};
  at->agent_of[at->def.n_cells++] = agent;
}

/* Runs the agents that are listed; those that need more steps stay on the list. */
static int run_budget(station *at, int64_t steps) {
  far_batch *batch;
  far_error error;
  size_t left = 0;
  for (size_t i = 0; i < at->def.n_cells; ++i) at->cells[i].steps = steps;
  const far_status status = far_batch_run(&batch, &at->def, &error);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return run_error(&error);
  for (size_t i = 0; status == FAR_OK && i < at->def.n_cells; ++i) {
    if (take(at, i, batch, steps, &error)) continue;
    at->cells[left] = at->cells[i];
    at->agent_of[left++] = at->agent_of[i];
  }
  at->def.n_cells = left;
  far_batch_free(batch);
  return status == FAR_OK ? EXIT_OK : interrupted_code();
}

/* Too few had learned at the size before, so that a larger one would tell nothing. */
static bool hopeless(const station *at, size_t agent) {
  if (at->size == 0 || at->study->kind == MEASURE_REWARD) return false;
  const growth_cell *before = cell_of(at, agent) - at->study->n_agents;
  return before->left_out || (before->known && before->times.median == INFINITY);
}

/* Doubles the budget until enough runs have learned. */
static int run_station(station *at) {
  const growth_study *study = at->study;
  const bool times = study->kind == MEASURE_TIME;
  int64_t steps = times ? FIRST_BUDGET : study->steps;
  const int64_t most = times ? study->max_steps : study->steps;
  at->def.cells = at->cells;
  at->def.n_cells = 0;
  at->def.metrics = (const far_metric *const *)&at->metric;
  at->def.n_metrics = at->metric != NULL;
  /* other luck at every size, so that the sizes err independently */
  at->def.first_replicate = (uint64_t)study->sizes[at->size] << 32;
  for (size_t j = 0; j < study->n_agents; ++j)
    if (!(cell_of(at, j)->left_out = hopeless(at, j))) append(at, j, steps);
  int code = EXIT_OK;
  while (code == EXIT_OK && at->def.n_cells > 0) {
    steps = steps < most ? steps : most;
    code = run_budget(at, steps);
    if (steps == most) break;
    steps = steps > most / 2 ? most : steps * 2;
  }
  return code;
}

/* A large model may take long to make and to solve, and knows nothing of signals meanwhile. */
typedef struct making {
  station at;
  int code;
} making;

static void make_aside(void *user) {
  making *m = user;
  m->code = make_station(&m->at);
}

/* All sizes; what is finished stays in the study, whatever the exit code. *leave: something is still
 * at work on it. */
static int run_study(growth_study *study, const arguments *args, const far_batch_def *def,
                     bool *leave) {
  static making m;
  int code = EXIT_OK;
  catch_interrupts();
  for (size_t i = 0; code == EXIT_OK && i < study->n_sizes; ++i) {
    m = (making){.at = {.study = study, .def = *def, .args = args, .size = i}};
    *leave = !run_aside(make_aside, &m);
    if (*leave) return interrupted_code();
    code = m.code;
    for (size_t j = 0; code == EXIT_OK && j < study->n_agents; ++j)
      cell_of(&m.at, j)->gamma = gamma_at(study, study->sizes[i]);
    if (code == EXIT_OK) code = run_station(&m.at);
    station_free(&m.at);
  }
  return code;
}

/* ---- the command ---- */

static bool read_fraction(const arguments *args, const char *option, double *out, double most) {
  if (!args_real(args, option, out)) return false;
  if (*out >= 0 && *out < most && (*out > 0 || strcmp(option, "censored") == 0)) return true;
  usage_error(args, "--%s %g: must be a fraction below %g", option, *out, most);
  return false;
}

static bool read_measure(growth_study *study, const arguments *args) {
  static const char *const names[] = {"earned", "learned", "last-mistake", "reward"};
  const char *given = args_text(args, "measure", 0);
  study->measure = given != NULL ? given : names[0];
  study->kind = strcmp(study->measure, "reward") == 0 ? MEASURE_REWARD : MEASURE_TIME;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(study->measure, names[i]) == 0) return true;
  usage_error(args, "--measure %s: must be earned, learned, last-mistake or reward",
              study->measure);
  return false;
}

static bool read_discount(growth_study *study, const arguments *args) {
  study->gamma = study->gamma_scale = NAN;
  if (!args_real(args, "gamma", &study->gamma)) return false;
  if (!args_real(args, "gamma-scale", &study->gamma_scale)) return false;
  if (args_flag(args, "gamma") && args_flag(args, "gamma-scale")) {
    usage_error(args, "--gamma and --gamma-scale: give one");
    return false;
  }
  if (args_flag(args, "gamma") && !(study->gamma >= 0 && study->gamma < 1)) {
    usage_error(args, "--gamma %g: must be in [0, 1)", study->gamma);
    return false;
  }
  if (!args_flag(args, "gamma") && !args_flag(args, "gamma-scale")) study->gamma_scale = 1;
  if (!args_flag(args, "gamma-scale") || study->gamma_scale > 0) return true;
  usage_error(args, "--gamma-scale %g: must be above 0", study->gamma_scale);
  return false;
}

static bool read_environment(growth_study *study, const arguments *args) {
  study->env = args_text(args, "env", 0);
  study->key = args_text(args, "key", 0);
  if (study->key == NULL) study->key = "n";
  if (study->env == NULL || args_text(args, "env", 1) != NULL) {
    usage_error(args, "one environment must be given, without its size, as in -e chain");
    return false;
  }
  const far_type_info *family = far_spec_type(far_mdp_family, study->env);
  if (family != NULL && far_type_param(family, study->key, strlen(study->key)) == NULL) {
    usage_error(args, "%s has no key '%s' for its size; --key names another", family->name,
                study->key);
    return false;
  }
  size_t length;
  if (far_spec_value(study->env, study->key, &length) == NULL) return true;
  usage_error(args, "%s: the size comes from --sizes; leave out %s", study->env, study->key);
  return false;
}

static bool read_options(growth_study *study, const arguments *args, far_batch_def *def) {
  const int64_t most = INT64_MAX / 4;
  *study = (growth_study){.eps = 0.5, .censored = 0.25, .steps = 10000, .max_steps = 1000000};
  def->runs = 100;
  if (!read_environment(study, args) || !read_measure(study, args)) return false;
  if (args_text(args, "agent", 0) == NULL) {
    usage_error(args, "no agent is given, as in -a directed-delayed-q");
    return false;
  }
  return growth_read_sizes(study, args) && read_discount(study, args) &&
         read_fraction(args, "eps", &study->eps, 1) &&
         read_fraction(args, "censored", &study->censored, 0.5) &&
         args_integer(args, "steps", 1, most, &study->steps) &&
         args_integer(args, "max-steps", 2, most, &study->max_steps) && batch_options(args, def);
}

static int run_and_print(growth_study *study, const arguments *args, const far_batch_def *def) {
  bool leave = false;
  const int code = run_study(study, args, def, &leave);
  const bool stopped = interrupted();
  if (code != EXIT_OK && !stopped) return code;
  (args_flag(args, "json") ? growth_print_json : growth_print_text)(study, def);
  if (stopped) {
    fflush(stdout);
    fprintf(stderr, "farsight: stopped; what is finished is above\n");
  }
  if (leave) leave_program(code);
  return code;
}

static int run(const arguments *args) {
  static const char *const none[] = {NULL};
  growth_study study;
  far_batch_def def = far_batch_def_default();
  if (!read_options(&study, args, &def)) return EXIT_USAGE;
  study.agents = option_values(args, "agent", none, &study.n_agents);
  if (study.n_agents >= TABLE_COLUMNS) {
    free(study.agents);
    return usage_error(args, "a table has room for %d agents; there are %zu", TABLE_COLUMNS - 1,
                       study.n_agents);
  }
  study.cells = room_for(study.n_sizes * study.n_agents, sizeof *study.cells);
  const int code = run_and_print(&study, args, &def);
  for (size_t i = 0; i < study.n_sizes * study.n_agents; ++i) {
    free(study.cells[i].env);
    free(study.cells[i].agent);
  }
  free(study.cells);
  free(study.agents);
  return code;
}

const command cmd_growth = {
    .name = "growth",
    .synopsis = "-e ENV -a AGENT... --sizes LIST [OPTIONS]",
    .summary = "Fit how the steps to learn grow with the size of the problem",
    .details =
        "At every size the budget of a run is doubled until most runs have learned. A time is\n"
        "known if the run then went on for as long again; other runs are censored, and count\n"
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
        "  reward        the total reward of --steps steps, as a mean\n",
    .examples = "  farsight growth -e chain -a directed-delayed-q -a delayed-q --sizes 5..50:5\n"
                "  farsight growth -e deepsea -a psrl -a q-learning --sizes 4,6,8,10 --eps 0.2\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
