#include "base/spec.h"

#include <assert.h>
#include <math.h> /* only for NAN */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

enum { LONGEST_NAME = 40 };

/* ---- nearest name: the edit distance of Damerau and Levenshtein, adjacent swaps counting one ----
 * Case is ignored: PSRL suggests psrl.
 */

static char small(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(char x, char y) {
  return small(x) == small(y);
}

static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t row[3][LONGEST_NAME + 1];
  for (size_t j = 0; j <= m; ++j) row[0][j] = j;
  for (size_t i = 1; i <= n; ++i) {
    size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; ++j) {
      size_t least = before[j - 1] + !same(a[i - 1], b[j - 1]);
      if (before[j] + 1 < least) least = before[j] + 1;
      if (now[j - 1] + 1 < least) least = now[j - 1] + 1;
      const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      now[j] = swapped && earlier[j - 2] + 1 < least ? earlier[j - 2] + 1 : least;
    }
  }
  return row[n % 3][m];
}

const char *far__nearest(const char *text, size_t length, const char *const *names, size_t count) {
  const char *best = NULL;
  size_t least = length > 3 ? length / 3 + 2 : 2; /* names at this distance are not suggested */
  for (size_t i = 0; i < count && length <= LONGEST_NAME; ++i) {
    if (strlen(names[i]) > LONGEST_NAME) continue;
    const size_t distance = edit_distance(text, length, names[i], strlen(names[i]));
    if (distance < least && distance < strlen(names[i])) {
      least = distance;
      best = names[i];
    }
  }
  return best;
}

/* ---- one value ---- */

void far__param_bounds(char *out, size_t size, const far_param *p) {
  if (p->kind == FAR_PARAM_CHOICE) {
    size_t used = (size_t)snprintf(out, size, "one of ");
    for (const char *c = p->choices; *c != '\0' && used + 2 < size; ++c)
      used += (size_t)snprintf(out + used, size - used, *c == '|' ? ", " : "%c", *c);
    return;
  }
  if (p->kind == FAR_PARAM_TEXT) {
    snprintf(out, size, "text of at most %d characters", FAR_TEXT_SIZE - 1);
    return;
  }
  char low[FAR__NUMBER_SIZE], high[FAR__NUMBER_SIZE];
  far__real_format(low, p->min);
  far__real_format(high, p->max);
  const char * or = p->word != NULL ? ", or " : "", *word = p->word != NULL ? p->word : "";
  const bool below = p->min - p->min == 0, above = p->max - p->max == 0;
  const char *whole = p->kind == FAR_PARAM_INTEGER ? "a whole number " : "";
  if (below && above) {
    snprintf(out, size, "%sin %c%s, %s%c%s%s", whole, p->min_open ? '(' : '[', low, high,
             p->max_open ? ')' : ']', or, word);
  } else if (below) {
    snprintf(out, size, "%s%s %s%s%s", whole, p->min_open ? "above" : "at least", low, or, word);
  } else if (above) {
    snprintf(out, size, "%s%s %s", whole, p->max_open ? "below" : "at most", high);
  } else {
    snprintf(out, size, "%sfinite", whole);
  }
}

static double numeric_value(const far_param *p, const unsigned char *values) {
  if (p->kind == FAR_PARAM_REAL) {
    double x;
    memcpy(&x, values + p->offset, sizeof x);
    return x;
  }
  int64_t n;
  memcpy(&n, values + p->offset, sizeof n);
  return (double)n;
}

bool far__param_number(const far_param *p, const unsigned char *values, double *out) {
  if (p->kind != FAR_PARAM_REAL && p->kind != FAR_PARAM_INTEGER) return false;
  *out = numeric_value(p, values);
  return true;
}

static bool in_bounds(const far_param *p, double x) {
  const bool low = p->min_open ? x > p->min : x >= p->min;
  const bool high = p->max_open ? x < p->max : x <= p->max;
  return low && high;
}

/* The index of a word in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *text, size_t length) {
  int index = 0;
  for (const char *word = choices;; ++index) {
    const size_t n = strcspn(word, "|");
    if (n == length && memcmp(word, text, n) == 0) return index;
    if (word[n] == '\0') return -1;
    word += n + 1;
  }
}

static bool store_value(const far_param *p, const char *text, size_t length,
                        unsigned char *values) {
  double x;
  int64_t n;
  int32_t choice;
  switch (p->kind) {
  case FAR_PARAM_REAL:
    if (p->word != NULL && strlen(p->word) == length && memcmp(p->word, text, length) == 0) {
      memcpy(values + p->offset, &(double){NAN}, sizeof x);
      return true;
    }
    if (!far__real_parse(text, length, &x) || !in_bounds(p, x)) return false;
    memcpy(values + p->offset, &x, sizeof x);
    return true;
  case FAR_PARAM_INTEGER:
    if (!far__integer_parse(text, length, &n) || !in_bounds(p, (double)n)) return false;
    if (n != (int64_t)(double)n) return false; /* the bounds are doubles: exact up to 2^53 */
    memcpy(values + p->offset, &n, sizeof n);
    return true;
  case FAR_PARAM_CHOICE:
    choice = choice_index(p->choices, text, length);
    if (choice < 0) return false;
    memcpy(values + p->offset, &choice, sizeof choice);
    return true;
  case FAR_PARAM_TEXT:
    if (length >= FAR_TEXT_SIZE) return false;
    memcpy(values + p->offset, text, length);
    values[p->offset + length] = '\0';
    return true;
  }
  return false;
}

static void print_value(char out[FAR_TEXT_SIZE], const far_param *p, const unsigned char *values) {
  if (p->kind == FAR_PARAM_REAL) {
    far__real_format(out, numeric_value(p, values));
  } else if (p->kind == FAR_PARAM_INTEGER) {
    int64_t n;
    memcpy(&n, values + p->offset, sizeof n);
    snprintf(out, FAR__NUMBER_SIZE, "%lld", (long long)n);
  } else if (p->kind == FAR_PARAM_TEXT) {
    memcpy(out, values + p->offset, FAR_TEXT_SIZE);
  } else {
    int32_t choice;
    memcpy(&choice, values + p->offset, sizeof choice);
    const char *word = p->choices;
    while (choice-- > 0) word += strcspn(word, "|") + 1;
    snprintf(out, FAR__NUMBER_SIZE, "%.*s", (int)strcspn(word, "|"), word);
  }
}

/* ---- parsing ---- */

/* Input as shown in messages: cut, and without what cannot be printed. */
typedef struct shown {
  char text[LONGEST_NAME + 4];
} shown;

static shown show(const char *text, size_t length) {
  shown out;
  size_t n = 0;
  for (; n < length && n < LONGEST_NAME; ++n)
    out.text[n] = (text[n] >= 32 && text[n] < 127) ? text[n] : '?';
  memcpy(out.text + n, length > n ? "..." : "", length > n ? 4 : 1);
  return out;
}

static far_status unknown_name(const char *what, const char *text, size_t length, int position,
                               const char *const *names, size_t count, far_error *error) {
  const char *near = far__nearest(text, length, names, count);
  if (near != NULL) {
    return far__fail(error, FAR_STATUS_UNKNOWN, position, "unknown %s '%s'; did you mean '%s'?",
                     what, show(text, length).text, near);
  }
  char list[360] = "";
  size_t used = 0;
  for (size_t i = 0; i < count && used < sizeof list; ++i)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
  return far__fail(error, FAR_STATUS_UNKNOWN, position, "unknown %s '%s'; there are: %s", what,
                   show(text, length).text, list);
}

static bool is_type(const char *text, const far_type_info *const *types, size_t n_types) {
  for (size_t i = 0; i < n_types; ++i)
    if (far__spec_same_type(text, types[i]->name)) return true;
  return false;
}

static far_status find_type(far__spec *out, const char *text, size_t length, const char *what,
                            const far_type_info *const *types, size_t n_types, far_error *error) {
  const char *names[FAR__SPEC_TYPES];
  assert(n_types <= FAR__SPEC_TYPES);
  for (size_t i = 0; i < n_types; ++i) {
    names[i] = types[i]->name;
    if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
      out->type = types[i];
      out->index = i;
      return FAR_OK;
    }
  }
  if (length == 0)
    return far__fail(error, FAR_STATUS_SYNTAX, 0, "the name of the %s is missing, as in '%s'", what,
                     types[0]->name);
  const size_t word = strcspn(text, ",= ");
  if (word < length && text[word] == '=' && is_type(text + word + 1, types, n_types))
    return far__fail(
        error, FAR_STATUS_SYNTAX, 0,
        "a name before a spec, as '%s' here, is for studies: 'farsight run', 'compare' "
        "and study files; give the spec alone",
        show(text, word).text);
  if (word < length)
    return far__fail(error, FAR_STATUS_SYNTAX, (int)word,
                     "unknown %s '%s'; a colon follows the name, as in '%s:%s=...'", what,
                     show(text, length).text, types[0]->name, types[0]->params[0].name);
  return unknown_name(what, text, length, 0, names, n_types, error);
}

static far_status find_param(const far_type_info *type, const char *text, size_t length,
                             int position, size_t *out, far_error *error) {
  const char *names[FAR__SPEC_PARAMS];
  for (size_t i = 0; i < type->n_params; ++i) {
    names[i] = type->params[i].name;
    if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
      *out = i;
      return FAR_OK;
    }
  }
  if (type->n_params == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, position, "%s has no keys", type->name);
  char what[LONGEST_NAME + 24];
  snprintf(what, sizeof what, "key of %s", type->name);
  return unknown_name(what, text, length, position, names, type->n_params, error);
}

/* Where another key begins within a wrong value, behind a separator that is no comma; `length` if nowhere. */
static size_t key_within(const far_type_info *type, const char *value, size_t length) {
  for (size_t at = 1; at < length; ++at) {
    if (strchr(":; &", value[at - 1]) == NULL) continue;
    for (size_t i = 0; i < type->n_params; ++i) {
      const char *name = type->params[i].name;
      const size_t n = strlen(name);
      if (at + n < length && memcmp(name, value + at, n) == 0 && value[at + n] == '=') return at;
    }
  }
  return length;
}

static far_status bad_value(const far_type_info *type, const far_param *p, const char *value,
                            size_t length, int position, far_error *error) {
  const size_t key = key_within(type, value, length);
  if (key < length)
    return far__fail(error, FAR_STATUS_SYNTAX, position + (int)key - 1,
                     "keys are separated by commas, as in '%s:%s=%s,%s'", type->name, p->name,
                     show(value, key - 1).text, show(value + key, length - key).text);
  char bounds[160];
  far__param_bounds(bounds, sizeof bounds, p);
  double x;
  const bool numeric = p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER;
  const bool number = numeric && far__real_parse(value, length, &x);
  const far_status code = number ? FAR_STATUS_RANGE : FAR_STATUS_SYNTAX;
  const char *kind = p->kind == FAR_PARAM_REAL ? "a number " : "";
  return far__fail(error, code, position, "%s=%s: %s must be %s%s", p->name,
                   show(value, length).text, p->name, kind, bounds);
}

/* A type without keys: all that follows the name and its colon is the value. */
static far_status parse_bare(far__spec *out, const char *text, size_t at, far_error *error) {
  const far_param *p = &out->type->params[0];
  const size_t length = strlen(text + at);
  if (length == 0)
    return far__fail(error, FAR_STATUS_SYNTAX, (int)at, "the %s is missing, as in '%s:%s'", p->name,
                     out->type->name, p->fallback);
  if (!store_value(p, text + at, length, out->values))
    return bad_value(out->type, p, text + at, length, (int)at, error);
  out->given = 1;
  out->position[0] = (int)at;
  return FAR_OK;
}

/* One key=value pair, text[at..end). */
static far_status parse_pair(far__spec *out, const char *text, size_t at, size_t end,
                             far_error *error) {
  const char *equals = memchr(text + at, '=', end - at);
  const size_t key_end = equals != NULL ? (size_t)(equals - text) : end;
  if (key_end == at)
    return far__fail(error, FAR_STATUS_SYNTAX, (int)at, "a key=value pair is missing here");
  size_t i = 0;
  const far_status status = find_param(out->type, text + at, key_end - at, (int)at, &i, error);
  if (status != FAR_OK) return status;
  const far_param *p = &out->type->params[i];
  if (equals == NULL || key_end + 1 == end) {
    char bounds[160];
    far__param_bounds(bounds, sizeof bounds, p);
    return far__fail(error, FAR_STATUS_SYNTAX, (int)end, "%s has no value; it must be %s", p->name,
                     bounds);
  }
  if (out->given >> i & 1u)
    return far__fail(error, FAR_STATUS_SYNTAX, (int)at, "%s is given twice", p->name);
  const char *value = equals + 1;
  const size_t length = end - key_end - 1;
  if (!store_value(p, value, length, out->values))
    return bad_value(out->type, p, value, length, (int)key_end + 1, error);
  out->given |= 1u << i;
  out->position[i] = (int)key_end + 1;
  return FAR_OK;
}

static _Atomic size_t parsed;

size_t far__spec_parsed(void) {
  return parsed;
}

void far__spec_bare(far__spec *out, const far_type_info *type, size_t index) {
  memset(out, 0, sizeof *out);
  out->type = type;
  out->index = index;
  for (size_t i = 0; i < type->n_params; ++i) {
    const far_param *p = &type->params[i];
    out->position[i] = -1;
    if (!p->derived) store_value(p, p->fallback, strlen(p->fallback), out->values);
  }
}

far_status far__spec_parse(far__spec *out, const char *text, const char *what,
                           const far_type_info *const *types, size_t n_types, far_error *error) {
  memset(out, 0, sizeof *out);
  atomic_fetch_add_explicit(&parsed, 1, memory_order_relaxed);
  const size_t length = strlen(text);
  if (length >= FAR__SPEC_TEXT)
    return far__fail(error, FAR_STATUS_SYNTAX, FAR__SPEC_TEXT, "a spec has at most %d characters",
                     FAR__SPEC_TEXT - 1);
  const size_t name = strcspn(text, ":");
  const far_status status = find_type(out, text, name, what, types, n_types, error);
  if (status != FAR_OK) return status;
  far__spec_bare(out, out->type, out->index);
  if (out->type->bare) return parse_bare(out, text, name + (text[name] == ':'), error);
  for (size_t at = name; at < length;) { /* text[at] is ':' or ',' */
    const size_t end = at + 1 + strcspn(text + at + 1, ",");
    const far_status pair = parse_pair(out, text, at + 1, end, error);
    if (pair != FAR_OK) return pair;
    at = end;
  }
  return FAR_OK;
}

/* ---- after parsing ---- */

/* The parameter stored at an offset, or n_params if the type does not have it. */
static size_t index_at(const far__spec *spec, size_t offset) {
  size_t i = 0;
  while (i < spec->type->n_params && spec->type->params[i].offset != offset) ++i;
  return i;
}

bool far__spec_given(const far__spec *spec, size_t offset) {
  const size_t i = index_at(spec, offset);
  return i < spec->type->n_params && (spec->given >> i & 1u);
}

bool far__spec_word_is(const far__spec *spec, size_t offset, const char *word) {
  const far_param *p = &spec->type->params[index_at(spec, offset)];
  int32_t choice;
  memcpy(&choice, spec->values + offset, sizeof choice);
  return p->kind == FAR_PARAM_CHOICE && choice == choice_index(p->choices, word, strlen(word));
}

size_t far__spec_later(const far__spec *spec, size_t offset, size_t other) {
  return spec->position[index_at(spec, offset)] > spec->position[index_at(spec, other)] ? offset
                                                                                        : other;
}

void far__spec_hide(far__spec *spec, size_t offset) {
  spec->hidden |= 1u << index_at(spec, offset);
}

/* The position in the text of the key of a given parameter; `position` has that of its value. */
static int key_position(const far__spec *spec, size_t i) {
  const int before = spec->type->bare ? 0 : (int)strlen(spec->type->params[i].name) + 1;
  return spec->position[i] - before;
}

far_status far__spec_refuse(far__spec *spec, size_t offset, const char *why, far_error *error) {
  const size_t i = index_at(spec, offset);
  far__spec_hide(spec, offset);
  if (!(spec->given >> i & 1u)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, key_position(spec, i), "%s does not apply: %s",
                   spec->type->params[i].name, why);
}

far_status far__spec_needs(far__spec *spec, size_t offset, const char *with, far_error *error) {
  const size_t i = index_at(spec, offset);
  const char *type = spec->type->name, *key = spec->type->params[i].name;
  far__spec_hide(spec, offset);
  if (!(spec->given >> i & 1u)) return FAR_OK;
  char value[FAR_TEXT_SIZE];
  print_value(value, &spec->type->params[i], spec->values);
  return far__fail(error, FAR_STATUS_CONFLICT, key_position(spec, i),
                   "%s applies only with %s, as in %s:%s,%s=%.100s", key, with, type, with, key,
                   value);
}

far_status far__spec_check(const far__spec *spec, far_error *error) {
  for (size_t i = 0; i < spec->type->n_params; ++i) {
    const far_param *p = &spec->type->params[i];
    const bool numeric = p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER;
    if (!numeric || (spec->hidden >> i & 1u)) continue;
    if (in_bounds(p, numeric_value(p, spec->values))) continue;
    char value[FAR_TEXT_SIZE], bounds[160];
    print_value(value, p, spec->values);
    far__param_bounds(bounds, sizeof bounds, p);
    return far__fail(
        error, FAR_STATUS_RANGE, spec->position[i],
        "%s is derived as %s (%s), but must be %s; give it, or what it is derived from", p->name,
        value, p->fallback, bounds);
  }
  return FAR_OK;
}

far_status far__spec_fail(const far__spec *spec, size_t offset, far_error *error,
                          const char *format, ...) {
  char message[sizeof error->message];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return far__fail(error, FAR_STATUS_CONFLICT, spec->position[index_at(spec, offset)], "%s",
                   message);
}

size_t far__spec_pair(char out[FAR__PAIR_SIZE], const far__spec *spec, size_t i) {
  const far_param *p = &spec->type->params[i];
  const bool bare = spec->type->bare;
  char value[FAR_TEXT_SIZE];
  print_value(value, p, spec->values);
  return (size_t)snprintf(out, FAR__PAIR_SIZE, "%s%s%s", bare ? "" : p->name, bare ? "" : "=",
                          value);
}

far_status far__spec_format(char out[FAR__SPEC_TEXT], const far__spec *spec, far_error *error) {
  size_t used = (size_t)snprintf(out, FAR__SPEC_TEXT, "%s", spec->type->name);
  char separator = ':', pair[FAR__PAIR_SIZE];
  for (size_t i = 0; i < spec->type->n_params; ++i) {
    if (spec->hidden >> i & 1u) continue;
    far__spec_pair(pair, spec, i);
    used += (size_t)snprintf(out + used, FAR__SPEC_TEXT - used, "%c%s", separator, pair);
    if (used >= FAR__SPEC_TEXT)
      return far__fail(error, FAR_STATUS_RANGE, -1, "the spec of %s is too long when written out",
                       spec->type->name);
    separator = ',';
  }
  return FAR_OK;
}

/* ---- a spec as a value ---- */

static size_t value_size(far_param_kind kind) {
  switch (kind) {
  case FAR_PARAM_REAL: return sizeof(double);
  case FAR_PARAM_INTEGER: return sizeof(int64_t);
  case FAR_PARAM_CHOICE: return sizeof(int32_t);
  default: return FAR_TEXT_SIZE;
  }
}

void far__spec_give(far__spec *out, size_t i, const far__spec *from) {
  const far_param *p = &out->type->params[i];
  memcpy(out->values + p->offset, from->values + p->offset, value_size(p->kind));
  out->given |= 1u << i;
}

void far__spec_give_word(far__spec *out, size_t i, int32_t choice) {
  memcpy(out->values + out->type->params[i].offset, &choice, sizeof choice);
  out->given |= 1u << i;
}

far_status far__spec_keep(far_spec **out, const far_spec *like, const far__spec *from,
                          const char *typed, far_error *error) {
  char canonical[FAR__SPEC_TEXT];
  *out = NULL;
  const far_status status = far__spec_format(canonical, from, error);
  if (status != FAR_OK) return status;
  far_spec *spec = malloc(sizeof *spec + like->size);
  if (spec != NULL) {
    *spec = *like;
    spec->type = from->type;
    spec->index = from->index;
    spec->given = from->given;
    spec->hidden = from->hidden;
    spec->typed = strdup(typed);
    spec->canonical = strdup(canonical);
    memcpy(spec->values, from->values, like->size);
    if (spec->typed != NULL && spec->canonical != NULL) {
      *out = spec;
      return FAR_OK;
    }
  }
  far_spec_free(spec);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
}

void far__spec_unpack(far__spec *out, const far_spec *spec) {
  memset(out, 0, sizeof *out);
  out->type = spec->type;
  out->index = spec->index;
  out->given = spec->given;
  out->hidden = spec->hidden;
  for (size_t i = 0; i < FAR__SPEC_PARAMS; ++i) out->position[i] = -1;
  memcpy(out->values, spec->values, spec->size);
}

void far_spec_free(far_spec *spec) {
  if (spec == NULL) return;
  free(spec->typed);
  free(spec->canonical);
  free(spec);
}

const far_type_info *far_spec_info(const far_spec *spec) {
  return spec->type;
}

const char *far_spec_typed(const far_spec *spec) {
  return spec->typed;
}

const char *far_spec_canonical(const far_spec *spec) {
  return spec->canonical;
}
