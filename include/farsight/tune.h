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
 * evaluation of its winner and the sensitivity profiles use three seeds, far_tune_seed(seed,
 * "tune"), "evaluate" and "profile": what is reported is measured on random numbers that the search
 * has not used.
 *
 * The same definition gives the same search. A definition with a store leaves every run there, so an
 * interrupted search repeats its decisions from the store and resumes.
 */
#ifndef FARSIGHT_TUNE_H
#define FARSIGHT_TUNE_H

#include "farsight/run.h"
#include "farsight/store.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FAR_TUNE_STD_UNIT 0.35 /* a distance of 1 between the logarithms of standard deviations */

enum { FAR_TUNE_KEYS = 16 }; /* that one agent can have in brackets */

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
                     * exp(FAR_TUNE_STD_UNIT) between the two is a distance of 1, as is one unit of the
                     * mean; the squares of both are added */
  double low, high; /* the ends of the scale of rewards: a total of x scores (x - low)/(high - low).
                     * Let them be what the random and the best policy earn: such a score does not
                     * depend on the origin and the unit of rewards, so cells can be averaged. If one
                     * cell has not low < high, both finite, all scores are plain rewards. */
  const far_simulator_def
      *simulator; /* in place of a model; else NULL. With a store it needs a version */
} far_tune_cell;

/* What a cell adds to the mean square of FAR_GOAL_FIT, if its runs have this mean and this standard
 * deviation (NAN: not known, and not counted): ((mean - target)/unit)^2 + (ln(std/cell->std)/0.35)^2. A
 * standard deviation below a hundredth of the cell's counts as that. */
FAR_API double far_tune_fit_term(const far_tune_cell *cell, double mean, double std);

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
  const char *agent; /* a spec with brackets; without any, far_tune_space chooses */
  const far_tune_cell *cells;
  size_t n_cells;
  far_goal goal;
  const char *score;  /* a metric's spec, of whose mean the most or the least is searched, as
                      * far_series_higher_is_better says; NULL: the total reward. For FAR_GOAL_REWARD */
  const char *method; /* of far_tune_method */
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

/* The methods: name and summary; NULL past the end. */
FAR_API const far_type_info *far_tune_method(size_t index);

/* The seed of a stage: the first eight bytes, as a little-endian number, of the SHA-256 digest of the
 * text "STAGE SEED", as in "tune 1". */
FAR_API uint64_t far_tune_seed(uint64_t seed, const char *stage);

/* The spec with brackets that a search would use (the caller's, to be freed by far_free): the agent's own where it has
 * some, or else a decade to either side of the default of each number among its parameters, but for
 * tolerances of its arithmetic. Fails
 * with SYNTAX, UNKNOWN, RANGE, CONFLICT or MEMORY; positions are in `agent`. */
FAR_API far_status far_tune_space(char **out, const char *agent, const far_shape *shape,
                                  far_error *error);

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
