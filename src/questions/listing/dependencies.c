/* Which libraries there are. This file alone asks each of them for its version: FARSIGHT_HAS_... and the versions that
 * headers do not tell come from the build (cmake/laboratory.cmake). */
#include "questions/listing/dependencies.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "report/build.h"

#ifdef FARSIGHT_HAS_SQLITE
#include <sqlite3.h>
#endif
#ifdef FARSIGHT_HAS_YAML
#include <yaml.h>
#endif
#ifdef FARSIGHT_HAS_NLOPT
#include <nlopt.h>
#endif

static void fill(far__dependency *d, const char *built, const char *running) {
  snprintf(d->built, sizeof d->built, "%s", built);
  snprintf(d->running, sizeof d->running, "%s", running);
}

static void fill_libc(far__dependency *d) {
#ifdef __GLIBC__
  char built[FAR__DEPENDENCY_VERSION], running[FAR__DEPENDENCY_VERSION] = ""; /* "glibc 2.36" */
  snprintf(built, sizeof built, "%d.%d", __GLIBC__, __GLIBC_MINOR__);
  confstr(_CS_GNU_LIBC_VERSION, running, sizeof running);
  fill(d, built, running + strcspn(running, "0123456789"));
#else
  fill(d, "", "");
#endif
}

static void fill_sqlite(far__dependency *d) {
#ifdef FARSIGHT_HAS_SQLITE
  fill(d, SQLITE_VERSION, sqlite3_libversion());
#else
  fill(d, "", "");
#endif
}

static void fill_yaml(far__dependency *d) {
#ifdef FARSIGHT_HAS_YAML
  fill(d, FARSIGHT_HAS_YAML, yaml_get_version_string());
#else
  fill(d, "", "");
#endif
}

static void fill_nlopt(far__dependency *d) {
#ifdef FARSIGHT_HAS_NLOPT
  char running[FAR__DEPENDENCY_VERSION];
  int major, minor, patch;
  nlopt_version(&major, &minor, &patch);
  snprintf(running, sizeof running, "%d.%d.%d", major, minor, patch);
  fill(d, FARSIGHT_HAS_NLOPT, running);
#else
  fill(d, "", "");
#endif
}

static const struct {
  const char *name, *use, *licence;
  void (*fill)(far__dependency *d);
} table[] = {
    {"GNU C library", "everything", "LGPL-2.1-or-later", fill_libc},
    {"SQLite", "stores", "public domain", fill_sqlite},
    {"libyaml", "study files", "MIT", fill_yaml},
    {"NLopt", "farsight tune --method crs", "MIT, parts LGPL-2.1-or-later", fill_nlopt},
};

bool far__dependency_at(far__dependency *out, size_t i) {
  if (i >= sizeof table / sizeof *table) return false;
  *out = (far__dependency){.name = table[i].name, .use = table[i].use, .licence = table[i].licence};
  table[i].fill(out);
  return true;
}

static void add_row(far_table *t, const far__dependency *d) {
  far__table_row(t);
  far__table_text(t, "%s", d->name);
  far__table_text_as(t, d->built, "%s", d->built[0] != '\0' ? d->built : "not in this build");
  far__table_text_as(t, d->running, "%s", d->running[0] != '\0' ? d->running : "–");
  far__table_text(t, "%s", d->licence);
  far__table_text(t, "%s", d->use);
}

typedef struct dependencies {
  const far__dependency *list; /* the report's */
  size_t count;
} dependencies;

static void write_data(const void *user, far__json *j) {
  const dependencies *d = user;
  far__dependencies_write(d->list, d->count, j, "dependencies");
}

void far__dependencies_report(const far__dependency *list, size_t count, far_report *report) {
  far_table *t = far__report_table(report, "dependencies");
  const dependencies d = {far__report_copy(report, list, count * sizeof *list), count};
  far__report_data_by(report, write_data, far__report_copy(report, &d, sizeof d));
  far__table_column(t, "name", "library", FAR__COLUMN_TEXT);
  far__table_column(t, "built", "built with", FAR__COLUMN_TEXT);
  far__table_column(t, "running", "running", FAR__COLUMN_TEXT);
  far__table_column(t, "licence", "licence", FAR__COLUMN_TEXT);
  far__table_column(t, "use", "for", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < count; ++i) add_row(t, &list[i]);
}

void far__dependencies_write(const far__dependency *list, size_t count, far__json *json,
                             const char *key) {
  far__json_array(json, key);
  for (size_t i = 0; i < count; ++i) {
    far__json_object(json, NULL);
    far__json_text(json, "name", list[i].name);
    far__json_text(json, "built", list[i].built[0] != '\0' ? list[i].built : NULL);
    far__json_text(json, "running", list[i].running[0] != '\0' ? list[i].running : NULL);
    far__json_text(json, "licence", list[i].licence);
    far__json_text(json, "use", list[i].use);
    far__json_end(json);
  }
  far__json_end(json);
}
