/* Loads and checks the backend, and describes cells for it. */
#include "run/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/backend-file.h"
#include "base/error.h"
#include "run/loop.h"
#include "run/peek.h"

/* ---- loading ---- */

static far_status load_backend(const far__backend **out, const char *library, far_error *error) {
  far__backend_fn *get;
  void *symbol;
  const far_status status = far__backend_symbol(&symbol, library, FAR__BACKEND_SYMBOL, error);
  if (status != FAR_OK) return status;
  memcpy(&get, &symbol, sizeof get);
  *out = get != NULL ? get() : NULL;
  const far__backend *backend = *out; /* one of another build could give other numbers */
  return backend != NULL && backend->version == FAR__BACKEND_VERSION &&
                 backend->task_size == sizeof(far__device_task) &&
                 backend->mdp_size == sizeof(far_mdp) && backend->lane_size == sizeof(far__lane)
             ? FAR_OK
             : far__backend_mismatch(error);
}

far_status far__device_open(far__device *out, const char *library, int number, far_error *error) {
  char why[FAR__WHY] = "";
  *out = (far__device){0};
  const far_status status = load_backend(&out->backend, library, error);
  if (status != FAR_OK) return status;
  if (out->backend->open(&out->state, number, &out->traits, why) == 0) return FAR_OK;
  *out = (far__device){0};
  return far__fail(error, FAR_STATUS_CONFLICT, -1, "%s", why);
}

void far__device_close(far__device *device) {
  if (device->backend != NULL) device->backend->close(device->state);
  *device = (far__device){0};
}

/* ---- cells ---- */

const char *far__device_refuses(const far_batch_def *def, const far_cell *cell,
                                const far_agent *agent) {
  if (cell->mdp == NULL) return "a simulator runs on the processors";
  for (size_t k = 0; k < def->n_metrics; ++k)
    if (def->metrics[k]->tally == NULL || !def->metrics[k]->tally(def->metrics[k], NULL, NULL))
      return "metrics of policies are computed on the processors";
  if (def->snapshots > 0 && cell->n_checkpoints > 0) return "snapshots are taken on the processors";
  if (def->generic) return "hooks run on the processors";
  if (cell->episodes > 0) return "runs that end by episodes are computed on the processors";
  if (agent->shape.horizon > 0) return "episodes of a fixed length run on the processors";
  if (far__fused_of(agent) == FAR__FUSED_NONE) return "this agent runs on the processors";
  return NULL;
}

static far_status make_tally(far_tally *out, const far_metric *metric, const far_cell *c,
                             const far_agent *agent, far_error *error) {
  void *watcher = NULL;
  const far_status status = metric->create(&watcher, metric, c->mdp, agent, c->steps, error);
  if (status == FAR_OK) metric->tally(metric, watcher, out);
  metric->free(watcher);
  return status;
}

/* Describes the metrics of a cell that the device can compute. */
static far_status make_tallies(far__device_cell *out, const far_batch_def *def, const far_cell *c,
                               far_error *error) {
  if (def->n_metrics == 0 || far__device_refuses(def, c, out->agent) != NULL) return FAR_OK;
  far_status status = FAR_OK;
  out->tallies = calloc(def->n_metrics, sizeof *out->tallies);
  if (out->tallies == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the metrics");
  for (size_t k = 0; status == FAR_OK && k < def->n_metrics; ++k)
    status = make_tally(&out->tallies[k], def->metrics[k], c, out->agent, error);
  out->task.tallies = out->tallies;
  out->task.n_tallies = def->n_metrics;
  return status;
}

/* The state of the agent is that of every run at its beginning: no fused algorithm draws at its reset. */
far_status far__device_cell_make(far__device_cell *out, const far_batch_def *def, size_t cell,
                                 far_error *error) {
  const far_cell *c = &def->cells[cell];
  *out = (far__device_cell){0};
  const far_status status = far__agent_try_on(&out->agent, c, error);
  if (status != FAR_OK) return status;
  out->task = (far__device_task){.loop = far__fused_of(out->agent),
                                 .body = far__agent_body(out->agent),
                                 .params_size = far__agent_type_of(out->agent)->params_size,
                                 .state_size = far__lane_bytes(out->agent),
                                 .steps = c->steps,
                                 .checkpoints = c->checkpoints,
                                 .n_checkpoints = c->n_checkpoints,
                                 .seed = def->seed};
  if (c->mdp != NULL) out->task.mdp = *c->mdp;
  const far_status made = make_tallies(out, def, c, error);
  if (made != FAR_OK) far__device_cell_free(out);
  return made;
}

void far__device_cell_free(far__device_cell *cell) {
  far_agent_free(cell->agent);
  free(cell->tallies);
  *cell = (far__device_cell){0};
}
