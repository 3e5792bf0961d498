/* Launches of the machine of the processor, which can be told to fail (lanes-host.c). */
#ifndef FAR_GPU_LANES_HOST_H
#define FAR_GPU_LANES_HOST_H

#include "run/gpu/machine.h"

/* Counts a launch: 0, or it fails. *wrong: its results shall be. */
int host_launch(bool *wrong, char why[FAR__WHY]);

#endif
