/* Theorems and guarantees on the screen and as JSON, for `pac` and `list`. */
#ifndef FARSIGHT_CLI_THEOREMS_H
#define FARSIGHT_CLI_THEOREMS_H

#include <farsight/farsight.h>
#include <stdbool.h>

/* A number for people: 818.7, 1.032e7, 10^1234.5 beyond 1e300, "–" where there is none. */
typedef struct big_text {
  char text[32];
} big_text;
big_text format_big(double value, double log10);
big_text format_big_above(double value, double log10); /* rounded up, for a bound */

/* ---- theorems ---- */

/* The theorem of a name; NULL after a usage error that names the nearest. */
const far_theorem *theorem_named(const char *name, char *error, size_t size);

void print_theorem_names(void);
void print_theorem(const far_theorem *t);
void write_theorems(const far_theorem *only); /* JSON: all, or the one */

/* Members of a JSON object, `"name":...,` first; with `more` all there is to say. */
void write_theorem_members(const far_theorem *t, bool more);

/* ---- guarantees ---- */

void print_repairs(const far_theorem *t);

/* The numbers of one guarantee: a table, or with `explain` the derivation step by step. */
void print_guarantee(const far_guarantee *g, bool explain);

/* The bound in a sentence. */
void print_bound(const far_guarantee *g);

void write_guarantee_members(const far_guarantee *g);

#endif
