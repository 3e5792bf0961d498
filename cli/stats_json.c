/* All that farsight stats finds, as one JSON document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "stats.h"

/* Without the comma before it, for the first of an object. */
static void begin_text(const char *name, const char *text) {
  printf("\"%s\":", name);
  json_write_string(stdout, text);
}

static void write_estimate(const char *name, const far_estimate *e) {
  printf(",\"%s\":", name);
  if (e->value != e->value) {
    printf("null");
    return;
  }
  printf("{\"value\":");
  json_write_real(stdout, e->value);
  json_add_real(stdout, "low", e->low);
  json_add_real(stdout, "high", e->high);
  json_add_real(stdout, "std", e->std);
  printf("}");
}

static const char *origin_name(stats_origin origin) {
  static const char *const names[] = {"here", "elsewhere", "elsewhere, steps not told"};
  return names[origin];
}

/* "env" and "agent" are the names within the document; of an origin there can be two. */
static void write_place(const stats_group *g, const stats_data *data, size_t e, size_t j) {
  begin_text("env", data->envs[g->envs[e]].label);
  json_add_text(stdout, "agent", g->agents[j].label);
  json_add_text(stdout, "origin", origin_name(g->agents[j].origin));
}

/* ---- parts of a group ---- */

static void write_envs(const stats_group *g, const stats_data *data) {
  static const char *const ends[] = {NULL, "policies", "observed"};
  printf(",\n \"environments\":[");
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_env *env = &data->envs[g->envs[e]];
    const stats_scale *s = &g->scales[e];
    printf("%s\n  {", e ? "," : "");
    begin_text("env", env->label);
    json_add_text(stdout, "spec", env->spec);
    json_add_text(stdout, "model", env->model);
    printf(",\"scale\":");
    if (s->ends == ENDS_NONE) {
      printf("null}");
      continue;
    }
    printf("{\"ends\":\"%s\"", ends[s->ends]);
    json_add_real(stdout, "low", s->low);
    json_add_real(stdout, "high", s->high);
    printf("}}");
  }
  printf("]");
}

static void write_cell(const stats_cell *cell) {
  const far_summary *s = &cell->summary;
  json_add_text(stdout, "spec", cell->agent);
  json_add_integer(stdout, "runs", (uint64_t)cell->n);
  json_add_real(stdout, "mean", s->mean);
  json_add_real(stdout, "std", s->std);
  json_add_real(stdout, "low", s->low);
  json_add_real(stdout, "high", s->high);
  json_add_real(stdout, "min", s->min);
  json_add_real(stdout, "first_quartile", s->first_quartile);
  json_add_real(stdout, "median", s->median);
  json_add_real(stdout, "third_quartile", s->third_quartile);
  json_add_real(stdout, "max", s->max);
  json_add_real(stdout, "iqm", s->iqm);
  printf(",\"bootstrap\":{\"finite\":%s", cell->finite ? "true" : "false");
  write_estimate("mean", &cell->mean);
  write_estimate("median", &cell->median);
  write_estimate("iqm", &cell->iqm);
  printf("}}");
}

static void write_cells(const stats_group *g, const stats_data *data) {
  bool first = true;
  printf(",\n \"cells\":[");
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t j = 0; j < g->n_agents; ++j) {
      if (g->cells[e * g->n_agents + j].n == 0) continue;
      printf("%s\n  {", first ? "" : ",");
      first = false;
      write_place(g, data, e, j);
      write_cell(&g->cells[e * g->n_agents + j]);
    }
  printf("]");
}

static void write_comparison(const stats_comparison *c) {
  json_add_text(stdout, "test", c->paired ? "paired t" : "Welch");
  json_add_integer(stdout, "runs", (uint64_t)c->runs);
  json_add_integer(stdout, "baseline_runs", (uint64_t)c->baseline_runs);
  if (c->paired) json_add_integer(stdout, "pairs", (uint64_t)c->n);
  json_add_flag(stdout, "varies", !c->still);
  json_add_real(stdout, "mean", c->mean);
  json_add_real(stdout, "low", c->low);
  json_add_real(stdout, "high", c->high);
  write_estimate("bootstrap", &c->bootstrap);
  json_add_real(stdout, "t", c->t);
  json_add_real(stdout, "degrees", c->degrees);
  json_add_real(stdout, "p", c->p);
  json_add_real(stdout, "p_adjusted", c->adjusted);
  if (c->paired) {
    json_add_real(stdout, "won", c->won);
    json_add_real(stdout, "tied", c->tied);
    json_add_real(stdout, "correlation", c->correlation);
    json_add_real(stdout, "saving", c->saving);
  }
  printf("}");
}

static void write_comparisons(const stats_group *g, const stats_data *data) {
  bool first = true;
  json_add_integer(stdout, "family", g->family);
  json_add_real(stdout, "difference_level", g->family > 0 ? g->level : NAN);
  json_add_integer(stdout, "improvement_family", g->improvement_family);
  json_add_real(stdout, "improvement_level",
                g->improvement_family > 0 ? g->improvement_level : NAN);
  printf(",\n \"comparisons\":[");
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t j = 0; j < g->n_agents; ++j) {
      if (!g->comparisons[e * g->n_agents + j].there) continue;
      printf("%s\n  {", first ? "" : ",");
      first = false;
      write_place(g, data, e, j);
      write_comparison(&g->comparisons[e * g->n_agents + j]);
    }
  printf("]");
}

static void write_improvements(const stats_group *g) {
  bool first = true;
  printf(",\n \"improvement\":[");
  for (size_t j = 0; j < g->n_agents && g->baseline < g->n_agents; ++j) {
    if (j == g->baseline) continue;
    printf("%s\n  {", first ? "" : ",");
    first = false;
    begin_text("agent", g->agents[j].label);
    json_add_text(stdout, "origin", origin_name(g->agents[j].origin));
    json_add_integer(stdout, "environments", g->improvements[j].n_envs);
    write_estimate("any_two_runs", &g->improvements[j].any);
    write_estimate("same_luck", &g->improvements[j].pairs);
    printf("}");
  }
  printf("]");
}

static void write_profile(const stats_scores *s) {
  printf(",\"profile\":[");
  for (size_t k = 0; k < N_TAU; ++k) {
    printf("%s{\"tau\":", k ? "," : "");
    json_write_real(stdout, stats_tau(k));
    json_add_real(stdout, "value", s->profile[k].value);
    json_add_real(stdout, "low", s->profile[k].low);
    json_add_real(stdout, "high", s->profile[k].high);
    printf("}");
  }
  printf("]");
}

static void write_scores(const stats_group *g) {
  bool first = true;
  printf(",\n \"scores\":[");
  for (size_t j = 0; j < g->n_agents; ++j) {
    const stats_scores *s = &g->scores[j];
    if (!s->there) continue;
    printf("%s\n  {", first ? "" : ",");
    first = false;
    begin_text("agent", g->agents[j].label);
    json_add_text(stdout, "origin", origin_name(g->agents[j].origin));
    json_add_integer(stdout, "environments", g->n_scales);
    write_estimate("iqm", &s->aggregate.iqm);
    write_estimate("mean", &s->aggregate.mean);
    write_estimate("median", &s->aggregate.median);
    write_estimate("optimality_gap", &s->aggregate.gap);
    write_profile(s);
    printf("}");
  }
  printf("]");
}

static void write_group(const stats_group *g, const stats_data *data, const stats_query *query) {
  printf("{\"steps\":");
  json_write_real(stdout, g->steps > 0 ? (double)g->steps : NAN);
  if (g->numerics != 0)
    json_add_integer(stdout, "seed", g->seed);
  else
    printf(",\"seed\":null");
  json_add_integer(stdout, "numerics", (uint64_t)g->numerics);
  write_envs(g, data);
  write_cells(g, data);
  printf(",\n \"baseline\":");
  if (g->baseline < g->n_agents) {
    printf("{");
    begin_text("agent", g->agents[g->baseline].label);
    json_add_text(stdout, "origin", origin_name(g->agents[g->baseline].origin));
    json_add_flag(stdout, "given", query->baseline != NULL);
    printf("}");
  } else {
    printf("null");
  }
  write_comparisons(g, data);
  write_improvements(g);
  write_scores(g);
  printf("}");
}

void stats_print_json(const stats_groups *groups, const stats_data *data,
                      const stats_query *query) {
  printf("{");
  begin_text("version", far_version());
  json_add_text(stdout, "series", query->series);
  json_add_text(stdout, "better", query->lower ? "lower" : "higher");
  json_add_real(stdout, "level", query->how.level);
  json_add_text(stdout, "correction", query->correction_name);
  json_add_integer(stdout, "resamples", (uint64_t)query->how.resamples);
  json_add_integer(stdout, "seed", query->how.seed);
  json_add_integer(stdout, "cells_without_series", data->without);
  printf(",\"groups\":[");
  for (size_t i = 0; i < groups->count; ++i) {
    printf("%s\n", i ? "," : "");
    write_group(&groups->list[i], data, query);
  }
  printf("]}\n");
}
