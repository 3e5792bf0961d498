/* farsight growth: what the parts of the command share. */
#ifndef FARSIGHT_CLI_GROWTH_H
#define FARSIGHT_CLI_GROWTH_H

#include "cli.h"

enum { MOST_SIZES = 200 };

typedef enum growth_measure { MEASURE_TIME, MEASURE_REWARD } growth_measure;

/* An agent at a size. */
typedef struct growth_cell {
  bool known;        /* it was run to the end */
  bool left_out;     /* not run, since at a smaller size too few had learned */
  double gamma;      /* what the agent was given, unless its spec has its own */
  int64_t steps;     /* of a run: the last budget */
  double limit;      /* times above it are censored */
  far_times times;   /* of a time */
  double mean, ci95; /* of a reward */
  int64_t runs;
  double seconds;
  char *env, *agent; /* canonical specs */
  char hash[FAR_HASH_TEXT];
} growth_cell;

typedef struct growth_study {
  const char *env, *key; /* without the size, and the key that holds it */
  const char *measure;   /* as given */
  growth_measure kind;
  double eps;
  double gamma, gamma_scale; /* the one that does not apply is NaN */
  double censored;           /* the fraction of runs that may be */
  int64_t steps, max_steps;
  size_t n_sizes, n_agents;
  int64_t sizes[MOST_SIZES]; /* growing */
  const char **agents;       /* as given */
  growth_cell *cells;        /* of agent j at size i: i * n_agents + j */
} growth_study;

/* What is fitted: the median time or the mean reward; NaN or infinite where it is not known. */
double growth_value(const growth_study *study, const growth_cell *cell);

void growth_print_text(const growth_study *study, const far_batch_def *def);
void growth_print_json(const growth_study *study, const far_batch_def *def);

/* Reads "5,10,20..50:10" into the study; false after printing a usage error. */
bool growth_read_sizes(growth_study *study, const arguments *args);

#endif
