#include "memory.h"

#include <string.h>

void *room_for(size_t count, size_t size) {
  void *out = calloc(count + 1, size);
  if (out == NULL) out_of_memory();
  return out;
}

char *copy_of(const char *text) {
  const size_t length = strlen(text);
  return memcpy(room_for(length, 1), text, length);
}

FILE *open_text(char **text, size_t *size) {
  FILE *out = open_memstream(text, size);
  if (out == NULL) out_of_memory();
  return out;
}

/* glibc says nothing when it has no memory for the text, and gives none. */
void close_text(FILE *stream, char *const *text) {
  if (fclose(stream) != 0 || *text == NULL) out_of_memory();
}

far_status need_memory(far_status status) {
  if (status == FAR_STATUS_MEMORY) out_of_memory();
  return status;
}
