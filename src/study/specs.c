#include "study/specs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "study/spec-grid.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the specs of the study");
}

static far_status add_item(far__specs *s, char *item, size_t from, far_error *error) {
  if (item == NULL || !far__grow((void **)&s->items, s->n_items, &s->capacity, sizeof *s->items) ||
      !far__grow((void **)&s->from, s->n_items, &s->from_capacity, sizeof *s->from)) {
    free(item);
    return no_memory(error);
  }
  s->items[s->n_items] = item;
  s->from[s->n_items++] = from;
  return FAR_OK;
}

static far_status expand_one(far__specs *s, size_t which, size_t most, far_error *error) {
  far__grid grid;
  const char *text = s->given[which];
  far_status status = far__grid_parse(&grid, text, far_spec_type(s->listing, text), most, error);
  if (status == FAR_OK && grid.count > most - s->n_items)
    status = far__fail(error, FAR_STATUS_RANGE, 0, "more than %zu %s, the maximum", most, s->what);
  for (size_t i = 0; status == FAR_OK && i < grid.count; ++i)
    status = add_item(s, far__grid_spec(&grid, i), which, error);
  far__grid_free(&grid);
  return status;
}

static far_status add_name(far__specs *s, size_t which, size_t most, far_error *error) {
  if (s->n_items >= most)
    return far__fail(error, FAR_STATUS_RANGE, 0, "more than %zu %s, the maximum", most, s->what);
  return add_item(s, strdup(s->given[which]), which, error);
}

far_status far__specs_expand(far__specs *out, const char *const *given, const bool *names,
                             size_t count, size_t most, size_t *which, far_error *error) {
  out->given = calloc(count + 1, sizeof *out->given);
  if (out->given == NULL) return no_memory(error);
  for (size_t i = 0; i < count; ++i) {
    *which = i;
    out->given[i] = strdup(given[i]);
    if (out->given[i] == NULL) return no_memory(error);
    out->n_given = i + 1;
    const bool named = names != NULL && names[i];
    const far_status status =
        named ? add_name(out, i, most, error) : expand_one(out, i, most, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

void far__specs_free(far__specs *s) {
  for (size_t i = 0; i < s->n_given; ++i) free(s->given[i]);
  for (size_t i = 0; i < s->n_items; ++i) free(s->items[i]);
  free(s->given);
  free(s->items);
  free(s->from);
}

/* The grid that an item is of, and the first item of it. */
static bool parse_again(far__grid *out, const far__specs *s, size_t item, size_t *first) {
  const char *text = s->given[s->from[item]];
  const far_type_info *type = far_spec_type(s->listing, text);
  *first = item;
  while (*first > 0 && s->from[*first - 1] == s->from[item]) --*first;
  return far__grid_parse(out, text, type, FAR__MOST_SPECS, NULL) == FAR_OK;
}

int far__specs_difference(const far__specs *s, size_t i, size_t j) {
  far__grid grid;
  size_t first;
  int at = 0;
  if (s->from[i] != s->from[j]) return 0;
  if (parse_again(&grid, s, j, &first)) at = (int)far__grid_difference(&grid, i - first, j - first);
  far__grid_free(&grid);
  return at;
}

int far__specs_source(const far__specs *s, size_t item, int at) {
  far__grid grid;
  size_t first;
  if (at < 0) return at;
  if (parse_again(&grid, s, item, &first))
    at = (int)far__grid_source(&grid, item - first, (size_t)at);
  far__grid_free(&grid);
  return at;
}
