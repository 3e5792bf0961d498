#include "lab/tune/space.h"

#include <math.h> /* floor, which is exact; INFINITY */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "farsight/base.h"

/* ---- from a coordinate to a value ---- */

double far__round4(double x) {
  char text[64];
  snprintf(text, sizeof text, "%.3e", x);
  return strtod(text, NULL); /* in the locale that wrote it */
}

/* x in (0, 1), with as many decimals as give 1 - x four significant digits */
static double round_horizon(double x) {
  char text[64];
  snprintf(text, sizeof text, "%.3e", 1 - x);
  const char *exponent = strchr(text, 'e');
  const long decimals = 3 - strtol(exponent != NULL ? exponent + 1 : "0", NULL, 10);
  snprintf(text, sizeof text, "%.*f", (int)(decimals < 3 ? 3 : decimals > 17 ? 17 : decimals), x);
  return strtod(text, NULL);
}

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

/* Whole numbers of a range share it evenly: each has the interval that begins with it. */
static double whole_value(const far__axis *a, double u) {
  const double end = a->high + 1;
  const double x = a->scale == FAR__SCALE_LOG ? a->low * far_exp(u * far_log(end / a->low))
                                              : a->low + u * (end - a->low);
  return clamp(floor(x), a->low, a->high);
}

static double real_value(const far__axis *a, double u) {
  switch (a->scale) {
  case FAR__SCALE_LOG: return far__round4(a->low * far_exp(u * far_log(a->high / a->low)));
  case FAR__SCALE_HORIZON:
    return round_horizon(1 - (1 - a->low) * far_exp(u * far_log((1 - a->high) / (1 - a->low))));
  default: return far__round4(a->low + u * (a->high - a->low));
  }
}

static size_t list_index(const far__axis *a, double u) {
  const double at = clamp(floor(u * (double)a->n_values), 0, (double)(a->n_values - 1));
  return (size_t)at;
}

far__value_text far__axis_value(const far__axis *a, double u) {
  far__value_text out;
  if (a->scale == FAR__SCALE_LIST) {
    snprintf(out.text, sizeof out.text, "%s", a->values[list_index(a, u)]);
    return out;
  }
  const bool whole = a->param->kind == FAR_PARAM_INTEGER;
  const double x = whole ? whole_value(a, u) : clamp(real_value(a, u), a->low, a->high);
  far__real_format(out.text, x);
  return out;
}

/* ---- values that can be counted ---- */

double far__axis_count(const far__axis *a) {
  if (a->scale == FAR__SCALE_LIST) return (double)a->n_values;
  return a->param->kind == FAR_PARAM_INTEGER ? a->high - a->low + 1 : INFINITY;
}

/* In the middle of the interval that a value has. */
double far__axis_at(const far__axis *a, int64_t i) {
  const double middle = (double)i + 0.5;
  return a->scale == FAR__SCALE_LOG
             ? far_log((a->low + middle) / a->low) / far_log((a->high + 1) / a->low)
             : middle / far__axis_count(a);
}

double far__space_count(const far__space *space) {
  double count = 1;
  for (size_t k = 0; k < space->n_axes; ++k) count *= far__axis_count(&space->axes[k]);
  return count;
}

/* ---- from a point to a spec ---- */

const char *far__spec_find(const char *spec, const char *key) {
  const size_t length = strlen(key);
  for (const char *p = strchr(spec, ':'); p != NULL; p = strchr(p, ',')) {
    p += 1;
    if (strncmp(p, key, length) == 0 && p[length] == '=') return p;
  }
  return NULL;
}

static void add_pair(far__text *out, char *joint, const char *key, const char *value) {
  far__text_add(out, joint, 1);
  far__text_add(out, key, strlen(key));
  far__text_add(out, "=", 1);
  far__text_add(out, value, strlen(value));
  *joint = ',';
}

static void add_with(far__text *out, char joint, const char *with) {
  if (with == NULL || with[0] == '\0') return;
  far__text_add(out, &joint, 1);
  far__text_add(out, with, strlen(with));
}

void far__space_spec(far__text *out, const far__space *space, const double *u, const char *with) {
  char joint = ':';
  far__text_add(out, space->type->name, strlen(space->type->name));
  for (size_t i = 0; i < space->n_parts; ++i) {
    const far__pair *p = &space->parts[i];
    if (p->value != NULL) {
      add_pair(out, &joint, p->key, p->value);
      continue;
    }
    if (u[p->axis] != u[p->axis]) continue;
    const far__value_text value = far__axis_value(&space->axes[p->axis], u[p->axis]);
    add_pair(out, &joint, p->key, value.text);
  }
  add_with(out, joint, with);
}

void far__space_plain(far__text *out, const far__space *space, const char *with) {
  char joint = ':';
  far__text_add(out, space->type->name, strlen(space->type->name));
  for (size_t i = 0; i < space->n_parts; ++i)
    if (space->parts[i].value != NULL)
      add_pair(out, &joint, space->parts[i].key, space->parts[i].value);
  add_with(out, joint, with);
}

void far__space_free(far__space *space) {
  for (size_t i = 0; i < space->n_parts; ++i) {
    free(space->parts[i].key);
    free(space->parts[i].value);
  }
  for (size_t i = 0; i < space->n_axes; ++i) {
    for (size_t k = 0; k < space->axes[i].n_values; ++k) free(space->axes[i].values[k]);
    free(space->axes[i].values);
  }
  *space = (far__space){0};
}
