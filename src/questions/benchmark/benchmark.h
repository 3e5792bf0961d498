/* The benchmark: a frozen suite of problems in three settings, divided into those on which agents are
 * tuned and those on which they are judged.
 *
 *     far__benchmark_def def = far__benchmark_def_default();
 *     const char *agents[] = {"directed-delayed-q", "psrl", "random"};
 *     def.agents = agents;
 *     def.n_agents = 3;
 *     far__benchmark *benchmark;
 *     far_status status = far__benchmark_run(&benchmark, &def, &error);
 *     far__benchmark_report(benchmark, report);
 *     far__benchmark_free(benchmark);
 *
 * The problems, steps (20,000, or a million in long runs) and seed of a version never change, and agents may know them; a new suite is a
 * new version. Results go through a store, so that only what is new is run, and others can add their agents to the same table.
 */
#ifndef FAR_QUESTIONS_BENCHMARK_BENCHMARK_H
#define FAR_QUESTIONS_BENCHMARK_BENCHMARK_H

#include "farsight/comparison.h"
#include "farsight/store.h"
#include "farsight/study.h"
#include "questions/comparison/profiles.h"

enum {
  FAR__BENCHMARK_VERSION = 2,
  FAR__BENCHMARK_STEPS = 20000,
  FAR__BENCHMARK_LONG_STEPS = 1000000,
  FAR__BENCHMARK_SEED = 2026,
  FAR__BENCHMARK_RUNS = 20,
  FAR__BENCHMARK_LONG_RUNS = 5
};

typedef enum far__setting {
  FAR__SETTING_CONTINUING, /* runs without end */
  FAR__SETTING_EPISODIC,   /* terminal states, then a new start */
  FAR__SETTING_HORIZON,    /* episodes of so many steps */
  FAR__SETTING_COUNT
} far__setting;

/* "continuing", "episodic", "finite horizon". */
const char *far__setting_name(far__setting setting);

typedef struct far__benchmark_problem {
  const char *env; /* spec */
  far__setting setting;
  bool tuning;     /* for tuning, else for judging */
  const char *why; /* what makes it hard, in a few words */
} far__benchmark_problem;

/* The problems of the suite; NULL past the end. */
const far__benchmark_problem *far__benchmark_problem_at(size_t index);

typedef struct far__benchmark_def {
  /* Specs, which must outlive the benchmark; each is run in the settings that it can be run in. An agent with the
   * parameter `steps`, the steps there will be, is told the steps of a run unless its spec gives it (or its preset
   * does not take it): it keeps its name in the tables. */
  const char *const *agents;
  size_t n_agents;
  bool tuning;    /* on the problems for tuning; false by default */
  bool long_runs; /* of FAR__BENCHMARK_LONG_STEPS steps; false by default */
  /* Of each agent on each problem; 0, the default: FAR__BENCHMARK_RUNS, or FAR__BENCHMARK_LONG_RUNS. */
  int64_t runs;
  /* A metric's spec, by which agents are ranked; NULL, the default: by the total reward. A metric has no scale from the
   * random policy to the best one, so that agents get their ranks among each other in its place (far__standing.score). */
  const char *score;
  /* Of the random numbers; FAR__BENCHMARK_SEED by default. Another one makes another table: it shows whether
   * an entry has learned the published random numbers by heart. */
  uint64_t seed;
  far_store
      *store; /* results go through it, and what it has is not computed; NULL: one in memory */
  unsigned threads;          /* 0: one for each processor */
  far_pool *pool;            /* NULL: the threads of this process */
  far_progress_fn *progress; /* may be NULL */
  void *user;
  far_study_note_fn *note; /* may be NULL */
  void *note_user;
} far__benchmark_def;

far__benchmark_def far__benchmark_def_default(void);

/* The seed that registered agents are told where the environment's random numbers are those of `seed`, so
 * that they cannot compute them from what they are told. */
uint64_t far__benchmark_agent_seed(uint64_t seed);

enum { FAR__BENCHMARK_REASON = 640 };

/* An agent in a setting. The score of a run is 0 for the random policy's reward, 1 for the best one's; of a metric it is the
 * rank of the agent in this run, from 1, the best, among all agents (equal numbers share the mean of their ranks). */
typedef struct far__standing {
  const char *agent;   /* spec as given */
  double score;        /* mean over the problems and runs */
  double low, high;    /* its 95% interval; NAN where the runs do not vary */
  double least;        /* its worst problem's mean score; of a metric its last mean rank */
  const char *weakest; /* that problem */
  /* The same for the reward of the last quarter of a run, whatever agents are ranked by. A run is locked in where that
   * is below 0.5: its policy is worth less than half of the scale. */
  double late;
  int64_t n_locked, n_judged; /* runs that are locked in, of the runs on all problems */
  size_t first, last;         /* ranks that it may have, from 1: what is between them is a tie */
  double seconds;             /* of processor time a step */
  bool impossible; /* on some problem it has earned more than the best policy can, by far */
  /* Why it could not be judged: the problem, the step, what happened; "" if it was. The numbers are NAN then,
   * and the ranks 0. */
  char failure[FAR__BENCHMARK_REASON];
} far__standing;

typedef struct far__benchmark_part {
  far__setting setting;
  size_t n_problems, n_agents; /* that were judged */
  size_t n_failed;             /* that were not */
  far__standing *standings; /* best first; then those that failed, in the order of the definition */
  /* Why nobody is judged here: the metric cannot be recorded of an agent on a problem, or can only be 0 there; else "".
   * A metric of discounted values leaves out the finite horizon. */
  char left_out[FAR__BENCHMARK_REASON];
  /* Of the results of the judged, by total reward or by the metric; NULL if there are none. */
  far_comparison *comparison;
  /* Of run k of cell i of the comparison, at i * runs + k: its score, and that of the reward of its last quarter. NAN
   * where the problem has no scale. */
  double *scores, *late;
  /* The share of runs (of a problem and a replicate) above the scores 0, 0.01, ..., 1, with 95% bands over replicates;
   * its agents are those of the comparison. NULL if there are none, and by a metric. */
  far__profiles *profiles;
} far__benchmark_part;

typedef struct far__benchmark {
  bool tuning;
  int64_t steps, runs;
  uint64_t seed;
  char *score; /* the metric's canonical spec; NULL: the total reward */
  far__benchmark_part parts[FAR__SETTING_COUNT];
} far__benchmark;

/* Runs what is missing, and compares. UNKNOWN, SYNTAX, RANGE or CONFLICT if a spec is wrong, or the metric leaves out all
 * settings; CANCELLED; MEMORY;
 * ABSENT where the build has no SQLite; what a store reports. *out is then NULL, and what was finished is in
 * the store.
 *
 * The library's agents are run first. Registered ones (processes, plugins, agents in Python) follow, one at a
 * time and problem by problem: one that fails (it ends, does not answer in time, chooses an action that does
 * not exist) is left out of its setting with the reason in its standing, and the others are judged. They are
 * told another seed (far__benchmark_agent_seed). */
far_status far__benchmark_run(far__benchmark **out, const far__benchmark_def *def,
                              far_error *error);
void far__benchmark_free(far__benchmark *benchmark); /* NULL is fine */

/* Adds to a report: of each setting the tables "standings", "profiles" (not by a metric) with the share of runs above
 * some scores, and "problems" with the mean score of every agent on every problem; the methods in words; JSON. */
void far__benchmark_report(const far__benchmark *benchmark, far_report *report);

/* How many standings of a benchmark are failures, over all settings. */
size_t far__benchmark_failed(const far__benchmark *benchmark);

/* Where a problem lies on the map of hardness. */
typedef struct far__benchmark_hardness {
  uint32_t n_states, n_actions; /* live states */
  int64_t horizon;              /* 0: none */
  double diameter;              /* with a horizon that of the states that know the step */
  double gap;  /* least certain gap above 0, discounted by 0.99 or of the horizon's values */
  double span; /* of these values, by which gaps can be compared: gap / span */
} far__benchmark_hardness;

/* Fails as far_solver_create and far_mdp_create do; RANGE if there is no such problem. */
far_status far__benchmark_hardness_of(far__benchmark_hardness *out, size_t index, far_error *error);

/* Adds the table "suite": the problems, what they are for, how hard they are and why they are there. Solves
 * them all, which takes about a second; fails as far__benchmark_hardness_of does. */
far_status far__benchmark_suite_report(far_report *report, far_error *error);

/* The performance profiles of a benchmark, a panel for each setting ("benchmark"): of its best agents, at most 8 in a
 * panel. UNKNOWN if no agent was judged, CONFLICT if they were ranked by a metric. */
far_status far__benchmark_figure(far_figure **out, const far__benchmark *benchmark,
                                 const far_plot_def *def, far_error *error);

/* ---- what its files share: benchmark-entries.c runs what is missing, benchmark-scores.c says what every run is worth,
 * benchmark-standings.c judges the agents ---- */

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
  const far__benchmark_def *def;
  const far__benchmark *benchmark; /* with steps, runs, seed and score */
  const char *curve;               /* where the last part of a run begins, and its end */
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
far_status far__benchmark_part_run(far__benchmark_part *part, far__benchmark_plan *plan,
                                   far_error *error);

/* The step at which the last part begins. */
int64_t far__benchmark_late(const far__benchmark *benchmark);

/* The column of an agent in a comparison of the entries. */
size_t far__benchmark_column(const far_comparison_group *g, const char *agent);

/* Makes the comparison, scores and late scores; marks the agents that are impossible in part->standings, which are
 * those of the plan, in its order. */
far_status far__benchmark_score(far__benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

/* Compares the agents of the plan, whose runs are in the store, and puts their standings before the failed. */
far_status far__benchmark_judge(far__benchmark_part *part, const far__benchmark_plan *plan,
                                far_error *error);

#endif
