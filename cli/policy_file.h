/* A policy in a file: one action a state, or one probability a pair, separated by white space. How many
 * numbers there are tells which; where there is one action both have as many, and there is one policy:
 * 0 is its action and 1 the probability of it. */
#ifndef FARSIGHT_CLI_POLICY_FILE_H
#define FARSIGHT_CLI_POLICY_FILE_H

#include "cli.h"

typedef struct policy_file {
  bool given;
  uint32_t *action; /* one of the two */
  double *probability;
} policy_file;

/* Reads it; EXIT_OK, or another code after printing what is wrong and in which line. */
int policy_file_read(policy_file *out, const char *path, const far_shape *shape);
void policy_file_free(policy_file *policy);

#endif
