/* Searches as YAML files: the keys of a study file and `tune`. docs/tuning.md describes them. */
#include <math.h> /* only for NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/spec.h"
#include "farsight/run.h"
#include "farsight/study.h"
#include "lab/study/entry.h"
#include "lab/study/parts.h"

typedef struct plan {
  far_tune_plan data; /* must be first: it is what the caller holds */
  far__specs envs;
  const char **env_list; /* of those, ended by NULL */
  char **agents;         /* likewise */
  size_t n_agents;
  char *name, *method, *fit, *score;
} plan;

typedef struct reading {
  plan *plan;
  const char *path, *text;
  size_t length;
  far__tree tree;
  far_error *error;
} reading;

/* ---- errors ---- */

static far_status fail_at(const reading *r, size_t at, far_status status, const char *key,
                          const char *message) {
  size_t line = 1;
  for (size_t i = 0; i < at && i < r->length; ++i) line += r->text[i] == '\n';
  far__set_error(r->error, status, (int)at, "%.200s:%zu: %s%s%s", r->path, line, key,
                 key[0] != '\0' ? ": " : "", message);
  return status;
}

static far_status no_memory(const reading *r) {
  return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for the search");
}

static const far__node *node_at(const reading *r, size_t i) {
  return &r->tree.nodes[i];
}

static far_status must_be(const reading *r, size_t node, const char *key, const char *what) {
  char message[200];
  const far__node *n = node_at(r, node);
  snprintf(message, sizeof message, "%s%.60s%s must be %s", n->kind == FAR__SCALAR ? "'" : "it",
           n->kind == FAR__SCALAR ? n->text : "", n->kind == FAR__SCALAR ? "'" : "", what);
  return fail_at(r, n->at, FAR_STATUS_RANGE, key, message);
}

/* ---- values ---- */

static far_status take_whole(const reading *r, size_t node, const char *key, int64_t least,
                             int64_t *out) {
  const far__node *n = node_at(r, node);
  char what[80];
  if (n->kind == FAR__SCALAR && far__integer_parse(n->text, strlen(n->text), out) && *out >= least)
    return FAR_OK;
  snprintf(what, sizeof what, "a whole number of at least %lld", (long long)least);
  return must_be(r, node, key, what);
}

static far_status take_text(const reading *r, size_t node, const char *key, char **out) {
  const far__node *n = node_at(r, node);
  if (n->kind != FAR__SCALAR || n->text[0] == '\0') return must_be(r, node, key, "a text");
  *out = strdup(n->text);
  return *out != NULL ? FAR_OK : no_memory(r);
}

static far_status take_flag(const reading *r, size_t node, const char *key, bool *out) {
  static const char *const words[] = {"on", "true", "off", "false"};
  const far__node *n = node_at(r, node);
  for (size_t i = 0; n->kind == FAR__SCALAR && i < 4; ++i)
    if (strcmp(n->text, words[i]) == 0) {
      *out = i < 2;
      return FAR_OK;
    }
  return must_be(r, node, key, "on or off");
}

/* The file of means stands beside this one, unless its path begins at the root. */
static far_status take_fit(const reading *r, size_t node) {
  char *name = NULL;
  const far_status status = take_text(r, node, "tune.fit", &name);
  if (status != FAR_OK || name == NULL) return status;
  const char *slash = strrchr(r->path, '/');
  const size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - r->path) + 1;
  char *path = malloc(folder + strlen(name) + 1);
  if (path != NULL) {
    memcpy(path, r->path, folder);
    memcpy(path + folder, name, strlen(name) + 1);
  }
  free(name);
  r->plan->fit = path;
  return path != NULL ? FAR_OK : no_memory(r);
}

/* ---- lists ---- */

typedef struct entries {
  far__entry *list;
  const char **specs;
  size_t n;
} entries;

static void free_entries(entries *e) {
  for (size_t i = 0; i < e->n; ++i) far__entry_free(&e->list[i]);
  free(e->list);
  free(e->specs);
}

static far_status take_entries(const reading *r, size_t node, const char *key, entries *out) {
  const far__node *list = node_at(r, node);
  far_listing *listing = key[0] == 'a' ? far_agent_type : far_mdp_family;
  far_error inner;
  if (list->kind != FAR__LIST || list->count == 0)
    return must_be(r, node, key, "a list: a line '- NAME' or '- NAME: {KEY: VALUE}' for each");
  out->list = calloc(list->count, sizeof *out->list);
  out->specs = calloc(list->count, sizeof *out->specs);
  if (out->list == NULL || out->specs == NULL) return no_memory(r);
  for (size_t i = list->first; i != FAR__NONE; i = node_at(r, i)->next) {
    far__entry *e = &out->list[out->n++];
    const far_status status =
        far__entry_make(e, &r->tree, i, false, r->text, r->length, listing, &inner);
    if (status != FAR_OK)
      return fail_at(r, inner.position >= 0 ? (size_t)inner.position : 0, status, key,
                     inner.message);
    out->specs[out->n - 1] = e->spec.bytes;
  }
  return FAR_OK;
}

/* Where an error in a spec stands in the file. */
static far_status fail_in(const reading *r, const entries *e, size_t i, const char *key,
                          far_status status, const far_error *inner) {
  const size_t at = inner->position > 0 ? (size_t)inner->position : 0;
  char path[60];
  snprintf(path, sizeof path, "%s[%zu]", key, i);
  return fail_at(r, far__entry_place(&e->list[i], at), status, path, inner->message);
}

static far_status take_agents(const reading *r, size_t node) {
  entries e = {0};
  far_error inner;
  plan *p = r->plan;
  far_status status = take_entries(r, node, "agents", &e);
  p->agents = calloc(e.n + 1, sizeof *p->agents);
  if (status == FAR_OK && p->agents == NULL) status = no_memory(r);
  for (size_t i = 0; status == FAR_OK && i < e.n; ++i) {
    const far_shape shape = far_shape_default(2, 2);
    char *space = NULL;
    const far_status read = far__tune_space(&space, e.specs[i], &shape, &inner);
    free(space);
    p->agents[i] = read == FAR_OK ? strdup(e.specs[i]) : NULL;
    p->n_agents = i + 1;
    if (read != FAR_OK)
      status = fail_in(r, &e, i, "agents", read, &inner);
    else if (p->agents[i] == NULL)
      status = no_memory(r);
  }
  free_entries(&e);
  return status;
}

static far_status take_envs(const reading *r, size_t node) {
  entries e = {0};
  far_error inner;
  size_t which = 0;
  far__specs *specs = &r->plan->envs;
  far_status status = take_entries(r, node, "environments", &e);
  *specs = (far__specs){.listing = far_mdp_family, .what = "environments"};
  if (status == FAR_OK) {
    status = far__specs_expand(specs, e.specs, NULL, e.n, 1000, &which, &inner);
    if (status != FAR_OK) (void)fail_in(r, &e, which, "environments", status, &inner);
  }
  r->plan->env_list = calloc(specs->n_items + 1, sizeof(char *));
  if (status == FAR_OK && r->plan->env_list == NULL) status = no_memory(r);
  for (size_t i = 0; status == FAR_OK && i < specs->n_items; ++i)
    r->plan->env_list[i] = specs->items[i];
  free_entries(&e);
  return status;
}

/* ---- keys ---- */

typedef struct known_key {
  const char *name;
  far_status (*take)(const reading *r, size_t node);
} known_key;

static far_status unknown_key(const reading *r, const far__node *key, const known_key *keys,
                              size_t n) {
  const char *names[16];
  char message[300];
  size_t used;
  for (size_t i = 0; i < n; ++i) names[i] = keys[i].name;
  const char *near = far__nearest(key->text, strlen(key->text), names, n);
  used = (size_t)snprintf(message, sizeof message, "unknown key '%.60s'; ", key->text);
  if (near != NULL) {
    snprintf(message + used, sizeof message - used, "did you mean '%s'?", near);
    return fail_at(r, key->at, FAR_STATUS_UNKNOWN, "", message);
  }
  for (size_t i = 0; i < n; ++i)
    used += (size_t)snprintf(message + used, sizeof message - used, "%s%s",
                             i == 0 ? "there are: " : ", ", names[i]);
  return fail_at(r, key->at, FAR_STATUS_UNKNOWN, "", message);
}

static far_status take_map(const reading *r, size_t map, const known_key *keys, size_t n) {
  for (size_t k = node_at(r, map)->first; k != FAR__NONE;
       k = node_at(r, node_at(r, k)->next)->next) {
    const far__node *key = node_at(r, k);
    size_t i = 0;
    while (i < n && strcmp(keys[i].name, key->text) != 0) ++i;
    if (i == n) return unknown_key(r, key, keys, n);
    if (far__tree_find(&r->tree, map, key->text) != key->next)
      return fail_at(r, key->at, FAR_STATUS_SYNTAX, key->text, "the key is given twice");
    const far_status status = keys[i].take(r, key->next);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

static far_status key_method(const reading *r, size_t node) {
  const far_status status = take_text(r, node, "tune.method", &r->plan->method);
  if (status != FAR_OK) return status;
  for (size_t i = 0; far__tune_method(i) != NULL; ++i)
    if (strcmp(far__tune_method(i)->name, r->plan->method) == 0) return FAR_OK;
  char names[160] = "one of ";
  for (size_t i = 0; far__tune_method(i) != NULL; ++i)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
             far__tune_method(i)->name);
  return must_be(r, node, "tune.method", names);
}
static far_status key_budget(const reading *r, size_t node) {
  return take_whole(r, node, "tune.budget", 1, &r->plan->data.def.budget);
}
static far_status key_evaluate(const reading *r, size_t node) {
  return take_whole(r, node, "tune.evaluate", 0, &r->plan->data.def.evaluation);
}
static far_status key_profile(const reading *r, size_t node) {
  return take_whole(r, node, "tune.profile", 0, &r->plan->data.def.profile);
}
static far_status key_relative(const reading *r, size_t node) {
  bool relative = false;
  const far_status status = take_flag(r, node, "tune.relative", &relative);
  if (relative) r->plan->data.def.goal = FAR_GOAL_FIT_RELATIVE;
  return status;
}
/* A metric is written as in a study file. */
static far_status key_score(const reading *r, size_t node) {
  far__entry e = {0};
  far_metric *metric = NULL;
  far_error inner;
  far_status status =
      far__entry_make(&e, &r->tree, node, false, r->text, r->length, far_metric_type, &inner);
  const bool made = status == FAR_OK;
  if (made) status = far_metric_create(&metric, e.spec.bytes, &inner);
  if (status != FAR_OK) {
    const size_t at = inner.position > 0 ? (size_t)inner.position : 0;
    status = fail_at(r, made ? far__entry_place(&e, at) : at, status, "tune.score", inner.message);
  } else if ((r->plan->score = strdup(metric->name)) == NULL)
    status = no_memory(r);
  far_metric_free(metric);
  far__entry_free(&e);
  return status;
}
static far_status key_tune(const reading *r, size_t node) {
  static const known_key keys[] = {{"method", key_method},     {"budget", key_budget},
                                   {"evaluate", key_evaluate}, {"profile", key_profile},
                                   {"fit", take_fit},          {"relative", key_relative},
                                   {"score", key_score}};
  if (node_at(r, node)->kind != FAR__MAP)
    return must_be(r, node, "tune", "a mapping, as in tune: {method: halving, budget: 1e9}");
  return take_map(r, node, keys, sizeof keys / sizeof *keys);
}
static far_status key_name(const reading *r, size_t node) {
  return take_text(r, node, "name", &r->plan->name);
}
static far_status key_gamma(const reading *r, size_t node) {
  const far__node *n = node_at(r, node);
  double *out = &r->plan->data.gamma;
  if (n->kind == FAR__SCALAR && far__real_parse(n->text, strlen(n->text), out) && *out > 0 &&
      *out < 1)
    return FAR_OK;
  return must_be(r, node, "gamma", "a number in (0, 1), as in 0.95");
}
static far_status key_steps(const reading *r, size_t node) {
  return take_whole(r, node, "steps", 1, &r->plan->data.def.steps);
}
static far_status key_runs(const reading *r, size_t node) {
  return take_whole(r, node, "runs", 1, &r->plan->data.def.runs);
}
static far_status key_seed(const reading *r, size_t node) {
  const far__node *n = node_at(r, node);
  const bool good = n->kind == FAR__SCALAR &&
                    far__unsigned_parse(n->text, strlen(n->text), &r->plan->data.def.seed);
  return good ? FAR_OK : must_be(r, node, "seed", FAR_SEED_BOUNDS);
}

/* ---- the file ---- */

static far_status check_plan(const reading *r) {
  plan *p = r->plan;
  far_tune_def *def = &p->data.def;
  const bool relative = def->goal == FAR_GOAL_FIT_RELATIVE;
  if (p->n_agents == 0) return fail_at(r, 0, FAR_STATUS_SYNTAX, "agents", "the key is missing");
  if (p->fit == NULL && p->envs.n_items == 0)
    return fail_at(r, 0, FAR_STATUS_SYNTAX, "environments",
                   "the key is missing; it or tune.fit must be given");
  if (p->fit != NULL && p->envs.n_items > 0)
    return fail_at(r, 0, FAR_STATUS_CONFLICT, "environments",
                   "the file of tune.fit names the environments; give one of the two");
  if (p->fit == NULL && relative)
    return fail_at(r, 0, FAR_STATUS_CONFLICT, "tune.relative", "it applies only with tune.fit");
  if (p->fit != NULL && p->score != NULL)
    return fail_at(r, 0, FAR_STATUS_CONFLICT, "tune.score", "it does not go with tune.fit");
  if (p->fit != NULL && !relative) def->goal = FAR_GOAL_FIT;
  def->score = p->score;
  if (p->method != NULL) def->method = p->method;
  p->data.name = p->name != NULL ? p->name : "";
  p->data.fit = p->fit;
  p->data.envs = p->env_list;
  p->data.n_envs = p->envs.n_items;
  p->data.agents = (const char *const *)p->agents;
  p->data.n_agents = p->n_agents;
  return FAR_OK;
}

static far_status read_plan(reading *r) {
  static const known_key keys[] = {{"name", key_name},   {"environments", take_envs},
                                   {"gamma", key_gamma}, {"agents", take_agents},
                                   {"steps", key_steps}, {"runs", key_runs},
                                   {"seed", key_seed},   {"tune", key_tune}};
  far_error inner;
  const far_status status = far__tree_parse(&r->tree, r->text, r->length, &inner);
  if (status != FAR_OK && inner.position < 0)
    return far__fail(r->error, status, -1, "%s", inner.message);
  if (status != FAR_OK) return fail_at(r, (size_t)inner.position, status, "", inner.message);
  if (r->tree.count == 0 || node_at(r, 0)->kind != FAR__MAP)
    return fail_at(r, 0, FAR_STATUS_SYNTAX, "",
                   "a search is a mapping with at least the keys environments and agents");
  const far_status taken = take_map(r, 0, keys, sizeof keys / sizeof *keys);
  return taken == FAR_OK ? check_plan(r) : taken;
}

far_status far_tune_read(far_tune_plan **out, const char *text, size_t length, const char *path,
                         far_error *error) {
  plan *p = calloc(1, sizeof *p);
  *out = NULL;
  if (p == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the search");
  p->data.def = far_tune_def_default();
  p->data.gamma = NAN;
  reading r = {.plan = p, .path = path, .text = text, .length = length, .error = error};
  const far_status status = read_plan(&r);
  far__tree_free(&r.tree);
  if (status == FAR_OK)
    *out = &p->data;
  else
    far_tune_plan_free(&p->data);
  return status;
}

far_status far_tune_load(far_tune_plan **out, const char *path, far_error *error) {
  uint8_t *bytes;
  size_t length;
  *out = NULL;
  far_status status = far__file_read(&bytes, &length, path, FAR__MOST_TEXT, error);
  if (status != FAR_OK) return status;
  bytes[length] = '\0';
  status = far_tune_read(out, (const char *)bytes, length, path, error);
  free(bytes);
  return status;
}

void far_tune_plan_free(far_tune_plan *data) {
  plan *p = (plan *)data;
  if (p == NULL) return;
  for (size_t i = 0; i < p->n_agents; ++i) free(p->agents[i]);
  free(p->agents);
  free(p->env_list);
  far__specs_free(&p->envs);
  free(p->name);
  free(p->method);
  free(p->fit);
  free(p->score);
  free(p);
}
