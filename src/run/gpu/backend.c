/* The backend of run/backend.h over a machine with lanes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/gpu/machine.h"

enum {
  FIRST_STEPS = 256, /* of the first launch of a cell; the later ones go by the time that it took */
  PIECES = 12        /* pieces of memory: four of the model, the others of the cell */
};

/* A launch should take so long that its overhead does not matter, and so short that a request to stop is seen soon. */
static const double LAUNCH_SECONDS = 0.05, MEMORY_SHARE = 0.9;

typedef struct gpu {
  lanes all;
  far__fused loop;
  kernel which;
  int64_t room, steps, chunk;
  size_t width;
  void *memory[PIECES]; /* of the machine */
  size_t n_memory;
} gpu;

/* For measurements: FARSIGHT_GPU_TRACE=1 prints how long the parts of the device's work take. */
static void trace(const char *what, double begun, double steps) {
  if (getenv("FARSIGHT_GPU_TRACE") == NULL) return;
  const double seconds = far__clock_seconds() - begun;
  fprintf(stderr, "device %s %.6f s %.0f steps\n", what, seconds, steps);
}

static int gpu_open(void **out, int number, far__device_traits *traits, char why[FAR__WHY]) {
  const double begun = far__clock_seconds();
  if (machine_open(number, traits, why) != 0) return 1;
  trace("open", begun, 0);
  *out = calloc(1, sizeof(gpu));
  if (*out != NULL) return 0;
  snprintf(why, FAR__WHY, "no memory for the device's state");
  return 1;
}

static void gpu_end(void *device) {
  gpu *g = device;
  while (g->n_memory > 0) machine_free(g->memory[--g->n_memory]);
}

static void gpu_close(void *device) {
  gpu_end(device);
  free(device);
}

/* ---- room ---- */

static size_t words_of(const far__device_task *task) {
  return far__fused_words(task->loop, task->body, task->state_size);
}

static size_t stride_of(const far__device_task *task) {
  return (8 * words_of(task) + LANE_ALIGN - 1) / LANE_ALIGN * LANE_ALIGN;
}

static double model_bytes(const far__device_task *task) {
  const double outcomes = (double)task->mdp.row[task->mdp.n_rows];
  return 8 * (double)(task->mdp.n_rows + 1) + outcomes * (sizeof(far_outcome) + 8 + 4);
}

/* The numbers of a run: a total, one of each tally, and as many of each checkpoint. */
static size_t width_of(const far__device_task *task) {
  return (1 + task->n_tallies) * (1 + task->n_checkpoints);
}

static size_t marks_of(const far__device_task *task) {
  size_t marks = 0;
  for (size_t k = 0; k < task->n_tallies; ++k) marks += task->tallies[k].n_marks;
  return marks;
}

static double lane_bytes(const far__device_task *task) {
  return (double)stride_of(task) + sizeof(far__lane) + 8 * (double)width_of(task) +
         (double)(task->n_tallies * sizeof(far__count) + marks_of(task));
}

static int64_t gpu_lanes(void *device, const far__device_task *task) {
  (void)device;
  const double room = MEMORY_SHARE * machine_room() - model_bytes(task) - (double)stride_of(task);
  const double most = room / lane_bytes(task), together = (double)machine_lanes();
  if (task->params_size > LANE_PARAMS || !(most >= 1)) return 0;
  return (int64_t)(most < together ? most : together);
}

/* ---- a cell ---- */

static int take(gpu *g, void *out, size_t bytes, char why[FAR__WHY]) {
  void *memory;
  if (machine_allocate(&memory, bytes, why) != 0) return 1;
  g->memory[g->n_memory++] = memory;
  memcpy(out, &memory, sizeof memory);
  return 0;
}

/* A copy on the machine; *out is the pointer to it. */
static int copy(gpu *g, void *out, const void *from, size_t bytes, char why[FAR__WHY]) {
  void *memory;
  if (take(g, &memory, bytes > 0 ? bytes : 1, why) != 0) return 1;
  memcpy(out, &memory, sizeof memory);
  return bytes > 0 ? machine_put(memory, from, bytes, why) : 0;
}

static int copy_model(gpu *g, const far_mdp *from, char why[FAR__WHY]) {
  const size_t n = from->row[from->n_rows];
  far_mdp *to = &g->all.mdp;
  to->n_rows = from->n_rows;
  return copy(g, &to->row, from->row, (from->n_rows + 1) * sizeof *from->row, why) ||
         copy(g, &to->outcome, from->outcome, n * sizeof *from->outcome, why) ||
         copy(g, &to->upto, from->upto, n * sizeof *from->upto, why) ||
         (from->other != NULL && copy(g, &to->other, from->other, n * sizeof *from->other, why));
}

/* Copies the agent's first state, in the layout of a lane, to the machine. */
static int copy_state(gpu *g, const far__device_task *task, char why[FAR__WHY]) {
  const size_t words = words_of(task);
  uint64_t *to = calloc(words, sizeof *to);
  if (to == NULL) {
    snprintf(why, FAR__WHY, "no memory for the first state of a run");
    return 1;
  }
  far__fused_bring(task->loop, to, task->body, task->state_size);
  const int code = copy(g, &g->all.initial, to, words * sizeof *to, why);
  free(to);
  return code;
}

static int copy_cell(gpu *g, const far__device_task *task, char why[FAR__WHY]) {
  const size_t room = (size_t)g->room, points = task->n_checkpoints;
  lanes *all = &g->all;
  return copy_model(g, &task->mdp, why) || copy_state(g, task, why) ||
         copy(g, &all->checkpoints, task->checkpoints, points * sizeof *task->checkpoints, why) ||
         take(g, &all->states, room * stride_of(task), why) ||
         take(g, &all->lane, room * sizeof *all->lane, why) ||
         take(g, &all->values, room * width_of(task) * sizeof *all->values, why);
}

static int copy_tallies(gpu *g, const far__device_task *task, char why[FAR__WHY]) {
  const size_t room = (size_t)g->room, n = task->n_tallies;
  lanes *all = &g->all;
  all->n_tallies = n;
  all->n_marks = marks_of(task);
  return n > 0 && (copy(g, &all->tallies, task->tallies, n * sizeof *task->tallies, why) ||
                   take(g, &all->counts, room * n * sizeof *all->counts, why) ||
                   take(g, &all->marks, room * all->n_marks + 1, why));
}

static int gpu_begin(void *device, const far__device_task *task, int64_t room, char why[FAR__WHY]) {
  gpu *g = device;
  if (machine_enter(why) != 0) return 1;
  gpu_end(g);
  *g = (gpu){.room = room, .steps = task->steps, .chunk = FIRST_STEPS};
  g->all.body = task->body;
  g->all.words = words_of(task);
  g->all.stride = stride_of(task) / 8;
  g->all.n_checkpoints = (int64_t)task->n_checkpoints;
  g->all.seed = task->seed;
  memcpy(g->all.params, task->body.params, task->params_size);
  g->width = width_of(task);
  g->loop = task->loop;
  g->which = kernel_of(&g->all, task->loop);
  const double begun = far__clock_seconds();
  const int code = copy_cell(g, task, why) || copy_tallies(g, task, why);
  trace("cell", begun, 0);
  if (code == 0) return 0;
  gpu_end(g);
  return 1;
}

/* ---- runs ---- */

/* Launches the next steps. Their number is adjusted until a launch takes about LAUNCH_SECONDS. */
static int advance(gpu *g, char why[FAR__WHY]) {
  const double begun = far__clock_seconds();
  const int64_t left = g->steps - g->all.until, steps = g->chunk < left ? g->chunk : left;
  g->all.until += steps;
  const int code = g->all.n_tallies > 0 ? machine_advance_tallied(&g->all, g->loop, why)
                                        : machine_advance(&g->all, g->which, why);
  if (code != 0) return 1;
  const double seconds = far__clock_seconds() - begun;
  if (steps == g->chunk && seconds < LAUNCH_SECONDS / 2) g->chunk *= 2;
  if (seconds > 2 * LAUNCH_SECONDS && g->chunk > 1) g->chunk /= 2;
  return 0;
}

static int gpu_run(void *device, uint64_t first, int64_t runs, double *values,
                   bool (*stop)(void *user), void *user, bool *stopped, char why[FAR__WHY]) {
  gpu *g = device;
  *stopped = false;
  g->all.first = first;
  g->all.n = runs;
  g->all.until = 0;
  const double begun = far__clock_seconds();
  if (runs > g->room) {
    snprintf(why, FAR__WHY, "%lld runs are more than there is room for", (long long)runs);
    return 1;
  }
  if (machine_begin(&g->all, why) != 0) return 1;
  while (g->all.until < g->steps) {
    *stopped = stop != NULL && stop(user);
    if (*stopped) return 0;
    if (advance(g, why) != 0) return 1;
  }
  const int code =
      machine_get(values, g->all.values, (size_t)runs * g->width * sizeof *values, why);
  trace("runs", begun, (double)runs * (double)g->steps);
  return code;
}

FAR_API const far__backend *far_backend(void);

const far__backend *far_backend(void) {
  static const far__backend backend = {.version = FAR__BACKEND_VERSION,
                                       .task_size = sizeof(far__device_task),
                                       .mdp_size = sizeof(far_mdp),
                                       .lane_size = sizeof(far__lane),
                                       .open = gpu_open,
                                       .close = gpu_close,
                                       .lanes = gpu_lanes,
                                       .begin = gpu_begin,
                                       .run = gpu_run,
                                       .end = gpu_end};
  return &backend;
}
