#include "theorems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "table.h"
#include "wrap.h"

/* ---- numbers and text ---- */

/* "1.0320e+07" becomes "1.032e7". */
static void tidy_exponent(char *text) {
  char *e = strchr(text, 'e');
  if (e == NULL) return;
  char *digits = e + 2;
  const bool negative = e[1] == '-';
  while (digits[0] == '0' && digits[1] != '\0') ++digits;
  char *end = e;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  char rest[16];
  snprintf(rest, sizeof rest, "e%s%s", negative ? "-" : "", digits);
  memmove(end, rest, strlen(rest) + 1);
}

big_text format_big(double value, double log10) {
  big_text out = {"–"};
  const double size = fabs(value);
  if (value != value) return out;
  const bool whole = value == floor(value);
  if (size > 1e300)
    snprintf(out.text, sizeof out.text, "10^%.1f", log10);
  else if (size < 1e6 && (whole || size >= 1e4))
    snprintf(out.text, sizeof out.text, "%.0f", value);
  else if (size >= 1e-4 && size < 1e4)
    snprintf(out.text, sizeof out.text, "%.4g", value);
  else {
    snprintf(out.text, sizeof out.text, "%.3e", value);
    tidy_exponent(out.text);
  }
  return out;
}

big_text format_big_above(double value, double log10) {
  const double size = fabs(value);
  double rounded = value;
  if (size > 1e300) return format_big(value, ceil(10 * log10) / 10);
  if (size >= 1e4 && size < 1e6) {
    rounded = ceil(value);
  } else if (value == value) {
    const exact_text text = above(value, 4);
    far_real_parse(text.text, strlen(text.text), &rounded);
  }
  return format_big(rounded, log10);
}

/* The first line behind `first` spaces, the others behind `rest`. */
static void print_hanging(const char *text, int first, int rest) {
  printf("%*s", first, "");
  print_wrapped(text, first, rest);
}

/* ---- theorems ---- */

const far_theorem *theorem_named(const char *name, char *error, size_t size) {
  const char *names[64];
  const far_theorem *found = far_theorem_find(name);
  size_t n = 0;
  if (found != NULL) return found;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *agent = far_agent_type(i);
    if (strcmp(agent->name, name) != 0) continue;
    snprintf(error, size, "there is no theorem on '%s' here; its guarantee: %s", name,
             agent->guarantee != NULL ? agent->guarantee : "none");
    return NULL;
  }
  for (; far_theorem_at(n) != NULL; ++n) names[n] = far_theorem_at(n)->name;
  const char *near = far_nearest(name, strlen(name), names, n);
  if (near != NULL)
    snprintf(error, size, "there is no theorem '%s'; did you mean '%s'?", name, near);
  else
    snprintf(error, size, "there is no theorem '%s'; 'farsight list theorems' tells what there is",
             name);
  return NULL;
}

static const char *constants_of(const far_theorem *t) {
  return t->is_explicit ? "explicit" : "order only";
}

void print_theorem_names(void) {
  table t = table_create("llll");
  table_row(&t);
  table_cell(&t, 0, "name");
  table_cell(&t, 1, "bounds");
  table_cell(&t, 2, "constants");
  table_cell(&t, 3, "of");
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
    const far_theorem *x = far_theorem_at(i);
    table_row(&t);
    table_cell(&t, 0, "%s", x->name);
    table_cell(&t, 1, "%s", far_theorem_kind_name(x->kind));
    table_cell(&t, 2, "%s", constants_of(x));
    table_cell(&t, 3, "%s", x->title);
  }
  table_print(&t, 2);
}

static void print_section(const char *head, const char *text) {
  printf("%s\n", head);
  print_paragraph(text, 2);
}

void print_repairs(const far_theorem *t) {
  if (t->repairs == NULL) return;
  printf("\nWhere print and proof disagree\n");
  for (const far_repair *r = t->repairs; r->where != NULL; ++r) {
    char line[512];
    printf("\n");
    print_paragraph(r->where, 2);
    snprintf(line, sizeof line, "printed: %s", r->printed);
    print_hanging(line, 4, 6);
    snprintf(line, sizeof line, "holds: %s", r->repaired);
    print_hanging(line, 4, 6);
    snprintf(line, sizeof line, "why: %s", r->why);
    print_hanging(line, 4, 6);
  }
}

void print_theorem(const far_theorem *t) {
  printf("%s: %s\n\n", t->name, t->title);
  print_section("Reference", t->reference);
  print_section("Statement", t->statement);
  print_section("Order (range 1)", t->order);
  print_section("Assumptions", t->assumptions);
  print_section("Constants", t->constants);
  print_repairs(t);
}

/* ---- JSON ---- */

static void write_member(const char *name, const char *text) {
  printf(",\"%s\":", name);
  if (text != NULL)
    json_write_string(stdout, text);
  else
    printf("null");
}

static void write_number(const char *name, double x) {
  printf(",\"%s\":", name);
  json_write_real(stdout, x);
}

static void write_repairs(const far_theorem *t) {
  printf(",\"repairs\":[");
  for (const far_repair *r = t->repairs; r != NULL && r->where != NULL; ++r) {
    printf("%s{\"where\":", r == t->repairs ? "" : ",");
    json_write_string(stdout, r->where);
    write_member("printed", r->printed);
    write_member("repaired", r->repaired);
    write_member("why", r->why);
    printf("}");
  }
  printf("]");
}

void write_theorem_members(const far_theorem *t, bool more) {
  printf("\"name\":");
  json_write_string(stdout, t->name);
  write_member("agent", t->agent);
  write_member("title", t->title);
  write_member("reference", t->reference);
  write_member("kind", far_theorem_kind_name(t->kind));
  printf(",\"explicit\":%s,\"checked\":%s", t->is_explicit ? "true" : "false",
         t->is_checked ? "true" : "false");
  write_member("order", t->order);
  if (!more) return;
  write_member("statement", t->statement);
  write_member("assumptions", t->assumptions);
  write_member("constants", t->constants);
  write_repairs(t);
}

void write_theorems(const far_theorem *only) {
  bool first = true;
  printf("[");
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
    if (only != NULL && far_theorem_at(i) != only) continue;
    printf("%s\n  {", first ? "" : ",");
    write_theorem_members(far_theorem_at(i), true);
    printf("}");
    first = false;
  }
  printf("\n]\n");
}

static void write_quantity(const far_quantity *q) {
  printf("\n    {\"name\":");
  json_write_string(stdout, q->name);
  write_number("value", q->value);
  write_number("log10", q->log10);
  write_member("unit", q->unit);
  write_member("formula", q->formula);
  write_member("source", q->source);
  write_member("meaning", q->meaning);
  printf("}");
}

void write_guarantee_members(const far_guarantee *g) {
  printf(",\"applies\":%s", g->applies ? "true" : "false");
  write_member("missing", g->applies ? NULL : g->missing);
  write_member("spec", g->agent[0] != '\0' ? g->agent : NULL);
  write_number("bound", g->has_number ? g->bound : NAN);
  write_number("log10_bound", g->has_number ? g->log10_bound : NAN);
  printf(",\"quantities\":[");
  for (size_t i = 0; i < g->n_quantities; ++i) {
    if (i > 0) printf(",");
    write_quantity(&g->quantity[i]);
  }
  printf("]");
}

/* ---- guarantees ---- */

static void print_numbers(const far_guarantee *g) {
  table t = table_create("lrll");
  table_row(&t);
  table_cell(&t, 0, "quantity");
  table_cell(&t, 1, "value");
  table_cell(&t, 3, "what it is");
  for (size_t i = 0; i < g->n_quantities; ++i) {
    const far_quantity *q = &g->quantity[i];
    table_row(&t);
    table_cell(&t, 0, "%s", q->name);
    table_cell(&t, 1, "%s", format_big(q->value, q->log10).text);
    table_cell(&t, 2, "%s", q->unit);
    table_cell(&t, 3, "%s", q->meaning);
  }
  table_print(&t, 2);
}

static void print_steps(const far_guarantee *g) {
  for (size_t i = 0; i < g->n_quantities; ++i) {
    const far_quantity *q = &g->quantity[i];
    char line[640];
    snprintf(line, sizeof line, "%2zu. %s = %s = %s %s", i + 1, q->name, q->formula,
             format_big(q->value, q->log10).text, q->unit);
    print_hanging(line, 2, 8);
    snprintf(line, sizeof line, "%s (%s)", q->meaning, q->source);
    print_paragraph(line, 6);
  }
}

void print_bound(const far_guarantee *g) {
  const big_text n = format_big_above(g->bound, g->log10_bound);
  if (!g->applies)
    printf("No bound: %s.\n", g->missing);
  else if (!g->has_number) {
    printf("No number: the bound is known in its order only, %s.\n", g->theorem->order);
    print_paragraph(g->theorem->constants, 0);
  } else if (g->theorem->kind == FAR_THEOREM_REGRET)
    printf(
        "After %s steps the average loss is at most eps (1-gamma) a step, with probability %g.\n",
        n.text, 1 - g->problem.delta);
  else
    printf("At most %s mistakes, ever, with probability %g.\n", n.text, 1 - g->problem.delta);
}

void print_guarantee(const far_guarantee *g, bool explain) {
  const far_theorem *t = g->theorem;
  printf("%s: %s\n", t->name, t->title);
  print_paragraph(t->reference, 2);
  printf("\n");
  if (explain) {
    print_paragraph(t->statement, 0);
    print_paragraph(t->assumptions, 0);
    if (g->has_number) print_paragraph(t->constants, 0);
    printf("\n");
    print_steps(g);
  } else if (g->applies) {
    print_numbers(g);
  }
  if (g->applies) printf("\n");
  print_bound(g);
  if (g->agent[0] != '\0') {
    printf("Agent:\n");
    print_paragraph(g->agent, 2);
  }
}
