#include "agents/episodic.h"

#include "agents/learner.h" /* learner_advise_least */

/* ---- resolving ---- */

far_status episodic_resolve(far__spec *spec, const episodic_defaults *d, far_error *error) {
  static const size_t others[] = {offsetof(episodic_params, delta),
                                  offsetof(episodic_params, episodes)};
  episodic_params *p = (episodic_params *)spec->values;
  const bool theory = p->preset == EPISODIC_THEORY;
  if (!EPISODIC_GIVEN(scale)) p->scale = theory ? 1 : d->practical_scale;
  if (!EPISODIC_GIVEN(l)) p->l = theory ? d->theory_l : 1;
  if (!EPISODIC_GIVEN(stages)) p->stages = theory ? d->theory_stages : STAGES_SHARED;
  return far__consume_preset(spec, !theory, offsetof(episodic_params, preset), others,
                             d->has_episodes ? 2 : 1, error);
}

far__episodic_problem episodic_problem(const episodic_params *p, const far_shape *shape) {
  return (far__episodic_problem){.states = far_shape_live(shape),
                                 .actions = shape->n_actions,
                                 .horizon = (double)shape->horizon,
                                 .episodes = (double)p->episodes,
                                 .delta = p->delta};
}

void episodic_advise_cost(const far__spec *spec, const far_shape *shape,
                          const far__advice *advice) {
  (void)spec;
  const double backups = (double)far_shape_live(shape) * shape->n_actions * (double)shape->horizon;
  if (backups > 1e8)
    far__say(advice, true,
             "a plan takes %.2g backups, and there may be one after every episode; a larger replan "
             "makes fewer",
             backups);
}

void episodic_advise_least(const episodic_params *p, double least_l, const far__advice *advice) {
  if (p->scale < 1)
    learner_advise_least(advice, "scale", p->scale, 1);
  else
    learner_advise_least(advice, "l", p->l, least_l);
}

/* ---- the model and the tables ---- */

size_t episodic_rows(const far_shape *shape, const episodic_params *p) {
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return p->stages == STAGES_APART ? pairs * (size_t)shape->horizon : pairs;
}

size_t episodic_size(const far_shape *shape, const episodic_params *p, size_t own_words) {
  const size_t rows = episodic_rows(shape, p), steps = (size_t)shape->horizon,
               states = shape->n_states;
  const size_t words = 2 * rows + steps * states + steps * states * shape->n_actions +
                       episodic_table(shape) + own_words;
  return sizeof(episodic_state) + rows * sizeof(learner_pair) + words * sizeof(double);
}

episodic episodic_of(far_agent *agent) {
  const far_shape *shape = &agent->shape;
  const episodic_params *p = far__agent_params(agent);
  const size_t steps = (size_t)shape->horizon, states = shape->n_states;
  episodic e = {.agent = agent,
                .p = p,
                .n_states = shape->n_states,
                .n_actions = shape->n_actions,
                .horizon = shape->horizon,
                .n_pairs = states * shape->n_actions,
                .n_rows = episodic_rows(shape, p),
                .low = shape->reward_min,
                .range = shape->reward_max - shape->reward_min,
                .state = far__agent_state(agent),
                .pool = far__agent_pool(agent)};
  e.end = (0 - e.low) / e.range;
  e.pair = (learner_pair *)(e.state + 1);
  e.squares = (double *)(e.pair + e.n_rows);
  e.planned = e.squares + e.n_rows;
  e.seen = e.planned + e.n_rows;
  e.q = e.seen + steps * states;
  e.v = e.q + steps * e.n_pairs;
  e.own = e.v + episodic_table(shape);
  return e;
}

size_t episodic_enter(episodic *e, const far_transition *step) {
  const int64_t h = e->agent->h;
  const size_t row = episodic_row(e, h, (size_t)step->s * e->n_actions + step->a);
  const double u = (step->r - e->low) / e->range;
  rows_add(e->agent, &e->state->largest, &e->pair[row], step->done ? e->n_states : step->next, u);
  e->squares[row] += u * u;
  e->seen[(size_t)h * e->n_states + step->s] += 1;
  if (e->pair[row].n >= e->p->replan * e->planned[row]) e->state->due = 1;
  return row;
}

bool episodic_due(episodic *e, const far_transition *step) {
  if (!step->done && !step->cut) return false;
  e->state->episodes += 1;
  return e->state->due != 0;
}

void episodic_planned(episodic *e) {
  for (size_t i = 0; i < e->n_rows; ++i) e->planned[i] = e->pair[i].n;
  e->state->due = 0;
}

/* ---- hooks ---- */

size_t episodic_state_size(const far_shape *shape, const void *params) {
  return episodic_size(shape, params, 0);
}

size_t episodic_need(const far_agent *agent) {
  const episodic_state *state = far__agent_state((far_agent *)agent); /* only read through */
  return rows_growth(state->largest, 1);
}

void episodic_init(far_agent *agent) {
  const episodic e = episodic_of(agent);
  for (int64_t h = 0; h <= e.horizon; ++h) {
    const double top = episodic_top(&e, h);
    double *v = episodic_v(&e, h);
    for (uint32_t s = 0; s < e.n_states; ++s)
      v[s] = far_shape_is_live(&agent->shape, s) ? top : top * e.end;
    v[e.n_states] = top * e.end;
    if (h == e.horizon) break;
    double *q = e.q + (size_t)h * e.n_pairs;
    for (size_t i = 0; i < e.n_pairs; ++i) q[i] = v[i / e.n_actions];
  }
}

uint32_t episodic_act(far_agent *agent, uint32_t x) {
  const episodic e = episodic_of(agent);
  return far__greedy(e.q + (size_t)x * e.n_actions, e.n_actions, (far__ties)e.p->ties, &agent->rng);
}

bool episodic_value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  const int64_t h = (int64_t)(i / e.n_pairs);
  switch (kind) {
  case FAR_VALUE_Q: *out = e.q[i] * e.range + episodic_top(&e, h) * e.low; return true;
  case FAR_VALUE_N: *out = e.pair[episodic_row(&e, h, i % e.n_pairs)].n; return true;
  default: return false;
  }
}

bool episodic_policy(const far_agent *agent, uint32_t x, double *out) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  far__greedy_policy(far__score_row, e.q + (size_t)x * e.n_actions, e.n_actions,
                     (far__ties)e.p->ties, out);
  return true;
}

static bool valid_counts(const episodic *e) {
  const double t = (double)e->agent->t;
  bool good = true;
  for (size_t i = 0; good && i < e->n_rows; ++i)
    good = e->squares[i] >= 0 && e->squares[i] - e->squares[i] == 0 && e->planned[i] >= 0 &&
           e->planned[i] <= e->pair[i].n;
  for (size_t x = 0; good && x < (size_t)e->horizon * e->n_states; ++x)
    good = e->seen[x] >= 0 && e->seen[x] <= t;
  return good;
}

bool episodic_valid(const far_agent *agent) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  const size_t n_q = (size_t)e.horizon * e.n_pairs;
  const size_t n_v = episodic_table(&agent->shape);
  bool good = e.state->due <= 1 && e.state->episodes <= (uint64_t)agent->t &&
              rows_valid(agent, e.state->largest, e.pair, e.n_rows, 1) && valid_counts(&e);
  for (size_t i = 0; good && i < n_q; ++i) good = e.q[i] - e.q[i] == 0;
  for (size_t i = 0; good && i < n_v; ++i) good = e.v[i] - e.v[i] == 0;
  return good;
}

bool episodic_start_gap(const far_agent *agent, const double *above, const double *below,
                        double *out) {
  const episodic e = episodic_of((far_agent *)agent); /* only read through */
  double most = -1;
  for (uint32_t s = 0; s < e.n_states; ++s)
    if (e.seen[s] > 0) most = fmax(most, above[s] - (below != NULL ? below[s] : 0));
  if (most < 0) return false;
  *out = most * e.range;
  return true;
}
