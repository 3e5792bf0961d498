/* The progress of a study, seen from its store: what is finished, how narrow the intervals are, how fast it
 * goes and how long it will take. A follower polls a store that other processes write to; each poll reads
 * only what was committed since the last.
 *
 *     far__follower_def def = far__follower_def_default();
 *     def.plan = far_study_batch(study);                       or NULL where no plan is known
 *     far__follower *follower;
 *     far_status status = far__follower_create(&follower, &def, &error);
 *     while (status == FAR_OK && !far__follower_seen(follower)->finished) {
 *       status = far__follower_poll(follower, store, now, &error);
 *       ... far__follower_seen(follower)->cells[i].mean ...
 *     }
 *     far__follower_free(follower);
 */
#ifndef FAR_QUESTIONS_STORE_STORE_PROGRESS_H
#define FAR_QUESTIONS_STORE_STORE_PROGRESS_H

#include "farsight/statistics.h"
#include "farsight/store.h"
#include "lab/store/access.h"

typedef struct far__follower_def {
  /* What the study will run, with its number of runs, metrics and curves: must outlive the follower. NULL,
   * the default: not known; then nothing is known of what is left. Simulators without a version are refused,
   * as stores refuse them. */
  const far_batch_def *plan;
  /* The stopping rule of the plan, whose runs are then ignored; copied. NULL, the default: none. */
  const far_until *until;
  /* Or the plan runs until its agents are ranked: cell i * n_agents + j is agent j on environment i. Copied.
   * NULL, the default: it does not. */
  const far_ranking_def *ranking;
  size_t n_agents;
  bool (*proceeds)(void *user); /* is asked now and then; false ends with CANCELLED. May be NULL */
  void *user;
} far__follower_def;

far__follower_def far__follower_def_default(void);

/* ---- what is seen ---- */

/* The half-width of the 95% interval of the mean (Student) after so many runs. */
typedef struct far__store_width {
  int64_t runs;
  double ci95;
} far__store_width;

typedef struct far__store_progress_cell {
  const char *key;         /* as in far_record */
  const char *env, *agent; /* labels, as one would type them */
  int64_t steps;           /* 0: not known (imported) */
  uint64_t seed;
  int numerics;
  bool is_planned;
  int64_t runs; /* whose totals the store has */
  /* Of planned cells: runs that it will have, with a stopping rule as estimated at the last look; those of
   * them that have all series of the plan; and whether there is nothing left to do. Others: runs, runs,
   * true. Snapshots are not counted. */
  int64_t planned, done;
  bool finished;
  double mean, ci95; /* of the totals of all `runs`, as far_sample_moments has them; or NAN */
  /* The interval as the runs came, in the order of replicates: after 2, 4, 8, ... runs, and last after
   * all of them. Empty below 2 runs. */
  const far__store_width *widths;
  size_t n_widths;
  double seconds; /* of processor time that its runs took */
} far__store_progress_cell;

/* One command that wrote to the store. */
typedef struct far__store_progress_session {
  const char *machine, *command, *version; /* as in far_session */
  const char *started, *last;
  int processors;
  int ranks;  /* of an MPI job, as its command says; 1 otherwise */
  double age; /* seconds since its last commit, at the last poll; NAN if its time cannot be read */
  int64_t runs; /* totals that it has added */
  double steps; /* of these runs, as far as their number is known */
  double seconds;
} far__store_progress_session;

typedef struct far__store_progress {
  bool has_plan;
  bool finished; /* nothing of the plan is left; false without a plan */
  /* The cells of the plan in its order, then the others in the order of their first commit. */
  const far__store_progress_cell *cells;
  size_t n_cells, n_planned;
  size_t n_finished; /* of the planned cells */
  /* In the order of their first commit. */
  const far__store_progress_session *sessions;
  size_t n_sessions;
  int64_t runs;          /* in the store */
  int64_t planned, done; /* of planned cells; done is at most planned */
  /* Of the planned work that is done, by its time as far as known; NAN without a plan. */
  double share;
  double seconds;          /* of processor time, of all runs in the store */
  double steps_per_second; /* lately; 0: nothing was committed lately; NAN: not known yet */
  double busy;         /* processors that compute, lately: processor time a second; NAN likewise */
  double seconds_left; /* about; NAN: not known */
  double quiet;        /* seconds since something was committed; NAN: nothing was */
} far__store_progress;

/* ---- following ---- */

typedef struct far__follower far__follower;

/* Names the cells of the plan. Fails with MEMORY, CANCELLED, and as far_keeper_create does. */
far_status far__follower_create(far__follower **out, const far__follower_def *def,
                                far_error *error);
void far__follower_free(far__follower *follower); /* NULL is fine */

/* Reads what was committed since the last poll. The store may be closed between polls; it must be the same
 * file. `now` is the time in seconds since 1970, by which speed and ages are told; where it goes back, the
 * speed is measured anew. Fails as the calls that read a store do, with MEMORY or CANCELLED; the next poll
 * continues where this one failed. */
far_status far__follower_poll(far__follower *follower, far_store *store, double now,
                              far_error *error);

/* What it has seen; owned by the follower, and valid until the next poll. */
const far__store_progress *far__follower_seen(const far__follower *follower);

/* ---- what its files share: cells and their numbers (store-progress-cells.c), what they are called
 * (store-progress-labels.c), runs until agents are ranked (store-progress-ranking.c), speed and time left
 * (store-progress-rate.c), the polls (store-progress.c) ---- */

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
  far__store_width *widths;
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

struct far__follower {
  far__follower_def def;
  far_until until;
  far_ranking *ranking; /* of the plan; or NULL */
  far_keeper *keeper;   /* of the plan; NULL without one */
  far__store_progress seen;
  far__store_progress_cell *shown; /* of each cell */
  far__followed_cell *cells;
  size_t cells_capacity, shown_capacity;
  uint32_t *slots; /* cells by their keys: index + 1 */
  size_t n_slots;
  far__followed_env *envs;
  size_t n_envs, envs_capacity;
  far__followed_agent *agents;
  size_t n_agents, agents_capacity;
  bool relabel; /* there are new cells */
  far__store_progress_session *sessions;
  far__followed_session *origins;
  size_t sessions_capacity, origins_capacity;
  int64_t after;                              /* the last block that was taken */
  far__followed_moment moments[FAR__MOMENTS]; /* the last ones, oldest first */
  size_t n_moments;
  far__followed_moment sum; /* at the last poll */
};

far_status far__follow_memory(far_error *error);

/* A text on the heap becomes a copy of another; false without memory. */
bool far__follow_replace(char **text, const char *by);
void far__followed_env_free(far__followed_env *env);

/* ---- store-progress-cells.c ---- */

/* The number of the cell with this key; n_cells if there is none. */
size_t far__followed_find(const far__follower *f, const char *key);

/* Adds a cell. `shape` is that of its environment; NULL: to be found out. */
far_status far__followed_add(far__follower *f, const far_record *record, const far_shape *shape,
                             far_error *error);
far_status far__followed_plan(far__follower *f, far_error *error); /* adds those of the plan */

/* Adds a block to its cell, or leaves everything as it is. */
far_status far__followed_take(far__follower *f, size_t cell, const far__store_block *block,
                              far_error *error);

/* Computes what is shown of the cells that have changed. */
far_status far__followed_measure(far__follower *f, far_error *error);
void far__followed_cell_free(far__followed_cell *cell);

/* The runs that are there without a gap, from the first one of the plan on: how many, and their totals. */
int64_t far__followed_unbroken(const far__follower *f, const far__followed_cell *cell,
                               int64_t count, const double **x);

/* The runs of the plan that have all series, of a planned cell. */
int64_t far__followed_done(const far__followed_cell *cell);

/* ---- store-progress-ranking.c ---- */

/* Looks at the runs as the plan's ranking does, and sets planned, done and finished. */
far_status far__followed_rank(far__follower *f, far_error *error);

/* ---- store-progress-labels.c ---- */

/* Finds the environment and the agent of a new cell, or adds them. */
far_status far__followed_name(far__followed_cell *cell, far__follower *f, const far_record *record,
                              const far_shape *shape, far_error *error);

/* Gives all cells labels that tell them apart. */
far_status far__followed_relabel(far__follower *f, far_error *error);

/* ---- store-progress-rate.c ---- */

/* Fills in all sums, the speed and the time left. */
void far__followed_rate(far__follower *f, double now);

#endif
