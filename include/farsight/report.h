/* Reports: one document of headings, tables, figures, notes and methods, rendered as text, Markdown, JSON,
 * CSV, LaTeX or HTML into a sink.
 *
 *     far_report *report;
 *     far_status status = far_report_create(&report, "run", &error);
 *     far_report_heading(report, 1, "Undiscounted reward, %lld steps", steps);
 *     far_table *table = far_report_table(report, "cells");
 *     far_table_column(table, "agent", "agent", FAR_COLUMN_SPEC);
 *     far_table_column(table, "mean", "mean ± 95%", FAR_COLUMN_INTERVAL);
 *     far_table_row(table);
 *     far_table_spec(table, "r-max", "r-max:gamma=0.95,...");
 *     far_table_interval(table, 1205, 14);
 *     far_report_note(report, FAR_NOTE_CAVEAT, "One run says nothing about the spread.");
 *     status = far_report_render(report, &how, far_sink_file(stdout), &error);
 *     far_report_free(report);
 *
 * Building never fails: memory that runs out is remembered, and rendering then fails with MEMORY and
 * writes nothing. A report belongs to one thread. All texts are UTF-8 and are copied.
 */
#ifndef FARSIGHT_REPORT_H
#define FARSIGHT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farsight/figure.h"
#include "farsight/json.h"
#include "farsight/sink.h"
#include "farsight/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FAR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FAR_PRINTF(text, first)
#endif

typedef struct far_report far_report;
typedef struct far_table far_table;

/* A report of `command`, which the JSON document names. Fails with MEMORY. */
FAR_API far_status far_report_create(far_report **out, const char *command, far_error *error);
FAR_API void far_report_free(far_report *report); /* NULL is fine */

/* OK, MEMORY if anything has been lost so far, or CONFLICT if rows came before columns. */
FAR_API far_status far_report_status(const far_report *report, far_error *error);

/* The work was stopped before its end: the report is of what was finished. */
FAR_API void far_report_stopped(far_report *report);

/* ---- what a document is made of, in the order of reading ---- */

/* Level 1 is the title, 2 a section, 3 a part of it. */
FAR_API void far_report_heading(far_report *report, int level, const char *format, ...)
    FAR_PRINTF(3, 4);
FAR_API void far_report_paragraph(far_report *report, const char *format, ...) FAR_PRINTF(2, 3);

/* What the document comes to, for its beginning: a sentence (`term` NULL), or what is to be said of a term,
 * as in "caveats". Several in a row are one block, which HTML shows as a card. Also in the JSON document. */
FAR_API void far_report_verdict(far_report *report, const char *term, const char *format, ...)
    FAR_PRINTF(3, 4);

/* A list under a title, such as all parameters: the items are printed as they are, without wrapping. */
FAR_API void far_report_list(far_report *report, const char *format, ...) FAR_PRINTF(2, 3);
FAR_API void far_report_item(far_report *report, const char *format, ...) FAR_PRINTF(2, 3);

/* A term and what is to be said of it, such as a key and its meaning. Several in a row are a list; a
 * short term and the beginning of its text share a line. A line break in the text separates remarks. */
FAR_API void far_report_entry(far_report *report, const char *term, const char *format, ...)
    FAR_PRINTF(3, 4);

typedef enum far_note_kind {
  FAR_NOTE_REMARK, /* explains a mark or a word of a table */
  FAR_NOTE_CAVEAT, /* limits what may be concluded */
} far_note_kind;

/* Notes are also in the JSON document, each with its kind. */
FAR_API void far_report_note(far_report *report, far_note_kind kind, const char *format, ...)
    FAR_PRINTF(3, 4);

/* How the numbers were made, ready to be quoted; also in the JSON document. */
FAR_API void far_report_methods(far_report *report, const char *format, ...) FAR_PRINTF(2, 3);

/* A command for a shell, to be copied; it is never wrapped, except on a page of HTML. */
FAR_API void far_report_command(far_report *report, const char *format, ...) FAR_PRINTF(2, 3);

/* What follows, up to the next call, is about this environment alone; NULL: about all of them. So are the
 * rows that are added to any table meanwhile. With scripting, a page of HTML lets its reader choose among
 * the environments; other formats ignore it. */
FAR_API void far_report_environment(far_report *report, const char *label);

/* A figure at this place, with a caption. Its views follow: one, or several that are alternatives, such as
 * two scales or the times of a run. HTML shows the first and lets its reader choose, LaTeX draws the first,
 * text and Markdown show the caption, and so do all where it has no view. */
FAR_API void far_report_figure(far_report *report, const char *name, const char *format, ...)
    FAR_PRINTF(3, 4);

/* A view of the figure that was added last. The report takes it and frees it, whatever happens. `label`
 * names the choice: "logarithmic", "t = 100"; NULL where there is no other view. A figure of NULL, as one
 * that could not be made, is left out. */
FAR_API void far_report_view(far_report *report, far_figure *figure, const char *label);

/* The view that was added last is shown instead of the first: the end of a run, say, after its times. */
FAR_API void far_report_show_last(far_report *report);

/* A figure that is drawn with characters: `drawing` is lines, each ended by a line break. Text shows the
 * drawing and its caption, neither where a line is wider than the page; ASCII replaces one character by
 * one, so that the lines stay aligned. Markdown and HTML show a block of code and the caption. All other
 * formats treat it as a figure without views. */
FAR_API void far_report_drawing(far_report *report, const char *name, const char *drawing,
                                const char *format, ...) FAR_PRINTF(4, 5);

/* ---- tables ---- */

typedef enum far_column_kind {
  FAR_COLUMN_TEXT,
  FAR_COLUMN_SPEC,     /* a label, and a canonical spec whose parameters are columns in CSV */
  FAR_COLUMN_COUNT,    /* whole numbers */
  FAR_COLUMN_REAL,     /* numbers */
  FAR_COLUMN_INTERVAL, /* a number with an interval: KEY, KEY_low and KEY_high in CSV */
  FAR_COLUMN_RANGE,    /* two numbers: KEY_low and KEY_high in CSV */
  FAR_COLUMN_BARS,     /* a small graph of characters, for people alone */
  FAR_COLUMN_COMMAND,  /* text: a command for a shell, to be copied */
} far_column_kind;

/* A table at this place. In CSV the tables of one name are one table, so `name` describes a row, as
 * in "cells". A table without a name appears only in formats for people; a table whose columns are
 * all hidden appears only in formats for programs. The table is the report's; never NULL. */
FAR_API far_table *far_report_table(far_report *report, const char *name);

/* Adds a column before there are rows: `key` heads it in CSV and JSON, `title` elsewhere. A hidden one
 * (title NULL) stands in CSV and JSON alone: what people see in the heading above the table. A table
 * with no other columns is for programs alone. */
FAR_API void far_table_column(far_table *table, const char *key, const char *title,
                              far_column_kind kind);

/* What the table shows, above it; without one, HTML names it by the heading above. */
FAR_API void far_table_caption(far_table *table, const char *format, ...) FAR_PRINTF(2, 3);

/* Starts a row. Its cells follow in the order of the columns; what is missing is empty. */
FAR_API void far_table_row(far_table *table);
FAR_API void far_table_rule(far_table *table); /* a line before the next row */

FAR_API void far_table_text(far_table *table, const char *format, ...) FAR_PRINTF(2, 3);
FAR_API void far_table_spec(far_table *table, const char *label, const char *spec);
FAR_API void far_table_count(far_table *table, int64_t n);
FAR_API void far_table_real(far_table *table, double x); /* four digits; NAN is a dash */

/* "7273 ± 14": as many digits as the half-width's second; the value alone if that is NAN. */
FAR_API void far_table_interval(far_table *table, double value, double half);

FAR_API void far_table_p(far_table *table, double p); /* a p-value: far_p_brief */

/* A spec whose text for people is given: a label that is shortened, or has a mark. */
FAR_API void far_table_spec_as(far_table *table, const char *label, const char *spec,
                               const char *format, ...) FAR_PRINTF(4, 5);

/* A text whose form for people is given: one that is cut, or none for programs (""). */
FAR_API void far_table_text_as(far_table *table, const char *text, const char *format, ...)
    FAR_PRINTF(3, 4);

/* Numbers whose text for people is given. */
FAR_API void far_table_real_as(far_table *table, double x, const char *format, ...)
    FAR_PRINTF(3, 4);
FAR_API void far_table_interval_as(far_table *table, double value, double low, double high,
                                   const char *format, ...) FAR_PRINTF(5, 6);
FAR_API void far_table_range_as(far_table *table, double low, double high, const char *format, ...)
    FAR_PRINTF(4, 5);

FAR_API void far_table_none(far_table *table);  /* there is no such number: a dash */
FAR_API void far_table_blank(far_table *table); /* as in the row above, or of no interest */

/* ---- numbers for people ---- */

enum { FAR_BRIEF_SIZE = 64 };

/* Four digits, or all that are before the point; a dash where there is no such number. */
FAR_API void far_real_brief(char out[FAR_BRIEF_SIZE], double x);

/* "7273 ± 14", "0.0123 ± 0.0014"; the value alone where there is no interval. */
FAR_API void far_interval_brief(char out[FAR_BRIEF_SIZE], double value, double half);

/* A p-value: "0.34", "0.034", "0.0034", "< 0.0001"; a dash where there is none. */
FAR_API void far_p_brief(char out[FAR_BRIEF_SIZE], double p);

/* "1,234,567". */
FAR_API void far_count_brief(char out[FAR_BRIEF_SIZE], int64_t n);

/* The length of a run: "10,000 steps", or where it ends by episodes "500 episodes"; "" if neither is known. */
FAR_API void far_length_brief(char out[FAR_BRIEF_SIZE], int64_t steps, int64_t episodes);

/* "40 s", "12 min", "3.5 h", "2 days"; rounded up. And "37 kB", "8.2 MB", in powers of 1000. */
FAR_API void far_seconds_brief(char out[FAR_BRIEF_SIZE], double seconds);
FAR_API void far_bytes_brief(char out[FAR_BRIEF_SIZE], double bytes);

/* How many digits after the point a number with this interval deserves: 0 to 6. */
FAR_API int far_interval_digits(double half);

/* ---- the JSON document ---- */

/* `write` writes members that follow the envelope ("version", "numerics", "command", "stopped"); without any
 * such function the tables themselves are written. Notes and methods follow by themselves. It is called when the
 * report is rendered as JSON, each time, several in their order, and never for other formats: so what a report
 * is of (`user`, and what that points to) must stay until the report is freed or settled, unless it says otherwise. */
FAR_API void far_report_data_by(far_report *report, void (*write)(const void *user, far_json *json),
                                const void *user);

/* Two ways to leave to the report what `user` points to: it takes the object, which is freed with it; or it
 * copies so many bytes, aligned for pointers and numbers; NULL without memory, which rendering then tells. */
FAR_API void far_report_keep(far_report *report, void *object, void (*free_object)(void *object));
FAR_API void *far_report_copy(far_report *report, const void *bytes, size_t size);

/* Writes the members now, for a caller who will free what the report is of before it is rendered. */
FAR_API void far_report_settle(far_report *report);

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

/* Writes text[0..length) as lines of at most `width` columns, broken between words, the last one ended as
 * well. `used` columns of the first line are taken already; further lines begin behind `indent` spaces.
 * A word that is longer than a line has one of its own. False if the sink did not take it all. */
FAR_API bool far_text_wrap(far_sink sink, const char *text, size_t length, int used, int indent,
                           int width);

/* The columns that UTF-8 text takes: its characters. */
FAR_API int far_text_width(const char *text, size_t length);

/* Replaces, in place, all that is not ASCII by something near: "±" becomes "+/-", "ε" "eps". `out` has
 * room for 5 bytes per byte of text and one more. Returns the length. */
FAR_API size_t far_ascii(char *out, const char *text, size_t length);

/* Copies text of strangers without what a terminal would obey or could not show: control characters but line breaks,
 * marks that turn the direction of writing, and what is no UTF-8 become '?', a tab a space. `out` has room for the text
 * and one byte more, and may be the text. Returns the length. */
FAR_API size_t far_printable(char *out, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
