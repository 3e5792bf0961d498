/* The loops for the instruction set of the including file: VECTOR_LOOPS initialises its far__vectors. */
#ifndef FAR_RUN_VECTOR_LOOPS_H
#define FAR_RUN_VECTOR_LOOPS_H

#include "run/vector-delayed.h"
#include "run/vector-q.h"
#include "run/vectors.h"

/* How many lanes are computed at once; 0: too few are left. All their clocks must show the same time. */
static inline size_t vector_lanes(const far__lane *lane, size_t n) {
  const size_t most = n / LANES < GROUPS ? n / LANES : GROUPS;
  if (most < LEAST_GROUPS) return 0;
  for (size_t i = 1; i < most * LANES; ++i)
    if (lane[i].t != lane->t) return 0;
  return most * LANES;
}

/* Two actions, the most frequent number, have a loop of their own. Remaining lanes are computed one after the other. */
#define VECTOR_LOOP(NAME, OF, KIND)                                                                \
  static void NAME##_vectors(const far_mdp *mdp, const far__body *body, far__lane *lane, size_t n, \
                             int64_t steps) {                                                      \
    vector_##OF##_setting v;                                                                       \
    vector_##OF##_set(&v, mdp, body, KIND);                                                        \
    for (size_t k; (k = vector_lanes(lane, n)) > 0; n -= k, body += k, lane += k) {                \
      if (body->n_actions == 2)                                                                    \
        vector_##NAME##_steps(&v, 2, body, lane, k / LANES, steps);                                \
      else                                                                                         \
        vector_##NAME##_steps(&v, body->n_actions, body, lane, k / LANES, steps);                  \
    }                                                                                              \
    for (; n > 0; --n, ++body, ++lane) {                                                           \
      const NAME##_fused_view own = NAME##_fused_lane_on(*body);                                   \
      NAME##_steps(&own, mdp, body->n_actions, lane, steps);                                       \
    }                                                                                              \
  }

VECTOR_LOOP(q, q, 0)
VECTOR_LOOP(delayed, delayed, DELAYED_PLAIN)
VECTOR_LOOP(directed, delayed, DELAYED_DIRECTED)

#define VECTOR_LOOPS                                                                               \
  {                                                                                                \
    .width = GROUPS * LANES, .loop = {                                                             \
      [FAR__FUSED_q] = q_vectors,                                                                  \
      [FAR__FUSED_delayed] = delayed_vectors,                                                      \
      [FAR__FUSED_directed] = directed_vectors                                                     \
    }                                                                                              \
  }

#endif
