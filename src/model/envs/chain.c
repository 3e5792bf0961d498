/* The chain of Oh & Iyengar 2018, section 4: states 0 ... n-1 from left to right, start at 0,
 * actions 0 = left and 1 = right; a move goes the opposite way with probability `slip`, and a move
 * off either end stays. The rewards are `left` at state 0 and `right` at state n-1. The paper does
 * not say for what they are paid; `left_paid` and `right_paid` choose:
 *   arrival  for every step that ends there, staying included (the default)
 *   choice   for choosing the outward move there (left in state 0), wherever it leads
 *   stay     for every step that begins and ends there
 * Going right for ever earns 0.75 a step by arrival and by choice, and 0.6 by staying, so that `stay`
 * at the right end cannot be the paper's, whose best cell has 7,090 in 10,000 steps. */
#include "model/envs/draw.h"
#include "model/envs/family.h"
#include "base/spec.h"
#include "model/model.h"

#include <math.h>

typedef enum chain_paid { PAID_ARRIVAL, PAID_CHOICE, PAID_STAY } chain_paid;

typedef struct FAR__PARAMS chain_params {
  int64_t n;
  double slip, left, right;
  int32_t left_paid, right_paid;
  far__criterion criterion;
} chain_params;

#define AT(field) .offset = offsetof(chain_params, field)
#define PAYMENTS .kind = FAR_PARAM_CHOICE, .fallback = "arrival", .choices = "arrival|choice|stay"
#define ANY_REWARD .min = -INFINITY, .min_open = true, .max = INFINITY, .max_open = true

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 2,
     .max = 100000000,
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
     .help = "reward at the left end"},
    {.name = "right",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     ANY_REWARD,
     AT(right),
     .help = "reward at the right end"},
    {.name = "left_paid",
     PAYMENTS,
     AT(left_paid),
     .help = "left is paid on arrival at its end, for choosing left there, or for staying there"},
    {.name = "right_paid",
     PAYMENTS,
     AT(right_paid),
     .help = "right is paid on arrival at its end, for choosing right there, or for staying there"},
    FAR__ROWS_CRITERION(chain_params),
};

/* Default payments are left out of the canonical spec: models keep the name that they had before these parameters. */
static far_status resolve(far__spec *spec, far_error *error) {
  const chain_params *p = (const chain_params *)spec->values;
  (void)error;
  if (p->left_paid == PAID_ARRIVAL) far__spec_hide(spec, offsetof(chain_params, left_paid));
  if (p->right_paid == PAID_ARRIVAL) far__spec_hide(spec, offsetof(chain_params, right_paid));
  return FAR_OK;
}

/* Is the reward of an end paid for a step from s to next by the move `outward` or the other one? */
static bool pays(int32_t paid, uint32_t end, uint32_t s, bool outward, uint32_t next) {
  switch ((chain_paid)paid) {
  case PAID_CHOICE: return s == end && outward;
  case PAID_STAY: return s == end && next == end;
  default: return next == end;
  }
}

static far_status add_move(far_mdp_builder *b, const chain_params *p, uint32_t s, uint32_t a,
                           bool slipped, far_error *error) {
  const uint32_t last = (uint32_t)p->n - 1;
  const bool rightwards = (a == 1) != slipped;
  uint32_t next = s;
  if (rightwards && s < last) next = s + 1;
  if (!rightwards && s > 0) next = s - 1;
  /* both ends can pay for one step: one for the choice, the other on arrival after a slip */
  const bool left = pays(p->left_paid, 0, s, a == 0, next);
  const bool right = pays(p->right_paid, last, s, a == 1, next);
  const double reward = left && right ? p->left + p->right : left ? p->left : right ? p->right : 0;
  return far_mdp_builder_outcome(b, s, a, slipped ? p->slip : 1 - p->slip, next, reward, error);
}

static far_status fill(far_mdp_builder *b, const chain_params *p, far_error *error) {
  const bool both = p->n == 2 && p->left_paid + p->right_paid == PAID_ARRIVAL + PAID_CHOICE;
  const double sum = both ? p->left + p->right : 0; /* for one step */
  const double least = fmin(0, fmin(sum, fmin(p->left, p->right)));
  const double most = fmax(0, fmax(sum, fmax(p->left, p->right)));
  far_status status = far_mdp_builder_range(b, least, most, error);
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

static double outcomes(const void *values) {
  const chain_params *p = values;
  return 2.0 * (double)p->n * (p->slip > 0 ? 2 : 1);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const chain_params *p = values;
  far_mdp_builder *b;
  far_status status = far_mdp_builder_create(&b, (uint32_t)p->n, 2, error);
  if (status != FAR_OK) return status;
  status = far__mdp_builder_expect(b, outcomes(p), error);
  if (status == FAR_OK) status = fill(b, p, error);
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
    .resolve = resolve,
    .build = build,
    .outcomes = outcomes,
};
