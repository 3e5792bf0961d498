/* Panels with axes: round ticks, linear or logarithmic, and places for labels that do not overlap. */
#ifndef FAR_REPORT_FIGURE_AXES_H
#define FAR_REPORT_FIGURE_AXES_H

#include "report/figure/figure.h"

/* ---- axes ---- */

enum { FAR__TICKS = 12, FAR__TICK_TEXT = 24 };

typedef struct far__axis {
  double low, high; /* what is shown */
  bool log;
  size_t n_ticks;
  double ticks[FAR__TICKS];
  char labels[FAR__TICKS][FAR__TICK_TEXT];
} far__axis;

/* An axis that shows low ... high (in any order; NAN and infinities are ignored) with round ticks, about
 * one each `room` units of `length`. A logarithmic one needs low > 0; else it is linear. Equal ends are
 * moved apart. */
far__axis far__axis_create(double low, double high, bool log, double length, double room);

/* The range of numbers, extended one by one: begin with {INFINITY, -INFINITY}. */
typedef struct far__range {
  double low, high;
} far__range;
#define FAR__NO_RANGE ((far__range){INFINITY, -INFINITY})
void far__range_add(far__range *range, double x); /* ignores x if it is not finite */
bool far__range_exists(const far__range *range);
/* Moves each end outwards by `share` of the range's width. */
far__range far__range_widened(far__range range, double share);

/* The position of x between the ends of the axis: 0 ... 1 inside. */
double far__axis_share(const far__axis *axis, double x);

/* Formats a number for a tick, with enough digits that numbers `step` apart differ: "12,000", "0.05", "1e−7". */
void far__tick_format(char out[FAR__TICK_TEXT], double x, double step);

/* The room that the labels of a vertical axis take on its left. */
double far__axis_width(const far__axis *axis, double size);

/* ---- panels ---- */

typedef struct far__panel {
  double x, y, width, height; /* of the area inside the axes */
  far__axis h, v;
} far__panel;

double far__panel_x(const far__panel *panel, double x);
double far__panel_y(const far__panel *panel, double y);

typedef struct far__panel_look {
  const char *title;             /* above; or NULL */
  const char *x_title;           /* below; or NULL */
  const char *y_title;           /* above the vertical axis, at its left; or NULL */
  bool no_x_labels, no_y_labels; /* shared with a neighbour, or drawn by the plot */
  bool no_x_grid, no_y_grid;
} far__panel_look;

/* Grid, axes, ticks and titles; data are drawn afterwards. Above the area it needs FAR__PANEL_ABOVE units
 * (with both titles), below FAR__PANEL_BELOW, on the left far__axis_width. */
#define FAR__PANEL_ABOVE 40.0
#define FAR__PANEL_BELOW 40.0
void far__panel_draw(far_figure *f, const far__panel *panel, const far__panel_look *look);

/* ---- labels ---- */

/* Moves centres apart, as little as possible, so that neighbours are at least `height` apart, and all
 * stay within low ... high if there is room; y[i] stays the centre of label i. Returns false if there is no room, and
 * the labels then are spread evenly and overlap; also without memory. */
bool far__spread(double *y, size_t n, double height, double low, double high);

/* Draws labels at the right ends of lines. Each label has the `y` of the end of its line (NAN: no label) and is moved
 * up or down where labels would overlap. Texts begin at `x`; a thin line leads from (x - 12, y) to the label. Returns
 * false without drawing if there is no room for all labels. */
typedef struct far__end_label {
  double y;
  const char *text;
  size_t series;
  bool plain; /* of a reference line, which is no series */
} far__end_label;
bool far__end_labels(far_figure *f, double x, double width, double low, double high,
                     const far__end_label *labels, size_t n);

/* A legend of marks and names from x, in lines of at most `width`. Returns its height; draws nothing if
 * `f` is NULL. */
double far__legend(far_figure *f, double x, double y, double width, const char *const *names,
                   size_t n);

/* ---- places for labels of points ---- */

typedef struct far__box {
  double x0, y0, x1, y1;
} far__box;

typedef struct far__boxes {
  far__box *at;
  size_t n, room;
} far__boxes; /* begin with {0}, free by far__boxes_free; boxes are left out if memory runs out */

void far__boxes_add(far__boxes *boxes, far__box box);
bool far__boxes_free_at(const far__boxes *boxes, far__box box); /* true: no overlap */
void far__boxes_free(far__boxes *boxes);

/* ---- panels side by side ---- */

/* How many columns n panels should have, in a figure of this width, each at least `least` wide. */
size_t far__columns(size_t n, double width, double least);

/* The row of panel i if there are `columns` panels in a row, and how many rows n panels have. */
static inline double far__row_of(size_t i, size_t columns) {
  const size_t row = i / columns;
  return (double)row;
}

static inline double far__rows_of(size_t n, size_t columns) {
  return far__row_of(n + columns - 1, columns);
}

/* The heading of a figure: title, and a line below it, or two where one is too short and there is a
 * semicolon to break it at. Returns where the rest begins. */
double far__heading(far_figure *f, const char *title, const char *subtitle);

#endif
