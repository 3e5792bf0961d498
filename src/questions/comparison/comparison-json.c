/* All that a comparison finds, as members of a JSON document. */
#include <math.h>

#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"

static void write_estimate(far_json *j, const char *key, const far_estimate *e) {
  if (e->value != e->value) {
    far_json_null(j, key);
    return;
  }
  far_json_object(j, key);
  far_json_real(j, "value", e->value);
  far_json_real(j, "low", e->low);
  far_json_real(j, "high", e->high);
  far_json_real(j, "std", e->std);
  far_json_end(j);
}

/* A label may be of two agents with different origins. */
static void write_agent(far_json *j, const far_comparison_agent *agent) {
  far_json_text(j, "agent", agent->label);
  far_json_text(j, "origin", far__origin_name(agent->origin));
}

static void write_place(far_json *j, const far_comparison_group *g, size_t i) {
  far_json_text(j, "env", g->envs[i / g->n_agents].label);
  write_agent(j, &g->agents[i % g->n_agents]);
}

/* ---- parts of a group ---- */

static void write_scale(far_json *j, const far_comparison_scale *s) {
  static const char *const ends[] = {NULL, "policies", "observed"};
  if (s->kind == FAR_SCALE_NONE) {
    far_json_null(j, "scale");
    return;
  }
  far_json_object(j, "scale");
  far_json_text(j, "ends", ends[s->kind]);
  far_json_real(j, "low", s->low);
  far_json_real(j, "high", s->high);
  far_json_end(j);
}

static void write_envs(far_json *j, const far_comparison_group *g) {
  far_json_array(j, "environments");
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_env *env = &g->envs[e];
    far_json_object(j, NULL);
    far_json_text(j, "env", env->label);
    far_json_text(j, "spec", env->spec);
    far_json_text(j, "model", env->model);
    write_scale(j, &env->scale);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_cell(far_json *j, const far_comparison_cell *cell) {
  const far_summary *s = &cell->summary;
  far_json_text(j, "spec", cell->spec);
  far_json_integer(j, "runs", (uint64_t)cell->runs);
  far_json_real(j, "mean", s->mean);
  far_json_real(j, "std", s->std);
  far_json_real(j, "low", s->low);
  far_json_real(j, "high", s->high);
  far_json_real(j, "min", s->min);
  far_json_real(j, "first_quartile", s->first_quartile);
  far_json_real(j, "median", s->median);
  far_json_real(j, "third_quartile", s->third_quartile);
  far_json_real(j, "max", s->max);
  far_json_real(j, "iqm", s->iqm);
  far_json_object(j, "bootstrap");
  far_json_flag(j, "finite", cell->finite);
  write_estimate(j, "mean", &cell->mean);
  write_estimate(j, "median", &cell->median);
  write_estimate(j, "iqm", &cell->iqm);
  far_json_end(j);
  far__write_times(j, &cell->times, cell->limit);
}

static void write_cells(far_json *j, const far_comparison_group *g) {
  far_json_array(j, "cells");
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    if (g->cells[i].runs == 0) continue;
    far_json_object(j, NULL);
    write_place(j, g, i);
    write_cell(j, &g->cells[i]);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_baseline(far_json *j, const far_comparison_group *g, bool given) {
  if (g->baseline == g->n_agents) {
    far_json_null(j, "baseline");
    return;
  }
  far_json_object(j, "baseline");
  write_agent(j, &g->agents[g->baseline]);
  far_json_flag(j, "given", given);
  far_json_end(j);
}

static void write_difference(far_json *j, const far_comparison_difference *d) {
  far_json_text(j, "test", d->paired ? "paired t" : "Welch");
  far_json_integer(j, "runs", (uint64_t)d->runs);
  far_json_integer(j, "baseline_runs", (uint64_t)d->baseline_runs);
  if (d->paired) far_json_integer(j, "pairs", (uint64_t)d->pairs);
  far_json_flag(j, "varies", !d->constant);
  far_json_real(j, "mean", d->mean);
  far_json_real(j, "low", d->low);
  far_json_real(j, "high", d->high);
  write_estimate(j, "bootstrap", &d->bootstrap);
  far_json_real(j, "t", d->t);
  far_json_real(j, "degrees", d->degrees);
  far_json_real(j, "p", d->p);
  far_json_real(j, "p_adjusted", d->p_adjusted);
  if (!d->paired) return;
  far_json_real(j, "won", d->won);
  far_json_real(j, "tied", d->tied);
  far_json_real(j, "correlation", d->correlation);
  far_json_real(j, "saving", d->saving);
}

static void write_differences(far_json *j, const far_comparison_group *g) {
  far_json_integer(j, "family", g->n_differences);
  far_json_real(j, "difference_level", g->n_differences > 0 ? g->difference_level : NAN);
  far_json_integer(j, "improvement_family", g->n_improvements);
  far_json_real(j, "improvement_level", g->n_improvements > 0 ? g->improvement_level : NAN);
  far_json_array(j, "comparisons");
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    if (!g->cells[i].difference.exists) continue;
    far_json_object(j, NULL);
    write_place(j, g, i);
    write_difference(j, &g->cells[i].difference);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_improvements(far_json *j, const far_comparison_group *g) {
  far_json_array(j, "improvement");
  for (size_t k = 0; k < g->n_agents && g->baseline < g->n_agents; ++k) {
    const far_comparison_agent *agent = &g->agents[k];
    if (k == g->baseline) continue;
    far_json_object(j, NULL);
    write_agent(j, agent);
    far_json_integer(j, "environments", agent->improvement.n_envs);
    write_estimate(j, "any_two_runs", &agent->improvement.any);
    write_estimate(j, "same_luck", &agent->improvement.paired);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_profile(far_json *j, const far_comparison_scores *s) {
  far_json_array(j, "profile");
  for (size_t k = 0; k < FAR_COMPARISON_TAUS; ++k) {
    far_json_object(j, NULL);
    far_json_real(j, "tau", far_comparison_tau(k));
    far_json_real(j, "value", s->profile[k].value);
    far_json_real(j, "low", s->profile[k].low);
    far_json_real(j, "high", s->profile[k].high);
    far_json_end(j);
  }
  far_json_end(j);
}

static void write_scores(far_json *j, const far_comparison_group *g) {
  far_json_array(j, "scores");
  for (size_t k = 0; k < g->n_agents; ++k) {
    const far_comparison_scores *s = &g->agents[k].scores;
    if (!s->exists) continue;
    far_json_object(j, NULL);
    write_agent(j, &g->agents[k]);
    far_json_integer(j, "environments", g->n_scales);
    write_estimate(j, "iqm", &s->aggregate.iqm);
    write_estimate(j, "mean", &s->aggregate.mean);
    write_estimate(j, "median", &s->aggregate.median);
    write_estimate(j, "optimality_gap", &s->aggregate.gap);
    write_profile(j, s);
    far_json_end(j);
  }
  far_json_end(j);
}

/* ---- the whole ---- */

static void write_group(far_json *j, const far_comparison_group *g, bool given) {
  far_json_object(j, NULL);
  far_json_real(j, "steps", g->steps > 0 ? (double)g->steps : NAN);
  if (g->episodes > 0) far_json_integer(j, "episodes", (uint64_t)g->episodes);
  if (g->numerics != 0)
    far_json_integer(j, "seed", g->seed);
  else
    far_json_null(j, "seed");
  far_json_integer(j, "numerics", (uint64_t)g->numerics);
  write_envs(j, g);
  write_cells(j, g);
  write_baseline(j, g, given);
  write_differences(j, g);
  write_improvements(j, g);
  write_scores(j, g);
  far_json_end(j);
}

void far__report_data(const void *user, far_json *j) {
  const far_comparison *comparison = user;
  far_json_text(j, "series", comparison->series);
  far_json_text(j, "better", comparison->lower ? "lower" : "higher");
  if (comparison->event != NULL) far_json_text(j, "event", comparison->event);
  far_json_real(j, "level", comparison->bootstrap.level);
  far_json_text(j, "correction", far_correction_name(comparison->correction));
  far_json_integer(j, "resamples", (uint64_t)comparison->bootstrap.resamples);
  far_json_integer(j, "seed", comparison->bootstrap.seed);
  far_json_integer(j, "cells_without_series", comparison->n_without);
  far_json_array(j, "groups");
  for (size_t i = 0; i < comparison->n_groups; ++i)
    write_group(j, &comparison->groups[i], comparison->baseline != NULL);
  far_json_end(j);
}
