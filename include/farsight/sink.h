/* Destinations of text: a file, memory, or a function of the caller.
 *
 *     far_buffer buffer = {0};
 *     far_report_render(report, &how, far_sink_buffer(&buffer), &error);
 *     ... buffer.bytes, buffer.length ...
 *     far_buffer_free(&buffer);
 */
#ifndef FARSIGHT_SINK_H
#define FARSIGHT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "farsight/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes bytes in order. `write` returns false when it could not take them all. */
typedef struct far_sink {
  bool (*write)(void *user, const char *bytes, size_t length);
  void *user;
} far_sink;

/* Text in memory that grows; {0} to begin with. Once memory fails it stays failed, and what is added
 * is dropped, so that a writer may check once, at the end. */
typedef struct far_buffer {
  char *bytes; /* ended by a zero once there are any */
  size_t length, capacity;
  bool failed;
} far_buffer;

/* Appends bytes; false if memory has failed, now or before. */
FAR_API bool far_buffer_add(far_buffer *buffer, const char *bytes, size_t length);

/* Frees the bytes and makes the buffer empty. */
FAR_API void far_buffer_free(far_buffer *buffer);

/* Sinks into a buffer and into a stream, which must outlive them. */
FAR_API far_sink far_sink_buffer(far_buffer *buffer);
FAR_API far_sink far_sink_file(FILE *file);

#ifdef __cplusplus
}
#endif

#endif
