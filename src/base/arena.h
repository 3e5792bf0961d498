/* Memory that lives as long as what it belongs to: taken piece by piece, freed at once. */
#ifndef FAR_BASE_ARENA_H
#define FAR_BASE_ARENA_H

#include <stddef.h>

typedef struct far__arena {
  struct far__chunk *chunks;
} far__arena;

/* Room for so many bytes, aligned for any number, or NULL. {0} is an empty arena. */
void *far__arena_room(far__arena *arena, size_t size);
void far__arena_free(far__arena *arena);

#endif
