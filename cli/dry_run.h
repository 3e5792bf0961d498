/* farsight run --dry-run: what a study would run, for how long, and how much it would keep. */
#ifndef FARSIGHT_CLI_DRY_RUN_H
#define FARSIGHT_CLI_DRY_RUN_H

#include "grid.h"

/* Prints it and writes nothing; the exit code. */
int dry_run(const grid *g, const arguments *args);

#endif
