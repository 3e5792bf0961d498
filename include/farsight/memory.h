/* Memory that the library hands out. */
#ifndef FARSIGHT_MEMORY_H
#define FARSIGHT_MEMORY_H

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

#ifdef __cplusplus
}
#endif

#endif
