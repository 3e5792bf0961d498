/* The tables of farsight stats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "stats.h"
#include "table.h"
#include "wrap.h"

/* ---- numbers ---- */

/* Never "-0.00". */
static number_text format_fixed(double x, int digits) {
  number_text out;
  snprintf(out.text, sizeof out.text, "%.*f", digits, x);
  const char *from = out.text + (out.text[0] == '-');
  if (from[strspn(from, "0.")] == '\0') memmove(out.text, from, strlen(from) + 1);
  return out;
}

/* With as many digits as the interval's half-width deserves. */
static number_text format_like(double x, double half) {
  const bool fixed = x - x == 0 && half > 1e-9 * fabs(x) && half >= 1e-5 && fabs(x) < 1e15;
  return fixed ? format_fixed(x, interval_digits(half)) : format_number(x);
}

static number_text format_range(double low, double high) {
  number_text out = {"–"};
  const double half = (high - low) / 2;
  if (low == low && high == high)
    snprintf(out.text, sizeof out.text, "[%.28s, %.28s]", format_like(low, half).text,
             format_like(high, half).text);
  return out;
}

/* "134 … 178", with a digit less: the runs spread more than their mean is uncertain. */
static number_text format_span(double low, double high, double half) {
  number_text out;
  half *= 10;
  snprintf(out.text, sizeof out.text, "%.28s … %.28s", format_like(low, half).text,
           format_like(high, half).text);
  return out;
}

static number_text format_p(double p) {
  number_text out = {"–"};
  if (p != p) return out;
  if (p < 0.0001)
    snprintf(out.text, sizeof out.text, "< 0.0001");
  else
    snprintf(out.text, sizeof out.text, p < 0.01 ? "%.4f" : p < 0.1 ? "%.3f" : "%.2f", p);
  return out;
}

static number_text format_percent(double share) {
  number_text out = {"–"};
  if (share == share) snprintf(out.text, sizeof out.text, "%.0f%%", 100 * share);
  return out;
}

static number_text format_times(double x) {
  number_text out = {"–"};
  if (x == INFINITY)
    snprintf(out.text, sizeof out.text, "∞");
  else if (x == x)
    snprintf(out.text, sizeof out.text, x < 9.95 ? "%.1f×" : "%.0f×", x);
  return out;
}

/* "0.931 [0.921, 0.940]" */
static number_text format_estimate(const far_estimate *e, int digits) {
  number_text out = {"–"};
  if (e->value == e->value && e->low == e->low)
    snprintf(out.text, sizeof out.text, "%.18s [%.18s, %.18s]", format_fixed(e->value, digits).text,
             format_fixed(e->low, digits).text, format_fixed(e->high, digits).text);
  else if (e->value == e->value)
    out = format_fixed(e->value, digits);
  return out;
}

/* As many as let four estimates stand beside the names in 100 columns. */
static int score_digits(const stats_group *g, const stats_names *names) {
  int longest = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const int width = text_width(names->agents[j], strlen(names->agents[j]));
    longest = width > longest ? width : longest;
  }
  return longest > 10 ? 2 : 3;
}

static double percent(const stats_query *query) {
  return 100 * query->how.level;
}

static void print_table(table *t, bool markdown) {
  if (markdown)
    table_print_markdown(t);
  else
    table_print(t, 2);
}

static void head(table *t, const char *const *names) {
  table_row(t);
  for (size_t c = 0; names[c] != NULL; ++c) table_cell(t, c, "%s", names[c]);
}

/* ---- one environment ---- */

static void print_cells(const stats_group *g, const stats_names *names, size_t e,
                        const stats_query *query, bool markdown) {
  static const char *const heads[] = {"agent", "runs",      "",         "",  "median",
                                      "IQM",   "quartiles", "min, max", NULL};
  table t = table_create("lrrrrrrr");
  head(&t, heads);
  table_cell(&t, 2, "mean ± %g%%", percent(query));
  table_cell(&t, 3, "BCa");
  for (size_t j = 0; j < g->n_agents; ++j) {
    const stats_cell *cell = &g->cells[e * g->n_agents + j];
    const far_summary *s = &cell->summary;
    const double half = (s->high - s->low) / 2;
    if (cell->n == 0) continue;
    table_row(&t);
    table_cell(&t, 0, "%s", names->agents[j]);
    table_cell(&t, 1, "%lld", (long long)cell->n);
    table_cell(&t, 2, "%s", format_interval(s->mean, half).text);
    table_cell(&t, 3, "%s", format_range(cell->mean.low, cell->mean.high).text);
    table_cell(&t, 4, "%s", format_like(s->median, half).text);
    table_cell(&t, 5, "%s", format_like(s->iqm, half).text);
    table_cell(&t, 6, "%s", format_span(s->first_quartile, s->third_quartile, half).text);
    table_cell(&t, 7, "%s", format_span(s->min, s->max, half).text);
  }
  print_table(&t, markdown);
}

static const char *correction_title(const stats_query *query) {
  return query->correction == FAR_CORRECTION_HOLM  ? "Holm"
         : query->correction == FAR_CORRECTION_FDR ? "BH"
                                                   : "Bonferroni";
}

/* "60", or "4 of 9" where runs have no partner. */
static void add_pairs(table *t, const stats_comparison *c) {
  const int64_t most = c->runs > c->baseline_runs ? c->runs : c->baseline_runs;
  if (c->n < most)
    table_cell(t, 1, "%lld of %lld", (long long)c->n, (long long)most);
  else
    table_cell(t, 1, "%lld", (long long)c->n);
}

static void add_comparison(table *t, const stats_comparison *c) {
  if (c->paired) add_pairs(t, c);
  if (!c->paired) table_cell(t, 1, "Welch");
  table_cell(t, 2, "%s", format_interval(c->mean, (c->high - c->low) / 2).text);
  table_cell(t, 3, "%s", format_range(c->bootstrap.low, c->bootstrap.high).text);
  table_cell(t, 4, "%s", format_p(c->adjusted).text);
  table_cell(t, 5, "%s", format_percent(c->won).text);
  table_cell(t, 6, "%s", format_percent(c->tied).text);
  table_cell(t, 7, "%s", format_times(c->saving).text);
}

static void print_comparisons(const stats_group *g, const stats_names *names, size_t e,
                              const stats_query *query, bool markdown) {
  static const char *const heads[] = {"", "pairs", "", "BCa", "", "won", "tied", "saving", NULL};
  size_t rows = 0;
  table t = table_create("lrrrrrrr");
  head(&t, heads);
  table_cell(&t, 0, "less %s", g->baseline < g->n_agents ? names->agents[g->baseline] : "");
  table_cell(&t, 2, g->family > 1 ? "± simultaneous %g%%" : "difference ± %g%%", percent(query));
  table_cell(&t, 4, "p (%s)", correction_title(query));
  for (size_t j = 0; j < g->n_agents; ++j) {
    const stats_comparison *c = &g->comparisons[e * g->n_agents + j];
    if (j == g->baseline || !c->there) continue;
    table_row(&t);
    table_cell(&t, 0, "%s", names->agents[j]);
    add_comparison(&t, c);
    ++rows;
  }
  if (rows > 0) {
    printf("\n");
    print_table(&t, markdown);
  }
  free(t.cells);
}

/* "riverswim: best policy 410.2, random policy 1.2" */
static void print_env(const stats_group *g, const stats_names *names, size_t e, bool markdown) {
  const stats_scale *s = &g->scales[e];
  printf("\n%s%s", markdown ? "#### " : "", names->envs[e]);
  if (s->ends == ENDS_POLICIES)
    printf("%sbest policy %s, random policy %s", markdown ? "\n\nThe " : ": ",
           format_number(s->high).text, format_number(s->low).text);
  printf("\n\n");
}

/* ---- all environments ---- */

static void print_improvements(const stats_group *g, const stats_names *names,
                               const stats_query *query, bool markdown) {
  table t = table_create("lrrr");
  table_row(&t);
  table_cell(&t, 0, "better than %s", names->agents[g->baseline]);
  table_cell(&t, 1, "environments");
  table_cell(&t, 2, "any two runs");
  table_cell(&t, 3, "same luck");
  for (size_t j = 0; j < g->n_agents; ++j) {
    const stats_improvement *i = &g->improvements[j];
    if (j == g->baseline) continue;
    table_row(&t);
    table_cell(&t, 0, "%s", names->agents[j]);
    table_cell(&t, 1, "%zu", i->n_envs);
    table_cell(&t, 2, "%s", format_estimate(&i->any, 3).text);
    table_cell(&t, 3, "%s", format_estimate(&i->pairs, 3).text);
  }
  printf("\n%sProbability of improvement", markdown ? "#### " : "");
  if (g->improvement_family > 1) printf(", simultaneous %g%%", percent(query));
  printf("\n\n");
  print_table(&t, markdown);
}

static void print_aggregates(const stats_group *g, const stats_names *names, bool markdown) {
  static const char *const heads[] = {"agent", "IQM", "mean", "median", "optimality gap", NULL};
  const int digits = score_digits(g, names);
  table t = table_create("lrrrr");
  head(&t, heads);
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_aggregate *a = &g->scores[j].aggregate;
    table_row(&t);
    table_cell(&t, 0, "%s", names->agents[j]);
    for (size_t c = 1; c <= 4 && !g->scores[j].there; ++c) table_cell(&t, c, "–");
    if (!g->scores[j].there) continue;
    table_cell(&t, 1, "%s", format_estimate(&a->iqm, digits).text);
    table_cell(&t, 2, "%s", format_estimate(&a->mean, digits).text);
    table_cell(&t, 3, "%s", format_estimate(&a->median, digits).text);
    table_cell(&t, 4, "%s", format_estimate(&a->gap, digits).text);
  }
  printf("\n%sScores over %zu environments\n\n", markdown ? "#### " : "", g->n_scales);
  print_table(&t, markdown);
}

static void add_bars(table *t, const far_estimate *profile) {
  static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  char text[3 * N_TAU + 1] = "";
  for (size_t k = 0; k < N_TAU; ++k)
    memcpy(text + 3 * k, bars[(int)(7 * profile[k].value + 0.5)], 3);
  table_cell(t, N_TAU + 1, "%s", text);
}

static void print_profiles(const stats_group *g, const stats_names *names, bool markdown) {
  table t = table_create("lrrrrrrrrrrrl");
  table_row(&t);
  table_cell(&t, 0, "score above");
  for (size_t k = 0; k < N_TAU; ++k) table_cell(&t, k + 1, "%g", stats_tau(k));
  for (size_t j = 0; j < g->n_agents; ++j) {
    if (!g->scores[j].there) continue;
    table_row(&t);
    table_cell(&t, 0, "%s", names->agents[j]);
    for (size_t k = 0; k < N_TAU; ++k)
      table_cell(&t, k + 1, "%s", format_percent(g->scores[j].profile[k].value).text);
    add_bars(&t, g->scores[j].profile);
  }
  printf("\n%sPerformance profile: share of runs\n\n", markdown ? "#### " : "");
  print_table(&t, markdown);
}

/* ---- the whole ---- */

static void print_title(const stats_group *g, const stats_query *query) {
  if (strcmp(query->series, "total") == 0)
    printf("Undiscounted reward");
  else if (strncmp(query->series, "curve@", 6) == 0)
    printf("Undiscounted reward up to step %s", query->series + 6);
  else
    printf("%s", query->series);
  if (g->steps > 0)
    printf(", steps %lld", (long long)g->steps);
  else
    printf(", steps not told");
  if (g->numerics != 0) printf(", seed %llu", (unsigned long long)g->seed);
  if (g->numerics == 0) printf(", made elsewhere");
  if (g->numerics != 0 && g->numerics != far_numerics()) printf(", numerics %d", g->numerics);
  printf("; %s is better\n", query->lower ? "less" : "more");
}

static void print_group(const stats_group *g, const stats_data *data, const stats_query *query,
                        bool markdown) {
  stats_names names = stats_names_make(g, data);
  bool scored = false;
  for (size_t j = 0; j < g->n_agents; ++j) scored = scored || g->scores[j].there;
  for (size_t e = 0; e < g->n_envs; ++e) {
    print_env(g, &names, e, markdown);
    print_cells(g, &names, e, query, markdown);
    if (g->baseline < g->n_agents) print_comparisons(g, &names, e, query, markdown);
  }
  if (g->baseline < g->n_agents && g->n_agents > 1) print_improvements(g, &names, query, markdown);
  if (scored) {
    print_aggregates(g, &names, markdown);
    print_profiles(g, &names, markdown);
  }
  printf("\n");
  stats_print_notes(g, &names, data, query, markdown);
  stats_names_free(&names);
}

void stats_print(const stats_groups *groups, const stats_data *data, const stats_query *query,
                 bool markdown) {
  for (size_t i = 0; i < groups->count; ++i) {
    const char *mark = markdown ? "### " : "";
    printf("%s%s", i ? "\n" : "", mark);
    if (groups->count > 1) printf("Group %zu of %zu: ", i + 1, groups->count);
    print_title(&groups->list[i], query);
    print_group(&groups->list[i], data, query, markdown);
  }
  stats_print_methods(groups, data, query, markdown);
}
