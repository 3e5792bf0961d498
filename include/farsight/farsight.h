/* Farsight: exploration with guarantees in finite Markov decision processes.
 *
 *     far_mdp *mdp;
 *     far_agent *agent;
 *     if (far_mdp_create(&mdp, "chain:n=5", &error)) return puts(error.message);
 *     if (far_agent_create_on(&agent, "directed-delayed-q", mdp, 1000, 1, 0, &error)) return puts(error.message);
 *     printf("%s on %s\n", far_agent_spec(agent), far_mdp_spec(mdp));
 *     far_agent_free(agent);
 *     far_mdp_free(mdp);
 *
 * All of libfarsight; farsight/lab.h has the laboratory as well. docs/api.md says what is where. */
#ifndef FARSIGHT_H
#define FARSIGHT_H

#include "farsight/agent.h"
#include "farsight/audit.h"
#include "farsight/base.h"
#include "farsight/mdp.h"
#include "farsight/run.h"
#include "farsight/solve.h"
#include "farsight/statistics.h"
#include "farsight/theory.h"
#include "farsight/worlds.h"

#endif
