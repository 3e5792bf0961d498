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

/* OK, MEMORY if memory ran out while the report was built, or CONFLICT if a table got rows before its columns. */
far_status far__report_status(const far_report *report, far_error *error);

/* Marks the report as incomplete: the computation was stopped, and the report covers the finished part. */
void far__report_stopped(far_report *report);

/* ---- text ---- */

/* Level 1 is the title, 2 a section, 3 a subsection. */
void far__report_heading(far_report *report, int level, const char *format, ...) FAR__PRINTF(3, 4);
void far__report_paragraph(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* A conclusion, for the beginning of the document: a sentence (`term` NULL), or a term such as "caveats" with its
 * text. Consecutive verdicts form one block, which HTML shows as a card. Verdicts are also in the JSON document. */
void far__report_verdict(far_report *report, const char *term, const char *format, ...)
    FAR__PRINTF(3, 4);

/* far__report_list begins a list by its title, such as "parameters"; far__report_item adds an item, which is printed
 * without wrapping. */
void far__report_list(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);
void far__report_item(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* A term and its text, such as a key and its meaning. Consecutive entries form a list; plain text puts a short term
 * and the beginning of its text on one line. A line break in the text separates remarks. */
void far__report_entry(far_report *report, const char *term, const char *format, ...)
    FAR__PRINTF(3, 4);

typedef enum far__note_kind {
  FAR__NOTE_REMARK, /* explains a mark or a word of a table */
  FAR__NOTE_CAVEAT, /* limits what may be concluded */
} far__note_kind;

/* Notes are also in the JSON document, each with its kind. */
void far__report_note(far_report *report, far__note_kind kind, const char *format, ...)
    FAR__PRINTF(3, 4);

/* How the numbers were computed, in words that can be quoted in a paper; also in the JSON document. */
void far__report_methods(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* A shell command for readers to copy. Only HTML wraps it. */
void far__report_command(far_report *report, const char *format, ...) FAR__PRINTF(2, 3);

/* ---- environments and figures ---- */

/* Sets the environment of all parts and table rows that are added up to the next call; NULL: they are about all
 * environments. With scripting, an HTML page lets its reader choose which environments to show; other formats ignore
 * the environment. */
void far__report_environment(far_report *report, const char *label);

/* Adds a figure with a caption. far__report_view then adds its views: one, or several alternatives, such as two
 * scales or the times of a run. HTML shows the first view and lets its reader choose another; LaTeX draws the first.
 * Text and Markdown show only the caption, and so does every format if the figure has no view. */
void far__report_figure(far_report *report, const char *name, const char *format, ...)
    FAR__PRINTF(3, 4);

/* Adds a view to the figure that was added last. The report owns `figure` from here on and frees it, even on failure.
 * `label` names the view among the alternatives: "logarithmic", "t = 100"; NULL if it is the only view. A figure of
 * NULL, such as one that could not be made, is ignored. */
void far__report_view(far_report *report, far_figure *figure, const char *label);

/* Makes the view that was added last the one that is shown, instead of the first: the end of a run, for example. */
void far__report_show_last(far_report *report);

/* Adds a figure that is drawn with characters: `drawing` is lines, each ended by a line break. Text shows the drawing
 * and its caption, or neither if a line is wider than the page; ASCII text replaces each character by exactly one, so
 * that the lines stay aligned. Markdown and HTML show a block of code and the caption. All other formats treat the
 * drawing as a figure without views. */
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

/* Adds a table. CSV and JSON join all tables of one name into one, so `name` describes a row, as in "cells". A table
 * without a name (NULL) appears only in formats for people; a table whose columns are all hidden appears only in
 * formats for programs. The report owns the table; never NULL. */
far_table *far__report_table(far_report *report, const char *name);

/* Adds a column; a table gets all columns before its first row. `key` names the column in CSV and JSON, `title` in
 * formats for people. A hidden column (title NULL) appears only in CSV and JSON, for example because people read the
 * same in the heading above the table. */
void far__table_column(far_table *table, const char *key, const char *title, far__column_kind kind);

/* The text above the table that says what it shows. HTML names a table without a caption after the last heading. */
void far__table_caption(far_table *table, const char *format, ...) FAR__PRINTF(2, 3);

/* Starts a row. The functions below fill its cells in the order of the columns; cells that are not filled are empty. */
void far__table_row(far_table *table);
void far__table_rule(far_table *table); /* a line before the next row */

void far__table_text(far_table *table, const char *format, ...) FAR__PRINTF(2, 3);
void far__table_spec(far_table *table, const char *label, const char *spec);
void far__table_count(far_table *table, int64_t n);
void far__table_real(far_table *table, double x); /* four digits; NAN is a dash */

/* "7273 ± 14": as many digits as the half-width's second; the value alone if that is NAN. */
void far__table_interval(far_table *table, double value, double half);

/* As far__table_interval, for an interval that is given by its ends. */
void far__table_interval_of(far_table *table, double value, double low, double high);

void far__table_p(far_table *table, double p); /* a p-value: far__brief_p */

/* A number whose text for people is given, and a count; a dash if the number is NAN, or the count is not known. */
void far__table_known_as(far_table *table, double x, const char *format, ...) FAR__PRINTF(3, 4);
void far__table_count_if(far_table *table, bool known, int64_t n);

/* A spec whose text for people is given, such as a label that is shortened or has a mark. */
void far__table_spec_as(far_table *table, const char *label, const char *spec, const char *format,
                        ...) FAR__PRINTF(4, 5);

/* `text` for programs ("": none), and another text for people, such as a shortened one. */
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

/* A number formatted for people: a short text that functions return by value. */
typedef struct far__brief {
  char text[FAR__BRIEF_SIZE];
} far__brief;

/* Four significant digits, or all digits before the point if these are more; a dash for NAN. */
far__brief far__brief_real(double x);

/* "7273 ± 14", "0.0123 ± 0.0014"; the value alone if the half-width is NAN. */
far__brief far__brief_interval(double value, double half);

/* A p-value: "0.34", "0.034", "0.0034", "< 0.0001"; a dash for NAN. */
far__brief far__brief_p(double p);

/* "1,234,567". */
far__brief far__brief_count(int64_t n);

/* The length of a run: "10,000 steps", or where it ends by episodes "500 episodes"; "" if neither is known. */
far__brief far__brief_length(int64_t steps, int64_t episodes);

/* "40 s", "12 min", "3.5 h", "2 days"; rounded up. And "37 kB", "8.2 MB", in powers of 1000. */
far__brief far__brief_seconds(double seconds);
far__brief far__brief_bytes(double bytes);

/* How many digits after the point show two significant digits of this half-width: 0 to 6. */
int far__interval_digits(double half);

/* ---- JSON, and data that the report reads when it is rendered ---- */

/* Adds a function that writes members of the JSON document after its envelope ("version", "numerics", "command",
 * "stopped"). A report without such functions writes its tables instead. Verdicts, notes and methods are always added.
 * Each `write` is called every time the report is rendered as JSON, in the order in which they were added, and never
 * for other formats. So `user`, and what it points to, must exist until the report is freed or settled, unless the
 * function that made the report says otherwise. */
void far__report_data_by(far_report *report, void (*write)(const void *user, far__json *json),
                         const void *user);

/* Two ways to let the report own what `user` of far__report_data_by points to: far__report_keep takes an object and
 * frees it with the report; far__report_copy returns a copy of `size` bytes, aligned for pointers and numbers, or NULL
 * without memory, which rendering then reports. */
void far__report_keep(far_report *report, void *object, void (*free_object)(void *object));
void *far__report_copy(far_report *report, const void *bytes, size_t size);

/* Calls the functions of far__report_data_by now and stores what they write, for a caller who frees their data before
 * the report is rendered. */
void far__report_settle(far_report *report);

/* ---- plain text, without a report ---- */

/* Writes text[0..length) as lines of at most `width` columns, broken between words; the last line ends in a line
 * break, too. `used` columns of the first line are taken already; further lines begin after `indent` spaces. A word
 * that is longer than a line gets its own line. Returns false if the sink did not take all of the text. */
bool far__text_wrap(far_sink sink, const char *text, size_t length, int used, int indent,
                    int width);

/* Copies text and replaces each character that is not ASCII by a similar text: "±" becomes "+/-", "ε" becomes "eps".
 * `out` has room for 5 bytes per byte of text and one more. Returns the length of the copy. */
size_t far__ascii(char *out, const char *text, size_t length);

/* Copies untrusted text so that it is safe to print on a terminal: control characters except line breaks, characters
 * that change the direction of writing, and bytes that are not UTF-8 become '?', a tab becomes a space. `out` has room
 * for the text and one byte more, and may be the text itself. Returns the length of the copy. */
size_t far__printable(char *out, const char *text, size_t length);

#endif
