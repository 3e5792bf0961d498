/* The learning curves of a batch, drawn by the code of `farsight plot curves`. */
#include <math.h>
#include <stdlib.h>

#include "questions/curves/curves.h"
#include "web.h"

/* The structures of one figure: one environment, and the agents that have runs. */
typedef struct drawing {
  far__curves curves;
  far__curves_group group;
  far__curves_env env;
  far__curves_agent agents[WEB_AGENTS];
  far__curve curve[WEB_AGENTS];
} drawing;

static void free_curves(drawing *d) {
  for (size_t i = 0; i < d->group.n_agents; ++i) free(d->curve[i].mean);
}

/* All arrays of a curve are one block; `mean` is its beginning. */
static bool make_curve(far__curve *out, size_t n) {
  double *block = web_alloc(5 * n * sizeof *block);
  *out = (far__curve){.mean = block};
  if (block == NULL) return false;
  out->n = n;
  out->low = block + n;
  out->high = block + 2 * n;
  out->steps = (int64_t *)(void *)(block + 3 * n);
  out->runs = (int64_t *)(void *)(block + 4 * n);
  return true;
}

/* Each run's change per step since the checkpoint before, or its total so far. `before` is NULL at the first. */
static void runs_at(double *out, const far_point *point, const far_point *before, int64_t runs,
                    bool per_step) {
  const double steps = (double)(point->step - (before != NULL ? before->step : 0));
  for (int64_t r = 0; r < runs; ++r)
    out[r] = per_step ? (point->totals[r] - (before != NULL ? before->totals[r] : 0)) / steps
                      : point->totals[r];
}

/* Means and 95% intervals at all checkpoints; a single run has no interval. */
static bool fill_curve(far__curve *out, const far_batch *all, size_t i, bool per_step) {
  const int64_t runs = far_batch_result(all, i)->runs;
  double *each = web_alloc((size_t)runs * sizeof *each);
  if (each == NULL) return false;
  for (size_t k = 0; k < out->n; ++k) {
    const far_point *point = far_batch_point(all, i, k);
    runs_at(each, point, k > 0 ? far_batch_point(all, i, k - 1) : NULL, runs, per_step);
    const far_moments m = far_sample_moments(each, runs);
    out->steps[k] = point->step;
    out->runs[k] = runs;
    out->mean[k] = m.mean;
    out->low[k] = m.mean - m.ci95;
    out->high[k] = m.mean + m.ci95;
  }
  free(each);
  return true;
}

static bool fill(drawing *d, const web_batch *batch, const far_batch *all, const size_t *cells,
                 size_t n, bool per_step) {
  const far_batch_def *def = web__batch_def(batch);
  for (size_t i = 0; i < n; ++i) {
    d->agents[i] = (far__curves_agent){.label = def->cells[cells[i]].agent};
    d->group.n_agents = i + 1;
    if (!make_curve(&d->curve[i], def->cells[0].n_checkpoints) ||
        !fill_curve(&d->curve[i], all, i, per_step))
      return false;
  }
  d->env = (far__curves_env){far_cell_env(def->cells), far_cell_env(def->cells), NAN, NAN};
  d->group = (far__curves_group){.steps = def->cells[0].steps,
                                 .seed = def->seed,
                                 .numerics = far_numerics(),
                                 .envs = &d->env,
                                 .n_envs = 1,
                                 .agents = d->agents,
                                 .n_agents = n,
                                 .curves = d->curve};
  d->curves = (far__curves){
      .series = "curve", .per_step = per_step, .level = 0.95, .groups = &d->group, .n_groups = 1};
  return true;
}

const char *web_batch_figure(web_batch *batch, bool per_step, double width, const char *id,
                             far_theme theme) {
  size_t cells[WEB_AGENTS], n;
  drawing d = {0};
  far_figure *figure = NULL;
  far_plot_def def = far_plot_def_default();
  far_batch *all = web__batch_so_far(batch, cells, &n);
  if (all == NULL) return NULL;
  def.width = width;
  def.per_step = per_step;
  if (fill(&d, batch, all, cells, n, per_step))
    (void)far__curves_figure(&figure, &d.curves, 0, &def, web__error());
  free_curves(&d);
  far_batch_free(all);
  return figure != NULL ? web__figure_svg(figure, id, theme) : NULL;
}
