/* SixArms (Strehl & Littman 2008, figure 2): a hub with six arms that are the harder to enter the
 * more they pay: probabilities 1, 0.15, 0.1, 0.05, 0.03, 0.01, rewards 50, 133, 300, 800, 1660, 6000
 * a step. Arm 1 is left by action 4 alone. Rewards are scaled to at most 1 by default. */
#include "model/envs/arms.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS sixarms_params {
  double largest;
  far__criterion criterion;
} sixarms_params;

static const far_param params[] = {
    {.name = "largest",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     .min = 0,
     .min_open = true,
     .max = INFINITY,
     .max_open = true,
     .offset = offsetof(sixarms_params, largest),
     .help = "reward of the last arm, the others in proportion; 6000 as published"},
    FAR__ROWS_CRITERION(sixarms_params),
};

static far_status build(far_mdp **out, const void *values, far_error *error) {
  static const double enter[] = {1, 0.15, 0.1, 0.05, 0.03, 0.01};
  static const double pay[] = {50, 133, 300, 800, 1660, 6000};
  const sixarms_params *p = values;
  const far__arms arms = {
      .count = 6, .way_out = 4, .enter = enter, .pay = pay, .largest = p->largest};
  return far__arms_build(out, &arms, error);
}

const far__family far__family_sixarms = {
    .info = {.name = "sixarms",
             .summary = "A hub with six arms: the more an arm pays, the harder it is to enter",
             .reference = "Strehl & Littman 2008, figure 2",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
