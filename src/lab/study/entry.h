/* An entry of a list in a study file as a spec, and where each part of it stands in the file:
 *
 *     - q-learning: {q0: 20, epsilon: 0.001..0.1 log 5}
 *
 * is q-learning:q0=20,epsilon=[0.001..0.1 log 5], and fast: {r-max: {m: 5}} is fast=r-max:m=5. */
#ifndef FAR_LAB_STUDY_ENTRY_H
#define FAR_LAB_STUDY_ENTRY_H

#include "base/text.h"
#include "lab/study/specs.h"
#include "lab/study/tree.h"

typedef struct far__piece {
  size_t at, file_at; /* in the spec and in the file */
  bool verbatim;      /* the file has the same characters */
} far__piece;

typedef struct far__entry {
  far__text spec;
  far__piece *pieces;
  size_t n_pieces, capacity;
} far__entry;

/* Makes one of a node, or (pair) of a key of a mapping and the value that follows it; text[0..length) is the file. Fails
 * with a position in the file, and a message that does not name the file. */
far_status far__entry_make(far__entry *out, const far__tree *tree, size_t node, bool pair,
                           const char *text, size_t length, far_listing *listing, far_error *error);
void far__entry_free(far__entry *entry); /* also after a failure */

/* Where position `at` of the spec stands in the file. */
size_t far__entry_place(const far__entry *entry, size_t at);

/* The key of the pair at this position of the spec: its place in the spec and its length, or 0. */
size_t far__entry_key(const far__entry *entry, size_t at, const char **key);

/* "slip=0.1", which is no entry but the end of one before it. */
bool far__is_pair(const far__node *node);

/* chain:n=10,slip=0.1 as chain: {n: 10, slip: 0.1}. */
void far__spec_as_mapping(far__text *out, const char *spec);

#endif
