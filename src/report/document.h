/* The data of a report, for the functions that build it and for the renderers. */
#ifndef FAR_REPORT_DOCUMENT_H
#define FAR_REPORT_DOCUMENT_H

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/text.h"
#include "farsight/report.h"
#include "report/build.h"

typedef enum far__block_kind {
  FAR__BLOCK_HEADING,
  FAR__BLOCK_PARAGRAPH,
  FAR__BLOCK_VERDICT, /* `name` is its term, or NULL */
  FAR__BLOCK_LIST,    /* the title of a list; its items are parts that follow */
  FAR__BLOCK_ITEM,
  FAR__BLOCK_ENTRY, /* `name` is its term */
  FAR__BLOCK_NOTE,
  FAR__BLOCK_METHODS,
  FAR__BLOCK_COMMAND,
  FAR__BLOCK_PICTURE,
  FAR__BLOCK_TABLE,
} far__block_kind;

typedef struct far__part {
  far__block_kind kind;
  int level;            /* of a heading; of a note its far__note_kind */
  int scope;            /* the environment: an index in `scopes` plus one; 0: all of them */
  const char *name;     /* of a picture; of an entry or verdict the term */
  const char *text;     /* of all but tables */
  const char *drawing;  /* of a picture: its lines; NULL if there are none */
  size_t view, n_views; /* of a picture: its views are views[view] ... of the report */
  size_t shown;         /* of a picture: which of its views is shown, unless a reader chooses */
  far_table *table;
} far__part;

/* An alternative of a figure. */
typedef struct far__view {
  far_figure *figure;
  const char *label;
} far__view;

typedef struct far__column {
  const char *key, *title; /* title NULL: hidden from people */
  far__column_kind kind;
} far__column;

/* A cell of a table. */
typedef struct far__entry {
  const char *shown;       /* to people */
  const char *label;       /* of texts and specs: the full text, also where `shown` is blank or
                            * shortened; of counts: all digits */
  const char *spec;        /* canonical */
  double value, low, high; /* NAN where there is none */
} far__entry;

typedef struct far__row {
  bool rule; /* a line is drawn before the row */
  int scope; /* the environment, as in far__part */
} far__row;

struct far_table {
  far_report *report;
  const char *caption; /* or NULL */
  const char *name;    /* NULL: the table is for people alone */
  far__column *columns;
  size_t n_columns, column_room;
  far__entry *entries; /* n_rows x n_columns */
  far__row *rows;
  size_t n_rows, entry_room, row_room;
  size_t at;       /* the next column of the last row */
  bool rule;       /* a line is drawn before the next row */
  far_table *next; /* in the list of all tables of the report */
};

/* An object that is freed with a report. */
typedef struct far__kept_object {
  void *object;
  void (*free_object)(void *object);
  struct far__kept_object *next;
} far__kept_object;

/* Writes members of the JSON document. */
typedef struct far__writer {
  void (*write)(const void *user, far__json *json);
  const void *user;
} far__writer;

struct far_report {
  const char *command;
  far__arena arena;
  far__part *parts;
  size_t n_parts, part_room;
  far__view *views;
  size_t n_views, view_room;
  const char **scopes; /* the labels of the environments */
  size_t n_scopes, scope_room;
  int scope;         /* the environment of what is added next */
  far_table *tables; /* the last one first */
  far_table spare;   /* takes what is added once memory has failed */
  far__writer *writers;
  size_t n_writers, writer_room;
  far_buffer data; /* what the writers wrote, if `settled` */
  bool settled;
  far__kept_object *kept; /* a list, which is in the arena */
  bool stopped, failed;
  bool misused; /* rows came before columns */
};

/* Is the column of numbers, which are aligned right? */
static inline bool far__is_right(far__column_kind kind) {
  return kind >= FAR__COLUMN_COUNT && kind <= FAR__COLUMN_RANGE;
}

/* Is the column of text, which may be wrapped? */
static inline bool far__is_text(far__column_kind kind) {
  return kind == FAR__COLUMN_TEXT || kind == FAR__COLUMN_COMMAND;
}

/* Is the part a table of this name (NULL: of any name)? Tables without a name are for people alone. */
bool far__is_table(const far__part *part, const char *name);

/* Is the part shown to people? All are but tables whose columns are all hidden. */
bool far__is_seen(const far__part *part);

/* far__ascii for drawings: one character for each, so that `out` needs no more room than the text. */
void far__ascii_drawing(char *out, const char *text, size_t length);

/* The renderers. Each writes all of the report; a lack of memory shows in out->failed. */
void far__render_text(far_buffer *out, const far_report *report, const far_render_def *def);
void far__render_markdown(far_buffer *out, const far_report *report);
void far__render_latex(far_buffer *out, const far_report *report);
void far__render_html(far_buffer *out, const far_report *report);
void far__render_json(far_buffer *out, const far_report *report);
void far__render_csv(far_buffer *out, const far_report *report, const char *name, bool kinds);

#endif
