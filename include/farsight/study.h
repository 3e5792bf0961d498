/* A study: environments x agents x parameter grids, as one YAML file or as lists of specs describes
 * them. Everything is checked when it is made, before anything runs.
 *
 *     far_study *study;
 *     far_status status = far_study_load(&study, "study.yaml", NULL, 0, &error);
 *     far_results *results;
 *     status = far_study_run(&results, study, &(far_study_run_def){0}, &error);
 *     far_results_free(results);
 *     far_study_free(study);
 */
#ifndef FARSIGHT_STUDY_H
#define FARSIGHT_STUDY_H

#include "farsight/growth.h"
#include "farsight/metric.h"
#include "farsight/run.h"
#include "farsight/ranking.h"
#include "farsight/statistics.h"
#include "farsight/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A note on a study that is not an error: an agent cannot learn or loses its guarantee
 * (far_agent_check), a metric's number would have no meaning (far_metric_check), or no run can
 * reach some states. */
typedef struct far_study_note {
  bool severe;
  bool early; /* of work that begins now and takes long: to be shown at once */
  const char *env, *agent, *metric; /* specs as given; NULL where it is not of one */
  const char *message;
} far_study_note;
typedef void far_study_note_fn(void *user, const far_study_note *note);

/* Specs may contain grids: a value in brackets stands for several, "chain:n=[10,20,50]",
 * "q-learning:epsilon=[0.001..0.1 log 5]", "r-max:m=[5..25 step 5]". Several grids in a spec stand
 * for all combinations; the last key varies fastest. Environments and agents may have a name: of "fast=r-max:m=5"
 * it is "fast", which results, figures and stores call it by. docs/studies.md has the details. */
typedef struct far_study_def {
  const char *name; /* may be NULL */
  const char *const *envs, *const *agents, *const *metrics;
  size_t n_envs, n_agents, n_metrics;
  /* Models in place of specs, or NULL: where models[i] is not NULL, environment i is this model, which must
   * outlive the study, and envs[i] is a name for it, with no grid. A name may not be that of a family.
   * Stores key its results by the name and the content of the model. */
  const far_mdp *const *models;
  /* Simulators in place of specs, likewise, or NULL. They have no model: only metrics that do
   * without one (far_metric.without_model) can watch them, and stores key their runs by name and version. */
  const far_simulator_def *const *simulators;
  double
      gamma; /* the discount of all environments whose spec does not say what counts, in (0, 1); NAN: what they
                 * have. A model or simulator in place of a spec has its own */
  int64_t steps; /* of a run; 0, the default: 10,000, or with `episodes` as many as they can have */
  /* A run ends after so many episodes, done or cut; 0: after its steps. Where an episode may have any number of steps (no
   * horizon), `steps` must be given: the most that a run may have. */
  int64_t episodes;
  int64_t runs; /* with `until` the maximum; 0: 300, or with `until` 100,000, to rank 10,000 */
  uint64_t seed;
  size_t
      most_envs; /* more, with grids expanded, are refused before any is made; 0: no such limit */
  const char *
      curve; /* checkpoints, steps or with `episodes` episodes: "100" (so many, evenly), "log 100", or
               * "10,100,1000"; or NULL */
  /* Add runs until the interval is so narrow, "ci=1%" (far_until), or until the agents are ranked with
   * this error, "rank=5%" (far_ranking); or NULL. */
  const char *until;
  int64_t snapshots;       /* far_batch_def.snapshots; 0: none. They need a curve */
  uint64_t agent_seed;     /* far_batch_def.agent_seed; 0: `seed`. Not part of a file */
  far_study_note_fn *note; /* may be NULL */
  void *note_user;
  const char *
      *wrong; /* may be NULL; after a failure, that spec of this definition which the error's
                       * position is in, or NULL if it is in none */
} far_study_def;

FAR_API far_study_def far_study_def_default(void); /* steps and runs 0, seed 1, gamma NAN */

typedef struct far_study far_study;

/* Expands the grids, makes models and metrics, and checks every agent and metric on every model. At
 * most a million cells, no two of them alike. */
FAR_API far_status far_study_create(far_study **out, const far_study_def *def, far_error *error);

/* Members of a definition that replace what a file says. */
typedef enum far_study_member {
  FAR_STUDY_NAME = 1,
  FAR_STUDY_ENVS = 2,
  FAR_STUDY_AGENTS = 4,
  FAR_STUDY_METRICS = 8,
  FAR_STUDY_STEPS = 16,
  FAR_STUDY_RUNS = 32,
  FAR_STUDY_SEED = 64,
  FAR_STUDY_CURVE = 128,
  FAR_STUDY_UNTIL = 256,
  FAR_STUDY_SNAPSHOTS = 512,
  FAR_STUDY_EPISODES = 1024,
  FAR_STUDY_GAMMA = 2048,
} far_study_member;

/* The same from YAML, which docs/studies.md describes. Of *over (may be NULL) the `members` (a sum)
 * count (with the environments their models and simulators), and most_envs, note and wrong. Errors begin
 * with "PATH:LINE: KEY: ", from memory with "line LINE: KEY: ", and `position` is an offset into the text
 * (into *over's spec if `wrong` says so); IO where there is no such file, ABSENT where the build has no
 * libyaml. */
FAR_API far_status far_study_read(far_study **out, const char *text, size_t length,
                                  const far_study_def *over, unsigned members, far_error *error);
FAR_API far_status far_study_load(far_study **out, const char *path, const far_study_def *over,
                                  unsigned members, far_error *error);
FAR_API void far_study_free(far_study *study); /* NULL is fine */

/* What is to be run: cell i * n_agents + j is agent j on environment i. The caller may copy it and set
 * threads, progress, keep and pool. Owned by the study. */
FAR_API const far_batch_def *far_study_batch(const far_study *study);

typedef struct far_study_info {
  const char *name, *curve, *until; /* "" if it has none */
  double gamma;                     /* NAN if it has none */
  int64_t steps;    /* 0 where each environment has its own: `episodes` of its horizon */
  int64_t episodes; /* 0 if runs end after their steps */
  size_t n_envs, n_agents, n_metrics;
  const char *const *envs, *const *agents, *const *metrics; /* specs as given, grids expanded */
  const char *const *env_labels, *const *agent_labels; /* their names; specs where they have none */
} far_study_info;
FAR_API far_study_info far_study_info_of(const far_study *study);

/* Reads a list of whole numbers with the ranges of a grid, as in "5,10,20..50 step 10" or "[4..16
 * step 2, 20..320 log 5]"; "20..50:10" is short for "20..50 step 10". At most `most` numbers go to
 * `out`, and *count is how many there are. Numbers of a range that are equal when rounded count
 * once. SYNTAX or RANGE, with the position in the text. */
FAR_API far_status far_integers_parse(int64_t *out, size_t *count, size_t most, const char *text,
                                      far_error *error);

/* ---- until the interval is narrow enough ---- */

/* A study's `until`, with its runs as the maximum; RANGE if it has none, SYNTAX if it is a ranking. */
FAR_API far_status far_study_until(far_until *out, const far_study *study, far_error *error);

/* As far_batch_run (or, unless `store` is NULL, far_store_run), but gives each cell as many runs as
 * it needs: all begin with until->first, and those whose interval is not narrow enough continue to
 * the next look. looks[i] is the last look at cell i (its n is 0 if there was none, after
 * CANCELLED), and has the number of its runs that were computed: in the batch of the last look,
 * `known` includes the runs of earlier looks. The batch has far_batch_result(i)->runs = looks[i].n.
 * The numbers of runs in *def are ignored. */
FAR_API far_status far_until_run(far_batch **out, far_look *looks, const far_until *until,
                                 const far_batch_def *def, far_store *store, far_error *error);

/* ---- until the agents are ranked ---- */

/* A study's `until`, with its runs as the maximum; RANGE if it is no ranking or there is one agent. */
FAR_API far_status far_study_ranking(far_ranking_def *out, const far_study *study,
                                     far_error *error);

/* As far_until_run, but runs are added until every pair of agents is decided on every environment, or
 * there is no further look: an agent gets runs as long as one of its pairs is open. The ranking must be
 * a new one, and cell i * n_agents + j agent j on environment i. computed[i] is the number of runs of
 * cell i that were computed. After CANCELLED the ranking has the looks that were taken. */
FAR_API far_status far_ranking_run(far_batch **out, far_ranking *ranking, int64_t *computed,
                                   const far_batch_def *def, far_store *store, far_error *error);

/* ---- running it ---- */

typedef struct far_study_run_def {
  far_store *store;          /* results go through it, and what it has is not computed; or NULL */
  const char *store_name;    /* for the report; or NULL */
  unsigned threads;          /* 0: one for each processor */
  far_pool *pool;            /* NULL: the threads of this process */
  far_progress_fn *progress; /* may be NULL */
  void *user;                /* of progress */
} far_study_run_def;

/* The results of a study. Everything is the study's or the results' own. */
typedef struct far_results {
  const far_study *study;
  far_study_info info; /* environments, agents, names */
  far_batch_def def;
  far_batch *batch; /* cell i * n_agents + j is agent j on environment i */
  bool stopped;
  const char *store_name; /* or NULL */
  bool sequential;        /* runs were added until the intervals were narrow enough: */
  far_until until;
  far_look *looks;      /* at each cell */
  far_ranking *ranking; /* or they were added until the agents were ranked, and of the looks only
                         * `computed` is set; or NULL */
  far_times *times;     /* of metric k of cell i at i * n_metrics + k; 0 runs where it is no time */
} far_results;

/* Runs a study, with its `until` where it has one. On CANCELLED *out holds what is finished (NULL if
 * that is nothing); on any other error it is NULL. The study must outlive the results. */
FAR_API far_status far_study_run(far_results **out, const far_study *study,
                                 const far_study_run_def *def, far_error *error);
FAR_API void far_results_free(far_results *results); /* NULL is fine */

/* The half-width of the 95% interval of a cell's mean: the one that allows for the stopping rule where
 * there was one. */
FAR_API double far_results_half_width(const far_results *results, size_t cell);

/* The times of a metric of a cell, if its numbers are times that the end of a run cuts off (far_metric.event): a
 * run with all of the cell's steps is censored. Else NULL, and if no run is finished. */
FAR_API const far_times *far_results_times(const far_results *results, size_t cell, size_t metric);

/* ---- as text ---- */

/* The study as a YAML file (the caller's, to be freed by far_free); reading it gives the same study.
 * CONFLICT if an environment was given as a model or a simulator. */
FAR_API far_status far_study_print(char **out, const far_study *study, far_error *error);

/* The checkpoints of a curve's text in a run of so many steps: "100" (so many, evenly), "log 100",
 * or "10,100,1000"; ascending, the last being `steps` (to be freed by far_free). SYNTAX, RANGE or
 * MEMORY. */
FAR_API far_status far_curve_checkpoints(int64_t **out, size_t *count, const char *text,
                                         int64_t steps, far_error *error);
#ifdef __cplusplus
}
#endif

#endif
