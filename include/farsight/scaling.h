/* Scaling studies: how the steps that agents need to learn, or the reward that they earn, grow with the
 * size of a problem.
 *
 *     far_scaling_def def = far_scaling_def_default();
 *     def.env = "chain";                           without its size
 *     def.sizes = sizes, def.n_sizes = 10;
 *     def.agents = agents, def.n_agents = 2;
 *     far_scaling *scaling;
 *     far_status status = far_scaling_create(&scaling, &def, &error);
 *     if (status == FAR_OK) status = far_scaling_run(scaling, &error);
 *     far_scaling_fit fit = far_scaling_fit_of(scaling, 0, false);
 *     ... fit.growth.laws[FAR_LAW_POLYNOMIAL].power ...
 *     far_scaling_free(scaling);
 *
 * At every size the budget of a run is doubled until most runs have learned. A time is known if the
 * run continued for at least as long again; all other times are censored: they count as longer than
 * the limit and never as a number (far_times). Every size has its own random streams, so that the
 * errors of sizes are independent, and its numbers do not depend on the other sizes.
 */
#ifndef FARSIGHT_SCALING_H
#define FARSIGHT_SCALING_H

#include "farsight/growth.h"
#include "farsight/report.h"
#include "farsight/run.h"
#include "farsight/store.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_scaling_measure {
  FAR_SCALING_EARNED,       /* steps after which the reward so far stays above (1 - eps) of the best
                             * average reward */
  FAR_SCALING_LEARNED,      /* steps after which the frozen policy is within eps V* at the start */
  FAR_SCALING_LAST_MISTAKE, /* the last step on which it is not within eps V*(start) where it acts */
  FAR_SCALING_REWARD,       /* the total reward of a fixed number of steps, as a mean */
} far_scaling_measure;

/* "earned", "learned", "last-mistake", "reward"; NULL past the end. */
FAR_API const char *far_scaling_measure_name(size_t measure);

enum { FAR_SCALING_SIZES = 200 }; /* the most sizes of a study */

typedef struct far_scaling_def {
  const char *env;           /* spec of the environment, without its size */
  const char *key;           /* the parameter that is its size; "n" by default */
  const int64_t *sizes;      /* ascending, from 1 to 2^31 - 1 */
  size_t n_sizes;            /* 1 to FAR_SCALING_SIZES */
  const char *const *agents; /* specs; gaps are relative to the first */
  size_t n_agents;           /* at least 1 */
  far_scaling_measure measure;
  double eps; /* how far below the best is good enough: above 0, below 1; 0.5 by default */
  double
      gamma; /* the discount of the problem, unless its spec says what counts, in (0, 1); NAN, the default: */
  double gamma_scale; /* ... it is 1 - gamma_scale / size; 1 by default */
  double censored;   /* double the budget until at most this fraction is censored: at least 0, below
                       * 0.5; 0.25 by default */
  int64_t max_steps; /* the largest budget of a run, at least 2; 1,000,000 by default */
  int64_t steps;     /* of a run whose reward is measured, at least 1; 10,000 by default */
  int64_t runs;      /* of every agent at every size, at least 1; 100 by default */
  uint64_t seed;     /* 1 by default */
  unsigned threads;  /* 0, the default: one for each processor */
  far_pool *pool;    /* NULL, the default: threads of this process */
  far_store *store;  /* runs go through it; NULL, the default: they are not kept */
  far_progress_fn *progress; /* of each batch; false stops; may be NULL */
  void *user;                /* of progress */
  far_study_note_fn *note;   /* receives notes on the agents at the first size; may be NULL */
  void *note_user;
  char *
      wrong; /* may be NULL; else room for FAR_SPEC_SIZE characters: after a failure the spec that the
                * error's position is in, or "" */
} far_scaling_def;

FAR_API far_scaling_def far_scaling_def_default(void);

/* Fills in what a study file has: agents, runs, seed and steps; its discount, where the definition has its defaults;
 * and environment and sizes, if its
 * environments are one spec at several sizes (def->key names that parameter), as in "chain: {n: [5,
 * 10, 20]}". The definition then points to `env`, `sizes` and texts of the study, which must
 * outlive it. RANGE or CONFLICT if there are too many environments, or they differ in anything
 * else. */
FAR_API far_status far_scaling_def_from(far_scaling_def *def, char env[FAR_SPEC_SIZE],
                                        int64_t sizes[FAR_SCALING_SIZES], const far_study *study,
                                        far_error *error);

typedef struct far_scaling far_scaling;

/* Checks the definition and copies its texts and lists; pool, store and `wrong` must outlive the
 * scaling study. Nothing is run and no model is made. Fails with RANGE, CONFLICT (the spec gives the
 * size itself), UNKNOWN (the environment has no such key) or MEMORY. */
FAR_API far_status far_scaling_create(far_scaling **out, const far_scaling_def *def,
                                      far_error *error);
FAR_API void far_scaling_free(far_scaling *scaling); /* NULL is fine */

/* Runs all remaining sizes. Finished results are kept after any failure, and the next call resumes
 * at the size at which it stopped. Fails as far_mdp_create, far_agent_create, far_metric_check,
 * far_batch_run and far_store_run do. */
FAR_API far_status far_scaling_run(far_scaling *scaling, far_error *error);

/* The same in parts, for callers that must not block while a large model is built: the first makes
 * the model, the agents and the metric of the next size (*more is false if there is none), the
 * second runs them. Preparing may be left to another thread while this one reads results. */
FAR_API far_status far_scaling_prepare(far_scaling *scaling, bool *more, far_error *error);
FAR_API far_status far_scaling_run_prepared(far_scaling *scaling, far_error *error);

/* ---- results ---- */

/* An agent at a size. */
typedef struct far_scaling_cell {
  int64_t size;
  double gamma;  /* the discount of the problem, unless its spec says what counts */
  bool known;    /* all runs of the last budget were finished; if not, what follows is empty */
  bool left_out; /* not run: at a smaller size too few runs had learned */
  const char *env, *agent; /* canonical specs; NULL if not known */
  int64_t steps;           /* of a run: the last budget */
  int64_t runs;
  int64_t reused, computed; /* runs of all budgets: taken from the store, and not */
  double limit;             /* times above it are censored */
  far_times times;          /* of a time */
  double mean, ci95;        /* of a reward */
  double seconds;           /* of processor time, over all budgets */
  char hash[FAR_HASH_TEXT]; /* SHA-256 of the numbers of the runs */
} far_scaling_cell;

/* The agent at the size with these indices; owned by the study. */
FAR_API const far_scaling_cell *far_scaling_cell_of(const far_scaling *scaling, size_t size,
                                                    size_t agent);

/* What is fitted: the median time or the mean reward; NAN if it is not known, INFINITY if at least
 * half of the runs are censored. */
FAR_API double far_scaling_value(const far_scaling *scaling, size_t size, size_t agent);

typedef struct far_scaling_fit {
  far_growth growth; /* of the sizes that have a number: growth.points of them */
  bool fitted;       /* there are at least 3 */
  far_law better;    /* polynomial or exponential, by FAR_EVIDENCE; FAR_LAW_COUNT: undecided */
  bool mixed_better; /* the mixed law fits better than both, likewise */
  bool flat;         /* neither law shows growth or decay: their 95% intervals contain 0 */
} far_scaling_fit;

/* The laws of an agent's numbers or, if `gap`, of the ratio to the first agent's: steps of the agent
 * over steps of the first, or reward of the first over reward of the agent, so that it is above 1 where
 * the first is better. */
FAR_API far_scaling_fit far_scaling_fit_of(const far_scaling *scaling, size_t agent, bool gap);

/* The definition, with the study's own copies of texts and lists. */
FAR_API const far_scaling_def *far_scaling_def_of(const far_scaling *scaling);

/* Adds the whole study to a report: the numbers as tables "cells" (for programs) and "values" (for
 * people), the laws and the gaps as "laws" and "gaps", and the JSON document. */
FAR_API void far_scaling_report(const far_scaling *scaling, far_report *report);

#ifdef __cplusplus
}
#endif

#endif
