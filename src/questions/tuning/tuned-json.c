/* The comparison of tuned agents as JSON: everything that is in far_tune_result. */
#include <math.h> /* NAN */
#include <stdio.h>

#include "base/json.h"
#include "lab/study/parts.h"
#include "questions/tuning/tuned-comparison.h"
#include "questions/tuning/tuned.h"

const char *far__near_name(far_tune_near near) {
  static const char *const names[] = {"surely", "perhaps", "no"};
  return names[near];
}

static void write_score(far__json *j, const char *key, const far_tune_score *score) {
  if (score->runs == 0) {
    far__json_null(j, key);
    return;
  }
  far__json_object(j, key);
  far__json_real(j, "mean", score->mean);
  far__json_real(j, "ci95", score->ci95);
  far__json_integer(j, "runs", (uint64_t)score->runs);
  far__json_end(j);
}

static void write_cells(far__json *j, const far__tuned_comparison_info *info,
                        const far_tune_result *r) {
  far__json_array(j, "cells");
  for (size_t i = 0; i < info->tune->n_cells; ++i) {
    const far_tune_cell *cell = &info->tune->cells[i];
    far__json_object(j, NULL);
    far__json_text(j, "env", far__tuned_env(cell));
    if (cell->with[0] != '\0') far__json_text(j, "with", cell->with);
    if (far__tuned_fits(info)) far__json_real(j, "target", cell->target);
    if (far__tuned_fits(info) && cell->std > 0) far__json_real(j, "target_std", cell->std);
    far__json_real(j, "mean", r->means != NULL ? r->means[i] : NAN);
    far__json_real(j, "ci95", r->means != NULL ? r->ci95s[i] : NAN);
    far__json_real(j, "std", r->means != NULL ? r->stds[i] : NAN);
    if (!far__tuned_fits(info) && info->tune->score == NULL) {
      far__json_real(j, "random", cell->low);
      far__json_real(j, "optimum", cell->high);
    }
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_profiles(far__json *j, const far_tune_result *r) {
  far__json_real(j, "profile_score", r->profile_score);
  far__json_array(j, "profiles");
  for (size_t i = 0; i < r->n_profiles; ++i) {
    const far_tune_profile *p = &r->profiles[i];
    far__json_object(j, NULL);
    far__json_text(j, "key", p->key);
    far__json_text(j, "value", p->value);
    far__json_text(j, "low", p->low);
    far__json_text(j, "high", p->high);
    far__json_text(j, "low_perhaps", p->low_perhaps);
    far__json_text(j, "high_perhaps", p->high_perhaps);
    far__json_real(j, "mean_loss", p->mean_loss);
    far__json_real(j, "worst_loss", p->worst_loss);
    far__json_array(j, "points");
    for (size_t k = 0; k < p->n_points; ++k) {
      far__json_object(j, NULL);
      far__json_text(j, "value", p->points[k].value);
      far__json_real(j, "loss", p->points[k].loss);
      far__json_real(j, "ci95", p->points[k].ci95);
      far__json_text(j, "within_1", far__near_name(p->points[k].near));
      far__json_end(j);
    }
    far__json_end(j);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_trials(far__json *j, const far_tune_result *r) {
  far__json_array(j, "trials");
  for (size_t i = 0; i < r->n_trials; ++i) {
    const far_tune_trial *t = &r->trials[i];
    far__json_object(j, NULL);
    far__json_integer(j, "candidate", t->candidate);
    far__json_text(j, "agent", t->agent);
    far__json_integer(j, "runs", (uint64_t)t->runs);
    far__json_real(j, "score", t->score);
    far__json_end(j);
  }
  far__json_end(j);
}

static void write_search(far__json *j, const far_tune_result *r) {
  far__json_text(j, "space", r->space);
  far__json_text(j, "best", r->best);
  far__json_text(j, "defaults", r->defaults);
  far__json_flag(j, "normalised", r->normalised);
  far__json_integer(j, "candidates", (uint64_t)r->candidates);
  far__json_flag(j, "complete", r->complete);
  far__json_integer(j, "budget", (uint64_t)r->budget);
  far__json_integer(j, "spent", (uint64_t)r->spent);
  far__json_integer(j, "evaluation_steps", (uint64_t)r->evaluation_steps);
  far__json_integer(j, "profile_steps", (uint64_t)r->profile_steps);
}

static void write_scores(far__json *j, const far_tune_result *r) {
  far__json_real(j, "tuned", r->tuned);
  far__json_integer(j, "tuned_runs", (uint64_t)r->tuned_runs);
  write_score(j, "score", &r->score);
  write_score(j, "default_score", &r->default_score);
  far__json_real(j, "gain", r->gain);
  far__json_real(j, "gain_ci95", r->gain_ci95);
  far__json_real(j, "optimism", r->optimism);
  far__json_real(j, "within_1", r->within_1);
  far__json_real(j, "within_5", r->within_5);
}

static void write_agent(far__json *j, const far__tuned_comparison_info *info,
                        const far__tuned_agent *agent) {
  far__json_object(j, NULL);
  write_search(j, agent->result);
  write_scores(j, agent->result);
  if (info->n_agents > 1 && agent->result->score.runs > 0) {
    far__json_flag(j, "chosen", agent->chosen);
    far__json_real(j, "to_chosen", agent->difference);
    far__json_real(j, "to_chosen_ci95", agent->ci95);
  }
  write_cells(j, info, agent->result);
  write_profiles(j, agent->result);
  write_trials(j, agent->result);
  far__json_end(j);
}

void far__tuned_json(const void *comparison, far__json *j) {
  static const char *const goals[] = {"reward", "fit", "fit-relative"};
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(comparison);
  static const char *const stages[] = {"tune", "evaluate", "profile"};
  char text[32];
  far__json_integer(j, "seed", info.tune->seed);
  far__json_object(j, "seeds");
  for (size_t i = 0; i < 3; ++i) {
    snprintf(text, sizeof text, "%llu",
             (unsigned long long)far__tune_seed(info.tune->seed, stages[i]));
    far__json_text(j, stages[i], text);
  }
  far__json_end(j);
  far__json_text(j, "method", info.tune->method);
  far__json_text(j, "goal", info.tune->score != NULL ? "metric" : goals[info.tune->goal]);
  if (info.tune->score != NULL) {
    far__json_text(j, "metric", info.tune->score);
    far__json_flag(j, "higher_is_better", far_series_higher_is_better(info.tune->score));
  }
  if (!far__tuned_fits(&info)) far__json_text(j, "plain_because", info.plain_reason);
  far__json_integer(j, "steps", (uint64_t)info.tune->steps);
  far__json_integer(j, "runs", (uint64_t)info.tune->runs);
  far__json_array(j, "agents");
  for (size_t i = 0; i < info.n_agents; ++i)
    if (info.agents[i].result != NULL) write_agent(j, &info, &info.agents[i]);
  far__json_end(j);
}
