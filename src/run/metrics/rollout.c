/* The estimator `rollout`; see estimator.h. Copies of the agent, each with random streams of its own,
 * continue from the current state of the run until the horizon or an end. */
#include <stdlib.h>

#include "agents/agent.h"
#include "run/metrics/estimator.h"
#include "base/error.h"

typedef struct look {
  const far__optimum *best;
  int64_t every, rollouts, horizon, steps;
  double before; /* the last mistake before that in the tally; 0: none */
} look;

static far_status create(void **out, const far__scene *scene, const far__optimum *best,
                         far_error *error) {
  const far__mistake_params *p = scene->params;
  const double horizon = far__mistake_horizon(p, best);
  look *x = calloc(1, sizeof *x);
  if (x == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for an estimator");
  *out = x;
  if (scene->agent->guest != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "estimator=rollout gives copies of the agent random streams of their own, "
                     "which a registered agent such as %s cannot take",
                     far__agent_type_of(scene->agent)->info.name);
  if (horizon > 1e15)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "horizon_error requires rollouts of %.3g steps; make it larger", horizon);
  *x = (look){best, p->every, p->rollouts, (int64_t)horizon, scene->steps, 0};
  return FAR_OK;
}

/* The discounted return of a copy from s on. CANCELLED, without a message, if it was stopped. */
static far_status live(const look *x, far_agent *copy, uint32_t s, far_rng *world, double *out,
                       far_error *error) {
  double weight = 1;
  *out = 0;
  far__patience patience = far__patience_with(copy->stop);
  for (int64_t t = 0; t < x->horizon; ++t, weight *= x->best->gamma) {
    const uint32_t a = far_agent_act(copy, s);
    const far_outcome *o = far_mdp_step(x->best->mdp, s, a, world);
    *out += weight * o->reward;
    if (o->done) break;
    const far_transition step = {s, a, o->reward, o->next, o->done, false};
    const far_status status = far_agent_observe(copy, &step, error);
    if (status != FAR_OK) return status;
    if (far__patience_over(&patience, 16)) return FAR_STATUS_CANCELLED;
    s = o->next;
  }
  return FAR_OK;
}

/* Rollout k after t steps. The keys of its streams are a function of the run and of t alone. */
static far_status roll(const look *x, const far_agent *agent, uint32_t s, int64_t k, double *out,
                       far_error *error) {
  far_agent *copy;
  far_rng world;
  const uint64_t seed = agent->rng.word[0];
  const uint64_t key = agent->rng.word[1] + 2 * (uint64_t)(agent->t * x->rollouts + k);
  far_status status = far_agent_clone(&copy, agent, error);
  if (status != FAR_OK) return status;
  copy->stop = agent->stop;
  far_rng_init(&copy->rng, seed, key, FAR_PURPOSE_ROLLOUT);
  far_rng_init(&world, seed, key + 1, FAR_PURPOSE_ROLLOUT);
  status = live(x, copy, s, &world, out, error);
  far_agent_free(copy);
  return status;
}

/* Estimates V^A if it is time; the run is in s, and the agent is about to act. */
static far_status look_ahead(look *x, far__tally *tally, const far_agent *agent, uint32_t s,
                             far_error *error) {
  const int64_t t = far_agent_steps(agent), left = x->steps - t;
  if (t % x->every != 0 || left <= 0) return FAR_OK;
  double sum = 0;
  for (int64_t k = 0; k < x->rollouts; ++k) {
    double value;
    const far_status status = roll(x, agent, s, k, &value, error);
    if (status != FAR_OK) return status;
    sum += value;
  }
  if (sum / (double)x->rollouts >= x->best->least[s]) return FAR_OK;
  tally->mistakes += (double)(left < x->every ? left : x->every);
  x->before = tally->last;
  tally->last = (double)(t + 1);
  return FAR_OK;
}

static far_status begin(void *of, far__tally *tally, const far_agent *agent, uint32_t s,
                        far_error *error) {
  ((look *)of)->before = 0;
  return look_ahead(of, tally, agent, s, error);
}

static far_status step(void *of, far__tally *tally, const far_agent *agent,
                       const far_transition *step, uint32_t next, far_error *error) {
  (void)step;
  return look_ahead(of, tally, agent, next, error);
}

static void end(void *of, far__tally *tally) {
  (void)of, (void)tally;
}

/* The last estimate counts for steps that are not made yet: those are subtracted. */
static far__tally sofar(const void *of, const far__tally *tally, const far_agent *agent) {
  const look *x = of;
  far__tally out = *tally;
  if (tally->last == 0) return out;
  const double t = (double)far_agent_steps(agent), at = tally->last - 1;
  const double until = fmin(at + (double)x->every, (double)x->steps);
  if (until > t) out.mistakes -= until - t;
  if (at >= t) out.last = x->before;
  return out;
}

const far__estimator far__estimator_rollout = {create, begin, step, end, sofar, free};
