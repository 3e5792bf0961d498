/* Reports and figures: documents of headings, tables, notes and drawings that the laboratory makes, rendered into a sink.
 *
 *     far_report *report;
 *     if (far_report_create(&report, "example", &error)) return puts(error.message);
 *     // ... far_results_report(results, report), far_comparison_report(comparison, report) ...
 *     far_render_def how = far_render_def_default();
 *     how.format = FAR_REPORT_MARKDOWN;
 *     if (far_report_render(report, &how, far_sink_file(stdout), &error)) return puts(error.message);
 *     far_report_free(report);
 *
 * Adding to a report never fails: memory that runs out is remembered, and rendering then fails with MEMORY and
 * writes nothing. A report belongs to one thread. All texts are UTF-8 and are copied.
 */
#ifndef FARSIGHT_REPORT_H
#define FARSIGHT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct far_report far_report;

/* A report of `command`, which the JSON document names. Fails with MEMORY. */
FAR_API far_status far_report_create(far_report **out, const char *command, far_error *error);
FAR_API void far_report_free(far_report *report); /* NULL is fine */

/* ---- rendering ---- */

typedef enum far_report_format {
  FAR_REPORT_TEXT,
  FAR_REPORT_MARKDOWN,
  FAR_REPORT_JSON,
  FAR_REPORT_CSV,   /* one table, for a program to read */
  FAR_REPORT_LATEX, /* tables for the package booktabs, figures for TikZ */
  FAR_REPORT_HTML,  /* a page in one file: no network, and complete without scripting */
} far_report_format;

/* "text", "markdown", "json", "csv", "latex", "html"; NULL past the end. */
FAR_API const char *far_report_format_name(far_report_format format);

typedef struct far_render_def {
  far_report_format format;
  int width; /* of text, in characters; wider tables are divided, and text in a last column wrapped. 0: any */
  int indent;        /* of tables in text */
  bool ascii;        /* replace what is not ASCII, in text */
  const char *table; /* CSV: the name of the table; NULL: the first */
  bool kinds;        /* CSV: a line below the heads says whether a column is text, count (whole
                      * numbers), real, or parameter (of a spec: numbers or words) */
} far_render_def;

/* Text, 80 columns for paragraphs and any width for tables. */
FAR_API far_render_def far_render_def_default(void);

/* Writes the whole document. Fails with MEMORY, IO (the sink), or UNKNOWN (no such table). */
FAR_API far_status far_report_render(const far_report *report, const far_render_def *def,
                                     far_sink sink, far_error *error);

/* The name of the i-th different table, for CSV; NULL past the end. */
FAR_API const char *far_report_table_name(const far_report *report, size_t i);

/* Figures: drawings made of lines, shapes and text, rendered as SVG or as TikZ into a sink.
 *
 *     far_figure *figure;
 *     far_status status = far_plot_create(&figure, "intervals", store, &plot, &error);
 *     if (status == FAR_OK) status = far_figure_save(figure, "intervals.pdf", FAR_THEME_AUTO, &error);
 *     far_figure_free(figure);
 *
 * far_plot_create makes them (comparison.h). The same results give the same bytes. Text
 * is text: it can be searched, copied and read aloud. A figure has a title and a description for those
 * who do not see it. It may be read by several threads.
 */

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

/* ---- rendering ---- */

typedef enum far_figure_format {
  FAR_FIGURE_SVG,    /* a file of its own */
  FAR_FIGURE_INLINE, /* the element <svg> for an HTML page that has their style, as a report has */
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

/* Writes the figure to a file, in the format of its ending: .svg, .tex (TikZ), .pdf or .png. The last two
 * are converted from SVG by rsvg-convert or inkscape, whichever is installed; ABSENT if neither is,
 * UNKNOWN for another ending. An existing file is replaced when the new one is complete. */
FAR_API far_status far_figure_save(const far_figure *figure, const char *path, far_theme theme,
                                   far_error *error);

#ifdef __cplusplus
}
#endif

#endif
