/* A scaling study: what its parts share. */
#ifndef FAR_QUESTIONS_GROWTH_SCALING_H
#define FAR_QUESTIONS_GROWTH_SCALING_H

#include "farsight/scaling.h"

/* What is at hand while a size is run. */
typedef struct far__station {
  far_mdp *mdp;                 /* NULL: nothing is prepared */
  far_metric *metric;           /* NULL with rewards */
  char (*specs)[FAR_SPEC_SIZE]; /* of the agents, with a discount */
  far_cell *cells;              /* of one batch ... */
  size_t *agent_of;             /* ... and whose they are */
  size_t n_cells;
} far__station;

struct far_scaling {
  far_scaling_def def; /* texts and lists are its own */
  size_t next;         /* size, to be prepared or run */
  far__station at;
  far_scaling_cell *cells; /* of agent j at size i: i * n_agents + j */
};

static inline far_scaling_cell *far__scaling_cell(const far_scaling *s, size_t size, size_t agent) {
  return &s->cells[size * s->def.n_agents + agent];
}

/* The laws of n numbers above 0 at sizes, and which of them is better. */
far_scaling_fit far__fit_points(const double *sizes, const double *values, size_t n);

/* Is a time measured, or a reward? */
static inline bool far__measures_time(const far_scaling *s) {
  return s->def.measure != FAR_SCALING_REWARD;
}

/* "The discount" at a size. */
static inline double far__scaling_gamma(const far_scaling_def *def, int64_t size) {
  return def->gamma == def->gamma ? def->gamma : 1 - def->gamma_scale / (double)size;
}

#endif
