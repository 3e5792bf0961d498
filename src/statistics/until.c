/* Runs until the interval is narrow enough: looks on a geometric schedule, each with its part of
 * the error. */
#include <math.h> /* ceil and fabs, which are exact */
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "statistics/rules.h"
#include "statistics/sample.h"

far_until far_until_default(void) {
  return (far_until){.level = 0.95, .first = 300, .growth = 1.5, .most = 100000};
}

/* Parses "1%" or "0.5", text[0..length), which begins at byte 3 of the rule. */
static far_status parse_width(far_until *until, const char *text, size_t length, far_error *error) {
  const bool percent = length > 0 && text[length - 1] == '%';
  double x = 0;
  if (!far__real_parse(text, length - percent, &x))
    return far__fail(error, FAR_STATUS_SYNTAX, 3,
                     "'%.*s' should be a number such as 0.5, or one of per cent such as 1%%",
                     (int)length, text);
  const double width = percent ? x / 100 : x;
  if (!(width > 0 && width < INFINITY) || (percent && width >= 1))
    return far__fail(error, FAR_STATUS_RANGE, 3,
                     "'%.*s' is no width of an interval; it must be above 0%s", (int)length, text,
                     percent ? " and below 100%" : "");
  until->width = width;
  until->relative = percent;
  return FAR_OK;
}

far_status far__parse_first(int64_t *out, const char *text, int at, far_error *error) {
  int64_t first = 0;
  if (strncmp(text, ",first=", 7) != 0)
    return far__fail(error, FAR_STATUS_SYNTAX, at,
                     "'%s' should be ,first=1000, the runs before the first look", text);
  if (!far__integer_parse(text + 7, strlen(text + 7), &first) || first < 2)
    return far__fail(error, FAR_STATUS_RANGE, at + 7,
                     "'%s' should be a whole number of runs, at least 2", text + 7);
  *out = first;
  return FAR_OK;
}

far_status far__until_parse(far_until *until, const char *text, far_error *error) {
  if (strncmp(text, "ci=", 3) != 0)
    return far__fail(error, FAR_STATUS_SYNTAX, 0,
                     "'%s' should be ci=1%% (of the mean), ci=0.5 (in units of the result), or "
                     "rank=5%% (agents are told apart, with this error)",
                     text);
  far_until read = *until;
  const size_t length = strcspn(text + 3, ",");
  far_status status = parse_width(&read, text + 3, length, error);
  if (status == FAR_OK && text[3 + length] != '\0')
    status = far__parse_first(&read.first, text + 3 + length, (int)(3 + length), error);
  if (status == FAR_OK) *until = read;
  return status;
}

far_status far__check_looks(int64_t first, double growth, int64_t most, far_error *error) {
  if (!(growth >= 1.01 && growth <= 1000))
    return far__fail(
        error, FAR_STATUS_RANGE, -1,
        "runs cannot grow by a factor of %s from look to look; 1.01 to 1000 are possible",
        far__shortest(growth).text);
  if (first < 2 || most < first || most > UINT32_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the first look is at %lld runs and the last at %lld; the first must be 2 or "
                     "more, the last not less than the first, and below 2^32",
                     (long long)first, (long long)most);
  return FAR_OK;
}

far_status far__until_check(const far_until *u, far_error *error) {
  if (!(u->width > 0 && u->width < INFINITY) || (u->relative && u->width >= 1))
    return far__fail(
        error, FAR_STATUS_RANGE, -1,
        "the requested width is %s; it must be above 0, and relative to the mean below 1",
        far__shortest(u->width).text);
  const far_status status = far__check_looks(u->first, u->growth, u->most, error);
  return status == FAR_OK ? far__level_check(u->level, error) : status;
}

int64_t far_until_runs(const far_until *u, int look) {
  double n = (double)u->first;
  for (int k = 1; k < look && n < (double)u->most; ++k) n = ceil(n * u->growth);
  return n < (double)u->most ? (int64_t)n : u->most;
}

far_status far_until_look(far_look *out, const far_until *u, int look, const double *x,
                          far_error *error) {
  *out = (far_look){0};
  far_status status = far__until_check(u, error);
  if (status == FAR_OK && look < 1)
    status = far__fail(error, FAR_STATUS_RANGE, -1, "look %d: they are counted from 1", look);
  if (status != FAR_OK) return status;
  const int64_t n = far_until_runs(u, look);
  status = far__sample_check("the runs", x, n, false, error);
  if (status != FAR_OK) return status;
  const double alpha = (1 - u->level) / ((double)look * ((double)look + 1));
  const far__mean_std m = far__mean_std_of(x, n);
  *out = (far_look){.n = n, .mean = m.mean, .last = n == u->most};
  out->half_width = far__half_width(far__student_factor(alpha, (double)(n - 1)), m.std, n);
  out->skewed = far__is_skewed(x, n, m);
  out->enough =
      !out->skewed && out->half_width <= (u->relative ? u->width * fabs(m.mean) : u->width);
  return FAR_OK;
}
