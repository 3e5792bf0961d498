/* All that a comparison finds, as members of a JSON document. */
#include <math.h>

#include "base/json.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"

static void write_estimate(far__json *j, const char *key, const far_estimate *e) {
  if (e->value != e->value) {
    far__json_null(j, key);
    return;
  }
  far__json_object(j, key);
  far__json_real(j, "value", e->value);
  far__json_real(j, "low", e->low);
  far__json_real(j, "high", e->high);
  far__json_real(j, "std", e->std);
  far__json_end(j);
}

/* A label may be of two agents with different origins. */
static void write_agent(far__json *j, const far_comparison_agent *agent) {
  far__json_text(j, "agent", agent->label);
  far__json_text(j, "origin", far__origin_name(agent->origin));
}

static void write_place(far__json *j, const far_comparison_group *g, size_t i) {
  far__json_text(j, "env", g->envs[i / g->n_agents].label);
  write_agent(j, &g->agents[i % g->n_agents]);
}

/* ---- parts of a group ---- */

static void write_scale(far__json *j, const far_comparison_scale *s) {
  static const char *const ends[] = {NULL, "policies", "observed"};
  if (s->kind == FAR_SCALE_NONE) {
    far__json_null(j, "scale");
    return;
  }
  far__json_object(j, "scale");
  far__json_text(j, "ends", ends[s->kind]);
  far__json_real(j, "low", s->low);
  far__json_real(j, "high", s->high);
  far__json_end(j);
}

static void write_envs(far__json *j, const far_comparison_group *g) {
  far__json_array(j, "environments");
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_env *env = &g->envs[e];
    far__json_object(j, NULL);
    far__json_text(j, "env", env->label);
    far__json_text(j, "spec", env->spec);
    far__json_text(j, "model", env->model);
    write_scale(j, &env->scale);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_cells(far__json *j, const far_comparison_group *g) {
  far__json_array(j, "cells");
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    if (g->cells[i].runs == 0) continue;
    far__json_object(j, NULL);
    write_place(j, g, i);
    const far_comparison_cell *cell = &g->cells[i];
    const far_summary *s = &cell->summary;
    far__json_text(j, "spec", cell->spec);
    far__json_integer(j, "runs", (uint64_t)cell->runs);
    far__json_real(j, "mean", s->mean);
    far__json_real(j, "std", s->std);
    far__json_real(j, "low", s->low);
    far__json_real(j, "high", s->high);
    far__json_real(j, "min", s->min);
    far__json_real(j, "first_quartile", s->first_quartile);
    far__json_real(j, "median", s->median);
    far__json_real(j, "third_quartile", s->third_quartile);
    far__json_real(j, "max", s->max);
    far__json_real(j, "iqm", s->iqm);
    far__json_object(j, "bootstrap");
    far__json_flag(j, "finite", cell->finite);
    write_estimate(j, "mean", &cell->mean);
    write_estimate(j, "median", &cell->median);
    write_estimate(j, "iqm", &cell->iqm);
    far__json_end(j);
    far__write_times(j, &cell->times, cell->limit);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_baseline(far__json *j, const far_comparison_group *g, bool given) {
  if (g->baseline == g->n_agents) {
    far__json_null(j, "baseline");
    return;
  }
  far__json_object(j, "baseline");
  write_agent(j, &g->agents[g->baseline]);
  far__json_flag(j, "given", given);
  far__json_end(j);
}

static void write_difference(far__json *j, const far_comparison_difference *d) {
  far__json_text(j, "test", d->paired ? "paired t" : "Welch");
  far__json_integer(j, "runs", (uint64_t)d->runs);
  far__json_integer(j, "baseline_runs", (uint64_t)d->baseline_runs);
  if (d->paired) far__json_integer(j, "pairs", (uint64_t)d->pairs);
  far__json_flag(j, "varies", !d->constant);
  far__json_real(j, "mean", d->mean);
  far__json_real(j, "low", d->low);
  far__json_real(j, "high", d->high);
  write_estimate(j, "bootstrap", &d->bootstrap);
  far__json_real(j, "t", d->t);
  far__json_real(j, "degrees", d->degrees);
  far__json_real(j, "p", d->p);
  far__json_real(j, "p_adjusted", d->p_adjusted);
  if (!d->paired) return;
  far__json_real(j, "won", d->won);
  far__json_real(j, "tied", d->tied);
  far__json_real(j, "correlation", d->correlation);
  far__json_real(j, "saving", d->saving);
}

static void write_differences(far__json *j, const far_comparison_group *g) {
  far__json_integer(j, "family", g->n_differences);
  far__json_real(j, "difference_level", g->n_differences > 0 ? g->difference_level : NAN);
  far__json_integer(j, "improvement_family", g->n_improvements);
  far__json_real(j, "improvement_level", g->n_improvements > 0 ? g->improvement_level : NAN);
  far__json_array(j, "comparisons");
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    if (!g->cells[i].difference.exists) continue;
    far__json_object(j, NULL);
    write_place(j, g, i);
    write_difference(j, &g->cells[i].difference);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_improvements(far__json *j, const far_comparison_group *g) {
  far__json_array(j, "improvement");
  for (size_t k = 0; k < g->n_agents && g->baseline < g->n_agents; ++k) {
    const far_comparison_agent *agent = &g->agents[k];
    if (k == g->baseline) continue;
    far__json_object(j, NULL);
    write_agent(j, agent);
    far__json_integer(j, "environments", agent->improvement.n_envs);
    write_estimate(j, "any_two_runs", &agent->improvement.any);
    write_estimate(j, "same_luck", &agent->improvement.paired);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_scores(far__json *j, const far_comparison_group *g) {
  far__json_array(j, "scores");
  for (size_t k = 0; k < g->n_agents; ++k) {
    const far_comparison_scores *s = &g->agents[k].scores;
    if (!s->exists) continue;
    far__json_object(j, NULL);
    write_agent(j, &g->agents[k]);
    far__json_integer(j, "environments", g->n_scales);
    write_estimate(j, "iqm", &s->aggregate.iqm);
    write_estimate(j, "mean", &s->aggregate.mean);
    write_estimate(j, "median", &s->aggregate.median);
    write_estimate(j, "optimality_gap", &s->aggregate.gap);
    far__json_array(j, "profile");
    for (size_t i = 0; i < FAR_COMPARISON_TAUS; ++i) {
      far__json_object(j, NULL);
      far__json_real(j, "tau", far__comparison_tau(i));
      far__json_real(j, "value", s->profile[i].value);
      far__json_real(j, "low", s->profile[i].low);
      far__json_real(j, "high", s->profile[i].high);
      far__json_end(j);
    }
    far__json_end(j);
    far__json_end(j);
  }
  far__json_end(j);
}

/* ---- the whole ---- */

void far__comparison_json(const void *user, far__json *j) {
  const far_comparison *comparison = user;
  far__json_text(j, "series", comparison->series);
  far__json_text(j, "better", comparison->lower ? "lower" : "higher");
  if (comparison->event != NULL) far__json_text(j, "event", comparison->event);
  far__json_real(j, "level", comparison->bootstrap.level);
  far__json_text(j, "correction", far_correction_name(comparison->correction));
  far__json_integer(j, "resamples", (uint64_t)comparison->bootstrap.resamples);
  far__json_integer(j, "seed", comparison->bootstrap.seed);
  far__json_integer(j, "cells_without_series", comparison->n_without);
  far__json_array(j, "groups");
  for (size_t i = 0; i < comparison->n_groups; ++i) {
    const far_comparison_group *g = &comparison->groups[i];
    far__json_object(j, NULL);
    far__json_real(j, "steps", g->steps > 0 ? (double)g->steps : NAN);
    if (g->episodes > 0) far__json_integer(j, "episodes", (uint64_t)g->episodes);
    if (g->numerics != 0)
      far__json_integer(j, "seed", g->seed);
    else
      far__json_null(j, "seed");
    far__json_integer(j, "numerics", (uint64_t)g->numerics);
    write_envs(j, g);
    write_cells(j, g);
    write_baseline(j, g, comparison->baseline != NULL);
    write_differences(j, g);
    write_improvements(j, g);
    write_scores(j, g);
    far__json_end(j);
  }
  far__json_end(j);
}
