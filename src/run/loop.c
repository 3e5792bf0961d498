#include "run/loop.h"

#include "agents/delayed.h"
#include "agents/q-learning.h"

void far__run_begin(far__run *run, const far_mdp *mdp, far_agent *agent, uint64_t seed,
                    uint64_t told, uint64_t replicate) {
  *run = (far__run){.mdp = mdp, .agent = agent};
  far_rng_init(&run->transition, seed, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&run->start, seed, replicate, FAR_PURPOSE_START);
  far__agent_reset(agent, seed, told, replicate);
  run->s = far_mdp_start(mdp, &run->start);
}

/* What comes of the agent's choice; the last step of an episode is cut. */
static inline far_transition take_step(far__run *run, const far__agent_type *type) {
  const uint32_t s = run->s, a = far__agent_act(run->agent, type, s);
  const bool last = far__agent_last(run->agent);
  const far_outcome *o = far_mdp_step(run->mdp, s, a, &run->transition);
  return (far_transition){s, a, o->reward, o->next, o->done, last && !o->done};
}

far_status far__loop_generic(far__run *run, int64_t steps, far_error *error) {
  const far__agent_type *type = far__agent_type_of(run->agent);
  for (int64_t i = 0; i < steps; ++i) {
    const far_transition step = take_step(run, type);
    const far_status status = far__agent_learn(run->agent, type, &step, error);
    if (status != FAR_OK) return status;
    run->total += step.r;
    run->s = step.done || step.cut ? far_mdp_start(run->mdp, &run->start) : step.next;
  }
  return FAR_OK;
}

far_status far__run_show(const far__run *run, const far_transition *step, far_error *error) {
  if (run->visits != NULL)
    run->visits[(size_t)step->s * run->agent->shape.n_actions + step->a] += 1;
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < run->n_metrics; ++k)
    status = run->metrics[k]->step(run->watchers[k], run->agent, step, run->s, error);
  if (status == FAR_OK) status = far__agent_failure(run->agent, error); /* of its policy */
  return status;
}

far_status far__loop_watched(far__run *run, int64_t steps, far_error *error) {
  const far__agent_type *type = far__agent_type_of(run->agent);
  far_status status = FAR_OK;
  for (int64_t i = 0; status == FAR_OK && i < steps; ++i) {
    const far_transition step = take_step(run, type);
    status = far__agent_learn(run->agent, type, &step, error);
    if (status != FAR_OK) break;
    run->total += step.r;
    run->s = step.done || step.cut ? far_mdp_start(run->mdp, &run->start) : step.next;
    status = far__run_show(run, &step, error);
  }
  return status;
}

/* A fused loop, of an algorithm without a pool: random streams, clock and total live in registers. ACT may use s, t (transitions
 * observed so far) and rng; OBSERVE may use t (now counting this one) and step. */
#define FUSED_LOOP(NAME, VIEW, N_ACTIONS, ACT, OBSERVE)                                            \
  static far_status NAME(far__run *run, int64_t steps, far_error *error) {                         \
    (void)error;                                                                                   \
    VIEW;                                                                                          \
    const far_mdp *mdp = run->mdp;                                                                 \
    const uint32_t n_actions = N_ACTIONS;                                                          \
    far_rng transition = run->transition, rng = run->agent->rng;                                   \
    uint32_t s = run->s;                                                                           \
    int64_t t = run->agent->t;                                                                     \
    double total = run->total;                                                                     \
    for (const int64_t end = t + steps; t < end;) {                                                \
      const uint32_t a = ACT;                                                                      \
      const far_outcome *o =                                                                       \
          far__mdp_draw(mdp, (size_t)s * n_actions + a, far_rng_next(&transition));                \
      const far_transition step = {s, a, o->reward, o->next, o->done, false};                      \
      t += 1;                                                                                      \
      OBSERVE;                                                                                     \
      total += step.r;                                                                             \
      s = step.done ? far_mdp_start(mdp, &run->start) : step.next;                                 \
    }                                                                                              \
    run->transition = transition;                                                                  \
    run->agent->rng = rng;                                                                         \
    run->s = s;                                                                                    \
    run->agent->t = t;                                                                             \
    run->total = total;                                                                            \
    return FAR_OK;                                                                                 \
  }

/* Two actions, the commonest number, are worth a loop of their own; ANY serves the others. */
#define ANY run->agent->shape.n_actions
#define DELAYED_VIEW const delayed_view v = delayed_view_of(run->agent)
#define DELAYED_ACT delayed_act(&v, n_actions, s, &rng)
#define Q_VIEW const q_view v = q_view_of(run->agent)
#define Q_ACT q_act(&v, n_actions, s, t, &rng)

#define DELAYED_LOOPS(NAME, KIND)                                                                  \
  FUSED_LOOP(NAME##_2, DELAYED_VIEW, 2, DELAYED_ACT, delayed_observe(&v, KIND, 2, t, &step))       \
  FUSED_LOOP(NAME##_any, DELAYED_VIEW, ANY, DELAYED_ACT,                                           \
             delayed_observe(&v, KIND, n_actions, t, &step))

DELAYED_LOOPS(directed, DELAYED_DIRECTED)
DELAYED_LOOPS(visiting, DELAYED_VISITING)
DELAYED_LOOPS(delayed, DELAYED_PLAIN)
FUSED_LOOP(q_2, Q_VIEW, 2, Q_ACT, q_observe(&v, 2, &step))
FUSED_LOOP(q_any, Q_VIEW, ANY, Q_ACT, q_observe(&v, n_actions, &step))

far__loop *far__loop_fused(const far_agent *agent) {
  const bool two = agent->shape.n_actions == 2;
  if (agent->shape.horizon > 0) return far__loop_generic; /* the fused loops never cut */
  switch ((enum far__agent_index)agent->type) {
  case FAR__AGENT_directed_delayed_q:
    if (delayed_kind_of(agent) == DELAYED_VISITING) return two ? visiting_2 : visiting_any;
    return two ? directed_2 : directed_any;
  case FAR__AGENT_delayed_q:
  case FAR__AGENT_delayed_q_ie: return two ? delayed_2 : delayed_any;
  case FAR__AGENT_q_learning: return two ? q_2 : q_any;
  default: return far__loop_generic;
  }
}
