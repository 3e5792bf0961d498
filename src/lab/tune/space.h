/* The space of a search: an agent's spec with some values in brackets, and how a point of the unit
 * cube becomes a spec. The grammar is in farsight/study.h. */
#ifndef FAR_LAB_TUNE_SPACE_H
#define FAR_LAB_TUNE_SPACE_H

#include "base/text.h"
#include "farsight/study.h"
#include "lab/study/parts.h"

enum { FAR__PAIRS = 32, FAR__TUNE_VALUES = 1000 };

typedef enum far__scale {
  FAR__SCALE_LINEAR,
  FAR__SCALE_LOG,
  FAR__SCALE_HORIZON, /* the logarithm of 1/(1 - x) */
  FAR__SCALE_LIST,    /* one of `values`, each as likely */
} far__scale;

typedef struct far__axis {
  const far_param *param;
  far__scale scale;
  double low, high;
  char **values;
  size_t n_values;
  bool listed; /* the values were written one by one */
} far__axis;

typedef struct far__pair { /* of the spec: key=value */
  char *key, *value;       /* the value is NULL where there is an axis */
  size_t axis;
} far__pair;

typedef struct far__space {
  const far_type_info *type;
  far__pair parts[FAR__PAIRS];
  size_t n_parts;
  far__axis axes[FAR__TUNE_KEYS];
  size_t n_axes;
} far__space;

/* Reads a spec; it may have no brackets. Fails with SYNTAX, UNKNOWN, RANGE or MEMORY. */
far_status far__space_read(far__space *out, const char *spec, far_error *error);
void far__space_free(far__space *space);

/* The value of an axis at u in [0, 1], as text: the definition of what is measured. */
typedef struct far__value_text {
  char text[FAR_TEXT_SIZE];
} far__value_text;
far__value_text far__axis_value(const far__axis *axis, double u);

/* How many values an axis has: those of a list, or the whole numbers of a range; INFINITY otherwise. And
 * the coordinate of the i-th of them. */
double far__axis_count(const far__axis *axis);
double far__axis_at(const far__axis *axis, int64_t i);

/* The product of the counts: settings that differ as texts, refused ones included. */
double far__space_count(const far__space *space);

/* x with four significant digits. */
double far__round4(double x);

/* Where KEY=VALUE begins in a spec without brackets; NULL if the key is not there. */
const char *far__spec_find(const char *spec, const char *key);

/* The spec at a point, one coordinate an axis; NAN leaves the key out. `with` (may be NULL) is appended. */
void far__space_spec(far__text *out, const far__space *space, const double *u, const char *with);

/* The spec without what is in brackets. */
void far__space_plain(far__text *out, const far__space *space, const char *with);

#endif
