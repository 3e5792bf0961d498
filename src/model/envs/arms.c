/* SixArms and ThreeArms: a hub with arms that are the harder to enter the more they pay.
 *
 *   sixarms    Strehl & Littman 2008, figure 2: probabilities 1, 0.15, 0.1, 0.05, 0.03, 0.01, rewards 50, 133, 300,
 *              800, 1660, 6000 a step. Arm 1 is left by action 4 alone.
 *   threearms  The first three arms, as in the experiments of Metelli, Likmeta & Restelli 2019 (their code; the paper
 *              gives no table). Arm 1 is left by action 1 alone.
 *
 * Action a in the hub, state 0, enters arm a + 1 with the probability of that arm and otherwise stays. In arm i > 1
 * action i - 1 stays and pays, every other leaves for the hub. In arm 1 all actions but one stay and pay. Rewards are
 * scaled to at most 1 by default. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS arms_params {
  double largest;
  far__criterion criterion;
} arms_params;

#define LARGEST(published)                                                                         \
  {                                                                                                \
    .name = "largest", .kind = FAR_PARAM_REAL, .fallback = "1", .min = 0, .min_open = true,        \
    .max = INFINITY, .max_open = true, .offset = offsetof(arms_params, largest),                   \
    .help = "reward of the last arm, the others in proportion; " published " as published"         \
  }

static const far_param sixarms_rows[] = {LARGEST("6000"), FAR__ROWS_CRITERION(arms_params)};
static const far_param threearms_rows[] = {LARGEST("300"), FAR__ROWS_CRITERION(arms_params)};

static const double ENTER[] = {1, 0.15, 0.1, 0.05, 0.03, 0.01};
static const double PAY[] = {50, 133, 300, 800, 1660, 6000}; /* as published */

typedef struct arms {
  uint32_t count;   /* of arms, and of actions */
  uint32_t way_out; /* the one action that leaves arm 1 */
  double largest;   /* what the last reward is scaled to, and the others with it */
} arms;

static void fill(far__sketch *k, const void *what) {
  const arms *x = what;
  far__draw(k, FAR_LAYOUT_GRAPH, x->count, 2); /* the hub above its arms */
  far__place(k, 0, x->count / 2.0, 0.5, "hub");
  for (uint32_t arm = 1; arm <= x->count; ++arm) far__place_cell(k, arm, arm - 1, 1, NULL);
  far__range(k, &x->largest, 1);
  far__start(k, 0, 1);
  for (uint32_t a = 0; a < x->count; ++a) {
    far__outcome(k, 0, a, ENTER[a], a + 1, 0);
    far__outcome(k, 0, a, 1 - ENTER[a], 0, 0);
  }
  for (uint32_t arm = 1; arm <= x->count; ++arm) {
    const double pay = PAY[arm - 1] * x->largest / PAY[x->count - 1];
    for (uint32_t a = 0; a < x->count; ++a) {
      const bool stays = arm == 1 ? a != x->way_out : a == arm - 1;
      far__outcome(k, arm, a, 1, stays ? arm : 0, stays ? pay : 0);
    }
  }
}

static far_status build_sixarms(far_mdp **out, const void *values, far_error *error) {
  const arms x = {6, 4, ((const arms_params *)values)->largest};
  return far__family_build(out, 7, 6, 2, fill, &x, error);
}

static far_status build_threearms(far_mdp **out, const void *values, far_error *error) {
  const arms x = {3, 1, ((const arms_params *)values)->largest};
  return far__family_build(out, 4, 3, 2, fill, &x, error);
}

const far__family far__family_sixarms = {
    .info = {.name = "sixarms",
             .summary = "A hub with six arms: the more an arm pays, the harder it is to enter",
             .reference = "Strehl & Littman 2008, figure 2",
             .params = sixarms_rows,
             .n_params = sizeof sixarms_rows / sizeof *sixarms_rows},
    .build = build_sixarms,
};

const far__family far__family_threearms = {
    .info = {.name = "threearms",
             .summary = "SixArms with its first three arms only",
             .reference = "Metelli, Likmeta & Restelli 2019, after Strehl & Littman 2008",
             .params = threearms_rows,
             .n_params = sizeof threearms_rows / sizeof *threearms_rows},
    .build = build_threearms,
};
