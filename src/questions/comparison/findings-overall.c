/* Who is best over all environments, and the order of the agents. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/findings.h"
#include "questions/comparison/pairwise.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the findings");
}

static const far_comparison_group *group_of(const far__findings *f) {
  return &f->comparison->groups[f->group];
}

/* ---- over all environments ---- */

/* The agent has runs on all environments: only such agents are compared over all of them. */
static bool is_everywhere(const far_comparison_group *g, size_t j) {
  bool out = true;
  for (size_t e = 0; e < g->n_envs; ++e) out = out && g->cells[e * g->n_agents + j].runs > 0;
  return out;
}

static bool competes(const far__findings *f, size_t j) {
  return !f->reference[j] && is_everywhere(group_of(f), j);
}

/* How often an agent is better than the other contestants, in the mean over these. */
static double strength(const far__findings *f, const far__pairwise *pairs, size_t j) {
  double sum = 0;
  size_t n = 0;
  for (size_t k = 0; k < pairs->n_agents; ++k) {
    if (k == j || !competes(f, k)) continue;
    sum += far__pairwise_of(pairs, j, k)->better;
    ++n;
  }
  return n > 0 ? sum / (double)n : NAN;
}

static size_t strongest(const far__findings *f, const far__pairwise *pairs, size_t *n_compared) {
  size_t best = pairs->n_agents;
  double most = -1;
  *n_compared = 0;
  for (size_t j = 0; j < pairs->n_agents; ++j) {
    if (!competes(f, j)) continue;
    const double s = strength(f, pairs, j);
    *n_compared += 1;
    best = best == pairs->n_agents || s > most ? j : best;
    most = s > most ? s : most;
  }
  return best;
}

/* Those that are better than the leader most often come first. */
static void add_rival(far__finding_overall *out, const far__pairwise *pairs, size_t agent) {
  const far__pairwise_cell *cell = far__pairwise_of(pairs, out->leader, agent);
  size_t k = out->n_rivals++;
  for (; k > 0; --k) {
    const size_t before = out->rivals[k - 1].agent;
    if (far__pairwise_of(pairs, out->leader, before)->better <= cell->better) break;
    out->rivals[k] = out->rivals[k - 1];
  }
  out->rivals[k] = (far__finding_rival){.agent = agent,
                                        .tested = cell->p == cell->p,
                                        .same = cell->pairs > 0 && cell->tied == cell->pairs,
                                        .p_adjusted = cell->p_adjusted};
}

static void meet_all(far__finding_overall *out, const far__findings *f,
                     const far__pairwise *pairs) {
  for (size_t k = 0; k < pairs->n_agents; ++k) {
    const far__pairwise_cell *cell = far__pairwise_of(pairs, out->leader, k);
    if (k == out->leader || !competes(f, k)) continue;
    out->better = out->better <= cell->better ? out->better : cell->better;
    if (cell->decided && cell->better > 0.5)
      out->p = out->p >= cell->p_adjusted ? out->p : cell->p_adjusted;
    else
      add_rival(out, pairs, k);
  }
}

static size_t best_scored(const far__findings *f, bool by_mean) {
  const far_comparison_group *g = group_of(f);
  size_t best = g->n_agents;
  double most = NAN;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_scores *s = &g->agents[j].scores;
    if (!s->exists || !competes(f, j)) continue;
    const double x = by_mean ? s->aggregate.mean.value : s->aggregate.iqm.value;
    best = best == g->n_agents || x > most ? j : best;
    most = most >= x ? most : x;
  }
  return best;
}

static far_status look_over(far__findings *f, const far__pairwise *pairs, far_error *error) {
  far__finding_overall *out = &f->overall;
  size_t n;
  *out = (far__finding_overall){.exists = true, .better = NAN, .p = NAN};
  out->leader = strongest(f, pairs, &n);
  out->n_compared = n;
  out->by_iqm = best_scored(f, false);
  out->by_mean = best_scored(f, true);
  out->rivals = calloc(pairs->n_agents + 1, sizeof *out->rivals);
  if (out->rivals == NULL) return no_memory(error);
  if (n > 1) meet_all(out, f, pairs);
  out->kind = n == 0               ? FAR__FINDING_NOTHING
              : n == 1             ? FAR__FINDING_ALONE
              : out->n_rivals == 0 ? FAR__FINDING_BEST
                                   : FAR__FINDING_TIED;
  return FAR_OK;
}

far_status far__find_overall(far__findings *f, far_error *error) {
  far__pairwise *pairs;
  f->overall.leader = f->overall.by_iqm = f->overall.by_mean = group_of(f)->n_agents;
  if (f->n_envs < 2) return FAR_OK;
  far_status status = far__pairwise_create(&pairs, f->comparison, f->group, error);
  if (status == FAR_OK) status = look_over(f, pairs, error);
  far__pairwise_free(pairs);
  return status;
}

/* ---- the order ---- */

typedef struct placed {
  bool reference, scored;
  double score, rank;
  size_t agent;
} placed;

static int by_place(const void *a, const void *b) {
  const placed *p = a, *q = b;
  if (p->reference != q->reference) return q->reference ? -1 : 1;
  if (p->scored != q->scored) return p->scored ? -1 : 1;
  if (p->scored && p->score != q->score) return p->score > q->score ? -1 : 1;
  if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
  return p->agent < q->agent ? -1 : p->agent > q->agent;
}

far_status far__find_order(far__findings *f, far_error *error) {
  const far_comparison_group *g = group_of(f);
  placed *all = calloc(g->n_agents + 1, sizeof *all);
  if (all == NULL) return no_memory(error);
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_scores *s = &g->agents[j].scores;
    all[j] = (placed){.reference = f->reference[j],
                      .scored = s->exists,
                      .score = s->aggregate.iqm.value,
                      .agent = j};
    for (size_t e = 0; e < g->n_envs; ++e)
      all[j].rank += far__rank_on(g, e, j, f->comparison->lower);
  }
  qsort(all, g->n_agents, sizeof *all, by_place);
  for (size_t j = 0; j < g->n_agents; ++j) f->order[j] = all[j].agent;
  free(all);
  return FAR_OK;
}
