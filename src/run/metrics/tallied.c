#include "run/metrics/tallied.h"

#include <string.h>

#include "base/error.h"

far_status far__tallied_create(void **out, const far__scene *scene, far_tally tally,
                               far_error *error) {
  far__tallied *w = calloc(1, sizeof *w + tally.n_marks * sizeof *w->marks);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  w->mdp = scene->mdp;
  w->tally = tally;
  *out = w;
  return FAR_OK;
}

far_status far__tallied_begin(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  far__tallied *w = of;
  (void)agent, (void)s, (void)error;
  memset(w->marks, 0, w->tally.n_marks);
  w->count = (far__count){0};
  return FAR_OK;
}

far_status far__tallied_step(void *of, const far_agent *agent, const far_transition *step,
                             uint32_t next, far_error *error) {
  far__tallied *w = of;
  (void)next, (void)error;
  far__tally_step(&w->tally, &w->count, w->marks, step, far_agent_steps(agent));
  return FAR_OK;
}

double far__tallied_end(void *of, const far_agent *agent) {
  const far__tallied *w = of;
  (void)agent;
  return far__tally_value(&w->tally, &w->count);
}

bool far__tallied_tally(const void *params, const void *of, far_tally *out) {
  (void)params;
  if (of != NULL) *out = ((const far__tallied *)of)->tally;
  return true;
}
