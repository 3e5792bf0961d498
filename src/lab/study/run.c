/* A study, run: by its `until` where it has one, through a store where there is one. */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/study.h"
#include "lab/study/parts.h"
#include "statistics/rules.h"

static far_status prepare_ranking(far_results *r, far_error *error) {
  far_ranking_def def;
  const far_status status = far__study_ranking(&def, r->study, error);
  if (status != FAR_OK) return status;
  return far_ranking_create(&r->ranking, &def, r->info.n_envs, r->info.n_agents, error);
}

static far_status prepare(far_results *r, const far_study_run_def *def, far_error *error) {
  r->info = far_study_info_of(r->study);
  r->def = *far_study_batch(r->study);
  r->def.threads = def->threads;
  r->def.pool = def->pool;
  r->def.progress = def->progress;
  r->def.user = def->user;
  if (def->store == NULL) r->def.snapshots = 0; /* there is nowhere to keep them */
  r->store_name = def->store_name;
  r->sequential = r->info.until[0] != '\0';
  if (!r->sequential) return FAR_OK;
  r->looks = calloc(r->def.n_cells + 1, sizeof *r->looks);
  if (r->looks == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  return far__ranking_is_goal(r->info.until) ? prepare_ranking(r, error)
                                             : far__study_until(&r->until, r->study, error);
}

static far_status rank(far_results *r, far_store *store, far_error *error) {
  int64_t *computed = calloc(r->def.n_cells + 1, sizeof *computed);
  if (computed == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  const far_status status =
      far__ranking_run(&r->batch, r->ranking, computed, &r->def, store, error);
  for (size_t i = 0; i < r->def.n_cells; ++i) r->looks[i].computed = computed[i];
  free(computed);
  return status;
}

static far_status run(far_results *r, far_store *store, far_error *error) {
  if (r->ranking != NULL) return rank(r, store, error);
  if (r->sequential) return far__until_run(&r->batch, r->looks, &r->until, &r->def, store, error);
  return store != NULL ? far_store_run(&r->batch, store, &r->def, error)
                       : far_batch_run(&r->batch, &r->def, error);
}

/* Times are whole numbers of steps: a run with all of them is censored. */
static far_status describe_times(far_results *r, far_error *error) {
  const size_t n = r->def.n_metrics;
  r->times = calloc(r->def.n_cells * n + 1, sizeof *r->times);
  if (r->times == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the metrics");
  far_status status = FAR_OK;
  for (size_t i = 0; i < r->def.n_cells * n && status == FAR_OK; ++i) {
    const far_result *x = far_batch_metric(r->batch, i / n, i % n);
    const int64_t steps = r->def.cells[i / n].steps;
    if (r->def.metrics[i % n]->event != NULL && steps > 0 && x->runs > 0)
      status = far_times_summarise(&r->times[i], x->totals, x->runs, (double)steps - 0.5, error);
  }
  return status;
}

far_status far_study_run(far_results **out, const far_study *study, const far_study_run_def *def,
                         far_error *error) {
  far_results *r = calloc(1, sizeof *r);
  *out = NULL;
  if (r == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the results");
  r->study = study;
  far_status status = prepare(r, def, error);
  if (status == FAR_OK) status = run(r, def->store, error);
  r->stopped = status == FAR_STATUS_CANCELLED;
  const far_status described = r->batch != NULL ? describe_times(r, error) : FAR_OK;
  if (described != FAR_OK) status = described;
  if (r->batch != NULL && described == FAR_OK)
    *out = r;
  else
    far_results_free(r);
  return status;
}

void far_results_free(far_results *r) {
  if (r == NULL) return;
  far_batch_free(r->batch);
  far_ranking_free(r->ranking);
  free(r->looks);
  free(r->times);
  free(r);
}

double far__results_half_width(const far_results *r, size_t cell) {
  const far_result *result = far_batch_result(r->batch, cell);
  return r->sequential && r->looks[cell].n == result->runs ? r->looks[cell].half_width
                                                           : result->ci95;
}

const far_times *far__results_times(const far_results *r, size_t cell, size_t metric) {
  const far_times *times = &r->times[cell * r->def.n_metrics + metric];
  return times->runs > 0 ? times : NULL;
}
