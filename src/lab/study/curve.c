#include "lab/study/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "farsight/base.h"
#include "lab/study/parts.h"
#include "lab/study/spec-grid.h"

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
                   "'100' or 'log 100', or the checkpoints, as in '10,100,1000' or '100..1000 step "
                   "100'",
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

/* A list that is being read. */
typedef struct listed {
  points *points;
  const char *text; /* the whole of it */
  far__length run;
  int64_t before;
  size_t count;
  bool cut; /* leave out what is beyond the run */
  far_error *error;
} listed;

static far_status add_step(listed *l, int64_t step, const char *at) {
  if (++l->count > FAR__MOST_CHECKPOINTS) return bad_curve(l->text, l->error);
  if (step <= l->before)
    return far__fail(l->error, FAR_STATUS_RANGE, (int)(at - l->text),
                     "checkpoint %lld after %lld; checkpoints must be above 0 and grow",
                     (long long)step, (long long)l->before);
  if (step > l->run.length && !l->cut)
    return far__fail(l->error, FAR_STATUS_RANGE, (int)(at - l->text),
                     "checkpoint %lld is beyond the run's %lld %s", (long long)step,
                     (long long)l->run.length, l->run.unit);
  l->before = step;
  return step <= l->run.length ? add(l->points, step, l->error) : FAR_OK;
}

/* Elements are a number, or a range as far__integers_parse reads it. */
static far_status add_range(listed *l, const char *at, size_t length) {
  char *text = strndup(at, length);
  int64_t *steps = malloc(FAR__MOST_CHECKPOINTS * sizeof *steps);
  size_t count = 0;
  far_status status = FAR_OK;
  if (text == NULL || steps == NULL)
    status = far__fail(l->error, FAR_STATUS_MEMORY, -1, "no memory for checkpoints");
  else
    status = far__integers_parse(steps, &count, FAR__MOST_CHECKPOINTS, text, l->error);
  if (status != FAR_OK && status != FAR_STATUS_MEMORY && l->error != NULL)
    l->error->position += (int)(at - l->text);
  for (size_t i = 0; i < count && status == FAR_OK; ++i) status = add_step(l, steps[i], at);
  free(text);
  free(steps);
  return status;
}

static far_status add_element(listed *l, const char *at, size_t length) {
  int64_t step;
  for (; length > 0 && *at == ' '; --length) ++at;
  while (length > 0 && at[length - 1] == ' ') --length;
  if (far__is_range(at, length)) return add_range(l, at, length);
  return far__integer_parse(at, length, &step) ? add_step(l, step, at)
                                               : bad_curve(l->text, l->error);
}

/* "1000," is one checkpoint; brackets around a list do no harm. */
static far_status add_list(listed *l) {
  const size_t length = strlen(l->text);
  const bool brackets = l->text[0] == '[' && l->text[length - 1] == ']';
  const char *end = l->text + length - brackets, *at = l->text + brackets;
  far_status status = FAR_OK;
  do {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const size_t n = (size_t)((comma != NULL ? comma : end) - at);
    status = add_element(l, at, n);
    at += n + 1;
  } while (status == FAR_OK && at < end);
  return status;
}

static far_status add_all(points *p, const char *text, far__length run, bool cut,
                          far_error *error) {
  const bool logarithmic = strncmp(text, "log ", 4) == 0;
  const char *number = text + (logarithmic ? 4 + strspn(text + 4, " ") : 0);
  int64_t n;
  if (!logarithmic && (text[0] == '[' || strchr(text, ',') != NULL || strstr(text, "..") != NULL))
    return add_list(&(listed){.points = p, .text = text, .run = run, .cut = cut, .error = error});
  if (!far__integer_parse(number, strlen(number), &n) || n < 1 || n > FAR__MOST_CHECKPOINTS)
    return bad_curve(text, error);
  return add_spread(p, n, logarithmic, run.length, error);
}

far_status far__curve_parse(int64_t **out, size_t *count, const char *text, far__length run,
                            bool cut, far_error *error) {
  points p = {0};
  far_status status = add_all(&p, text, run, cut, error);
  if (status == FAR_OK) status = add(&p, run.length, error);
  *out = status == FAR_OK ? p.at : NULL;
  *count = status == FAR_OK ? p.count : 0;
  if (status != FAR_OK) free(p.at);
  return status;
}

far_status far__curve_checkpoints(int64_t **out, size_t *count, const char *text, int64_t steps,
                                  far_error *error) {
  return far__curve_parse(out, count, text, (far__length){steps, "steps"}, false, error);
}
