/* The parts of a benchmark's run: entries.c runs what is missing, standings.c judges. */
#ifndef FAR_ANALYSIS_BENCHMARK_H
#define FAR_ANALYSIS_BENCHMARK_H

#include "farsight/benchmark.h"

/* An agent of a setting. */
typedef struct far__entry {
  const char *agent; /* as given */
  char spec
      [FAR_SPEC_SIZE]; /* what is run: with steps=20000 where the agent asks for the steps there will be */
  double seconds; /* processor time a step */
} far__entry;

/* What is run in one setting: problems, and the agents that are left. */
typedef struct far__benchmark_plan {
  const far_benchmark_def *def;
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

/* Compares the agents of the plan, whose runs are in the store, and puts their standings before the failed. */
far_status far__benchmark_judge(far_benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

#endif
