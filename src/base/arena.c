#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

struct far__chunk {
  struct far__chunk *next;
  size_t used, size;
  max_align_t bytes[]; /* for any array */
};

void *far__arena_room(far__arena *arena, size_t size) {
  struct far__chunk *chunk = arena->chunks;
  if (size > SIZE_MAX / 2) return NULL;
  size = (size + 7) / 8 * 8;
  if (chunk == NULL || chunk->size - chunk->used < size) {
    const size_t wanted = size > 4096 ? size : 4096;
    chunk = malloc(sizeof *chunk + wanted);
    if (chunk == NULL) return NULL;
    *chunk = (struct far__chunk){.next = arena->chunks, .size = wanted};
    arena->chunks = chunk;
  }
  chunk->used += size;
  return (char *)chunk->bytes + chunk->used - size;
}

void far__arena_free(far__arena *arena) {
  while (arena->chunks != NULL) {
    struct far__chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
}
