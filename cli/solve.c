/* farsight solve: exact values, policies and structure of an environment. */
#include "cli.h"
#include "json.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "policy_file.h"
#include "wrap.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment", COMPLETE_ENVIRONMENT},
    {0, "gamma", "G", "discount, in [0, 1) (default: the model's own, or 0.95; with --horizon 1)",
     COMPLETE_NONE},
    {0, "tolerance", "T", "certified bound on the error of every value (default 1e-6)",
     COMPLETE_NONE},
    {0, "method", "NAME",
     "value, gauss-seidel, modified or policy (default value; see below where it takes long)",
     COMPLETE_NONE},
    {0, "policy", "FILE", "evaluate this policy instead of finding the best", COMPLETE_NONE},
    {0, "horizon", "H", "the best for H steps instead of for ever", COMPLETE_NONE},
    {0, "average", NULL, "the best average reward instead of discounted values", COMPLETE_NONE},
    {0, "structure", NULL, "also classes of states and, up to 1000 states, the diameter",
     COMPLETE_NONE},
    {0, "diameter", NULL, "also the diameter, whatever the number of states", COMPLETE_NONE},
    {0, "all", NULL, "print every state, however many there are", COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

enum { SHORT_TABLE = 24, HEAD_ROWS = 12, TAIL_ROWS = 6, EASY_DIAMETER = 1000 };
enum { ELIMINATED = 300 /* states: fewer are solved so by policy iteration */, LONG_SECONDS = 5 };

/* Everything that a problem consists of; what is not asked for stays empty. */
typedef struct problem {
  const arguments *args;
  far_mdp *mdp;
  far_solver *solver;
  far_solve_def def;
  far_shape shape;
  int64_t horizon; /* 0: none */
  bool average;
  policy_file policy; /* to evaluate, if it is given */
  far_structure structure;
  far_diameter diameter;
  bool has_structure, has_diameter;
  double began; /* the sweeps, in seconds of some clock; 0: not yet */
  bool noted;   /* that they take long */
} problem;

/* ---- numbers ---- */

/* As many decimals as are right, but for the rounding of the last. */
static int decimals_of(double tolerance) {
  int n = 0;
  for (double x = 10 * tolerance; x < 0.999 && n < 12; x *= 10) ++n;
  return n;
}

static double start_value(const problem *p, const double *v) {
  size_t n;
  const far_outcome *start = far_mdp_starts(p->mdp, &n);
  double value = 0;
  for (size_t k = 0; k < n; ++k) value += start[k].probability * v[start[k].next];
  return value;
}

static size_t count_outcomes(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t total = 0, n;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      far_mdp_outcomes(mdp, s, a, &n);
      total += n;
    }
  return total;
}

/* ---- text ---- */

static const char *plural(int64_t n) {
  return n == 1 ? "" : "s";
}

static void print_head(const problem *p, const char *how) {
  const size_t outcomes = count_outcomes(p->mdp);
  printf("%s\n%lu state%s, %lu action%s, %zu outcome%s; %s\n\n", far_mdp_spec(p->mdp),
         (unsigned long)p->shape.n_states, plural(p->shape.n_states),
         (unsigned long)p->shape.n_actions, plural(p->shape.n_actions), outcomes,
         plural((int64_t)outcomes), how);
}

/* What the model calls a state or an action, cut where it is long; its number if it has no name. */
enum { NAME_WIDTH = 24 };

typedef struct name_text {
  char text[4 * NAME_WIDTH + 4];
} name_text;

static name_text name_of(const char *name, uint32_t index) {
  name_text out;
  snprintf(out.text, sizeof out.text, "%lu", (unsigned long)index);
  if (name == NULL) return out;
  const size_t length = strlen(name);
  size_t n = length;
  while (text_width(name, n) > NAME_WIDTH) --n; /* stops behind a whole character */
  snprintf(out.text, sizeof out.text, "%.*s%s", (int)n, name, n < length ? "…" : "");
  return out;
}

static name_text state_name(const problem *p, uint32_t s) {
  return name_of(far_mdp_state_name(p->mdp, s), s);
}

static name_text action_name(const problem *p, uint32_t a) {
  return name_of(far_mdp_action_name(p->mdp, a), a);
}

/* One column of numbers, or of pairs. */
typedef struct columns {
  const char *name;       /* of the values */
  const double *v;        /* of a state */
  const double *q;        /* of a pair, or NULL */
  const double *gap;      /* of a state, or NULL */
  const uint32_t *action; /* of a state */
  const char *action_name;
  int decimals;
} columns;

enum { MOST_Q = 4 }; /* columns of q that a line has room for */

static size_t shown_q(const problem *p, const columns *c) {
  return c->q != NULL && p->shape.n_actions <= MOST_Q ? p->shape.n_actions : 0;
}

static void print_state(table *t, const problem *p, const columns *c, uint32_t s) {
  const size_t n_q = shown_q(p, c);
  size_t column = 0;
  table_row(t);
  table_cell(t, column++, "%s", state_name(p, s).text);
  if (c->v[s] == c->v[s])
    table_cell(t, column++, "%.*f", c->decimals, c->v[s]);
  else
    table_cell(t, column++, "–"); /* no run comes here */
  if (far_mdp_terminal(p->mdp, s)) {
    table_cell(t, column, "end");
    return;
  }
  table_cell(t, column++, "%s", action_name(p, c->action[s]).text);
  for (size_t a = 0; a < n_q && c->q != NULL; ++a)
    table_cell(t, column++, "%.*f", c->decimals, c->q[(size_t)s * p->shape.n_actions + a]);
  if (c->gap != NULL) table_cell(t, column++, "%#.3g", c->gap[s]);
}

static void print_states(const problem *p, const columns *c) {
  const uint32_t n = p->shape.n_states;
  const size_t n_q = shown_q(p, c);
  const bool cut = n > SHORT_TABLE && !args_flag(p->args, "all");
  table t = table_create(&"rrrrrrrr"[8 - (3 + n_q + (c->gap != NULL))]);
  size_t column = 0;
  table_row(&t);
  table_cell(&t, column++, "state");
  table_cell(&t, column++, "%s", c->name);
  table_cell(&t, column++, "%s", c->action_name);
  for (uint32_t a = 0; a < n_q; ++a) table_cell(&t, column++, "Q(s, %s)", action_name(p, a).text);
  if (c->gap != NULL) table_cell(&t, column++, "gap");
  for (uint32_t s = 0; s < n; ++s) {
    if (cut && s == HEAD_ROWS) {
      table_row(&t);
      for (size_t i = 0; i < column; ++i) table_cell(&t, i, "⋮");
      s = n - TAIL_ROWS;
    }
    print_state(&t, p, c, s);
  }
  table_print(&t, 2);
  if (cut)
    printf("  (%lu more states; --all prints them)\n", (unsigned long)n - HEAD_ROWS - TAIL_ROWS);
  if (c->q != NULL && n_q == 0)
    printf("  (Q of %lu actions: --json)\n", (unsigned long)p->shape.n_actions);
  printf("\n");
}

static void print_certificate(const far_solution *x) {
  printf("Certified: no value is off by more than %s (%lld sweep%s, residual %s).\n",
         above(x->error, 2).text, (long long)x->sweeps, plural(x->sweeps),
         above(x->residual, 2).text);
}

static void print_gaps(const far_gaps *g, const problem *p) {
  if (p->shape.n_actions < 2) return;
  if (g->least_positive < INFINITY)
    printf("Smallest action gap %.6g, in state %s", g->least_positive, state_name(p, g->at).text);
  else
    printf("Action gaps: none is certainly above 0");
  if (g->n_tied > 0)
    printf(
        "; in %lu state%s the two best actions are tied, or too close to tell at this tolerance.\n",
        (unsigned long)g->n_tied, plural(g->n_tied));
  else
    printf("; the best %saction is clear everywhere.\n", p->policy.given ? "first " : "");
}

static void print_diameter(const problem *p) {
  const far_diameter *d = &p->diameter;
  if (!p->has_diameter) {
    printf("  diameter   not computed for so many states; --diameter computes it all the same\n");
  } else if (d->value == INFINITY) {
    printf("  diameter   infinite: no policy leads from state %s to state %s\n",
           state_name(p, d->from).text, state_name(p, d->to).text);
  } else {
    printf("  diameter   %.9g steps ± %s, from state %s to state %s\n", d->value,
           above(d->error, 2).text, state_name(p, d->from).text, state_name(p, d->to).text);
  }
}

static const char *explain(far_chain_kind kind) {
  switch (kind) {
  case FAR_CHAIN_COMMUNICATING: return "some policy leads from every state to every other";
  case FAR_CHAIN_WEAKLY: return "one set of states remains, the others are left under any policy";
  default: return "a policy can stay in one of several sets of states for ever";
  }
}

static void print_structure(const problem *p) {
  const far_structure *x = &p->structure;
  printf("\nStructure%s\n",
         p->shape.episodic ? " (after an end the run goes on from a start)" : "");
  printf("  kind       %s: %s\n", far_chain_name(x->kind), explain(x->kind));
  printf("  classes    %lu of states that lead to one another, %lu of them closed\n",
         (unsigned long)x->n_classes, (unsigned long)x->n_closed);
  printf("  recurrent  %lu set%s in which a policy can stay for ever\n",
         (unsigned long)x->n_recurrent, plural(x->n_recurrent));
  print_diameter(p);
}

/* ---- JSON ---- */

static void write_reals(const double *x, size_t n) {
  putchar('[');
  for (size_t i = 0; i < n; ++i) {
    if (i > 0) putchar(',');
    json_write_real(stdout, x[i]);
  }
  putchar(']');
}

static void write_indices(const uint32_t *x, size_t n) {
  putchar('[');
  for (size_t i = 0; i < n; ++i) printf("%s%lu", i ? "," : "", (unsigned long)x[i]);
  putchar(']');
}

static void write_rows(const char *name, const double *x, size_t rows, size_t width) {
  printf(",\"%s\":[", name);
  for (size_t i = 0; i < rows; ++i) {
    if (i > 0) putchar(',');
    write_reals(x + i * width, width);
  }
  putchar(']');
}

static void write_head(const problem *p) {
  printf("{\"states\":%lu,\"actions\":%lu", (unsigned long)p->shape.n_states,
         (unsigned long)p->shape.n_actions);
}

/* An infinite diameter is null, and then the pair says what is out of reach. */
static void write_structure(const problem *p) {
  const far_structure *x = &p->structure;
  printf(",\"structure\":{\"kind\":\"%s\",\"classes\":%lu,\"closed\":%lu,\"recurrent\":%lu",
         far_chain_name(x->kind), (unsigned long)x->n_classes, (unsigned long)x->n_closed,
         (unsigned long)x->n_recurrent);
  if (p->has_diameter) {
    json_add_real(stdout, "diameter", p->diameter.value);
    json_add_real(stdout, "diameter_error", p->diameter.error);
    printf(",\"diameter_from\":%lu,\"diameter_to\":%lu", (unsigned long)p->diameter.from,
           (unsigned long)p->diameter.to);
  }
  printf(",\"class_of\":");
  write_indices(x->class_of, x->n_states);
  putchar('}');
}

static void write_end(const problem *p) {
  json_add_text(stdout, "env", far_mdp_spec(p->mdp));
  if (p->has_structure) write_structure(p);
  printf("}\n");
}

/* ---- the three problems ---- */

static void write_solution(const problem *p, const far_solution *x, const far_gaps *gaps) {
  write_head(p);
  json_add_real(stdout, "gamma", x->gamma);
  printf(",\"v\":");
  write_reals(x->v, x->n_states);
  write_rows("q", x->q, x->n_states, x->n_actions);
  printf(",\"policy\":");
  write_indices(x->policy, x->n_states);
  json_add_real(stdout, "residual", x->residual);
  json_add_real(stdout, "error", x->error);
  json_add_real(stdout, "tolerance", p->def.tolerance);
  json_add_text(stdout, "method", far_method_name(p->def.method));
  printf(",\"sweeps\":%lld", (long long)x->sweeps);
  json_add_real(stdout, "start", start_value(p, x->v));
  json_add_real(stdout, "span", x->span);
  printf(",\"gap\":{\"least\":");
  json_write_real(stdout, gaps->least);
  json_add_real(stdout, "least_positive", gaps->least_positive);
  printf(",\"state\":%lu,\"tied\":%lu}", (unsigned long)gaps->at, (unsigned long)gaps->n_tied);
  write_end(p);
}

static void print_solution(const problem *p, const far_solution *x, const far_gaps *gaps,
                           const double *gap) {
  static const char *const methods[] = {"value iteration", "Gauss-Seidel value iteration",
                                        "modified policy iteration", "policy iteration"};
  const bool given = p->policy.given;
  char how[128];
  snprintf(how, sizeof how, "gamma %s; %s", exact(x->gamma).text,
           given ? "values of the policy given" : methods[p->def.method]);
  print_head(p, how);
  const columns c = {
      "V", x->v, x->q, gap, x->policy, given ? "improved" : "best", decimals_of(p->def.tolerance)};
  print_states(p, &c);
  printf("The start is worth %.*f; the span of V is %.*f.\n", c.decimals, start_value(p, x->v),
         c.decimals, x->span);
  print_certificate(x);
  print_gaps(gaps, p);
  if (p->has_structure) print_structure(p);
}

/* What is wrong with a policy is wrong in its file. */
static void name_file(const problem *p, far_error *error) {
  const char *path = args_text(p->args, "policy", 0);
  if (path == NULL || error->code != FAR_STATUS_RANGE ||
      strncmp(error->message, "the policy", 10) != 0)
    return;
  char message[sizeof error->message];
  snprintf(message, sizeof message, "'%.200s': %.250s", path, error->message);
  memcpy(error->message, message, sizeof message);
}

static far_status solve_discounted(const problem *p, far_error *error) {
  far_solution x;
  const far_policy policy = {p->policy.action, p->policy.probability};
  const far_status status = p->policy.given
                                ? far_solver_evaluate(&x, p->solver, &p->def, &policy, error)
                                : far_solver_discounted(&x, p->solver, &p->def, error);
  if (status != FAR_OK) {
    name_file(p, error);
    return status;
  }
  double *gap = room_for(x.n_states, sizeof *gap);
  const far_gaps gaps = far_solution_gaps(&x, p->mdp, gap);
  if (args_flag(p->args, "json"))
    write_solution(p, &x, &gaps);
  else
    print_solution(p, &x, &gaps, x.n_actions > 1 ? gap : NULL);
  free(gap);
  far_solution_free(&x);
  return FAR_OK;
}

static void write_horizon(const problem *p, const far_horizon *x) {
  write_head(p);
  json_add_real(stdout, "gamma", x->gamma);
  printf(",\"horizon\":%lld", (long long)x->horizon);
  write_rows("v", x->v, (size_t)x->horizon + 1, x->n_states);
  printf(",\"policy\":[");
  for (int64_t t = 0; t < x->horizon; ++t) {
    if (t > 0) putchar(',');
    write_indices(x->policy + (size_t)t * x->n_states, x->n_states);
  }
  putchar(']');
  json_add_real(stdout, "error", x->error);
  json_add_real(stdout, "start", start_value(p, x->v));
  write_end(p);
}

static far_status solve_horizon(const problem *p, far_error *error) {
  far_horizon x;
  const far_status status = far_solver_horizon(&x, p->solver, p->horizon, p->def.gamma, error);
  if (status != FAR_OK) return status;
  if (args_flag(p->args, "json")) {
    write_horizon(p, &x);
  } else {
    char how[96];
    snprintf(how, sizeof how, "the best %lld step%s, gamma %s", (long long)x.horizon,
             plural(x.horizon), exact(x.gamma).text);
    print_head(p, how);
    const columns c = {"V", x.v, NULL, NULL, x.policy, "first action", 6};
    print_states(p, &c);
    printf("The start is worth %.6f. Certified: no value is off by more than %s.\n"
           "--json has the values and actions at every step.\n",
           start_value(p, x.v), above(x.error, 2).text);
    if (p->has_structure) print_structure(p);
  }
  far_horizon_free(&x);
  return FAR_OK;
}

static void write_average(const problem *p, const far_average *x) {
  write_head(p);
  json_add_real(stdout, "gain", x->gain);
  json_add_real(stdout, "error", x->error);
  printf(",\"bias\":");
  write_reals(x->bias, x->n_states);
  printf(",\"policy\":");
  write_indices(x->policy, x->n_states);
  json_add_real(stdout, "span", x->span);
  printf(",\"sweeps\":%lld", (long long)x->sweeps);
  write_end(p);
}

static far_status solve_average(const problem *p, far_error *error) {
  far_average x;
  const far_status status = far_solver_average(&x, p->solver, &p->def, error);
  if (status != FAR_OK) return status;
  if (args_flag(p->args, "json")) {
    write_average(p, &x);
  } else {
    const int decimals = decimals_of(p->def.tolerance);
    print_head(p, "average reward");
    const columns c = {"bias", x.bias, NULL, NULL, x.policy, "best", decimals};
    print_states(p, &c);
    printf("The best average reward is %.*f a step; the span of the bias is %.*f.\n"
           "Certified: the average is not off by more than %s (%lld sweep%s).\n",
           decimals, x.gain, decimals, x.span, above(x.error, 2).text, (long long)x.sweeps,
           plural(x.sweeps));
    if (p->has_structure) print_structure(p);
  }
  far_average_free(&x);
  return FAR_OK;
}

/* ---- the command ---- */

/* What may be faster, where sweeps take long. */
static const char *advice(const problem *p) {
  const far_method method = p->def.method;
  if (p->average || p->policy.given) return "a larger --tolerance takes fewer";
  if (p->shape.n_states < ELIMINATED && method != FAR_METHOD_POLICY)
    return "--method policy does without sweeps for so few states";
  return method == FAR_METHOD_VALUE || method == FAR_METHOD_GAUSS_SEIDEL
             ? "--method modified or policy may take fewer, and a larger --tolerance does"
             : "--method value may be faster, and a larger --tolerance is";
}

/* A line on a terminal that waits; a note, once, where it takes long. Ctrl-C ends the program at once:
 * half a solution is none. */
static bool tick(void *user, int64_t sweeps, double error) {
  problem *p = user;
  const double now = far_clock_seconds();
  if (p->began == 0) p->began = now;
  if (!p->noted && now - p->began >= LONG_SECONDS) {
    p->noted = true;
    note("%s sweeps so far, error below %s; %s", format_count(sweeps).text, above(error, 2).text,
         advice(p));
  }
  if (sweeps % 256 == 0 && sweeps > 0)
    progress("  %s sweeps, error below %s", format_count(sweeps).text, above(error, 2).text);
  return true;
}

static bool tick_diameter(void *user, int64_t states, double error) {
  const problem *p = user;
  (void)error;
  if (states % 64 == 0)
    progress("  diameter: %lld of %lu states", (long long)states, (unsigned long)p->shape.n_states);
  return true;
}

static far_status find_structure(problem *p, far_error *error) {
  const bool forced = args_flag(p->args, "diameter");
  p->has_structure = forced || args_flag(p->args, "structure");
  if (!p->has_structure) return FAR_OK;
  far_status status = far_solver_structure(&p->structure, p->solver, error);
  p->has_diameter = forced || p->shape.n_states <= EASY_DIAMETER || p->structure.n_classes > 1;
  if (status != FAR_OK || !p->has_diameter) return status;
  far_solve_def def = far_solve_def_default();
  if (p->def.tolerance > def.tolerance && p->def.tolerance < 1) def.tolerance = p->def.tolerance;
  def.progress = tick_diameter;
  def.user = p;
  return far_solver_diameter(&p->diameter, p->solver, &def, error);
}

static far_status solve(problem *p, far_error *error) {
  far_status status = far_solver_create(&p->solver, p->mdp, error);
  if (status == FAR_OK) status = find_structure(p, error);
  if (status != FAR_OK) return status;
  if (p->average) return solve_average(p, error);
  return p->horizon > 0 ? solve_horizon(p, error) : solve_discounted(p, error);
}

/* False after a usage error. */
static bool read_method(const arguments *args, far_method *out) {
  const char *names[8];
  size_t n = 0;
  const char *text = args_text(args, "method", 0);
  if (text == NULL) return true;
  for (; far_method_name(n) != NULL; ++n) {
    names[n] = far_method_name(n);
    if (strcmp(text, names[n]) == 0) {
      *out = (far_method)n;
      return true;
    }
  }
  const char *near = far_nearest(text, strlen(text), names, n);
  if (near != NULL)
    usage_error(args, "unknown method '%s'; did you mean '%s'?", text, near);
  else
    usage_error(args, "unknown method '%s'; there are value, gauss-seidel, modified and policy",
                text);
  return false;
}

static bool read_options(problem *p) {
  const arguments *args = p->args;
  p->average = args_flag(args, "average");
  if (!args_integer(args, "horizon", 1, INT64_MAX / 2, &p->horizon)) return false;
  if (p->horizon > 0) p->def.gamma = 1;
  if (!args_real(args, "gamma", &p->def.gamma) ||
      !args_real(args, "tolerance", &p->def.tolerance) || !read_method(args, &p->def.method))
    return false;
  static const char *const kinds[] = {"average", "horizon", "policy"};
  const char *first = NULL;
  for (size_t i = 0; i < 3; ++i) {
    if (!args_flag(args, kinds[i])) continue;
    if (first != NULL) {
      usage_error(args, "--%s and --%s do not go together", first, kinds[i]);
      return false;
    }
    first = kinds[i];
  }
  if (p->average && args_flag(args, "gamma")) {
    usage_error(args, "--average has no --gamma: it does not discount");
    return false;
  }
  return true;
}

static int read_problem(problem *p) {
  const char *env = args_text(p->args, "env", 0);
  if (!read_options(p)) return EXIT_USAGE;
  if (env == NULL) return usage_error(p->args, "no environment is given, as in -e chain:n=10");
  if (args_text(p->args, "env", 1) != NULL)
    return usage_error(p->args, "one environment at a time, please");
  const int code = model_from_spec(&p->mdp, p->args, env);
  if (code != EXIT_OK) return code;
  p->shape = far_mdp_shape(p->mdp);
  const double own = far_mdp_discount(p->mdp); /* files may name the discount they are meant for */
  if (!args_flag(p->args, "gamma") && p->horizon == 0 && own > 0 && own < 1) p->def.gamma = own;
  const char *path = args_text(p->args, "policy", 0);
  return path == NULL ? EXIT_OK : policy_file_read(&p->policy, path, &p->shape);
}

static int run(const arguments *args) {
  problem p = {.args = args, .def = far_solve_def_default()};
  far_error error;
  p.def.progress = tick;
  p.def.user = &p;
  int code = read_problem(&p);
  if (code == EXIT_OK) {
    const far_status status = solve(&p, &error);
    progress_end();
    if (status == FAR_STATUS_RANGE)
      code = usage_error(args, "%s", error.message);
    else if (status != FAR_OK)
      code = run_error(&error);
  }
  policy_file_free(&p.policy);
  far_structure_free(&p.structure);
  far_solver_free(p.solver);
  far_mdp_free(p.mdp);
  return code;
}

const command cmd_solve = {
    .name = "solve",
    .synopsis = "-e ENV [OPTIONS]",
    .summary = "Solve an environment exactly: optimal values, policy, structure",
    .details =
        "Prints the optimal discounted values V and Q, the best action of each state and how\n"
        "clear it is, with a certificate: a proven bound on the error, rounding included.\n"
        "--horizon and --average solve the other two problems instead. After an end, --average\n"
        "and --structure go on from a start. A policy file has one action a state, or one\n"
        "probability a pair, state by state, separated by white space; how many numbers there\n"
        "are tells which. Where there is one action only, 0 and 1 (1.0) both stand for it.\n\n"
        "Below 300 states policy iteration takes no sweeps and next to no time, unless gamma is\n"
        "so near 1 that doubles can hardly certify the tolerance. Above, it and modified take "
        "fewest sweeps where runs mix slowly (a chain, gamma\n"
        "near 1), and value and modified where they mix fast. All four have the same\n"
        "certificate. Where sweeps take long, a note tells what may be faster.\n",
    .examples = "  farsight solve -e chain:n=10 --gamma 0.99 --structure\n"
                "  farsight solve -e chain:n=10 --average\n"
                "  farsight solve -e chain:n=10 --json | jq -r '.policy[]' > best.txt\n"
                "  farsight solve -e chain:n=10,slip=0.3 --policy best.txt\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
