/* A grid world from a map: '#' is a wall, '.' free, 'S' free and a start, 'G' a goal and 'P' a pit;
 * goals and pits end the episode. States are the cells that are not walls, row by row; actions
 * 0 = up, 1 = right, 2 = down, 3 = left. A move into a wall or off the map stays. With probability
 * `slip` a move goes to one of the two sides of the intended direction, each half the time. Every
 * step pays `step`, the one that reaches a goal or a pit pays `goal` or `pit` in its place. */
#include "model/envs/draw.h"
#include "model/envs/family.h"
#include "model/envs/map.h"

#include <stdlib.h>

#include "base/error.h"

typedef struct FAR__PARAMS grid_params {
  char map[FAR_TEXT_SIZE];
  double slip, step, goal, pit;
  far__criterion criterion;
} grid_params;

#define AT(field) .offset = offsetof(grid_params, field)

static const far_param params[] = {
    {.name = "map",
     .kind = FAR_PARAM_TEXT,
     .fallback = "S..../.##.P/.#.../.#.#./...#G",
     AT(map),
     .help = "rows of '#', '.', S, G and P separated by '/', or @FILE with one row per line"},
    {.name = "slip",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     .min = 0,
     .max = 1,
     AT(slip),
     .help = "probability of moving to one side of the intended direction"},
    {.name = "step",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     FAR__ANY_REWARD,
     AT(step),
     .help = "reward of a step"},
    {.name = "goal",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(goal),
     .help = "reward of reaching G"},
    {.name = "pit",
     .kind = FAR_PARAM_REAL,
     .fallback = "-1",
     FAR__ANY_REWARD,
     AT(pit),
     .help = "reward of falling into P"},
    FAR__ROWS_CRITERION(grid_params),
};

static const char cells[] = "#.SGP";

static far_status resolve(far__spec *spec, far_error *error) {
  const grid_params *p = (const grid_params *)spec->values;
  const int position = spec->position[0];
  far__map map;
  far_status status = far__map_read(&map, p->map, position, cells, error);
  if (status != FAR_OK) return status;
  status = far__map_require(&map, 'S', "a start", position, error);
  far__map_free(&map);
  return status;
}

typedef struct grid {
  const grid_params *p;
  const far__map *map;
  const uint32_t *state; /* of each cell that is not a wall */
} grid;

static void add_move(far__sketch *k, const grid *g, uint32_t cell, uint32_t a, uint32_t direction,
                     double probability) {
  uint32_t next = far__map_step(g->map, cell, (far__direction)direction);
  if (g->map->cell[next] == '#') next = cell;
  const char c = g->map->cell[next];
  const double reward = c == 'G' ? g->p->goal : c == 'P' ? g->p->pit : g->p->step;
  far__outcome(k, g->state[cell], a, probability, g->state[next], reward);
}

static void fill(far__sketch *k, const void *what) {
  const grid *g = what;
  const uint32_t n_starts = far__map_count(g->map, 'S');
  far__draw_map(k, g->map, g->state, '.');
  far__draw_moves(k, (const far__direction[]){FAR__UP, FAR__RIGHT, FAR__DOWN, FAR__LEFT});
  far__range(k, (const double[]){g->p->step, g->p->goal, g->p->pit}, 3);
  for (uint32_t cell = 0; cell < g->map->rows * g->map->columns; ++cell) {
    const char c = g->map->cell[cell];
    if (c == '#') continue;
    if (c == 'S') far__start(k, g->state[cell], 1.0 / n_starts);
    if (c == 'G' || c == 'P') {
      far__terminal(k, g->state[cell]);
      continue;
    }
    for (uint32_t a = 0; a < 4; ++a) {
      const uint32_t direction = 3 - a; /* up, right, down, left */
      add_move(k, g, cell, a, direction, 1 - g->p->slip);
      add_move(k, g, cell, a, (direction + 1) % 4, g->p->slip / 2);
      add_move(k, g, cell, a, (direction + 3) % 4, g->p->slip / 2);
    }
  }
}

static far_status build_map(far_mdp **out, const grid_params *p, const far__map *map,
                            far_error *error) {
  const uint32_t n = map->rows * map->columns;
  uint32_t *state = malloc(n * sizeof *state), count = 0;
  if (state == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a map of %lu cells",
                     (unsigned long)n);
  for (uint32_t i = 0; i < n; ++i) {
    state[i] = count;
    count += map->cell[i] != '#';
  }
  const far_status status =
      far__family_build(out, count, 4, p->slip > 0 ? 3 : 1, fill, &(grid){p, map, state}, error);
  free(state);
  return status;
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const grid_params *p = values;
  far__map map;
  far_status status = far__map_read(&map, p->map, -1, cells, error);
  if (status != FAR_OK) return status;
  status = build_map(out, p, &map, error);
  far__map_free(&map);
  return status;
}

const far__family far__family_grid = {
    .info = {.name = "grid",
             .summary = "A grid world drawn as a text map, in the spec or in a file",
             .reference = "common; the map is the user's",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
