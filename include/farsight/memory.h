/* Memory that the library hands out, how much there is, and how much may be used. */
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
 * Models and agents of more than 64 MiB that need more fail with MEMORY before anything is allocated.
 * A limit that was set counts as well. */
FAR_API uint64_t far_memory_available(void);

/* What this process may use at most; 0: no limit. They are for whoever takes models, specs or files from
 * others, and nothing that is read can raise them. */
typedef struct far_limits {
  uint64_t
      memory; /* bytes of memory in use, all together: what needs more fails with MEMORY before it is
                      allocated, from 1 MiB on */
  uint64_t states; /* of a model, and of what an agent is made for: more fail with RANGE */
} far_limits;

/* Sets the limits of the whole process, for what is made from now on. The memory in use is known on Linux; elsewhere
 * each model, agent and file is compared with the limit alone. May be called by any thread. */
FAR_API void far_limits_set(far_limits limits);
FAR_API far_limits far_limits_get(void);

#ifdef __cplusplus
}
#endif

#endif
