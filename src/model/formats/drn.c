/* DRN, the explicit format of the model checker Storm (Hensel et al. 2022), as its own parser and
 * exporter have it:
 *
 *   @type: MDP                          or DTMC (one action), POMDP (observations are skipped)
 *   @reward_models / @nr_states / @nr_choices      a line with the names or the number follows
 *   @model
 *   state 0 {observation} [reward, ...] label "another label" ...
 *     action NAME [reward, ...]
 *       1 : 0.5                         successor and probability, a number or a fraction
 *
 * Of several reward models the first counts; the reward of a step is that of the state it leaves plus
 * that of the choice. Choices with names are matched by name, others by position.
 */
#include "model/formats/format.h"

#include <math.h> /* only signbit */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/model.h"

enum { MANY_NAMES = 256 }; /* choices with more names than this are matched by position */

typedef struct piece {
  const char *text;
  size_t length;
} piece;

typedef struct choice_name {
  piece name;
  size_t line;
} choice_name;

typedef struct drn {
  far__input *in;
  far__draft draft;
  piece line;           /* the rest of the current line */
  const char *line_end; /* with the spaces after it */
  size_t at;            /* number of the line */
  size_t declared_states, declared_choices, states_line, choices_line;
  bool typed, chain; /* chain: a DTMC, whose choices are not choices */
  double state_reward, choice_reward;
  bool open;          /* a choice has begun in this state */
  choice_name *names; /* of every choice */
  size_t n_names, names_capacity;
  far__start *inits, *ends; /* labelled init, labelled terminal */
  size_t n_inits, inits_capacity, n_ends, ends_capacity;
} drn;

/* ---- lines and words ---- */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Drops the spaces at both ends. */
static piece trim(piece p) {
  while (p.length > 0 && is_space(p.text[0])) p = (piece){p.text + 1, p.length - 1};
  while (p.length > 0 && is_space(p.text[p.length - 1])) --p.length;
  return p;
}

static bool next_line(drn *d) {
  far__input *in = d->in;
  if (in->at == in->end) return false;
  const char *newline = memchr(in->at, '\n', (size_t)(in->end - in->at));
  d->line_end = newline != NULL ? newline : in->end;
  d->line = trim((piece){in->at, (size_t)(d->line_end - in->at)});
  d->at = in->line++;
  in->at = newline != NULL ? newline + 1 : in->end;
  return true;
}

static bool begins(piece p, const char *word) {
  const size_t n = strlen(word);
  return p.length >= n && memcmp(p.text, word, n) == 0;
}

static bool equals(piece p, const char *word) {
  return p.length == strlen(word) && begins(p, word);
}

static piece rest(piece p, size_t n) {
  return trim((piece){p.text + n, p.length - n});
}

/* Takes the first word of the line. */
static piece take_word(drn *d) {
  size_t n = 0;
  while (n < d->line.length && !is_space(d->line.text[n])) ++n;
  const piece word = {d->line.text, n};
  d->line = rest(d->line, n);
  return word;
}

/* Is the line empty or a comment? Reads our own remarks. */
static bool is_comment(drn *d, far_status *status) {
  *status = FAR_OK;
  if (d->line.length == 0) return true;
  if (!begins(d->line, "//")) return false;
  if (begins(d->line, "//@")) /* with trailing spaces: a name may end in one */
    *status = far__extras_remark(&d->draft.extras, d->in, d->line.text + 3,
                                 (size_t)(d->line_end - d->line.text) - 3, d->at);
  return true;
}

/* ---- numbers ---- */

/* A decimal number or a fraction of two. */
static bool parse_value(piece p, double *out) {
  const char *slash = memchr(p.text, '/', p.length);
  if (slash == NULL) return far__real_parse(p.text, p.length, out) && *out - *out == 0;
  const size_t n = (size_t)(slash - p.text);
  double above, below;
  if (!far__real_parse(p.text, n, &above) || !far__real_parse(slash + 1, p.length - n - 1, &below))
    return false;
  *out = above / below;
  return *out - *out == 0;
}

static far_status bad_value(drn *d, const char *what, piece p) {
  if (p.length > 0 && p.text[0] == '[')
    return far__input_fail(d->in, d->at, "intervals such as %s are not supported",
                           far__show(p.text, p.length).text);
  return far__input_fail(d->in, d->at, "expected %s, a number such as 0.25 or 1/4; found '%s'",
                         what, far__show(p.text, p.length).text);
}

static bool parse_count(piece p, size_t *out) {
  int64_t n;
  if (!far__integer_parse(p.text, p.length, &n) || n < 0) return false;
  *out = (size_t)n;
  return true;
}

/* ---- the header ---- */

static far_status read_type(drn *d, piece type) {
  d->typed = true;
  d->chain = equals(type, "DTMC");
  if (equals(type, "MDP") || equals(type, "DTMC") || equals(type, "POMDP")) return FAR_OK;
  return far__input_fail(d->in, d->at,
                         "a model of type %s is not supported; MDP, DTMC and POMDP are",
                         far__show(type.text, type.length).text);
}

static far_status read_value_type(drn *d, piece type) {
  if (equals(type, "double") || equals(type, "rational")) return FAR_OK;
  return far__input_fail(d->in, d->at,
                         "values of type %s are not supported; double and rational are",
                         far__show(type.text, type.length).text);
}

static far_status read_count(drn *d, const char *what, size_t *out, size_t *line) {
  if (!next_line(d) || !parse_count(d->line, out))
    return far__input_fail(d->in, d->at, "expected the number of %s in the line after @nr_%s", what,
                           what);
  *line = d->at;
  return FAR_OK;
}

/* Reads the line of names after @parameters or @reward_models, which some files leave out if it is empty. */
static far_status read_names(drn *d, bool parameters) {
  const far__input before = *d->in;
  if (!next_line(d)) return FAR_OK;
  if (begins(d->line, "@")) {
    *d->in = before;
  } else if (parameters && d->line.length > 0) {
    return far__input_fail(d->in, d->at, "parametric models are not supported: '%s' has no value",
                           far__show(d->line.text, d->line.length).text);
  }
  return FAR_OK;
}

static far_status read_section(drn *d) {
  const piece line = d->line;
  if (begins(line, "@type:")) return read_type(d, rest(line, 6));
  if (begins(line, "@value_type:")) return read_value_type(d, rest(line, 12));
  if (equals(line, "@parameters")) return read_names(d, true);
  if (equals(line, "@reward_models")) return read_names(d, false);
  if (equals(line, "@nr_states"))
    return read_count(d, "states", &d->declared_states, &d->states_line);
  if (equals(line, "@nr_choices"))
    return read_count(d, "choices", &d->declared_choices, &d->choices_line);
  if (equals(line, "@placeholders"))
    return far__input_fail(d->in, d->at, "parametric models (@placeholders) are not supported");
  return far__input_fail(
      d->in, d->at,
      "expected @type:, @value_type:, @parameters, @reward_models, @nr_states, @nr_choices or "
      "@model; found '%s'",
      far__show(line.text, line.length).text);
}

static far_status read_header(drn *d) {
  far_status status = FAR_OK;
  while (status == FAR_OK && next_line(d)) {
    if (is_comment(d, &status)) continue;
    if (equals(d->line, "@model")) {
      if (!d->typed) return far__input_fail(d->in, d->at, "@type: is missing, as in '@type: MDP'");
      return FAR_OK;
    }
    status = read_section(d);
  }
  if (status == FAR_OK)
    status = far__input_fail(d->in, d->in->line, "the file ends before '@model'");
  return status;
}

/* ---- the model ---- */

/* "[1, 0.5]": takes the first reward. */
static far_status take_rewards(drn *d, double *out) {
  const char *close = memchr(d->line.text, ']', d->line.length);
  if (close == NULL) return far__input_fail(d->in, d->at, "']' is missing after the rewards");
  const size_t n = (size_t)(close - d->line.text);
  const char *comma = memchr(d->line.text, ',', n);
  const size_t first = comma != NULL ? (size_t)(comma - d->line.text) : n;
  const piece value = trim((piece){d->line.text + 1, first - 1});
  if (!parse_value(value, out)) return bad_value(d, "a reward", value);
  d->line = rest(d->line, n + 1);
  return FAR_OK;
}

static far_status add_label(drn *d, piece label) {
  const far__start mark = {.state = d->draft.n_states - 1, .line = d->at};
  const bool init = equals(label, "init");
  if (!init && !equals(label, "terminal")) return FAR_OK;
  far__start **list = init ? &d->inits : &d->ends;
  size_t *count = init ? &d->n_inits : &d->n_ends;
  if (!far__grow((void **)list, *count, init ? &d->inits_capacity : &d->ends_capacity, sizeof mark))
    return far__input_memory(d->in);
  (*list)[(*count)++] = mark;
  return FAR_OK;
}

/* Takes a label: a word, or words in quotes. */
static far_status take_label(drn *d) {
  if (d->line.text[0] != '"') return add_label(d, take_word(d));
  const char *close = memchr(d->line.text + 1, '"', d->line.length - 1);
  if (close == NULL) return far__input_fail(d->in, d->at, "the label's closing '\"' is missing");
  const piece label = {d->line.text + 1, (size_t)(close - d->line.text) - 1};
  d->line = rest(d->line, label.length + 2);
  return add_label(d, label);
}

static far_status read_state(drn *d) {
  size_t id;
  d->line = rest(d->line, 5);
  const piece word = take_word(d);
  if (!parse_count(word, &id) || id != d->draft.n_states)
    return far__input_fail(d->in, d->at, "expected state %zu (they come in order); found '%s'",
                           d->draft.n_states, far__show(word.text, word.length).text);
  if (d->states_line > 0 && id >= d->declared_states)
    return far__input_fail(d->in, d->at, "state %zu is one more than the %zu of @nr_states", id,
                           d->declared_states);
  d->draft.n_states += 1;
  d->open = false;
  d->state_reward = 0;
  d->choice_reward = 0;
  far_status status = FAR_OK;
  while (d->line.length > 0 && status == FAR_OK) {
    if (d->line.text[0] == '[') {
      status = take_rewards(d, &d->state_reward);
    } else if (d->line.text[0] == '{') {
      const char *close = memchr(d->line.text, '}', d->line.length);
      if (close == NULL) return far__input_fail(d->in, d->at, "'}' is missing");
      d->line = rest(d->line, (size_t)(close - d->line.text) + 1);
    } else {
      status = take_label(d);
    }
  }
  return status;
}

static far_status open_choice(drn *d, piece name) {
  const size_t s = d->draft.n_states - 1;
  const far__choice *last =
      d->draft.n_choices > 0 ? &d->draft.choices[d->draft.n_choices - 1] : NULL;
  const size_t a = last != NULL && last->s == s ? last->a + 1 : 0;
  if (!far__grow((void **)&d->names, d->n_names, &d->names_capacity, sizeof *d->names))
    return far__input_memory(d->in);
  d->names[d->n_names++] = (choice_name){name, d->at};
  d->open = true;
  d->choice_reward = 0;
  return far__draft_choice(&d->draft, d->in, s, a, d->at);
}

static far_status read_choice(drn *d) {
  if (d->draft.n_states == 0)
    return far__input_fail(d->in, d->at, "an action before the first state");
  if (d->chain && d->open)
    return far__input_fail(d->in, d->at, "a second action in a state of a DTMC");
  d->line = rest(d->line, 6);
  const far_status status = open_choice(d, take_word(d));
  if (status != FAR_OK || d->line.length == 0) return status;
  if (d->line.text[0] == '[') return take_rewards(d, &d->choice_reward);
  return far__input_fail(d->in, d->at, "expected rewards in brackets; found '%s'",
                         far__show(d->line.text, d->line.length).text);
}

static far_status read_transition(drn *d) {
  const char *colon = memchr(d->line.text, ':', d->line.length);
  if (colon == NULL || d->draft.n_states == 0)
    return far__input_fail(d->in, d->at,
                           "expected 'state', 'action' or 'SUCCESSOR : P'; found '%s'",
                           far__show(d->line.text, d->line.length).text);
  const size_t n = (size_t)(colon - d->line.text);
  const piece target = trim((piece){d->line.text, n}), value = rest(d->line, n + 1);
  size_t next;
  far_outcome o = {0};
  if (!parse_count(target, &next) || next > UINT32_MAX)
    return far__input_fail(d->in, d->at, "expected the number of a state; found '%s'",
                           far__show(target.text, target.length).text);
  if (d->states_line > 0 && next >= d->declared_states)
    return far__input_fail(d->in, d->at, "state %zu is beyond the %zu of @nr_states", next,
                           d->declared_states);
  if (!parse_value(value, &o.probability)) return bad_value(d, "a probability", value);
  far_status status = d->open ? FAR_OK : open_choice(d, (piece){"0", 1});
  o.next = (uint32_t)next;
  o.reward = d->state_reward == 0 ? d->choice_reward : d->state_reward + d->choice_reward;
  if (status == FAR_OK) status = far__draft_outcome(&d->draft, d->in, o);
  return status;
}

static far_status read_model(drn *d) {
  far_status status = FAR_OK;
  while (status == FAR_OK && next_line(d)) {
    if (is_comment(d, &status)) continue;
    if (begins(d->line, "state ") || begins(d->line, "state\t"))
      status = read_state(d);
    else if (begins(d->line, "action ") || begins(d->line, "action\t"))
      status = read_choice(d);
    else
      status = read_transition(d);
  }
  if (status != FAR_OK) return status;
  if (d->states_line > 0 && d->draft.n_states != d->declared_states)
    return far__input_fail(d->in, d->states_line, "%zu states are declared, but %zu follow",
                           d->declared_states, d->draft.n_states);
  if (d->choices_line > 0 && d->draft.n_choices != d->declared_choices)
    return far__input_fail(d->in, d->choices_line, "%zu choices are declared, but %zu follow",
                           d->declared_choices, d->draft.n_choices);
  return FAR_OK;
}

/* ---- from choices to a model ---- */

static bool same(piece x, piece y) {
  return x.length == y.length && memcmp(x.text, y.text, x.length) == 0;
}

/* Finds a name among known[0..*count), or adds it; MANY_NAMES if there is no room. */
static size_t name_index(piece known[MANY_NAMES], size_t *count, piece name) {
  for (size_t i = 0; i < *count; ++i)
    if (same(known[i], name)) return i;
  if (*count == MANY_NAMES) return MANY_NAMES;
  known[*count] = name;
  return (*count)++;
}

/* Is this choice unnamed and the only one of its state? Then every action takes it. */
static bool needs_no_name(const drn *d, size_t i) {
  const far__choice *c = d->draft.choices;
  return equals(d->names[i].name, "__NOLABEL__") && (i == 0 || c[i - 1].s != c[i].s) &&
         (i + 1 == d->n_names || c[i + 1].s != c[i].s);
}

/* Collects the names of actions; false if they do not distinguish a state's choices, or are mere numbers. */
static bool match_names(drn *d, piece known[MANY_NAMES], size_t *count) {
  size_t first = 0; /* choice of the same state */
  size_t number;
  *count = 0;
  for (size_t i = 0; i < d->n_names; ++i) {
    const piece name = d->names[i].name;
    far__choice *c = d->draft.choices;
    if (c[i].s != c[first].s) first = i;
    if (needs_no_name(d, i)) continue;
    if (equals(name, "__NOLABEL__") || parse_count(name, &number)) return false;
    if (name_index(known, count, name) == MANY_NAMES) return false;
    for (size_t k = first; k < i; ++k)
      if (same(d->names[k].name, name)) return false;
  }
  return *count > 0;
}

static far_status name_actions(drn *d) {
  piece known[MANY_NAMES];
  size_t count;
  if (d->chain || !match_names(d, known, &count)) return FAR_OK;
  size_t n = count;
  for (size_t i = 0; i < d->n_names; ++i)
    d->draft.choices[i].a = needs_no_name(d, i) ? 0 : name_index(known, &n, d->names[i].name);
  far_status status = FAR_OK;
  for (size_t a = 0; a < count && status == FAR_OK; ++a)
    status = far__extras_name(&d->draft.extras, d->in, true, a, known[a].text, known[a].length,
                              d->names[0].line);
  return status;
}

/* Do all choices of state s only stay, without reward? A state labelled `terminal` is terminal only then. */
static bool only_stays(const far__draft *draft, size_t s, size_t *at) {
  while (*at < draft->n_choices && draft->choices[*at].s < s) ++*at;
  for (; *at < draft->n_choices && draft->choices[*at].s == s; ++*at)
    for (size_t k = 0; k < draft->choices[*at].count; ++k) {
      const far_outcome *o = &draft->outcomes[draft->choices[*at].first + k];
      if (o->next != s || o->reward != 0) return false;
    }
  return true;
}

static far_status mark_states(drn *d) {
  far_status status = FAR_OK;
  far__extras *x = &d->draft.extras;
  size_t at = 0;
  for (size_t i = 0; i < d->n_ends && status == FAR_OK; ++i)
    if (only_stays(&d->draft, d->ends[i].state, &at))
      status = far__extras_terminal(x, d->in, d->ends[i].state, d->ends[i].line);
  if (x->n_starts > 0) return status;
  for (size_t i = 0; i < d->n_inits && status == FAR_OK; ++i)
    status =
        far__extras_start(x, d->in, d->inits[i].state, 1.0 / (double)d->n_inits, d->inits[i].line);
  if (d->n_inits == 0 && status == FAR_OK) status = far__extras_start(x, d->in, 0, 1, 0);
  return status;
}

far_status far__read_drn(far_mdp **out, far__input *in) {
  drn d = {.in = in};
  far_status status = read_header(&d);
  if (status == FAR_OK) status = read_model(&d);
  const bool startless = d.draft.extras.n_starts == 0 && d.n_inits == 0;
  if (status == FAR_OK) status = mark_states(&d);
  if (status == FAR_OK) status = name_actions(&d);
  if (status == FAR_OK) status = far__draft_build(out, &d.draft, in);
  if (status == FAR_OK && startless && (*out)->shape.n_states > 1) (*out)->startless = FAR__NO_INIT;
  far__draft_free(&d.draft);
  free(d.names);
  free(d.inits);
  free(d.ends);
  return status;
}

/* ---- writing ---- */

/* Do the names read back: different words, and no numbers? */
static bool actions_have_names(const far_mdp *mdp) {
  const uint32_t n = far_mdp_shape(mdp).n_actions;
  if (n > MANY_NAMES) return false;
  for (uint32_t a = 0; a < n; ++a) {
    const char *name = far_mdp_action_name(mdp, a);
    size_t number;
    if (name == NULL || strcmp(name, "__NOLABEL__") == 0 || strpbrk(name, " \t") != NULL ||
        parse_count((piece){name, strlen(name)}, &number))
      return false;
    for (uint32_t b = 0; b < a; ++b)
      if (strcmp(name, far_mdp_action_name(mdp, b)) == 0) return false;
  }
  return true;
}

/* The expected reward of a pair; exactly that of its outcomes if it is the same for all. */
static double mean_reward(const far_outcome *o, size_t count, bool *equal) {
  double mean = 0;
  *equal = true;
  for (size_t k = 0; k < count; ++k) {
    mean += o[k].probability * o[k].reward;
    *equal &= o[k].reward == o[0].reward && !signbit(o[k].reward) == !signbit(o[0].reward);
  }
  return *equal ? o[0].reward : mean;
}

static void print_choice(far__text *out, const far_mdp *mdp, uint32_t s, uint32_t a, bool named) {
  size_t count;
  bool equal;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  const double reward = mean_reward(o, count, &equal);
  if (!equal) far__remark_outcomes(out, "//@", mdp, s, a);
  far__put(out, "\taction ");
  if (named)
    far__put(out, far_mdp_action_name(mdp, a));
  else
    far__text_count(out, a);
  far__put(out, " [");
  far__text_real(out, reward);
  far__put(out, "]\n");
  for (size_t k = 0; k < count; ++k) {
    far__put(out, "\t\t");
    far__text_count(out, o[k].next);
    far__put(out, " : ");
    far__text_real(out, o[k].probability);
    far__put(out, "\n");
  }
}

static void print_header(far__text *out, const far_mdp *mdp, double discount, bool named) {
  const far_shape shape = far_mdp_shape(mdp);
  uint64_t choices = 0;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    choices += far_mdp_terminal(mdp, s) ? 1 : shape.n_actions;
  far__text_format(out, "// Written by farsight\n");
  if (discount > 0) {
    far__text_format(out, "//@ discount ");
    far__text_real(out, discount);
    far__text_add(out, "\n", 1);
  }
  far__remark_extras(out, "//@", mdp);
  for (uint32_t s = 0; s < shape.n_states; ++s)
    if (far_mdp_state_name(mdp, s) != NULL)
      far__remark_name(out, "//@", "state", s, far_mdp_state_name(mdp, s));
  for (uint32_t a = 0; a < shape.n_actions && !named; ++a)
    if (far_mdp_action_name(mdp, a) != NULL)
      far__remark_name(out, "//@", "action", a, far_mdp_action_name(mdp, a));
  far__text_format(out,
                   "@type: MDP\n@value_type: double\n@parameters\n\n@reward_models\nreward\n"
                   "@nr_states\n%lu\n@nr_choices\n%llu\n@model\n",
                   (unsigned long)shape.n_states, (unsigned long long)choices);
}

/* Marks the start states; true if the label `init` describes them: each once, in order, equally likely. */
static bool mark_starts(const far_mdp *mdp, bool *is_start) {
  size_t count;
  bool plain = true;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  for (size_t k = 0; k < count; ++k) {
    is_start[starts[k].next] = true;
    plain = plain && (k == 0 || starts[k].next > starts[k - 1].next) &&
            starts[k].probability == 1.0 / (double)count;
  }
  return plain;
}

void far__print_drn(far__text *out, const far_mdp *mdp, double discount) {
  const far_shape shape = far_mdp_shape(mdp);
  const bool named = actions_have_names(mdp);
  bool *is_start = calloc(shape.n_states, sizeof *is_start);
  out->failed = is_start == NULL;
  if (out->failed) return;
  print_header(out, mdp, discount, named);
  if (!mark_starts(mdp, is_start)) far__remark_starts(out, "//@", mdp);
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    const bool end = far_mdp_terminal(mdp, s);
    far__put(out, "state ");
    far__text_count(out, s);
    far__put(out, is_start[s] ? " [0] init" : " [0]");
    far__put(out, end ? " terminal\n" : "\n");
    if (end) {
      far__text_format(out, "\taction ");
      const char *name = named ? far_mdp_action_name(mdp, 0) : "0";
      far__text_add(out, name, strlen(name));
      far__text_format(out, " [0]\n\t\t%lu : 1\n", (unsigned long)s);
    }
    for (uint32_t a = 0; a < shape.n_actions && !end; ++a) print_choice(out, mdp, s, a, named);
  }
  free(is_start);
}
