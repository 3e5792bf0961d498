/* Kernels: what a lane does in a launch, once for every line of kernels.def. What a kernel knows at compile time - the
 * options that decide which way a step goes, and the number of actions - costs neither branches nor registers there.
 * cuda.cu launches them, lanes-host.c calls them in a loop.
 */
#ifndef FAR_GPU_KERNELS_H
#define FAR_GPU_KERNELS_H

#include "run/gpu/lanes.h"

/* LOOP_SET(IS): IS(member of the loop's view, value) for each choice of the set. */
#define directed_usual(IS)                                                                         \
  IS(delay, DELAY_INTERVAL)                                                                        \
  IS(learn, LEARN_2009) IS(form, BONUS_LOG) IS(clamp, true) IS(ties, FAR__TIES_RANDOM)
#define directed_full(IS)                                                                          \
  IS(delay, DELAY_FULL)                                                                            \
  IS(learn, LEARN_2009) IS(form, BONUS_LOG) IS(clamp, true) IS(ties, FAR__TIES_RANDOM)
#define delayed_interval(IS)                                                                       \
  IS(delay, DELAY_INTERVAL) IS(learn, LEARN_2009) IS(clamp, false) IS(ties, FAR__TIES_RANDOM)
#define delayed_full(IS)                                                                           \
  IS(delay, DELAY_FULL) IS(learn, LEARN_2009) IS(clamp, false) IS(ties, FAR__TIES_RANDOM)
#define q_usual(IS)                                                                                \
  IS(p.step, STEP_CONSTANT)                                                                        \
  IS(p.explore, EXPLORE_EPSILON)                                                                   \
  IS(p.decay, DECAY_NONE)                                                                          \
  IS(p.ties, FAR__TIES_RANDOM) IS(count_pairs, false) IS(count_states, false)
#define count_usual(IS)                                                                            \
  IS(p.place, COUNT_TARGET)                                                                        \
  IS(p.decay, COUNT_SQRT) IS(p.step, COUNT_HORIZON) IS(p.ties, FAR__TIES_RANDOM)
#define ucb_usual(IS) IS(p.log, UCB_LOG_OFF) IS(p.ties, FAR__TIES_RANDOM)
#define speedy_usual(IS)                                                                           \
  IS(p.form, SPEEDY_ROUND) IS(p.explore, EXPLORE_EPSILON) IS(p.ties, FAR__TIES_RANDOM)
#define dora_usual(IS) IS(p.rule, DORA_LLL_SOFTMAX) IS(p.beta, 0) IS(p.ties, FAR__TIES_RANDOM)
#define directed_any(IS)
#define visiting_any(IS)
#define delayed_any(IS)
#define q_any(IS)
#define count_any(IS)
#define ucb_any(IS)
#define speedy_any(IS)
#define dora_any(IS)

typedef enum kernel {
#define KERNEL(LOOP, SET, ACTIONS) KERNEL_##LOOP##_##SET##_##ACTIONS,
#include "run/gpu/kernels.def"
#undef KERNEL
  KERNELS
} kernel;

#define KERNEL_FIX(MEMBER, VALUE) view.MEMBER = VALUE;
#define KERNEL_FITS(MEMBER, VALUE) &&view.MEMBER == VALUE

/* LOOP_SET_ACTIONS_lane: takes lane i to step `until`, and notes totals on the way.
 * LOOP_SET_ACTIONS_fits: may it do so? */
#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  FAR__INLINE FAR_DEVICE void LOOP##_##SET##_##ACTIONS##_lane(const lanes *all, int64_t i) {       \
    const far__body body = lane_body(all, ACTIONS, i);                                             \
    LOOP##_fused_view view = LOOP##_fused_device_on(body);                                         \
    LOOP##_##SET(KERNEL_FIX);                                                                      \
    far__lane lane = all->lane[i];                                                                 \
    for (int64_t k = lane_checkpoint(all, lane.t); lane.t < all->until;) {                         \
      const bool point = k < all->n_checkpoints && all->checkpoints[k] <= all->until;              \
      const int64_t end = point ? all->checkpoints[k] : all->until;                                \
      LOOP##_steps(&view, &all->mdp, body.n_actions, &lane, end - lane.t);                         \
      if (point) all->values[++k * all->n + i] = lane.total;                                       \
    }                                                                                              \
    all->values[i] = lane.total;                                                                   \
    all->lane[i] = lane;                                                                           \
  }                                                                                                \
  static inline bool LOOP##_##SET##_##ACTIONS##_fits(const lanes *all, far__fused loop) {          \
    if (loop != FAR__FUSED_##LOOP) return false;                                                   \
    if (ACTIONS != 0 && all->body.n_actions != ACTIONS) return false;                              \
    const LOOP##_fused_view view = LOOP##_fused_device_on(lane_body(all, ACTIONS, 0));             \
    (void)view;                                                                                    \
    return true LOOP##_##SET(KERNEL_FITS);                                                         \
  }
#include "run/gpu/kernels.def"
#undef KERNEL

/* The kernel that a cell takes; KERNELS where there is no such loop. */
static inline kernel kernel_of(const lanes *all, far__fused loop) {
#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  if (LOOP##_##SET##_##ACTIONS##_fits(all, loop)) return KERNEL_##LOOP##_##SET##_##ACTIONS;
#include "run/gpu/kernels.def"
#undef KERNEL
  return KERNELS;
}

#endif
