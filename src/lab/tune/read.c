/* Reading the space of a search: specs with brackets, and the ranges of an agent that has none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/spec.h"
#include "farsight/base.h"
#include "lab/study/parts.h"
#include "lab/tune/space.h"

typedef struct reader {
  far__space *space;
  const char *text; /* the whole spec, for positions */
  far_error *error;
} reader;

typedef struct span {
  const char *at;
  size_t length;
} span;

static int position(const reader *r, const char *at) {
  return (int)(at - r->text);
}

static far_status no_memory(const reader *r) {
  return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for the space of the search");
}

static char *copy(span s) {
  char *out = malloc(s.length + 1);
  if (out == NULL) return NULL;
  memcpy(out, s.at, s.length);
  out[s.length] = '\0';
  return out;
}

static span trim(span s) {
  while (s.length > 0 && s.at[0] == ' ') s = (span){s.at + 1, s.length - 1};
  while (s.length > 0 && s.at[s.length - 1] == ' ') s.length -= 1;
  return s;
}

/* ---- values ---- */

static bool in_bounds(const far_param *p, double x) {
  return (p->min_open ? x > p->min : x >= p->min) && (p->max_open ? x < p->max : x <= p->max);
}

static far_status out_of_bounds(const reader *r, const far_param *p, span s) {
  char bounds[160];
  far__param_bounds(bounds, sizeof bounds, p);
  return far__fail(r->error, FAR_STATUS_RANGE, position(r, s.at), "%s = %.*s: must be %s", p->name,
                   (int)(s.length < 60 ? s.length : 60), s.at, bounds);
}

static far_status read_number(const reader *r, const far_param *p, span s, double *out) {
  int64_t n;
  bool good = p->kind == FAR_PARAM_INTEGER ? far__integer_parse(s.at, s.length, &n)
                                           : far__real_parse(s.at, s.length, out);
  if (good && p->kind == FAR_PARAM_INTEGER) *out = (double)n;
  return good && in_bounds(p, *out) ? FAR_OK : out_of_bounds(r, p, s);
}

static bool is_choice(const char *choices, span s) {
  for (const char *word = choices;;) {
    const size_t n = strcspn(word, "|");
    if (n == s.length && memcmp(word, s.at, n) == 0) return true;
    if (word[n] == '\0') return false;
    word += n + 1;
  }
}

static far_status check_value(const reader *r, const far_param *p, span s) {
  double x;
  if (p->kind == FAR_PARAM_CHOICE)
    return is_choice(p->choices, s) ? FAR_OK : out_of_bounds(r, p, s);
  if (p->kind == FAR_PARAM_TEXT) return FAR_OK;
  return read_number(r, p, s, &x);
}

static far_status too_many(const reader *r, const char *at) {
  return far__fail(r->error, FAR_STATUS_RANGE, position(r, at), "more than %d values",
                   FAR__TUNE_VALUES);
}

/* `at` is where an error is, in the spec. */
static far_status add_value(const reader *r, far__axis *a, span s, const char *at) {
  if (s.length == 0)
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, at), "a value is missing");
  if (a->n_values == FAR__TUNE_VALUES) return too_many(r, at);
  char **grown = realloc(a->values, (a->n_values + 1) * sizeof *grown);
  if (grown == NULL) return no_memory(r);
  a->values = grown;
  a->values[a->n_values] = copy(s);
  if (a->values[a->n_values] == NULL) return no_memory(r);
  a->n_values += 1;
  return FAR_OK;
}

/* ---- what stands in brackets ---- */

/* a,b,c or a|b|c */
static far_status read_list(const reader *r, far__axis *a, span s) {
  a->scale = FAR__SCALE_LIST;
  a->listed = true;
  for (const char *p = s.at, *end = s.at + s.length;; ++p) {
    const char *stop = p;
    while (stop < end && *stop != ',' && *stop != '|') ++stop;
    const span value = trim((span){p, (size_t)(stop - p)});
    far_status status = add_value(r, a, value, value.at);
    if (status == FAR_OK) status = check_value(r, a->param, value);
    if (status != FAR_OK || stop == end) return status;
    p = stop;
  }
}

static far_status add_number(const reader *r, far__axis *a, double x, span at) {
  char text[FAR__NUMBER_SIZE];
  if (a->param->kind == FAR_PARAM_INTEGER) x = floor(x + 0.5);
  far__real_format(text, x);
  if (a->n_values > 0 && strcmp(text, a->values[a->n_values - 1]) == 0) return FAR_OK;
  const far_status status = add_value(r, a, (span){text, strlen(text)}, at.at);
  return status == FAR_OK && !in_bounds(a->param, x) ? out_of_bounds(r, a->param, at) : status;
}

/* low, low + step, ... up to high */
static far_status read_steps(const reader *r, far__axis *a, span s) {
  double step;
  if (!far__real_parse(s.at, s.length, &step) || !(step > 0))
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at),
                     "a step is a number above 0, as in [5..25 step 5]");
  if ((a->high - a->low) / step >= FAR__TUNE_VALUES) return too_many(r, s.at);
  far_status status = FAR_OK;
  for (int64_t i = 0; status == FAR_OK; ++i) {
    const double x = far__round4(a->low + (double)i * step);
    if (x > a->high + 1e-9 * fabs(a->high)) break;
    status = add_number(r, a, x, s);
  }
  return status;
}

/* so many numbers from low to high, evenly or evenly in their logarithms */
static far_status read_count(const reader *r, far__axis *a, span s) {
  int64_t n;
  if (!far__integer_parse(s.at, s.length, &n) || n < 2 || n > FAR__TUNE_VALUES)
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at),
                     "a number of values is 2 to %d, as in [1..100 log 5]", FAR__TUNE_VALUES);
  far_status status = FAR_OK;
  const double low = a->low, high = a->high;
  for (int64_t i = 0; status == FAR_OK && i < n; ++i) {
    const double u = (double)i / (double)(n - 1);
    const double x = a->scale == FAR__SCALE_LOG ? low * far_exp(u * far_log(high / low))
                                                : low + u * (high - low);
    status = add_number(r, a, i == 0 ? low : i == n - 1 ? high : far__round4(x), s);
  }
  return status;
}

static far_status check_scale(const reader *r, const far__axis *a, span s) {
  const int at = position(r, s.at);
  if (!(a->low < a->high))
    return far__fail(r->error, FAR_STATUS_RANGE, at,
                     "a range must go from the smaller to the larger value, as in [0.1..0.9]");
  if (a->scale == FAR__SCALE_LOG && !(a->low > 0))
    return far__fail(r->error, FAR_STATUS_RANGE, at, "with log a range must begin above 0");
  if (a->scale == FAR__SCALE_LOG && !(a->high / a->low < INFINITY))
    return far__fail(r->error, FAR_STATUS_RANGE, at,
                     "with log a range must not begin so near to 0: its end is %g", a->high);
  if (a->scale == FAR__SCALE_HORIZON && (!(a->high < 1) || a->param->kind == FAR_PARAM_INTEGER))
    return far__fail(r->error, FAR_STATUS_RANGE, at,
                     "horizon is for numbers that end below 1, as in [0.5..0.999 horizon]");
  if (!(a->high < INFINITY))
    return far__fail(r->error, FAR_STATUS_RANGE, at, "a range must end at a finite number");
  return FAR_OK;
}

static bool begins(span s, const char *word) {
  const size_t n = strlen(word);
  return s.length >= n && memcmp(s.at, word, n) == 0 && (s.length == n || s.at[n] == ' ');
}

/* What follows a..b: how it is divided, and into how many values if not into all. */
static far_status read_scale(const reader *r, far__axis *a, span s, span range) {
  static const struct {
    const char *word;
    far__scale scale;
    far_status (*rest)(const reader *r, far__axis *a, span s); /* NULL: nothing may follow */
    bool must;                                                 /* something must */
  } words[] = {{"log", FAR__SCALE_LOG, read_count, false},
               {"horizon", FAR__SCALE_HORIZON, NULL, false},
               {"step", FAR__SCALE_LINEAR, read_steps, true},
               {"count", FAR__SCALE_LINEAR, read_count, true}};
  if (s.length == 0) return check_scale(r, a, range);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (!begins(s, words[i].word)) continue;
    const size_t n = strlen(words[i].word);
    const span rest = trim((span){s.at + n, s.length - n});
    a->scale = words[i].scale;
    const far_status status = check_scale(r, a, range);
    if (status != FAR_OK) return status;
    if (rest.length == 0 && !words[i].must) return FAR_OK;
    if (words[i].rest == NULL) break;
    const far_status listed = words[i].rest(r, a, rest);
    a->scale = FAR__SCALE_LIST;
    return listed;
  }
  return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at),
                   "after a range: log, horizon, step S, count N, log N, or nothing");
}

/* a..b [scale] */
static far_status read_range(const reader *r, far__axis *a, span s, const char *dots) {
  const char *end = s.at + s.length, *stop = dots + 2;
  while (stop < end && *stop == ' ') ++stop;
  while (stop < end && *stop != ' ') ++stop;
  if (a->param->kind != FAR_PARAM_REAL && a->param->kind != FAR_PARAM_INTEGER)
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at),
                     "%s is not a number; list its values, as in [%s]", a->param->name,
                     a->param->choices != NULL ? a->param->choices : "a,b");
  const span low = trim((span){s.at, (size_t)(dots - s.at)});
  const span high = trim((span){dots + 2, (size_t)(stop - dots - 2)});
  far_status status = read_number(r, a->param, low, &a->low);
  if (status == FAR_OK) status = read_number(r, a->param, high, &a->high);
  if (status != FAR_OK) return status;
  return read_scale(r, a, trim((span){stop, (size_t)(end - stop)}), s);
}

static const char *find_dots(span s) {
  for (size_t i = 0; i + 1 < s.length; ++i)
    if (s.at[i] == '.' && s.at[i + 1] == '.') return s.at + i;
  return NULL;
}

static far_status read_axis(const reader *r, far__pair *part, const far_param *param, span s) {
  far__space *space = r->space;
  if (space->n_axes == FAR__TUNE_KEYS)
    return far__fail(r->error, FAR_STATUS_RANGE, position(r, s.at),
                     "at most %d parameters can be searched at once", FAR__TUNE_KEYS);
  part->axis = space->n_axes;
  far__axis *a = &space->axes[space->n_axes++];
  *a = (far__axis){.param = param};
  const char *dots = find_dots(s);
  return dots != NULL ? read_range(r, a, s, dots) : read_list(r, a, s);
}

/* ---- the spec ---- */

static far_status find_param(const reader *r, const far_param **out, span key) {
  const far_type_info *type = r->space->type;
  const char *names[FAR__PAIRS];
  *out = far_type_param(type, key.at, key.length);
  if (*out != NULL) return FAR_OK;
  for (size_t i = 0; i < type->n_params && i < FAR__PAIRS; ++i) names[i] = type->params[i].name;
  const char *near = far__nearest(key.at, key.length, names, type->n_params);
  return far__fail(
      r->error, FAR_STATUS_UNKNOWN, position(r, key.at), "%s has no parameter '%.*s'%s%s%s",
      type->name, (int)(key.length < 60 ? key.length : 60), key.at,
      near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
}

static far_status read_part(const reader *r, span s) {
  far__space *space = r->space;
  const char *equals = memchr(s.at, '=', s.length);
  if (equals == NULL || equals == s.at || s.length == 0)
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at),
                     "expected key=value, as in m=5 or m=[1..100 log]");
  if (space->n_parts == FAR__PAIRS)
    return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at), "too many keys");
  const span key = {s.at, (size_t)(equals - s.at)};
  const span value = {equals + 1, s.length - key.length - 1};
  const far_param *param = NULL;
  const far_status status = find_param(r, &param, key);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < space->n_parts; ++i)
    if (strcmp(space->parts[i].key, param->name) == 0)
      return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, s.at), "%s is given twice",
                       param->name);
  far__pair *part = &space->parts[space->n_parts++];
  *part = (far__pair){.key = copy(key)};
  if (part->key == NULL) return no_memory(r);
  if (value.length > 1 && value.at[0] == '[' && value.at[value.length - 1] == ']')
    return read_axis(r, part, param, trim((span){value.at + 1, value.length - 2}));
  part->value = copy(value);
  return part->value != NULL ? FAR_OK : no_memory(r);
}

/* The end of a pair: a comma outside brackets, or the end; NULL if a bracket stays open. */
static const char *pair_end(const char *p) {
  int depth = 0;
  for (; *p != '\0' && (*p != ',' || depth > 0); ++p) depth += (*p == '[') - (*p == ']');
  return depth == 0 ? p : NULL;
}

static far_status read_parts(const reader *r, const char *p) {
  while (*p != '\0') { /* p is at ':' or ',' */
    const char *end = pair_end(p + 1);
    if (end == NULL)
      return far__fail(r->error, FAR_STATUS_SYNTAX, position(r, p + 1),
                       "brackets must be closed, as in m=[1..100 log]");
    const far_status status = read_part(r, (span){p + 1, (size_t)(end - p - 1)});
    if (status != FAR_OK) return status;
    p = end;
  }
  return FAR_OK;
}

/* Where no value is in brackets an agent's own parser knows best what is wrong with a spec. */
far_status far__space_read(far__space *out, const char *spec, far_error *error) {
  *out = (far__space){0};
  const reader r = {out, spec, error};
  const size_t name = strcspn(spec, ":");
  out->type = far_spec_type(far_agent_type, spec);
  if (out->type == NULL) {
    const far_shape shape = far_shape_default(2, 2);
    const far_status status = far_agent_check(spec, &shape, NULL, NULL, error);
    return status != FAR_OK ? status : far__fail(error, FAR_STATUS_UNKNOWN, 0, "no such agent");
  }
  const far_status status = read_parts(&r, spec + name);
  if (status != FAR_OK) far__space_free(out);
  return status;
}

/* ---- ranges of an agent that has none ---- */

/* Does a rule such as "3 eps1 sqrt(m)" name one of the numbers? */
static bool names_another(const char *rule, const far_type_info *type) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (const char *p = rule + strcspn(rule, letters); *p != '\0'; p += strcspn(p, letters)) {
    const size_t n = strspn(p, letters);
    for (size_t i = 0; i < type->n_params; ++i)
      if (type->params[i].kind != FAR_PARAM_CHOICE && strlen(type->params[i].name) == n &&
          memcmp(type->params[i].name, p, n) == 0)
        return true;
    p += n;
  }
  return false;
}

/* A decade to either side: in 1 - x where the value is a discount, in x elsewhere. */
static bool default_range(far__text *out, const far_param *p, double x) {
  const bool horizon = p->kind == FAR_PARAM_REAL && p->max == 1 && x > 0.5 && x < 1;
  double low = horizon ? 1 - 10 * (1 - x) : x / 10, high = horizon ? 1 - (1 - x) / 10 : x * 10;
  if (p->kind == FAR_PARAM_INTEGER && x >= p->max) return false; /* its default is "never" */
  if (horizon && low < 1e-9) low = 0;                            /* of 0.9, but for rounding */
  if (p->kind == FAR_PARAM_INTEGER) low = floor(low), high = floor(high);
  if (low < p->min || (p->kind == FAR_PARAM_INTEGER && low < 1))
    low = p->kind == FAR_PARAM_INTEGER && p->min < 1 ? 1 : p->min;
  if (high > p->max) high = p->max;
  if (high == p->max && p->max_open) high = x + (high - x) / 2;
  low = far__round4(low);
  high = horizon ? high : far__round4(high);
  const bool good = low < high && (horizon || low > 0) && (low > p->min || !p->min_open);
  if (!good) return false;
  far__text_format(out, ",%s=[%s..%s %s]", p->name, far__shortest(low).text,
                   far__shortest(high).text, horizon ? "horizon" : "log");
  return true;
}

/* Parameters that decide how exactly an agent computes and not what it does. A search would only find how
 * much error the score does not notice, at the price of a dimension. */
static bool is_numerical(const far_param *p) {
  static const char *const keys[] = {
      "tol", /* r-max, psrl and their kin: how near a plan's values are to the fixed point */
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (strcmp(keys[i], p->name) == 0) return true;
  return false;
}

static far_status nothing_to_search(const far__space *space, const char *spec, far_error *error) {
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "%s has nothing to search; put values in brackets, as in %s:KEY=[0.1..10 log] or "
      "KEY=[on,off]",
      spec, space->type->name);
}

static far_status choose_ranges(far__text *out, const far__space *space, const char *spec,
                                const far_agent *agent, far_error *error) {
  int found = 0;
  far__text_add(out, spec, strlen(spec));
  if (strchr(spec, ':') == NULL) far__text_add(out, ":", 1);
  for (size_t i = 0; i < space->type->n_params && found < FAR__TUNE_KEYS; ++i) {
    const far_param *p = &space->type->params[i];
    double x;
    if (far__spec_find(spec, p->name) != NULL) continue;
    if (far__spec_find(far_agent_spec(agent), p->name) == NULL) continue;
    if (!far_agent_param(agent, p->name, &x) || !(x > 0 && x < INFINITY)) continue;
    if (is_numerical(p)) continue;
    /* The problem says the discount; a search that is to vary it names it. */
    if (p->derived && strcmp(p->fallback, FAR__THE_PROBLEMS) == 0) continue;
    if (p->derived && names_another(p->fallback, space->type)) continue;
    found += default_range(out, p, x);
  }
  if (out->failed) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
  char *colon = strchr(out->bytes, ':');
  if (colon[1] == ',') memmove(colon + 1, colon + 2, strlen(colon + 2) + 1);
  return found > 0 ? FAR_OK : nothing_to_search(space, spec, error);
}

far_status far__tune_space(char **out, const char *spec, const far_shape *shape, far_error *error) {
  far__space space;
  far__text text = {0};
  far_agent *agent = NULL;
  *out = NULL;
  far_status status = far__space_read(&space, spec, error);
  if (status != FAR_OK) return status;
  if (space.n_axes > 0) {
    far__text_add(&text, spec, strlen(spec));
    if (text.failed) status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
  } else if (space.type->baseline) {
    status = nothing_to_search(&space, spec, error);
  } else {
    status = far_agent_create(&agent, spec, shape, 0, 0, error);
    if (status == FAR_OK) status = choose_ranges(&text, &space, spec, agent, error);
  }
  far_agent_free(agent);
  far__space_free(&space);
  if (status == FAR_OK)
    *out = text.bytes;
  else
    free(text.bytes);
  return status;
}
