/* Small models by hand, and solvers of them. */
#ifndef FARSIGHT_TESTS_SOLVERS_H
#define FARSIGHT_TESTS_SOLVERS_H

#include <farsight/farsight.h>

#include "check.h"

#define U 0x1p-53 /* half the distance of 1 from the next double */

static inline far_mdp_builder *builder(uint32_t n_states, uint32_t n_actions) {
  far_mdp_builder *b;
  CHECK(far_mdp_builder_create(&b, n_states, n_actions, NULL) == FAR_OK);
  return b;
}

static inline void move(far_mdp_builder *b, uint32_t s, uint32_t a, double p, uint32_t next,
                        double r) {
  CHECK(far_mdp_builder_outcome(b, s, a, p, next, r, NULL) == FAR_OK);
}

/* All runs begin at this state. */
static inline far_mdp *finish(far_mdp_builder *b, uint32_t start) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_start(b, start, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static inline far_solver *solver_of(const far_mdp *mdp) {
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  return solver;
}

static inline void end(far_solver *solver, far_mdp *mdp) {
  far_solver_free(solver);
  far_mdp_free(mdp);
}

#endif
