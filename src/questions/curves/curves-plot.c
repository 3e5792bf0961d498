/* Learning curves with bands: a line an agent, a panel an environment. */
#include "questions/curves/curves.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "farsight/report.h"
#include "questions/plots/plot.h"
#include "report/build.h"
#include "run/series.h"

#define LABEL_HEIGHT 14.0
#define LABEL_GAP 16.0

static const char BEST[] = "best policy", RANDOM[] = "random policy";

typedef struct drawing {
  far_figure *f;
  const far_plot_def *def;
  const far__curves *curves;
  const far__curves_group *g;
  far__shown shown;
  const char **names;
  bool log_x, log_y;
  bool direct;          /* names at the ends of lines, else in a legend */
  double labels;        /* room for them */
  double left;          /* room for the numbers of the vertical axes */
  double height, width; /* of the area of a panel */
  size_t columns;
} drawing;

static const far__curve *curve_of(const drawing *d, size_t e, size_t i) {
  return far__curve_of(d->g, e, d->shown.agents[i]);
}

/* ---- scales ---- */

/* Checkpoints are spaced by factors rather than by differences. */
static bool is_geometric(const far__curve *c) {
  if (c->n < 4 || c->steps[c->n - 1] < 30 * c->steps[0]) return false;
  return 4 * c->steps[c->n / 2] < c->steps[0] + c->steps[c->n - 1];
}

/* The curve is monotonic, as sums are: its slope is a rate, which a logarithmic axis would hide. */
static bool adds_up(const far__curve *c) {
  bool rises = true, falls = true;
  for (size_t k = 1; k < c->n; ++k) {
    rises = rises && !(c->mean[k] < c->mean[k - 1]);
    falls = falls && !(c->mean[k] > c->mean[k - 1]);
  }
  return rises || falls;
}

static void choose_scales(drawing *d) {
  bool geometric = false, sums = !d->curves->per_step;
  for (size_t i = 0; i < d->g->n_envs * d->shown.n; ++i) {
    const far__curve *c = curve_of(d, i / d->shown.n, i % d->shown.n);
    geometric = geometric || is_geometric(c);
    sums = sums && adds_up(c);
  }
  d->log_x = d->def->x_scale == FAR_PLOT_SCALE_LOG ||
             (d->def->x_scale == FAR_PLOT_SCALE_AUTO && geometric && !sums);
  d->log_y = d->def->y_scale == FAR_PLOT_SCALE_LOG;
}

static bool can_show(const drawing *d, double y) {
  return isfinite(y) && (y > 0 || !d->log_y);
}

/* What a policy that need not learn has earned by a step. */
static double line_at(const drawing *d, double rate, double step) {
  return d->curves->per_step ? rate : rate * step;
}

/* A line that would leave less than two fifths of the height to the curves is not shown. */
static void add_line(const drawing *d, far__range *range, double rate, double last) {
  const double y = line_at(d, rate, last);
  far__range more = *range;
  if (!can_show(d, y)) return;
  far__range_add(&more, y);
  if (0.4 * (more.high - more.low) <= range->high - range->low) *range = more;
}

/* Means in full; bands as far as they leave the means more than half of the height. */
static far__range range_of(const drawing *d, size_t e, double last) {
  far__range means = FAR__NO_RANGE, all = FAR__NO_RANGE;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far__curve *c = curve_of(d, e, i);
    for (size_t k = 0; k < c->n; ++k) {
      if (can_show(d, c->mean[k])) far__range_add(&means, c->mean[k]);
      if (can_show(d, c->low[k])) far__range_add(&all, c->low[k]);
      if (can_show(d, c->high[k])) far__range_add(&all, c->high[k]);
    }
  }
  if (!far__range_exists(&means)) return (far__range){0, 1};
  const double span = means.high - means.low;
  far__range out = means;
  if (far__range_exists(&all) && span > 0 && !d->log_y) {
    out.low = fmin(means.low, fmax(all.low, means.low - 0.4 * span));
    out.high = fmax(means.high, fmin(all.high, means.high + 0.4 * span));
  } else if (far__range_exists(&all)) {
    out = (far__range){fmin(all.low, means.low), fmax(all.high, means.high)};
  }
  add_line(d, &out, d->g->envs[e].best, last);
  add_line(d, &out, d->g->envs[e].random, last);
  return d->log_y ? out : far__range_widened(out, 0.03);
}

static far__range steps_of(const drawing *d, size_t e) {
  far__range out = FAR__NO_RANGE;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far__curve *c = curve_of(d, e, i);
    for (size_t k = 0; k < c->n; ++k) far__range_add(&out, (double)c->steps[k]);
  }
  if (!far__range_exists(&out)) return (far__range){0, 1};
  if (!d->log_x) out.low = 0;
  return out;
}

static far__panel panel_of(const drawing *d, size_t e) {
  const far__range x = steps_of(d, e), y = range_of(d, e, x.high);
  far__panel p = {.width = d->width, .height = d->height};
  p.h = far__axis_create(x.low, x.high, d->log_x, d->width, 55);
  p.v = far__axis_create(y.low, y.high, d->log_y, d->height, 40);
  return p;
}

/* ---- one curve ---- */

static double place_y(const far__panel *p, double y) {
  const double at = p->v.log && !(y > 0) ? p->y + p->height : far__panel_y(p, y);
  return fmax(p->y, fmin(p->y + p->height, at));
}

/* Draws the band between two checkpoints over all of which it exists. */
static void draw_band_part(const drawing *d, const far__panel *p, const far__curve *c, size_t from,
                           size_t to, size_t series) {
  const size_t n = to - from;
  double *x = far__figure_room(d->f, 2 * n, sizeof *x);
  double *y = far__figure_room(d->f, 2 * n, sizeof *y);
  if (x == NULL || y == NULL || n < 2) return;
  for (size_t k = 0; k < n; ++k) {
    x[k] = x[2 * n - 1 - k] = far__panel_x(p, (double)c->steps[from + k]);
    y[k] = place_y(p, c->high[from + k]);
    y[2 * n - 1 - k] = place_y(p, c->low[from + k]);
  }
  far__figure_polygon(
      d->f, x, y, 2 * n,
      (far__paint){.fill = far__ink_of(series), .opacity = d->shown.n > 6 ? 0.10 : 0.16});
}

static void draw_band(const drawing *d, const far__panel *p, const far__curve *c, size_t series) {
  size_t from = 0;
  for (size_t k = 0; k <= c->n; ++k) {
    if (k < c->n && isfinite(c->high[k] - c->low[k])) continue;
    draw_band_part(d, p, c, from, k, series);
    from = k + 1;
  }
}

/* With names at their ends lines need no dashes before colours repeat; a legend shows them. */
static int dash_of(const drawing *d, size_t series) {
  return (int)(d->direct ? series / FAR__SERIES : series % FAR__SERIES);
}

static void draw_line_part(const drawing *d, const far__panel *p, const far__curve *c, size_t from,
                           size_t to, size_t series) {
  const size_t n = to - from;
  double *x = far__figure_room(d->f, n, sizeof *x), *y = far__figure_room(d->f, n, sizeof *y);
  double *steps = far__figure_room(d->f, n, sizeof *steps);
  if (x == NULL || y == NULL || steps == NULL || n == 0) return;
  for (size_t k = 0; k < n; ++k) {
    steps[k] = (double)c->steps[from + k];
    x[k] = far__panel_x(p, steps[k]);
    y[k] = place_y(p, c->mean[from + k]);
  }
  far__figure_values(d->f, steps, &c->mean[from], &c->low[from], &c->high[from], n);
  if (n > 1)
    far__figure_polyline(
        d->f, x, y, n,
        (far__paint){.stroke = far__ink_of(series), .width = 1.9, .dash = dash_of(d, series)});
  else
    far__figure_marker(d->f, series, x[0], y[0], 4, (far__paint){.fill = far__ink_of(series)});
}

/* About five marks on a line, each series elsewhere. */
static void draw_marks(const drawing *d, const far__panel *p, const far__curve *c, size_t series) {
  const double offset = (double)(series % FAR__SERIES) / FAR__SERIES;
  size_t last = SIZE_MAX;
  for (int m = 0; m < 5; ++m) {
    const double wanted = p->x + p->width * ((double)m + 0.3 + 0.6 * offset) / 5;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < c->n; ++k) {
      const double away = fabs(far__panel_x(p, (double)c->steps[k]) - wanted);
      if (!can_show(d, c->mean[k])) continue;
      if (best == SIZE_MAX || away < fabs(far__panel_x(p, (double)c->steps[best]) - wanted))
        best = k;
    }
    if (best == SIZE_MAX || best == last) continue;
    last = best;
    far__figure_marker(d->f, series, far__panel_x(p, (double)c->steps[best]),
                       place_y(p, c->mean[best]), 3.2, (far__paint){.fill = far__ink_of(series)});
  }
}

/* The last checkpoint whose mean can be shown; c->n if there is none. */
static size_t last_shown(const drawing *d, const far__curve *c) {
  size_t k = c->n;
  while (k > 0 && !can_show(d, c->mean[k - 1])) --k;
  return k > 0 ? k - 1 : c->n;
}

/* What a checkpoint is. */
static const char *unit_of(const drawing *d) {
  return d->g->episodes > 0 ? "episode" : "step";
}

static const char *words_of(const drawing *d, size_t e, size_t i) {
  const far__curve *c = curve_of(d, e, i);
  const size_t k = last_shown(d, c);
  if (k == c->n) return "";
  const int64_t censored = c->censored != NULL ? c->censored[k] : 0;
  return far__figure_print(d->f, "%s on %s: %s at %s %s%s", d->names[i], d->g->envs[e].label,
                           far__interval_text(d->f, c->mean[k], c->low[k], c->high[k]), unit_of(d),
                           far__brief_count(c->steps[k]).text,
                           far__censored_text(d->f, ", ", censored, c->runs[k]));
}

static void draw_curve(const drawing *d, const far__panel *p, size_t e, size_t i) {
  const far__curve *c = curve_of(d, e, i);
  size_t from = 0;
  if (c->n == 0) return;
  far__figure_series(d->f, i, d->names[i]);
  draw_band(d, p, c, i);
  for (size_t k = 0; k <= c->n; ++k) {
    if (k < c->n && can_show(d, c->mean[k])) continue;
    far__figure_tip(d->f, "%s", words_of(d, e, i));
    draw_line_part(d, p, c, from, k, i);
    from = k + 1;
  }
  if (!d->direct) draw_marks(d, p, c, i);
  far__figure_end(d->f);
}

/* ---- one panel ---- */

enum { LINE_POINTS = 33 };

/* Draws the line of a policy; where it ends at the right, or NAN if it is not shown. */
static double draw_policy(const drawing *d, const far__panel *p, double rate, const char *name) {
  double x[LINE_POINTS], y[LINE_POINTS];
  size_t n = 0;
  for (int k = 0; k < LINE_POINTS; ++k) {
    const double share = (double)k / (LINE_POINTS - 1);
    const double step = p->h.log ? p->h.low * far_exp(share * far_log(p->h.high / p->h.low))
                                 : p->h.low + share * (p->h.high - p->h.low);
    const double value = line_at(d, rate, step);
    if (!can_show(d, value) || value > p->v.high || value < p->v.low) continue;
    x[n] = p->x + share * p->width;
    y[n++] = far__panel_y(p, value);
  }
  if (n < 2 || x[n - 1] < p->x + p->width - 1) return NAN;
  far__figure_tip(d->f, "%s: %.4g per %s", name, rate, unit_of(d));
  far__figure_polyline(d->f, x, y, n, (far__paint){.stroke = FAR__INK_MUTED, .dash = 6});
  return y[n - 1];
}

static void draw_ends(const drawing *d, const far__panel *p, size_t e, double best, double random) {
  far__end_label *labels = far__figure_room(d->f, d->shown.n + 2, sizeof *labels);
  if (labels == NULL) return;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far__curve *c = curve_of(d, e, i);
    const size_t k = last_shown(d, c);
    labels[i] = (far__end_label){
        .y = k < c->n ? place_y(p, c->mean[k]) : NAN, .text = d->names[i], .series = i};
  }
  labels[d->shown.n] = (far__end_label){.y = best, .text = BEST, .plain = true};
  labels[d->shown.n + 1] = (far__end_label){.y = random, .text = RANDOM, .plain = true};
  if (!far__end_labels(d->f, p->x + p->width + LABEL_GAP, d->labels, p->y, p->y + p->height, labels,
                       d->shown.n + 2))
    d->f->kept.failed = true; /* there is room: choose_labels saw to it */
}

/* Agents whose means cannot be shown are named. */
static void draw_missing(const drawing *d, const far__panel *p, size_t e) {
  const char *text = "";
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far__curve *c = curve_of(d, e, i);
    if (c->n > 0 && last_shown(d, c) == c->n)
      text = far__figure_print(d->f, "%s%s%s", text, *text != '\0' ? ", " : "", d->names[i]);
  }
  if (*text == '\0') return;
  far__figure_write_within(
      d->f, p->x + 6, p->y + 14, p->width - 12,
      (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED},
      far__figure_print(d->f, "%s: %s", d->log_y ? "not above 0" : "not finite", text));
}

static void draw_panel(const drawing *d, size_t e, double x, double y, bool last) {
  const far__curves_env *env = &d->g->envs[e];
  far__panel p = panel_of(d, e);
  p.x = x;
  p.y = y;
  far__figure_panel(d->f, env->label);
  far__panel_draw(d->f, &p,
                  &(far__panel_look){.x_title = !last                ? NULL
                                                : d->g->episodes > 0 ? "episodes"
                                                                     : "steps",
                                     .no_x_grid = true});
  if (d->g->n_envs > 1)
    far__figure_write_within(d->f, x, y - 11, d->width, (far__font){.bold = true}, env->label);
  const double best = draw_policy(d, &p, env->best, BEST);
  const double random = draw_policy(d, &p, env->random, RANDOM);
  for (size_t i = 0; i < d->shown.n; ++i) draw_curve(d, &p, e, i);
  if (d->direct) draw_ends(d, &p, e, best, random);
  draw_missing(d, &p, e);
  far__figure_end(d->f);
}

/* ---- the figure ---- */

static bool has_lines(const drawing *d) {
  bool any = false;
  for (size_t e = 0; e < d->g->n_envs; ++e)
    any = any || isfinite(d->g->envs[e].best) || isfinite(d->g->envs[e].random);
  return any;
}

/* Names are written at the ends of lines if all of them fit there in full. */
static void choose_labels(drawing *d) {
  const bool alone = d->g->n_envs == 1;
  double longest = 0;
  for (size_t i = 0; i < d->shown.n; ++i)
    longest = fmax(longest, far__text_length(d->names[i], FAR__SMALL, false));
  if (has_lines(d)) longest = fmax(longest, far__text_length(RANDOM, FAR__SMALL, false));
  d->height = alone ? 320 : fmax(180, fmin(240, (double)(d->shown.n + 2) * LABEL_HEIGHT));
  d->direct = longest <= (alone ? 0.28 : 0.16) * d->f->width + 8 &&
              (double)(d->shown.n + 2) * LABEL_HEIGHT <= d->height;
  d->labels = d->direct ? longest : 0;
}

/* The labels of the axes change the width of the panels, which changes the ticks: two passes are enough. */
static void measure(drawing *d) {
  const double right = d->direct ? d->labels + LABEL_GAP + 8 : 20;
  d->left = 40;
  for (int pass = 0; pass < 2; ++pass) {
    d->columns = far__columns(d->g->n_envs, d->f->width - 10, d->left + right + 150);
    const double each = (d->f->width - 10) / (double)d->columns;
    d->width = fmax(60, each - d->left - right);
    double left = 24;
    for (size_t e = 0; e < d->g->n_envs; ++e) {
      const far__panel p = panel_of(d, e);
      left = fmax(left, far__axis_width(&p.v, FAR__SMALL) + 8);
    }
    d->left = left;
  }
  d->width = fmax(60, (d->f->width - 10) / (double)d->columns - d->left - right);
}

static void draw_panels(const drawing *d, double top) {
  const size_t n = d->g->n_envs, lines = (n + d->columns - 1) / d->columns;
  const double above = n > 1 ? 30 : 14, below = 26;
  const double height = above + d->height + below, each = (d->f->width - 10) / (double)d->columns;
  for (size_t e = 0; e < n; ++e) {
    const double y = top + far__row_of(e, d->columns) * height + above;
    draw_panel(d, e, 4 + (double)(e % d->columns) * each + d->left, y, e + d->columns >= n);
  }
  far__figure_height(d->f, top + (double)lines * height + 20);
}

static const char *title_of(const drawing *d) {
  const bool total = strcmp(d->curves->series, "curve") == 0;
  if (total) return d->curves->per_step ? "Reward per step" : "Total reward so far";
  return far__figure_print(
      d->f, "%s%s%s", far__capital(d->f, far__series_title(d->f, d->curves->series)),
      d->curves->per_step ? " per step" : " so far",
      far__series_event(d->curves->series) != NULL ? " (restricted mean)" : "");
}

/* Of the curves that are shown, at their last checkpoint. */
static const char *censored_runs(const drawing *d) {
  int64_t censored = 0, runs = 0;
  for (size_t i = 0; i < d->g->n_envs * d->shown.n; ++i) {
    const far__curve *c = curve_of(d, i / d->shown.n, i % d->shown.n);
    if (c->n == 0 || c->censored == NULL) continue;
    censored += c->censored[c->n - 1];
    runs += c->runs[c->n - 1];
  }
  return far__censored_text(d->f, "; ", censored, runs);
}

static const char *line_of(const drawing *d) {
  int64_t most = 0;
  const char *where = "", *length = "", *band = "one run each";
  for (size_t i = 0; i < d->g->n_envs * d->g->n_agents; ++i)
    for (size_t k = 0; k < d->g->curves[i].n; ++k)
      most = d->g->curves[i].runs[k] > most ? d->g->curves[i].runs[k] : most;
  const far__brief long_as = far__brief_length(d->g->steps, d->g->episodes);
  if (d->g->n_envs == 1) where = far__figure_print(d->f, "%s, ", d->g->envs[0].label);
  if (long_as.text[0] != '\0') length = far__figure_print(d->f, "%s, ", long_as.text);
  if (most > 1)
    band = far__figure_print(d->f, "mean and %g%% interval of %s runs each", 100 * d->curves->level,
                             far__brief_count(most).text);
  return far__figure_print(d->f, "%s%s%s%s%s%s", where, length, band,
                           far__best_of(d->f, d->shown.n, d->g->n_agents), censored_runs(d),
                           far__older_text(d->f, d->g->n_older));
}

static void describe(drawing *d) {
  const char *text = "";
  for (size_t i = 0; i < d->g->n_envs * d->shown.n && i < 60; ++i) {
    const char *words = words_of(d, i / d->shown.n, i % d->shown.n);
    if (*words != '\0') text = far__figure_print(d->f, "%s %s.", text, words);
  }
  far__figure_name(d->f, title_of(d),
                   "Learning curves: means over the runs along the steps, with bands of their "
                   "intervals.%s",
                   text);
}

static double draw_legend(const drawing *d, double top) {
  double height = far__legend(d->f, 16, top, d->f->width - 32, d->names, d->shown.n) + 6;
  if (!has_lines(d)) return height;
  far__figure_line(d->f, 16, top + height + 7, 36, top + height + 7,
                   (far__paint){.stroke = FAR__INK_MUTED, .dash = 6});
  far__figure_write(d->f, 42, top + height + 11,
                    (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED},
                    "best and random policy");
  return height + 20;
}

static void draw_all(drawing *d) {
  d->names = far__figure_room(d->f, d->shown.n, sizeof *d->names);
  for (size_t i = 0; i < d->shown.n && d->names != NULL; ++i)
    d->names[i] = d->g->agents[d->shown.agents[i]].label;
  if (d->names != NULL) d->names = far__brief_labels(d->f, d->names, d->shown.n);
  if (d->names == NULL) return;
  choose_scales(d);
  describe(d);
  choose_labels(d);
  measure(d);
  double top = far__heading(d->f, d->f->title, line_of(d));
  if (!d->direct) top += draw_legend(d, top);
  draw_panels(d, top);
}

/* ---- which agents ---- */

/* How many agents end better, in the sum over environments. */
static double rank_of(const far__curves *curves, const far__curves_group *g, size_t j) {
  double rank = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far__curve *own = far__curve_of(g, e, j);
    for (size_t k = 0; k < g->n_agents; ++k) {
      const far__curve *c = far__curve_of(g, e, k);
      if (c->n == 0) continue;
      const double sign = curves->lower ? -1 : 1;
      rank += own->n == 0 || sign * c->mean[c->n - 1] > sign * own->mean[own->n - 1];
    }
  }
  return rank;
}

/* False, and the figure fails, without memory. */
static bool choose_agents(drawing *d) {
  double *ranks = far__figure_room(d->f, d->g->n_agents, sizeof *ranks);
  if (ranks == NULL) return false;
  for (size_t j = 0; j < d->g->n_agents && d->g->n_agents > d->def->most_series; ++j)
    ranks[j] = rank_of(d->curves, d->g, j);
  d->f->kept.failed |= far__shown_by(&d->shown, ranks, d->g->n_agents, d->def->most_series,
                                     d->g->n_agents, NULL) != FAR_OK;
  return !d->f->kept.failed;
}

static far_status check_groups(const far__curves *curves, far_error *error) {
  far__group_key keys[2] = {{0}};
  for (size_t i = 0; i < 2 && i < curves->n_groups; ++i)
    keys[i] = (far__group_key){curves->groups[i].steps, curves->groups[i].episodes,
                               curves->groups[i].seed};
  return far__check_one_group(curves->n_groups, keys, error);
}

far_status far__curves_figure(far_figure **out, const far__curves *curves, size_t group,
                              const far_plot_def *def, far_error *error) {
  *out = NULL;
  if (group >= curves->n_groups)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "the curves have no group %zu", group);
  drawing d = {.def = def, .curves = curves, .g = &curves->groups[group]};
  far_status status = far__figure_create(&d.f, "curves", def->width, error);
  if (status != FAR_OK) return status;
  if (choose_agents(&d)) draw_all(&d);
  far__shown_free(&d.shown);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}

/* ---- from a store ---- */

static far_status read_curves(far__curves **out, far_store *store, const far_plot_def *def,
                              far_error *error) {
  far__curves_def how = {.choice = def->results, .per_step = def->per_step};
  how.choice.most_agents = 0; /* the best of them are shown */
  const far_status status = far__curves_create(out, store, &how, error);
  return status == FAR_OK ? check_groups(*out, error) : status;
}

static far_status draw(far_figure **out, far_store *store, const far_plot_def *def,
                       far_error *error) {
  far__curves *curves;
  far_status status = read_curves(&curves, store, def, error);
  if (status == FAR_OK) status = far__curves_figure(out, curves, 0, def, error);
  far__curves_free(curves);
  return status;
}

static far_status report_curves(far_report *report, far_store *store, const far_plot_def *def,
                                far_error *error) {
  far__curves *curves;
  const far_status status = read_curves(&curves, store, def, error);
  if (status == FAR_OK) far__curves_report(curves, report);
  far__curves_free(curves);
  return status;
}

const far__plot far__plot_curves = {
    .name = "curves",
    .summary = "learning curves with bands: reward, regret or another metric along the steps",
    .of_store = draw,
    .numbers_of_store = report_curves,
    .table = "curves",
};
