/* A team of threads that share one loop: every member runs the same task, and the call returns when all
 * have finished. What is shared out, and how the results are put together, is the task's business; a
 * result that must not depend on the number of threads may only be put together by operations whose
 * order does not matter (the maximum, the minimum), or by the index of the part. */
#ifndef FAR_BASE_TEAM_H
#define FAR_BASE_TEAM_H

#include <stdbool.h>

typedef struct far__team far__team;

typedef void (*far__task)(void *user);

/* The processors of this machine that are there for us; at least 1. */
unsigned far__processors(void);

/* A team of so many members, the caller among them, or fewer where the system gives no more threads.
 * *out is NULL for one member alone: that is a team, too. False without memory. */
bool far__team_create(far__team **out, unsigned members);
void far__team_free(far__team *team);

/* Every member calls task(user) once. */
void far__team_run(far__team *team, far__task task, void *user);

#endif
