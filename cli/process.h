/* An outside program as an agent: -a 'process:COMMAND'. */
#ifndef FARSIGHT_CLI_PROCESS_H
#define FARSIGHT_CLI_PROCESS_H

#include "cli.h"

#define PROCESS_OPTIONS                                                                            \
  {                                                                                                \
    0, "answer-limit", "SECONDS",                                                                  \
        "the longest that the program of a 'process:' agent may take for an answer (default 10)",  \
        COMPLETE_NONE                                                                              \
  }

/* Makes 'process:COMMAND' an agent, with the limit that the options say; the exit code. */
int register_process(const arguments *args);

#endif
