/* What the documents about theorems and guarantees share. */
#ifndef FAR_QUESTIONS_GUARANTEES_THEOREMS_H
#define FAR_QUESTIONS_GUARANTEES_THEOREMS_H

#include "base/json.h"
#include "farsight/report.h"
#include "farsight/theory.h"

/* A number for people: 818.7, 1.032e7, 10^1234.5 beyond 1e300, a dash where there is none. */
typedef struct far__big_text {
  char text[32];
} far__big_text;
far__big_text far__big(double value, double log10);
far__big_text far__big_above(double value, double log10); /* rounded up, for a bound */

/* The members of a theorem's object; with `more` all there is to say. */
void far__write_theorem(far__json *json, const far_theorem *theorem, bool more);

/* A section on where print and proof disagree; nothing if they do not. */
void far__add_repairs(far_report *report, const far_theorem *theorem);

#endif
