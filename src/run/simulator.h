/* Simulators as stores know them. */
#ifndef FAR_RUN_SIMULATOR_H
#define FAR_RUN_SIMULATOR_H

#include "base/export.h"
#include "farsight/worlds.h"

/* Is an environment of a store such a spec? Only the program that has the simulator can run it. */
FAR_LAB bool far__simulator_is_spec(const char *env);

/* The SHA-256 of its shape but for the discount: states, actions, rewards, whether episodes end, states that are not
 * live, horizon. A store refuses one version of a simulator with two shapes. */
FAR_LAB void far__simulator_hash(char out[FAR_HASH_TEXT], const far_simulator_def *def);

#endif
