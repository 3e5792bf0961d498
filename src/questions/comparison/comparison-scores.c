/* Scores that make environments comparable, and what they say of agents over all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "farsight/solve.h"
#include "questions/comparison/comparison.h"

double far__comparison_tau(size_t k) {
  return (double)k / (FAR_COMPARISON_TAUS - 1);
}

/* ---- scales ---- */

/* Steps (episodes, where they end a run) that the series adds up rewards of; 0 if it is something else, or they are
 * unknown. */
static int64_t rewarded_steps(const far_comparison_group *g, const char *series) {
  int64_t steps;
  if (strcmp(series, "total") == 0) return g->episodes > 0 ? g->episodes : g->steps;
  if (strncmp(series, "curve@", 6) != 0) return 0;
  return far__integer_parse(series + 6, strlen(series + 6), &steps) ? steps : 0;
}

/* Solving may take long. */
typedef struct solving {
  far__comparing *c;
  size_t env, n_envs;
  bool by_episode;
} solving;

static bool goes_on(void *user, int64_t sweeps, double error) {
  const solving *s = user;
  (void)sweeps, (void)error;
  return far__work_progress(s->c, "scale", s->env, s->n_envs);
}

/* Rewards of `steps` steps, in the long run; NAN where they depend on the start. */
static void policy_totals(solving *s, const far_mdp *mdp, int64_t steps, double *low,
                          double *high) {
  far__comparing *c = s->c;
  if (s->by_episode) {
    /* Of so many episodes; NAN without a horizon. */
    if (far__work_check(c, far_solve_random_return(low, mdp, c->error)))
      far__work_check(c, far_solve_best_return(high, mdp, c->error));
    *low *= (double)steps;
    *high *= (double)steps;
    return;
  }
  far_solve_def def = far_solve_def_default();
  def.progress = goes_on;
  def.user = s;
  if (far__work_check(c, far_solve_random_total(low, mdp, steps, &def, c->error)))
    far__work_check(c, far_solve_best_total(high, mdp, steps, &def, c->error));
}

/* The best policy needs one average reward for all starts. */
static far_comparison_scale scale_by_policies(solving *s, const far_mdp *mdp, int64_t steps) {
  far_comparison_scale out = {.kind = FAR_SCALE_POLICIES};
  policy_totals(s, mdp, steps, &out.low, &out.high);
  if (!(out.low < out.high)) out.kind = FAR_SCALE_NONE;
  return out;
}

void far__policy_rates(far__comparing *c, const far_comparison_group *g, size_t e, double *low,
                       double *high) {
  const far_mdp *mdp = c->stored->envs[g->envs[e].id].mdp;
  solving s = {c, e, g->n_envs, g->episodes > 0};
  *low = *high = NAN;
  if (mdp != NULL && strcmp(c->out->series, "curve") == 0) policy_totals(&s, mdp, 1, low, high);
}

static far_comparison_scale scale_by_runs(const far_comparison_group *g, size_t e, bool lower) {
  double least = INFINITY, most = -INFINITY;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    if (cell->runs == 0) continue;
    least = cell->summary.min < least ? cell->summary.min : least;
    most = cell->summary.max > most ? cell->summary.max : most;
  }
  const bool good = least < most && most - least < INFINITY;
  return (far_comparison_scale){.kind = good ? FAR_SCALE_OBSERVED : FAR_SCALE_NONE,
                                .low = lower ? most : least,
                                .high = lower ? least : most};
}

/* Infinite runs have no scores, and a scale that few agents are on is of no use to the others. */
static void settle_scale(far_comparison_group *g, size_t e) {
  far_comparison_scale *scale = &g->envs[e].scale;
  size_t agents = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    agents += cell->runs > 0;
    if (cell->runs > 0 && !cell->finite) scale->kind = FAR_SCALE_NONE;
  }
  scale->used = scale->kind != FAR_SCALE_NONE && 2 * agents >= g->n_agents;
  g->n_scales += scale->used;
}

static void find_scales(far__comparing *c, far_comparison_group *g) {
  const bool lower = c->out->lower;
  const int64_t steps = lower ? 0 : rewarded_steps(g, c->out->series);
  for (size_t e = 0; e < g->n_envs && far__work_progress(c, "scale", e, g->n_envs); ++e) {
    far_comparison_scale *scale = &g->envs[e].scale;
    const far_mdp *mdp = c->stored->envs[g->envs[e].id].mdp;
    solving s = {c, e, g->n_envs, g->episodes > 0};
    if (mdp != NULL && steps > 0) *scale = scale_by_policies(&s, mdp, steps);
    if (scale->kind == FAR_SCALE_NONE) *scale = scale_by_runs(g, e, lower);
    settle_scale(g, e);
  }
  far__work_progress(c, "scale", g->n_envs, g->n_envs);
}

/* ---- agents ---- */

/* 0 at the low end, 1 at the high one, whichever is greater; heap. */
static double *scores_of(far__comparing *c, const far_comparison_cell *cell,
                         const far_comparison_scale *scale) {
  double *out = far__work_room(c, (size_t)cell->runs, sizeof *out);
  for (int64_t i = 0; i < cell->runs && out != NULL; ++i)
    out[i] = (cell->values[i] - scale->low) / (scale->high - scale->low);
  return out;
}

static void aggregate(far__comparing *c, far_comparison_scores *out, const far_sample *scores,
                      size_t count, bool together) {
  far_bootstrap_def def = c->how;
  const far_bootstrap_def *how = &def;
  def.together = together;
  double tau[FAR_COMPARISON_TAUS];
  bool single = c->def->quick;
  for (size_t k = 0; k < FAR_COMPARISON_TAUS; ++k) tau[k] = far__comparison_tau(k);
  if (far__work_check(c, far_scores_aggregate(&out->aggregate, scores, count, how, c->error)))
    far__work_check(
        c, far_profile(out->profile, tau, FAR_COMPARISON_TAUS, scores, count, how, c->error));
  out->exists = c->status == FAR_OK;
  for (size_t e = 0; e < count; ++e) single = single || scores[e].n < 2;
  void (*change)(far_estimate *) = single ? far__no_interval : far__no_point;
  change(&out->aggregate.mean);
  change(&out->aggregate.median);
  change(&out->aggregate.iqm);
  change(&out->aggregate.gap);
  for (size_t i = 0; i < FAR_COMPARISON_TAUS; ++i) change(&out->profile[i]);
}

/* `scores` has room for a sample of each environment. */
static void score_agent(far__comparing *c, far_comparison_group *g, size_t j, far_sample *scores) {
  size_t count = 0;
  for (size_t e = 0; e < g->n_envs && c->status == FAR_OK; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    if (!g->envs[e].scale.used || cell->runs == 0) continue;
    scores[count++] = (far_sample){scores_of(c, cell, &g->envs[e].scale), cell->runs};
  }
  if (c->status == FAR_OK && count == g->n_scales)
    aggregate(c, &g->agents[j].scores, scores, count, far__same_replicates(g, j, j));
  for (size_t i = 0; i < count; ++i) free((double *)scores[i].x);
}

void far__group_score(far__comparing *c, far_comparison_group *g) {
  find_scales(c, g);
  if (c->status != FAR_OK || g->n_scales < 2) return;
  far_sample *scores = far__work_room(c, g->n_envs, sizeof *scores);
  for (size_t j = 0; j < g->n_agents && far__work_progress(c, "score", j, g->n_agents); ++j)
    score_agent(c, g, j, scores);
  far__work_progress(c, "score", g->n_agents, g->n_agents);
  free(scores);
}
