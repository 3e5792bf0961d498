/* Compares a sweep of the solver with a copy of memory, both by all threads: the share of the memory bandwidth that
 * a sweep uses. The bytes of a sweep are the least that it must read and write: every outcome, reward and value
 * once. */
#include "bench/bench.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/memory.h"
#include "report/build.h"

enum {
  MOST_THREADS = 256,
  COPIED = 256 << 20 /* bytes, half of which are read and half written */
};

typedef struct row {
  const char *env, *what;
  far_shape shape;
  double bytes, sweep; /* bytes of one sweep; its seconds, the best so far */
} row;

typedef struct bandwidth {
  row rows[2];
  unsigned threads;
  double copy; /* bytes a second */
} bandwidth;

/* ---- the copy ---- */

typedef struct half {
  char *to;
  const char *from;
  size_t bytes;
} half;

static void *copy_part(void *argument) {
  const half *x = argument;
  memcpy(x->to, x->from, x->bytes);
  return NULL;
}

/* Copies once; returns bytes a second, read and written. */
static double copy_once(char *memory, unsigned threads) {
  const size_t part = COPIED / 2 / threads;
  pthread_t id[MOST_THREADS];
  half work[MOST_THREADS];
  unsigned begun = 0;
  const double start = far__clock_seconds();
  for (unsigned i = 0; i < threads; ++i)
    work[i] = (half){memory + COPIED / 2 + i * part, memory + i * part, part};
  while (begun + 1 < threads && pthread_create(&id[begun], NULL, copy_part, &work[begun + 1]) == 0)
    begun += 1;
  copy_part(&work[0]);
  for (unsigned i = begun + 1; i < threads; ++i) copy_part(&work[i]);
  for (unsigned i = 0; i < begun; ++i) pthread_join(id[i], NULL);
  return 2.0 * (double)part * threads / (far__clock_seconds() - start);
}

static void measure_copy(bandwidth *out, int64_t repeats) {
  char *memory = room_for(COPIED, 1);
  memset(memory, 1, COPIED);
  for (int64_t i = 0; i < repeats; ++i)
    out->copy = fmax(out->copy, copy_once(memory, out->threads));
  free(memory);
}

/* ---- the sweep ---- */

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

/* 12 bytes an outcome, 8 a row, and 20 a state: its number, its old value and its new value. */
double sweep_bytes(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  double bytes = 20.0 * shape.n_states;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      size_t n;
      far_mdp_outcomes(mdp, s, a, &n);
      bytes += 8 + 12 * (double)n;
    }
  return bytes;
}

static int sweep_on(row *out, const far_mdp *mdp, int64_t sweeps) {
  ticks x = {0, INFINITY};
  far_solve_def def = far_solve_def_default();
  far_solver *solver;
  far_solution solution = {0};
  far_error error;
  def.gamma = 0.999;
  def.method = FAR_METHOD_VALUE;
  def.threads = 0;
  def.max_sweeps = sweeps;
  def.progress = tick;
  def.user = &x;
  far_status status = far_solver_create(&solver, mdp, &error);
  if (status == FAR_OK) status = far_solver_discounted(&solution, solver, &def, &error);
  far_solution_free(&solution);
  far_solver_free(solver);
  out->sweep = x.best;
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static int measure_sweep(row *out, int64_t repeats) {
  far_mdp *mdp;
  far_error error;
  if (far_mdp_create(&mdp, out->env, &error) != FAR_OK) return run_error(&error);
  out->shape = far_mdp_shape(mdp);
  out->bytes = sweep_bytes(mdp);
  const int code = sweep_on(out, mdp, 5 * repeats + 1);
  far_mdp_free(mdp);
  return code;
}

/* ---- the table ---- */

static void add_row(far_table *t, const row *x, double copy) {
  const double speed = x->bytes / x->sweep;
  far__table_row(t);
  far__table_text(t, "%s", x->what);
  far__table_count(t, x->shape.n_states);
  far__table_real_as(t, x->bytes, "%.0f", x->bytes / 1e6);
  far__table_real_as(t, 1e3 * x->sweep, "%.2f", 1e3 * x->sweep);
  far__table_real_as(t, speed, "%.1f", speed / 1e9);
  far__table_real_as(t, copy, "%.1f", copy / 1e9);
  far__table_real_as(t, speed / copy, "%.2f", speed / copy);
}

static void add_table(const void *of, far_report *report) {
  const bandwidth *x = of;
  far__report_heading(report, 2, "A sweep beside a copy of memory, %u thread%s", x->threads,
                      x->threads == 1 ? "" : "s");
  far_table *t = far__report_table(report, "bandwidth");
  far__table_column(t, "model", "model", FAR__COLUMN_TEXT);
  far__table_column(t, "states", "states", FAR__COLUMN_COUNT);
  far__table_column(t, "bytes", "MB a sweep", FAR__COLUMN_REAL);
  far__table_column(t, "ms_sweep", "ms", FAR__COLUMN_REAL);
  far__table_column(t, "bytes_a_second", "GB/s", FAR__COLUMN_REAL);
  far__table_column(t, "copy", "copy GB/s", FAR__COLUMN_REAL);
  far__table_column(t, "ratio", "sweep / copy", FAR__COLUMN_REAL);
  for (size_t i = 0; i < 2; ++i) add_row(t, &x->rows[i], x->copy);
  far__report_paragraph(report,
                        "Wall time: other work on the machine shows. A random model also reads its "
                        "values at random, from beyond the caches of a processor.");
}

int measure_bandwidth(measured *out, int64_t repeats) {
  bandwidth *x = room_for(1, sizeof *x);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *out = (measured){add_table, NULL, x};
  *x = (bandwidth){
      .rows = {{.env = "garnet:states=1000000,actions=2,branching=3", .what = "random, 2 x 3"},
               {.env = "chain:n=1000000", .what = "chain"}},
      .threads = processors < 1              ? 1
                 : processors > MOST_THREADS ? MOST_THREADS
                                             : (unsigned)processors};
  int code = EXIT_OK;
  measure_copy(x, repeats);
  for (size_t i = 0; i < 2 && code == EXIT_OK; ++i) code = measure_sweep(&x->rows[i], repeats);
  measure_copy(x, repeats); /* once before the sweeps, once after */
  return code;
}
