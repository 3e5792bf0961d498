/* Clocks in seconds, for measuring how long something takes; their zero means nothing. */
#ifndef FARSIGHT_CLOCK_H
#define FARSIGHT_CLOCK_H

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time that passes for everybody and never goes back. */
FAR_API double far_clock_seconds(void);

/* Processor time that the calling thread has used. */
FAR_API double far_clock_thread(void);

#ifdef __cplusplus
}
#endif

#endif
