/* Labels that do not overlap. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/figure/axes.h"

/* ---- one above the other ---- */

/* Neighbouring labels that touch: they are `height` apart, and as a group as near as possible to the heights that they
 * should have. */
typedef struct cluster {
  size_t first, count;
  double sum; /* of the heights that they should have, minus their offsets in the cluster */
} cluster;

static double top_of(const cluster *c, double height, double low, double high) {
  const double want = c->sum / (double)c->count;
  const double most = high - (double)(c->count - 1) * height;
  return fmax(low, fmin(want, most));
}

typedef struct place {
  double y;
  size_t index;
} place;

static int by_height(const void *a, const void *b) {
  const place *p = a, *q = b;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->index < q->index ? -1 : 1;
}

/* Pool adjacent violators: clusters that would overlap are joined. */
static void spread_sorted(place *p, cluster *c, size_t n, double height, double low, double high) {
  size_t n_clusters = 0;
  for (size_t i = 0; i < n; ++i) {
    c[n_clusters++] = (cluster){.first = i, .count = 1, .sum = p[i].y};
    while (n_clusters > 1) {
      cluster *last = &c[n_clusters - 1], *before = last - 1;
      const double end = top_of(before, height, low, high) + (double)before->count * height;
      if (top_of(last, height, low, high) >= end) break;
      before->sum += last->sum - (double)before->count * height * (double)last->count;
      before->count += last->count;
      --n_clusters;
    }
  }
  for (size_t k = 0; k < n_clusters; ++k) {
    const double top = top_of(&c[k], height, low, high);
    for (size_t i = 0; i < c[k].count; ++i) p[c[k].first + i].y = top + (double)i * height;
  }
}

bool far__spread(double *y, size_t n, double height, double low, double high) {
  const bool fits = (double)(n > 0 ? n - 1 : 0) * height <= high - low;
  place *p = malloc((n + 1) * sizeof *p);
  cluster *c = malloc((n + 1) * sizeof *c);
  if (p != NULL && c != NULL) {
    for (size_t i = 0; i < n; ++i) p[i] = (place){.y = y[i], .index = i};
    if (n > 1) qsort(p, n, sizeof *p, by_height);
    if (!fits && n > 1) height = (high - low) / (double)(n - 1);
    spread_sorted(p, c, n, height, low, high);
    for (size_t i = 0; i < n; ++i) y[p[i].index] = p[i].y;
  }
  const bool done = fits && p != NULL && c != NULL;
  free(p);
  free(c);
  return done;
}

/* ---- at the ends of lines ---- */

#define LINE_HEIGHT 14.0

static void draw_end_label(far_figure *f, double x, double y, const far__end_label *label,
                           const char *shown) {
  const far__ink ink = label->plain ? FAR__INK_MUTED : far__ink_of(label->series);
  if (!label->plain) far__figure_series(f, label->series, label->text);
  far__figure_line(f, x - 12, label->y, x - 3, y, (far__paint){.stroke = ink, .width = 0.8});
  far__figure_write_as(f, x, y + 0.36 * FAR__SMALL, (far__font){.size = FAR__SMALL, .ink = ink},
                       shown, label->text);
  if (!label->plain) far__figure_end(f);
}

/* The texts of the labels, shortened to `width`; NULL without memory. */
static const char **shorten_labels(far_figure *f, const far__end_label *labels, size_t n,
                                   double width) {
  const char **texts = far__figure_room(f, n, sizeof *texts);
  for (size_t i = 0; texts != NULL && i < n; ++i) texts[i] = labels[i].text;
  if (texts == NULL) return NULL;
  return far__figure_distinct(f, texts, n, (far__font){.size = FAR__SMALL}, width);
}

bool far__end_labels(far_figure *f, double x, double width, double low, double high,
                     const far__end_label *labels, size_t n) {
  double *y = malloc((n + 1) * sizeof *y);
  size_t *index = malloc((n + 1) * sizeof *index);
  const char **shown = shorten_labels(f, labels, n, width);
  size_t count = 0;
  bool fits = y != NULL && index != NULL && shown != NULL;
  f->kept.failed = f->kept.failed || !fits;
  for (size_t i = 0; fits && i < n; ++i)
    if (isfinite(labels[i].y)) {
      y[count] = labels[i].y;
      index[count++] = i;
    }
  const bool room = (double)(count > 0 ? count - 1 : 0) * LINE_HEIGHT <= high - low;
  const bool spread = fits && far__spread(y, count, LINE_HEIGHT, low, high);
  f->kept.failed = f->kept.failed || (room && !spread); /* out of memory */
  fits = spread;
  for (size_t i = 0; fits && i < count; ++i)
    draw_end_label(f, x, y[i], &labels[index[i]], shown[index[i]]);
  free(y);
  free(index);
  return fits;
}

/* ---- a legend ---- */

static void draw_entry(far_figure *f, size_t series, double x, double y, const char *shown,
                       const char *name) {
  const far__ink ink = far__ink_of(series);
  far__figure_series(f, series, name);
  far__figure_line(f, x, y - 4, x + 20, y - 4,
                   (far__paint){.stroke = ink, .width = 2, .dash = (int)(series % 8)});
  far__figure_marker(f, series, x + 10, y - 4, 3.5, (far__paint){.fill = ink});
  far__figure_write_as(f, x + 26, y, (far__font){.size = FAR__SMALL}, shown, name);
  far__figure_end(f);
}

double far__legend(far_figure *f, double x, double y, double width, const char *const *names,
                   size_t n) {
  double at = 0, below = LINE_HEIGHT;
  const far__font font = {.size = FAR__SMALL};
  const char **shown = f != NULL ? far__figure_distinct(f, names, n, font, width - 26) : NULL;
  for (size_t i = 0; i < n; ++i) {
    const double text = fmin(far__text_length(names[i], FAR__SMALL, false), width - 26);
    if (at > 0 && at + 26 + text > width) {
      at = 0;
      below += LINE_HEIGHT + 3;
    }
    if (shown != NULL) draw_entry(f, i, x + at, y + below - 3, shown[i], names[i]);
    at += 26 + text + 18;
  }
  return n > 0 ? below : 0;
}

/* ---- beside points ---- */

void far__boxes_add(far__boxes *boxes, far__box box) {
  if (far__grow((void **)&boxes->at, boxes->n, &boxes->room, sizeof *boxes->at))
    boxes->at[boxes->n++] = box;
}

bool far__boxes_free_at(const far__boxes *boxes, far__box box) {
  for (size_t i = 0; i < boxes->n; ++i) {
    const far__box *b = &boxes->at[i];
    if (box.x0 < b->x1 && b->x0 < box.x1 && box.y0 < b->y1 && b->y0 < box.y1) return false;
  }
  return true;
}

void far__boxes_free(far__boxes *boxes) {
  free(boxes->at);
  *boxes = (far__boxes){0};
}
