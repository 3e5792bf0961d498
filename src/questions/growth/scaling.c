/* Scaling studies: the definition, its checks, and the sizes one after the other. */
#include "questions/growth/scaling.h"

#include <math.h> /* NAN, INFINITY */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/spec.h"
#include "base/text.h"
#include "model/criterion.h"
#include "run/series.h"

enum { FIRST_BUDGET = 1000 };

/* Replicates of a size begin at size << 32, which must fit into 63 bits. */
static const int64_t MOST_SIZE = INT32_MAX;

static const char *const measures[] = {"earned", "learned", "last-mistake", "reward"};

const char *far__scaling_measure_name(size_t measure) {
  return measure < sizeof measures / sizeof *measures ? measures[measure] : NULL;
}

far__scaling_def far__scaling_def_default(void) {
  return (far__scaling_def){.key = "n",
                            .eps = 0.5,
                            .gamma = NAN,
                            .gamma_scale = 1,
                            .censored = 0.25,
                            .max_steps = 1000000,
                            .steps = 10000,
                            .runs = 100,
                            .seed = 1};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a scaling study");
}

/* ---- checks ---- */

static far_status check_sizes(const far__scaling_def *d, far_error *error) {
  if (d->n_sizes < 1 || d->n_sizes > FAR__SCALING_SIZES)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there are %zu sizes; there must be 1 to %d",
                     d->n_sizes, FAR__SCALING_SIZES);
  for (size_t i = 1; i < d->n_sizes; ++i)
    if (d->sizes[i] <= d->sizes[i - 1])
      return far__fail(error, FAR_STATUS_RANGE, -1, "size %lld after %lld; sizes must ascend",
                       (long long)d->sizes[i], (long long)d->sizes[i - 1]);
  if (d->sizes[0] < 1 || d->sizes[d->n_sizes - 1] > MOST_SIZE)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a size must be at least 1 and at most %lld",
                     (long long)MOST_SIZE);
  return FAR_OK;
}

static far_status check_discount(const far__scaling_def *d, far_error *error) {
  if (d->gamma == d->gamma)
    return d->gamma > 0 && d->gamma < 1
               ? FAR_OK
               : far__fail(error, FAR_STATUS_RANGE, -1, "the discount %s must be in (0, 1)",
                           far__shortest(d->gamma).text);
  if (!(d->gamma_scale > 0 && d->gamma_scale < INFINITY))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the scale %s of the discount must be above 0",
                     far__shortest(d->gamma_scale).text);
  for (size_t i = 0; i < d->n_sizes; ++i) {
    const double gamma = far__scaling_gamma(d, d->sizes[i]);
    if (!(gamma > 0 && gamma < 1))
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "1 - %s / %lld is no discount in (0, 1); the scale must be smaller",
                       far__shortest(d->gamma_scale).text, (long long)d->sizes[i]);
  }
  return FAR_OK;
}

/* One that does not exist is left to far_mdp_create, which knows what may have been meant. */
static far_status check_env(const far__scaling_def *d, far_error *error) {
  const far_type_info *family = far_spec_type(far_mdp_family, d->env);
  size_t length;
  if (family != NULL && (family->bare || far_type_param(family, d->key, strlen(d->key)) == NULL))
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "%s has no key '%.60s'; name the key that holds its size, such as n",
                     family->name, d->key);
  if (far_spec_value(d->env, d->key, &length) != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "%.200s: the sizes are given separately; leave out %.60s", d->env, d->key);
  return FAR_OK;
}

static far_status check_numbers(const far__scaling_def *d, far_error *error) {
  if (!(d->eps > 0 && d->eps < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "eps %s must be a fraction above 0 and below 1",
                     far__shortest(d->eps).text);
  if (!(d->censored >= 0 && d->censored < 0.5))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the censored part %s must be a fraction below 0.5",
                     far__shortest(d->censored).text);
  if (d->steps < 1 || d->max_steps < 2 || d->runs < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "steps and runs must be at least 1, the largest budget at least 2");
  if (d->steps > INT64_MAX / 4 || d->max_steps > INT64_MAX / 4 || d->runs > 100000000)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "at most 2^61 steps and 100,000,000 runs are possible");
  if (far__scaling_measure_name(d->measure) == NULL)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no measure %d", (int)d->measure);
  return FAR_OK;
}

static far_status check(const far__scaling_def *d, far_error *error) {
  if (d->env == NULL || d->key == NULL)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a scaling study needs an environment");
  if (d->n_agents < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a scaling study needs at least 1 agent");
  far_status status = check_sizes(d, error);
  if (status == FAR_OK) status = check_numbers(d, error);
  if (status == FAR_OK) status = check_discount(d, error);
  if (status == FAR_OK) status = check_env(d, error);
  return status;
}

/* ---- from a study ---- */

static far_status take_size(int64_t *size, char rest[FAR_SPEC_SIZE], const char *spec,
                            const char *key, far_error *error) {
  size_t length;
  const char *value = far_spec_value(spec, key, &length);
  if (value == NULL || !far__integer_parse(value, length, size))
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "%.200s gives no size; its %.60s must be a whole number", spec, key);
  return far__spec_without(rest, spec, key, error);
}

far_status far__scaling_def_from(far__scaling_def *def, char env[FAR_SPEC_SIZE],
                                 int64_t sizes[FAR__SCALING_SIZES], const far_study *study,
                                 far_error *error) {
  const far_study_info info = far_study_info_of(study);
  const far_batch_def *batch = far_study_batch(study);
  char other[FAR_SPEC_SIZE];
  if (info.n_envs > FAR__SCALING_SIZES)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "there are %zu environments; at most %d sizes "
                     "are possible",
                     info.n_envs, FAR__SCALING_SIZES);
  for (size_t i = 0; i < info.n_envs; ++i) {
    const far_status status =
        take_size(&sizes[i], i == 0 ? env : other, info.envs[i], def->key, error);
    if (status != FAR_OK) return status;
    if (i > 0 && strcmp(env, other) != 0)
      return far__fail(error, FAR_STATUS_CONFLICT, -1,
                       "%.150s and %.150s differ in more than %.60s, their size", info.envs[0],
                       info.envs[i], def->key);
  }
  def->env = env;
  def->sizes = sizes;
  def->n_sizes = info.n_envs;
  def->agents = info.agents;
  def->n_agents = info.n_agents;
  if (info.gamma == info.gamma && def->gamma_scale == 1) def->gamma = info.gamma;
  def->runs = batch->runs;
  def->seed = batch->seed;
  def->steps = batch->cells[0].steps;
  return FAR_OK;
}

/* ---- making and freeing ---- */

static bool copy_agents(far__scaling *s, const far__scaling_def *def) {
  char **agents = calloc(def->n_agents, sizeof *agents);
  s->def.agents = (const char *const *)agents;
  for (size_t j = 0; agents != NULL && j < def->n_agents; ++j) {
    agents[j] = strdup(def->agents[j]);
    if (agents[j] == NULL) return false;
  }
  return agents != NULL;
}

static bool copy_all(far__scaling *s, const far__scaling_def *def) {
  int64_t *sizes = malloc(def->n_sizes * sizeof *sizes);
  s->def.sizes = sizes;
  s->def.env = strdup(def->env);
  s->def.key = strdup(def->key);
  s->cells = calloc(def->n_sizes * def->n_agents, sizeof *s->cells);
  if (sizes != NULL) memcpy(sizes, def->sizes, def->n_sizes * sizeof *sizes);
  return copy_agents(s, def) && sizes != NULL && s->def.env != NULL && s->def.key != NULL &&
         s->cells != NULL;
}

far_status far__scaling_create(far__scaling **out, const far__scaling_def *def, far_error *error) {
  *out = NULL;
  if (def->wrong != NULL) def->wrong[0] = '\0';
  const far_status status = check(def, error);
  if (status != FAR_OK) return status;
  far__scaling *s = calloc(1, sizeof *s);
  if (s == NULL) return no_memory(error);
  s->def = *def;
  if (!copy_all(s, def)) {
    far__scaling_free(s);
    return no_memory(error);
  }
  for (size_t i = 0; i < def->n_sizes; ++i)
    for (size_t j = 0; j < def->n_agents; ++j) {
      far__scaling_cell_of(s, i, j)->size = def->sizes[i];
      far__scaling_cell_of(s, i, j)->gamma = far__scaling_gamma(def, def->sizes[i]);
    }
  *out = s;
  return FAR_OK;
}

static void leave_station(far__station *at) {
  free(at->specs);
  free(at->cells);
  free(at->agent_of);
  far_metric_free(at->metric);
  far_mdp_free(at->mdp);
  *at = (far__station){0};
}

void far__scaling_free(far__scaling *s) {
  if (s == NULL) return;
  leave_station(&s->at);
  for (size_t i = 0; s->cells != NULL && i < s->def.n_sizes * s->def.n_agents; ++i) {
    free((char *)s->cells[i].env);
    free((char *)s->cells[i].agent);
  }
  for (size_t j = 0; s->def.agents != NULL && j < s->def.n_agents; ++j)
    free((char *)s->def.agents[j]);
  free((char **)s->def.agents);
  free((int64_t *)s->def.sizes);
  free((char *)s->def.env);
  free((char *)s->def.key);
  free(s->cells);
  free(s);
}

/* ---- one size: model, agents, metric ---- */

/* The error's position is in this spec. */
static far_status wrong(const far__scaling *s, far_status status, const char *spec) {
  if (s->def.wrong != NULL) snprintf(s->def.wrong, FAR_SPEC_SIZE, "%s", spec);
  return status;
}

/* Of this size, and with the discount that goes with it, unless the spec says what counts. */
static far_status make_model(far__scaling *s, far_error *error) {
  char sized[FAR_SPEC_SIZE], spec[FAR_SPEC_SIZE], number[FAR__NUMBER_SIZE];
  snprintf(number, sizeof number, "%lld", (long long)s->def.sizes[s->next]);
  far_status status = far_spec_with(sized, s->def.env, s->def.key, number, error);
  if (status == FAR_OK)
    status = far__mdp_spec_with_gamma(spec, sized,
                                      far__scaling_gamma(&s->def, s->def.sizes[s->next]), error);
  if (status != FAR_OK) return status;
  status = far_mdp_create(&s->at.mdp, spec, error);
  return status == FAR_OK ? FAR_OK : wrong(s, status, spec);
}

typedef struct noting {
  const far__scaling *s;
  const char *agent;
} noting;

static void pass_note(void *user, bool severe, const char *message) {
  const noting *n = user;
  const far_study_note note = {
      .severe = severe, .env = far_mdp_spec(n->s->at.mdp), .agent = n->agent, .message = message};
  n->s->def.note(n->s->def.note_user, &note);
}

/* Notes are passed on at the first size only. */
static far_status make_agents(far__scaling *s, far_error *error) {
  const far_shape shape = far_mdp_shape(s->at.mdp);
  const bool notes = s->next == 0 && s->def.note != NULL;
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    char *spec = s->at.specs[j];
    if ((size_t)snprintf(spec, FAR_SPEC_SIZE, "%s", s->def.agents[j]) >= FAR_SPEC_SIZE)
      return far__fail(error, FAR_STATUS_SYNTAX, -1, "a spec has at most %d characters",
                       FAR_SPEC_SIZE - 1);
    noting n = {s, spec};
    const far_status status = far_agent_check(spec, &shape, notes ? pass_note : NULL, &n, error);
    if (status != FAR_OK) return wrong(s, status, spec);
  }
  return FAR_OK;
}

static far_status make_metric(far__scaling *s, far_error *error) {
  char spec[128];
  far_error found;
  if (!far__measures_time(s)) return FAR_OK;
  const char *name = far__scaling_measure_name(s->def.measure);
  char number[FAR__NUMBER_SIZE];
  const bool earned = s->def.measure == FAR__SCALING_EARNED;
  far__real_format(number, earned ? 1 - s->def.eps : s->def.eps);
  if (earned)
    snprintf(spec, sizeof spec, "%s:fraction=%s", name, number);
  else
    snprintf(spec, sizeof spec, "%s:eps=%s,relative=on", name, number);
  far_status status = far_metric_create(&s->at.metric, spec, error);
  if (status != FAR_OK) return wrong(s, status, spec);
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    const far_cell cell = {.mdp = s->at.mdp, .agent = s->at.specs[j], .steps = s->def.max_steps};
    status = far__metric_check(s->at.metric, &cell, NULL, NULL, &found);
    if (status != FAR_OK)
      return far__fail(error, status, -1, "%s of %.80s on %.80s: %.200s", spec, s->at.specs[j],
                       far_mdp_spec(s->at.mdp), found.message);
  }
  return FAR_OK;
}

static far_status make_station(far__scaling *s, far_error *error) {
  const size_t n = s->def.n_agents;
  s->at.specs = calloc(n, sizeof *s->at.specs);
  s->at.cells = calloc(n, sizeof *s->at.cells);
  s->at.agent_of = calloc(n, sizeof *s->at.agent_of);
  if (s->at.specs == NULL || s->at.cells == NULL || s->at.agent_of == NULL) return no_memory(error);
  far_status status = make_model(s, error);
  if (status == FAR_OK) status = make_agents(s, error);
  if (status == FAR_OK) status = make_metric(s, error);
  return status;
}

far_status far__scaling_prepare(far__scaling *s, bool *more, far_error *error) {
  *more = s->next < s->def.n_sizes;
  if (!*more || s->at.mdp != NULL) return FAR_OK;
  if (s->def.wrong != NULL) s->def.wrong[0] = '\0';
  const far_status status = make_station(s, error);
  if (status != FAR_OK) leave_station(&s->at);
  return status;
}

/* ---- one size: runs ---- */

static far_status take_numbers(far__scaling_cell *cell, const far__scaling *s,
                               const far_result *total, const far_result *result, int64_t steps,
                               far_error *error) {
  const int64_t half = steps / 2;
  cell->steps = steps;
  cell->limit = (double)half;
  cell->runs = result->runs;
  cell->mean = result->mean;
  cell->ci95 = result->ci95;
  cell->seconds += total->seconds;
  cell->reused += total->known;
  cell->computed += total->runs - total->known;
  memcpy(cell->hash, result->hash, sizeof cell->hash);
  if (!far__measures_time(s)) return FAR_OK;
  return far_times_summarise(&cell->times, result->totals, result->runs, cell->limit, error);
}

/* Takes what a batch found of an agent; *enough: no larger budget is needed. */
static far_status take(far__scaling *s, size_t i, const far_batch *batch, int64_t steps,
                       bool *enough, far_error *error) {
  const far_result *total = far_batch_result(batch, i);
  const far_result *result = s->at.metric != NULL ? far_batch_metric(batch, i, 0) : total;
  far__scaling_cell *cell = far__scaling_cell_of(s, s->next, s->at.agent_of[i]), new = *cell;
  const far_status status = take_numbers(&new, s, total, result, steps, error);
  if (status != FAR_OK) return status;
  new.env = strdup(far_mdp_spec(s->at.mdp));
  new.agent = strdup(total->agent);
  if (new.env == NULL || new.agent == NULL) {
    free((char *)new.env);
    free((char *)new.agent);
    return no_memory(error);
  }
  free((char *)cell->env);
  free((char *)cell->agent);
  new.known = true;
  *cell = new;
  *enough = !far__measures_time(s) ||
            (double)cell->times.censored <= s->def.censored * (double)cell->runs;
  return FAR_OK;
}

static far_batch_def batch_of(const far__scaling *s) {
  far_batch_def def = far_batch_def_default();
  def.cells = s->at.cells;
  def.n_cells = s->at.n_cells;
  def.runs = s->def.runs;
  def.seed = s->def.seed;
  /* other random numbers at every size, so that the sizes err independently */
  def.first_replicate = (uint64_t)s->def.sizes[s->next] << 32;
  def.threads = s->def.threads;
  def.pool = s->def.pool;
  def.progress = s->def.progress;
  def.user = s->def.user;
  def.metrics = (const far_metric *const *)&s->at.metric;
  def.n_metrics = s->at.metric != NULL;
  return def;
}

/* Runs the agents that are listed; those that need more steps stay on the list. */
static far_status run_budget(far__scaling *s, int64_t steps, far_error *error) {
  far_batch *batch;
  size_t left = 0;
  for (size_t i = 0; i < s->at.n_cells; ++i) s->at.cells[i].steps = steps;
  const far_batch_def def = batch_of(s);
  far_status status = s->def.store != NULL ? far_store_run(&batch, s->def.store, &def, error)
                                           : far_batch_run(&batch, &def, error);
  for (size_t i = 0; status == FAR_OK && i < def.n_cells; ++i) {
    bool enough = false;
    status = take(s, i, batch, steps, &enough, error);
    if (status != FAR_OK || enough) continue;
    s->at.cells[left] = s->at.cells[i];
    s->at.agent_of[left++] = s->at.agent_of[i];
  }
  s->at.n_cells = left;
  far_batch_free(batch);
  return status;
}

/* Fewer than half of the runs had learned at the size before: a larger one is not run. */
static bool hopeless(const far__scaling *s, size_t agent) {
  if (s->next == 0 || !far__measures_time(s)) return false;
  const far__scaling_cell *before = far__scaling_cell_of(s, s->next - 1, agent);
  return before->left_out || (before->known && before->times.median == INFINITY);
}

/* Doubles the budget until enough runs have learned. */
far_status far__scaling_run_prepared(far__scaling *s, far_error *error) {
  const bool time = far__measures_time(s);
  const int64_t most = time ? s->def.max_steps : s->def.steps;
  int64_t steps = time ? FIRST_BUDGET : most;
  far_status status = FAR_OK;
  if (s->at.mdp == NULL) return far__fail(error, FAR_STATUS_CONFLICT, -1, "no size is prepared");
  s->at.n_cells = 0;
  for (size_t j = 0; j < s->def.n_agents; ++j) {
    far__scaling_cell *cell = far__scaling_cell_of(s, s->next, j);
    cell->left_out = hopeless(s, j);
    cell->seconds = 0;
    cell->reused = cell->computed = 0;
    if (cell->left_out) continue;
    s->at.agent_of[s->at.n_cells] = j;
    s->at.cells[s->at.n_cells++] = (far_cell){.mdp = s->at.mdp, .agent = s->at.specs[j]};
  }
  while (status == FAR_OK && s->at.n_cells > 0) {
    steps = steps < most ? steps : most;
    status = run_budget(s, steps, error);
    if (steps == most) break;
    steps = steps > most / 2 ? most : steps * 2;
  }
  if (status != FAR_OK) return status;
  leave_station(&s->at);
  s->next += 1;
  return FAR_OK;
}

far_status far__scaling_run(far__scaling *s, far_error *error) {
  bool more = true;
  far_status status = far__scaling_prepare(s, &more, error);
  while (status == FAR_OK && more) {
    status = far__scaling_run_prepared(s, error);
    if (status == FAR_OK) status = far__scaling_prepare(s, &more, error);
  }
  return status;
}
