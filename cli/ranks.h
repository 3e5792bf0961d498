/* What the ranks of an MPI job sent each other; for `farsight-bench ranks`. */
#ifndef FARSIGHT_CLI_RANKS_H
#define FARSIGHT_CLI_RANKS_H

#include "run/mpi/ranks.h"

/* So far; zeros if this process is alone. */
far_traffic traffic_of_ranks(void);

#endif
