/* Deep sea (Osband et al. 2019, bsuite; Osband, Van Roy, Russo & Wen 2019): a diver starts at the
 * top left of an n x n grid and sinks one row a step; one of the two actions leads left, the other
 * right, and a step to the right costs cost / n. Going right in the last column, which only n rights
 * in a row reach, pays 1. The episode ends below the last row.
 *
 * Which action leads right is drawn for every cell, as the original has it (mapping=random), so that
 * no fixed preference of an agent helps; mapping=fixed makes it action 1 everywhere.
 *
 * stochastic=on: a step to the right fails, sinking straight, with probability 1 / n, and rewards at
 * both ends of the last row are noisy. The noise of the original is normal with variance 1; rewards
 * of a finite model have finitely many values, so here it is +-noise with equal probability, which
 * for noise=1 has the same mean and variance.
 *
 * State row n + column, as the one-hot observation of bsuite counts; then one terminal state. Cells
 * right of the diagonal cannot be reached. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS deepsea_params {
  int64_t n, seed;
  double cost, treasure, noise;
  int32_t stochastic, mapping;
  far__criterion criterion;
} deepsea_params;

enum { MAPPING_RANDOM, MAPPING_FIXED };

#define AT(field) .offset = offsetof(deepsea_params, field)

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 1,
     .max = 2000,
     AT(n),
     .help = "rows and columns; there are n^2 + 1 states"},
    {.name = "stochastic",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "off",
     .choices = "off|on",
     AT(stochastic),
     .help = "whether steps to the right fail with probability 1 / n"},
    {.name = "cost",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.01",
     .min = 0,
     .max = INFINITY,
     .max_open = true,
     AT(cost),
     .help = "what n steps to the right cost together"},
    {.name = "treasure",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(treasure),
     .help = "reward at the end of the one path of rights"},
    {.name = "noise",
     .kind = FAR_PARAM_REAL,
     .fallback = "1, with stochastic=off 0",
     .derived = true,
     .min = 0,
     .max = INFINITY,
     .max_open = true,
     AT(noise),
     .help = "rewards at both ends of the last row vary by +-noise, each with probability 1/2"},
    {.name = "mapping",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "random",
     .choices = "random|fixed",
     AT(mapping),
     .help = "whether the action that leads right is drawn for every cell, or always action 1"},
    {.name = "seed",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "0",
     FAR__ANY_SEED,
     AT(seed),
     .help = "seed of the mapping"},
    FAR__ROWS_CRITERION(deepsea_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  deepsea_params *p = (deepsea_params *)spec->values;
  if (!far__spec_given(spec, offsetof(deepsea_params, noise))) p->noise = p->stochastic ? 1 : 0;
  if (p->mapping == MAPPING_RANDOM) return FAR_OK;
  return far__spec_refuse(spec, offsetof(deepsea_params, seed),
                          "with mapping=fixed nothing is drawn", error);
}

/* One outcome, split in two where the reward is noisy. */
static void add(far__sketch *k, const deepsea_params *p, uint32_t s, uint32_t a, double probability,
                uint32_t next, double reward) {
  const uint32_t n = (uint32_t)p->n, row = s / n, column = s % n;
  if (p->noise == 0 || row != n - 1 || (column != 0 && column != n - 1)) {
    far__outcome(k, s, a, probability, next, reward);
  } else {
    far__outcome(k, s, a, probability / 2, next, reward + p->noise);
    far__outcome(k, s, a, probability / 2, next, reward - p->noise);
  }
}

static void add_cell(far__sketch *k, const deepsea_params *p, uint32_t s, uint32_t right) {
  const uint32_t n = (uint32_t)p->n, row = s / n, column = s % n;
  const bool bottom = row == n - 1;
  const uint32_t below = (row + 1) * n; /* at the bottom this is the terminal state */
  const uint32_t west = bottom || column == 0 ? 0 : column - 1;
  const uint32_t east = bottom ? 0 : column == n - 1 ? column : column + 1;
  const double slip = p->stochastic ? 1.0 / n : 0;
  const double reward = (column == n - 1 ? p->treasure : 0) - p->cost / n;
  add(k, p, s, right, 1 - slip, below + east, reward);
  add(k, p, s, right, slip, below + (bottom ? 0 : column), reward);
  add(k, p, s, 1 - right, 1, below + west, 0);
}

/* The terminal state is drawn below the last row. Arrows need the same mapping in all cells. */
static void draw(far__sketch *k, const deepsea_params *p) {
  const uint32_t n = (uint32_t)p->n;
  far__draw(k, FAR_LAYOUT_GRID, n, n + 1.0);
  for (uint32_t s = 0; s < n * n; ++s)
    far__place_cell(k, s, s % n, s / n, s == 0 ? "S" : s == n * n - 1 ? "G" : NULL);
  far__place_cell(k, n * n, (n - 1) / 2, n, "end");
  if (p->mapping != MAPPING_FIXED) return;
  far__arrow(k, 0, -1, 1, "left");
  far__arrow(k, 1, 1, 1, "right");
}

static void fill(far__sketch *k, const void *values) {
  const deepsea_params *p = values;
  const uint32_t n = (uint32_t)p->n;
  draw(k, p);
  const double step = -p->cost / n, gain = p->treasure + step;
  far__range(k,
             (const double[]){step, gain, step - p->noise, gain - p->noise, gain + p->noise,
                              p->noise, -p->noise},
             7);
  far__start(k, 0, 1);
  far__terminal(k, n * n);
  far_rng rng;
  far_rng_init(&rng, (uint64_t)p->seed, 0, FAR_PURPOSE_MODEL);
  for (uint32_t s = 0; s < n * n; ++s)
    add_cell(k, p, s, p->mapping == MAPPING_FIXED ? 1 : far_rng_below(&rng, 2));
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const deepsea_params *p = values;
  return far__family_build(out, (uint32_t)(p->n * p->n) + 1, 2, p->stochastic ? 1.5 : 1, fill, p,
                           error);
}

const far__family far__family_deepsea = {
    .info = {.name = "deepsea",
             .summary =
                 "A dive of n steps in which a single sequence of actions finds the treasure",
             .reference = "Osband et al. 2019 (bsuite)",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
