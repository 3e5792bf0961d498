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
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/spec.h"
#include "farsight/base.h"
#include "model/formats/cassandra.h"

/* ---- numbers ---- */

static far_status read_number(far__cassandra *c, const char *what, double *out) {
  far__word word = far__word_take(c);
  const bool minus = far__word_is(word, "-");
  if (minus || far__word_is(word, "+")) word = far__word_take(c); /* the sign may stand apart */
  if (!far__real_parse(word.text, word.length, out) || *out - *out != 0)
    return far__word_expected(c, what, word);
  if (minus) *out = -*out;
  return FAR_OK;
}

static bool is_number(far__word word) {
  double x;
  return word.length > 0 && far__real_parse(word.text, word.length, &x);
}

static far_status read_probability(far__cassandra *c, double *out) {
  const size_t line = far__word_peek(c, 0).line;
  const far_status status = read_number(c, "a probability", out);
  if (status == FAR_OK && !(*out >= 0 && *out <= 1 + 1e-5))
    return far__input_fail(c->in, line, "the probability %s is outside [0, 1]",
                           far__shortest(*out).text);
  return status;
}

static far_status wrong_count(far__cassandra *c, size_t rows, size_t columns, size_t found) {
  const size_t line = far__word_peek(c, 0).line;
  if (rows == 1)
    return far__input_fail(c->in, line, "expected %zu numbers before this; found %zu", columns,
                           found);
  return far__input_fail(c->in, line, "expected %zu rows of %zu numbers before this; found %zu",
                         rows, columns, found);
}

/* ---- the preamble ---- */

static far_status read_discount(far__cassandra *c) {
  const size_t line = far__word_peek(c, 0).line;
  double discount;
  const far_status status = read_number(c, "the discount", &discount);
  if (status != FAR_OK) return status;
  if (!(discount >= 0 && discount <= 1))
    return far__input_fail(c->in, line, "the discount %s is outside [0, 1]",
                           far__shortest(discount).text);
  c->extras.discount = discount;
  return FAR_OK;
}

static far_status read_values(far__cassandra *c) {
  const far__word word = far__word_take(c);
  c->cost = far__word_is(word, "cost") || far__word_is(word, "costs");
  if (c->cost || far__word_is(word, "reward") || far__word_is(word, "rewards")) return FAR_OK;
  return far__word_expected(c, "'reward' or 'cost'", word);
}

/* The states after start include: or start exclude: */
static far_status read_start_list(far__cassandra *c, bool exclude, size_t line) {
  bool *out = malloc(c->states.count * sizeof *out);
  if (out == NULL) return far__input_memory(c->in);
  memset(out, !exclude, c->states.count * sizeof *out);
  far_status status =
      far__word_at_entry(c) ? far__word_expected(c, "states", far__word_peek(c, 0)) : FAR_OK;
  while (status == FAR_OK && !far__word_at_entry(c)) {
    uint32_t s;
    status = far__symbol_read(c, &c->states, false, &s);
    if (status == FAR_OK) out[s] = exclude;
  }
  if (status == FAR_OK) status = far__cassandra_start_evenly(c, out, line);
  free(out);
  return status;
}

/* One word: a state, or the probability 1 of the only one. */
static far_status read_start_state(far__cassandra *c) {
  const far__word word = far__word_peek(c, 0);
  uint32_t s = 0;
  double p;
  size_t index;
  far_status status = FAR_OK;
  const bool sure = c->states.count == 1 && far__real_parse(word.text, word.length, &p) && p == 1;
  if (sure && !(far__word_index(word, &index) && index < c->states.count))
    far__word_take(c);
  else
    status = far__symbol_read(c, &c->states, false, &s);
  return status == FAR_OK ? far__cassandra_start(c, s, 1, word.line) : status;
}

static far_status read_start(far__cassandra *c, size_t line) {
  if (far__word_accept(c, "uniform")) return far__cassandra_start_evenly(c, NULL, line);
  if (far__word_at_entry(c))
    return far__word_expected(c, "a state, probabilities or 'uniform'", far__word_peek(c, 0));
  double p;
  const far__word first = far__word_peek(c, 0), second = far__word_peek(c, 1);
  if (!is_number(first)) /* names: one, or in some files several */
    return read_start_list(c, false, line);
  const bool more = is_number(second) && !far__word_is(far__word_peek(c, 2), ":");
  if (!more) return read_start_state(c);
  size_t n = 0;
  far_status status = FAR_OK;
  for (; status == FAR_OK && !far__word_at_entry(c); ++n) {
    status = read_probability(c, &p);
    if (status == FAR_OK && n < c->states.count) status = far__cassandra_start(c, n, p, first.line);
  }
  if (status == FAR_OK && n != c->states.count) return wrong_count(c, 1, c->states.count, n);
  return status;
}

/* ---- T and O ---- */

/* 'uniform', 'identity' or 'reset' for a row (one, or with s = FAR__ANY all). */
static bool accept_whole(far__cassandra *c, far__rule *rule, bool transitions) {
  const bool square = transitions || c->observations.count == c->states.count;
  if (far__word_accept(c, "uniform"))
    rule->kind = FAR__RULE_UNIFORM;
  else if (square && far__word_accept(c, "identity"))
    rule->kind = FAR__RULE_IDENTITY;
  else if (transitions && far__word_accept(c, "reset"))
    rule->kind = FAR__RULE_RESET;
  else
    return false;
  return true;
}

/* Numbers that fill whole rows: that of rule.s, or all rows from 0 on. */
static far_status read_rows(far__cassandra *c, far__table *t, far__rule rule, size_t rows) {
  far_status status = FAR_OK;
  size_t n = 0;
  rule.kind = FAR__RULE_ROW;
  rule.first = t->n_cells;
  while (status == FAR_OK && !far__word_at_entry(c)) {
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
    rule.line = far__word_peek(c, 0).line;
  }
  if (status == FAR_OK && n != rows * t->n_columns) return wrong_count(c, rows, t->n_columns, n);
  return status;
}

static far_status read_table(far__cassandra *c, far__table *t, bool transitions, size_t line) {
  const far__symbols *columns = transitions ? &c->states : &c->observations;
  far__rule rule = {.line = line, .s = FAR__ANY};
  t->n_columns = columns->count;
  far_status status = far__symbol_read(c, &c->actions, true, &rule.a);
  if (status != FAR_OK) return status;
  const bool one_row = far__word_accept(c, ":");
  if (one_row) status = far__symbol_read(c, &c->states, true, &rule.s);
  if (status != FAR_OK) return status;
  if (one_row && far__word_accept(c, ":")) {
    rule.kind = FAR__RULE_CELL;
    status = far__symbol_read(c, columns, true, &rule.column);
    far__word_accept(c, ":"); /* some programs write a colon before the number */
    if (status == FAR_OK) status = read_probability(c, &rule.value);
    if (status == FAR_OK && !far__table_add(t, rule)) status = far__input_memory(c->in);
    return status;
  }
  if (accept_whole(c, &rule, transitions))
    return far__table_add(t, rule) ? FAR_OK : far__input_memory(c->in);
  if (far__word_at_entry(c))
    return far__word_expected(c, "numbers, 'uniform' or 'identity'", far__word_peek(c, 0));
  return read_rows(c, t, rule, one_row ? 1 : c->states.count);
}

/* ---- R ---- */

/* Numbers for every (successor, observation), or without observations every (state, successor), that
 * the entry leaves open: the last `open` coordinates. */
static far_status read_reward_block(far__cassandra *c, far__reward rule, int open) {
  const bool partial = c->observations.line > 0;
  uint32_t *outer = partial ? &rule.next : &rule.s, *inner = partial ? &rule.o : &rule.next;
  const size_t columns = partial ? c->observations.count : c->states.count;
  const size_t rows = open == 2 ? c->states.count : 1;
  size_t n = 0;
  while (!far__word_at_entry(c)) {
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

static far_status read_reward_value(far__cassandra *c, far__reward rule) {
  const far_status status = read_number(c, "a reward", &rule.value);
  if (status != FAR_OK) return status;
  return far__rewards_add(&c->rewards, rule) ? FAR_OK : far__input_memory(c->in);
}

/* After a third colon: an observation and a number; a model without observations may have '*'. */
static far_status read_reward_observed(far__cassandra *c, far__reward rule) {
  far_status status = FAR_OK;
  if (c->observations.line > 0)
    status = far__symbol_read(c, &c->observations, true, &rule.o);
  else if (!far__word_accept(c, "*") && is_number(far__word_peek(c, 1)))
    status = far__input_fail(c->in, far__word_peek(c, 0).line,
                             "an observation, but the file declares none (observations:)");
  if (status == FAR_OK) far__word_accept(c, ":");
  return status == FAR_OK ? read_reward_value(c, rule) : status;
}

static far_status read_reward(far__cassandra *c) {
  far__reward rule = {.s = FAR__ANY, .next = FAR__ANY, .o = FAR__ANY};
  const bool partial = c->observations.line > 0;
  far_status status = far__symbol_read(c, &c->actions, true, &rule.a);
  if (status != FAR_OK) return status;
  if (!far__word_accept(c, ":")) {
    if (partial) return far__word_expected(c, "':' and a state", far__word_peek(c, 0));
    return read_reward_block(c, rule, 2);
  }
  status = far__symbol_read(c, &c->states, true, &rule.s);
  if (status != FAR_OK) return status;
  if (!far__word_accept(c, ":")) return read_reward_block(c, rule, partial ? 2 : 1);
  status = far__symbol_read(c, &c->states, true, &rule.next);
  if (status != FAR_OK) return status;
  if (far__word_accept(c, ":")) return read_reward_observed(c, rule);
  return partial ? read_reward_block(c, rule, 1) : read_reward_value(c, rule);
}

/* ---- the file ---- */

static far_status unknown_entry(far__cassandra *c, far__word word) {
  static const char *const keys[] = {"discount", "values",       "states",
                                     "actions",  "observations", "start"};
  const char *near = far__nearest(word.text, word.length, keys, sizeof keys / sizeof *keys);
  if (near != NULL && word.length > 1)
    return far__input_fail(c->in, word.line, "unknown entry '%s'; did you mean '%s'?",
                           far__show(word.text, word.length).text, near);
  return far__word_expected(
      c, "discount:, values:, states:, actions:, observations:, start:, T:, O: or R:", word);
}

static far_status need(far__cassandra *c, const far__symbols *s, size_t line) {
  if (s->line > 0) return FAR_OK;
  return far__input_fail(c->in, line, "'%s:' must come before this", s->what);
}

static far_status read_start_entry(far__cassandra *c, size_t line) {
  const bool include = far__word_accept(c, "include"),
             exclude = !include && far__word_accept(c, "exclude");
  if (!far__word_accept(c, ":")) return far__word_expected(c, "':'", far__word_peek(c, 0));
  const far_status status = need(c, &c->states, line);
  if (status != FAR_OK) return status;
  if (c->started) return far__input_fail(c->in, line, "the start is given twice");
  c->started = true;
  return include || exclude ? read_start_list(c, exclude, line) : read_start(c, line);
}

static far_status read_entry(far__cassandra *c) {
  const far__word word = far__word_take(c);
  if (far__word_is(word, "start")) return read_start_entry(c, word.line);
  if (!far__word_is(far__word_peek(c, 0), ":")) return unknown_entry(c, word);
  far__word_take(c);
  if (far__word_is(word, "discount")) return read_discount(c);
  if (far__word_is(word, "values")) return read_values(c);
  if (far__word_is(word, "states")) return far__symbols_read(c, &c->states, word.line);
  if (far__word_is(word, "actions")) return far__symbols_read(c, &c->actions, word.line);
  if (far__word_is(word, "observations")) return far__symbols_read(c, &c->observations, word.line);
  const bool t = far__word_is(word, "T"), o = far__word_is(word, "O");
  if (!t && !o && !far__word_is(word, "R")) return unknown_entry(c, word);
  far_status status = need(c, &c->states, word.line);
  if (status == FAR_OK) status = need(c, &c->actions, word.line);
  if (status == FAR_OK && o) status = need(c, &c->observations, word.line);
  if (status != FAR_OK) return status;
  return t   ? read_table(c, &c->t, true, word.line)
         : o ? read_table(c, &c->o, false, word.line)
             : read_reward(c);
}

static far_status read_file(far__cassandra *c) {
  far_status status = FAR_OK;
  while (status == FAR_OK && far__word_peek(c, 0).length > 0) {
    if (c->broken == FAR_OK) status = read_entry(c);
    if (c->broken != FAR_OK) status = c->broken;
  }
  if (status == FAR_OK) status = c->broken;
  if (status != FAR_OK) return status;
  const far__symbols *missing = c->states.line == 0 ? &c->states : &c->actions;
  if (missing->line > 0) return FAR_OK;
  return far__input_fail(c->in, 0, "the file has no '%s:'", missing->what);
}

far_status far__read_cassandra(far_mdp **out, far__input *in) {
  far__cassandra c = {.in = in,
                      .states = {.what = "states"},
                      .actions = {.what = "actions"},
                      .observations = {.what = "observations"}};
  far_status status = read_file(&c);
  if (status == FAR_OK) status = far__cassandra_build(out, &c);
  far__extras_free(&c.extras);
  far__extras_free(&c.given);
  far__symbols_free(&c.states);
  far__symbols_free(&c.actions);
  far__symbols_free(&c.observations);
  far__table_free(&c.t);
  far__table_free(&c.o);
  far__rewards_free(&c.rewards);
  far__row_free(&c.row);
  far__row_free(&c.observed);
  free(c.reward);
  free(c.seen);
  free(c.expected);
  return status;
}
