/* Cliff walking (Sutton & Barto 2018, example 6.6), with the transitions, rewards and numbering of
 * Gymnasium's CliffWalking-v1 (checked entry by entry in tests/gymnasium): a grid of 4 rows and 12
 * columns, start at the bottom left, goal at the bottom right, and a cliff between them. Every step
 * pays -1; stepping off the cliff pays -100 and leads back to the start, and the episode continues.
 * State 12 row + column; actions 0 = up, 1 = right, 2 = down, 3 = left. If slippery, a move goes in
 * the intended direction or to either side of it, each with probability 1/3. The cells of the
 * cliff, 37 ... 46, are states that cannot be reached. */
#include "model/envs/draw.h"
#include "model/envs/family.h"
#include "model/envs/map.h"

typedef struct FAR__PARAMS cliff_params {
  double step, fall;
  int32_t slippery;
  far__criterion criterion;
} cliff_params;

enum { ROWS = 4, COLUMNS = 12, START = 36, GOAL = 47 };

#define AT(field) .offset = offsetof(cliff_params, field)

static const far_param params[] = {
    {.name = "slippery",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "off",
     .choices = "off|on",
     AT(slippery),
     .help = "whether a move may go to either side of the intended direction"},
    {.name = "step",
     .kind = FAR_PARAM_REAL,
     .fallback = "-1",
     FAR__ANY_REWARD,
     AT(step),
     .help = "reward of a step"},
    {.name = "fall",
     .kind = FAR_PARAM_REAL,
     .fallback = "-100",
     FAR__ANY_REWARD,
     AT(fall),
     .help = "reward of stepping off the cliff"},
    FAR__ROWS_CRITERION(cliff_params),
};

static void add_move(far__sketch *k, const cliff_params *p, uint32_t s, uint32_t a,
                     uint32_t direction, double probability) {
  const far__map shape = {.rows = ROWS, .columns = COLUMNS};
  const uint32_t next = far__map_step(&shape, s, (far__direction)direction);
  const bool falls = next > START && next < GOAL;
  far__outcome(k, s, a, probability, falls ? START : next, falls ? p->fall : p->step);
}

static void draw(far__sketch *k) {
  far__draw(k, FAR_LAYOUT_GRID, COLUMNS, ROWS);
  far__draw_moves(k, (const far__direction[]){FAR__UP, FAR__RIGHT, FAR__DOWN, FAR__LEFT});
  for (uint32_t s = 0; s <= GOAL; ++s)
    far__place_cell(k, s, s % COLUMNS, s / COLUMNS,
                    s < START    ? NULL
                    : s == START ? "S"
                    : s == GOAL  ? "G"
                                 : "C");
}

static void fill(far__sketch *k, const void *values) {
  const cliff_params *p = values;
  draw(k);
  far__range(k, (const double[]){p->step, p->fall}, 2);
  far__start(k, START, 1);
  far__terminal(k, GOAL);
  for (uint32_t s = 0; s < GOAL; ++s) {
    for (uint32_t a = 0; a < 4; ++a) {
      const uint32_t direction = 3 - a; /* up, right, down, left */
      add_move(k, p, s, a, direction, p->slippery ? 1.0 / 3 : 1);
      add_move(k, p, s, a, (direction + 1) % 4, p->slippery ? 1.0 / 3 : 0);
      add_move(k, p, s, a, (direction + 3) % 4, p->slippery ? 1.0 / 3 : 0);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  return far__family_build(out, ROWS * COLUMNS, 4, 1, fill, values, error);
}

const far__family far__family_cliff_walking = {
    .info = {.name = "cliff-walking",
             .summary = "The shortest way leads along a cliff; Gymnasium's CliffWalking-v1",
             .reference = "Sutton & Barto 2018, example 6.6; Gymnasium 1.4, CliffWalking-v1",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
