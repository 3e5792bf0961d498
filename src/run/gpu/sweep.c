/* The backend of solve/backend.h over a machine. */
#include "run/gpu/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { PIECES = 8, COPIES = 5 };

typedef struct device {
  sweeps all;
  size_t n_states;
  unsigned from;  /* index of the values that the last sweep wrote */
  far__extent at; /* the last sweep's extent */
  void *memory[PIECES];
  size_t n_memory;
} device;

static const double BEGINNING = INFINITY; /* changes before the first sweep: nothing is proven */

static void sweeps_close(void *state) {
  device *d = state;
  while (d->n_memory > 0) machine_free(d->memory[--d->n_memory]);
  free(d);
}

/* Memory of the machine; *out is the pointer to it. */
static int take(device *d, void *out, size_t bytes, char why[FAR__WHY]) {
  void *memory;
  if (machine_allocate(&memory, bytes > 0 ? bytes : 1, why) != 0) return 1;
  d->memory[d->n_memory++] = memory;
  memcpy(out, &memory, sizeof memory);
  return 0;
}

static int copy(device *d, void *out, const void *from, size_t bytes, char why[FAR__WHY]) {
  void *memory;
  if (take(d, &memory, bytes, why) != 0) return 1;
  memcpy(out, &memory, sizeof memory);
  return bytes > 0 ? machine_put(memory, from, bytes, why) : 0;
}

/* Copies where rows begin, which follows from their lengths. */
static int copy_starts(device *d, const far__sliced *rows, char why[FAR__WHY]) {
  const size_t wide = rows->n_wide * rows->n_actions;
  const size_t n = wide + rows->n_single * rows->n_actions;
  uint64_t *start = malloc((n + 1) * sizeof *start);
  if (start == NULL) {
    snprintf(why, FAR__WHY, "no memory for %zu rows", n);
    return 1;
  }
  start[0] = 0;
  for (size_t i = 0; i < n; ++i)
    start[i + 1] = start[i] + (uint64_t)rows->length[i] * (i < wide ? FAR__LANES : 1);
  const int code = copy(d, &d->all.start, start, (n + 1) * sizeof *start, why);
  free(start);
  return code;
}

static int copy_rows(device *d, const far__sliced *rows, char why[FAR__WHY]) {
  const size_t live = rows->n_wide * FAR__LANES + rows->n_single, n = rows->n_outcomes;
  sweeps *x = &d->all;
  return copy_starts(d, rows, why) ||
         copy(d, &x->state, rows->state, live * sizeof *rows->state, why) ||
         copy(d, &x->reward, rows->reward, live * rows->n_actions * sizeof *rows->reward, why) ||
         copy(d, &x->next, rows->next, n * sizeof *rows->next, why) ||
         copy(d, &x->probability, rows->probability, n * sizeof *rows->probability, why) ||
         take(d, &x->values[0], rows->n_states * sizeof *x->values[0], why) ||
         take(d, &x->values[1], rows->n_states * sizeof *x->values[1], why) ||
         take(d, &x->slots, (FAR__SWEEPS_AHEAD + 1) * sizeof *x->slots, why);
}

static int sweeps_open(void **out, char name[FAR__DEVICE_NAME], const far__sweeps_task *task,
                       char why[FAR__WHY]) {
  const far__sliced *rows = task->rows;
  far__device_traits traits;
  if (machine_open(0, &traits, why) != 0) return 1;
  device *d = calloc(1, sizeof *d);
  if (d == NULL) {
    snprintf(why, FAR__WHY, "no memory for the device's state");
    return 1;
  }
  d->n_states = rows->n_states;
  d->all = (sweeps){.n_actions = rows->n_actions,
                    .n_wide = rows->n_wide,
                    .n_single = rows->n_single,
                    .bounding = task->bounding,
                    .tolerance = task->tolerance};
  snprintf(name, FAR__DEVICE_NAME, "%s", traits.name);
  if (copy_rows(d, rows, why) == 0 && machine_sweep(&d->all, 0, 0, why) == 0) {
    *out = d;
    return 0;
  }
  sweeps_close(d);
  return 1;
}

/* Puts the values into both arrays, since sweeps do not write terminal states. */
static int sweeps_begin(void *state, const double *v, char why[FAR__WHY]) {
  device *d = state;
  const size_t bytes = d->n_states * sizeof *v;
  d->from = 0;
  d->at = (far__extent){-BEGINNING, BEGINNING};
  return machine_put(d->all.values[0], v, bytes, why) ||
         machine_put(d->all.values[1], v, bytes, why);
}

static sweep_slot slot_of(far__extent extent) {
  return (sweep_slot){sweep_key(extent.low), sweep_key(extent.high)};
}

static int launch(device *d, unsigned count, double *seconds, char why[FAR__WHY]) {
  const double begun = far__clock_seconds();
  const int code = machine_sweep(&d->all, d->from, count, why);
  *seconds += far__clock_seconds() - begun;
  return code;
}

static int sweeps_sweep(void *state, int count, far__extent *extents, int *made, double *seconds,
                        char why[FAR__WHY]) {
  device *d = state;
  sweep_slot slots[FAR__SWEEPS_AHEAD + 1];
  const size_t n = (size_t)count + 1;
  slots[0] = slot_of(d->at);
  for (size_t i = 1; i < n; ++i) slots[i] = slot_of(sweep_no_extent());
  *made = 0;
  if (machine_put(d->all.slots, slots, n * sizeof *slots, why) != 0 ||
      launch(d, (unsigned)count, seconds, why) != 0 ||
      machine_get(slots, d->all.slots, n * sizeof *slots, why) != 0)
    return 1;
  for (size_t i = 1; i < n && sweep_is_made(sweep_extent(&slots[i])); ++i, ++*made)
    extents[*made] = d->at = sweep_extent(&slots[i]);
  d->from = (d->from + (unsigned)*made) % 2;
  return 0;
}

static int sweeps_before(void *state, double *v, char why[FAR__WHY]) {
  const device *d = state;
  return machine_get(v, d->all.values[1 - d->from], d->n_states * sizeof *v, why);
}

/* ---- a copy, to compare with ---- */

static int time_copies(double *rate, void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  for (int i = 0; i <= COPIES; ++i) { /* the first copy is a warm-up */
    const double begun = far__clock_seconds();
    if (machine_copy(to, from, bytes, why) != 0) return 1;
    const double found = 2 * (double)bytes / (far__clock_seconds() - begun);
    if (i > 0 && found > *rate) *rate = found;
  }
  return 0;
}

static int sweeps_copy(double *rate, char name[FAR__DEVICE_NAME], size_t bytes,
                       char why[FAR__WHY]) {
  far__device_traits traits;
  void *from = NULL, *to = NULL;
  *rate = 0;
  if (machine_open(0, &traits, why) != 0) return 1;
  snprintf(name, FAR__DEVICE_NAME, "%s", traits.name);
  int code = machine_allocate(&from, bytes, why);
  if (code == 0) code = machine_allocate(&to, bytes, why);
  if (code == 0) code = time_copies(rate, to, from, bytes, why);
  machine_free(to);
  machine_free(from);
  return code;
}

FAR_API const far__sweeps_backend *far_sweeps_backend(void);

const far__sweeps_backend *far_sweeps_backend(void) {
  static const far__sweeps_backend backend = {.version = FAR__SWEEPS_VERSION,
                                              .task_size = sizeof(far__sweeps_task),
                                              .rows_size = sizeof(far__sliced),
                                              .open = sweeps_open,
                                              .close = sweeps_close,
                                              .begin = sweeps_begin,
                                              .sweep = sweeps_sweep,
                                              .before = sweeps_before,
                                              .copy = sweeps_copy};
  return &backend;
}
