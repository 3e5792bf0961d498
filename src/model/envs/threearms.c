/* ThreeArms: SixArms cut to its first three arms, as in the experiments of Metelli, Likmeta &
 * Restelli 2019 (their code; the paper gives no table): probabilities 1, 0.15, 0.1, rewards 50, 133,
 * 300 a step. Arm 1 is left by action 1 alone. Rewards are scaled to at most 1 by default. */
#include "model/envs/arms.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS threearms_params {
  double largest;
  far__criterion criterion;
} threearms_params;

static const far_param params[] = {
    {.name = "largest",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .min_open = true,
     .max = INFINITY,
     .max_open = true,
     .offset = offsetof(threearms_params, largest),
     .help = "reward of the last arm, the others in proportion; 300 as published"},
    FAR__ROWS_CRITERION(threearms_params),
};

static far_status build(far_mdp **out, const void *values, far_error *error) {
  static const double enter[] = {1, 0.15, 0.1};
  static const double pay[] = {50, 133, 300};
  const threearms_params *p = values;
  const far__arms arms = {
      .count = 3, .way_out = 1, .enter = enter, .pay = pay, .largest = p->largest};
  return far__arms_build(out, &arms, error);
}

const far__family far__family_threearms = {
    .info = {.name = "threearms",
             .summary = "SixArms with its first three arms only",
             .reference = "Metelli, Likmeta & Restelli 2019, after Strehl & Littman 2008",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
