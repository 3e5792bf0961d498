/* RiverSwim: a swimmer in a river of n states, 0 far downstream, with actions 0 = left, with the
 * current and always successful, and 1 = right, against it. A small reward waits at the left end, a
 * large one at the right end, which only a long run of right moves reaches.
 *
 * Two forms are in use.
 *
 * form=2008 (Strehl & Littman 2008, figure 1): right succeeds with probability 0.3, stays with 0.6,
 * falls back with 0.1; in state 0 it succeeds with 0.3 or stays, in the last it stays with 0.3 or
 * falls back. Rewards for staying at an end: 5 by left in state 0, 10,000 by right in the last
 * state. Starts in state 1 or 2 with equal probability.
 *
 * form=2013 (Osband, Russo & Van Roy 2013; the code of TabulaRL): right succeeds with 0.35, stays
 * with 0.6, falls back with 0.05; with 0.6 and 0.4 at the ends. Rewards are paid for the action
 * whatever its outcome: 5/1000 for left in state 0, 1 for right in the last. Starts in state 0.
 *
 * By default the largest reward is 1 in both; left=5,right=10000 are the figures of 2008. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS riverswim_params {
  int64_t n;
  double left, right;
  int32_t form;
  far__criterion criterion;
} riverswim_params;

enum { FORM_2008, FORM_2013 };

#define AT(field) .offset = offsetof(riverswim_params, field)

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "6",
     .min = 3,
     .max = 1000000,
     AT(n),
     .help = "number of states"},
    {.name = "form",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "2008",
     .choices = "2008|2013",
     AT(form),
     .help = "Strehl & Littman's or Osband, Russo & Van Roy's probabilities, rewards and start"},
    {.name = "left",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.0005, with form=2013 0.005",
     .derived = true,
     FAR__ANY_REWARD,
     AT(left),
     .help = "reward of going left at the left end"},
    {.name = "right",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(right),
     .help = "reward of going right at the right end"},
    FAR__ROWS_CRITERION(riverswim_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  (void)error;
  riverswim_params *p = (riverswim_params *)spec->values;
  if (!far__spec_given(spec, offsetof(riverswim_params, left)))
    p->left = p->form == FORM_2008 ? 0.0005 : 0.005;
  return FAR_OK;
}

/* Probabilities of moving right: `end` from state 0 (of staying in the last state), `on` between them; and of falling
 * back, `back`. */
typedef struct current {
  double end, on, back;
} current;

static void swim_right(far__sketch *k, const riverswim_params *p, uint32_t s) {
  const current c = p->form == FORM_2008 ? (current){0.3, 0.3, 0.1} : (current){0.6, 0.35, 0.05};
  const uint32_t last = (uint32_t)p->n - 1;
  if (s == 0) {
    far__outcome(k, s, 1, c.end, 1, 0);
    far__outcome(k, s, 1, 1 - c.end, 0, 0);
  } else if (s == last) {
    far__outcome(k, s, 1, c.end, last, p->right);
    far__outcome(k, s, 1, 1 - c.end, last - 1, p->form == FORM_2008 ? 0 : p->right);
  } else {
    far__outcome(k, s, 1, c.on, s + 1, 0);
    far__outcome(k, s, 1, 0.6, s, 0);
    far__outcome(k, s, 1, c.back, s - 1, 0);
  }
}

static void fill(far__sketch *k, const void *values) {
  const riverswim_params *p = values;
  far__draw_walk(k, (uint32_t)p->n);
  far__range(k, (const double[]){p->left, p->right}, 2);
  for (uint32_t s = 0; s < (uint32_t)p->n; ++s) {
    far__outcome(k, s, 0, 1, s > 0 ? s - 1 : 0, s > 0 ? 0 : p->left);
    swim_right(k, p, s);
  }
  if (p->form == FORM_2008) {
    far__start(k, 1, 0.5);
    far__start(k, 2, 0.5);
  } else {
    far__start(k, 0, 1);
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const riverswim_params *p = values;
  return far__family_build(out, (uint32_t)p->n, 2, 2, fill, p, error);
}

const far__family far__family_riverswim = {
    .info = {.name = "riverswim",
             .summary = "A swim against the current to a large reward, a small one nearby",
             .reference = "Strehl & Littman 2008; form=2013: Osband, Russo & Van Roy 2013",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
