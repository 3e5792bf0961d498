#include "lab/study/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lab/study/spec-grid.h"

typedef struct maker {
  far__entry *out;
  const far__tree *tree;
  const char *text; /* of the file */
  size_t length;
  far_error *error;
} maker;

static const far__node *node_at(const maker *m, size_t i) {
  return &m->tree->nodes[i];
}

static far_status fail(const maker *m, size_t node, const char *what) {
  return far__fail(m->error, FAR_STATUS_SYNTAX, (int)node_at(m, node)->at, "%s", what);
}

static void add(maker *m, const char *text) {
  far__text_add(&m->out->spec, text, strlen(text));
}

/* A scalar becomes the next part of the spec. */
static void add_scalar(maker *m, size_t i) {
  far__entry *e = m->out;
  const far__node *node = node_at(m, i);
  const size_t at = node->at + node->quoted;
  if (!far__grow((void **)&e->pieces, e->n_pieces, &e->capacity, sizeof *e->pieces)) {
    e->spec.failed = true;
    return;
  }
  const size_t length = strlen(node->text);
  const bool verbatim = length <= m->length && at <= m->length - length &&
                        memcmp(m->text + at, node->text, length) == 0;
  e->pieces[e->n_pieces++] = (far__piece){e->spec.length, at, verbatim};
  add(m, node->text);
}

/* ---- a value of a key ---- */

static far_status check_value(const maker *m, size_t i, bool in_list) {
  const far__node *node = node_at(m, i);
  if (node->kind != FAR__SCALAR)
    return fail(m, i, "a value must be a number, a word, a range, or a list of these");
  if (strchr(node->text, ',') != NULL)
    return fail(m, i, "a value has no comma; a list of values is written [10, 20, 50]");
  if (node->text[0] == '[' || (in_list && strchr(node->text, ']') != NULL))
    return fail(m, i, "a bracket in a value; a list of values is written [10, 20, 50]");
  return FAR_OK;
}

static far_status add_list(maker *m, size_t list) {
  const size_t first = node_at(m, list)->first;
  if (first == FAR__NONE) return fail(m, list, "an empty list; give at least one value");
  add(m, "[");
  for (size_t i = first; i != FAR__NONE; i = node_at(m, i)->next) {
    const far_status status = check_value(m, i, true);
    if (status != FAR_OK) return status;
    if (node_at(m, i)->text[0] == '\0') return fail(m, i, "a value is missing here");
    if (i != first) add(m, ",");
    add_scalar(m, i);
  }
  add(m, "]");
  return FAR_OK;
}

static far_status add_value(maker *m, size_t i) {
  if (node_at(m, i)->kind == FAR__LIST) return add_list(m, i);
  const char *text = node_at(m, i)->text;
  const bool range = node_at(m, i)->kind == FAR__SCALAR && far__is_range(text, strlen(text));
  const far_status status = check_value(m, i, range);
  if (status != FAR_OK) return status;
  if (range) add(m, "[");
  add_scalar(m, i);
  if (range) add(m, "]");
  return FAR_OK;
}

/* ---- the entry ---- */

static far_status add_pairs(maker *m, size_t map) {
  const char *separator = ":";
  for (size_t key = node_at(m, map)->first; key != FAR__NONE;) {
    const size_t value = node_at(m, key)->next;
    if (strpbrk(node_at(m, key)->text, ",=") != NULL || node_at(m, key)->text[0] == '\0')
      return fail(m, key, "a key is a word, as in {n: 10}");
    add(m, separator);
    add_scalar(m, key);
    add(m, "=");
    const far_status status = add_value(m, value);
    if (status != FAR_OK) return status;
    separator = ",";
    key = node_at(m, value)->next;
  }
  return FAR_OK;
}

static far_status add_mapping(maker *m, size_t map, far_listing *listing);

/* Is this the spec behind a name of the user's, "fast: {r-max: {m: 5}}" or "fast: r-max:m=5"? */
static bool is_spec(const maker *m, size_t i, far_listing *listing) {
  const far__node *node = node_at(m, i);
  const size_t name = node->kind == FAR__MAP ? node->first : i;
  if (node->kind == FAR__LIST || name == FAR__NONE || node_at(m, name)->kind != FAR__SCALAR)
    return false;
  return far_spec_type(listing, node_at(m, name)->text) != NULL;
}

static far_status add_named(maker *m, size_t name, size_t value, far_listing *listing) {
  if (strpbrk(node_at(m, name)->text, ":=") != NULL)
    return fail(m, name, "a name has no ':' and no '='");
  add_scalar(m, name);
  add(m, "=");
  if (node_at(m, value)->kind == FAR__MAP) return add_mapping(m, value, listing);
  add_scalar(m, value);
  return FAR_OK;
}

/* "NAME: VALUE", of which `name` is the first node */
static far_status add_entry(maker *m, size_t name, far_listing *listing) {
  const size_t value = node_at(m, name)->next;
  const far_type_info *type = far_spec_type(listing, node_at(m, name)->text);
  const far__node *v = node_at(m, value);
  const bool bare = type != NULL && type->bare;
  if (!bare && is_spec(m, value, listing)) return add_named(m, name, value, listing);
  add_scalar(m, name);
  if (v->kind == FAR__MAP) return add_pairs(m, value);
  if (v->kind == FAR__SCALAR && !v->quoted &&
      (bare ? v->text[0] == '\0' : far__is_null(v->text, strlen(v->text))))
    return FAR_OK; /* "- chain:" */
  if (v->kind == FAR__SCALAR && bare) {
    add(m, ":");
    add_scalar(m, value);
    return FAR_OK;
  }
  if (v->kind == FAR__SCALAR && strchr(v->text, '=') != NULL)
    return far__fail(m->error, FAR_STATUS_SYNTAX, (int)v->at,
                     "write the keys of an entry in braces, as in 'chain: {n: 10}', or without a "
                     "space: %.60s:%.100s",
                     node_at(m, name)->text, v->text);
  return fail(m, value,
              type != NULL
                  ? "write the keys of an entry in braces, as in 'chain: {n: 10}'"
                  : "a spec follows a name, as in 'fast: r-max', and keys in braces follow "
                    "what they are of, as in 'chain: {n: 10}'");
}

static far_status add_mapping(maker *m, size_t map, far_listing *listing) {
  const size_t name = node_at(m, map)->first;
  if (node_at(m, map)->count == 2) return add_entry(m, name, listing);
  return fail(m, name != FAR__NONE ? name : map,
              "an entry has one name; its keys are in braces, as in 'chain: {n: 10}', or on lines "
              "of their own that are indented deeper than the name");
}

far_status far__entry_make(far__entry *out, const far__tree *tree, size_t node, bool pair,
                           const char *text, size_t length, far_listing *listing,
                           far_error *error) {
  maker m = {out, tree, text, length, error};
  const far__node *n = node_at(&m, node);
  far_status status = FAR_OK;
  *out = (far__entry){0};
  if (pair)
    status = add_entry(&m, node, listing);
  else if (n->kind == FAR__LIST)
    return fail(&m, node, "an entry is a spec or a name with its keys, as in 'chain: {n: 10}'");
  else if (n->kind == FAR__MAP)
    status = add_mapping(&m, node, listing);
  else if (n->text[0] == '\0')
    return fail(&m, node, "an entry is missing here");
  else
    add_scalar(&m, node);
  if (status == FAR_OK && out->spec.failed)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study");
  return status;
}

void far__entry_free(far__entry *e) {
  free(e->spec.bytes);
  free(e->pieces);
  *e = (far__entry){0};
}

/* ---- from the spec back to the file ---- */

size_t far__entry_place(const far__entry *e, size_t at) {
  size_t i = 0;
  while (i + 1 < e->n_pieces && e->pieces[i + 1].at <= at) ++i;
  const far__piece *piece = &e->pieces[i];
  return piece->file_at + (piece->verbatim && at >= piece->at ? at - piece->at : 0);
}

size_t far__entry_key(const far__entry *e, size_t at, const char **key) {
  const char *spec = e->spec.bytes;
  size_t begin = strcspn(spec, ":");
  while (begin < at && spec[begin] != '\0') { /* spec[begin] is ':' or ',' */
    const size_t length = strcspn(spec + begin + 1, ",=");
    size_t end = begin + 1 + length;
    if (spec[end] == '=' && spec[end + 1] == '[') end += strcspn(spec + end, "]");
    end += strcspn(spec + end, ",");
    *key = spec + begin + 1;
    if (at <= end) return length;
    begin = end;
  }
  return 0;
}

/* ---- entries that YAML has cut at a comma ---- */

bool far__is_pair(const far__node *node) {
  if (node->kind != FAR__SCALAR || node->quoted) return false;
  const size_t n =
      strspn(node->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return n > 0 && node->text[n] == '=';
}

void far__spec_as_mapping(far__text *out, const char *spec) {
  const size_t name = strcspn(spec, ":");
  far__text_add(out, spec, name);
  far__text_add(out, ": {", 3);
  for (const char *p = spec + name + 1; *p != '\0'; ++p) {
    const bool sign = *p == '=' || *p == ',';
    far__text_add(out, *p == '=' ? ":" : p, 1);
    if (sign) far__text_add(out, " ", 1);
  }
  far__text_add(out, "}", 1);
}
