/* Specs as text: what a spec names and gives, and how to add to it. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spec.h"
#include "farsight/base.h"

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

const far_type_info *far_spec_type(far_listing *listing, const char *spec) {
  const size_t length = strcspn(spec, ":");
  for (size_t i = 0; listing(i) != NULL; ++i)
    if (is_name(listing(i)->name, spec, length)) return listing(i);
  return NULL;
}

bool far__spec_same_type(const char *spec, const char *other) {
  const size_t length = strcspn(spec, ":");
  return length == strcspn(other, ":") && memcmp(spec, other, length) == 0;
}

const far_param *far_type_param(const far_type_info *type, const char *key, size_t length) {
  for (size_t i = 0; type != NULL && i < type->n_params; ++i)
    if (is_name(type->params[i].name, key, length)) return &type->params[i];
  return NULL;
}

const char *far_spec_value(const char *spec, const char *key, size_t *length) {
  const size_t n = strlen(key);
  for (const char *p = strchr(spec, ':'); p != NULL; p = strchr(p, ',')) {
    p += 1;
    if (strncmp(p, key, n) != 0 || p[n] != '=') continue;
    *length = strcspn(p + n + 1, ",");
    return p + n + 1;
  }
  return NULL;
}

far_status far_spec_with(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                         const char *value, far_error *error) {
  size_t length;
  const char *old = far_spec_value(spec, key, &length), *colon = strchr(spec, ':');
  const char *joint = colon == NULL ? ":" : colon[1] == '\0' ? "" : ",";
  const int n = old != NULL ? snprintf(out, FAR_SPEC_SIZE, "%.*s%s%s", (int)(old - spec), spec,
                                       value, old + length)
                            : snprintf(out, FAR_SPEC_SIZE, "%s%s%s=%s", spec, joint, key, value);
  if (n >= 0 && n < FAR_SPEC_SIZE) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "with %.40s a spec is longer than %d characters",
                   key, FAR_SPEC_SIZE - 1);
}

far_status far__spec_without(char out[FAR_SPEC_SIZE], const char *spec, const char *key,
                             far_error *error) {
  size_t length = 0;
  const char *value = far_spec_value(spec, key, &length);
  if (strlen(spec) >= FAR_SPEC_SIZE)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a spec has at most %d characters",
                     FAR_SPEC_SIZE - 1);
  if (value == NULL) {
    snprintf(out, FAR_SPEC_SIZE, "%s", spec);
    return FAR_OK;
  }
  const char *before = value - strlen(key) - 2, *rest = value + length; /* before is ':' or ',' */
  if (*before == ':' && *rest == ',') { /* the next pair follows the colon */
    before += 1;
    rest += 1;
  }
  snprintf(out, FAR_SPEC_SIZE, "%.*s%s", (int)(before - spec), spec, rest);
  return FAR_OK;
}
