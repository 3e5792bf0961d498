/* The performance profiles of a benchmark: a panel for each setting, an agent in the same colour in all. */
#include "questions/benchmark/benchmark.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "questions/comparison/profile-panel.h"
#include "questions/plots/plot.h"
#include "report/build.h"

#define HEIGHT 250.0

/* The most agents whose names fit beside their lines. */
enum { MOST = 8 };

typedef struct drawing {
  far_figure *f;
  const far__benchmark *benchmark;
  size_t most;        /* agents in a panel */
  const char **names; /* of all agents that are shown, in the order of their colours */
  size_t n_names;
  far__profile_panel panels[FAR__SETTING_COUNT];
} drawing;

/* ---- who is shown ---- */

static size_t series_of(drawing *d, const char *agent) {
  size_t i = 0;
  while (i < d->n_names && strcmp(d->names[i], agent) != 0) ++i;
  if (i == d->n_names) d->names[d->n_names++] = agent;
  return i;
}

static bool has_ink(const size_t *series, size_t n, size_t ink) {
  for (size_t i = 0; i < n; ++i)
    if (series[i] % FAR__SERIES == ink % FAR__SERIES) return true;
  return false;
}

/* There are more agents than colours: where two of a panel have the same, the second gets one that is free there. Names
 * stand beside the lines. */
static void tell_apart(far__profile_panel *panel) {
  size_t *series = panel->series;
  for (size_t i = 1; i < panel->n && panel->n <= FAR__SERIES; ++i) {
    size_t ink = 0;
    if (!has_ink(series, i, series[i])) continue;
    while (has_ink(series, panel->n, ink)) ++ink;
    series[i] = ink;
  }
}

/* Fills a panel with the best agents of the standings. */
static bool begin_panel(drawing *d, const far__benchmark_part *part, far__profile_panel *panel) {
  const size_t n = part->n_agents < d->most ? part->n_agents : d->most;
  size_t *agents = far__figure_room(d->f, n + 1, sizeof *agents);
  size_t *series = far__figure_room(d->f, n + 1, sizeof *series);
  const char **names = far__figure_room(d->f, n + 1, sizeof *names);
  *panel = (far__profile_panel){.f = d->f, .profiles = part->profiles, .agents = agents, .n = n};
  if (agents == NULL || series == NULL || names == NULL) return false;
  for (size_t i = 0; i < n; ++i) {
    const char *agent = part->standings[i].agent;
    agents[i] = far__benchmark_column(&part->comparison->groups[0], agent);
    series[i] = series_of(d, agent);
    names[i] = agent;
  }
  panel->series = series;
  panel->names = names;
  return true;
}

static bool begin(drawing *d) {
  d->names = far__figure_room(d->f, FAR__SETTING_COUNT * d->most, sizeof *d->names);
  bool good = d->names != NULL;
  for (int k = 0; k < FAR__SETTING_COUNT && good; ++k)
    good = begin_panel(d, &d->benchmark->parts[k], &d->panels[k]);
  return good;
}

/* ---- the figure ---- */

static void describe(const drawing *d) {
  const char *text = "";
  for (int k = 0; k < FAR__SETTING_COUNT; ++k)
    if (d->panels[k].n > 0)
      text = far__figure_print(d->f, "%s In the setting %s:%s", text,
                               far__setting_name((far__setting)k),
                               far__profile_panel_words(&d->panels[k]));
  far__figure_name(
      d->f,
      far__figure_print(d->f, "Benchmark %d, problems for %s: share of runs above each score",
                        FAR__BENCHMARK_VERSION, d->benchmark->tuning ? "tuning" : "judging"),
      "Performance profiles, a line further up and to the right is better.%s", text);
}

static const char *title_of(const drawing *d, int k) {
  const far__benchmark_part *part = &d->benchmark->parts[k];
  return far__figure_print(d->f, "%s: %zu problems%s",
                           far__capital(d->f, far__setting_name((far__setting)k)), part->n_problems,
                           far__best_of(d->f, d->panels[k].n, part->n_agents));
}

/* Panels below one another; where they end. */
static double lay_out(drawing *d, double y) {
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    if (d->panels[k].n == 0) continue;
    d->panels[k].panel = (far__panel){
        .x = 50, .y = y + FAR__PANEL_ABOVE - 8, .width = d->f->width - 74, .height = HEIGHT};
    far__profile_panel_axes(&d->panels[k]);
    y = d->panels[k].panel.y + HEIGHT + FAR__PANEL_BELOW;
  }
  return y;
}

/* All panels have names beside their lines, or there is one legend. */
static bool label_all(drawing *d) {
  bool direct = true;
  for (int k = 0; k < FAR__SETTING_COUNT && direct; ++k)
    if (d->panels[k].n > 0) direct = far__profile_panel_label(&d->panels[k]);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    d->panels[k].direct = direct;
    if (direct) tell_apart(&d->panels[k]);
  }
  return direct;
}

static void draw_all(drawing *d) {
  if (!begin(d)) return;
  describe(d);
  const double top = far__heading(
      d->f, d->f->title,
      far__figure_print(d->f, "%s steps, %s runs on each problem; pointwise 95%% bands",
                        far__brief_count(d->benchmark->steps).text,
                        far__brief_count(d->benchmark->runs).text));
  double end = lay_out(d, top);
  if (!label_all(d))
    end = lay_out(d, top + far__legend(d->f, 16, top, d->f->width - 32, d->names, d->n_names) + 6);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k)
    if (d->panels[k].n > 0) far__profile_panel_draw(&d->panels[k], title_of(d, k));
  far__figure_height(d->f, end + 6);
}

far_status far__benchmark_figure(far_figure **out, const far__benchmark *benchmark,
                                 const far_plot_def *def, far_error *error) {
  size_t n = 0;
  drawing d = {.benchmark = benchmark, .most = def->most_series < MOST ? def->most_series : MOST};
  *out = NULL;
  if (benchmark->score != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "the figure shows scores of rewards, and %.100s has no such scale",
                     benchmark->score);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) n += benchmark->parts[k].n_agents;
  if (n == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "no agent was judged: there is nothing to draw");
  far_status status = far__figure_create(&d.f, "benchmark", def->width, error);
  if (status != FAR_OK) return status;
  draw_all(&d);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}
