/* farsight solve: exact values, policies and structure of an environment. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/spec.h"
#include "device.h"
#include "output.h"
#include "policy_file.h"
#include "questions/model/model-solution.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment", COMPLETE_ENVIRONMENT},
    {0, "gamma", "G",
     "discount, in [0, 1) (default: what the environment says, or 0.95; with --horizon 1)",
     COMPLETE_NONE},
    {0, "tolerance", "T", "certified bound on the error of every value (default 1e-6)",
     COMPLETE_NONE},
    {0, "max-sweeps", "N",
     "stop after N sweeps and certify what is reached (default: until the tolerance is)",
     COMPLETE_NONE},
    {0, "method", "NAME",
     "auto, value, gauss-seidel, modified, policy or topological (default auto; see above)",
     COMPLETE_NONE},
    {0, "threads", "N",
     "threads for large models; the results do not depend on it (default: all processors)",
     COMPLETE_NONE},
    DEVICE_OPTION,
    {0, "policy", "FILE", "evaluate this policy instead of finding the best", COMPLETE_NONE},
    {0, "horizon", "H", "the best for H steps instead of for ever (default: the model's own)",
     COMPLETE_NONE},
    {0, "step", "H",
     "with a horizon: print the values and actions of this step, from 0 (default 0)",
     COMPLETE_NONE},
    {0, "average", NULL, "the best average reward instead of discounted values", COMPLETE_NONE},
    {0, "structure", NULL,
     "also classes of states, measures of hardness and, up to 1000 states, the diameter",
     COMPLETE_NONE},
    {0, "diameter", NULL, "also the diameter, whatever the number of states", COMPLETE_NONE},
    {0, "all", NULL, "print every state, however many there are", COMPLETE_NONE},
    FORMAT_OPTIONS,
};

enum { SHORT_TABLE = 24, LONG_SECONDS = 5, QUICK_STATES = 1 << 14 };
enum { ELIMINATED = 300 /* states: fewer are solved so by policy iteration */ };

typedef struct problem {
  const arguments *args;
  far_mdp *mdp;
  policy_file policy; /* to evaluate, if it is given */
  far__model_solution_def def;
  far__solving what; /* is under way */
  double began;      /* when that was; 0: never */
  bool noted;        /* that it takes long */
} problem;

/* ---- progress ---- */

/* Advice on what may be faster. */
static const char *advice(const problem *p, far__solving what) {
  const far_method method = p->def.method;
  if (what == FAR__SOLVING_DIAMETER)
    return "a larger --tolerance takes less time, and --max-sweeps bounds it";
  if (what == FAR__SOLVING_MEASURES) return "without --structure they are left out";
  if (p->def.kind != FAR__SOLVE_DISCOUNTED)
    return "a larger --tolerance takes fewer, and --max-sweeps bounds them";
  if (method == FAR_METHOD_AUTO)
    return "--method modified may take fewer, a larger --tolerance does, and --max-sweeps bounds "
           "them";
  if (far_mdp_shape(p->mdp).n_states < ELIMINATED && method != FAR_METHOD_POLICY)
    return "--method policy does without sweeps for so few states";
  return method == FAR_METHOD_VALUE || method == FAR_METHOD_GAUSS_SEIDEL
             ? "--method modified or policy may take fewer, a larger --tolerance does, and "
               "--max-sweeps bounds them"
             : "--method value may be faster, a larger --tolerance is, and --max-sweeps bounds the "
               "sweeps";
}

typedef struct state_text {
  char text[200];
} state_text;

static state_text describe_state(const problem *p, far__solving what, int64_t done, double error) {
  state_text out;
  if (what == FAR__SOLVING_DIAMETER)
    snprintf(out.text, sizeof out.text, "diameter: %s of %s states", far__brief_count(done).text,
             far__brief_count(far_mdp_shape(p->mdp).n_states).text);
  else if (what == FAR__SOLVING_MEASURES)
    snprintf(out.text, sizeof out.text, "measures of hardness: %s parts done",
             far__brief_count(done).text);
  else
    snprintf(out.text, sizeof out.text, "%s sweeps so far, error below %s",
             far__brief_count(done).text, above(error, 2).text);
  return out;
}

/* Progress: a line on a terminal, and once for each part that takes long a note. Always true: Ctrl-C ends the program at
 * once, since half a solution is useless. */
static bool tick(void *user, far__solving what, int64_t done, double error) {
  problem *p = user;
  /* asks the clock now and then: a sweep of a small model takes less time than that */
  const int64_t every = 1 + QUICK_STATES / (int64_t)far_mdp_shape(p->mdp).n_states;
  if (what != FAR__SOLVING_DIAMETER && done % every != 0) return true;
  const double now = far__clock_seconds();
  if (p->began == 0 || p->what != what) {
    p->what = what;
    p->began = now;
    p->noted = false;
  }
  if (!p->noted && now - p->began >= LONG_SECONDS) {
    p->noted = true;
    note("%s; %s", describe_state(p, what, done, error).text, advice(p, what));
  }
  progress("  %s", describe_state(p, what, done, error).text);
  return true;
}

/* ---- the arguments ---- */

/* False after a usage error. */
static bool read_method(const arguments *args, far_method *out) {
  const char *names[8];
  size_t n = 0;
  const char *text = args_last(args, "method");
  if (text == NULL) return true;
  for (; far_method_name(n) != NULL; ++n) {
    names[n] = far_method_name(n);
    if (strcmp(text, names[n]) == 0) {
      *out = (far_method)n;
      return true;
    }
  }
  const char *near = far__nearest(text, strlen(text), names, n);
  if (near != NULL)
    usage_error(args, "unknown method '%s'; did you mean '%s'?", text, near);
  else
    usage_error(args,
                "unknown method '%s'; there are auto, value, gauss-seidel, modified, policy and "
                "topological",
                text);
  return false;
}

/* Which of the problems; false after a usage error. */
static bool read_kind(problem *p) {
  static const struct {
    const char *option;
    far__solve_kind kind;
  } kinds[] = {{"average", FAR__SOLVE_AVERAGE},
               {"horizon", FAR__SOLVE_HORIZON},
               {"policy", FAR__SOLVE_POLICY}};
  const char *first = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (!args_flag(p->args, kinds[i].option)) continue;
    if (first != NULL) {
      usage_error(p->args, "--%s and --%s do not go together", first, kinds[i].option);
      return false;
    }
    first = kinds[i].option;
    p->def.kind = kinds[i].kind;
  }
  return true;
}

/* An option that would change nothing is refused; false after a usage error. */
static bool check_unused(const problem *p) {
  const bool structure = p->def.structure || p->def.diameter; /* which has a tolerance, too */
  const bool horizon = p->def.kind == FAR__SOLVE_HORIZON;
  const bool gpu = p->def.device == FAR_DEVICE_GPU;
  const struct {
    const char *option;
    bool unused;
    const char *why;
  } rules[] = {
      {"step", !horizon, "--step is of a horizon: give --horizon, or an environment that has one"},
      {"gamma", p->def.kind == FAR__SOLVE_AVERAGE,
       "--average has no --gamma: it does not discount"},
      {"gamma", !horizon && p->def.gamma == 1,
       "--gamma 1: must be in [0, 1); --average and --horizon H solve without a discount"},
      {"method", p->def.kind == FAR__SOLVE_AVERAGE,
       "--average has no --method: it is found by relative value iteration"},
      {"method", horizon, "a horizon has no --method: it is found by backward induction"},
      {"tolerance", horizon && !structure,
       "a horizon has no --tolerance: its values are exact but for rounding"},
      {"max-sweeps", horizon && !structure,
       "a horizon has no --max-sweeps: it takes one sweep a step"},
      {"device", gpu && (horizon || p->def.kind == FAR__SOLVE_AVERAGE),
       "--device gpu is for discounted values: the processors compute a horizon and --average"},
      {"device",
       gpu && !(p->def.method == FAR_METHOD_AUTO || p->def.method == FAR_METHOD_VALUE ||
                p->def.method == FAR_METHOD_TOPOLOGICAL),
       "--device gpu is for the methods auto, value and topological"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rules[i].unused && args_flag(p->args, rules[i].option)) {
      usage_error(p->args, "%s", rules[i].why);
      return false;
    }
  return true;
}

static bool read_options(problem *p) {
  const arguments *args = p->args;
  far_report_format format;
  int64_t threads = 0;
  p->def.structure = args_flag(args, "structure");
  p->def.diameter = args_flag(args, "diameter");
  if (!args_integer(args, "threads", 1, 1024, &threads)) return false;
  p->def.threads = (unsigned)threads;
  return args_integer(args, "horizon", 1, INT64_MAX / 2, &p->def.horizon) &&
         args_integer(args, "step", 0, INT64_MAX / 2, &p->def.step) &&
         args_integer(args, "max-sweeps", 1, INT64_MAX / 2, &p->def.max_sweeps) &&
         args_real(args, "gamma", &p->def.gamma) &&
         args_real(args, "tolerance", &p->def.tolerance) && read_method(args, &p->def.method) &&
         device_choice(args, &p->def.device) && read_kind(p) && report_format(args, &format);
}

static int read_problem(problem *p) {
  const char *env = args_text(p->args, "env", 0), *path = args_last(p->args, "policy");
  if (!read_options(p)) return EXIT_USAGE;
  if (env == NULL) return usage_error(p->args, "no environment is given, as in -e chain:n=10");
  if (args_text(p->args, "env", 1) != NULL)
    return usage_error(p->args, "one environment at a time, please");
  const bool usual = p->def.gamma > 0 && p->def.gamma < 1; /* 0 and 1 are questions of their own */
  char whole[FAR_SPEC_SIZE];
  int code = usual ? model_of_problem(&p->mdp, whole, p->args, env) : model_from_spec(&p->mdp, env);
  if (code != EXIT_OK) return code;
  const far_shape shape = far_mdp_shape(p->mdp);
  p->def.mdp = p->mdp;
  if (shape.horizon > 0 && !args_flag(p->args, "average") && path == NULL)
    p->def.kind = FAR__SOLVE_HORIZON;
  else if (shape.average && p->def.kind == FAR__SOLVE_DISCOUNTED && !args_flag(p->args, "gamma"))
    p->def.kind = FAR__SOLVE_AVERAGE;
  if (!check_unused(p)) return EXIT_USAGE;
  if (path != NULL) code = policy_file_read(&p->policy, path, &shape);
  p->def.policy = (far_policy){p->policy.action, p->policy.probability};
  return code;
}

/* ---- the command ---- */

/* An error in a policy names its file. */
static int solve_error(const problem *p, const far_error *error) {
  const char *path = args_last(p->args, "policy");
  if (error->code != FAR_STATUS_RANGE) return run_error(error);
  if (path != NULL && strncmp(error->message, "the policy", 10) == 0)
    return usage_error(p->args, "'%s': %s", path, error->message);
  return usage_error(p->args, "%s", error->message);
}

/* CSV is for programs, which want all states. */
static int print(const arguments *args, const far__model_solution *solution) {
  far_report_format format = FAR_REPORT_TEXT;
  far_report *report = new_report(args);
  report_format(args, &format);
  const bool all = args_flag(args, "all") || format == FAR_REPORT_CSV;
  far__model_solution_report(solution, all ? 0 : SHORT_TABLE, report);
  return print_report(args, report);
}

static int run(const arguments *args) {
  problem p = {.args = args, .def = far__model_solution_def_default()};
  far__model_solution *solution = NULL;
  far_error error;
  p.def.progress = tick;
  p.def.note = tell_device;
  p.def.user = &p;
  int code = read_problem(&p);
  if (code == EXIT_OK) {
    const far_status status = far__model_solve(&solution, &p.def, &error);
    progress_end();
    if (status == FAR_OK) {
      if (solution->values.device_sweeps > 0)
        note("%s made %s sweeps in %.3g s", solution->values.device,
             far__brief_count(solution->values.device_sweeps).text,
             solution->values.device_seconds);
      else if (p.def.device == FAR_DEVICE_AUTO)
        note("the processors made all sweeps");
    }
    code = status == FAR_OK ? print(args, solution) : solve_error(&p, &error);
  }
  far__model_solution_free(solution);
  policy_file_free(&p.policy);
  far_mdp_free(p.mdp);
  return code;
}

const command cmd_solve = {
    .name = "solve",
    .synopsis = "-e ENV [OPTIONS]",
    .summary = "Solve an environment exactly: optimal values, policy, structure",
    .details =
        "Prints the optimal discounted values V and Q, the best action of each state and how\n"
        "clear it is, with a certificate: a proven bound on the error, rounding included. Small\n"
        "grids and rows of states are drawn, with an arrow for the best action of each state.\n"
        "--horizon and --average solve the other two problems instead. After an end, --average\n"
        "and --structure continue from a start. A policy file has one action a state, or one\n"
        "probability a pair, state by state, separated by white space; the count of\n"
        "numbers decides which. Where there is one action only, 0 and 1 (1.0) both stand for "
        "it.\n\n"
        "--structure also prints measures of hardness: the environmental value norm, the sum of\n"
        "1/gap, how far one must look ahead (effective horizon), mixing times up to 300 states,\n"
        "and up to 1000 states how long uniform actions take to try all pairs (cover time).\n"
        "docs/hardness.md defines them.\n\n"
        "Method auto begins with value iteration and continues with it where that takes few "
        "sweeps\n"
        "(runs mix fast). Elsewhere it is topological: parts of the model are solved in their\n"
        "order, each by itself, a state alone by one backup and a narrow part (a chain) by\n"
        "elimination. All methods have the same certificate. Where sweeps take long, a note\n"
        "names what may be faster; --max-sweeps bounds them, and the error that is certified\n"
        "by then is printed.\n\n"
        "--device gpu lets a graphics processor make the sweeps of discounted values, for models\n"
        "of 10^6 outcomes and more; auto does so where the processors would take more than a\n"
        "second. The values are the same bits, and the processors prove them (docs/gpu.md).\n",
    .examples = "  farsight solve -e chain:n=10 --gamma 0.99 --structure\n"
                "  farsight solve -e chain:n=10 --average\n"
                "  farsight solve -e chain:n=10 --json | jq -r '.policy[]' > best.txt\n"
                "  farsight solve -e chain:n=10,slip=0.3 --policy best.txt\n"
                "  farsight solve -e garnet:states=1000000,actions=4 --gamma 0.999 --device gpu\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
