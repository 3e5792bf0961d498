/* Figures of a page: made where they apply, kept while there is room. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "questions/comparison/findings.h"
#include "questions/page/page.h"
#include "questions/plots/plot.h"
#include "report/build.h"

/* ---- making them ---- */

static far_plot_def plot_def(const far__page *page, far_plot_scale x_scale) {
  far_plot_def def = far_plot_def_default();
  def.results = page->def->results;
  def.most_series = page->def->most_series;
  def.x_scale = x_scale;
  return def;
}

/* The figure; NULL where it does not apply, or where the failure ends the page. */
static far_figure *settle(far__page *page, far_status status, far_figure *figure,
                          const far_error *why) {
  if (status == FAR_OK) return figure;
  far_figure_free(figure);
  far__page_fails(page, status, why);
  return NULL;
}

far_figure *far__page_plot(far__page *page, const char *kind, size_t group, size_t e,
                           far_plot_scale x_scale) {
  const far_comparison_group *g = far__page_group(page, group);
  const far_plot_def def = plot_def(page, x_scale);
  far_comparison_group part = *g;
  far_comparison view = *page->comparison;
  far_figure *figure = NULL;
  far_error why;
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return NULL;
  if (e < g->n_envs) { /* cells of an environment stand together */
    part.envs = &g->envs[e];
    part.n_envs = 1;
    part.cells = &g->cells[e * g->n_agents];
  }
  view.groups = &part;
  view.n_groups = 1;
  const far_status status = far__plot_comparison(&figure, kind, &view, 0, &def, &why);
  return settle(page, status, figure, &why);
}

/* The group with its best agents alone, for what takes long and tests nothing. What it points to is the
 * comparison's but for the two arrays, which are heap. False without memory. */
static bool best_agents(far_comparison_group *out, const far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  const size_t most = page->def->most_series, n = g->n_agents < most ? g->n_agents : most;
  *out = *g;
  out->n_agents = n;
  out->baseline = n;
  out->agents = malloc((n + 1) * sizeof *out->agents);
  out->cells = malloc((n * g->n_envs + 1) * sizeof *out->cells);
  if (out->agents == NULL || out->cells == NULL) return false;
  for (size_t k = 0; k < n; ++k) {
    const size_t j = page->findings[group]->order[k];
    if (j == g->baseline) out->baseline = k;
    out->agents[k] = g->agents[j];
    for (size_t e = 0; e < g->n_envs; ++e) out->cells[e * n + k] = *far__cell_of(g, e, j);
  }
  return true;
}

far_figure *far__page_plot_best(far__page *page, const char *kind, size_t group) {
  const far_plot_def def = plot_def(page, FAR_PLOT_SCALE_AUTO);
  far_comparison_group part;
  far_comparison view = *page->comparison;
  far_figure *figure = NULL;
  far_error why = {.code = FAR_STATUS_MEMORY, .position = -1, .message = "no memory for a page"};
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return NULL;
  far_status status = best_agents(&part, page, group) ? FAR_OK : FAR_STATUS_MEMORY;
  view.groups = &part;
  view.n_groups = 1;
  if (status == FAR_OK) status = far__plot_comparison(&figure, kind, &view, 0, &def, &why);
  free(part.agents);
  free(part.cells);
  return settle(page, status, figure, &why);
}

far_figure *far__page_curves(far__page *page, size_t group, size_t e, far_plot_scale x_scale) {
  enum { MOST = 32 };
  const far_comparison_group *g = far__page_group(page, group);
  const far__findings *found = page->findings[group];
  const char *env[] = {g->envs[e].label}, *agents[MOST];
  far_plot_def def = plot_def(page, x_scale);
  far_figure *figure = NULL;
  far_error why;
  if (page->status != FAR_OK || page->full || page->def->figure_bytes == 0) return NULL;
  def.results.envs = env;
  def.results.n_envs = 1;
  def.results.steps = g->steps;
  def.results.one_seed = g->numerics != 0;
  def.results.seed = g->seed;
  def.results.quick = true;
  def.results.baseline = NULL;
  def.results.progress = NULL;
  if (g->n_agents > def.most_series) { /* reading those that are not shown would take long */
    def.results.n_agents = 0;
    for (size_t k = 0;
         k < g->n_agents && def.results.n_agents < def.most_series && def.results.n_agents < MOST;
         ++k)
      agents[def.results.n_agents++] = g->agents[found->order[k]].label;
    def.results.agents = agents;
  }
  const far_status status = far_plot_create(&figure, "curves", page->store, &def, &why);
  return settle(page, status, figure, &why);
}

/* ---- room ---- */

static bool count_bytes(void *user, const char *bytes, size_t length) {
  (void)bytes;
  *(size_t *)user += length;
  return true;
}

static size_t size_of(far__page *page, const far_figure *figure) {
  far_figure_def how = far_figure_def_default();
  size_t bytes = 0;
  far_error why;
  how.format = FAR_FIGURE_INLINE;
  const far_status status = far_figure_render(figure, &how, (far_sink){count_bytes, &bytes}, &why);
  if (status != FAR_OK && page->error != NULL && page->status == FAR_OK) *page->error = why;
  far__page_check(page, status);
  return bytes;
}

/* The figures fit into the page. After the first that do not, no other is made, since sizes are similar. */
static bool fits(far__page *page, const far__view_of *views, size_t n) {
  size_t bytes = 0;
  for (size_t i = 0; i < n; ++i)
    if (views[i].figure != NULL) bytes += size_of(page, views[i].figure);
  if (bytes == 0 || page->status != FAR_OK) return false;
  if (page->bytes + bytes > page->def->figure_bytes) {
    page->full = true;
    return false;
  }
  page->bytes += bytes;
  return true;
}

void far__page_figure(far__page *page, const char *name, const far__view_of *views, size_t n,
                      const char *format, ...) {
  char caption[800];
  va_list args;
  const bool kept = fits(page, views, n);
  va_start(args, format);
  vsnprintf(caption, sizeof caption, format, args);
  va_end(args);
  if (kept) far__report_figure(page->report, name, "%s", caption);
  for (size_t i = 0; i < n; ++i) {
    if (kept)
      far__report_view(page->report, views[i].figure, views[i].label);
    else
      far_figure_free(views[i].figure);
  }
}
