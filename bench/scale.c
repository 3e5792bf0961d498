/* farsight-bench scale: what a step costs and how many bytes a pair takes, from 10^2 to 10^8 pairs and from 2 to
 * 1,000 actions. */
#include "bench/scale.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/memory.h"
#include "cli/picture.h"
#include "report/build.h"

/* ---- for programs ---- */

static void write_number(far__json *j, const char *key, double x, bool is_there) {
  far__json_real(j, key, is_there ? x : NAN);
}

static void write_row(far__json *j, const scale *x, const scale_row *r) {
  const scale_problem *p = &x->problems[r->problem];
  const bool is_there = r->why[0] == '\0', model = r->agent == MODEL;
  far__json_object(j, NULL);
  far__json_text(j, "kind", model ? "model" : "step");
  far__json_text(j, "series", scale_series_name(p->series));
  far__json_text(j, "env", p->env);
  far__json_integer(j, "pairs", (uint64_t)pairs_of(p));
  far__json_integer(j, "actions", p->actions);
  if (!model) {
    far__json_text(j, "agent", scale_agents[r->agent].name);
    far__json_integer(j, "runs", (uint64_t)r->runs);
    write_number(j, "steps", r->steps, is_there);
    write_number(j, "ns", r->ns, is_there);
    write_number(j, "seconds", r->seconds, is_there);
  } else {
    write_number(j, "seconds", r->seconds, is_there);
  }
  write_number(j, "bytes", r->bytes, r->bytes > 0);
  write_number(j, "bytes_per_pair", r->bytes / pairs_of(p), r->bytes > 0);
  write_number(j, "peak_bytes", r->peak, is_there);
  far__json_text(j, "left_out", is_there ? NULL : r->why);
  far__json_end(j);
}

static void write_json(const void *of, far__json *j) {
  const scale *x = of;
  for (size_t i = 0; i < x->count; ++i) write_row(j, x, &x->rows[i]);
}

/* ---- for people ---- */

/* Calls fn for all problems, series by series; the problems of a series come in the order of their sizes. */
typedef void each_fn(const scale *x, int problem, far_table *t);
static void each_problem(const scale *x, each_fn *fn, far_table *t) {
  for (int series = 0; series < N_SERIES; ++series)
    for (int i = 0; i < N_PROBLEMS; ++i)
      if ((int)x->problems[i].series == series) fn(x, i, t);
}

static void add_problem(far_table *t, const scale_problem *p) {
  far__table_row(t);
  far__table_text(t, "%s", scale_series_name(p->series));
  far__table_count(t, (int64_t)pairs_of(p));
  far__table_count(t, p->actions);
}

static void problem_columns(far_table *t) {
  far__table_column(t, "series", "series", FAR__COLUMN_TEXT);
  far__table_column(t, "pairs", "pairs", FAR__COLUMN_COUNT);
  far__table_column(t, "actions", "actions", FAR__COLUMN_COUNT);
}

static void add_ns(far_table *t, const scale_row *r) {
  if (r == NULL || r->why[0] != '\0')
    far__table_none(t);
  else
    far__table_real_as(t, r->ns, r->ns < 1e5 ? "%.1f" : "%.3g", r->ns);
}

static void add_steps(const scale *x, int problem, far_table *t) {
  if (find_row(x, problem, 0, 1) == NULL) return;
  add_problem(t, &x->problems[problem]);
  for (int i = 0; i < N_SCALE_AGENTS; ++i) add_ns(t, find_row(x, problem, i, 1));
}

static void add_side_by_side(const scale *x, int problem, far_table *t) {
  if (find_row(x, problem, 0, SIDE_BY_SIDE) == NULL) return;
  add_problem(t, &x->problems[problem]);
  for (int i = 0; i < N_SCALE_AGENTS; ++i)
    if (!scale_agents[i].plans) add_ns(t, find_row(x, problem, i, SIDE_BY_SIDE));
}

static void add_bytes(const scale *x, int problem, far_table *t) {
  const scale_row *m = find_row(x, problem, MODEL, 0);
  const double pairs = pairs_of(&x->problems[problem]);
  if (m == NULL || m->why[0] != '\0') return;
  add_problem(t, &x->problems[problem]);
  far__table_real_as(t, m->seconds, "%.3g", m->seconds);
  far__table_real_as(t, m->bytes / pairs, "%.1f", m->bytes / pairs);
  far__table_real_as(t, m->peak, "%.1f", m->peak / 1e6);
  for (int i = 0; i < N_SCALE_AGENTS; ++i) {
    const scale_row *r = find_row(x, problem, i, 1);
    if (r == NULL || r->bytes == 0)
      far__table_none(t);
    else
      far__table_real_as(t, r->bytes / pairs, "%.1f", r->bytes / pairs);
  }
}

static void add_left_out(const scale *x, int problem, far_table *t) {
  for (const scale_row *r = x->rows; r < x->rows + x->count; ++r) {
    if (r->problem != problem || r->why[0] == '\0') continue;
    add_problem(t, &x->problems[problem]);
    if (r->agent == MODEL)
      far__table_text(t, "all");
    else
      far__table_text(t, "%s, %d run%s", scale_agents[r->agent].name, r->runs,
                      r->runs > 1 ? "s" : "");
    far__table_text(t, "%s", r->why);
  }
}

static void agent_columns(far_table *t, bool planners) {
  for (int i = 0; i < N_SCALE_AGENTS; ++i)
    if (planners || !scale_agents[i].plans)
      far__table_column(t, scale_agents[i].name, scale_agents[i].name, FAR__COLUMN_REAL);
}

static far_table *begin_table(far_report *report, const char *name) {
  far_table *t = far__report_table(report, name);
  problem_columns(t);
  return t;
}

static void add_tables(const void *of, far_report *report) {
  const scale *x = of;
  far__report_heading(report, 2, "Nanoseconds a step, one run");
  far_table *t = begin_table(report, "steps");
  agent_columns(t, true);
  each_problem(x, add_steps, t);
  far__report_heading(report, 2, "Nanoseconds a step, %d runs in a block", SIDE_BY_SIDE);
  t = begin_table(report, "side-by-side");
  agent_columns(t, false);
  each_problem(x, add_side_by_side, t);
  far__report_heading(report, 2, "Bytes a pair");
  t = begin_table(report, "memory");
  far__table_column(t, "seconds", "building, s", FAR__COLUMN_REAL);
  far__table_column(t, "model", "model", FAR__COLUMN_REAL);
  far__table_column(t, "peak", "building, peak MB", FAR__COLUMN_REAL);
  agent_columns(t, true);
  each_problem(x, add_bytes, t);
  far__report_heading(report, 2, "Left out");
  t = begin_table(report, "left-out");
  far__table_column(t, "what", "what", FAR__COLUMN_TEXT);
  far__table_column(t, "why", "why", FAR__COLUMN_TEXT);
  each_problem(x, add_left_out, t);
}

/* ---- the command ---- */

static int draw(const arguments *args, const scale *x) {
  far_figure *figure;
  far_error error;
  const far_status status = scale_figure(&figure, x, &error);
  return save_plot(args, status, figure, &error);
}

int bench_scale(const arguments *args, int64_t repeats) {
  scale *x = room_for(1, sizeof *x);
  int code = plot_option(args) && read_limits(args, &x->limits) ? EXIT_OK : EXIT_USAGE;
  x->slice = fmin(0.05, x->limits.seconds / 6000) * fmin(1, (double)repeats / 15);
  if (code == EXIT_OK) {
    scale_list(x);
    scale_measure(x);
    code = print_measured(args, &(measured){add_tables, write_json, x}, 1);
  }
  if (code == EXIT_OK && args_last(args, "plot") != NULL) code = draw(args, x);
  free(x);
  return code;
}
