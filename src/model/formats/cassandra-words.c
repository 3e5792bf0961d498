/* The words of a file in Cassandra's format, and what its states, actions and observations are
 * called. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/spec.h"
#include "farsight/base.h"
#include "model/formats/cassandra.h"

/* ---- words ---- */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_comment(far__cassandra *c) {
  far__input *in = c->in;
  const char *end = memchr(in->at, '\n', (size_t)(in->end - in->at));
  if (end == NULL) end = in->end;
  if (end - in->at >= 2 && in->at[1] == '@' && c->broken == FAR_OK)
    c->broken =
        far__extras_remark(&c->extras, in, in->at + 2, (size_t)(end - in->at - 2), in->line);
  in->at = end;
}

static far__word scan_word(far__cassandra *c) {
  far__input *in = c->in;
  while (in->at < in->end && (is_space(*in->at) || *in->at == '#')) {
    if (*in->at == '#')
      skip_comment(c);
    else
      in->line += *in->at++ == '\n';
  }
  far__word word = {in->at, 0, in->line};
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

far__word far__word_peek(far__cassandra *c, size_t k) {
  while (c->n_ahead <= k) c->ahead[c->n_ahead++] = scan_word(c);
  return c->ahead[k];
}

far__word far__word_take(far__cassandra *c) {
  const far__word word = far__word_peek(c, 0);
  memmove(c->ahead, c->ahead + 1, (FAR__AHEAD - 1) * sizeof *c->ahead);
  --c->n_ahead;
  return word;
}

bool far__word_accept(far__cassandra *c, const char *text) {
  const bool good = far__word_is(far__word_peek(c, 0), text);
  if (good) far__word_take(c);
  return good;
}

bool far__word_at_entry(far__cassandra *c) {
  const far__word word = far__word_peek(c, 0);
  if (word.length == 0) return true;
  if (far__word_is(far__word_peek(c, 1), ":")) return !far__word_is(word, ":");
  const bool start = far__word_is(word, "start");
  return start &&
         (far__word_is(far__word_peek(c, 1), "include") ||
          far__word_is(far__word_peek(c, 1), "exclude")) &&
         far__word_is(far__word_peek(c, 2), ":");
}

far_status far__word_expected(far__cassandra *c, const char *what, far__word found) {
  if (found.length == 0)
    return far__input_fail(c->in, found.line, "expected %s; the text ends here", what);
  return far__input_fail(c->in, found.line, "expected %s; found '%s'", what,
                         far__show(found.text, found.length).text);
}

/* ---- symbols ---- */

void far__symbols_free(far__symbols *s) {
  free(s->names);
  free(s->slots);
}

/* FNV-1a */
static size_t hash_text(const char *text, size_t length) {
  uint64_t x = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; ++i) x = (x ^ (unsigned char)text[i]) * 0x100000001b3u;
  return (size_t)(x ^ x >> 32);
}

/* The slot of a name, or the empty slot where it belongs. */
static size_t name_slot(const far__symbols *s, const char *text, size_t length) {
  size_t i = hash_text(text, length) & (s->n_slots - 1);
  for (; s->slots[i] != 0; i = (i + 1) & (s->n_slots - 1)) {
    const far__word *name = &s->names[s->slots[i] - 1];
    if (name->length == length && memcmp(name->text, text, length) == 0) break;
  }
  return i;
}

/* Enters all names into the table; the index of the first that occurs twice, or count. */
static size_t enter_names(far__symbols *s, bool *memory) {
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

bool far__word_index(far__word word, size_t *out) {
  int64_t n;
  for (size_t i = 0; i < word.length; ++i)
    if (word.text[i] < '0' || word.text[i] > '9') return false;
  if (word.length == 0 || !far__integer_parse(word.text, word.length, &n)) return false;
  *out = (size_t)n;
  return true;
}

/* Reads the names of a list after the first, which is in s->names already. */
static far_status read_list(far__cassandra *c, far__symbols *s) {
  size_t number;
  bool numbers = far__word_index(s->names[0], &number);
  while (!far__word_at_entry(c)) {
    const far__word name = far__word_take(c);
    if (far__word_is(name, "*") || far__word_is(name, ":"))
      return far__word_expected(c, "a name", name);
    const bool index = far__word_index(name, &number);
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
  const far__word *name = &s->names[twice];
  return far__input_fail(c->in, name->line, "'%s' is twice among the %s",
                         far__show(name->text, name->length).text, s->what);
}

far_status far__symbols_read(far__cassandra *c, far__symbols *s, size_t line) {
  if (s->line > 0)
    return far__input_fail(c->in, line, "the %s are declared twice, first in line %zu", s->what,
                           s->line);
  s->line = line;
  if (far__word_at_entry(c))
    return far__word_expected(c, "a number or a list of names", far__word_peek(c, 0));
  const far__word first = far__word_take(c);
  const bool alone = far__word_at_entry(c);
  size_t number;
  if (!alone || !far__word_index(first, &number)) {
    if (far__word_is(first, "*") || far__word_is(first, ":"))
      return far__word_expected(c, "a name", first);
    if (far__word_index(first, &number) && number != 0)
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
static far_status unknown_symbol(far__cassandra *c, const far__symbols *s, far__word word) {
  char singular[24];
  const size_t n = strlen(s->what) - 1;
  memcpy(singular, s->what, n);
  singular[n] = '\0';
  char nearest[FAR__NAME_MAX + 1] = "";
  const size_t most = s->names != NULL ? s->count : 0;
  for (size_t i = 0; i < most; ++i) { /* far__nearest of the nearest so far and one more */
    char name[64];
    if (s->names[i].length >= sizeof name) continue;
    memcpy(name, s->names[i].text, s->names[i].length);
    name[s->names[i].length] = '\0';
    const char *const two[] = {nearest[0] != '\0' ? nearest : name, name};
    if (far__nearest(word.text, word.length, two, 2) == name) memcpy(nearest, name, sizeof name);
  }
  const far__shown shown = far__show(word.text, word.length);
  if (nearest[0] != '\0')
    return far__input_fail(c->in, word.line, "unknown %s '%s'; did you mean '%s'?", singular,
                           shown.text, nearest);
  return far__input_fail(c->in, word.line, "unknown %s '%s'; there are %zu, from 0 to %zu",
                         singular, shown.text, s->count, s->count - 1);
}

far_status far__symbol_read(far__cassandra *c, const far__symbols *s, bool wild, uint32_t *out) {
  const far__word word = far__word_take(c);
  size_t index = 0;
  if (wild && far__word_is(word, "*")) {
    *out = FAR__ANY;
    return FAR_OK;
  }
  if (word.length == 0 || far__word_is(word, ":") || far__word_is(word, "*"))
    return far__word_expected(c, wild ? "a name, a number or '*'" : "a name or a number", word);
  const size_t slot = s->names != NULL ? s->slots[name_slot(s, word.text, word.length)] : 0;
  if (slot > 0)
    index = slot - 1;
  else if (!far__word_index(word, &index) || index >= s->count)
    return unknown_symbol(c, s, word);
  *out = (uint32_t)index;
  return FAR_OK;
}
