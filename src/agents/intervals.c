#include "agents/intervals.h"

double *intervals_spread(const average *u, size_t pair) {
  return u->more + 1 + pair;
}

intervals intervals_of(const average *u) {
  intervals x = {.reward = u->scratch};
  x.rest = x.reward + u->l.n_pairs;
  x.slack = x.rest + u->l.n_pairs;
  x.order = (uint64_t *)(x.slack + u->l.n_states);
  x.box = (far__interval *)(x.order + u->l.n_states);
  return x;
}

intervals intervals_prepare(average *u) {
  const intervals x = intervals_of(u);
  uint64_t count = 0;
  for (uint32_t s = 0; s < u->l.n_states; ++s) {
    x.slack[s] = FAR__UNSEEN;
    if (average_is_live(u, s)) x.order[count++] = s;
  }
  return x;
}

/* ---- the rule ---- */

void intervals_begin(average *u) {
  far__order_by_value(intervals_of(u).order, u->l.n_live, u->l.v);
}

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

/* As many intervals as there will be arcs. */
size_t intervals_need(const far_agent *agent) {
  const size_t states = agent->shape.n_states, pairs = states * agent->shape.n_actions;
  const size_t arcs = agent->pool_used + learner_growth(agent, 2);
  return average_need(agent, 2 * pairs + 2 * states + arcs);
}

bool intervals_valid(const far_agent *agent) {
  const average u = average_of((far_agent *)agent); /* only read through */
  bool good = average_valid_gain(agent);
  for (size_t i = 0; good && i < u.l.n_pairs; ++i)
    good = learner_spread_is_valid(&u.l, i, *intervals_spread(&u, i));
  return good;
}
