/* IMED-RL: the action whose inferiority has the least evidence, by the index of IMED (Honda & Takemura 2015) with the bias of
 * the empirical model. Average reward. There are no episodes as in UCRL2; average.h serves for the ends of the problem's.
 *
 *   Pesquerel & Maillard, IMED-RL: regret optimal learning of ergodic Markov decision processes, NeurIPS 2022
 *
 * Symbols: N(s,a) pair->n · phi, the bias, v · Q = R^ + P^ phi q · mu = max_a Q(s,a) · K divergence. docs/agents.md,
 * "imed-rl". */
#include "agents/average.h"

static const far_param params[] = {
    FAR__ROW_DERIVED(learner_params, tol, "0.001 range", FAR__POSITIVE,
                     "a plan ends when no value moves by this or more"),
    FAR__ROW_TIES(learner_params),
};

enum { MOST_SWEEPS = 3000, BISECTIONS = 50 };

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  learner_params *p = (learner_params *)spec->values;
  (void)error;
  if (!LEARNER_GIVEN(tol)) p->tol = 0.001 * (shape->reward_max - shape->reward_min);
  return FAR_OK; /* gamma stays 0: nothing is discounted */
}

static size_t state_size(const far_shape *shape, const void *values) {
  (void)values;
  return average_size(shape, 0);
}

static size_t need(const far_agent *agent) {
  return average_need(agent, 0);
}

/* ---- act ---- */

static double greatest_phi(const average *u) {
  double most = 0; /* the least is 0 */
  for (uint32_t s = 0; s < u->l.n_states; ++s)
    if (average_is_live(u, s)) most = far__larger(most, u->l.v[s]);
  return most;
}

typedef struct choice {
  const learner *l;
  size_t first;      /* pair */
  double mu, d, top; /* max_a Q(s,a); top - mu; R + max phi, which no value exceeds */
  bool untried;      /* is there an action that was never tried? */
} choice;

static choice choice_at(const average *u, uint32_t s) {
  const learner *l = &u->l;
  choice c = {.l = l, .first = (size_t)s * l->n_actions, .top = l->range + greatest_phi(u)};
  c.mu = far__max(l->q + c.first, l->n_actions);
  c.d = c.top - c.mu;
  for (uint32_t a = 0; a < l->n_actions; ++a) c.untried |= l->pair[c.first + a].n == 0;
  return c;
}

/* sum_i p_i f(X_i - mu) over the values X_i of one step, of two rewards for each successor; f(v) = v/(d - x v), or
 * ln(1 - x v/d) if `log`. */
static double expect(const choice *c, const learner_pair *pair, double x, bool log) {
  const learner *l = c->l;
  const far__row row = learner_row(l, pair);
  const double share = l->range > 0 ? pair->sum / pair->n / l->range : 1;
  double sum = 0;
  for (size_t k = 0; k < row.count; ++k)
    for (int paid = 0; paid < 2; ++paid) {
      const double p = row.arc[k].weight / row.total * (paid ? share : 1 - share);
      const double v = (paid ? l->range : 0) + l->v[row.arc[k].next] - c->mu;
      if (p > 0) sum += p * (log ? far_log(1 - x * v / c->d) : v / (c->d - x * v));
    }
  return sum;
}

/* K = max over 0 <= x <= 1 of sum_i p_i ln(1 - x (X_i - mu)/d), by bisection for the zero of the derivative. */
static double divergence(const choice *c, const learner_pair *pair) {
  double low = 0, high = 1;
  for (int i = 0; i < BISECTIONS; ++i) {
    const double x = 0.5 * (low + high);
    if (expect(c, pair, x, false) < 0)
      low = x;
    else
      high = x;
  }
  return fmax(0, expect(c, pair, low, true));
}

/* The index N K + ln N, negated; an action that was never tried comes first. */
static double score(const void *of, uint32_t a) {
  const choice *c = of;
  const learner_pair *pair = &c->l->pair[c->first + a];
  if (c->untried) return pair->n == 0;
  const double ln = far_log(pair->n);
  if (c->l->q[c->first + a] == c->mu) return -ln;
  if (c->d <= 0x1p-40 * c->top) return -INFINITY;
  return -(pair->n * divergence(c, pair) + ln);
}

/* a <- argmin_a' N(s,a') K + ln N(s,a') */
static uint32_t act(far_agent *agent, uint32_t s) {
  const average u = average_of(agent);
  const choice c = choice_at(&u, s);
  return far__greedy_by(score, &c, u.l.n_actions, (far__ties)u.l.p->ties, &agent->rng);
}

/* ---- observe ---- */

static double mean_phi(const average *u) {
  double sum = 0;
  for (uint32_t s = 0; s < u->l.n_states; ++s)
    if (average_is_live(u, s)) sum += u->l.v[s];
  return sum / u->l.n_live;
}

/* The visits that an action of s needs to be in the skeleton: (ln max_a N(s,a))^2. */
static double enough_visits(const learner *l, uint32_t s) {
  double most = 0;
  for (uint32_t a = 0; a < l->n_actions; ++a)
    most = fmax(most, l->pair[(size_t)s * l->n_actions + a].n);
  const double ln = most > 1 ? far_log(most) : 0;
  return ln * ln;
}

/* Memo: enough_visits of every state. */
static double *enough_of(const average *u) {
  return (double *)u->l.agent->memo.words;
}

static size_t memo_need(const far_agent *agent) {
  return agent->shape.n_states;
}

/* max over the skeleton of (sum of rewards + R/2 + sum_y N(s,a,y) phi(y) + mean phi)/(N + 1): every pair has one imagined step,
 * of reward R/2 to a uniform state. */
static double back_up(const average *u, uint32_t s, double mean) {
  const learner *l = &u->l;
  const double enough = enough_of(u)[s];
  double best = -INFINITY;
  for (uint32_t a = 0; a < l->n_actions; ++a) {
    const learner_pair *pair = &l->pair[(size_t)s * l->n_actions + a];
    if (pair->n < enough) continue;
    best = far__larger(best, (pair->sum + 0.5 * l->range + learner_dot(l, pair, l->v) + mean) /
                                 (pair->n + 1));
  }
  return best;
}

/* phi(s) <- back_up(s), less the least of all states. Returns the largest change; 0 if the plan is stopped. */
static double sweep(average *u, far__patience *patience) {
  const learner *l = &u->l;
  const double mean = mean_phi(u);
  double lowest = INFINITY, most = 0;
  for (uint32_t s = 0; s < l->n_states; ++s) {
    if (!average_is_live(u, s)) continue;
    u->next_v[s] = back_up(u, s, mean);
    lowest = far__smaller(lowest, u->next_v[s]);
    if (far__patience_over(patience, l->n_actions)) return 0;
  }
  for (uint32_t s = 0; s < l->n_states; ++s) {
    if (!average_is_live(u, s)) continue;
    const double x = u->next_v[s] - lowest;
    most = far__larger(most, fabs(x - l->v[s]));
    l->v[s] = x;
  }
  return most;
}

/* Sweeps until phi is settled; then Q(s,a) = R^ + P^ phi, R + max phi where untried. */
static void make_plan(average *u) {
  const learner *l = &u->l;
  u->next_v = learner_scratch(l);
  far__patience patience = far__patience_with(l->agent->stop);
  for (int i = 0; i < MOST_SWEEPS && sweep(u, &patience) >= l->p->tol; ++i) continue;
  const double top = l->range + greatest_phi(u);
  for (size_t s = 0, i = 0; s < l->n_states; ++s)
    for (const size_t end = i + l->n_actions; i < end; ++i)
      if (learner_can_follow(l, s))
        l->q[i] = l->pair[i].n > 0 ? learner_backup(l, i, 1, l->v) : top;
}

/* Renews the memo of the state whose visits have changed. */
static void count_visits(const average *u, size_t pair) {
  const uint32_t s = (uint32_t)(pair / u->l.n_actions);
  enough_of(u)[s] = enough_visits(&u->l, s);
}

static void fill_memo(const average *u) {
  for (uint32_t s = 0; s < u->l.n_states; ++s) enough_of(u)[s] = enough_visits(&u->l, s);
  u->l.agent->memo.holds = true;
}

/* The transition is counted; one that ended an episode when the next start is observed. Then a plan. */
static void observe(far_agent *agent, const far_transition *step) {
  average u = average_of(agent);
  const int64_t pending = u.state->pending;
  average_resume(&u, step, NULL);
  const bool entered = average_take(&u, step, NULL);
  if (!entered && pending < 0) return;
  if (!agent->memo.holds) fill_memo(&u);
  if (pending >= 0) count_visits(&u, (size_t)pending);
  if (entered) count_visits(&u, learner_index(&u.l, step));
  make_plan(&u);
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const average u = average_of((far_agent *)agent); /* only read through */
  const choice c = choice_at(&u, s);
  far__greedy_policy(score, &c, u.l.n_actions, (far__ties)u.l.p->ties, out);
  return true;
}

const far__agent_type far__imed_rl = {
    .info =
        {.name = "imed-rl",
         .summary = "IMED-RL: the action whose inferiority has the least evidence",
         .reference =
             "Pesquerel & Maillard, IMED-RL: Regret optimal learning of ergodic Markov decision "
             "processes, NeurIPS 2022",
         .guarantee =
             "none in finite time; the paper's form has asymptotically the least regret, of the "
             "order log T; average reward, ergodic",
         .model_based = true,
         .params = params,
         .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(learner_params),
    .resolve = resolve,
    .advise = far__advise_nothing,
    .state_size = state_size,
    .pool_need = need,
    .memo_need = memo_need,
    .init = average_init,
    .act = act,
    .observe = observe,
    .value = average_value,
    .policy = policy,
    .valid = average_valid,
    .links_steps = true,
};
