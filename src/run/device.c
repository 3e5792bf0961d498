/* The backend found, loaded and checked; cells described for it. */
#define _GNU_SOURCE /* dladdr */
#include "run/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "run/loop.h"
#include "run/peek.h"

#define LIBRARY "libfarsight-gpu.so"

enum { PATH_SIZE = 4096 };

/* ---- loading ---- */

/* FOLDER/MIDDLE/libfarsight-gpu.so, FOLDER being that of the file which holds this. */
static void *load_near(const char *middle) {
  static const char here = 0;
  Dl_info self;
  char path[PATH_SIZE];
  if (dladdr(&here, &self) == 0 || self.dli_fname == NULL) return NULL;
  const char *slash = strrchr(self.dli_fname, '/');
  const int folder = slash != NULL ? (int)(slash - self.dli_fname) : 0;
  const int n = snprintf(path, sizeof path, "%.*s%s/%s", folder, self.dli_fname, middle, LIBRARY);
  if (slash == NULL || n < 0 || n >= PATH_SIZE) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* It is never unloaded: drivers do not like that. */
static void *load(const char *library) {
  if (library == NULL) library = getenv("FARSIGHT_GPU_LIBRARY");
  if (library != NULL && library[0] != '\0') return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *handle = load_near("");
  if (handle == NULL) handle = load_near("/../lib");
  return handle != NULL ? handle : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

/* A backend of another build could give other numbers. */
static bool fits(const far__backend *backend) {
  return backend->version == FAR__BACKEND_VERSION &&
         backend->task_size == sizeof(far__device_task) && backend->mdp_size == sizeof(far_mdp) &&
         backend->lane_size == sizeof(far__lane);
}

static far_status load_backend(const far__backend **out, const char *library, far_error *error) {
  void *handle = load(library);
  if (handle == NULL) {
    const char *text = dlerror();
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "the backend cannot be loaded (%.180s)",
                     text != NULL ? text : "no reason given");
  }
  far__backend_fn *get;
  void *symbol = dlsym(handle, FAR__BACKEND_SYMBOL);
  memcpy(&get, &symbol, sizeof get);
  *out = get != NULL ? get() : NULL;
  if (*out != NULL && fits(*out)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the backend was built for another version of the library");
}

far_status far__device_open(far__device *out, const char *library, far_error *error) {
  char why[FAR__WHY] = "";
  *out = (far__device){0};
  const far_status status = load_backend(&out->backend, library, error);
  if (status != FAR_OK) return status;
  if (out->backend->open(&out->state, &out->traits, why) == 0) return FAR_OK;
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
  if (def->n_metrics > 0) return "metrics are computed on the processors";
  if (def->snapshots > 0 && cell->n_checkpoints > 0) return "snapshots are taken on the processors";
  if (def->generic) return "hooks run on the processors";
  if (agent->shape.horizon > 0) return "episodes of a fixed length run on the processors";
  if (far__fused_of(agent) == FAR__FUSED_NONE) return "this agent runs on the processors";
  return NULL;
}

/* Its state is that of every run at the beginning: none of the fused algorithms draws there. */
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
  return FAR_OK;
}

void far__device_cell_free(far__device_cell *cell) {
  far_agent_free(cell->agent);
  *cell = (far__device_cell){0};
}
