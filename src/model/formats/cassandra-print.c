/* Writes a model in Cassandra's format, one T: and R: for each outcome; see cassandra.c. The format
 * has no terminal states: they loop to themselves, and a remark marks them. */
#include <math.h> /* only signbit */
#include <stdlib.h>
#include <string.h>

#include "model/formats/format.h"

static const double DEFAULT_DISCOUNT =
    0.95; /* as in the format's own examples, which requires one */

typedef const char *name_of(const far_mdp *mdp, uint32_t i);

typedef struct printer {
  far__text *out;
  const far_mdp *mdp;
  bool states, actions; /* are they listed by name? */
  double *total, *mean; /* by successor, of the current pair */
  bool *given;
} printer;

/* ---- names ---- */

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does pomdp-solve accept the text as a name? */
static bool is_plain(const char *name) {
  static const char *const reserved[] = {
      "discount", "values",   "states", "actions", "observations", "T",       "O",       "R",
      "uniform",  "identity", "reward", "cost",    "start",        "include", "exclude", "reset"};
  if (name == NULL || !is_letter(name[0])) return false;
  for (const char *p = name; *p != '\0'; ++p)
    if (!is_letter(*p) && !(*p >= '0' && *p <= '9') && *p != '-' && *p != '_') return false;
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i)
    if (strcmp(name, reserved[i]) == 0) return false;
  return true;
}

static int compare_names(const void *x, const void *y) {
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Can the states (or actions) be listed by name: are all names plain and different? */
static bool can_list(far__text *out, const far_mdp *mdp, name_of *name, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (!is_plain(name(mdp, i))) return false;
  const char **sorted = (const char **)malloc(((size_t)count + 1) * sizeof *sorted);
  if (sorted == NULL) {
    out->failed = true;
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) sorted[i] = name(mdp, i);
  qsort((void *)sorted, count, sizeof *sorted, compare_names);
  bool different = true;
  for (uint32_t i = 1; i < count; ++i) different &= strcmp(sorted[i - 1], sorted[i]) != 0;
  free((void *)sorted);
  return different;
}

static void print_list(printer *p, const char *key, const char *what, bool listed, name_of *name,
                       uint32_t count) {
  if (!listed) far__text_format(p->out, "%s: %lu\n", key, (unsigned long)count);
  for (uint32_t i = 0; i < count && !listed; ++i)
    if (name(p->mdp, i) != NULL) far__remark_name(p->out, "#@", what, i, name(p->mdp, i));
  if (!listed) return;
  far__text_format(p->out, "%s:", key);
  for (uint32_t i = 0; i < count; ++i) {
    far__text_add(p->out, " ", 1);
    far__text_add(p->out, name(p->mdp, i), strlen(name(p->mdp, i)));
  }
  far__text_add(p->out, "\n", 1);
}

static void print_state(printer *p, uint32_t s) {
  if (p->states)
    far__put(p->out, far_mdp_state_name(p->mdp, s));
  else
    far__text_count(p->out, s);
}

/* ---- the preamble ---- */

/* A file for pomdp-solve without observations has one start state or none given (then any state). */
static void print_start(printer *p) {
  size_t count;
  const far_outcome *starts = far_mdp_starts(p->mdp, &count);
  if (count > 1 || starts[0].probability != 1) {
    far__remark_starts(p->out, "#@", p->mdp);
    return;
  }
  far__text_format(p->out, "start: ");
  print_state(p, starts[0].next);
  far__text_add(p->out, "\n", 1);
}

static void print_preamble(printer *p, double discount) {
  const far_shape shape = far_mdp_shape(p->mdp);
  far__text_format(p->out, "# Written by farsight\n");
  far__remark_extras(p->out, "#@", p->mdp);
  far__text_format(p->out, "discount: ");
  far__text_real(p->out, discount > 0 ? discount : DEFAULT_DISCOUNT);
  far__text_format(p->out, "\nvalues: reward\n");
  print_list(p, "states", "state", p->states, far_mdp_state_name, shape.n_states);
  print_list(p, "actions", "action", p->actions, far_mdp_action_name, shape.n_actions);
  print_start(p);
  for (uint32_t s = 0; s < shape.n_states; ++s)
    if (far_mdp_terminal(p->mdp, s))
      far__text_format(p->out, "#@ terminal %lu\n", (unsigned long)s);
  far__text_format(p->out, "R: * : * : * 0\n"); /* some programs require at least one R: */
}

/* ---- pairs ---- */

/* "T: left : here : there 0.8" */
static void print_entry(printer *p, const char *key, uint32_t s, uint32_t a, uint32_t next,
                        double value) {
  far__put(p->out, key);
  if (p->actions)
    far__put(p->out, far_mdp_action_name(p->mdp, a));
  else
    far__text_count(p->out, a);
  far__put(p->out, " : ");
  print_state(p, s);
  far__put(p->out, " : ");
  print_state(p, next);
  far__put(p->out, " ");
  far__text_real(p->out, value);
  far__put(p->out, "\n");
}

/* Outcomes with the same successor are merged into one, of their total probability and mean reward. */
static void print_pair(printer *p, uint32_t s, uint32_t a) {
  size_t count;
  bool merged = false;
  const far_outcome *o = far_mdp_outcomes(p->mdp, s, a, &count);
  for (size_t k = 0; k < count; ++k) {
    const uint32_t next = o[k].next;
    merged |= p->given[next];
    p->mean[next] = p->given[next] ? p->mean[next] + o[k].probability * o[k].reward
                                   : o[k].probability * o[k].reward;
    p->total[next] += o[k].probability;
    p->given[next] = true;
  }
  if (merged) far__remark_outcomes(p->out, "#@", p->mdp, s, a);
  for (size_t k = 0; k < count; ++k) {
    const uint32_t next = o[k].next;
    if (!p->given[next]) continue;
    const double reward = merged ? p->mean[next] / p->total[next] : o[k].reward;
    print_entry(p, "T: ", s, a, next, p->total[next]);
    const bool zero = reward == 0 && !signbit(reward); /* -0 is written, to be read again */
    if (!zero) print_entry(p, "R: ", s, a, next, reward);
    p->given[next] = false;
    p->total[next] = 0;
  }
}

void far__print_cassandra(far__text *out, const far_mdp *mdp, double discount) {
  const far_shape shape = far_mdp_shape(mdp);
  printer p = {.out = out,
               .mdp = mdp,
               .total = calloc(shape.n_states, sizeof *p.total),
               .mean = calloc(shape.n_states, sizeof *p.mean),
               .given = calloc(shape.n_states, sizeof *p.given)};
  p.states = can_list(out, mdp, far_mdp_state_name, shape.n_states);
  p.actions = can_list(out, mdp, far_mdp_action_name, shape.n_actions);
  out->failed |= p.total == NULL || p.mean == NULL || p.given == NULL;
  if (!out->failed) print_preamble(&p, discount);
  for (uint32_t s = 0; s < shape.n_states && !out->failed; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      if (far_mdp_terminal(mdp, s))
        print_entry(&p, "T: ", s, a, s, 1);
      else
        print_pair(&p, s, a);
    }
  free(p.total);
  free(p.mean);
  free(p.given);
}
