/* What the parts of the report of tuned agents share. */
#ifndef FAR_QUESTIONS_TUNING_TUNED_H
#define FAR_QUESTIONS_TUNING_TUNED_H

#include "base/json.h"
#include "farsight/run.h"
#include "questions/tuning/tuned-comparison.h"

static inline bool far__tuned_fits(const far__tuned_comparison_info *info) {
  return info->tune->goal != FAR_GOAL_REWARD;
}

/* Of scores as people read them: a distance is positive, and so is a metric of which less is better. */
static inline double far__tuned_sign(const far__tuned_comparison_info *info) {
  const char *metric = info->tune->score;
  return far__tuned_fits(info) || (metric != NULL && !far_series_higher_is_better(metric)) ? -1 : 1;
}

/* What a score is called. */
static inline const char *far__tuned_series(const far__tuned_comparison_info *info) {
  if (info->tune->score != NULL) return info->tune->score;
  return far__tuned_fits(info) ? "distance" : "score";
}

/* Are standard deviations to be met? */
static inline bool far__tuned_spreads(const far__tuned_comparison_info *info) {
  for (size_t i = 0; i < info->tune->n_cells; ++i)
    if (info->tune->cells[i].std > 0) return true;
  return false;
}

/* What an environment is called if nobody says it: its spec, or the name of a simulator. */
static inline const char *far__tuned_env(const far_tune_cell *cell) {
  return far_cell_env(&(far_cell){.mdp = cell->mdp, .simulator = cell->simulator});
}

/* The words of far_tune_near. */
const char *far__near_name(far_tune_near near);

/* Writes the members of the JSON document. */
void far__tuned_json(const void *comparison, far__json *json);

#endif
