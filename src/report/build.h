/* Building a document: headings, tables, notes, figures. */
#ifndef FAR_REPORT_BUILD_H
#define FAR_REPORT_BUILD_H

#include "base/json.h"
#include "farsight/report.h"

#if defined(__GNUC__)
#define FAR__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FAR__PRINTF(text, first)
#endif

/* OK, MEMORY if anything has been lost so far, or CONFLICT if rows came before columns. */
far_status far__report_status(const far_report *report, far_error *error);

/* The work was stopped before its end: the report is of what was finished. */
void far__report_stopped(far_report *report);

/* ---- text ---- */

/* Level 1 is the title, 2 a section, 3 a part of it. */
void far__report_heading(far_report *report, int level, const char *format, ...) FAR__PRINTF(3, 4);
void far__report_paragraph(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* What the document comes to, for its beginning: a sentence (`term` NULL), or what is to be said of a term,
 * as in "caveats". Several in a row are one block, which HTML shows as a card. Also in the JSON document. */
void far__report_verdict(far_report *report, const char *term, const char *format, ...)
    FAR__PRINTF(3, 4);

/* A list under a title, such as all parameters: the items are printed as they are, without wrapping. */
void far__report_list(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);
void far__report_item(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* A term and what is to be said of it, such as a key and its meaning. Several in a row are a list; a
 * short term and the beginning of its text share a line. A line break in the text separates remarks. */
void far__report_entry(far_report *report, const char *term, const char *format, ...)
    FAR__PRINTF(3, 4);

typedef enum far__note_kind {
  FAR__NOTE_REMARK, /* explains a mark or a word of a table */
  FAR__NOTE_CAVEAT, /* limits what may be concluded */
} far__note_kind;

/* Notes are also in the JSON document, each with its kind. */
void far__report_note(far_report *report, far__note_kind kind, const char *format, ...)
    FAR__PRINTF(3, 4);

/* How the numbers were made, ready to be quoted; also in the JSON document. */
void far__report_methods(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* A command for a shell, to be copied; it is never wrapped, except on a page of HTML. */
void far__report_command(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* ---- environments and figures ---- */

/* What follows, up to the next call, is about this environment alone; NULL: about all of them. So are the
 * rows that are added to any table meanwhile. With scripting, a page of HTML lets its reader choose among
 * the environments; other formats ignore it. */
void far__report_environment(far_report *report, const char *label);

/* A figure at this place, with a caption. Its views follow: one, or several that are alternatives, such as
 * two scales or the times of a run. HTML shows the first and lets its reader choose, LaTeX draws the first,
 * text and Markdown show the caption, and so do all where it has no view. */
void far__report_figure(far_report *report, const char *name, const char *format, ...)
    FAR__PRINTF(3, 4);

/* A view of the figure that was added last. The report takes it and frees it, whatever happens. `label`
 * names the choice: "logarithmic", "t = 100"; NULL where there is no other view. A figure of NULL, as one
 * that could not be made, is left out. */
void far__report_view(far_report *report, far_figure *figure, const char *label);

/* The view that was added last is shown instead of the first: the end of a run, say, after its times. */
void far__report_show_last(far_report *report);

/* A figure that is drawn with characters: `drawing` is lines, each ended by a line break. Text shows the
 * drawing and its caption, neither where a line is wider than the page; ASCII replaces one character by
 * one, so that the lines stay aligned. Markdown and HTML show a block of code and the caption. All other
 * formats treat it as a figure without views. */
void far__report_drawing(far_report *report, const char *name, const char *drawing,
                         const char *format, ...) FAR__PRINTF(4, 5);

/* ---- tables ---- */

typedef enum far__column_kind {
  FAR__COLUMN_TEXT,
  FAR__COLUMN_SPEC,     /* a label, and a canonical spec whose parameters are columns in CSV */
  FAR__COLUMN_COUNT,    /* whole numbers */
  FAR__COLUMN_REAL,     /* numbers */
  FAR__COLUMN_INTERVAL, /* a number with an interval: KEY, KEY_low and KEY_high in CSV */
  FAR__COLUMN_RANGE,    /* two numbers: KEY_low and KEY_high in CSV */
  FAR__COLUMN_BARS,     /* a small graph of characters, for people alone */
  FAR__COLUMN_COMMAND,  /* text: a command for a shell, to be copied */
} far__column_kind;

typedef struct far_table far_table;

/* A table at this place. In CSV the tables of one name are one table, so `name` describes a row, as
 * in "cells". A table without a name appears only in formats for people; a table whose columns are
 * all hidden appears only in formats for programs. The table is the report's; never NULL. */
far_table *far__report_table(far_report *report, const char *name);

/* Adds a column before there are rows: `key` heads it in CSV and JSON, `title` elsewhere. A hidden one
 * (title NULL) stands in CSV and JSON alone: what people see in the heading above the table. A table
 * with no other columns is for programs alone. */
void far__table_column(far_table *table, const char *key, const char *title, far__column_kind kind);

/* What the table shows, above it; without one, HTML names it by the heading above. */
void far__table_caption(far_table *table, const char *format, ...) FAR__PRINTF(2, 3);

/* Starts a row. Its cells follow in the order of the columns; what is missing is empty. */
void far__table_row(far_table *table);
void far__table_rule(far_table *table); /* a line before the next row */

void far__table_text(far_table *table, const char *format, ...) FAR__PRINTF(2, 3);
void far__table_spec(far_table *table, const char *label, const char *spec);
void far__table_count(far_table *table, int64_t n);
void far__table_real(far_table *table, double x); /* four digits; NAN is a dash */

/* "7273 ± 14": as many digits as the half-width's second; the value alone if that is NAN. */
void far__table_interval(far_table *table, double value, double half);

/* The same of an interval about the value, by its ends. */
void far__table_interval_of(far_table *table, double value, double low, double high);

void far__table_p(far_table *table, double p); /* a p-value: far__brief_p */

/* A number whose text for people is given; a dash where it is NAN, or is not known. */
void far__table_known_as(far_table *table, double x, const char *format, ...) FAR__PRINTF(3, 4);
void far__table_count_if(far_table *table, bool known, int64_t n);

/* A spec whose text for people is given: a label that is shortened, or has a mark. */
void far__table_spec_as(far_table *table, const char *label, const char *spec, const char *format,
                        ...) FAR__PRINTF(4, 5);

/* A text whose form for people is given: one that is cut, or none for programs (""). */
void far__table_text_as(far_table *table, const char *text, const char *format, ...)
    FAR__PRINTF(3, 4);

/* Numbers whose text for people is given. */
void far__table_real_as(far_table *table, double x, const char *format, ...) FAR__PRINTF(3, 4);
void far__table_interval_as(far_table *table, double value, double low, double high,
                            const char *format, ...) FAR__PRINTF(5, 6);
void far__table_range_as(far_table *table, double low, double high, const char *format, ...)
    FAR__PRINTF(4, 5);

void far__table_none(far_table *table);  /* there is no such number: a dash */
void far__table_blank(far_table *table); /* as in the row above, or of no interest */

/* ---- numbers for people ---- */

enum { FAR__BRIEF_SIZE = 64 };

/* A short text by value, as a number is for people. */
typedef struct far__brief {
  char text[FAR__BRIEF_SIZE];
} far__brief;

/* Four digits, or all that are before the point; a dash where there is no such number. */
far__brief far__brief_real(double x);

/* "7273 ± 14", "0.0123 ± 0.0014"; the value alone where there is no interval. */
far__brief far__brief_interval(double value, double half);

/* A p-value: "0.34", "0.034", "0.0034", "< 0.0001"; a dash where there is none. */
far__brief far__brief_p(double p);

/* "1,234,567". */
far__brief far__brief_count(int64_t n);

/* The length of a run: "10,000 steps", or where it ends by episodes "500 episodes"; "" if neither is known. */
far__brief far__brief_length(int64_t steps, int64_t episodes);

/* "40 s", "12 min", "3.5 h", "2 days"; rounded up. And "37 kB", "8.2 MB", in powers of 1000. */
far__brief far__brief_seconds(double seconds);
far__brief far__brief_bytes(double bytes);

/* How many digits after the point a number with this interval deserves: 0 to 6. */
int far__interval_digits(double half);

/* ---- JSON, and what must outlive the report ---- */

/* `write` writes members that follow the envelope ("version", "numerics", "command", "stopped"); without any
 * such function the tables themselves are written. Notes and methods follow by themselves. It is called when the
 * report is rendered as JSON, each time, several in their order, and never for other formats: so what a report
 * is of (`user`, and what that points to) must stay until the report is freed or settled, unless it says otherwise. */
void far__report_data_by(far_report *report, void (*write)(const void *user, far__json *json),
                         const void *user);

/* Two ways to leave to the report what `user` points to: it takes the object, which is freed with it; or it
 * copies so many bytes, aligned for pointers and numbers; NULL without memory, which rendering then tells. */
void far__report_keep(far_report *report, void *object, void (*free_object)(void *object));
void *far__report_copy(far_report *report, const void *bytes, size_t size);

/* Writes the members now, for a caller who will free what the report is of before it is rendered. */
void far__report_settle(far_report *report);

/* ---- plain text, without a report ---- */

/* Writes text[0..length) as lines of at most `width` columns, broken between words, the last one ended as
 * well. `used` columns of the first line are taken already; further lines begin behind `indent` spaces.
 * A word that is longer than a line has one of its own. False if the sink did not take it all. */
bool far__text_wrap(far_sink sink, const char *text, size_t length, int used, int indent,
                    int width);

/* Replaces, in place, all that is not ASCII by something near: "±" becomes "+/-", "ε" "eps". `out` has
 * room for 5 bytes per byte of text and one more. Returns the length. */
size_t far__ascii(char *out, const char *text, size_t length);

/* Copies text of strangers without what a terminal would obey or could not show: control characters but line breaks,
 * marks that turn the direction of writing, and what is no UTF-8 become '?', a tab a space. `out` has room for the text
 * and one byte more, and may be the text. Returns the length. */
size_t far__printable(char *out, const char *text, size_t length);

#endif
