/* The JSON members of a study's results: one object for each cell. */
#include <math.h>

#include "base/json.h"
#include "questions/comparison/times.h"
#include "questions/results/results.h"

static void write_numbers(far__json *j, const far_result *result) {
  far__json_real(j, "mean", result->mean);
  far__json_real(j, "std", result->std);
  far__json_real(j, "ci95", result->ci95);
  far__json_real(j, "min", result->min);
  far__json_real(j, "max", result->max);
}

/* `event`: the numbers are times. */
static void write_point(far__json *j, const far_point *p, int64_t runs, const char *event) {
  far__json_object(j, NULL);
  far__json_integer(j, "step", (uint64_t)p->step);
  far__json_real(j, "mean", p->mean);
  far__json_real(j, "std", p->std);
  far__json_real(j, "ci95", p->ci95);
  if (event != NULL)
    far__json_integer(j, "censored", (uint64_t)far__censored(p->totals, runs, p->step));
  far__json_end(j);
}

/* What metric k said so far; nothing where it says nothing before the end. */
static void write_metric_curve(far__json *j, const far_results *r, size_t i, size_t k) {
  const far_point *p = far_batch_metric_point(r->batch, i, k, 0);
  if (p == NULL) return;
  far__json_array(j, "curve");
  for (size_t c = 0; (p = far_batch_metric_point(r->batch, i, k, c)) != NULL; ++c)
    write_point(j, p, far_batch_metric(r->batch, i, k)->runs, r->def.metrics[k]->event);
  far__json_end(j);
}

static void write_metrics(far__json *j, const far_results *r, size_t i) {
  if (r->def.n_metrics == 0) return;
  far__json_array(j, "metrics");
  for (size_t k = 0; k < r->def.n_metrics; ++k) {
    const far_result *result = far_batch_metric(r->batch, i, k);
    far__json_object(j, NULL);
    far__json_text(j, "metric", r->def.metrics[k]->name);
    write_numbers(j, result);
    far__json_text(j, "hash", result->hash);
    far__write_times(j, far__times_at(r, i, k), r->def.cells[i].steps);
    write_metric_curve(j, r, i, k);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_curve(far__json *j, const far_results *r, size_t i) {
  if (r->def.cells[i].n_checkpoints == 0) return;
  far__json_array(j, "curve");
  for (size_t k = 0; k < r->def.cells[i].n_checkpoints; ++k)
    write_point(j, far_batch_point(r->batch, i, k), 0, NULL);
  far__json_end(j);
}

void far__write_cell(far__json *j, const far_cell *cell, const far_result *result) {
  far__json_text(j, "env", far_cell_env(cell));
  far__json_text(j, "agent", result->agent);
  far__json_flag(j, "peeks", far__peeks(result->agent));
  far__write_length(j, cell->steps, cell->episodes);
  far__json_integer(j, "runs", (uint64_t)result->runs);
  write_numbers(j, result);
  far__json_real(j, "seconds", result->seconds);
  far__json_text(j, "hash", result->hash);
}

void far__write_results(const void *results, far__json *j) {
  const far_results *r = results;
  far__json_integer(j, "seed", r->def.seed);
  far__json_array(j, "cells");
  for (size_t i = 0; i < r->def.n_cells; ++i) {
    far__json_object(j, NULL);
    far__write_cell(j, &r->def.cells[i], far_batch_result(r->batch, i));
    far__json_text(j, "env_label", r->info.env_labels[i / r->info.n_agents]);
    far__json_text(j, "agent_label", r->info.agent_labels[i % r->info.n_agents]);
    write_metrics(j, r, i);
    write_curve(j, r, i);
    if (r->sequential && r->ranking == NULL) {
      const far_look *look = &r->looks[i];
      far__json_object(j, "until");
      far__json_real(j, "half_width", look->n > 0 ? look->half_width : NAN);
      far__json_flag(j, "enough", look->enough);
      far__json_flag(j, "skewed", look->skewed);
      far__json_end(j);
    }
    far__json_end(j);
  }
  far__json_end(j);
  if (r->sequential) {
    const bool ranks = r->ranking != NULL;
    const far_ranking_def rule = ranks ? far_ranking_info_of(r->ranking).def : (far_ranking_def){0};
    far__json_object(j, "until");
    far__json_text(j, "goal", r->info.until);
    far__json_integer(j, "first", (uint64_t)(ranks ? rule.first : r->until.first));
    far__json_integer(j, "most", (uint64_t)(ranks ? rule.most : r->until.most));
    far__json_end(j);
  }
  if (r->ranking != NULL) far__write_ranking(j, r);
  if (r->info.name[0] != '\0') far__json_text(j, "study", r->info.name);
}

/* ---- times, and what the best policy would earn ---- */

const far_times *far__times_at(const far_results *r, size_t i, size_t k) {
  return &r->times[i * r->def.n_metrics + k];
}

const char *far__standard_problem(size_t index) {
  static const char *const specs[] = {"chain:n=10", "chain:n=50", "riverswim", "sixarms",
                                      "loop",       "deepsea",    "bridge",    "frozen-lake"};
  return index < sizeof specs / sizeof *specs ? specs[index] : NULL;
}

/* What the best policy is expected to earn in a run; NAN where that is not known. */
static far_status best_of(double *out, const far_cell *cell, const far_solve_def *how,
                          far_error *error) {
  if (cell->episodes == 0) return far_solve_best_total(out, cell->mdp, cell->steps, how, error);
  const far_status status = far_solve_best_return(out, cell->mdp, error);
  *out *= (double)cell->episodes;
  return status;
}

far_status far__results_best(double *out, const far_results *r, const far_solve_def *how,
                             far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; i < r->info.n_envs; ++i) {
    const far_cell *cell = &r->def.cells[i * r->info.n_agents];
    out[i] = NAN;
    if (status != FAR_OK) continue;
    if (cell->mdp != NULL) status = best_of(&out[i], cell, how, error);
    if (status == FAR_STATUS_MEMORY) return status;
  }
  return FAR_OK;
}
