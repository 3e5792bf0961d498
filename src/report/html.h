/* Parts of the HTML renderer. All text of a document is escaped, since names may be hostile. */
#ifndef FAR_REPORT_HTML_H
#define FAR_REPORT_HTML_H

#include "report/document.h"

/* The element that is open for consecutive blocks of a kind. */
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
  const far__part *title; /* NULL: the command is the title */
  far__section *sections; /* in the order of the document */
  size_t n_sections, section_room;
  far__html_group group;
  int group_scope;
  size_t section;                         /* index of the next section */
  int open;                               /* how many sections are open */
  int scopes[FAR__DEPTH];                 /* the environments of the open sections */
  const char *heading;                    /* the text of the last heading */
  size_t n_tables, n_figures, n_verdicts; /* so far, for identifiers */
} far__html;

/* ---- text ---- */

/* Escaped text for the content of an element. Control characters are shown as pictures of them, and bytes
 * that are not UTF-8 as U+FFFD; a character that changes the direction of writing is shown as its code point. */
void far__html_text(far_buffer *out, const char *text);
/* As far__html_text, but in <bdi> unless it is ASCII, so that a name cannot reorder the text around it. */
void far__html_name(far_buffer *out, const char *text);
/* Escaped text for an attribute in double quotes. */
void far__html_attribute(far_buffer *out, const char *text);
/* As far__html_text, but line breaks and tabs are kept. */
void far__html_lines(far_buffer *out, const char *text);

/* As far__html_lines, for commands and specs: lines may be broken after spaces, commas and colons; a short piece
 * between them is not broken at its hyphens. */
void far__html_words(far_buffer *out, const char *text);

/* Writes ` data-env="3"` for scope 3, the third environment; nothing for scope 0 (all environments). */
void far__html_scope(far_buffer *out, int scope);

/* ---- blocks ---- */

void far__html_table(far__html *h, const far__part *part);
void far__html_figure(far__html *h, const far__part *part);

/* ---- the sections ---- */

/* Finds the title and the sections; false without memory. */
bool far__html_outline(far__html *h);
void far__html_contents(const far__html *h);

/* ---- files that are embedded at build time, each ended by a zero ---- */

extern const char far__page_css[], far__page_js[];

#endif
