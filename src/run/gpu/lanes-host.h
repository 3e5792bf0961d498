/* Launches of the machine of the processor, which can be told to fail (lanes-host.c). */
#ifndef FAR_GPU_LANES_HOST_H
#define FAR_GPU_LANES_HOST_H

#include "run/gpu/machine.h"

/* Counts a launch. Returns 0, or 1 with the reason if the launch is to fail; *wrong: its results are to be wrong. */
int host_launch(bool *wrong, char why[FAR__WHY]);

#endif
