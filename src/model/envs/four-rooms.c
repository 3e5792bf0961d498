/* Four rooms (Sutton, Precup & Singh 1999, figure 2): 104 cells in four rooms that are joined by
 * four hallways. Actions 0 = up, 1 = down, 2 = left, 3 = right; a move goes the intended way with
 * probability 2/3 and each of the other three with 1/9; a move into a wall stays. Reaching the goal
 * pays 1 and ends the episode. Cells are numbered row by row: the hallways are 25 (north), 51
 * (west), 62 (east) and 88 (south). The goal is the east hallway unless said otherwise, and starts
 * are all other cells with equal probability, as in Bacon, Harb & Precup 2017. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS rooms_params {
  int64_t goal, start;
  double slip, reward;
  far__criterion criterion;
} rooms_params;

enum { N_CELLS = 104 };

#define AT(field) .offset = offsetof(rooms_params, field)

static const far_param params[] = {
    {.name = "goal",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "62",
     .min = 0,
     .max = N_CELLS - 1,
     AT(goal),
     .help = "the cell that pays and ends the episode"},
    {.name = "start",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "-1",
     .min = -1,
     .max = N_CELLS - 1,
     AT(start),
     .help = "the first cell; -1 for any but the goal with equal probability"},
    {.name = "slip",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.3333333333333333",
     .min = 0,
     .max = 1,
     AT(slip),
     .help = "probability of moving in one of the other three directions"},
    {.name = "reward",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(reward),
     .help = "reward of reaching the goal"},
    FAR__ROWS_CRITERION(rooms_params),
};

static const char plan[] = "#############"
                           "#.....#.....#"
                           "#.....#.....#"
                           "#...........#"
                           "#.....#.....#"
                           "#.....#.....#"
                           "##.####.....#"
                           "#.....###.###"
                           "#.....#.....#"
                           "#.....#.....#"
                           "#...........#"
                           "#.....#.....#"
                           "#############";

enum { SIDE = 13 };

static far_status resolve(far__spec *spec, far_error *error) {
  const rooms_params *p = (const rooms_params *)spec->values;
  if (p->start != p->goal) return FAR_OK;
  return far__spec_fail(spec, offsetof(rooms_params, start), error,
                        "start=%d is the goal; an episode cannot start at its end", (int)p->start);
}

static void add_cell(far__sketch *k, const rooms_params *p, const uint32_t *state, uint32_t cell) {
  static const int step[4] = {-SIDE, SIDE, -1, 1};
  for (uint32_t a = 0; a < 4; ++a) {
    for (uint32_t other = 0; other < 4; ++other) {
      const uint32_t way = (a + other) % 4; /* the intended one first */
      uint32_t next = (uint32_t)((int)cell + step[way]);
      if (plan[next] == '#') next = cell;
      far__outcome(k, state[cell], a, other == 0 ? 1 - p->slip : p->slip / 3, state[next],
                   state[next] == (uint32_t)p->goal ? p->reward : 0);
    }
  }
}

static void draw(far__sketch *k, const rooms_params *p, const uint32_t *state) {
  far__draw(k, FAR_LAYOUT_GRID, SIDE, SIDE);
  far__draw_moves(k, (const far__direction[]){FAR__UP, FAR__DOWN, FAR__LEFT, FAR__RIGHT});
  for (uint32_t cell = 0; cell < SIDE * SIDE; ++cell) {
    const int64_t s = state[cell];
    if (plan[cell] == '#')
      far__wall_cell(k, cell % SIDE, cell / SIDE);
    else
      far__place_cell(k, state[cell], cell % SIDE, cell / SIDE,
                      s == p->goal    ? "G"
                      : s == p->start ? "S"
                                      : NULL);
  }
}

static void fill(far__sketch *k, const void *values) {
  const rooms_params *p = values;
  const uint32_t goal = (uint32_t)p->goal;
  uint32_t state[SIDE * SIDE] = {0}, count = 0;
  for (uint32_t cell = 0; cell < SIDE * SIDE; ++cell)
    if (plan[cell] != '#') state[cell] = count++;
  far__range(k, &p->reward, 1);
  draw(k, p, state);
  far__terminal(k, goal);
  for (uint32_t cell = 0; cell < SIDE * SIDE; ++cell) {
    if (plan[cell] == '#' || state[cell] == goal) continue;
    if (p->start < 0) far__start(k, state[cell], 1.0 / (N_CELLS - 1));
    add_cell(k, p, state, cell);
  }
  if (p->start >= 0) far__start(k, (uint32_t)p->start, 1);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  return far__family_build(out, N_CELLS, 4, 4, fill, values, error);
}

const far__family far__family_four_rooms = {
    .info = {.name = "four-rooms",
             .summary = "Four rooms joined by hallways, with moves that often miss their direction",
             .reference = "Sutton, Precup & Singh 1999, figure 2",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
