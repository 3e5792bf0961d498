/* The parts of a benchmark's run: entries.c runs what is missing, standings.c judges. */
#ifndef FAR_ANALYSIS_BENCHMARK_H
#define FAR_ANALYSIS_BENCHMARK_H

#include "farsight/benchmark.h"

/* What is run in one setting: problems, and the agents that are left. */
typedef struct far__benchmark_plan {
  const far_benchmark_def *def;
  far_store *store;
  const char **envs;
  size_t n_envs;
  const char **agents;
  double *seconds; /* of each agent: processor time a step */
  size_t n_agents;
} far__benchmark_plan;

/* Runs all agents. Those that fail leave the plan; their standings come first in part->standings, which has
 * room for all agents, and part->n_failed counts them. */
far_status far__benchmark_run(far_benchmark_part *part, far__benchmark_plan *plan,
                              far_error *error);

/* Compares the agents of the plan, whose runs are in the store, and puts their standings before the failed. */
far_status far__benchmark_judge(far_benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

#endif
