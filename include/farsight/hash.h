/* SHA-256 (FIPS 180-4). It is the key of results, the checksum of saved agents and the seed of
 * random streams, so that all of them can be checked with standard tools. */
#ifndef FARSIGHT_HASH_H
#define FARSIGHT_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FAR_HASH_BYTES = 32, FAR_HASH_TEXT = 65 };

/* The digest of data[0..length). */
FAR_API void far_hash(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length);

/* The same digest without the processor's instructions for it, which far_hash uses where there are any:
 * to compare the two. */
FAR_API void far_hash_portable(uint8_t out[FAR_HASH_BYTES], const void *data, size_t length);

/* The digest as 64 lower-case hexadecimal digits and a terminator. */
FAR_API void far_hash_text(char out[FAR_HASH_TEXT], const uint8_t digest[FAR_HASH_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
