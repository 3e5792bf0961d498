/* The shared object of a device's backend, and what it exports. */
#ifndef FAR_BASE_BACKEND_FILE_H
#define FAR_BASE_BACKEND_FILE_H

#include "farsight/base.h"

enum { FAR__WHY = 256, FAR__DEVICE_NAME = 128 }; /* bytes of a reason, and of a device's name */

/* Looks for the file as farsight/base.h says (`library` may be NULL), loads it, and sets *out to the
 * symbol's address, NULL if there is none of that name. It is never unloaded. CONFLICT, with a message that
 * completes "no device: ...", where it cannot be loaded. */
far_status far__backend_symbol(void **out, const char *library, const char *symbol,
                               far_error *error);

/* Fails with CONFLICT: what was loaded belongs to another build. */
far_status far__backend_mismatch(far_error *error);

#endif
