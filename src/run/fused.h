/* Fused loops: environment step, choice and update of an algorithm in one function, made of the same inline
 * functions as its hooks. Threads and devices run them: nothing here or in what is included allocates, calls
 * the library or needs more of the model than its rows.
 *
 * CUDA compiles this as C++20.
 */
#ifndef FAR_RUN_FUSED_H
#define FAR_RUN_FUSED_H

#include "agents/count-q.h"
#include "agents/delayed.h"
#include "agents/dora.h"
#include "agents/q-learning.h"
#include "agents/speedy-q.h"
#include "agents/ucb-q.h"
#include "base/inline.h"
#include "base/stream.h"
#include "model/model.h"
#include "run/tally.h"

typedef enum far__fused {
#define FAR_FUSED(name) FAR__FUSED_##name,
#include "run/fused.def"
#undef FAR_FUSED
  FAR__FUSED_NONE /* the algorithm has no fused loop */
} far__fused;

/* The state of a run besides the agent's tables. */
typedef struct far__lane {
  far_rng transition, start, agent;
  int64_t t; /* transitions observed */
  double total;
  uint32_t s;
  uint32_t unused; /* makes the padding explicit, for copies to a device */
} far__lane;

/* The first state of a replicate. */
static inline FAR_DEVICE far__lane far__lane_begin(const far_mdp *mdp, uint64_t seed,
                                                   uint64_t replicate) {
  far__lane lane;
  lane.transition = far__stream(seed, replicate, FAR_PURPOSE_TRANSITION);
  lane.start = far__stream(seed, replicate, FAR_PURPOSE_START);
  lane.agent = far__stream(seed, replicate, FAR_PURPOSE_AGENT);
  lane.t = 0;
  lane.total = 0;
  lane.s = far__mdp_start(mdp, &lane.start);
  lane.unused = 0;
  return lane;
}

/* ---- a step in four stages; each reads memory whose address the one before has found ---- */

/* What a step passes from stage to stage. */
typedef struct far__stages {
  far_transition step;
  uint64_t draw;     /* of the outcome */
  far__mdp_span row; /* of the model */
  uint32_t after;    /* the state in which the run continues */
} far__stages;

/* The second stage: finds the outcomes of the pair. */
FAR__INLINE FAR_DEVICE void far__stages_find(const far_mdp *mdp, uint32_t n_actions,
                                             far__stages *f) {
  f->row = far__mdp_row(mdp, (size_t)f->step.s * n_actions + f->step.a);
}

/* The third stage: the outcome, and a new start after the end of an episode. */
FAR__INLINE FAR_DEVICE void far__stages_outcome(const far_mdp *mdp, far_rng *start,
                                                far__stages *f) {
  const far_outcome *o = far__mdp_pick(mdp, f->row, f->draw);
  f->step.r = o->reward;
  f->step.next = o->next;
  f->step.done = o->done;
  f->step.cut = false;
  f->after = o->done ? far__mdp_start(mdp, start) : o->next;
}

/* Defines NAME_fused_act, the first stage; NAME_fused_observe, the last; and NAME_loop: `steps` steps of a lane, without
 * a horizon, counted by the tallies unless they are NULL. NAME_steps, without tallies, is for callers.
 * NAME_fused_view_on is the view of an agent, NAME_fused_lane_on that of a copy of its memory of which only the rewards
 * are read, NAME_fused_device_on that of a device's lane. ACT may use v, n_actions, s, t (transitions observed so far)
 * and rng; OBSERVE may use v, n_actions, rng, t (now including this step) and step. */
#define FAR__FUSED_STEPS(NAME, VIEW, ACT, OBSERVE)                                                 \
  typedef VIEW NAME##_fused_view;                                                                  \
  FAR__INLINE FAR_DEVICE void NAME##_fused_act(const VIEW *v, uint32_t n_actions, far__lane *lane, \
                                               far_rng *rng, far__stages *f) {                     \
    const uint32_t s = lane->s;                                                                    \
    const int64_t t = lane->t;                                                                     \
    (void)t;                                                                                       \
    f->step.s = s;                                                                                 \
    f->step.a = ACT;                                                                               \
    f->draw = far_rng_next(&lane->transition);                                                     \
  }                                                                                                \
  FAR__INLINE FAR_DEVICE void NAME##_fused_observe(                                                \
      const VIEW *v, uint32_t n_actions, far__lane *lane, far_rng *rng, const far__stages *f) {    \
    const far_transition *step = &f->step;                                                         \
    const int64_t t = lane->t += 1;                                                                \
    (void)t, (void)rng;                                                                            \
    OBSERVE;                                                                                       \
    lane->total += step->r;                                                                        \
    lane->s = f->after;                                                                            \
  }                                                                                                \
  FAR__INLINE FAR_DEVICE void NAME##_loop(const VIEW *v, const far_mdp *mdp, uint32_t n_actions,   \
                                          far__lane *of, const far__tallies *tallies,              \
                                          int64_t steps) {                                         \
    far__lane lane = *of; /* in registers, but for the rare starts */                              \
    far_rng rng = lane.agent;                                                                      \
    for (const int64_t end = lane.t + steps; lane.t < end;) {                                      \
      far__stages f;                                                                               \
      NAME##_fused_act(v, n_actions, &lane, &rng, &f);                                             \
      far__stages_find(mdp, n_actions, &f);                                                        \
      far__stages_outcome(mdp, &of->start, &f);                                                    \
      NAME##_fused_observe(v, n_actions, &lane, &rng, &f);                                         \
      if (tallies != NULL) far__tallies_step(tallies, &f.step, lane.t);                            \
    }                                                                                              \
    lane.agent = rng;                                                                              \
    lane.start = of->start;                                                                        \
    *of = lane;                                                                                    \
  }

/* State that all pairs share is held in registers, too. */
#define FAR__DELAYED_STEPS(NAME, KIND)                                                             \
  FAR__FUSED_STEPS(NAME, delayed_view, delayed_act(v, KIND, n_actions, s, rng),                    \
                   delayed_observe(v, KIND, n_actions, t, step))                                   \
  FAR__INLINE FAR_DEVICE void NAME##_steps(const delayed_view *v, const far_mdp *mdp,              \
                                           uint32_t n_actions, far__lane *lane, int64_t steps) {   \
    delayed_state state = *v->state;                                                               \
    delayed_view held = *v;                                                                        \
    held.state = &state;                                                                           \
    NAME##_loop(&held, mdp, n_actions, lane, NULL, steps);                                         \
    *v->state = state;                                                                             \
  }                                                                                                \
  static inline FAR_DEVICE delayed_view NAME##_fused_view_on(far__body body) {                     \
    return delayed_view_on(body, KIND);                                                            \
  }                                                                                                \
  static inline FAR_DEVICE delayed_view NAME##_fused_lane_on(far__body body) {                     \
    return delayed_view_on(body, KIND);                                                            \
  }                                                                                                \
  static inline FAR_DEVICE delayed_view NAME##_fused_device_on(far__body body) {                   \
    return delayed_lane_on(body, KIND);                                                            \
  }

FAR__DELAYED_STEPS(directed, DELAYED_DIRECTED)
FAR__DELAYED_STEPS(visiting, DELAYED_VISITING)
FAR__DELAYED_STEPS(delayed, DELAYED_PLAIN)

#define FAR__Q_STEPS(NAME, ACT, OBSERVE)                                                           \
  FAR__FUSED_STEPS(NAME, NAME##_view, ACT, OBSERVE)                                                \
  FAR__INLINE FAR_DEVICE void NAME##_steps(const NAME##_view *v, const far_mdp *mdp,               \
                                           uint32_t n_actions, far__lane *lane, int64_t steps) {   \
    NAME##_loop(v, mdp, n_actions, lane, NULL, steps);                                             \
  }                                                                                                \
  static inline FAR_DEVICE NAME##_view NAME##_fused_view_on(far__body body) {                      \
    return NAME##_view_on(body);                                                                   \
  }                                                                                                \
  static inline FAR_DEVICE NAME##_view NAME##_fused_lane_on(far__body body) {                      \
    return NAME##_lane_on(body);                                                                   \
  }                                                                                                \
  static inline FAR_DEVICE NAME##_view NAME##_fused_device_on(far__body body) {                    \
    return NAME##_lane_on(body);                                                                   \
  }

/* Algorithms whose lanes have the layout of an agent's own memory. */
#define count_lane_on count_view_on
#define ucb_lane_on ucb_view_on
#define speedy_lane_on speedy_view_on
#define dora_lane_on dora_view_on

FAR__Q_STEPS(q, q_act(v, n_actions, s, t, rng), q_observe(v, n_actions, step))
FAR__Q_STEPS(count, count_act(v, n_actions, s, rng), count_observe(v, n_actions, step))
FAR__Q_STEPS(ucb, ucb_act(v, n_actions, s, rng), ucb_observe(v, n_actions, step))
FAR__Q_STEPS(speedy, speedy_act(v, n_actions, s, rng), speedy_observe(v, n_actions, step))
FAR__Q_STEPS(dora, dora_act(v, n_actions, s, rng), dora_observe(v, n_actions, step, rng))

/* ---- the memory of a lane on a device ---- */

/* The kind of a loop of the delayed family; *delayed is false for other loops. */
static inline delayed_kind far__fused_kind(far__fused loop, bool *delayed) {
  *delayed =
      loop == FAR__FUSED_directed || loop == FAR__FUSED_visiting || loop == FAR__FUSED_delayed;
  return loop == FAR__FUSED_directed   ? DELAYED_DIRECTED
         : loop == FAR__FUSED_visiting ? DELAYED_VISITING
                                       : DELAYED_PLAIN;
}

/* The words of a lane; state_size is that of the agent, in bytes. */
static inline size_t far__fused_words(far__fused loop, far__body body, size_t state_size) {
  bool delayed;
  const delayed_kind kind = far__fused_kind(loop, &delayed);
  return delayed ? delayed_lane_words(kind, body.n_states, body.n_actions)
                 : state_size / sizeof(uint64_t);
}

/* Copies the agent's state to a lane's memory, which must be all 0. */
static inline void far__fused_bring(far__fused loop, uint64_t *to, far__body from,
                                    size_t state_size) {
  bool delayed;
  const delayed_kind kind = far__fused_kind(loop, &delayed);
  far__body lane = from;
  lane.state = to;
  if (delayed)
    delayed_bring(lane, from, kind);
  else
    memcpy(to, from.state, state_size);
}

#endif
