/* The list of plots. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "plots/plot.h"

static const far__plot *const plots[] = {
#define PLOT(name) &far__plot_##name,
#include "plots.def"
#undef PLOT
};

enum { N_PLOTS = sizeof plots / sizeof *plots };

far_plot_def far_plot_def_default(void) {
  return (far_plot_def){.results = far_comparison_def_default(), .width = 720, .most_series = 12};
}

bool far_plot_info_at(far_plot_info *out, size_t index) {
  if (index >= N_PLOTS) return false;
  *out = (far_plot_info){.name = plots[index]->name, .summary = plots[index]->summary};
  return true;
}

/* The message lists the kinds that there are. */
static far_status find(const far__plot **out, const char *kind, far_error *error) {
  far__text names = {0};
  for (size_t i = 0; i < N_PLOTS; ++i) {
    *out = plots[i];
    if (strcmp(plots[i]->name, kind) == 0) {
      far_buffer_free(&names);
      return FAR_OK;
    }
    far__text_format(&names, "%s%s", i > 0 ? ", " : "", plots[i]->name);
  }
  const far_status status =
      names.failed ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a message")
                   : far__fail(error, FAR_STATUS_UNKNOWN, -1, "no plot '%.60s'; there are: %.300s",
                               kind, names.bytes);
  far_buffer_free(&names);
  return status;
}

/* What shows no resampled intervals need not wait for them. */
static far_status compare_for(far_comparison **out, const far_comparison_group **group,
                              const far__plot *plot, far_store *store, const far_plot_def *def,
                              far_error *error) {
  far_comparison_def results = def->results;
  if (!plot->bootstrap) results.quick = true;
  if (!plot->bootstrap) results.most_agents = 0; /* the best of them are shown */
  const far_status status = far_comparison_create(out, store, &results, error);
  return status == FAR_OK ? far__only_group(group, *out, error) : status;
}

/* Compares first, then draws. */
static far_status compare(far_figure **out, const far__plot *plot, far_store *store,
                          const far_plot_def *def, far_error *error) {
  far_comparison *comparison;
  const far_comparison_group *group;
  far_status status = compare_for(&comparison, &group, plot, store, def, error);
  if (status == FAR_OK) status = plot->of_comparison(out, comparison, group, def, error);
  far_comparison_free(comparison);
  return status;
}

far_status far__plot_means(far_figure **out, far_store *store, const far_plot_def *def,
                           far__draw_group_fn *draw, far_error *error) {
  far_plot_def all = *def;
  const far__plot plot = {.of_comparison = draw};
  all.results.most_agents = 0;
  all.results.quick = true;
  return compare(out, &plot, store, &all, error);
}

far_status far_plot_create(far_figure **out, const char *kind, far_store *store,
                           const far_plot_def *def, far_error *error) {
  const far__plot *plot;
  *out = NULL;
  const far_status status = find(&plot, kind, error);
  if (status != FAR_OK) return status;
  return plot->of_store != NULL ? plot->of_store(out, store, def, error)
                                : compare(out, plot, store, def, error);
}

far_status far_plot_comparison(far_figure **out, const char *kind, const far_comparison *comparison,
                               size_t group, const far_plot_def *def, far_error *error) {
  const far__plot *plot;
  *out = NULL;
  const far_status status = find(&plot, kind, error);
  if (status != FAR_OK) return status;
  if (plot->of_comparison == NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "the plot '%s' shows no comparison", kind);
  if (group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the comparison has %zu groups, and no group %zu",
                     comparison->n_groups, group);
  return plot->of_comparison(out, comparison, &comparison->groups[group], def, error);
}

/* ---- the numbers behind them ---- */

far_status far__numbers_of_comparison(far_report *report, const far_comparison *comparison,
                                      size_t group, const far_plot_def *def, far_error *error) {
  (void)group, (void)def, (void)error;
  far_comparison_report(comparison, report);
  return FAR_OK;
}

static far_status report_comparison(far_report *report, const far__plot *plot, far_store *store,
                                    const far_plot_def *def, far_error *error) {
  far_comparison *comparison;
  const far_comparison_group *group;
  far_status status = compare_for(&comparison, &group, plot, store, def, error);
  if (status == FAR_OK)
    status = plot->numbers_of_comparison(report, comparison, (size_t)(group - comparison->groups),
                                         def, error);
  far_comparison_free(comparison);
  return status;
}

far_status far_plot_report(far_report *report, const char **table, const char *kind,
                           far_store *store, const far_plot_def *def, far_error *error) {
  const far__plot *plot;
  const far_status status = find(&plot, kind, error);
  *table = NULL;
  if (status != FAR_OK) return status;
  *table = plot->table;
  if (plot->numbers_of_store != NULL) return plot->numbers_of_store(report, store, def, error);
  if (plot->numbers_of_comparison != NULL)
    return report_comparison(report, plot, store, def, error);
  return far__fail(error, FAR_STATUS_CONFLICT, -1, "the plot '%s' has no table of numbers", kind);
}
