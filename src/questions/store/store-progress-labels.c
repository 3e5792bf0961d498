/* What the cells of a store that is followed are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "questions/listing/label.h"
#include "questions/store/store-progress.h"

/* ---- environments ---- */

/* Fills in the shape and the label; only lack of memory is a failure. */
static far_status describe_env(far__followed_env *env, const char *typed, const far_shape *shape,
                               far_error *error) {
  char label[FAR_SPEC_SIZE];
  far_mdp *mdp = NULL;
  far_error why;
  const bool fits = strlen(env->spec) < FAR_SPEC_SIZE;
  far_status status = FAR_OK;
  if (shape == NULL && fits) status = far_record_model(&mdp, env->spec, env->model, &why);
  if (status == FAR_STATUS_MEMORY) return far__follow_memory(error);
  env->has_shape = shape != NULL || mdp != NULL;
  if (env->has_shape) env->shape = shape != NULL ? *shape : far_mdp_shape(mdp);
  far_mdp_free(mdp);
  env->typed = typed[0] != '\0';
  status = fits && !env->typed ? far__env_label(label, env->spec, NULL) : FAR_OK;
  env->label = status != FAR_OK ? NULL : strdup(env->typed ? typed : fits ? label : env->spec);
  return env->label != NULL ? FAR_OK : far__follow_memory(error);
}

void far__followed_env_free(far__followed_env *env) {
  free(env->spec);
  free(env->model);
  free(env->label);
}

/* Imported results may call an environment as one types it. */
static far_status resolve_env(char out[FAR_SPEC_SIZE], const char **spec, const far_record *r,
                              far_error *error) {
  *spec = r->env;
  if (r->numerics != 0) return FAR_OK;
  const far_status status = far_mdp_resolve(out, r->env, NULL);
  if (status == FAR_OK) *spec = out;
  return status == FAR_STATUS_MEMORY ? far__follow_memory(error) : FAR_OK;
}

static far_status find_env(size_t *out, far__follower *f, const far_record *r,
                           const far_shape *shape, far_error *error) {
  far__followed_env env = {0};
  char resolved[FAR_SPEC_SIZE];
  const char *spec;
  far_status status = resolve_env(resolved, &spec, r, error);
  if (status != FAR_OK) return status;
  for (*out = f->n_envs; *out > 0; --*out) { /* mostly the last one */
    far__followed_env *e = &f->envs[*out - 1];
    if (strcmp(e->spec, spec) != 0) continue;
    if (strcmp(e->model, r->model) == 0) {
      --*out;
      return FAR_OK;
    }
    e->has_twin = env.has_twin = true;
  }
  env.spec = strdup(spec);
  env.model = strdup(r->model);
  if (env.spec == NULL || env.model == NULL ||
      !far__grow((void **)&f->envs, f->n_envs, &f->envs_capacity, sizeof *f->envs))
    status = far__follow_memory(error);
  if (status == FAR_OK) status = describe_env(&env, r->env_label, shape, error);
  if (status != FAR_OK) {
    far__followed_env_free(&env);
    return status;
  }
  *out = f->n_envs;
  f->envs[f->n_envs++] = env;
  return FAR_OK;
}

/* ---- agents ---- */

static far_status find_agent(size_t *out, far__follower *f, const char *label, bool typed,
                             far_error *error) {
  for (*out = f->n_agents; *out > 0;) {
    const far__followed_agent *agent = &f->agents[--*out];
    if (agent->typed == typed && strcmp(agent->label, label) == 0) return FAR_OK;
  }
  *out = f->n_agents;
  if (!far__grow((void **)&f->agents, f->n_agents, &f->agents_capacity, sizeof *f->agents))
    return far__follow_memory(error);
  char *copy = strdup(label);
  if (copy == NULL) return far__follow_memory(error);
  f->agents[f->n_agents++] = (far__followed_agent){.label = copy, .typed = typed};
  return FAR_OK;
}

far_status far__followed_name(far__followed_cell *cell, far__follower *f, const far_record *r,
                              const far_shape *shape, far_error *error) {
  char label[FAR_SPEC_SIZE];
  far_status status = find_env(&cell->env, f, r, shape, error);
  if (status != FAR_OK) return status;
  if (r->agent_label[0] != '\0') return find_agent(&cell->agent, f, r->agent_label, true, error);
  const far__followed_env *env = &f->envs[cell->env];
  const bool known = env->has_shape && strlen(r->agent) < FAR_SPEC_SIZE;
  const far_shape told = far_shape_for(env->shape, r->steps, r->episodes);
  if (known) status = far__agent_label_stored(label, r->agent, &told, r->numerics, NULL);
  if (status != FAR_OK) return far__follow_memory(error);
  return find_agent(&cell->agent, f, known ? label : r->agent, false, error);
}

/* ---- distinct labels ---- */

/* More comparisons than this are not worth their time: labels are then as they are. */
enum { MOST_COMPARISONS = 1000000 };

bool far__follow_replace(char **text, const char *by) {
  if (*text != NULL && strcmp(*text, by) == 0) return true;
  char *copy = strdup(by);
  if (copy == NULL) return false;
  free(*text);
  *text = copy;
  return true;
}

static bool label_cell(far__follower *f, far__followed_cell *cell, const char *const *envs,
                       const char *const *agents) {
  char text[FAR_SPEC_SIZE], twin[FAR_SPEC_SIZE + 32];
  const far__followed_env *env = &f->envs[cell->env];
  const char *agent = f->agents[cell->agent].label;
  const bool worth = (double)f->seen.n_cells * (double)(f->n_envs + f->n_agents) < MOST_COMPARISONS;
  const char *shown = env->label;
  if (worth && !env->typed && strlen(shown) < FAR_SPEC_SIZE) {
    far__label_distinguish(text, env->label, env->spec, envs, f->n_envs);
    shown = text;
  }
  if (env->has_twin) {
    snprintf(twin, sizeof twin, "%.900s (model %.8s)", shown,
             env->model[0] != '\0' ? env->model : "unknown");
    shown = twin;
  }
  if (!far__follow_replace(&cell->env_text, shown)) return false;
  if (worth && !f->agents[cell->agent].typed && strlen(agent) < FAR_SPEC_SIZE) {
    far__label_distinguish(text, agent, cell->spec, agents, f->n_agents);
    agent = text;
  }
  return far__follow_replace(&cell->agent_text, agent);
}

static bool label_cells(far__follower *f, const char **envs, const char **agents) {
  if (envs == NULL || agents == NULL) return false;
  for (size_t i = 0; i < f->n_envs; ++i) envs[i] = f->envs[i].label;
  for (size_t i = 0; i < f->n_agents; ++i) agents[i] = f->agents[i].label;
  for (size_t i = 0; i < f->seen.n_cells; ++i) {
    if (!label_cell(f, &f->cells[i], envs, agents)) return false;
    f->shown[i].env = f->cells[i].env_text;
    f->shown[i].agent = f->cells[i].agent_text;
  }
  return true;
}

far_status far__followed_relabel(far__follower *f, far_error *error) {
  if (!f->relabel) return FAR_OK;
  const char **envs = calloc(f->n_envs + 1, sizeof *envs);
  const char **agents = calloc(f->n_agents + 1, sizeof *agents);
  const bool good = label_cells(f, envs, agents);
  free(envs);
  free(agents);
  f->relabel = !good;
  return good ? FAR_OK : far__follow_memory(error);
}
