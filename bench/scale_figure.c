/* The figure of farsight-bench scale: nanoseconds a step against pairs and actions, both on logarithmic axes. */
#include <math.h>
#include <stdlib.h>

#include "bench/scale.h"
#include "cli/memory.h"
#include "questions/growth/growth-curves.h"

typedef struct panel_of {
  scale_series series;
  int runs;
  const char *title, *size;
} panel_of;

static const panel_of panels[] = {
    {SERIES_GARNET, 1, "garnet of 2 actions, one run", "pairs"},
    {SERIES_GARNET, SIDE_BY_SIDE, "garnet of 2 actions, 8 runs in a block", "pairs"},
    {SERIES_CHAIN, 1, "chain, one run", "pairs"},
    {SERIES_ACTIONS, 1, "garnet of 100,000 pairs, one run", "actions"},
};

enum { N_PANELS = sizeof panels / sizeof *panels, MOST_SIZES = 16 };

typedef struct drawing {
  int64_t sizes[N_PANELS][MOST_SIZES];
  int problems[N_PANELS][MOST_SIZES];
  far__growth_point points[N_PANELS][N_SCALE_AGENTS][MOST_SIZES];
  far__growth_curve curves[N_PANELS][N_SCALE_AGENTS];
  far__growth_family families[N_PANELS];
} drawing;

/* Lists the sizes of the panel's series whose model was measured; returns how many. */
static size_t list_sizes(const scale *x, const panel_of *p, int64_t *sizes, int *problems) {
  size_t n = 0;
  for (int i = 0; i < N_PROBLEMS && n < MOST_SIZES; ++i) {
    const scale_row *model = find_row(x, i, MODEL, 0);
    if (x->problems[i].series != p->series || model == NULL || model->why[0] != '\0') continue;
    sizes[n] =
        p->series == SERIES_ACTIONS ? x->problems[i].actions : (int64_t)pairs_of(&x->problems[i]);
    problems[n++] = i;
  }
  return n;
}

static size_t add_curves(const scale *x, drawing *d, size_t panel, size_t n) {
  size_t count = 0;
  for (int i = 0; i < N_SCALE_AGENTS; ++i) {
    far__growth_point *points = d->points[panel][i];
    int64_t count_there = 0;
    for (size_t k = 0; k < n; ++k) {
      const scale_row *r = find_row(x, d->problems[panel][k], i, panels[panel].runs);
      const bool is_there = r != NULL && r->why[0] == '\0' && r->ns > 0;
      points[k] = (far__growth_point){
          .runs = is_there, .value = is_there ? r->ns : NAN, .low = NAN, .high = NAN, .limit = NAN};
      count_there += is_there;
    }
    if (count_there > 0)
      d->curves[panel][count++] =
          (far__growth_curve){.agent = scale_agents[i].name, .points = points};
  }
  return count;
}

far_status scale_figure(far_figure **out, const scale *x, far_error *error) {
  drawing *d = room_for(1, sizeof *d);
  far__growth_curves growth = {.quantity = "nanoseconds a step",
                               .times = true,
                               .lower = true,
                               .families = d->families,
                               .measured = "the best of several measurements on one thread"};
  far_plot_def def = far_plot_def_default();
  def.x_scale = def.y_scale = FAR_PLOT_SCALE_LOG;
  for (size_t i = 0; i < N_PANELS; ++i) {
    const size_t n = list_sizes(x, &panels[i], d->sizes[i], d->problems[i]);
    const size_t curves = add_curves(x, d, i, n);
    if (n < 2 || curves == 0) continue;
    d->families[growth.n_families++] = (far__growth_family){.env = panels[i].title,
                                                            .key = panels[i].size,
                                                            .sizes = d->sizes[i],
                                                            .n_sizes = n,
                                                            .curves = d->curves[i],
                                                            .n_curves = curves};
  }
  const far_status status = far__growth_curves_figure(out, &growth, &def, error);
  free(d);
  return status;
}
