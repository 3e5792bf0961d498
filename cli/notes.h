/* What the library has to say of a study or an agent that is no error, on standard error. Warnings have a
 * line each; agents outside their guarantee share one, and so do those that
 * take no notice of a horizon, unless --verbose asks for the details. */
#ifndef FARSIGHT_CLI_NOTES_H
#define FARSIGHT_CLI_NOTES_H

#include <farsight/lab.h>

#include "cli.h"

enum { MOST_NOTES = 2, MOST_TYPES = 64 }; /* notes that are printed without --verbose */

typedef struct notes {
  bool verbose;
  FILE *out; /* NULL: --quiet */
  char *text;
  size_t size, count;
  bool outside[MOST_TYPES];  /* the guarantee: agents, as far_agent_type numbers them */
  bool planning[MOST_TYPES]; /* with a discount of their own */
  bool going_on[MOST_TYPES]; /* as they assume of episodes that are cut */
  char subject[400];         /* "r-max on chain" */
  char joined[1000];         /* what is known of it so far, joined by "; " */
} notes;

void notes_begin(notes *n, const arguments *args);
far_study_note_fn notes_take; /* `user` is a notes */

/* Prints them, or forgets them where the study was refused. */
void notes_end(notes *n, bool print);

#endif
