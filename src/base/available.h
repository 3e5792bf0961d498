/* Is there memory for what is about to be made, and may it be so large? */
#ifndef FAR_BASE_AVAILABLE_H
#define FAR_BASE_AVAILABLE_H

#include <stdint.h>

#include "farsight/status.h"

/* Fails with MEMORY if so many more bytes are more than far_memory_available: the system would hand them
 * out and then swap, or end the process, when they are used. `what` needs them, as in "a model of 100 states".
 * What is small (64 MiB, or 1 MiB under a limit) is not checked. */
far_status far__check_memory(double bytes, const char *what, far_error *error);

/* Fails with RANGE if there are more than far_limits allow. `what` has them, as in "a model". */
far_status far__check_states(uint64_t states, const char *what, far_error *error);

#endif
