/* Canonical specs as somebody would have typed them. */
#include "questions/listing/label.h"

#include <math.h> /* only for NAN */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/shorten.h"
#include "base/spec.h"
#include "base/text.h"
#include "farsight/agent.h"
#include "farsight/base.h"
#include "farsight/mdp.h"

enum { MOST_KEYS = 64 };

/* "key=value" within a spec. */
typedef struct pair {
  const char *text;
  size_t length, key; /* of all, and of the key with its '=' */
} pair;

typedef struct parts {
  size_t name; /* its length */
  pair pairs[MOST_KEYS];
  size_t count;
} parts;

static bool split(parts *out, const char *spec) {
  out->name = strcspn(spec, ":");
  out->count = 0;
  const char *at = spec + out->name;
  while (*at != '\0') {
    ++at; /* ':' or ',' */
    const size_t length = strcspn(at, ","), key = strcspn(at, "=,");
    if (out->count == MOST_KEYS || key == length) return false;
    out->pairs[out->count++] = (pair){at, length, key + 1};
    at += length;
  }
  return true;
}

/* The label of what was read; of what this version reads otherwise, or not at all, the text itself. */
static far_status label(char out[FAR_SPEC_SIZE], const char *canonical, const far_spec *spec,
                        far_status status, far_error *error) {
  if (status == FAR_OK && strcmp(far_spec_canonical(spec), canonical) == 0)
    return far_spec_label(out, spec, error);
  snprintf(out, FAR_SPEC_SIZE, "%s", status == FAR_STATUS_MEMORY ? "" : canonical);
  return status == FAR_STATUS_MEMORY
             ? far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory while a spec was shortened")
             : FAR_OK;
}

far_status far__agent_label(char out[FAR_SPEC_SIZE], const char *canonical, const far_shape *shape,
                            far_error *error) {
  far_spec *spec;
  const far_status read = far_spec_of_agent(&spec, canonical, shape, NULL);
  const far_status status = label(out, canonical, spec, read, error);
  far_spec_free(spec);
  return status;
}

static bool has_pair(const parts *p, const pair *wanted) {
  for (size_t i = 0; i < p->count; ++i)
    if (p->pairs[i].length == wanted->length &&
        memcmp(p->pairs[i].text, wanted->text, wanted->length) == 0)
      return true;
  return false;
}

/* ---- of version 1.0 ---- */

/* Numerics of version 1.0, whose delayed family took a discount that follows the size of the problem and a run of 10,000
 * steps: its bare name is that today. */
enum { NUMERICS_1_0 = 2, N_DEFAULTS_1_0 = 2 };
static const char DEFAULTS_1_0[] = "gamma=short,steps=10000";

static bool had_these_defaults(const far_type_info *type) {
  const far_param *gamma = type != NULL ? far_type_param(type, "gamma", strlen("gamma")) : NULL;
  return gamma != NULL && gamma->word != NULL && strcmp(gamma->word, "short") == 0 &&
         far_type_param(type, "steps", strlen("steps")) != NULL;
}

/* The defaults, and one after the other what of the canonical spec they do not say; false if they cannot say it all. */
static bool by_old_defaults(char out[FAR_SPEC_SIZE], const char *canonical,
                            const far_shape *shape) {
  char resolved[FAR_SPEC_SIZE];
  parts all, now;
  const int n = (int)strcspn(canonical, ":");
  int used = snprintf(out, FAR_SPEC_SIZE, "%.*s:%s", n, canonical, DEFAULTS_1_0);
  if (!split(&all, canonical)) return false;
  for (size_t i = 0; used < FAR_SPEC_SIZE; ++i) {
    if (far_agent_resolve(resolved, out, shape, NULL) != FAR_OK) return false;
    if (strcmp(resolved, canonical) == 0) return true;
    if (!split(&now, resolved)) return false;
    while (i < all.count && has_pair(&now, &all.pairs[i])) ++i;
    if (i == all.count || strncmp(all.pairs[i].text, "gamma=", 6) == 0) return false;
    used += snprintf(out + used, FAR_SPEC_SIZE - (size_t)used, ",%.*s", (int)all.pairs[i].length,
                     all.pairs[i].text);
  }
  return false;
}

far_status far__agent_label_stored(char out[FAR_SPEC_SIZE], const char *canonical,
                                   const far_shape *shape, int numerics, far_error *error) {
  char old[FAR_SPEC_SIZE];
  parts now, then;
  const far_status status = far__agent_label(out, canonical, shape, error);
  if (status != FAR_OK || numerics != NUMERICS_1_0) return status;
  if (!had_these_defaults(far_spec_type(far_agent_type, canonical))) return status;
  if (by_old_defaults(old, canonical, shape) && split(&now, out) && split(&then, old) &&
      then.count <= now.count + N_DEFAULTS_1_0)
    memcpy(out, old, sizeof old);
  return FAR_OK;
}

far_status far__env_label(char out[FAR_SPEC_SIZE], const char *canonical, far_error *error) {
  far_spec *spec;
  const far_status read = far_spec_of_env(&spec, canonical, NAN, NULL);
  const far_status status = label(out, canonical, spec, read, error);
  far_spec_free(spec);
  return status;
}

/* ---- beside others ---- */

/* A label that is written with further keys: those of the canonical spec that are given, perhaps behind a preset. */
typedef struct task {
  const char *canonical;
  parts parts;
  bool given[MOST_KEYS];
  const char *preset; /* or NULL; ends at '|', ',' or '\0' */
} task;

/* The label as text; the number of its keys, or SIZE_MAX if it is too long. */
static size_t join(char out[FAR_SPEC_SIZE], const task *t) {
  size_t used = t->parts.name, keys = 0;
  if (used >= FAR_SPEC_SIZE) return SIZE_MAX; /* a name of an imported agent */
  memcpy(out, t->canonical, used);
  out[used] = '\0';
  if (t->preset != NULL) {
    used += (size_t)snprintf(out + used, FAR_SPEC_SIZE - used, ":preset=%.*s",
                             (int)strcspn(t->preset, "|,"), t->preset);
    ++keys;
  }
  for (size_t i = 0; i < t->parts.count && used < FAR_SPEC_SIZE; ++i) {
    if (!t->given[i]) continue;
    used += (size_t)snprintf(out + used, FAR_SPEC_SIZE - used, "%c%.*s", keys > 0 ? ',' : ':',
                             (int)t->parts.pairs[i].length, t->parts.pairs[i].text);
    ++keys;
  }
  return used < FAR_SPEC_SIZE ? keys : SIZE_MAX;
}

static bool has_key(const parts *p, const pair *wanted) {
  for (size_t i = 0; i < p->count; ++i)
    if (p->pairs[i].key == wanted->key && memcmp(p->pairs[i].text, wanted->text, wanted->key) == 0)
      return true;
  return false;
}

/* All pairs of a label but its preset are of the canonical spec: not so of a word in place of a number, "gamma=short". */
static bool is_of(const parts *given, const parts *canonical, bool preset) {
  for (size_t i = preset ? 1 : 0; i < given->count; ++i)
    if (!has_pair(canonical, &given->pairs[i])) return false;
  return true;
}

void far__label_distinguish(char out[FAR_SPEC_SIZE], const char *own, const char *canonical,
                            const char *const *others, size_t n_others) {
  static const char preset[] = ":preset=";
  task t = {.canonical = canonical};
  parts given;
  const char *at = own + strcspn(own, ":");
  snprintf(out, FAR_SPEC_SIZE, "%s", own);
  if (!split(&t.parts, canonical) || !split(&given, own) || !far__spec_same_type(own, canonical))
    return;
  if (strncmp(at, preset, sizeof preset - 1) == 0) t.preset = at + sizeof preset - 1;
  if (!is_of(&given, &t.parts, t.preset != NULL)) return;
  for (size_t i = 0; i < t.parts.count; ++i) t.given[i] = has_key(&given, &t.parts.pairs[i]);
  for (size_t k = 0; k < n_others; ++k) {
    if (!far__spec_same_type(own, others[k]) || !split(&given, others[k])) continue;
    for (size_t i = 0; i < t.parts.count; ++i)
      if (has_key(&given, &t.parts.pairs[i])) t.given[i] = true;
  }
  if (join(out, &t) == SIZE_MAX) snprintf(out, FAR_SPEC_SIZE, "%s", own);
}

/* All labels of the same type give this pair, too. */
static bool is_common(const pair *wanted, const char *own, const char *const *others,
                      size_t n_others) {
  parts given;
  for (size_t k = 0; k < n_others; ++k)
    if (far__spec_same_type(own, others[k]) && split(&given, others[k]) &&
        !has_pair(&given, wanted))
      return false;
  return true;
}

void far__label_brief(char out[FAR_SPEC_SIZE], const char *own, const char *const *others,
                      size_t n_others) {
  parts all;
  size_t left_out = 0;
  snprintf(out, FAR_SPEC_SIZE, "%s", own);
  if (!split(&all, own)) return;
  bool kept[MOST_KEYS];
  for (size_t i = 0; i < all.count; ++i) {
    kept[i] = !is_common(&all.pairs[i], own, others, n_others);
    left_out += !kept[i];
  }
  if (left_out == 0 || left_out == all.count) return; /* no keys, or alone of its type */
  size_t used = (size_t)snprintf(out, FAR_SPEC_SIZE, "%.*s:…", (int)all.name, own);
  const char *separator = "";
  for (size_t i = 0; i < all.count && used < FAR_SPEC_SIZE; ++i) {
    if (!kept[i]) continue;
    used += (size_t)snprintf(out + used, FAR_SPEC_SIZE - used, "%s%.*s", separator,
                             (int)all.pairs[i].length, all.pairs[i].text);
    separator = ",";
  }
}

/* ---- in columns ---- */

static double columns_of(const char *text, size_t length, const void *user) {
  (void)user;
  return far__text_width(text, length);
}

far_status far__labels_cut(char **out, const char *const *labels, size_t n, int columns,
                           far_error *error) {
  bool good = far__shorten(out, labels, n, columns, columns_of, NULL);
  for (size_t i = 0; i < n && good; ++i) {
    if (out[i] == NULL) out[i] = strdup(labels[i]);
    good = out[i] != NULL;
  }
  if (good) return FAR_OK;
  for (size_t i = 0; i < n; ++i) {
    free(out[i]);
    out[i] = NULL;
  }
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for labels");
}

/* ---- series ---- */

void far__series_label(char out[FAR_SPEC_SIZE], const char *series) {
  const char *at = strrchr(series, '@');
  const size_t length = at != NULL ? (size_t)(at - series) : strlen(series);
  const bool total =
      length == 5 && (memcmp(series, "total", length) == 0 || memcmp(series, "curve", length) == 0);
  const char *colon = memchr(series, ':', length);
  const char *after = at != NULL ? " after " : "", *steps = at != NULL ? at + 1 : "",
             *unit = at != NULL ? " steps" : "";
  if (total)
    snprintf(out, FAR_SPEC_SIZE, "total reward%s%s%s", after, steps, unit);
  else if (colon == NULL)
    snprintf(out, FAR_SPEC_SIZE, "%.*s%s%s%s", (int)length, series, after, steps, unit);
  else
    snprintf(out, FAR_SPEC_SIZE, "%.*s (%.*s)%s%s%s", (int)(colon - series), series,
             (int)(series + length - colon - 1), colon + 1, after, steps, unit);
}
