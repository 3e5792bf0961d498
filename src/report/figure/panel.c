/* Panels: the frame in which data are drawn. */
#include <math.h>
#include <string.h>

#include "report/figure/axes.h"

double far__panel_x(const far__panel *p, double x) {
  return p->x + p->width * far__axis_share(&p->h, x);
}

double far__panel_y(const far__panel *p, double y) {
  return p->y + p->height * (1 - far__axis_share(&p->v, y));
}

static void draw_horizontal(far_figure *f, const far__panel *p, const far__panel_look *look) {
  const double bottom = p->y + p->height;
  double free_from = -INFINITY; /* labels that would touch the previous one are left out */
  for (size_t i = 0; i < p->h.n_ticks; ++i) {
    const double x = far__panel_x(p, p->h.ticks[i]);
    const double half = far__text_length(p->h.labels[i], FAR__SMALL, false) / 2;
    if (!look->no_x_grid)
      far__figure_line(f, x, p->y, x, bottom, (far__paint){.stroke = FAR__INK_GRID});
    far__figure_line(f, x, bottom, x, bottom + 4, (far__paint){.stroke = FAR__INK_MUTED});
    if (look->no_x_labels || x - half < free_from) continue;
    far__figure_write(f, x, bottom + 16,
                      (far__font){.size = FAR__SMALL, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED},
                      p->h.labels[i]);
    free_from = x + half + 4;
  }
  far__figure_line(f, p->x, bottom, p->x + p->width, bottom,
                   (far__paint){.stroke = FAR__INK_MUTED});
}

static void draw_vertical(far_figure *f, const far__panel *p, const far__panel_look *look) {
  for (size_t i = 0; i < p->v.n_ticks; ++i) {
    const double y = far__panel_y(p, p->v.ticks[i]);
    if (!look->no_y_grid)
      far__figure_line(f, p->x, y, p->x + p->width, y, (far__paint){.stroke = FAR__INK_GRID});
    if (look->no_y_labels) continue;
    far__figure_write(f, p->x - 6, y + 0.36 * FAR__SMALL,
                      (far__font){.size = FAR__SMALL, .anchor = FAR__RIGHT, .ink = FAR__INK_MUTED},
                      p->v.labels[i]);
  }
}

void far__panel_draw(far_figure *f, const far__panel *p, const far__panel_look *look) {
  const double left = look->no_y_labels ? p->x : p->x - far__axis_width(&p->v, FAR__SMALL) + 2;
  draw_vertical(f, p, look);
  draw_horizontal(f, p, look);
  if (look->y_title != NULL)
    far__figure_write_within(f, left, p->y - 10, p->x + p->width - left,
                             (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED}, look->y_title);
  if (look->title != NULL)
    far__figure_write_within(f, left, p->y - (look->y_title != NULL ? 26 : 10),
                             p->x + p->width - left, (far__font){.bold = true}, look->title);
  if (look->x_title != NULL)
    far__figure_write_within(
        f, p->x + p->width / 2, p->y + p->height + 34, p->width,
        (far__font){.size = FAR__SMALL, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED},
        look->x_title);
}

size_t far__columns(size_t n, double width, double least) {
  const size_t most = width / least < 1 ? 1 : (size_t)(width / least);
  if (n <= most) return n > 0 ? n : 1;
  const size_t rows = (n + most - 1) / most; /* then the fewest columns for these rows */
  return (n + rows - 1) / rows;
}

/* Where a subtitle that is too long is broken into two lines: after the last "; " before which it fits; 0: nowhere. */
static size_t break_of(far_figure *f, const char *text, double width) {
  size_t out = 0;
  if (far__text_length(text, FAR__SIZE, false) <= width) return out;
  for (const char *p = strstr(text, "; "); p != NULL; p = strstr(p + 1, "; ")) {
    const char *part = far__figure_print(f, "%.*s", (int)(p - text), text);
    if (far__text_length(part, FAR__SIZE, false) <= width) out = (size_t)(p - text) + 2;
  }
  return out;
}

double far__heading(far_figure *f, const char *title, const char *subtitle) {
  const double width = f->width - 32;
  const far__font muted = {.ink = FAR__INK_MUTED};
  far__figure_heads(f, 0);
  far__figure_write_within(f, 16, 26, width, (far__font){.size = FAR__TITLE, .bold = true}, title);
  if (subtitle == NULL || *subtitle == '\0') return 36;
  const size_t at = break_of(f, subtitle, width);
  far__figure_heads(f, 1);
  if (at == 0) {
    far__figure_write_within(f, 16, 45, width, muted, subtitle);
    return 56;
  }
  far__figure_write_within(f, 16, 45, width, muted,
                           far__figure_print(f, "%.*s;", (int)at - 2, subtitle));
  far__figure_heads(f, 2);
  far__figure_write_within(f, 16, 62, width, muted, subtitle + at);
  return 73;
}
