/* A model drawn from the posterior: PSRL, discounted and by steps. docs/agents.md, "psrl".
 *
 * A row of transitions is Dirichlet over all outcomes. Those never seen have the same parameter, so that their part is split by
 * stick breaking in the size-biased order of a symmetric Dirichlet (Pitman 1996): sticks shrink so fast that after a few dozen
 * the rest is below the precision of a double, however many outcomes there are. A mean reward is normal. */
#ifndef FAR_AGENTS_SAMPLE_H
#define FAR_AGENTS_SAMPLE_H

#include "agents/rows.h"

typedef struct sampled_row {
  uint64_t first, count;
  double total, reward;
} sampled_row;

/* The prior; `mean`, `deviation` and `noise` in the units of the rows' rewards. */
typedef struct sample_prior {
  double weight; /* of the Dirichlet, in all */
  double mean, deviation, noise;
} sample_prior;

/* Scratch, in this order: the sampled rows, the arcs of all of them, a mark for every outcome, the
 * list of those that are possible. */
typedef struct sample {
  far_agent *agent;
  sample_prior prior;
  const far__arc *pool;
  sampled_row *row;
  far__arc *arc;
  uint64_t *mark;    /* i + 1 where the outcome is in row i already */
  uint64_t *outcome; /* the live states, and the end where there is one */
  uint64_t outcomes; /* how many these are */
  uint64_t used;     /* arcs */
} sample;

/* Words of scratch for n_rows; SIZE_MAX: too many. */
size_t sample_need(const far_agent *agent, size_t n_rows, double prior_weight);

/* A sample of no rows yet, in the scratch behind the used pool. */
sample sample_begin(far_agent *agent, size_t n_rows, sample_prior prior);

/* Draws row i: the transitions, then the mean reward. Rows are drawn one after another. */
void sample_draw(sample *x, size_t i, const learner_pair *pair);

/* The drawn mean reward of row i, and the mean of v over its outcomes; false where it has none: no visits, and
 * a prior without weight. */
static inline bool sample_backup(const sample *x, size_t i, const double *v, double *reward,
                                 double *mean) {
  const sampled_row *r = &x->row[i];
  if (r->count == 0) return false;
  const far__row row = {x->arc + r->first, (size_t)r->count, r->total};
  *reward = r->reward;
  *mean = far__row_dot(&row, v) / r->total;
  return true;
}

#endif
