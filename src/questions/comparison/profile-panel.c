#include "questions/comparison/profile-panel.h"

#include <math.h>
#include <stdlib.h>

#include "questions/comparison/profiles.h"

struct far__profile_label {
  bool placed;
  double x, y;
};

static const far_estimate *shares_of(const far__profile_panel *d, size_t i) {
  return &d->profiles->shares[d->agents[i] * d->profiles->n_scores];
}

static bool exists(const far__profile_panel *d, size_t i) {
  return d->profiles->exists[d->agents[i]];
}

static double x_at(const far__profile_panel *d, size_t k) {
  return far__panel_x(&d->panel, d->profiles->scores[k]);
}

void far__profile_panel_axes(far__profile_panel *d) {
  const double *scores = d->profiles->scores;
  d->panel.h =
      far__axis_create(scores[0], scores[d->profiles->n_scores - 1], false, d->panel.width, 60);
  d->panel.v = far__axis_create(0, 1, false, d->panel.height, 50);
}

/* ---- names beside the lines ---- */

/* How far the line is from the nearest other one at a score, in units of the drawing. */
static double apart(const far__profile_panel *d, size_t i, size_t k) {
  double out = 1;
  for (size_t j = 0; j < d->n; ++j)
    if (j != i && exists(d, j))
      out = fmin(out, fabs(shares_of(d, j)[k].value - shares_of(d, i)[k].value));
  return out * d->panel.height;
}

/* Without memory the figure fails: a missing box would move names. */
static void add_box(const far__profile_panel *d, far__boxes *boxes, far__box box) {
  const size_t before = boxes->n;
  far__boxes_add(boxes, box);
  if (boxes->n == before) d->f->kept.failed = true;
}

/* The lines themselves keep names away: a small box at every score and between. */
static void occupy_lines(const far__profile_panel *d, far__boxes *boxes) {
  const size_t n = d->profiles->n_scores;
  for (size_t i = 0; i < d->n; ++i) {
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

static bool place_at(const far__profile_panel *d, far__boxes *boxes, size_t i, size_t k, size_t w) {
  const double width = far__text_length(d->names[i], FAR__SMALL, false), half = FAR__SMALL * 0.6;
  const double x = x_at(d, k), y = far__panel_y(&d->panel, shares_of(d, i)[k].value);
  const far__panel *p = &d->panel;
  const double left = ways[w][0] > 0 ? x + ways[w][0] : x + ways[w][0] - width;
  const far__box box = {left, y + ways[w][1] - half, left + width, y + ways[w][1] + half};
  if (box.x0 < p->x + 2 || box.x1 > p->x + p->width || box.y0 < p->y - 4 ||
      box.y1 > p->y + p->height || !far__boxes_free_at(boxes, box))
    return false;
  add_box(d, boxes, box);
  d->labels[i] = (far__profile_label){true, left, y + ways[w][1] + 0.36 * FAR__SMALL};
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

static bool place_label(const far__profile_panel *d, far__boxes *boxes, size_t i) {
  const size_t n = d->profiles->n_scores;
  candidate *order = far__figure_room(d->f, n, sizeof *order);
  if (order == NULL) return false;
  for (size_t k = 0; k < n; ++k) order[k] = (candidate){apart(d, i, k), k};
  qsort(order, n, sizeof *order, by_distance);
  for (size_t c = 0; c < WAYS * n; ++c) /* two ways at a time, from the best place on */
    if (place_at(d, boxes, i, order[c / 2 % n].k, c / (2 * n) * 2 + c % 2)) return true;
  return false;
}

bool far__profile_panel_label(far__profile_panel *d) {
  far__boxes boxes = {0};
  d->labels = far__figure_room(d->f, d->n, sizeof *d->labels);
  d->direct = d->labels != NULL && d->n <= 8;
  if (d->direct) occupy_lines(d, &boxes);
  for (size_t i = 0; i < d->n && d->direct; ++i)
    if (exists(d, i)) d->direct = place_label(d, &boxes, i);
  far__boxes_free(&boxes);
  return d->direct;
}

/* ---- lines ---- */

static void draw_band(const far__profile_panel *d, const far_estimate *shares, size_t series) {
  const size_t n = d->profiles->n_scores;
  double *x = far__figure_room(d->f, 2 * n, sizeof *x),
         *y = far__figure_room(d->f, 2 * n, sizeof *y);
  if (x == NULL || y == NULL || shares[0].low != shares[0].low) return;
  for (size_t k = 0; k < n; ++k) {
    x[k] = x[2 * n - 1 - k] = x_at(d, k);
    y[k] = far__panel_y(&d->panel, shares[k].high);
    y[2 * n - 1 - k] = far__panel_y(&d->panel, shares[k].low);
  }
  far__figure_polygon(d->f, x, y, 2 * n,
                      (far__paint){.fill = far__ink_of(series), .opacity = d->n > 6 ? 0.10 : 0.16});
}

static const char *words_of(const far__profile_panel *d, size_t i) {
  const far_estimate *shares = shares_of(d, i);
  const char *how = shares[0].value > 0.5 ? "half" : "at most half";
  size_t k = 0;
  while (k + 1 < d->profiles->n_scores && shares[k].value > 0.5) ++k;
  return far__figure_print(d->f, "%s: %s of the runs are above %.2f", d->names[i], how,
                           d->profiles->scores[k]);
}

static void draw_line(const far__profile_panel *d, size_t i) {
  const size_t n = d->profiles->n_scores;
  const far_estimate *shares = shares_of(d, i);
  const size_t series = d->series[i];
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
                       (far__paint){.stroke = far__ink_of(series),
                                    .width = 1.9,
                                    .dash = d->direct ? 0 : (int)(series % FAR__SERIES)});
  for (size_t k = 4 + i * 2; k < n && !d->direct; k += 20)
    far__figure_marker(d->f, series, x[k], y[k], 3.2, (far__paint){.fill = far__ink_of(series)});
}

/* ---- the panel ---- */

static const char *scale_of(const far__profiles *p) {
  return p->n_observed == 0 ? "score (0: random policy, 1: best policy)"
         : p->n_observed == p->n_envs
             ? "score (0: worst run, 1: best run)"
             : "score (0: random policy or worst run, 1: best policy or run)";
}

void far__profile_panel_draw(const far__profile_panel *d, const char *title) {
  far__panel_draw(
      d->f, &d->panel,
      &(far__panel_look){.title = title, .x_title = scale_of(d->profiles), .no_x_grid = true});
  for (size_t i = 0; i < d->n; ++i) {
    if (!exists(d, i)) continue;
    far__figure_series(d->f, d->series[i], d->names[i]);
    draw_band(d, shares_of(d, i), d->series[i]);
    draw_line(d, i);
    if (d->direct)
      far__figure_write(d->f, d->labels[i].x, d->labels[i].y,
                        (far__font){.size = FAR__SMALL, .ink = far__ink_of(d->series[i])},
                        d->names[i]);
    far__figure_end(d->f);
  }
}

const char *far__profile_panel_words(const far__profile_panel *d) {
  const char *text = "";
  for (size_t i = 0; i < d->n; ++i)
    if (exists(d, i)) text = far__figure_print(d->f, "%s %s.", text, words_of(d, i));
  return text;
}

bool far__profile_panel_has_bands(const far__profile_panel *d) {
  bool bands = false;
  for (size_t i = 0; i < d->n; ++i)
    bands = bands || (exists(d, i) && shares_of(d, i)[0].low == shares_of(d, i)[0].low);
  return bands;
}
