/* A run of a store, computed again: the store is keyed by content, so that spec, seed and replicate are all
 * that is needed. */
#include <math.h> /* only for NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/base.h"
#include "lab/store/access.h"
#include "questions/comparison/comparison.h"
#include "questions/learning/learning.h"

/* A copy of a record, whose texts live only until the next call on the store. */
typedef struct cell {
  char *env, *agent;
  char model[FAR_HASH_TEXT];
  int64_t steps, episodes;
  uint64_t seed;
  int numerics;
} cell;

static void free_cell(cell *c) {
  free(c->env);
  free(c->agent);
}

static far_status find_cell(cell *out, far_store *store, const char *key, far_error *error) {
  far_record r;
  bool found = false;
  *out = (cell){.env = NULL};
  for (size_t i = 0;; ++i) {
    const far_status status = far_store_record(&r, &found, store, i, error);
    if (status != FAR_OK) return status;
    if (!found)
      return far__fail(error, FAR_STATUS_UNKNOWN, -1, "the store has no record %.16s…", key);
    if (strcmp(r.key, key) == 0) break;
  }
  *out = (cell){.steps = r.steps, .episodes = r.episodes, .seed = r.seed, .numerics = r.numerics};
  snprintf(out->model, sizeof out->model, "%s", r.model);
  out->env = strdup(r.env);
  out->agent = strdup(r.agent);
  if (out->env != NULL && out->agent != NULL) return FAR_OK;
  free_cell(out);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a record");
}

static far_status check_cell(const cell *c, far_error *error) {
  if (c->numerics == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the results of %.200s are imported: the run cannot be computed again",
                     c->agent);
  if (c->numerics != far_numerics())
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "the results of %.60s... are of another version (numerics %d, this one has %d), and its "
        "run would be another one: run the study again, or a run of its own, as in -e chain -a "
        "q-learning without a store",
        c->agent, c->numerics, far_numerics());
  return FAR_OK;
}

/* The stored total of the run. */
static far_status read_total(double *out, far_store *store, const char *key, uint64_t replicate,
                             far_error *error) {
  double *values = NULL;
  int64_t *replicates = NULL, count = 0;
  *out = NAN;
  const far_status status =
      far__store_values(&values, &replicates, &count, store, key, "total", error);
  if (status != FAR_OK) return status;
  bool found = false;
  for (int64_t i = 0; i < count && !found; ++i) {
    found = (uint64_t)replicates[i] == replicate;
    if (found) *out = values[i];
  }
  far_free(values);
  far_free(replicates);
  if (found) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                   "the store has no run %llu of this cell, which has %lld run%s",
                   (unsigned long long)replicate, (long long)count, far__plural(count));
}

static bool is_model_of(const far_mdp *mdp, const cell *c) {
  char hash[FAR_HASH_TEXT];
  if (c->model[0] == '\0') return strcmp(far_mdp_spec(mdp), c->env) == 0;
  far_mdp_hash(hash, mdp);
  return strcmp(hash, c->model) == 0;
}

static far_status find_model(far_mdp **made, far__learning_def *def, const cell *c,
                             far_error *error) {
  if (def->mdp == NULL) {
    const far_status status = far_record_model(made, c->env, c->model, error);
    def->mdp = *made;
    return status;
  }
  if (is_model_of(def->mdp, c)) return FAR_OK;
  return far__fail(error, FAR_STATUS_MISMATCH, -1, "it is not the model of the stored runs");
}

static far_status compare_totals(double total, double stored, const cell *c, uint64_t replicate,
                                 far_error *error) {
  if (total == stored) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "run %llu of %.200s has the total %s here and %s in the store: the store was "
                   "written with other numerics, or is damaged",
                   (unsigned long long)replicate, c->agent, far__shortest(total).text,
                   far__shortest(stored).text);
}

static far_status run_again(far__learning **out, const cell *c, double stored,
                            const far__learning_def *def, far_error *error) {
  far__learning_def used = *def;
  far_mdp *made = NULL;
  used.agent = c->agent;
  used.steps = c->steps;
  used.episodes = c->episodes;
  used.seed = c->seed;
  if (used.name == NULL) used.name = c->env;
  far_status status = find_model(&made, &used, c, error);
  if (status == FAR_OK) status = far__learning_create(out, &used, error);
  if (status != FAR_OK) {
    far_mdp_free(made);
    return status;
  }
  (*out)->owned = made;
  status = compare_totals((*out)->total, stored, c, def->replicate, error);
  if (status == FAR_OK) return FAR_OK;
  far__learning_free(*out);
  *out = NULL;
  return status;
}

far_status far__learning_from_store(far__learning **out, far_store *store, const char *key,
                                    const far__learning_def *def, far_error *error) {
  cell c;
  double stored = NAN;
  *out = NULL;
  far_status status = find_cell(&c, store, key, error);
  if (status != FAR_OK) return status;
  status = check_cell(&c, error);
  if (status == FAR_OK) status = read_total(&stored, store, key, def->replicate, error);
  if (status == FAR_OK) status = run_again(out, &c, stored, def, error);
  free_cell(&c);
  return status;
}

/* ---- which cells of a store a choice names ---- */

typedef struct finding {
  size_t wanted;
  far__learning_cell *out;
} finding;

static void add_cell(finding *found, const far_comparison_cell *from, const far__stored_env *env) {
  if (found->out->count++ != found->wanted) return;
  snprintf(found->out->key, FAR_HASH_TEXT, "%s", from->keys[0]);
  found->out->replicate = (uint64_t)from->replicates[0];
  found->out->mdp = env->lent ? env->mdp : NULL;
}

static void find_in(far__comparing *c, void *user) {
  for (size_t k = 0; k < c->out->n_groups; ++k) {
    const far_comparison_group *g = &c->out->groups[k];
    for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
      if (g->cells[i].runs > 0 && g->agents[i % g->n_agents].origin == FAR_ORIGIN_COMPUTED)
        add_cell(user, &g->cells[i], &c->stored->envs[g->envs[i / g->n_agents].id]);
  }
}

far_status far__learning_find(far__learning_cell *out, far_store *store,
                              const far_comparison_def *choice, size_t index, far_error *error) {
  far_comparison_def any = *choice;
  any.most_agents = 0;
  far__comparing c = {.def = &any, .error = error};
  finding found = {.wanted = index, .out = out};
  far_comparison *comparison = NULL;
  *out = (far__learning_cell){.count = 0};
  const far_status status = far__comparison_make(&comparison, store, &c, find_in, &found);
  far_comparison_free(comparison);
  if (status != FAR_OK) return status;
  if (index < out->count) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "there are %zu computed cells, and no cell %zu",
                   out->count, index);
}
