#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void notes_begin(notes *n, const arguments *args) {
  *n = (notes){.verbose = args_flag(args, "verbose")};
  if (!is_quiet()) n->out = open_text(&n->text, &n->size);
}

/* fprintf fails where the stream in memory has no room, and the stream does not remember that. */
static void add(notes *n, const char *kind, const char *subject, const char *message) {
  if (fprintf(n->out, "farsight: %s: %s: %s\n", kind, subject, message) < 0) out_of_memory();
}

/* Prints what was joined; one line for all notes on one thing. */
static void flush(notes *n) {
  if (n->joined[0] != '\0' && (n->count++ < MOST_NOTES || n->verbose))
    add(n, "note", n->subject, n->joined);
  n->joined[0] = '\0';
}

/* The number of an algorithm; -1 if there are too many. */
static int number_of(const far_type_info *type) {
  for (int i = 0; i < MOST_TYPES && far_agent_type((size_t)i) != NULL; ++i)
    if (far_agent_type((size_t)i) == type) return i;
  return -1;
}

/* The number of an algorithm with a guarantee; -1 without one. */
static int guaranteed(const far_type_info *type) {
  if (type->guarantee == NULL || strncmp(type->guarantee, "none", 4) == 0) return -1;
  return number_of(type);
}

static bool is_summed_up(notes *n, const far_study_note *note) {
  if (n->verbose || note->severe || note->agent == NULL || note->metric != NULL) return false;
  const far_type_info *type = far_spec_type(far_agent_type, note->agent);
  if (type == NULL) return false;
  const bool horizon = strcmp(note->message, FAR_WARNING_HORIZON) == 0;
  const bool planning =
      strncmp(note->message, FAR_WARNING_PLANNING, strlen(FAR_WARNING_PLANNING)) == 0;
  const int number = horizon || planning ? number_of(type) : guaranteed(type);
  bool *marked = horizon ? n->going_on : planning ? n->planning : n->outside;
  if (number >= 0) marked[number] = true;
  return number >= 0;
}

static void print_early(const char *subject, const char *message) {
  progress_end();
  note("%s: %s", subject, message);
}

void notes_take(void *user, const far_study_note *note) {
  notes *n = user;
  char subject[sizeof n->subject];
  if (n->out == NULL || is_summed_up(n, note)) return;
  const char *agent = note->agent != NULL ? note->agent : "";
  const char *env = note->env != NULL ? note->env : "";
  snprintf(subject, sizeof subject, "%s%s%s%s%s", note->metric != NULL ? note->metric : "",
           note->metric != NULL ? " of " : "", agent, agent[0] && env[0] ? " on " : "", env);
  if (note->early) {
    print_early(subject, note->message);
    return;
  }
  if (strcmp(subject, n->subject) != 0) flush(n);
  memcpy(n->subject, subject, sizeof subject);
  if (note->severe) {
    add(n, "warning", subject, note->message);
    return;
  }
  const size_t used = strlen(n->joined);
  snprintf(n->joined + used, sizeof n->joined - used, "%s%s", used ? "; " : "", note->message);
}

/* The names of the agents that are marked, joined; false if there are none. */
static bool list_names(char out[1000], const bool marked[MOST_TYPES]) {
  size_t used = 0;
  for (size_t i = 0; i < MOST_TYPES; ++i)
    if (marked[i] && used < 1000)
      used += (size_t)snprintf(out + used, 1000 - used, "%s%s", used ? ", " : "",
                               far_agent_type(i)->name);
  return used > 0;
}

void notes_end(notes *n, bool print) {
  if (n->out == NULL) return;
  flush(n);
  close_text(n->out, &n->text);
  if (print) {
    progress_end();
    say(stderr, "%s", n->text);
    /* one line for all agents of each kind */
    char names[1000];
    if (list_names(names, n->going_on))
      note(
          "agents that ignore the horizon (%s): they learn as if episodes continued where they are "
          "cut; -q hides this",
          names);
    if (list_names(names, n->planning))
      note("agents that plan with another discount than the problem's (%s): the problem's "
           "criterion judges them; -v gives details, -q hides this",
           names);
    if (list_names(names, n->outside))
      note("parameters outside the guarantee (%s); 'farsight pac' shows what theory requires; -v "
           "gives details, -q hides this",
           names);
  }
  if (print && n->count > MOST_NOTES && !n->verbose)
    note("%zu more such notes are not shown; -v shows them, -q hides all", n->count - MOST_NOTES);
  free(n->text);
}

/* ---- of one agent ---- */

typedef struct checked {
  notes notes;
  const char *agent, *env;
} checked;

static void take_warning(void *user, bool severe, const char *message) {
  checked *c = user;
  notes_take(
      &c->notes,
      &(far_study_note){.severe = severe, .env = c->env, .agent = c->agent, .message = message});
}

void print_warnings(const arguments *args, const char *agent, const char *env,
                    const far_shape *shape) {
  checked c = {.agent = agent, .env = env};
  notes_begin(&c.notes, args);
  need_memory(far_agent_check(agent, shape, take_warning, &c, NULL));
  notes_end(&c.notes, true);
}
