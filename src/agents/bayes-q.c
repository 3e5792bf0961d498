/* Bayesian Q-learning: a normal-gamma posterior of the return of every pair, from which actions are
 * drawn or whose value of perfect information is added.
 *
 *   Dearden, Friedman & Russell, Bayesian Q-learning, AAAI 1998: Theorems 3.1 and 3.2 (posterior),
 *   sections 3.2 (Q-value sampling, myopic VPI) and 3.3 (moment updating)
 *
 * Symbols: the return of a pair is normal with unknown mean and precision tau, tau is gamma (alpha,
 * rate beta), the mean given tau is normal about mu with precision lambda tau. So the mean is
 * Student about mu with 2 alpha degrees of freedom and scale sqrt(beta / (alpha lambda)).
 * Works in the units of the rewards.
 */
#include <float.h>

#include "agents/explore.h"
#include "agents/params.h"
#include "base/special.h"
#include "base/variate.h"

typedef enum bayes_choice { CHOICE_SAMPLING, CHOICE_VPI } bayes_choice;
typedef enum bayes_update { UPDATE_MOMENT, UPDATE_POINT } bayes_update;

typedef struct FAR__PARAMS bayes_params {
  double gamma, mu0, lambda0, alpha0, beta0;
  int32_t choice, update, ties;
} bayes_params;

_Static_assert(sizeof(bayes_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_GAMMA(bayes_params),
    FAR__ROW_CHOICE(bayes_params, choice, "sampling", "sampling|vpi",
                    "greedy on a sample of the means, or on mean + value of perfect information"),
    FAR__ROW_CHOICE(bayes_params, update, "moment", "moment|point",
                    "with the uncertainty of the next state's return, or with its mean alone"),
    FAR__ROW_DERIVED(bayes_params, mu0, "(rmin+rmax)/2/(1-gamma)", FAR__FINITE,
                     "prior mean of a return"),
    FAR__ROW_REAL(bayes_params, lambda0, "0.39", FAR__POSITIVE,
                  "weight of the prior mean, in samples"),
    FAR__ROW_REAL(bayes_params, alpha0, "6.5", FAR__POSITIVE,
                  "half the weight of the prior variance, in samples"),
    FAR__ROW_DERIVED(bayes_params, beta0, "alpha0 (0.011 range/(1-gamma))^2", FAR__POSITIVE,
                     "alpha0 times the prior variance of a return"),
    FAR__ROW_TIES(bayes_params),
};

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  bayes_params *p = (bayes_params *)spec->values;
  const far_status status = far__check_v_max(shape, p->gamma, error);
  if (status != FAR_OK) return status;
  const double deviation = 0.011 * (shape->reward_max - shape->reward_min) / (1 - p->gamma);
  if (!far__spec_given(spec, offsetof(bayes_params, mu0)))
    p->mu0 = (shape->reward_min + shape->reward_max) / 2 / (1 - p->gamma);
  if (!far__spec_given(spec, offsetof(bayes_params, beta0)))
    p->beta0 = p->alpha0 * (deviation * deviation);
  if (p->update == UPDATE_MOMENT && !(p->alpha0 > 1))
    return far__spec_fail(spec, offsetof(bayes_params, alpha0), error,
                          "update=moment needs a prior variance: alpha0 above 1, not %g",
                          p->alpha0);
  if (p->choice == CHOICE_VPI && !(p->alpha0 > 0.5))
    return far__spec_fail(spec, offsetof(bayes_params, alpha0), error,
                          "choice=vpi needs a mean to expect: alpha0 above 1/2, not %g", p->alpha0);
  return FAR_OK;
}

/* State: mu, lambda, alpha, beta and the visits of every pair. */
typedef struct bayes_view {
  bayes_params p;
  double *mu, *lambda, *alpha, *beta; /* of all pairs; in a bayes_row of one state */
  int64_t *visits;
} bayes_view;

static size_t state_size(const far_shape *shape, const void *p) {
  (void)p;
  return (size_t)shape->n_states * shape->n_actions * (4 * sizeof(double) + sizeof(int64_t));
}

static bayes_view view_of(const far_agent *agent) {
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bayes_view v = {.p = *(const bayes_params *)far__agent_params(agent),
                  .mu = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.lambda = v.mu + pairs;
  v.alpha = v.lambda + pairs;
  v.beta = v.alpha + pairs;
  v.visits = (int64_t *)(v.beta + pairs);
  return v;
}

static void init(far_agent *agent) {
  const bayes_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  for (size_t i = 0; i < pairs; ++i) {
    v.mu[i] = v.p.mu0;
    v.lambda[i] = v.p.lambda0;
    v.alpha[i] = v.p.alpha0;
    v.beta[i] = v.p.beta0;
  }
}

/* The largest mean of a row, the lowest index where several are equal; `except` is left out. */
static uint32_t best_mean(const double *mu, uint32_t n_actions, uint32_t except) {
  uint32_t best = except == 0 ? 1 : 0;
  for (uint32_t a = best + 1; a < n_actions; ++a)
    if (a != except && mu[a] > mu[best]) best = a;
  return best;
}

/* ---- the choice: a state's row, and what its scores need besides ---- */

typedef struct bayes_row {
  bayes_view v;
  uint32_t n_actions, best, second;
  far_rng *rng;
} bayes_row;

static bayes_row row_of(const far_agent *agent, size_t first_pair, far_rng *rng) {
  bayes_row row = {.v = view_of(agent), .n_actions = agent->shape.n_actions, .rng = rng};
  row.v.mu += first_pair;
  row.v.lambda += first_pair;
  row.v.alpha += first_pair;
  row.v.beta += first_pair;
  row.best = best_mean(row.v.mu, row.n_actions, row.n_actions);
  if (row.n_actions > 1) row.second = best_mean(row.v.mu, row.n_actions, row.best);
  return row;
}

/* Q-value sampling (section 3.2): a mean drawn from its posterior; two variates. */
static double sample(const void *of, uint32_t a) {
  const bayes_row *row = of;
  const double tau = far__gamma(row->rng, row->v.alpha[a]) / row->v.beta[a];
  return row->v.mu[a] + far__normal(row->rng) / sqrt(row->v.lambda[a] * tau);
}

/* Myopic value of perfect information (section 3.2): the expected gain from knowing the mean q of action a, which is
 * E[(q - mu(best))+], or for the best action E[(mu(second) - q)+]. Both are the same tail of a Student variate, as far away
 * as the two means are apart. */
static double vpi(const bayes_row *row, uint32_t a) {
  const bayes_view *v = &row->v;
  if (row->n_actions == 1) return 0;
  const double scale = sqrt(v->beta[a] / (v->alpha[a] * v->lambda[a]));
  const double away = v->mu[row->best] - v->mu[a == row->best ? row->second : a];
  return scale > 0 ? scale * far__student_excess(away / scale, 2 * v->alpha[a]) : 0;
}

static double with_vpi(const void *of, uint32_t a) {
  const bayes_row *row = of;
  return row->v.mu[a] + vpi(row, a);
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const bayes_row row = row_of(agent, (size_t)s * agent->shape.n_actions, &agent->rng);
  far__score *score = row.v.p.choice == CHOICE_VPI ? with_vpi : sample;
  return far__greedy_by(score, &row, row.n_actions, (far__ties)row.v.p.ties, &agent->rng);
}

/* Moment updating (section 3.3): the first two moments M1, M2 of r + gamma R, where R is the return of the action with the
 * greatest mean in s'. update=point takes R to be that mean. */
static void moments(const bayes_view *v, uint32_t n_actions, const far_transition *step,
                    double *first, double *second) {
  const double r = step->r, gamma = v->p.gamma;
  *first = r;
  *second = r * r;
  if (step->done) return;
  const size_t row = (size_t)step->next * n_actions;
  const size_t i = row + best_mean(v->mu + row, n_actions, n_actions);
  const double mu = v->mu[i];
  *first = r + gamma * mu;
  *second = *first * *first;
  if (v->p.update == UPDATE_POINT) return;
  const double square = (v->lambda[i] + 1) / v->lambda[i] * (v->beta[i] / (v->alpha[i] - 1));
  *second = r * r + 2 * gamma * r * mu + gamma * gamma * (square + mu * mu);
}

/* The posterior of the normal-gamma, given M1 and M2:
 *   mu <- (lambda mu + M1)/(lambda + 1),  lambda <- lambda + 1,  alpha <- alpha + 1/2,
 *   beta <- beta + (M2 - M1^2)/2 + lambda (M1 - mu)^2/(2 (lambda + 1)) */
static void observe(far_agent *agent, const far_transition *step) {
  const bayes_view v = view_of(agent);
  const size_t i = (size_t)step->s * agent->shape.n_actions + step->a;
  double first, second;
  moments(&v, agent->shape.n_actions, step, &first, &second);
  const double spread = second - first * first, error = first - v.mu[i];
  const double lambda = v.lambda[i], more = lambda + 1;
  v.mu[i] = (lambda * v.mu[i] + first) / more;
  v.lambda[i] = more;
  v.alpha[i] += 0.5;
  v.beta[i] += (spread > 0 ? spread : 0) / 2 + lambda * (error * error) / (2 * more);
  if (v.beta[i] > DBL_MAX) v.beta[i] = DBL_MAX;
  v.visits[i] += 1;
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const bayes_view v = view_of(agent);
  const uint32_t a = (uint32_t)(pair % agent->shape.n_actions);
  switch (kind) {
  case FAR_VALUE_Q: *out = v.mu[pair]; return true;
  case FAR_VALUE_N: *out = (double)v.visits[pair]; return true;
  case FAR_VALUE_BONUS: {
    if (v.p.choice != CHOICE_VPI) return false;
    const bayes_row row = row_of(agent, pair - a, NULL);
    *out = vpi(&row, a);
    return true;
  }
  default: return false;
  }
}

/* choice=sampling has no closed form: it is the probability that one of several Student variates is the largest. */
static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const bayes_row row = row_of(agent, (size_t)s * agent->shape.n_actions, NULL);
  if (row.v.p.choice != CHOICE_VPI) return false;
  far__greedy_policy(with_vpi, &row, row.n_actions, (far__ties)row.v.p.ties, out);
  return true;
}

static bool valid(const far_agent *agent) {
  const bayes_view v = view_of(agent);
  const size_t pairs = (size_t)agent->shape.n_states * agent->shape.n_actions;
  bool good = true;
  for (size_t i = 0; good && i < pairs; ++i)
    good = v.visits[i] >= 0 && v.visits[i] <= agent->t && v.mu[i] - v.mu[i] == 0 &&
           v.lambda[i] >= v.p.lambda0 && v.lambda[i] < INFINITY && v.alpha[i] >= v.p.alpha0 &&
           v.alpha[i] < INFINITY && v.beta[i] >= v.p.beta0 && v.beta[i] < INFINITY;
  return good;
}

const far__agent_type far__bayes_q = {
    .info = {.name = "bayes-q",
             .summary = "Bayesian Q-learning: sampling or value of perfect information",
             .reference = "Dearden, Friedman & Russell, Bayesian Q-learning, AAAI 1998",
             .guarantee = "none; discounted, continuing or episodic",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .params_size = sizeof(bayes_params),
    .resolve = resolve,
    .advise = far__advise_nothing,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .local = far__always_local,
    .valid = valid,
};
