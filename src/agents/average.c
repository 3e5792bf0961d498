#include "agents/average.h"

/* ---- parameters ---- */

void average_resolve(far__spec *spec, double usual) {
  learner_params *p = (learner_params *)spec->values;
  far__spec_hide(spec, offsetof(learner_params, preset));
  if (!LEARNER_GIVEN(scale)) p->scale = p->preset == PRESET_THEORY ? 1 : usual;
}

void average_advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)shape;
  learner_advise_least(advice, "scale", ((const learner_params *)spec->values)->scale, 1);
}

/* ---- state ---- */

average average_of(far_agent *agent) {
  average u = {.l = learner_of(agent)};
  u.state = (average_state *)u.l.own;
  u.base = (double *)(u.state + 1);
  u.more = u.base + u.l.n_pairs;
  return u;
}

size_t average_size(const far_shape *shape, size_t more) {
  const size_t pairs = (size_t)shape->n_states * shape->n_actions;
  return learner_size(shape, sizeof(average_state) / 8 + pairs + more);
}

/* Two transitions, since one may be pending; values as scratch. */
size_t average_need(const far_agent *agent, size_t scratch) {
  return learner_growth(agent, 2) + agent->shape.n_states + scratch;
}

void average_init(far_agent *agent) {
  const average u = average_of(agent);
  u.state->pending = AVERAGE_NOTHING;
  for (size_t i = 0; i < u.l.n_pairs; ++i)
    u.l.q[i] = learner_can_follow(&u.l, i / u.l.n_actions) ? u.l.range : 0;
  u.l.v[u.l.n_states] = u.l.end; /* no row leads there; learner_valid checks it */
}

void average_keep_gain(average *u) {
  *u->more = u->rise;
}

void average_init_gain(far_agent *agent) {
  average_init(agent);
  const average u = average_of(agent);
  *u.more = u.l.range;
}

/* ---- extended value iteration ---- */

static uint64_t best_state(const average *u) {
  uint64_t best = UINT64_MAX;
  for (uint32_t s = 0; s < u->l.n_states; ++s)
    if (average_is_live(u, s) && (best == UINT64_MAX || u->l.v[s] > u->l.v[best])) best = s;
  return best;
}

/* u_{i+1}(s) <- max_a of the rule's backup with u_i; the least value is subtracted. Returns the span of u_{i+1} - u_i, 0 if the
 * plan is stopped. */
static double sweep(average *u, const average_rule *rule, far__patience *patience) {
  learner *l = &u->l;
  double least = INFINITY, most = -INFINITY, lowest = INFINITY;
  u->best = best_state(u);
  if (rule->begin != NULL) rule->begin(u);
  for (uint32_t s = 0; s < l->n_states; ++s) {
    if (!average_is_live(u, s)) continue;
    double *q = l->q + (size_t)s * l->n_actions;
    for (uint32_t a = 0; a < l->n_actions; ++a)
      q[a] = rule->backup(u, (size_t)s * l->n_actions + a);
    u->next_v[s] = far__max(q, l->n_actions);
    least = far__smaller(least, u->next_v[s] - l->v[s]);
    most = far__larger(most, u->next_v[s] - l->v[s]);
    lowest = far__smaller(lowest, u->next_v[s]);
    if (far__patience_over(patience, l->n_actions)) return 0;
  }
  for (uint32_t s = 0; s < l->n_states; ++s)
    if (average_is_live(u, s)) l->v[s] = u->next_v[s] - lowest;
  u->rise = most;
  return most - least;
}

/* Initialises episode k, and computes its policy by extended value iteration, until the span is below range/sqrt(t_k). */
static void begin_episode(average *u, const average_rule *rule, int64_t counted) {
  learner *l = &u->l;
  u->t = (double)counted + 1;
  u->next_v = learner_scratch(l);
  u->scratch = u->next_v + l->n_states;
  if (rule->prepare != NULL) rule->prepare(u);
  for (uint32_t s = 0; s < l->n_states; ++s) l->v[s] = 0;
  const double enough = l->range / sqrt(u->t);
  far__patience patience = far__patience_with(l->agent->stop);
  const int most = rule->most_sweeps > 0 ? rule->most_sweeps : AVERAGE_MOST_SWEEPS;
  for (int i = 0; i < most && sweep(u, rule, &patience) >= enough; ++i) continue;
  for (size_t i = 0; i < l->n_pairs; ++i) u->base[i] = l->pair[i].n;
  if (rule->planned != NULL) rule->planned(u);
}

/* ---- steps ---- */

/* v_k(s,a) >= max(1, N_k(s,a)) for an action a that the policy may take in s? */
static bool doubled(const average *u, uint32_t s) {
  const size_t first = (size_t)s * u->l.n_actions;
  const double best = far__max(u->l.q + first, u->l.n_actions);
  for (size_t i = first; i < first + u->l.n_actions; ++i)
    if (u->l.q[i] == best && u->l.pair[i].n - u->base[i] >= fmax(1, u->base[i])) return true;
  return false;
}

static void count(average *u, average_enter *enter, size_t i, uint32_t next, double reward) {
  if (enter != NULL) enter(u, i, reward);
  learner_add(&u->l, &u->l.pair[i], next, reward);
}

bool average_resume(average *u, const far_transition *step, average_enter *enter) {
  const int64_t pending = u->state->pending;
  if (pending >= 0) count(u, enter, (size_t)pending, step->s, u->state->reward);
  return pending != AVERAGE_NOTHING;
}

bool average_take(average *u, const far_transition *step, average_enter *enter) {
  const learner *l = &u->l;
  const size_t i = learner_index(l, step);
  u->state->pending = step->done ? (int64_t)i : step->cut ? AVERAGE_CUT : AVERAGE_NOTHING;
  u->state->reward = step->done ? step->r - l->low : 0;
  if (step->done) return false; /* counted when the next start is seen */
  count(u, enter, i, step->next, step->r - l->low);
  return true;
}

/* A pending transition is counted, now that its next state is known; a new episode begins if v_k(s,a) >= max(1, N_k(s,a)) for
 * the pair that is next. The same of the transition observed. */
void average_observe(far_agent *agent, const far_transition *step, const average_rule *rule,
                     average_enter *enter) {
  average u = average_of(agent);
  if (average_resume(&u, step, enter) && doubled(&u, step->s))
    begin_episode(&u, rule, agent->t - 1);
  if (average_take(&u, step, enter) && !step->cut && doubled(&u, step->next))
    begin_episode(&u, rule, agent->t);
}

/* ---- hooks ---- */

/* Values are relative: neither shifted nor discounted. */
bool average_value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const learner l = learner_of((far_agent *)agent); /* only read through */
  if (kind != FAR_VALUE_Q) return learner_value(agent, kind, i, out);
  *out = l.q[i];
  return true;
}

/* Does no row lead to the end? An end counts as a transition to the next start, and scratch has no room for it. */
static bool ends_nowhere(const average *u) {
  for (size_t i = 0; i < u->l.n_pairs; ++i) {
    const far__row row = learner_row(&u->l, &u->l.pair[i]);
    for (size_t k = 0; k < row.count; ++k)
      if (row.arc[k].next >= u->l.n_states) return false;
  }
  return true;
}

bool average_valid(const far_agent *agent) {
  const average u = average_of((far_agent *)agent); /* only read through */
  bool good = learner_valid(agent) && u.state->pending >= AVERAGE_CUT &&
              u.state->pending < (int64_t)u.l.n_pairs && u.state->reward >= 0 &&
              u.state->reward <= u.l.range && ends_nowhere(&u);
  for (size_t i = 0; good && i < u.l.n_pairs; ++i)
    good = u.base[i] >= 0 && u.base[i] <= u.l.pair[i].n;
  return good;
}

bool average_valid_gain(const far_agent *agent) {
  const double gain = *average_of((far_agent *)agent).more; /* only read through */
  return average_valid(agent) && gain - gain == 0;
}
