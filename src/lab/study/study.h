/* A study while it is made. */
#ifndef FAR_LAB_STUDY_STUDY_H
#define FAR_LAB_STUDY_STUDY_H

#include "farsight/study.h"
#include "lab/study/specs.h"

/* What a study says where: the list and the entry in it that an error is in. */
typedef enum far__part {
  FAR__ENVS,
  FAR__AGENTS,
  FAR__METRICS,
  FAR__LISTS, /* how many lists of specs there are */
  FAR__NAME = FAR__LISTS,
  FAR__STEPS,
  FAR__EPISODES,
  FAR__RUNS,
  FAR__SEED,
  FAR__GAMMA,
  FAR__CURVE,
  FAR__UNTIL,
  FAR__SNAPSHOTS,
  FAR__NOWHERE
} far__part;

typedef struct far__where {
  far__part part;
  size_t entry;
  bool twins;   /* the error is that the entry is the same as an earlier one: */
  size_t other; /* this, which may be itself if it is a grid */
} far__where;

struct far_study {
  char *name, *curve, *until;
  far__specs specs[FAR__LISTS];
  far_spec **envs,
      **agents; /* read, and of every cell; NULL for models and simulators of the caller's */
  far_mdp **mdps;
  const far_mdp **lent; /* beside mdps: models of the caller's; NULL where the study made its own */
  const far_simulator_def **simulators; /* likewise; where there is one there is no model */
  far_metric **metrics;
  far_cell *cells;
  int64_t *checkpoints;
  size_t n_checkpoints;
  double gamma;            /* NAN: what each environment has */
  int64_t steps, episodes; /* as far_study_info has them */
  far_batch_def batch;
};

typedef struct far__limits {
  size_t specs, cells; /* the most */
  bool cut;            /* checkpoints beyond the steps are left out */
} far__limits;

/* The most that there may be; nothing is cut. */
far__limits far__study_limits(void);

/* All that can be checked without making a model: grids expanded, specs of environments and metrics
 * checked, no environment twice. *out is NULL after a failure. */
far_status far__study_plan(far_study **out, const far_study_def *def, const far__limits *limits,
                           far__where *where, far_error *error);

/* The rest: models, agents on each of them, metrics. */
far_status far__study_build(far_study *study, const far_study_def *def, far__where *where,
                            far_error *error);

/* A YAML text up to the plan, for the fuzzer: nothing large is made of it. */
far_status far__study_read_plan(far_study **out, const char *text, size_t length,
                                const far__limits *limits, far_error *error);

/* Fails at an item of a list whose canonical text is that of an earlier one. `on` is the environment
 * on which they are the same, or NULL. */
far_status far__refuse_twins(const far_study *study, far__part part, char *const *canonical,
                             const char *on, far__where *where, far_error *error);

/* An error in an item becomes one in the spec that it was expanded from; the value is `status`. */
far_status far__in_item(const far_study *study, far__part part, size_t item, far__where *where,
                        far_status status, far_error *error);

#endif
