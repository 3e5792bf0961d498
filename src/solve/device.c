#include "solve/device.h"

#include <math.h> /* only for ceil */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/iteration.h"
#include "solve/parts.h"

/* AUTO uses a device if the processors would still take WORTH_SECONDS more than copying the model to the device, which
 * is estimated after the first sweeps. */
static const double WORTH_SECONDS = 1, BRING_BYTES = 2e9 /* a second */;
enum { SMALL = 100000 /* outcomes: never on a device */, FIRST_SWEEPS = 8 };

static void note_fallback(const far_solve_def *def, const char *what, const char *why) {
  char text[FAR_DEVICE_TEXT];
  snprintf(text, sizeof text, "%s%.180s; the processors sweep instead", what, why);
  if (def->note != NULL) def->note(def->user, text);
}

far__offload far__offload_of(const far_solve_def *def) {
  const bool can = def->method == FAR_METHOD_VALUE || def->method == FAR_METHOD_AUTO ||
                   def->method == FAR_METHOD_TOPOLOGICAL;
  if (!can && def->device == FAR_DEVICE_GPU)
    note_fallback(def, "a device has no method ", far_method_name(def->method));
  return (far__offload){.device = can ? def->device : FAR_DEVICE_CPU};
}

void far__offload_end(far__offload *f) {
  if (f->backend != NULL) f->backend->close(f->state);
  free(f->spare);
  f->backend = NULL;
  f->spare = NULL;
}

/* Uses no device any more in this iteration. */
static void give_up(far__iteration *it, const char *what, const char *why) {
  far__offload_end(&it->offload);
  it->offload.device = FAR_DEVICE_CPU;
  note_fallback(it->def, what, why);
}

/* ---- sending the values ---- */

static far_status load_backend(const far__sweeps_backend **out, const char *library,
                               far_error *error) {
  far__sweeps_backend_fn *get;
  void *symbol;
  *out = NULL;
  const far_status status = far__backend_symbol(&symbol, library, FAR__SWEEPS_SYMBOL, error);
  if (status != FAR_OK) return status;
  memcpy(&get, &symbol, sizeof get);
  const far__sweeps_backend *found = get != NULL ? get() : NULL;
  if (found == NULL || found->version != FAR__SWEEPS_VERSION ||
      found->task_size != sizeof(far__sweeps_task) || found->rows_size != sizeof(far__sliced))
    return far__backend_mismatch(error);
  *out = found;
  return FAR_OK;
}

static bool open_device(far__iteration *it, const far__sliced *rows) {
  far__offload *f = &it->offload;
  const far__sweeps_task task = {rows, far__iteration_bounding(it), it->def->tolerance};
  const far__sweeps_backend *backend;
  far_error error;
  char why[FAR__WHY] = "";
  if (f->backend != NULL) return true;
  f->spare = calloc(it->n_states, sizeof *f->spare);
  f->rows = rows;
  if (f->spare == NULL)
    give_up(it, "the device is not used: ", "no memory for its values");
  else if (load_backend(&backend, it->def->library, &error) != FAR_OK)
    give_up(it, "no device: ", error.message);
  else if (backend->open(&f->state, f->name, &task, why) != 0)
    give_up(it, "no device: ", why);
  else
    f->backend = backend;
  return f->backend != NULL;
}

static bool send_values(far__iteration *it, const far__sliced *rows) {
  far__offload *f = &it->offload;
  char why[FAR__WHY] = "";
  if (!open_device(it, rows)) return false;
  if (f->backend->begin(f->state, it->v, why) != 0) {
    give_up(it, "the device failed: ", why);
    return false;
  }
  f->on_device = true;
  f->sweeps = 0;
  f->taken = f->made = 0;
  return true;
}

static double sweeps_allowed(const far__iteration *it) {
  const int64_t most = it->def->max_sweeps;
  return most > 0 ? ceil((double)most - it->work) : INFINITY;
}

/* Would the processors take long enough to make a device worth it? */
static bool is_worth(far__iteration *it, const far__sliced *rows) {
  far__offload *f = &it->offload;
  if (f->device != FAR_DEVICE_AUTO || f->backend != NULL) return true;
  if (rows->n_outcomes < SMALL) return false;
  const double now = far__clock_seconds(), done = (double)f->asked++;
  if (done == 0) f->began = now;
  if (done == 1) f->first = it->error - it->rounding;
  if (done < FIRST_SWEEPS) return false;
  double left = far__iteration_left(it, f->first, done - 1);
  if (left > sweeps_allowed(it)) left = sweeps_allowed(it);
  const double bring = (sizeof *rows->next + sizeof *rows->probability) * (double)rows->n_outcomes;
  return left * (now - f->began) / done > WORTH_SECONDS + bring / BRING_BYTES;
}

bool far__offload_takes(far__iteration *it, const far__sliced *rows) {
  const far__offload *f = &it->offload;
  if (f->on_device) return true;
  if (f->device == FAR_DEVICE_CPU || (f->rows != NULL && f->rows != rows)) return false;
  return is_worth(it, rows) && send_values(it, rows);
}

/* ---- sweeps ---- */

/* Repeats the device's sweeps on the processors, from the values with which the device began. */
static far_status make_again(far__iteration *it, const far__sliced *rows, far_error *error) {
  const int64_t sweeps = it->offload.sweeps;
  far_status status = FAR_OK;
  bool over;
  it->offload.on_device = false;
  for (int64_t i = 0; i < sweeps && status == FAR_OK; ++i) {
    far__iteration_take(it, far__sweep(rows, it->team, it->def->gamma, it->v, it->w));
    status = far__iteration_over(it, &over, error);
  }
  return status;
}

/* How many sweeps to ask the device for: about as many as will be needed, since sweeps after the last one cost time
 * as well. */
static double count_ahead(const far__iteration *it, double sure) {
  const far__offload *f = &it->offload;
  const double left =
      f->sweeps < 2 ? FIRST_SWEEPS : 1 + far__iteration_left(it, f->first, (double)f->sweeps - 1);
  double count = left < sure ? left : sure;
  if (count > sweeps_allowed(it)) count = sweeps_allowed(it);
  return count > FAR__SWEEPS_AHEAD ? FAR__SWEEPS_AHEAD : count < 1 ? 1 : ceil(count);
}

/* Has the device compute more sweeps; false after a failure. */
static bool look_ahead(far__iteration *it, double sure) {
  far__offload *f = &it->offload;
  char why[FAR__WHY] = "";
  const int count = (int)count_ahead(it, sure);
  f->taken = f->made = 0;
  const int code = f->backend->sweep(f->state, count, f->ahead, &f->made, &f->seconds, why);
  if (code != 0) {
    give_up(it, "the device failed: ", why);
  } else if (f->made < 1) { /* it claims to have converged, which the processors do not confirm */
    give_up(it, "the device is not used: ", "it computes other numbers than the processors");
  }
  return f->backend != NULL;
}

far_status far__offload_sweep(far__iteration *it, const far__sliced *rows, double sure,
                              far_error *error) {
  far__offload *f = &it->offload;
  if (f->taken == f->made && !look_ahead(it, sure)) {
    const far_status status = make_again(it, rows, error);
    if (status == FAR_OK)
      far__iteration_take(it, far__sweep(rows, it->team, it->def->gamma, it->v, it->w));
    return status;
  }
  f->last = f->ahead[f->taken++];
  f->sweeps += 1;
  far__iteration_bound(it, f->last);
  if (f->sweeps == 1) f->first = it->error - it->rounding;
  return FAR_OK;
}

/* ---- fetching the values ---- */

/* Repeats the device's last sweep on the processors, from it->w (the values before it) to `spare`, and compares the
 * extents. */
static bool prove(far__iteration *it, const far__sliced *rows) {
  far__offload *f = &it->offload;
  char why[FAR__WHY] = "";
  if (f->backend->before(f->state, it->w, why) != 0) {
    give_up(it, "the device failed: ", why);
    return false;
  }
  const far__extent extent = far__sweep(rows, it->team, it->def->gamma, it->w, f->spare);
  if (f->taken == f->made && extent.low == f->last.low && extent.high == f->last.high) return true;
  give_up(it, "the device is not used: ", "it computes other numbers than the processors");
  return false;
}

far_status far__offload_fetch(far__iteration *it, const far__sliced *rows, far_error *error) {
  far__offload *f = &it->offload;
  if (!prove(it, rows)) return make_again(it, rows, error);
  double *swap = it->v;
  it->v = f->spare;
  f->spare = swap;
  f->on_device = false;
  f->total += f->sweeps;
  return FAR_OK;
}

/* ---- for benchmarks ---- */

far_status far__solve_device_copy(double *rate, char name[FAR_DEVICE_TEXT], const char *library,
                                  size_t bytes, far_error *error) {
  const far__sweeps_backend *backend;
  char why[FAR__WHY] = "", own[FAR__DEVICE_NAME] = "";
  *rate = 0;
  const far_status status = load_backend(&backend, library, error);
  if (status != FAR_OK) return status;
  if (backend->copy(rate, own, bytes, why) != 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "%s", why);
  snprintf(name, FAR_DEVICE_TEXT, "%s", own);
  return FAR_OK;
}
