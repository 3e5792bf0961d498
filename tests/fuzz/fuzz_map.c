/* Any bytes as a map, in a spec and in a file. What is accepted is a full grid of letters that are allowed, and the two
 * ways of writing it agree. */
#include <farsight/farsight.h>

#include "base/file.h"
#include "input_file.h"

#define far__file_read read_input
#include "model/envs/map.c"

static const char ALLOWED[] = "SFHG.#";

static bool read_map(far__map *map, const char *text) {
  far_error error = {FAR_OK, -1, ""};
  if (far__map_read(map, text, 0, ALLOWED, &error) != FAR_OK) {
    expect(map->cell == NULL && error.message[0] != '\0');
    return false;
  }
  expect(map->rows > 0 && map->columns > 0);
  for (size_t i = 0; i < (size_t)map->rows * map->columns; ++i)
    expect(map->cell[i] != '\0' && strchr(ALLOWED, map->cell[i]) != NULL);
  for (uint32_t i = 0; i < map->rows * map->columns; ++i)
    for (int d = 0; d < 4; ++d)
      expect(far__map_step(map, i, (far__direction)d) < map->rows * map->columns);
  return true;
}

/* The same with '/' in place of ends of line. */
static void read_as_spec(const far__map *same, const uint8_t *data, size_t size) {
  far__map map;
  char *text = copy_of(data, size, 1);
  size_t n = 0;
  for (size_t i = 0; i < size; ++i)
    if (text[i] != '\r') text[n++] = (char)(text[i] == '\n' ? '/' : text[i]);
  while (n > 0 && text[n - 1] == '/') --n;
  text[n] = '\0';
  expect(read_map(&map, text) && map.rows == same->rows && map.columns == same->columns);
  expect(memcmp(map.cell, same->cell, (size_t)map.rows * map.columns) == 0);
  drop_copy(text);
  far__map_free(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  far__map map;
  input_file.data = data;
  input_file.size = size;
  if (read_map(&map, "@file")) {
    read_as_spec(&map, data, size);
    far__map_free(&map);
  }
  return 0;
}
