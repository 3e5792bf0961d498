/* Documents for the tests of reports as HTML: page_fixture NAME > FILE.html.
 *     whole     one of everything
 *     hostile   names that try to break a page
 *     large     a table of 500 rows, 200 sections
 *     alone     the least there can be */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "farsight/lab.h"
#include "report/build.h"
#include "report/figure/axes.h"

static far_error error;

/* ---- figures ---- */

enum { POINTS = 41 };

/* Returns where it ends. */
static double draw_series(far_figure *f, const far__panel *panel, size_t series, const char *label,
                          double rate) {
  double x[POINTS], y[POINTS], low[POINTS], high[POINTS], px[POINTS], py[POINTS];
  for (size_t i = 0; i < POINTS; ++i) {
    x[i] = 50.0 * (double)i;
    y[i] = 1000 * (1 - exp(-rate * x[i]));
    low[i] = 0.9 * y[i];
    high[i] = 1.08 * y[i];
    px[i] = far__panel_x(panel, x[i]);
    py[i] = far__panel_y(panel, y[i]);
  }
  far__figure_series(f, series, label);
  far__figure_values(f, x, y, low, high, POINTS);
  far__figure_polyline(f, px, py, POINTS, (far__paint){.stroke = far__ink_of(series), .width = 2});
  far__figure_tip(f, "%s: %.0f at the end", label, y[POINTS - 1]);
  far__figure_marker(f, series, px[POINTS - 1], py[POINTS - 1], 4,
                     (far__paint){.fill = far__ink_of(series)});
  far__figure_end(f);
  return py[POINTS - 1];
}

/* Curves of some series; each `shift` gives another drawing. */
static far_figure *draw(const char *const *labels, size_t n, double shift) {
  far_figure *f;
  if (far__figure_create(&f, "curves", 720, &error) != FAR_OK) return NULL;
  far__figure_name(f, "Total reward", "Reward over steps of %zu agents; the first earns most.", n);
  const double top = far__heading(f, "Total reward", "mean over 30 runs");
  far__panel panel = {.x = 60, .y = top + 40, .width = 520, .height = 200};
  panel.h = far__axis_create(0, 2000, false, panel.width, 90);
  panel.v = far__axis_create(0, 1000, false, panel.height, 40);
  far__panel_draw(f, &panel, &(far__panel_look){.x_title = "steps", .y_title = "reward"});
  far__end_label ends[3];
  for (size_t i = 0; i < n; ++i) {
    const double rate = 0.004 / (1 + 1.5 * (double)i) + shift;
    ends[i] = (far__end_label){draw_series(f, &panel, i, labels[i], rate), labels[i], i, false};
  }
  far__end_labels(f, panel.x + panel.width + 14, 110, panel.y, panel.y + panel.height, ends, n);
  far__figure_height(f, top + 290);
  return far__figure_finish(&f, &error) == FAR_OK ? f : NULL;
}

/* ---- documents ---- */

static const char *const AGENTS[] = {"r-max", "delayed-q", "mbie-eb"};

static void add_cells(far_report *r, const char *env, const char *const *agents, double scale) {
  far_table *t = far__report_table(r, "cells");
  far__table_caption(t, "Total reward in %s, mean of 30 runs with its 95%% interval.", env);
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "mean", "mean ± 95%", FAR__COLUMN_INTERVAL);
  far__table_column(t, "std", "std", FAR__COLUMN_REAL);
  far__table_column(t, "range", "range", FAR__COLUMN_RANGE);
  far__table_column(t, "bars", "", FAR__COLUMN_BARS);
  for (int i = 0; i < 3; ++i) {
    char spec[400];
    snprintf(spec, sizeof spec, "%.300s:gamma=0.95,m=%d", agents[i], 5 * i + 5);
    far__table_row(t);
    far__table_spec(t, agents[i], spec);
    far__table_count(t, 30);
    far__table_interval(t, scale * (i == 1 ? -3.25 : 12.5 - i), scale * (0.5 + 0.6 * i));
    far__table_real(t, scale / (i + 1));
    far__table_range_as(t, scale * i, scale * 20, "%.0f to %.0f", scale * i, scale * 20);
    far__table_text(t, "▁▂▅▇");
  }
}

static void add_summary(far_report *r) {
  far_table *t = far__report_table(r, "all");
  far__table_caption(t, "All environments.");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "score", "score", FAR__COLUMN_REAL);
  far__table_column(t, "again", "compute again", FAR__COLUMN_COMMAND);
  static const char *const envs[] = {"riverswim", "chain"};
  for (int e = 0; e < 2; ++e) {
    far__report_environment(r, envs[e]);
    for (int i = 0; i < 3; ++i) {
      if (i == 0 && e > 0) far__table_rule(t);
      far__table_row(t);
      if (i == 0)
        far__table_text(t, "%s", envs[e]);
      else
        far__table_blank(t);
      far__table_text(t, "%s", AGENTS[i]);
      if (i == 1)
        far__table_none(t);
      else
        far__table_real(t, 0.125 * (i + 1) + e);
      far__table_text(t, "farsight run -e %s -a %s --runs 30", envs[e], AGENTS[i]);
    }
  }
  far__report_environment(r, NULL);
}

static void add_environment(far_report *r, const char *env, double scale) {
  far__report_environment(r, env);
  far__report_heading(r, 3, "%s", env);
  add_cells(r, env, AGENTS, scale);
  far__report_note(r, FAR__NOTE_REMARK, "The range is that of all runs in %s.", env);
  far__report_environment(r, NULL);
}

static void add_figures(far_report *r) {
  far__report_heading(r, 2, "Learning curves");
  far__report_paragraph(
      r, "The curves below are the means over all runs. They have bands of 95%%, "
         "which are pointwise, so that a curve as a whole leaves its band more often.");
  far__report_figure(r, "curves",
                     "Total reward of three agents over time. All see the same random "
                     "numbers.");
  far__report_view(r, draw(AGENTS, 3, 0), "linear");
  far__report_view(r, draw(AGENTS, 3, 0.01), "logarithmic");
  far__report_figure(r, "times", "The same at seven times.");
  for (int i = 0; i < 7; ++i) {
    char label[32];
    snprintf(label, sizeof label, "t = %d", 100 * i);
    far__report_view(r, draw(AGENTS, 2, 0.001 * i), label);
  }
  far__report_figure(r, "one", "A figure with one view.");
  far__report_view(r, draw(AGENTS, 1, 0), NULL);
  far__report_drawing(r, "layout", "┌───┬───┐\n│ S │ ↓ │\n├───┼───┤\n│ → │ G │\n└───┴───┘\n",
                      "The best action of each state.");
  far__report_figure(r, "absent", "A picture that text alone describes.");
}

static void add_methods(far_report *r) {
  far__report_heading(r, 2, "Methods");
  far__report_methods(
      r, "Each agent ran 30 times for 2000 steps. Intervals are 95%% bootstrap intervals.");
  far__report_methods(r, "All agents see the same random numbers.");
  far__report_heading(r, 2, "Parameters and commands");
  far__report_list(r, "Every parameter:");
  far__report_item(r, "r-max:gamma=0.95,m=20,plan=full,tol=0.001,ties=random");
  far__report_item(r, "  delayed-q:gamma=0.95,eps1=0.2,m=5");
  far__report_entry(r, "seed", "1");
  far__report_entry(r, "store", "results.db\n6 cells, 180 runs");
  far__report_command(
      r, "farsight run -e riverswim -e chain -a r-max -a delayed-q \\\n  --runs 30 --steps 2000");
}

static void make_whole(far_report *r) {
  far__report_heading(r, 1, "Three agents on two problems");
  far__report_verdict(r, NULL,
                      "r-max earns most in both environments; the lead over mbie-eb is clear.");
  far__report_verdict(r, "Compared", "3 agents on 2 environments, 30 paired runs each.");
  far__report_verdict(r, "How sure", "P(r-max > mbie-eb) = 0.93 [0.87, 0.97]; Holm's p = 0.002.");
  far__report_verdict(r, "Caveats", "Parameters were not tuned.\nOne seed.");
  far__report_paragraph(
      r, "This page was made from results.db. Everything on it can be computed again.");
  far__report_heading(r, 2, "Results");
  add_summary(r);
  add_environment(r, "riverswim", 10);
  add_environment(r, "chain", 1);
  far__report_note(r, FAR__NOTE_CAVEAT, "One seed says nothing about others.");
  add_figures(r);
  add_methods(r);
}

/* Markup, quotes, control characters, what is no UTF-8, directions, long words, emoji. */
static const char *const HOSTILE[] = {
    "<script>window.hacked=1</script>",
    "\"><img src=x onerror=window.hacked=1>'",
    "&lt;b&gt; & \x01\x1b[31m \xff\xc0",
    "\xe2\x80\xae gnp.exe",
    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d 123",
    "👩‍🔬🧪 naïve ∑",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaa",
    "</style><style>*{display:none}</style>",
    "-->]]></title></svg>",
};

static void make_hostile(far_report *r) {
  const size_t n = sizeof HOSTILE / sizeof *HOSTILE;
  far__report_heading(r, 1, "%s", HOSTILE[0]);
  for (size_t i = 0; i < n; ++i) {
    const char *s = HOSTILE[i];
    far__report_environment(r, s);
    far__report_heading(r, 2, "%s", s);
    far__report_verdict(r, s, "%s", s);
    far__report_paragraph(r, "%s", s);
    far__report_list(r, "%s", s);
    far__report_item(r, "%s", s);
    far__report_entry(r, s, "%s", s);
    far__report_note(r, FAR__NOTE_CAVEAT, "%s", s);
    far__report_methods(r, "%s", s);
    far__report_command(r, "%s", s);
    far__report_drawing(r, s, s, "%s", s);
    add_cells(r, s, &HOSTILE[i < n - 3 ? i : n - 3], 1);
    far__report_figure(r, s, "%s", s);
    far__report_view(r, draw(&HOSTILE[i < n - 3 ? i : n - 3], 2, 0), s);
    far__report_view(r, draw(&HOSTILE[i < n - 3 ? i : n - 3], 2, 0), s);
  }
}

static void make_large(far_report *r) {
  far__report_heading(r, 1, "Many");
  far_table *t = far__report_table(r, "many");
  far__table_column(t, "agent", "agent", FAR__COLUMN_SPEC);
  for (int c = 0; c < 8; ++c) far__table_column(t, "x", "a column", FAR__COLUMN_INTERVAL);
  for (int i = 0; i < 500; ++i) {
    char name[40];
    snprintf(name, sizeof name, "agent %d", i);
    far__table_row(t);
    far__table_spec(t, name, "agent:with=many,parameters=that,are=long");
    for (int c = 0; c < 8; ++c) far__table_interval(t, i * c, c);
  }
  for (int i = 0; i < 200; ++i) {
    far__report_heading(r, 2 + i % 2, "Section %d", i / 3);
    far__report_paragraph(r, "Text.");
  }
}

static void make_alone(far_report *r) {
  far__report_paragraph(r, "Nothing else.");
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*make)(far_report *r);
  } documents[] = {{"whole", make_whole},
                   {"hostile", make_hostile},
                   {"large", make_large},
                   {"alone", make_alone}};
  far_report *report;
  far_render_def def = far_render_def_default();
  def.format = FAR_REPORT_HTML;
  for (size_t i = 0; argc == 2 && i < sizeof documents / sizeof *documents; ++i) {
    if (strcmp(argv[1], documents[i].name) != 0) continue;
    if (far_report_create(&report, "report", &error) != FAR_OK) return 1;
    documents[i].make(report);
    const far_status status = far_report_render(report, &def, far_sink_file(stdout), &error);
    far_report_free(report);
    return status != FAR_OK;
  }
  fprintf(stderr, "usage: page_fixture whole|hostile|large|alone\n");
  return 2;
}
