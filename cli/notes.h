/* What far_study has to say of a study that is no error, on standard error. */
#ifndef FARSIGHT_CLI_NOTES_H
#define FARSIGHT_CLI_NOTES_H

#include <farsight/lab.h>
#include <stdio.h>

enum { MOST_NOTES = 2 }; /* that are printed; warnings are all printed */

typedef struct notes {
  FILE *out; /* NULL: --quiet */
  char *text;
  size_t size, count;
  char subject[400]; /* "r-max on chain" */
  char joined[1000]; /* what is known of it so far, joined by "; " */
} notes;

void notes_begin(notes *n, bool quiet);
far_study_note_fn notes_take; /* `user` is a notes */

/* Prints them, or forgets them where the study was refused. */
void notes_end(notes *n, bool print);

#endif
