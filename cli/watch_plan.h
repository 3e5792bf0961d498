/* The study that fills a store: from a file, or from the command that the store has recorded. */
#ifndef FARSIGHT_CLI_WATCH_PLAN_H
#define FARSIGHT_CLI_WATCH_PLAN_H

#include <farsight/lab.h>

#include "cli.h"

typedef struct watch_plan {
  far_study *study; /* NULL: it is not known what is planned */
  bool sequential;  /* there is a stopping rule: */
  far_until until;
  bool ranks; /* it is this one: */
  far_ranking_def ranking;
  char why[300]; /* why it is not known, as a sentence without a point; or "" */
} watch_plan;

/* From a study file; the exit code, after printing the error. */
int plan_load(watch_plan *out, const arguments *args, const char *path);

/* From the line of a 'farsight run', read as the command read it, with the study file as it is now. The line
 * may be a stranger's: nothing is run, no program started, and only regular files are read. Prints nothing. */
void plan_recorded(watch_plan *out, const char *line);

void plan_free(watch_plan *plan); /* an empty one is fine */

#endif
