/* Mountain car (Moore 1990; the dynamics of Sutton & Barto 2018 and Gymnasium's MountainCar-v0) on
 * a grid of cells. The car's velocity v in [-0.07, 0.07] and position x in [-1.2, 0.5) follow
 *
 *     v += 0.001 (a - 1) - 0.0025 cos(3 x),    x += v,
 *
 * both cut to their range, v becoming 0 at the left end; x >= 0.5 is the goal. Actions 0, 1, 2 push
 * left, not at all, right. Every step pays -1.
 *
 * Each cell stands for the points x points positions and velocities that divide it evenly, all
 * equally likely: their images, by the exact dynamics, are the outcomes of the cell. With points=1
 * it is the centre alone and the model is deterministic, but then the car stops wherever
 * a step is shorter than half a cell. Starts: x uniform in [-0.6, -0.4] and v = 0, each cell
 * with the share that falls into it.
 *
 * State position cell * velocities + velocity cell; then the goal, which is terminal. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS car_params {
  int64_t positions, velocities, points;
  double step, goal;
  far__criterion criterion;
} car_params;

enum { MOST_POINTS = 16 };

#define AT(field) .offset = offsetof(car_params, field)

static const far_param params[] = {
    {.name = "positions",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "40",
     .min = 2,
     .max = 5000,
     AT(positions),
     .help = "cells of the position; there are positions * velocities + 1 states"},
    {.name = "velocities",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "41",
     .min = 1,
     .max = 5000,
     AT(velocities),
     .help = "cells of the velocity; an odd number has one around 0"},
    {.name = "points",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "8",
     .min = 1,
     .max = MOST_POINTS,
     AT(points),
     .help = "points across a cell, in position and in velocity"},
    {.name = "step",
     .kind = FAR_PARAM_REAL,
     .fallback = "-1",
     FAR__ANY_REWARD,
     AT(step),
     .help = "reward of a step"},
    {.name = "goal",
     .kind = FAR_PARAM_REAL,
     .fallback = "-1",
     FAR__ANY_REWARD,
     AT(goal),
     .help = "reward of the step that reaches the goal"},
    FAR__ROWS_CRITERION(car_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  const car_params *p = (const car_params *)spec->values;
  const far__factor factors[] = {
      {(double)p->positions, "positions", offsetof(car_params, positions)},
      {(double)p->velocities, "velocities", offsetof(car_params, velocities)},
      {3, "actions", offsetof(car_params, positions)},
      {(double)(p->points * p->points), "points", offsetof(car_params, points)},
  };
  return far__check_outcomes(spec, factors, 4, error);
}

static const double LEFT = -1.2, GOAL = 0.5, FASTEST = 0.07;

/* cos x for x in [-4.7, 1.6] from + - * / alone, so that its bits are the same everywhere: pi is
 * added below -pi/2, and the Taylor series at |x| <= pi/2 is cut after x^22 / 22!, the error being
 * below 1e-19 there. With rounding it is off by at most 4e-16. */
static double cosine(double x) {
  const bool turned = x < -1.5707963267948966;
  if (turned) x += 3.141592653589793;
  const double z = x * x;
  double sum = 1;
  for (int j = 11; j >= 1; --j) sum = 1 - sum * z / ((2 * j - 1) * (2 * j));
  return turned ? -sum : sum;
}

static uint32_t cell_of(double share, int64_t cells) {
  const int64_t i = (int64_t)(share * (double)cells);
  return (uint32_t)(i < 0 ? 0 : i >= cells ? cells - 1 : i);
}

static uint32_t next_state(const car_params *p, double x, double v, uint32_t a) {
  v += ((double)a - 1) * 0.001 - cosine(3 * x) * 0.0025;
  if (v > FASTEST) v = FASTEST;
  if (v < -FASTEST) v = -FASTEST;
  x += v;
  if (x >= GOAL) return (uint32_t)(p->positions * p->velocities);
  if (x <= LEFT) {
    x = LEFT;
    if (v < 0) v = 0;
  }
  const uint32_t row = cell_of((x - LEFT) / (GOAL - LEFT), p->positions);
  return row * (uint32_t)p->velocities + cell_of((v + FASTEST) / (2 * FASTEST), p->velocities);
}

typedef struct tally {
  uint32_t size, next[MOST_POINTS * MOST_POINTS], count[MOST_POINTS * MOST_POINTS];
} tally;

static void count(tally *t, uint32_t next) {
  uint32_t i = 0;
  while (i < t->size && t->next[i] != next) ++i;
  if (i == t->size) {
    t->next[i] = next;
    t->count[i] = 0;
    t->size += 1;
  }
  t->count[i] += 1;
}

static void add_pair(far__sketch *k, const car_params *p, uint32_t s, uint32_t a) {
  const uint32_t velocities = (uint32_t)p->velocities, points = (uint32_t)p->points;
  const double width = (GOAL - LEFT) / (double)p->positions;
  const double height = 2 * FASTEST / (double)p->velocities;
  const uint32_t row = s / velocities, column = s % velocities;
  tally t = {.size = 0};
  for (uint32_t i = 0; i < points; ++i) {
    for (uint32_t j = 0; j < points; ++j) {
      const double x = LEFT + width * (row + (i + 0.5) / points);
      const double v = -FASTEST + height * (column + (j + 0.5) / points);
      count(&t, next_state(p, x, v, a));
    }
  }
  const uint32_t goal = (uint32_t)(p->positions * p->velocities);
  for (uint32_t i = 0; i < t.size; ++i)
    far__outcome(k, s, a, (double)t.count[i] / (points * points), t.next[i],
                 t.next[i] == goal ? p->goal : p->step);
}

static void add_starts(far__sketch *k, const car_params *p) {
  const double width = (GOAL - LEFT) / (double)p->positions;
  const uint32_t at_rest = cell_of(0.5, p->velocities);
  for (uint32_t i = 0; i < (uint32_t)p->positions; ++i) {
    const double low = LEFT + width * i, high = LEFT + width * (i + 1);
    const double from = low > -0.6 ? low : -0.6, to = high < -0.4 ? high : -0.4;
    if (to > from) far__start(k, i * (uint32_t)p->velocities + at_rest, (to - from) / 0.2);
  }
}

/* Positions to the right, velocities upwards; the goal is beside them. */
static void draw(far__sketch *k, const car_params *p) {
  const uint32_t columns = (uint32_t)p->positions, rows = (uint32_t)p->velocities;
  far__draw(k, FAR_LAYOUT_GRID, columns + 1.0, rows);
  for (uint32_t s = 0; s < columns * rows; ++s)
    far__place_cell(k, s, s / rows, rows - 1 - s % rows, NULL);
  far__place_cell(k, columns * rows, columns, (rows - 1) / 2, "G");
  far__arrow(k, 0, 0, 0, "left"); /* no direction: a push changes the velocity, not the cell */
  far__arrow(k, 1, 0, 0, "none");
  far__arrow(k, 2, 0, 0, "right");
}

static void fill(far__sketch *k, const void *values) {
  const car_params *p = values;
  draw(k, p);
  const uint32_t goal = (uint32_t)(p->positions * p->velocities);
  far__range(k, (const double[]){p->step, p->goal}, 2);
  add_starts(k, p);
  far__terminal(k, goal);
  for (uint32_t s = 0; s < goal && k->status == FAR_OK; ++s)
    for (uint32_t a = 0; a < 3; ++a) add_pair(k, p, s, a);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const car_params *p = values;
  return far__family_build(out, (uint32_t)(p->positions * p->velocities) + 1, 3,
                           p->points > 1 ? 2 : 1, fill, p, error);
}

static double outcomes(const void *values) {
  const car_params *p = values;
  return 3.0 * (double)p->positions * (double)p->velocities;
}

const far__family far__family_mountain_car = {
    .info = {.name = "mountain-car",
             .summary = "An underpowered car that must swing to get up a hill, on a grid of cells",
             .reference =
                 "Moore 1990; Sutton & Barto 2018, example 10.1; Gymnasium, MountainCar-v0",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
    .outcomes = outcomes,
};
