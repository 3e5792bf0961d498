/* What farsight stats reads of a store. */
#include "stats.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static void forget(stats_record *r) {
  free(r->key);
  free(r->agent);
  free(r->x);
  free(r->replicates);
  *r = (stats_record){0};
}

void stats_data_free(stats_data *data) {
  for (size_t i = 0; i < data->n_envs; ++i) {
    free(data->envs[i].spec);
    free(data->envs[i].model);
    free(data->envs[i].label);
    far_mdp_free(data->envs[i].mdp);
  }
  for (size_t i = 0; i < data->n_records; ++i) forget(&data->records[i]);
  free(data->envs);
  free(data->records);
  *data = (stats_data){0};
}

/* ---- environments ---- */

/* "chain:n=10", and with the beginning of the model's hash where another model has that name. */
static char *name_env(const char *spec, const char *model, bool twin) {
  char out[FAR_SPEC_SIZE + 32], text[FAR_SPEC_SIZE];
  if (strlen(spec) >= FAR_SPEC_SIZE) return copy_of(spec);
  need_memory(far_env_label(text, spec, NULL));
  if (twin)
    snprintf(out, sizeof out, "%s (model %.8s)", text, model[0] ? model : "unknown");
  else
    snprintf(out, sizeof out, "%s", text);
  return copy_of(out);
}

/* Results made elsewhere may call an environment as one types it. */
static size_t find_env(stats_data *data, const char *name, const char *model) {
  char resolved[FAR_SPEC_SIZE];
  const char *spec = need_memory(far_mdp_resolve(resolved, name, NULL)) == FAR_OK ? resolved : name;
  bool twin = false;
  for (size_t i = 0; i < data->n_envs; ++i) {
    stats_env *env = &data->envs[i];
    if (strcmp(env->spec, spec) != 0) continue;
    if (strcmp(env->model, model) == 0) return i;
    twin = true;
    if (env->model[0] != '\0') continue;
    free(env->label);
    env->label = name_env(env->spec, "", true); /* the one that is not known is said to be so */
  }
  const stats_env new = {
      .spec = copy_of(spec), .model = copy_of(model), .label = name_env(spec, model, twin)};
  data->envs = room_for_more(data->envs, data->n_envs, sizeof *data->envs);
  data->envs[data->n_envs] = new;
  return data->n_envs++;
}

/* Beside chain:n=50, what was chain is chain:n=10. */
static void spell_envs(stats_data *data) {
  const char **labels = room_for(data->n_envs, sizeof *labels);
  char **spelled = room_for(data->n_envs, sizeof *spelled);
  for (size_t i = 0; i < data->n_envs; ++i) labels[i] = data->envs[i].label;
  for (size_t i = 0; i < data->n_envs; ++i) {
    const stats_env *env = &data->envs[i];
    char text[FAR_SPEC_SIZE], resolved[FAR_SPEC_SIZE];
    if (need_memory(far_mdp_resolve(resolved, env->label, NULL)) != FAR_OK) continue;
    if (strcmp(resolved, env->spec) != 0) continue;
    far_label_distinguish(text, env->label, env->spec, labels, data->n_envs);
    spelled[i] = copy_of(text);
  }
  for (size_t i = 0; i < data->n_envs; ++i) {
    if (spelled[i] == NULL) continue;
    free(data->envs[i].label);
    data->envs[i].label = spelled[i];
  }
  free(labels);
  free(spelled);
}

/* ---- which records ---- */

bool stats_env_is(const stats_env *env, const char *wanted) {
  char resolved[FAR_SPEC_SIZE];
  if (strcmp(wanted, env->spec) == 0 || strcmp(wanted, env->label) == 0) return true;
  if (fnmatch(wanted, env->label, 0) == 0) return true;
  return need_memory(far_mdp_resolve(resolved, wanted, NULL)) == FAR_OK &&
         strcmp(resolved, env->spec) == 0;
}

/* Marks the options that named it. */
static bool env_wanted(const stats_query *query, const stats_env *env, bool *used) {
  const char *wanted;
  bool any = false;
  for (size_t i = 0; (wanted = args_text(query->args, "env", i)) != NULL; ++i)
    if (stats_env_is(env, wanted)) any = used[i] = true;
  return any || args_text(query->args, "env", 0) == NULL;
}

/* Steps that are not told may be any. */
static bool cell_wanted(const stats_query *query, const stats_record *r) {
  if (query->steps >= 0 && r->steps != query->steps && (r->numerics != 0 || r->steps != 0))
    return false;
  return !query->one_seed || r->numerics == 0 || r->seed == query->run_seed;
}

static far_status read_records(stats_data *out, far_store *store, far_error *error) {
  far_record record;
  bool found = true;
  for (size_t i = 0; found; ++i) {
    const far_status status = far_store_record(&record, &found, store, i, error);
    if (status != FAR_OK) return status;
    if (!found) break;
    const size_t env = find_env(out, record.env, record.model);
    out->records = room_for_more(out->records, out->n_records, sizeof *out->records);
    out->records[out->n_records++] = (stats_record){.key = copy_of(record.key),
                                                    .agent = copy_of(record.agent),
                                                    .env = env,
                                                    .steps = record.steps,
                                                    .seed = record.seed,
                                                    .numerics = record.numerics};
  }
  return FAR_OK;
}

/* Leaves those records that are wanted and have the series. */
static far_status read_values(stats_data *data, far_store *store, const stats_query *query,
                              bool *used, far_error *error) {
  size_t kept = 0;
  far_status status = FAR_OK;
  for (size_t i = 0; i < data->n_records && status == FAR_OK; ++i) {
    stats_record *r = &data->records[i];
    if (env_wanted(query, &data->envs[r->env], used) && cell_wanted(query, r)) {
      status = far_store_values(&r->x, &r->replicates, &r->n, store, r->key, query->series, error);
      if (status == FAR_STATUS_UNKNOWN) status = FAR_OK;
      data->without += r->n == 0;
    }
    const stats_record read = *r;
    if (read.n == 0) {
      forget(r);
    } else {
      *r = (stats_record){0};
      data->records[kept++] = read;
    }
  }
  data->n_records = status == FAR_OK ? kept : data->n_records;
  return status;
}

/* A name that is no spec has no model, and nobody expects one. */
static void make_model(stats_env *env) {
  far_error why = {.code = FAR_OK};
  need_memory(far_record_model(&env->mdp, env->spec, env->model, &why));
  const bool expected = env->model[0] != '\0' || why.code == FAR_STATUS_IO ||
                        why.code == FAR_STATUS_FORMAT || why.code == FAR_STATUS_MEMORY;
  if (env->mdp != NULL || !expected) return;
  fprintf(stderr, "farsight: note: the model of '%s' is not used: %s\n", env->label, why.message);
}

/* The models that the records are of. */
static void make_models(stats_data *data) {
  for (size_t i = 0; i < data->n_records; ++i) {
    stats_env *env = &data->envs[data->records[i].env];
    const bool first = i == 0 || data->records[i - 1].env != data->records[i].env;
    if (first && env->mdp == NULL) make_model(env);
  }
}

/* "; there are a, b, c" */
static void print_envs(const stats_data *data) {
  fprintf(stderr, "; there are");
  for (size_t i = 0; i < data->n_envs && i < 20; ++i)
    fprintf(stderr, "%s %s", i ? "," : "", data->envs[i].label);
  fprintf(stderr, "%s\n", data->n_envs > 20 ? " and others" : "");
}

static int check_envs(const stats_data *data, const stats_query *query, const bool *used) {
  const char *wanted;
  for (size_t i = 0; (wanted = args_text(query->args, "env", i)) != NULL; ++i) {
    if (used[i]) continue;
    fprintf(stderr, "farsight: the store has no environment '%s'", wanted);
    print_envs(data);
    return EXIT_USAGE;
  }
  return EXIT_OK;
}

static int nothing(const stats_data *data, const stats_query *query, size_t all) {
  if (all == 0)
    fprintf(stderr, "farsight: the store has no results yet\n");
  else if (data->without > 0)
    fprintf(stderr, "farsight: none of the %zu cells asked for has the series '%s'\n",
            data->without, query->series);
  else
    fprintf(stderr, "farsight: no cell has these steps and this seed; 'farsight store info' lists "
                    "what there is\n");
  return all == 0 ? EXIT_FAILED : EXIT_USAGE;
}

int stats_data_read(stats_data *out, far_store *store, const stats_query *query) {
  bool used[256] = {false};
  far_error error;
  *out = (stats_data){0};
  if (read_records(out, store, &error) != FAR_OK) return run_error(&error);
  spell_envs(out);
  const size_t all = out->n_records;
  if (read_values(out, store, query, used, &error) != FAR_OK) return run_error(&error);
  const int code = all > 0 ? check_envs(out, query, used) : EXIT_OK;
  if (code != EXIT_OK) return code;
  if (out->n_records == 0) return nothing(out, query, all);
  make_models(out);
  return EXIT_OK;
}

/* ---- agents ---- */

bool stats_agent_is(const stats_data *data, const stats_record *record, const char *spec) {
  char resolved[FAR_SPEC_SIZE];
  const far_mdp *mdp = data->envs[record->env].mdp;
  if (strcmp(record->agent, spec) == 0) return true;
  if (mdp == NULL) return false;
  const far_shape shape = far_mdp_shape(mdp);
  return need_memory(far_agent_resolve(resolved, spec, &shape, NULL)) == FAR_OK &&
         strcmp(resolved, record->agent) == 0;
}

char *stats_label(const stats_data *data, const stats_record *r) {
  char text[FAR_SPEC_SIZE];
  const far_mdp *mdp = data->envs[r->env].mdp;
  if (mdp == NULL || strlen(r->agent) >= FAR_SPEC_SIZE) return copy_of(r->agent);
  const far_shape shape = far_mdp_shape(mdp);
  need_memory(far_agent_label(text, r->agent, &shape, NULL));
  return copy_of(text);
}

int stats_unknown_agent(const stats_data *data, const char *option, const char *wanted) {
  fprintf(stderr, "farsight: --%s: the store has no agent '%s'; there are", option, wanted);
  size_t shown = 0;
  for (size_t i = 0; i < data->n_records && shown < 20; ++i) {
    char *label = stats_label(data, &data->records[i]);
    bool seen = false;
    for (size_t k = 0; k < i && !seen; ++k) {
      char *other = stats_label(data, &data->records[k]);
      seen = strcmp(label, other) == 0;
      free(other);
    }
    if (!seen) fprintf(stderr, "%s %s", shown++ ? "," : "", label);
    free(label);
  }
  fprintf(stderr, "%s\n", shown == 20 ? " and others" : "");
  return EXIT_USAGE;
}
