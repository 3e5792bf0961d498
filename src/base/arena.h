/* An arena: memory that is allocated piece by piece and freed as a whole. */
#ifndef FAR_BASE_ARENA_H
#define FAR_BASE_ARENA_H

#include <stddef.h>

typedef struct far__arena {
  struct far__chunk *chunks;
} far__arena;

/* `size` bytes, aligned for any number; NULL without memory. {0} is an empty arena. */
void *far__arena_room(far__arena *arena, size_t size);
void far__arena_free(far__arena *arena);

#endif
