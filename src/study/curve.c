#include "study/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/math.h"
#include "farsight/number.h"
#include "farsight/study.h"

typedef struct points {
  int64_t *at;
  size_t count, capacity;
} points;

/* Adds a checkpoint unless it is there already; they come in ascending order. */
static far_status add(points *p, int64_t step, far_error *error) {
  if (p->count > 0 && p->at[p->count - 1] >= step) return FAR_OK;
  if (!far__grow((void **)&p->at, p->count, &p->capacity, sizeof *p->at))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for checkpoints");
  p->at[p->count++] = step;
  return FAR_OK;
}

static far_status bad_curve(const char *text, far_error *error) {
  return far__fail(error, FAR_STATUS_SYNTAX, 0,
                   "'%.60s' is no curve: it must be a number of checkpoints from 1 to %d, as in "
                   "'100' or 'log 100', or the checkpoints, as in '10,100,1000'",
                   text, (int)FAR__MOST_CHECKPOINTS);
}

/* n checkpoints; i = n is the last step. Logarithmic ones begin at 1. */
static far_status add_spread(points *p, int64_t n, bool logarithmic, int64_t steps,
                             far_error *error) {
  far_status status = FAR_OK;
  for (int64_t i = 1; i < n && status == FAR_OK; ++i) {
    const double x = logarithmic
                         ? far_exp(far_log((double)steps) * (double)(i - 1) / (double)(n - 1))
                         : (double)steps * (double)i / (double)n;
    const int64_t step = (int64_t)(x + 0.5);
    if (step >= 1 && step < steps) status = add(p, step, error);
  }
  return status;
}

static far_status add_list(points *p, const char *text, int64_t steps, bool cut, far_error *error) {
  int64_t before = 0;
  size_t n = 0;
  for (const char *word = text;; word += 1) {
    size_t length = strcspn(word, ",");
    const char *end = word + length;
    int64_t step;
    for (; length > 0 && *word == ' '; --length) ++word;
    while (length > 0 && word[length - 1] == ' ') --length;
    if (!far_integer_parse(word, length, &step) || ++n > FAR__MOST_CHECKPOINTS)
      return bad_curve(text, error);
    if (step <= before)
      return far__fail(error, FAR_STATUS_RANGE, (int)(word - text),
                       "checkpoint %lld after %lld; checkpoints must be above 0 and grow",
                       (long long)step, (long long)before);
    if (step > steps && !cut)
      return far__fail(error, FAR_STATUS_RANGE, (int)(word - text),
                       "checkpoint %lld is beyond the run's %lld steps", (long long)step,
                       (long long)steps);
    if (step <= steps && add(p, step, error) != FAR_OK) return FAR_STATUS_MEMORY;
    before = step;
    word = end;
    if (word[0] == '\0' || word[1] == '\0') return FAR_OK; /* "1000," is one checkpoint */
  }
}

static far_status add_all(points *p, const char *text, int64_t steps, bool cut, far_error *error) {
  const bool logarithmic = strncmp(text, "log ", 4) == 0;
  const char *number = text + (logarithmic ? 4 + strspn(text + 4, " ") : 0);
  int64_t n;
  if (!logarithmic && strchr(text, ',') != NULL) return add_list(p, text, steps, cut, error);
  if (!far_integer_parse(number, strlen(number), &n) || n < 1 || n > FAR__MOST_CHECKPOINTS)
    return bad_curve(text, error);
  return add_spread(p, n, logarithmic, steps, error);
}

far_status far__curve_parse(int64_t **out, size_t *count, const char *text, int64_t steps, bool cut,
                            far_error *error) {
  points p = {0};
  far_status status = add_all(&p, text, steps, cut, error);
  if (status == FAR_OK) status = add(&p, steps, error);
  *out = status == FAR_OK ? p.at : NULL;
  *count = status == FAR_OK ? p.count : 0;
  if (status != FAR_OK) free(p.at);
  return status;
}

far_status far_curve_checkpoints(int64_t **out, size_t *count, const char *text, int64_t steps,
                                 far_error *error) {
  return far__curve_parse(out, count, text, steps, false, error);
}
