/* Canonical specs, as somebody would have typed them. */
#ifndef FARSIGHT_CLI_SHORT_SPEC_H
#define FARSIGHT_CLI_SHORT_SPEC_H

#include <farsight/farsight.h>

/* The shortest spec found that stands for a canonical one: only the keys whose values are not the
 * defaults there. An agent's defaults depend on the shape. What this version does not read, or reads
 * otherwise, is copied as it is. */
void short_agent(char out[FAR_SPEC_SIZE], const char *canonical, const far_shape *shape);
void short_env(char out[FAR_SPEC_SIZE], const char *canonical);

#endif
