/* A YAML text as a tree. The scalars are text as it is written: 0.10 stays 0.10, off stays off. */
#ifndef FAR_LAB_STUDY_TREE_H
#define FAR_LAB_STUDY_TREE_H

#include "farsight/base.h"

typedef enum far__node_kind { FAR__SCALAR, FAR__LIST, FAR__MAP } far__node_kind;

/* The children of a map are key, value, key, value ... */
typedef struct far__node {
  far__node_kind kind;
  bool quoted;
  size_t at;                /* byte offset in the text, quotes included */
  size_t first, last, next; /* children and sibling; FAR__NONE if there is none */
  size_t count;             /* of children */
  char *text;               /* of a scalar */
} far__node;

enum { FAR__TEXT_MAX = 1 << 20, FAR__DEPTH_MAX = 6, FAR__NODES_MAX = 200000 };
#define FAR__NONE ((size_t)-1)

typedef struct far__tree { /* node 0 is the root; an empty text has no nodes */
  far__node *nodes;
  size_t count, capacity;
} far__tree;

/* One document without anchors, aliases and tags. The position of an error is a byte offset.
 * ABSENT in a build without libyaml. */
far_status far__tree_parse(far__tree *out, const char *text, size_t length, far_error *error);
void far__tree_free(far__tree *tree); /* also after a failure */

/* A new node below `parent` (FAR__NONE: the root); FAR__NONE without memory. `text` is copied. */
size_t far__tree_add(far__tree *tree, size_t parent, far__node_kind kind, size_t at,
                     const char *text);

/* Is it nothing, ~ or null? Unquoted, these are how YAML says that a value is not given. */
bool far__is_null(const char *text, size_t length);

/* The value of a key of a map, or FAR__NONE. */
size_t far__tree_find(const far__tree *tree, size_t map, const char *key);

#endif
