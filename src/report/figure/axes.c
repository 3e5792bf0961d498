/* Axes: ranges, round ticks and their texts. */
#include "report/figure/axes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "farsight/base.h"

#define LN10 2.302585092994045684

/* ---- ranges ---- */

void far__range_add(far__range *range, double x) {
  if (!isfinite(x)) return;
  range->low = fmin(range->low, x);
  range->high = fmax(range->high, x);
}

bool far__range_exists(const far__range *range) {
  return range->low <= range->high;
}

far__range far__range_widened(far__range range, double share) {
  const double more = share * (range.high - range.low);
  if (!isfinite(range.low - more) || !isfinite(range.high + more)) return range;
  return (far__range){range.low - more, range.high + more};
}

/* ---- powers of ten, each the double nearest to the decimal number ---- */

static double power_of_ten(int exponent) {
  char text[16];
  double out = 0;
  const int length = snprintf(text, sizeof text, "1e%d", exponent);
  far__real_parse(text, (size_t)length, &out);
  return out;
}

/* The largest power of ten that is not above x > 0. */
static int exponent_of(double x) {
  x = fmin(fmax(x, 1e-323), DBL_MAX);
  int exponent = (int)floor(far_log(x) / LN10);
  while (exponent > -307 && power_of_ten(exponent) > x) --exponent;
  while (exponent < 307 && power_of_ten(exponent + 1) <= x) ++exponent;
  return exponent;
}

/* ---- texts of ticks ---- */

/* Digits after the point that a multiple of `step` has. */
static int digits_of(double step) {
  int digits = 0;
  for (double unit = step; digits < 9 && fabs(unit - floor(unit + 0.5)) > 1e-6 * unit; unit *= 10)
    ++digits;
  return digits;
}

/* Writes x with commas between thousands and a minus sign (U+2212). */
static void format_fixed(char out[FAR__TICK_TEXT], double x, int digits) {
  char plain[FAR__TICK_TEXT];
  snprintf(plain, sizeof plain, "%.*f", digits, fabs(x));
  far__plain_points(plain);
  const int length = (int)strlen(plain), whole = (int)strcspn(plain, ".");
  size_t used = 0;
  if (x < 0) used += (size_t)snprintf(out, FAR__TICK_TEXT, "−");
  for (int i = 0; i < length && used + 2 < FAR__TICK_TEXT; ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0 && whole > 4) out[used++] = ',';
    out[used++] = plain[i];
  }
  out[used] = '\0';
}

static void format_power(char out[FAR__TICK_TEXT], double x) {
  char text[FAR__NUMBER_SIZE];
  const int exponent = exponent_of(fabs(x));
  far__real_below(text, fabs(x) / power_of_ten(exponent) + 1e-9, 3);
  snprintf(out, FAR__TICK_TEXT, "%s%.6se%s%d", x < 0 ? "−" : "", text, exponent < 0 ? "−" : "",
           abs(exponent) % 1000);
}

void far__tick_format(char out[FAR__TICK_TEXT], double x, double step) {
  if (x == 0)
    snprintf(out, FAR__TICK_TEXT, "0");
  else if (fabs(x) >= 1e7 || step < 1e-5)
    format_power(out, x);
  else
    format_fixed(out, x, digits_of(step));
}

/* ---- ticks ---- */

/* The smallest of 1, 2, 5 times a power of ten that is not below x > 0. */
static double round_step(double x) {
  const double unit = power_of_ten(exponent_of(x));
  return x <= unit ? unit : x <= 2 * unit ? 2 * unit : x <= 5 * unit ? 5 * unit : 10 * unit;
}

static void add_tick(far__axis *axis, double x, double step) {
  if (axis->n_ticks == FAR__TICKS) return;
  axis->ticks[axis->n_ticks] = x;
  far__tick_format(axis->labels[axis->n_ticks++], x, step);
}

/* The next smaller step in 1, 2, 5, 10, ... */
static double finer(double step) {
  const double unit = power_of_ten(exponent_of(step * 1.000001));
  return step > 4 * unit ? 2 * unit : step > 1.5 * unit ? unit : unit / 2;
}

/* For a wider axis, high - low or ten times a round step could overflow. */
#define WIDEST 1e308

static double slack_of(const far__axis *axis) {
  const double span = axis->high - axis->low;
  return isfinite(span) ? 1e-9 * span : 0;
}

static double count_ticks(const far__axis *axis, double step) {
  const double slack = slack_of(axis);
  return floor((axis->high + slack) / step) - ceil((axis->low - slack) / step) + 1;
}

/* A step with at most `count` ticks, or a third more where there would be less than three. */
static double choose_step(const far__axis *axis, double count) {
  if (!(axis->high - axis->low < WIDEST)) return 0.5 * WIDEST;
  double step = round_step((axis->high - axis->low) / fmax(count, 1));
  for (int i = 0; i < 2 && count_ticks(axis, step) < 3; ++i) {
    const double next = finer(step);
    if (count_ticks(axis, next) > fmax(1.34 * count, 2)) break;
    step = next;
  }
  return step;
}

static void add_linear_ticks(far__axis *axis, double count) {
  const double step = choose_step(axis, count);
  const double slack = slack_of(axis);
  const double first = ceil((axis->low - slack) / step);
  const double last = fmin(axis->high + slack, DBL_MAX);
  for (double i = first; i * step <= last && i < first + FAR__TICKS; ++i) {
    /* for a step below 1 divide by 1 / step: the result is the double nearest to the decimal number */
    const double x = step >= 1 ? i * step : i / floor(1 / step + 0.5);
    add_tick(axis, fabs(x) < slack ? 0 : x, step);
  }
}

static bool is_shown(const far__axis *axis, double x) {
  return x >= axis->low * (1 - 1e-9) && x <= axis->high * (1 + 1e-9);
}

/* Ticks at every `every`-th power of ten, from 10^first on. */
static void add_powers(far__axis *axis, int first, int every) {
  axis->n_ticks = 0;
  for (int e = first; e <= 308 && power_of_ten(e) <= axis->high * (1 + 1e-9); e += every)
    if (is_shown(axis, power_of_ten(e))) add_tick(axis, power_of_ten(e), power_of_ten(e));
}

/* Ticks at 1, 2 and 5 times the powers of ten from 10^first to 10^last. */
static void add_parts(far__axis *axis, int first, int last) {
  static const double within[] = {1, 2, 5};
  axis->n_ticks = 0;
  for (int e = first; e <= last; ++e)
    for (size_t i = 0; i < 3; ++i) {
      const double x = within[i] * power_of_ten(e);
      if (is_shown(axis, x)) add_tick(axis, x, x);
    }
}

/* Powers of ten, as many as there is room for; where these are few, also 2 and 5 times them. */
static void add_log_ticks(far__axis *axis, double count) {
  const int first = exponent_of(axis->low), last = exponent_of(axis->high);
  int every = (int)ceil((last - first) / fmax(count, 1));
  for (every = every > 1 ? every : 1; every >= 1; --every) {
    add_powers(axis, first, every);
    for (int from = first + 1; axis->n_ticks < 2 && from < first + every; ++from)
      add_powers(axis, from, every);
    if (axis->n_ticks >= 2) break;
  }
  if (last - first < 2 || (axis->n_ticks < 3 && count >= 3 * (last - first)))
    add_parts(axis, first, last);
}

/* In a narrower range steps between ticks would underflow. */
#define NARROWEST 1e-290

/* The range of low and high; a wider range about them if they are (nearly) equal, and 0 ... 1 if neither is finite. */
static far__range usable(double low, double high) {
  far__range range = FAR__NO_RANGE;
  far__range_add(&range, low);
  far__range_add(&range, high);
  if (!far__range_exists(&range)) return (far__range){0, 1};
  const double most = fmax(fabs(range.low), fabs(range.high));
  if (range.high - range.low > fmax(1e-12 * most, NARROWEST)) return range;
  const double half = most > NARROWEST ? 0.5 * fabs(range.low) : 0.5;
  return (far__range){fmax(range.low - half, -DBL_MAX), fmin(range.high + half, DBL_MAX)};
}

far__axis far__axis_create(double low, double high, bool log, double length, double room) {
  const far__range range = usable(low, high);
  far__axis axis = {.low = range.low, .high = range.high, .log = log && range.low > 0};
  const double count = fmin(floor(length / room), FAR__TICKS - 2);
  if (axis.log) add_log_ticks(&axis, count);
  if (axis.log && axis.n_ticks < 2) axis.n_ticks = 0; /* less than a power of ten: linear ticks */
  if (axis.n_ticks == 0) add_linear_ticks(&axis, count);
  return axis;
}

double far__axis_share(const far__axis *axis, double x) {
  const double span = axis->high - axis->low;
  if (!axis->log && isfinite(span) && isfinite(x - axis->low)) return (x - axis->low) / span;
  if (!axis->log) return (x / 4 - axis->low / 4) / (axis->high / 4 - axis->low / 4);
  const double low = far_log(axis->low);
  return (far_log(x) - low) / (far_log(axis->high) - low);
}

double far__axis_width(const far__axis *axis, double size) {
  double most = 0;
  for (size_t i = 0; i < axis->n_ticks; ++i)
    most = fmax(most, far__text_length(axis->labels[i], size, false));
  return most + 8;
}
