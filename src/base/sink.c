#include "base/sink.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool far_buffer_add(far_buffer *b, const char *bytes, size_t length) {
  if (b->failed) return false;
  if (b->capacity - b->length <= length) {
    const size_t least = b->length + length + 1;
    const size_t wanted = least < SIZE_MAX / 4 ? 2 * least + 64 : 0;
    char *grown = wanted > 0 ? realloc(b->bytes, wanted) : NULL;
    b->failed = grown == NULL;
    if (b->failed) return false;
    b->bytes = grown;
    b->capacity = wanted;
  }
  memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
  b->bytes[b->length] = '\0';
  return true;
}

void far_buffer_free(far_buffer *b) {
  free(b->bytes);
  *b = (far_buffer){0};
}

static bool write_buffer(void *user, const char *bytes, size_t length) {
  return far_buffer_add(user, bytes, length);
}

far_sink far_sink_buffer(far_buffer *buffer) {
  return (far_sink){write_buffer, buffer};
}

static bool write_file(void *user, const char *bytes, size_t length) {
  return fwrite(bytes, 1, length, user) == length;
}

far_sink far_sink_file(FILE *file) {
  return (far_sink){write_file, file};
}

far_status far__sink_write(far_sink sink, const char *bytes, size_t length, const char *what,
                           far_error *error) {
  if (length == 0 || sink.write(sink.user, bytes, length)) return FAR_OK;
  if (sink.write == write_buffer)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %s", what);
  return far__fail(error, FAR_STATUS_IO, -1, "%s could not be written", what);
}
