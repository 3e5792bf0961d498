/* Measures of how hard a model is to learn, from exact solutions of it.
 *
 *     far_norm norm = far_solution_norm(&best, mdp);           of values that were solved for
 *     far_mixing mixing;
 *     far_solver_mixing(&mixing, solver, &def, NULL, &error);  of the policy that chooses uniformly
 *
 * docs/hardness.md defines each of them and names its source. All are of the live
 * states (shape.h). Chains of policies continue from a start after a terminal state, and that takes no
 * step of its own. In a model with a horizon the states of a chain are those of the unrolled model: they
 * know the step, and a policy has an action for each step (far_solver_horizon_evaluate). No result is NAN.
 * The same model gives the same bits everywhere.
 */
#ifndef FARSIGHT_MEASURES_H
#define FARSIGHT_MEASURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/mdp.h"
#include "farsight/solve.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the environmental value norm ---- */

/* The greatest standard deviation, over pairs, of the value of the next state (Maillard, Mann & Mannor
 * 2014). 0 where nothing is random. */
typedef struct far_norm {
  double value;
  double error;           /* certified, rounding included; INFINITY where nothing is proven */
  uint32_t state, action; /* a pair that attains it */
} far_norm;

/* Of discounted values, after an end 0. O(outcomes). */
FAR_API far_norm far_solution_norm(const far_solution *solution, const far_mdp *mdp);

/* Of the bias. Its error is INFINITY: only the gain is certified. */
FAR_API far_norm far_average_norm(const far_average *average, const far_mdp *mdp);

/* Of the values with a finite horizon: the greatest over the steps, too, and over the states that a run
 * can be in at that step. O(horizon x outcomes). Fails with MEMORY. */
FAR_API far_status far_horizon_norm(far_norm *out, const far_horizon *horizon, const far_mdp *mdp,
                                    far_error *error);

/* The value alone, for any v; after an end v is taken for 0. If |v - v*| <= e everywhere, the result is
 * within e of that of v*, but for rounding. */
FAR_API double far_value_norm(const far_mdp *mdp, const double *v);

/* ---- the sum of the reciprocals of the gaps ---- */

#define FAR_RECIPROCALS_REGULAR 0.1 /* what Conserva & Rauber 2022 add to every gap */

/* The gap of a pair is V(s) - Q(s, a). Simchowitz & Jamieson 2019 sum 1 / gap over the pairs whose gap is
 * above 0. */
typedef struct far_reciprocals {
  double sum; /* over the pairs whose gap is certainly above 0: above twice the error of values */
  /* Certified: between them lies the sum of the exact gaps of these pairs. 0 and INFINITY where nothing is
   * proven. */
  double low, high;
  double least;      /* the smallest of these gaps; INFINITY if there is none */
  size_t n_positive; /* how many pairs they are */
  size_t n_zero;     /* the others: pairs of a best action, or too close to tell */
  double regular;    /* the sum of 1 / (gap + FAR_RECIPROCALS_REGULAR) over all pairs */
} far_reciprocals;

FAR_API far_reciprocals far_solution_reciprocals(const far_solution *solution, const far_mdp *mdp);

/* The gap is that of the bias; gaps up to twice the error of the gain count as 0. */
FAR_API far_reciprocals far_average_reciprocals(const far_average *average, const far_mdp *mdp);

/* Pairs at each step count apart, if a run can be in the state at that step. */
FAR_API far_status far_horizon_reciprocals(far_reciprocals *out, const far_horizon *horizon,
                                           const far_mdp *mdp, far_error *error);

/* ---- the unrolled model ---- */

/* A model without a horizon in which the states know the step of the episode, from 0 up to `horizon` steps: state
 * s at step t is t * n_states + s, and after the last step comes a terminal state, the last one. Its size is
 * that of the model times the horizon. RANGE, MEMORY. */
FAR_API far_status far_mdp_unroll(far_mdp **out, const far_mdp *mdp, int64_t horizon,
                                  far_error *error);

/* ---- the mixing time ---- */

/* How many steps make every start alike: the least t such that the distribution after t steps is within
 * total variation 1/4 of the stationary one, from every live state (Levin & Peres 2017, section 4.5). */
typedef struct far_mixing {
  uint32_t n_states; /* of the chain: the live ones */
  uint32_t n_closed; /* classes of states that the chain never leaves; it mixes only if it is one */
  uint32_t period;   /* of the closed class; 0 if there are several */
  /* INFINITY if there are several closed classes. If the period is not 1 the chain never mixes, and this is of
   * the lazy chain, which stays where it is with probability 1/2. */
  double time;
  double distance; /* from the stationary distribution at that time, from the worst state */
  /* Certified bound on the error of distances: the exact one is above 1/4 before `time`, and at most 1/4 + 2
   * error at it. 0 if the time is INFINITY. */
  double error;
  bool converged; /* false only if doubles cannot certify so long a time: `time` is a lower bound */
} far_mixing;

/* Of the chain of a policy; NULL: the one that takes every action with the same probability. Of `def`, only
 * progress is read: it is called now and then, with the number of matrix products done. O(S^3 log time)
 * time, O(S^2 log time) memory for S live states. RANGE for a policy that is none (far_solver_evaluate),
 * MEMORY, CANCELLED. */
FAR_API far_status far_solver_mixing(far_mixing *out, const far_solver *solver,
                                     const far_solve_def *def, const far_policy *policy,
                                     far_error *error);

/* A policy that takes each of the best actions of a state, or of those that the solution's error cannot
 * tell from the best, with the same probability: it does not depend on the order of actions. Writes
 * n_states x n_actions probabilities. */
FAR_API void far_solution_ties(double *probability, const far_solution *solution);

/* ---- the cover time ---- */

typedef enum far_cover_kind {
  FAR_COVER_NEVER,     /* some pair is out of reach of some state: all times are INFINITY */
  FAR_COVER_EXACT,     /* by a linear system for every set of pairs */
  FAR_COVER_SIMULATED, /* `expected` is a mean of FAR_COVER_RUNS runs with fixed seeds */
  FAR_COVER_BOUNDED,   /* `expected` is not known, and 0 */
} far_cover_kind;

/* "never", "exact", "simulated", "bounded". */
FAR_API const char *far_cover_name(far_cover_kind kind);

enum {
  FAR_COVER_RUNS = 256,       /* of a simulation */
  FAR_COVER_EXACT_PAIRS = 12, /* up to so many pairs it is exact */
};

/* How many steps it takes until every pair of a live state and an action has been taken, if every action is
 * taken with the same probability. */
typedef struct far_cover {
  far_cover_kind kind;
  size_t n_pairs;
  double expected;       /* from the start of a run */
  double standard_error; /* of a simulated one, else 0 */
  double worst;          /* exact: expected from the worst state; else 0 */
  double low, high;      /* bounds on `expected` (Matthews 1988), `high` from any state */
  double hitting; /* the greatest over states and pairs of the expected steps until it is taken */
  double hitting_error; /* certified; INFINITY where doubles cannot certify it */
  /* The covering time L (Even-Dar & Mansour 2003): the least number of steps in which all pairs are taken
   * with probability at least 1/2, from any state. Exact where the two are equal. */
  double length_low, length_high;
} far_cover;

/* Of `def`, only progress is read. O(S^3) time and O(S^2) memory for S live states, and up to about 1e8
 * simulated steps. MEMORY, CANCELLED. */
FAR_API far_status far_solver_cover(far_cover *out, const far_solver *solver,
                                    const far_solve_def *def, far_error *error);

/* ---- the effective horizon ---- */

/* How far one must look ahead, if the policy that chooses uniformly is followed afterwards. Q1 is the
 * action value of that policy, Qk+1 the optimal backup of Qk. With k every policy that is greedy in Qk is
 * optimal (Laidlaw, Russell & Dragan 2023: the model is k-QVI-solvable). */
typedef struct far_effective {
  int64_t k;  /* the least such; 0 if none is certain among the k that were tried */
  int64_t at; /* the k that gives `horizon` */
  /* Of it: the least, over states, of the best Qk less the best Qk of actions that are not optimal. The
   * states are those that actions above these reach. INFINITY if there are no such actions. */
  double gap;
  /* k + max(0, log_A(1 / gap^2)), the least over k, with returns scaled to [0, 1]: the stochastic effective
   * horizon (Laidlaw, Zhu, Russell & Dragan 2024). INFINITY if it is not found. */
  double horizon;
  /* Only with a finite horizon, for deterministic models with one start: an upper bound on the effective
   * horizon (2023, Theorem 5.4). INFINITY elsewhere. */
  double gorp;
  int64_t tried; /* so many k were tried */
} far_effective;

/* With a discount; `best` is the solution of far_solver_discounted. Of `def`, tolerance (for the values of
 * the uniform policy), max_sweeps (the most k to try; 0: 1,000,000) and progress are read. O(outcomes) for
 * each k. */
FAR_API far_status far_solver_effective(far_effective *out, const far_solver *solver,
                                        const far_solve_def *def, const far_solution *best,
                                        far_error *error);

/* With a finite horizon; at most as many k as it has steps, O(horizon x outcomes) for each. Memory: 24 bytes a
 * state and step. */
FAR_API far_status far_solver_effective_finite(far_effective *out, const far_solver *solver,
                                               const far_solve_def *def, const far_horizon *best,
                                               far_error *error);

/* ---- what a total reward does not show ---- */

enum { FAR_SAME_TOTAL_SIZE = 200 };

/* Is the highest total reward of a run that of policies that get nowhere, as on cliff-walking, where each step costs 1 and
 * another episode follows each that ends? Then `out` says so in a sentence without its point, and which metrics tell agents
 * apart. O(outcomes). */
FAR_API bool far_mdp_same_total(char out[FAR_SAME_TOTAL_SIZE], const far_mdp *mdp);

#ifdef __cplusplus
}
#endif

#endif
