/* Theorems as a table, one in full, and as JSON. */
#include "questions/guarantees/theorems.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/spec.h"
#include "farsight/agent.h"
#include "farsight/base.h"
#include "questions/listing/listing.h"
#include "report/build.h"

/* ---- by name ---- */

far_status far__theorem_named(const far_theorem **out, const char *name, far_error *error) {
  *out = far_theorem_find(name);
  if (*out != NULL) return FAR_OK;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *agent = far_agent_type(i);
    if (strcmp(agent->name, name) != 0) continue;
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "there is no theorem on '%s' here; its guarantee: %s", name,
                     agent->guarantee != NULL ? agent->guarantee : "none");
  }
  const char *names[64];
  size_t n = 0;
  for (; n < 64 && far_theorem_at(n) != NULL; ++n) names[n] = far_theorem_at(n)->name;
  const char *near = far__nearest(name, strlen(name), names, n);
  if (near != NULL)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "there is no theorem '%.100s'; did you mean '%s'?", name, near);
  return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                   "there is no theorem '%.100s'; 'farsight list theorems' lists them", name);
}

/* ---- all of them ---- */

/* ---- one ---- */

static void add_section(far_report *report, const char *title, const char *text) {
  far__report_heading(report, 3, "%s", title);
  far__report_paragraph(report, "%s", text);
}

void far__add_repairs(far_report *report, const far_theorem *t) {
  if (t->repairs == NULL) return;
  far__report_heading(report, 3, "Where print and proof disagree");
  for (const far_repair *r = t->repairs; r->where != NULL; ++r) {
    far__report_paragraph(report, "%s", r->where);
    far__report_entry(report, "printed:", "%s", r->printed);
    far__report_entry(report, "holds:", "%s", r->repaired);
    far__report_entry(report, "why:", "%s", r->why);
  }
}

/* For programs: a theorem in a row. */
static void add_row(far_report *report, const far_theorem *x) {
  static const char *const keys[] = {"name",  "title",       "reference", "statement",
                                     "order", "assumptions", "constants"};
  const char *const texts[] = {x->name,  x->title,       x->reference, x->statement,
                               x->order, x->assumptions, x->constants};
  far_table *t = far__report_table(report, "theorems");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    far__table_column(t, keys[i], NULL, FAR__COLUMN_TEXT);
  far__table_row(t);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) far__table_text(t, "%s", texts[i]);
}

static void write_data(const void *only, far__json *j) {
  far__theorems_write(only, j, "theorems");
}

void far__theorems_report(const far_theorem *only, far_report *report) {
  far__report_data_by(report, write_data, only);
  if (only != NULL) {
    far__report_heading(report, 1, "%s: %s", only->name, only->title);
    add_section(report, "Reference", only->reference);
    add_section(report, "Statement", only->statement);
    add_section(report, "Order (range 1)", only->order);
    add_section(report, "Assumptions", only->assumptions);
    add_section(report, "Constants", only->constants);
    far__add_repairs(report, only);
    add_row(report, only);
  } else {
    far_table *t = far__report_table(report, "theorems");
    far__table_column(t, "name", "name", FAR__COLUMN_TEXT);
    far__table_column(t, "bounds", "bounds", FAR__COLUMN_TEXT);
    far__table_column(t, "constants", "constants", FAR__COLUMN_TEXT);
    far__table_column(t, "title", "of", FAR__COLUMN_TEXT);
    far__table_column(t, "order", NULL, FAR__COLUMN_TEXT);
    for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
      const far_theorem *x = far_theorem_at(i);
      far__table_row(t);
      far__table_text(t, "%s", x->name);
      far__table_text(t, "%s", far_theorem_kind_name(x->kind));
      far__table_text(t, "%s", x->is_explicit ? "explicit" : "order only");
      far__table_text(t, "%s", x->title);
      far__table_text(t, "%s", x->order);
    }
  }
}

/* ---- JSON ---- */

void far__write_theorem(far__json *j, const far_theorem *t, bool more) {
  far__json_text(j, "name", t->name);
  far__json_text(j, "agent", t->agent);
  far__json_text(j, "title", t->title);
  far__json_text(j, "reference", t->reference);
  far__json_text(j, "kind", far_theorem_kind_name(t->kind));
  far__json_flag(j, "explicit", t->is_explicit);
  far__json_flag(j, "finite_horizon", t->finite_horizon);
  far__json_flag(j, "checked", t->is_checked);
  far__json_text(j, "order", t->order);
  if (!more) return;
  far__json_text(j, "statement", t->statement);
  far__json_text(j, "assumptions", t->assumptions);
  far__json_text(j, "constants", t->constants);
  far__json_array(j, "repairs");
  for (const far_repair *r = t->repairs; r != NULL && r->where != NULL; ++r) {
    far__json_object(j, NULL);
    far__json_text(j, "where", r->where);
    far__json_text(j, "printed", r->printed);
    far__json_text(j, "repaired", r->repaired);
    far__json_text(j, "why", r->why);
    far__json_end(j);
  }
  far__json_end(j);
}

void far__theorems_write(const far_theorem *only, far__json *j, const char *key) {
  far__json_array(j, key);
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
    if (only != NULL && far_theorem_at(i) != only) continue;
    far__json_object(j, NULL);
    far__write_theorem(j, far_theorem_at(i), true);
    far__json_end(j);
  }
  far__json_end(j);
}
