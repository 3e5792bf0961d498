/* Performance profiles: which share of the runs reaches which score, with bands. */
#include "farsight/profiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "plots/plot.h"

#define HEIGHT 330.0

typedef struct drawing {
  far_figure *f;
  const far_comparison *comparison;
  const far_comparison_group *g;
  const far_profiles *profiles;
  const far__shown *shown;
  far__panel panel;
  const char **names;
  struct label *labels; /* of each shown agent; or there is a legend */
  bool direct;
} drawing;

typedef struct label {
  bool placed;
  double x, y;
} label;

static const far_estimate *shares_of(const drawing *d, size_t i) {
  return &d->profiles->shares[d->shown->agents[i] * d->profiles->n_scores];
}

static bool exists(const drawing *d, size_t i) {
  return d->profiles->exists[d->shown->agents[i]];
}

static double x_at(const drawing *d, size_t k) {
  return far__panel_x(&d->panel, d->profiles->scores[k]);
}

/* ---- names beside the lines ---- */

/* How far the line is from the nearest other one at a score, in units of the drawing. */
static double apart(const drawing *d, size_t i, size_t k) {
  double out = 1;
  for (size_t j = 0; j < d->shown->n; ++j)
    if (j != i && exists(d, j))
      out = fmin(out, fabs(shares_of(d, j)[k].value - shares_of(d, i)[k].value));
  return out * d->panel.height;
}

/* What memory lacks must not move names. */
static void add_box(const drawing *d, far__boxes *boxes, far__box box) {
  const size_t before = boxes->n;
  far__boxes_add(boxes, box);
  if (boxes->n == before) d->f->failed = true;
}

/* The lines themselves keep names away: a small box at every score and between. */
static void occupy_lines(const drawing *d, far__boxes *boxes) {
  const size_t n = d->profiles->n_scores;
  for (size_t i = 0; i < d->shown->n; ++i) {
    if (!exists(d, i)) continue;
    for (size_t k = 1; k < n; ++k) {
      const double y0 = far__panel_y(&d->panel, shares_of(d, i)[k - 1].value),
                   y1 = far__panel_y(&d->panel, shares_of(d, i)[k].value);
      add_box(d, boxes, (far__box){x_at(d, k - 1), fmin(y0, y1) - 1, x_at(d, k), fmax(y0, y1) + 1});
    }
  }
}

/* Where a name may stand beside a point: at first above on the right or below on the left, where a line that
 * falls leaves room. */
static const double ways[][2] = {{4, -9}, {-4, 9}, {6, 0}, {-6, 0}, {4, 9}, {-4, -9}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool place_at(const drawing *d, far__boxes *boxes, size_t i, size_t k, size_t w) {
  const double width = far__text_length(d->names[i], FAR__SMALL, false), half = FAR__SMALL * 0.6;
  const double x = x_at(d, k), y = far__panel_y(&d->panel, shares_of(d, i)[k].value);
  const far__panel *p = &d->panel;
  const double left = ways[w][0] > 0 ? x + ways[w][0] : x + ways[w][0] - width;
  const far__box box = {left, y + ways[w][1] - half, left + width, y + ways[w][1] + half};
  if (box.x0 < p->x + 2 || box.x1 > p->x + p->width || box.y0 < p->y - 4 ||
      box.y1 > p->y + p->height || !far__boxes_free_at(boxes, box))
    return false;
  add_box(d, boxes, box);
  d->labels[i] = (label){true, left, y + ways[w][1] + 0.36 * FAR__SMALL};
  return true;
}

typedef struct candidate {
  double apart;
  size_t k;
} candidate;

static int by_distance(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->apart != q->apart) return p->apart > q->apart ? -1 : 1;
  return p->k < q->k ? -1 : 1;
}

static bool place_label(const drawing *d, far__boxes *boxes, size_t i) {
  const size_t n = d->profiles->n_scores;
  candidate *order = far__figure_room(d->f, n, sizeof *order);
  if (order == NULL) return false;
  for (size_t k = 0; k < n; ++k) order[k] = (candidate){apart(d, i, k), k};
  qsort(order, n, sizeof *order, by_distance);
  for (size_t c = 0; c < WAYS * n; ++c) /* two ways at a time, from the best place on */
    if (place_at(d, boxes, i, order[c / 2 % n].k, c / (2 * n) * 2 + c % 2)) return true;
  return false;
}

/* All lines have a name beside them, or none has. */
static void place_labels(drawing *d) {
  far__boxes boxes = {0};
  d->labels = far__figure_room(d->f, d->shown->n, sizeof *d->labels);
  d->direct = d->labels != NULL && d->shown->n <= 8;
  if (d->direct) occupy_lines(d, &boxes);
  for (size_t i = 0; i < d->shown->n && d->direct; ++i)
    if (exists(d, i)) d->direct = place_label(d, &boxes, i);
  far__boxes_free(&boxes);
}

/* ---- lines ---- */

static void draw_band(const drawing *d, const far_estimate *shares, size_t series) {
  const size_t n = d->profiles->n_scores;
  double *x = far__figure_room(d->f, 2 * n, sizeof *x),
         *y = far__figure_room(d->f, 2 * n, sizeof *y);
  if (x == NULL || y == NULL || shares[0].low != shares[0].low) return;
  for (size_t k = 0; k < n; ++k) {
    x[k] = x[2 * n - 1 - k] = x_at(d, k);
    y[k] = far__panel_y(&d->panel, shares[k].high);
    y[2 * n - 1 - k] = far__panel_y(&d->panel, shares[k].low);
  }
  far__figure_polygon(
      d->f, x, y, 2 * n,
      (far__paint){.fill = far__ink_of(series), .opacity = d->shown->n > 6 ? 0.10 : 0.16});
}

static const char *words_of(const drawing *d, size_t i) {
  const far_estimate *shares = shares_of(d, i);
  size_t k = 0;
  while (k + 1 < d->profiles->n_scores && shares[k].value > 0.5) ++k;
  return far__figure_print(d->f, "%s: half of the runs are above %.2f", d->names[i],
                           d->profiles->scores[k]);
}

static void draw_line(const drawing *d, size_t i) {
  const size_t n = d->profiles->n_scores;
  const far_estimate *shares = shares_of(d, i);
  double *all = far__figure_room(d->f, 5 * n, sizeof *all);
  if (all == NULL) return;
  double *x = all, *y = all + n, *value = all + 2 * n, *low = all + 3 * n, *high = all + 4 * n;
  for (size_t k = 0; k < n; ++k) {
    x[k] = x_at(d, k);
    y[k] = far__panel_y(&d->panel, shares[k].value);
    value[k] = shares[k].value;
    low[k] = shares[k].low;
    high[k] = shares[k].high;
  }
  far__figure_tip(d->f, "%s", words_of(d, i));
  far__figure_values(d->f, d->profiles->scores, value, low, high, n);
  far__figure_polyline(d->f, x, y, n,
                       (far__paint){.stroke = far__ink_of(i),
                                    .width = 1.9,
                                    .dash = d->direct ? 0 : (int)(i % FAR__SERIES)});
  for (size_t k = 4 + i * 2; k < n && !d->direct; k += 20)
    far__figure_marker(d->f, i, x[k], y[k], 3.2, (far__paint){.fill = far__ink_of(i)});
}

static void draw_agent(const drawing *d, size_t i) {
  if (!exists(d, i)) return;
  far__figure_series(d->f, i, d->names[i]);
  draw_band(d, shares_of(d, i), i);
  draw_line(d, i);
  if (d->direct)
    far__figure_write(d->f, d->labels[i].x, d->labels[i].y,
                      (far__font){.size = FAR__SMALL, .ink = far__ink_of(i)}, d->names[i]);
  far__figure_end(d->f);
}

/* ---- the figure ---- */

static const char *scale_of(const far_profiles *p) {
  return p->n_observed == 0 ? "score (0: random policy, 1: best policy)"
         : p->n_observed == p->n_envs
             ? "score (0: worst run, 1: best run)"
             : "score (0: random policy or worst run, 1: best policy or run)";
}

static void describe(drawing *d) {
  const char *text = "";
  for (size_t i = 0; i < d->shown->n; ++i)
    if (exists(d, i)) text = far__figure_print(d->f, "%s %s.", text, words_of(d, i));
  far__figure_name(
      d->f,
      far__figure_print(d->f, "%s: share of runs above each score",
                        far__capital(d->f, far__series_title(d->f, d->comparison->series))),
      "Performance profiles, a line further up and to the right is better.%s", text);
}

static const char *subtitle_of(const drawing *d) {
  const char *line = far__results_line(d->f, d->comparison, d->g, d->shown);
  bool bands = false;
  for (size_t i = 0; i < d->shown->n; ++i)
    bands = bands || (exists(d, i) && shares_of(d, i)[0].low == shares_of(d, i)[0].low);
  if (!bands) return line;
  return far__figure_print(d->f, "%s; pointwise %g%% bands", line, 100 * d->profiles->level);
}

static void draw_all(drawing *d) {
  const size_t n = d->profiles->n_scores;
  d->names = far__shown_labels(d->f, d->g, d->shown);
  if (d->names == NULL) return;
  describe(d);
  double top = far__heading(d->f, d->f->title, subtitle_of(d));
  d->panel = (far__panel){.x = 50, .y = top + 12, .width = d->f->width - 74, .height = HEIGHT};
  d->panel.h = far__axis_create(d->profiles->scores[0], d->profiles->scores[n - 1], false,
                                d->panel.width, 60);
  d->panel.v = far__axis_create(0, 1, false, HEIGHT, 50);
  place_labels(d);
  if (!d->direct)
    d->panel.y += far__legend(d->f, 16, top, d->f->width - 32, d->names, d->shown->n) + 6;
  far__panel_draw(d->f, &d->panel,
                  &(far__panel_look){.x_title = scale_of(d->profiles), .no_x_grid = true});
  for (size_t i = 0; i < d->shown->n; ++i) draw_agent(d, i);
  far__figure_height(d->f, d->panel.y + HEIGHT + 46);
}

static far_status check(const far_profiles *profiles, far_error *error) {
  bool any = false;
  for (size_t j = 0; j < profiles->n_agents; ++j) any = any || profiles->exists[j];
  if (any) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                   "profiles need an environment on which runs vary and are finite, and an agent "
                   "that is on all of these");
}

/* Of very many runs a band is narrower than its line: fewer resamples will do, at least 500. */
static int64_t resamples_for(const far_comparison_group *g, int64_t wanted) {
  const double most_draws = 5e8;
  double most = 1;
  for (size_t j = 0; j < g->n_agents; ++j) {
    double runs = 0;
    for (size_t e = 0; e < g->n_envs; ++e) runs += (double)g->cells[e * g->n_agents + j].runs;
    most = fmax(most, runs);
  }
  const double enough = fmax(500, floor(most_draws / most));
  return (double)wanted < enough ? wanted : (int64_t)enough;
}

static far_status profile(far_profiles **out, const far_comparison *comparison, size_t group,
                          const far__shown *shown, const far_plot_def *def, far_error *error) {
  far_profiles_def how = far_profiles_def_default();
  how.bootstrap = comparison->bootstrap;
  how.bootstrap.resamples =
      resamples_for(&comparison->groups[group], comparison->bootstrap.resamples);
  how.progress = def->results.progress;
  how.user = def->results.user;
  how.agents = shown->agents;
  how.n_agents = shown->n;
  return far_profiles_create(out, comparison, group, &how, error);
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  far__shown shown;
  far_profiles *profiles = NULL;
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
  far_profiles_free(profiles);
  far__shown_free(&shown);
  return status;
}

static far_status report_profiles(far_report *report, const far_comparison *comparison,
                                  size_t group, const far_plot_def *def, far_error *error) {
  far__shown shown;
  far_profiles *profiles = NULL;
  far_status status =
      far__shown_create(&shown, comparison, &comparison->groups[group], def->most_series, error);
  if (status == FAR_OK) status = profile(&profiles, comparison, group, &shown, def, error);
  if (status == FAR_OK) far_profiles_report(profiles, report);
  far_profiles_free(profiles);
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
