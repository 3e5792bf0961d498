/* A study: environments x agents x parameter grids, as one YAML file or as lists of specs describes
 * them. Everything is checked when it is made, before anything runs.
 *
 *     far_study *study;
 *     far_status status = far_study_load(&study, "study.yaml", &error);
 *     const far_batch_def *def = far_study_batch(study);
 *     status = far_batch_run(&batch, def, &error);             or far_store_run
 *     far_study_free(study);
 */
#ifndef FARSIGHT_STUDY_H
#define FARSIGHT_STUDY_H

#include "farsight/metric.h"
#include "farsight/run.h"

/* Specs may hold grids: a value in brackets stands for several, "chain:n=[10,20,50]",
 * "q-learning:epsilon=[0.001..0.1 log 5]", "r-max:m=[5..25 step 5]". Several grids in a spec make all
 * combinations, the last key running fastest. */
typedef struct far_study_def {
  const char *name; /* may be NULL */
  const char *const *envs, *const *agents, *const *metrics;
  size_t n_envs, n_agents, n_metrics;
  int64_t steps, runs;
  uint64_t seed;
  const char
      *curve; /* checkpoints: "100" (so many, evenly), "log 100", or "10,100,1000"; or NULL */
} far_study_def;

FAR_API far_study_def far_study_def_default(void); /* 10,000 steps, 300 runs, seed 1 */

typedef struct far_study far_study;

/* Expands the grids and makes models and metrics. In errors `position` is an offset into the spec or
 * the file, and the message names it; of a file also line and key. */
FAR_API far_status far_study_create(far_study **out, const far_study_def *def, far_error *error);
FAR_API far_status far_study_read(far_study **out, const char *text, size_t length,
                                  far_error *error);
FAR_API far_status far_study_load(far_study **out, const char *path, far_error *error);
FAR_API void far_study_free(far_study *study); /* NULL is fine */

/* What is to be run: cell i * n_agents + j is agent j on environment i. The caller may copy it and set
 * threads, progress, keep and crew. Owned by the study. */
FAR_API const far_batch_def *far_study_batch(const far_study *study);

typedef struct far_study_info {
  const char *name; /* "" if it has none */
  size_t n_envs, n_agents;
  const char *const *envs, *const *agents; /* specs as given, grids expanded */
} far_study_info;
FAR_API far_study_info far_study_info_of(const far_study *study);

/* The study as a YAML file (malloc, the caller's); reading it gives the same study. */
FAR_API far_status far_study_print(char **out, const far_study *study, far_error *error);

#endif
