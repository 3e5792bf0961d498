/* The chain of Oh & Iyengar 2018, section 4: states 0 ... n-1 from left to right, start at 0,
 * actions 0 = left and 1 = right; a move goes the opposite way with probability `slip`, and a move
 * off either end stays. The reward is paid on arrival: `left` in state 0, `right` in state n-1,
 * also for staying there. (Going right for ever then earns 0.75 a step; were it paid only for a
 * successful move at the end, the 7,090 of the paper's best cell would be out of reach.) */
#include "envs/draw.h"
#include "envs/family.h"
#include "base/spec.h"

#include <math.h>

typedef struct FAR__PARAMS chain_params {
  int64_t n;
  double slip, left, right;
  int64_t horizon;
} chain_params;

#define AT(field) .offset = offsetof(chain_params, field)
#define ANY_REWARD .min = -INFINITY, .min_open = true, .max = INFINITY, .max_open = true

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 2,
     .max = 10000000,
     AT(n),
     .help = "number of states"},
    {.name = "slip",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.2",
     .min = 0,
     .max = 1,
     AT(slip),
     .help = "probability that a move goes the opposite way"},
    {.name = "left",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.001",
     ANY_REWARD,
     AT(left),
     .help = "reward on arriving at the left end"},
    {.name = "right",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     ANY_REWARD,
     AT(right),
     .help = "reward on arriving at the right end"},
    FAR__ROW_HORIZON(chain_params),
};

static far_status add_move(far_mdp_builder *b, const chain_params *p, uint32_t s, uint32_t a,
                           bool slipped, far_error *error) {
  const uint32_t last = (uint32_t)p->n - 1;
  const bool rightwards = (a == 1) != slipped;
  uint32_t next = s;
  if (rightwards && s < last) next = s + 1;
  if (!rightwards && s > 0) next = s - 1;
  const double reward = next == 0 ? p->left : next == last ? p->right : 0.0;
  return far_mdp_builder_outcome(b, s, a, slipped ? p->slip : 1 - p->slip, next, reward, error);
}

static far_status fill(far_mdp_builder *b, const chain_params *p, far_error *error) {
  far_status status = far_mdp_builder_range(b, fmin(0, fmin(p->left, p->right)),
                                            fmax(0, fmax(p->left, p->right)), error);
  if (status == FAR_OK) status = far_mdp_builder_start(b, 0, 1, error);
  for (uint32_t s = 0; s < (uint32_t)p->n; ++s) {
    for (uint32_t a = 0; a < 2 && status == FAR_OK; ++a) {
      status = add_move(b, p, s, a, false, error);
      if (status == FAR_OK) status = add_move(b, p, s, a, true, error);
    }
  }
  far__sketch k = {.builder = b, .status = status, .error = error};
  far__draw_walk(&k, (uint32_t)p->n);
  return k.status;
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const chain_params *p = values;
  far_mdp_builder *b;
  far_status status = far_mdp_builder_create(&b, (uint32_t)p->n, 2, error);
  if (status != FAR_OK) return status;
  status = fill(b, p, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

const far__family far__family_chain = {
    .info = {.name = "chain",
             .summary =
                 "A chain with a small reward at the near end and a large one at the far end",
             .reference = "Oh & Iyengar 2018, section 4",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
