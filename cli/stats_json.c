/* All that farsight stats finds, as one JSON document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "stats.h"

/* Integers above 2^53 are strings, since many readers of JSON hold numbers as doubles. */
static void write_integer(const char *name, uint64_t x) {
  const char *quote = x > (uint64_t)1 << 53 ? "\"" : "";
  printf(",\"%s\":%s%llu%s", name, quote, (unsigned long long)x, quote);
}

static void write_real(const char *name, double x) {
  printf(",\"%s\":", name);
  json_write_real(stdout, x);
}

/* Without the comma before it, for the first of an object. */
static void begin_text(const char *name, const char *text) {
  printf("\"%s\":", name);
  json_write_string(stdout, text);
}

static void write_text(const char *name, const char *text) {
  printf(",");
  begin_text(name, text);
}

static void write_flag(const char *name, bool x) {
  printf(",\"%s\":%s", name, x ? "true" : "false");
}

static void write_estimate(const char *name, const far_estimate *e) {
  printf(",\"%s\":", name);
  if (e->value != e->value) {
    printf("null");
    return;
  }
  printf("{\"value\":");
  json_write_real(stdout, e->value);
  write_real("low", e->low);
  write_real("high", e->high);
  write_real("std", e->std);
  printf("}");
}

static const char *origin_name(stats_origin origin) {
  static const char *const names[] = {"here", "elsewhere", "elsewhere, steps not told"};
  return names[origin];
}

/* "env" and "agent" are the names within the document; of an origin there can be two. */
static void write_place(const stats_group *g, const stats_data *data, size_t e, size_t j) {
  begin_text("env", data->envs[g->envs[e]].label);
  write_text("agent", g->agents[j].label);
  write_text("origin", origin_name(g->agents[j].origin));
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
    write_text("spec", env->spec);
    write_text("model", env->model);
    printf(",\"scale\":");
    if (s->ends == ENDS_NONE) {
      printf("null}");
      continue;
    }
    printf("{\"ends\":\"%s\"", ends[s->ends]);
    write_real("low", s->low);
    write_real("high", s->high);
    printf("}}");
  }
  printf("]");
}

static void write_cell(const stats_cell *cell) {
  const far_summary *s = &cell->summary;
  write_text("spec", cell->agent);
  write_integer("runs", (uint64_t)cell->n);
  write_real("mean", s->mean);
  write_real("std", s->std);
  write_real("low", s->low);
  write_real("high", s->high);
  write_real("min", s->min);
  write_real("first_quartile", s->first_quartile);
  write_real("median", s->median);
  write_real("third_quartile", s->third_quartile);
  write_real("max", s->max);
  write_real("iqm", s->iqm);
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
  write_text("test", c->paired ? "paired t" : "Welch");
  write_integer("runs", (uint64_t)c->runs);
  write_integer("baseline_runs", (uint64_t)c->baseline_runs);
  if (c->paired) write_integer("pairs", (uint64_t)c->n);
  write_flag("varies", !c->still);
  write_real("mean", c->mean);
  write_real("low", c->low);
  write_real("high", c->high);
  write_estimate("bootstrap", &c->bootstrap);
  write_real("t", c->t);
  write_real("degrees", c->degrees);
  write_real("p", c->p);
  write_real("p_adjusted", c->adjusted);
  if (c->paired) {
    write_real("won", c->won);
    write_real("tied", c->tied);
    write_real("correlation", c->correlation);
    write_real("saving", c->saving);
  }
  printf("}");
}

static void write_comparisons(const stats_group *g, const stats_data *data) {
  bool first = true;
  write_integer("family", g->family);
  write_real("difference_level", g->family > 0 ? g->level : NAN);
  write_integer("improvement_family", g->improvement_family);
  write_real("improvement_level", g->improvement_family > 0 ? g->improvement_level : NAN);
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
    write_text("origin", origin_name(g->agents[j].origin));
    write_integer("environments", g->improvements[j].n_envs);
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
    write_real("value", s->profile[k].value);
    write_real("low", s->profile[k].low);
    write_real("high", s->profile[k].high);
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
    write_text("origin", origin_name(g->agents[j].origin));
    write_integer("environments", g->n_scales);
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
    write_integer("seed", g->seed);
  else
    printf(",\"seed\":null");
  write_integer("numerics", (uint64_t)g->numerics);
  write_envs(g, data);
  write_cells(g, data);
  printf(",\n \"baseline\":");
  if (g->baseline < g->n_agents) {
    printf("{");
    begin_text("agent", g->agents[g->baseline].label);
    write_text("origin", origin_name(g->agents[g->baseline].origin));
    write_flag("given", query->baseline != NULL);
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
  write_text("series", query->series);
  write_text("better", query->lower ? "lower" : "higher");
  write_real("level", query->how.level);
  write_text("correction", query->correction_name);
  write_integer("resamples", (uint64_t)query->how.resamples);
  write_integer("seed", query->how.seed);
  write_integer("cells_without_series", data->without);
  printf(",\"groups\":[");
  for (size_t i = 0; i < groups->count; ++i) {
    printf("%s\n", i ? "," : "");
    write_group(&groups->list[i], data, query);
  }
  printf("]}\n");
}
