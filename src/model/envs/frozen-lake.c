/* Frozen lake, with the transitions, rewards, numbering and maps of Gymnasium's FrozenLake-v1
 * (checked entry by entry in tests/gymnasium). A walk over ice from S to G; F is ice, H a hole.
 * Reaching G pays 1; G and H end the episode. State row * columns + column; actions 0 = left,
 * 1 = down, 2 = right, 3 = up; a move off the map stays. Slippery ice leads in the intended
 * direction with probability `success` and to either side of it with half of the rest. */
#include "model/envs/draw.h"
#include "model/envs/family.h"
#include "model/envs/map.h"

#include <string.h>

typedef struct FAR__PARAMS lake_params {
  char map[FAR_TEXT_SIZE];
  double success, goal, hole, frozen;
  int32_t slippery;
  far__criterion criterion;
} lake_params;

#define AT(field) .offset = offsetof(lake_params, field)

static const far_param params[] = {
    {.name = "map",
     .kind = FAR_PARAM_TEXT,
     .fallback = "4x4",
     AT(map),
     .help = "4x4, 8x8, rows of S, F, H and G separated by '/', or @FILE with one row per line"},
    {.name = "slippery",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "on",
     .choices = "off|on",
     AT(slippery),
     .help = "whether a move may go to either side of the intended direction"},
    {.name = "success",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.3333333333333333",
     .min = 0,
     .max = 1,
     AT(success),
     .help = "probability of the intended direction on slippery ice"},
    {.name = "goal",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     FAR__ANY_REWARD,
     AT(goal),
     .help = "reward of reaching G"},
    {.name = "hole",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     FAR__ANY_REWARD,
     AT(hole),
     .help = "reward of falling into H"},
    {.name = "frozen",
     .kind = FAR_PARAM_REAL,
     .fallback = "0",
     FAR__ANY_REWARD,
     AT(frozen),
     .help = "reward of every other step"},
    FAR__ROWS_CRITERION(lake_params),
};

static far_status read_map(far__map *map, const lake_params *p, int position, far_error *error) {
  const char *text = p->map;
  if (strcmp(text, "4x4") == 0) text = "SFFF/FHFH/FFFH/HFFG";
  if (strcmp(text, "8x8") == 0)
    text = "SFFFFFFF/FFFFFFFF/FFFHFFFF/FFFFFHFF/FFFHFFFF/FHHFFFHF/FHFFHFHF/FFFHFFFG";
  return far__map_read(map, text, position, "SFHG", error);
}

static far_status resolve(far__spec *spec, far_error *error) {
  const lake_params *p = (const lake_params *)spec->values;
  const int position = spec->position[0];
  far__map map;
  far_status status = read_map(&map, p, position, error);
  if (status != FAR_OK) return status;
  status = far__map_require(&map, 'S', "a start", position, error);
  far__map_free(&map);
  if (status == FAR_OK && !p->slippery)
    status = far__spec_refuse(spec, offsetof(lake_params, success),
                              "with slippery=off every move succeeds", error);
  return status;
}

typedef struct lake {
  const lake_params *p;
  const far__map *map;
} lake;

static void add_move(far__sketch *k, const lake *l, uint32_t s, uint32_t a, uint32_t direction,
                     double probability) {
  const uint32_t next = far__map_step(l->map, s, (far__direction)direction);
  const char cell = l->map->cell[next];
  const double reward = cell == 'G' ? l->p->goal : cell == 'H' ? l->p->hole : l->p->frozen;
  far__outcome(k, s, a, probability, next, reward);
}

static void fill(far__sketch *k, const void *what) {
  const lake *l = what;
  const double success = l->p->slippery ? l->p->success : 1, fail = (1 - success) / 2;
  const uint32_t n_starts = far__map_count(l->map, 'S');
  far__draw_map(k, l->map, NULL, 'F');
  far__draw_moves(k, (const far__direction[]){FAR__LEFT, FAR__DOWN, FAR__RIGHT, FAR__UP});
  far__range(k, (const double[]){l->p->goal, l->p->hole, l->p->frozen}, 3);
  for (uint32_t s = 0; s < l->map->rows * l->map->columns; ++s) {
    if (l->map->cell[s] == 'S') far__start(k, s, 1.0 / n_starts);
    if (l->map->cell[s] == 'G' || l->map->cell[s] == 'H') {
      far__terminal(k, s);
      continue;
    }
    for (uint32_t a = 0; a < 4; ++a) {
      add_move(k, l, s, a, a, success);
      add_move(k, l, s, a, (a + 3) % 4, fail);
      add_move(k, l, s, a, (a + 1) % 4, fail);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const lake_params *p = values;
  far__map map;
  far_status status = read_map(&map, p, -1, error);
  if (status != FAR_OK) return status;
  status = far__family_build(out, map.rows * map.columns, 4, p->slippery ? 3 : 1, fill,
                             &(lake){p, &map}, error);
  far__map_free(&map);
  return status;
}

const far__family far__family_frozen_lake = {
    .info = {.name = "frozen-lake",
             .summary = "A walk over slippery ice between holes; Gymnasium's FrozenLake-v1",
             .reference = "Gymnasium 1.4, FrozenLake-v1",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
