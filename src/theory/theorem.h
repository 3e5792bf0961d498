/* The table of theorems.def, and helpers for its entries. */
#ifndef FAR_THEORY_THEOREM_H
#define FAR_THEORY_THEOREM_H

#include "farsight/theory.h"
#include "theory/delayed.h"

/* A theorem and the function that computes it. `evaluate` gets a problem within bounds; it adds quantities in
 * the order of the derivation and, where constants are explicit, sets the bound. */
typedef struct far__theorem {
  far_theorem info;
  void (*evaluate)(far_guarantee *g, const far_problem *p);
} far__theorem;

#define FAR_THEOREM(name) extern const far__theorem far__theorem_##name;
#include "theory/theorems.def"
#undef FAR_THEOREM

far__problem far__problem_of(const far_problem *p);
double far__problem_v_max(const far_problem *p);
double far__problem_episode(const far_problem *p); /* the most that an episode earns: range H */
double far__problem_pairs(const far_problem *p);
double far__problem_outcomes(const far_problem *p); /* of a step: the states, and an end */

/* Adds a quantity and returns its value. */
double far__quantity(far_guarantee *g, const char *name, double value, const char *unit,
                     const char *formula, const char *source, const char *meaning);

/* Sets the bound; `ln`, its natural logarithm, is used where the bound overflows to INFINITY. */
void far__set_bound(far_guarantee *g, double bound, double ln);

/* Marks the theorem as not applicable; the text says why. */
void far__missing(far_guarantee *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the spec of the agent that the numbers are for: its name, the printf arguments, gamma and eps. */
void far__guarantee_agent(far_guarantee *g, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The agent's preset=theory at this delta, with gamma and eps (_discounted), or without them for agents that
 * have neither (_preset; `more` is appended, as ",constants=2025"). */
void far__guarantee_discounted(far_guarantee *g, const char *name, double delta);
void far__guarantee_preset(far_guarantee *g, const char *name, double delta, const char *more);

/* The step from escapes to mistakes, with every constant: docs/theory.md, "Counting mistakes". */
typedef struct far__escapes {
  double v_top;     /* no estimate of a value is greater */
  double zeta;      /* updates and visits outside the known pairs, at most */
  double eps_event; /* part of eps for an event within the horizon; eps/4 is for what comes after */
  double delta;     /* part of delta for the count */
  const char *p_formula, *horizon_formula, *delta_formula;
} far__escapes;
void far__count_mistakes(far_guarantee *g, const far_problem *p, far__escapes e);

#endif
