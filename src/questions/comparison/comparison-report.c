/* The tables of a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "farsight/run.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"
#include "report/build.h"

/* ---- names ---- */

far__shown_text far__shown_env(const far_comparison_group *g, size_t e) {
  far__shown_text out;
  snprintf(out.text, sizeof out.text, "%s", g->envs[e].brief);
  return out;
}

far__shown_text far__shown_agent(const far_comparison_group *g, size_t j) {
  static const char *const marks[] = {"", " †", " ‡"};
  far__shown_text out;
  snprintf(out.text, sizeof out.text, "%s%s", g->agents[j].brief, marks[g->agents[j].origin]);
  return out;
}

/* ---- numbers ---- */

/* Never "-0.00". */
static far__brief format_fixed(double x, int digits) {
  far__brief out;
  snprintf(out.text, sizeof out.text, "%.*f", digits, x);
  const char *from = out.text + (out.text[0] == '-');
  if (from[strspn(from, "0.")] == '\0') memmove(out.text, from, strlen(from) + 1);
  return out;
}

/* With as many digits as the interval's half-width deserves. */
static far__brief format_like(double x, double half) {
  const bool fixed = x - x == 0 && half > 1e-9 * fabs(x) && half >= 1e-5 && fabs(x) < 1e15;
  return fixed ? format_fixed(x, far__interval_digits(half)) : far__brief_real(x);
}

/* "0.931 [0.921, 0.940]" */
static far__brief format_estimate(const far_estimate *e, int digits) {
  far__brief out = format_fixed(e->value, digits);
  if (e->low == e->low)
    snprintf(out.text, sizeof out.text, "%.18s [%.18s, %.18s]", format_fixed(e->value, digits).text,
             format_fixed(e->low, digits).text, format_fixed(e->high, digits).text);
  return out;
}

/* ---- cells of tables ---- */

static void add_range(far_table *t, double low, double high) {
  const double half = (high - low) / 2;
  if (low == low && high == high)
    far__table_range_as(t, low, high, "[%.28s, %.28s]", format_like(low, half).text,
                        format_like(high, half).text);
  else
    far__table_none(t);
}

/* "134 … 178", with a digit less: the runs spread more than their mean is uncertain. */
static void add_span(far_table *t, double low, double high, double half) {
  far__table_range_as(t, low, high, "%.28s … %.28s", format_like(low, 10 * half).text,
                      format_like(high, 10 * half).text);
}

/* "7273 ± 14", of an interval about the value. */
static void add_interval(far_table *t, double value, double low, double high) {
  far__table_interval_of(t, value, low, high);
}

static void add_estimate(far_table *t, const far_estimate *e, int digits) {
  if (e->value == e->value)
    far__table_interval_as(t, e->value, e->low, e->high, "%s", format_estimate(e, digits).text);
  else
    far__table_none(t);
}

static void add_percent(far_table *t, double share) {
  far__table_known_as(t, share, "%.0f%%", 100 * share);
}

/* ---- what names a row ---- */

/* A table of rows that are of an agent; on an environment, unless `envs` is false. */
static far_table *begin_table(far_report *r, const char *name, const char *title, bool envs) {
  far_table *t = far__report_table(r, name);
  if (envs) far__table_column(t, "env", NULL, FAR__COLUMN_SPEC);
  far__length_columns(t);
  far__table_column(t, "seed", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", title, FAR__COLUMN_SPEC);
  far__table_column(t, "origin", NULL, FAR__COLUMN_TEXT);
  return t;
}

/* The agent's spec depends on the environment, here its first one. */
const char *far__agent_spec(const far_comparison_group *g, size_t j) {
  for (size_t e = 0; e < g->n_envs; ++e)
    if (far__cell_of(g, e, j)->runs > 0) return far__cell_of(g, e, j)->spec;
  return g->agents[j].label;
}

const char *far__origin_name(far_origin origin) {
  static const char *const names[] = {"here", "elsewhere", "elsewhere, steps not told"};
  return names[origin];
}

static void begin_row(far_table *t, const far_comparison_group *g, size_t j, const char *spec) {
  const far_comparison_agent *agent = &g->agents[j];
  far__length_entries(t, g->steps, g->episodes);
  if (g->numerics != 0)
    far__table_text(t, "%llu", (unsigned long long)g->seed);
  else
    far__table_none(t);
  far__table_spec_as(t, agent->label, spec, "%s", far__shown_agent(g, j).text);
  far__table_text(t, "%s", far__origin_name(agent->origin));
}

static void begin_cell(far_table *t, const far_comparison_group *g, size_t e, size_t j) {
  far__table_row(t);
  far__table_spec(t, g->envs[e].label, g->envs[e].spec);
  begin_row(t, g, j, far__cell_of(g, e, j)->spec);
}

static void begin_agent(far_table *t, const far_comparison_group *g, size_t j) {
  far__table_row(t);
  begin_row(t, g, j, far__agent_spec(g, j));
}

/* Which agent row k is of; n_rows is past the last. */
static size_t row_agent(const far__comparison_rows *rows, size_t k) {
  return rows->agents != NULL ? rows->agents[k] : k;
}

static size_t count_rows(const far__comparison_rows *rows, const far_comparison_group *g) {
  return rows->agents != NULL ? rows->n_agents : g->n_agents;
}

/* ---- one environment ---- */

typedef struct title {
  char text[FAR__SHOWN_SIZE + 32];
} title;

static title titled(const char *before, const char *name) {
  title out;
  snprintf(out.text, sizeof out.text, "%s %s", before, name);
  return out;
}

static title with_level(const char *text, const far_comparison *comparison) {
  title out;
  snprintf(out.text, sizeof out.text, "%s %g%%", text, 100 * comparison->bootstrap.level);
  return out;
}

/* Of times the mean is restricted, and medians and quartiles may be bounds; the others would hide the end. */
static far_table *begin_cells(far_report *r, const far_comparison *comparison,
                              const far_comparison_group *g) {
  far_table *t = begin_table(r, "cells", "agent", true);
  const bool plain = !g->timed;
  far__table_column(t, "runs", plain ? "runs" : NULL, FAR__COLUMN_COUNT);
  far__times_columns(t, plain ? NULL : comparison->event);
  far__table_column(t, "mean", with_level(plain ? "mean ±" : "restricted mean ±", comparison).text,
                    FAR__COLUMN_INTERVAL);
  far__table_column(t, "std", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "bca", "BCa", FAR__COLUMN_RANGE);
  far__table_column(t, "median", plain ? "median" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "iqm", plain ? "IQM" : NULL, FAR__COLUMN_REAL);
  far__table_column(t, "quartiles", plain ? "quartiles" : NULL, FAR__COLUMN_RANGE);
  far__table_column(t, "extremes", plain ? "min, max" : NULL, FAR__COLUMN_RANGE);
  return t;
}

static void report_cells(far_report *r, const far_comparison *comparison,
                         const far_comparison_group *g, size_t e,
                         const far__comparison_rows *rows) {
  far_table *t = begin_cells(r, comparison, g);
  for (size_t k = 0; k < count_rows(rows, g); ++k) {
    const size_t j = row_agent(rows, k);
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    const far_summary *s = &cell->summary;
    const double half = (s->high - s->low) / 2;
    if (cell->runs == 0) continue;
    begin_cell(t, g, e, j);
    far__table_count(t, cell->runs);
    far__times_entries(t, &cell->times, cell->limit);
    add_interval(t, s->mean, s->low, s->high);
    far__table_real(t, s->std);
    add_range(t, cell->mean.low, cell->mean.high);
    far__table_real_as(t, s->median, "%s", format_like(s->median, half).text);
    far__table_real_as(t, s->iqm, "%s", format_like(s->iqm, half).text);
    add_span(t, s->first_quartile, s->third_quartile, half);
    add_span(t, s->min, s->max, half);
  }
}

/* What a table shows, as a heading or as its caption. */
typedef struct subject {
  int level; /* of the heading */
  char text[FAR__SHOWN_SIZE + 96];
} subject;

/* Adds that intervals are simultaneous, if there are several. */
static subject simultaneous(int level, const far_comparison *comparison, size_t count,
                            const char *what) {
  subject out = {.level = level};
  char add[48] = "";
  if (count > 1)
    snprintf(add, sizeof add, ", simultaneous %g%%", 100 * comparison->bootstrap.level);
  snprintf(out.text, sizeof out.text, "%s%s", what, add);
  return out;
}

static far_table *begin_titled(far_report *r, const far__comparison_rows *rows,
                               const subject *about, const char *name, const char *agent,
                               bool envs) {
  if (!rows->captions) far__report_heading(r, about->level, "%s", about->text);
  far_table *t = begin_table(r, name, agent, envs);
  if (rows->captions) far__table_caption(t, "%s", about->text);
  return t;
}

static far_table *begin_differences(far_report *r, const far_comparison *comparison,
                                    const far_comparison_group *g,
                                    const far__comparison_rows *rows) {
  const far__shown_text baseline = far__shown_agent(g, g->baseline);
  const subject about =
      simultaneous(3, comparison, g->n_differences, titled("Difference from", baseline.text).text);
  far_table *t = begin_titled(r, rows, &about, "comparisons", "agent", true);
  far__table_column(t, "baseline", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "test", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "pairs", "pairs", FAR__COLUMN_COUNT);
  far__table_column(
      t, "difference",
      with_level(!g->timed ? "difference ±" : "restricted difference ±", comparison).text,
      FAR__COLUMN_INTERVAL);
  far__table_column(t, "bca", "BCa", FAR__COLUMN_RANGE);
  far__table_column(t, "t", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "degrees", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "p", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "p_adjusted",
                    comparison->correction == FAR_CORRECTION_HOLM  ? "p (Holm)"
                    : comparison->correction == FAR_CORRECTION_FDR ? "p (BH)"
                                                                   : "p (Bonferroni)",
                    FAR__COLUMN_REAL);
  far__table_column(t, "won", "won", FAR__COLUMN_REAL);
  far__table_column(t, "tied", "tied", FAR__COLUMN_REAL);
  far__table_column(t, "correlation", NULL, FAR__COLUMN_REAL);
  far__table_column(t, "saving", "reduction", FAR__COLUMN_REAL);
  return t;
}

static void report_differences(far_report *r, const far_comparison *comparison,
                               const far_comparison_group *g, size_t e,
                               const far__comparison_rows *rows) {
  const far_comparison_cell *cells = &g->cells[e * g->n_agents];
  size_t n = 0;
  for (size_t k = 0; k < count_rows(rows, g); ++k) n += cells[row_agent(rows, k)].difference.exists;
  if (n == 0) return;
  far_table *t = begin_differences(r, comparison, g, rows);
  for (size_t k = 0; k < count_rows(rows, g); ++k) {
    const size_t j = row_agent(rows, k);
    if (!cells[j].difference.exists) continue;
    begin_cell(t, g, e, j);
    far__table_text(t, "%s", g->agents[g->baseline].label);
    const far_comparison_difference *d = &cells[j].difference;
    far__table_text(t, "%s", d->paired ? "paired t" : "Welch");
    /* "60", or "4 of 9" where runs have no partner. */
    const int64_t most = d->runs > d->baseline_runs ? d->runs : d->baseline_runs;
    if (!d->paired)
      far__table_real_as(t, NAN, "Welch");
    else if (d->pairs < most)
      far__table_real_as(t, (double)d->pairs, "%lld of %lld", (long long)d->pairs, (long long)most);
    else
      far__table_count(t, d->pairs);
    add_interval(t, d->mean, d->low, d->high);
    add_range(t, d->bootstrap.low, d->bootstrap.high);
    far__table_real(t, d->t);
    far__table_real(t, d->degrees);
    far__table_real(t, d->p);
    far__table_p(t, d->p_adjusted);
    add_percent(t, d->won);
    add_percent(t, d->tied);
    far__table_real(t, d->correlation);
    if (d->saving == INFINITY)
      far__table_real_as(t, d->saving, "∞");
    else
      far__table_known_as(t, d->saving, d->saving < 9.95 ? "%.1f×" : "%.0f×", d->saving);
  }
}

/* ---- all environments ---- */

static void report_improvements(far_report *r, const far_comparison *comparison,
                                const far_comparison_group *g, const far__comparison_rows *rows) {
  const title than = titled("better than", far__shown_agent(g, g->baseline).text);
  const subject about =
      simultaneous(2, comparison, g->n_improvements, "Probability of improvement");
  far_table *t = begin_titled(r, rows, &about, "improvements", than.text, false);
  far__table_column(t, "baseline", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "environments", "environments", FAR__COLUMN_COUNT);
  far__table_column(t, "any_two_runs", "any two runs", FAR__COLUMN_INTERVAL);
  far__table_column(t, "paired_runs", "paired runs", FAR__COLUMN_INTERVAL);
  for (size_t k = 0; k < count_rows(rows, g); ++k) {
    const size_t j = row_agent(rows, k);
    const far_comparison_improvement *i = &g->agents[j].improvement;
    if (j == g->baseline) continue;
    begin_agent(t, g, j);
    far__table_text(t, "%s", g->agents[g->baseline].label);
    far__table_count(t, (int64_t)i->n_envs);
    add_estimate(t, &i->any, 3);
    add_estimate(t, &i->paired, 3);
  }
}

static void report_scores(far_report *r, const far_comparison_group *g,
                          const far__comparison_rows *rows) {
  /* Digits with which four estimates fit beside the names in 100 columns. */
  int longest = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far__shown_text name = far__shown_agent(g, j);
    const int width = far__text_width(name.text, strlen(name.text));
    longest = width > longest ? width : longest;
  }
  const int digits = longest > 10 ? 2 : 3;
  subject about = {.level = 2};
  snprintf(about.text, sizeof about.text, "Scores over %zu environments", g->n_scales);
  far_table *t = begin_titled(r, rows, &about, "scores", "agent", false);
  far__table_column(t, "iqm", "IQM", FAR__COLUMN_INTERVAL);
  far__table_column(t, "mean", "mean", FAR__COLUMN_INTERVAL);
  far__table_column(t, "median", "median", FAR__COLUMN_INTERVAL);
  far__table_column(t, "optimality_gap", "optimality gap", FAR__COLUMN_INTERVAL);
  for (size_t row = 0; row < count_rows(rows, g); ++row) {
    const size_t j = row_agent(rows, row);
    const far_comparison_scores *s = &g->agents[j].scores;
    const far_aggregate *a = &s->aggregate;
    const far_estimate *const all[] = {&a->iqm, &a->mean, &a->median, &a->gap};
    begin_agent(t, g, j);
    for (size_t k = 0; k < 4; ++k) {
      if (s->exists)
        add_estimate(t, all[k], digits);
      else
        far__table_none(t);
    }
  }
}

static void report_profiles(far_report *r, const far_comparison_group *g,
                            const far__comparison_rows *rows) {
  const subject about = {2, "Performance profile: share of runs"};
  far_table *t = begin_titled(r, rows, &about, "profiles", "score above", false);
  for (size_t k = 0; k < FAR_COMPARISON_TAUS; ++k) {
    char head[32], key[40];
    snprintf(head, sizeof head, "%g", far__comparison_tau(k));
    snprintf(key, sizeof key, "above_%s", head);
    far__table_column(t, key, head, FAR__COLUMN_INTERVAL);
  }
  far__table_column(t, "graph", "", FAR__COLUMN_BARS);
  for (size_t row = 0; row < count_rows(rows, g); ++row) {
    const size_t j = row_agent(rows, row);
    const far_comparison_scores *s = &g->agents[j].scores;
    if (!s->exists) continue;
    begin_agent(t, g, j);
    for (size_t k = 0; k < FAR_COMPARISON_TAUS; ++k) {
      const far_estimate *e = &s->profile[k];
      far__table_interval_as(t, e->value, e->low, e->high, "%.0f%%", 100 * e->value);
    }
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    char text[3 * FAR_COMPARISON_TAUS + 1] = "";
    for (size_t i = 0; i < FAR_COMPARISON_TAUS; ++i)
      memcpy(text + 3 * i, bars[(int)(7 * s->profile[i].value + 0.5)], 3);
    far__table_text(t, "%s", text);
  }
}

/* ---- the title ---- */

void far__report_title(far_report *r, const char *what, const char *series,
                       const far_comparison_group *g, bool lower) {
  char length[FAR__LENGTH_SIZE], seed[48] = "imported", numerics[48] = "";
  const uint64_t n_seed = g->seed;
  const int n_numerics = g->numerics;
  far__length_words(length, g->steps, g->episodes);
  if (n_numerics != 0) snprintf(seed, sizeof seed, "seed %llu", (unsigned long long)n_seed);
  if (n_numerics != 0 && n_numerics != far_numerics())
    snprintf(numerics, sizeof numerics, ", by another version (numerics %d)", n_numerics);
  const bool total = strcmp(series, "total") == 0, curve = strncmp(series, "curve@", 6) == 0;
  far__report_heading(r, 1, "%s%s%s, %s, %s%s; %s is better", what,
                      total                      ? "Undiscounted reward"
                      : curve && g->episodes > 0 ? "Undiscounted reward up to episode "
                      : curve                    ? "Undiscounted reward up to step "
                                                 : series,
                      curve ? series + 6 : "", length, seed, numerics, lower ? "lower" : "higher");
}

/* ---- parts ---- */

void far__comparison_report_env(const far_comparison *comparison, size_t env,
                                const far__comparison_rows *rows, far_report *report) {
  const far_comparison_group *g = &comparison->groups[rows->group];
  report_cells(report, comparison, g, env, rows);
  if (g->baseline < g->n_agents) report_differences(report, comparison, g, env, rows);
}

void far__comparison_report_overall(const far_comparison *comparison,
                                    const far__comparison_rows *rows, far_report *report) {
  const far_comparison_group *g = &comparison->groups[rows->group];
  bool scored = false;
  for (size_t j = 0; j < g->n_agents; ++j) scored = scored || g->agents[j].scores.exists;
  if (g->baseline < g->n_agents && g->n_agents > 1)
    report_improvements(report, comparison, g, rows);
  if (scored) report_scores(report, g, rows);
  if (scored) report_profiles(report, g, rows);
}

/* ---- the whole ---- */

static void report_group(far_report *r, const far_comparison *comparison, size_t i) {
  const far_comparison_group *g = &comparison->groups[i];
  const far__comparison_rows all = {.group = i};
  for (size_t e = 0; e < g->n_envs; ++e) {
    /* "riverswim: best policy 410.2, random policy 1.2" */
    const far_comparison_scale *s = &g->envs[e].scale;
    const far__shown_text name = far__shown_env(g, e);
    if (s->kind == FAR_SCALE_POLICIES)
      far__report_heading(r, 2, "%s: best policy %s, random policy %s", name.text,
                          far__brief_real(s->high).text, far__brief_real(s->low).text);
    else
      far__report_heading(r, 2, "%s", name.text);
    far__comparison_report_env(comparison, e, &all, r);
  }
  far__comparison_report_overall(comparison, &all, r);
  far__comparison_report_notes(comparison, i, r);
  far__report_specs(r, g);
}

void far_comparison_report(const far_comparison *comparison, far_report *report) {
  for (size_t i = 0; i < comparison->n_groups; ++i) {
    const far_comparison_group *g = &comparison->groups[i];
    char group[64] = "";
    if (comparison->n_groups > 1)
      snprintf(group, sizeof group, "Group %zu of %zu: ", i + 1, comparison->n_groups);
    far__report_title(report, group, comparison->series, g, comparison->lower);
    report_group(report, comparison, i);
  }
  far__comparison_report_methods(comparison, report);
  far__report_data_by(report, far__comparison_json, comparison);
}
