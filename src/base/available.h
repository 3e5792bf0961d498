/* Checks before an allocation: is there memory for it, and is a model not too large? */
#ifndef FAR_BASE_AVAILABLE_H
#define FAR_BASE_AVAILABLE_H

#include "farsight/base.h"

/* How many bytes this process can still use without swapping, about: what the machine has free (where the
 * system does not say, all of its memory), or less if its container or its limit of addresses allows less.
 * Models and agents of more than 64 MiB that need more fail with MEMORY before anything is allocated.
 * A limit that was set counts as well. */
uint64_t far__memory_available(void);

/* Fails with MEMORY if `bytes` exceeds far__memory_available: the system would hand the memory out and then
 * swap, or end the process, when it is used. `what` needs it, as in "a model of 100 states". Up to 64 MiB
 * (1 MiB under a limit) nothing is checked. */
far_status far__check_memory(double bytes, const char *what, far_error *error);

/* Fails with RANGE if `states` exceeds far_limits. `what` has them, as in "a model". */
far_status far__check_states(uint64_t states, const char *what, far_error *error);

#endif
