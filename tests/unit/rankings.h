/* Rankings that tests look at. */
#ifndef FARSIGHT_TESTS_RANKINGS_H
#define FARSIGHT_TESTS_RANKINGS_H

#include <farsight/farsight.h>

#include "check.h"

static inline far_ranking *make(double alpha, int64_t first, int64_t most, size_t envs,
                                size_t agents) {
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  def.alpha = alpha;
  def.first = first;
  def.most = most;
  CHECK(far_ranking_create(&r, &def, envs, agents, NULL) == FAR_OK);
  return r;
}

#endif
