/* Runs until the interval of every cell's mean is narrow enough. Looks are at prefixes of the runs, fixed
 * beforehand (farsight/statistics.h, far_until), so that the result depends on the numbers alone: not on
 * threads, nor on what a store knows already. */
#include "base/error.h"
#include "farsight/statistics.h"
#include "lab/study/parts.h"
#include "lab/study/pursuit.h"
#include "statistics/rules.h"

static far_status pursue(far__pursuit *p, const far_until *until, far_look *looks,
                         far_error *error) {
  size_t open = p->def.n_cells;
  far_status status = FAR_OK;
  for (int look = 1; status == FAR_OK && open > 0; ++look) {
    for (size_t i = 0; i < p->def.n_cells; ++i)
      if (!looks[i].enough && !looks[i].last) p->cells[i].runs = far_until_runs(until, look);
    status = far__pursuit_run(p, error);
    if (status == FAR_OK) {
      open = 0;
      for (size_t i = 0; status == FAR_OK && i < p->def.n_cells; ++i) {
        if (looks[i].enough || looks[i].last) continue;
        status =
            far_until_look(&looks[i], until, look, far_batch_result(p->batch, i)->totals, error);
        open += !looks[i].enough && !looks[i].last;
      }
    }
  }
  return status;
}

far_status far__study_until(far_until *out, const far_study *study, far_error *error) {
  const char *text = far_study_info_of(study).until;
  *out = far_until_default();
  if (text[0] == '\0')
    return far__fail(error, FAR_STATUS_RANGE, -1, "the study has no stopping rule ('until')");
  out->most = far_study_batch(study)->runs;
  if (out->first > out->most) out->first = out->most;
  const far_status status = far__until_parse(out, text, error);
  return status == FAR_OK ? far__until_check(out, error) : status;
}

far_status far__until_run(far_batch **out, far_look *looks, const far_until *until,
                          const far_batch_def *def, far_store *store, far_error *error) {
  far__pursuit p;
  *out = NULL;
  far_status status = far__until_check(until, error);
  if (status != FAR_OK) return status;
  status = far__pursuit_begin(&p, def, store, error);
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) looks[i] = (far_look){0};
  if (status == FAR_OK) status = pursue(&p, until, looks, error);
  for (size_t i = 0; p.batch != NULL && i < def->n_cells; ++i) looks[i].computed = p.computed[i];
  return far__pursuit_end(out, &p, status);
}
