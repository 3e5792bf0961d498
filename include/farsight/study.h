/* A study: environments x agents x parameter grids, as one YAML file or as lists of specs describes
 * them; and the search of parameters. Everything is checked when it is made, before anything runs.
 *
 *     const char *envs[] = {"chain:n=[5,10]"}, *agents[] = {"fast=r-max:m=2", "q-learning:epsilon=[0.01,0.1]"};
 *     far_study_def def = far_study_def_default();
 *     def.envs = envs, def.n_envs = 1;
 *     def.agents = agents, def.n_agents = 2;
 *     def.steps = 1000, def.runs = 10;
 *     far_study *study; // or far_study_load(&study, "study.yaml", NULL, 0, &error)
 *     if (far_study_create(&study, &def, &error)) return puts(error.message);
 *     far_results *results;
 *     const far_study_run_def how = {.threads = 1}; // .store keeps the results
 *     if (far_study_run(&results, study, &how, &error)) return puts(error.message);
 *     printf("%zu cells, the first earned %g\n", results->def.n_cells, far_batch_result(results->batch, 0)->mean);
 *     far_results_free(results);
 *     far_study_free(study);
 */
#ifndef FARSIGHT_STUDY_H
#define FARSIGHT_STUDY_H

#include "farsight/run.h"
#include "farsight/statistics.h"
#include "farsight/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A note on a study that is not an error: an agent cannot learn or loses its guarantee
 * (far_agent_check), a metric's number would have no meaning, or no run can
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
  /* the discount of all environments whose spec does not say what counts, in (0, 1); NAN: what they
   * have. A model or simulator in place of a spec has its own */
  double gamma;
  int64_t steps; /* of a run; 0, the default: 10,000, or with `episodes` as many as they can have */
  /* A run ends after so many episodes, done or cut; 0: after its steps. Where an episode may have any number of steps (no
   * horizon), `steps` must be given: the most that a run may have. */
  int64_t episodes;
  int64_t runs; /* with `until` the maximum; 0: 300, or with `until` 100,000, to rank 10,000 */
  uint64_t seed;
  /* more, with grids expanded, are refused before any is made; 0: no such limit */
  size_t most_envs;
  /* checkpoints, steps or with `episodes` episodes: "100" (so many, evenly), "log 100", or
   * "10,100,1000"; or NULL */
  const char *curve;
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

/* ---- as text ---- */

/* The study as a YAML file (the caller's, to be freed by far_free); reading it gives the same study.
 * CONFLICT if an environment was given as a model or a simulator. */
FAR_API far_status far_study_print(char **out, const far_study *study, far_error *error);

/* Tuning: searches the parameters of an agent within a budget of environment steps.
 *
 *     far_tune_cell cells[] = {{.mdp = chain10, .low = 1001, .high = 7500},
 *                              {.mdp = chain50, .low = 200, .high = 7500}};
 *     far_tune_def def = far_tune_def_default();
 *     def.agent = "delayed-q:gamma=[0.8..0.999 horizon],m=[1..100 log]";
 *     def.cells = cells;
 *     def.n_cells = 2;
 *     far_tune *tune;
 *     far_status status = far_tune_run(&tune, &def, &error);
 *     printf("%s\n", far_tune_result_of(tune)->best);
 *     far_tune_free(tune);
 *
 * Every candidate sees the same runs, so that candidates are compared in pairs. The search, the
 * evaluation of its winner and the sensitivity profiles use three different seeds, which follow from the
 * definition's: what is reported is measured on random numbers that the search has not used.
 *
 * The same definition gives the same search. A definition with a store leaves every run there, so an
 * interrupted search repeats its decisions from the store and resumes.
 */

typedef enum far_goal {
  FAR_GOAL_REWARD,       /* maximum reward, on the scale of each cell, where every cell has one; or
                          * far_tune_def.score in its place */
  FAR_GOAL_FIT,          /* the least root-mean-square distance of the means from the targets, and
                          * of the standard deviations where cells have them */
  FAR_GOAL_FIT_RELATIVE, /* the same in fractions of the targets */
} far_goal;

typedef struct far_tune_cell {
  const far_mdp *mdp; /* NULL if there is a simulator */
  const char *with; /* keys that the agent has here besides its own, "gamma_e=0.99"; may be NULL */
  double target;    /* the mean to be met, for the goals that fit, and ... */
  double unit;      /* ... the unit of its distance, at FAR_GOAL_FIT; 0: 1 */
  double std;       /* the standard deviation of one run to be met, besides; 0: none. A factor of
                     * e^0.35 between the two is a distance of 1, as is one unit of the
                     * mean; the squares of both are added */
  double low, high; /* the ends of the scale of rewards: a total of x scores (x - low)/(high - low).
                     * Let them be what the random and the best policy earn: such a score does not
                     * depend on the origin and the unit of rewards, so cells can be averaged. If one
                     * cell has not low < high, both finite, all scores are plain rewards. */
  const far_simulator_def
      *simulator; /* in place of a model; else NULL. With a store it needs a version */
} far_tune_cell;

typedef enum far_tune_stage { FAR_TUNE_SEARCH, FAR_TUNE_EVALUATE, FAR_TUNE_PROFILE } far_tune_stage;

typedef struct far_tune_progress {
  far_tune_stage stage;
  double steps_done, steps; /* of this stage; in the search `steps` is the budget */
  int64_t candidates;       /* measured so far */
  double best;              /* score of the best so far; NAN before there is one */
  double seconds;           /* since the start */
} far_tune_progress;

/* Called about ten times a second from the calling thread; false stops the search. */
typedef bool far_tune_progress_fn(void *user, const far_tune_progress *progress);

/* Values in brackets are searched:
 *     m=[1..100]            from 1 to 100, evenly
 *     m=[1..100 log]        evenly in ln m
 *     gamma=[0.5..0.999 horizon]  evenly in ln 1/(1 - gamma)
 *     m=[5..25 step 5]      5, 10, 15, 20 or 25; [1..9 count 5] and [1..100 log 5] are five values
 *     clamp=[on,off]        one of these; [on|off] is the same
 * A parameter that is a whole number takes whole numbers. A candidate's numbers have four significant
 * digits (with `horizon` 1 - x has), so that what is printed is what was measured. */
typedef struct far_tune_def {
  const char *agent; /* a spec with brackets; without any, the parameters are chosen */
  const far_tune_cell *cells;
  size_t n_cells;
  far_goal goal;
  const char *score;  /* a metric's spec, of whose mean the most or the least is searched, as
                      * far_series_higher_is_better says; NULL: the total reward. For FAR_GOAL_REWARD */
  const char *method; /* "halving" and so on, as farsight tune --help lists them */
  int64_t budget;     /* steps of the search, in all cells together; 0: 300 candidates' */
  int64_t runs;       /* of a candidate in each cell */
  int64_t steps;      /* of a run */
  int64_t evaluation; /* runs of the winner on fresh seeds; 0: none */
  int64_t profile;    /* runs of each point of the profiles; 0: none */
  uint64_t seed;
  unsigned threads; /* 0: one for each processor */
  far_pool *pool;   /* NULL: threads */
  far_store *store; /* NULL: nothing is kept */
  far_tune_progress_fn *progress;
  void *user; /* of progress */
} far_tune_def;

/* No agent or cells yet; reward, halving, 30 runs of 10,000 steps, 300 to evaluate, 100 a profile's
 * point, seed 1. */
FAR_API far_tune_def far_tune_def_default(void);

/* ---- what comes out ---- */

/* A score: the larger the better. Of a goal that fits it is the distance, negative; of a metric of which
 * less is better its mean, negative. */
typedef struct far_tune_score {
  double mean, ci95;    /* half-width of the 95% interval (Student) */
  int64_t runs;         /* 0: not measured, and the rest is NAN */
  const double *values; /* one a run: what it adds to the score. The mean of these is the score of a
                         * reward; of a fit they are the jackknife's pseudo-values */
} far_tune_score;

/* A candidate, measured once or, by halving, on a growing number of runs. */
typedef struct far_tune_trial {
  size_t candidate; /* candidates are counted in the order in which they came */
  const char *agent;
  int64_t runs;
  double score;
} far_tune_trial;

/* Is a point as good as the best setting? The loss is compared with a tolerance of 1% of the best setting's
 * score on the same runs, together with its interval: few runs leave it open and prove nothing. */
typedef enum far_tune_near {
  FAR_TUNE_NEAR,    /* loss + ci95 is at most the tolerance */
  FAR_TUNE_PERHAPS, /* neither is known */
  FAR_TUNE_FAR,     /* loss - ci95 is above it */
} far_tune_near;

/* The score with one parameter at another value, the others as in the best setting. */
typedef struct far_tune_point {
  const char *value;
  double loss, ci95; /* of the score, against the best setting on the same runs, in pairs */
  far_tune_near near;
} far_tune_point;

typedef struct far_tune_profile {
  const char *key,
      *value; /* of the best setting; the value is NULL if the key does not apply there */
  const far_tune_point *points; /* in the order of the range; the best is not among them */
  size_t n_points;
  const char *low, *high; /* how far the value can move alone: all points between are NEAR; NULL for
                           * words and where there is no value */
  const char *low_perhaps, *high_perhaps; /* all points between are NEAR or PERHAPS */
  double mean_loss, worst_loss;           /* over the points: sensitivity; NAN if there are none */
} far_tune_profile;

typedef struct far_tune_result {
  const char *space;    /* the spec that was searched */
  const char *best;     /* the best setting; NULL if nothing was measured */
  const char *defaults; /* the agent without what is in brackets; NULL if that is no agent */
  bool normalised;      /* scores are on the scale of the cells' low and high */
  int64_t candidates;
  bool complete;                           /* these are all settings of the space that can run */
  int64_t budget, spent;                   /* steps of the search, and */
  int64_t evaluation_steps, profile_steps; /* besides */
  double tuned; /* score of the best setting on the runs of the search, of which it had */
  int64_t tuned_runs;
  far_tune_score score;         /* of the best setting on fresh seeds */
  far_tune_score default_score; /* of the agent's defaults on the same */
  double gain, gain_ci95;       /* score - default_score, in pairs */
  double optimism;              /* tuned - score.mean */
  double within_1,
      within_5;        /* share of candidates whose last score is so many per cent of the best's
                              * below it; NAN if not all were measured on all runs */
  const double *means; /* mean total reward, or metric, of the best setting in each cell, on fresh
                        * seeds */
  const double *ci95s;
  const double *stds;           /* the standard deviations of its runs there */
  const far_tune_trial *trials; /* all, in order */
  size_t n_trials;
  double profile_score;             /* of the best setting on the runs of the profiles; else NAN */
  const far_tune_profile *profiles; /* the most sensitive first */
  size_t n_profiles;
} far_tune_result;

typedef struct far_tune far_tune;

/* Searches, evaluates, and computes the profiles around the best. On CANCELLED *out holds what is
 * finished and must be freed as well; on any other error it is NULL. Everything is checked before
 * anything runs. Fails also with ABSENT: this build has no NLopt and the method needs it. */
FAR_API far_status far_tune_run(far_tune **out, const far_tune_def *def, far_error *error);
FAR_API const far_tune_result *far_tune_result_of(const far_tune *tune);
FAR_API void far_tune_free(far_tune *tune); /* NULL is fine */

/* ---- searches as YAML files, which docs/tuning.md describes ---- */

typedef struct far_tune_plan {
  const char *name; /* "" if it has none */
  const char *const *envs,
      *const *agents; /* specs, ended by NULL; grids of environments are expanded */
  size_t n_envs, n_agents;
  const char *fit;  /* the path of the file of means; NULL if it has none */
  double gamma;     /* the discount of the environments, as in far_study_def; NAN if it has none */
  far_tune_def def; /* goal, method and numbers; agent and cells are the caller's to set */
} far_tune_plan;

/* Errors begin with "PATH:LINE: KEY: ", and `position` is an offset into the text. IO where there is no
 * such file, ABSENT where the build has no libyaml. `path` of far_tune_read is for errors and for what the
 * file names. */
FAR_API far_status far_tune_load(far_tune_plan **out, const char *path, far_error *error);
FAR_API far_status far_tune_read(far_tune_plan **out, const char *text, size_t length,
                                 const char *path, far_error *error);
FAR_API void far_tune_plan_free(far_tune_plan *plan); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
