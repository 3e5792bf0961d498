/* The policy of a state: an arrow for an action that is likelier than all others, spikes for the rest, whose
 * areas are the probabilities; actions without a direction by their names. */
#include <math.h>
#include <stdio.h>

#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

static const double LIKELY = 0.5, NOTHING = 0.05;

/* An arrow through the centre along the unit vector (u, v). */
static void draw_arrow(far_figure *f, double x, double y, double u, double v, double cell,
                       far__ink ink) {
  /* along, and to the side, in cells */
  static const double along[] = {-0.34, 0.04, 0.04, 0.38, 0.04, 0.04, -0.34};
  static const double aside[] = {0.045, 0.045, 0.19, 0, -0.19, -0.045, -0.045};
  static const double tip_along[] = {-0.26, 0.34, -0.26}, tip_aside[] = {0.26, 0, -0.26};
  const bool small = cell < 11;
  const size_t n = small ? 3 : 7;
  const double *l = small ? tip_along : along, *w = small ? tip_aside : aside;
  double px[7], py[7];
  for (size_t i = 0; i < n; ++i) {
    px[i] = x + cell * (l[i] * u - w[i] * v);
    py[i] = y + cell * (l[i] * v + w[i] * u);
  }
  far__figure_polygon(f, px, py, n, (far__paint){.fill = ink});
}

static void draw_spike(far_figure *f, double x, double y, double u, double v, double size,
                       double cell, far__ink ink) {
  const double w = 0.13 * size * cell, l = 0.47 * size * cell;
  far__figure_polygon(f, (double[]){x - w * v, x + l * u, x + w * v},
                      (double[]){y + w * u, y + l * v, y - w * u}, 3, (far__paint){.fill = ink});
}

/* Its name or, where that does not fit, its number. */
static void write_action(far_figure *f, const far__board *b, uint32_t a, double x, double y,
                         double cell, far__ink ink) {
  const char *name = far__board_action_name(f, b, a);
  const char *number = far__figure_print(f, "%lu", (unsigned long)a);
  const double named = 0.84 * cell / fmax(far__text_length(name, 1, false), 0.1);
  const double size = fmin(fmin(11, 0.5 * cell), named);
  const bool fits = size >= 7.5;
  const double used = fits ? size : fmin(11, 0.62 * cell);
  if (used >= 5)
    far__figure_write(f, x, y + 0.36 * used,
                      (far__font){.size = used, .anchor = FAR__MIDDLE, .ink = ink},
                      fits ? name : number);
}

void far__draw_policy(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                      double x, double y, double cell, far__ink ink) {
  const far_layout *l = &b->layout;
  const double *row = p->policy + (size_t)s * b->shape.n_actions;
  if (cell < 5) return;
  for (uint32_t a = 0; a < b->shape.n_actions; ++a) {
    const double dx = l->dx != NULL ? l->dx[a] : 0, dy = l->dx != NULL ? l->dy[a] : 0;
    const double size = sqrt(dx * dx + dy * dy);
    if (!(row[a] > NOTHING)) continue;
    const double scale = sqrt(fmin(row[a], 1));
    if (size > 0 && row[a] > LIKELY)
      draw_arrow(f, x, y, dx / size, dy / size, scale * cell, ink);
    else if (size > 0)
      draw_spike(f, x, y, dx / size, dy / size, scale, cell, ink);
    else if (row[a] > LIKELY)
      write_action(f, b, a, x, y, cell, ink);
  }
}
