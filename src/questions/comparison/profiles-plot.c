/* Performance profiles: which share of the runs reaches which score, with bands. */
#include "questions/comparison/profiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "questions/comparison/profile-panel.h"
#include "questions/plots/plot.h"

#define HEIGHT 330.0

typedef struct drawing {
  far_figure *f;
  const far_comparison *comparison;
  const far_comparison_group *g;
  const far__profiles *profiles;
  const far__shown *shown;
  far__profile_panel panel;
} drawing;

/* ---- the figure ---- */

static const char *subtitle_of(const drawing *d) {
  const char *line = far__results_line(d->f, d->g, d->shown);
  if (!far__profile_panel_has_bands(&d->panel)) return line;
  return far__figure_print(d->f, "%s; pointwise %g%% bands", line, 100 * d->profiles->level);
}

/* Colours in the order of the agents. */
static bool begin_panel(drawing *d) {
  size_t *series = far__figure_room(d->f, d->shown->n, sizeof *series);
  d->panel = (far__profile_panel){.f = d->f,
                                  .profiles = d->profiles,
                                  .agents = d->shown->agents,
                                  .series = series,
                                  .names = far__shown_labels(d->f, d->g, d->shown),
                                  .n = d->shown->n};
  for (size_t i = 0; series != NULL && i < d->shown->n; ++i) series[i] = i;
  return series != NULL && d->panel.names != NULL;
}

static void draw_all(drawing *d) {
  if (!begin_panel(d)) return;
  far__figure_name(
      d->f,
      far__figure_print(d->f, "%s: share of runs above each score",
                        far__capital(d->f, far__series_title(d->f, d->comparison->series))),
      "Performance profiles, a line further up and to the right is better.%s",
      far__profile_panel_words(&d->panel));
  const double top = far__heading(d->f, d->f->title, subtitle_of(d));
  far__panel *area = &d->panel.panel;
  *area = (far__panel){.x = 50, .y = top + 12, .width = d->f->width - 74, .height = HEIGHT};
  far__profile_panel_axes(&d->panel);
  if (!far__profile_panel_label(&d->panel))
    area->y += far__legend(d->f, 16, top, d->f->width - 32, d->panel.names, d->shown->n) + 6;
  far__profile_panel_draw(&d->panel, NULL);
  far__figure_height(d->f, area->y + HEIGHT + 46);
}

static far_status check(const far__profiles *profiles, far_error *error) {
  bool any = false;
  for (size_t j = 0; j < profiles->n_agents; ++j) any = any || profiles->exists[j];
  if (any) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                   "profiles need an environment on which runs vary and are finite, and an agent "
                   "that is on all of these");
}

static far_status profile(far__profiles **out, const far_comparison *comparison, size_t group,
                          const far__shown *shown, const far_plot_def *def, far_error *error) {
  far__profiles_def how = far__profiles_def_default();
  how.bootstrap = comparison->bootstrap;
  /* Of very many runs a band is narrower than its line: fewer resamples will do, at least 500. */
  const far_comparison_group *g = &comparison->groups[group];
  const int64_t wanted = comparison->bootstrap.resamples;
  const double most_draws = 5e8;
  double most = 1;
  for (size_t j = 0; j < g->n_agents; ++j) {
    double runs = 0;
    for (size_t e = 0; e < g->n_envs; ++e) runs += (double)g->cells[e * g->n_agents + j].runs;
    most = fmax(most, runs);
  }
  const double enough = fmax(500, floor(most_draws / most));
  how.bootstrap.resamples = (double)wanted < enough ? wanted : (int64_t)enough;
  how.progress = def->results.progress;
  how.user = def->results.user;
  how.agents = shown->agents;
  how.n_agents = shown->n;
  return far__profiles_create(out, comparison, group, &how, error);
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  far__shown shown;
  far__profiles *profiles = NULL;
  const size_t index = (size_t)(group - comparison->groups);
  far_status status = far__shown_create(&shown, comparison, group, def->most_series, error);
  if (status == FAR_OK) status = profile(&profiles, comparison, index, &shown, def, error);
  if (status == FAR_OK) status = check(profiles, error);
  if (status == FAR_OK) status = far__figure_create(out, "profiles", def->width, error);
  if (status == FAR_OK) {
    drawing d = {
        .f = *out, .comparison = comparison, .g = group, .profiles = profiles, .shown = &shown};
    draw_all(&d);
    status = far__figure_finish(out, error);
  }
  far__profiles_free(profiles);
  far__shown_free(&shown);
  return status;
}

static far_status report_profiles(far_report *report, const far_comparison *comparison,
                                  size_t group, const far_plot_def *def, far_error *error) {
  far__shown shown;
  far__profiles *profiles = NULL;
  far_status status =
      far__shown_create(&shown, comparison, &comparison->groups[group], def->most_series, error);
  if (status == FAR_OK) status = profile(&profiles, comparison, group, &shown, def, error);
  if (status == FAR_OK) far__profiles_report(profiles, report);
  far__profiles_free(profiles);
  far__shown_free(&shown);
  return status;
}

const far__plot far__plot_profiles = {
    .name = "profiles",
    .summary = "performance profiles: the share of runs above each score",
    .of_comparison = draw,
    .numbers_of_comparison = report_profiles,
    .table = "profiles",
};
