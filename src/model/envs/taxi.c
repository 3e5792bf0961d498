/* Taxi (Dietterich 2000), with the transitions, rewards and numbering of Gymnasium's Taxi-v4
 * (checked entry by entry in tests/gymnasium).
 *
 *     +---------+
 *     |R: | : :G|
 *     | : | : : |
 *     | : : : : |
 *     | | : | : |
 *     |Y| : |B: |
 *     +---------+
 *
 * A passenger waits at one of R, G, Y, B and wants to go to another. Actions 0 ... 5 = south, north, east,
 * west, pick up, drop off; bars are walls. A step pays -1, a pick-up or drop-off that cannot be done
 * -10, delivery 20, which ends the episode. State ((row 5 + column) 5 + passenger) 4 + destination,
 * passenger 4 being in the taxi. Starts: passenger waiting anywhere but at the destination, taxi
 * anywhere, all equally likely.
 *
 * With rainy=on a move that is not blocked goes the intended way with probability `dry`, to either
 * side with half of the rest; a blocked one stays without drifting.
 *
 * Delivery leads to a state of its own, the last and only terminal one, as file: reads it from the table
 * P: there the state in which the passenger has arrived is also entered by moves that end nothing, from
 * states that no episode reaches. The fickle passenger of Gymnasium needs a memory that is not part of
 * the state and is left out. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS taxi_params {
  double dry;
  int32_t rainy;
  far__criterion criterion;
} taxi_params;

enum { SIDE = 5, IN_TAXI = 4, DELIVERED = 500, N_STATES, N_ACTIONS = 6 };

#define AT(field) .offset = offsetof(taxi_params, field)

static const far_param params[] = {
    {.name = "rainy",
     .kind = FAR_PARAM_CHOICE,
     .fallback = "off",
     .choices = "off|on",
     AT(rainy),
     .help = "whether the taxi may drift to either side"},
    {.name = "dry",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.8",
     .min = 0,
     .max = 1,
     AT(dry),
     .help = "with rainy=on, the probability of the intended direction"},
    FAR__ROWS_CRITERION(taxi_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  const taxi_params *p = (const taxi_params *)spec->values;
  if (p->rainy) return FAR_OK;
  return far__spec_refuse(spec, offsetof(taxi_params, dry), "with rainy=off the taxi never drifts",
                          error);
}

typedef struct place {
  uint32_t row, column;
} place;

typedef struct situation {
  place taxi;
  uint32_t passenger, destination;
} situation;

static const place stands[4] = {{0, 0}, {0, 4}, {4, 0}, {4, 3}}; /* R, G, Y, B */

static bool at_stand(place taxi, uint32_t stand) {
  return taxi.row == stands[stand].row && taxi.column == stands[stand].column;
}

static uint32_t state_of(situation x) {
  return ((x.taxi.row * SIDE + x.taxi.column) * 5 + x.passenger) * 4 + x.destination;
}

/* Is there a wall between a column and the next? */
static bool wall_east(place taxi) {
  return (taxi.column == 1 && taxi.row < 2) ||
         ((taxi.column == 0 || taxi.column == 2) && taxi.row > 2);
}

/* Moves the taxi south, north, east or west (heading 0 to 3); false if a wall is in the way. */
static bool move(place *taxi, uint32_t heading) {
  const place west = {taxi->row, taxi->column - 1};
  switch (heading) {
  case 0:
    if (taxi->row == SIDE - 1) return false;
    taxi->row += 1;
    return true;
  case 1:
    if (taxi->row == 0) return false;
    taxi->row -= 1;
    return true;
  case 2:
    if (taxi->column == SIDE - 1 || wall_east(*taxi)) return false;
    taxi->column += 1;
    return true;
  default:
    if (taxi->column == 0 || wall_east(west)) return false;
    taxi->column -= 1;
    return true;
  }
}

static void add_drift(far__sketch *k, situation x, uint32_t a, uint32_t heading,
                      double probability) {
  const uint32_t s = state_of(x);
  move(&x.taxi, heading);
  far__outcome(k, s, a, probability, state_of(x), -1);
}

static void add_moves(far__sketch *k, const taxi_params *p, situation x) {
  for (uint32_t a = 0; a < 4; ++a) {
    place to = x.taxi;
    const bool free = move(&to, a);
    const double dry = p->rainy && free ? p->dry : 1;
    const uint32_t side = a < 2 ? 2 : 0; /* east and west of south and north, and so on */
    add_drift(k, x, a, a, dry);
    add_drift(k, x, a, side, (1 - dry) / 2);
    add_drift(k, x, a, side + 1, (1 - dry) / 2);
  }
}

static void add_pick_up(far__sketch *k, situation x) {
  const uint32_t s = state_of(x);
  const bool can = x.passenger < IN_TAXI && at_stand(x.taxi, x.passenger);
  if (can) x.passenger = IN_TAXI;
  far__outcome(k, s, 4, 1, state_of(x), can ? -1 : -10);
}

static void add_drop_off(far__sketch *k, situation x) {
  const uint32_t s = state_of(x);
  double reward = -10;
  bool delivered = false;
  for (uint32_t stand = 0; stand < 4; ++stand) {
    if (x.passenger != IN_TAXI || !at_stand(x.taxi, stand)) continue;
    x.passenger = stand;
    delivered = stand == x.destination;
    reward = delivered ? 20 : -1;
    break;
  }
  far__outcome(k, s, 5, 1, delivered ? DELIVERED : state_of(x), reward);
}

/* The drawing has a town for each passenger (rows) and destination (columns), with gaps between; delivery is below. */
enum { TOWN = SIDE + 1, TOWNS_ACROSS = 4, TOWNS_DOWN = 5 };

static void draw_town(far__sketch *k, uint32_t left, uint32_t top) {
  const double right = left + (double)SIDE, bottom = top + (double)SIDE;
  far__wall(k, left, top, right, top);
  far__wall(k, left, bottom, right, bottom);
  far__wall(k, left, top, left, bottom);
  far__wall(k, right, top, right, bottom);
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    const place at = {i / SIDE, i % SIDE};
    if (wall_east(at))
      far__wall(k, left + at.column + 1.0, top + at.row, left + at.column + 1.0,
                top + at.row + 1.0);
  }
}

static void draw(far__sketch *k) {
  static const char *const names[] = {"R", "G", "Y", "B"};
  static const far__direction moves[4] = {FAR__DOWN, FAR__UP, FAR__RIGHT, FAR__LEFT};
  far__draw(k, FAR_LAYOUT_GRID, TOWNS_ACROSS * TOWN - 1, TOWNS_DOWN * TOWN + 1);
  far__draw_moves(k, moves);
  far__arrow(k, 4, 0, 0, "pick up");
  far__arrow(k, 5, 0, 0, "drop");
  for (uint32_t passenger = 0; passenger < TOWNS_DOWN; ++passenger)
    for (uint32_t destination = 0; destination < TOWNS_ACROSS; ++destination)
      draw_town(k, destination * TOWN, passenger * TOWN);
  for (uint32_t s = 0; s < DELIVERED; ++s) {
    const situation x = {{s / 100, s / 20 % 5}, s / 4 % 5, s % 4};
    const char *label = NULL;
    for (uint32_t stand = 0; stand < 4; ++stand)
      if (at_stand(x.taxi, stand)) label = names[stand];
    far__place_cell(k, s, x.destination * TOWN + x.taxi.column, x.passenger * TOWN + x.taxi.row,
                    label);
  }
  far__place_cell(k, DELIVERED, (TOWNS_ACROSS * TOWN - 1) / 2, TOWNS_DOWN * TOWN, "end");
}

static void fill(far__sketch *k, const void *values) {
  draw(k);
  far__range(k, (const double[]){-10, 20}, 2);
  far__terminal(k, DELIVERED);
  for (uint32_t s = 0; s < DELIVERED; ++s) {
    const situation x = {{s / 100, s / 20 % 5}, s / 4 % 5, s % 4};
    if (x.passenger < IN_TAXI && x.passenger != x.destination) far__start(k, s, 1.0 / 300);
    add_moves(k, values, x);
    add_pick_up(k, x);
    add_drop_off(k, x);
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  return far__family_build(out, N_STATES, N_ACTIONS, 1, fill, values, error);
}

const far__family far__family_taxi = {
    .info = {.name = "taxi",
             .summary =
                 "Fetch a passenger and bring them to their destination; Gymnasium's Taxi-v4",
             .reference = "Dietterich 2000; Gymnasium 1.4, Taxi-v4",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
