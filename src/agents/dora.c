/* DORA: exploration values, the discounted counters that exploration along a path lowers.
 *
 *   Choshen, Fox & Loewenstein, DORA the Explorer, ICLR 2018
 *
 * Symbols: E(s,a), from 1, learned as the value of an action under a reward of 0 (SARSA) with step
 * alpha_e and discount gamma_e; log_{1-alpha_e} E is the generalised counter C, which is the number
 * of visits if gamma_e = 0. E underflows after some thousand visits, so L = -ln E is kept.
 * Works in the units of the rewards.
 */
#include <float.h>

#include "agents/explore.h"
#include "agents/params.h"

typedef enum dora_rule { LLL_SOFTMAX, LLL_EPSILON, SOFTMAX, EPSILON } dora_rule;
typedef enum dora_decay { DECAY_SQRT, DECAY_LINEAR } dora_decay;
typedef enum dora_place { PLACE_CHOICE, PLACE_TARGET } dora_place;

typedef struct FAR__PARAMS dora_params {
  double gamma, alpha, alpha_e, gamma_e, beta, epsilon, temperature, q0;
  double unit; /* -ln(1-alpha_e), what a visit adds to L if gamma_e = 0; not a key */
  int32_t rule, decay, place, ties;
} dora_params;

_Static_assert(sizeof(dora_params) <= FAR__SPEC_BYTES, "the spec has room for it");

#define AT(field) FAR__AT(dora_params, field)

static const far_param params[] = {
    FAR__ROW_GAMMA(dora_params, "0.95"),
    {.name = "rule",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "lll-softmax",
     .choices = "lll-softmax|lll-epsilon|softmax|epsilon",
     AT(rule),
     .help = "softmax or epsilon-greedy, made deterministic by the counters (lll) or with a bonus"},
    FAR__ROW_ALPHA(dora_params, "0.039"),
    {.name = "alpha_e",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     FAR__UNIT_OPEN,
     AT(alpha_e),
     .help = "step size of exploration values"},
    {.name = "gamma_e",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.9",
     FAR__UNIT,
     .max_open = true,
     AT(gamma_e),
     .help = "discount of exploration values; 0 counts visits"},
    {.name = "beta",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.3 range, 0 with the lll rules",
     FAR__NOT_NEGATIVE,
     AT(beta),
     .help = "bonus at counter 1, in units of reward; the lll rules add it to the target"},
    {.name = "decay",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "sqrt",
     .choices = "sqrt|linear",
     AT(decay),
     .help = "the bonus at counter C: beta/sqrt(C) or beta/C"},
    {.name = "place",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "choice",
     .choices = "choice|target",
     AT(place),
     .help = "the bonus counts when choosing, or is added to what is learned"},
    FAR__ROW_EPSILON(dora_params, "probability of a random action"),
    FAR__ROW_TEMPERATURE(dora_params, "0.026 range"),
    FAR__ROW_Q0(dora_params, "initial value of every pair"),
    FAR__ROW_TIES(dora_params),
};

static bool is_lll(const dora_params *p) {
  return p->rule == LLL_SOFTMAX || p->rule == LLL_EPSILON;
}

static bool is_softmax(const dora_params *p) {
  return p->rule == LLL_SOFTMAX || p->rule == SOFTMAX;
}

/* Does the bonus enter Q + bonus at the choice? */
static bool bonus_chooses(const dora_params *p) {
  return !is_lll(p) && p->place == PLACE_CHOICE;
}

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  dora_params *p = (dora_params *)spec->values;
  const double range = shape->reward_max - shape->reward_min;
  if (!far__spec_given(spec, offsetof(dora_params, beta))) p->beta = is_lll(p) ? 0 : 0.3 * range;
  if (!far__spec_given(spec, offsetof(dora_params, temperature))) p->temperature = 0.026 * range;
  if (1 - p->alpha_e == 1)
    return far__spec_fail(spec, offsetof(dora_params, alpha_e), error,
                          "alpha_e=%g is too small: 1-alpha_e is rounded to 1", p->alpha_e);
  p->unit = -far_log(1 - p->alpha_e);
  const far__refusal rules[] = {
      {is_softmax(p), offsetof(dora_params, epsilon),
       "it applies only with rule=lll-epsilon or epsilon"},
      {!is_softmax(p), offsetof(dora_params, temperature),
       "it applies only with rule=lll-softmax or softmax"},
      {is_lll(p), offsetof(dora_params, place), "the lll rules have their bonus in the target"},
      {p->rule == SOFTMAX && !(bonus_chooses(p) && p->beta > 0), offsetof(dora_params, ties),
       "softmax chooses at random"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const dora_params *p = (const dora_params *)spec->values;
  (void)shape;
  if (!is_lll(p) && p->beta == 0)
    far__say(advice, false, "with beta=0 this rule makes no use of the exploration values");
  if (p->rule == LLL_EPSILON && p->epsilon == 0)
    far__say(advice, false, "with epsilon=0 an action is tried once and then only if it is greedy");
}

/* State: this, then q and L of every pair. */
typedef struct dora_state {
  int64_t s, a; /* the action chosen for the state to come; s = -1: none */
} dora_state;

typedef struct dora_view {
  dora_params p;
  dora_state *next;
  double *q, *l; /* in the functions of the rules, of one state */
  uint32_t n_actions;
} dora_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return sizeof(dora_state) + (size_t)shape->n_states * shape->n_actions * 2 * sizeof(double);
}

static dora_view view_of(const far_agent *agent) {
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  dora_view v = {.p = *(const dora_params *)far__agent_params(agent),
                 .next = far__agent_state((far_agent *)agent), /* readers only read through it */
                 .n_actions = agent->shape.n_actions};
  v.q = (double *)(v.next + 1);
  v.l = v.q + pairs;
  return v;
}

static void init(far_agent *agent) {
  const dora_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  v.next->s = -1;
  for (size_t i = 0; i < pairs; ++i) v.q[i] = v.p.q0;
}

/* ---- the rules; `of` is the view, moved to the state's rows ---- */

static double counter(const dora_view *v, size_t i) {
  return v->l[i] / v->p.unit;
}

/* beta/sqrt(C) or beta/C; the counter must not be 0 unless beta is. */
static double bonus(const dora_view *v, size_t i) {
  if (v->p.beta == 0) return 0;
  const double c = counter(v, i);
  return v->p.beta / (v->p.decay == DECAY_SQRT ? sqrt(c) : c);
}

static double with_bonus(const void *of, uint32_t a) {
  const dora_view *v = of;
  return v->q[a] + bonus(v, a);
}

/* One of the actions whose counter is 0; false if there is none. */
static bool untried(const dora_view *v, uint32_t *out, far_rng *rng) {
  far__best best = {0};
  for (uint32_t a = 0; a < v->n_actions; ++a) {
    if (v->l[a] != 0) continue;
    if (best.tied == 0)
      best = (far__best){0, a, 1};
    else
      far__best_offer(&best, 0, a, (far__ties)v->p.ties, rng);
  }
  *out = best.action;
  return best.tied > 0;
}

/* Softmax or epsilon-greedy on Q + bonus, an infinite bonus first; or on Q alone. */
static uint32_t choose_with_bonus(const dora_view *v, far_rng *rng) {
  const bool at_choice = bonus_chooses(&v->p) && v->p.beta > 0;
  far__score *score = at_choice ? with_bonus : far__score_row;
  const void *of = at_choice ? (const void *)v : (const void *)v->q;
  uint32_t a;
  if (v->p.rule == EPSILON && far_rng_uniform(rng) < v->p.epsilon)
    return far_rng_below(rng, v->n_actions);
  if (at_choice && untried(v, &a, rng)) return a;
  if (v->p.rule == EPSILON)
    return far__greedy_by(score, of, v->n_actions, (far__ties)v->p.ties, rng);
  return far__softmax(score, of, v->n_actions, v->p.temperature, rng);
}

/* ln f(a) - ln C(a), f the probability of the rule that is made deterministic. */
typedef struct lll {
  const dora_view *v;
  double most, ln_greedy, ln_other; /* of Q; of f */
} lll;

static double lll_score(const void *of, uint32_t a) {
  const lll *x = of;
  if (x->v->l[a] == 0) return INFINITY;
  const double ln_c = far_log(counter(x->v, a));
  if (x->v->p.rule == LLL_SOFTMAX) return x->v->q[a] / x->v->p.temperature - ln_c;
  return (x->v->q[a] == x->most ? x->ln_greedy : x->ln_other) - ln_c;
}

/* The greedy action always has f > 0, so that some score is above -inf. */
static lll lll_of(const dora_view *v) {
  const double epsilon = v->p.epsilon, share = epsilon / v->n_actions;
  lll x = {v, far__max(v->q, v->n_actions), 0, 0};
  if (v->p.rule == LLL_EPSILON) {
    x.ln_greedy = far_log(1 - epsilon + share);
    x.ln_other = far_log(share); /* -inf if epsilon is 0 */
  }
  return x;
}

static dora_view row_of(const dora_view *v, uint32_t s) {
  dora_view row = *v;
  row.q += (size_t)s * v->n_actions;
  row.l += (size_t)s * v->n_actions;
  return row;
}

static uint32_t choose(const dora_view *v, uint32_t s, far_rng *rng) {
  const dora_view row = row_of(v, s);
  if (!is_lll(&v->p)) return choose_with_bonus(&row, rng);
  const lll x = lll_of(&row);
  return far__greedy_by(lll_score, &x, v->n_actions, (far__ties)v->p.ties, rng);
}

/* Untried actions alone, where the bonus makes them infinite. */
static double untried_score(const void *of, uint32_t a) {
  return ((const dora_view *)of)->l[a] == 0 ? 1 : 0;
}

static void policy_with_bonus(const dora_view *v, double *out) {
  const bool at_choice = bonus_chooses(&v->p) && v->p.beta > 0;
  far__score *score = at_choice ? with_bonus : far__score_row;
  const void *of = at_choice ? (const void *)v : (const void *)v->q;
  bool any_untried = false;
  for (uint32_t a = 0; at_choice && a < v->n_actions; ++a) any_untried |= v->l[a] == 0;
  const far__ties ties = (far__ties)v->p.ties;
  if (any_untried)
    far__greedy_policy(untried_score, v, v->n_actions, ties, out);
  else if (v->p.rule == EPSILON)
    far__greedy_policy(score, of, v->n_actions, ties, out);
  else
    far__softmax_policy(score, of, v->n_actions, v->p.temperature, out);
  if (v->p.rule == EPSILON) far__mix_policy(v->n_actions, v->p.epsilon, out);
}

/* ---- one step ---- */

static uint32_t act(far_agent *agent, uint32_t s) {
  const dora_view v = view_of(agent);
  return v.next->s == (int64_t)s ? (uint32_t)v.next->a : choose(&v, s, &agent->rng);
}

/* That of the rule: the one action that is chosen ahead does not count. */
static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const dora_view v = view_of((far_agent *)agent), row = row_of(&v, s); /* only read through */
  if (!is_lll(&v.p)) {
    policy_with_bonus(&row, out);
    return true;
  }
  const lll x = lll_of(&row);
  far__greedy_policy(lll_score, &x, v.n_actions, (far__ties)v.p.ties, out);
  return true;
}

/* E <- (1-alpha_e) E + alpha_e gamma_e E', in logarithms; l_next = -ln E', infinite for E' = 0 */
static double update_e(const dora_view *v, double l, double l_next) {
  if (v->p.gamma_e == 0 || l_next == INFINITY) return l + v->p.unit;
  const double x = -v->p.unit - l, y = far_log(v->p.alpha_e * v->p.gamma_e) - l_next;
  const double most = x > y ? x : y, least = x > y ? y : x;
  const double out = -(most + far_log(1 + far_exp(least - most)));
  return out > 0 ? out : 0;
}

/* The next action is chosen first, with the tables as they are (SARSA). */
static void observe(far_agent *agent, const far_transition *step) {
  const dora_view v = view_of(agent);
  const size_t i = (size_t)step->s * v.n_actions + step->a;
  const size_t row = (size_t)step->next * v.n_actions;
  *v.next = (dora_state){-1, 0};
  if (!step->done) *v.next = (dora_state){step->next, choose(&v, step->next, &agent->rng)};
  const double l_next = step->done ? INFINITY : v.l[row + (size_t)v.next->a];
  v.l[i] = update_e(&v, v.l[i], l_next);

  const double future = step->done ? 0 : far__max(v.q + row, v.n_actions);
  double reward = step->r;
  if (!bonus_chooses(&v.p) && v.l[i] > 0) reward += bonus(&v, i);
  v.q[i] += v.p.alpha * (reward + v.p.gamma * future - v.q[i]);
  if (step->cut) *v.next = (dora_state){-1, 0}; /* it is not taken: a new episode begins */
}

/* ---- what it shows to others ---- */

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const dora_view v = view_of(agent);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.q[pair]; return true;
  case FAR_VALUE_E: *out = far_exp(-v.l[pair]); return true;
  case FAR_VALUE_N: *out = counter(&v, pair); return true;
  case FAR_VALUE_BONUS: {
    const double b = bonus(&v, pair);
    *out = b < INFINITY ? b : DBL_MAX;
    return bonus_chooses(&v.p);
  }
  default: return false;
  }
}

static bool valid(const far_agent *agent) {
  const dora_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  const dora_state *next = v.next;
  bool good = next->s >= -1 && next->s < (int64_t)agent->shape.n_states && next->a >= 0 &&
              next->a < (int64_t)v.n_actions;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.l[i] >= 0 && v.l[i] < INFINITY && v.q[i] - v.q[i] == 0;
  return good;
}

const far__agent_type far__dora = {
    .info = {.name = "dora",
             .summary = "exploration values: counters that look ahead, with Q-learning",
             .reference = "Choshen, Fox & Loewenstein, DORA the Explorer: Directed Outreaching "
                          "Reinforcement Action-Selection, ICLR 2018",
             .guarantee = "none in finite time; converges if every pair is visited for ever; "
                          "discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(dora_params),
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = far__always_local,
    .valid = valid,
    .links_steps = true,
};
