/* The dictionary P of Gymnasium's tabular environments (FrozenLake, Taxi, CliffWalking, ...) as JSON:
 * what json.dumps(env.unwrapped.P) prints,
 *
 *   {"0": {"0": [[0.8, 1, 0.0, false], [0.2, 0, 0.0, false]], "1": ...}, "1": ...}
 *
 * state, action, then [probability, next, reward, terminated]; arrays may stand for the objects. Or
 * an object around it, with P and any of: start, discount, horizon, reward_range,
 * state_names, action_names.
 *
 * Gymnasium marks the transition that ends an episode, we mark the state. A state that others enter
 * only by such transitions, and that is no start, is terminal, and its own rows, which nothing can
 * use, are dropped. A transition that ends in any other state leads to one additional state, "end".
 *
 * This reader is separate from that of base/json.h: that one keeps a document of at most 64 values
 * in memory, this one reads any number of transitions in one pass, with the line of every error. Both
 * take numbers and escapes from base/json-grammar.h.
 */
#include "model/formats/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json-grammar.h"
#include "base/json.h"
#include "base/number.h"
#include "base/spec.h"
#include "base/text.h"
#include "farsight/base.h"
#include "model/model.h"

enum { DEPTH = 64 };

typedef struct json {
  far__input *in;
  far__draft draft;
  far__text text;     /* the string read last */
  far__start *states; /* keys of P */
  size_t n_states_seen, states_capacity;
  size_t start_line; /* of the key that gives the start; 0 if there is none */
  size_t n_listed;   /* probabilities in it, if they are one for each state; else 0 */
  bool has_p;
} json;

/* ---- single values ---- */

static char peek(json *j) {
  far__input *in = j->in;
  while (in->at < in->end &&
         (*in->at == ' ' || *in->at == '\t' || *in->at == '\r' || *in->at == '\n'))
    in->line += *in->at++ == '\n';
  return in->at < in->end ? *in->at : '\0';
}

static far_status expected(json *j, const char *what) {
  const char c = peek(j);
  if (j->in->at == j->in->end)
    return far__input_fail(j->in, j->in->line, "expected %s; the text ends here", what);
  const char found[2] = {c, '\0'};
  return far__input_fail(j->in, j->in->line, "expected %s; found '%s'", what,
                         far__show(found, 1).text);
}

static bool accept(json *j, char c) {
  if (peek(j) != c || j->in->at == j->in->end) return false;
  ++j->in->at;
  return true;
}

static far_status read_number(json *j, const char *what, double *out) {
  peek(j);
  const size_t n = far__json_number(j->in->at, (size_t)(j->in->end - j->in->at));
  if (n == 0) return expected(j, what);
  if (!far__real_parse(j->in->at, n, out))
    return far__input_fail(j->in, j->in->line, "the number %s is too large or too long",
                           far__show(j->in->at, n).text);
  j->in->at += n;
  return FAR_OK;
}

static far_status read_index(json *j, const char *what, size_t *out) {
  double x = 0;
  const far_status status = read_number(j, what, &x);
  if (status != FAR_OK) return status;
  if (!(x >= 0 && x < 4294967296.0) || x != (double)(uint64_t)x)
    return far__input_fail(j->in, j->in->line, "expected %s, a whole number from 0; found %g", what,
                           x);
  *out = (size_t)x;
  return FAR_OK;
}

/* Reads a string into j->text. */
static far_status read_string(json *j, const char *what) {
  far__input *in = j->in;
  if (!accept(j, '"')) return expected(j, what);
  j->text.length = 0;
  far__text_add(&j->text, "", 0);
  while (in->at < in->end && *in->at != '"') {
    if ((unsigned char)*in->at < 32)
      return far__input_fail(in, in->line, "a control character in a string");
    if (*in->at != '\\') {
      far__text_add(&j->text, in->at++, 1);
      continue;
    }
    char bytes[4];
    size_t used;
    ++in->at;
    const size_t n = far__json_escape(bytes, in->at, (size_t)(in->end - in->at), &used);
    if (n == 0) return far__input_fail(in, in->line, "a bad escape in a string");
    far__text_add(&j->text, bytes, n);
    in->at += used;
  }
  if (in->at == in->end) return far__input_fail(in, in->line, "the string is not closed");
  ++in->at;
  return j->text.failed ? far__input_memory(in) : FAR_OK;
}

static bool accept_word(json *j, const char *word) {
  const size_t n = strlen(word);
  peek(j);
  if ((size_t)(j->in->end - j->in->at) < n || memcmp(j->in->at, word, n) != 0) return false;
  j->in->at += n;
  return true;
}

/* ---- lists: after the opening bracket; *more: does an element follow? ---- */

static far_status next_element(json *j, char close, bool first, bool *more) {
  *more = false;
  if (accept(j, close)) return FAR_OK;
  if (!first && !accept(j, ',')) return expected(j, close == '}' ? "',' or '}'" : "',' or ']'");
  *more = true;
  return FAR_OK;
}

static far_status read_key(json *j) {
  const far_status status = read_string(j, "a key in quotes");
  if (status != FAR_OK) return status;
  return accept(j, ':') ? FAR_OK : expected(j, "':'");
}

static far_status skip_value(json *j, int depth) {
  double number;
  const char c = peek(j);
  if (c == '"') return read_string(j, "a string");
  if (accept_word(j, "true") || accept_word(j, "false") || accept_word(j, "null")) return FAR_OK;
  if (c != '{' && c != '[') return read_number(j, "a value", &number);
  if (depth == DEPTH) return far__input_fail(j->in, j->in->line, "nested too deeply");
  ++j->in->at;
  bool more = false;
  far_status status = next_element(j, c == '{' ? '}' : ']', true, &more);
  while (status == FAR_OK && more) {
    if (c == '{') status = read_key(j);
    if (status == FAR_OK) status = skip_value(j, depth + 1);
    if (status == FAR_OK) status = next_element(j, c == '{' ? '}' : ']', false, &more);
  }
  return status;
}

/* ---- P ---- */

static far_status read_done(json *j, bool *done) {
  double number = 0;
  *done = accept_word(j, "true");
  if (*done || accept_word(j, "false")) return FAR_OK;
  const far_status status = read_number(j, "true or false", &number);
  *done = number != 0;
  if (status == FAR_OK && number != 0 && number != 1) return expected(j, "true or false");
  return status;
}

static far_status expect(json *j, char c, const char *what) {
  return accept(j, c) ? FAR_OK : expected(j, what);
}

/* [probability, next, reward, terminated] */
static far_status read_outcome(json *j) {
  far_outcome o = {0};
  size_t next = 0;
  far_status status = expect(j, '[', "a transition, [probability, next, reward, terminated]");
  if (status == FAR_OK) status = read_number(j, "a probability", &o.probability);
  if (status == FAR_OK) status = expect(j, ',', "','");
  if (status == FAR_OK) status = read_index(j, "the next state", &next);
  if (status == FAR_OK) status = expect(j, ',', "','");
  if (status == FAR_OK) status = read_number(j, "a reward", &o.reward);
  if (status == FAR_OK) status = expect(j, ',', "',' and whether the episode ends");
  if (status == FAR_OK) status = read_done(j, &o.done);
  if (status == FAR_OK) status = expect(j, ']', "']'");
  if (status != FAR_OK) return status;
  o.next = (uint32_t)next;
  return o.probability == 0 ? FAR_OK : far__draft_outcome(&j->draft, j->in, o);
}

static far_status read_choice(json *j, size_t s, size_t a) {
  peek(j);
  bool more = false;
  far_status status = far__draft_choice(&j->draft, j->in, s, a, j->in->line);
  if (status == FAR_OK) status = expect(j, '[', "the list of an action's transitions");
  if (status == FAR_OK) status = next_element(j, ']', true, &more);
  while (status == FAR_OK && more) {
    status = read_outcome(j);
    if (status == FAR_OK) status = next_element(j, ']', false, &more);
  }
  return status;
}

/* The elements of an object with the keys "0", "1", ... or of an array, each read by `element`. */
typedef far_status read_element(json *j, size_t outer, size_t index);

static far_status read_numbered(json *j, const char *what, size_t outer, read_element *element,
                                size_t *count, size_t *highest) {
  const bool object = accept(j, '{');
  bool more = false;
  *count = 0;
  *highest = 0;
  if (!object && !accept(j, '[')) return expected(j, what);
  far_status status = next_element(j, object ? '}' : ']', true, &more);
  while (status == FAR_OK && more) {
    int64_t index = (int64_t)*count;
    if (object) {
      status = read_key(j);
      if (status != FAR_OK) return status;
      if (!far__integer_parse(j->text.bytes, j->text.length, &index) || index < 0 ||
          index > UINT32_MAX)
        return far__input_fail(j->in, j->in->line, "expected a number as the key; found '%s'",
                               far__show(j->text.bytes, j->text.length).text);
    }
    *count += 1;
    if ((size_t)index > *highest) *highest = (size_t)index;
    status = element(j, outer, (size_t)index);
    if (status == FAR_OK) status = next_element(j, object ? '}' : ']', false, &more);
  }
  return status;
}

static far_status read_state(json *j, size_t outer, size_t s) {
  (void)outer;
  size_t count, highest;
  peek(j);
  const far__start state = {.state = s, .line = j->in->line};
  if (!far__grow((void **)&j->states, j->n_states_seen, &j->states_capacity, sizeof state))
    return far__input_memory(j->in);
  j->states[j->n_states_seen++] = state;
  const far_status status =
      read_numbered(j, "the actions of a state", s, read_choice, &count, &highest);
  if (status == FAR_OK && count > 0 && highest >= count)
    return far__input_fail(j->in, state.line,
                           "state %zu has %zu actions, so their keys are 0 ... %zu; found %zu", s,
                           count, count - 1, highest);
  return status;
}

static far_status read_p(json *j) {
  size_t highest;
  if (j->has_p) return far__input_fail(j->in, j->in->line, "P is given twice");
  j->has_p = true;
  return read_numbered(j, "the states of P", 0, read_state, &j->draft.n_states, &highest);
}

/* Fails unless every state occurs once. */
static far_status check_states(json *j) {
  const size_t n = j->draft.n_states;
  if (n == 0) return far__input_fail(j->in, j->in->line, "P has no state");
  bool *seen = calloc(n, sizeof *seen);
  if (seen == NULL) return far__input_memory(j->in);
  far_status status = FAR_OK;
  for (size_t i = 0; i < n && status == FAR_OK; ++i) {
    const far__start *state = &j->states[i];
    if (state->state >= n)
      status = far__input_fail(j->in, state->line,
                               "P has %zu states, so their keys are 0 ... %zu; found %zu", n, n - 1,
                               state->state);
    else if (seen[state->state])
      status = far__input_fail(j->in, state->line, "P has state %zu twice", state->state);
    else
      seen[state->state] = true;
  }
  free(seen);
  return status;
}

/* ---- around P ---- */

/* Reads the start: a state; the probabilities of all states; or pairs [probability, state]. */
static far_status read_start(json *j) {
  far__extras *x = &j->draft.extras;
  size_t state = 0;
  bool more = false;
  far_status status;
  if (j->start_line != 0)
    return far__input_fail(j->in, j->in->line, "the start is given twice; the first is in line %zu",
                           j->start_line);
  j->start_line = j->in->line;
  if (peek(j) != '[') {
    status = read_index(j, "a state or a list of probabilities", &state);
    return status != FAR_OK ? status : far__extras_start(x, j->in, state, 1, j->in->line);
  }
  ++j->in->at;
  status = next_element(j, ']', true, &more);
  for (size_t i = 0; status == FAR_OK && more; ++i) {
    double p = 0;
    const bool pair = accept(j, '[');
    state = i;
    j->n_listed += !pair;
    status = read_number(j, "a probability", &p);
    if (pair && status == FAR_OK) status = expect(j, ',', "','");
    if (pair && status == FAR_OK) status = read_index(j, "a state", &state);
    if (pair && status == FAR_OK) status = expect(j, ']', "']'");
    if (status == FAR_OK && p != 0) status = far__extras_start(x, j->in, state, p, j->in->line);
    if (status == FAR_OK) status = next_element(j, ']', false, &more);
  }
  return status;
}

static far_status read_names(json *j, bool action) {
  bool more = false;
  far_status status = expect(j, '[', "a list of names");
  if (status == FAR_OK) status = next_element(j, ']', true, &more);
  for (size_t i = 0; status == FAR_OK && more; ++i) {
    if (!accept_word(j, "null")) {
      status = read_string(j, "a name in quotes, or null");
      if (status == FAR_OK)
        status = far__extras_name(&j->draft.extras, j->in, action, i, j->text.bytes, j->text.length,
                                  j->in->line);
    }
    if (status == FAR_OK) status = next_element(j, ']', false, &more);
  }
  return status;
}

static far_status read_range(json *j) {
  far__extras *x = &j->draft.extras;
  x->ranged = true;
  far_status status = expect(j, '[', "[MIN, MAX]");
  if (status == FAR_OK) status = read_number(j, "the least reward", &x->min);
  if (status == FAR_OK) status = expect(j, ',', "','");
  if (status == FAR_OK) status = read_number(j, "the largest reward", &x->max);
  return status == FAR_OK ? expect(j, ']', "']'") : status;
}

static far_status read_discount(json *j) {
  const far_status status = read_number(j, "a number", &j->draft.extras.discount);
  if (status == FAR_OK && !(j->draft.extras.discount > 0 && j->draft.extras.discount <= 1))
    return far__input_fail(j->in, j->in->line, "the discount %s is outside (0, 1]",
                           far__shortest(j->draft.extras.discount).text);
  return status;
}

static far_status read_horizon(json *j) {
  const far_status status = read_number(j, "a number", &j->draft.extras.horizon);
  if (status == FAR_OK && !far__is_horizon(j->draft.extras.horizon))
    return far__input_fail(j->in, j->in->line, "the horizon %s is no whole number in 1 ... %d",
                           far__shortest(j->draft.extras.horizon).text, FAR_HORIZON_MAX);
  return status;
}

static far_status read_member(json *j) {
  static const char *const keys[] = {"P",
                                     "start",
                                     "initial_state_distrib",
                                     "discount",
                                     "reward_range",
                                     "state_names",
                                     "action_names",
                                     "horizon"};
  enum { N_KEYS = sizeof keys / sizeof *keys };
  size_t k = 0;
  while (k < N_KEYS && strcmp(j->text.bytes, keys[k]) != 0) ++k;
  const char *near = far__nearest(j->text.bytes, strlen(j->text.bytes), keys, N_KEYS);
  switch (k) {
  case 0: return read_p(j);
  case 1:
  case 2: return read_start(j);
  case 3: return read_discount(j);
  case 4: return read_range(j);
  case 5:
  case 6: return read_names(j, k == 6);
  case 7: return read_horizon(j);
  default: break;
  }
  if (near != NULL && strlen(near) > 1)
    return far__input_fail(j->in, j->in->line, "unknown key '%s'; did you mean '%s'?",
                           far__show(j->text.bytes, j->text.length).text, near);
  return skip_value(j, 0);
}

/* A list of probabilities without states must have one for each state. */
static far_status check_start(const json *j) {
  if (j->n_listed == 0 || j->n_listed == j->draft.n_states) return FAR_OK;
  return far__input_fail(j->in, j->start_line,
                         "the start has %zu probabilities for %zu states; give one for each, a "
                         "state, or pairs [probability, state]",
                         j->n_listed, j->draft.n_states);
}

/* Is this object P itself: is its first key a number? */
static bool is_bare(json *j) {
  const far__input before = *j->in;
  int64_t index;
  ++j->in->at;
  const bool bare =
      read_string(j, "") != FAR_OK || far__integer_parse(j->text.bytes, j->text.length, &index);
  *j->in = before;
  return bare;
}

static far_status read_whole(json *j) {
  const char c = peek(j);
  if (c == '[' || (c == '{' && is_bare(j))) return read_p(j);
  bool more = false;
  far_status status = expect(j, '{', "'{'");
  if (status == FAR_OK) status = next_element(j, '}', true, &more);
  while (status == FAR_OK && more) {
    status = read_key(j);
    if (status == FAR_OK) status = read_member(j);
    if (status == FAR_OK) status = next_element(j, '}', false, &more);
  }
  if (status == FAR_OK && !j->has_p)
    return far__input_fail(j->in, j->in->line, "the key \"P\" is missing");
  return status;
}

/* ---- where episodes end ---- */

typedef struct entry { /* how a state is entered */
  bool start, plainly,
      by_end; /* as a start; by transitions of other states that do not, or do, end an episode */
  bool moves; /* some transition of its own does not end here without reward */
  bool has_choices;
} entry;

static far_status find_entries(json *j, entry *entries) {
  const far__draft *d = &j->draft;
  for (size_t i = 0; i < d->extras.n_starts; ++i)
    if (d->extras.starts[i].state < d->n_states) entries[d->extras.starts[i].state].start = true;
  for (size_t i = 0; i < d->n_choices; ++i) {
    const far__choice *c = &d->choices[i];
    entries[c->s].has_choices = true;
    for (size_t k = 0; k < c->count; ++k) {
      const far_outcome *o = &d->outcomes[c->first + k];
      if (o->next >= d->n_states)
        return far__input_fail(j->in, c->line, "state %lu is outside 0 ... %zu",
                               (unsigned long)o->next, d->n_states - 1);
      if (o->next != c->s) *(o->done ? &entries[o->next].by_end : &entries[o->next].plainly) = true;
      entries[c->s].moves |= o->next != c->s || !o->done || o->reward != 0;
    }
  }
  return FAR_OK;
}

static bool is_terminal(const entry *e) {
  if (e->start) return false;
  return !e->has_choices || (!e->plainly && (e->by_end || !e->moves));
}

/* Drops the choices of terminal states, and redirects other ends to the additional state. */
static bool redirect(far__draft *d, const entry *entries) {
  bool used = false;
  size_t kept = 0;
  for (size_t i = 0; i < d->n_choices; ++i) {
    const far__choice c = d->choices[i];
    if (is_terminal(&entries[c.s])) continue;
    d->choices[kept++] = c;
    for (size_t k = 0; k < c.count; ++k) {
      far_outcome *o = &d->outcomes[c.first + k];
      if (!o->done || is_terminal(&entries[o->next])) continue;
      o->next = (uint32_t)d->n_states;
      used = true;
    }
  }
  d->n_choices = kept;
  return used;
}

static far_status find_ends(json *j) {
  far__draft *d = &j->draft;
  entry *entries = calloc(d->n_states, sizeof *entries);
  if (entries == NULL) return far__input_memory(j->in);
  far_status status = find_entries(j, entries);
  for (size_t i = 0; i < d->n_choices; ++i) /* before `redirect` drops choices */
    if (d->choices[i].a >= d->n_actions) d->n_actions = d->choices[i].a + 1;
  if (status == FAR_OK && redirect(d, entries)) {
    status = far__extras_name(&d->extras, j->in, false, d->n_states, "end", 3, 0);
    d->n_states += 1;
  }
  free(entries);
  return status;
}

far_status far__read_json(far_mdp **out, far__input *in) {
  json j = {.in = in};
  far_status status = read_whole(&j);
  peek(&j);
  if (status == FAR_OK && in->at != in->end)
    status = far__input_fail(in, in->line, "something follows the JSON value");
  if (status == FAR_OK) status = check_states(&j);
  if (status == FAR_OK) status = check_start(&j);
  const bool startless = j.draft.extras.n_starts == 0, several = j.draft.n_states > 1;
  if (status == FAR_OK && startless) status = far__extras_start(&j.draft.extras, in, 0, 1, 0);
  if (status == FAR_OK) status = find_ends(&j);
  if (status == FAR_OK) status = far__draft_build(out, &j.draft, in);
  if (status == FAR_OK && startless && several) (*out)->startless = FAR__NO_START;
  far__draft_free(&j.draft);
  free(j.text.bytes);
  free(j.states);
  return status;
}

/* ---- writing ---- */

typedef const char *name_of(const far_mdp *mdp, uint32_t i);

static void print_names(far__text *out, const char *key, const far_mdp *mdp, name_of *name,
                        uint32_t count) {
  uint32_t i = 0;
  while (i < count && name(mdp, i) == NULL) ++i;
  if (i == count) return;
  far__text_format(out, " \"%s\": [", key);
  for (i = 0; i < count; ++i) {
    if (i > 0) far__text_add(out, ", ", 2);
    far__json j;
    far__json_begin(&j, far_sink_buffer(out));
    far__json_text(&j, NULL, name(mdp, i));
  }
  far__text_format(out, "],\n");
}

static void print_start(far__text *out, const far_mdp *mdp) {
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  far__text_format(out, " \"start\": [");
  for (size_t k = 0; k < count; ++k) {
    far__text_format(out, "%s[", k > 0 ? ", " : "");
    far__text_real(out, starts[k].probability);
    far__text_format(out, ", %lu]", (unsigned long)starts[k].next);
  }
  far__text_format(out, "],\n");
}

static void print_pair(far__text *out, const far_mdp *mdp, uint32_t s, uint32_t a) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  far__put(out, a > 0 ? ", \"" : "\"");
  far__text_count(out, a);
  far__put(out, "\": [");
  if (far_mdp_terminal(mdp, s)) far__text_format(out, "[1, %lu, 0, true]", (unsigned long)s);
  for (size_t k = 0; k < count; ++k) {
    far__put(out, k > 0 ? ", [" : "[");
    far__text_real(out, o[k].probability);
    far__put(out, ", ");
    far__text_count(out, o[k].next);
    far__put(out, ", ");
    far__text_real(out, o[k].reward);
    far__put(out, o[k].done ? ", true]" : ", false]");
  }
  far__text_add(out, "]", 1);
}

void far__print_json(far__text *out, const far_mdp *mdp, double discount) {
  const far_shape shape = far_mdp_shape(mdp);
  far__text_format(out, "{");
  if (discount > 0) {
    far__text_format(out, "\"discount\": ");
    far__text_real(out, discount);
    far__text_format(out, ",\n ");
  }
  if (shape.horizon > 0) far__text_format(out, "\"horizon\": %lld,\n ", (long long)shape.horizon);
  far__text_format(out, "\"reward_range\": [");
  far__text_real(out, shape.reward_min);
  far__text_format(out, ", ");
  far__text_real(out, shape.reward_max);
  far__text_format(out, "],\n");
  print_names(out, "state_names", mdp, far_mdp_state_name, shape.n_states);
  print_names(out, "action_names", mdp, far_mdp_action_name, shape.n_actions);
  print_start(out, mdp);
  far__text_format(out, " \"P\": {");
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    far__put(out, s > 0 ? ",\n  \"" : "\n  \"");
    far__text_count(out, s);
    far__put(out, "\": {");
    for (uint32_t a = 0; a < shape.n_actions; ++a) print_pair(out, mdp, s, a);
    far__text_add(out, "}", 1);
  }
  far__text_format(out, "}}\n");
}
