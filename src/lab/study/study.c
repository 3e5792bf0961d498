#include "lab/study/study.h"

#include <math.h> /* only for NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/mdp.h"
#include "lab/study/curve.h"
#include "run/simulator.h"
#include "statistics/rules.h"

enum { MOST_CELLS = 1000000 };
static const int64_t most_steps = INT64_MAX / 2, most_runs = 100000000, usual_steps = 10000;

far_study_def far_study_def_default(void) {
  return (far_study_def){.gamma = NAN, .seed = 1};
}

far__limits far__study_limits(void) {
  return (far__limits){.specs = FAR__MOST_SPECS, .cells = MOST_CELLS};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study");
}

/* ---- twins ---- */

typedef struct twin {
  const char *text;
  size_t index;
} twin;

static int by_text(const void *x, const void *y) {
  const twin *a = x, *b = y;
  const int order = strcmp(a->text, b->text);
  return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* *found: the first that is as one before it. */
static far_status find_twins(char *const *texts, size_t count, bool *found, size_t *i, size_t *j,
                             far_error *error) {
  *found = false;
  if (count < 2) return FAR_OK;
  twin *sorted = malloc(count * sizeof *sorted);
  if (sorted == NULL) return no_memory(error);
  for (size_t k = 0; k < count; ++k) sorted[k] = (twin){texts[k], k};
  qsort(sorted, count, sizeof *sorted, by_text);
  for (size_t k = 1; k < count; ++k) {
    if (strcmp(sorted[k - 1].text, sorted[k].text) != 0 || (*found && sorted[k].index > *j))
      continue;
    *found = true;
    *i = sorted[k - 1].index;
    *j = sorted[k].index;
  }
  free(sorted);
  return FAR_OK;
}

static void free_texts(char **texts, size_t count) {
  for (size_t i = 0; texts != NULL && i < count; ++i) free(texts[i]);
  free(texts);
}

far_status far__refuse_twins(const far_study *study, far__part part, char *const *canonical,
                             const char *on, far__where *where, far_error *error) {
  const far__specs *specs = &study->specs[part];
  size_t i = 0, j = 0;
  bool found;
  const far_status status = find_twins(canonical, specs->n_items, &found, &i, &j, error);
  if (status != FAR_OK || !found) return status;
  *where = (far__where){part, specs->from[j], true, specs->from[i]};
  const int at = far__specs_difference(specs, i, j);
  const bool named = strcmp(specs->labels[i], specs->labels[j]) != 0;
  if (strcmp(specs->items[i], specs->items[j]) == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, at,
                     named ? "'%.120s' is given twice, as '%.60s' and as '%.60s': leave one out"
                           : "'%.120s' is given twice",
                     specs->items[i], specs->labels[i], specs->labels[j]);
  return far__fail(error, FAR_STATUS_CONFLICT, at,
                   "'%.80s' and '%.80s' are the same%s%.60s: %.150s", specs->items[i],
                   specs->items[j], on != NULL ? " on " : "", on != NULL ? on : "", canonical[i]);
}

far_status far__in_item(const far_study *study, far__part part, size_t item, far__where *where,
                        far_status status, far_error *error) {
  *where = (far__where){.part = part, .entry = study->specs[part].from[item]};
  if (error != NULL)
    error->position = far__specs_source(&study->specs[part], item, error->position);
  return status;
}

/* Every item is called by one label. Those that are as they were typed differ, or are the same agent: that is said of
 * their specs. */
static far_status refuse_twin_names(const far_study *study, far__part part, far__where *where,
                                    far_error *error) {
  const far__specs *specs = &study->specs[part];
  size_t i = 0, j = 0;
  bool found;
  const far_status status = find_twins(specs->labels, specs->n_items, &found, &i, &j, error);
  if (status != FAR_OK || !found || specs->spec_at[specs->from[j]] == 0) return status;
  *where = (far__where){part, specs->from[j], true, specs->from[i]};
  return far__fail(error, FAR_STATUS_CONFLICT, 0, "the name '%.60s' is given to two %s",
                   specs->labels[j], specs->what);
}

/* ---- the plan ---- */

static far_status copy_text(char **out, const char *text, far_error *error) {
  *out = text != NULL ? strdup(text) : NULL;
  return text != NULL && *out == NULL ? no_memory(error) : FAR_OK;
}

static far_status check_until(const char *text, far_error *error) {
  far_until until = far_until_default();
  far_ranking_def ranking = far_ranking_def_default();
  if (text == NULL) return FAR_OK;
  return far__ranking_is_goal(text) ? far__ranking_parse(&ranking, text, error)
                                    : far__until_parse(&until, text, error);
}

/* Runs of a cell unless they are given. */
static int64_t default_runs(const char *until) {
  if (until == NULL) return far_batch_def_default().runs;
  return far__ranking_is_goal(until) ? far_ranking_def_default().most : far_until_default().most;
}

static far_status copy_texts(far_study *s, const far_study_def *def, far__where *where,
                             far_error *error) {
  where->part = FAR__NAME;
  if (def->name != NULL && def->name[0] != '\0' && !far__is_name(def->name))
    return far__fail(error, FAR_STATUS_SYNTAX, -1,
                     "the name of a study has at most %d bytes of UTF-8 without control characters",
                     (int)FAR__NAME_MAX);
  where->part = FAR__UNTIL;
  far_status status = check_until(def->until, error);
  if (status != FAR_OK) return status;
  where->part = FAR__NOWHERE;
  status = copy_text(&s->name, def->name, error);
  if (status == FAR_OK) status = copy_text(&s->curve, def->curve, error);
  if (status == FAR_OK) status = copy_text(&s->until, def->until, error);
  return status;
}

static far_status check_whole(int64_t value, int64_t most, const char *what, far_error *error) {
  if (value >= 1 && value <= most) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "%s must be a whole number from 1 to %lld", what,
                   (long long)most);
}

static far_status check_snapshots(const far_study_def *def, far_error *error) {
  if (def->snapshots < 0 || def->snapshots > most_runs)
    return far__fail(error, FAR_STATUS_RANGE, -1, "snapshots must be a whole number from 0 to %lld",
                     (long long)most_runs);
  if (def->snapshots == 0 || def->curve != NULL) return FAR_OK;
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "snapshots are taken at the checkpoints of a curve; there must be a curve, as in "
      "10,100,1000");
}

/* Checkpoints as a text that reads back as these: "10,200", and of one alone "200,". */
static far_status write_curve(far_study *s, far_error *error) {
  far__text text = {0};
  for (size_t i = 0; i < s->n_checkpoints; ++i)
    far__text_format(&text, "%s%lld", i ? "," : "", (long long)s->checkpoints[i]);
  if (s->n_checkpoints == 1) far__text_add(&text, ",", 1);
  if (text.failed) {
    free(text.bytes);
    return no_memory(error);
  }
  free(s->curve);
  s->curve = text.bytes;
  return FAR_OK;
}

/* Where checkpoints are cut, the study's curve becomes what is left: with fewer steps than the curve
 * was written for, it could not be read back. */
static far_status make_curve(far_study *s, const char *curve, bool cut, far_error *error) {
  const far__length length =
      s->episodes > 0 ? (far__length){s->episodes, "episodes"} : (far__length){s->steps, "steps"};
  far_status status =
      far__curve_parse(&s->checkpoints, &s->n_checkpoints, curve, length, false, error);
  if (status != FAR_STATUS_RANGE || !cut) return status;
  status = far__curve_parse(&s->checkpoints, &s->n_checkpoints, curve, length, true, error);
  return status == FAR_OK ? write_curve(s, error) : status;
}

static far_status copy_numbers(far_study *s, const far_study_def *def, const far__limits *limits,
                               far__where *where, far_error *error) {
  s->episodes = def->episodes;
  s->steps = def->steps == 0 && def->episodes == 0 ? usual_steps : def->steps;
  s->gamma = def->gamma;
  s->batch = far_batch_def_default();
  s->batch.runs = def->runs != 0 ? def->runs : default_runs(def->until);
  s->batch.seed = def->seed;
  s->batch.agent_seed = def->agent_seed;
  where->part = FAR__GAMMA;
  if (def->gamma == def->gamma && !(def->gamma > 0 && def->gamma < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma must be a number in (0, 1)");
  where->part = FAR__STEPS;
  far_status status = s->steps != 0 ? check_whole(s->steps, most_steps, "steps", error) : FAR_OK;
  if (status != FAR_OK) return status;
  where->part = FAR__EPISODES;
  if (s->episodes != 0) status = check_whole(s->episodes, most_steps, "episodes", error);
  if (status != FAR_OK) return status;
  where->part = FAR__RUNS;
  status = check_whole(s->batch.runs, most_runs, "runs", error);
  if (status != FAR_OK) return status;
  where->part = FAR__SNAPSHOTS;
  status = check_snapshots(def, error);
  s->batch.snapshots = def->snapshots;
  if (status != FAR_OK || def->curve == NULL) return status;
  where->part = FAR__CURVE;
  return make_curve(s, def->curve, limits->cut, error);
}

static far_status expand(far_study *s, const far_study_def *def, const bool *models,
                         const far__limits *limits, far__where *where, far_error *error) {
  const struct {
    const char *what, *missing;
    far_listing *listing;
    const char *const *given;
    const bool *models;
    size_t count;
  } lists[FAR__LISTS] = {
      {"environments", "no environment is given", far_mdp_family, def->envs, models, def->n_envs},
      {"agents", "no agent is given", far_agent_type, def->agents, NULL, def->n_agents},
      {"metrics", NULL, far_metric_type, def->metrics, NULL, def->n_metrics}};
  for (int i = 0; i < FAR__LISTS; ++i) {
    far__specs *specs = &s->specs[i];
    *where = (far__where){.part = FAR__NOWHERE};
    if (lists[i].count == 0 && lists[i].missing != NULL)
      return far__fail(error, FAR_STATUS_SYNTAX, -1, "%s", lists[i].missing);
    where->part = (far__part)i;
    specs->listing = lists[i].listing;
    specs->what = lists[i].what;
    specs->named = i != FAR__METRICS;
    far_status status = far__specs_expand(specs, lists[i].given, lists[i].models, lists[i].count,
                                          limits->specs, &where->entry, error);
    if (status == FAR_OK) status = refuse_twin_names(s, (far__part)i, where, error);
    if (status != FAR_OK) return status;
  }
  *where = (far__where){.part = FAR__NOWHERE};
  const size_t envs = s->specs[FAR__ENVS].n_items, agents = s->specs[FAR__AGENTS].n_items;
  if (def->most_envs > 0 && envs > def->most_envs)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "there is room for %zu environments; there are %zu", def->most_envs, envs);
  if (agents <= limits->cells / envs) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "%zu environments x %zu agents are %.3g cells; at most %zu are possible", envs,
                   agents, (double)envs * (double)agents, limits->cells);
}

/* With the environments that are models of the program's, and no specs. */
static far_status expand_all(far_study *s, const far_study_def *def, const far__limits *limits,
                             far__where *where, far_error *error) {
  bool *models = calloc(def->n_envs + 1, sizeof *models);
  if (models == NULL) return no_memory(error);
  for (size_t i = 0; i < def->n_envs; ++i)
    models[i] = (def->models != NULL && def->models[i] != NULL) ||
                (def->simulators != NULL && def->simulators[i] != NULL);
  const far_status status = expand(s, def, models, limits, where, error);
  free(models);
  return status;
}

/* The environment that a model or simulator of the caller's is: by its spec (of a simulator with a version what stores
 * call it), or by the name that it is given. */
static far_status name_model(char out[FAR_SPEC_SIZE], const far_mdp *mdp,
                             const far_simulator_def *simulator, const char *name,
                             far_error *error) {
  if (!far__is_name(name))
    return far__fail(error, FAR_STATUS_SYNTAX, -1,
                     "the name of a model has 1 to %d bytes of UTF-8 without control characters",
                     (int)FAR__NAME_MAX);
  if (far_spec_type(far_mdp_family, name) != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, 0,
                     "a model cannot be called '%.100s': that is the spec of a family of "
                     "environments; give it another name",
                     name);
  if (far__simulator_is_spec(name))
    return far__fail(
        error, FAR_STATUS_CONFLICT, 0,
        "an environment cannot be called '%.100s': so stores call simulators; give it another "
        "name",
        name);
  if (simulator != NULL && far_simulator_spec(out, simulator, NULL) == FAR_OK) return FAR_OK;
  const bool has_spec = mdp != NULL && far_mdp_spec(mdp)[0] != '\0';
  snprintf(out, FAR_SPEC_SIZE, "%s", has_spec ? far_mdp_spec(mdp) : name);
  return FAR_OK;
}

/* Environment i: its canonical text. */
static far_status read_env(const far_study *s, size_t i, char text[FAR_SPEC_SIZE],
                           far_error *error) {
  const char *typed = s->specs[FAR__ENVS].items[i];
  if (s->lent[i] != NULL || s->simulators[i] != NULL)
    return name_model(text, s->lent[i], s->simulators[i], typed, error);
  const far_status status = far_spec_of_env(&s->envs[i], typed, s->gamma, error);
  if (status == FAR_OK) snprintf(text, FAR_SPEC_SIZE, "%s", far_spec_canonical(s->envs[i]));
  return status;
}

static far_status read_envs(const far_study *s, char **canonical, far__where *where,
                            far_error *error) {
  const far__specs *envs = &s->specs[FAR__ENVS];
  for (size_t i = 0; i < envs->n_items; ++i) {
    char text[FAR_SPEC_SIZE];
    const far_status status = read_env(s, i, text, error);
    if (status != FAR_OK) return far__in_item(s, FAR__ENVS, i, where, status, error);
    canonical[i] = strdup(text);
    if (canonical[i] == NULL) return no_memory(error);
  }
  return far__refuse_twins(s, FAR__ENVS, canonical, NULL, where, error);
}

static far_status check_envs(far_study *s, const far_study_def *def, far__where *where,
                             far_error *error) {
  const far__specs *envs = &s->specs[FAR__ENVS];
  const size_t count = envs->n_items;
  s->lent = calloc(count, sizeof(far_mdp *));
  s->simulators = calloc(count, sizeof(far_simulator_def *));
  s->envs = calloc(count, sizeof *s->envs);
  if (s->lent == NULL || s->simulators == NULL || s->envs == NULL) return no_memory(error);
  for (size_t i = 0; i < count && def->models != NULL; ++i) s->lent[i] = def->models[envs->from[i]];
  for (size_t i = 0; i < count && def->simulators != NULL; ++i)
    s->simulators[i] = def->simulators[envs->from[i]];
  char **canonical = calloc(count, sizeof *canonical);
  if (canonical == NULL) return no_memory(error);
  const far_status status = read_envs(s, canonical, where, error);
  free_texts(canonical, count);
  return status;
}

static far_status make_metrics(far_study *s, far__where *where, far_error *error) {
  const far__specs *specs = &s->specs[FAR__METRICS];
  if (specs->n_items == 0) return FAR_OK;
  s->metrics = calloc(specs->n_items, sizeof *s->metrics);
  char **names = calloc(specs->n_items, sizeof *names); /* the metrics' own */
  far_status status = s->metrics != NULL && names != NULL ? FAR_OK : no_memory(error);
  for (size_t i = 0; status == FAR_OK && i < specs->n_items; ++i) {
    status = far_metric_create(&s->metrics[i], specs->items[i], error);
    if (status != FAR_OK) status = far__in_item(s, FAR__METRICS, i, where, status, error);
    if (status == FAR_OK) names[i] = (char *)s->metrics[i]->name;
  }
  if (status == FAR_OK) status = far__refuse_twins(s, FAR__METRICS, names, NULL, where, error);
  free(names);
  s->batch.metrics = (const far_metric *const *)s->metrics;
  s->batch.n_metrics = specs->n_items;
  return status;
}

far_status far__study_plan(far_study **out, const far_study_def *def, const far__limits *limits,
                           far__where *where, far_error *error) {
  *where = (far__where){.part = FAR__NOWHERE};
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return no_memory(error);
  far_status status = copy_texts(*out, def, where, error);
  if (status == FAR_OK) status = copy_numbers(*out, def, limits, where, error);
  if (status == FAR_OK) status = expand_all(*out, def, limits, where, error);
  if (status == FAR_OK) status = check_envs(*out, def, where, error);
  if (status == FAR_OK) status = make_metrics(*out, where, error);
  if (status == FAR_OK) return FAR_OK;
  far_study_free(*out);
  *out = NULL;
  return status;
}

/* ---- the study ---- */

static far_status create(far_study **out, const far_study_def *def, far__where *where,
                         far_error *error) {
  const far__limits limits = far__study_limits();
  far_status status = far__study_plan(out, def, &limits, where, error);
  if (status == FAR_OK) status = far__study_build(*out, def, where, error);
  if (status == FAR_OK) return FAR_OK;
  far_study_free(*out);
  *out = NULL;
  return status;
}

far_status far_study_create(far_study **out, const far_study_def *def, far_error *error) {
  far__where where;
  const far_status status = create(out, def, &where, error);
  const char *const *lists[] = {def->envs, def->agents, def->metrics};
  if (def->wrong != NULL)
    *def->wrong =
        status != FAR_OK && where.part < FAR__LISTS ? lists[where.part][where.entry] : NULL;
  return status;
}

void far_study_free(far_study *s) {
  if (s == NULL) return;
  for (size_t i = 0; s->mdps != NULL && i < s->specs[FAR__ENVS].n_items; ++i)
    if (s->lent[i] == NULL) far_mdp_free(s->mdps[i]);
  for (size_t i = 0; s->metrics != NULL && i < s->specs[FAR__METRICS].n_items; ++i)
    far_metric_free(s->metrics[i]);
  for (size_t i = 0; s->envs != NULL && i < s->specs[FAR__ENVS].n_items; ++i)
    far_spec_free(s->envs[i]);
  for (size_t i = 0; s->agents != NULL && i < s->batch.n_cells; ++i) far_spec_free(s->agents[i]);
  for (int i = 0; i < FAR__LISTS; ++i) far__specs_free(&s->specs[i]);
  free(s->envs);
  free(s->agents);
  free(s->mdps);
  free(s->lent);
  free(s->simulators);
  free(s->metrics);
  free(s->cells);
  free(s->checkpoints);
  free(s->name);
  free(s->curve);
  free(s->until);
  free(s);
}

const far_batch_def *far_study_batch(const far_study *study) {
  return &study->batch;
}

far_study_info far_study_info_of(const far_study *s) {
  const far__specs *envs = &s->specs[FAR__ENVS], *agents = &s->specs[FAR__AGENTS];
  const far__specs *metrics = &s->specs[FAR__METRICS];
  return (far_study_info){.name = s->name != NULL ? s->name : "",
                          .gamma = s->gamma,
                          .steps = s->steps,
                          .episodes = s->episodes,
                          .curve = s->curve != NULL ? s->curve : "",
                          .until = s->until != NULL ? s->until : "",
                          .n_envs = envs->n_items,
                          .n_agents = agents->n_items,
                          .n_metrics = metrics->n_items,
                          .envs = (const char *const *)envs->items,
                          .agents = (const char *const *)agents->items,
                          .metrics = (const char *const *)metrics->items,
                          .env_labels = (const char *const *)envs->labels,
                          .agent_labels = (const char *const *)agents->labels};
}
