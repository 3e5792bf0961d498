/* Growth of cost: problems of 10^2 to 10^8 pairs and of 2 to 1,000 actions, and what is measured on them. */
#ifndef FARSIGHT_BENCH_SCALE_H
#define FARSIGHT_BENCH_SCALE_H

#include "bench/apart.h"
#include "bench/bench.h"

typedef enum scale_series { SERIES_GARNET, SERIES_CHAIN, SERIES_ACTIONS, N_SERIES } scale_series;

/* In the order in which they are measured: the largest last, so that they cannot use up the time of others. */
typedef struct scale_problem {
  scale_series series;
  uint32_t states, actions;
  char env[96];
} scale_problem;

/* An agent, and up to how many pairs it is affordable. */
typedef struct scale_agent {
  const char *name;
  double most_pairs;
  bool plans; /* runs are not computed side by side */
} scale_agent;

extern const scale_agent scale_agents[];

enum { N_SCALE_AGENTS = 7, N_PROBLEMS = 21, SIDE_BY_SIDE = 8, MOST_SCALE_ROWS = 512, MODEL = -1 };

/* A measurement: of a model, or of an agent on it with 1 or SIDE_BY_SIDE runs in a block. */
typedef struct scale_row {
  int problem, agent; /* MODEL: of the model */
  int runs;
  double bytes;   /* of the model or of one agent */
  double peak;    /* of the process up to then, in bytes */
  double seconds; /* to build the model, or that the whole measurement took */
  double steps,
      ns; /* the longest runs, and a step of their last three quarters; of all if it plans */
  char why[WHY_SIZE]; /* it is left out; "": it is not */
} scale_row;

typedef struct scale {
  limits limits;
  double slice; /* seconds that are a measurement */
  scale_problem problems[N_PROBLEMS];
  scale_row rows[MOST_SCALE_ROWS];
  size_t count;
} scale;

static inline double pairs_of(const scale_problem *problem) {
  return (double)problem->states * problem->actions;
}

const char *scale_series_name(scale_series series);

/* The measurement, or NULL. */
const scale_row *find_row(const scale *x, int problem, int agent, int runs);

/* Lists the problems, and measures all. */
void scale_list(scale *x);
void scale_measure(scale *x);

/* Draws the cost of a step. */
far_status scale_figure(far_figure **out, const scale *x, far_error *error);

#endif
