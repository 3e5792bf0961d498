/* Parts of the renderer of HTML. All text of a document is escaped on the way: names are hostile. */
#ifndef FAR_REPORT_HTML_H
#define FAR_REPORT_HTML_H

#include "report/document.h"

/* What is open while the blocks are written one by one. */
typedef enum far__html_group {
  FAR__GROUP_NONE,
  FAR__GROUP_ITEMS,
  FAR__GROUP_ENTRIES,
  FAR__GROUP_VERDICT,
  FAR__GROUP_TERMS, /* of a verdict */
  FAR__GROUP_METHODS,
} far__html_group;

enum { FAR__ID_SIZE = 64, FAR__DEPTH = 3 };

/* A section. */
typedef struct far__section {
  const far__part *heading;
  int depth; /* 1: within the page, 2: within a section, ... */
  char id[FAR__ID_SIZE];
} far__section;

typedef struct far__html {
  far_buffer *out;
  const far_report *report;
  const far__part *title; /* NULL: the command is */
  far__section *sections; /* in the order of reading */
  size_t n_sections, section_room;
  far__html_group group;
  int group_scope;
  size_t section;                         /* the next one */
  int open;                               /* how many sections are */
  int scopes[FAR__DEPTH];                 /* of the open ones */
  const char *heading;                    /* the last one */
  size_t n_tables, n_figures, n_verdicts; /* so far, for identifiers */
} far__html;

/* ---- text ---- */

/* Escaped text for the content of an element. Control characters are shown as pictures of them, and what
 * is no UTF-8 as U+FFFD; a character that changes the direction of what follows is named. */
void far__html_text(far_buffer *out, const char *text);
/* The same within <bdi> where it is not plain, so that names leave the order of what is around them. */
void far__html_name(far_buffer *out, const char *text);
/* For an attribute in double quotes. */
void far__html_attribute(far_buffer *out, const char *text);
/* Line breaks stay. */
void far__html_lines(far_buffer *out, const char *text);

/* The same for commands and specs: lines end after spaces, commas and colons, not after hyphens. */
void far__html_words(far_buffer *out, const char *text);

/* ` data-env="3"` of what belongs to one environment. */
void far__html_scope(far_buffer *out, int scope);

/* ---- blocks ---- */

void far__html_table(far__html *h, const far__part *part);
void far__html_figure(far__html *h, const far__part *part);

/* ---- the sections ---- */

/* Finds title and sections; false without memory. */
bool far__html_outline(far__html *h);
void far__html_contents(const far__html *h);

/* ---- what is embedded at build time, each ended by a zero ---- */

extern const char far__page_css[], far__page_js[];

#endif
