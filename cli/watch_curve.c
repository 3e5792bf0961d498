/* Learning curves in braille: each character has 2 x 4 dots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "questions/learning/player.h"
#include "watch.h"

enum { AXIS = 9, MOST_LABEL = 20, FEWEST_COLUMNS = 12 };

/* A curve: y[i] after steps (i + 1) * stride. */
typedef struct series {
  const char *label;
  look style;
  double *y;
  size_t n;
  int64_t stride;
} series;

typedef struct graph {
  series lines[WATCH_AGENTS];
  size_t n_lines;
  double low, high;
  rectangle plot;                    /* in characters */
  unsigned char *dots[WATCH_AGENTS]; /* of each line: the dots of each character */
} graph;

/* ---- what is drawn ---- */

/* Reward per step, in the mean over a sliding window. */
static void take_rates(series *s) {
  const size_t window = s->n / 24 + 1;
  double *rates = room_for(s->n, sizeof *rates);
  for (size_t i = 0; i < s->n; ++i) {
    const size_t back = i + 1 < window ? i + 1 : window;
    const double before = i + 1 > back ? s->y[i - back] : 0;
    rates[i] = (s->y[i] - before) / ((double)back * (double)s->stride);
  }
  memcpy(s->y, rates, s->n * sizeof *rates);
  free(rates);
}

static series take_series(const watch *w, size_t k) {
  const far__player_run *run = far__player_run_of(w->player, k);
  series s = {
      .label = w->agent[k], .style = agent_look(k), .n = run->n_points, .stride = run->stride};
  s.y = room_for(s.n, sizeof *s.y);
  memcpy(s.y, run->curve, s.n * sizeof *s.y);
  if (w->curve == CURVE_RATE) take_rates(&s);
  return s;
}

static void find_range(graph *g, curve_kind kind) {
  g->low = kind == CURVE_RATE ? INFINITY : 0;
  g->high = kind == CURVE_RATE ? -INFINITY : 0;
  for (size_t k = 0; k < g->n_lines; ++k)
    for (size_t i = 0; i < g->lines[k].n; ++i) {
      g->low = fmin(g->low, g->lines[k].y[i]);
      g->high = fmax(g->high, g->lines[k].y[i]);
    }
  if (!(g->high > g->low)) g->high = (g->low = isfinite(g->low) ? g->low : 0) + 1;
}

/* ---- dots ---- */

static void set_dot(graph *g, size_t k, int x, int y) {
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const int column = x / 2, row = y / 4;
  if (x < 0 || y < 0 || column >= g->plot.width || row >= g->plot.height) return;
  g->dots[k][row * g->plot.width + column] |= bits[y % 4][x % 2];
}

static int height_of(const graph *g, double value) {
  const int most = 4 * g->plot.height - 1;
  return most - (int)floor((value - g->low) / (g->high - g->low) * most + 0.5);
}

/* The value at a place between two points; the total is 0 before the first step. */
static double value_at(const series *s, double step, bool from_zero) {
  const double i = step / (double)s->stride - 1;
  if (i >= (double)s->n - 1) return s->y[s->n - 1];
  if (i < 0) return from_zero ? s->y[0] * (1 + i) : s->y[0];
  const size_t k = (size_t)i;
  return s->y[k] + (i - (double)k) * (s->y[k + 1] - s->y[k]);
}

/* Draws a line: each column of dots reaches from the height of the previous column to its own. */
static void draw_line(graph *g, size_t k, int64_t steps, bool from_zero) {
  const series *s = &g->lines[k];
  const int columns = 2 * g->plot.width;
  int before = 0;
  for (int x = 0; s->n > 0 && x < columns; ++x) {
    const double step = (double)steps * (x + 0.5) / columns;
    const int y = height_of(g, value_at(s, step, from_zero));
    const int from = x == 0 ? y : before;
    for (int i = from < y ? from : y; i <= (from < y ? y : from); ++i)
      if (i != from || i == y) set_dot(g, k, x, i);
    before = y;
  }
}

/* A character that lines share has the dots of both; columns alternate between their colours. */
static void show_dots(const graph *g, frame *f) {
  for (int row = 0; row < g->plot.height; ++row)
    for (int column = 0; column < g->plot.width; ++column) {
      unsigned char dots = 0;
      look style = STYLE_PLAIN;
      for (size_t k = 0; k < g->n_lines; ++k) {
        const unsigned char own = g->dots[k][row * g->plot.width + column];
        if (own != 0 && (dots == 0 || column % 2 == 0)) style = g->lines[k].style;
        dots |= own;
      }
      if (dots != 0) frame_set(f, g->plot.x + column, g->plot.y + row, style, 0x2800u + dots);
    }
}

/* ---- labels ---- */

static void draw_axis(const graph *g, frame *f, rectangle box) {
  const scale all = {g->low, g->high, 0};
  const double most = fmax(fabs(all.low), fabs(all.high));
  const int decimals = most < 1 ? 3 : most < 10 ? 2 : most < 1000 ? 1 : 0;
  frame_put_right(f, box.x, g->plot.y, AXIS - 2, STYLE_DIM,
                  fit_number(g->high, AXIS - 3, decimals).text);
  if (g->plot.height > 1)
    frame_put_right(f, box.x, g->plot.y + g->plot.height - 1, AXIS - 2, STYLE_DIM,
                    fit_number(g->low, AXIS - 3, decimals).text);
  for (int i = 0; i < g->plot.height; ++i)
    frame_set(f, g->plot.x - 1, g->plot.y + i, STYLE_DIM,
              i == 0 || i == g->plot.height - 1 ? 0x2524 : 0x2502);
}

/* Writes the labels beside the ends of their lines, or in neighbouring rows if both lines end in the same row. */
static void draw_labels(const graph *g, frame *f, int width) {
  int rows[WATCH_AGENTS], last = g->plot.height - 1;
  if (width < 3) return;
  for (size_t k = 0; k < g->n_lines; ++k) {
    const series *s = &g->lines[k];
    rows[k] = s->n > 0 ? height_of(g, s->y[s->n - 1]) / 4 : last;
  }
  if (g->n_lines == 2 && rows[0] == rows[1]) {
    const bool first_above =
        g->lines[0].n == 0 || g->lines[0].y[g->lines[0].n - 1] >= g->lines[1].y[g->lines[1].n - 1];
    const size_t lower = first_above ? 1 : 0;
    if (rows[lower] < last)
      rows[lower] += 1;
    else
      rows[1 - lower] -= 1;
  }
  for (size_t k = 0; k < g->n_lines; ++k)
    frame_put(f, g->plot.x + g->plot.width + 1, g->plot.y + rows[k], width - 1, g->lines[k].style,
              g->lines[k].label);
}

static int label_width(const watch *w, int width) {
  int widest = 0;
  if (w->n_agents < 2 || w->curve == CURVE_DIFFERENCE || width < 50) return 0;
  for (size_t k = 0; k < w->n_agents; ++k)
    if (frame_width(w->agent[k]) > widest) widest = frame_width(w->agent[k]);
  return (widest < MOST_LABEL ? widest : MOST_LABEL) + 1;
}

static void title(char *out, size_t size, const watch *w) {
  static const char *const names[] = {"total reward", "reward per step (sliding mean)",
                                      "difference of the totals"};
  snprintf(out, size, "%s, steps 0 to %s", names[w->curve],
           far__brief_count(far__player_t(w->player)).text);
}

void draw_curves(const watch *w, frame *f, rectangle box) {
  const int labels = label_width(w, box.width);
  char text[160];
  graph g = {.plot = {box.x + AXIS, box.y + 1, box.width - AXIS - labels - 1, box.height - 1}};
  title(text, sizeof text, w);
  draw_title(f, box, STYLE_DIM, text);
  if (g.plot.width < FEWEST_COLUMNS || g.plot.height < 1) return;
  for (; g.n_lines < w->n_agents; ++g.n_lines) g.lines[g.n_lines] = take_series(w, g.n_lines);
  if (w->curve == CURVE_DIFFERENCE && w->n_agents == 2) {
    /* One line: the first minus the second. Both have points at the same steps. */
    for (size_t i = 0; i < g.lines[0].n; ++i) g.lines[0].y[i] -= g.lines[1].y[i];
    free(g.lines[1].y);
    g.lines[0].label = "";
    g.n_lines = 1;
  }
  find_range(&g, w->curve);
  for (size_t k = 0; k < g.n_lines; ++k) {
    g.dots[k] = room_for((size_t)g.plot.width * (size_t)g.plot.height, 1);
    draw_line(&g, k, far__player_t(w->player), w->curve != CURVE_RATE);
  }
  show_dots(&g, f);
  draw_axis(&g, f, box);
  draw_labels(&g, f, labels);
  for (size_t k = 0; k < g.n_lines; ++k) free(g.dots[k]), free(g.lines[k].y);
}
