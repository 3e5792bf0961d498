/* What all agents that learn a model and plan by steps share: the model, the tables, most hooks. docs/agents.md, "Optimism by
 * steps".
 *
 * Steps h = 0 ... H-1; the papers count from 1. Rewards are shifted and scaled to u = (r - low)/range in [0, 1], so that values
 * at step h lie in [0, H-h]. A terminal state earns r = 0 in the steps that are left: with h steps taken it is worth
 * (H-h)(0 - low)/range, the last entry of V[h]. V[H] is 0.
 *
 * The model is one for all steps (stages=shared) or one for each (apart): rows of transitions as in agents/rows.h, which have
 * then H times as many pairs. */
#ifndef FAR_AGENTS_EPISODIC_H
#define FAR_AGENTS_EPISODIC_H

#include "agents/explore.h"
#include "agents/params.h"
#include "agents/rows.h"
#include "theory/episodic.h"

/* ---- parameters: one struct for all, of which each agent's table shows its own ---- */

typedef enum episodic_preset { EPISODIC_PRACTICAL, EPISODIC_THEORY } episodic_preset;
typedef enum episodic_stages { STAGES_SHARED, STAGES_APART } episodic_stages;

typedef struct FAR__PARAMS episodic_params {
  double delta, scale, l, replan;
  double correction;         /* ucbvi */
  double eps, dim, c;        /* bpi-ucbvi, rf-express, rf-ucrl */
  double prior, mu0, sp, sn; /* psrl-episodic, rlsvi-episodic */
  double kappa, n0, r0;      /* bayes-ucbvi */
  int64_t draws;             /* bayes-ucbvi */
  int64_t episodes;          /* for which the logarithms hold */
  int32_t preset, stages, ties;
  int32_t bonus, constants; /* ucbvi */
  int32_t samples;          /* mvp */
} episodic_params;

_Static_assert(sizeof(episodic_params) <= FAR__SPEC_BYTES, "the spec has room for it");

#define EPISODIC_GIVEN(field) far__spec_given(spec, offsetof(episodic_params, field))

/* Rows that many of them have. `rule` is a default in words, which the agent's resolve fills in. */
#define EPISODIC_ROW_PRESET                                                                        \
  FAR__ROW_PRESET(episodic_params, "practical|theory", "practical, or theory (from delta)")
#define EPISODIC_ROW_DELTA FAR__ROW_DELTA(episodic_params)
#define EPISODIC_ROW_EPISODES                                                                      \
  FAR__ROW_DERIVED_INTEGER(episodic_params, episodes, "as many as the run can have, or 10000",     \
                           FAR__COUNT, "episodes for which that guarantee is made")
#define EPISODIC_ROW_L(text)                                                                       \
  FAR__ROW_DERIVED(episodic_params, l, "1", FAR__NOT_NEGATIVE,                                     \
                   "L, the logarithm in the bonus; preset=theory: " text)
#define EPISODIC_ROW_SCALE(rule)                                                                   \
  FAR__ROW_DERIVED(episodic_params, scale, rule, FAR__NOT_NEGATIVE,                                \
                   "factor of the bonus; the theorem has 1")
#define EPISODIC_ROW_STAGES(rule)                                                                  \
  FAR__ROW_DERIVED_CHOICE(episodic_params, stages, rule, "shared|apart",                           \
                          "one model for all steps, or one for each")
#define EPISODIC_ROW_REPLAN                                                                        \
  FAR__ROW_REAL(episodic_params, replan, "1", FAR__AT_LEAST_1,                                     \
                "plan after an episode if the visits of a pair have grown by this factor")
#define EPISODIC_ROW_NOISE(rule)                                                                   \
  FAR__ROW_DERIVED(episodic_params, sn, rule, FAR__SQUARABLE,                                      \
                   "standard deviation of the noise, in units of reward")
#define EPISODIC_ROW_TIES FAR__ROW_TIES(episodic_params)

/* What the presets of these agents share. episodic_resolve fills in stages, scale and l unless they are given; hides preset,
 * delta and episodes, since the canonical spec has what follows from them; and refuses delta and episodes if the preset is
 * practical. */
typedef struct episodic_defaults {
  double practical_scale;
  episodic_stages theory_stages; /* those of the paper; practical: shared */
  double theory_l;
  bool has_episodes; /* the table has that key */
} episodic_defaults;
far_status episodic_resolve(far__spec *spec, const episodic_defaults *d, far_error *error);

/* S A H, the problem of which a theorem speaks; delta and episodes are the parameters'. */
far__episodic_problem episodic_problem(const episodic_params *p, const far_shape *shape);

/* Warns where one plan takes more than 10^8 backups. */
void episodic_advise_cost(const far__spec *spec, const far_shape *shape, const far__advice *advice);

/* Warns where l or scale is below what the theorem needs. */
void episodic_advise_least(const episodic_params *p, double least_l, const far__advice *advice);

/* ---- the model and the tables ---- */

/* State: this; the rows; of every row the sum of squared rewards and the visits at the last plan; the
 * visits of (h, s); q of (h, s, a); v of (h, s) and the end, h = 0 ... H; the agent's own words. */
typedef struct episodic_state {
  uint64_t largest;  /* room of the largest row */
  uint64_t due;      /* 1: a visit since the last plan makes a new one due */
  uint64_t episodes; /* that have ended */
} episodic_state;

/* Pointers into a block for as long as it stays put. */
typedef struct episodic {
  far_agent *agent;
  const episodic_params *p;
  uint32_t n_states, n_actions;
  int64_t horizon;
  size_t n_pairs, n_rows; /* S A, and that times H where stages=apart */
  double low, range;
  double end; /* what a terminal state earns in a step, in [0, 1] */
  episodic_state *state;
  learner_pair *pair;        /* of n_rows */
  double *squares, *planned; /* of n_rows */
  double *seen;              /* of (h, s): H S */
  double *q;                 /* of (h, s, a): H S A */
  double *v;                 /* of (h, s): (H+1)(S+1) */
  double *own;               /* the agent's own words */
  far__arc *pool;
} episodic;

episodic episodic_of(far_agent *agent);

/* Rows of the model. */
size_t episodic_rows(const far_shape *shape, const episodic_params *p);

/* Bytes of state with `own_words` of an agent's own. */
size_t episodic_size(const far_shape *shape, const episodic_params *p, size_t own_words);

/* H - h: no value at step h is greater. */
static inline double episodic_top(const episodic *e, int64_t h) {
  return (double)(e->horizon - h);
}

/* Tables with an entry for every (h, s) and the end, h = 0 ... H: their words, and the row of a step. */
static inline size_t episodic_table(const far_shape *shape) {
  return ((size_t)shape->horizon + 1) * ((size_t)shape->n_states + 1);
}

static inline double *episodic_at(const episodic *e, double *table, int64_t h) {
  return table + (size_t)h * ((size_t)e->n_states + 1);
}

/* Values with h steps taken, of the states and then of the end. */
static inline double *episodic_v(const episodic *e, int64_t h) {
  return episodic_at(e, e->v, h);
}

/* The row of a pair i = s A + a at step h. */
static inline size_t episodic_row(const episodic *e, int64_t h, size_t i) {
  return e->p->stages == STAGES_APART ? (size_t)h * e->n_pairs + i : i;
}

static inline far__row episodic_arcs(const episodic *e, const learner_pair *pair) {
  return (far__row){e->pool + pair->first, (size_t)pair->count, pair->n};
}

/* Mean of v over a row with visits. */
static inline double episodic_mean(const far__row *row, const double *v) {
  return far__row_dot(row, v) / row->total;
}

/* Variance of v over a row, around its mean; by deviations, in the order of the arcs. */
static inline double episodic_variance(const far__row *row, const double *v, double mean) {
  double sum = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const double d = v[row->arc[k].next] - mean;
    sum += row->arc[k].weight * (d * d);
  }
  return sum / row->total;
}

/* Variance of the rewards of a row with visits, from their sums; what is below 2^-40 is rounding. */
static inline double episodic_spread(const learner_pair *pair, double squares) {
  const double mean = pair->sum / pair->n, variance = squares / pair->n - mean * mean;
  return variance < 0x1p-40 ? 0 : variance;
}

static inline double episodic_reward_variance(const episodic *e, size_t row) {
  return episodic_spread(&e->pair[row], e->squares[row]);
}

/* Enters a step into the model; a plan is due if `replan` says so. Returns the row. */
size_t episodic_enter(episodic *e, const far_transition *step);

/* Counts an episode that ends with this step. True if it does and a plan is due. */
bool episodic_due(episodic *e, const far_transition *step);

/* After a plan: keeps the visits with which it was made. */
void episodic_planned(episodic *e);

/* ---- planning ---- */

/* The value of pair i = s A + a at step h, where the next step has the values v. The table q still has that of the last plan. */
typedef double episodic_backup(const void *context, int64_t h, size_t i, const double *v);

/* Called when the actions of (h, s) have their values, by agents that keep further tables. */
typedef void episodic_settle(const void *context, int64_t h, uint32_t s);

/* One pass from the last step to the first: q, and v as its maximum. Inline, with a backup that the
 * compiler knows, so that the inner loop has no call. */
static inline void episodic_plan(episodic *e, episodic_backup *backup, episodic_settle *settle,
                                 const void *context) {
  const bool *absent = e->agent->shape.absent;
  far__patience patience = far__patience_with(e->agent->stop);
  for (int64_t h = e->horizon; h-- > 0;) {
    const double *next = episodic_v(e, h + 1);
    double *v = episodic_v(e, h), *q = e->q + (size_t)h * e->n_pairs;
    for (uint32_t s = 0; s < e->n_states; ++s, q += e->n_actions) {
      if (absent != NULL && absent[s]) continue;
      for (uint32_t a = 0; a < e->n_actions; ++a)
        q[a] = backup(context, h, (size_t)s * e->n_actions + a, next);
      v[s] = far__max(q, e->n_actions);
      if (settle != NULL) settle(context, h, s);
      if (far__patience_over(&patience, e->n_actions)) return;
    }
  }
  episodic_planned(e);
}

/* ---- hooks ---- */

size_t episodic_state_size(const far_shape *shape, const void *params); /* no own words */
size_t episodic_need(const far_agent *agent);        /* one transition, no scratch */
void episodic_init(far_agent *agent);                /* q = v = H - h where live */
uint32_t episodic_act(far_agent *agent, uint32_t x); /* greedy on q */
bool episodic_value(const far_agent *agent, far_value kind, size_t i, double *out); /* q, n */
bool episodic_policy(const far_agent *agent, uint32_t x, double *out); /* greedy on q */
bool episodic_valid(const far_agent *agent);

/* For certificates: the greatest above(s) - below(s) over the states in which an episode has begun, in units of reward. Both are
 * tables of the states at the first step; below = NULL is 0. False before the first episode. */
bool episodic_start_gap(const far_agent *agent, const double *above, const double *below,
                        double *out);

#endif
