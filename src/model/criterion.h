/* What the laboratory and front ends ask of models besides farsight/mdp.h: specs and hashes of a world, whatever counts
 * in it; caveats; memory. */
#ifndef FAR_MODEL_CRITERION_H
#define FAR_MODEL_CRITERION_H

#include "base/export.h"
#include "farsight/base.h"
#include "farsight/mdp.h"

/* The spec of the same world with this discount, in (0, 1), unless it says itself what counts: gamma, horizon or
 * average. NAN: the spec as it is. RANGE if it is too long. */
FAR_LAB far_status far__mdp_spec_with_gamma(char out[FAR_SPEC_SIZE], const char *spec, double gamma,
                                            far_error *error);

/* The spec without the discount or the average reward; a horizon stays. Fails as far__spec_without does. */
FAR_LAB far_status far__mdp_spec_of_world(char out[FAR_SPEC_SIZE], const char *spec,
                                          far_error *error);

/* The memory that the model takes. */
size_t far__mdp_bytes(const far_mdp *mdp);

/* An assumption that was made because the file does not say, and that may be wrong: a sentence for
 * the user, without its full stop; NULL if there is none. A JSON or DRN file of several states that
 * names no start has one: every episode starts in state 0. So has one whose discount is 1, until it is given what counts. */
FAR_LAB const char *far__mdp_caveat(const far_mdp *mdp);

/* far_mdp_hash without the discount or the average reward (a horizon stays): models with the same one have the same
 * runs. */
FAR_LAB void far__mdp_hash_world(char out[FAR_HASH_TEXT], const far_mdp *mdp);

/* About so many outcomes will far_mdp_from build, if there can be so many that it takes seconds (some 36 bytes and
 * 10^-7 s each); else 0. */
FAR_LAB double far__spec_outcomes(const far_spec *spec);

#endif
