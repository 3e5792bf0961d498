/* Runs until the interval of every cell's mean is narrow enough. Looks are at prefixes of the runs, fixed
 * beforehand (farsight/statistics.h, far_until), so that the result depends on the numbers alone: not on
 * threads, nor on what a store knows already. */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/statistics.h"
#include "farsight/study.h"

typedef struct pursuit {
  const far_until *until;
  far_batch_def def; /* with cells of its own */
  far_cell *cells;
  far_block *known; /* all of the look before */
  int64_t
      *computed; /* runs of each cell, over all looks: a look knows the runs of those before it */
  far_store *store;
} pursuit;

static far_status run_look(far_batch **out, pursuit *p, const far_batch *before, far_error *error) {
  p->def.n_done = 0;
  if (p->store != NULL) return far_store_run(out, p->store, &p->def, error);
  for (size_t i = 0; before != NULL && i < p->def.n_cells; ++i)
    p->known[p->def.n_done++] = far_batch_block(before, i);
  return far_batch_run(out, &p->def, error);
}

/* Also where a look was cancelled. */
static void count_computed(pursuit *p, const far_batch *batch) {
  for (size_t i = 0; batch != NULL && i < p->def.n_cells; ++i) {
    const far_result *r = far_batch_result(batch, i);
    p->computed[i] += r->runs - r->known;
  }
}

/* Looks at the cells that are not done; how many still are not. */
static far_status look_at(pursuit *p, const far_batch *batch, int look, far_look *looks,
                          size_t *open, far_error *error) {
  far_status status = FAR_OK;
  *open = 0;
  for (size_t i = 0; status == FAR_OK && i < p->def.n_cells; ++i) {
    if (looks[i].enough || looks[i].last) continue;
    status = far_until_look(&looks[i], p->until, look, far_batch_result(batch, i)->totals, error);
    *open += !looks[i].enough && !looks[i].last;
  }
  return status;
}

static far_status pursue(far_batch **out, far_look *looks, pursuit *p, far_error *error) {
  size_t open = p->def.n_cells;
  far_status status = FAR_OK;
  for (int look = 1; status == FAR_OK && open > 0; ++look) {
    for (size_t i = 0; i < p->def.n_cells; ++i)
      if (!looks[i].enough && !looks[i].last) p->cells[i].runs = far_until_runs(p->until, look);
    far_batch *before = *out;
    status = run_look(out, p, before, error);
    far_batch_free(before);
    count_computed(p, *out);
    if (status == FAR_OK) status = look_at(p, *out, look, looks, &open, error);
  }
  return status;
}

far_status far_study_until(far_until *out, const far_study *study, far_error *error) {
  const char *text = far_study_info_of(study).until;
  *out = far_until_default();
  if (text[0] == '\0')
    return far__fail(error, FAR_STATUS_RANGE, -1, "the study has no stopping rule ('until')");
  out->most = far_study_batch(study)->runs;
  if (out->first > out->most) out->first = out->most;
  const far_status status = far_until_parse(out, text, error);
  return status == FAR_OK ? far_until_check(out, error) : status;
}

far_status far_until_run(far_batch **out, far_look *looks, const far_until *until,
                         const far_batch_def *def, far_store *store, far_error *error) {
  *out = NULL;
  far_status status = far_until_check(until, error);
  if (status != FAR_OK) return status;
  pursuit p = {.until = until, .def = *def, .store = store};
  p.cells = malloc((def->n_cells + 1) * sizeof *p.cells);
  p.known = malloc((def->n_cells + 1) * sizeof *p.known);
  p.computed = calloc(def->n_cells + 1, sizeof *p.computed);
  if (p.cells == NULL || p.known == NULL || p.computed == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells");
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    p.cells[i] = def->cells[i];
    looks[i] = (far_look){0};
  }
  p.def.cells = p.cells;
  p.def.done = p.known;
  if (status == FAR_OK) status = pursue(out, looks, &p, error);
  for (size_t i = 0; *out != NULL && i < def->n_cells; ++i) looks[i].computed = p.computed[i];
  free(p.computed);
  free(p.cells);
  free(p.known);
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) {
    far_batch_free(*out);
    *out = NULL;
  }
  return status;
}
