/* The parts of farsight stats: records of a store are read (stats_data.c), divided into groups
 * whose numbers may be compared (stats_groups.c), analysed (stats_compute.c, stats_compare.c, stats_scores.c) and
 * printed (stats_print.c, stats_notes.c, stats_json.c). */
#ifndef FARSIGHT_CLI_STATS_H
#define FARSIGHT_CLI_STATS_H

#include <farsight/lab.h>

#include "cli.h"
#include "memory.h"

/* ---- what is asked ---- */

typedef struct stats_query {
  const arguments *args;
  const char *series; /* as the store names it */
  bool lower;         /* less is better */
  bool paired;        /* results made elsewhere may be paired by replicate */
  int64_t steps;      /* of the cells; -1: any */
  bool one_seed;      /* only cells of `run_seed` */
  uint64_t run_seed;
  const char *baseline; /* or NULL */
  far_correction correction;
  const char *correction_name; /* as the option has it */
  far_bootstrap_def how;       /* level, resamples, seed */
} stats_query;

/* ---- what the store has ---- */

typedef enum stats_ends {
  ENDS_NONE,     /* there is no scale: nothing varies, or numbers are infinite */
  ENDS_POLICIES, /* from the random to the best policy */
  ENDS_OBSERVED, /* from the worst to the best run of any agent of the group */
} stats_ends;

typedef struct stats_env {
  char *spec, *model; /* canonical where it is a spec */
  char *label;        /* as one would type it */
  far_mdp *mdp;       /* NULL where it cannot be made, or is another model now */
} stats_env;

typedef struct stats_record {
  char *key, *agent;
  size_t env;
  int64_t steps;
  uint64_t seed;
  int numerics;
  double *x;
  int64_t *replicates;
  int64_t n;
} stats_record;

typedef struct stats_data {
  stats_env *envs;
  size_t n_envs;
  stats_record *records;
  size_t n_records;
  size_t without; /* records that lack the series */
} stats_data;

/* Reads the chosen records of the store. The exit code; stats_data_free in any case. */
int stats_data_read(stats_data *out, far_store *store, const stats_query *query);
void stats_data_free(stats_data *data);

/* An --env option names it: as a spec, or as a pattern of its label. */
bool stats_env_is(const stats_env *env, const char *wanted);

/* The agent's spec would be this one on the record's environment. */
bool stats_agent_is(const stats_data *data, const stats_record *record, const char *spec);

/* The agent's spec as one would type it; heap. */
char *stats_label(const stats_data *data, const stats_record *record);

/* The usage error of an option that names none of the agents. */
int stats_unknown_agent(const stats_data *data, const char *option, const char *wanted);

/* ---- what may be compared ---- */

/* Where the numbers of an agent come from. */
typedef enum stats_origin {
  ORIGIN_HERE,      /* this library, with the group's seed and numerics: runs are pairs */
  ORIGIN_ELSEWHERE, /* no luck is shared */
  ORIGIN_UNTOLD,    /* nor are the steps known */
} stats_origin;

typedef struct stats_agent {
  char *label; /* as one would type it */
  stats_origin origin;
} stats_agent;

typedef struct stats_cell {
  const char *agent; /* canonical */
  double *x;         /* in the order of the replicates, where it is from here */
  int64_t *replicates;
  int64_t n;      /* 0: there is no such cell */
  bool finite;    /* all of them */
  size_t records; /* how many of the store were put together (made elsewhere, other seeds) */
  far_summary summary;
  far_estimate mean, median, iqm; /* bootstrap; NAN where x is not finite */
} stats_cell;

typedef struct stats_comparison {
  bool there, paired;
  bool testable; /* there are runs enough, whatever their values */
  bool still;    /* the runs, or the differences of pairs, do not vary: no interval, no p */
  int64_t n;     /* pairs */
  int64_t runs, baseline_runs;
  double mean, low, high, t, degrees, p, adjusted;
  far_estimate bootstrap;
  double won, tied, correlation, saving; /* NAN without pairs */
} stats_comparison;

/* Of the environments that both are on. `pairs` has no value where not all of them have pairs. */
typedef struct stats_improvement {
  size_t n_envs;
  bool still; /* all resamples agree: no interval */
  far_estimate any, pairs;
} stats_improvement;

/* In the units of the series; `low` is worth score 0. */
typedef struct stats_scale {
  stats_ends ends;
  double low, high;
  bool used; /* in the scores over environments: at least half of the agents are on it */
} stats_scale;

enum { N_TAU = 11 };

typedef struct stats_scores {
  bool there;
  far_aggregate aggregate;
  far_estimate profile[N_TAU];
} stats_scores;

typedef struct stats_group {
  int64_t steps; /* 0: not told */
  uint64_t seed;
  int numerics; /* 0: all made elsewhere */
  size_t n_envs, n_agents;
  size_t *envs; /* into the data's */
  stats_agent *agents;
  stats_cell *cells;               /* [env * n_agents + agent], as all that follow */
  stats_comparison *comparisons;   /* with the baseline */
  stats_improvement *improvements; /* of agents over the baseline */
  stats_scale *scales;             /* of environments */
  stats_scores *scores;            /* of agents; empty with fewer than two scales */
  size_t n_scales;                 /* that are used */
  size_t baseline;                 /* n_agents: none */
  size_t family; /* how many comparisons p-values and intervals of differences are for */
  double level;  /* of each of these intervals, so that all hold together */
  size_t improvement_family; /* and the same of improvements */
  double improvement_level;
  bool coarse; /* there are too few resamples for bootstrap intervals of such levels */
} stats_group;

typedef struct stats_groups {
  stats_group *list;
  size_t count;
} stats_groups;

/* The exit code; stats_groups_free in any case. */
int stats_groups_make(stats_groups *out, const stats_data *data, const stats_query *query);
void stats_groups_free(stats_groups *groups);

/* ---- statistics ---- */

/* Describes every cell, chooses the baseline and compares. g->baseline stays n_agents where the one
 * asked for is not there. */
far_status stats_compute(stats_group *g, const stats_data *data, const stats_query *query,
                         far_error *error);

/* Differences to the baseline and improvements over it; g->baseline is set. */
far_status stats_compare(stats_group *g, const stats_query *query, far_error *error);

/* How many resamples must be expected beyond an end of a bootstrap interval. */
enum { FEWEST_BEYOND = 2 };

/* A sample of one run hides how much runs vary, so that no bootstrap interval is known. */
void stats_no_interval(far_estimate *estimate);

/* Nor is it where all resamples agree: an interval of no width would claim to be sure. */
void stats_no_point(far_estimate *estimate);

/* A line on standard error if that is a terminal and there is much to do. */
void stats_progress(const char *what, size_t done, size_t all);

/* Scales, aggregates and profiles. */
far_status stats_score(stats_group *g, const stats_data *data, const stats_query *query,
                       far_error *error);
double stats_tau(size_t k);

/* ---- printing ---- */

void stats_print(const stats_groups *groups, const stats_data *data, const stats_query *query,
                 bool markdown);

/* Names of a group as tables have them: labels, shortened where they are long, with their marks. */
typedef struct stats_names {
  char (*envs)[64], (*agents)[64];
} stats_names;
stats_names stats_names_make(const stats_group *g, const stats_data *data);
void stats_names_free(stats_names *names);

/* What the marks mean, the specs in full, and the methods in words. */
void stats_print_notes(const stats_group *g, const stats_names *names, const stats_data *data,
                       const stats_query *query, bool markdown);
void stats_print_methods(const stats_groups *groups, const stats_data *data,
                         const stats_query *query, bool markdown);
void stats_print_json(const stats_groups *groups, const stats_data *data, const stats_query *query);

#endif
