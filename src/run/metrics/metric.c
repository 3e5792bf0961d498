#include "run/metrics/metric.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "base/error.h"
#include "base/number.h"
#include "run/peek.h"
#include "run/series.h"

static const far__metric_type *const types[] = {
#define FAR_METRIC(name) &far__metric_##name,
#include "run/metrics/metrics.def"
#undef FAR_METRIC
};

enum { N_TYPES = sizeof types / sizeof *types };

/* far_metric comes first, so that a pointer to one is a pointer to the other. */
typedef struct made {
  far_metric metric;
  const far__metric_type *type;
  far__spec spec;
  char name[FAR__SPEC_TEXT];
} made;

const far_type_info *far_metric_type(size_t index) {
  return index < N_TYPES ? &types[index]->info : NULL;
}

/* The metric of a series' name, which ends where parameters or a step begin. NULL if the library has no such metric. */
static const far__metric_type *type_of(const char *series) {
  const size_t length = strcspn(series, ":@");
  for (size_t i = 0; i < N_TYPES; ++i)
    if (strlen(types[i]->info.name) == length && memcmp(types[i]->info.name, series, length) == 0)
      return types[i];
  return NULL;
}

bool far_series_higher_is_better(const char *series) {
  const far__metric_type *type = type_of(series);
  return type == NULL || type->info.higher_is_better;
}

const char *far__series_event(const char *series) {
  const far__metric_type *type = type_of(series);
  if (type == NULL) return NULL;
  size_t length;
  const char *value =
      type->event_key != NULL ? far_spec_value(series, type->event_key, &length) : NULL;
  const bool judged =
      value == NULL || strncmp(value, type->event_value, strlen(type->event_value)) == 0;
  return judged ? type->info.event : NULL;
}

/* The step in the name, or `steps` if there is none. */
static int64_t steps_of(const char *series, int64_t steps) {
  const char *at = strrchr(series, '@');
  int64_t step;
  return at != NULL && far__integer_parse(at + 1, strlen(at + 1), &step) ? step : steps;
}

int64_t far__series_limit(const char *series, int64_t steps) {
  return far__series_event(series) != NULL ? steps_of(series, steps) : 0;
}

void far__series_bounds(double *least, double *most, const char *series, int64_t steps,
                        const far_shape *shape) {
  const far__metric_type *type = type_of(series);
  const far__metric_range range = type != NULL ? type->range : FAR__ANY;
  const double n = (double)steps_of(series, steps);
  *least = range == FAR__ANY ? -INFINITY : 0;
  *most = range == FAR__SHARE ? 1 : range == FAR__STEPS && n > 0 ? n : INFINITY;
  const bool reward = strcspn(series, "@") == 5 &&
                      (memcmp(series, "total", 5) == 0 || memcmp(series, "curve", 5) == 0);
  if (!reward || shape == NULL || !(n > 0)) return;
  *least = n * shape->reward_min;
  *most = n * shape->reward_max;
}

static bool may_continue(void *stop, int64_t sweeps, double error) {
  (void)sweeps, (void)error;
  return !far__stopped(stop);
}

far_solve_def far__scene_solve_def(const far__scene *scene) {
  far_solve_def def = far_solve_def_default();
  def.progress = may_continue;
  def.user = scene->agent->stop;
  return def;
}

static far_status create(void **watcher, const far_metric *metric, const far_mdp *mdp,
                         const far_agent *agent, int64_t steps, far_error *error) {
  const made *m = (const made *)metric;
  *watcher = NULL;
  return m->type->create(watcher, &(far__scene){m->spec.values, mdp, agent, steps}, error);
}

static bool tally(const far_metric *metric, const void *watcher, far_tally *out) {
  const made *m = (const made *)metric;
  return m->type->tally(m->spec.values, watcher, out);
}

static far_status parse(made *m, const char *text, far_error *error) {
  const far_type_info *infos[N_TYPES];
  for (size_t i = 0; i < N_TYPES; ++i) infos[i] = &types[i]->info;
  far_status status = far__spec_parse(&m->spec, text, "metric", infos, N_TYPES, error);
  if (status != FAR_OK) return status;
  m->type = types[m->spec.index];
  if (m->type->resolve != NULL) status = m->type->resolve(&m->spec, error);
  if (status == FAR_OK) status = far__spec_check(&m->spec, error);
  if (status == FAR_OK) status = far__spec_format(m->name, &m->spec, error);
  return status;
}

far_status far_metric_create(far_metric **out, const char *text, far_error *error) {
  *out = NULL;
  made *m = calloc(1, sizeof *m);
  if (m == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  const far_status status = parse(m, text, error);
  if (status != FAR_OK) {
    free(m);
    return status;
  }
  m->metric = (far_metric){.name = m->name,
                           .create = create,
                           .begin = m->type->begin,
                           .step = m->type->step,
                           .end = m->type->end,
                           .free = m->type->free,
                           .higher_is_better = m->type->info.higher_is_better,
                           .sofar = m->type->sofar,
                           .without_model = m->type->without_model,
                           .any_criterion = m->type->by_criterion == NULL ||
                                            !m->type->by_criterion(m->spec.values),
                           .event = far__series_event(m->name),
                           .tally = m->type->tally != NULL ? tally : NULL};
  *out = &m->metric;
  return FAR_OK;
}

void far_metric_free(far_metric *metric) {
  free(metric);
}

far_status far__metric_check(const far_metric *metric, const far_cell *cell, far_warn_fn *warn,
                             void *user, far_error *error) {
  const made *m = (const made *)metric;
  far_agent *fresh;
  void *watcher = NULL;
  if (cell->simulator != NULL && !metric->without_model)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the metric needs a model, and the simulator %.100s has none",
                     cell->simulator->name);
  far_status status = far__agent_try_on(&fresh, cell, error);
  if (status != FAR_OK) return status;
  status = create(&watcher, metric, cell->mdp, fresh, cell->steps, error);
  if (status == FAR_OK && warn != NULL && m->type->advise != NULL && cell->mdp != NULL)
    status = m->type->advise(watcher, &(far__warner){warn, user}, error);
  m->type->free(watcher);
  far_agent_free(fresh);
  return status;
}
