/* Exact solvers: true values of a model, with which agents can be compared, and measures of how hard it is to learn.
 *
 *     far_mdp *mdp;
 *     far_solver *solver;
 *     far_solution best;
 *     far_solve_def def = far_solve_def_default(); // set only what differs
 *     if (far_mdp_create(&mdp, "riverswim:n=6", &error)) return puts(error.message);
 *     def.gamma = far_mdp_gamma(mdp); // the problem's discount
 *     if (far_solver_create(&solver, mdp, &error)) return puts(error.message);
 *     if (far_solver_discounted(&best, solver, &def, &error)) return puts(error.message);
 *     printf("state 0 is worth %.6g, within %.1g; its best action is %u\n", best.v[0], best.error, best.policy[0]);
 *     far_solution_free(&best);
 *     far_solver_free(solver);
 *     far_mdp_free(mdp);
 *
 * Models are sparse: time and memory grow with the number of outcomes. A terminal state has the
 * value 0. Every result has a certificate: a proven bound on its distance from the exact answer for
 * the stored model, rounding errors included. The same model and definition give the same bits
 * everywhere.
 */
#ifndef FARSIGHT_SOLVE_H
#define FARSIGHT_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/base.h"
#include "farsight/mdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model laid out for solving. Solves any number of problems, from any number of threads. */
typedef struct far_solver far_solver;

/* The model must outlive the solver. O(outcomes) time; at most about half the model's memory.
 * Fails with MEMORY. */
FAR_API far_status far_solver_create(far_solver **out, const far_mdp *mdp, far_error *error);

/* Frees; NULL is fine. */
FAR_API void far_solver_free(far_solver *solver);

/* ---- discounted values ---- */

typedef enum far_method {
  FAR_METHOD_VALUE,        /* value iteration, stopped by bounds on the span of a sweep's change */
  FAR_METHOD_GAUSS_SEIDEL, /* in place, so that a sweep sees its own results, in turn with the former */
  FAR_METHOD_MODIFIED, /* modified policy iteration: cheap sweeps of the greedy policy between */
  FAR_METHOD_POLICY, /* policy iteration; below 300 states every policy is evaluated exactly, above
                        * by twice as many sweeps as the one before it */
  FAR_METHOD_TOPOLOGICAL, /* parts of states that lead to one another, in their order, each by itself: one
                           * backup of a state alone, sweeps where they are quick, else elimination where
                           * outcomes lead near by */
  FAR_METHOD_AUTO, /* as value while that promises to be quick, and then as topological: the default
                    * of farsight solve */
} far_method;

/* "value", "gauss-seidel", "modified", "policy", "topological", "auto"; NULL past the end. */
FAR_API const char *far_method_name(size_t method);

typedef struct far_solve_def {
  double gamma;      /* in [0, 1); 0.95 by default */
  double tolerance;  /* certified bound on the error of every value; 1e-6 by default */
  far_method method; /* FAR_METHOD_AUTO by default */
  /* stops after as many full sweeps, and one or two more that prove the bound; of the diameter: so many
   * for each state. 0, the default: no limit */
  int64_t max_sweeps;
  /* that share the sweeps of large models; 1 by default, 0: one for each processor. No result depends
   * on it */
  unsigned threads;
  /* Who sweeps: FAR_DEVICE_CPU by default. A device makes the sweeps of discounted values (far_solver_discounted and
   * far_solver_evaluate; methods value, auto and topological), with the same bits, and the processors prove the
   * last one. Other methods and problems are the processors'. With AUTO a device takes over where they would take
   * more than a second. */
  far_device device;
  const char *library; /* the device's backend; NULL, the default: as far_device says (base.h) */
  bool live_only;      /* diameter: only live states count (see far_shape); false by default */
  /* Called after every sweep with the bound so far; false stops with CANCELLED. May be NULL. */
  bool (*progress)(void *user, int64_t sweeps, double error);
  far_device_note_fn *note; /* is told why there is no device, or why it is not used; may be NULL */
  void *user;
} far_solve_def;

FAR_API far_solve_def far_solve_def_default(void);

/* Values of the optimal or of a given policy. Arrays belong to the solution. */
typedef struct far_solution {
  uint32_t n_states, n_actions;
  double gamma;
  double *v;        /* of a state; 0 if it is terminal */
  double *q;        /* of a pair, at s * n_actions + a; 0 if s is terminal */
  uint32_t *policy; /* greedy in q, the lowest action if several are equal; 0 if s is terminal */
  double error;     /* certified: |v - exact| and |q - exact| are nowhere greater */
  double residual; /* |q - backup of q| is nowhere greater, rounding included; no bound on the error
                       of values, which may be up to 1 / (1 - gamma) times as large */
  double span;     /* of v over the states: the greatest less the least */
  int64_t sweeps;  /* over all outcomes, or as much work */
  far_method method; /* that found them: the one asked for or, of auto, value or topological */
  bool converged;    /* error <= tolerance; false only if max_sweeps came first */
  char device[FAR_DEVICE_TEXT]; /* that made sweeps; "" if none did */
  int64_t device_sweeps;        /* of all sweeps those that it made ... */
  double device_seconds;        /* ... in so many, without bringing the model there */
} far_solution;

/* The optimal values. RANGE if gamma or tolerance is out of bounds, or if the tolerance is below
 * what doubles can certify in this model (the message gives that limit); MEMORY; CANCELLED. */
FAR_API far_status far_solver_discounted(far_solution *out, const far_solver *solver,
                                         const far_solve_def *def, far_error *error);

/* A stationary policy: exactly one of the two is given. */
typedef struct far_policy {
  const uint32_t *action;    /* of a state; what stands at terminal states is not read */
  const double *probability; /* of a pair, at s * n_actions + a; those of a state add to 1 */
} far_policy;

/* The values of a policy: v(s) follows the policy for ever, q(s, a) does after one step of a. The
 * solution's own policy is greedy in q: one step of improvement. RANGE also if the policy names an
 * action that does not exist or its probabilities do not add to 1 (within 1e-9). */
FAR_API far_status far_solver_evaluate(far_solution *out, const far_solver *solver,
                                       const far_solve_def *def, const far_policy *policy,
                                       far_error *error);

/* Frees the arrays; a zeroed solution is fine. */
FAR_API void far_solution_free(far_solution *solution);

/* ---- finite horizon ---- */

typedef struct far_horizon {
  uint32_t n_states, n_actions;
  int64_t horizon;  /* number of steps */
  double gamma;     /* 1: undiscounted */
  double *v;        /* with t steps taken, 0 <= t <= horizon, in s: at t * n_states + s */
  uint32_t *policy; /* the action then, 0 <= t < horizon, at t * n_states + s */
  double error;     /* certified; of rounding alone */
} far_horizon;

/* The greatest expected reward of `horizon` steps, or until an end, by backward induction. gamma in
 * [0, 1]. Memory: 12 bytes a state and step. */
FAR_API far_status far_solver_horizon(far_horizon *out, const far_solver *solver, int64_t horizon,
                                      double gamma, far_error *error);

/* The same for a given policy, which may depend on the step: its arrays have those of step 0, then those
 * of step 1 and so on, as many as the horizon; each step as in far_policy. The solution's own policy is
 * greedy in the values of what follows: one step of improvement. RANGE also if the policy names an
 * action that does not exist or its probabilities do not add to 1 (within 1e-9). */
FAR_API far_status far_solver_horizon_evaluate(far_horizon *out, const far_solver *solver,
                                               int64_t horizon, double gamma,
                                               const far_policy *policy, far_error *error);

/* The values of pairs on step t, 0 <= t < horizon, at s * n_actions + a: first the action, then what
 * the solution `x` of this solver follows. 0 if s is terminal. RANGE; MEMORY. */
FAR_API far_status far_horizon_pairs(double *q, const far_horizon *x, const far_solver *solver,
                                     int64_t t, far_error *error);
FAR_API void far_horizon_free(far_horizon *horizon);

/* ---- average reward ---- */

typedef struct far_average {
  uint32_t n_states;
  double gain;      /* the greatest reward a step in the long run, from any state */
  double error;     /* certified bound on the gain's error */
  double *bias;     /* relative values, 0 in the first state that counts; an end is worth what the
                       start that follows it is; NaN where no run comes, see below */
  uint32_t *policy; /* greedy in the bias; 0 at terminal states */
  double span;      /* of the bias */
  int64_t sweeps;
  bool converged;
} far_average;

/* Relative value iteration; below 300 states policy iteration with elimination, where 100,000 sweeps do not
 * suffice or the model is not weakly communicating. Each of its policies counts as a sweep. After a
 * terminal state the run continues from a start state. Of `def`, gamma and method are not read, and
 * tolerance bounds the gain's error. CONFLICT if the best gain depends on the state, or may do so because a
 * model of 300 states or more is not weakly communicating. States that no run reaches are left out if that
 * helps: they have no bias then. */
FAR_API far_status far_solver_average(far_average *out, const far_solver *solver,
                                      const far_solve_def *def, far_error *error);
FAR_API void far_average_free(far_average *average);

/* ---- rewards of the best and of the random policy: the ends of a scale for agents ---- */

/* The expected reward of `steps` steps of the best policy in the long run: its average reward, times
 * the steps. Of a model with a horizon it is the policy that earns most in an episode, and the reward
 * of an episode over its mean length, times the steps. *out is NAN, and the status OK, where the starts do not share one average reward or the
 * tolerance cannot be certified. `def` may be NULL; it is read as in far_solver_average. Fails with
 * MEMORY or, when def->progress says false, CANCELLED; *out is NAN then, too. */
FAR_API far_status far_solve_best_total(double *out, const far_mdp *mdp, int64_t steps,
                                        const far_solve_def *def, far_error *error);

/* The same of the policy that takes every action with the same probability. */
FAR_API far_status far_solve_random_total(double *out, const far_mdp *mdp, int64_t steps,
                                          const far_solve_def *def, far_error *error);

/* The expected reward of an episode of the policy that earns most in one, and of the policy that takes every action with the
 * same probability; NAN where the model has no horizon. MEMORY. */
FAR_API far_status far_solve_best_return(double *out, const far_mdp *mdp, far_error *error);
FAR_API far_status far_solve_random_return(double *out, const far_mdp *mdp, far_error *error);

/* ---- structure ---- */

typedef enum far_chain_kind {
  FAR_CHAIN_COMMUNICATING, /* some policy leads from every state to every other */
  FAR_CHAIN_WEAKLY,        /* from every state of one set; all others are left under any policy */
  FAR_CHAIN_MULTICHAIN,    /* a policy can stay in one of several parts for ever */
} far_chain_kind;

/* "communicating", "weakly communicating", "multichain". */
FAR_API const char *far_chain_name(far_chain_kind kind);

typedef struct far_structure {
  uint32_t n_states;
  far_chain_kind kind;
  uint32_t n_classes;   /* of states that can reach one another, by any actions */
  uint32_t n_closed;    /* of these, those that no action leaves; at least 1 */
  uint32_t closed;      /* the lowest state of such a class */
  uint32_t n_recurrent; /* sets in which a policy can stay for ever (maximal end components) */
  uint32_t *class_of;   /* of a state, numbered from 0 by their lowest states */
  uint32_t *recurrent;  /* of a state, likewise; UINT32_MAX if it is left under every policy */
} far_structure;

/* Which states can reach which. After a terminal state the run continues from a start state. */
FAR_API far_status far_solver_structure(far_structure *out, const far_solver *solver,
                                        far_error *error);
FAR_API void far_structure_free(far_structure *structure);

/* The diameter (Jaksch, Ortner & Auer 2010): the greatest over pairs of states of the least
 * expected number of steps from one to the other. */
typedef struct far_diameter {
  double value; /* INFINITY if the model is not communicating */
  double error; /* certified, 0 if infinite */
  uint32_t from,
      to; /* a pair that attains it; if infinite, the second is out of the first's reach */
  /* false only if max_sweeps came first: then `value` is a lower bound, the error INFINITY */
  bool converged;
} far_diameter;

/* One shortest-path problem for each state: O(n_states x outcomes x sweeps). `tolerance` is
 * relative. With `live_only` it is the diameter of the problem that an agent faces, for which the
 * end of an episode is a step to the next start. Of `def`, tolerance, max_sweeps, live_only and
 * progress are read. Progress is called after every state and now and then in between; its `sweeps`
 * counts the states done, and its error is 0. */
FAR_API far_status far_solver_diameter(far_diameter *out, const far_solver *solver,
                                       const far_solve_def *def, far_error *error);

/* How clear the best action is, over the states that are not terminal. Both are INFINITY if there is
 * only one action. */
typedef struct far_gaps {
  double least;          /* of best q less second best */
  double least_positive; /* of those above twice the solution's error, so certainly above 0 */
  uint32_t at;           /* the first state of least_positive */
  uint32_t n_tied;       /* states where it is not: the best action is not certain */
} far_gaps;

/* `gap`, if not NULL, receives best less second best for each state; 0 at terminal states and where
 * there is only one action. The model is the one that was solved. */
FAR_API far_gaps far_solution_gaps(const far_solution *solution, const far_mdp *mdp, double *gap);

/* Measures of how hard a model is to learn, from exact solutions of it.
 *
 *     far_norm norm = far_solution_norm(&best, mdp);           of values that were solved for
 *     far_mixing mixing;
 *     far_solver_mixing(&mixing, solver, &def, NULL, &error);  of the policy that chooses uniformly
 *
 * docs/hardness.md defines each of them and names its source. All are of the live
 * states (far_shape). Chains of policies continue from a start after a terminal state, and that takes no
 * step of its own. In a model with a horizon the states of a chain are those of the unrolled model: they
 * know the step, and a policy has an action for each step (far_solver_horizon_evaluate). No result is NAN.
 * The same model gives the same bits everywhere.
 */

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

#ifdef __cplusplus
}
#endif

#endif
