#include "lab/study/specs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/markup.h"
#include "base/text.h"
#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "lab/study/spec-grid.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the specs of the study");
}

static far_status add_item(far__specs *s, char *item, char *label, size_t from, far_error *error) {
  if (item == NULL || label == NULL ||
      !far__grow((void **)&s->items, s->n_items, &s->capacity, sizeof *s->items) ||
      !far__grow((void **)&s->labels, s->n_items, &s->labels_capacity, sizeof *s->labels) ||
      !far__grow((void **)&s->from, s->n_items, &s->from_capacity, sizeof *s->from)) {
    free(item);
    free(label);
    return no_memory(error);
  }
  s->items[s->n_items] = item;
  s->labels[s->n_items] = label;
  s->from[s->n_items++] = from;
  return FAR_OK;
}

/* ---- names ---- */

size_t far__spec_behind_name(const char *text) {
  const size_t n = strcspn(text, ":=");
  const char next = text[n] == '=' ? text[n + 1] : '=';
  const bool spec = next == '\0' || (next >= 'a' && next <= 'z'); /* or it is missing */
  return spec ? n + 1 : 0;
}

/* What readers see of a name is the name. */
static bool is_plain(const char *name) {
  const size_t length = strlen(name);
  if (!far__is_name(name) || name[0] == ' ' || name[length - 1] == ' ') return false;
  for (size_t at = 0, n; at < length; at += n) {
    n = far__utf8_length(name + at, length - at);
    /* Invisible characters would let two names look alike: U+200B, U+2060 and U+FEFF have no width. */
    const uint32_t code = far__utf8_code(name + at, n);
    if (far__code_obeyed(code) || code == 0x200b || code == 0x2060 || code == 0xfeff) return false;
  }
  return true;
}

/* "agent" or "environment"; NULL where nothing of ours is called so. */
static const char *kind_of(const char *name) {
  if (far_spec_type(far_agent_type, name) != NULL) return "agent";
  return far_spec_type(far_mdp_family, name) != NULL ? "environment" : NULL;
}

/* A name is not the spec of anything, so that what it stands for is never a question. */
static far_status check_name(const far__specs *s, const char *text, size_t length,
                             far_error *error) {
  char name[FAR__NAME_MAX + 1] = "";
  if (length <= FAR__NAME_MAX) memcpy(name, text, length);
  if (!is_plain(name))
    return far__fail(error, FAR_STATUS_SYNTAX, 0,
                     "a name has 1 to %d bytes of UTF-8 without control or invisible characters "
                     "and without a space at its ends, as in fast=r-max:m=5",
                     (int)FAR__NAME_MAX);
  if (strcmp(s->what, "agents") == 0 &&
      (strcmp(name, "best policy") == 0 || strcmp(name, "random policy") == 0))
    return far__fail(error, FAR_STATUS_CONFLICT, 0,
                     "'%s' cannot be a name: tables and figures have a row of that name", name);
  const char *spec = text + length + 1;
  const size_t second = far__spec_behind_name(spec);
  if (second > 0)
    return far__fail(error, FAR_STATUS_SYNTAX, (int)length + 1,
                     "a spec has one name, not '%s' and '%.*s'", name,
                     second <= FAR__NAME_MAX ? (int)second - 1 : (int)FAR__NAME_MAX, spec);
  if (kind_of(name) == NULL) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, 0,
                   "'%s' cannot be a name: it is the %s of that name; choose another, as in "
                   "'my-%s=%.60s'",
                   name, kind_of(name), name, spec);
}

/* ---- expanding ---- */

/* What item i of a grid is called: with a name by that, and by what varies. */
static char *label_of(const far__specs *s, size_t which, const far__grid *grid, size_t i) {
  const size_t at = s->spec_at[which];
  return at > 0 ? far__grid_label(grid, i, s->given[which], at - 1) : far__grid_spec(grid, i);
}

static far_status expand_spec(far__specs *s, size_t which, size_t most, far_error *error) {
  far__grid grid;
  const char *text = s->given[which] + s->spec_at[which];
  far_status status = far__grid_parse(&grid, text, far_spec_type(s->listing, text), most, error);
  if (status == FAR_OK && grid.count > most - s->n_items)
    status = far__fail(error, FAR_STATUS_RANGE, 0, "more than %zu %s, the maximum", most, s->what);
  for (size_t i = 0; status == FAR_OK && i < grid.count; ++i)
    status = add_item(s, far__grid_spec(&grid, i), label_of(s, which, &grid, i), which, error);
  far__grid_free(&grid);
  return status;
}

static far_status expand_one(far__specs *s, size_t which, size_t most, far_error *error) {
  const size_t at = s->named ? far__spec_behind_name(s->given[which]) : 0;
  if (at > 0) {
    const far_status status = check_name(s, s->given[which], at - 1, error);
    if (status != FAR_OK) return status;
  }
  s->spec_at[which] = at;
  const far_status status = expand_spec(s, which, most, error);
  if (status != FAR_OK && error != NULL && error->position >= 0) error->position += (int)at;
  return status;
}

/* A model or a simulator of the program's, which has no spec. */
static far_status add_model(far__specs *s, size_t which, size_t most, far_error *error) {
  const char *name = s->given[which];
  if (s->n_items >= most)
    return far__fail(error, FAR_STATUS_RANGE, 0, "more than %zu %s, the maximum", most, s->what);
  return add_item(s, strdup(name), strdup(name), which, error);
}

far_status far__specs_expand(far__specs *out, const char *const *given, const bool *models,
                             size_t count, size_t most, size_t *which, far_error *error) {
  out->given = calloc(count + 1, sizeof *out->given);
  out->spec_at = calloc(count + 1, sizeof *out->spec_at);
  if (out->given == NULL || out->spec_at == NULL) return no_memory(error);
  for (size_t i = 0; i < count; ++i) {
    *which = i;
    out->given[i] = strdup(given[i]);
    if (out->given[i] == NULL) return no_memory(error);
    out->n_given = i + 1;
    const bool model = models != NULL && models[i];
    const far_status status =
        model ? add_model(out, i, most, error) : expand_one(out, i, most, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

void far__specs_free(far__specs *s) {
  for (size_t i = 0; i < s->n_given; ++i) free(s->given[i]);
  for (size_t i = 0; i < s->n_items; ++i) free(s->items[i]);
  for (size_t i = 0; i < s->n_items; ++i) free(s->labels[i]);
  free(s->given);
  free(s->spec_at);
  free(s->items);
  free(s->labels);
  free(s->from);
}

/* The grid that an item is of, and the first item of it. */
static bool parse_again(far__grid *out, const far__specs *s, size_t item, size_t *first) {
  const char *text = s->given[s->from[item]] + s->spec_at[s->from[item]];
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
  if (parse_again(&grid, s, j, &first))
    at = (int)(s->spec_at[s->from[j]] + far__grid_difference(&grid, i - first, j - first));
  far__grid_free(&grid);
  return at;
}

int far__specs_source(const far__specs *s, size_t item, int at) {
  far__grid grid;
  size_t first;
  if (at < 0) return at;
  if (parse_again(&grid, s, item, &first))
    at = (int)(s->spec_at[s->from[item]] + far__grid_source(&grid, item - first, (size_t)at));
  far__grid_free(&grid);
  return at;
}
