/* What UCRL2 and its descendants share: average reward, episodes that end when the visits of a pair have doubled, and extended
 * value iteration (Jaksch, Ortner & Auer 2010, sections 3 and 3.1). An agent of this family says what a pair is worth in the
 * best model within its confidence sets: its `rule`.
 *
 * There is no discount. The end of an episode of the problem is a transition to the next start, counted when that start is
 * observed. docs/agents.md, "ucrl2". */
#ifndef FAR_AGENTS_AVERAGE_H
#define FAR_AGENTS_AVERAGE_H

#include "agents/learner.h"
#include "solve/plan/optimistic.h"

enum { AVERAGE_NOTHING = -1, AVERAGE_CUT = -2, AVERAGE_MOST_SWEEPS = 10000 };

/* Own words: this, then the visits of every pair when the present episode began, N_k, then what an agent has besides. */
typedef struct average_state {
  /* the pair whose transition ended an episode of the problem, while the next start has not been observed; AVERAGE_CUT after a
   * transition that was cut; else AVERAGE_NOTHING */
  int64_t pending;
  double reward; /* of that transition, shifted */
} average_state;

typedef struct average {
  learner l;
  average_state *state;
  double *base;    /* N_k */
  double *more;    /* the agent's further words */
  double *next_v;  /* scratch: values after the sweep */
  double *scratch; /* behind that: the agent's own */
  double t;        /* t_k, the time at which the episode begins, from 1 */
  uint64_t best;   /* the live state of the greatest value as the sweep begins, lowest number */
  double rise;     /* the greatest change of a value in the last sweep */
  double near; /* for intervals: what a successor of a row adds to kappa; 0: the exact maximum */
} average;

typedef struct average_rule {
  void (*prepare)(average *u); /* before a plan: widths for u->t; may be NULL */
  void (*begin)(average *u);   /* before a sweep, when u->best is known; may be NULL */
  double (*backup)(const average *u, size_t pair); /* of a pair in the best model, given u->l.v */
  void (*planned)(average *u);                     /* after a plan; may be NULL */
  int most_sweeps;                                 /* of a plan; 0: AVERAGE_MOST_SWEEPS */
} average_rule;

#define AVERAGE_ROW_DELTA                                                                          \
  FAR__ROW_REAL(learner_params, delta, "0.1", FAR__UNIT_OPEN,                                      \
                "probability with which the bound on the regret may fail")
#define AVERAGE_ROW_SCALE(usual, text)                                                             \
  FAR__ROW_DERIVED(learner_params, scale, usual, FAR__NOT_NEGATIVE, text)

/* Fills in scale (`usual`, in theory 1) unless it is given, and hides the preset. gamma stays 0: nothing is discounted. */
void average_resolve(far__spec *spec, double usual);

/* The hook `advise`: warns where scale is below the 1 of the theorem. */
void average_advise(const far__spec *spec, const far_shape *shape, const far__advice *advice);

average average_of(far_agent *agent);

/* Bytes of state with `more` further words. */
size_t average_size(const far_shape *shape, size_t more);

/* Words of the pool that the next observe may take, with `scratch` of them for the agent. */
size_t average_need(const far_agent *agent, size_t scratch);

/* The first episode: every unvisited pair earns the maximum. */
void average_init(far_agent *agent);

/* For agents whose further words begin with the gain of their plan, the average reward that it promises
 * (an upper bound, shifted): the hook `planned` that keeps it, and the hooks of the agent. */
void average_keep_gain(average *u);
void average_init_gain(far_agent *agent);
bool average_valid_gain(const far_agent *agent);

/* Called for every transition that is entered into the model, just before. */
typedef void average_enter(average *u, size_t pair, double reward);

/* The two halves of average_observe, without episodes of UCRL2; `enter` may be NULL. The first enters the pending transition,
 * whose next state is step->s; true if step->s is a start, where the policy has not been checked yet. The second enters the step
 * itself, unless it ends an episode of the problem; true if it is entered. */
bool average_resume(average *u, const far_transition *step, average_enter *enter);
bool average_take(average *u, const far_transition *step, average_enter *enter);

/* One step; `enter` may be NULL. */
void average_observe(far_agent *agent, const far_transition *step, const average_rule *rule,
                     average_enter *enter);

static inline bool average_is_live(const average *u, uint32_t s) {
  return far_shape_is_live(&u->l.agent->shape, s);
}

/* ---- hooks ---- */

bool average_value(const far_agent *agent, far_value kind, size_t i, double *out); /* relative */
bool average_valid(const far_agent *agent);

#endif
