/* The benchmark: a frozen suite of problems in three settings, divided into those on which agents are
 * tuned and those on which they are judged.
 *
 *     far_benchmark_def def = far_benchmark_def_default();
 *     const char *agents[] = {"directed-delayed-q", "psrl", "random"};
 *     def.agents = agents;
 *     def.n_agents = 3;
 *     far_benchmark *benchmark;
 *     far_status status = far_benchmark_run(&benchmark, &def, &error);
 *     far_benchmark_report(benchmark, report);
 *     far_benchmark_free(benchmark);
 *
 * The problems, steps and seed of a version never change; a new suite is a new version. Results go through
 * a store, so that only what is new is run, and others can add their agents to the same table.
 */
#ifndef FARSIGHT_BENCHMARK_H
#define FARSIGHT_BENCHMARK_H

#include "farsight/comparison.h"
#include "farsight/store.h"
#include "farsight/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FAR_BENCHMARK_VERSION = 1,
  FAR_BENCHMARK_STEPS = 20000,
  FAR_BENCHMARK_SEED = 2026,
  FAR_BENCHMARK_RUNS = 20
};

typedef enum far_setting {
  FAR_SETTING_CONTINUING, /* runs without end */
  FAR_SETTING_EPISODIC,   /* terminal states, then a new start */
  FAR_SETTING_HORIZON,    /* episodes of so many steps */
  FAR_SETTING_COUNT
} far_setting;

/* "continuing", "episodic", "finite horizon". */
FAR_API const char *far_setting_name(far_setting setting);

typedef struct far_benchmark_problem {
  const char *env; /* spec */
  far_setting setting;
  bool tuning;     /* for tuning, else for judging */
  const char *why; /* what makes it hard, in a few words */
} far_benchmark_problem;

/* The problems of the suite; NULL past the end. */
FAR_API const far_benchmark_problem *far_benchmark_problem_at(size_t index);

typedef struct far_benchmark_def {
  const char *const *agents; /* specs; each is run in the settings that it can be run in */
  size_t n_agents;
  bool tuning;  /* on the problems for tuning; false by default */
  int64_t runs; /* of each agent on each problem; FAR_BENCHMARK_RUNS by default */
  far_store
      *store; /* results go through it, and what it has is not computed; NULL: one in memory */
  unsigned threads;          /* 0: one for each processor */
  far_pool *pool;            /* NULL: the threads of this process */
  far_progress_fn *progress; /* may be NULL */
  void *user;
  far_study_note_fn *note; /* may be NULL */
  void *note_user;
} far_benchmark_def;

FAR_API far_benchmark_def far_benchmark_def_default(void);

/* An agent in a setting. */
typedef struct far_standing {
  const char *agent;   /* spec as given */
  double score;        /* mean over the problems: 0 for the random policy, 1 for the best one */
  double low, high;    /* its 95% interval; NAN where the runs do not vary */
  double least;        /* its worst problem's mean score */
  const char *weakest; /* that problem */
  size_t first, last;  /* ranks that it may have, from 1: what is between them is a tie */
  double seconds;      /* of processor time a step */
  bool impossible;     /* on some problem it has earned more than the best policy can, by far */
} far_standing;

typedef struct far_benchmark_part {
  far_setting setting;
  size_t n_problems, n_agents;
  far_standing *standings;    /* best first */
  far_comparison *comparison; /* of all its results; NULL if no agent can be run in this setting */
} far_benchmark_part;

typedef struct far_benchmark {
  bool tuning;
  int64_t runs;
  far_benchmark_part parts[FAR_SETTING_COUNT];
} far_benchmark;

/* Runs what is missing, and compares. UNKNOWN, SYNTAX, RANGE or CONFLICT if a spec is wrong or an agent can
 * be run in no setting; whatever an agent reports (a process that ends or does not answer); CANCELLED; MEMORY;
 * ABSENT where the build has no SQLite. *out is then NULL, and what was finished is in the store. */
FAR_API far_status far_benchmark_run(far_benchmark **out, const far_benchmark_def *def,
                                     far_error *error);
FAR_API void far_benchmark_free(far_benchmark *benchmark); /* NULL is fine */

/* Adds to a report: of each setting the table "standings" and the table "problems" with the mean score of
 * every agent on every problem; the methods in words; JSON. */
FAR_API void far_benchmark_report(const far_benchmark *benchmark, far_report *report);

/* Adds the table "suite": the problems, what they are for and why they are there. */
FAR_API void far_benchmark_suite_report(far_report *report);

#ifdef __cplusplus
}
#endif

#endif
