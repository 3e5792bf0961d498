#include "questions/plots/marks.h"

#include <math.h>
#include <string.h>

#include "farsight/base.h"
#include "questions/listing/label.h"

static const double CAP = 3.5;

/* The height of a number, or the edge beyond which it lies. */
static double within(double at, double first, double last) {
  return fmin(fmax(at, first), last);
}

void far__draw_upright(far_figure *f, const far__panel *p, double x, double low, double high,
                       far__ink ink) {
  const far__paint paint = {.stroke = ink, .width = 1.4};
  const double top = p->y, bottom = p->y + p->height;
  if (low != low || high != high) return;
  const double y0 = isfinite(low) ? within(far__panel_y(p, low), top, bottom) : bottom;
  const double y1 = isfinite(high) ? within(far__panel_y(p, high), top, bottom) : top;
  if (isfinite(high)) {
    far__figure_line(f, x, y0, x, y1, paint);
    far__figure_line(f, x - CAP, y1, x + CAP, y1, paint);
  } else {
    far__figure_arrow(f, x, y0, x, y1, paint);
  }
  if (isfinite(low)) far__figure_line(f, x - CAP, y0, x + CAP, y0, paint);
}

void far__draw_lying(far_figure *f, const far__panel *p, double y, double low, double high,
                     far__ink ink) {
  const far__paint paint = {.stroke = ink, .width = 2};
  if (low != low || high != high || !isfinite(high - low)) return;
  const double left = p->x, right = p->x + p->width;
  const double x0 = far__panel_x(p, low), x1 = far__panel_x(p, high);
  far__figure_line(f, within(x0, left, right), y, within(x1, left, right), y, paint);
  if (x0 >= left) far__figure_line(f, x0, y - CAP, x0, y + CAP, paint);
  if (x1 <= right) far__figure_line(f, x1, y - CAP, x1, y + CAP, paint);
}

enum { BRIEF = 30 }; /* characters that need no shortening */

static const char *brief_label(far_figure *f, const char *label, const char *const *others,
                               size_t n) {
  char text[FAR_SPEC_SIZE];
  if (strlen(label) <= BRIEF || strlen(label) >= sizeof text) return label;
  far__label_brief(text, label, others, n);
  return far__figure_print(f, "%s", text);
}

const char **far__brief_labels(far_figure *f, const char *const *labels, size_t n) {
  const char **out = far__figure_room(f, n, sizeof *out);
  for (size_t i = 0; i < n && out != NULL; ++i) out[i] = brief_label(f, labels[i], labels, n);
  return out;
}

double far__power(double x, double power) {
  return far_exp(power * far_log(x));
}
