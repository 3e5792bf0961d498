/* The parts of a benchmark's run: entries.c runs what is missing, scores.c says what every run is worth, standings.c
 * judges the agents. */
#ifndef FAR_QUESTIONS_BENCHMARK_BENCHMARK_H
#define FAR_QUESTIONS_BENCHMARK_BENCHMARK_H

#include "farsight/benchmark.h"

/* A run's last part, 1 / FAR__LATE of its steps, shows what it has learned. Below this score it is locked in. */
enum { FAR__LATE = 4 };
#define FAR__LOCKED 0.5

/* An agent of a setting. */
typedef struct far__entry {
  const char *agent; /* as given */
  char spec[FAR_SPEC_SIZE];
  double seconds; /* processor time a step */
} far__entry;

/* What is run in one setting: problems, and the agents that are left. */
typedef struct far__benchmark_plan {
  const far_benchmark_def *def;
  const far_benchmark *benchmark; /* with steps, runs, seed and score */
  const char *curve;              /* where the last part of a run begins, and its end */
  far_store *store;
  const char **envs;
  size_t n_envs;
  far__entry *entries;
  size_t n_agents;
  const char **specs, **agents; /* of the entries: far__benchmark_list */
} far__benchmark_plan;

/* Lists the entries as they are now in `specs` and `agents`. */
void far__benchmark_list(const far__benchmark_plan *plan);

/* Runs all agents. Those that fail leave the plan; their standings come first in part->standings, which has
 * room for all agents, and part->n_failed counts them. */
far_status far__benchmark_run(far_benchmark_part *part, far__benchmark_plan *plan,
                              far_error *error);

/* The step at which the last part begins. */
int64_t far__benchmark_late(const far_benchmark *benchmark);

/* Makes the comparison, scores and late scores; marks the agents that are impossible in part->standings, which are
 * those of the plan, in its order. */
far_status far__benchmark_score(far_benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

/* Compares the agents of the plan, whose runs are in the store, and puts their standings before the failed. */
far_status far__benchmark_judge(far_benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

#endif
