/* Models that a store names. The store may be a stranger's, so that what it names is not trusted. */
#ifndef FARSIGHT_CLI_STORED_MODEL_H
#define FARSIGHT_CLI_STORED_MODEL_H

#include "cli.h"

/* The model of a record by its spec and digest ("": none is told); NULL, with the reason in *why,
 * where it cannot be made. A file is read only if it is a regular one, and not huge. */
far_mdp *stored_model(const char *spec, const char *digest, far_error *why);

#endif
