/* The bridge (Choshen, Fox & Loewenstein 2018, "DORA"; after the authors' code, whose numbering it
 * keeps): three rows of n + 2 cells. The middle row is the bridge: its left end L pays 1 and ends
 * the episode, its right end G pays 10 and ends it, and the n cells between are safe, the first of
 * them the start. The other two rows are the river: falling in pays -100 and ends the episode.
 *
 *     HHHHHHH
 *     LSBBBBG      n = 5
 *     HHHHHHH
 *
 * State row (n + 2) + column; actions 0 = left, 1 = down, 2 = right, 3 = up. With probability
 * `noise` a move goes to one of the two sides of the intended direction, each half the time. The
 * corners cannot be reached. The paper's experiments have n = 5 and 15 and no noise. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS bridge_params {
  int64_t n;
  double noise, low, high, fall;
  far__criterion criterion;
} bridge_params;

#define AT(field) .offset = offsetof(bridge_params, field)

static const far_param params[] = {
    {.name = "n",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "5",
     .min = 1,
     .max = 1000000,
     AT(n),
     .help = "length of the bridge; there are 3 (n + 2) states"},
    {.name = "noise",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     .min = 0,
     .max = 1,
     AT(noise),
     .help = "probability of moving to one side of the intended direction"},
    {.name = "low",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(low),
     .help = "reward of turning back"},
    {.name = "high",
     .kind = FAR_PARAM_REAL,
     .fallback = "10",
     FAR__ANY_REWARD,
     AT(high),
     .help = "reward of crossing"},
    {.name = "fall",
     .kind = FAR_PARAM_REAL,
     .fallback = "-100",
     FAR__ANY_REWARD,
     AT(fall),
     .help = "reward of falling into the river"},
    FAR__ROWS_CRITERION(bridge_params),
};

static void add_move(far__sketch *k, const bridge_params *p, uint32_t column, uint32_t a,
                     uint32_t direction, double probability) {
  const uint32_t width = (uint32_t)p->n + 2, s = width + column;
  const uint32_t next[] = {s - 1, s + width, s + 1, s - width};
  double reward = 0;
  if (direction == 1 || direction == 3) reward = p->fall;
  if (next[direction] == width) reward = p->low;
  if (next[direction] == 2 * width - 1) reward = p->high;
  far__outcome(k, s, a, probability, next[direction], reward);
}

static void draw(far__sketch *k, uint32_t width) {
  static const far__direction moves[4] = {FAR__LEFT, FAR__DOWN, FAR__RIGHT, FAR__UP};
  far__draw(k, FAR_LAYOUT_GRID, width, 3);
  far__draw_moves(k, moves);
  for (uint32_t s = 0; s < 3 * width; ++s) {
    const char *on_bridge = s == width           ? "L"
                            : s == width + 1     ? "S"
                            : s == 2 * width - 1 ? "G"
                                                 : NULL;
    far__place_cell(k, s, s % width, s / width, s / width == 1 ? on_bridge : "H");
  }
}

static void fill(far__sketch *k, const void *values) {
  const bridge_params *p = values;
  const uint32_t width = (uint32_t)p->n + 2;
  draw(k, width);
  far__range(k, (const double[]){p->low, p->high, p->fall}, 3);
  far__start(k, width + 1, 1);
  for (uint32_t s = 0; s < 3 * width; ++s)
    if (s <= width || s >= 2 * width - 1) far__terminal(k, s);
  for (uint32_t column = 1; column <= (uint32_t)p->n; ++column) {
    for (uint32_t a = 0; a < 4; ++a) {
      add_move(k, p, column, a, a, 1 - p->noise);
      add_move(k, p, column, a, (a + 3) % 4, p->noise / 2);
      add_move(k, p, column, a, (a + 1) % 4, p->noise / 2);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const bridge_params *p = values;
  return far__family_build(out, 3 * ((uint32_t)p->n + 2), 4, 1, fill, p, error);
}

const far__family far__family_bridge = {
    .info = {.name = "bridge",
             .summary = "A narrow bridge to a large reward over a river that costs much",
             .reference = "Choshen, Fox & Loewenstein 2018 (DORA), and the authors' code",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .build = build,
};
