/* regret against=value: the sum over the steps of V*(s_t) - V(s_t), V being the value of the policy in
 * force, frozen (after He, Zhou & Gu 2021, who have the learner's own future in place of a frozen policy). Each term is
 * the loss of following that policy for ever, so the sum is in units of value and not what the run itself lost;
 * eps times the number of mistakes never exceeds it.
 *
 * regret against=gain: the steps times the best average reward, less what the run earned (Jaksch,
 * Ortner & Auer 2010). After a terminal state the run continues from a start, for the best policy as well. A
 * lucky run can be below 0. */
#include <stdlib.h>

#include "run/metrics/policy-value.h"
#include "base/error.h"
#include "farsight/solve.h"

typedef enum regret_against { AGAINST_VALUE, AGAINST_GAIN } regret_against;

typedef struct FAR__PARAMS regret_params {
  far__value_params value;
  int32_t against;
} regret_params;

static const far_param params[] = {
    {.name = "against",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "value",
     .choices = "value|gain",
     .offset = offsetof(regret_params, against),
     .help = "optimal value less the policy's, summed over the steps; or best average reward times "
             "steps, less the run's reward"},
    FAR__ROW_GAMMA_OF(regret_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  const regret_params *p = (const regret_params *)spec->values;
  if (p->against == AGAINST_GAIN)
    return far__spec_refuse(spec, offsetof(regret_params, value.gamma),
                            "the average reward has no discount", error);
  far__value_resolve(spec, offsetof(regret_params, value));
  return FAR_OK;
}

static bool by_criterion(const void *p) {
  return ((const regret_params *)p)->against == AGAINST_VALUE && far__value_by_criterion(p);
}

typedef struct watcher {
  far__optimum best;
  far__policy_value *policy_value; /* NULL: against the gain */
  far_tally tally;                 /* its level is the gain */
  far__count count;
} watcher;

static far_status find_gain(double *out, const far__scene *scene, far_error *error) {
  far_solver *solver;
  far_average best;
  const far_shape shape = far_mdp_shape(scene->mdp);
  far_solve_def def = far__scene_solve_def(scene);
  if (shape.horizon > 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the environment has a horizon: episodic-regret is the regret of episodes");
  def.tolerance = 1e-9 * fmax(fabs(shape.reward_min), fabs(shape.reward_max));
  far_status status = far_solver_create(&solver, scene->mdp, error);
  if (status != FAR_OK) return status;
  status = far_solver_average(&best, solver, &def, error);
  far_solver_free(solver);
  if (status != FAR_OK) return status;
  *out = best.gain;
  far_average_free(&best);
  return FAR_OK;
}

static far_status create(void **out, const far__scene *scene, far_error *error) {
  const regret_params *p = scene->params;
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  w->tally.kind = FAR__TALLY_REGRET;
  if (p->against == AGAINST_GAIN) return find_gain(&w->tally.level, scene, error);
  const far_status status = far__optimum_create(&w->best, scene, &p->value, error);
  if (status != FAR_OK) return status;
  return far__policy_value_create(&w->policy_value, &w->best, scene->agent, error);
}

static far_status begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  watcher *w = of;
  (void)s, (void)error;
  if (w->policy_value != NULL) far__policy_value_begin(w->policy_value, agent);
  w->count = (far__count){0};
  return FAR_OK;
}

static far_status step(void *of, const far_agent *agent, const far_transition *step, uint32_t next,
                       far_error *error) {
  watcher *w = of;
  (void)next, (void)error;
  if (w->policy_value == NULL) {
    far__tally_step(&w->tally, &w->count, NULL, step, 0);
    return FAR_OK;
  }
  w->count.sum += w->best.v[step->s] - far__policy_value_at(w->policy_value, step->s);
  far__policy_value_look(w->policy_value, agent, step->s);
  return FAR_OK;
}

static double end(void *of, const far_agent *agent) {
  (void)agent;
  return ((const watcher *)of)->count.sum;
}

static bool tally(const void *given, const void *of, far_tally *out) {
  const regret_params *p = given;
  if (of != NULL) *out = ((const watcher *)of)->tally;
  return p->against == AGAINST_GAIN;
}

static void watcher_free(void *of) {
  watcher *w = of;
  if (w == NULL) return;
  far__policy_value_free(w->policy_value);
  far__optimum_free(&w->best);
  free(w);
}

const far__metric_type far__metric_regret = {
    .info = {.name = "regret",
             .summary = "Loss against the optimal values or against the best average reward",
             .reference = "Jaksch, Ortner & Auer, Near-optimal Regret Bounds for Reinforcement "
                          "Learning, 2010 (gain); He, Zhou & Gu, Nearly Minimax Optimal "
                          "Reinforcement Learning for Discounted MDPs, 2021 (value)",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .by_criterion = by_criterion,
    .resolve = resolve,
    .create = create,
    .begin = begin,
    .step = step,
    .end = end,
    .sofar = end,
    .free = watcher_free,
    .tally = tally,
};
