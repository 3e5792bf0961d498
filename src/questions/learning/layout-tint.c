/* The colours of numbers: one scale for all panels, and the bar that explains it. */
#include <math.h>
#include <stdio.h>

#include "farsight/base.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

/* The palest level is left to what is empty. */
static const double PALEST = 0.09;

/* ---- the range ---- */

typedef struct extremes {
  far__range range;
  double least_positive;
  bool infinite;
} extremes;

static void add_number(extremes *e, const far__layout_figure_def *def, double x) {
  if (x != x || (def->zero_is_empty && x == 0)) return;
  e->infinite = e->infinite || isinf(x);
  far__range_add(&e->range, x);
  if (x > 0 && x < e->least_positive) e->least_positive = x;
}

double far__folded(far__fold fold, const double *row, uint32_t n) {
  double out = NAN;
  for (uint32_t a = 0; a < n; ++a) {
    if (row[a] != row[a]) continue;
    if (fold == FAR__FOLD_SUM && out == out)
      out += row[a];
    else if (out != out || row[a] > out)
      out = row[a];
  }
  return out;
}

static bool is_drawn(const double *visits, const far_shape *shape, uint32_t s) {
  if (!far_shape_is_live(shape, s)) return false;
  for (uint32_t a = 0; visits != NULL && a < shape->n_actions; ++a)
    if (visits[(size_t)s * shape->n_actions + a] > 0) return true;
  return visits == NULL;
}

static void add_array(extremes *e, const far__layout_figure_def *def, const far_shape *shape,
                      const far__layout_panel *p, bool split) {
  const uint32_t n = shape->n_actions;
  for (uint32_t s = 0; p->values != NULL && s < shape->n_states; ++s) {
    const double *row = p->values + (def->pairs ? (size_t)s * n : s);
    if (!is_drawn(p->visits, shape, s)) continue;
    if (def->pairs && !split)
      add_number(e, def, far__folded(def->fold, row, n));
    else
      for (uint32_t a = 0; a < (def->pairs ? n : 1); ++a) add_number(e, def, row[a]);
  }
}

/* ---- the scale ---- */

static bool is_log(const far__layout_figure_def *def, const extremes *e) {
  if (e->range.low <= 0 || def->colours == FAR_PLOT_SCALE_LINEAR) return false;
  if (def->colours == FAR_PLOT_SCALE_LOG) return true;
  return def->zero_is_empty && e->range.high >= 100 * e->range.low;
}

/* Zero belongs in the middle where both sides matter. */
static bool has_signs(far__range r) {
  return r.low < 0 && r.high > 0 && fmin(-r.low, r.high) > 0.04 * fmax(-r.low, r.high);
}

far__tint far__tint_create(const far__layout_figure_def *def, const far_shape *shape, bool split) {
  extremes e = {.range = FAR__NO_RANGE, .least_positive = INFINITY};
  for (size_t i = 0; i < def->n_panels; ++i) add_array(&e, def, shape, &def->panels[i], split);
  for (size_t i = 0; i < def->n_others; ++i) add_array(&e, def, shape, &def->others[i], split);
  far__tint t = {.exists = far__range_exists(&e.range) || e.infinite, .infinite = e.infinite};
  if (!far__range_exists(&e.range)) e.range = (far__range){0, 1};
  if (def->low == def->low) e.range.low = def->low;
  if (def->high == def->high) e.range.high = def->high;
  if (e.range.low == e.range.high && e.range.low > 0 && !(def->low == def->low)) e.range.low = 0;
  t.sign = has_signs(e.range);
  if (t.sign) {
    const double most = fmax(-e.range.low, e.range.high);
    e.range = (far__range){-most, most};
  }
  t.axis = far__axis_create(e.range.low, e.range.high, is_log(def, &e), 200, 50);
  return t;
}

static far__ink level(const far__tint *t, double share) {
  share = fmin(fmax(share, 0), 1);
  return far__ink_level(t->sign ? share : PALEST + (1 - PALEST) * share, t->sign);
}

far__ink far__tint_ink(const far__tint *t, double x) {
  if (x != x) return FAR__NO_INK;
  if (isinf(x)) return level(t, x > 0);
  return level(t, far__axis_share(&t->axis, x));
}

/* ---- numbers ---- */

void far__tint_number(char out[FAR__TICK_TEXT], double x) {
  const double size = fabs(x);
  out[0] = '\0';
  if (x != x) return;
  if (isinf(x))
    snprintf(out, FAR__TICK_TEXT, x > 0 ? "∞" : "−∞");
  else if (size >= 999500 && size < 9.995e8)
    snprintf(out, FAR__TICK_TEXT, "%s%.3gM", x < 0 ? "−" : "", size / 1e6);
  else if (size >= 9995 && size < 999500)
    snprintf(out, FAR__TICK_TEXT, "%s%.3gk", x < 0 ? "−" : "", size / 1e3);
  else if (size >= 999.5 && size < 9995)
    snprintf(out, FAR__TICK_TEXT, "%s%.0f", x < 0 ? "−" : "", size);
  else
    snprintf(out, FAR__TICK_TEXT, "%s%.3g", x < 0 ? "−" : "", size);
}

/* ---- the bar ---- */

static void draw_ticks(far_figure *f, const far__tint *t, double x, double y, double width) {
  double free_from = -INFINITY;
  for (size_t i = 0; i < t->axis.n_ticks; ++i) {
    const double at = x + width * far__axis_share(&t->axis, t->axis.ticks[i]);
    const double half = far__text_length(t->axis.labels[i], FAR__SMALL, false) / 2;
    far__figure_line(f, at, y, at, y + 3, (far__paint){.stroke = FAR__INK_MUTED});
    if (at - half < free_from) continue;
    far__figure_write(f, at, y + 14,
                      (far__font){.size = FAR__SMALL, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED},
                      t->axis.labels[i]);
    free_from = at + half + 5;
  }
}

double far__tint_bar(far_figure *f, const far__tint *t, double x, double y, double width,
                     const char *title) {
  const double step = width / FAR__LEVELS;
  far__figure_write_within(f, x, y + 10, 220, (far__font){.size = FAR__SMALL}, title);
  for (int i = 0; i < FAR__LEVELS; ++i)
    far__figure_rectangle(f, x + i * step, y + 17, step + (i + 1 < FAR__LEVELS ? 0.3 : 0), 10,
                          (far__paint){.fill = level(t, (double)i / (FAR__LEVELS - 1))});
  draw_ticks(f, t, x, y + 27, width);
  return 44;
}
