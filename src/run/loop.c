#include "run/loop.h"

static inline far_status start(far__run *run, far_error *error) {
  if (run->simulator != NULL) return far__simulator_start(run, error);
  run->s = far_mdp_start(run->mdp, &run->start);
  return FAR_OK;
}

far_status far__run_begin(far__run *run, uint64_t seed, uint64_t agent_seed, far_error *error) {
  far_rng_init(&run->transition, seed, run->replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&run->start, seed, run->replicate, FAR_PURPOSE_START);
  far__agent_reset(run->agent, seed, agent_seed, run->replicate);
  run->total = 0;
  run->episodes = 0;
  return start(run, error);
}

/* The agent acts, the model answers, the agent learns. The last step before the horizon is cut. */
static inline far_status step_model(far__run *run, const far__agent_type *type, far_transition *out,
                                    far_error *error) {
  const uint32_t s = run->s, a = far__agent_act(run->agent, type, s);
  const bool last = far__agent_last(run->agent);
  const far_outcome *o = far_mdp_step(run->mdp, s, a, &run->transition);
  *out = (far_transition){s, a, o->reward, o->next, o->done, last && !o->done};
  return far__agent_learn(run->agent, type, out, error);
}

/* Adds the reward; the run continues from the successor or, after the end of an episode, from a start. */
static inline far_status move_on(far__run *run, const far_transition *step, far_error *error) {
  run->total += step->r;
  run->s = step->next;
  if (!step->done && !step->cut) return FAR_OK;
  run->episodes += 1;
  return start(run, error);
}

/* Shows a step to the metrics; run->s is the state that follows. */
static far_status show(const far__run *run, const far_transition *step, far_error *error) {
  if (run->visits != NULL)
    run->visits[(size_t)step->s * run->agent->shape.n_actions + step->a] += 1;
  far_status status = FAR_OK;
  for (size_t k = 0; status == FAR_OK && k < run->n_metrics; ++k)
    status = run->metrics[k]->step(run->watchers[k], run->agent, step, run->s, error);
  if (status == FAR_OK) status = far__agent_failure(run->agent, error); /* of a policy hook */
  return status;
}

far_status far__loop_plain(far__run *run, int64_t steps, far_error *error) {
  const far__agent_type *type = far__agent_type_of(run->agent);
  const bool watched = far__run_is_watched(run);
  for (int64_t i = 0; i < steps && run->episodes < run->most_episodes; ++i) {
    far_transition step;
    far_status status = run->simulator != NULL ? far__simulator_step(run, &step, error)
                                               : step_model(run, type, &step, error);
    if (status == FAR_OK) status = move_on(run, &step, error);
    if (status == FAR_OK && watched) status = show(run, &step, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

/* ---- fused loops ---- */

static far__lane lane_of(const far__run *run) {
  return (far__lane){.transition = run->transition,
                     .start = run->start,
                     .agent = run->agent->rng,
                     .t = run->agent->t,
                     .total = run->total,
                     .s = run->s};
}

static void leave_lane(far__run *run, const far__lane *lane) {
  run->transition = lane->transition;
  run->start = lane->start;
  run->agent->rng = lane->agent;
  run->agent->t = lane->t;
  run->total = lane->total;
  run->s = lane->s;
}

#define LOOP(NAME, SUFFIX, N_ACTIONS)                                                              \
  static far_status NAME##SUFFIX(far__run *run, int64_t steps, far_error *error) {                 \
    const NAME##_fused_view v = NAME##_fused_view_on(far__agent_body(run->agent));                 \
    far__lane lane = lane_of(run);                                                                 \
    (void)error;                                                                                   \
    NAME##_steps(&v, run->mdp, N_ACTIONS, &lane, steps);                                           \
    leave_lane(run, &lane);                                                                        \
    return FAR_OK;                                                                                 \
  }

/* Two actions, the most frequent number, have a loop of their own. */
#define FAR_FUSED(name) LOOP(name, _2, 2) LOOP(name, _any, run->agent->shape.n_actions)
#include "run/fused.def"
#undef FAR_FUSED

far__fused far__fused_of(const far_agent *agent) {
  if (agent->shape.horizon > 0) return FAR__FUSED_NONE; /* the fused loops never cut */
  switch ((enum far__agent_index)agent->type) {
  case FAR__AGENT_directed_delayed_q:
    return delayed_kind_of(agent) == DELAYED_VISITING ? FAR__FUSED_visiting : FAR__FUSED_directed;
  case FAR__AGENT_delayed_q:
  case FAR__AGENT_delayed_q_ie: return FAR__FUSED_delayed;
  case FAR__AGENT_q_learning: return FAR__FUSED_q;
  case FAR__AGENT_count_q: return FAR__FUSED_count;
  case FAR__AGENT_ucb_q: return FAR__FUSED_ucb;
  case FAR__AGENT_speedy_q: return FAR__FUSED_speedy;
  case FAR__AGENT_dora: return FAR__FUSED_dora;
  default: return FAR__FUSED_NONE;
  }
}

size_t far__lane_bytes(const far_agent *agent) {
  if (far__fused_of(agent) != FAR__FUSED_q) return agent->state_size;
  return q_lane_size(&agent->shape, far__agent_params(agent));
}

far__loop *far__loop_fused(const far_agent *agent) {
  const bool two = agent->shape.n_actions == 2;
  switch (far__fused_of(agent)) {
#define FAR_FUSED(name)                                                                            \
  case FAR__FUSED_##name:                                                                          \
    return two ? name##_2 : name##_any;
#include "run/fused.def"
#undef FAR_FUSED
  case FAR__FUSED_NONE: break;
  }
  return far__loop_plain;
}
