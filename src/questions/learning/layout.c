/* Figures on layouts: heading, scale, legend, and the panels. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "farsight/report.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"
#include "report/build.h"

far__layout_figure_def far__layout_figure_def_default(void) {
  return (far__layout_figure_def){.low = NAN, .high = NAN, .kind = "layout", .width = 720};
}

/* ---- the legend ---- */

typedef struct legend {
  far_figure *f;
  const far__board *b;
  double left, right; /* of its lines */
  double x, y;        /* of the next entry: the base line */
} legend;

/* Room for an entry; where its mark begins. */
static double enter(legend *l, double mark, const char *text) {
  const double width = mark + fmin(far__text_length(text, FAR__SMALL, false), l->right - l->left);
  if (l->x > l->left && l->x + width > l->right) {
    l->x = l->left;
    l->y += 17;
  }
  const double at = l->x;
  far__figure_write_within(l->f, at + mark, l->y, l->right - at - mark,
                           (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED}, text);
  l->x += width + 16;
  return at;
}

static void add_square(legend *l, far__paint paint, const char *inside, const char *text) {
  const double x = enter(l, 17, text);
  far__figure_rectangle(l->f, x + 0.5, l->y - 9.5, 11, 11, paint);
  far__figure_write(l->f, x + 6, l->y,
                    (far__font){.size = 10, .anchor = FAR__MIDDLE, .ink = FAR__INK_MUTED}, inside);
}

typedef struct looks {
  bool seen[FAR__LOOK_UNREACHED + 1];
} looks;

static bool has_breadth(const far__board *b) {
  for (size_t i = 0; i < b->layout.n_walls; ++i)
    if (b->layout.walls[i].x0 < b->layout.walls[i].x1 &&
        b->layout.walls[i].y0 < b->layout.walls[i].y1)
      return true;
  return false;
}

/* Terminal states that a cross or a label marks. */
static void add_states(legend *l) {
  looks found = {{false}};
  for (size_t i = 0; i < far__board_panels(l->b->def); ++i)
    for (uint32_t s = 0; s < l->b->shown; ++s)
      found.seen[far__board_look(l->b, far__board_panel(l->b->def, i), s)] = true;
  if (found.seen[FAR__LOOK_UNVISITED] || (l->b->def->zero_is_empty && l->b->def->pairs))
    far__draw_empty(l->f, l->b, enter(l, 17, "not visited"), l->y - 10, 12, 12);
  if (found.seen[FAR__LOOK_TERMINAL])
    add_square(l, (far__paint){.fill = FAR__INK_EMPTY}, "×", "terminal");
  if (found.seen[FAR__LOOK_UNREACHED] && l->b->cell >= 8) {
    const double x = enter(l, 10, "cannot be reached");
    far__figure_circle(l->f, x + 4, l->y - 4, 1.4, (far__paint){.fill = FAR__INK_MUTED});
  }
  if (has_breadth(l->b)) add_square(l, (far__paint){.fill = FAR__INK_WALL}, "", "wall");
}

static void add_start(legend *l) {
  size_t n;
  far_mdp_starts(l->b->def->mdp, &n);
  if (l->b->kind != FAR__BOARD_TABLE || n > 8) return;
  const double x = enter(l, 11, "start");
  far__figure_polygon(l->f, (double[]){x, x + 6, x + 3}, (double[]){l->y - 1, l->y - 1, l->y - 6},
                      3, (far__paint){.fill = FAR__INK_TEXT});
}

/* "strips: left, none, right": the actions without a direction. */
static const char *undirected_names(far_figure *f, const far__board *b, bool numbers) {
  const char *text = "";
  for (uint32_t a = 0; a < b->shape.n_actions; ++a) {
    if (far__board_directed(b, a)) continue;
    const char *name = far__board_action_name(f, b, a), *comma = *text != '\0' ? ", " : "";
    const int n = far__whole_bytes(name, 40);
    text = numbers ? far__figure_print(f, "%s%s%lu %.*s", text, comma, (unsigned long)a, n, name)
                   : far__figure_print(f, "%s%s%.*s", text, comma, n, name);
  }
  return text;
}

static bool has_names(const far__board *b) {
  return (b->layout.action_label != NULL && b->layout.action_label[0][0] != '\0') ||
         far_mdp_action_name(b->def->mdp, 0) != NULL;
}

static void add_parts(legend *l) {
  const far__board *b = l->b;
  uint32_t directed = 0;
  for (uint32_t a = 0; a < b->shape.n_actions; ++a) directed += far__board_directed(b, a);
  if (b->def->pairs && !b->split && b->def->fold == FAR__FOLD_MAX)
    enter(l, 0, "of a state the greatest of its actions");
  if (!b->split || b->kind == FAR__BOARD_TABLE) return;
  if (directed > 1) enter(l, 0, "each part of a cell: the action that points there");
  if (directed == b->shape.n_actions) return;
  const char *names = undirected_names(l->f, b, false);
  enter(l, 0,
        far__figure_print(l->f, "%s from the left: %s", directed > 1 ? "in the centre" : "strips",
                          has_names(b) ? names : "the actions in their order"));
}

static void add_policy(legend *l) {
  const far__board *b = l->b;
  uint32_t directed = 0;
  if (b->def->panels[0].policy == NULL) return;
  for (uint32_t a = 0; a < b->shape.n_actions; ++a) directed += far__board_directed(b, a);
  if (b->kind == FAR__BOARD_GRAPH) {
    enter(l, 0, "thick lines and rings: where the policy leads, and stays");
    return;
  }
  if (directed > 0 && b->cell >= 5) enter(l, 0, "area of an arrow: probability of the action");
  if (directed < b->shape.n_actions && has_names(b) && b->cell >= 9)
    enter(l, 0, undirected_names(l->f, b, true));
  if (b->cell < (directed > 0 ? 5 : 9)) enter(l, 0, "cells are too small to show actions");
}

/* Notes on states, actions and numbers that are not shown. */
static void add_left_out(legend *l) {
  const far__board *b = l->b;
  if (b->shown < b->shape.n_states) {
    enter(l, 0,
          far__figure_print(l->f, "the first %s of %s states are shown",
                            far__brief_count(b->shown).text,
                            far__brief_count(b->shape.n_states).text));
  }
  if (b->kind == FAR__BOARD_TABLE && b->def->pairs && b->rows < b->shape.n_actions)
    enter(l, 0,
          far__figure_print(l->f, "the first %lu of %lu actions are shown", (unsigned long)b->rows,
                            (unsigned long)b->shape.n_actions));
  if (b->tint.infinite) enter(l, 0, "infinite numbers have the last colour");
}

/* Scale and legend from y; where they end. */
static double draw_keys(far_figure *f, const far__board *b, double y) {
  const far__layout_figure_def *def = b->def;
  const double bar = b->tint.exists ? 200 : 0;
  if (bar > 0) far__tint_bar(f, &b->tint, 22, y, bar, def->scale != NULL ? def->scale : "value");
  const bool below = bar > 0 && def->width < 22 + bar + 200; /* narrow: the legend under the bar */
  const double left = bar > 0 && !below ? 22 + bar + 32 : 16;
  legend l = {.f = f,
              .b = b,
              .left = left,
              .right = def->width - 16,
              .x = left,
              .y = y + (below ? 62 : 12)};
  add_states(&l);
  add_start(&l);
  add_parts(&l);
  add_policy(&l);
  add_left_out(&l);
  return fmax(y + (bar > 0 ? 54 : 0), l.y + 18);
}

/* ---- panels ---- */

/* A note that is too long is cut at its comma. */
static const char *fitting_note(far_figure *f, const char *note, double room) {
  const char *comma = strchr(note, ',');
  if (comma == NULL || far__text_length(note, FAR__SMALL, false) <= room) return note;
  return far__figure_print(f, "%.*s", (int)(comma - note), note);
}

static void draw_title(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                       double y) {
  const double room = b->slot;
  if (p->title == NULL) return;
  const double used = fmin(far__text_length(p->title, FAR__SIZE, true), room) + 8;
  far__figure_write_within(f, x, y, room, (far__font){.bold = true}, p->title);
  if (p->note == NULL) return;
  const char *note = fitting_note(f, p->note, room - used);
  if (far__text_length(note, FAR__SMALL, false) <= room - used)
    far__figure_write(f, x + used, y, (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED}, note);
}

static void draw_panel(far_figure *f, const far__board *b, size_t i, double x, double y) {
  const far__layout_panel *p = &b->def->panels[i];
  far__figure_panel(f, p->title != NULL ? p->title : "");
  draw_title(f, b, p, x, y + 12);
  switch (b->kind) {
  case FAR__BOARD_GRID: far__draw_grid(f, b, p, x, y + 22); break;
  case FAR__BOARD_GRAPH: far__draw_graph(f, b, p, x, y + 22); break;
  default: far__draw_table(f, b, p, x, y + 22);
  }
  far__figure_end(f);
}

static void draw_panels(far_figure *f, const far__board *b, double y) {
  const double pitch = far__board_pitch(b), n = (double)b->columns;
  const double across = fmin((b->def->width - 32 - n * b->slot) / fmax(n - 1, 1), 44) + b->slot;
  const size_t rows = (b->def->n_panels + b->columns - 1) / b->columns;
  for (size_t i = 0; i < b->def->n_panels; ++i)
    draw_panel(f, b, i, 16 + across * (double)(i % b->columns),
               y + pitch * far__row_of(i, b->columns));
  far__figure_height(f, y + pitch * (double)rows);
}

/* ---- words ---- */

static void describe(far_figure *f, const far__layout_figure_def *def, const char **subtitle) {
  const far_shape shape = far_mdp_shape(def->mdp);
  const char *label = far_mdp_label(def->mdp), *title = def->title != NULL ? def->title : "Values";
  *subtitle =
      def->subtitle != NULL
          ? def->subtitle
          : far__figure_print(f, "%s%s%lu states, %lu actions", label, *label != '\0' ? ", " : "",
                              (unsigned long)shape.n_states, (unsigned long)shape.n_actions);
  if (def->description != NULL) {
    far__figure_name(f, title, "%s", def->description);
    return;
  }
  const char *words = "";
  for (size_t i = 0; i < def->n_panels; ++i)
    if (def->panels[i].title != NULL)
      words =
          far__figure_print(f, "%s%s %s", words, *words != '\0' ? ";" : "", def->panels[i].title);
  far__figure_name(f, title, "%s.%s", *subtitle, words);
}

far_status far__layout_figure(far_figure **out, const far__layout_figure_def *def,
                              far_error *error) {
  far__board board;
  far_figure *f = NULL;
  const char *subtitle = "";
  *out = NULL;
  far_status status = far__board_create(&board, def, error);
  if (status == FAR_OK)
    status = far__figure_create(&f, def->kind != NULL ? def->kind : "layout", def->width, error);
  if (status == FAR_OK) describe(f, def, &subtitle);
  if (status == FAR_OK) {
    const double top = far__heading(f, f->title, subtitle);
    draw_panels(f, &board, draw_keys(f, &board, top + 4));
    status = far__figure_finish(&f, error);
  }
  far__board_free(&board);
  if (status == FAR_OK)
    *out = f;
  else
    far_figure_free(f);
  return status;
}
