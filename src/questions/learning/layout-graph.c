/* Graphs: nodes where the layout places them, the transitions between them, and a policy as the share of
 * steps that go along each. */
#include <math.h>
#include <stdlib.h>

#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

enum { MOST_EDGES = 400, MOST_HEADS = 160, MOST_NEAR = 1500 };

typedef struct edge {
  uint32_t from, to;
  double flow; /* the probability of this step under the policy */
  bool both;   /* there is one back */
} edge;

typedef struct graph {
  far_figure *f;
  const far__board *b;
  const far__layout_panel *p;
  double x, y;
  double *radius;
  edge *edges;
  size_t n_edges, room;
  double *stay; /* the probability of staying */
} graph;

static double node_x(const graph *g, uint32_t s) {
  return g->x + g->b->cell * g->b->layout.x[s];
}

static double node_y(const graph *g, uint32_t s) {
  return g->y + g->b->tall * g->b->layout.y[s];
}

/* ---- sizes ---- */

static double nearest(const graph *g, uint32_t s) {
  double least = INFINITY;
  for (uint32_t t = 0; t < g->b->shape.n_states; ++t) {
    const double dx = node_x(g, t) - node_x(g, s), dy = node_y(g, t) - node_y(g, s);
    if (t != s) least = fmin(least, dx * dx + dy * dy);
  }
  return sqrt(least);
}

/* The radius of each node, as large as its neighbours and the frame allow. */
static void find_sizes(graph *g) {
  const far__board *b = g->b;
  for (uint32_t s = 0; s < b->shape.n_states; ++s) {
    const double near = b->shape.n_states <= MOST_NEAR ? nearest(g, s) : b->cell;
    const double inside =
        fmin(b->tall * fmin(b->layout.y[s], b->layout.height - b->layout.y[s]),
             fmax(b->cell * fmin(b->layout.x[s], b->layout.width - b->layout.x[s]), 1));
    g->radius[s] = fmax(fmin(fmin(0.36 * near, 0.9 * inside), fmin(18, 0.44 * b->tall)), 1.2);
  }
}

/* ---- edges ---- */

static int by_ends(const void *a, const void *b) {
  const edge *e = a, *g = b;
  if (e->from != g->from) return e->from < g->from ? -1 : 1;
  return e->to < g->to ? -1 : e->to > g->to;
}

static size_t count_outcomes(const far__board *b) {
  size_t total = 0, n;
  for (uint32_t s = 0; s < b->shape.n_states; ++s)
    for (uint32_t a = 0; a < b->shape.n_actions; ++a) {
      far_mdp_outcomes(b->def->mdp, s, a, &n);
      total += n;
    }
  return total;
}

static void collect(graph *g, uint32_t s, uint32_t a) {
  size_t n;
  const far_outcome *o = far_mdp_outcomes(g->b->def->mdp, s, a, &n);
  for (size_t k = 0; k < n; ++k) {
    const double flow =
        (g->p->policy != NULL ? g->p->policy[(size_t)s * g->b->shape.n_actions + a] : 0) *
        o[k].probability;
    if (o[k].next == s)
      g->stay[s] += flow;
    else
      g->edges[g->n_edges++] = (edge){.from = s, .to = o[k].next, .flow = flow};
  }
}

/* Of too many edges only those of a tree: into states that few lead to. */
static void thin(graph *g) {
  if (g->n_edges <= MOST_EDGES) return;
  uint32_t *into = calloc(g->b->shape.n_states, sizeof *into);
  size_t n = 0;
  if (into == NULL) g->f->kept.failed = true;
  for (size_t i = 0; into != NULL && i < g->n_edges; ++i) into[g->edges[i].to] += 1;
  for (size_t i = 0; into != NULL && i < g->n_edges; ++i)
    if (into[g->edges[i].to] <= 2) g->edges[n++] = g->edges[i];
  free(into);
  g->n_edges = n <= 3 * MOST_EDGES ? n : 0;
}

static void find_edges(graph *g) {
  const far__board *b = g->b;
  for (uint32_t s = 0; s < b->shape.n_states; ++s)
    for (uint32_t a = 0; a < b->shape.n_actions; ++a) collect(g, s, a);
  if (g->n_edges > 1) qsort(g->edges, g->n_edges, sizeof *g->edges, by_ends);
  size_t n = 0;
  for (size_t i = 0; i < g->n_edges; ++i) {
    if (n > 0 && by_ends(&g->edges[n - 1], &g->edges[i]) == 0)
      g->edges[n - 1].flow += g->edges[i].flow;
    else
      g->edges[n++] = g->edges[i];
  }
  g->n_edges = n;
  thin(g);
  for (size_t i = 0; i < g->n_edges; ++i) {
    const edge back = {.from = g->edges[i].to, .to = g->edges[i].from};
    g->edges[i].both = bsearch(&back, g->edges, g->n_edges, sizeof *g->edges, by_ends) != NULL;
  }
}

/* ---- drawing ---- */

static void draw_head(far_figure *f, double x, double y, double u, double v, double size,
                      far__paint paint) {
  far__figure_polygon(f,
                      (double[]){x, x - size * u - 0.5 * size * v, x - size * u + 0.5 * size * v},
                      (double[]){y, y - size * v + 0.5 * size * u, y - size * v - 0.5 * size * u},
                      3, (far__paint){.fill = paint.stroke, .opacity = paint.opacity});
}

static void draw_edge(const graph *g, const edge *e, far__paint paint) {
  enum { POINTS = 9 };
  const double x0 = node_x(g, e->from), y0 = node_y(g, e->from);
  const double dx = node_x(g, e->to) - x0, dy = node_y(g, e->to) - y0;
  const double length = sqrt(dx * dx + dy * dy), bend = e->both ? 0.16 : 0;
  const double from = (g->radius[e->from] + 1) / length, to = 1 - (g->radius[e->to] + 2) / length;
  const bool head = g->n_edges <= MOST_HEADS && (to - from) * length > 9;
  const double size = head ? fmin(4 + 1.5 * paint.width, 0.5 * (to - from) * length) : 0;
  const double end = to - 0.9 * size / length;
  double px[POINTS], py[POINTS];
  if (!(from < end) || (!head && g->radius[e->to] < 1.5)) return;
  for (size_t i = 0; i < POINTS; ++i) {
    const double t = from + (end - from) * (double)i / (POINTS - 1), side = 2 * bend * t * (1 - t);
    px[i] = x0 + t * dx - side * dy;
    py[i] = y0 + t * dy + side * dx;
  }
  if (!e->both) px[1] = px[POINTS - 1], py[1] = py[POINTS - 1];
  far__figure_polyline(g->f, px, py, e->both ? POINTS : 2, paint);
  if (!head) return;
  const double t = to, slope = 2 * bend * (1 - 2 * t), side = 2 * bend * t * (1 - t);
  const double u = dx - slope * dy, v = dy + slope * dx, norm = sqrt(u * u + v * v);
  draw_head(g->f, x0 + t * dx - side * dy, y0 + t * dy + side * dx, u / norm, v / norm, size,
            paint);
}

static void draw_edges(const graph *g) {
  const bool many = g->n_edges > MOST_HEADS;
  for (size_t i = 0; i < g->n_edges; ++i)
    draw_edge(g, &g->edges[i],
              (far__paint){.stroke = FAR__INK_MUTED,
                           .width = many ? 0.5 : 0.8,
                           .opacity = g->radius[g->edges[i].from] < 2 ? 0.2 : 0.45});
  for (size_t i = 0; i < g->n_edges; ++i) {
    const edge *e = &g->edges[i];
    if (e->flow <= 0.02 || far__board_look(g->b, g->p, e->from) != FAR__LOOK_SHOWN) continue;
    if (g->b->tips)
      far__figure_tip(g->f, "state %lu to state %lu: %.3g", (unsigned long)e->from,
                      (unsigned long)e->to, e->flow);
    const double most = fmax(0.6, 0.4 * g->radius[e->from]);
    draw_edge(g, e,
              (far__paint){.stroke = FAR__INK_TEXT, .width = fmin(0.8 + 2.2 * e->flow, most)});
  }
}

/* ---- nodes ---- */

static const char *name_of(const graph *g, uint32_t s) {
  const char *label = g->b->layout.label[s];
  return *label != '\0' ? label : far__figure_print(g->f, "%lu", (unsigned long)s);
}

/* Writes the number of a node, or its name where no node has numbers. */
static void write_inside(const graph *g, uint32_t s, double number, far__ink ink) {
  const double r = g->radius[s];
  char text[FAR__TICK_TEXT] = "";
  far__tint_number(text, number);
  const char *words = g->b->number > 0 ? text : name_of(g, s);
  const double most = g->b->number > 0 ? g->b->number : 11;
  const double size = fmin(most, 1.62 * r / fmax(far__text_length(words, 1, false), 0.1));
  if (size >= 6 && 0.7 * size < 1.6 * r)
    far__figure_write(g->f, node_x(g, s), node_y(g, s) + 0.36 * size,
                      (far__font){.size = size, .anchor = FAR__MIDDLE, .ink = ink}, words);
}

/* Above the first row, below the others, if there is room in the frame. */
static void write_beside(const graph *g, uint32_t s) {
  const double r = g->radius[s], size = 9;
  const bool above = g->b->layout.y[s] < 1;
  const double room = g->b->tall * (above ? g->b->layout.y[s] : 0.5) - r;
  const char *name = name_of(g, s);
  if ((g->b->number == 0 && !g->b->split) || room < size - 2) return;
  if (far__text_length(name, size, false) > fmax(g->b->cell, 2 * r)) return;
  far__figure_write(g->f, node_x(g, s), node_y(g, s) + (above ? -r - 2.5 : r + 0.8 * size + 1.5),
                    (far__font){.size = size, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED}, name);
}

static void draw_node(const graph *g, uint32_t s) {
  const far__board *b = g->b;
  const double x = node_x(g, s), y = node_y(g, s), r = g->radius[s];
  const far__look look = far__board_look(b, g->p, s);
  const double value = look == FAR__LOOK_SHOWN ? far__board_state(b, g->p, s) : NAN;
  far__ink ink = far__tint_ink(&b->tint, value);
  if (look == FAR__LOOK_SHOWN && b->split) {
    far__figure_rectangle(
        g->f, x - 0.94 * r, y - 0.94 * r, 1.88 * r, 1.88 * r,
        (far__paint){.fill = FAR__INK_PAPER, .stroke = FAR__INK_MUTED, .width = 1});
    far__draw_cell(g->f, b, g->p, s, x, y, 1.88 * r);
    return;
  }
  if (look == FAR__LOOK_TERMINAL) ink = FAR__INK_EMPTY;
  if (b->tips && look == FAR__LOOK_SHOWN) far__board_tip(g->f, b, s, UINT32_MAX, value);
  if (b->tips && look != FAR__LOOK_SHOWN)
    far__figure_tip(g->f, "%s: %s", far__board_state_name(g->f, b, s),
                    look == FAR__LOOK_TERMINAL ? "terminal" : "not visited");
  far__figure_circle(g->f, x, y, r,
                     (far__paint){.fill = ink != FAR__NO_INK ? ink : FAR__INK_PAPER,
                                  .stroke = FAR__INK_MUTED,
                                  .width = r > 4 ? 1 : 0.4});
  if (g->p->policy != NULL && g->stay[s] > 0.02 && look == FAR__LOOK_SHOWN)
    far__figure_circle(g->f, x, y, r + 3,
                       (far__paint){.stroke = FAR__INK_TEXT, .width = 0.8 + 2.2 * g->stay[s]});
  write_inside(g, s, value, ink >= FAR__INK_HEAT ? far__ink_on(ink) : FAR__INK_MUTED);
}

void far__draw_graph(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                     double y) {
  const uint32_t n = b->shape.n_states;
  graph g = {.f = f, .b = b, .p = p, .x = x, .y = y};
  g.radius = calloc(n, sizeof *g.radius);
  g.stay = calloc(n, sizeof *g.stay);
  g.edges = malloc((count_outcomes(b) + 1) * sizeof *g.edges);
  if (g.radius != NULL && g.stay != NULL && g.edges != NULL) {
    find_sizes(&g);
    find_edges(&g);
    draw_edges(&g);
    for (uint32_t s = 0; s < n; ++s) draw_node(&g, s);
    for (uint32_t s = 0; s < n; ++s) write_beside(&g, s);
  } else {
    f->kept.failed = true;
  }
  free(g.radius);
  free(g.stay);
  free(g.edges);
}
