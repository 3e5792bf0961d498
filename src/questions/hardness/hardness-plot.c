/* Scores against how hard environments are: a panel for each measure of hardness, a point for each agent
 * and environment. What is infinite stands beside the axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/report.h"
#include "questions/hardness/hardness.h"
#include "questions/plots/plot.h"
#include "report/build.h"

enum { N_MEASURES = 3 };
#define HEIGHT 250.0
#define LEAST_PANEL 225.0
#define NAME_SIZE 10.0
#define BEYOND 30.0 /* width of the place for what is infinite */

typedef struct measure {
  const char *title, *unit;
  size_t offset;
} measure;

static const measure measures[N_MEASURES] = {
    {"diameter", "expected steps; more is harder", offsetof(far__hardness_env, diameter)},
    {"smallest gap", "units of value; less is harder", offsetof(far__hardness_env, gap)},
    {"value norm", "units of value; more is harder", offsetof(far__hardness_env, value_norm)},
};

typedef struct drawing {
  far_figure *f;
  const far__hardness *x;
  const far_plot_def *def;
  far__shown shown;
} drawing;

static double value_of(const far__hardness_env *env, const measure *m) {
  return *(const double *)((const char *)env + m->offset);
}

static const far__hardness_score *score_of(const drawing *d, size_t env, size_t agent) {
  return &d->x->scores[env * d->x->n_agents + agent];
}

/* ---- which agents ---- */

static double sum_of_scores(const drawing *d, size_t agent) {
  double sum = 0;
  for (size_t e = 0; e < d->x->n_envs; ++e) {
    const double score = score_of(d, e, agent)->value;
    if (isfinite(score)) sum += score;
  }
  return sum;
}

/* All, or those of the best scores; false, and the figure fails, without memory. */
static bool choose_agents(drawing *d) {
  const size_t n = d->x->n_agents;
  double *ranks = far__figure_room(d->f, n, sizeof *ranks);
  if (ranks == NULL) return false;
  for (size_t j = 0; j < n; ++j) ranks[j] = -sum_of_scores(d, j);
  d->f->kept.failed |= far__shown_by(&d->shown, ranks, n, d->def->most_series, n, NULL) != FAR_OK;
  return !d->f->kept.failed;
}

/* ---- axes ---- */

static far__range range_of(const drawing *d, const measure *m) {
  far__range range = FAR__NO_RANGE;
  for (size_t e = 0; e < d->x->n_envs; ++e) far__range_add(&range, value_of(&d->x->envs[e], m));
  return range;
}

static bool has_infinite(const drawing *d, const measure *m) {
  for (size_t e = 0; e < d->x->n_envs; ++e)
    if (value_of(&d->x->envs[e], m) == INFINITY) return true;
  return false;
}

static far__axis measure_axis(const drawing *d, const measure *m, double width) {
  far__range range = range_of(d, m);
  const bool wide = range.low > 0 && range.high >= 20 * range.low;
  const bool log = d->def->x_scale == FAR_PLOT_SCALE_AUTO
                       ? wide
                       : d->def->x_scale == FAR_PLOT_SCALE_LOG && range.low > 0;
  if (log && range.high > range.low) {
    const double more = far__power(range.high / range.low, 0.08);
    return far__axis_create(range.low / more, range.high * more, true, width, 50);
  }
  const far__range more = far__range_widened(range, 0.08);
  return far__axis_create(more.low, more.high, false, width, 44);
}

static far__axis score_axis(const drawing *d) {
  far__range range = {0, 1};
  for (size_t e = 0; e < d->x->n_envs; ++e)
    for (size_t i = 0; i < d->shown.n; ++i) {
      const far__hardness_score *s = score_of(d, e, d->shown.agents[i]);
      far__range_add(&range, s->value);
      far__range_add(&range, s->low);
      far__range_add(&range, s->high);
    }
  range = far__range_widened(range, 0.05);
  return far__axis_create(range.low, range.high, false, HEIGHT, 40);
}

/* ---- one panel ---- */

static double place_of(const far__panel *p, double x) {
  return x == INFINITY ? p->x + p->width + BEYOND / 2 + 4 : far__panel_x(p, x);
}

/* Agents on one environment are a little apart, so that their intervals can be told from each other. */
static double shift_of(const drawing *d, size_t i) {
  return 4 * ((double)i - ((double)d->shown.n - 1) / 2) / fmax(1, (double)d->shown.n / 4);
}

static void draw_point(drawing *d, const far__panel *p, const measure *m, size_t e, size_t i) {
  const far__hardness_env *env = &d->x->envs[e];
  const far__hardness_score *s = score_of(d, e, d->shown.agents[i]);
  const double value = value_of(env, m), x = place_of(p, value) + shift_of(d, i);
  if (value != value || !isfinite(s->value)) return;
  far__figure_series(d->f, i, d->x->agents[d->shown.agents[i]]);
  far__draw_upright(d->f, p, x, s->low, s->high, far__ink_of(i));
  far__figure_tip(d->f, "%s on %s: score %s, %s %s", d->x->agents[d->shown.agents[i]], env->label,
                  far__interval_text(d->f, s->value, s->low, s->high), m->title,
                  value == INFINITY ? "infinite" : far__brief_real(value).text);
  far__figure_marker(d->f, i, x, far__panel_y(p, s->value), 4,
                     (far__paint){.fill = far__ink_of(i), .stroke = FAR__INK_PAPER, .width = 1});
  far__figure_end(d->f);
}

/* What the points of an environment take, with their intervals; x0 > x1 if there are none. */
static far__box cluster_of(const drawing *d, const far__panel *p, const measure *m, size_t e) {
  const double value = value_of(&d->x->envs[e], m);
  far__range range = FAR__NO_RANGE;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const far__hardness_score *s = score_of(d, e, d->shown.agents[i]);
    if (!isfinite(s->value)) continue;
    far__range_add(&range, s->value);
    far__range_add(&range, s->low);
    far__range_add(&range, s->high);
  }
  if (value != value || !far__range_exists(&range)) return (far__box){1, 1, 0, 0};
  const double x = place_of(p, value), half = fabs(shift_of(d, 0)) + 5;
  return (far__box){x - half, far__panel_y(p, range.high) - 4, x + half,
                    far__panel_y(p, range.low) + 4};
}

/* ---- names of environments ---- */

/* The frame, and the places that names must not cover. */
typedef struct naming {
  far__box frame;    /* of all names */
  far__boxes taken;  /* by points with their intervals, and by names */
  far__boxes points; /* by points alone, and by names */
} naming;

static bool is_free(const naming *n, far__box box) {
  const far__box f = n->frame;
  return box.x0 >= f.x0 && box.x1 <= f.x1 && box.y0 >= f.y0 && box.y1 <= f.y1 &&
         far__boxes_free_at(&n->taken, box);
}

static far__box box_at(double x, double y, double width) {
  return (far__box){x, y - 6, x + width, y + 6};
}

/* Above or below the points, or beside them from top to bottom. */
static bool place_near(const naming *n, const far__box *own, double width, far__box *out) {
  const double middle = (own->x0 + own->x1) / 2;
  for (int k = 0; k < 14; ++k) {
    const int level = k / 2 - 1;
    const double share = (double)level / 5;
    const double x = k < 2 ? middle - width / 2 : k % 2 == 0 ? own->x1 + 2 : own->x0 - 2 - width;
    const double y = k == 0   ? own->y0 - 6
                     : k == 1 ? own->y1 + 6
                              : own->y0 + 6 + share * (own->y1 - own->y0 - 12);
    *out = box_at(x, y, width);
    if (is_free(n, *out)) return true;
  }
  return false;
}

static double away(double x, double low, double high) {
  return x < low ? low - x : x > high ? x - high : 0;
}

/* Where a line leads from a name to the point (x, y). */
static void lead_from(far__box box, double x, double y, double *from_x, double *from_y) {
  *from_x = fmin(fmax(x, box.x0), box.x1);
  *from_y = y < box.y0 ? box.y0 + 1 : y > box.y1 ? box.y1 - 1 : (box.y0 + box.y1) / 2;
}

/* Whether that line runs through the points of others. */
static bool crosses(const naming *n, const far__box *own, far__box box, double x, double y) {
  double from_x, from_y;
  lead_from(box, x, y, &from_x, &from_y);
  for (int k = 1; k < 12; ++k) {
    const double share = k / 12.0;
    const double px = from_x + share * (x - from_x), py = from_y + share * (y - from_y);
    if (px >= own->x0 && px <= own->x1 && py >= own->y0 && py <= own->y1) continue;
    if (!far__boxes_free_at(&n->taken, (far__box){px - 1, py - 1, px + 1, py + 1})) return true;
  }
  return false;
}

/* The free place that is nearest to the point (x, y) and whose line does not run through others. */
static bool place_far(const naming *n, const far__box *own, double x, double y, double width,
                      far__box *out) {
  static const double FARTHEST = 150;
  double least = FARTHEST;
  const int rows = (int)((n->frame.y1 - n->frame.y0 - 12) / 7) + 1;
  const int places = (int)((n->frame.x1 - n->frame.x0 - width) / 8) + 1;
  for (int row = 0; row < rows; ++row)
    for (int at = 0; at < places; ++at) {
      const far__box box = box_at(n->frame.x0 + 8 * at, n->frame.y0 + 6 + 7 * row, width);
      const double distance = away(x, box.x0, box.x1) + away(y, box.y0, box.y1);
      if (distance >= least || !is_free(n, box) || crosses(n, own, box, x, y)) continue;
      least = distance;
      *out = box;
    }
  return least < FARTHEST;
}

static void write_at(drawing *d, naming *n, far__box box, const char *text) {
  far__boxes_add(&n->taken, box);
  far__boxes_add(&n->points, box);
  far__figure_write(d->f, box.x0, box.y1 - 2.4,
                    (far__font){.size = NAME_SIZE, .ink = FAR__INK_TEXT}, text);
}

/* False if there is no place that touches nothing. */
static bool write_env(drawing *d, naming *n, const far__box *own, double x, double y,
                      const char *text) {
  const double width = far__text_length(text, NAME_SIZE, false);
  far__box box;
  const bool near = place_near(n, own, width, &box);
  if (!near && !place_far(n, own, x, y, width, &box)) return false;
  if (!near) {
    double from_x, from_y;
    lead_from(box, x, y, &from_x, &from_y);
    far__figure_line(d->f, from_x, from_y, x, y,
                     (far__paint){.stroke = FAR__INK_MUTED, .width = 0.8, .opacity = 0.8});
  }
  write_at(d, n, box, text);
  return true;
}

/* The highest point of an environment. */
static double top_of(const drawing *d, const far__panel *p, size_t e, double *x) {
  double y = INFINITY;
  for (size_t i = 0; i < d->shown.n; ++i) {
    const double score = score_of(d, e, d->shown.agents[i])->value;
    if (!isfinite(score) || far__panel_y(p, score) >= y) continue;
    y = far__panel_y(p, score);
    *x = shift_of(d, i);
  }
  return y;
}

/* Beside, above or below a point; touches neither points nor names. */
static bool place_at(const naming *n, double x, double y, double width, far__box *out) {
  const far__box ways[] = {box_at(x + 7, y, width), box_at(x - 7 - width, y, width),
                           box_at(x - width / 2, y - 12, width),
                           box_at(x - width / 2, y + 12, width)};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
    const far__box f = n->frame, box = ways[k];
    const bool inside = box.x0 >= f.x0 && box.x1 <= f.x1 && box.y0 >= f.y0 && box.y1 <= f.y1;
    if (!inside || !far__boxes_free_at(&n->points, box)) continue;
    *out = box;
    return true;
  }
  return false;
}

/* Where points are dense a name may cover intervals; without a place for that, the points keep their tips alone. */
static void write_in_free_space(drawing *d, const far__panel *p, const measure *m, naming *n,
                                size_t e, const char *text) {
  const double x = place_of(p, value_of(&d->x->envs[e], m));
  const double width = far__text_length(text, NAME_SIZE, false);
  for (size_t i = 0; i < d->shown.n; ++i) {
    const double y = far__panel_y(p, score_of(d, e, d->shown.agents[i])->value);
    far__box box;
    if (!isfinite(y) || !place_at(n, x + shift_of(d, i), y, width, &box)) continue;
    far__figure_rectangle(d->f, box.x0, box.y0 + 1, width, 10,
                          (far__paint){.fill = FAR__INK_PAPER, .opacity = 0.75});
    write_at(d, n, box, text);
    return;
  }
}

static void take_places(const drawing *d, const far__panel *p, const measure *m, naming *n) {
  for (size_t e = 0; e < d->x->n_envs; ++e) {
    const far__box own = cluster_of(d, p, m, e);
    if (own.x0 > own.x1) continue;
    far__boxes_add(&n->taken, own);
    for (size_t i = 0; i < d->shown.n; ++i) {
      const double y = far__panel_y(p, score_of(d, e, d->shown.agents[i])->value);
      const double x = place_of(p, value_of(&d->x->envs[e], m)) + shift_of(d, i);
      if (isfinite(y)) far__boxes_add(&n->points, (far__box){x - 5, y - 5, x + 5, y + 5});
    }
  }
}

/* First those that find a place of their own, then the others. */
static void write_envs(drawing *d, const far__panel *p, const measure *m) {
  const double right = p->x + p->width + (has_infinite(d, m) ? BEYOND : 0);
  naming n = {.frame = {p->x + 2, p->y - 4, right + 8, p->y + p->height - 2}};
  bool *done = calloc(d->x->n_envs + 1, sizeof *done);
  d->f->kept.failed = d->f->kept.failed || done == NULL;
  take_places(d, p, m, &n);
  for (size_t k = 0; k < 2 * d->x->n_envs && done != NULL; ++k) {
    const size_t e = k % d->x->n_envs;
    const far__box own = cluster_of(d, p, m, e);
    const char *text = far__figure_shortened(d->f, d->x->envs[e].label,
                                             (far__font){.size = NAME_SIZE}, 0.6 * p->width);
    double shift = 0;
    if (own.x0 > own.x1 || done[e]) continue;
    const double y = top_of(d, p, e, &shift), x = place_of(p, value_of(&d->x->envs[e], m));
    if (k < d->x->n_envs)
      done[e] = write_env(d, &n, &own, x + shift, y, text);
    else
      write_in_free_space(d, p, m, &n, e, text);
  }
  free(done);
  far__boxes_free(&n.taken);
  far__boxes_free(&n.points);
}

/* Beside the axis, behind a line. */
static void draw_beyond(drawing *d, const far__panel *p) {
  const double x = p->x + p->width + 4;
  far__figure_line(d->f, x, p->y, x, p->y + p->height,
                   (far__paint){.stroke = FAR__INK_MUTED, .dash = 1, .opacity = 0.6});
  far__figure_write(d->f, x + BEYOND / 2, p->y + p->height + 16,
                    (far__font){.anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED}, "∞");
}

static void draw_measure(drawing *d, const measure *m, double x, double y, double width) {
  far__panel p = {.y = y, .height = HEIGHT, .v = score_axis(d)};
  p.x = x + far__axis_width(&p.v, FAR__SMALL);
  p.width = width - (p.x - x) - 12 - (has_infinite(d, m) ? BEYOND : 0);
  p.h = measure_axis(d, m, p.width);
  far__figure_panel(d->f, m->title);
  far__panel_draw(d->f, &p, &(far__panel_look){.title = m->title, .x_title = m->unit});
  if (has_infinite(d, m)) draw_beyond(d, &p);
  for (size_t e = 0; e < d->x->n_envs; ++e)
    for (size_t i = 0; i < d->shown.n; ++i) draw_point(d, &p, m, e, i);
  write_envs(d, &p, m);
  far__figure_end(d->f);
}

/* ---- the figure ---- */

static double draw_legend(drawing *d, double y) {
  const char **names = far__figure_room(d->f, d->shown.n, sizeof *names);
  for (size_t i = 0; i < d->shown.n && names != NULL; ++i)
    names[i] = d->x->agents[d->shown.agents[i]];
  if (names != NULL) names = far__brief_labels(d->f, names, d->shown.n);
  if (names == NULL) return 0;
  return far__legend(d->f, 16, y, d->f->width - 32, names, d->shown.n) + 10;
}

static const char *subtitle(drawing *d) {
  const far__hardness *x = d->x;
  size_t left = 0;
  const char *envs = "";
  for (size_t e = 0; e < x->n_envs; ++e) left += x->envs[e].left_out != NULL;
  if (left > 0)
    envs =
        far__figure_print(d->f, "; %zu environment%s not solved", left, far__plural((int64_t)left));
  return far__figure_print(d->f, "score by %s with %g%% intervals: 0 is %s, 1 the best%s%s",
                           far__series_title(d->f, x->series), 100 * x->level,
                           x->policies ? "the random policy" : "the worst run", envs,
                           far__best_of(d->f, d->shown.n, x->n_agents));
}

static const char *findings(drawing *d) {
  const char *out = "";
  for (size_t e = 0; e < d->x->n_envs && e < 12; ++e) {
    const far__hardness_env *env = &d->x->envs[e];
    far__brief numbers[N_MEASURES];
    if (env->left_out != NULL) continue;
    for (size_t k = 0; k < N_MEASURES; ++k)
      numbers[k] = far__brief_real(value_of(env, &measures[k]));
    out = far__figure_print(d->f, "%s %s: diameter %s, smallest gap %s, value norm %s.", out,
                            env->label, numbers[0].text, numbers[1].text, numbers[2].text);
  }
  return out;
}

static void draw_all(drawing *d) {
  const double room = d->f->width - 16;
  const size_t columns = far__columns(N_MEASURES, room, LEAST_PANEL);
  const double width = room / (double)columns, height = HEIGHT + 76;
  far__figure_name(d->f, "Scores against the hardness of environments",
                   "A point for each agent and environment.%s", findings(d));
  double y = far__heading(d->f, d->f->title, subtitle(d)) + 2;
  y += draw_legend(d, y);
  for (size_t k = 0; k < N_MEASURES; ++k)
    draw_measure(d, &measures[k], 8 + width * (double)(k % columns),
                 y + 26 + height * far__row_of(k, columns), width - 4);
  far__figure_height(d->f, y + height * far__rows_of(N_MEASURES, columns) + 2);
}

static bool anything(const far__hardness *x) {
  for (size_t i = 0; i < x->n_envs * x->n_agents; ++i)
    if (x->envs[i / x->n_agents].left_out == NULL && isfinite(x->scores[i].value)) return true;
  return false;
}

far_status far__hardness_figure(far_figure **out, const far__hardness *x, const far_plot_def *def,
                                far_error *error) {
  drawing d = {.x = x, .def = def};
  *out = NULL;
  if (!anything(x))
    return far__fail(error, FAR_STATUS_UNKNOWN, -1,
                     "no environment has both a solved model and scores");
  far_status status = far__figure_create(&d.f, "hardness", def->width, error);
  if (status != FAR_OK) return status;
  if (choose_agents(&d)) draw_all(&d);
  far__shown_free(&d.shown);
  status = far__figure_finish(&d.f, error);
  *out = d.f;
  return status;
}

/* ---- from a store ---- */

static far_status ask(far__hardness **out, const far_comparison *comparison, size_t group,
                      const far_plot_def *def, far_error *error) {
  far__hardness_def how = far__hardness_def_default();
  how.group = group;
  how.progress = def->results.progress;
  how.user = def->results.user;
  return far__hardness_create(out, comparison, &how, error);
}

static far_status draw_group(far_figure **out, const far_comparison *comparison,
                             const far_comparison_group *group, const far_plot_def *def,
                             far_error *error) {
  far__hardness *x = NULL;
  *out = NULL;
  far_status status = ask(&x, comparison, (size_t)(group - comparison->groups), def, error);
  if (status == FAR_OK) status = far__hardness_figure(out, x, def, error);
  far__hardness_free(x);
  return status;
}

static far_status report_group(far_report *report, const far_comparison *comparison, size_t group,
                               const far_plot_def *def, far_error *error) {
  far__hardness *x = NULL;
  const far_status status = ask(&x, comparison, group, def, error);
  if (status == FAR_OK) far__hardness_report(x, report);
  far__hardness_free(x);
  return status;
}

const far__plot far__plot_hardness = {
    .name = "hardness",
    .summary = "scores against the diameter, the smallest gap and the value norm of environments",
    .of_comparison = draw_group,
    .numbers_of_comparison = report_group,
    .table = "hardness",
};
