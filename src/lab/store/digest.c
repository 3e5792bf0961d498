/* The model digests of imported rows. A cell whose environment is a file is keyed by the file's content. Rows rarely give
 * that digest: it is then computed from the file, so that the rows join the runs of the same content. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/store/store.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to import");
}

/* Drops the digest if the store has results of another model of that name: the file may have changed meanwhile. */
static far_status ask_store(far__digest *d, far_store *s, const char *canonical, far_error *error) {
  sqlite3_stmt *other;
  int64_t found = 0;
  if (s == NULL) return FAR_OK;
  far_status status = far__sql_use(&other, s, FAR__CELL_OTHER, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(other, 1, canonical);
  far__sql_bind_string(other, 2, d->env);
  far__sql_bind_string(other, 3, d->model);
  status = far__sql_integer(&found, s, other, error);
  if (status != FAR_OK || found == 0) return status;
  d->model[0] = '\0';
  snprintf(d->why, sizeof d->why, "the store has results of another model of that name");
  return FAR_OK;
}

static far_status make_digest(far__digest *d, far_store *s, far_error *error) {
  far_mdp *mdp;
  const far_status made = far_mdp_create(&mdp, d->env, error);
  if (made == FAR_STATUS_MEMORY) return made;
  if (made != FAR_OK) {
    snprintf(d->why, sizeof d->why, "the file cannot be read");
    return FAR_OK;
  }
  far_mdp_hash(d->model, mdp);
  const far_status status = ask_store(d, s, far_mdp_spec(mdp), error);
  far_mdp_free(mdp);
  return status;
}

/* Successive rows are mostly of the same environment. */
static size_t find(const far__digests *x, const char *env) {
  if (x->last < x->count && strcmp(x->items[x->last].env, env) == 0) return x->last;
  size_t i = 0;
  while (i < x->count && strcmp(x->items[i].env, env) != 0) ++i;
  return i;
}

static far_status add(far__digests *x, far_store *s, const char *env, far_error *error) {
  if (!far__grow((void **)&x->items, x->count, &x->capacity, sizeof *x->items))
    return no_memory(error);
  far__digest *d = &x->items[x->count];
  *d = (far__digest){.env = strdup(env)};
  if (d->env == NULL) return no_memory(error);
  x->count += 1;
  return make_digest(d, s, error);
}

far_status far__digest_find(char out[FAR_HASH_TEXT], far__digests *x, far_store *s, const char *env,
                            far_error *error) {
  if (!far__spec_reads_file(env)) return FAR_OK;
  x->last = find(x, env);
  const far_status status = x->last < x->count ? FAR_OK : add(x, s, env, error);
  if (status != FAR_OK) return status;
  far__digest *d = &x->items[x->last];
  d->rows += 1;
  memcpy(out, d->model, sizeof d->model);
  return FAR_OK;
}

void far__digests_report(const far__digests *x, far_import_report *report) {
  for (size_t i = 0; i < x->count; ++i) {
    const far__digest *d = &x->items[i];
    if (d->why[0] == '\0') continue;
    if (report->apart == 0) snprintf(report->why, sizeof report->why, "%.180s: %s", d->env, d->why);
    report->apart += d->rows;
  }
}

void far__digests_free(far__digests *x) {
  for (size_t i = 0; i < x->count; ++i) free(x->items[i].env);
  free(x->items);
  *x = (far__digests){0};
}
