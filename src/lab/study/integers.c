/* Lists of whole numbers, with the ranges that a study file has. */
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "lab/study/parts.h"
#include "lab/study/range.h"
#include "lab/study/spec-grid.h"

typedef struct list {
  int64_t *out;
  size_t count, most;
  const char *text;
  far_error *error;
} list;

static far_status add(list *l, int64_t x, const char *at) {
  if (l->count == l->most)
    return far__fail(l->error, FAR_STATUS_RANGE, (int)(at - l->text),
                     "there are more than %zu numbers, the maximum", l->most);
  l->out[l->count++] = x;
  return FAR_OK;
}

static far_status bad_element(const list *l, const char *at, size_t length) {
  return far__fail(l->error, FAR_STATUS_SYNTAX, (int)(at - l->text),
                   "'%.*s' must be a whole number (20) or a range of them (5..50 or 5..50 step 5)",
                   (int)(length < 60 ? length : 60), at);
}

/* Both ends of a range are the same number, which it then stands for. */
static bool is_single(const char *text, size_t length, int64_t *out) {
  const char *dots = strstr(text, "..");
  int64_t last;
  return far__integer_parse(text, (size_t)(dots - text), out) &&
         far__integer_parse(dots + 2, length - (size_t)(dots + 2 - text), &last) && *out == last;
}

static far_status add_range(list *l, const char *at, size_t length) {
  far__range range;
  int64_t x, last = 0;
  far_status status = far__range_parse(&range, at, length, l->most, l->error);
  if (status != FAR_OK && l->error != NULL) l->error->position = (int)(at - l->text);
  for (size_t i = 0; status == FAR_OK && i < range.count; ++i) {
    char value[FAR__NUMBER_SIZE + 128];
    far__range_value(value, &range, i, true);
    if (!far__integer_parse(value, strlen(value), &x)) return bad_element(l, at, length);
    if (i == 0 || x != last) status = add(l, x, at); /* numbers may be the same when rounded */
    last = x;
  }
  return status;
}

static far_status add_element(list *l, const char *at, size_t length) {
  int64_t x;
  while (length > 0 && at[length - 1] == ' ') --length;
  if (!far__is_range(at, length))
    return far__integer_parse(at, length, &x) ? add(l, x, at) : bad_element(l, at, length);
  const char *colon = memchr(at, ':', length);
  if (is_single(at, colon != NULL ? (size_t)(colon - at) : length, &x)) return add(l, x, at);
  return add_range(l, at, length);
}

far_status far__integers_parse(int64_t *out, size_t *count, size_t most, const char *text,
                               far_error *error) {
  list l = {.out = out, .most = most, .text = text, .error = error};
  const size_t length = strlen(text);
  const bool brackets = length > 1 && text[0] == '[' && text[length - 1] == ']';
  const char *end = text + length - brackets;
  far_status status = FAR_OK;
  for (const char *at = text + brackets; status == FAR_OK && at <= end;) {
    at += strspn(at, " ");
    size_t n = 0;
    while (at + n < end && at[n] != ',') ++n;
    status = add_element(&l, at, n);
    at += n + 1;
  }
  *count = l.count;
  return status;
}
