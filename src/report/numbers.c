/* Numbers as people read them in a table. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "report/build.h"

void far__real_brief(char out[FAR__BRIEF_SIZE], double x) {
  const bool plain = fabs(x) >= 1000 && fabs(x) < 1e15;
  if (x != x)
    snprintf(out, FAR__BRIEF_SIZE, "–");
  else
    snprintf(out, FAR__BRIEF_SIZE, plain ? "%.0f" : "%.4g", x);
  far__plain_points(out);
}

int far__interval_digits(double half) {
  int digits = 0;
  for (double unit = 10; half < unit && digits < 6; unit /= 10) ++digits;
  return digits;
}

void far__interval_brief(char out[FAR__BRIEF_SIZE], double value, double half) {
  char alone[FAR__BRIEF_SIZE];
  const int digits = far__interval_digits(half);
  far__real_brief(alone, value);
  if (value != value || half != half)
    snprintf(out, FAR__BRIEF_SIZE, "%s", alone);
  else if (half <= 1e-9 * fabs(value)) /* all runs alike, up to the rounding of their mean */
    snprintf(out, FAR__BRIEF_SIZE, "%.50s ± 0", alone);
  else if (half < 1e-5 || fabs(value) >= 1e15 || half >= 1e15)
    snprintf(out, FAR__BRIEF_SIZE, "%.4g ± %.2g", value, half);
  else
    snprintf(out, FAR__BRIEF_SIZE, "%.*f ± %.*f", digits, value, digits, half);
  far__plain_points(out);
}

void far__p_brief(char out[FAR__BRIEF_SIZE], double p) {
  if (p != p)
    far__real_brief(out, p);
  else if (p < 0.0001)
    snprintf(out, FAR__BRIEF_SIZE, "< 0.0001");
  else
    snprintf(out, FAR__BRIEF_SIZE, p < 0.01 ? "%.4f" : p < 0.1 ? "%.3f" : "%.2f", p);
  far__plain_points(out);
}

void far__count_brief(char out[FAR__BRIEF_SIZE], int64_t n) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
  size_t used = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-') out[used++] = ',';
    out[used++] = digits[i];
  }
  out[used] = '\0';
}

void far__length_brief(char out[FAR__BRIEF_SIZE], int64_t steps, int64_t episodes) {
  char count[FAR__BRIEF_SIZE];
  far__count_brief(count, episodes > 0 ? episodes : steps);
  const int64_t n = episodes > 0 ? episodes : steps;
  out[0] = '\0';
  if (n > 0)
    snprintf(out, FAR__BRIEF_SIZE, "%.40s %s%s", count, episodes > 0 ? "episode" : "step",
             far__plural(n));
}

void far__seconds_brief(char out[FAR__BRIEF_SIZE], double seconds) {
  static const struct {
    double size;
    const char *name;
  } units[] = {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}};
  size_t unit = 0;
  while (unit < 3 && seconds >= 2 * units[unit + 1].size) ++unit;
  const double amount = seconds / units[unit].size;
  const bool decimal = unit > 1 && amount < 10;
  snprintf(out, FAR__BRIEF_SIZE, "%.*f %s", decimal, decimal ? amount : ceil(amount),
           units[unit].name);
  far__plain_points(out);
}

void far__bytes_brief(char out[FAR__BRIEF_SIZE], double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  snprintf(out, FAR__BRIEF_SIZE, "%.*f %s", bytes < 9.95 ? 1 : 0, bytes, units[unit]);
  far__plain_points(out);
}
