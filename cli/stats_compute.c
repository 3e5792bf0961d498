/* Cells described, and the baseline chosen. */
#include "stats.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

void stats_no_interval(far_estimate *estimate) {
  estimate->low = estimate->high = estimate->std = NAN;
}

void stats_no_point(far_estimate *estimate) {
  if (estimate->low == estimate->high) stats_no_interval(estimate);
}

void stats_progress(const char *what, size_t done, size_t all) {
  static bool shown;
  if (!isatty(STDERR_FILENO) || (!shown && all < 20)) return;
  if (done < all) fprintf(stderr, "\r\033[K  %s %zu of %zu", what, done + 1, all);
  if (done >= all && shown) fprintf(stderr, "\r\033[K");
  shown = done < all;
  fflush(stderr);
}

/* ---- cells ---- */

enum { MEAN, MEDIAN, IQM };

static void three_numbers(double *out, const far_sample *samples, size_t n_samples, void *user) {
  far_statistic_mean(&out[MEAN], samples, n_samples, user);
  far_statistic_median(&out[MEDIAN], samples, n_samples, user);
  far_statistic_iqm(&out[IQM], samples, n_samples, user);
}

static far_status describe(stats_cell *cell, const stats_query *query, far_error *error) {
  const far_estimate unknown = {NAN, NAN, NAN, NAN, NAN, NAN};
  far_estimate e[3] = {unknown, unknown, unknown};
  const far_sample sample = {cell->x, cell->n};
  far_status status =
      far_sample_summarise(&cell->summary, cell->x, cell->n, query->how.level, error);
  if (status == FAR_OK && cell->finite)
    status = far_bootstrap_run(e, 3, &sample, 1, three_numbers, NULL, &query->how, error);
  if (cell->summary.low == cell->summary.high) cell->summary.low = cell->summary.high = NAN;
  for (size_t k = 0; k < 3; ++k) stats_no_point(&e[k]);
  cell->mean = e[MEAN];
  cell->median = e[MEDIAN];
  cell->iqm = e[IQM];
  return status;
}

/* ---- the baseline ---- */

static bool is_agent(const stats_group *g, size_t j, const stats_data *data, const char *wanted) {
  if (strcmp(g->agents[j].label, wanted) == 0) return true;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_record r = {.agent = (char *)g->cells[e * g->n_agents + j].agent,
                            .env = g->envs[e]};
    if (r.agent != NULL && !stats_agent_is(data, &r, wanted)) return false;
  }
  return true;
}

static size_t find_baseline(const stats_group *g, const stats_data *data, const char *wanted) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (is_agent(g, j, data, wanted)) return j;
  for (size_t j = 0; j < g->n_agents; ++j)
    if (fnmatch(wanted, g->agents[j].label, 0) == 0) return j;
  return g->n_agents;
}

/* On how many environments no agent has a better mean. */
static size_t environments_led(const stats_group *g, size_t agent, bool lower) {
  size_t out = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const stats_cell *cells = &g->cells[e * g->n_agents];
    bool best = cells[agent].n > 0;
    for (size_t j = 0; j < g->n_agents && best; ++j) {
      if (cells[j].n == 0) continue;
      const double more = cells[j].summary.mean - cells[agent].summary.mean;
      best = !(lower ? more < 0 : more > 0);
    }
    out += best;
  }
  return out;
}

static size_t best_scored(const stats_group *g) {
  size_t best = g->n_agents;
  for (size_t j = 0; j < g->n_agents; ++j)
    if (g->scores[j].there && (best == g->n_agents || g->scores[j].aggregate.iqm.value >
                                                          g->scores[best].aggregate.iqm.value))
      best = j;
  return best;
}

/* The greatest interquartile mean of the scores; where there are none, the best mean on the most
 * environments. Of equal ones the first. */
static size_t best_agent(const stats_group *g, bool lower) {
  const size_t scored = best_scored(g);
  if (scored < g->n_agents) return scored;
  size_t best = 0, most = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const size_t led = environments_led(g, j, lower);
    best = led > most ? j : best;
    most = led > most ? led : most;
  }
  return best;
}

far_status stats_compute(stats_group *g, const stats_data *data, const stats_query *query,
                         far_error *error) {
  const size_t n_cells = g->n_envs * g->n_agents;
  far_status status = FAR_OK;
  g->comparisons = room_for(n_cells, sizeof *g->comparisons);
  g->improvements = room_for(g->n_agents, sizeof *g->improvements);
  for (size_t i = 0; i < n_cells && status == FAR_OK; ++i) {
    stats_progress("cell", i, n_cells);
    if (g->cells[i].n > 0) status = describe(&g->cells[i], query, error);
  }
  stats_progress("cell", n_cells, n_cells);
  if (status == FAR_OK) status = stats_score(g, data, query, error);
  if (status != FAR_OK) return status;
  g->baseline = query->baseline != NULL ? find_baseline(g, data, query->baseline)
                : g->n_agents > 1       ? best_agent(g, query->lower)
                                        : g->n_agents;
  if (g->baseline == g->n_agents) return FAR_OK;
  return stats_compare(g, query, error);
}
