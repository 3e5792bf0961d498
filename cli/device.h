/* --device: who computes the runs of a command's batches. */
#ifndef FARSIGHT_CLI_DEVICE_H
#define FARSIGHT_CLI_DEVICE_H

#include "cli.h"

#define DEVICE_OPTION                                                                              \
  {                                                                                                \
    0, "device", "WHERE",                                                                          \
        "cpu, gpu or auto; the results do not depend on it (default: cpu; docs/gpu.md)",           \
        COMPLETE_NONE                                                                              \
  }

/* What --device says, FAR_DEVICE_CPU if nothing. False after printing a usage error. */
bool device_choice(const arguments *args, far_device *out);

/* Warns: what a library calls with the reason why no device computes. */
void tell_device(void *user, const char *text);

/* The pool that --device asks for: a device's, or that of all_ranks, each with its own. False after printing a usage error.
 * Lives as long as the program. */
bool device_option(const arguments *args, far_pool **out);

/* The pool of this process's device, to ask what it would do; NULL if --device asks for none. */
far_pool *device_pool(void);

/* Notes what the device has done, if one was asked for. */
void note_device(void);

#endif
