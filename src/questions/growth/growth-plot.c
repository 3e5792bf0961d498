/* Growth with size: medians of times or means against the size, with their intervals, and the law that
 * fits better as a dashed line. Points of which at least half of the runs are censored are hollow and have an
 * arrow. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "farsight/report.h"
#include "questions/growth/growth-curves.h"
#include "questions/growth/scaling.h"
#include "questions/plots/plot.h"
#include "report/build.h"
#include "statistics/growth.h"

enum { MOST_FAMILIES = 12, SAMPLES = 48 };
#define HEIGHT 300.0
#define SMALL_HEIGHT 190.0
#define LEAST_PANEL 300.0
#define LABEL_HEIGHT 31.0

typedef struct drawing {
  far_figure *f;
  const far__growth_curves *x;
  const far_plot_def *def;
  size_t n_families;                /* that are shown */
  const char **agents;              /* that are shown, the same in all families */
  const char **labels;              /* of these, brief */
  size_t n_agents, left_out;        /* and how many are not shown */
  const far__growth_family *family; /* at hand */
  const far__growth_curve **curves; /* of it, one for each agent, or NULL */
  bool censored;                    /* some point has an arrow */
  bool labelled;                    /* names beside the lines, not in a legend */
  double names;                     /* room for them */
} drawing;

/* ---- which agents ---- */

static const far__growth_curve *curve_of(const far__growth_family *m, const char *agent) {
  for (size_t j = 0; j < m->n_curves; ++j)
    if (strcmp(m->curves[j].agent, agent) == 0) return &m->curves[j];
  return NULL;
}

/* The share of other curves that are better, over all sizes; an agent that is not there is the worst. */
static double rank_in(const drawing *d, const far__growth_family *m, const char *agent) {
  const far__growth_curve *own = curve_of(m, agent);
  const double sign = d->x->lower ? 1 : -1;
  double better = 0;
  for (size_t i = 0; i < m->n_sizes; ++i) {
    const double value = own != NULL ? sign * own->points[i].value : NAN;
    for (size_t j = 0; j < m->n_curves; ++j)
      better += value != value || sign * m->curves[j].points[i].value < value;
  }
  return better / (double)(m->n_sizes * (m->n_curves + 1));
}

/* Every agent once, in the order of the families. */
static size_t list_agents(const drawing *d, const char **out) {
  size_t n = 0;
  for (size_t i = 0; i < d->n_families; ++i) {
    const far__growth_family *m = &d->x->families[i];
    for (size_t j = 0; j < m->n_curves; ++j) {
      bool known = false;
      for (size_t k = 0; k < i && !known; ++k)
        known = curve_of(&d->x->families[k], m->curves[j].agent) != NULL;
      if (!known) out[n++] = m->curves[j].agent;
    }
  }
  return n;
}

/* Keeps the best ones of `n` agents; false without memory. */
static bool keep_best(drawing *d, double *ranks, size_t n) {
  const size_t most = d->def->most_series;
  far__shown shown;
  for (size_t k = 0; k < n && n > most; ++k)
    for (size_t i = 0; i < d->n_families; ++i)
      ranks[k] += rank_in(d, &d->x->families[i], d->agents[k]);
  if (far__shown_by(&shown, ranks, n, most, n, NULL) != FAR_OK) return false;
  d->n_agents = shown.n;
  d->left_out = shown.left_out;
  for (size_t j = 0; j < shown.n; ++j) d->agents[j] = d->agents[shown.agents[j]];
  far__shown_free(&shown);
  return true;
}

/* False, and the figure fails, without memory. */
static bool choose_agents(drawing *d) {
  size_t room = 0;
  for (size_t i = 0; i < d->n_families; ++i) room += d->x->families[i].n_curves;
  double *ranks = far__figure_room(d->f, room, sizeof *ranks);
  d->agents = far__figure_room(d->f, room, sizeof *d->agents);
  d->curves = far__figure_room(d->f, room, sizeof *d->curves);
  if (d->f->kept.failed) return false;
  d->f->kept.failed |= !keep_best(d, ranks, list_agents(d, d->agents));
  d->labels = far__brief_labels(d->f, d->agents, d->n_agents);
  return !d->f->kept.failed;
}

static void use_family(drawing *d, const far__growth_family *family) {
  d->family = family;
  for (size_t j = 0; j < d->n_agents; ++j) d->curves[j] = curve_of(family, d->agents[j]);
}

/* ---- axes ---- */

/* On logarithms of both, a polynomial is a straight line; on that of the number alone, an exponential. */
static bool log_sizes(const drawing *d) {
  double evidence = 0;
  const int64_t *sizes = d->family->sizes;
  if (d->def->x_scale != FAR_PLOT_SCALE_AUTO) return d->def->x_scale == FAR_PLOT_SCALE_LOG;
  for (size_t j = 0; j < d->n_agents; ++j)
    if (d->curves[j] != NULL && d->curves[j]->fit.fitted)
      evidence += d->curves[j]->fit.growth.evidence;
  return evidence >= 0 && sizes[d->family->n_sizes - 1] >= 3 * sizes[0];
}

static far__range values_of(const drawing *d) {
  far__range range = FAR__NO_RANGE;
  for (size_t j = 0; j < d->n_agents; ++j)
    for (size_t i = 0; i < d->family->n_sizes && d->curves[j] != NULL; ++i) {
      const far__growth_point *p = &d->curves[j]->points[i];
      if (p->runs == 0) continue;
      far__range_add(&range, p->value);
      far__range_add(&range, p->low);
      far__range_add(&range, p->high);
      if (p->value == INFINITY) far__range_add(&range, p->limit);
    }
  return range;
}

static bool log_values(const drawing *d, far__range range) {
  if (!(range.low > 0)) return false;
  if (d->def->y_scale != FAR_PLOT_SCALE_AUTO) return d->def->y_scale == FAR_PLOT_SCALE_LOG;
  return range.high >= (d->x->times ? 4 : 30) * range.low;
}

static far__axis value_axis(const drawing *d, double height) {
  far__range range = values_of(d);
  const bool log = log_values(d, range);
  if (log) {
    const double more = far__power(range.high / range.low, 0.05);
    return far__axis_create(range.low / more, range.high * more, true, height, 34);
  }
  if (range.low > 0 && range.low < 0.4 * range.high) range.low = 0;
  const double low = range.low;
  range = far__range_widened(range, 0.05);
  return far__axis_create(low == 0 ? 0 : range.low, range.high, false, height, 34);
}

/* Few sizes are ticks themselves. */
static far__axis size_axis(const drawing *d, double width) {
  const far__growth_family *m = d->family;
  const double first = (double)m->sizes[0], last = (double)m->sizes[m->n_sizes - 1];
  const bool log = log_sizes(d);
  const double more = log ? far__power(last / first, 0.04) : 0.04 * (last - first);
  const double low = log ? first / more : first - more, high = log ? last * more : last + more;
  far__axis axis = far__axis_create(low, high, log, width, 56);
  if (m->n_sizes > FAR__TICKS) return axis;
  axis.n_ticks = m->n_sizes;
  for (size_t i = 0; i < m->n_sizes; ++i) {
    axis.ticks[i] = (double)m->sizes[i];
    far__tick_format(axis.labels[i], axis.ticks[i], 1);
  }
  return axis;
}

/* ---- laws ---- */

/* The law that is drawn: the better one; undecided, the one for which there is more evidence. */
static far__law law_of(const far__scaling_fit *fit) {
  if (fit->mixed_better) return FAR__LAW_MIXED;
  if (fit->better != FAR__LAW_COUNT) return fit->better;
  return fit->growth.evidence >= 0 ? FAR__LAW_POLYNOMIAL : FAR__LAW_EXPONENTIAL;
}

static const char *brief(drawing *d, double x, double half) {
  return far__figure_print(d->f, "%s", far__brief_interval(x, half).text);
}

/* "∝ n^(1.73 ± 0.05)"; "" without a law. */
static const char *law_text(drawing *d, const far__growth_curve *curve) {
  const char *key = d->family->key;
  const far__law law = law_of(&curve->fit);
  const far__fit *fit = &curve->fit.growth.laws[law];
  if (!curve->fit.fitted || !fit->fitted) return "";
  const char *power = brief(d, fit->power, fit->power_ci95),
             *rate = brief(d, fit->rate, fit->rate_ci95);
  const bool open = curve->fit.better == FAR__LAW_COUNT && law != FAR__LAW_MIXED;
  if (curve->fit.flat) return "no trend is seen";
  if (law == FAR__LAW_POLYNOMIAL)
    return far__figure_print(d->f, "∝ %s^(%s)%s", key, power, open ? "?" : "");
  if (law == FAR__LAW_EXPONENTIAL)
    return far__figure_print(d->f, "∝ e^((%s) %s)%s", rate, key, open ? "?" : "");
  return far__figure_print(d->f, "∝ %s^%s e^(%s %s)", key, brief(d, fit->power, NAN),
                           brief(d, fit->rate, NAN), key);
}

static void fitted_sizes(const drawing *d, const far__growth_curve *curve, double *first,
                         double *last) {
  *first = *last = NAN;
  for (size_t i = 0; i < d->family->n_sizes; ++i) {
    const double value = curve->points[i].value, size = (double)d->family->sizes[i];
    if (!(value > 0 && value < INFINITY)) continue;
    if (*first != *first) *first = size;
    *last = size;
  }
}

/* Over the sizes that it was fitted to; what would leave the panel is left out. */
static void draw_law(drawing *d, const far__panel *p, const far__growth_curve *curve,
                     size_t series) {
  const far__fit *fit = &curve->fit.growth.laws[law_of(&curve->fit)];
  double x[SAMPLES], y[SAMPLES], first, last;
  size_t n = 0;
  if (!curve->fit.fitted || !fit->fitted) return;
  fitted_sizes(d, curve, &first, &last);
  for (int i = 0; i < SAMPLES; ++i) {
    const double share = (double)i / (SAMPLES - 1);
    const double size =
        p->h.log ? first * far__power(last / first, share) : first + share * (last - first);
    const double value = far__law_at(fit, size);
    if (!(value >= p->v.low && value <= p->v.high)) continue;
    x[n] = far__panel_x(p, size);
    y[n++] = far__panel_y(p, value);
  }
  far__figure_tip(d->f, "%s %s", curve->agent, law_text(d, curve));
  far__figure_polyline(
      d->f, x, y, n,
      (far__paint){.stroke = far__ink_of(series), .width = 1.4, .dash = 1, .opacity = 0.75});
}

/* ---- points ---- */

static const char *point_text(drawing *d, const far__growth_point *p) {
  if (!d->x->times) return far__interval_text(d->f, p->value, p->low, p->high);
  const char *interval = "", *cut = "";
  if (p->low == p->low && p->value < INFINITY)
    interval = far__figure_print(d->f, " [%s, %s]", far__brief_real(p->low).text,
                                 p->high == INFINITY ? "∞" : far__brief_real(p->high).text);
  if (p->censored > 0)
    cut = far__figure_print(d->f, "; %s of %lld runs took longer than could be seen",
                            far__brief_count(p->censored).text, (long long)p->runs);
  return far__figure_print(d->f, "%s%s%s%s", p->value == INFINITY ? "more than " : "",
                           far__brief_real(p->value == INFINITY ? p->limit : p->value).text,
                           interval, cut);
}

static void draw_censored(drawing *d, const far__panel *p, double x, double limit, size_t series) {
  const far__ink ink = far__ink_of(series);
  const bool known = limit >= p->v.low && limit <= p->v.high;
  const double y = fmax(known ? far__panel_y(p, limit) : p->y, p->y + 16);
  far__figure_arrow(d->f, x, y, x, y - 15, (far__paint){.stroke = ink, .width = 1.4});
  far__figure_marker(d->f, series, x, y, 4,
                     (far__paint){.fill = FAR__INK_PAPER, .stroke = ink, .width = 1.6});
  d->censored = true;
}

/* Curves are a little apart, so that their intervals can be told from each other. */
static double shift_of(const drawing *d, size_t series) {
  if (d->x->measured != NULL) return 0;
  const double n = (double)d->n_agents;
  return fmin(2.5, 20 / n) * ((double)series - (n - 1) / 2);
}

static void draw_point(drawing *d, const far__panel *p, const far__growth_curve *curve, size_t i,
                       size_t series) {
  const far__growth_point *point = &curve->points[i];
  const double x = far__panel_x(p, (double)d->family->sizes[i]) + shift_of(d, series);
  if (point->runs == 0 || point->value != point->value || point->value == -INFINITY) return;
  if (point->value < INFINITY)
    far__draw_upright(d->f, p, x, point->low, point->high, far__ink_of(series));
  far__figure_tip(d->f, "%s on %s, %s = %lld: %s", curve->agent, d->family->env, d->family->key,
                  (long long)d->family->sizes[i], point_text(d, point));
  if (point->value == INFINITY)
    draw_censored(d, p, x, point->limit, series);
  else
    far__figure_marker(
        d->f, series, x, far__panel_y(p, point->value), 3.8,
        (far__paint){.fill = far__ink_of(series), .stroke = FAR__INK_PAPER, .width = 1});
}

/* Single measurements are joined, across those that are missing. */
static void join_points(drawing *d, const far__panel *p, const far__growth_curve *curve,
                        size_t series) {
  const size_t n = d->family->n_sizes;
  double *x = far__figure_room(d->f, n, sizeof *x), *y = far__figure_room(d->f, n, sizeof *y);
  size_t count = 0;
  for (size_t i = 0; x != NULL && y != NULL && i < n; ++i) {
    if (curve->points[i].runs == 0) continue;
    x[count] = far__panel_x(p, (double)d->family->sizes[i]);
    y[count++] = far__panel_y(p, curve->points[i].value);
  }
  far__figure_polyline(d->f, x, y, count,
                       (far__paint){.stroke = far__ink_of(series), .width = 1.4, .opacity = 0.75});
}

static void draw_curve(drawing *d, const far__panel *p, size_t series) {
  const far__growth_curve *curve = d->curves[series];
  if (curve == NULL) return;
  far__figure_series(d->f, series, curve->agent);
  if (d->x->measured != NULL)
    join_points(d, p, curve, series);
  else
    draw_law(d, p, curve, series);
  for (size_t i = 0; i < d->family->n_sizes; ++i) draw_point(d, p, curve, i, series);
  far__figure_end(d->f);
}

/* ---- names ---- */

static double end_of(const drawing *d, const far__panel *p, const far__growth_curve *curve) {
  double y = p->y + p->height;
  for (size_t i = 0; i < d->family->n_sizes; ++i) {
    const far__growth_point *point = &curve->points[i];
    const double value = point->value == INFINITY ? point->limit : point->value;
    if (point->runs > 0 && isfinite(value)) y = far__panel_y(p, value);
  }
  return fmin(fmax(y, p->y), p->y + p->height);
}

static void write_name(drawing *d, double x, double y, size_t j) {
  const char *law = law_text(d, d->curves[j]);
  const double top = y - (*law != '\0' ? 3 : -4);
  far__figure_series(d->f, j, d->agents[j]);
  far__figure_marker(d->f, j, x - 10, top - 4, 4, (far__paint){.fill = far__ink_of(j)});
  far__figure_write_within(d->f, x, top, d->names, (far__font){.ink = far__ink_of(j), .bold = true},
                           d->labels[j]);
  far__figure_write_within(d->f, x, top + 14, d->names,
                           (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED}, law);
  far__figure_end(d->f);
}

/* Each beside the end of its line, the law below the name. Of one family, which has all agents. */
static void write_names(drawing *d, const far__panel *p) {
  double *y = far__figure_room(d->f, d->n_agents, sizeof(double));
  if (y == NULL) return;
  for (size_t j = 0; j < d->n_agents; ++j) y[j] = end_of(d, p, d->curves[j]);
  far__spread(y, d->n_agents, LABEL_HEIGHT, p->y + 8, p->y + p->height - 8);
  for (size_t j = 0; j < d->n_agents; ++j) write_name(d, p->x + p->width + 26, y[j], j);
}

/* ---- a family ---- */

static void draw_family(drawing *d, double x, double y, double width, double height) {
  const far__growth_family *m = d->family;
  const char *title = d->x->n_families > 1 ? m->env : NULL;
  far__panel p = {.y = y, .height = height, .v = value_axis(d, height)};
  p.x = x + far__axis_width(&p.v, FAR__SMALL);
  p.width = width - (p.x - x) - (d->labelled ? d->names + 34 : 14);
  p.h = size_axis(d, p.width);
  far__figure_panel(d->f, m->env);
  far__panel_draw(d->f, &p,
                  &(far__panel_look){.title = title,
                                     .x_title = d->x->measured != NULL
                                                    ? m->key
                                                    : far__figure_print(d->f, "size %s", m->key)});
  for (size_t j = 0; j < d->n_agents; ++j) draw_curve(d, &p, j);
  if (d->labelled) write_names(d, &p);
  far__figure_end(d->f);
}

static double draw_one(drawing *d, double y) {
  d->labelled = true;
  double width = 0;
  for (size_t j = 0; j < d->n_agents; ++j) {
    width = fmax(width, far__text_length(d->labels[j], FAR__SIZE, true));
    width = fmax(width, far__text_length(law_text(d, d->curves[j]), FAR__SMALL, false));
  }
  d->names = fmin(width, 0.34 * d->f->width);
  const double height = fmax(HEIGHT, LABEL_HEIGHT * (double)d->n_agents + 10);
  draw_family(d, 10, y + 10, d->f->width - 16, height);
  return y + 10 + height + 46;
}

static double draw_several(drawing *d, double y) {
  const size_t n = d->n_families;
  const double room = d->f->width - 16;
  const size_t columns = far__columns(n, room, LEAST_PANEL);
  const double width = room / (double)columns, height = SMALL_HEIGHT + 74;
  y += far__legend(d->f, 16, y, d->f->width - 32, d->labels, d->n_agents) + 8;
  for (size_t i = 0; i < n; ++i) {
    use_family(d, &d->x->families[i]);
    draw_family(d, 10 + width * (double)(i % columns), y + 24 + height * far__row_of(i, columns),
                width - 6, SMALL_HEIGHT);
  }
  return y + height * far__rows_of(n, columns) + 4;
}

/* ---- the figure ---- */

static bool any_law(const drawing *d) {
  for (size_t i = 0; i < d->n_families; ++i)
    for (size_t j = 0; j < d->x->families[i].n_curves; ++j)
      if (d->x->families[i].curves[j].fit.fitted) return true;
  return false;
}

static const char *subtitle(drawing *d) {
  const far__growth_curves *x = d->x;
  if (x->measured != NULL) return x->measured;
  const char *left = "";
  if (x->n_families > d->n_families)
    left =
        far__figure_print(d->f, "; %zu more families are left out", x->n_families - d->n_families);
  else
    left = far__best_of(d->f, d->n_agents, d->n_agents + d->left_out);
  return far__figure_print(d->f, "%s with %g%% intervals%s%s", x->times ? "medians" : "means",
                           x->times ? 95 : 100 * x->level,
                           any_law(d) ? "; dashed: the law that fits better" : "", left);
}

static const char *findings(drawing *d) {
  const char *out = "";
  for (size_t i = 0; i < d->n_families; ++i) {
    use_family(d, &d->x->families[i]);
    for (size_t j = 0; j < d->n_agents; ++j) {
      const char *law = d->curves[j] != NULL ? law_text(d, d->curves[j]) : "";
      if (*law != '\0')
        out = far__figure_print(d->f, "%s %s on %s: %s.", out, d->agents[j], d->family->env, law);
    }
  }
  return out;
}

static void draw_all(drawing *d) {
  const bool one = d->n_families == 1;
  const char *on = one ? d->x->families[0].env : "environments of several sizes";
  const char *quantity = far__capital(d->f, far__series_title(d->f, d->x->quantity));
  const char *title = d->x->measured != NULL ? far__figure_print(d->f, "%s by size", quantity)
                                             : far__figure_print(d->f, "%s: %s", quantity, on);
  far__figure_name(d->f, title, "Growth with the size of the environment.%s", findings(d));
  double y = far__heading(d->f, d->f->title, subtitle(d)) + 4;
  use_family(d, &d->x->families[0]);
  y = one ? draw_one(d, y) : draw_several(d, y);
  if (d->censored) {
    far__figure_write_within(
        d->f, 16, y + 6, d->f->width - 32, (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED},
        d->x->times
            ? "Hollow, with an arrow: at least half of the runs took longer than could be seen."
            : "Hollow, with an arrow: the mean is infinite.");
    y += 16;
  }
  far__figure_height(d->f, y + 4);
}

far_status far__growth_curves_figure(far_figure **out, const far__growth_curves *x,
                                     const far_plot_def *def, far_error *error) {
  drawing d = {.x = x, .def = def};
  d.n_families = x->n_families < MOST_FAMILIES ? x->n_families : MOST_FAMILIES;
  *out = NULL;
  if (x->n_families == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "no agent has runs on two environments that differ in their size alone");
  far_status status = far__figure_create(&d.f, "growth", def->width, error);
  if (status != FAR_OK) return status;
  if (choose_agents(&d)) draw_all(&d);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}

far_status far__scaling_figure(far_figure **out, const far__scaling *scaling,
                               const far_plot_def *def, far_error *error) {
  far__growth_curves *x;
  *out = NULL;
  far_status status = far__growth_curves_from_scaling(&x, scaling, error);
  if (status == FAR_OK) status = far__growth_curves_figure(out, x, def, error);
  far__growth_curves_free(x);
  return status;
}

/* ---- from a store ---- */

static far_status ask(far__growth_curves **out, const far_comparison *comparison, size_t group,
                      const far_plot_def *def, far_error *error) {
  far__growth_curves_def how = far__growth_curves_def_default();
  how.group = group;
  how.key = def->parameter;
  return far__growth_curves_create(out, comparison, &how, error);
}

static far_status draw_group(far_figure **out, const far_comparison *comparison,
                             const far_comparison_group *group, const far_plot_def *def,
                             far_error *error) {
  far__growth_curves *x = NULL;
  *out = NULL;
  far_status status = ask(&x, comparison, (size_t)(group - comparison->groups), def, error);
  if (status == FAR_OK) status = far__growth_curves_figure(out, x, def, error);
  far__growth_curves_free(x);
  return status;
}

static far_status report_group(far_report *report, const far_comparison *comparison, size_t group,
                               const far_plot_def *def, far_error *error) {
  far__growth_curves *x = NULL;
  const far_status status = ask(&x, comparison, group, def, error);
  if (status == FAR_OK) far__growth_curves_report(x, report);
  far__growth_curves_free(x);
  return status;
}

const far__plot far__plot_growth = {
    .name = "growth",
    .summary = "results against the size of an environment, and the laws that they follow",
    .of_comparison = draw_group,
    .numbers_of_comparison = report_group,
    .table = "growth",
};
