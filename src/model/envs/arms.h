/* The hub with arms that SixArms and ThreeArms share. Action a in the hub, state 0, enters arm
 * a + 1 with a probability of its own and otherwise stays. In arm i > 1 action i - 1 stays and pays,
 * every other leaves for the hub. Arm 1 is different: all actions but one stay and pay. */
#ifndef FAR_MODEL_ENVS_ARMS_H
#define FAR_MODEL_ENVS_ARMS_H

#include "farsight/mdp.h"

typedef struct far__arms {
  uint32_t count;      /* of arms, and of actions */
  uint32_t way_out;    /* the one action that leaves arm 1 */
  const double *enter; /* probability of entering each arm */
  const double *pay;   /* as published; the last is the largest */
  double largest;      /* what the last is scaled to, the others with it */
} far__arms;

far_status far__arms_build(far_mdp **out, const far__arms *arms, far_error *error);

#endif
