/* A team of threads that share one loop: every member runs the same task, and the call returns when all
 * have finished. The task divides the work and combines the results. A result that must not depend on the number
 * of threads is combined by operations whose order does not matter (the maximum, the minimum), or by the index
 * of the part. */
#ifndef FAR_BASE_TEAM_H
#define FAR_BASE_TEAM_H

#include <stdbool.h>

typedef struct far__team far__team;

typedef void (*far__task)(void *user);

/* The number of processors online, 1 to 1024. */
unsigned far__processors(void);

/* A team of `members`, the caller among them; fewer where the system gives no more threads. *out is NULL for a
 * team of one, which is valid. False without memory. */
bool far__team_create(far__team **out, unsigned members);
void far__team_free(far__team *team);

/* Every member calls task(user) once. */
void far__team_run(far__team *team, far__task task, void *user);

#endif
