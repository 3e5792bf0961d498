/* Specs with grids: "q-learning:q0=20,epsilon=[0,0.001..0.1 log 5]" stands for several specs. */
#ifndef FAR_LAB_STUDY_SPEC_GRID_H
#define FAR_LAB_STUDY_SPEC_GRID_H

#include "farsight/base.h"

typedef struct far__grid_value {
  char *text;
  size_t at;     /* where it stands in the source */
  bool verbatim; /* it is written so there; otherwise it is one of a range */
} far__grid_value;

/* A pair key=value: what the source has up to the grid (all of it where there is none), and the values. */
typedef struct far__grid_axis {
  size_t at, length; /* in the source */
  size_t first, count;
} far__grid_axis;

enum { FAR__GRID_AXES = 64 };

typedef struct far__grid {
  const char *text; /* the source; the caller's */
  size_t head;      /* the length of the name */
  size_t n_axes, n_values, capacity;
  far__grid_axis axes[FAR__GRID_AXES];
  far__grid_value *values;
  size_t count; /* how many specs it stands for */
} far__grid;

/* Reads a spec. `type` (may be NULL) describes the named agent or environment: which keys take
 * whole numbers, to which the values of a range are rounded, and which take text. At most `most`
 * specs. */
far_status far__grid_parse(far__grid *out, const char *text, const far_type_info *type, size_t most,
                           far_error *error);
void far__grid_free(far__grid *grid); /* also after a failure */

/* Spec i on the heap, the last key running fastest; NULL without memory. */
char *far__grid_spec(const far__grid *grid, size_t i);

/* What spec i is called where all of them have this name: by it, and by the keys that vary. */
char *far__grid_label(const far__grid *grid, size_t i, const char *name, size_t length);

/* Where position `at` of spec i stands in the source. */
size_t far__grid_source(const far__grid *grid, size_t i, size_t at);

/* Where the first value of spec j that is another than that of spec i stands in the source. */
size_t far__grid_difference(const far__grid *grid, size_t i, size_t j);

/* Is this a range, that is does a number stand before ".."? */
bool far__is_range(const char *text, size_t length);

#endif
