/* Runs that several cells share. A run follows from the world, the agent's full spec, the steps and the seed: the
 * criterion of the problem reaches an agent through its spec alone. So cells that differ in the criterion only have the
 * same totals, curves and metrics that do not depend on it. A cell of another criterion than the default has
 * the key that it would have with the default one in a table, which is made when the first of them is stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/store/store.h"
#include "model/criterion.h"

/* More criteria than any user tries; an untrusted file may have millions. */
enum { MOST_SHARERS = 100 };

/* A registered agent is told the criterion, so that its runs belong to that one alone. */
static bool is_own(const far__stored_cell *cell) {
  const far_type_info *agent = far_spec_type(far_agent_type, cell->agent);
  return agent == NULL || agent->registered;
}

/* The cell's environment and model without the criterion, which a simulator's shape never contains. */
static far_status forget_criterion(far__stored_cell *plain, char env[FAR_SPEC_SIZE],
                                   const far_mdp *mdp, far_error *error) {
  if (mdp == NULL) {
    snprintf(env, FAR_SPEC_SIZE, "%.*s", (int)far__simulator_world(plain->env), plain->env);
    plain->env = env;
    return FAR_OK;
  }
  const far_status status = far__mdp_spec_of_world(env, plain->env, error);
  if (status != FAR_OK) return status;
  plain->env = env;
  if (plain->model[0] != '\0') far__mdp_hash_world(plain->model, mdp);
  return FAR_OK;
}

far_status far__shared_key(char out[FAR_HASH_TEXT], const far__stored_cell *cell,
                           const far_mdp *mdp, far_error *error) {
  char env[FAR_SPEC_SIZE];
  memcpy(out, cell->key, FAR_HASH_TEXT);
  if (is_own(cell) || strlen(cell->env) >= FAR_SPEC_SIZE) return FAR_OK;
  far__stored_cell plain = *cell;
  const far_status status = forget_criterion(&plain, env, mdp, error);
  if (status != FAR_OK) return status;
  far__stored_cell_key(out, &plain);
  return FAR_OK;
}

far_status far__shared_put(far_store *s, const far__stored_cell *cell, far_error *error) {
  sqlite3_stmt *add;
  if (strcmp(cell->shared, cell->key) == 0) return FAR_OK;
  far_status status = far__store_grow(s, FAR__STORE_LABELS, error);
  if (status == FAR_OK) status = far__sql_use(&add, s, FAR__SHARED_ADD, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(add, 1, cell->id);
  far__sql_bind_string(add, 2, cell->shared);
  return far__sql_run(s, add, error);
}

static far_status list_others(int64_t *ids, size_t *count, far_store *s,
                              const far__stored_cell *cell, far_error *error) {
  sqlite3_stmt *list;
  bool row = true;
  far_status status = far__sql_use(&list, s, FAR__SHARED_LIST, error);
  if (status != FAR_OK) return status;
  far__sql_bind_string(list, 1, cell->shared);
  while (status == FAR_OK && *count < MOST_SHARERS) {
    status = far__sql_step(s, list, &row, error);
    if (status != FAR_OK || !row) break;
    const int64_t id = sqlite3_column_int64(list, 0);
    if (id != cell->id) ids[(*count)++] = id;
  }
  sqlite3_reset(list);
  return status;
}

static far_status read_cells(far__sharers *out, far_store *s, const int64_t *ids, size_t count,
                             far_error *error) {
  if (count == 0) return FAR_OK;
  out->cells = calloc(count, sizeof *out->cells);
  if (out->cells == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells of the store");
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < count; ++i) {
    status = far__stored_cell_get(&out->cells[i], s, ids[i], error);
    out->count += status == FAR_OK;
  }
  return status;
}

far_status far__shared_find(far__sharers *out, far_store *s, const far__stored_cell *cell,
                            far_error *error) {
  int64_t ids[MOST_SHARERS + 1];
  size_t count = 0;
  bool there = false;
  *out = (far__sharers){0};
  /* the cell with the default criterion has `shared` as its own key */
  int64_t id = 0;
  far_status status = far__stored_cell_find(&id, s, cell->shared, error);
  if (status == FAR_OK && id != 0 && id != cell->id) ids[count++] = id;
  if (status == FAR_OK) status = far__store_has(&there, s, FAR__STORE_LABELS, error);
  if (status == FAR_OK && there) status = list_others(ids, &count, s, cell, error);
  if (status == FAR_OK) status = read_cells(out, s, ids, count, error);
  if (status != FAR_OK) far__sharers_free(out);
  return status;
}

void far__sharers_free(far__sharers *sharers) {
  for (size_t i = 0; i < sharers->count; ++i) far__stored_cell_free(&sharers->cells[i]);
  free(sharers->cells);
  *sharers = (far__sharers){0};
}

far_status far__shared_copy(far_store *to, int64_t cell, far_store *from, int64_t there,
                            far_error *error) {
  sqlite3_stmt *get;
  bool row = false;
  far_status status = far__sql_use(&get, from, FAR__SHARED_GET, error);
  if (status != FAR_OK) return status;
  sqlite3_bind_int64(get, 1, there);
  status = far__sql_step(from, get, &row, error);
  far__stored_cell here = {.id = cell};
  const char *key = row ? far__sql_string(get, 0) : "";
  const bool good = strlen(key) == FAR_HASH_TEXT - 1;
  if (good) memcpy(here.shared, key, FAR_HASH_TEXT);
  sqlite3_reset(get);
  return status == FAR_OK && good ? far__shared_put(to, &here, error) : status;
}
