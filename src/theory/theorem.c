#include "theory/theorem.h"

#include <math.h> /* sqrt, ceil, fmax, fmin: exact operations */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "farsight/base.h"

static const double LN10 = 0x1.26bb1bbb55516p+1;
static const double LN_DOUBLE = 709; /* e^709 is a double, e^710 is not */
static const double LEAST = 1e-60;   /* the least delta, and the least eps in units of Vmax */

static const far__theorem *const theorems[] = {
#define FAR_THEOREM(name) &far__theorem_##name,
#include "theory/theorems.def"
#undef FAR_THEOREM
};

enum { THEOREM_COUNT = sizeof theorems / sizeof *theorems };

const far_theorem *far_theorem_at(size_t index) {
  return index < THEOREM_COUNT ? &theorems[index]->info : NULL;
}

static const far__theorem *entry_of(const far_theorem *theorem) {
  for (size_t i = 0; i < THEOREM_COUNT; ++i)
    if (&theorems[i]->info == theorem) return theorems[i];
  return NULL;
}

const far_theorem *far_theorem_find(const char *name) {
  for (size_t i = 0; i < THEOREM_COUNT; ++i)
    if (strcmp(theorems[i]->info.name, name) == 0) return &theorems[i]->info;
  return NULL;
}

const char *far_theorem_kind_name(far_theorem_kind kind) {
  static const char *const names[] = {"mistakes", "near-Bayesian", "regret", "lower bound",
                                      "stopping"};
  return names[kind];
}

/* ---- problems ---- */

far_problem far_problem_default(double states, double actions) {
  return (far_problem){.states = states,
                       .actions = actions,
                       .gamma = 0.95,
                       .range = 1,
                       .delta = 0.1,
                       .gamma_e = 0.99};
}

far__problem far__problem_of(const far_problem *p) {
  return (far__problem){p->states, p->actions, p->gamma, p->range};
}

double far__problem_v_max(const far_problem *p) {
  return p->range / (1 - p->gamma);
}

double far__problem_episode(const far_problem *p) {
  return p->range * p->horizon;
}

/* The largest possible value, in the setting of the theorem. */
static double most_of(const far_theorem *theorem, const far_problem *p) {
  return theorem != NULL && theorem->finite_horizon && p->horizon > 0 ? far__problem_episode(p)
                                                                      : far__problem_v_max(p);
}

double far__problem_pairs(const far_problem *p) {
  return p->states * p->actions;
}

double far__problem_outcomes(const far_problem *p) {
  return p->states + (p->episodic ? 1 : 0);
}

static bool is_count(double x) {
  return x >= 1 && x <= UINT32_MAX && x == (double)(uint32_t)x;
}

static far_status check_problem(const far_problem *p, far_error *error) {
  if (!is_count(p->states))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "states = %g: must be a whole number from 1 to 4294967295", p->states);
  if (!is_count(p->actions))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "actions = %g: must be a whole number from 1 to 4294967295", p->actions);
  if (!(p->gamma >= 0 && p->gamma < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma = %s: must be in [0, 1)",
                     far__shortest(p->gamma).text);
  if (!(p->range >= 1e-30 && p->range <= 1e30))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the range of rewards is %g: must be in [1e-30, 1e30]", p->range);
  if (!(p->delta >= LEAST && p->delta < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "delta = %s: must be in [1e-60, 1)",
                     far__shortest(p->delta).text);
  if (!(p->gamma_e >= 0 && p->gamma_e < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma_e = %s: must be in [0, 1)",
                     far__shortest(p->gamma_e).text);
  const bool finite = p->diameter >= 1 && p->diameter <= 1e30;
  if (!(p->diameter == 0 || finite || p->diameter == INFINITY))
    return far__fail(error, FAR_STATUS_RANGE, -1, "diameter = %g: must be in [1, 1e30]",
                     p->diameter);
  if (!(p->horizon == 0 || (is_count(p->horizon) && p->horizon <= FAR_HORIZON_MAX)))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "horizon = %g: must be a whole number from 1 to %d", p->horizon,
                     FAR_HORIZON_MAX);
  return FAR_OK;
}

/* ---- quantities ---- */

static far_quantity *add(far_guarantee *g) {
  /* an entry with more quantities would overwrite its last one; tests/unit/theory.c would notice */
  if (g->n_quantities == FAR_GUARANTEE_QUANTITIES) g->n_quantities -= 1;
  return &g->quantity[g->n_quantities++];
}

double far__quantity(far_guarantee *g, const char *name, double value, const char *unit,
                     const char *formula, const char *source, const char *meaning) {
  const double log10 = value > 0 && value - value == 0 ? far_log(value) / LN10 : NAN;
  *add(g) =
      (far_quantity){name, formula, source, meaning, unit, value - value == 0 ? value : NAN, log10};
  return value;
}

void far__set_bound(far_guarantee *g, double bound, double ln) {
  g->has_number = true;
  g->bound = bound;
  g->log10_bound = (bound < INFINITY ? far_log(bound) : ln) / LN10;
}

const far_quantity *far_guarantee_quantity(const far_guarantee *g, const char *name) {
  for (size_t i = 0; i < g->n_quantities; ++i)
    if (strcmp(g->quantity[i].name, name) == 0) return &g->quantity[i];
  return NULL;
}

void far__missing(far_guarantee *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(g->missing, sizeof g->missing, format, args);
  va_end(args);
  g->applies = false;
}

void far__guarantee_agent(far_guarantee *g, const char *name, const char *format, ...) {
  char gamma[FAR__NUMBER_SIZE], eps[FAR__NUMBER_SIZE], more[96];
  va_list args;
  va_start(args, format);
  vsnprintf(more, sizeof more, format, args);
  va_end(args);
  far__real_format(gamma, g->problem.gamma);
  far__real_format(eps, g->problem.eps);
  snprintf(g->agent, sizeof g->agent, "%s:%s,gamma=%s,eps=%s", name, more, gamma, eps);
}

void far__guarantee_discounted(far_guarantee *g, const char *name, double delta) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, delta);
  far__guarantee_agent(g, name, "preset=theory,delta=%s", text);
}

void far__guarantee_preset(far_guarantee *g, const char *name, double delta, const char *more) {
  char text[FAR__NUMBER_SIZE];
  far__real_format(text, delta);
  snprintf(g->agent, sizeof g->agent, "%s:preset=theory,delta=%s%s", name, text, more);
}

/* ---- counting ---- */

/* Blocks of `horizon` steps, each begun at a step from which an event is more likely than p, hold
 * an event each with probability above p given the past. N such blocks with N p >= x hold more than
 * zeta events but for a chance of exp(-(x - zeta)^2 / (2x)) (the lower tail of Chernoff's bound,
 * which holds for conditional chances too); it is delta at x = zeta + L + sqrt(L^2 + 2 zeta L),
 * L = ln(1/delta). */
void far__count_mistakes(far_guarantee *g, const far_problem *p, far__escapes e) {
  const char *here = "counting mistakes, docs/theory.md";
  const double chance =
      far__quantity(g, "p", fmin(1, e.eps_event / e.v_top), "probability", e.p_formula, here,
                    "if an event within the horizon is less likely, the step is not a mistake");
  const double horizon = far__quantity(
      g, "horizon", fmax(1, ceil(far_log(4 * e.v_top / p->eps) / (1 - p->gamma))), "steps",
      e.horizon_formula, here, "after as many steps at most eps/4 of value is left");
  const double log = far_log(1 / e.delta), share = log / e.zeta;
  far__quantity(g, "delta_count", e.delta, "probability", e.delta_formula,
                "what the lemmas leave of delta", "probability that the count of events fails");
  const double events =
      far__quantity(g, "events", e.zeta * (1 + share + sqrt(share * share + 2 * share)), "",
                    "zeta + L + sqrt(L^2 + 2 zeta L), L = ln(1/delta_count)",
                    "Chernoff's lower tail, for conditional probabilities",
                    "events to expect before more than zeta have happened");
  const double ln_bound = far_log(events) - far_log(chance) + far_log(horizon);
  far__set_bound(g, ln_bound < LN_DOUBLE ? ceil(events / chance) * horizon : INFINITY, ln_bound);
  *add(g) =
      (far_quantity){"mistakes",    "ceil(events / p) horizon",
                     here,          "maximum number of steps with an event ahead likelier than p",
                     "steps",       g->bound,
                     g->log10_bound};
}

/* ---- evaluation ---- */

/* Rounding may change the last bits of the bound; nothing here depends on them. */
static void evaluate(far_guarantee *out, const far__theorem *entry, const far_problem *p) {
  *out = (far_guarantee){.theorem = &entry->info, .problem = *p, .applies = true};
  if (entry->info.finite_horizon && p->horizon == 0)
    far__missing(out, "it is for episodes of so many steps, and there is no horizon");
  else
    entry->evaluate(out, p);
  if (!out->applies) out->has_number = false;
}

static far_status check_theorem(const far_theorem *theorem, const far_problem *p, double eps,
                                far_error *error) {
  const far_status status = check_problem(p, error);
  if (status != FAR_OK) return status;
  if (theorem == NULL || entry_of(theorem) == NULL)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there is no such theorem");
  if (!(eps >= LEAST * (1 - 1e-12) * most_of(theorem, p)))
    return far__fail(error, FAR_STATUS_RANGE, -1, "eps = %g: must be at least 1e-60 Vmax = %s", eps,
                     far__above(LEAST * most_of(theorem, p)).text);
  return FAR_OK;
}

far_status far_theorem_evaluate(far_guarantee *out, const far_theorem *theorem,
                                const far_problem *problem, far_error *error) {
  far_problem p = *problem;
  const double v_max = most_of(theorem, &p);
  if (p.eps == 0) p.eps = 0.1 * v_max;
  const far_status status = check_theorem(theorem, &p, p.eps, error);
  if (status != FAR_OK) return status;
  const bool vacuous = p.eps >= v_max;
  p.eps = fmin(p.eps, v_max);
  evaluate(out, entry_of(theorem), &p);
  out->vacuous = vacuous;
  return FAR_OK;
}

/* Is the bound at eps = e^ln_share Vmax at most 10^log_steps? */
static bool promises(far_guarantee *out, const far__theorem *entry, far_problem p, double ln_share,
                     double log_steps) {
  p.eps = most_of(&entry->info, &p) * far_exp(ln_share);
  evaluate(out, entry, &p);
  return out->log10_bound <= log_steps;
}

far_status far_theorem_invert(far_guarantee *out, const far_theorem *theorem,
                              const far_problem *problem, double steps, far_error *error) {
  far_problem p = *problem;
  const double v_max = most_of(theorem, &p), log_steps = far_log(steps) / LN10;
  const far_status status = check_theorem(theorem, &p, v_max, error);
  if (status != FAR_OK) return status;
  if (!(steps >= 1 && steps <= 1e300))
    return far__fail(error, FAR_STATUS_RANGE, -1, "steps = %g: must be in [1, 1e300]", steps);
  const far__theorem *entry = entry_of(theorem);
  p.eps = v_max;
  evaluate(out, entry, &p);
  if (!out->has_number) return FAR_OK;
  if (out->log10_bound > log_steps) {
    out->vacuous = true;
    return FAR_OK;
  }
  double low = far_log(LEAST), high = 0;                      /* promised at high, and not at low */
  if (promises(out, entry, p, low, log_steps)) return FAR_OK; /* smaller ones are not considered */
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    if (promises(out, entry, p, middle, log_steps))
      high = middle;
    else
      low = middle;
  }
  promises(out, entry, p, high, log_steps);
  return FAR_OK;
}
