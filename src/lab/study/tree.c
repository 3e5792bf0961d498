#include "lab/study/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

size_t far__tree_add(far__tree *t, size_t parent, far__node_kind kind, size_t at,
                     const char *text) {
  if (!far__grow((void **)&t->nodes, t->count, &t->capacity, sizeof *t->nodes)) return FAR__NONE;
  char *copy = text != NULL ? strdup(text) : NULL;
  if (text != NULL && copy == NULL) return FAR__NONE;
  const size_t i = t->count++;
  t->nodes[i] = (far__node){.kind = kind,
                            .at = at,
                            .first = FAR__NONE,
                            .last = FAR__NONE,
                            .next = FAR__NONE,
                            .text = copy};
  if (parent == FAR__NONE) return i;
  far__node *p = &t->nodes[parent];
  if (p->last == FAR__NONE)
    p->first = i;
  else
    t->nodes[p->last].next = i;
  p->last = i;
  p->count += 1;
  return i;
}

void far__tree_free(far__tree *t) {
  for (size_t i = 0; i < t->count; ++i) free(t->nodes[i].text);
  free(t->nodes);
  *t = (far__tree){0};
}

bool far__is_null(const char *text, size_t length) {
  static const char *const words[] = {"", "~", "null", "Null", "NULL"};
  size_t i = 0;
  while (i < 5 && (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)) ++i;
  return i < 5;
}

size_t far__tree_find(const far__tree *t, size_t map, const char *key) {
  for (size_t k = t->nodes[map].first; k != FAR__NONE; k = t->nodes[t->nodes[k].next].next)
    if (t->nodes[k].kind == FAR__SCALAR && strcmp(t->nodes[k].text, key) == 0)
      return t->nodes[k].next;
  return FAR__NONE;
}
