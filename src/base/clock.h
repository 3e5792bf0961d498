/* Clocks in seconds, for measuring durations; their origin is arbitrary. */
#ifndef FAR_BASE_CLOCK_H
#define FAR_BASE_CLOCK_H

/* Elapsed time; never decreases (monotonic). */
double far__clock_seconds(void);

/* Processor time that the calling thread has used. */
double far__clock_thread(void);

#endif
