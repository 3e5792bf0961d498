/* The list of plots. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "questions/learning/learning.h"
#include "questions/plots/plot.h"
#include "report/build.h"

static const far__plot *const plots[] = {
#define PLOT(name) &far__plot_##name,
#include "plots.def"
#undef PLOT
};

enum { N_PLOTS = sizeof plots / sizeof *plots };

far_plot_def far_plot_def_default(void) {
  return (far_plot_def){.results = far_comparison_def_default(),
                        .width = 720,
                        .most_series = 12,
                        .step = FAR__LEARNING_FIRST};
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

static far_status check_groups(const far_comparison *comparison, far_error *error) {
  far__group_key keys[2] = {{0}};
  for (size_t i = 0; i < 2 && i < comparison->n_groups; ++i)
    keys[i] = (far__group_key){comparison->groups[i].steps, comparison->groups[i].episodes,
                               comparison->groups[i].seed};
  return far__check_one_group(comparison->n_groups, keys, error);
}

/* The only group. What shows no resampled intervals need not wait for them. */
static far_status compare_for(far_comparison **out, const far__plot *plot, far_store *store,
                              const far_plot_def *def, far_error *error) {
  far_comparison_def results = def->results;
  if (!plot->bootstrap) {
    results.quick = true;
    results.most_agents = 0; /* the best of them are shown */
  }
  const far_status status = far_comparison_create(out, store, &results, error);
  return status == FAR_OK ? check_groups(*out, error) : status;
}

/* Compares first, then draws. */
static far_status compare(far_figure **out, const far__plot *plot, far_store *store,
                          const far_plot_def *def, far_error *error) {
  far_comparison *comparison;
  far_status status = compare_for(&comparison, plot, store, def, error);
  if (status == FAR_OK)
    status = plot->of_comparison(out, comparison, comparison->groups, def, error);
  far_comparison_free(comparison);
  return status;
}

far_status far_plot_create(far_figure **out, const char *kind, far_store *store,
                           const far_plot_def *def, far_error *error) {
  const far__plot *plot;
  far_plot_def used = *def;
  *out = NULL;
  used.results.newest = true;
  const far_status status = find(&plot, kind, error);
  if (status != FAR_OK) return status;
  return plot->of_store != NULL ? plot->of_store(out, store, &used, error)
                                : compare(out, plot, store, &used, error);
}

far_status far__plot_comparison(far_figure **out, const char *kind,
                                const far_comparison *comparison, size_t group,
                                const far_plot_def *def, far_error *error) {
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

static void free_comparison(void *comparison) {
  far_comparison_free(comparison);
}

static far_status report_comparison(far_report *report, const far__plot *plot, far_store *store,
                                    const far_plot_def *def, far_error *error) {
  far_comparison *comparison;
  far_status status = compare_for(&comparison, plot, store, def, error);
  if (status == FAR_OK) status = plot->numbers_of_comparison(report, comparison, 0, def, error);
  if (status == FAR_OK)
    far__report_keep(report, comparison, free_comparison);
  else
    far_comparison_free(comparison);
  return status;
}

far_status far_plot_report(far_report *report, const char **table, const char *kind,
                           far_store *store, const far_plot_def *def, far_error *error) {
  const far__plot *plot;
  far_plot_def used = *def;
  const far_status status = find(&plot, kind, error);
  *table = NULL;
  used.results.newest = true;
  if (status != FAR_OK) return status;
  *table = plot->table;
  if (plot->numbers_of_store != NULL) return plot->numbers_of_store(report, store, &used, error);
  return report_comparison(report, plot, store, &used, error);
}
