#ifndef FARSIGHT_MPI_CREW_H
#define FARSIGHT_MPI_CREW_H

#include "link.h"

/* The crew of all ranks, for rank 0. The link must outlive it. */
far_status far__ranks_crew_create(far_crew **out, far__link *link, far_error *error);
void far__ranks_crew_free(far_crew *crew); /* NULL is fine */

/* A far_progress_fn that is never called: a crew of one thread starts that thread, rather than
 * computing in the one that calls, only where there is progress to be shown. */
bool far__never(void *user, const far_progress *progress);

#endif
