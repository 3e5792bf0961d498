/* A list of specs with its grids expanded, and the way back from a spec to where it was written. */
#ifndef FAR_LAB_STUDY_SPECS_H
#define FAR_LAB_STUDY_SPECS_H

#include "farsight/base.h"

enum { FAR__MOST_SPECS = 100000 }; /* of one kind, in a study */

/* Where the spec begins in "NAME=SPEC"; 0 where there is no name, as in "slip=0.1". */
size_t far__spec_behind_name(const char *text);

typedef struct far__specs {
  far_listing *listing;
  const char *what;      /* "environments", "agents", "metrics" */
  bool named;            /* they may have names, as in "fast=r-max:m=5" */
  char **given, **items; /* with grids and names, and expanded, without */
  size_t *spec_at;       /* where the spec begins in a given one: behind its name */
  char **labels;         /* what an item is called: as it was typed, or by its name */
  size_t *from;          /* the one of the given that an item is of */
  size_t n_given, n_items, capacity, labels_capacity, from_capacity;
} far__specs;

/* Copies and expands; where models[i] is true (`models` may be NULL) given[i] is a model's name and has no grid. After
 * a failure *which is the one of the given that is wrong (the position is in it). At most `most` items. */
far_status far__specs_expand(far__specs *out, const char *const *given, const bool *models,
                             size_t count, size_t most, size_t *which, far_error *error);
void far__specs_free(far__specs *specs); /* also after a failure */

/* Position `at` of an item, in the one of the given that it is of. */
int far__specs_source(const far__specs *specs, size_t item, int at);

/* Where item j differs from item i in the one of the given that j is of: at a value if i is of it, too. */
int far__specs_difference(const far__specs *specs, size_t i, size_t j);

#endif
