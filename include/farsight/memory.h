/* Memory that the library hands out, and how much there is. */
#ifndef FARSIGHT_MEMORY_H
#define FARSIGHT_MEMORY_H

#include <stdint.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frees a block of memory that the library handed to the caller: every block that a header calls
 * "the caller's, to be freed by far_free". NULL is fine. Handles have a function of their own:
 * far_agent_free, far_mdp_free and so on.
 *
 * It is the C library's free of the machine that the library was built with, which need not be the
 * program's own: a Python extension or a program with another C run-time must call this one. */
FAR_API void far_free(void *block);

/* How many bytes this process can still use without swapping, about: what the machine has free (where the
 * system does not say, all of its memory), or less if its container or its limit of addresses allows less.
 * Models and agents of more than 64 MiB that need more fail with MEMORY before anything is allocated. */
FAR_API uint64_t far_memory_available(void);

#ifdef __cplusplus
}
#endif

#endif
