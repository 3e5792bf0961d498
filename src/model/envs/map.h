/* Grids of characters, from a spec or a file, for the families that are drawn as maps. */
#ifndef FAR_MODEL_ENVS_MAP_H
#define FAR_MODEL_ENVS_MAP_H

#include "farsight/base.h"

typedef struct far__map {
  uint32_t rows, columns;
  char *cell; /* rows * columns, row by row */
} far__map;

/* The order goes around: the two sides of a direction are its neighbours modulo 4. */
typedef enum far__direction { FAR__LEFT, FAR__DOWN, FAR__RIGHT, FAR__UP } far__direction;

/* Reads `text`: rows separated by '/', or '@' and the name of a file with a row a line. All rows
 * must be equally long and hold only characters of `allowed`. `position` is where the text stands in
 * a spec, for the message, or -1. On failure there is nothing to free. */
far_status far__map_read(far__map *out, const char *text, int position, const char *allowed,
                         far_error *error);

/* Fails unless the map has the character. `what` completes the message: "at least one S, a start". */
far_status far__map_require(const far__map *map, char wanted, const char *what, int position,
                            far_error *error);

void far__map_free(far__map *map);

/* The cell one step away, or the same one at the edge. */
uint32_t far__map_step(const far__map *map, uint32_t cell, far__direction direction);

uint32_t far__map_count(const far__map *map, char wanted);

#endif
