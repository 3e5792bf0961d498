/* Cells described, and the baseline chosen. */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "farsight/agent.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/times.h"
#include "statistics/bootstrap.h"

void far__no_interval(far_estimate *estimate) {
  estimate->low = estimate->high = estimate->std = NAN;
}

void far__no_point(far_estimate *estimate) {
  if (estimate->low == estimate->high) far__no_interval(estimate);
}

/* ---- cells ---- */

static void describe(far__comparing *c, far_comparison_cell *cell) {
  const far_estimate unknown = {NAN, NAN, NAN, NAN, NAN, NAN};
  const far_bootstrap_def *how = &c->how;
  far__centers centers = {unknown, unknown, unknown};
  const bool good = far__work_check(
      c, far_sample_summarise(&cell->summary, cell->values, cell->runs, how->level, c->error));
  if (good && cell->finite && !c->def->quick)
    far__work_check(c, far__sample_centers(&centers, cell->values, cell->runs, how, c->error));
  if (good && cell->finite && c->def->quick) {
    centers.mean.value = cell->summary.mean;
    centers.median.value = cell->summary.median;
    centers.iqm.value = cell->summary.iqm;
  }
  if (cell->summary.low == cell->summary.high) cell->summary.low = cell->summary.high = NAN;
  far__no_point(&centers.mean);
  far__no_point(&centers.median);
  far__no_point(&centers.iqm);
  cell->mean = centers.mean;
  cell->median = centers.median;
  cell->iqm = centers.iqm;
}

/* Imported runs whose steps are unknown are taken to be as long as the others. */
static int64_t steps_of(const far_comparison_group *g, const far_comparison_cell *cell) {
  return cell->steps > 0 ? cell->steps : g->steps;
}

static int64_t limit_of(const char *series, const far_comparison_group *g,
                        const far_comparison_cell *cell) {
  return far__length_limit(series, steps_of(g, cell), g->episodes);
}

static void describe_all(far__comparing *c, far_comparison_group *g) {
  const size_t count = g->n_envs * g->n_agents;
  g->timed = limit_of(c->out->series, g, &(far_comparison_cell){0}) > 0;
  for (size_t i = 0; i < count && far__work_progress(c, "cell", i, count); ++i) {
    far_comparison_cell *cell = &g->cells[i];
    if (cell->runs == 0) continue;
    describe(c, cell);
    cell->limit = limit_of(c->out->series, g, cell);
    far__work_check(
        c, far__times_describe(&cell->times, cell->values, cell->runs, cell->limit, c->error));
  }
  far__work_progress(c, "cell", count, count);
}

double far__rank_on(const far_comparison_group *g, size_t e, size_t j, bool lower) {
  const far_comparison_cell *row = far__cell_of(g, e, 0);
  const double sign = lower ? -1 : 1, mean = sign * row[j].summary.mean;
  double rank = 0;
  if (row[j].runs == 0 || mean != mean) return (double)g->n_agents;
  for (size_t k = 0; k < g->n_agents; ++k)
    rank += row[k].runs > 0 && sign * row[k].summary.mean > mean;
  return rank;
}

int64_t far__most_runs(const far_comparison_group *g) {
  int64_t most = 0;
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i)
    if (g->cells[i].runs > most) most = g->cells[i].runs;
  return most;
}

/* ---- the baseline ---- */

static bool is_agent(far__comparing *c, const far_comparison_group *g, size_t j,
                     const char *wanted) {
  if (strcmp(g->agents[j].label, wanted) == 0) return true;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    const int64_t steps = steps_of(g, cell);
    if (cell->spec != NULL &&
        !far__agent_is(c, g->envs[e].id, steps, g->episodes, cell->spec, wanted))
      return false;
  }
  return true;
}

static size_t find_baseline(far__comparing *c, const far_comparison_group *g, const char *wanted) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (is_agent(c, g, j, wanted)) return j;
  for (size_t j = 0; j < g->n_agents; ++j)
    if (fnmatch(wanted, g->agents[j].label, 0) == 0) return j;
  return g->n_agents;
}

static bool peeks(const far_comparison_group *g, size_t j) {
  const far_type_info *type = g->agents[j].origin == FAR_ORIGIN_COMPUTED
                                  ? far_spec_type(far_agent_type, far__agent_spec(g, j))
                                  : NULL;
  return type != NULL && type->peeks;
}

/* The agent is told the model, and others are not: it is not chosen as the best. */
static bool passed_over(const far__comparing *c, const far_comparison_group *g, size_t j) {
  if (!c->def->learners || !peeks(g, j)) return false;
  for (size_t k = 0; k < g->n_agents; ++k)
    if (!peeks(g, k)) return true;
  return false;
}

/* On how many environments no agent has a better mean. */
static size_t environments_led(const far__comparing *c, const far_comparison_group *g,
                               size_t agent) {
  size_t out = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *cells = &g->cells[e * g->n_agents];
    bool best = cells[agent].runs > 0;
    for (size_t j = 0; j < g->n_agents && best; ++j) {
      if (cells[j].runs == 0 || passed_over(c, g, j)) continue;
      const double more = cells[j].summary.mean - cells[agent].summary.mean;
      best = !(c->out->lower ? more < 0 : more > 0);
    }
    out += best;
  }
  return out;
}

static size_t best_scored(const far__comparing *c, const far_comparison_group *g) {
  size_t best = g->n_agents;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_comparison_scores *s = &g->agents[j].scores;
    if (!s->exists || passed_over(c, g, j)) continue;
    if (best == g->n_agents || s->aggregate.iqm.value > g->agents[best].scores.aggregate.iqm.value)
      best = j;
  }
  return best;
}

/* The greatest interquartile mean of the scores; where there are none, the best mean on the most
 * environments. Of equal ones the first. */
static size_t best_agent(const far__comparing *c, const far_comparison_group *g) {
  const size_t scored = best_scored(c, g);
  if (scored < g->n_agents) return scored;
  size_t best = g->n_agents, most = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    if (passed_over(c, g, j)) continue;
    const size_t led = environments_led(c, g, j);
    if (best == g->n_agents || led > most) best = j;
    most = led > most ? led : most;
  }
  return best;
}

void far__group_compute(far__comparing *c, far_comparison_group *g) {
  describe_all(c, g);
  if (c->status == FAR_OK) far__group_score(c, g);
  if (c->status != FAR_OK) return;
  g->baseline = c->def->baseline != NULL ? find_baseline(c, g, c->def->baseline)
                : g->n_agents > 1        ? best_agent(c, g)
                                         : g->n_agents;
  if (c->status == FAR_OK && g->baseline < g->n_agents) far__group_compare(c, g);
}
