/* The fused loops with tallies: after every step the metrics of the run count it. */
#ifndef FAR_RUN_FUSED_TALLIED_H
#define FAR_RUN_FUSED_TALLIED_H

#include "run/fused.h"
#include "run/tally.h"

/* Of one run: its counts are `stride` apart, and the marks of a tally follow those of the one before. */
typedef struct far__tallies {
  const far_tally *tally;
  size_t n, stride;
  far__count *count;
  uint8_t *marks;
} far__tallies;

static inline FAR_DEVICE void far__tallies_begin(const far__tallies *x) {
  size_t marks = 0;
  for (size_t k = 0; k < x->n; ++k) {
    const far__count none = {0, 0, 0, 0};
    x->count[k * x->stride] = none;
    marks += x->tally[k].n_marks;
  }
  for (size_t i = 0; i < marks; ++i) x->marks[i] = 0;
}

static inline FAR_DEVICE void far__tallies_step(const far__tallies *x, const far_transition *step,
                                                int64_t t) {
  uint8_t *marks = x->marks;
  for (size_t k = 0; k < x->n; ++k) {
    far__tally_step(&x->tally[k], &x->count[k * x->stride], marks, step, t);
    marks += x->tally[k].n_marks;
  }
}

#define FAR_FUSED(NAME)                                                                            \
  static inline FAR_DEVICE void NAME##_tallied_steps(                                              \
      const NAME##_fused_view *v, const far_mdp *mdp, uint32_t n_actions, far__lane *of,           \
      const far__tallies *tallies, int64_t steps) {                                                \
    far__lane lane = *of;                                                                          \
    far_rng rng = lane.agent;                                                                      \
    for (const int64_t end = lane.t + steps; lane.t < end;) {                                      \
      far__trip f;                                                                                 \
      NAME##_depart(v, n_actions, &lane, &rng, &f);                                                \
      far__trip_find(mdp, n_actions, &f);                                                          \
      far__trip_land(mdp, &lane.start, &f);                                                        \
      NAME##_arrive(v, n_actions, &lane, &rng, &f);                                                \
      far__tallies_step(tallies, &f.step, lane.t);                                                 \
    }                                                                                              \
    lane.agent = rng;                                                                              \
    *of = lane;                                                                                    \
  }
#include "run/fused.def"
#undef FAR_FUSED

#endif
