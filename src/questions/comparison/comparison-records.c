/* What a comparison reads of a store. */
#include <fnmatch.h>
#include "farsight/mdp.h"
#include "lab/store/access.h"
#include "run/simulator.h"
#include <math.h> /* only for NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/agent.h"
#include "farsight/base.h"
#include "questions/comparison/comparison.h"
#include "questions/listing/label.h"

static void forget(far__stored_cell *r) {
  free(r->key);
  free(r->agent);
  for (size_t k = 0; k < r->n_typed; ++k) free(r->typed[k]);
  free(r->typed);
  free(r->x);
  free(r->replicates);
  *r = (far__stored_cell){0};
}

void far__stored_free(far__stored *stored) {
  for (size_t i = 0; i < stored->n_envs; ++i) {
    free(stored->envs[i].given);
    far_spec_free(stored->envs[i].read);
    free(stored->envs[i].spec);
    free(stored->envs[i].model);
    free(stored->envs[i].label);
    free(stored->envs[i].typed);
    free(stored->envs[i].unusable);
    if (!stored->envs[i].lent) far_mdp_free(stored->envs[i].mdp);
  }
  for (size_t i = 0; i < stored->n_cells; ++i) forget(&stored->cells[i]);
  free(stored->envs);
  free(stored->cells);
  *stored = (far__stored){0};
}

/* ---- environments ---- */

/* "chain:n=10", and with the beginning of the model's hash where another model has that name. */
static char *name_env(far__comparing *c, const far__stored_env *env) {
  char out[FAR_SPEC_SIZE + 32], text[FAR_SPEC_SIZE];
  if (strlen(env->spec) >= FAR_SPEC_SIZE) return far__work_copy(c, env->spec);
  snprintf(text, sizeof text, "%s", env->spec);
  if (env->read != NULL) far__work_answers(c, far_spec_label(text, env->read, NULL));
  if (env->twin)
    snprintf(out, sizeof out, "%s (model %.8s)", text, env->model[0] ? env->model : "unknown");
  else
    snprintf(out, sizeof out, "%s", text);
  return far__work_copy(c, out);
}

/* Replaces a text by one on the heap, unless that could not be made. */
static void replace(char **text, char *by) {
  if (by == NULL) return;
  free(*text);
  *text = by;
}

/* The number of an environment that is there; n_envs if it is not. Where another model has the name, *twin. */
static size_t find_known(far__comparing *c, const char *spec, const char *model, bool *twin) {
  for (size_t i = 0; i < c->stored->n_envs; ++i) {
    far__stored_env *env = &c->stored->envs[i];
    if (strcmp(env->spec, spec) != 0) continue;
    if (strcmp(env->model, model) == 0) return i;
    *twin = true;
    if (env->model[0] != '\0' || env->twin) continue;
    env->twin = true;
    replace(&env->label, name_env(c, env));
  }
  return c->stored->n_envs;
}

static void add_env(far__comparing *c, const char *given, far_spec *read, const char *model,
                    bool twin) {
  far__stored *stored = c->stored;
  if (!far__work_grow(c, (void **)&stored->envs, stored->n_envs, sizeof *stored->envs)) {
    far_spec_free(read);
    return;
  }
  far__stored_env *env = &stored->envs[stored->n_envs++];
  *env =
      (far__stored_env){.given = far__work_copy(c, given),
                        .read = read,
                        .spec = far__work_copy(c, read != NULL ? far_spec_canonical(read) : given),
                        .model = far__work_copy(c, model),
                        .twin = twin};
  if (c->status == FAR_OK) env->label = name_env(c, env);
}

/* The number of an environment, which may be a new one. Imported results may call it as one types it. */
static size_t find_env(far__comparing *c, const char *name, const char *model) {
  const size_t count = c->stored->n_envs;
  for (size_t i = count; i > 0; --i) { /* mostly the last one */
    const far__stored_env *env = &c->stored->envs[i - 1];
    if (strcmp(env->given, name) == 0 && strcmp(env->model, model) == 0) return i - 1;
  }
  far_spec *read;
  bool twin = false;
  far__work_answers(c, far_spec_of_env(&read, name, NAN, NULL));
  const size_t known = find_known(c, read != NULL ? far_spec_canonical(read) : name, model, &twin);
  if (c->status == FAR_OK && known == count)
    add_env(c, name, read, model, twin);
  else
    far_spec_free(read);
  return known;
}

/* The label with the keys that tell it from others; NULL where it stays as it is. */
static char *distinguish(far__comparing *c, const far__stored_env *env, const char *const *labels) {
  char text[FAR_SPEC_SIZE];
  if (env->read == NULL || env->twin) return NULL;
  far__label_distinguish(text, env->label, env->spec, labels, c->stored->n_envs);
  return far__work_copy(c, text);
}

/* Adds keys that distinguish labels: beside chain:n=50, "chain" becomes chain:n=10. */
static void distinguish_envs(far__comparing *c) {
  const size_t n = c->stored->n_envs;
  const char **labels = far__work_room(c, n, sizeof *labels);
  char **new = far__work_room(c, n, sizeof *new);
  for (size_t i = 0; i < n && c->status == FAR_OK; ++i) labels[i] = c->stored->envs[i].label;
  for (size_t i = 0; i < n && c->status == FAR_OK; ++i)
    new[i] = distinguish(c, &c->stored->envs[i], labels);
  for (size_t i = 0; new != NULL &&i < n; ++i) replace(&c->stored->envs[i].label, new[i]);
  free(labels);
  free(new);
}

static bool is_called_as_another(const far__stored *stored, size_t i) {
  for (size_t k = 0; k < stored->n_envs; ++k)
    if (k != i && stored->envs[k].typed != NULL &&
        strcmp(stored->envs[k].typed, stored->envs[i].typed) == 0)
      return true;
  return false;
}

/* What was typed is the label, unless two environments were called so: in other studies, or a file has changed. */
static void call_envs_as_typed(far__comparing *c) {
  const size_t n = c->stored->n_envs;
  bool *twin = far__work_room(c, n, sizeof *twin);
  for (size_t i = 0; twin != NULL && i < n; ++i)
    twin[i] = c->stored->envs[i].typed != NULL && is_called_as_another(c->stored, i);
  for (size_t i = 0; twin != NULL && i < n && c->status == FAR_OK; ++i) {
    far__stored_env *env = &c->stored->envs[i];
    if (env->typed != NULL && !twin[i]) replace(&env->label, far__work_copy(c, env->typed));
  }
  free(twin);
}

/* ---- which cells ---- */

bool far__env_is(far__comparing *c, const far__stored_env *env, const char *wanted) {
  char resolved[FAR_SPEC_SIZE];
  if (strcmp(wanted, env->spec) == 0 || strcmp(wanted, env->label) == 0) return true;
  if (fnmatch(wanted, env->label, 0) == 0) return true;
  return far__work_answers(c, far_mdp_resolve(resolved, wanted, NULL)) &&
         strcmp(resolved, env->spec) == 0;
}

/* Marks the names that are its. */
static bool env_wanted(far__comparing *c, const far__stored_env *env, bool *used) {
  bool any = c->def->n_envs == 0;
  for (size_t i = 0; i < c->def->n_envs; ++i)
    if (far__env_is(c, env, c->def->envs[i])) any = used[i] = true;
  return any;
}

/* Steps that are unknown may be any. */
static bool cell_wanted(const far_comparison_def *def, const far__stored_cell *r) {
  if (def->steps > 0 && r->steps != def->steps && (r->numerics != 0 || r->steps != 0)) return false;
  if (def->episodes > 0 && r->episodes != def->episodes) return false;
  return !def->one_seed || r->numerics == 0 || r->seed == def->seed;
}

/* A name is preferred to a spec, and the first of several to later ones. */
static void type_env(far__comparing *c, far__stored_env *env, const char *typed) {
  const bool name = far_spec_type(far_mdp_family, typed) == NULL;
  if (env->typed == NULL || (name && far_spec_type(far_mdp_family, env->typed) != NULL))
    replace(&env->typed, far__work_copy(c, typed));
}

static void type_agent(far__comparing *c, far__stored_cell *r, const char *typed) {
  for (size_t k = 0; k < r->n_typed; ++k)
    if (strcmp(r->typed[k], typed) == 0) return;
  char *copy = far__work_copy(c, typed);
  if (copy == NULL) return;
  if (far__work_grow(c, (void **)&r->typed, r->n_typed, sizeof *r->typed))
    r->typed[r->n_typed++] = copy;
  else
    free(copy);
}

static void read_labels(far__comparing *c, far__stored_cell *r) {
  const char *env, *agent;
  bool found = true;
  for (size_t k = 0; found && c->status == FAR_OK; ++k) {
    if (!far__work_check(c, far__store_label(&env, &agent, &found, c->store, r->key, k, c->error)))
      return;
    if (!found) return;
    type_env(c, &c->stored->envs[r->env], env);
    type_agent(c, r, agent);
  }
}

static void add_cell(far__comparing *c, const far_record *record) {
  far__stored *stored = c->stored;
  const size_t env = find_env(c, record->env, record->model);
  if (!far__work_grow(c, (void **)&stored->cells, stored->n_cells, sizeof *stored->cells)) return;
  stored->cells[stored->n_cells++] = (far__stored_cell){.key = far__work_copy(c, record->key),
                                                        .agent = far__work_copy(c, record->agent),
                                                        .env = env,
                                                        .steps = record->steps,
                                                        .episodes = record->episodes,
                                                        .seed = record->seed,
                                                        .numerics = record->numerics};
  if (c->status == FAR_OK) read_labels(c, &stored->cells[stored->n_cells - 1]);
}

static void read_cells(far__comparing *c) {
  far_record record;
  bool found = true;
  for (size_t i = 0; c->status == FAR_OK; ++i) {
    if (!far__work_check(c, far_store_record(&record, &found, c->store, i, c->error)) || !found)
      break;
    add_cell(c, &record);
  }
}

/* The record has checkpoints of the series. */
static bool has_curve(far__comparing *c, const char *key) {
  const size_t length = strlen(c->out->series);
  const char *name;
  bool found = true;
  for (size_t i = 0; found; ++i) {
    if (!far__work_check(c, far_store_series(&name, &found, c->store, key, i, c->error)))
      return false;
    if (found && strncmp(name, c->out->series, length) == 0 && name[length] == '@') return true;
  }
  return false;
}

/* Reads the values of a cell that is wanted; none where it lacks the series. */
static void read_values(far__comparing *c, far__stored_cell *r, bool *used) {
  if (!env_wanted(c, &c->stored->envs[r->env], used) || !cell_wanted(c->def, r)) return;
  far_error why;
  far_status status = FAR_OK;
  if (c->curve)
    r->kept = has_curve(c, r->key);
  else
    status =
        far__store_values(&r->x, &r->replicates, &r->n, c->store, r->key, c->out->series, &why);
  if (status != FAR_OK && status != FAR_STATUS_UNKNOWN) {
    if (c->error != NULL) *c->error = why;
    far__work_check(c, status);
  }
  r->kept = r->kept || r->n > 0;
  c->out->n_without += !r->kept;
}

static bool is_older(const far__stored_cell *r, const far__stored_cell *other) {
  return other->kept && r->numerics != 0 && r->numerics < other->numerics &&
         r->steps == other->steps && r->episodes == other->episodes && r->seed == other->seed;
}

/* Keeps computed cells of the latest numerics. */
static void drop_older(far__comparing *c) {
  far__stored *stored = c->stored;
  for (size_t i = 0; i < stored->n_cells; ++i) {
    far__stored_cell *r = &stored->cells[i];
    for (size_t k = 0; k < stored->n_cells && r->kept; ++k)
      if (is_older(r, &stored->cells[k])) r->kept = false, c->n_older += 1;
  }
}

/* Keeps the cells that are wanted and have the series. */
static void choose_cells(far__comparing *c, bool *used) {
  far__stored *stored = c->stored;
  size_t kept = 0;
  for (size_t i = 0; i < stored->n_cells && c->status == FAR_OK; ++i)
    read_values(c, &stored->cells[i], used);
  if (c->status == FAR_OK && c->def->newest) drop_older(c);
  for (size_t i = 0; i < stored->n_cells && c->status == FAR_OK; ++i) {
    far__stored_cell *r = &stored->cells[i];
    const far__stored_cell read = *r;
    if (!read.kept) {
      forget(r);
    } else {
      *r = (far__stored_cell){0};
      stored->cells[kept++] = read;
    }
  }
  if (c->status == FAR_OK) stored->n_cells = kept;
}

/* The model among the caller's that the runs are of; NULL if it is none of them. */
static const far_mdp *find_model(const far_comparison_def *def, const char *model) {
  for (size_t k = 0; k < def->n_models && model[0] != '\0'; ++k) {
    char hash[FAR_HASH_TEXT];
    far_mdp_hash(hash, def->models[k]);
    if (strcmp(hash, model) == 0) return def->models[k];
  }
  return NULL;
}

/* A name that is no spec has no model, and nobody expects one; neither of a simulator. */
static void make_model(far__comparing *c, far__stored_env *env) {
  far_error why = {.code = FAR_OK};
  env->mdp = (far_mdp *)find_model(c->def, env->model); /* which is only read */
  env->lent = env->mdp != NULL;
  if (env->lent) return;
  const far_status status =
      env->read != NULL ? far_record_model_from(&env->mdp, env->read, env->model, &why)
                        : far_record_model(&env->mdp, env->spec, env->model, &why); /* says why */
  if (far__work_answers(c, status) || far__simulator_is_spec(env->spec)) return;
  if (env->model[0] != '\0' || why.code == FAR_STATUS_IO || why.code == FAR_STATUS_FORMAT)
    env->unusable = far__work_copy(c, why.message);
}

/* The models that the cells are of. */
static void make_models(far__comparing *c) {
  for (size_t i = 0; i < c->stored->n_cells && c->status == FAR_OK; ++i) {
    const far__stored_cell *cells = c->stored->cells;
    far__stored_env *env = &c->stored->envs[cells[i].env];
    const bool first = i == 0 || cells[i - 1].env != cells[i].env;
    if (first && env->mdp == NULL && env->unusable == NULL) make_model(c, env);
  }
}

/* ---- what is not there ---- */

static void check_envs(far__comparing *c, const bool *used) {
  far__names names = {0};
  size_t i = 0;
  while (i < c->def->n_envs && used[i]) ++i;
  if (i == c->def->n_envs) return;
  for (size_t e = 0; e < c->stored->n_envs; ++e) far__names_add(&names, c->stored->envs[e].label);
  c->status =
      far__fail(c->error, FAR_STATUS_UNKNOWN, -1,
                "the store has no environment '%.100s'; there are %s", c->def->envs[i], names.text);
}

static void check_any(far__comparing *c) {
  if (c->stored->n_cells > 0) return;
  if (c->out->n_without > 0)
    c->status = far__fail(c->error, FAR_STATUS_UNKNOWN, -1,
                          "none of the %zu requested cells has the series '%.100s'",
                          c->out->n_without, c->out->series);
  else
    c->status =
        far__fail(c->error, FAR_STATUS_UNKNOWN, -1, "no cell has these steps and this seed");
}

void far__stored_read(far__comparing *c) {
  read_cells(c);
  if (c->status != FAR_OK || c->stored->n_cells == 0) return;
  distinguish_envs(c);
  if (c->status == FAR_OK) call_envs_as_typed(c);
  bool *used = far__work_room(c, c->def->n_envs, sizeof *used);
  if (c->status == FAR_OK) choose_cells(c, used);
  if (c->status == FAR_OK) check_envs(c, used);
  if (c->status == FAR_OK) check_any(c);
  if (c->status == FAR_OK) make_models(c);
  free(used);
}

/* ---- agents ---- */

bool far__agent_is(far__comparing *c, size_t env, int64_t steps, int64_t episodes,
                   const char *canonical, const char *spec) {
  char resolved[FAR_SPEC_SIZE];
  const far_mdp *mdp = c->stored->envs[env].mdp;
  if (strcmp(canonical, spec) == 0) return true;
  if (mdp == NULL) return false;
  const far_shape shape = far_shape_for(far_mdp_shape(mdp), steps, episodes);
  return far__work_answers(c, far_agent_resolve(resolved, spec, &shape, NULL)) &&
         strcmp(resolved, canonical) == 0;
}

char *far__derived_label(far__comparing *c, const far__stored_cell *cell) {
  char text[FAR_SPEC_SIZE];
  const far_mdp *mdp = c->stored->envs[cell->env].mdp;
  if (mdp == NULL || strlen(cell->agent) >= FAR_SPEC_SIZE) return far__work_copy(c, cell->agent);
  const far_shape shape = far_shape_for(far_mdp_shape(mdp), cell->steps, cell->episodes);
  far__work_answers(c, far__agent_label_stored(text, cell->agent, &shape, cell->numerics, NULL));
  return far__work_copy(c, text);
}

/* Adds the label of a cell unless an earlier one of `labels` is the same; false at the end. */
static bool add_label(far__names *names, char **labels, size_t *count, char *label) {
  for (size_t k = 0; k < *count; ++k)
    if (strcmp(labels[k], label) == 0) {
      free(label);
      return true;
    }
  labels[(*count)++] = label;
  far__names_add(names, label);
  return !names->cut;
}

void far__unknown_agent(far__comparing *c, const char *what, const char *wanted) {
  char *labels[32]; /* more than far__names takes */
  size_t count = 0;
  far__names names = {0};
  for (size_t i = 0; i < c->stored->n_cells; ++i) {
    const far__stored_cell *cell = &c->stored->cells[i];
    char *label =
        cell->n_typed > 0 ? far__work_copy(c, cell->typed[0]) : far__derived_label(c, cell);
    if (label == NULL || !add_label(&names, labels, &count, label)) break;
  }
  while (count > 0) free(labels[--count]);
  if (c->status != FAR_OK) return;
  c->status =
      far__fail(c->error, FAR_STATUS_UNKNOWN, -1, "%sthe store has no agent '%.100s'; there are %s",
                what, wanted, names.text);
}
