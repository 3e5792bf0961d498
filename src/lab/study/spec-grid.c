#include "lab/study/spec-grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "lab/study/range.h"

bool far__is_range(const char *text, size_t length) {
  double x;
  size_t dots = 0;
  while (dots + 1 < length && !(text[dots] == '.' && text[dots + 1] == '.')) ++dots;
  const bool found = dots + 1 < length;
  while (dots > 0 && text[dots - 1] == ' ') --dots;
  return found && dots > 0 && far__real_parse(text, dots, &x);
}

/* ---- reading ---- */

typedef struct reader {
  far__grid *grid;
  const far_type_info *type;
  size_t most;
  far_error *error;
} reader;

static far_status add_value(reader *r, const char *text, size_t length, size_t at, bool verbatim) {
  far__grid *g = r->grid;
  if (!far__grow((void **)&g->values, g->n_values, &g->capacity, sizeof *g->values))
    return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for a grid");
  char *copy = strndup(text, length);
  if (copy == NULL) return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for a grid");
  g->values[g->n_values++] = (far__grid_value){copy, at, verbatim};
  return FAR_OK;
}

static far_status too_many(const reader *r, size_t at) {
  return far__fail(r->error, FAR_STATUS_RANGE, (int)at,
                   "the grid has more than %zu specs, the maximum", r->most);
}

static bool same_number(const char *x, const char *y) {
  double a, b;
  return far__real_parse(x, strlen(x), &a) && far__real_parse(y, strlen(y), &b) && a == b;
}

/* The values of a range; those that become the same when rounded to whole numbers count once, as 10
 * and 1e1 do, and the end is kept as it is written. */
static far_status add_range(reader *r, const far__grid_axis *axis, size_t at, size_t length,
                            bool whole) {
  far__range range;
  far_status status = far__range_parse(&range, r->grid->text + at, length, r->most, r->error);
  if (status != FAR_OK && r->error != NULL && r->error->position >= 0)
    r->error->position += (int)at;
  for (size_t i = 0; status == FAR_OK && i < range.count; ++i) {
    char text[FAR__NUMBER_SIZE + 128];
    far__range_value(text, &range, i, whole);
    const size_t n = r->grid->n_values;
    const bool again = whole && n > axis->first && same_number(r->grid->values[n - 1].text, text);
    if (again && i + 1 < range.count) continue;
    if (again) free(r->grid->values[--r->grid->n_values].text);
    if (r->grid->n_values - axis->first >= r->most) return too_many(r, at);
    status = add_value(r, text, strlen(text), at, false);
  }
  return status;
}

static far_status add_element(reader *r, const far__grid_axis *axis, const far_param *param,
                              size_t at, size_t end) {
  const char *text = r->grid->text;
  while (at < end && text[at] == ' ') ++at;
  while (end > at && text[end - 1] == ' ') --end;
  const bool words =
      param != NULL && (param->kind == FAR_PARAM_TEXT || param->kind == FAR_PARAM_CHOICE);
  if (at == end)
    return far__fail(
        r->error, FAR_STATUS_SYNTAX, (int)at,
        "a value is missing here; a grid is written [10,20,50] or [0.1..0.9 step 0.1]");
  if (!words && far__is_range(text + at, end - at))
    return add_range(r, axis, at, end - at, param != NULL && param->kind == FAR_PARAM_INTEGER);
  if (r->grid->n_values - axis->first >= r->most) return too_many(r, at);
  return add_value(r, text + at, end - at, at, true);
}

/* The values of text[open..close], both brackets included. */
static far_status add_values(reader *r, far__grid_axis *axis, size_t open, size_t close) {
  const char *text = r->grid->text;
  const far_param *param = far_type_param(r->type, text + axis->at, open - 1 - axis->at);
  axis->first = r->grid->n_values;
  far_status status = FAR_OK;
  for (size_t at = open + 1; status == FAR_OK && at <= close;) {
    size_t end = at;
    while (end < close && text[end] != ',') ++end;
    status = add_element(r, axis, param, at, end);
    at = end + 1;
  }
  axis->count = r->grid->n_values - axis->first;
  if (status != FAR_OK) return status;
  if (axis->count == 0 || r->grid->count > r->most / axis->count) return too_many(r, open);
  r->grid->count *= axis->count;
  return FAR_OK;
}

/* The pair that begins at text[at]; *at moves on to the comma behind it, or the end. */
static far_status add_pair(reader *r, size_t *at) {
  far__grid *g = r->grid;
  const char *text = g->text;
  if (g->n_axes == FAR__GRID_AXES)
    return far__fail(r->error, FAR_STATUS_SYNTAX, (int)*at, "more than %d key=value pairs",
                     FAR__GRID_AXES);
  far__grid_axis *axis = &g->axes[g->n_axes++];
  size_t end = *at + strcspn(text + *at, ",=");
  *axis = (far__grid_axis){.at = *at, .count = 1};
  if (text[end] != '=' || text[end + 1] != '[') {
    end += strcspn(text + end, ",");
    axis->length = end - *at;
    *at = end;
    return FAR_OK;
  }
  const size_t open = end + 1, close = open + strcspn(text + open, "]");
  axis->length = open - axis->at;
  if (text[close] == '\0')
    return far__fail(r->error, FAR_STATUS_SYNTAX, (int)open,
                     "the bracket is not closed, as in [10,20,50]");
  if (text[close + 1] != '\0' && text[close + 1] != ',')
    return far__fail(r->error, FAR_STATUS_SYNTAX, (int)close + 1,
                     "a comma must follow the bracket");
  *at = close + 1;
  return add_values(r, axis, open, close);
}

far_status far__grid_parse(far__grid *out, const char *text, const far_type_info *type, size_t most,
                           far_error *error) {
  reader r = {out, type, most, error};
  out->text = text;
  out->head = strcspn(text, ":");
  out->n_axes = out->n_values = out->capacity = 0;
  out->values = NULL;
  out->count = 1;
  if (text[out->head] == '\0') return FAR_OK;
  if (type != NULL && type->bare) { /* all that follows is the value, brackets too */
    out->axes[out->n_axes++] =
        (far__grid_axis){.at = out->head + 1, .length = strlen(text + out->head + 1), .count = 1};
    return FAR_OK;
  }
  for (size_t at = out->head;;) { /* text[at] is ':' or ',' */
    at += 1;
    const far_status status = add_pair(&r, &at);
    if (status != FAR_OK || text[at] == '\0') return status;
  }
}

void far__grid_free(far__grid *g) {
  for (size_t i = 0; i < g->n_values; ++i) free(g->values[i].text);
  free(g->values);
  g->values = NULL;
  g->n_values = 0;
}

/* ---- the specs ---- */

/* Which of its values each axis has in spec i; -1 where it is no grid. */
static void choose(const far__grid *g, size_t i, const far__grid_value *out[FAR__GRID_AXES]) {
  for (size_t k = g->n_axes; k-- > 0;) {
    const far__grid_axis *axis = &g->axes[k];
    const bool literal = g->text[axis->at + axis->length] != '[';
    out[k] = literal ? NULL : &g->values[axis->first + i % axis->count];
    i /= axis->count;
  }
}

char *far__grid_spec(const far__grid *g, size_t i) {
  far__text out = {0};
  const far__grid_value *values[FAR__GRID_AXES];
  choose(g, i, values);
  far__text_add(&out, g->text, g->head);
  for (size_t k = 0; k < g->n_axes; ++k) {
    far__text_add(&out, k ? "," : ":", 1);
    far__text_add(&out, g->text + g->axes[k].at, g->axes[k].length);
    if (values[k] != NULL) far__text_add(&out, values[k]->text, strlen(values[k]->text));
  }
  if (!out.failed) return out.bytes;
  free(out.bytes);
  return NULL;
}

char *far__grid_label(const far__grid *g, size_t i, const char *name, size_t length) {
  far__text out = {0};
  const far__grid_value *values[FAR__GRID_AXES];
  const char *separator = ":";
  choose(g, i, values);
  far__text_add(&out, name, length);
  for (size_t k = 0; k < g->n_axes; ++k) {
    if (values[k] == NULL || g->axes[k].count < 2) continue;
    far__text_add(&out, separator, 1);
    far__text_add(&out, g->text + g->axes[k].at, g->axes[k].length);
    far__text_add(&out, values[k]->text, strlen(values[k]->text));
    separator = ",";
  }
  if (!out.failed) return out.bytes;
  free(out.bytes);
  return NULL;
}

size_t far__grid_source(const far__grid *g, size_t i, size_t at) {
  const far__grid_value *values[FAR__GRID_AXES];
  choose(g, i, values);
  size_t begin = g->head; /* of the pair's separator, in the spec */
  if (at <= begin) return at;
  for (size_t k = 0; k < g->n_axes; ++k) {
    const far__grid_axis *axis = &g->axes[k];
    const size_t value = begin + 1 + axis->length;
    const size_t end = value + (values[k] != NULL ? strlen(values[k]->text) : 0);
    if (at < value || (values[k] == NULL && at <= end)) return axis->at + (at - begin - 1);
    if (at <= end) return values[k]->at + (values[k]->verbatim ? at - value : 0);
    begin = end;
  }
  return strlen(g->text);
}

size_t far__grid_difference(const far__grid *g, size_t i, size_t j) {
  const far__grid_value *x[FAR__GRID_AXES], *y[FAR__GRID_AXES];
  choose(g, i, x);
  choose(g, j, y);
  for (size_t k = 0; k < g->n_axes; ++k)
    if (y[k] != NULL && x[k] != y[k]) return y[k]->at;
  return 0;
}
