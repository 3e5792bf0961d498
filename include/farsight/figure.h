/* Figures: drawings made of lines, shapes and text, rendered as SVG or as TikZ into a sink.
 *
 *     far_figure *figure;
 *     far_status status = far_plot_create(&figure, "intervals", store, &plot, &error);
 *     if (status == FAR_OK) status = far_figure_save(figure, "intervals.pdf", FAR_THEME_AUTO, &error);
 *     far_figure_free(figure);
 *
 * The functions of the analyses make them (farsight/plot.h). The same results give the same bytes. Text
 * is text: it can be searched, copied and read aloud. A figure has a title and a description for those
 * who do not see it. It may be read by several threads.
 */
#ifndef FARSIGHT_FIGURE_H
#define FARSIGHT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "farsight/sink.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_figure far_figure;

FAR_API void far_figure_free(far_figure *figure); /* NULL is fine */

typedef struct far_figure_info {
  const char *kind;        /* "curves" */
  const char *title;       /* one line */
  const char *description; /* what is to be seen, in words and numbers */
  double width, height;    /* in units of 1/96 inch */
} far_figure_info;

/* Its texts are the figure's. */
FAR_API far_figure_info far_figure_info_of(const far_figure *figure);

/* Replaces the title, and the line or two of smaller text below it (the caption). NULL leaves what is there; "" draws
 * none, as where a paper's own caption says it (a screen reader is told the title that was there). What is too long for
 * one line is cut. Texts are copied. MEMORY. */
FAR_API far_status far_figure_set_heading(far_figure *figure, const char *title,
                                          const char *caption, far_error *error);

/* ---- rendering ---- */

typedef enum far_figure_format {
  FAR_FIGURE_SVG,    /* a file of its own */
  FAR_FIGURE_INLINE, /* the element <svg> for an HTML page that has the rules of far_figure_style */
  FAR_FIGURE_TIKZ,   /* a tikzpicture for LaTeX; needs the packages tikz and xcolor */
} far_figure_format;

typedef enum far_theme {
  FAR_THEME_AUTO, /* light or dark as the reader prefers, light in print and in TikZ */
  FAR_THEME_LIGHT,
  FAR_THEME_DARK,
} far_theme;

typedef struct far_figure_def {
  far_figure_format format;
  far_theme theme;
  const char *id; /* INLINE: what the identifiers in the drawing begin with, unique in the page */
} far_figure_def;

FAR_API far_figure_def far_figure_def_default(void); /* SVG, AUTO, "figure" */

/* Writes the whole figure. Fails with MEMORY or IO. */
FAR_API far_status far_figure_render(const far_figure *figure, const far_figure_def *def,
                                     far_sink sink, far_error *error);

/* Writes the rules of CSS by which INLINE drawings get their colours: as the reader prefers with AUTO,
 * else those of one theme. `scope` is put before every selector: "" or ":root[data-theme=dark] ". */
FAR_API far_status far_figure_style(far_theme theme, const char *scope, far_sink sink,
                                    far_error *error);

/* Writes the figure to a file, in the format of its ending: .svg, .tex (TikZ), .pdf or .png. The last two
 * are converted from SVG by rsvg-convert or inkscape, whichever is installed; ABSENT if neither is,
 * UNKNOWN for another ending. An existing file is replaced when the new one is complete. */
FAR_API far_status far_figure_save(const far_figure *figure, const char *path, far_theme theme,
                                   far_error *error);

/* Whether far_figure_save knows the ending of this path: UNKNOWN if not. Ask before long work. */
FAR_API far_status far_figure_check_path(const char *path, far_error *error);

#ifdef __cplusplus
}
#endif

#endif
