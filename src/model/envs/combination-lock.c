/* The combination lock: n states in a row; in each a single action is right and leads on, every
 * other falls back to state 0. The right action in the last state opens the lock: it pays `reward`,
 * and the same lock begins anew at state 0. Whoever acts at random opens it once in about actions^n
 * steps. Known in many forms since Whitehead 1991 and Koenig & Simmons 1993 (reset state spaces);
 * the dynamics are those of Langford's Combolock (RL_acid), where the right action of a state is
 * drawn too, but there the episode ends when the lock opens, and every step before costs 1.
 *
 * `slip` is the probability that a right action falls back as well; `wrong` is paid for a wrong
 * action (antishaping: a small reward for giving up). */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS lock_params {
  int64_t n, actions, seed;
  double slip, reward, wrong;
  far__criterion criterion;
} lock_params;

#define AT(field) .offset = offsetof(lock_params, field)

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 1,
     .max = 1000000,
     AT(n),
     .help = "length of the combination, and number of states"},
    {.name = "actions",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "2",
     .min = 2,
     .max = 1000,
     AT(actions),
     .help = "number of actions, one of which is right"},
    {.name = "slip",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     .min = 0,
     .max = 1,
     AT(slip),
     .help = "probability that a right action falls back too"},
    {.name = "reward",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(reward),
     .help = "reward of opening the lock"},
    {.name = "wrong",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     FAR__ANY_REWARD,
     AT(wrong),
     .help = "reward of a wrong action"},
    {.name = "seed",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "0",
     FAR__ANY_SEED,
     AT(seed),
     .help = "seed of the combination"},
    FAR__ROWS_CRITERION(lock_params),
};

static void fill(far__sketch *k, const void *values) {
  const lock_params *p = values;
  const uint32_t n = (uint32_t)p->n, actions = (uint32_t)p->actions;
  far__range(k, (const double[]){p->reward, p->wrong}, 2);
  far__start(k, 0, 1);
  far__draw_line(k, n);
  far_rng rng;
  far_rng_init(&rng, (uint64_t)p->seed, 0, FAR_PURPOSE_MODEL);
  for (uint32_t s = 0; s < n; ++s) {
    const uint32_t right = far_rng_below(&rng, actions);
    const bool opens = s == n - 1;
    for (uint32_t a = 0; a < actions; ++a) {
      if (a != right) {
        far__outcome(k, s, a, 1, 0, p->wrong);
        continue;
      }
      far__outcome(k, s, a, 1 - p->slip, opens ? 0 : s + 1, opens ? p->reward : 0);
      far__outcome(k, s, a, p->slip, 0, 0);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const lock_params *p = values;
  return far__family_build(out, (uint32_t)p->n, (uint32_t)p->actions, 1, fill, p, error);
}

const far__family far__family_combination_lock = {
    .info = {.name = "combination-lock",
             .summary =
                 "A lock that opens after n right actions in a row; any wrong one starts over",
             .reference = "Koenig & Simmons 1993; the Combolock of Langford's RL_acid",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
