/* Outputs that are inputs: a file that a command reads must not be the one that it replaces. */
#ifndef FARSIGHT_CLI_OUTPUTS_H
#define FARSIGHT_CLI_OUTPUTS_H

#include "cli.h"

/* Compares the files that options name as outputs (COMPLETE_OUTPUT) with all inputs on the command line: the words,
 * the FILEs of other options, the files in specs, standard input. Files are compared by device and inode, so that
 * links are found. EXIT_USAGE after an error. Every command passes it before it runs. */
int check_outputs(const arguments *args);

/* The same for one output that is named otherwise: one of the words, or made up. */
int check_output_file(const arguments *args, const char *path);

/* Is the output a file that this spec of an environment names (file:PATH, map=@PATH)? */
int check_output_of_spec(const arguments *args, const char *path, const char *spec);

#endif
