/* The solution of a model as a report for people. */
#include <math.h> /* only for INFINITY and NAN */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "questions/model/drawing.h"
#include "questions/model/model-solution.h"
#include "report/build.h"

enum { MOST_Q = 4 /* columns of q that a line has room for */ };

far__real_text far__two_digits(double x) {
  far__real_text out;
  far__real_above(out.text, x, 2);
  return out;
}

/* As many decimals as are right, but for the rounding of the last. */
static int decimals_of(const far__model_solution *x) {
  if (x->def.kind == FAR__SOLVE_HORIZON) return 6;
  const double error = x->converged ? x->def.tolerance : x->error;
  int n = 0;
  for (double e = 10 * error; e < 0.999 && n < 12; e *= 10) ++n;
  return n;
}

/* ---- names ---- */

static far__name_text name_of(const char *name, uint32_t index) {
  far__name_text out;
  snprintf(out.text, sizeof out.text, "%lu", (unsigned long)index);
  if (name == NULL) return out;
  const size_t length = strlen(name);
  size_t n = length;
  while (far__text_width(name, n) > FAR__NAME_WIDTH) --n; /* stops behind a whole character */
  snprintf(out.text, sizeof out.text, "%.*s%s", (int)n, name, n < length ? "…" : "");
  return out;
}

far__name_text far__state_name(const far__model_solution *x, uint32_t s) {
  return name_of(far_mdp_state_name(x->def.mdp, s), s);
}

far__name_text far__action_name(const far__model_solution *x, uint32_t a) {
  return name_of(far_mdp_action_name(x->def.mdp, a), a);
}

static bool has_state_names(const far__model_solution *x) {
  for (uint32_t s = 0; s < x->shape.n_states; ++s)
    if (far_mdp_state_name(x->def.mdp, s) != NULL) return true;
  return false;
}

static bool has_action_names(const far__model_solution *x) {
  for (uint32_t a = 0; a < x->shape.n_actions; ++a)
    if (far_mdp_action_name(x->def.mdp, a) != NULL) return true;
  return false;
}

/* ---- the head ---- */

static void add_head(const far__model_solution *x, far_report *report) {
  static const char *const methods[] = {"value iteration", "Gauss-Seidel value iteration",
                                        "modified policy iteration", "policy iteration",
                                        "topological value iteration"};
  char how[160];
  const far__real_text shortest = far__shortest(x->def.gamma);
  const char *gamma = shortest.text;
  switch (x->def.kind) {
  case FAR__SOLVE_AVERAGE: snprintf(how, sizeof how, "average reward"); break;
  case FAR__SOLVE_HORIZON:
    snprintf(how, sizeof how, "the best %lld step%s, gamma %s", (long long)x->def.horizon,
             far__plural(x->def.horizon), gamma);
    break;
  case FAR__SOLVE_POLICY:
    snprintf(how, sizeof how, "gamma %s; values of the policy given", gamma);
    break;
  default: snprintf(how, sizeof how, "gamma %s; %s", gamma, methods[x->values.method]);
  }
  const char *spec = far_mdp_spec(x->def.mdp);
  far__report_heading(report, 1, "%s", spec[0] != '\0' ? spec : "Model from arrays");
  far__report_paragraph(report, "%lu state%s, %lu action%s, %zu outcome%s; %s",
                        (unsigned long)x->shape.n_states, far__plural(x->shape.n_states),
                        (unsigned long)x->shape.n_actions, far__plural(x->shape.n_actions),
                        x->n_outcomes, far__plural((int64_t)x->n_outcomes), how);
}

/* ---- the drawing ---- */

static const char *caption_of(const far__model_solution *x) {
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON:
    return x->def.step == 0 ? "the best first action of each state."
                            : "the best action of each state on the step shown.";
  case FAR__SOLVE_POLICY: return "the improved action of each state.";
  default: return "the best action of each state.";
  }
}

/* With the average reward, states that no run reaches have no action. */
static void add_drawing(const far__model_solution *x, far_report *report) {
  enum { MOST = FAR__DRAWING_COLUMNS * FAR__DRAWING_ROWS };
  const uint32_t *policy = far__model_solution_policy(x);
  const double *v = far__solution_values(x);
  uint32_t shown[MOST];
  if (x->shape.n_states > MOST) return;
  for (uint32_t s = 0; s < x->shape.n_states; ++s) shown[s] = v[s] == v[s] ? policy[s] : UINT32_MAX;
  const far__drawing_def def = {x->def.mdp, shown, caption_of(x)};
  far__drawing_report(&def, report);
}

/* ---- the table of states ---- */

/* What the columns of the table are. */
typedef struct sheet {
  const far__model_solution *x;
  far_table *table;
  const double *v, *q, *gap; /* q and gap: NULL if there are none */
  const uint32_t *policy;
  bool state_names, action_names;
  int decimals;
} sheet;

static const char *action_title(const far__model_solution *x) {
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON: return x->def.step == 0 ? "first action" : "action";
  case FAR__SOLVE_POLICY: return "improved";
  default: return "best";
  }
}

/* A column of numbers is hidden where there are names. */
static void add_columns(const sheet *t) {
  const bool average = t->x->def.kind == FAR__SOLVE_AVERAGE;
  const char *action = action_title(t->x);
  far__table_column(t->table, "state", t->state_names ? NULL : "state", FAR__COLUMN_COUNT);
  if (t->state_names) far__table_column(t->table, "name", "state", FAR__COLUMN_TEXT);
  far__table_column(t->table, "terminal", NULL, FAR__COLUMN_COUNT);
  far__table_column(t->table, average ? "bias" : "v", average ? "bias" : "V", FAR__COLUMN_REAL);
  far__table_column(t->table, "action", t->action_names ? NULL : action, FAR__COLUMN_COUNT);
  if (t->action_names) far__table_column(t->table, "action_name", action, FAR__COLUMN_TEXT);
  const uint32_t n = t->x->shape.n_actions;
  for (uint32_t a = 0; t->q != NULL && a < n; ++a) {
    char key[32], title[sizeof(far__name_text) + 16];
    snprintf(key, sizeof key, "q_%lu", (unsigned long)a);
    snprintf(title, sizeof title, "Q(s, %s)", far__action_name(t->x, a).text);
    far__table_column(t->table, key, n <= MOST_Q ? title : NULL, FAR__COLUMN_REAL);
  }
  if (t->gap != NULL) far__table_column(t->table, "gap", "gap", FAR__COLUMN_REAL);
}

static void add_action(const sheet *t, uint32_t s) {
  const uint32_t a = t->policy[s];
  const char *name = far_mdp_action_name(t->x->def.mdp, a);
  const bool ends = far_mdp_terminal(t->x->def.mdp, s);
  if (ends)
    far__table_real_as(t->table, 0, "end");
  else
    far__table_count(t->table, a);
  if (!t->action_names) return;
  if (ends)
    far__table_text_as(t->table, "", "end");
  else
    far__table_text_as(t->table, name != NULL ? name : "", "%s", far__action_name(t->x, a).text);
}

static void add_number(const sheet *t, double x, bool ends) {
  if (ends)
    far__table_real_as(t->table, x, "%s", "");
  else
    far__table_real_as(t->table, x, "%.*f", t->decimals, x);
}

static void add_state(const sheet *t, uint32_t s) {
  const uint32_t n = t->x->shape.n_actions;
  const char *name = far_mdp_state_name(t->x->def.mdp, s);
  const bool ends = far_mdp_terminal(t->x->def.mdp, s);
  far__table_row(t->table);
  far__table_count(t->table, s);
  if (t->state_names)
    far__table_text_as(t->table, name != NULL ? name : "", "%s", far__state_name(t->x, s).text);
  far__table_count(t->table, ends);
  if (t->v[s] == t->v[s])
    add_number(t, t->v[s], false);
  else
    far__table_none(t->table); /* no run comes here */
  add_action(t, s);
  for (uint32_t a = 0; t->q != NULL && a < n; ++a) add_number(t, t->q[(size_t)s * n + a], ends);
  if (t->gap == NULL || ends) return;
  far__table_real_as(t->table, t->gap[s], "%#.3g", t->gap[s]);
}

static void add_rows(const sheet *t, size_t most_rows) {
  const uint32_t n = t->x->shape.n_states;
  const bool cut = most_rows > 0 && n > most_rows;
  const uint32_t head = cut ? (uint32_t)(most_rows + 1) / 2 : n, tail = (uint32_t)most_rows / 4;
  for (uint32_t s = 0; s < head; ++s) add_state(t, s);
  if (!cut) return;
  /* A row that stands for those that are left out; each cell that is seen has a mark. */
  const uint32_t n_q = t->q != NULL ? t->x->shape.n_actions : 0;
  far__table_row(t->table);
  far__table_real_as(t->table, NAN, "⋮");
  if (t->state_names) far__table_text_as(t->table, "", "⋮");
  far__table_real_as(t->table, NAN, "%s", "");
  far__table_real_as(t->table, NAN, "⋮");
  far__table_real_as(t->table, NAN, "⋮");
  if (t->action_names) far__table_text_as(t->table, "", "⋮");
  for (uint32_t i = 0; i < n_q + (t->gap != NULL); ++i) far__table_real_as(t->table, NAN, "⋮");
  for (uint32_t s = n - tail; s < n; ++s) add_state(t, s);
}

static void add_states(const far__model_solution *x, size_t most_rows, far_report *report) {
  const uint32_t n = x->shape.n_states;
  const sheet t = {.x = x,
                   .table = far__report_table(report, "states"),
                   .v = far__solution_values(x),
                   .q = x->values.q,
                   .gap = x->shape.n_actions > 1 ? x->gap : NULL,
                   .policy = far__model_solution_policy(x),
                   .state_names = has_state_names(x),
                   .action_names = has_action_names(x),
                   .decimals = decimals_of(x)};
  add_columns(&t);
  add_rows(&t, most_rows);
  if (most_rows > 0 && n > most_rows)
    far__report_paragraph(report, "(%lu more states; JSON and CSV have all)",
                          (unsigned long)(n - (most_rows + 1) / 2 - most_rows / 4));
  if (t.q != NULL && x->shape.n_actions > MOST_Q)
    far__report_paragraph(report, "(Q of %lu actions: in JSON and CSV)",
                          (unsigned long)x->shape.n_actions);
}

/* ---- what is certain ---- */

static void add_gaps(const far__model_solution *x, far_report *report) {
  const far_gaps *g = &x->gaps;
  if (x->shape.n_actions < 2) return;
  if (g->least_positive < INFINITY)
    far__report_entry(report, "action gap", "%.6g, the smallest, in state %s", g->least_positive,
                      far__state_name(x, g->at).text);
  else
    far__report_entry(report, "action gap", "none is certainly above 0");
  if (g->n_tied > 0)
    far__report_entry(report, "ties",
                      "in %lu state%s the two best actions are tied, or too close to tell",
                      (unsigned long)g->n_tied, far__plural(g->n_tied));
  else
    far__report_entry(report, "ties", "none: the best %saction is clear everywhere",
                      x->def.kind == FAR__SOLVE_POLICY ? "first " : "");
}

static void add_values(const far__model_solution *x, far_report *report) {
  const int decimals = decimals_of(x);
  const far_solution *v = &x->values;
  far__report_list(report, "Values");
  far__report_entry(report, "start", "worth %.*f; the span of V is %.*f", decimals, x->start,
                    decimals, v->span);
  far__report_entry(report, "certified",
                    "no value is off by more than %s (%lld sweep%s, residual %s)",
                    far__two_digits(v->error).text, (long long)v->sweeps, far__plural(v->sweeps),
                    far__two_digits(v->residual).text);
  add_gaps(x, report);
}

static void add_horizon(const far__model_solution *x, far_report *report) {
  far__report_list(report, "Values");
  far__report_entry(report, "start", "worth %.6f", x->start);
  far__report_entry(report, "certified", "no value is off by more than %s",
                    far__two_digits(x->error).text);
  if (x->def.step > 0)
    far__report_entry(report, "shown", "values and actions with %lld step%s taken, %lld to go",
                      (long long)x->def.step, far__plural(x->def.step),
                      (long long)(x->def.horizon - x->def.step));
  far__report_entry(report, "each step", "JSON has the values and actions at every step");
}

static void add_average(const far__model_solution *x, far_report *report) {
  const int decimals = decimals_of(x);
  const far_average *a = &x->average;
  far__report_list(report, "Average reward");
  far__report_entry(report, "best", "%.*f a step; the span of the bias is %.*f", decimals, a->gain,
                    decimals, a->span);
  far__report_entry(report, "certified", "the average is not off by more than %s (%lld sweep%s)",
                    far__two_digits(a->error).text, (long long)a->sweeps, far__plural(a->sweeps));
}

/* The sweeps ended before the tolerance was reached. */
static void add_limit(const far__model_solution *x, far_report *report) {
  if (x->converged) return;
  far__report_note(
      report, FAR__NOTE_CAVEAT,
      "The tolerance %s was not reached within %lld sweeps; the certified error is %s.",
      far__shortest(x->def.tolerance).text, (long long)x->def.max_sweeps,
      far__two_digits(x->error).text);
}

/* ---- structure ---- */

static const char *explain(far_chain_kind kind) {
  switch (kind) {
  case FAR_CHAIN_COMMUNICATING: return "some policy leads from every state to every other";
  case FAR_CHAIN_WEAKLY: return "one set of states remains, the others are left under any policy";
  default: return "a policy can stay in one of several sets of states for ever";
  }
}

static void add_structure(const far__model_solution *x, far_report *report) {
  const far_structure *t = &x->structure;
  if (!x->has_structure) return;
  far__report_list(report, "Structure%s",
                   x->shape.episodic ? " (after a terminal state the run continues from a start)"
                                     : "");
  far__report_entry(report, "kind", "%s: %s", far_chain_name(t->kind), explain(t->kind));
  far__report_entry(report, "classes", "%lu of states that lead to one another, %lu of them closed",
                    (unsigned long)t->n_classes, (unsigned long)t->n_closed);
  far__report_entry(report, "recurrent", "%lu set%s in which a policy can stay for ever",
                    (unsigned long)t->n_recurrent, far__plural(t->n_recurrent));
  const far_diameter *d = &x->diameter;
  if (!x->has_diameter)
    far__report_entry(report, "diameter", "not computed for more than %d states unless asked for",
                      FAR__EASY_DIAMETER);
  else if (d->value == INFINITY)
    far__report_entry(report, "diameter", "infinite: no policy leads from state %s to state %s",
                      far__state_name(x, d->from).text, far__state_name(x, d->to).text);
  else if (!d->converged)
    far__report_entry(report, "diameter",
                      "at least %.9g steps; %lld sweeps a state were not enough", d->value,
                      (long long)x->def.max_sweeps);
  else
    far__report_entry(report, "diameter", "%.9g steps ± %s, from state %s to state %s", d->value,
                      far__two_digits(d->error).text, far__state_name(x, d->from).text,
                      far__state_name(x, d->to).text);
}

/* Notes that the horizon of the environment is ignored, where another problem is solved. */
static void add_ignored_horizon(const far__model_solution *x, far_report *report) {
  if (x->shape.horizon == 0 || x->def.kind == FAR__SOLVE_HORIZON) return;
  far__report_note(
      report, FAR__NOTE_CAVEAT,
      "The environment has a horizon of %lld steps, which is not counted here: this is "
      "about the problem that goes on without it.",
      (long long)x->shape.horizon);
}

/* ---- the whole ---- */

void far__model_solution_report(const far__model_solution *x, size_t most_rows,
                                far_report *report) {
  add_head(x, report);
  add_drawing(x, report);
  add_states(x, most_rows, report);
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON: add_horizon(x, report); break;
  case FAR__SOLVE_AVERAGE: add_average(x, report); break;
  default: add_values(x, report);
  }
  add_structure(x, report);
  if (x->has_measures) far__measures_report(x, report);
  add_limit(x, report);
  add_ignored_horizon(x, report);
  far__report_data_by(report, far__solution_json, x);
}
