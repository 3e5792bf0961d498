#include "model/envs/arms.h"

#include "model/envs/draw.h"
#include "model/envs/family.h"

/* The hub above its arms. */
static void draw(far__sketch *k, uint32_t count) {
  far__draw(k, FAR_LAYOUT_GRAPH, count, 2);
  far__place(k, 0, count / 2.0, 0.5, "hub");
  for (uint32_t arm = 1; arm <= count; ++arm) far__place_cell(k, arm, arm - 1, 1, NULL);
}

static void fill(far__sketch *k, const void *what) {
  const far__arms *arms = what;
  draw(k, arms->count);
  far__range(k, &arms->largest, 1);
  far__start(k, 0, 1);
  for (uint32_t a = 0; a < arms->count; ++a) {
    far__outcome(k, 0, a, arms->enter[a], a + 1, 0);
    far__outcome(k, 0, a, 1 - arms->enter[a], 0, 0);
  }
  for (uint32_t arm = 1; arm <= arms->count; ++arm) {
    const double pay = arms->pay[arm - 1] * arms->largest / arms->pay[arms->count - 1];
    for (uint32_t a = 0; a < arms->count; ++a) {
      const bool stays = arm == 1 ? a != arms->way_out : a == arm - 1;
      far__outcome(k, arm, a, 1, stays ? arm : 0, stays ? pay : 0);
    }
  }
}

far_status far__arms_build(far_mdp **out, const far__arms *arms, far_error *error) {
  return far__family_build(out, arms->count + 1, arms->count, 2, fill, arms, error);
}
