/* Drawing: the shapes that plots consist of. Lengths are in units of 1/96 inch; the origin is the upper left corner.
 *
 * Drawing never fails: memory that runs out is remembered, and far__figure_finish then fails.
 * All texts and arrays are copied. Shapes are not clipped to the frame: measure texts before drawing.
 */
#ifndef FAR_REPORT_FIGURE_FIGURE_H
#define FAR_REPORT_FIGURE_FIGURE_H

#include "base/kept.h"
#include "farsight/report.h"

/* ---- finished figures; farsight/report.h has more functions ---- */

/* Replaces the title, and the one or two lines of smaller text below it (the caption). NULL leaves the text; "" removes
 * it, for example in a paper that has its own caption (a removed title is still read by screen readers). A text that is
 * too long for one line is cut. Texts are copied. Fails with MEMORY. */
far_status far__figure_set_heading(far_figure *figure, const char *title, const char *caption,
                                   far_error *error);

/* Writes the CSS rules for the colours of INLINE drawings: those of one theme, or with AUTO of the theme that the
 * reader prefers. `scope` is put before every selector: "" or ":root[data-theme=dark] ". */
far_status far__figure_style(far_theme theme, const char *scope, far_sink sink, far_error *error);

/* Fails with UNKNOWN if far_figure_save does not know the ending of this path. Call it before a long computation. */
far_status far__figure_check_path(const char *path, far_error *error);

/* ---- colours: named by their use, so that each theme has its own ---- */

enum { FAR__SERIES = 8, FAR__LEVELS = 33 };

typedef enum far__ink {
  FAR__NO_INK,
  FAR__INK_TEXT,
  FAR__INK_MUTED, /* secondary text, axes */
  FAR__INK_GRID,
  FAR__INK_PAPER,   /* the background */
  FAR__INK_EMPTY,   /* the area of what has no value */
  FAR__INK_WALL,    /* the area of what cannot be entered */
  FAR__INK_ON_PALE, /* text on a level, see far__ink_on */
  FAR__INK_ON_MIDDLE,
  FAR__INK_ON_DEEP,
  FAR__INK_SERIES,                               /* + 0 ... FAR__SERIES - 1 */
  FAR__INK_HEAT = FAR__INK_SERIES + FAR__SERIES, /* + level: from small to large */
  FAR__INK_SIGN =
      FAR__INK_HEAT + FAR__LEVELS, /* + level: from negative to positive, zero in the middle */
  FAR__INK_COUNT = FAR__INK_SIGN + FAR__LEVELS
} far__ink;

/* The colour of the i-th series. Colours repeat after FAR__SERIES, so series also differ in dashes and markers. */
static inline far__ink far__ink_of(size_t series) {
  return (far__ink)(FAR__INK_SERIES + series % FAR__SERIES);
}

/* The colour of a number that lies at `share`, 0 ... 1, of its range. `sign`: the range is symmetric, 1/2 is zero. */
far__ink far__ink_level(double share, bool sign);

/* The ink for text on a level. */
far__ink far__ink_on(far__ink level);

typedef struct far__paint {
  far__ink fill, stroke;
  double width;   /* of the stroke; 0 means 1 */
  double opacity; /* 0 means 1 */
  int dash;       /* 0: solid; 1 ... 7: patterns, repeating */
} far__paint;

/* ---- the figure ---- */

/* `kind`, `title` and `description` as in far_figure_info. Fails with MEMORY, and with RANGE unless the width is 100 to
 * 10,000. */
far_status far__figure_create(far_figure **out, const char *kind, double width, far_error *error);
void far__figure_name(far_figure *f, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void far__figure_height(far_figure *f, double height);

/* Makes the next text line `line` of the heading: 0 is the title, 1 and 2 are the lines below it. */
void far__figure_heads(far_figure *f, int line);

/* Fails with MEMORY if memory ran out while drawing; *figure is then freed and set to NULL. */
far_status far__figure_finish(far_figure **figure, far_error *error);

/* Zeroed memory that lives as long as the figure; NULL without memory, and the figure then fails. */
void *far__figure_room(far_figure *f, size_t count, size_t size);

/* A formatted text that lives as long as the figure; never NULL. */
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

/* As far__figure_write, but the text is cut with an ellipsis to fit `width`; its tip then shows the full text. */
void far__figure_write_within(far_figure *f, double x, double y, double width, far__font font,
                              const char *text);

/* The text itself if it fits, else cut with an ellipsis. */
const char *far__figure_shortened(far_figure *f, const char *text, far__font font, double width);

/* Labels of one list, cut so that those that differ look different (base/shorten.h); NULL without memory, and the figure
 * then fails. */
const char **far__figure_distinct(far_figure *f, const char *const *labels, size_t n,
                                  far__font font, double width);

/* Writes `shown` as a short form of `text`, which is its tip if they differ. */
void far__figure_write_as(far_figure *f, double x, double y, far__font font, const char *shown,
                          const char *text);

/* ---- interaction: tips, values, series to hide ---- */

/* Sets the tip of the next shape: the text that appears when it is pointed at. */
void far__figure_tip(far_figure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the numbers that the next shape, a line, shows: `x` and `y`, and `low` and `high` unless they are NULL. */
void far__figure_values(far_figure *f, const double *x, const double *y, const double *low,
                        const double *high, size_t n);

/* Begin a group of shapes, which far__figure_end ends: those of a series (to be hidden by its label), or of a panel. */
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
  size_t heading[3]; /* items of the title and of the two lines below it, counted from 1; 0: none */
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

/* "s0", "h12": the name of an ink in classes (SVG) and colours (TikZ). */
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
