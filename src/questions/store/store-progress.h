/* The parts of a follower: cells and their numbers (store-progress-cells.c), what they are called
 * (store-progress-labels.c), runs until agents are ranked (store-progress-ranking.c), speed and time left
 * (store-progress-rate.c), the polls (store-progress.c). */
#ifndef FAR_QUESTIONS_STORE_STORE_PROGRESS_H
#define FAR_QUESTIONS_STORE_STORE_PROGRESS_H

#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "farsight/store-progress.h"

typedef struct far__followed_env {
  char *spec, *model;
  char *label; /* as one would type it, without what tells it from others */
  far_shape shape;
  bool has_shape; /* the model could be made */
  bool has_twin;  /* another model is called the same */
  bool typed;     /* the label is what was typed */
} far__followed_env;

/* Agents that have the same label, on whatever environment: what one costs tells what another will. */
typedef struct far__followed_agent {
  char *label;
  double seconds, steps; /* of all of its runs */
  bool typed;            /* the label is what was typed */
} far__followed_agent;

typedef struct far__followed_cell {
  char *key;
  size_t env, agent;           /* whose they are */
  char *spec;                  /* of the agent, canonical */
  char *env_text, *agent_text; /* labels as they are shown */
  double *totals;              /* in the order of replicates */
  int64_t *replicates;
  size_t capacity; /* of both */
  size_t plan;     /* its number in the plan, if it is planned */
  int64_t *have;   /* if it is planned: runs of the plan that each series has */
  size_t n_series;
  far_store_width *widths;
  size_t widths_capacity;
  int64_t counted_done; /* in the speed */
  bool changed;         /* since it was measured */
} far__followed_cell;

typedef struct far__followed_session {
  int64_t id;
  double first_steps; /* of its first block, which may have come long after its beginning */
  bool changed;
  char *machine, *command, *version, *started, *last;
} far__followed_session;

/* How much was done at that time, since the follower began. */
typedef struct far__followed_moment {
  double at, steps, seconds, work;
} far__followed_moment;

enum { FAR__MOMENTS = 32 };

struct far_follower {
  far_follower_def def;
  far_until until;
  far_ranking *ranking; /* of the plan; or NULL */
  far_keeper *keeper;   /* of the plan; NULL without one */
  far_store_progress seen;
  far_store_progress_cell *shown; /* of each cell */
  far__followed_cell *cells;
  size_t cells_capacity, shown_capacity;
  uint32_t *slots; /* cells by their keys: index + 1 */
  size_t n_slots;
  far__followed_env *envs;
  size_t n_envs, envs_capacity;
  far__followed_agent *agents;
  size_t n_agents, agents_capacity;
  bool relabel; /* there are new cells */
  far_store_progress_session *sessions;
  far__followed_session *origins;
  size_t sessions_capacity, origins_capacity;
  int64_t after;                              /* the last block that was taken */
  far__followed_moment moments[FAR__MOMENTS]; /* the last ones, oldest first */
  size_t n_moments;
  far__followed_moment sum; /* at the last poll */
};

far_status far__follow_memory(far_error *error);

/* ---- store-progress-cells.c ---- */

/* The number of the cell with this key; n_cells if there is none. */
size_t far__followed_find(const far_follower *f, const char *key);

/* Adds a cell. `shape` is that of its environment; NULL: to be found out. */
far_status far__followed_add(far_follower *f, const far_record *record, const far_shape *shape,
                             far_error *error);
far_status far__followed_plan(far_follower *f, far_error *error); /* adds those of the plan */

/* Adds a block to its cell, or leaves everything as it is. */
far_status far__followed_take(far_follower *f, size_t cell, const far_store_block *block,
                              far_error *error);

/* Computes what is shown of the cells that have changed. */
far_status far__followed_measure(far_follower *f, far_error *error);
void far__followed_cell_free(far__followed_cell *cell);

/* The runs that are there without a gap, from the first one of the plan on: how many, and their totals. */
int64_t far__followed_unbroken(const far_follower *f, const far__followed_cell *cell, int64_t count,
                               const double **x);

/* The runs of the plan that have all series, of a planned cell. */
int64_t far__followed_done(const far__followed_cell *cell);

/* ---- store-progress-ranking.c ---- */

/* Looks at the runs as the plan's ranking does, and sets planned, done and finished. */
far_status far__followed_rank(far_follower *f, far_error *error);

/* ---- store-progress-labels.c ---- */

/* Finds the environment and the agent of a new cell, or adds them. */
far_status far__followed_name(far__followed_cell *cell, far_follower *f, const far_record *record,
                              const far_shape *shape, far_error *error);

/* Gives all cells labels that tell them apart. */
far_status far__followed_relabel(far_follower *f, far_error *error);

/* ---- store-progress-rate.c ---- */

/* Fills in all sums, the speed and the time left. */
void far__followed_rate(far_follower *f, double now);

#endif
