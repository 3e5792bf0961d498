/* far_store_add: single runs of programs outside Farsight. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/store/store.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to store a run");
}

static far_status check(const far_imported_run *run, far_error *error) {
  if (run->mdp == NULL || run->agent == NULL || !far__is_name(run->agent))
    return far__fail(
        error, FAR_STATUS_RANGE, -1,
        "a run needs a model and the name of its agent: 1 to %d bytes of UTF-8 without "
        "control characters",
        FAR__NAME_MAX);
  if (run->steps < 1 || run->replicate > INT64_MAX || run->total != run->total)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a run needs steps, a replicate below 2^63 and a total that is a number");
  int64_t before = 0;
  for (size_t i = 0; i < run->n_checkpoints; ++i) {
    const int64_t step = run->checkpoints[i];
    if (step <= before || step > run->steps)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "checkpoint %lld is not in 1 ... %lld, the run's steps, or does not ascend",
                       (long long)step, (long long)run->steps);
    if (run->curve[i] != run->curve[i])
      return far__fail(error, FAR_STATUS_RANGE, -1, "the total at checkpoint %lld is not a number",
                       (long long)step);
    before = step;
  }
  return FAR_OK;
}

/* The cell as for a run of Farsight, but with numerics 0: an outside program has none. */
static far_status name_cell(far__stored_cell *out, const far_imported_run *run, far_error *error) {
  *out = (far__stored_cell){.env = strdup(far_mdp_spec(run->mdp)),
                            .agent = strdup(run->agent),
                            .steps = run->steps,
                            .seed = run->seed};
  if (out->env == NULL || out->agent == NULL) return no_memory(error);
  if (!far__spec_tells(out->env)) far_mdp_hash(out->model, run->mdp);
  far__stored_cell_key(out->key, out);
  return FAR_OK;
}

static far_status put(int64_t *added, far_store *s, const far__stored_cell *cell, char *series_name,
                      const far_imported_run *run, const double *values, far_error *error) {
  far__series series;
  int64_t new = 0;
  far_status status = far__series_name(&series, series_name, error);
  if (status == FAR_OK) status = far__series_add(&series, s, error);
  const far__rows rows = {
      .first = (int64_t)run->replicate, .runs = 1, .values = values, .session = s->session};
  if (status == FAR_OK)
    status = far__block_put(&new, s, cell, &series, &rows, FAR_STATUS_CONFLICT, error);
  far__series_free(&series);
  *added += new;
  return status;
}

far_status far_store_add(bool *added, far_store *s, const far_imported_run *run, far_error *error) {
  int64_t new = 0;
  far__stored_cell cell = {0};
  *added = false;
  far_status status = check(run, error);
  if (status != FAR_OK || s == NULL) return status;
  status = name_cell(&cell, run, error);
  if (status == FAR_OK) status = far__sql_begin(s, error);
  if (status == FAR_OK) {
    status = far__session_touch(s, error);
    if (status == FAR_OK) status = far__stored_cell_add(&cell, s, error);
    if (status == FAR_OK) status = put(&new, s, &cell, strdup("total"), run, &run->total, error);
    if (status == FAR_OK && run->n_checkpoints > 0)
      status = put(&new, s, &cell, far__curve_name("curve", run->checkpoints, run->n_checkpoints),
                   run, run->curve, error);
    status =
        status == FAR_OK && new == 0 ? far__sql_abandon(s, error) : far__sql_end(s, status, error);
  }
  far__stored_cell_free(&cell);
  *added = status == FAR_OK && new > 0;
  return status;
}
