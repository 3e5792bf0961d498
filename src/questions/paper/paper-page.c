#include "questions/page/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "farsight/comparison.h"
#include "questions/growth/scaling.h"
#include "questions/paper/paper-story.h"
#include "questions/paper/paper-tables.h"
#include "report/build.h"
#include "statistics/growth.h"

/* ---- the verdict ---- */

/* The clamped reading is below the printed one, by both intervals. */
static bool collapses(const far__paper_story *s) {
  const far__paper_reading *printed = &s->readings[0], *clamped = &s->readings[2];
  bool all = true;
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t)
    all = all && clamped->mean[t] + clamped->ci95[t] < printed->mean[t] - printed->ci95[t];
  return all;
}

static void add_verdict(far_report *r, const far__paper_story *s) {
  far__report_verdict(
      r, NULL,
      "Of the paper's %zu numbers, %zu are met within its own intervals and %zu more "
      "within 5%%, with parameters that had to be searched for: the paper gives none.",
      s->cells, s->in_interval, s->within);
  far__report_verdict(r, NULL, "%s; their means are %.0f from the paper's (root mean square).",
                      s->order_kept[0] && s->order_kept[1]
                          ? "The five Directed rows have the paper's order in both tables"
                      : s->order_kept[0] || s->order_kept[1]
                          ? "The five Directed rows have the paper's order in one of the two tables"
                          : "The five Directed rows do not have the paper's order",
                      far__paper_tables_distance(s->tables));
  far__report_verdict(
      r, "but",
      "with equal tuning the difference is gone: the four tuned rows, with and without "
      "exploration values, lie within %.1f%% of each other at N = 10 and %.1f%% at N = 50.",
      100 * s->tuned_spread[0], 100 * s->tuned_spread[1]);
  far__report_verdict(
      r, "the missing baseline",
      "interval estimation alone, which the paper's Delayed QL lacks, closes %.0f%% and "
      "%.0f%% of the reported gap.",
      100 * s->gap_closed[0], 100 * s->gap_closed[1]);
  if (collapses(s))
    far__report_verdict(
        r, "print against proof",
        "the setting of the tables needs values that the proof excludes: with the clamp, "
        "its reward falls from %.0f to %.0f at N = 10 and from %.0f to %.0f at N = 50.",
        s->readings[0].mean[0], s->readings[2].mean[0], s->readings[0].mean[1],
        s->readings[2].mean[1]);
  const far__paper_fit fit = far__paper_tables_fit(s->tables);
  if (fit.alternative < fit.directed)
    far__report_verdict(r, "means and spreads",
                        "with the standard deviations that the paper's intervals imply, this "
                        "setting is at a distance "
                        "of %.1f, and a program that learns exploration values at every visit, "
                        "which is not printed, at "
                        "%.1f. No program that we tried meets all of them.",
                        fit.directed, fit.alternative);
}

/* ---- figures; one that cannot be drawn is left out, and memory is the report's ---- */

enum { MOST_ROWS = 32 };

/* The rows of the paper itself: their specs, and what they are called. */
typedef struct paper_rows {
  const char *specs[MOST_ROWS], *names[MOST_ROWS];
  char texts[MOST_ROWS][64];
  size_t n;
} paper_rows;

static void add_curves(far_report *r, const far__paper_story *s, size_t table) {
  static const far_plot_scale scales[] = {FAR_PLOT_SCALE_LINEAR, FAR_PLOT_SCALE_LOG};
  static const char *const names[] = {"linear time", "logarithmic time"};
  const char *env = far__paper_env(table);
  paper_rows rows;
  size_t n_cells;
  const far_batch *batch = far__paper_tables_batch(s->tables, &n_cells);
  const far__paper_row *row;
  rows.n = 0;
  for (size_t i = 0; i < MOST_ROWS && (row = far__paper_row_at(i)) != NULL; ++i) {
    if (row->mean[0] != row->mean[0]) continue;
    if (row->gamma_e == row->gamma_e)
      snprintf(rows.texts[i], sizeof rows.texts[i], "Directed, γ_E = %g", row->gamma_e);
    else
      snprintf(rows.texts[i], sizeof rows.texts[i], "%.60s", row->method);
    rows.names[rows.n] = rows.texts[i];
    rows.specs[rows.n++] = far_batch_result(batch, i)->agent;
  }
  far__report_figure(r, "curves", "Reward so far on %s; bands are 95%% intervals of the mean.",
                     env);
  for (size_t i = 0; i < 2; ++i) {
    far_plot_def def = far_plot_def_default();
    far_figure *figure;
    def.results.envs = &env;
    def.results.n_envs = 1;
    def.results.agents = rows.specs;
    def.results.n_agents = rows.n;
    def.results.env_names = &env;
    def.results.agent_names = rows.names;
    def.x_scale = scales[i];
    const far_status status = far_plot_create(&figure, "curves", s->curves, &def, NULL);
    if (status == FAR_OK) far__report_view(r, figure, names[i]);
  }
}

/* ---- print against proof ---- */

static void tell_readings(far_report *r, const far__paper_story *s) {
  far__report_heading(r, 2, "Print against proof");
  far__report_paragraph(
      r,
      "Algorithm 1 as printed and what its proof needs differ in two lines. The proof needs values "
      "that "
      "never rise (clamp=on), and the LEARN rule of 2009: as printed, every failed window switches "
      "its pair off, and there are problems on which the agent then never learns.");
  far_table *t = far__report_table(r, "readings");
  far__table_caption(t, "Directed Delayed QL with the parameters of the tables, γ_E = 0.99");
  far__table_column(t, "reading", "Algorithm 1", FAR__COLUMN_TEXT);
  far__table_column(t, "n10", "N = 10", FAR__COLUMN_INTERVAL);
  far__table_column(t, "n50", "N = 50", FAR__COLUMN_INTERVAL);
  far__table_column(t, "agent", NULL, FAR__COLUMN_SPEC);
  for (size_t i = 0; i < FAR__PAPER_READINGS; ++i) {
    const far__paper_reading *reading = &s->readings[i];
    far__table_row(t);
    far__table_text(t, "%s", reading->name);
    for (size_t k = 0; k < FAR__PAPER_TABLES; ++k)
      far__table_interval(t, reading->mean[k], reading->ci95[k]);
    far__table_spec(t, reading->spec, reading->spec);
  }
  if (collapses(s))
    far__report_paragraph(
        r,
        "So the rows of the tables depend on values that rise above what is possible: a budget of "
        "updates, not a measure of how far exploration reaches. How this works is in "
        "docs/reproduction.md.");
  far__report_command(r, "farsight run -e chain:n=10 -e chain:n=50 -a '%s' -a '%s'",
                      s->readings[0].spec, s->readings[2].spec);
}

/* ---- growth ---- */

static const char *law_words(far__law law) {
  return law == FAR__LAW_POLYNOMIAL    ? "a polynomial fits better"
         : law == FAR__LAW_EXPONENTIAL ? "an exponential fits better"
                                       : "undecided between a polynomial and an exponential";
}

static void tell_growth(far_report *r, const far__paper_story *s) {
  const far__scaling_def *def = far__scaling_def_of(s->growth);
  far_plot_def plot = far_plot_def_default();
  far_figure *figure;
  far__report_heading(r, 2, "Growth with N");
  far__report_paragraph(
      r,
      "The paper writes that the gap between the methods grows exponentially with the "
      "length N of the chain, from two lengths. Here are the steps to learn at "
      "%zu lengths, with the practical defaults.",
      def->n_sizes);
  far__report_figure(r, "growth", "Steps to learn on chains (medians of %lld runs), and the laws.",
                     (long long)def->runs);
  const far_status status = far__scaling_figure(&figure, s->growth, &plot, NULL);
  if (status == FAR_OK) far__report_view(r, figure, NULL);
  for (size_t j = 0; j < def->n_agents; ++j) {
    const far__scaling_fit fit = far__scaling_fit_of(s->growth, j, false);
    if (fit.fitted) far__report_entry(r, def->agents[j], "%s.", law_words(fit.better));
  }
  for (size_t j = 1; j < def->n_agents; ++j) {
    const far__scaling_fit gap = far__scaling_fit_of(s->growth, j, true);
    if (!gap.fitted) continue;
    far__report_entry(r, def->agents[j], "its gap to %s: %s.", def->agents[0],
                      gap.flat ? "no growth is seen" : law_words(gap.better));
  }
  far__report_command(
      r, "farsight growth -e chain -a %s -a %s -a %s --sizes 3,5,8,12,20,30 --runs %lld",
      def->agents[0], def->agents[1], def->agents[2], (long long)def->runs);
}

/* ---- the page ---- */

static void tell_tables(far_report *r, const far__paper_story *s) {
  far_plot_def def = far_plot_def_default();
  far_figure *figure;
  far__report_heading(r, 2, "The tables");
  far__report_figure(r, "paper", "The paper's means and ours, with 95%% intervals.");
  const far_status status = far__paper_tables_figure(&figure, s->tables, &def, NULL);
  if (status == FAR_OK) far__report_view(r, figure, NULL);
  far__paper_tables_sections(s->tables, r);
  far__report_command(r, "farsight reproduce");
}

/* ---- what is not printed ---- */

/* The first alternative that is compared with a row of the paper and has no gamma_E; or -1. */
static int plain_alternative(size_t row) {
  const far__paper_alternative *a;
  for (int i = 0; (a = far__paper_alternative_at((size_t)i)) != NULL; ++i)
    if (a->row == row && a->gamma_e != a->gamma_e) return i;
  return -1;
}

static void tell_alternative(far_report *r, const far__paper_story *s, size_t row,
                             const char *text) {
  const int i = plain_alternative(row);
  if (i < 0) return;
  const far__paper_alternative *a = far__paper_alternative_at((size_t)i);
  const far_result *x = far__paper_tables_alternative(s->tables, 0, (size_t)i);
  const far_result *y = far__paper_tables_alternative(s->tables, 1, (size_t)i);
  far__report_paragraph(r,
                        "%s It has a mean of %.0f at N = 10 and of %.4g at N = 50, with standard "
                        "deviations of %.0f and %.3g; the paper %.0f and %.4g, with %.0f and %.3g.",
                        text, x->mean, y->mean, x->std, y->std, far__paper_row_at(row)->mean[0],
                        far__paper_row_at(row)->mean[1], far__paper_std(far__paper_row_at(row), 0),
                        far__paper_std(far__paper_row_at(row), 1));
  far__report_command(r, "farsight run -e '%s' -e '%s' -a %s --runs %lld", a->env[0], a->env[1],
                      a->agent, (long long)x->runs);
}

static void tell_alternatives(far_report *r, const far__paper_story *s) {
  far__report_heading(r, 2, "What is not printed, but comes near");
  far__report_paragraph(r, "The paper's intervals imply how much its runs vary, read as 1.96 "
                           "standard errors of 300 runs. "
                           "That tells programs apart whose means agree. These were chosen after "
                           "looking at the tables.");
  tell_alternative(
      r, s, 4,
      "At the two smallest γ_E the paper's rows are constant, and its runs all similar. "
      "Greedy Q-learning that overwrites Q with every sample, from Q = Vmax, without delay, "
      "bonus or any fitted parameter, is like that: it explores for ever.");
  tell_alternative(
      r, s, 6,
      "The ε-greedy row has the paper's spread if the left reward is paid for staying at "
      "the left end, and not on arrival.");
  far__report_paragraph(
      r,
      "The program nearest to means and spreads together learns E at every visit, with a small "
      "step, "
      "as DORA does, has the bonus λ√E and attempts one update a window (directed-delayed-q with "
      "e_rule=visit, bonus=sqrt, delay=full and a threshold).");
}

static void tell_curves(far_report *r, const far__paper_story *s) {
  far__report_heading(r, 2, "The curves behind the cells");
  far__report_paragraph(
      r, "A cell of the tables is one end of a curve. A slope of 0.75 a step is the best "
         "policy's; where a curve begins to rise, the far end of the chain was found.");
  for (size_t t = 0; t < FAR__PAPER_TABLES; ++t) add_curves(r, s, t);
}

static void tell_sweep(far_report *r, const far__paper_story *s) {
  far__report_heading(r, 2, "What γ_E does");
  far__report_paragraph(
      r,
      "The paper reads the growth with γ_E as a sign that exploration must look far ahead. From "
      "γ_E = 0.1 to "
      "0.99, the setting of the tables earns %.0f and %.0f at N = 10, %.0f and %.0f at N = 50. The "
      "clamped "
      "setting that was tuned, with a tenth of its λ, earns %.0f and %.0f, and %.0f and %.0f.",
      s->sweep_low[0][0], s->sweep_high[0][0], s->sweep_low[0][1], s->sweep_high[0][1],
      s->sweep_low[1][0], s->sweep_high[1][0], s->sweep_low[1][1], s->sweep_high[1][1]);
  far_plot_def def = far_plot_def_default();
  far_figure *figure;
  def.results.bootstrap.resamples = 200; /* means and Student's intervals are shown */
  def.parameter = "gamma_e";
  far__report_figure(r, "gamma-e",
                     "Reward in 10,000 steps against γ_E: the setting of the tables, and the "
                     "clamped one that was tuned.");
  const far_status status = far_plot_create(&figure, "sensitivity", s->sweep, &def, NULL);
  if (status == FAR_OK) far__report_view(r, figure, NULL);
  far__report_command(
      r, "farsight run examples/studies/gamma-e.yaml --store gamma-e.db && farsight plot "
         "sensitivity gamma-e.db -o gamma-e.svg");
}

static void tell_caveats(far_report *r) {
  far__report_heading(r, 2, "What this does not show");
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "The authors' program and parameters are not known. Five or six parameters fitted to ten "
      "numbers describe the tables; they need not be the authors'.");
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "No program that we tried has the spread of γ_E = 0.75 at N = 50 that the paper's "
      "interval implies (%.0f) together with the constant rows, nor that of Delayed QL at "
      "N = 10 (%.0f).",
      far__paper_std(far__paper_row_at(2), 1), far__paper_std(far__paper_row_at(5), 0));
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "Other settings, with another initial exploration value, come nearer, by another "
      "mechanism: the tables cannot tell these apart (docs/reproduction.md).");
  far__report_note(
      r, FAR__NOTE_CAVEAT,
      "Chains are one kind of problem. docs/growth.md has two more, and docs/comparison.md all "
      "agents on the standard problems.");
}

static void tell_methods(far_report *r, const far__paper_story *s) {
  size_t n_cells;
  const far_result *first = far_batch_result(far__paper_tables_batch(s->tables, &n_cells), 0);
  far__report_methods(
      r,
      "Means of the undiscounted reward in 10,000 steps over %lld runs (tables) with "
      "Student's 95%% intervals; all agents see the same random numbers. Steps to learn: the "
      "last step after which the total is below half of the best policy's; laws by least "
      "squares on logarithms, compared by Akaike's corrected criterion.",
      (long long)first->runs);
}

far_status far__paper_page(far_report *r, const far__paper_story *s, far_error *error) {
  far__report_heading(r, 1,
                      "Directed exploration on the chain: Oh & Iyengar's tables, computed again");
  add_verdict(r, s);
  tell_tables(r, s);
  tell_alternatives(r, s);
  tell_curves(r, s);
  tell_sweep(r, s);
  tell_readings(r, s);
  tell_growth(r, s);
  tell_caveats(r);
  tell_methods(r, s);
  return far__report_status(r, error);
}
