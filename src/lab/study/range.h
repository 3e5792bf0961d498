/* Ranges: "1..5", "1 .. 5", "5..25 step 5", "0.001..0.1 log 5", "0..1 count 11"; "5..25:5" is short for "5..25 step 5". */
#ifndef FAR_LAB_STUDY_RANGE_H
#define FAR_LAB_STUDY_RANGE_H

#include "base/number.h"
#include "farsight/base.h"

typedef struct far__range {
  const char *text; /* "0.10..0.90 step 0.1" */
  size_t a_length;  /* of the first number; the ends are kept as they are written */
  const char *b;
  size_t b_length;
  double from, to, step;
  enum { FAR__RANGE_STEP, FAR__RANGE_LOG, FAR__RANGE_COUNT } kind;
  size_t count;
} far__range;

/* Reads text[0..length) as a range of at most `most` values; the position of an error is in it. */
far_status far__range_parse(far__range *out, const char *text, size_t length, size_t most,
                            far_error *error);

/* Value i, rounded to ten significant digits (or `whole`), so that 0.1..0.9 step 0.1 has 0.3 and not
 * 0.30000000000000004; the ends as they are written. */
void far__range_value(char out[FAR__NUMBER_SIZE + 128], const far__range *range, size_t i,
                      bool whole);

#endif
