#include "lab/study/range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "farsight/base.h"

enum { LONGEST = 100 }; /* of a number */

static size_t find_dots(const char *text, size_t length) {
  size_t at = 0;
  while (at + 1 < length && !(text[at] == '.' && text[at + 1] == '.')) ++at;
  return at + 1 < length ? at : length;
}

static bool finite_number(const char *text, size_t length, double *out) {
  return length <= LONGEST && far__real_parse(text, length, out) && *out - *out == 0;
}

static size_t skip_spaces(const char *text, size_t at, size_t length) {
  while (at < length && text[at] == ' ') ++at;
  return at;
}

static size_t word_end(const char *text, size_t at, size_t length) {
  while (at < length && text[at] != ' ') ++at;
  return at;
}

/* Where the second number ends: "5..50:5" is short for "5..50 step 5". */
static size_t number_end(const char *text, size_t at, size_t length) {
  while (at < length && text[at] != ' ' && text[at] != ':') ++at;
  return at;
}

static far_status bad_form(size_t at, far_error *error) {
  return far__fail(error, FAR_STATUS_SYNTAX, (int)at,
                   "a range is '1..5', '5..25 step 5', '0.001..0.1 log 5' or '0..1 count 11'");
}

/* So many values that the last is not beyond the end by more than rounding. */
static far_status count_steps(far__range *r, size_t most, far_error *error) {
  if (!(r->step > 0)) return far__fail(error, FAR_STATUS_RANGE, 0, "a step must be above 0");
  const double steps = (r->to - r->from) / r->step + 1e-9;
  if (!(steps < (double)most))
    return far__fail(error, FAR_STATUS_RANGE, 0, "a range of %.3g values; at most %zu are possible",
                     steps + 1, most);
  r->count = (size_t)steps + 1;
  return FAR_OK;
}

static far_status read_count(far__range *r, const char *text, size_t length, size_t most,
                             far_error *error) {
  int64_t n;
  if (!far__integer_parse(text, length, &n) || n < 2 || (uint64_t)n > most)
    return far__fail(error, FAR_STATUS_RANGE, 0,
                     "a range has a whole number of values from 2 to %zu", most);
  if (r->kind == FAR__RANGE_LOG && !(r->from > 0))
    return far__fail(error, FAR_STATUS_RANGE, 0, "a logarithmic range must begin above 0");
  r->count = (size_t)n;
  return FAR_OK;
}

/* What follows the ends: nothing, or a word and a number. */
static far_status read_rest(far__range *r, const char *text, size_t at, size_t length, size_t most,
                            far_error *error) {
  static const char *const words[] = {"step", "log", "count"};
  double step;
  if (at == length) {
    r->step = 1;
    if (r->from != (double)(int64_t)r->from || r->to != (double)(int64_t)r->to)
      return far__fail(error, FAR_STATUS_SYNTAX, 0,
                       "give the division of the range, as in '0.1..0.9 step 0.1', "
                       "'0.001..0.1 log 5' or '0..1 count 11'");
    return count_steps(r, most, error);
  }
  const bool colon = text[at] == ':';
  const size_t end = colon ? at + 1 : word_end(text, at, length);
  const size_t number = skip_spaces(text, end, length);
  int kind = 0;
  while (!colon && kind < 3 &&
         (strlen(words[kind]) != end - at || memcmp(words[kind], text + at, end - at) != 0))
    ++kind;
  if (kind == 3 || number == length) return bad_form(at, error);
  r->kind = kind;
  if (kind != FAR__RANGE_STEP) return read_count(r, text + number, length - number, most, error);
  if (!finite_number(text + number, length - number, &step)) return bad_form(number, error);
  r->step = step;
  return count_steps(r, most, error);
}

far_status far__range_parse(far__range *out, const char *text, size_t length, size_t most,
                            far_error *error) {
  const size_t dots = find_dots(text, length);
  size_t a = dots;
  while (a > 0 && text[a - 1] == ' ') --a;
  *out = (far__range){.text = text, .a_length = a};
  if (dots == length || !finite_number(text, a, &out->from)) return bad_form(0, error);
  const size_t b = skip_spaces(text, dots + 2, length), end = number_end(text, b, length);
  out->b = text + b;
  out->b_length = end - b;
  if (!finite_number(out->b, out->b_length, &out->to)) return bad_form(b, error);
  if (!(out->from < out->to) || !(out->to - out->from <= 1e300))
    return far__fail(error, FAR_STATUS_RANGE, 0, "a range must rise, as in '1..5'");
  if (out->from < -0x1p53 || out->to > 0x1p53)
    return far__fail(error, FAR_STATUS_RANGE, 0, "the ends of a range must be within 2^53 of 0");
  return read_rest(out, text, skip_spaces(text, end, length), length, most, error);
}

/* Ten significant digits; whole numbers keep all of theirs. */
static double rounded(double x) {
  char text[40];
  if (x == (double)(int64_t)x) return x;
  snprintf(text, sizeof text, "%.9e", x);
  return strtod(text, NULL);
}

static double value_at(const far__range *r, size_t i) {
  if (r->kind == FAR__RANGE_STEP) {
    const double x = r->from + (double)i * r->step;
    return x < 1e-9 * r->step && x > -1e-9 * r->step ? 0 : x;
  }
  const double part = (double)i / (double)(r->count - 1);
  if (r->kind == FAR__RANGE_COUNT) return r->from + (r->to - r->from) * part;
  return far_exp(far_log(r->from) + (far_log(r->to) - far_log(r->from)) * part);
}

void far__range_value(char out[FAR__NUMBER_SIZE + 128], const far__range *r, size_t i, bool whole) {
  const size_t last = r->count - 1;
  if (i == 0) {
    snprintf(out, FAR__NUMBER_SIZE + 128, "%.*s", (int)r->a_length, r->text);
  } else if (i == last && r->kind != FAR__RANGE_STEP) {
    snprintf(out, FAR__NUMBER_SIZE + 128, "%.*s", (int)r->b_length, r->b);
  } else {
    const double x = value_at(r, i);
    const double half = x < 0 ? -0.5 : 0.5;
    const bool round = whole && r->kind != FAR__RANGE_STEP;
    far__real_format(out, round ? (double)(int64_t)(x + half) : rounded(x));
  }
}
