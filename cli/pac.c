/* farsight pac: parameters and bounds of the theorems. */
#include "output.h"
#include "questions/guarantees/guarantees.h"
#include "questions/listing/listing.h"
#include "report/build.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "read sizes, range and diameter off this environment",
     COMPLETE_ENVIRONMENT},
    {0, "states", "S", "number of states", COMPLETE_NONE},
    {0, "actions", "A", "number of actions", COMPLETE_NONE},
    {0, "gamma", "G", "discount, in (0, 1) (default: what the environment says, or 0.95)",
     COMPLETE_NONE},
    {0, "eps", "E", "accuracy, in units of value (default 0.1 Vmax)", COMPLETE_NONE},
    {0, "delta", "D", "chance of failure, in (0, 1) (default 0.1)", COMPLETE_NONE},
    {0, "rmin", "R", "smallest reward (default 0)", COMPLETE_NONE},
    {0, "rmax", "R", "largest reward (default 1)", COMPLETE_NONE},
    {0, "episodic", NULL, "episodes can end", COMPLETE_NONE},
    {0, "gamma-e", "G", "discount of exploration values (default 0.99)", COMPLETE_NONE},
    {0, "diameter", "D", "diameter of the model, in steps; UCRL2 needs it", COMPLETE_NONE},
    {0, "horizon", "H", "steps of an episode; the theorems of finite horizon need it",
     COMPLETE_NONE},
    {0, "steps", "N", "the inverse: the smallest eps that N steps can promise", COMPLETE_NONE},
    {0, "explain", NULL, "the derivation, step by step, and what was repaired", COMPLETE_NONE},
    FORMAT_OPTIONS,
};

enum { MOST_THEOREMS = 64 };

typedef struct question {
  const arguments *args;
  far__guarantees_def def;
  far_mdp *mdp; /* NULL: sizes are given */
  const far_theorem *theorems[MOST_THEOREMS];
} question;

/* ---- the question ---- */

static int read_sizes(question *q) {
  const arguments *args = q->args;
  far_problem *p = &q->def.problem;
  int64_t states = 0, actions = 0;
  double low = 0, high = 1;
  if (!args_integer(args, "states", 1, UINT32_MAX, &states) ||
      !args_integer(args, "actions", 1, UINT32_MAX, &actions) || !args_real(args, "rmin", &low) ||
      !args_real(args, "rmax", &high))
    return EXIT_USAGE;
  if (states == 0 || actions == 0)
    return usage_error(args, "give --states and --actions, or an environment as in -e chain:n=10");
  if (!(high > low))
    return usage_error(args, "the largest reward, %g, must be above the smallest, %g", high, low);
  p->states = (double)states;
  p->actions = (double)actions;
  p->episodic = args_flag(args, "episodic");
  far__problem_set_range(p, low, high);
  return EXIT_OK;
}

static int read_env(question *q, const char *env) {
  static const char *const others[] = {"states", "actions", "rmin", "rmax", "episodic"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (args_flag(q->args, others[i]))
      return usage_error(q->args, "-e %s and --%s do not go together", env, others[i]);
  if (args_text(q->args, "env", 1) != NULL)
    return usage_error(q->args, "one environment at a time, please");
  char problem[FAR_SPEC_SIZE];
  const int code = model_of_problem(&q->mdp, problem, q->args, env);
  if (code != EXIT_OK) return code;
  far__problem_from_model(&q->def.problem, q->mdp);
  q->def.mdp = q->mdp;
  return EXIT_OK;
}

static int read_theorems(question *q) {
  size_t n = 0;
  far_error error;
  for (; args_word(q->args, n) != NULL; ++n)
    if (far__theorem_named(&q->theorems[n], args_word(q->args, n), &error) != FAR_OK)
      return usage_error(q->args, "%s", error.message);
  q->def.theorems = q->theorems;
  q->def.n_theorems = n;
  return EXIT_OK;
}

static int read_question(question *q) {
  const arguments *args = q->args;
  const char *env = args_text(args, "env", 0);
  far_problem *p = &q->def.problem;
  far_report_format format;
  int64_t horizon = 0;
  int code = read_theorems(q);
  if (code == EXIT_OK && !report_format(args, &format)) code = EXIT_USAGE;
  if (code == EXIT_OK) code = env != NULL ? read_env(q, env) : read_sizes(q);
  if (code != EXIT_OK) return code;
  if (!args_real(args, "gamma", &p->gamma) || !args_real(args, "eps", &p->eps) ||
      !args_real(args, "delta", &p->delta) || !args_real(args, "gamma-e", &p->gamma_e) ||
      !args_real(args, "diameter", &p->diameter) ||
      !args_integer(args, "horizon", 1, FAR_HORIZON_MAX, &horizon) ||
      !args_real(args, "steps", &q->def.steps))
    return EXIT_USAGE;
  if (args_flag(args, "horizon")) p->horizon = (double)horizon;
  if (args_flag(args, "eps") && !(p->eps > 0))
    return usage_error(args, "eps = %g: must be above 0", p->eps);
  if (args_flag(args, "diameter") && !(p->diameter >= 1))
    return usage_error(args, "diameter = %g: must be at least 1", p->diameter);
  if (args_flag(args, "steps") && !(q->def.steps >= 1))
    return usage_error(args, "steps = %g: must be at least 1", q->def.steps);
  return EXIT_OK;
}

/* ---- the answer ---- */

/* A missing diameter is a usage error where it was not computed since that takes long, and a failure where there is
 * none. */
static int answer_error(const question *q, const far_error *error) {
  const bool large = q->def.problem.states > q->def.most_states;
  if (error->code == FAR_STATUS_CONFLICT && large)
    return usage_error(q->args,
                       "%s by --diameter, as 'farsight solve -e ... --diameter' computes it",
                       error->message);
  if (error->code == FAR_STATUS_CONFLICT) return run_error(error);
  return exit_code_of(error->code) == EXIT_USAGE ? usage_error(q->args, "%s", error->message)
                                                 : run_error(error);
}

static int answer(const question *q) {
  far__guarantees *g;
  far_error error;
  const bool explain = args_flag(q->args, "explain");
  if (far__guarantees_create(&g, &q->def, &error) != FAR_OK) return answer_error(q, &error);
  const far_problem *p = &q->def.problem;
  const double v_max = p->range / (1 - p->gamma);
  if (g->no_diameter[0] != '\0') note("no diameter (%s); --diameter D gives one", g->no_diameter);
  if (p->eps >= v_max)
    warning("eps = %g is not below Vmax = %g: every policy is as good as that, and "
            "the promise is empty; the numbers are for eps = Vmax",
            p->eps, v_max);
  far_report *report = new_report(q->args);
  far__guarantees_report(g,
                         explain  ? FAR__GUARANTEES_EXPLAIN
                         : g->all ? FAR__GUARANTEES_TABLE
                                  : FAR__GUARANTEES_EACH,
                         report);
  if (g->all && !explain)
    far__report_paragraph(report, "'farsight pac METHOD --explain' shows how a number is derived.");
  const int code = print_report(q->args, report);
  far__guarantees_free(g);
  return code;
}

static int run(const arguments *args) {
  question q = {.args = args, .def = far__guarantees_def_default()};
  int code = read_question(&q);
  if (code == EXIT_OK) code = answer(&q);
  far_mdp_free(q.mdp);
  return code;
}

const command cmd_pac = {
    .name = "pac",
    .synopsis = "[METHOD...] (-e ENV | --states S --actions A) [OPTIONS]",
    .summary = "Show each theorem's parameters and bound",
    .details =
        "From the size of a problem, eps, delta and gamma: the parameters that each theorem asks\n"
        "for and its bound on mistakes, all methods side by side, or one in detail. A bound whose\n"
        "constants are not known is an order, never a number. --steps asks the inverse question.\n"
        "'farsight list theorems' lists them. --format csv has the\n"
        "tables theorems and quantities.\n",
    .examples = "  farsight pac -e chain:n=10 --gamma 0.9 --eps 0.5\n"
                "  farsight pac directed-delayed-q --states 10 --actions 2 --eps 1 --explain\n"
                "  farsight pac -e riverswim --steps 1e15\n",
    .words = "",
    .complete = COMPLETE_THEOREM,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 32,
    .run = run,
};
