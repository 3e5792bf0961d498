/* Growth of cost: problems of 10^2 to 10^8 pairs and of 2 to 1,000 actions, and what is measured on them. */
#ifndef FARSIGHT_BENCH_SCALE_H
#define FARSIGHT_BENCH_SCALE_H

#include "bench/apart.h"
#include "bench/bench.h"

typedef enum scale_series { SERIES_GARNET, SERIES_CHAIN, SERIES_ACTIONS, N_SERIES } scale_series;

/* Problems are measured in the order of their list: the largest last, so that they cannot use up the time of the
 * others. */
typedef struct scale_problem {
  scale_series series;
  uint32_t states, actions;
  char env[96];
} scale_problem;

/* An agent, and up to how many pairs it is affordable. */
typedef struct scale_agent {
  const char *name;
  double most_pairs;
  bool plans; /* it plans, so its runs are not computed side by side */
} scale_agent;

extern const scale_agent scale_agents[];

enum { N_SCALE_AGENTS = 7, N_PROBLEMS = 21, SIDE_BY_SIDE = 8, MOST_SCALE_ROWS = 512, MODEL = -1 };

/* A measurement: of a model, or of an agent on it with 1 or SIDE_BY_SIDE runs in a block. */
typedef struct scale_row {
  int problem, agent; /* agent is MODEL: a measurement of the model itself */
  int runs;
  double bytes;     /* of the model or of one agent */
  double peak;      /* peak memory of the process up to then, in bytes */
  double seconds;   /* to build the model, or of the whole measurement */
  double steps, ns; /* length of the longest runs; ns a step of their last 3/4 (planners: of all) */
  char why[WHY_SIZE]; /* why it was left out; "" if it was not */
} scale_row;

typedef struct scale {
  limits limits;
  double slice; /* the least seconds of a measurement */
  scale_problem problems[N_PROBLEMS];
  scale_row rows[MOST_SCALE_ROWS];
  size_t count;
} scale;

static inline double pairs_of(const scale_problem *problem) {
  return (double)problem->states * problem->actions;
}

const char *scale_series_name(scale_series series);

/* The measurement with this problem, agent and number of runs, or NULL. */
const scale_row *find_row(const scale *x, int problem, int agent, int runs);

/* scale_list fills in the problems; scale_measure measures all of them. */
void scale_list(scale *x);
void scale_measure(scale *x);

/* Draws the cost of a step. */
far_status scale_figure(far_figure **out, const scale *x, far_error *error);

#endif
