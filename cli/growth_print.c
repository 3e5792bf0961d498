/* What `farsight growth` found: as tables, as JSON. */
#include "growth.h"

#include <math.h>
#include <string.h>

#include "cells.h"
#include "json.h"
#include "memory.h"
#include "table.h"

/* ---- laws ---- */

/* Fits the numbers of an agent, or (gap) how they compare with the first agent's: above 1 where the
 * first is better. Points without a number are left out. False if fewer than 3 are left. */
static bool fit(far_growth *out, const growth_study *study, size_t agent, bool gap) {
  double sizes[MOST_SIZES], values[MOST_SIZES];
  size_t n = 0;
  for (size_t i = 0; i < study->n_sizes; ++i) {
    const growth_cell *row = &study->cells[i * study->n_agents];
    double value = growth_value(study, &row[agent]);
    const double first = growth_value(study, &row[0]);
    if (gap) value = study->kind == MEASURE_TIME ? value / first : first / value;
    if (!(value > 0 && value < INFINITY)) continue;
    sizes[n] = (double)study->sizes[i];
    values[n++] = value;
  }
  *out = (far_growth){.points = n};
  return n >= 3 && need_memory(far_growth_fit(out, sizes, values, n, NULL)) == FAR_OK;
}

static bool holds_zero(double x, double ci95) {
  return fabs(x) <= ci95;
}

/* Neither law tells that the gap grows or shrinks at all. */
static bool flat(const far_growth *g) {
  return holds_zero(g->laws[FAR_LAW_POLYNOMIAL].power, g->laws[FAR_LAW_POLYNOMIAL].power_ci95) &&
         holds_zero(g->laws[FAR_LAW_EXPONENTIAL].rate, g->laws[FAR_LAW_EXPONENTIAL].rate_ci95);
}

static const char *better(const far_growth *g) {
  if (g->evidence >= FAR_EVIDENCE) return far_law_name(FAR_LAW_POLYNOMIAL);
  if (g->evidence <= -FAR_EVIDENCE) return far_law_name(FAR_LAW_EXPONENTIAL);
  return NULL;
}

static bool mixed_is_better(const far_growth *g) {
  const double least = fmin(g->laws[FAR_LAW_POLYNOMIAL].aicc, g->laws[FAR_LAW_EXPONENTIAL].aicc);
  return g->laws[FAR_LAW_MIXED].aicc <= least - FAR_EVIDENCE;
}

/* ---- text ---- */

/* A bound in place of what lies beyond the limit. */
static number_text known_number(double x, double limit) {
  number_text out = format_number(x < INFINITY ? x : limit);
  if (x < INFINITY || x != x) return out;
  const number_text bound = out;
  snprintf(out.text, sizeof out.text, ">%.60s", bound.text);
  return out;
}

static void value_cell(table *t, size_t column, const growth_study *study,
                       const growth_cell *cell) {
  if (!cell->known) {
    table_cell(t, column, "–");
  } else if (study->kind == MEASURE_REWARD) {
    table_cell(t, column, "%s", format_interval(cell->mean, cell->ci95).text);
  } else {
    const far_times *x = &cell->times;
    char left[32] = "";
    if (x->censored > 0) snprintf(left, sizeof left, " (%lld)", (long long)x->censored);
    table_cell(t, column, "%s [%s, %s]%s", known_number(x->median, cell->limit).text,
               known_number(x->low, cell->limit).text, known_number(x->high, cell->limit).text,
               left);
  }
}

static void agent_cell(table *t, size_t column, const growth_study *study, size_t agent) {
  const char *spec = study->agents[agent];
  table_cell(t, column, "%zu %.*s", agent + 1, (int)strcspn(spec, ":"), spec);
}

static void print_values(const growth_study *study) {
  char layout[TABLE_COLUMNS + 1] = "r";
  memset(layout + 1, 'r', study->n_agents);
  table t = table_create(layout);
  table_row(&t);
  table_cell(&t, 0, "%s", study->key);
  for (size_t j = 0; j < study->n_agents; ++j) agent_cell(&t, j + 1, study, j);
  for (size_t i = 0; i < study->n_sizes; ++i) {
    table_row(&t);
    table_cell(&t, 0, "%lld", (long long)study->sizes[i]);
    for (size_t j = 0; j < study->n_agents; ++j)
      value_cell(&t, j + 1, study, &study->cells[i * study->n_agents + j]);
  }
  table_print(&t, 2);
}

static void law_row(table *t, const growth_study *study, const far_growth *g, far_law law) {
  const far_fit *f = &g->laws[law];
  char power[80] = "", rate[80] = "";
  if (law != FAR_LAW_EXPONENTIAL)
    snprintf(power, sizeof power, "%.3g ± %.2g", f->power, f->power_ci95);
  if (law != FAR_LAW_POLYNOMIAL) snprintf(rate, sizeof rate, "%.3g ± %.2g", f->rate, f->rate_ci95);
  table_cell(t, 1, "%s", far_law_name(law));
  if (law == FAR_LAW_POLYNOMIAL)
    table_cell(t, 2, "%.3g %s^%.3g", f->scale, study->key, f->power);
  else if (law == FAR_LAW_EXPONENTIAL)
    table_cell(t, 2, "%.3g e^(%.3g %s)", f->scale, f->rate, study->key);
  else
    table_cell(t, 2, "%.3g %s^%.3g e^(%.3g %s)", f->scale, study->key, f->power, f->rate,
               study->key);
  table_cell(t, 3, "%s", power);
  table_cell(t, 4, "%s", rate);
  table_cell(t, 5, "%.3f", f->spread);
  table_cell(t, 6, f->aicc == f->aicc ? "%.1f" : "–", f->aicc);
}

static void verdict_cell(table *t, const far_growth *g, far_law law, bool gap) {
  const char *best = better(g);
  if (gap && flat(g)) {
    if (law == FAR_LAW_POLYNOMIAL) table_cell(t, 7, "no growth is seen");
  } else if (law == FAR_LAW_MIXED) {
    if (mixed_is_better(g)) table_cell(t, 7, "fits better than either");
  } else if (best == NULL) {
    if (law == FAR_LAW_POLYNOMIAL) table_cell(t, 7, "undecided");
  } else if (strcmp(best, far_law_name(law)) == 0) {
    table_cell(t, 7, "fits better");
  }
}

static void print_laws(const growth_study *study, bool gap) {
  static const char *const heads[] = {"agent",      "law",    "fitted", "power ± 95%",
                                      "rate ± 95%", "spread", "AICc",   ""};
  table t = table_create("lllrrrrl");
  table_row(&t);
  for (size_t c = 0; c < 8; ++c) table_cell(&t, c, "%s", heads[c]);
  for (size_t j = gap; j < study->n_agents; ++j) {
    far_growth g;
    const bool fitted = fit(&g, study, j, gap);
    for (int law = 0; law < FAR_LAW_COUNT; ++law) {
      if (law > 0 && (!fitted || !g.laws[law].fitted)) continue;
      table_row(&t);
      if (law == 0) agent_cell(&t, 0, study, j);
      if (!fitted) {
        table_cell(&t, 1, "%zu points of 3 that a law needs", g.points);
        continue;
      }
      law_row(&t, study, &g, (far_law)law);
      verdict_cell(&t, &g, (far_law)law, gap);
    }
  }
  table_print(&t, 2);
}

/* What a time says; the number that follows is its fraction. */
static void print_measure(const growth_study *study) {
  if (strcmp(study->measure, "earned") == 0)
    printf("Steps after which the reward so far stays above %g of the best average",
           1 - study->eps);
  else if (strcmp(study->measure, "learned") == 0)
    printf("Steps after which the frozen policy is within %g V* at the start for good", study->eps);
  else
    printf("The last step on which the frozen policy is not within %g V*(start) of V*", study->eps);
  printf(" on %s:\nmedian [95%% interval] (runs not known to have learned)", study->env);
}

static void print_head(const growth_study *study, const far_batch_def *def) {
  if (study->kind == MEASURE_TIME)
    print_measure(study);
  else
    printf("Undiscounted reward of %lld steps on %s: mean ± 95%%", (long long)study->steps,
           study->env);
  printf(", %lld runs, seed %llu;\n", (long long)def->runs, (unsigned long long)def->seed);
  if (study->gamma == study->gamma)
    printf("discount %g where an agent has none of its own\n\n", study->gamma);
  else
    printf("discount 1 - %g / %s where an agent has none of its own\n\n", study->gamma_scale,
           study->key);
}

void growth_print_text(const growth_study *study, const far_batch_def *def) {
  print_head(study, def);
  print_values(study);
  printf("\nLaws (spread: standard deviation of the logarithm about the law)\n\n");
  print_laws(study, false);
  if (study->n_agents > 1) {
    printf("\nGap: %s\n\n", study->kind == MEASURE_TIME ? "steps of an agent / steps of agent 1"
                                                        : "reward of agent 1 / reward of an agent");
    print_laws(study, true);
  }
  printf("\nAgents:\n");
  for (size_t j = 0; j < study->n_agents; ++j) printf("  %zu %s\n", j + 1, study->agents[j]);
}

/* ---- JSON ---- */

static void write_cell(const growth_study *study, const growth_cell *cell, int64_t size) {
  const far_times *x = &cell->times;
  printf("{\"size\":%lld,\"env\":", (long long)size);
  json_write_string(stdout, cell->env);
  printf(",\"agent\":");
  json_write_string(stdout, cell->agent);
  printf(",\"steps\":%lld,\"runs\":%lld", (long long)cell->steps, (long long)cell->runs);
  if (study->kind == MEASURE_REWARD) {
    json_add_real(stdout, "mean", cell->mean);
    json_add_real(stdout, "ci95", cell->ci95);
  } else {
    printf(",\"censored\":%lld", (long long)x->censored);
    json_add_real(stdout, "limit", cell->limit);
    json_add_real(stdout, "median", x->median);
    json_add_real(stdout, "low", x->low);
    json_add_real(stdout, "high", x->high);
    json_add_real(stdout, "first_quartile", x->first_quartile);
    json_add_real(stdout, "third_quartile", x->third_quartile);
  }
  json_add_real(stdout, "seconds", cell->seconds);
  printf(",\"hash\":\"%s\"}", cell->hash);
}

static void write_cells(const growth_study *study) {
  bool first = true;
  for (size_t i = 0; i < study->n_sizes; ++i)
    for (size_t j = 0; j < study->n_agents; ++j) {
      const growth_cell *cell = &study->cells[i * study->n_agents + j];
      if (!cell->known) continue;
      printf("%s\n  ", first ? "" : ",");
      write_cell(study, cell, study->sizes[i]);
      first = false;
    }
}

static void write_law(const far_fit *f, far_law law) {
  printf(",\"%s\":", far_law_name(law));
  if (!f->fitted) {
    printf("null");
    return;
  }
  printf("{\"scale\":");
  json_write_real(stdout, f->scale);
  if (law != FAR_LAW_EXPONENTIAL) {
    json_add_real(stdout, "power", f->power);
    json_add_real(stdout, "power_ci95", f->power_ci95);
  }
  if (law != FAR_LAW_POLYNOMIAL) {
    json_add_real(stdout, "rate", f->rate);
    json_add_real(stdout, "rate_ci95", f->rate_ci95);
  }
  json_add_real(stdout, "spread", f->spread);
  json_add_real(stdout, "aicc", f->aicc);
  printf("}");
}

static void write_laws(const growth_study *study, bool gap) {
  for (size_t j = gap; j < study->n_agents; ++j) {
    far_growth g;
    const bool fitted = fit(&g, study, j, gap);
    printf("%s\n  {\"agent\":", j > gap ? "," : "");
    json_write_string(stdout, study->agents[j]);
    printf(",\"points\":%zu", g.points);
    for (int law = 0; law < FAR_LAW_COUNT; ++law) write_law(&g.laws[law], (far_law)law);
    json_add_real(stdout, "evidence", fitted ? g.evidence : NAN);
    printf(",\"better\":");
    if (fitted && better(&g) != NULL)
      json_write_string(stdout, better(&g));
    else
      printf("null");
    printf("}");
  }
}

void growth_print_json(const growth_study *study, const far_batch_def *def) {
  write_head_json(def->seed);
  write_cells(study);
  printf("\n],\"laws\":[");
  write_laws(study, false);
  printf("\n],\"gaps\":[");
  write_laws(study, true);
  printf("\n],\"env\":");
  json_write_string(stdout, study->env);
  printf(",\"key\":");
  json_write_string(stdout, study->key);
  printf(",\"measure\":");
  json_write_string(stdout, study->measure);
  json_add_real(stdout, "eps", study->eps);
  json_add_real(stdout, "gamma", study->gamma);
  json_add_real(stdout, "gamma_scale", study->gamma_scale);
  printf("}\n");
}
