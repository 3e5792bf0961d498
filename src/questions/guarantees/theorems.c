/* Theorems as a table, one in full, and as JSON. */
#include "questions/guarantees/theorems.h"

#include <string.h>

#include "base/error.h"
#include "farsight/agent.h"
#include "farsight/listing.h"
#include "farsight/param.h"

/* ---- by name ---- */

static far_status no_theorem(const char *name, far_error *error) {
  const char *names[64];
  size_t n = 0;
  for (; n < 64 && far_theorem_at(n) != NULL; ++n) names[n] = far_theorem_at(n)->name;
  const char *near = far_nearest(name, strlen(name), names, n);
  if (near != NULL)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "there is no theorem '%.100s'; did you mean '%s'?", name, near);
  return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                   "there is no theorem '%.100s'; 'farsight list theorems' lists them", name);
}

far_status far_theorem_named(const far_theorem **out, const char *name, far_error *error) {
  *out = far_theorem_find(name);
  if (*out != NULL) return FAR_OK;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *agent = far_agent_type(i);
    if (strcmp(agent->name, name) != 0) continue;
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "there is no theorem on '%s' here; its guarantee: %s", name,
                     agent->guarantee != NULL ? agent->guarantee : "none");
  }
  return no_theorem(name, error);
}

/* ---- all of them ---- */

static void add_theorems(far_report *report) {
  far_table *t = far_report_table(report, "theorems");
  far_table_column(t, "name", "name", FAR_COLUMN_TEXT);
  far_table_column(t, "bounds", "bounds", FAR_COLUMN_TEXT);
  far_table_column(t, "constants", "constants", FAR_COLUMN_TEXT);
  far_table_column(t, "title", "of", FAR_COLUMN_TEXT);
  far_table_column(t, "order", NULL, FAR_COLUMN_TEXT);
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
    const far_theorem *x = far_theorem_at(i);
    far_table_row(t);
    far_table_text(t, "%s", x->name);
    far_table_text(t, "%s", far_theorem_kind_name(x->kind));
    far_table_text(t, "%s", x->is_explicit ? "explicit" : "order only");
    far_table_text(t, "%s", x->title);
    far_table_text(t, "%s", x->order);
  }
}

/* ---- one ---- */

static void add_section(far_report *report, const char *title, const char *text) {
  far_report_heading(report, 3, "%s", title);
  far_report_paragraph(report, "%s", text);
}

void far__add_repairs(far_report *report, const far_theorem *t) {
  if (t->repairs == NULL) return;
  far_report_heading(report, 3, "Where print and proof disagree");
  for (const far_repair *r = t->repairs; r->where != NULL; ++r) {
    far_report_paragraph(report, "%s", r->where);
    far_report_entry(report, "printed:", "%s", r->printed);
    far_report_entry(report, "holds:", "%s", r->repaired);
    far_report_entry(report, "why:", "%s", r->why);
  }
}

/* For programs: a theorem in a row. */
static void add_row(far_report *report, const far_theorem *x) {
  static const char *const keys[] = {"name",  "title",       "reference", "statement",
                                     "order", "assumptions", "constants"};
  const char *const texts[] = {x->name,  x->title,       x->reference, x->statement,
                               x->order, x->assumptions, x->constants};
  far_table *t = far_report_table(report, "theorems");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    far_table_column(t, keys[i], NULL, FAR_COLUMN_TEXT);
  far_table_row(t);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) far_table_text(t, "%s", texts[i]);
}

static void add_theorem(far_report *report, const far_theorem *t) {
  far_report_heading(report, 1, "%s: %s", t->name, t->title);
  add_section(report, "Reference", t->reference);
  add_section(report, "Statement", t->statement);
  add_section(report, "Order (range 1)", t->order);
  add_section(report, "Assumptions", t->assumptions);
  add_section(report, "Constants", t->constants);
  far__add_repairs(report, t);
  add_row(report, t);
}

static void write_data(const void *only, far_json *j) {
  far_theorems_write(only, j, "theorems");
}

void far_theorems_report(const far_theorem *only, far_report *report) {
  far_report_data_by(report, write_data, only);
  if (only != NULL)
    add_theorem(report, only);
  else
    add_theorems(report);
}

/* ---- JSON ---- */

static void write_repairs(far_json *j, const far_theorem *t) {
  far_json_array(j, "repairs");
  for (const far_repair *r = t->repairs; r != NULL && r->where != NULL; ++r) {
    far_json_object(j, NULL);
    far_json_text(j, "where", r->where);
    far_json_text(j, "printed", r->printed);
    far_json_text(j, "repaired", r->repaired);
    far_json_text(j, "why", r->why);
    far_json_end(j);
  }
  far_json_end(j);
}

void far__write_theorem(far_json *j, const far_theorem *t, bool more) {
  far_json_text(j, "name", t->name);
  far_json_text(j, "agent", t->agent);
  far_json_text(j, "title", t->title);
  far_json_text(j, "reference", t->reference);
  far_json_text(j, "kind", far_theorem_kind_name(t->kind));
  far_json_flag(j, "explicit", t->is_explicit);
  far_json_flag(j, "finite_horizon", t->finite_horizon);
  far_json_flag(j, "checked", t->is_checked);
  far_json_text(j, "order", t->order);
  if (!more) return;
  far_json_text(j, "statement", t->statement);
  far_json_text(j, "assumptions", t->assumptions);
  far_json_text(j, "constants", t->constants);
  write_repairs(j, t);
}

void far_theorems_write(const far_theorem *only, far_json *j, const char *key) {
  far_json_array(j, key);
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i) {
    if (only != NULL && far_theorem_at(i) != only) continue;
    far_json_object(j, NULL);
    far__write_theorem(j, far_theorem_at(i), true);
    far_json_end(j);
  }
  far_json_end(j);
}
