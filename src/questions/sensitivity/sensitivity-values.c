/* The values of a parameter: their order, and the scale on which they are spread most evenly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "farsight/agent.h"
#include "farsight/base.h"
#include "questions/sensitivity/sensitivity.h"

bool far__same_value(const char *x, const char *y) {
  double a, b;
  if (far__real_parse(x, strlen(x), &a) && far__real_parse(y, strlen(y), &b)) return a == b;
  return strcmp(x, y) == 0;
}

const far_param *far__agent_param(const char *spec, const char *key) {
  return far_type_param(far_spec_type(far_agent_type, spec), key, strlen(key));
}

/* ---- order ---- */

static int by_number(const void *x, const void *y) {
  const far__sensitivity_value *a = x, *b = y;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* Where a word stands among the choices; behind them all if it is none. */
static size_t place_of(const char *choices, const char *text) {
  size_t i = 0;
  for (const char *word = choices; word != NULL; ++i) {
    const size_t n = strcspn(word, "|");
    if (strlen(text) == n && memcmp(word, text, n) == 0) return i;
    word = word[n] == '|' ? word + n + 1 : NULL;
  }
  return i;
}

/* Words are few: by insertion, so that others stay in their order. */
static void sort_words(far__sensitivity_value *values, size_t n, const char *choices) {
  for (size_t i = 1; i < n; ++i) {
    const far__sensitivity_value x = values[i];
    size_t k = i;
    for (; k > 0 && place_of(choices, values[k - 1].text) > place_of(choices, x.text); --k)
      values[k] = values[k - 1];
    values[k] = x;
  }
}

/* All are finite numbers. */
static bool read_numbers(far__sensitivity_value *values, size_t n) {
  bool good = true;
  for (size_t i = 0; i < n; ++i) {
    double x;
    const char *text = values[i].text;
    const bool number = far__real_parse(text, strlen(text), &x) && x - x == 0;
    values[i].number = number ? x : NAN;
    good = good && number;
  }
  return good;
}

/* ---- scale ---- */

static double transform(far__value_scale scale, double x) {
  switch (scale) {
  case FAR__VALUES_LOG: return x > 0 ? far_log(x) : NAN;
  case FAR__VALUES_HORIZON: return x >= 0 && x < 1 ? -far_log(1 - x) : NAN;
  default: return x;
  }
}

/* The widest gap between neighbours over the narrowest: 1 is perfectly even; INFINITY where the scale
 * does not apply. */
static double unevenness(far__value_scale scale, const far__sensitivity_value *values, size_t n) {
  double least = INFINITY, most = 0;
  for (size_t i = 1; i < n; ++i) {
    const double gap = transform(scale, values[i].number) - transform(scale, values[i - 1].number);
    if (!(gap > 0)) return INFINITY;
    least = gap < least ? gap : least;
    most = gap > most ? gap : most;
  }
  return most / least;
}

/* Two values are as even on any scale: a logarithm then if they are a decade apart. Where the best scale
 * still crowds some of the values, they stand side by side. */
static far__value_scale choose_scale(const far__sensitivity_value *values, size_t n) {
  static const double crowded = 30, better = 0.999;
  far__value_scale best = FAR__VALUES_LINEAR;
  if (n == 2 && values[0].number > 0 && values[1].number >= 10 * values[0].number)
    return FAR__VALUES_LOG;
  for (far__value_scale s = FAR__VALUES_LOG; s <= FAR__VALUES_HORIZON; ++s)
    if (unevenness(s, values, n) < better * unevenness(best, values, n)) best = s;
  return unevenness(best, values, n) <= crowded ? best : FAR__VALUES_EVEN;
}

far__value_scale far__values_arrange(far__sensitivity_value *values, size_t n,
                                     const char *choices) {
  far__value_scale scale = FAR__VALUES_EVEN;
  if (read_numbers(values, n)) {
    qsort(values, n, sizeof *values, by_number);
    scale = choose_scale(values, n);
  } else {
    for (size_t i = 0; i < n; ++i) values[i].number = NAN;
    sort_words(values, n, choices);
  }
  const double first = transform(scale, values[0].number);
  const double span = transform(scale, values[n - 1].number) - first;
  for (size_t i = 0; i < n; ++i)
    values[i].place = scale == FAR__VALUES_EVEN
                          ? (n > 1 ? (double)i / (double)(n - 1) : 0)
                          : (transform(scale, values[i].number) - first) / span;
  return scale;
}
