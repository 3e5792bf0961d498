/* Guarantees as a document: a row for each theorem, or each in detail. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "questions/guarantees/guarantees.h"
#include "questions/guarantees/theorems.h"
#include "report/build.h"

static far__big_text plain(double x) {
  return far__big(x, NAN);
}

/* ---- the problem ---- */

static void add_problem(far_report *report, const far__guarantees *g) {
  const far_problem *p = &g->problem;
  char diameter[80] = "";
  if (p->diameter > 0 && p->diameter < INFINITY)
    snprintf(diameter, sizeof diameter, "; diameter %s%s", plain(p->diameter).text,
             g->computed ? " (computed)" : "");
  if (g->env != NULL && g->env[0] != '\0') // a model from arrays has no spec
    far__report_list(report, "The problem, from %s:", g->env);
  else
    far__report_list(report, "The problem:");
  far__report_item(report,
                   "%.0f state%s, %.0f action%s, gamma %.10g, range of rewards %s, Vmax %s%s",
                   p->states, far__plural((int64_t)p->states), p->actions,
                   far__plural((int64_t)p->actions), p->gamma, plain(p->range).text,
                   plain(p->range / (1 - p->gamma)).text, p->episodic ? "; episodes end" : "");
  if (p->horizon > 0)
    far__report_item(report, "horizon: episodes of %.0f step%s, which earn %s at most", p->horizon,
                     far__plural((int64_t)p->horizon), plain(p->range * p->horizon).text);
  if (g->absent > 0)
    far__report_item(report, "not counted: %lu state%s that %s terminal or cannot be reached",
                     (unsigned long)g->absent, far__plural(g->absent),
                     g->absent == 1 ? "is" : "are");
  far__report_item(report, "eps %s, delta %s%s", plain(p->eps).text, plain(p->delta).text,
                   diameter);
}

/* ---- all theorems in a table ---- */

static bool promised(const far_guarantee *g) {
  return g->has_number && !g->vacuous;
}

static void add_least_eps(far_table *t, const far_guarantee *g) {
  if (!g->has_number)
    far__table_blank(t);
  else if (g->vacuous)
    far__table_real_as(t, NAN, "nothing");
  else
    far__table_real_as(t, g->problem.eps, "%s", far__big_above(g->problem.eps, NAN).text);
}

/* Hidden from people where each theorem is shown by itself. */
static void add_table(far_report *report, const far__guarantees *g, bool shown) {
  far_table *t = far__report_table(report, "theorems");
  far__table_column(t, "theorem", shown ? "theorem" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "m", shown ? "samples m" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "bound", shown ? "steps" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "log10_bound", NULL, FAR__COLUMN_REAL);
  if (g->steps > 0) far__table_column(t, "least_eps", shown ? "least eps" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "order", shown ? "order" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "missing", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; i < g->count; ++i) {
    const far_guarantee *x = &g->at_eps[i];
    far__table_row(t);
    far__table_text(t, "%s", x->theorem->name);
    const far_quantity *m = far_guarantee_quantity(x, "m");
    if (m == NULL)
      far__table_blank(t);
    else
      far__table_real_as(t, m->value, "%s%s", x->theorem->is_checked ? "" : "? ",
                         far__big_above(m->value, m->log10).text);
    if (x->has_number)
      far__table_real_as(t, x->bound, "%s", far__big_above(x->bound, x->log10_bound).text);
    else
      far__table_real_as(t, NAN, "%s", x->applies ? "order only" : "–");
    far__table_real(t, x->has_number ? x->log10_bound : NAN);
    if (g->steps > 0) add_least_eps(t, &g->at_steps[i]);
    far__table_text(t, "%s", x->theorem->order);
    far__table_text(t, "%s", x->applies ? "" : x->missing);
  }
}

static void add_remarks(far_report *report, const far__guarantees *g) {
  far__report_note(report, FAR__NOTE_REMARK,
                   "samples m: for one estimate. ?: recalled or a stand-in, not checked.");
  far__report_note(
      report, FAR__NOTE_REMARK,
      "steps: the most mistakes, ever (regret: steps until the loss is eps (1-gamma) a "
      "step).");
  if (g->problem.horizon > 0)
    far__report_note(report, FAR__NOTE_REMARK,
                     "Finite horizon: steps until the regret of an episode is eps on average.");
  far__report_note(report, FAR__NOTE_REMARK,
                   "order only: the constants are not known, so there is no number.");
  if (g->steps > 0)
    far__report_note(
        report, FAR__NOTE_REMARK,
        "least eps: the smallest for which at most %s steps are promised; 'nothing' if "
        "that is not even Vmax.",
        plain(g->steps).text);
  for (size_t i = 0; i < g->count; ++i)
    if (!g->at_eps[i].applies)
      far__report_note(report, FAR__NOTE_CAVEAT, "%s: %s.", g->at_eps[i].theorem->name,
                       g->at_eps[i].missing);
}

/* ---- one theorem ---- */

static void add_quantities(far_report *report, const far_guarantee *g, bool shown) {
  far_table *t = far__report_table(report, "quantities");
  far__table_column(t, "theorem", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "quantity", shown ? "quantity" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "value", shown ? "value" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "unit", shown ? "" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "meaning", shown ? "what it is" : NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "log10", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "formula", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "source", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; i < g->n_quantities; ++i) {
    const far_quantity *q = &g->quantity[i];
    far__table_row(t);
    far__table_text(t, "%s", g->theorem->name);
    far__table_text(t, "%s", q->name);
    far__table_real_as(t, q->value, "%s", far__big(q->value, q->log10).text);
    far__table_text(t, "%s", q->unit);
    far__table_text(t, "%s", q->meaning);
    far__table_real(t, q->log10);
    far__table_text(t, "%s", q->formula);
    far__table_text(t, "%s", q->source);
  }
}

static void add_promise(far_report *report, const far_guarantee *g) {
  const far__big_text n = far__big_above(g->bound, g->log10_bound);
  if (!g->applies)
    far__report_paragraph(report, "No bound: %s.", g->missing);
  else if (!g->has_number)
    far__report_paragraph(report, "No number: the bound is known in its order only, %s. %s",
                          g->theorem->order, g->theorem->constants);
  else if (g->theorem->kind == FAR_THEOREM_REGRET && g->theorem->finite_horizon)
    far__report_paragraph(
        report,
        "After %s steps the regret of an episode is at most eps on average, with probability %g.",
        n.text, 1 - g->problem.delta);
  else if (g->theorem->kind == FAR_THEOREM_REGRET)
    far__report_paragraph(
        report,
        "After %s steps the average loss is at most eps (1-gamma) a step, with probability %g.",
        n.text, 1 - g->problem.delta);
  else
    far__report_paragraph(report, "At most %s mistakes, ever, with probability %g.", n.text,
                          1 - g->problem.delta);
}

/* The most that a value can be, in the setting of the theorem. */
static double most_of(const far_guarantee *g) {
  const far_problem *p = &g->problem;
  return g->theorem->finite_horizon ? p->range * p->horizon : p->range / (1 - p->gamma);
}

static void add_inverse(far_report *report, const far_guarantee *g, double steps) {
  const far__big_text n = plain(steps);
  const double loss = g->problem.eps * (1 - g->problem.gamma);
  if (!g->has_number)
    far__report_paragraph(report, "From %s steps: no number, for the same reason.", n.text);
  else if (g->vacuous)
    far__report_paragraph(
        report, "%s steps promise nothing: not even eps = Vmax = %s, which every policy attains.",
        n.text, plain(most_of(g)).text);
  else if (g->theorem->kind == FAR_THEOREM_REGRET && g->theorem->finite_horizon)
    far__report_paragraph(
        report,
        "After %s steps the smallest promise is a regret of %s for an episode, on "
        "average.",
        n.text, far__big_above(g->problem.eps, NAN).text);
  else if (g->theorem->kind == FAR_THEOREM_REGRET)
    far__report_paragraph(
        report, "After %s steps the smallest promise is eps = %s, a loss of %s a step, %s in all.",
        n.text, far__big_above(g->problem.eps, NAN).text, plain(loss).text,
        plain(loss * steps).text);
  else
    far__report_paragraph(report,
                          "The smallest eps of which at most %s mistakes are promised is %s.",
                          n.text, far__big_above(g->problem.eps, NAN).text);
}

static void add_one(far_report *report, const far__guarantees *all, size_t i, bool explain) {
  const far_guarantee *g = &all->at_eps[i];
  far__report_heading(report, 2, "%s: %s", g->theorem->name, g->theorem->title);
  far__report_paragraph(report, "%s", g->theorem->reference);
  if (explain) {
    far__report_paragraph(report, "%s", g->theorem->statement);
    far__report_paragraph(report, "%s", g->theorem->assumptions);
    if (g->has_number) far__report_paragraph(report, "%s", g->theorem->constants);
  }
  if (explain) {
    if (g->n_quantities > 0) far__report_list(report, "The derivation:");
    for (size_t k = 0; k < g->n_quantities; ++k) {
      const far_quantity *q = &g->quantity[k];
      char term[640];
      snprintf(term, sizeof term, "%zu. %s = %s = %s %s", k + 1, q->name, q->formula,
               far__big(q->value, q->log10).text, q->unit);
      far__report_entry(report, term, "%s (%s)", q->meaning, q->source);
    }
  }
  add_quantities(report, g, !explain && g->applies);
  add_promise(report, g);
  if (all->steps > 0) add_inverse(report, &all->at_steps[i], all->steps);
  if (g->agent[0] != '\0') {
    far__report_list(report, "Agent:");
    far__report_item(report, "%s", g->agent);
  }
  if (explain) far__add_repairs(report, g->theorem);
}

/* ---- JSON ---- */

static void write_inverse(far__json *j, const far_guarantee *g, double steps) {
  far__json_object(j, "inverse");
  far__json_real(j, "steps", steps);
  far__json_flag(j, "promised", promised(g));
  far__json_real(j, "eps", promised(g) ? g->problem.eps : NAN);
  far__json_end(j);
}

static void write_one(far__json *j, const far__guarantees *all, size_t i, bool more) {
  const far_guarantee *g = &all->at_eps[i];
  far__json_object(j, NULL);
  far__write_theorem(j, g->theorem, more);
  far__json_flag(j, "vacuous", g->vacuous);
  far__json_flag(j, "applies", g->applies);
  far__json_text(j, "missing", g->applies ? NULL : g->missing);
  far__json_text(j, "spec", g->agent[0] != '\0' ? g->agent : NULL);
  far__json_real(j, "bound", g->has_number ? g->bound : NAN);
  far__json_real(j, "log10_bound", g->has_number ? g->log10_bound : NAN);
  far__json_array(j, "quantities");
  for (size_t k = 0; k < g->n_quantities; ++k) {
    const far_quantity *q = &g->quantity[k];
    far__json_object(j, NULL);
    far__json_text(j, "name", q->name);
    far__json_real(j, "value", q->value);
    far__json_real(j, "log10", q->log10);
    far__json_text(j, "unit", q->unit);
    far__json_text(j, "formula", q->formula);
    far__json_text(j, "source", q->source);
    far__json_text(j, "meaning", q->meaning);
    far__json_end(j);
  }
  far__json_end(j);
  if (all->steps > 0) write_inverse(j, &all->at_steps[i], all->steps);
  far__json_end(j);
}

static void write_all(const far__guarantees *g, far__json *j, bool more) {
  const far_problem *p = &g->problem;
  far__json_object(j, "problem");
  far__json_real(j, "states", p->states);
  far__json_real(j, "actions", p->actions);
  far__json_real(j, "gamma", p->gamma);
  far__json_real(j, "range", p->range);
  far__json_real(j, "v_max", p->range / (1 - p->gamma));
  far__json_real(j, "eps", p->eps);
  far__json_real(j, "delta", p->delta);
  far__json_real(j, "gamma_e", p->gamma_e);
  far__json_real(j, "diameter", p->diameter > 0 ? p->diameter : NAN);
  far__json_flag(j, "episodic", p->episodic);
  far__json_real(j, "horizon", p->horizon > 0 ? p->horizon : NAN);
  if (g->env != NULL) far__json_text(j, "env", g->env);
  far__json_end(j);
  far__json_array(j, "theorems");
  for (size_t i = 0; i < g->count; ++i) write_one(j, g, i, more);
  far__json_end(j);
}

static void write_short(const void *guarantees, far__json *j) {
  write_all(guarantees, j, false);
}

static void write_explained(const void *guarantees, far__json *j) {
  write_all(guarantees, j, true);
}

/* ---- the whole ---- */

void far__guarantees_report(const far__guarantees *g, far__guarantees_detail detail,
                            far_report *report) {
  const bool table = detail == FAR__GUARANTEES_TABLE;
  far__report_data_by(report, detail == FAR__GUARANTEES_EXPLAIN ? write_explained : write_short, g);
  add_problem(report, g);
  add_table(report, g, table);
  for (size_t i = 0; i < g->count; ++i)
    if (table)
      add_quantities(report, &g->at_eps[i], false);
    else
      add_one(report, g, i, detail == FAR__GUARANTEES_EXPLAIN);
  if (table) add_remarks(report, g);
}
