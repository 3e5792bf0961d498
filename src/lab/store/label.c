/* Labels: what the environment and the agent of a cell were called where it was run. They are no part of its key or of
 * the hash of results. Their table is made when the first of them is stored. */
#include <stdlib.h>
#include <string.h>

#include "lab/store/access.h"
#include "lab/store/store.h"

static const far__text_column label_texts[] = {
    {0, FAR__LONGEST_NAME, "an environment's label of cell"},
    {1, FAR__LONGEST_NAME, "an agent's label of cell"}};

void far__label_free(far__label *label) {
  free(label->env);
  free(label->agent);
  *label = (far__label){0};
}

/* More than any user gives a cell; an untrusted file may have millions. */
enum { MOST_LABELS = 100 };

/* Reads the current row of a statement. */
static far_status take(far__label *out, far_store *s, sqlite3_stmt *row,
                       const far__stored_cell *cell, far_error *error) {
  const char *texts[2];
  const far_status status = far__sql_texts(texts, s, row, label_texts, 2, cell->id, error);
  if (status != FAR_OK) return status;
  if (texts[0][0] == '\0' || texts[1][0] == '\0')
    return far__fail(error, FAR_STATUS_FORMAT, -1,
                     "'%.200s' is damaged or not a store: a label of cell %lld is empty", s->path,
                     (long long)cell->id);
  *out = (far__label){strdup(texts[0]), strdup(texts[1])};
  if (out->env != NULL && out->agent != NULL) return FAR_OK;
  far__label_free(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a label");
}

far_status far__label_get(far__label *out, bool *found, far_store *s, const far__stored_cell *cell,
                          size_t index, far_error *error) {
  sqlite3_stmt *get;
  bool there = false;
  *out = (far__label){0};
  *found = false;
  far_status status = far__store_has(&there, s, FAR__STORE_LABELS, error);
  if (status == FAR_OK && there) status = far__sql_use(&get, s, FAR__LABEL_GET, error);
  if (status != FAR_OK || !there || index >= MOST_LABELS) return status;
  sqlite3_bind_int64(get, 1, cell->id);
  sqlite3_bind_int64(get, 2, (sqlite3_int64)index);
  status = far__sql_step(s, get, found, error);
  if (status == FAR_OK && *found) status = take(out, s, get, cell, error);
  sqlite3_reset(get);
  *found = *found && status == FAR_OK;
  return status;
}

far_status far__label_has(bool *out, far_store *s, const far__stored_cell *cell, const char *env,
                          const char *agent, far_error *error) {
  sqlite3_stmt *find;
  int64_t found = 0;
  *out = false;
  far_status status = far__store_has(out, s, FAR__STORE_LABELS, error);
  if (status == FAR_OK && *out) status = far__sql_use(&find, s, FAR__LABEL_FIND, error);
  if (status != FAR_OK || !*out) return status;
  sqlite3_bind_int64(find, 1, cell->id);
  far__sql_bind_string(find, 2, env);
  far__sql_bind_string(find, 3, agent);
  status = far__sql_integer(&found, s, find, error);
  *out = found != 0;
  return status;
}

far_status far__label_put(far_store *s, const far__stored_cell *cell, const char *env,
                          const char *agent, far_error *error) {
  sqlite3_stmt *add;
  far_status status = far__store_grow(s, FAR__STORE_LABELS, error);
  if (status == FAR_OK) status = far__sql_use(&add, s, FAR__LABEL_ADD, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(add, 1, cell->id);
  far__sql_bind_string(add, 2, env);
  far__sql_bind_string(add, 3, agent);
  return far__sql_run(s, add, error);
}

far_status far__store_label(const char **env, const char **agent, bool *found, far_store *s,
                            const char *key, size_t index, far_error *error) {
  far__stored_cell cell = {0};
  far__label label;
  *env = *agent = NULL;
  *found = false;
  far_status status = far__stored_cell_find(&cell.id, s, key, error);
  if (status != FAR_OK || cell.id == 0) return status;
  status = far__label_get(&label, found, s, &cell, index, error);
  if (status != FAR_OK || !*found) return status;
  const char *const from[] = {label.env, label.agent};
  const char **const to[] = {env, agent};
  status = far__store_lend(s, from, to, 2, error);
  far__label_free(&label);
  return status;
}
