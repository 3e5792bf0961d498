/* Compares sweeps of the solver on a device with a copy in the device's memory, and with sweeps by the processors,
 * whose values the device must reproduce bit for bit. Bytes are counted as in bandwidth.c. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/memory.h"
#include "report/build.h"
#include "solve/parts.h"

#define COPIED ((size_t)1 << 29) /* bytes, read and written */
#define GAMMA 0.99
#define TOLERANCE 1e-9

enum { MOST_SOLVES = 3 };

/* Random models. The values of the first ones fit into the caches of a device. */
static const struct {
  const char *env, *outcomes;
  int64_t pairs;
  double bytes; /* memory to build and solve the model */
} models[] = {
    {"garnet:states=10000,actions=4,branching=25", "10^6", 40000, 1e8},
    {"garnet:states=100000,actions=4,branching=25", "10^7", 400000, 1e9},
    {"garnet:states=1000000,actions=2,branching=3", "6 x 10^6", 2000000, 1e9},
    {"garnet:states=1000000,actions=4,branching=25", "10^8", 4000000, 1e10},
};

enum { N_MODELS = sizeof models / sizeof *models };

typedef struct row {
  size_t model;
  uint32_t states;
  int64_t sweeps;
  double bytes, sweep,
      processors; /* bytes of one sweep; its best seconds on the device, and by all threads */
} row;

typedef struct device_sweeps {
  row rows[N_MODELS];
  size_t count;
  double copy; /* bytes a second */
  char name[FAR_DEVICE_TEXT];
} device_sweeps;

/* ---- measuring ---- */

typedef struct ticks {
  double last, best;
} ticks;

static bool tick(void *user, int64_t sweeps, double error) {
  ticks *x = user;
  const double now = far__clock_seconds();
  (void)error;
  if (sweeps > 1) x->best = fmin(x->best, now - x->last);
  x->last = now;
  return true;
}

static far_status solve(far_solution *out, const far_solver *solver, far_device device, ticks *x,
                        far_error *error) {
  far_solve_def def = far_solve_def_default();
  def.gamma = GAMMA;
  def.tolerance = TOLERANCE;
  def.method = FAR_METHOD_VALUE;
  def.threads = 0;
  def.device = device;
  def.progress = tick;
  def.user = x;
  return far_solver_discounted(out, solver, &def, error);
}

static bool same_values(const far_solution *x, const far_solution *y) {
  return x->sweeps == y->sweeps && x->error == y->error &&
         memcmp(x->v, y->v, x->n_states * sizeof *x->v) == 0;
}

/* Solves on the device `repeats` times; every solution must equal that of the processors. */
static int solve_there(row *out, const far_solver *solver, const far_solution *expected,
                       int64_t repeats) {
  far_error error;
  for (int64_t i = 0; i < repeats; ++i) {
    ticks unused = {0};
    far_solution x;
    if (solve(&x, solver, FAR_DEVICE_GPU, &unused, &error) != FAR_OK) return run_error(&error);
    const bool good = same_values(expected, &x) && x.device_sweeps == x.sweeps;
    if (good) out->sweep = fmin(out->sweep, x.device_seconds / (double)x.device_sweeps);
    far_solution_free(&x);
    if (good) continue;
    fprintf(stderr, "farsight: %s: the device did not find the processors' values\n",
            models[out->model].env);
    return EXIT_FAILED;
  }
  return EXIT_OK;
}

static int measure_solves(row *out, const far_mdp *mdp, int64_t repeats) {
  ticks here = {0, INFINITY};
  far_solver *solver;
  far_solution expected = {0};
  far_error error;
  far_status status = far_solver_create(&solver, mdp, &error);
  if (status == FAR_OK) status = solve(&expected, solver, FAR_DEVICE_CPU, &here, &error);
  int code = status == FAR_OK ? EXIT_OK : run_error(&error);
  out->processors = here.best;
  out->sweeps = expected.sweeps;
  if (code == EXIT_OK) code = solve_there(out, solver, &expected, repeats);
  far_solution_free(&expected);
  far_solver_free(solver);
  return code;
}

static int measure_model(row *out, size_t model, int64_t repeats) {
  far_mdp *mdp;
  far_error error;
  *out = (row){.model = model, .sweep = INFINITY};
  if (far_mdp_create(&mdp, models[model].env, &error) != FAR_OK) return run_error(&error);
  out->states = far_mdp_shape(mdp).n_states;
  out->bytes = sweep_bytes(mdp);
  const int code = measure_solves(out, mdp, repeats);
  far_mdp_free(mdp);
  return code;
}

static double free_memory(void) {
  return (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* ---- the table ---- */

static void add_row(far_table *t, const row *x, double copy) {
  const double speed = x->bytes / x->sweep;
  far__table_row(t);
  far__table_text(t, "%s", models[x->model].outcomes);
  far__table_count(t, x->states);
  far__table_real_as(t, x->bytes, "%.0f", x->bytes / 1e6);
  far__table_count(t, x->sweeps);
  far__table_real_as(t, 1e3 * x->sweep, "%.4f", 1e3 * x->sweep);
  far__table_real_as(t, speed, "%.0f", speed / 1e9);
  far__table_real_as(t, copy, "%.0f", copy / 1e9);
  far__table_real_as(t, speed / copy, "%.2f", speed / copy);
  far__table_real_as(t, 1e3 * x->processors, "%.2f", 1e3 * x->processors);
}

static void add_table(const void *of, far_report *report) {
  const device_sweeps *x = of;
  if (x->name[0] == '\0') return;
  far__report_heading(report, 2, "Sweeps of random models by %s beside a copy of its memory",
                      x->name);
  far_table *t = far__report_table(report, "device");
  far__table_column(t, "outcomes", "outcomes", FAR__COLUMN_TEXT);
  far__table_column(t, "states", "states", FAR__COLUMN_COUNT);
  far__table_column(t, "bytes", "MB a sweep", FAR__COLUMN_REAL);
  far__table_column(t, "sweeps", "sweeps", FAR__COLUMN_COUNT);
  far__table_column(t, "ms_sweep", "ms", FAR__COLUMN_REAL);
  far__table_column(t, "bytes_a_second", "GB/s", FAR__COLUMN_REAL);
  far__table_column(t, "copy", "copy GB/s", FAR__COLUMN_REAL);
  far__table_column(t, "ratio", "sweep / copy", FAR__COLUMN_REAL);
  far__table_column(t, "ms_processors", "processors ms", FAR__COLUMN_REAL);
  for (size_t i = 0; i < x->count; ++i) add_row(t, &x->rows[i], x->copy);
  if (x->count < N_MODELS)
    far__report_paragraph(report,
                          "Larger models were left out: by --max-pairs, or for want of memory.");
}

static void write_json(const void *of, far__json *j) {
  const device_sweeps *x = of;
  for (size_t i = 0; i < x->count; ++i) {
    const row *r = &x->rows[i];
    far__json_object(j, NULL);
    far__json_text(j, "env", models[r->model].env);
    far__json_text(j, "device", x->name);
    far__json_integer(j, "sweeps", (uint64_t)r->sweeps);
    far__json_real(j, "bytes", r->bytes);
    far__json_real(j, "ms_sweep", 1e3 * r->sweep);
    far__json_real(j, "bytes_a_second", r->bytes / r->sweep);
    far__json_real(j, "copy", x->copy);
    far__json_real(j, "ratio", r->bytes / r->sweep / x->copy);
    far__json_real(j, "ms_processors", 1e3 * r->processors);
    far__json_end(j);
  }
}

/* Is there a model of this index, with at most `most_pairs` pairs, that fits into free memory? */
static bool has_room(size_t model, int64_t most_pairs) {
  return model < N_MODELS && models[model].pairs <= most_pairs &&
         models[model].bytes < free_memory();
}

int measure_device(measured *out, int64_t repeats, int64_t most_pairs, bool must) {
  device_sweeps *x = room_for(1, sizeof *x);
  far_error error;
  int code = EXIT_OK;
  *out = (measured){add_table, write_json, x};
  *x = (device_sweeps){0};
  if (far__solve_device_copy(&x->copy, x->name, NULL, COPIED, &error) != FAR_OK) {
    if (must) fprintf(stderr, "farsight: no device: %s\n", error.message);
    return must ? EXIT_FAILED : EXIT_OK;
  }
  for (; code == EXIT_OK && has_room(x->count, most_pairs); ++x->count)
    code =
        measure_model(&x->rows[x->count], x->count, repeats < MOST_SOLVES ? repeats : MOST_SOLVES);
  return code;
}
