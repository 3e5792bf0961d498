/* Theorems as data: each theorem's parameters and bound.
 *
 *     far_problem p = far_problem_default(10, 2); // ten states, two actions
 *     p.gamma = 0.9;
 *     p.eps = 0.5;
 *     far_guarantee g;
 *     if (far_theorem_evaluate(&g, far_theorem_find("delayed-q"), &p, &error)) return puts(error.message);
 *     if (g.has_number) printf("at most 10^%g mistakes\n", g.log10_bound);
 *
 * A bound whose constants are not known is never a number: `has_number` is false and the theorem's
 * `order` gives the order. Nothing allocates; all strings are static or inside the result.
 */
#ifndef FARSIGHT_THEORY_H
#define FARSIGHT_THEORY_H

#include <stdbool.h>
#include <stddef.h>

#include "farsight/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of a problem before anything is learned. */
typedef struct far_problem {
  double states;   /* a whole number from 1 to 2^32 - 1 */
  double actions;  /* likewise */
  double gamma;    /* discount, in [0, 1) */
  double range;    /* largest reward less smallest, above 0 */
  double eps;      /* accuracy in units of value: at least 1e-60 Vmax, or 0, for 0.1 Vmax. Vmax is
                      range/(1-gamma), and range times horizon for the theorems of finite horizon */
  double delta;    /* probability of failure, in [1e-60, 1) */
  double gamma_e;  /* discount of exploration values, in [0, 1); Directed Delayed Q-learning */
  double diameter; /* steps, at least 1; 0 if unknown, INFINITY if there is none; UCRL2 */
  bool episodic;   /* episodes can end: the end is one more outcome of a step */
  double horizon;  /* steps of an episode, a whole number; 0 if there is no horizon */
} far_problem;

/* gamma 0.95, range 1, eps 0.1 Vmax, delta 0.1, gamma_e 0.99, diameter unknown, no episodes. */
FAR_API far_problem far_problem_default(double states, double actions);

typedef enum far_theorem_kind {
  FAR_THEOREM_MISTAKES, /* PAC-MDP: steps on which the policy is not eps-optimal */
  FAR_THEOREM_BAYES,    /* the same against the Bayes-optimal policy */
  FAR_THEOREM_REGRET,   /* steps until the average loss is small */
  FAR_THEOREM_LOWER,    /* what no method can beat */
  FAR_THEOREM_STOPPING, /* steps until the method stops and recommends an eps-optimal policy */
} far_theorem_kind;

/* "mistakes", "near-Bayesian", "regret", "lower bound", "stopping". */
FAR_API const char *far_theorem_kind_name(far_theorem_kind kind);

/* Where a paper's printed text and its proof disagree, and how this was repaired. */
typedef struct far_repair {
  const char *where;    /* in the paper */
  const char *printed;  /* what is printed */
  const char *repaired; /* what holds */
  const char *why;
} far_repair;

typedef struct far_theorem {
  const char *name;
  const char *agent; /* the algorithm it is about, as far_agent_create knows it; NULL: all */
  const char *title;
  const char *reference;
  far_theorem_kind kind;
  bool is_explicit;  /* every constant of the bound is known */
  bool is_checked;   /* its parameters are derived here or confirmed in a source, not recalled */
  const char *order; /* of the bound for a range of 1; O~ leaves logarithms out */
  const char *statement;     /* what is promised, in words */
  const char *assumptions;   /* sentences */
  const char *constants;     /* where the constants come from, and how sure they are */
  const far_repair *repairs; /* ended by one without `where`; NULL: none */
  bool finite_horizon; /* of episodes of `horizon` steps: it applies where there is a horizon */
} far_theorem;

/* The theorems, in the order of their listing; NULL past the end. */
FAR_API const far_theorem *far_theorem_at(size_t index);
FAR_API const far_theorem *far_theorem_find(const char *name); /* NULL if there is none */

/* One number on the way to a bound. */
typedef struct far_quantity {
  const char *name;    /* "eps1" */
  const char *formula; /* "eps (1-gamma) / 16" */
  const char *source;  /* the lemma or theorem that requires it */
  const char *meaning;
  const char *unit; /* "reward", "samples", "steps", ... or "" */
  double value;     /* INFINITY if it exceeds all doubles, NaN if it is not defined here */
  double log10;     /* of a positive value, also where that exceeds all doubles; else NaN */
} far_quantity;

enum { FAR_GUARANTEE_QUANTITIES = 28 };

typedef struct far_guarantee {
  const far_theorem *theorem;
  far_problem problem; /* with eps filled in */
  bool vacuous;        /* eps >= Vmax, which every policy attains; the numbers are for eps = Vmax */
  bool applies;
  char missing[160]; /* why it does not apply, or what it needs */
  size_t n_quantities;
  far_quantity quantity[FAR_GUARANTEE_QUANTITIES]; /* in the order of the derivation */
  bool has_number;                                 /* it applies and its constants are explicit */
  double bound;                                    /* steps; INFINITY if it exceeds all doubles */
  double log10_bound;                              /* finite whenever has_number */
  char agent[256]; /* the spec of the agent that has this guarantee; "" if there is none */
} far_guarantee;

/* The parameters and the bound. RANGE if the problem is out of bounds. A theorem that does not
 * apply is no error: `applies` is then false. */
FAR_API far_status far_theorem_evaluate(far_guarantee *out, const far_theorem *theorem,
                                        const far_problem *problem, far_error *error);

/* The inverse: the guarantee for the smallest eps whose bound is at most `steps` (at least 1);
 * problem->eps is not read. `out->vacuous` if that is Vmax or more: then nothing is promised.
 * eps below 1e-60 Vmax is not considered. Where there is no number, as far_theorem_evaluate. RANGE
 * also if `steps` is not in [1, 1e300]. */
FAR_API far_status far_theorem_invert(far_guarantee *out, const far_theorem *theorem,
                                      const far_problem *problem, double steps, far_error *error);

/* A quantity by name, or NULL. */
FAR_API const far_quantity *far_guarantee_quantity(const far_guarantee *guarantee,
                                                   const char *name);

#ifdef __cplusplus
}
#endif

#endif
