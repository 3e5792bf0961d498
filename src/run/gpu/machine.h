/* What the backend needs of a machine with lanes: memory and launches. cuda.cu has that of a GPU, lanes-host.c that
 * of the processor. Functions that can fail return 0, or another number with the reason in `why`. */
#ifndef FAR_GPU_MACHINE_H
#define FAR_GPU_MACHINE_H

#include "run/gpu/kernels.h"
#include "run/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the device of this number, from 0. A process opens only one. */
int machine_open(int number, far__device_traits *traits, char why[FAR__WHY]);

/* A thread calls this before anything else that it does with the device, except for the two queries below. */
int machine_enter(char why[FAR__WHY]);

/* Bytes that are free now, and how many lanes run at once. */
double machine_room(void);
int64_t machine_lanes(void);

int machine_allocate(void **out, size_t bytes, char why[FAR__WHY]);
void machine_free(void *memory); /* NULL is fine */
int machine_put(void *to, const void *from, size_t bytes, char why[FAR__WHY]);
int machine_get(void *to, const void *from, size_t bytes, char why[FAR__WHY]);

/* machine_begin sets the lanes to their beginning; machine_advance takes them to all->until and waits for them. */
int machine_begin(const lanes *all, char why[FAR__WHY]);
int machine_advance(const lanes *all, kernel which, char why[FAR__WHY]);
int machine_advance_tallied(const lanes *all, far__fused loop,
                            char why[FAR__WHY]); /* for lanes with tallies */

#ifdef __cplusplus
}
#endif

#endif
