#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void notes_begin(notes *n, bool quiet) {
  *n = (notes){0};
  if (quiet) return;
  n->out = open_text(&n->text, &n->size);
}

/* A stream in memory does not keep that it had no room. */
static void add(notes *n, const char *kind, const char *subject, const char *message) {
  if (fprintf(n->out, "farsight: %s: %s: %s\n", kind, subject, message) < 0) out_of_memory();
}

/* Prints what was joined; one line for all notes on one thing. */
static void flush(notes *n) {
  if (n->joined[0] != '\0' && n->count++ < MOST_NOTES) add(n, "note", n->subject, n->joined);
  n->joined[0] = '\0';
}

void notes_take(void *user, const far_study_note *note) {
  notes *n = user;
  char subject[sizeof n->subject];
  if (n->out == NULL) return;
  if (note->agent == NULL)
    snprintf(subject, sizeof subject, "%s", note->env);
  else
    snprintf(subject, sizeof subject, "%s%s%s on %s", note->metric != NULL ? note->metric : "",
             note->metric != NULL ? " of " : "", note->agent, note->env);
  if (strcmp(subject, n->subject) != 0) flush(n);
  memcpy(n->subject, subject, sizeof subject);
  if (note->severe) {
    add(n, "warning", subject, note->message);
    return;
  }
  const size_t used = strlen(n->joined);
  snprintf(n->joined + used, sizeof n->joined - used, "%s%s", used ? "; " : "", note->message);
}

void notes_end(notes *n, bool print) {
  if (n->out == NULL) return;
  flush(n);
  close_text(n->out, &n->text);
  if (print) fputs(n->text, stderr);
  if (print && n->count > MOST_NOTES)
    fprintf(stderr, "farsight: note: %zu more such notes are not shown; -q hides all\n",
            n->count - MOST_NOTES);
  free(n->text);
}
