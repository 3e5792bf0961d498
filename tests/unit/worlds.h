/* Small random models for property tests. */
#ifndef FARSIGHT_TESTS_WORLDS_H
#define FARSIGHT_TESTS_WORLDS_H

#include <farsight/farsight.h>

/* `successors` outcomes a pair (1: deterministic), rewards uniform in [0, 1], start at 0. */
static inline far_mdp *random_world(uint64_t seed, uint32_t n_states, uint32_t n_actions,
                                    uint32_t successors) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng_init(&rng, seed, 0, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, n_states, n_actions, NULL);
  for (uint32_t s = 0; s < n_states; ++s)
    for (uint32_t a = 0; a < n_actions; ++a)
      for (uint32_t k = 0; k < successors; ++k) {
        const double reward =
            far_rng_uniform(&rng); /* one after the other: arguments have no order */
        const uint32_t next = far_rng_below(&rng, n_states);
        far_mdp_builder_outcome(b, s, a, 1.0 / successors, next, reward, NULL);
      }
  far_mdp_builder_range(b, 0, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_finish(&mdp, b, NULL);
  return mdp;
}

/* State 0 pays 1 and leads to state 1 (action 0), or pays 0.9 and stays (action 1); state 1 pays
 * nothing and leads back. Staying is best if gamma > 1/9: it is worth 0.9/(1-gamma) for ever, and
 * leaving once costs 0.9 (1 + gamma) - 1. All of its rewards but one are at an end of the range, so
 * that values of Vmax come of sums that round. */
static inline far_mdp *detour_world(void) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  far_mdp_builder_create(&b, 2, 2, NULL);
  far_mdp_builder_outcome(b, 0, 0, 1, 1, 1, NULL);
  far_mdp_builder_outcome(b, 0, 1, 1, 0, 0.9, NULL);
  far_mdp_builder_outcome(b, 1, 0, 1, 0, 0, NULL);
  far_mdp_builder_outcome(b, 1, 1, 1, 0, 0, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  far_mdp_builder_finish(&mdp, b, NULL);
  return mdp;
}

#endif
