/* --max-memory and --max-states, which every command takes: what it may use at most. */
#ifndef FARSIGHT_CLI_LIMIT_OPTIONS_H
#define FARSIGHT_CLI_LIMIT_OPTIONS_H

#include "cli.h"

#define LIMIT_OPTIONS                                                                              \
  {0, "max-memory", "SIZE",                                                                        \
   "use at most this much memory, as in 512M or 4G: what needs more is refused (default: what "    \
   "is free)",                                                                                     \
   COMPLETE_NONE},                                                                                 \
  {                                                                                                \
    0, "max-states", "N", "refuse models of more states (default: no limit)", COMPLETE_NONE        \
  }

/* An error if the system's limit of the stack is so small that a command would crash; the exit code. */
int check_stack(void);

/* Sets the limits that the options say; the exit code. */
int set_limits(const arguments *args);

/* The same for a rank that serves others and has no options: those of its command line, ended by NULL, if they can be read. The
 * first rank, which can, says what is wrong with them. */
void set_limits_of_line(char *const *words);

#endif
