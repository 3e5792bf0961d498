/* Scaling studies: how the steps that agents need to learn, or the reward that they earn, grow with the
 * size of a problem.
 *
 *     far__scaling_def def = far__scaling_def_default();
 *     def.env = "chain";                           without its size
 *     def.sizes = sizes, def.n_sizes = 10;
 *     def.agents = agents, def.n_agents = 2;
 *     far__scaling *scaling;
 *     far_status status = far__scaling_create(&scaling, &def, &error);
 *     if (status == FAR_OK) status = far__scaling_run(scaling, &error);
 *     far__scaling_fit fit = far__scaling_fit_of(scaling, 0, false);
 *     ... fit.growth.laws[FAR__LAW_POLYNOMIAL].power ...
 *     far__scaling_free(scaling);
 *
 * At every size the budget of a run is doubled until most runs have learned. A time is known if the
 * run continued for at least as long again; all other times are censored: they count as longer than
 * the limit and never as a number (far_times). Every size has its own random streams, so that the
 * errors of sizes are independent, and its numbers do not depend on the other sizes.
 */
#ifndef FAR_QUESTIONS_GROWTH_SCALING_H
#define FAR_QUESTIONS_GROWTH_SCALING_H

#include "farsight/comparison.h"
#include "farsight/report.h"
#include "farsight/run.h"
#include "farsight/statistics.h"
#include "farsight/store.h"
#include "farsight/study.h"
#include "report/build.h"
#include "statistics/growth.h"

typedef enum far__scaling_measure {
  FAR__SCALING_EARNED,  /* steps after which the reward so far stays above (1 - eps) of the best
                             * average reward */
  FAR__SCALING_LEARNED, /* steps after which the frozen policy is within eps V* at the start */
  FAR__SCALING_LAST_MISTAKE, /* the last step on which it is not within eps V*(start) where it acts */
  FAR__SCALING_REWARD,       /* the total reward of a fixed number of steps, as a mean */
} far__scaling_measure;

/* "earned", "learned", "last-mistake", "reward"; NULL past the end. */
const char *far__scaling_measure_name(size_t measure);

enum { FAR__SCALING_SIZES = 200 }; /* the most sizes of a study */

typedef struct far__scaling_def {
  const char *env;           /* spec of the environment, without its size */
  const char *key;           /* the parameter that is its size; "n" by default */
  const int64_t *sizes;      /* ascending, from 1 to 2^31 - 1 */
  size_t n_sizes;            /* 1 to FAR__SCALING_SIZES */
  const char *const *agents; /* specs; gaps are relative to the first */
  size_t n_agents;           /* at least 1 */
  far__scaling_measure measure;
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
} far__scaling_def;

far__scaling_def far__scaling_def_default(void);

/* Fills in what a study file has: agents, runs, seed and steps; its discount, where the definition has its defaults;
 * and environment and sizes, if its
 * environments are one spec at several sizes (def->key names that parameter), as in "chain: {n: [5,
 * 10, 20]}". The definition then points to `env`, `sizes` and texts of the study, which must
 * outlive it. RANGE or CONFLICT if there are too many environments, or they differ in anything
 * else. */
far_status far__scaling_def_from(far__scaling_def *def, char env[FAR_SPEC_SIZE],
                                 int64_t sizes[FAR__SCALING_SIZES], const far_study *study,
                                 far_error *error);

typedef struct far__scaling far__scaling;

/* Checks the definition and copies its texts and lists; pool, store and `wrong` must outlive the
 * scaling study. Nothing is run and no model is made. Fails with RANGE, CONFLICT (the spec gives the
 * size itself), UNKNOWN (the environment has no such key) or MEMORY. */
far_status far__scaling_create(far__scaling **out, const far__scaling_def *def, far_error *error);
void far__scaling_free(far__scaling *scaling); /* NULL is fine */

/* Runs all remaining sizes. Finished results are kept after any failure, and the next call resumes
 * at the size at which it stopped. Fails as far_mdp_create, far_agent_create, far__metric_check,
 * far_batch_run and far_store_run do. */
far_status far__scaling_run(far__scaling *scaling, far_error *error);

/* The same in parts, for callers that must not block while a large model is built: the first makes
 * the model, the agents and the metric of the next size (*more is false if there is none), the
 * second runs them. Preparing may be left to another thread while this one reads results. */
far_status far__scaling_prepare(far__scaling *scaling, bool *more, far_error *error);
far_status far__scaling_run_prepared(far__scaling *scaling, far_error *error);

/* ---- results ---- */

/* An agent at a size. */
typedef struct far__scaling_cell {
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
} far__scaling_cell;

/* What is fitted: the median time or the mean reward; NAN if it is not known, INFINITY if at least
 * half of the runs are censored. */
double far__scaling_value(const far__scaling *scaling, size_t size, size_t agent);

typedef struct far__scaling_fit {
  far__growth growth; /* of the sizes that have a number: growth.points of them */
  bool fitted;        /* there are at least 3 */
  far__law better;    /* polynomial or exponential, by FAR__EVIDENCE; FAR__LAW_COUNT: undecided */
  bool mixed_better;  /* the mixed law fits better than both, likewise */
  bool flat;          /* neither law shows growth or decay: their 95% intervals contain 0 */
} far__scaling_fit;

/* The laws of an agent's numbers or, if `gap`, of the ratio to the first agent's: steps of the agent
 * over steps of the first, or reward of the first over reward of the agent, so that it is above 1 where
 * the first is better. */
far__scaling_fit far__scaling_fit_of(const far__scaling *scaling, size_t agent, bool gap);

/* The definition, with the study's own copies of texts and lists. */
const far__scaling_def *far__scaling_def_of(const far__scaling *scaling);

/* Adds the whole study to a report: the numbers as tables "cells" (for programs) and "values" (for
 * people), the laws and the gaps as "laws" and "gaps", and the JSON document. */
void far__scaling_report(const far__scaling *scaling, far_report *report);

/* The sizes, points and laws of a scaling study. `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__scaling_figure(far_figure **out, const far__scaling *scaling,
                               const far_plot_def *def, far_error *error);

/* ---- what its files share ---- */

/* What is at hand while a size is run. */
typedef struct far__station {
  far_mdp *mdp;                 /* NULL: nothing is prepared */
  far_metric *metric;           /* NULL with rewards */
  char (*specs)[FAR_SPEC_SIZE]; /* of the agents, with a discount */
  far_cell *cells;              /* of one batch ... */
  size_t *agent_of;             /* ... and whose they are */
  size_t n_cells;
} far__station;

struct far__scaling {
  far__scaling_def def; /* texts and lists are its own */
  size_t next;          /* size, to be prepared or run */
  far__station at;
  far__scaling_cell *cells; /* of agent j at size i: i * n_agents + j */
};

/* The agent at the size with these indices. */
static inline far__scaling_cell *far__scaling_cell_of(const far__scaling *s, size_t size,
                                                      size_t agent) {
  return &s->cells[size * s->def.n_agents + agent];
}

/* The laws of n numbers above 0 at sizes, and which of them is better. */
far__scaling_fit far__fit_points(const double *sizes, const double *values, size_t n);

/* "fits better", "undecided" or "" beside a law in a table; a gap may not grow at all. */
const char *far__law_verdict(const far__scaling_fit *fit, far__law law, bool gap);

/* "1.73 ± 0.05" where the law has such an exponent. */
void far__table_exponent(far_table *t, bool applies, double x, double ci95);

/* Is a time measured, or a reward? */
static inline bool far__measures_time(const far__scaling *s) {
  return s->def.measure != FAR__SCALING_REWARD;
}

/* "The discount" at a size. */
static inline double far__scaling_gamma(const far__scaling_def *def, int64_t size) {
  return def->gamma == def->gamma ? def->gamma : 1 - def->gamma_scale / (double)size;
}

#endif
