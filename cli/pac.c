/* farsight pac: what the theorems ask for and promise. */
#include "cli.h"
#include "json.h"
#include "memory.h"
#include "table.h"
#include "theorems.h"

#include <math.h>
#include <string.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "read sizes, range and diameter off this environment",
     COMPLETE_ENVIRONMENT},
    {0, "states", "S", "number of states", COMPLETE_NONE},
    {0, "actions", "A", "number of actions", COMPLETE_NONE},
    {0, "gamma", "G", "discount, in [0, 1) (default: the model's own, or 0.95)", COMPLETE_NONE},
    {0, "eps", "E", "accuracy, in units of value (default 0.1 Vmax)", COMPLETE_NONE},
    {0, "delta", "D", "chance of failure, in (0, 1) (default 0.1)", COMPLETE_NONE},
    {0, "rmin", "R", "smallest reward (default 0)", COMPLETE_NONE},
    {0, "rmax", "R", "largest reward (default 1)", COMPLETE_NONE},
    {0, "episodic", NULL, "episodes can end", COMPLETE_NONE},
    {0, "gamma-e", "G", "discount of exploration values (default 0.99)", COMPLETE_NONE},
    {0, "diameter", "D", "diameter of the model, in steps; UCRL2 needs it", COMPLETE_NONE},
    {0, "steps", "N", "the inverse: the smallest eps that N steps can promise", COMPLETE_NONE},
    {0, "explain", NULL, "the derivation, step by step, and what was repaired", COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

enum { MOST_THEOREMS = 64, EASY_DIAMETER = 1000 };

typedef struct question {
  const arguments *args;
  far_problem problem;
  far_mdp *mdp;       /* NULL: sizes are given */
  double steps;       /* 0: not given */
  const char *source; /* of the diameter */
  uint32_t absent;    /* states of the model that are terminal or cannot be reached */
  size_t n;
  const far_theorem *theorem[MOST_THEOREMS];
  bool all;
  struct answer *answers; /* of every theorem; all are found before the first is printed */
} question;

/* ---- one theorem ---- */

typedef struct answer {
  far_guarantee at_eps, at_steps;
} answer;

static far_status find_answers(const question *q, far_error *error) {
  for (size_t i = 0; i < q->n; ++i) {
    answer *a = &q->answers[i];
    far_status status = far_theorem_evaluate(&a->at_eps, q->theorem[i], &q->problem, error);
    if (status == FAR_OK && q->steps > 0)
      status = far_theorem_invert(&a->at_steps, q->theorem[i], &q->problem, q->steps, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

static big_text least_eps(const far_guarantee *g) {
  big_text none = {""};
  if (!g->has_number) return none;
  if (g->vacuous) {
    snprintf(none.text, sizeof none.text, "nothing");
    return none;
  }
  return format_big_above(g->problem.eps, NAN);
}

static void print_inverse(const question *q, const far_guarantee *g) {
  const big_text steps = format_big(q->steps, NAN), eps = least_eps(g);
  if (q->steps == 0) return;
  if (!g->has_number)
    printf("From %s steps: no number, for the same reason.\n", steps.text);
  else if (g->vacuous)
    printf("%s steps promise nothing: not even eps = Vmax = %s, which every policy attains.\n",
           steps.text, format_big(g->problem.range / (1 - g->problem.gamma), NAN).text);
  else if (g->theorem->kind == FAR_THEOREM_REGRET)
    printf("After %s steps the smallest promise is eps = %s, a loss of %s a step, %s in all.\n",
           steps.text, eps.text, format_big(g->problem.eps * (1 - g->problem.gamma), NAN).text,
           format_big(g->problem.eps * (1 - g->problem.gamma) * q->steps, NAN).text);
  else
    printf("The smallest eps of which at most %s mistakes are promised is %s.\n", steps.text,
           eps.text);
}

/* ---- text ---- */

static void print_problem(const question *q) {
  const far_problem *p = &q->problem;
  const double v_max = p->range / (1 - p->gamma), eps = p->eps == 0 ? 0.1 * v_max : p->eps;
  if (q->mdp != NULL) printf("%s\n", far_mdp_spec(q->mdp));
  printf("%.0f state%s, %.0f action%s, gamma %.10g, range of rewards %s, Vmax %s%s\n", p->states,
         p->states == 1 ? "" : "s", p->actions, p->actions == 1 ? "" : "s", p->gamma,
         format_big(p->range, NAN).text, format_big(v_max, NAN).text,
         p->episodic ? "; episodes end" : "");
  if (q->absent > 0)
    printf("(not counted: %lu state%s that %s terminal or cannot be reached)\n",
           (unsigned long)q->absent, q->absent == 1 ? "" : "s", q->absent == 1 ? "is" : "are");
  printf("eps %s, delta %s", format_big(eps, NAN).text, format_big(p->delta, NAN).text);
  if (p->diameter > 0 && p->diameter < INFINITY)
    printf("; diameter %s%s", format_big(p->diameter, NAN).text, q->source);
  printf("\n\n");
}

static void fill_row(table *t, const question *q, const answer *a) {
  const far_guarantee *g = &a->at_eps;
  const far_quantity *m = far_guarantee_quantity(g, "m");
  const bool inverse = q->steps > 0;
  table_row(t);
  table_cell(t, 0, "%s", g->theorem->name);
  if (m != NULL)
    table_cell(t, 1, "%s%s", g->theorem->is_checked ? "" : "? ",
               format_big_above(m->value, m->log10).text);
  table_cell(t, 2, "%s",
             g->has_number ? format_big_above(g->bound, g->log10_bound).text
             : g->applies  ? "order only"
                           : "–");
  if (inverse) table_cell(t, 3, "%s", least_eps(&a->at_steps).text);
  table_cell(t, inverse ? 4 : 3, "%s", g->theorem->order);
}

static void print_table(const question *q) {
  const bool inverse = q->steps > 0;
  table t = table_create(inverse ? "lrrrl" : "lrrl");
  char missing[512] = "";
  table_row(&t);
  table_cell(&t, 0, "theorem");
  table_cell(&t, 1, "samples m");
  table_cell(&t, 2, "steps");
  if (inverse) table_cell(&t, 3, "least eps");
  table_cell(&t, inverse ? 4 : 3, "order");
  for (size_t i = 0; i < q->n; ++i) {
    const far_guarantee *g = &q->answers[i].at_eps;
    fill_row(&t, q, &q->answers[i]);
    if (g->applies) continue;
    const size_t used = strlen(missing);
    snprintf(missing + used, sizeof missing - used, "%s: %s.\n", q->theorem[i]->name, g->missing);
  }
  print_problem(q);
  table_print(&t, 2);
  printf("\nm: samples that one estimate takes. ?: as recalled, or standing in; not checked.\n"
         "steps: mistakes at most, ever (ucrl2: steps until the loss is eps (1-gamma) a step).\n"
         "order only: no constants are known, and so no number.\n");
  if (inverse)
    printf(
        "least eps: of which at most %s steps are promised; 'nothing' if that is not even Vmax.\n",
        format_big(q->steps, NAN).text);
  printf("%s'farsight pac METHOD --explain' tells how a number comes about.\n", missing);
}

static void print_details(const question *q) {
  print_problem(q);
  for (size_t i = 0; i < q->n; ++i) {
    if (i > 0) printf("\n");
    print_guarantee(&q->answers[i].at_eps, args_flag(q->args, "explain"));
    print_inverse(q, &q->answers[i].at_steps);
    if (args_flag(q->args, "explain")) print_repairs(q->theorem[i]);
  }
}

/* ---- JSON ---- */

static void write_named(const char *name, double x) {
  printf(",\"%s\":", name);
  json_write_real(stdout, x);
}

static void write_problem(const question *q, const far_problem *p) {
  printf("{\"version\":\"%s\",\"problem\":{\"states\":%.0f,\"actions\":%.0f", far_version(),
         p->states, p->actions);
  write_named("gamma", p->gamma);
  write_named("range", p->range);
  write_named("v_max", p->range / (1 - p->gamma));
  write_named("eps", p->eps);
  write_named("delta", p->delta);
  write_named("gamma_e", p->gamma_e);
  write_named("diameter", p->diameter > 0 ? p->diameter : NAN);
  printf(",\"episodic\":%s", p->episodic ? "true" : "false");
  if (q->mdp != NULL) {
    printf(",\"env\":");
    json_write_string(stdout, far_mdp_spec(q->mdp));
  }
  printf("},\"theorems\":[");
}

static void write_inverse(const question *q, const far_guarantee *g) {
  const bool promised = g->has_number && !g->vacuous;
  printf(",\"inverse\":{\"steps\":");
  json_write_real(stdout, q->steps);
  printf(",\"promised\":%s", promised ? "true" : "false");
  write_named("eps", promised ? g->problem.eps : NAN);
  printf("}");
}

static void write_all(const question *q) {
  write_problem(q, &q->answers[0].at_eps.problem);
  for (size_t i = 0; i < q->n; ++i) {
    const answer *a = &q->answers[i];
    printf("%s\n  {", i == 0 ? "" : ",");
    write_theorem_members(q->theorem[i], args_flag(q->args, "explain"));
    printf(",\"vacuous\":%s", a->at_eps.vacuous ? "true" : "false");
    write_guarantee_members(&a->at_eps);
    if (q->steps > 0) write_inverse(q, &a->at_steps);
    printf("}");
  }
  printf("\n]}\n");
}

/* ---- the question ---- */

/* Where episodes can end, the range contains 0, the worth of an end. */
static void set_range(far_problem *p, double low, double high) {
  p->range = p->episodic ? fmax(high, 0) - fmin(low, 0) : high - low;
}

static int read_sizes(question *q) {
  const arguments *args = q->args;
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
  q->problem.states = (double)states;
  q->problem.actions = (double)actions;
  q->problem.episodic = args_flag(args, "episodic");
  set_range(&q->problem, low, high);
  return EXIT_OK;
}

static int read_env(question *q, const char *env) {
  static const char *const others[] = {"states", "actions", "rmin", "rmax", "episodic"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (args_flag(q->args, others[i]))
      return usage_error(q->args, "-e %s and --%s do not go together", env, others[i]);
  if (args_text(q->args, "env", 1) != NULL)
    return usage_error(q->args, "one environment at a time, please");
  const int code = model_from_spec(&q->mdp, q->args, env);
  if (code != EXIT_OK) return code;
  const far_shape shape = far_mdp_shape(q->mdp);
  const double own = far_mdp_discount(q->mdp);
  q->problem.states = far_shape_live(&shape);
  q->absent = shape.n_states - far_shape_live(&shape);
  q->problem.actions = shape.n_actions;
  q->problem.episodic = shape.episodic;
  set_range(&q->problem, shape.reward_min, shape.reward_max);
  if (own > 0 && own < 1) q->problem.gamma = own;
  return EXIT_OK;
}

static bool needs_diameter(const question *q) {
  for (size_t i = 0; i < q->n; ++i)
    if (q->theorem[i]->kind == FAR_THEOREM_REGRET) return true;
  return false;
}

/* Only where something asks for it, and unless it would take long. */
static int find_diameter(question *q) {
  far_error error;
  far_solver *solver = NULL;
  far_diameter diameter;
  far_solve_def def = far_solve_def_default();
  if (q->mdp == NULL || q->problem.diameter > 0 || !needs_diameter(q)) return EXIT_OK;
  if (q->problem.states > EASY_DIAMETER) {
    if (!q->all)
      return usage_error(q->args,
                         "so many states take long: give --diameter, as 'farsight solve -e ... "
                         "--diameter' computes it");
    return EXIT_OK;
  }
  def.live_only = true;
  far_status status = far_solver_create(&solver, q->mdp, &error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, &error);
  far_solver_free(solver);
  if (status == FAR_STATUS_RANGE && q->all) { /* the theorem that needs it says so */
    note("no diameter (%s); --diameter D gives one", error.message);
    return EXIT_OK;
  }
  if (status != FAR_OK) return run_error(&error);
  q->problem.diameter = fmax(1, diameter.value);
  q->source = " (computed)";
  return EXIT_OK;
}

static int read_theorems(question *q) {
  for (; args_word(q->args, q->n) != NULL; ++q->n) {
    char message[400];
    q->theorem[q->n] = theorem_named(args_word(q->args, q->n), message, sizeof message);
    if (q->theorem[q->n] == NULL) return usage_error(q->args, "%s", message);
  }
  q->all = q->n == 0;
  for (; q->all && far_theorem_at(q->n) != NULL; ++q->n) q->theorem[q->n] = far_theorem_at(q->n);
  return EXIT_OK;
}

static int read_question(question *q) {
  const arguments *args = q->args;
  const char *env = args_text(args, "env", 0);
  far_problem *p = &q->problem;
  int code = read_theorems(q);
  if (code == EXIT_OK) code = env != NULL ? read_env(q, env) : read_sizes(q);
  if (code != EXIT_OK) return code;
  if (!args_real(args, "gamma", &p->gamma) || !args_real(args, "eps", &p->eps) ||
      !args_real(args, "delta", &p->delta) || !args_real(args, "gamma-e", &p->gamma_e) ||
      !args_real(args, "diameter", &p->diameter) || !args_real(args, "steps", &q->steps))
    return EXIT_USAGE;
  if (args_flag(args, "eps") && !(p->eps > 0))
    return usage_error(args, "eps = %g: must be above 0", p->eps);
  if (args_flag(args, "diameter") && !(p->diameter >= 1))
    return usage_error(args, "diameter = %g: must be at least 1", p->diameter);
  if (args_flag(args, "steps") && !(q->steps >= 1))
    return usage_error(args, "steps = %g: must be at least 1", q->steps);
  return find_diameter(q);
}

static void warn_of_eps(const far_problem *p) {
  const double v_max = p->range / (1 - p->gamma);
  if (p->eps >= v_max)
    warning("eps = %g is not below Vmax = %g: every policy is as good as that, and "
            "the promise is empty; the numbers are for eps = Vmax",
            p->eps, v_max);
}

static int answer_question(question *q) {
  far_error error;
  q->answers = room_for(q->n, sizeof *q->answers);
  if (find_answers(q, &error) != FAR_OK) return usage_error(q->args, "%s", error.message);
  warn_of_eps(&q->problem);
  if (args_flag(q->args, "json"))
    write_all(q);
  else if (q->all && !args_flag(q->args, "explain"))
    print_table(q);
  else
    print_details(q);
  return EXIT_OK;
}

static int run(const arguments *args) {
  question q = {.args = args, .problem = far_problem_default(0, 0), .source = ""};
  int code = read_question(&q);
  if (code == EXIT_OK) code = answer_question(&q);
  free(q.answers);
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
        "constants are not known is an order, never a number. --steps turns the question round.\n"
        "'farsight list theorems' tells what there is.\n",
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
