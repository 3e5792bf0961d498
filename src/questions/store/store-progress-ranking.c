/* What a study that runs until its agents are ranked will need: the looks at the runs that are there, as the
 * study takes them. */
#include <stdlib.h>

#include "lab/store/access.h"
#include "questions/store/store-progress.h"
#include "statistics/rules.h"

/* The followed cell of cell i of the plan. */
static size_t cell_of(const far__follower *f, size_t i) {
  return far__followed_find(f, far__keeper_record(f->keeper, i).key);
}

/* The runs of all cells of the plan; false if one that the next look needs lacks some. */
static bool gather(far_sample *out, const far__follower *f, const far_ranking_info *info) {
  bool complete = true;
  for (size_t i = 0; i < f->def.plan->n_cells; ++i) {
    const size_t cell = cell_of(f, i);
    out[i].n = far__followed_unbroken(f, &f->cells[cell], f->shown[cell].runs, &out[i].x);
    if (out[i].n < info->next &&
        far__ranking_is_open(f->ranking, i / info->n_agents, i % info->n_agents))
      complete = false;
  }
  return complete;
}

/* The runs of the last look at an agent. */
static int64_t runs_looked_at(const far_ranking *ranking, size_t n_pairs, size_t env,
                              size_t agent) {
  int64_t runs = 0;
  for (size_t i = 0; i < n_pairs; ++i) {
    const far_ranking_pair *pair = far_ranking_pair_at(ranking, i);
    if (pair->env == env && (pair->a == agent || pair->b == agent) && pair->runs > runs)
      runs = pair->runs;
  }
  return runs;
}

far_status far__followed_rank(far__follower *f, far_error *error) {
  far_ranking_info info = far_ranking_info_of(f->ranking);
  far_sample *samples = malloc((f->def.plan->n_cells + 1) * sizeof *samples);
  far_status status = samples != NULL ? FAR_OK : far__follow_memory(error);
  while (status == FAR_OK && info.next > 0 && gather(samples, f, &info)) {
    status = far_ranking_look(f->ranking, samples, NULL, error);
    info = far_ranking_info_of(f->ranking);
  }
  free(samples);
  for (size_t i = 0; status == FAR_OK && i < f->def.plan->n_cells; ++i) {
    far__store_progress_cell *shown = &f->shown[cell_of(f, i)];
    const far__followed_cell *cell = &f->cells[cell_of(f, i)];
    const size_t env = i / info.n_agents, agent = i % info.n_agents;
    const bool needs_more = info.next > 0 && far__ranking_is_open(f->ranking, env, agent);
    shown->planned = needs_more ? info.next : runs_looked_at(f->ranking, info.n_pairs, env, agent);
    shown->done = far__followed_done(cell);
    shown->finished = !needs_more && shown->done >= shown->planned;
    if (shown->done > shown->planned) shown->done = shown->planned;
  }
  return status;
}
