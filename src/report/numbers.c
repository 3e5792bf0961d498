/* Numbers as people read them in a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/build.h"

far__brief far__brief_real(double x) {
  far__brief out;
  const bool plain = fabs(x) >= 1000 && fabs(x) < 1e15;
  if (x != x)
    snprintf(out.text, FAR__BRIEF_SIZE, "–");
  else
    snprintf(out.text, FAR__BRIEF_SIZE, plain ? "%.0f" : "%.4g", x);
  far__plain_points(out.text);
  return out;
}

int far__interval_digits(double half) {
  int digits = 0;
  for (double unit = 10; half < unit && digits < 6; unit /= 10) ++digits;
  return digits;
}

far__brief far__brief_interval(double value, double half) {
  far__brief out;
  const int digits = far__interval_digits(half);
  const far__brief alone = far__brief_real(value);
  if (value != value || half != half) return alone;
  if (half <= 1e-9 * fabs(value)) /* all runs alike, up to the rounding of their mean */
    snprintf(out.text, FAR__BRIEF_SIZE, "%.50s ± 0", alone.text);
  else if (half < 1e-5 || fabs(value) >= 1e15 || half >= 1e15)
    snprintf(out.text, FAR__BRIEF_SIZE, "%.4g ± %.2g", value, half);
  else
    snprintf(out.text, FAR__BRIEF_SIZE, "%.*f ± %.*f", digits, value, digits, half);
  far__plain_points(out.text);
  return out;
}

far__brief far__brief_p(double p) {
  far__brief out;
  if (p != p) return far__brief_real(p);
  if (p < 0.0001)
    snprintf(out.text, FAR__BRIEF_SIZE, "< 0.0001");
  else
    snprintf(out.text, FAR__BRIEF_SIZE, p < 0.01 ? "%.4f" : p < 0.1 ? "%.3f" : "%.2f", p);
  far__plain_points(out.text);
  return out;
}

far__brief far__brief_count(int64_t n) {
  far__brief out;
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
  size_t used = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-') out.text[used++] = ',';
    out.text[used++] = digits[i];
  }
  out.text[used] = '\0';
  return out;
}

far__brief far__brief_length(int64_t steps, int64_t episodes) {
  far__brief out;
  const int64_t n = episodes > 0 ? episodes : steps;
  out.text[0] = '\0';
  if (n > 0)
    snprintf(out.text, FAR__BRIEF_SIZE, "%.40s %s%s", far__brief_count(n).text,
             episodes > 0 ? "episode" : "step", far__plural(n));
  return out;
}

far__brief far__brief_seconds(double seconds) {
  far__brief out;
  static const struct {
    double size;
    const char *name;
  } units[] = {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}};
  size_t unit = 0;
  while (unit < 3 && seconds >= 2 * units[unit + 1].size) ++unit;
  const double amount = seconds / units[unit].size;
  const bool decimal = unit > 1 && amount < 10;
  snprintf(out.text, FAR__BRIEF_SIZE, "%.*f %s", decimal, decimal ? amount : ceil(amount),
           units[unit].name);
  far__plain_points(out.text);
  return out;
}

far__brief far__brief_bytes(double bytes) {
  far__brief out;
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  snprintf(out.text, FAR__BRIEF_SIZE, "%.*f %s", bytes < 9.95 ? 1 : 0, bytes, units[unit]);
  far__plain_points(out.text);
  return out;
}
