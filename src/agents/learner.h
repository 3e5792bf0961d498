/* What all agents that learn a model share: the model itself, their parameters, and most of their
 * hooks. docs/agents.md defines each of them.
 *
 * The model is sparse: rows of transitions as in agents/rows.h, with rewards shifted to [0, range].
 */
#ifndef FAR_AGENTS_LEARNER_H
#define FAR_AGENTS_LEARNER_H

#include "agents/explore.h"
#include "agents/params.h"
#include "agents/rows.h"
#include "solve/plan/sweep.h"
#include "theory/planning.h"

/* ---- parameters: one struct for all, of which each agent's table shows its own ---- */

typedef enum learner_preset { PRESET_PRACTICAL, PRESET_THEORY } learner_preset;

typedef struct FAR__PARAMS learner_params {
  double eps, delta, gamma, tol, replan;
  double eps1;               /* r-max, mormax */
  double a, b;               /* mbie, ucrl-gamma: widths of the intervals */
  double beta, prior, ve;    /* mbie-eb, beb, oim, psrl */
  double theta, scale, l1;   /* e3, ucrl2, ucrl-gamma */
  double u, scale_r, kappa;  /* ucbvi-gamma, kl-ucrl, ucrl3 */
  double mu0, sp, sn;        /* psrl, rlsvi */
  int64_t m, horizon;        /* samples that enter a row; e3 */
  int64_t batch, delay, tau; /* ucrl-gamma, psrl, rlsvi */
  int64_t steps;             /* ucbvi-gamma */
  int32_t preset, plan, freeze, resample, ties;
  int32_t sure; /* ucrl3 */
} learner_params;

_Static_assert(sizeof(learner_params) <= FAR__SPEC_BYTES, "the spec has room for it");

/* Rows that many of them have. */
#define LEARNER_THEORY_ROWS                                                                        \
  FAR__ROW_PRESET(learner_params, "practical|theory", "practical, or theory (from eps, delta)"),   \
      FAR__ROW_EPS(learner_params), FAR__ROW_DELTA(learner_params), FAR__ROW_GAMMA(learner_params)
#define LEARNER_PLAN_ROWS FAR__ROW_TOL(learner_params), FAR__ROW_TIES(learner_params)

#define LEARNER_GIVEN(field) far__spec_given(spec, offsetof(learner_params, field))

/* Fills in eps, tol and replan. RANGE if values exceed every number. */
far_status learner_resolve(far__spec *spec, const far_shape *shape, far_error *error);

/* As above, and consumes preset, eps and delta: the canonical spec holds what came of them. */
far_status learner_resolve_preset(far__spec *spec, const far_shape *shape, far_error *error);

/* Fills in a count unless it is given. RANGE if it is more than 2^53. */
far_status learner_count_param(far__spec *spec, size_t offset, double value, far_error *error);

far__problem learner_problem(const learner_params *p, const far_shape *shape);

/* Samples after which a pair is known in the theorems, for the parameters' eps and delta. */
double learner_known_m(const learner_params *p, const far_shape *shape);

/* Warns where one plan may take more than 10^9 backups. It does not refuse: plans begin with the values of the last one and
 * mostly converge long before the estimate, and some agents plan rarely. */
void learner_advise_cost(const far__spec *spec, const far_shape *shape, const far__advice *advice);

/* Warns where a guarantee requires more than `have`. */
void learner_advise_least(const far__advice *advice, const char *name, double have, double least);

/* ---- the learned model ---- */

/* State: this, the pairs, q of every pair, v of every state and of the end, then the agent's own
 * words. */
typedef struct learner_state {
  uint64_t largest; /* room of the largest row */
} learner_state;

/* Pointers into a block for as long as it stays put. */
typedef struct learner {
  far_agent *agent;
  const learner_params *p;
  uint32_t n_states, n_actions;
  uint32_t n_live; /* states that count; the others keep the value `end` */
  size_t n_pairs;
  double low, range, v_max,
      end; /* rewards are shifted by low; a terminal state has the value `end` */
  learner_state *state;
  learner_pair *pair;
  double *q, *v;
  double *own; /* the agent's own words */
  far__arc *pool;
} learner;

learner learner_of(far_agent *agent);

/* Bytes of state with `own_words` of an agent's own. */
size_t learner_size(const far_shape *shape, size_t own_words);

/* Enters a transition into a pair's row; `next` may be the end, n_states. */
void learner_add(learner *l, learner_pair *pair, uint64_t next, double reward);

/* What the sum of squared deviations of a pair's rewards from their mean will be with one more reward
 * (Welford's recursion; the pair does not have it yet), and whether one could be so. */
static inline double learner_spread(const learner_pair *pair, double spread, double reward) {
  if (pair->n == 0) return spread;
  const double before = pair->sum / pair->n, after = (pair->sum + reward) / (pair->n + 1);
  return fmax(0, spread + (reward - before) * (reward - after));
}

static inline bool learner_spread_is_valid(const learner *l, size_t i, double spread) {
  return spread >= 0 && spread <= l->pair[i].n * l->range * l->range;
}

/* Enters a step, unless the pair has p->m already. */
bool learner_observe(learner *l, const far_transition *step);

/* Pool words that `adds` transitions may take. */
size_t learner_growth(const far_agent *agent, size_t adds);

/* Is a state live, or the end and that an outcome? */
static inline bool learner_can_follow(const learner *l, uint64_t y) {
  return rows_can_follow(&l->agent->shape, y);
}

/* Lists the possible outcomes of a step in rising order; returns how many. */
uint64_t learner_list_outcomes(const learner *l, uint64_t *out);

/* Memory behind the used pool, for as long as one call lasts. */
static inline void *learner_scratch(const learner *l) {
  return l->pool + l->agent->pool_used / 2;
}

static inline size_t learner_index(const learner *l, const far_transition *step) {
  return (size_t)step->s * l->n_actions + step->a;
}

static inline far__row learner_row(const learner *l, const learner_pair *pair) {
  return (far__row){l->pool + pair->first, (size_t)pair->count, pair->n};
}

/* far__row_dot of a pair's row, with the same bits. It includes the arcs that are not in use yet, whose weight is 0, so that it
 * ends after 2, 4, 8, ... arcs, which processors predict better. Not for rows that are emptied and filled again. */
FAR__INLINE double learner_dot(const learner *l, const learner_pair *pair, const double *v) {
  const far__arc *arc = l->pool + pair->first, *end = arc + pair->room;
  double sum = 0;
  for (; arc < end; arc += ROWS_FIRST_ROOM) {
    sum += arc[0].weight * v[arc[0].next];
    sum += arc[1].weight * v[arc[1].next];
  }
  return sum;
}

/* The mean reward plus the discounted mean value of the successors of a visited pair. */
FAR__INLINE double learner_backup(const learner *l, size_t i, double gamma, const double *v) {
  const learner_pair *pair = &l->pair[i];
  return (pair->sum + gamma * learner_dot(l, pair, v)) / pair->n;
}

static inline far__plan learner_plan(const learner *l) {
  return (far__plan){.q = l->q,
                     .v = l->v,
                     .n_states = l->n_states,
                     .n_actions = l->n_actions,
                     .absent = l->agent->shape.absent,
                     .gamma = l->p->gamma,
                     .tol = l->p->tol,
                     .scale = l->v_max,
                     .stop = l->agent->stop};
}

/* Is a plan due after this visit? Visits at the last plan are kept in `planned`. */
static inline bool learner_due(const learner *l, size_t i, double *planned) {
  if (l->pair[i].n < l->p->replan * planned[i]) return false;
  planned[i] = l->pair[i].n;
  return true;
}

/* The pair that has changed since the last plan, if it is the only one: with replan = 1. Else SIZE_MAX. */
static inline size_t learner_changed(const learner *l, size_t i) {
  return l->p->replan == 1 ? i : SIZE_MAX;
}

/* ---- what is kept for speed (far__memo) ---- */

/* Which pairs are due for a backup, and numbers that follow from the row of a visited pair: LEARNER_NUMBERS of
 * every pair, for the agent to fill and use. */
typedef struct learner_memo {
  far__agenda agenda;
  double *number;
} learner_memo;

enum { LEARNER_NUMBERS = 2 };

size_t learner_memo_need(const far_agent *agent);

/* Computes the numbers of a pair that has been visited. */
typedef void learner_note(const learner *l, size_t pair, double number[LEARNER_NUMBERS]);

/* Enters a step as learner_observe does, and keeps the memo up to date; note may be NULL. */
bool learner_follow(learner *l, learner_memo *memo, const far_transition *step, learner_note *note);

/* learner_plan over what is due. */
static inline far__plan learner_plan_due(const learner *l, const learner_memo *memo) {
  far__plan plan = learner_plan(l);
  plan.agenda = &memo->agenda;
  return plan;
}

/* ---- hooks ---- */

size_t learner_state_size(const far_shape *shape, const void *params);       /* no own words */
size_t learner_state_size_pairs(const far_shape *shape, const void *params); /* one a pair */
size_t learner_need(const far_agent *agent);        /* one transition, no scratch */
size_t learner_need_order(const far_agent *agent);  /* and scratch for the order of a row */
void learner_init(far_agent *agent);                /* q = v = v_max where live */
uint32_t learner_act(far_agent *agent, uint32_t s); /* greedy on q */
bool learner_value(const far_agent *agent, far_value kind, size_t i, double *out);       /* q, n */
bool learner_value_known(const far_agent *agent, far_value kind, size_t i, double *out); /* learn */
bool learner_policy(const far_agent *agent, uint32_t s, double *out); /* greedy on q */
bool learner_valid(const far_agent *agent);
bool learner_valid_planned(const far_agent *agent); /* own words: visits at the last plan */
bool learner_valid_rows(const far_agent *agent, const learner_pair *pair);

#endif
