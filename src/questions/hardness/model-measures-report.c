/* The measures of hardness of a model, for people and as JSON. */
#include <math.h> /* only for INFINITY */
#include <stdio.h>

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"
#include "questions/model/model-solution.h"
#include "report/build.h"

/* ---- by the values ---- */

static void add_norm(const far__model_solution *x, far_report *report) {
  const far_norm *n = &x->measures.norm;
  char error[64] = "";
  if (n->error < INFINITY) snprintf(error, sizeof error, " ± %s", far__two_digits(n->error).text);
  if (n->value > 0)
    far__report_entry(report, "value norm", "%.6g%s, of state %s and action %s", n->value, error,
                      far__state_name(x, n->state).text, far__action_name(x, n->action).text);
  else
    far__report_entry(report, "value norm",
                      "0: no action makes it uncertain how good the next state is");
}

static void add_gaps(const far__model_solution *x, far_report *report) {
  const far_reciprocals *g = &x->measures.gaps;
  char bounds[128] = "";
  if (!x->measures.has_gaps) return;
  if (g->high < INFINITY)
    snprintf(bounds, sizeof bounds, " (certified: %.6g to %.6g)", g->low, g->high);
  if (g->n_positive == 0)
    far__report_entry(report, "gaps", "none is certainly above 0");
  else
    far__report_entry(report, "gaps",
                      "the sum of 1/gap is %.6g%s, of %zu pair%s; the least is %.6g", g->sum,
                      bounds, g->n_positive, far__plural((int64_t)g->n_positive), g->least);
}

static void add_effective(const far__model_solution *x, far_report *report) {
  const far_effective *e = &x->measures.effective;
  const bool possible = x->def.kind == FAR__SOLVE_DISCOUNTED || x->def.kind == FAR__SOLVE_HORIZON;
  char gorp[96] = "";
  if (!x->measures.has_effective) {
    if (possible)
      far__report_entry(report, "look-ahead",
                        "not computed: the model or its horizon is too large");
    return;
  }
  if (e->gorp < INFINITY) snprintf(gorp, sizeof gorp, "; that of GORP is at most %.6g", e->gorp);
  if (e->k == 0)
    far__report_entry(report, "look-ahead", "k is above %lld, or too close to tell%s",
                      (long long)e->tried, gorp);
  else
    far__report_entry(report, "look-ahead",
                      "k = %lld step%s, with uniform actions after, suffice%s to act optimally; "
                      "effective horizon %.6g%s",
                      (long long)e->k, far__plural(e->k), e->k == 1 ? "s" : "", e->horizon, gorp);
}

/* ---- by the chains ---- */

static void add_mixing(const far_mixing *m, const char *name, const char *who, far_report *report) {
  char lazy[96] = "";
  if (m->period > 1)
    snprintf(lazy, sizeof lazy, ", if lazy: the chain has period %lu, and itself never mixes",
             (unsigned long)m->period);
  if (m->n_closed > 1)
    far__report_entry(report, name, "never, by %s: there are %lu sets of states that it stays in",
                      who, (unsigned long)m->n_closed);
  else if (!m->converged)
    far__report_entry(report, name, "more than %.9g steps, by %s", m->time, who);
  else
    far__report_entry(report, name, "%.9g step%s, by %s%s", m->time, m->time == 1 ? "" : "s", who,
                      lazy);
}

static void add_mixings(const far__model_solution *x, far_report *report) {
  const far__measures *m = &x->measures;
  if (!m->has_mixing) {
    far__report_entry(report, "mixing", "not computed for more than %d states", FAR__EASY_MIXING);
    return;
  }
  add_mixing(&m->best, "mixing",
             x->def.kind == FAR__SOLVE_POLICY ? "the policy given" : "the best policy", report);
  add_mixing(&m->uniform, "", "uniform actions", report);
}

static void add_cover(const far__model_solution *x, far_report *report) {
  const far_cover *c = &x->measures.cover;
  if (!x->measures.has_cover) {
    far__report_entry(report, "cover", "not computed for more than %d states", FAR__EASY_COVER);
    return;
  }
  if (c->kind == FAR_COVER_NEVER) {
    far__report_entry(report, "cover", "never: some pairs cannot be reached from everywhere");
    return;
  }
  const char *pairs = "uniform actions take all pairs";
  if (c->kind == FAR_COVER_SIMULATED)
    far__report_entry(report, "cover", "%s in %.6g steps (± %s, the standard error of %d runs)",
                      pairs, c->expected, far__two_digits(c->standard_error).text, FAR_COVER_RUNS);
  else if (c->kind == FAR_COVER_EXACT)
    far__report_entry(report, "cover", "%s in %.6g steps, from the worst state %.6g", pairs,
                      c->expected, c->worst);
  else
    far__report_entry(report, "cover", "%s in %.4g to %.4g steps (bounds)", pairs, c->low, c->high);
  if (c->length_low == c->length_high)
    far__report_entry(report, "",
                      "with probability 1/2 in %.9g steps, from any state (covering time)",
                      c->length_low);
  else
    far__report_entry(report, "",
                      "with probability 1/2 in %.4g to %.4g steps, from any state (covering time)",
                      c->length_low, c->length_high);
}

/* Where it is not that of all states, which is among the structure. */
static void add_diameter(const far__model_solution *x, far_report *report) {
  const far_diameter *d = &x->measures.diameter;
  const char *who =
      x->def.kind == FAR__SOLVE_HORIZON || x->shape.horizon > 0 ? "timed states" : "live states";
  if (!x->measures.has_diameter || (x->shape.absent == NULL && who[0] == 'l')) return;
  if (d->value == INFINITY)
    far__report_entry(report, "diameter", "infinite, of the %s", who);
  else if (!d->converged)
    far__report_entry(report, "diameter", "at least %.9g steps, of the %s", d->value, who);
  else
    far__report_entry(report, "diameter", "%.9g steps ± %s, of the %s", d->value,
                      far__two_digits(d->error).text, who);
}

void far__measures_report(const far__model_solution *x, far_report *report) {
  far__report_list(report, "Hardness");
  add_diameter(x, report);
  add_norm(x, report);
  add_gaps(x, report);
  add_effective(x, report);
  add_mixings(x, report);
  add_cover(x, report);
}

/* ---- JSON ---- */

static void write_norm(far__json *j, const far_norm *n) {
  far__json_object(j, "value_norm");
  far__json_real(j, "value", n->value);
  far__json_real(j, "error", n->error);
  far__json_integer(j, "state", n->state);
  far__json_integer(j, "action", n->action);
  far__json_end(j);
}

static void write_gaps(far__json *j, const far_reciprocals *g) {
  far__json_object(j, "gaps");
  far__json_real(j, "sum", g->sum);
  far__json_real(j, "low", g->low);
  far__json_real(j, "high", g->high);
  far__json_real(j, "least", g->least);
  far__json_integer(j, "positive", g->n_positive);
  far__json_integer(j, "zero", g->n_zero);
  far__json_real(j, "regular", g->regular);
  far__json_end(j);
}

static void write_effective(far__json *j, const far_effective *e) {
  far__json_object(j, "effective");
  far__json_integer(j, "k", (uint64_t)e->k);
  far__json_real(j, "horizon", e->horizon);
  far__json_integer(j, "at", (uint64_t)e->at);
  far__json_real(j, "gap", e->gap);
  far__json_real(j, "gorp", e->gorp);
  far__json_integer(j, "tried", (uint64_t)e->tried);
  far__json_end(j);
}

static void write_mixing(far__json *j, const char *key, const far_mixing *m) {
  far__json_object(j, key);
  far__json_real(j, "time", m->time);
  far__json_integer(j, "states", m->n_states);
  far__json_integer(j, "closed", m->n_closed);
  far__json_integer(j, "period", m->period);
  far__json_real(j, "distance", m->distance);
  far__json_real(j, "error", m->error);
  far__json_flag(j, "converged", m->converged);
  far__json_end(j);
}

static void write_cover(far__json *j, const far_cover *c) {
  const bool known = c->kind != FAR_COVER_BOUNDED, exact = c->kind != FAR_COVER_SIMULATED;
  far__json_object(j, "cover");
  far__json_text(j, "kind", far_cover_name(c->kind));
  far__json_integer(j, "pairs", c->n_pairs);
  far__json_real(j, "expected", known ? c->expected : INFINITY);
  far__json_real(j, "standard_error", c->standard_error);
  far__json_real(j, "worst", known && exact ? c->worst : INFINITY);
  far__json_real(j, "low", c->low);
  far__json_real(j, "high", c->high);
  far__json_real(j, "hitting", c->hitting);
  far__json_real(j, "hitting_error", c->hitting_error);
  far__json_real(j, "length_low", c->length_low);
  far__json_real(j, "length_high", c->length_high);
  far__json_end(j);
}

void far__measures_json(const far__model_solution *x, far__json *j) {
  const far__measures *m = &x->measures;
  far__json_object(j, "hardness");
  write_norm(j, &m->norm);
  if (m->has_gaps) write_gaps(j, &m->gaps);
  if (m->has_effective) write_effective(j, &m->effective);
  far__json_integer(j, "live", far_shape_live(&x->shape));
  far__json_integer(j, "chain_states", m->n_chain);
  if (m->has_diameter) {
    far__json_real(j, "diameter", m->diameter.value);
    far__json_real(j, "diameter_error", m->diameter.error);
    far__json_flag(j, "diameter_converged", m->diameter.converged);
  }
  if (m->has_mixing) write_mixing(j, "mixing", &m->best);
  if (m->has_mixing) write_mixing(j, "mixing_uniform", &m->uniform);
  if (m->has_cover) write_cover(j, &m->cover);
  far__json_end(j);
}
