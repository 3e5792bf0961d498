/* An outside program as an agent: -a 'process:COMMAND'. The shell runs the command with all that the user may do, so that
 * one which stands in a file, and not on the command line, is started only where the user says so. */
#ifndef FARSIGHT_CLI_PROCESS_H
#define FARSIGHT_CLI_PROCESS_H

#include "cli.h"

#define PROCESS_OPTIONS                                                                            \
  {0, "answer-limit", "SECONDS",                                                                   \
   "the longest that the program of a 'process:' agent may take for an answer (default 10)",       \
   COMPLETE_NONE},                                                                                 \
  {                                                                                                \
    0, "process", "WHICH",                                                                         \
        "the programs that may be started as 'process:' agents: none, typed (those of -a; the "    \
        "default) or all (those of a study file as well)",                                         \
        COMPLETE_NONE                                                                              \
  }

/* Makes 'process:COMMAND' an agent, with the limit that the options say; the exit code. No program is started
 * before allow_processes. */
int register_process(const arguments *args);

/* Allows the programs among these agents to be started, which `file` names, or the command line where it is NULL; a
 * usage error, and its exit code, if --process does not allow one of them. */
int allow_processes(const arguments *args, const char *const *agents, size_t count,
                    const char *file);

#endif
