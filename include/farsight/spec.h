/* A spec as a value: its text is read once, and what it says is passed on.
 *
 *     far_spec *spec;
 *     far_status status = far_spec_of_agent(&spec, "r-max:m=5", &shape, &error);
 *     status = far_agent_from(&agent, spec, mdp, seed, replicate, &error);
 *     far_spec_free(spec);
 *
 * A value is immutable and may be shared by any number of threads. The functions that take a text instead
 * (far_mdp_create, far_agent_create, far_agent_check and so on) read it each time.
 */
#ifndef FARSIGHT_SPEC_H
#define FARSIGHT_SPEC_H

#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "farsight/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_spec far_spec;

/* Reads the spec of an environment. Its discount is `gamma`, in (0, 1), unless it says itself what counts (gamma,
 * horizon or average); NAN: as it says. Fails as far_mdp_resolve does. */
FAR_API far_status far_spec_of_env(far_spec **out, const char *text, double gamma,
                                   far_error *error);

/* Reads the spec of an agent for the problems of a shape, whose marks of absent states must outlive it. Fails as
 * far_agent_resolve does. */
FAR_API far_status far_spec_of_agent(far_spec **out, const char *text, const far_shape *shape,
                                     far_error *error);
FAR_API void far_spec_free(far_spec *spec); /* NULL is fine */

FAR_API const far_type_info *far_spec_info(const far_spec *spec);
FAR_API const char *far_spec_typed(const far_spec *spec);     /* the text that was read */
FAR_API const char *far_spec_canonical(const far_spec *spec); /* every parameter written out */

/* The shortest spec found that means the same: "r-max:m=5" for "r-max:gamma=0.95,m=5,plan=full,tol=0.002,ties=random".
 * MEMORY is its only failure; `out` is then "". */
FAR_API far_status far_spec_label(char out[FAR_SPEC_SIZE], const far_spec *spec, far_error *error);

/* ---- of environments ---- */

/* About so many outcomes will far_mdp_from build, if there can be so many that it takes seconds (some 36 bytes and
 * 10^-7 s each); else 0. */
FAR_API double far_spec_outcomes(const far_spec *spec);

/* Builds the model. A file that has a horizon keeps it, whatever discount was asked for. CONFLICT if the spec or the
 * file names another discount than that; otherwise fails as far_mdp_create does. */
FAR_API far_status far_mdp_from(far_mdp **out, const far_spec *spec, far_error *error);

/* ---- of agents ---- */

/* far_agent_check, far_agent_bytes and far_agent_create_on (whose mdp may be NULL unless the agent peeks), with the
 * text read already. */
FAR_API void far_spec_advise(const far_spec *spec, far_warn_fn *warn, void *user);
FAR_API size_t far_spec_bytes(const far_spec *spec);
FAR_API far_status far_agent_from(far_agent **out, const far_spec *spec, const far_mdp *mdp,
                                  uint64_t seed, uint64_t replicate, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
