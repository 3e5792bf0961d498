/* Randomised Q-learning for episodes of H steps: an ensemble of values for every pair, each learned
 * with random step sizes, whose largest is acted on. Exploration comes from their spread; there is no
 * bonus.
 *
 *   Tiapkin, Belomestny, Calandriello, Moulines, Munos, Naumov, Perrault, Valko & Menard, Model-free
 *   posterior sampling via learning rate randomization, NeurIPS 2023: RandQL (form=step) and
 *   Staged-RandQL (form=staged)
 *
 * Symbols: Q_h(s,a) q · Q~^j_h(s,a), j < J, sample · n_0 prior · kappa · r_0 · of a stage: its visits so far count, its length
 * H (1 + 1/H)^stage length. */
#include "agents/by-step.h"
#include "base/variate.h"

typedef enum randql_form { FORM_STEP, FORM_STAGED } randql_form;
typedef enum randql_falls { FALLS_OFF, FALLS_ON } randql_falls;

typedef struct FAR__PARAMS randql_params {
  double prior, kappa, r0;
  int64_t ensemble;
  int32_t form, falls, ties;
} randql_params;

_Static_assert(sizeof(randql_params) <= FAR__SPEC_BYTES, "the spec has room for it");

static const far_param params[] = {
    FAR__ROW_CHOICE(
        randql_params, form, "step", "step|staged",
        "values change at every step, or at the end of stages that grow (as the proof needs)"),
    FAR__ROW_INTEGER(randql_params, ensemble, "3", FAR__BETWEEN(1, 1000),
                     "number of random values of every pair; staged: 10 if not given"),
    FAR__ROW_DERIVED(randql_params, prior, "0.055/S; staged: 1", FAR__BETWEEN(1e-6, 1e6),
                     "weight of the optimistic value with which a pair begins, in transitions"),
    FAR__ROW_REAL(
        randql_params, kappa, "0.24", FAR__BETWEEN(1e-6, 1e6),
        "the random step sizes spread as those of counts divided by this; staged: 1 if not given"),
    FAR__ROW_REAL(randql_params, r0, "1", FAR__BETWEEN(0, 1e6),
                  "staged: the reward a step of that optimistic value, in units of the largest"),
    FAR__ROW_CHOICE(randql_params, falls, "off", "off|on",
                    "step: on: the value that is acted on never rises"),
    FAR__ROW_TIES(randql_params),
};

#define GIVEN(field) far__spec_given(spec, offsetof(randql_params, field))

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  randql_params *p = (randql_params *)spec->values;
  const bool staged = p->form == FORM_STAGED;
  const far_status status = far__check_episode(shape, error);
  if (status != FAR_OK) return status;
  if (!GIVEN(prior)) p->prior = staged ? 1 : 0.055 / far_shape_live(shape);
  if (staged && !GIVEN(kappa)) p->kappa = 1;
  if (staged && !GIVEN(ensemble)) p->ensemble = 10;
  const far__refusal rules[] = {
      {!staged, offsetof(randql_params, r0), "it applies only with form=staged"},
      {staged, offsetof(randql_params, falls), "it applies only with form=step"},
  };
  return far__refuse(spec, rules, sizeof rules / sizeof *rules, error);
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)shape;
  if (((const randql_params *)spec->values)->form == FORM_STEP)
    far__say(advice, false,
             "the regret is not bounded (form=step; the theorem is for form=staged)");
}

/* State: of every timed pair q, the length of its stage, its samples, then the visits in the stage and
 * all. */
typedef struct randql_view {
  randql_params p;
  double *q, *length, *sample;
  int64_t *count, *visits;
} randql_view;

static size_t state_size(const far_shape *shape, const void *params_) {
  const randql_params *p = params_;
  return far__timed_pairs(shape) * (4 + (size_t)p->ensemble) * sizeof(double);
}

static randql_view view_of(const far_agent *agent) {
  const size_t pairs = far__timed_pairs(&agent->shape);
  randql_view v = {.p = *(const randql_params *)far__agent_params(agent),
                   .q = far__agent_state((far_agent *)agent)}; /* readers only read through it */
  v.length = v.q + pairs;
  v.sample = v.length + pairs;
  v.count = (int64_t *)(v.sample + pairs * (size_t)v.p.ensemble);
  v.visits = v.count + pairs;
  return v;
}

/* The samples of a pair at first, and of each of its stages: what the pair could earn with `left` steps to go. */
static void begin_samples(const far_agent *agent, const randql_view *v, size_t pair) {
  const double left = far__pair_steps_left(agent, pair);
  double *sample = v->sample + pair * (size_t)v->p.ensemble;
  for (int64_t j = 0; j < v->p.ensemble; ++j)
    sample[j] = v->p.form == FORM_STAGED ? v->p.r0 * left : left;
}

static void init(far_agent *agent) {
  const randql_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape);
  far__fill_steps_left(agent, v.q);
  for (size_t i = 0; i < pairs; ++i) {
    v.length[i] = (double)agent->shape.horizon;
    begin_samples(agent, &v, i);
  }
}

static uint32_t act(far_agent *agent, uint32_t timed_state) {
  const randql_view v = view_of(agent);
  return far__act_on(agent, v.q, timed_state, v.p.ties);
}

static double largest(const randql_view *v, size_t i) {
  return far__max(v->sample + i * (size_t)v->p.ensemble, (uint32_t)v->p.ensemble);
}

/* RandQL: for all j  w_j ~ Beta((H + 1)/kappa, (n + n_0 kappa)/kappa),
 *   Q~^j <- (1 - w_j) Q~^j + w_j target,  Q_h(s,a) <- max_j Q~^j
 * where the target is mixed with the optimistic value by a second draw, whose weight falls with the visits. */
static void observe_step(far_agent *agent, const randql_view *v, size_t i, double target) {
  const double left = far__pair_steps_left(agent, i), h = (double)agent->shape.horizon;
  const double n = (double)v->visits[i] + v->p.prior * v->p.kappa;
  double *sample = v->sample + i * (size_t)v->p.ensemble;
  for (int64_t j = 0; j < v->p.ensemble; ++j) {
    const double mix = far__beta(&agent->rng, n, v->p.prior);
    const double rate = far__beta(&agent->rng, (h + 1) / v->p.kappa, n / v->p.kappa);
    sample[j] = (1 - rate) * sample[j] + rate * (mix * target + (1 - mix) * left);
  }
  const double most = largest(v, i);
  if (v->p.falls == FALLS_OFF || most < v->q[i]) v->q[i] = most;
}

/* Staged-RandQL: for all j  w_j ~ Beta(1/kappa, (count + n_0)/kappa),  Q~^j <- (1 - w_j) Q~^j + w_j target
 * at the end of a stage Q_h(s,a) <- max_j Q~^j, and the samples of the next begin at r_0 (H - h). */
static void observe_staged(far_agent *agent, const randql_view *v, size_t i, double target) {
  const double n = (double)v->count[i] + v->p.prior;
  double *sample = v->sample + i * (size_t)v->p.ensemble;
  for (int64_t j = 0; j < v->p.ensemble; ++j) {
    const double rate = far__beta(&agent->rng, 1 / v->p.kappa, n / v->p.kappa);
    sample[j] = (1 - rate) * sample[j] + rate * target;
  }
  v->count[i] += 1;
  if ((double)(v->count[i] + 1) <= v->length[i]) return; /* count < floor(length) */
  v->q[i] = largest(v, i);
  v->count[i] = 0;
  v->length[i] *= 1 + 1 / (double)agent->shape.horizon;
  begin_samples(agent, v, i);
}

static void observe(far_agent *agent, const far_transition *step) {
  const randql_view v = view_of(agent);
  const size_t i = far__timed_pair(agent, agent->h, step->s, step->a);
  const double target = far__unit_reward(agent, step->r) + far__unit_next(agent, v.q, step);
  v.visits[i] += 1;
  if (v.p.form == FORM_STEP)
    observe_step(agent, &v, i, target);
  else
    observe_staged(agent, &v, i, target);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const randql_view v = view_of(agent);
  return far__value_on(agent, v.q, v.visits, kind, pair, out);
}

static bool policy(const far_agent *agent, uint32_t timed_state, double *out) {
  const randql_view v = view_of(agent);
  return far__policy_on(agent, v.q, timed_state, v.p.ties, out);
}

static bool valid(const far_agent *agent) {
  const randql_view v = view_of(agent);
  const size_t pairs = far__timed_pairs(&agent->shape), samples = pairs * (size_t)v.p.ensemble;
  bool good = far__visits_valid(agent, v.visits) && far__all_finite(v.q, pairs) &&
              far__all_finite(v.sample, samples);
  for (size_t i = 0; good && i < pairs; ++i)
    good =
        v.count[i] >= 0 && v.count[i] <= v.visits[i] && v.length[i] >= 1 && v.length[i] < INFINITY;
  return good;
}

const far__agent_type far__rand_ql = {
    .info = {.name = "rand-ql",
             .summary = "Randomised Q-learning: posterior-like, by random step sizes",
             .reference = "Tiapkin et al., Model-free Posterior Sampling via Learning Rate "
                          "Randomization, NeurIPS 2023",
             .guarantee =
                 "none with these numbers; O~(sqrt(H^5 S A K)) regret in K episodes with "
                 "form=staged and the prior, kappa and ensemble of the proof; finite horizon",
             .params = params,
             .n_params = sizeof params / sizeof *params,
             .finite_horizon = true},
    .params_size = sizeof(randql_params),
    .by_step = true,
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
