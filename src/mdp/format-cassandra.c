/* The format of A. Cassandra's pomdp-solve (pomdp.org, "POMDP file format"), its MDP part:
 *
 *   discount: 0.95    values: reward|cost    states: N or names    actions: N or names
 *   observations: N or names                  (in POMDPs)
 *   start: uniform | states | probabilities;   start include: states;   start exclude: states
 *   T: a : s : s' P    T: a : s  row|uniform|reset    T: a  matrix|uniform|identity
 *   O: likewise over observations             (in POMDPs)
 *   R: a : s : s' : o V    R: a : s : s'  a number an observation    R: a : s  a row a successor
 *
 * with names or numbers, the wildcard '*', comments from '#' on, and later entries overriding
 * earlier ones. Without observations R: a : s : s' is one number, R: a : s a row and R: a a matrix.
 * A reward that depends on the observation becomes its expectation under O.
 */
#include <math.h> /* only fabs */
#include <stdlib.h>
#include <string.h>

#include "farsight/number.h"
#include "farsight/param.h"
#include "mdp/cassandra-rules.h"

typedef struct piece {
  const char *text;
  size_t length, line;
} piece; /* of length 0 at the end of the text */

/* States, actions or observations: how many, and their names if they have any. */
typedef struct symbols {
  const char *what;
  size_t count, line; /* line 0 until they are declared */
  piece *names;       /* count, or NULL */
  size_t *slots;      /* hash table of names: index plus 1 */
  size_t n_slots, capacity;
} symbols;

enum { AHEAD = 3 };

typedef struct cassandra {
  far__input *in;
  far__extras extras;
  far__extras given; /* only its starts: those of `start`, which a remark overrides */
  piece ahead[AHEAD];
  size_t n_ahead;
  far_status broken; /* a remark that could not be read */
  symbols states, actions, observations;
  bool cost, started; /* whether `start` was given */
  far__table t, o;
  far__rewards rewards;
  far__row row, observed;
  double *reward; /* by observation, of those in `seen` */
  uint32_t *seen;
  uint32_t stamp;
} cassandra;

/* ---- words ---- */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_comment(cassandra *c) {
  far__input *in = c->in;
  const char *end = memchr(in->at, '\n', (size_t)(in->end - in->at));
  if (end == NULL) end = in->end;
  if (end - in->at >= 2 && in->at[1] == '@' && c->broken == FAR_OK)
    c->broken =
        far__extras_remark(&c->extras, in, in->at + 2, (size_t)(end - in->at - 2), in->line);
  in->at = end;
}

static piece scan_word(cassandra *c) {
  far__input *in = c->in;
  while (in->at < in->end && (is_space(*in->at) || *in->at == '#')) {
    if (*in->at == '#')
      skip_comment(c);
    else
      in->line += *in->at++ == '\n';
  }
  piece word = {in->at, 0, in->line};
  if (in->at < in->end && *in->at == ':') {
    word.length = 1;
  } else {
    while (in->at + word.length < in->end && !is_space(in->at[word.length]) &&
           in->at[word.length] != ':' && in->at[word.length] != '#')
      ++word.length;
  }
  in->at += word.length;
  return word;
}

static piece peek(cassandra *c, size_t k) {
  while (c->n_ahead <= k) c->ahead[c->n_ahead++] = scan_word(c);
  return c->ahead[k];
}

static piece take(cassandra *c) {
  const piece word = peek(c, 0);
  memmove(c->ahead, c->ahead + 1, (AHEAD - 1) * sizeof *c->ahead);
  --c->n_ahead;
  return word;
}

static bool is(piece word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool accept(cassandra *c, const char *text) {
  const bool good = is(peek(c, 0), text);
  if (good) take(c);
  return good;
}

/* Does the next entry ("KEY :" or "start include :") begin here, or the text end? */
static bool at_entry(cassandra *c) {
  const piece word = peek(c, 0);
  if (word.length == 0) return true;
  if (is(peek(c, 1), ":")) return !is(word, ":");
  const bool start = is(word, "start");
  return start && (is(peek(c, 1), "include") || is(peek(c, 1), "exclude")) && is(peek(c, 2), ":");
}

static far_status expected(cassandra *c, const char *what, piece found) {
  if (found.length == 0)
    return far__input_fail(c->in, found.line, "expected %s; the text ends here", what);
  return far__input_fail(c->in, found.line, "expected %s; found '%s'", what,
                         far__show(found.text, found.length).text);
}

/* ---- symbols ---- */

static void free_symbols(symbols *s) {
  free(s->names);
  free(s->slots);
}

/* FNV-1a */
static size_t hash_text(const char *text, size_t length) {
  uint64_t x = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; ++i) x = (x ^ (unsigned char)text[i]) * 0x100000001b3u;
  return (size_t)(x ^ x >> 32);
}

/* The slot of a name: its own, or the empty one where it belongs. */
static size_t name_slot(const symbols *s, const char *text, size_t length) {
  size_t i = hash_text(text, length) & (s->n_slots - 1);
  for (; s->slots[i] != 0; i = (i + 1) & (s->n_slots - 1)) {
    const piece *name = &s->names[s->slots[i] - 1];
    if (name->length == length && memcmp(name->text, text, length) == 0) break;
  }
  return i;
}

/* Enters names[0..count) into the table; the index of the first that is there twice, or count. */
static size_t enter_names(symbols *s, bool *memory) {
  s->n_slots = 16;
  while (s->n_slots < 2 * s->count) s->n_slots *= 2;
  s->slots = calloc(s->n_slots, sizeof *s->slots);
  *memory = s->slots != NULL;
  for (size_t i = 0; *memory && i < s->count; ++i) {
    const size_t slot = name_slot(s, s->names[i].text, s->names[i].length);
    if (s->slots[slot] != 0) return i;
    s->slots[slot] = i + 1;
  }
  return s->count;
}

static bool parse_index(piece word, size_t *out) {
  int64_t n;
  for (size_t i = 0; i < word.length; ++i)
    if (word.text[i] < '0' || word.text[i] > '9') return false;
  if (word.length == 0 || !far_integer_parse(word.text, word.length, &n)) return false;
  *out = (size_t)n;
  return true;
}

/* The names after the first, which is there already. */
static far_status read_list(cassandra *c, symbols *s) {
  size_t number;
  bool numbers = parse_index(s->names[0], &number);
  while (!at_entry(c)) {
    const piece name = take(c);
    if (is(name, "*") || is(name, ":")) return expected(c, "a name", name);
    const bool index = parse_index(name, &number);
    if (index && number != s->count)
      return far__input_fail(c->in, name.line,
                             "a number is no name for one of the %s, except its own: %zu", s->what,
                             s->count);
    numbers = numbers && index;
    if (!far__grow((void **)&s->names, s->count, &s->capacity, sizeof name))
      return far__input_memory(c->in);
    s->names[s->count++] = name;
  }
  if (numbers) { /* 0 1 2 ... */
    free(s->names);
    s->names = NULL;
    return FAR_OK;
  }
  bool memory;
  const size_t twice = enter_names(s, &memory);
  if (!memory) return far__input_memory(c->in);
  if (twice == s->count) return FAR_OK;
  const piece *name = &s->names[twice];
  return far__input_fail(c->in, name->line, "'%s' is twice among the %s",
                         far__show(name->text, name->length).text, s->what);
}

/* "N" or a list of names */
static far_status read_symbols(cassandra *c, symbols *s, size_t line) {
  if (s->line > 0)
    return far__input_fail(c->in, line, "the %s are declared twice, first in line %zu", s->what,
                           s->line);
  s->line = line;
  if (at_entry(c)) return expected(c, "a number or a list of names", peek(c, 0));
  const piece first = take(c);
  const bool alone = at_entry(c);
  size_t number;
  if (!alone || !parse_index(first, &number)) {
    if (is(first, "*") || is(first, ":")) return expected(c, "a name", first);
    if (parse_index(first, &number) && number != 0)
      return far__input_fail(c->in, first.line, "expected a number or a list of names, not both");
    if (!far__grow((void **)&s->names, 0, &s->capacity, sizeof first))
      return far__input_memory(c->in);
    s->names[s->count++] = first;
    return read_list(c, s);
  }
  if (number == 0 || number > c->in->most)
    return far__input_fail(c->in, first.line, "the number of %s must be from 1 to %zu", s->what,
                           c->in->most);
  s->count = number;
  return FAR_OK;
}

/* "unknown state 'lfet'; did you mean 'left'?" */
static far_status unknown_symbol(cassandra *c, const symbols *s, piece word) {
  char singular[24];
  const size_t n = strlen(s->what) - 1;
  memcpy(singular, s->what, n);
  singular[n] = '\0';
  char nearest[FAR__NAME_MAX + 1] = "";
  const size_t most = s->names != NULL ? s->count : 0;
  for (size_t i = 0; i < most; ++i) { /* a nearer one must be nearer than the nearest so far */
    char name[64];
    if (s->names[i].length >= sizeof name) continue;
    memcpy(name, s->names[i].text, s->names[i].length);
    name[s->names[i].length] = '\0';
    const char *const two[] = {nearest[0] != '\0' ? nearest : name, name};
    if (far_nearest(word.text, word.length, two, 2) == name) memcpy(nearest, name, sizeof name);
  }
  const far__shown shown = far__show(word.text, word.length);
  if (nearest[0] != '\0')
    return far__input_fail(c->in, word.line, "unknown %s '%s'; did you mean '%s'?", singular,
                           shown.text, nearest);
  return far__input_fail(c->in, word.line, "unknown %s '%s'; there are %zu, from 0 to %zu",
                         singular, shown.text, s->count, s->count - 1);
}

/* A name, a number or '*'. */
static far_status read_symbol(cassandra *c, const symbols *s, bool wild, uint32_t *out) {
  const piece word = take(c);
  size_t index = 0;
  if (wild && is(word, "*")) {
    *out = FAR__ANY;
    return FAR_OK;
  }
  if (word.length == 0 || is(word, ":") || is(word, "*"))
    return expected(c, wild ? "a name, a number or '*'" : "a name or a number", word);
  const size_t slot = s->names != NULL ? s->slots[name_slot(s, word.text, word.length)] : 0;
  if (slot > 0)
    index = slot - 1;
  else if (!parse_index(word, &index) || index >= s->count)
    return unknown_symbol(c, s, word);
  *out = (uint32_t)index;
  return FAR_OK;
}

/* ---- numbers ---- */

static far_status read_number(cassandra *c, const char *what, double *out) {
  piece word = take(c);
  const bool minus = is(word, "-");
  if (minus || is(word, "+")) word = take(c); /* the sign may stand apart */
  if (!far_real_parse(word.text, word.length, out) || *out - *out != 0)
    return expected(c, what, word);
  if (minus) *out = -*out;
  return FAR_OK;
}

static far_status read_probability(cassandra *c, double *out) {
  const size_t line = peek(c, 0).line;
  const far_status status = read_number(c, "a probability", out);
  if (status == FAR_OK && !(*out >= 0 && *out <= 1 + 1e-5))
    return far__input_fail(c->in, line, "the probability %g is outside [0, 1]", *out);
  return status;
}

static far_status wrong_count(cassandra *c, size_t rows, size_t columns, size_t found) {
  const size_t line = peek(c, 0).line;
  if (rows == 1)
    return far__input_fail(c->in, line, "expected %zu numbers before this; found %zu", columns,
                           found);
  return far__input_fail(c->in, line, "expected %zu rows of %zu numbers before this; found %zu",
                         rows, columns, found);
}

/* ---- the preamble ---- */

static far_status read_discount(cassandra *c) {
  const size_t line = peek(c, 0).line;
  double discount;
  const far_status status = read_number(c, "the discount", &discount);
  if (status != FAR_OK) return status;
  if (!(discount >= 0 && discount <= 1))
    return far__input_fail(c->in, line, "the discount %g is outside [0, 1]", discount);
  c->extras.discount = discount;
  return FAR_OK;
}

static far_status read_values(cassandra *c) {
  const piece word = take(c);
  c->cost = is(word, "cost") || is(word, "costs");
  if (c->cost || is(word, "reward") || is(word, "rewards")) return FAR_OK;
  return expected(c, "'reward' or 'cost'", word);
}

static far_status add_start(cassandra *c, size_t s, double p, size_t line) {
  if (p == 0) return FAR_OK;
  return far__extras_start(&c->given, c->in, s, p, line);
}

static far_status start_evenly(cassandra *c, const bool *out, size_t line) {
  size_t n = 0;
  far_status status = FAR_OK;
  for (size_t s = 0; s < c->states.count; ++s) n += out == NULL || !out[s];
  for (size_t s = 0; s < c->states.count && status == FAR_OK; ++s)
    if (out == NULL || !out[s]) status = add_start(c, s, 1.0 / (double)n, line);
  if (n == 0) return far__input_fail(c->in, line, "no state is left to start from");
  return status;
}

/* start include: or start exclude: */
static far_status read_start_list(cassandra *c, bool exclude, size_t line) {
  bool *out = malloc(c->states.count * sizeof *out);
  if (out == NULL) return far__input_memory(c->in);
  memset(out, !exclude, c->states.count * sizeof *out);
  far_status status = at_entry(c) ? expected(c, "states", peek(c, 0)) : FAR_OK;
  while (status == FAR_OK && !at_entry(c)) {
    uint32_t s;
    status = read_symbol(c, &c->states, false, &s);
    if (status == FAR_OK) out[s] = exclude;
  }
  if (status == FAR_OK) status = start_evenly(c, out, line);
  free(out);
  return status;
}

/* One word: a state, or the probability 1 of the only one. */
static far_status read_start_state(cassandra *c) {
  const piece word = peek(c, 0);
  uint32_t s = 0;
  double p;
  size_t index;
  far_status status = FAR_OK;
  const bool sure = c->states.count == 1 && far_real_parse(word.text, word.length, &p) && p == 1;
  if (sure && !(parse_index(word, &index) && index < c->states.count))
    take(c);
  else
    status = read_symbol(c, &c->states, false, &s);
  return status == FAR_OK ? add_start(c, s, 1, word.line) : status;
}

static far_status read_start(cassandra *c, size_t line) {
  if (accept(c, "uniform")) return start_evenly(c, NULL, line);
  if (at_entry(c)) return expected(c, "a state, probabilities or 'uniform'", peek(c, 0));
  double p;
  const piece first = peek(c, 0), second = peek(c, 1);
  if (!far_real_parse(first.text, first.length, &p)) /* names: one, or in some files several */
    return read_start_list(c, false, line);
  const bool more =
      second.length > 0 && far_real_parse(second.text, second.length, &p) && !is(peek(c, 2), ":");
  if (!more) return read_start_state(c);
  size_t n = 0;
  far_status status = FAR_OK;
  for (; status == FAR_OK && !at_entry(c); ++n) {
    status = read_probability(c, &p);
    if (status == FAR_OK && n < c->states.count) status = add_start(c, n, p, first.line);
  }
  if (status == FAR_OK && n != c->states.count) return wrong_count(c, 1, c->states.count, n);
  return status;
}

/* ---- T and O ---- */

/* 'uniform', 'identity' or 'reset' for a row (one, or with s = FAR__ANY all). */
static bool accept_whole(cassandra *c, far__rule *rule, bool transitions) {
  const bool square = transitions || c->observations.count == c->states.count;
  if (accept(c, "uniform"))
    rule->kind = FAR__RULE_UNIFORM;
  else if (square && accept(c, "identity"))
    rule->kind = FAR__RULE_IDENTITY;
  else if (transitions && accept(c, "reset"))
    rule->kind = FAR__RULE_RESET;
  else
    return false;
  return true;
}

/* Numbers that fill whole rows: that of rule.s, or all rows from 0 on. */
static far_status read_rows(cassandra *c, far__table *t, far__rule rule, size_t rows) {
  far_status status = FAR_OK;
  size_t n = 0;
  rule.kind = FAR__RULE_ROW;
  rule.first = t->n_cells;
  while (status == FAR_OK && !at_entry(c)) {
    double p;
    if (n == rows * t->n_columns) return wrong_count(c, rows, t->n_columns, n + 1);
    status = read_probability(c, &p);
    if (status != FAR_OK) return status;
    if (p != 0 && !far__table_cell(t, (uint32_t)(n % t->n_columns), p))
      return far__input_memory(c->in);
    if (++n % t->n_columns > 0) continue;
    rule.count = t->n_cells - rule.first;
    if (rows > 1) rule.s = (uint32_t)(n / t->n_columns - 1);
    if (!far__table_add(t, rule)) return far__input_memory(c->in);
    rule.first = t->n_cells;
    rule.line = peek(c, 0).line;
  }
  if (status == FAR_OK && n != rows * t->n_columns) return wrong_count(c, rows, t->n_columns, n);
  return status;
}

static far_status read_table(cassandra *c, far__table *t, bool transitions, size_t line) {
  const symbols *columns = transitions ? &c->states : &c->observations;
  far__rule rule = {.line = line, .s = FAR__ANY};
  t->n_columns = columns->count;
  far_status status = read_symbol(c, &c->actions, true, &rule.a);
  if (status != FAR_OK) return status;
  const bool one_row = accept(c, ":");
  if (one_row) status = read_symbol(c, &c->states, true, &rule.s);
  if (status != FAR_OK) return status;
  if (one_row && accept(c, ":")) {
    rule.kind = FAR__RULE_CELL;
    status = read_symbol(c, columns, true, &rule.column);
    accept(c, ":"); /* some programs write one before the number, too */
    if (status == FAR_OK) status = read_probability(c, &rule.value);
    if (status == FAR_OK && !far__table_add(t, rule)) status = far__input_memory(c->in);
    return status;
  }
  if (accept_whole(c, &rule, transitions))
    return far__table_add(t, rule) ? FAR_OK : far__input_memory(c->in);
  if (at_entry(c)) return expected(c, "numbers, 'uniform' or 'identity'", peek(c, 0));
  return read_rows(c, t, rule, one_row ? 1 : c->states.count);
}

/* ---- R ---- */

/* Numbers for every (successor, observation), or without observations every (state, successor), that
 * the entry leaves open: `open` of the last coordinates are. */
static far_status read_reward_block(cassandra *c, far__reward rule, int open) {
  const bool partial = c->observations.line > 0;
  uint32_t *outer = partial ? &rule.next : &rule.s, *inner = partial ? &rule.o : &rule.next;
  const size_t columns = partial ? c->observations.count : c->states.count;
  const size_t rows = open == 2 ? c->states.count : 1;
  size_t n = 0;
  while (!at_entry(c)) {
    if (n == rows * columns) return wrong_count(c, rows, columns, n + 1);
    if (open == 2) *outer = (uint32_t)(n / columns);
    *inner = (uint32_t)(n % columns);
    const far_status status = read_number(c, "a reward", &rule.value);
    if (status != FAR_OK) return status;
    if (!far__rewards_add(&c->rewards, rule)) return far__input_memory(c->in);
    ++n;
  }
  return n == rows * columns ? FAR_OK : wrong_count(c, rows, columns, n);
}

static far_status read_reward_value(cassandra *c, far__reward rule) {
  const far_status status = read_number(c, "a reward", &rule.value);
  if (status != FAR_OK) return status;
  return far__rewards_add(&c->rewards, rule) ? FAR_OK : far__input_memory(c->in);
}

/* After a third colon: an observation and a number; a model without observations may have '*'. */
static far_status read_reward_observed(cassandra *c, far__reward rule) {
  far_status status = FAR_OK;
  if (c->observations.line > 0)
    status = read_symbol(c, &c->observations, true, &rule.o);
  else if (!accept(c, "*") && !is(peek(c, 1), "") && !at_entry(c) && peek(c, 1).length > 0 &&
           peek(c, 1).line == peek(c, 0).line)
    status = far__input_fail(c->in, peek(c, 0).line,
                             "an observation, but the file declares no observations:");
  if (status == FAR_OK) accept(c, ":");
  return status == FAR_OK ? read_reward_value(c, rule) : status;
}

static far_status read_reward(cassandra *c) {
  far__reward rule = {.s = FAR__ANY, .next = FAR__ANY, .o = FAR__ANY};
  const bool partial = c->observations.line > 0;
  far_status status = read_symbol(c, &c->actions, true, &rule.a);
  if (status != FAR_OK) return status;
  if (!accept(c, ":")) {
    if (partial) return expected(c, "':' and a state", peek(c, 0));
    return read_reward_block(c, rule, 2);
  }
  status = read_symbol(c, &c->states, true, &rule.s);
  if (status != FAR_OK) return status;
  if (!accept(c, ":")) return read_reward_block(c, rule, partial ? 2 : 1);
  status = read_symbol(c, &c->states, true, &rule.next);
  if (status != FAR_OK) return status;
  if (accept(c, ":")) return read_reward_observed(c, rule);
  return partial ? read_reward_block(c, rule, 1) : read_reward_value(c, rule);
}

/* ---- the file ---- */

static far_status unknown_entry(cassandra *c, piece word) {
  static const char *const keys[] = {"discount", "values",       "states",
                                     "actions",  "observations", "start"};
  const char *near = far_nearest(word.text, word.length, keys, sizeof keys / sizeof *keys);
  if (near != NULL && word.length > 1)
    return far__input_fail(c->in, word.line, "unknown entry '%s'; did you mean '%s'?",
                           far__show(word.text, word.length).text, near);
  return expected(
      c, "discount:, values:, states:, actions:, observations:, start:, T:, O: or R:", word);
}

static far_status need(cassandra *c, const symbols *s, size_t line) {
  if (s->line > 0) return FAR_OK;
  return far__input_fail(c->in, line, "'%s:' must come before this", s->what);
}

static far_status read_start_entry(cassandra *c, size_t line) {
  const bool include = accept(c, "include"), exclude = !include && accept(c, "exclude");
  if (!accept(c, ":")) return expected(c, "':'", peek(c, 0));
  const far_status status = need(c, &c->states, line);
  if (status != FAR_OK) return status;
  if (c->started) return far__input_fail(c->in, line, "the start is given twice");
  c->started = true;
  return include || exclude ? read_start_list(c, exclude, line) : read_start(c, line);
}

static far_status read_entry(cassandra *c) {
  const piece word = take(c);
  if (is(word, "start")) return read_start_entry(c, word.line);
  if (!is(peek(c, 0), ":")) return unknown_entry(c, word);
  take(c);
  if (is(word, "discount")) return read_discount(c);
  if (is(word, "values")) return read_values(c);
  if (is(word, "states")) return read_symbols(c, &c->states, word.line);
  if (is(word, "actions")) return read_symbols(c, &c->actions, word.line);
  if (is(word, "observations")) return read_symbols(c, &c->observations, word.line);
  const bool t = is(word, "T"), o = is(word, "O");
  if (!t && !o && !is(word, "R")) return unknown_entry(c, word);
  far_status status = need(c, &c->states, word.line);
  if (status == FAR_OK) status = need(c, &c->actions, word.line);
  if (status == FAR_OK && o) status = need(c, &c->observations, word.line);
  if (status != FAR_OK) return status;
  return t   ? read_table(c, &c->t, true, word.line)
         : o ? read_table(c, &c->o, false, word.line)
             : read_reward(c);
}

static far_status read_file(cassandra *c) {
  far_status status = FAR_OK;
  while (status == FAR_OK && peek(c, 0).length > 0) {
    if (c->broken == FAR_OK) status = read_entry(c);
    if (c->broken != FAR_OK) status = c->broken;
  }
  if (status == FAR_OK) status = c->broken;
  if (status == FAR_OK) status = need(c, &c->states, c->in->line);
  if (status == FAR_OK) status = need(c, &c->actions, c->in->line);
  return status;
}

/* ---- what it means ---- */

/* The mean of the rewards by observation under O; c->seen says which have one of their own. */
static far_status expected_reward(cassandra *c, uint32_t a, uint32_t next, double others,
                                  double *out) {
  far__row *row = &c->observed;
  far__table_row(&c->o, &c->extras, a, next, row);
  double sum = 0, mean = 0;
  bool equal = true;
  double first = others;
  for (size_t k = 0; k < row->count; ++k) {
    const uint32_t o = row->column[k];
    const double r = c->seen[o] == c->stamp ? c->reward[o] : others;
    if (row->value[o] == 0) continue;
    if (sum == 0) first = r;
    equal = equal && r == first;
    sum += row->value[o];
    mean += row->value[o] * r;
  }
  *out = equal ? first : mean / sum;
  if (fabs(sum - 1) <= 1e-5) return FAR_OK;
  return far__input_fail(c->in, row->line > 0 ? row->line : c->in->line,
                         "a reward depends on the observation after action %lu to state %lu, but "
                         "their probabilities (O:) add to %.12g, not to 1",
                         (unsigned long)a, (unsigned long)next, sum);
}

static bool prepare_observed(cassandra *c) {
  if (c->observed.value != NULL) return true;
  c->reward = calloc(c->observations.count, sizeof *c->reward);
  c->seen = calloc(c->observations.count, sizeof *c->seen);
  c->o.n_columns = c->observations.count;
  return c->reward != NULL && c->seen != NULL && far__table_sort(&c->o) &&
         far__row_create(&c->observed, c->observations.count);
}

static far_status find_reward(cassandra *c, uint32_t a, uint32_t s, uint32_t next, double *out) {
  far__reward_scan scan = far__rewards_scan(&c->rewards, a, s, next);
  const far__reward *rule = far__rewards_next(&scan);
  *out = rule != NULL ? rule->value : 0;
  if (rule == NULL || rule->o == FAR__ANY) return FAR_OK;
  if (!prepare_observed(c)) return far__input_memory(c->in);
  if (++c->stamp == 0) { /* once in 2^32 rewards */
    memset(c->seen, 0, c->observations.count * sizeof *c->seen);
    c->stamp = 1;
  }
  double others = 0;
  for (; rule != NULL; rule = far__rewards_next(&scan)) {
    if (rule->o == FAR__ANY) {
      others = rule->value;
      break;
    }
    if (c->seen[rule->o] == c->stamp) continue; /* a later entry overrides it */
    c->seen[rule->o] = c->stamp;
    c->reward[rule->o] = rule->value;
  }
  return expected_reward(c, a, next, others, out);
}

static far_status build_pair(cassandra *c, far__build *b, uint32_t s, uint32_t a,
                             far_outcome *outcomes) {
  far__row *row = &c->row;
  far__table_row(&c->t, &c->extras, a, s, row);
  size_t n = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const uint32_t next = row->column[k];
    far_outcome o = {.probability = row->value[next], .next = next};
    if (o.probability == 0) continue;
    const far_status status = find_reward(c, a, s, next, &o.reward);
    if (status != FAR_OK) return status;
    if (c->cost && o.reward != 0) o.reward = -o.reward;
    outcomes[n++] = o;
  }
  return far__build_row(b, s, a, outcomes, n, row->line > 0 ? row->line : c->in->line);
}

static far_status build_pairs(cassandra *c, far__build *b) {
  far_outcome *outcomes = calloc(c->states.count, sizeof *outcomes);
  far_status status = FAR_OK;
  if (outcomes == NULL || !far__table_sort(&c->t) || !far__row_create(&c->row, c->states.count))
    status = far__input_memory(c->in);
  for (size_t s = 0; s < c->states.count && status == FAR_OK; ++s)
    for (size_t a = 0; a < c->actions.count && status == FAR_OK; ++a)
      status = build_pair(c, b, (uint32_t)s, (uint32_t)a, outcomes);
  free(outcomes);
  return status;
}

static far_status add_names(cassandra *c, const symbols *s, bool action) {
  far_status status = FAR_OK;
  for (size_t i = 0; s->names != NULL && i < s->count && status == FAR_OK; ++i)
    status = far__extras_name(&c->extras, c->in, action, i, s->names[i].text, s->names[i].length,
                              s->names[i].line);
  return status;
}

/* Without `start` every state that is not terminal may be one. */
static far_status default_start(cassandra *c) {
  if (c->started) return FAR_OK;
  bool *out = calloc(c->states.count, sizeof *out);
  if (out == NULL) return far__input_memory(c->in);
  for (size_t i = 0; i < c->extras.n_terminals; ++i)
    if (c->extras.terminals[i].state < c->states.count) out[c->extras.terminals[i].state] = true;
  const far_status status = start_evenly(c, out, c->in->line);
  free(out);
  return status;
}

static far_status choose_start(cassandra *c) {
  const far_status status = default_start(c);
  c->extras.starts = c->given.starts;
  c->extras.n_starts = c->given.n_starts;
  c->given.starts = NULL;
  return status;
}

static far_status build(far_mdp **out, cassandra *c) {
  far__build b;
  if (c->actions.count == 0 || c->states.count > c->in->most / c->actions.count)
    return far__input_fail(c->in, c->states.line,
                           "%zu states x %zu actions are more than the %zu pairs allowed",
                           c->states.count, c->actions.count, c->in->most);
  if (c->t.n_rules == 0)
    return far__input_fail(c->in, c->in->line, "the file has no transitions (T:)");
  far_status status = c->extras.n_starts > 0 ? FAR_OK : choose_start(c);
  if (status == FAR_OK) status = add_names(c, &c->states, false);
  if (status == FAR_OK) status = add_names(c, &c->actions, true);
  if (status == FAR_OK)
    status = far__build_begin(&b, c->in, &c->extras, c->states.count, c->actions.count);
  if (status != FAR_OK) return status;
  return far__build_finish(out, &b, build_pairs(c, &b));
}

far_status far__read_cassandra(far_mdp **out, far__input *in) {
  cassandra c = {.in = in,
                 .states = {.what = "states"},
                 .actions = {.what = "actions"},
                 .observations = {.what = "observations"}};
  far_status status = read_file(&c);
  if (status == FAR_OK) status = build(out, &c);
  far__extras_free(&c.extras);
  far__extras_free(&c.given);
  free_symbols(&c.states);
  free_symbols(&c.actions);
  free_symbols(&c.observations);
  far__table_free(&c.t);
  far__table_free(&c.o);
  far__rewards_free(&c.rewards);
  far__row_free(&c.row);
  far__row_free(&c.observed);
  free(c.reward);
  free(c.seen);
  return status;
}
