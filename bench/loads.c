/* farsight-bench loads: how fast model files load as they grow, and the peak memory of loading. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "bench/apart.h"
#include "cli/memory.h"
#include "cli/picture.h"
#include "questions/growth/growth-curves.h"
#include "report/build.h"

static const far_format formats[] = {FAR_FORMAT_DRN, FAR_FORMAT_JSON, FAR_FORMAT_CASSANDRA};

/* A file is measured REPEATS times, but not again after LONG seconds; the best time counts. */
enum { REPEATS = 5, LONG = 2 };

enum { N_FORMATS = sizeof formats / sizeof *formats, N_SIZES = 5, BRANCHING = 2, ACTIONS = 2 };

/* The measurements of one file, written and loaded. */
typedef struct load {
  double outcomes, bytes; /* outcomes of the model, bytes of its file */
  double written, read;   /* seconds */
  double peak;            /* peak memory of loading, in bytes */
  char why[WHY_SIZE];     /* why the file is left out; "" if it is not */
} load;

typedef struct loads {
  limits limits;
  const char *folder;
  load of[N_FORMATS][N_SIZES];
} loads;

/* ---- one file ---- */

typedef struct file {
  far_format format;
  double outcomes;
  char path[4096];
} file;

static void write_file(void *of, apart *to) {
  const file *f = of;
  load out = {.outcomes = f->outcomes, .written = INFINITY};
  double all = 0;
  char spec[96];
  struct stat info;
  far_mdp *mdp;
  far_error error;
  snprintf(spec, sizeof spec, "garnet:states=%.0f,actions=%d,branching=%d",
           f->outcomes / ACTIONS / BRANCHING, ACTIONS, BRANCHING);
  far_status status = far_mdp_create(&mdp, spec, &error);
  for (int k = 0; k < REPEATS && all < LONG && status == FAR_OK; ++k) {
    const double begun = far__clock_thread();
    status = far_mdp_save(mdp, f->path, f->format, 0.95, &error);
    const double seconds = far__clock_thread() - begun;
    out.written = fmin(out.written, seconds);
    all += seconds;
  }
  if (status != FAR_OK) snprintf(out.why, sizeof out.why, "%.*s", WHY_SIZE - 1, error.message);
  if (stat(f->path, &info) == 0) out.bytes = (double)info.st_size;
  apart_give(to, &out);
  far_mdp_free(mdp);
}

static void read_file(void *of, apart *to) {
  const file *f = of;
  const double before = peak_memory();
  load out = {.read = INFINITY};
  double all = 0;
  for (int k = 0; k < REPEATS && all < LONG && out.why[0] == '\0'; ++k) {
    far_mdp *mdp;
    far_error error;
    const double begun = far__clock_thread();
    if (far_mdp_load(&mdp, f->path, f->format, &error) != FAR_OK)
      snprintf(out.why, sizeof out.why, "%.*s", WHY_SIZE - 1, error.message);
    const double seconds = far__clock_thread() - begun;
    out.read = fmin(out.read, seconds);
    all += seconds;
    far_mdp_free(mdp);
  }
  out.peak = peak_memory() - before;
  apart_give(to, &out);
}

static void measure_file(const loads *x, far_format format, load *out) {
  file f = {.format = format, .outcomes = out->outcomes};
  load read = {.why = ""};
  char end[80];
  snprintf(f.path, sizeof f.path, "%s/farsight-bench-%ld.%s", x->folder, (long)getpid(),
           far_format_name(format));
  size_t got = do_apart(write_file, &f, out, sizeof *out, 1, end);
  if (got == 1 && out->why[0] == '\0') got = do_apart(read_file, &f, &read, sizeof read, 1, end);
  unlink(f.path);
  if (got == 0) snprintf(out->why, sizeof out->why, "%s", end);
  if (read.why[0] != '\0') snprintf(out->why, sizeof out->why, "%s", read.why);
  out->read = read.read;
  out->peak = read.peak;
}

/* Is this file beyond the limits? Estimated from `before`, the file of a tenth of its size: memory and time grow
 * with the size. */
static bool skip_file(const loads *x, load *out, const load *before) {
  const bool known = before != NULL && before->why[0] == '\0';
  return left_out(out->why, &x->limits, out->outcomes / BRANCHING,
                  known ? 10 * before->peak : 200 * out->outcomes,
                  known ? 20 * (before->written + before->read) : 0);
}

static void measure_loads(loads *x) {
  double outcomes = 1e3;
  for (int k = 0; k < N_SIZES; ++k, outcomes *= 10)
    for (int i = 0; i < N_FORMATS; ++i) {
      load *out = &x->of[i][k];
      out->outcomes = outcomes;
      if (skip_file(x, out, k > 0 ? out - 1 : NULL)) continue;
      note("%s, %.0f outcomes", far_format_name(formats[i]), out->outcomes);
      measure_file(x, formats[i], out);
    }
}

/* ---- printing ---- */

static double speed(const load *l, double seconds) {
  return l->why[0] == '\0' && seconds > 0 ? 1e-6 * l->bytes / seconds : NAN;
}

static void write_json(const void *of, far__json *j) {
  const loads *x = of;
  for (int i = 0; i < N_FORMATS; ++i)
    for (const load *l = x->of[i]; l < x->of[i] + N_SIZES; ++l) {
      const bool is_there = l->why[0] == '\0';
      far__json_object(j, NULL);
      far__json_text(j, "format", far_format_name(formats[i]));
      far__json_integer(j, "outcomes", (uint64_t)l->outcomes);
      far__json_real(j, "bytes", is_there ? l->bytes : NAN);
      far__json_real(j, "mb_per_s_read", speed(l, l->read));
      far__json_real(j, "mb_per_s_written", speed(l, l->written));
      far__json_real(j, "peak_bytes", is_there ? l->peak : NAN);
      far__json_real(j, "peak_per_byte", is_there ? l->peak / l->bytes : NAN);
      far__json_text(j, "left_out", is_there ? NULL : l->why);
      far__json_end(j);
    }
}

static void add_load(far_table *t, const load *l) {
  if (l->why[0] != '\0') {
    for (int k = 0; k < 4; ++k) far__table_none(t);
    far__table_text(t, "%s", l->why);
    return;
  }
  far__table_real_as(t, l->bytes, "%.3g", l->bytes / 1e6);
  far__table_real_as(t, speed(l, l->read), "%.0f", speed(l, l->read));
  far__table_real_as(t, speed(l, l->written), "%.0f", speed(l, l->written));
  far__table_real_as(t, l->peak / l->bytes, "%.1f", l->peak / l->bytes);
  far__table_none(t);
}

static void add_table(const void *of, far_report *report) {
  const loads *x = of;
  far__report_heading(report, 2, "Model files");
  far_table *t = far__report_table(report, "loads");
  far__table_column(t, "format", "format", FAR__COLUMN_TEXT);
  far__table_column(t, "outcomes", "outcomes", FAR__COLUMN_COUNT);
  far__table_column(t, "bytes", "file, MB", FAR__COLUMN_REAL);
  far__table_column(t, "read", "loading, MB/s", FAR__COLUMN_REAL);
  far__table_column(t, "written", "writing, MB/s", FAR__COLUMN_REAL);
  far__table_column(t, "peak", "peak memory / file", FAR__COLUMN_REAL);
  far__table_column(t, "why", "left out", FAR__COLUMN_TEXT);
  for (int i = 0; i < N_FORMATS; ++i)
    for (const load *l = x->of[i]; l < x->of[i] + N_SIZES; ++l) {
      far__table_row(t);
      far__table_text(t, "%s", far_format_name(formats[i]));
      far__table_count(t, (int64_t)l->outcomes);
      add_load(t, l);
    }
}

/* ---- the figure ---- */

typedef struct drawing {
  int64_t sizes[N_SIZES];
  far__growth_point points[2][N_FORMATS][N_SIZES];
  far__growth_curve curves[2][N_FORMATS];
  far__growth_family families[2];
} drawing;

static far__growth_point point_of(double value) {
  return (far__growth_point){
      .runs = value > 0, .value = value, .low = NAN, .high = NAN, .limit = NAN};
}

static void fill(drawing *d, const loads *x) {
  for (int i = 0; i < N_FORMATS; ++i)
    for (int k = 0; k < N_SIZES; ++k) {
      const load *l = &x->of[i][k];
      d->sizes[k] = (int64_t)l->outcomes;
      d->points[0][i][k] = point_of(speed(l, l->read));
      d->points[1][i][k] = point_of(speed(l, l->written));
    }
  for (int p = 0; p < 2; ++p) {
    for (int i = 0; i < N_FORMATS; ++i)
      d->curves[p][i] =
          (far__growth_curve){.agent = far_format_name(formats[i]), .points = d->points[p][i]};
    d->families[p] = (far__growth_family){
        p == 0 ? "loading" : "writing", "outcomes", d->sizes, N_SIZES, d->curves[p], N_FORMATS};
  }
}

static int draw(const arguments *args, const loads *x) {
  drawing *d = room_for(1, sizeof *d);
  far_figure *figure;
  far_error error;
  far_plot_def def = far_plot_def_default();
  def.x_scale = FAR_PLOT_SCALE_LOG;
  fill(d, x);
  const far__growth_curves growth = {.quantity = "megabytes a second",
                                     .families = d->families,
                                     .n_families = 2,
                                     .measured = "the best of several measurements on one thread"};
  const far_status status = far__growth_curves_figure(&figure, &growth, &def, &error);
  free(d);
  return save_plot(args, status, figure, &error);
}

int bench_loads(const arguments *args) {
  loads *x = room_for(1, sizeof *x);
  x->folder = args_word(args, 1) != NULL ? args_word(args, 1) : ".";
  int code = plot_option(args) && read_limits(args, &x->limits) ? EXIT_OK : EXIT_USAGE;
  if (code == EXIT_OK) {
    measure_loads(x);
    code = print_measured(args, &(measured){add_table, write_json, x}, 1);
  }
  if (code == EXIT_OK && args_last(args, "plot") != NULL) code = draw(args, x);
  free(x);
  return code;
}
