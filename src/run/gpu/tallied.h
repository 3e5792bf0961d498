/* Lanes with tallies: metrics that are counted while the run advances. */
#ifndef FAR_GPU_TALLIED_H
#define FAR_GPU_TALLIED_H

#include "run/gpu/lanes.h"
#include "run/fused.h"

static inline FAR_DEVICE far__tallies lane_tallies(const lanes *all, int64_t i) {
  const far__tallies x = {all->tallies, all->n_tallies, (size_t)all->n, all->counts + i,
                          all->marks + (size_t)i * all->n_marks};
  return x;
}

/* Writes the total and the values of the tallies of lane i, `stride` columns apart, from `column` on. */
static inline FAR_DEVICE void lane_note(const lanes *all, int64_t i, double total,
                                        const far__tallies *x, int64_t column, int64_t stride) {
  all->values[column * all->n + i] = total;
  for (size_t k = 0; k < x->n; ++k) {
    column += stride;
    all->values[column * all->n + i] = far__tally_value(&x->tally[k], &x->count[k * x->stride]);
  }
}

/* NAME_tallied_lane: takes lane i to step `until`. Its numbers stand as in a far_block: totals, tallies, the totals of
 * each checkpoint, then those of each tally. */
#define FAR_FUSED(NAME)                                                                            \
  static inline FAR_DEVICE void NAME##_tallied_lane(const lanes *all, int64_t i) {                 \
    const NAME##_fused_view view = NAME##_fused_device_on(lane_body(all, 0, i));                   \
    const far__tallies tallies = lane_tallies(all, i);                                             \
    const int64_t first = 1 + (int64_t)all->n_tallies;                                             \
    far__lane lane = all->lane[i];                                                                 \
    if (lane.t == 0) far__tallies_begin(&tallies);                                                 \
    for (int64_t k = lane_checkpoint(all, lane.t); lane.t < all->until;) {                         \
      const bool point = k < all->n_checkpoints && all->checkpoints[k] <= all->until;              \
      const int64_t end = point ? all->checkpoints[k] : all->until;                                \
      NAME##_loop(&view, &all->mdp, all->body.n_actions, &lane, &tallies, end - lane.t);           \
      if (point) lane_note(all, i, lane.total, &tallies, first + k++, all->n_checkpoints);         \
    }                                                                                              \
    lane_note(all, i, lane.total, &tallies, 0, 1);                                                 \
    all->lane[i] = lane;                                                                           \
  }
#include "run/fused.def"
#undef FAR_FUSED

#endif
