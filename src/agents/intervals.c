#include "agents/intervals.h"

double *intervals_spread(const average *u, size_t pair) {
  return u->more + 1 + pair;
}

intervals intervals_of(const average *u) {
  intervals x = {.reward = (double *)u->l.agent->memo.words, .slack = u->scratch};
  x.rest = x.reward + u->l.n_pairs;
  x.visits = x.rest + u->l.n_pairs;
  x.box = (far__interval *)(x.visits + u->l.n_pairs);
  x.order = (uint64_t *)(x.slack + u->l.n_states);
  return x;
}

/* Rows whose visits are what they were have not changed. */
void intervals_prepare(average *u, intervals_fill *fill) {
  const intervals x = intervals_of(u);
  far__memo *memo = &u->l.agent->memo;
  uint64_t count = 0;
  for (uint32_t s = 0; s < u->l.n_states; ++s) {
    x.slack[s] = FAR__UNSEEN;
    if (average_is_live(u, s)) x.order[count++] = s;
  }
  for (size_t i = 0; i < u->l.n_pairs; ++i) {
    if (memo->holds && x.visits[i] == u->l.pair[i].n) continue;
    x.visits[i] = u->l.pair[i].n;
    if (x.visits[i] > 0) fill(u, &x, i);
  }
  memo->holds = true;
}

/* ---- the rule ---- */

void intervals_begin(average *u) {
  far__order_by_value(intervals_of(u).order, u->l.n_live, u->l.v);
}

/* r~ + max of q u over the q within the intervals;  n = 0: R + max u */
double intervals_backup(const average *u, size_t i) {
  const learner *l = &u->l;
  const learner_pair *pair = &l->pair[i];
  if (pair->n == 0) return l->range + l->v[u->best];
  const intervals x = intervals_of(u);
  const far__row row = learner_row(l, pair);
  const far__outcomes all = {x.order, l->n_live, x.slack, x.rest[i]};
  const far__interval *box = x.box + pair->first;
  if (u->near == 0) return x.reward[i] + far__intervals_best(&row, box, &all, l->v);
  const double kappa = u->near * (double)row.count;
  return x.reward[i] + far__intervals_near(&row, box, &all, l->v, kappa);
}

void intervals_enter(average *u, size_t i, double reward) {
  double *spread = intervals_spread(u, i);
  *spread = learner_spread(&u->l.pair[i], *spread, reward);
}

/* ---- hooks ---- */

size_t intervals_state_size(const far_shape *shape, const void *params) {
  (void)params;
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return average_size(shape, 1 + pairs);
}

size_t intervals_need(const far_agent *agent) {
  return average_need(agent, 2 * (size_t)agent->shape.n_states);
}

/* As many intervals as there will be arcs, of two words each. */
size_t intervals_memo_need(const far_agent *agent) {
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  return 3 * pairs + agent->pool_used + learner_growth(agent, 2);
}

bool intervals_valid(const far_agent *agent) {
  const average u = average_of((far_agent *)agent); /* only read through */
  bool good = average_valid_gain(agent);
  for (size_t i = 0; good && i < u.l.n_pairs; ++i)
    good = learner_spread_is_valid(&u.l, i, *intervals_spread(&u, i));
  return good;
}
