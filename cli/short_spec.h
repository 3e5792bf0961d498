/* Canonical specs, as somebody would have typed them. */
#ifndef FARSIGHT_CLI_SHORT_SPEC_H
#define FARSIGHT_CLI_SHORT_SPEC_H

#include <farsight/farsight.h>

/* The shortest spec found that stands for a canonical one: only the keys whose values are not the
 * defaults there. An agent's defaults depend on the shape. What this version does not read, or reads
 * otherwise, is copied as it is. */
void short_agent(char out[FAR_SPEC_SIZE], const char *canonical, const far_shape *shape);
void short_env(char out[FAR_SPEC_SIZE], const char *canonical);

/* Two specs have the same name before the colon. */
bool same_type(const char *a, const char *b);

/* A short spec with those keys more that another one of that name gives: beside r-max:m=5, what was
 * r-max is r-max:m=20. */
void spell_out(char out[FAR_SPEC_SIZE], const char *label, const char *canonical,
               const char *const *others, size_t n_others);

#endif
