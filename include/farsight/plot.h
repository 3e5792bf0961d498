/* Plots: figures of results, one function for all kinds, so that a command, a page and Python draw the
 * same.
 *
 *     far_plot_def def = far_plot_def_default();       set only what differs
 *     def.results.baseline = "psrl";
 *     far_figure *figure;
 *     far_status status = far_plot_create(&figure, "differences", store, &def, &error);
 *     if (status == FAR_OK) status = far_figure_save(figure, "differences.svg", FAR_THEME_AUTO, &error);
 *     far_figure_free(figure);
 */
#ifndef FARSIGHT_PLOT_H
#define FARSIGHT_PLOT_H

#include "farsight/benchmark.h"
#include "farsight/comparison.h"
#include "farsight/curves.h"
#include "farsight/figure.h"
#include "farsight/growth-curves.h"
#include "farsight/hardness.h"
#include "farsight/paper-tables.h"
#include "farsight/scaling.h"
#include "farsight/sensitivity.h"
#include "farsight/report.h"
#include "farsight/store.h"
#include "farsight/tuned-comparison.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum far_plot_scale {
  FAR_PLOT_SCALE_AUTO, /* what shows more */
  FAR_PLOT_SCALE_LINEAR,
  FAR_PLOT_SCALE_LOG, /* linear where numbers are not above 0 */
} far_plot_scale;

/* Strings and arrays must live as long as the call. */
typedef struct far_plot_def {
  far_comparison_def results; /* which results, the baseline, the level of intervals */
  far_plot_scale x_scale, y_scale;
  double width;          /* 100 ... 10,000 units of 1/96 inch; 720 by default */
  size_t most_series;    /* more agents are left out, the best ones stay; 12 by default */
  const char *parameter; /* sensitivity: "m", of one algorithm "r-max:m" or, all of its parameters,
                          * "r-max:"; growth: the environment's key that is the size. NULL, the
                          * default: all that vary */
  bool per_step;         /* curves: the change per step between checkpoints, not the sum so far */
  int64_t step;          /* kinds on a layout: of an episode, see far_learning_def; its default */
} far_plot_def;

FAR_API far_plot_def far_plot_def_default(void);

typedef struct far_plot_info {
  const char *name;    /* "curves" */
  const char *summary; /* one line */
} far_plot_info;

/* The kinds of plots of stored results, in the order of listings; false past the end. */
FAR_API bool far_plot_info_at(far_plot_info *out, size_t index);

/* Draws a kind of plot from a store. Fails with UNKNOWN (no such kind; else as far_comparison_create),
 * CONFLICT (results of several lengths or seeds: the definition must choose), CANCELLED, MEMORY, or as the
 * store does; *out is then NULL. */
FAR_API far_status far_plot_create(far_figure **out, const char *kind, far_store *store,
                                   const far_plot_def *def, far_error *error);

/* The same for the kinds that show a comparison, of one of its groups; of `def->results` only models and the
 * progress function are read.
 * CONFLICT for other kinds. */
FAR_API far_status far_plot_comparison(far_figure **out, const char *kind,
                                       const far_comparison *comparison, size_t group,
                                       const far_plot_def *def, far_error *error);

/* Adds the numbers behind a plot to a report, as tables and JSON. *table is the name of the table that has
 * them, for CSV. Fails as far_plot_create. */
FAR_API far_status far_plot_report(far_report *report, const char **table, const char *kind,
                                   far_store *store, const far_plot_def *def, far_error *error);

/* ---- results that are no stores, and analyses as they are ---- */

/* The same drawings of an analysis; `def->results` is not read. Fail with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
FAR_API far_status far_curves_figure(far_figure **out, const far_curves *curves, size_t group,
                                     const far_plot_def *def, far_error *error);
FAR_API far_status far_sensitivity_figure(far_figure **out, const far_sensitivity *sensitivity,
                                          const far_plot_def *def, far_error *error);
FAR_API far_status far_growth_curves_figure(far_figure **out, const far_growth_curves *growth,
                                            const far_plot_def *def, far_error *error);
FAR_API far_status far_hardness_figure(far_figure **out, const far_hardness *hardness,
                                       const far_plot_def *def, far_error *error);

/* The sizes, points and laws of a scaling study; the sensitivity profiles of a search ("tuning"); and the
 * paper's means beside ours ("paper"). */
FAR_API far_status far_scaling_figure(far_figure **out, const far_scaling *scaling,
                                      const far_plot_def *def, far_error *error);
FAR_API far_status far_tuned_comparison_figure(far_figure **out,
                                               const far_tuned_comparison *comparison,
                                               const far_plot_def *def, far_error *error);
/* The performance profiles of a benchmark, a panel for each setting ("benchmark"): of its best agents, at most 8 in a
 * panel. UNKNOWN if no agent was judged, CONFLICT if they were ranked by a metric. */
FAR_API far_status far_benchmark_figure(far_figure **out, const far_benchmark *benchmark,
                                        const far_plot_def *def, far_error *error);
FAR_API far_status far_paper_tables_figure(far_figure **out, const far_paper_tables *tables,
                                           const far_plot_def *def, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
