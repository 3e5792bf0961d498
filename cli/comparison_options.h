/* Which results of a store are compared, and how: options of every command that compares. */
#ifndef FARSIGHT_CLI_COMPARISON_OPTIONS_H
#define FARSIGHT_CLI_COMPARISON_OPTIONS_H

#include <farsight/lab.h>

#include "cli.h"

#define COMPARISON_OPTIONS                                                                         \
  {0, "series", "NAME",                                                                            \
   "what of the runs: total, a metric, or either after STEP steps: curve@STEP, regret@STEP "       \
   "(default: total); 'farsight store info' lists them",                                           \
   COMPLETE_METRIC},                                                                               \
      {'e', "env", "SPEC", "only this environment; may be repeated, or a pattern like 'chain*'",   \
       COMPLETE_ENVIRONMENT},                                                                      \
      {'a', "agent", "SPEC", "only this agent; may be repeated, or a pattern like 'r-max*'",       \
       COMPLETE_AGENT},                                                                            \
      {'b', "baseline", "SPEC", "the agent that the others are compared with (default: the best)", \
       COMPLETE_AGENT},                                                                            \
      {0, "steps", "N", "only runs of so many steps", COMPLETE_NONE},                              \
      {0, "episodes", "K", "only runs that end after so many episodes", COMPLETE_NONE},            \
      {0, "run-seed", "N", "only runs of this seed", COMPLETE_NONE},                               \
      {0, "better", "WORD", "higher or lower (default: as the series is known, else higher)",      \
       COMPLETE_NONE},                                                                             \
      {0, "paired", NULL, "pair imported runs, too, by their replicates", COMPLETE_NONE},          \
      {0, "level", "P", "of all intervals (default 0.95)", COMPLETE_NONE},                         \
      {0, "correction", "NAME", "of p-values: holm, fdr or bonferroni (default holm)",             \
       COMPLETE_NONE},                                                                             \
      {0, "resamples", "N", "of the bootstrap (default 10000)", COMPLETE_NONE}, {                  \
    0, "seed", "N", "of the bootstrap (default 1)", COMPLETE_NONE                                  \
  }

/* The definition that the options give, with progress on standard error; false after printing a usage
 * error. Free its lists afterwards. */
bool comparison_options(const arguments *args, far_comparison_def *def);
void comparison_options_free(far_comparison_def *def);

/* Prints why a comparison failed; the exit code. */
int comparison_failed(const arguments *args, const far_error *error);

#endif
