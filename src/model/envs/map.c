#include "model/envs/map.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

/* The text of a map, and what names a place in it in errors. */
typedef struct source {
  const char *text;
  size_t length;
  char separator;   /* between rows */
  const char *file; /* NULL: the text is part of a spec, at `position` */
  int position;
  const char *allowed;
} source;

static far_status fail_at(const source *from, size_t at, uint32_t row, uint32_t column,
                          const char *what, far_error *error) {
  const unsigned long r = (unsigned long)row + 1, c = (unsigned long)column + 1;
  if (from->file != NULL)
    return far__fail(error, FAR_STATUS_FORMAT, -1, "%s:%lu:%lu: %s", from->file, r, c, what);
  return far__fail(error, FAR_STATUS_SYNTAX, from->position < 0 ? -1 : from->position + (int)at,
                   "row %lu, column %lu of the map: %s", r, c, what);
}

/* Checks the text and copies its cells, dropping the separators. */
static far_status take_cells(far__map *out, const source *from, far_error *error) {
  char what[160];
  size_t n = 0;
  uint32_t row = 0, column = 0;
  for (size_t i = 0; i <= from->length; ++i) {
    const char c = i < from->length ? from->text[i] : from->separator;
    if (c == from->separator) {
      if (row == 0) out->columns = column;
      snprintf(what, sizeof what, "this row has %lu cells, the first has %lu",
               (unsigned long)column, (unsigned long)out->columns);
      if (column != out->columns) return fail_at(from, i, row, column, what, error);
      if (column == 0) return fail_at(from, i, row, column, "the row is empty", error);
      ++row;
      column = 0;
    } else if (c == '\0' || strchr(from->allowed, c) == NULL) {
      snprintf(what, sizeof what, "'%c' means nothing here; the cells are of %s",
               c >= 32 && c < 127 ? c : '?', from->allowed);
      return fail_at(from, i, row, column, what, error);
    } else {
      out->cell[n++] = c;
      ++column;
    }
  }
  out->rows = row;
  return FAR_OK;
}

static far_status parse(far__map *out, const source *from, far_error *error) {
  *out = (far__map){.cell = malloc(from->length + 1)};
  if (out->cell == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a map of %zu cells",
                     from->length);
  const far_status status = take_cells(out, from, error);
  if (status != FAR_OK) far__map_free(out);
  return status;
}

/* Reads a file, without its carriage returns and the line ends at its end. */
static far_status load(char **text, size_t *length, const char *name, far_error *error) {
  uint8_t *data = NULL;
  size_t all = 0, kept = 0;
  const far_status status = far__file_read(&data, &all, name, FAR__MOST_TEXT, error);
  *text = (char *)data;
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < all; ++i)
    if ((*text)[i] != '\r') (*text)[kept++] = (*text)[i];
  while (kept > 0 && (*text)[kept - 1] == '\n') --kept;
  *length = kept;
  return FAR_OK;
}

far_status far__map_read(far__map *out, const char *text, int position, const char *allowed,
                         far_error *error) {
  source from = {.text = text, .separator = '/', .position = position, .allowed = allowed};
  if (text[0] != '@') {
    from.length = strlen(text);
    return parse(out, &from, error);
  }
  char *loaded;
  far_status status = load(&loaded, &from.length, text + 1, error);
  if (status == FAR_OK) {
    from.text = loaded;
    from.separator = '\n';
    from.file = text + 1;
    status = parse(out, &from, error);
  }
  free(loaded);
  return status;
}

uint32_t far__map_count(const far__map *map, char wanted) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < map->rows * map->columns; ++i) count += map->cell[i] == wanted;
  return count;
}

far_status far__map_require(const far__map *map, char wanted, const char *what, int position,
                            far_error *error) {
  if (far__map_count(map, wanted) > 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_SYNTAX, position, "the map needs at least one %c, %s", wanted,
                   what);
}

void far__map_free(far__map *map) {
  free(map->cell);
  *map = (far__map){0};
}

uint32_t far__map_step(const far__map *map, uint32_t cell, far__direction direction) {
  const uint32_t row = cell / map->columns, column = cell % map->columns;
  switch (direction) {
  case FAR__LEFT: return column > 0 ? cell - 1 : cell;
  case FAR__DOWN: return row + 1 < map->rows ? cell + map->columns : cell;
  case FAR__RIGHT: return column + 1 < map->columns ? cell + 1 : cell;
  case FAR__UP: return row > 0 ? cell - map->columns : cell;
  }
  return cell;
}
