/* Results against a parameter of an agent: a panel for each parameter and environment, in it a line for
 * each combination of the other parameters, and behind them the best over these. The profiles of a search
 * are drawn the same way. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "farsight/run.h"
#include "questions/plots/plot.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/tuning/tuned-comparison.h"
#include "report/build.h"
#include "run/series.h"

enum { MOST_PANELS = 12, MOST_IN_ALL = 36 };
#define HEIGHT 150.0
#define LEAST_PANEL 200.0
#define TICK_ROOM 26.0
#define PAD 0.07 /* of the panel, before the first value and behind the last */

typedef struct drawing {
  far_figure *f;
  const far__sensitivity *x;
  const far_plot_def *def;
  const char *quantity; /* that is drawn upwards */
  size_t n_parameters;  /* that are shown */
} drawing;

/* One panel: a parameter on an environment. */
typedef struct view {
  const far__sensitivity_parameter *p;
  const far__sensitivity_panel *panel;
  far__panel at;
  bool dense; /* too many points for intervals of their own: bands */
} view;

static bool has_others(const far__sensitivity_parameter *p) {
  return p->n_lines + p->n_left_out > 1;
}

/* ---- axes ---- */

static void add_points(far__range *range, const far__sensitivity_point *points, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    far__range_add(range, points[i].mean);
    if (!isfinite(points[i].mean)) continue;
    far__range_add(range, points[i].low);
    far__range_add(range, points[i].high);
  }
}

/* Of one algorithm on one environment in all panels, so that its parameters can be compared. */
static far__range range_of(const drawing *d, const far__sensitivity_parameter *like,
                           const char *env) {
  far__range range = FAR__NO_RANGE;
  for (size_t i = 0; i < d->n_parameters; ++i) {
    const far__sensitivity_parameter *p = &d->x->parameters[i];
    if (strcmp(p->agent, like->agent) != 0) continue;
    for (size_t e = 0; e < p->n_panels; ++e) {
      if (strcmp(p->panels[e].env, env) != 0) continue;
      add_points(&range, p->panels[e].points, p->n_lines * p->n_values);
      add_points(&range, p->panels[e].best, p->n_values);
    }
  }
  return far__range_widened(range, 0.06);
}

static bool words(const far__sensitivity_parameter *p) {
  return p->values[0].number != p->values[0].number;
}

/* Numbers from edge to edge, words each in the middle of a slot. */
static double share_of(const far__sensitivity_parameter *p, size_t v) {
  if (words(p)) return ((double)v + 0.5) / (double)p->n_values;
  return PAD + (1 - 2 * PAD) * p->values[v].place;
}

static double left_of(const view *w, size_t v) {
  return w->at.x + w->at.width * share_of(w->p, v);
}

/* Ticks at the values; of many those that are far enough from the one before. */
static void set_ticks(far__panel *at, const far__sensitivity_parameter *p) {
  double last = -1;
  at->h = (far__axis){.low = 0, .high = 1};
  for (size_t v = 0; v < p->n_values && at->h.n_ticks < FAR__TICKS; ++v) {
    if (p->n_values > FAR__TICKS && share_of(p, v) < last + 1.0 / (FAR__TICKS - 1)) continue;
    last = share_of(p, v);
    at->h.ticks[at->h.n_ticks++] = last;
  }
}

/* Long numbers have four digits. */
static const char *value_text(far_figure *f, const far__sensitivity_value *value) {
  if (value->number != value->number || strlen(value->text) <= 6) return value->text;
  return far__figure_print(f, "%s", far__brief_real(value->number).text);
}

/* Numbers are left out where they would touch, words are cut. */
static void write_values(far_figure *f, const view *w) {
  const far__font font = {.size = FAR__SMALL, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED};
  const far__panel *at = &w->at;
  const bool in_slots = words(w->p);
  const double slot = at->width / (double)w->p->n_values - 6;
  double free_from = -INFINITY;
  for (size_t v = 0; v < w->p->n_values; ++v) {
    const double x = left_of(w, v);
    const char *text = value_text(f, &w->p->values[v]);
    const double length = far__text_length(text, FAR__SMALL, false);
    if (in_slots && slot < 24) continue;
    if (!in_slots && x - length / 2 < free_from) continue;
    if (!in_slots) free_from = x + length / 2 + 6;
    far__figure_write_within(f, x, at->y + at->height + 16, in_slots ? slot : length + 1, font,
                             text);
  }
}

/* ---- data ---- */

static const char *point_text(const drawing *d, const view *w, size_t v,
                              const far__sensitivity_point *point) {
  const char *number = far__interval_text(d->f, point->mean, point->low, point->high);
  const bool others = point->other[0] != '\0';
  return far__figure_print(d->f, "%s:%s=%s%s%s on %s: %s%s", w->p->agent, w->p->key,
                           w->p->values[v].text, others ? "," : "", point->other, w->panel->env,
                           number, far__censored_text(d->f, ", ", point->censored, point->runs));
}

static size_t polyline_of(const view *w, const far__sensitivity_point *points, double shift,
                          double *x, double *y) {
  size_t n = 0;
  for (size_t v = 0; v < w->p->n_values; ++v) {
    if (!isfinite(points[v].mean)) continue;
    x[n] = left_of(w, v) + shift;
    y[n++] = far__panel_y(&w->at, points[v].mean);
  }
  return n;
}

static void draw_best(drawing *d, const view *w) {
  double *x = far__figure_room(d->f, w->p->n_values, sizeof(double)),
         *y = far__figure_room(d->f, w->p->n_values, sizeof(double));
  if (x == NULL || y == NULL) return;
  const size_t n = words(w->p) ? 0 : polyline_of(w, w->panel->best, 0, x, y);
  far__figure_series(d->f, w->p->n_lines, "best over the others");
  far__figure_polyline(d->f, x, y, n,
                       (far__paint){.stroke = FAR__INK_MUTED, .width = 7, .opacity = 0.3});
  for (size_t v = 0; v < w->p->n_values; ++v) {
    const far__sensitivity_point *point = &w->panel->best[v];
    if (!isfinite(point->mean)) continue;
    far__figure_tip(d->f, "best over the others: %s", point_text(d, w, v, point));
    far__figure_circle(d->f, left_of(w, v), far__panel_y(&w->at, point->mean),
                       w->p->n_lines == 0 ? 3 : 4.5,
                       (far__paint){.fill = FAR__INK_MUTED, .opacity = 0.4});
  }
  far__figure_end(d->f);
}

/* The chosen value of a search has a ring. */
static void draw_point(drawing *d, const view *w, size_t line, size_t v, double shift) {
  const far__sensitivity_point *point = &w->panel->points[line * w->p->n_values + v];
  const far__ink ink = far__ink_of(line);
  const bool chosen = w->p->chosen != NULL && strcmp(w->p->chosen, w->p->values[v].text) == 0;
  const double x = left_of(w, v) + shift;
  if (!isfinite(point->mean)) return;
  const double y = far__panel_y(&w->at, point->mean);
  if (!w->dense) far__draw_upright(d->f, &w->at, x, point->low, point->high, ink);
  far__figure_tip(d->f, "%s%s", point_text(d, w, v, point), chosen ? " (the best setting)" : "");
  far__figure_marker(
      d->f, line, x, y, w->dense ? 2.4 : 3.6,
      (far__paint){.fill = ink, .stroke = FAR__INK_PAPER, .width = w->dense ? 0.5 : 1});
  if (chosen) far__figure_circle(d->f, x, y, 8, (far__paint){.stroke = ink, .width = 1.6});
}

/* The intervals of a line, from point to point. */
static void draw_band(drawing *d, const view *w, size_t line) {
  const far__sensitivity_point *points = &w->panel->points[line * w->p->n_values];
  const size_t all = w->p->n_values;
  double *x = far__figure_room(d->f, 2 * all, sizeof(double)),
         *y = far__figure_room(d->f, 2 * all, sizeof(double));
  size_t n = 0, back = 2 * all;
  if (x == NULL || y == NULL) return;
  for (size_t v = 0; v < all; ++v) {
    if (!isfinite(points[v].low) || !isfinite(points[v].high)) continue;
    --back;
    x[n] = x[back] = left_of(w, v);
    y[n++] = far__panel_y(&w->at, points[v].high);
    y[back] = far__panel_y(&w->at, points[v].low);
  }
  memmove(x + n, x + back, n * sizeof *x);
  memmove(y + n, y + back, n * sizeof *y);
  far__figure_polygon(d->f, x, y, 2 * n, (far__paint){.fill = far__ink_of(line), .opacity = 0.12});
}

/* How far the points of neighbouring lines are apart. */
static double spacing(const view *w) {
  if (words(w->p))
    return fmin(9, 0.7 * w->at.width / (double)(w->p->n_values * (w->p->n_lines + 1)));
  return w->dense ? 0 : 4;
}

static void draw_line(drawing *d, const view *w, size_t line, double shift) {
  const far__sensitivity_point *points = &w->panel->points[line * w->p->n_values];
  double *x = far__figure_room(d->f, w->p->n_values, sizeof(double)),
         *y = far__figure_room(d->f, w->p->n_values, sizeof(double));
  if (x == NULL || y == NULL) return;
  const size_t n = words(w->p) ? 0 : polyline_of(w, points, shift, x, y);
  far__figure_series(d->f, line, w->p->lines[line][0] != '\0' ? w->p->lines[line] : w->p->agent);
  if (w->dense) draw_band(d, w, line);
  far__figure_polyline(
      d->f, x, y, n,
      (far__paint){.stroke = far__ink_of(line), .width = 1.8, .dash = (int)(line % 8)});
  for (size_t v = 0; v < w->p->n_values; ++v) draw_point(d, w, line, v, shift);
  far__figure_end(d->f);
}

/* ---- labels ---- */

static const char *line_name(const far__sensitivity_parameter *p, size_t line) {
  return line < p->n_lines ? p->lines[line] : "best over the others";
}

/* The height at which a line ends; NAN if it has no point. */
static double end_of(const view *w, const far__sensitivity_point *points) {
  double y = NAN;
  for (size_t v = 0; v < w->p->n_values; ++v)
    if (isfinite(points[v].mean)) y = far__panel_y(&w->at, points[v].mean);
  return y;
}

/* Names of lines, spread so that they do not overlap; that of the best line is grey. */
static void label_lines(drawing *d, const view *w, double width) {
  const size_t n = w->p->n_lines;
  double *y = far__figure_room(d->f, n + 1, sizeof(double));
  const double x = w->at.x + w->at.width + 4, bottom = w->at.y + w->at.height;
  if (y == NULL) return;
  for (size_t k = 0; k < n; ++k) y[k] = end_of(w, &w->panel->points[k * w->p->n_values]);
  y[n] = end_of(w, w->panel->best) - 10;
  for (size_t k = 0; k <= n; ++k) y[k] = isfinite(y[k]) ? y[k] : bottom;
  far__spread(y, n + 1, 14, w->at.y + 4, bottom);
  for (size_t k = 0; k <= n; ++k) {
    const far__ink ink = k < n ? far__ink_of(k) : FAR__INK_MUTED;
    far__figure_series(d->f, k, line_name(w->p, k));
    far__figure_write_within(d->f, x, y[k] + 4, width, (far__font){.size = FAR__SMALL, .ink = ink},
                             line_name(w->p, k));
    far__figure_end(d->f);
  }
}

static double label_width(const drawing *d, const far__sensitivity_parameter *p) {
  double width = 0;
  for (size_t k = 0; k <= p->n_lines; ++k)
    width = fmax(width, far__text_length(line_name(p, k), FAR__SMALL, false));
  return fmin(width, 0.32 * d->f->width);
}

/* The best first, then the lines. Returns the height; draws nothing if `f` is NULL. */
static double draw_legend(far_figure *f, const far__sensitivity_parameter *p, double x, double y,
                          double width) {
  const double best = 26 + far__text_length("best over the others", FAR__SMALL, false) + 18;
  if (f != NULL) {
    far__figure_series(f, p->n_lines, "best over the others");
    far__figure_line(f, x, y + 7, x + 20, y + 7,
                     (far__paint){.stroke = FAR__INK_MUTED, .width = 7, .opacity = 0.3});
    far__figure_write(f, x + 26, y + 11, (far__font){.size = FAR__SMALL}, "best over the others");
    far__figure_end(f);
  }
  return fmax(14, far__legend(f, x + best, y, width - best, p->lines, p->n_lines)) + 6;
}

/* ---- one panel ---- */

static void draw_panel(drawing *d, view *w, const char *title, bool labelled) {
  const far__range range = range_of(d, w->p, w->panel->env);
  const bool log = d->def->y_scale == FAR_PLOT_SCALE_LOG;
  const double left = w->at.x, right = w->at.x + w->at.width;
  w->at.v = far__axis_create(range.low, range.high, log, w->at.height, 24);
  w->at.x += far__axis_width(&w->at.v, FAR__SMALL);
  w->at.width = right - w->at.x - (labelled ? label_width(d, w->p) + 8 : 6);
  w->dense = !words(w->p) && w->at.width < 14 * (double)w->p->n_values;
  set_ticks(&w->at, w->p);
  far__figure_panel(d->f,
                    far__figure_print(d->f, "%s: %s on %s", w->p->agent, w->p->key, w->panel->env));
  far__panel_draw(d->f, &w->at,
                  &(far__panel_look){.no_x_labels = true, .no_x_grid = w->p->n_values > 8});
  if (title != NULL)
    far__figure_write_within(d->f, left, w->at.y - 10, right - left - 6, (far__font){.bold = true},
                             title);
  write_values(d->f, w);
  if (has_others(w->p)) draw_best(d, w);
  for (size_t k = 0; k < w->p->n_lines; ++k)
    draw_line(d, w, k, spacing(w) * ((double)k - ((double)w->p->n_lines - 1) / 2));
  if (labelled) label_lines(d, w, label_width(d, w->p));
  far__figure_end(d->f);
}

/* Lines that have names and one panel for them have their names beside them, where there is room. */
static bool beside(const drawing *d, const far__sensitivity_parameter *p) {
  return p->n_panels == 1 && has_others(p) && d->f->width >= 450;
}

/* ---- a section for each parameter, or all in one block ---- */

/* Columns and rows of panels, below what stands above them. */
typedef struct block {
  double x, y, width;
  size_t columns;
} block;

static view place(const block *b, size_t i, double title) {
  const double width = b->width / (double)b->columns, height = title + HEIGHT + TICK_ROOM + 12;
  view w = {.at = {.x = b->x + width * (double)(i % b->columns),
                   .y = b->y + height * far__row_of(i, b->columns) + title,
                   .width = width - 8,
                   .height = HEIGHT}};
  return w;
}

static double block_height(const block *b, size_t n, double title) {
  return far__rows_of(n, b->columns) * (title + HEIGHT + TICK_ROOM + 12);
}

static const char *section_title(drawing *d, const far__sensitivity_parameter *p) {
  const char *others = "";
  const size_t all = p->n_lines + p->n_left_out;
  if (p->n_left_out > 0)
    others =
        far__figure_print(d->f, " (%zu of %zu settings of the other parameters)", p->n_lines, all);
  return far__figure_print(d->f, "%s: %s%s", p->agent, p->key, others);
}

/* Returns where it ends. */
static double draw_section(drawing *d, const far__sensitivity_parameter *p, double y) {
  const size_t n = p->n_panels < MOST_PANELS ? p->n_panels : MOST_PANELS;
  const double title = p->n_panels > 1 ? 26 : 8;
  block b = {.x = 16, .width = d->f->width - 24};
  b.columns = far__columns(n, b.width, LEAST_PANEL);
  far__figure_write_within(d->f, 16, y + 14, b.width, (far__font){.bold = true, .size = 13},
                           section_title(d, p));
  b.y = y + 24;
  if (has_others(p) && !beside(d, p)) b.y += draw_legend(d->f, p, 16, b.y, b.width);
  for (size_t i = 0; i < n; ++i) {
    view w = place(&b, i, title);
    w.p = p;
    w.panel = &p->panels[i];
    draw_panel(d, &w, p->n_panels > 1 ? w.panel->env : NULL, beside(d, p));
  }
  return b.y + block_height(&b, n, title) + 6;
}

/* Of a search: a panel for each parameter. */
static double draw_block(drawing *d, double y) {
  block b = {.x = 16, .y = y, .width = d->f->width - 24};
  bool one = true;
  b.columns = far__columns(d->n_parameters, b.width, LEAST_PANEL);
  for (size_t i = 1; i < d->n_parameters; ++i)
    one = one && strcmp(d->x->parameters[i].agent, d->x->parameters[0].agent) == 0;
  for (size_t i = 0; i < d->n_parameters; ++i) {
    const far__sensitivity_parameter *p = &d->x->parameters[i];
    view w = place(&b, i, 28);
    w.p = p;
    w.panel = &p->panels[0];
    draw_panel(d, &w, one ? p->key : far__figure_print(d->f, "%s: %s", p->agent, p->key), false);
  }
  return b.y + block_height(&b, d->n_parameters, 28);
}

/* ---- the figure ---- */

static const char *subtitle(drawing *d) {
  const far__sensitivity *x = d->x;
  const far__sensitivity_parameter *p = &x->parameters[0];
  const char *env = p->n_panels == 1 ? far__figure_print(d->f, " on %s", p->panels[0].env) : "";
  const char *left = "";
  if (x->n_parameters > d->n_parameters)
    left = far__figure_print(d->f, "; %zu more parameters are left out",
                             x->n_parameters - d->n_parameters);
  else if (p->n_panels > MOST_PANELS)
    left =
        far__figure_print(d->f, "; %zu more environments are left out", p->n_panels - MOST_PANELS);
  if (x->search)
    return far__figure_print(
        d->f, "%s%s, 95%% intervals of the difference from the best setting (ring)%s", d->quantity,
        env, left);
  return far__figure_print(d->f, "%smean %s%s with %g%% intervals; %s is better%s",
                           far__series_event(x->series) != NULL ? "restricted " : "", d->quantity,
                           env, 100 * x->level, x->lower ? "lower" : "higher", left);
}

static const char *title(drawing *d) {
  const far__sensitivity_parameter *p = &d->x->parameters[0];
  if (d->x->n_parameters == 1)
    return far__figure_print(d->f, "Sensitivity of %s to %s", p->agent, p->key);
  for (size_t i = 1; i < d->x->n_parameters; ++i)
    if (strcmp(d->x->parameters[i].agent, p->agent) != 0) return "Parameter sensitivity";
  return far__figure_print(d->f, "Parameter sensitivity of %s", p->agent);
}

/* The best value of every panel, in words. */
static const char *findings(drawing *d) {
  const char *out = "";
  for (size_t i = 0; i < d->n_parameters; ++i) {
    const far__sensitivity_parameter *p = &d->x->parameters[i];
    for (size_t e = 0; e < p->n_panels && e < 6; ++e) {
      size_t best = p->n_values;
      for (size_t v = 0; v < p->n_values; ++v) {
        const double x = p->panels[e].best[v].mean;
        if (x != x) continue;
        const double y = best < p->n_values ? p->panels[e].best[best].mean : NAN;
        if (y != y || (d->x->lower ? x < y : x > y)) best = v;
      }
      if (best == p->n_values) continue;
      const far__sensitivity_point *point = &p->panels[e].best[best];
      out = far__figure_print(d->f, "%s %s on %s is best at %s=%s: %s.", out, p->agent,
                              p->panels[e].env, p->key, p->values[best].text,
                              far__interval_text(d->f, point->mean, point->low, point->high));
    }
  }
  return out;
}

static void draw_all(drawing *d) {
  bool sections = false;
  far__figure_name(d->f, title(d), "Results against the values of parameters.%s", findings(d));
  double y = far__heading(d->f, d->f->title, subtitle(d)) + 6;
  for (size_t i = 0; i < d->n_parameters; ++i)
    sections = sections || d->x->parameters[i].n_panels > 1 || has_others(&d->x->parameters[i]);
  if (sections)
    for (size_t i = 0; i < d->n_parameters; ++i) y = draw_section(d, &d->x->parameters[i], y);
  else
    y = draw_block(d, y);
  far__figure_height(d->f, y + 4);
}

far_status far__sensitivity_figure(far_figure **out, const far__sensitivity *x,
                                   const far_plot_def *def, far_error *error) {
  drawing d = {.x = x, .def = def};
  *out = NULL;
  if (x->n_parameters == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "%s",
                     x->search ? "the search has no profiles to draw"
                               : "no two agents of one algorithm differ in a parameter");
  /* The first ones, as many as have room for their panels. */
  size_t n = 0, panels = 0;
  for (; n < x->n_parameters; ++n) {
    panels += x->parameters[n].n_panels < MOST_PANELS ? x->parameters[n].n_panels : MOST_PANELS;
    if (n > 0 && panels > MOST_IN_ALL) break;
  }
  d.n_parameters = n;
  far_status status =
      far__figure_create(&d.f, x->search ? "tuning" : "sensitivity", def->width, error);
  if (status != FAR_OK) return status;
  d.quantity = x->search ? x->series : far__series_title(d.f, x->series);
  draw_all(&d);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}

far_status far__tuned_comparison_figure(far_figure **out, const far__tuned_comparison *comparison,
                                        const far_plot_def *def, far_error *error) {
  far__sensitivity *x;
  *out = NULL;
  far_status status = far__sensitivity_from_tuned(&x, comparison, error);
  if (status == FAR_OK) status = far__sensitivity_figure(out, x, def, error);
  far__sensitivity_free(x);
  return status;
}

/* ---- from a store ---- */

/* "m", "r-max:m" or "r-max:" choose. */
static far_status ask(far__sensitivity **out, const far_comparison *comparison, size_t group,
                      const far_plot_def *def, far_error *error) {
  far__sensitivity_def how = far__sensitivity_def_default();
  char agent[FAR_SPEC_SIZE];
  how.group = group;
  how.parameter = def->parameter;
  const char *colon = def->parameter != NULL ? strchr(def->parameter, ':') : NULL;
  if (colon != NULL && (size_t)(colon - def->parameter) < sizeof agent) {
    memcpy(agent, def->parameter, (size_t)(colon - def->parameter));
    agent[colon - def->parameter] = '\0';
    how.agent = agent;
    how.parameter = colon[1] != '\0' ? colon + 1 : NULL;
  }
  return far__sensitivity_create(out, comparison, &how, error);
}

static far_status draw_group(far_figure **out, const far_comparison *comparison,
                             const far_comparison_group *group, const far_plot_def *def,
                             far_error *error) {
  far__sensitivity *x = NULL;
  *out = NULL;
  far_status status = ask(&x, comparison, (size_t)(group - comparison->groups), def, error);
  if (status == FAR_OK) status = far__sensitivity_figure(out, x, def, error);
  far__sensitivity_free(x);
  return status;
}

static far_status report_group(far_report *report, const far_comparison *comparison, size_t group,
                               const far_plot_def *def, far_error *error) {
  far__sensitivity *x = NULL;
  const far_status status = ask(&x, comparison, group, def, error);
  if (status == FAR_OK) far__sensitivity_report(x, report);
  far__sensitivity_free(x);
  return status;
}

const far__plot far__plot_sensitivity = {
    .name = "sensitivity",
    .summary = "means against the values of a parameter, for agents that differ in parameters",
    .of_comparison = draw_group,
    .numbers_of_comparison = report_group,
    .table = "sensitivity",
};
