/* How a square is divided among actions: each has the points that lie more in its direction than in any
 * other's; those without a direction share the centre, or the whole square as strips. */
#include <math.h>

#include "questions/learning/layout.h"

bool far__board_directed(const far__board *b, uint32_t a) {
  const far_layout *l = &b->layout;
  return l->dx != NULL && (l->dx[a] != 0 || l->dy[a] != 0);
}

static uint32_t count_directed(const far__board *b) {
  uint32_t n = 0;
  for (uint32_t a = 0; a < b->shape.n_actions; ++a) n += far__board_directed(b, a);
  return n;
}

static bool same_direction(const far_layout *l, uint32_t a, uint32_t other) {
  return l->dx[a] * l->dy[other] == l->dy[a] * l->dx[other] &&
         l->dx[a] * l->dx[other] + l->dy[a] * l->dy[other] > 0;
}

/* Two or more directions, all different. */
bool far__parts_point(const far__board *b) {
  const uint32_t n = b->shape.n_actions;
  if (count_directed(b) < 2) return false;
  for (uint32_t a = 0; a < n; ++a)
    for (uint32_t other = 0; other < a; ++other)
      if (far__board_directed(b, a) && far__board_directed(b, other) &&
          same_direction(&b->layout, a, other))
        return false;
  return true;
}

bool far__parts_exist(const far__board *b) {
  const uint32_t n = b->shape.n_actions;
  const double side = b->kind == FAR__BOARD_GRAPH ? 0.72 * b->cell : b->cell;
  if (n < 2 || n > FAR__PART_ACTIONS) return false;
  return far__parts_point(b) ? side >= (count_directed(b) < n ? 22
                                        : n > 2               ? 13
                                                              : 8)
                             : side / n >= 3;
}

/* The part of a polygon where px * x + py * y >= 0. */
static far__part cut(const far__part *from, double px, double py) {
  far__part out = {0};
  for (size_t i = 0; i < from->n; ++i) {
    const size_t j = (i + 1) % from->n;
    const double d = px * from->x[i] + py * from->y[i], e = px * from->x[j] + py * from->y[j];
    if (d >= 0 && out.n < FAR__PART_CORNERS) {
      out.x[out.n] = from->x[i];
      out.y[out.n++] = from->y[i];
    }
    if (((d > 0 && e < 0) || (d < 0 && e > 0)) && out.n < FAR__PART_CORNERS) {
      out.x[out.n] = from->x[i] + d / (d - e) * (from->x[j] - from->x[i]);
      out.y[out.n++] = from->y[i] + d / (d - e) * (from->y[j] - from->y[i]);
    }
  }
  return out;
}

static far__part rectangle(double x0, double y0, double x1, double y1) {
  return (far__part){.n = 4, .x = {x0, x1, x1, x0}, .y = {y0, y0, y1, y1}};
}

static far__part sector(const far__board *b, uint32_t a) {
  const far_layout *l = &b->layout;
  const double length = sqrt(l->dx[a] * l->dx[a] + l->dy[a] * l->dy[a]);
  far__part out = rectangle(-0.5, -0.5, 0.5, 0.5);
  for (uint32_t other = 0; other < b->shape.n_actions; ++other) {
    if (other == a || !far__board_directed(b, other)) continue;
    const double far_off = sqrt(l->dx[other] * l->dx[other] + l->dy[other] * l->dy[other]);
    out = cut(&out, l->dx[a] / length - l->dx[other] / far_off,
              l->dy[a] / length - l->dy[other] / far_off);
  }
  return out;
}

/* The k-th of n strips between -half and half. */
static far__part strip(double half, uint32_t k, uint32_t n) {
  return rectangle(-half + 2 * half * k / n, -half, -half + 2 * half * (k + 1) / n, half);
}

/* Of the areas. */
void far__part_centre(const far__part *part, double *x, double *y) {
  double area = 0, sx = 0, sy = 0;
  for (size_t i = 0; i < part->n; ++i) {
    const size_t j = (i + 1) % part->n;
    const double cross = part->x[i] * part->y[j] - part->x[j] * part->y[i];
    area += cross;
    sx += cross * (part->x[i] + part->x[j]);
    sy += cross * (part->y[i] + part->y[j]);
  }
  *x = area != 0 ? sx / (3 * area) : 0;
  *y = area != 0 ? sy / (3 * area) : 0;
}

double far__part_room(const far__board *b) {
  const uint32_t n = b->shape.n_actions;
  if (!far__parts_point(b)) return 1.0 / n;
  return count_directed(b) < n ? 0.16 : n == 2 ? 0.48 : 0.31; /* also from the next square's */
}

far__part far__part_of(const far__board *b, uint32_t a) {
  const uint32_t n = b->shape.n_actions;
  if (!far__parts_point(b)) return strip(0.5, a, n);
  if (far__board_directed(b, a)) return sector(b, a);
  uint32_t before = 0;
  for (uint32_t other = 0; other < a; ++other) before += !far__board_directed(b, other);
  return strip(0.22, before, n - count_directed(b));
}
