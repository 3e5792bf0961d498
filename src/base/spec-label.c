/* The shortest spec that means the same as a given one: keys are left out as long as resolving fills in the same
 * values. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spec.h"

static const unsigned NEVER = UINT_MAX;

/* A spec being shortened, and the keys that the shorter one gives. */
typedef struct task {
  const far_spec *spec;
  far__spec whole;
  uint32_t given;
  size_t preset; /* the parameter of that name, and the word that it is given; n_params: none */
  int32_t word;
  bool no_memory; /* a spec could not be filled in for want of memory */
} task;

static far__spec shorter(const task *t) {
  far__spec out;
  far__spec_bare(&out, t->whole.type, t->whole.index);
  for (size_t i = 0; i < t->whole.type->n_params; ++i)
    if (t->given >> i & 1u) far__spec_give(&out, i, &t->whole);
  if (t->preset < t->whole.type->n_params) far__spec_give_word(&out, t->preset, t->word);
  return out;
}

/* The shorter spec with defaults filled in; false if that fails. */
static bool resolve(far__spec *out, task *t) {
  *out = shorter(t);
  const far_status status = t->spec->resolve(out, t->spec, NULL);
  t->no_memory = t->no_memory || status == FAR_STATUS_MEMORY;
  return status == FAR_OK;
}

static bool is_hidden(const far__spec *spec, size_t i) {
  return spec->hidden >> i & 1u;
}

static bool agrees(const far__spec *x, const far__spec *y, size_t i) {
  char one[FAR__PAIR_SIZE], other[FAR__PAIR_SIZE];
  if (is_hidden(x, i) || is_hidden(y, i)) return is_hidden(x, i) == is_hidden(y, i);
  far__spec_pair(one, x, i);
  far__spec_pair(other, y, i);
  return strcmp(one, other) == 0;
}

/* Does the shorter spec resolve to the same values as the whole one? */
static bool stands_for(task *t) {
  far__spec now;
  bool same = resolve(&now, t);
  for (size_t i = 0; same && i < t->whole.type->n_params; ++i) same = agrees(&now, &t->whole, i);
  return same;
}

/* Gives the first key whose value differs without it; false if there is none. */
static bool give_next(task *t, const far__spec *now) {
  for (size_t i = 0; i < t->whole.type->n_params; ++i)
    if (!is_hidden(&t->whole, i) && !(t->given >> i & 1u) && !agrees(now, &t->whole, i)) {
      t->given |= 1u << i;
      return true;
    }
  return false;
}

/* Gives keys until the shorter spec resolves to the whole one, then takes back keys that a later one made unnecessary.
 * Returns the number of keys; NEVER if it cannot be done. */
static unsigned shorten(task *t) {
  far__spec now;
  for (t->given = 0; !stands_for(t);)
    if (!resolve(&now, t) || !give_next(t, &now)) return NEVER;
  for (size_t i = 0; i < t->whole.type->n_params; ++i) {
    if (!(t->given >> i & 1u)) continue;
    t->given ^= 1u << i;
    if (!stands_for(t)) t->given |= 1u << i;
  }
  unsigned count = t->preset < t->whole.type->n_params;
  for (uint32_t rest = t->given; rest != 0; rest &= rest - 1) ++count;
  return count;
}

static void print(char out[FAR_SPEC_SIZE], const task *t) {
  const far__spec spec = shorter(t);
  size_t used = (size_t)snprintf(out, FAR_SPEC_SIZE, "%s", spec.type->name);
  char pair[FAR__PAIR_SIZE], separator = ':';
  if (t->preset < spec.type->n_params) {
    far__spec_pair(pair, &spec, t->preset);
    used += (size_t)snprintf(out + used, FAR_SPEC_SIZE - used, "%c%s", separator, pair);
    separator = ',';
  }
  for (size_t i = 0; i < spec.type->n_params && used < FAR_SPEC_SIZE; ++i) {
    if (!(t->given >> i & 1u)) continue;
    far__spec_pair(pair, &spec, i);
    used += (size_t)snprintf(out + used, FAR_SPEC_SIZE - used, "%c%s", separator, pair);
    separator = ',';
  }
}

/* Prints the spec with each of the presets if that needs fewer keys than `best`. */
static void try_presets(char out[FAR_SPEC_SIZE], task *t, unsigned best) {
  const far_type_info *type = t->whole.type;
  t->preset = 0;
  while (t->preset < type->n_params && strcmp(type->params[t->preset].name, "preset") != 0)
    ++t->preset;
  if (t->preset == type->n_params) return;
  int32_t words = 1;
  for (const char *c = type->params[t->preset].choices; *c != '\0'; ++c) words += *c == '|';
  for (t->word = 0; best > 0 && t->word < words; ++t->word) {
    const unsigned keys = shorten(t);
    if (keys >= best) continue;
    best = keys;
    print(out, t);
  }
}

far_status far_spec_label(char out[FAR_SPEC_SIZE], const far_spec *spec, far_error *error) {
  task t = {.spec = spec, .preset = spec->type->n_params};
  far__spec_unpack(&t.whole, spec);
  snprintf(out, FAR_SPEC_SIZE, "%s", spec->canonical);
  if (spec->type->bare) return FAR_OK;
  const unsigned keys = shorten(&t);
  if (keys != NEVER) print(out, &t);
  try_presets(out, &t, keys);
  if (!t.no_memory) return FAR_OK;
  out[0] = '\0';
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory while a spec was shortened");
}
