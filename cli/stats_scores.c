/* Scores that make environments comparable, and what they say of agents over all of them. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policies.h"

double stats_tau(size_t k) {
  return (double)k / (N_TAU - 1);
}

/* ---- scales ---- */

/* Steps that the series adds up rewards of; 0 if it is something else, or they are not known. */
static int64_t rewarded_steps(const stats_group *g, const stats_query *query) {
  int64_t steps;
  if (strcmp(query->series, "total") == 0) return g->steps;
  if (strncmp(query->series, "curve@", 6) != 0) return 0;
  return far_integer_parse(query->series + 6, strlen(query->series + 6), &steps) ? steps : 0;
}

static stats_scale scale_by_policies(const far_mdp *mdp, int64_t steps) {
  stats_scale out = {
      .ends = ENDS_POLICIES, .low = random_total(mdp, steps), .high = best_total(mdp, steps)};
  if (!(out.low < out.high)) out.ends = ENDS_NONE;
  return out;
}

static stats_scale scale_by_runs(const stats_group *g, size_t e, bool lower) {
  double least = INFINITY, most = -INFINITY;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const stats_cell *cell = &g->cells[e * g->n_agents + j];
    if (cell->n == 0) continue;
    least = cell->summary.min < least ? cell->summary.min : least;
    most = cell->summary.max > most ? cell->summary.max : most;
  }
  const bool good = least < most && most - least < INFINITY;
  return (stats_scale){.ends = good ? ENDS_OBSERVED : ENDS_NONE,
                       .low = lower ? most : least,
                       .high = lower ? least : most};
}

static void find_scales(stats_group *g, const stats_data *data, const stats_query *query) {
  const int64_t steps = query->lower ? 0 : rewarded_steps(g, query);
  g->scales = room_for(g->n_envs, sizeof *g->scales);
  g->n_scales = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_mdp *mdp = data->envs[g->envs[e]].mdp;
    if (mdp != NULL && steps > 0) g->scales[e] = scale_by_policies(mdp, steps);
    if (g->scales[e].ends == ENDS_NONE) g->scales[e] = scale_by_runs(g, e, query->lower);
    size_t agents = 0;
    for (size_t j = 0; j < g->n_agents; ++j) {
      const stats_cell *cell = &g->cells[e * g->n_agents + j];
      agents += cell->n > 0;
      if (cell->n > 0 && !cell->finite) g->scales[e].ends = ENDS_NONE;
    }
    g->scales[e].used = g->scales[e].ends != ENDS_NONE && 2 * agents >= g->n_agents;
    g->n_scales += g->scales[e].used;
  }
}

/* ---- agents ---- */

/* 0 at the low end, 1 at the high one, whichever is greater. */
static double *scores_of(const stats_cell *cell, const stats_scale *scale) {
  double *out = room_for((size_t)cell->n, sizeof *out);
  for (int64_t i = 0; i < cell->n; ++i)
    out[i] = (cell->x[i] - scale->low) / (scale->high - scale->low);
  return out;
}

static void each_interval(stats_scores *s, void (*change)(far_estimate *)) {
  change(&s->aggregate.mean);
  change(&s->aggregate.median);
  change(&s->aggregate.iqm);
  change(&s->aggregate.gap);
  for (size_t k = 0; k < N_TAU; ++k) change(&s->profile[k]);
}

static far_status score_agent(stats_scores *out, const far_sample *scores, size_t count,
                              const stats_query *query, far_error *error) {
  double tau[N_TAU];
  for (size_t k = 0; k < N_TAU; ++k) tau[k] = stats_tau(k);
  far_status status = far_scores_aggregate(&out->aggregate, scores, count, &query->how, error);
  if (status == FAR_OK)
    status = far_profile(out->profile, tau, N_TAU, scores, count, &query->how, error);
  out->there = status == FAR_OK;
  bool single = false;
  for (size_t e = 0; e < count; ++e) single = single || scores[e].n < 2;
  each_interval(out, single ? stats_no_interval : stats_no_point);
  return status;
}

far_status stats_score(stats_group *g, const stats_data *data, const stats_query *query,
                       far_error *error) {
  far_status status = FAR_OK;
  find_scales(g, data, query);
  g->scores = room_for(g->n_agents, sizeof *g->scores);
  far_sample *scores = room_for(g->n_envs, sizeof *scores);
  for (size_t j = 0; j < g->n_agents && g->n_scales > 1 && status == FAR_OK; ++j) {
    size_t count = 0;
    stats_progress("scores of agent", j, g->n_agents);
    for (size_t e = 0; e < g->n_envs; ++e) {
      const stats_cell *cell = &g->cells[e * g->n_agents + j];
      if (!g->scales[e].used || cell->n == 0) continue;
      scores[count++] = (far_sample){scores_of(cell, &g->scales[e]), cell->n};
    }
    if (count == g->n_scales) status = score_agent(&g->scores[j], scores, count, query, error);
    for (size_t i = 0; i < count; ++i) free((double *)scores[i].x);
  }
  stats_progress("scores of agent", g->n_agents, g->n_agents);
  free(scores);
  return status;
}
