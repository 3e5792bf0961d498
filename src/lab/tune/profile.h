/* How flat the optimum is: one parameter at a time is moved away from the best setting. */
#ifndef FAR_LAB_TUNE_PROFILE_H
#define FAR_LAB_TUNE_PROFILE_H

#include "lab/tune/scorer.h"

typedef struct far__tune_profiles {
  far_tune_profile *profiles;
  size_t n_profiles;
  double score;       /* of the best setting, on the same runs */
  far__search points; /* owns the candidates, the best setting first */
  int64_t steps;
} far__tune_profiles;

/* Measures on the scorer's profile seed and fills `out`, the most sensitive parameter first; on CANCELLED
 * there are no profiles. far__tune_profiles_free in any case. */
far_status far__tune_profiles_make(far__tune_profiles *out, far__scorer *scorer,
                                   const far__space *space, const far__candidate *best,
                                   far_error *error);
void far__tune_profiles_free(far__tune_profiles *profiles);

#endif
