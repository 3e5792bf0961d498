/* Runs until the agents are ranked. Looks are at prefixes of the runs, fixed beforehand
 * (farsight/statistics.h), so that the decisions depend on the numbers alone: not on threads, nor on what a
 * store knows already. */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/statistics.h"
#include "lab/study/parts.h"
#include "lab/study/pursuit.h"
#include "statistics/rules.h"

far_status far__study_ranking(far_ranking_def *out, const far_study *study, far_error *error) {
  const far_study_info info = far_study_info_of(study);
  *out = far_ranking_def_default();
  if (!far__ranking_is_goal(info.until))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the study does not run until agents are ranked");
  if (info.n_agents < 2)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a ranking needs two agents or more; there is one");
  out->most = far_study_batch(study)->runs;
  if (out->first > out->most) out->first = out->most;
  const far_status status = far__ranking_parse(out, info.until, error);
  return status == FAR_OK ? far__ranking_check(out, error) : status;
}

static far_status pursue(far__pursuit *p, far_ranking *ranking, far_sample *samples,
                         far_error *error) {
  far_ranking_info info = far_ranking_info_of(ranking);
  far_status status = FAR_OK;
  while (status == FAR_OK && info.next > 0) {
    /* Agents with an open pair get the runs of the next look. */
    for (size_t i = 0; i < p->def.n_cells; ++i)
      if (far__ranking_is_open(ranking, i / info.n_agents, i % info.n_agents))
        p->cells[i].runs = info.next;
    status = far__pursuit_run(p, error);
    for (size_t i = 0; status == FAR_OK && i < p->def.n_cells; ++i) {
      const far_result *r = far_batch_result(p->batch, i);
      samples[i] = (far_sample){r->totals, r->runs};
    }
    if (status == FAR_OK) status = far_ranking_look(ranking, samples, NULL, error);
    info = far_ranking_info_of(ranking);
  }
  return status;
}

far_status far__ranking_run(far_batch **out, far_ranking *ranking, int64_t *computed,
                            const far_batch_def *def, far_store *store, far_error *error) {
  const far_ranking_info info = far_ranking_info_of(ranking);
  far__pursuit p;
  *out = NULL;
  if (info.looks > 0 || def->n_cells != info.n_envs * info.n_agents)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "the ranking is not a new one of %zu cells",
                     def->n_cells);
  far_status status = far__pursuit_begin(&p, def, store, error);
  far_sample *samples = malloc((def->n_cells + 1) * sizeof *samples);
  if (status == FAR_OK && samples == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  if (status == FAR_OK) status = pursue(&p, ranking, samples, error);
  for (size_t i = 0; p.batch != NULL && i < def->n_cells; ++i) computed[i] = p.computed[i];
  free(samples);
  return far__pursuit_end(out, &p, status);
}
