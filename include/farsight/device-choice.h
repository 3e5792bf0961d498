/* Who computes: the processors or a device. Of batches see device.h, of exact values solve.h.
 *
 * A device is driven by a backend, a shared object that is loaded when it is needed: the file that a definition
 * names, else the one that the environment variable FARSIGHT_GPU_LIBRARY names, else libfarsight-gpu.so in the
 * folder of this library (of the program, where it is linked statically) or in its neighbour lib, else where the
 * system finds it.
 */
#ifndef FARSIGHT_DEVICE_CHOICE_H
#define FARSIGHT_DEVICE_CHOICE_H

#include <stdbool.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_device {
  FAR_DEVICE_CPU, /* threads only */
  FAR_DEVICE_GPU, /* the device, for all that it takes */
  /* the device, for what it computes in less time than the threads. Of a batch both are measured on a few steps of each
   * cell; for less than a second of work no device is looked for */
  FAR_DEVICE_AUTO,
} far_device;

/* "cpu", "gpu" or "auto"; false for another text. */
FAR_API bool far_device_parse(far_device *out, const char *text);

/* Is given one sentence, without a full stop. */
typedef void far_device_note_fn(void *user, const char *text);

enum { FAR_DEVICE_TEXT = 256 }; /* bytes of a name or a reason */

#ifdef __cplusplus
}
#endif

#endif
