/* Drawing: what plots are made of. Lengths are units of 1/96 inch from the upper left corner.
 *
 * Drawing never fails: memory that runs out is remembered, and far__figure_finish then fails.
 * All texts and arrays are copied. Nothing is drawn outside of the frame by itself: measure first.
 */
#ifndef FAR_REPORT_FIGURE_FIGURE_H
#define FAR_REPORT_FIGURE_FIGURE_H

#include "base/kept.h"
#include "farsight/report.h"

/* ---- a figure that is drawn, besides farsight/report.h ---- */

/* Replaces the title, and the line or two of smaller text below it (the caption). NULL leaves what is there; "" draws
 * none, as where a paper's own caption says it (a screen reader is told the title that was there). What is too long for
 * one line is cut. Texts are copied. MEMORY. */
far_status far__figure_set_heading(far_figure *figure, const char *title, const char *caption,
                                   far_error *error);

/* Writes the rules of CSS by which INLINE drawings get their colours: as the reader prefers with AUTO,
 * else those of one theme. `scope` is put before every selector: "" or ":root[data-theme=dark] ". */
far_status far__figure_style(far_theme theme, const char *scope, far_sink sink, far_error *error);

/* Whether far_figure_save knows the ending of this path: UNKNOWN if not. Ask before long work. */
far_status far__figure_check_path(const char *path, far_error *error);

/* ---- colours: by what they are for, so that each theme has its own ---- */

enum { FAR__SERIES = 8, FAR__LEVELS = 33 };

typedef enum far__ink {
  FAR__NO_INK,
  FAR__INK_TEXT,
  FAR__INK_MUTED, /* text of second rank, axes */
  FAR__INK_GRID,
  FAR__INK_PAPER,   /* the background */
  FAR__INK_EMPTY,   /* of what has no value */
  FAR__INK_WALL,    /* of what cannot be entered */
  FAR__INK_ON_PALE, /* text on a level, see far__ink_on */
  FAR__INK_ON_MIDDLE,
  FAR__INK_ON_DEEP,
  FAR__INK_SERIES,                               /* + 0 ... FAR__SERIES - 1 */
  FAR__INK_HEAT = FAR__INK_SERIES + FAR__SERIES, /* + level: from little to much */
  FAR__INK_SIGN =
      FAR__INK_HEAT + FAR__LEVELS, /* + level: from below zero, in the middle, to above */
  FAR__INK_COUNT = FAR__INK_SIGN + FAR__LEVELS
} far__ink;

/* Of the i-th series; they repeat after FAR__SERIES, so dashes and markers differ, too. */
static inline far__ink far__ink_of(size_t series) {
  return (far__ink)(FAR__INK_SERIES + series % FAR__SERIES);
}

/* The level of a share, 0 ... 1 of the way; `sign`: 1/2 is zero. */
far__ink far__ink_level(double share, bool sign);

/* The ink for text on a level. */
far__ink far__ink_on(far__ink level);

typedef struct far__paint {
  far__ink fill, stroke;
  double width;   /* of the stroke; 0: 1 */
  double opacity; /* 0: 1 */
  int dash;       /* 0: solid; 1 ... 7: patterns, repeating */
} far__paint;

/* ---- the figure ---- */

/* `kind`, `title` and `description` as in far_figure_info. Fails with MEMORY, and with RANGE unless the width is 100 to
 * 10,000. */
far_status far__figure_create(far_figure **out, const char *kind, double width, far_error *error);
void far__figure_name(far_figure *f, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void far__figure_height(far_figure *f, double height);

/* The next text is line `line` of the heading: 0 the title, then those below it. */
void far__figure_heads(far_figure *f, int line);

/* MEMORY if anything was lost, and *figure is then freed and NULL. */
far_status far__figure_finish(far_figure **figure, far_error *error);

/* Zeroed memory that lives as long as the figure; NULL without memory, and the figure then fails. */
void *far__figure_room(far_figure *f, size_t count, size_t size);

/* A text of the figure's own, from a format; never NULL. */
const char *far__figure_print(far_figure *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- shapes ---- */

void far__figure_line(far_figure *f, double x0, double y0, double x1, double y1, far__paint paint);
void far__figure_polyline(far_figure *f, const double *x, const double *y, size_t n,
                          far__paint paint);
void far__figure_polygon(far_figure *f, const double *x, const double *y, size_t n,
                         far__paint paint);
void far__figure_rectangle(far_figure *f, double x, double y, double width, double height,
                           far__paint paint);
void far__figure_circle(far_figure *f, double x, double y, double radius, far__paint paint);

/* A mark of series i: circle, square, triangle, diamond, ... about (x, y). */
void far__figure_marker(far_figure *f, size_t series, double x, double y, double radius,
                        far__paint paint);

/* From (x0, y0) to a head at (x1, y1). */
void far__figure_arrow(far_figure *f, double x0, double y0, double x1, double y1, far__paint paint);

typedef enum far__anchor { FAR__LEFT, FAR__MIDDLE, FAR__RIGHT } far__anchor;

typedef struct far__font {
  double size; /* 0: FAR__SIZE */
  far__anchor anchor;
  bool bold;
  far__ink ink; /* 0: FAR__INK_TEXT */
  int angle;    /* 0 or -90: upwards */
} far__font;

#define FAR__SIZE 12.0
#define FAR__SMALL 11.0
#define FAR__TITLE 15.0

/* The base line of the text is at y. */
void far__figure_write(far_figure *f, double x, double y, far__font font, const char *text);

/* The same, cut with an ellipsis to fit `width`; what was cut is its title. */
void far__figure_write_within(far_figure *f, double x, double y, double width, far__font font,
                              const char *text);

/* The text itself if it fits, else cut with an ellipsis. */
const char *far__figure_shortened(far_figure *f, const char *text, far__font font, double width);

/* Labels of one list, cut so that those that differ look different (base/shorten.h); NULL without memory, and the figure
 * then fails. */
const char **far__figure_distinct(far_figure *f, const char *const *labels, size_t n,
                                  far__font font, double width);

/* Writes `shown` for a text, which is its title where they differ. */
void far__figure_write_as(far_figure *f, double x, double y, far__font font, const char *shown,
                          const char *text);

/* ---- what a reader can ask for: values, and series to hide ---- */

/* The next shape says this when pointed at. */
void far__figure_tip(far_figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next shape, a line, stands for these numbers: `x` and `y`, and `low` and `high` unless they are NULL. */
void far__figure_values(far_figure *f, const double *x, const double *y, const double *low,
                        const double *high, size_t n);

/* What follows, up to far__figure_end, belongs to a series (hidden and shown by its label), or to a panel. */
void far__figure_series(far_figure *f, size_t series, const char *label);
void far__figure_panel(far_figure *f, const char *label);
void far__figure_end(far_figure *f);

/* ---- measures ---- */

/* An upper bound of the width of a text, whatever the font without serifs. */
double far__text_length(const char *text, double size, bool bold);

/* ---- private to src/report/figure ---- */

typedef enum far__shape {
  FAR__POLYLINE,
  FAR__POLYGON,
  FAR__RECTANGLE,
  FAR__CIRCLE,
  FAR__TEXT,
  FAR__SERIES_BEGINS,
  FAR__PANEL_BEGINS,
  FAR__ENDS,
} far__shape;

typedef struct far__item {
  far__shape shape;
  far__paint paint;
  far__font font;
  size_t n; /* points; of a series its number */
  const double *x,
      *y; /* n; of a rectangle the corner and the size, of a circle the centre and the radius */
  const char *text;        /* of a text; of a series or panel its label */
  const char *tip;         /* or NULL */
  const double *values[4]; /* n_values each: x, y, low, high; or NULL */
  size_t n_values;
} far__item;

struct far_figure {
  far__kept kept;
  const char *kind, *title, *description;
  double width, height;
  far__item *items;
  size_t n_items, item_room;
  size_t heading[3]; /* the items of the title and of the two lines below it, from 1 on; 0: none */
  far__item next;    /* tip and values for the next shape */
};

typedef struct far__dash {
  const char *svg, *tikz;
} far__dash;
extern const far__dash far__dashes[8];

/* "#0072b2" */
typedef struct far__colour {
  char text[12];
} far__colour;
far__colour far__ink_colour(far__ink ink, bool dark);

/* "s0", "h12": the name of an ink in a class. */
typedef struct far__ink_name {
  char text[16];
} far__ink_name;
far__ink_name far__ink_named(far__ink ink);

void far__render_svg(far_buffer *out, const far_figure *f, const far_figure_def *def);
void far__render_tikz(far_buffer *out, const far_figure *f, const far_figure_def *def);
void far__style(far_buffer *out, far_theme theme, const char *scope);

/* A length in two decimals. */
void far__put_length(far_buffer *out, double x);

#endif
