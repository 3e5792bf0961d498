/* The board: which drawing suits the layout, how large its cells are, and how panels stand side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "questions/learning/layout.h"
#include "questions/learning/layout-figure.h"

#define GAP 18.0       /* between panels */
#define TITLE 22.0     /* above a panel */
#define NARROWEST 84.0 /* a panel with its title */
#define AXIS 18.0      /* below a band of a table */

size_t far__board_panels(const far__layout_figure_def *def) {
  return def->n_panels + def->n_others;
}

const far__layout_panel *far__board_panel(const far__layout_figure_def *def, size_t i) {
  return i < def->n_panels ? &def->panels[i] : &def->others[i - def->n_panels];
}

/* ---- what is drawn of a state ---- */

far__look far__board_look(const far__board *b, const far__layout_panel *p, uint32_t s) {
  const uint32_t n = b->shape.n_actions;
  if (far_mdp_terminal(b->def->mdp, s)) return FAR__LOOK_TERMINAL;
  if (!far_shape_is_live(&b->shape, s)) return FAR__LOOK_UNREACHED;
  if (p->visits == NULL) return FAR__LOOK_SHOWN;
  for (uint32_t a = 0; a < n; ++a)
    if (p->visits[(size_t)s * n + a] > 0) return FAR__LOOK_SHOWN;
  return FAR__LOOK_UNVISITED;
}

static double emptied(const far__board *b, double x) {
  return b->def->zero_is_empty && x == 0 ? NAN : x;
}

double far__board_state(const far__board *b, const far__layout_panel *p, uint32_t s) {
  const uint32_t n = b->shape.n_actions;
  if (p->values == NULL) return NAN;
  if (!b->def->pairs) return emptied(b, p->values[s]);
  return emptied(b, far__folded(b->def->fold, p->values + (size_t)s * n, n));
}

double far__board_pair(const far__board *b, const far__layout_panel *p, uint32_t s, uint32_t a) {
  if (!b->def->pairs) return far__board_state(b, p, s);
  if (p->values == NULL) return NAN;
  return emptied(b, p->values[(size_t)s * b->shape.n_actions + a]);
}

/* ---- names ---- */

const char *far__board_state_name(far_figure *f, const far__board *b, uint32_t s) {
  const char *name = far_mdp_state_name(b->def->mdp, s);
  if (name == NULL && b->layout.label != NULL) name = b->layout.label[s];
  if (name == NULL || *name == '\0') return far__figure_print(f, "state %lu", (unsigned long)s);
  return far__figure_print(f, "state %lu (%s)", (unsigned long)s, name);
}

const char *far__board_action_name(far_figure *f, const far__board *b, uint32_t a) {
  const char *name = far_mdp_action_name(b->def->mdp, a);
  if (name == NULL && b->layout.action_label != NULL) name = b->layout.action_label[a];
  if (name == NULL || *name == '\0') return far__figure_print(f, "action %lu", (unsigned long)a);
  return name;
}

int far__whole_bytes(const char *text, size_t most) {
  size_t n = strlen(text);
  if (n > most)
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) --n;
  return (int)n;
}

void far__board_tip(far_figure *f, const far__board *b, uint32_t s, uint32_t a, double x) {
  char number[FAR__NUMBER_SIZE] = "none";
  if (!b->tips) return;
  if (x == x) {
    far__real_format(number, x);
    if (strlen(number) > 10) far__real_below(number, x, 6);
  }
  const char *state = far__board_state_name(f, b, s);
  if (a == UINT32_MAX)
    far__figure_tip(f, "%s: %s", state, number);
  else
    far__figure_tip(f, "%s, %s: %s", state, far__board_action_name(f, b, a), number);
}

/* ---- sizes ---- */

static double half_units(double x) {
  return floor(2 * x) / 2;
}

/* For panels of this breadth. */
static void size_grid(far__board *b, double room) {
  const double most = b->def->n_panels == 1 ? 72 : 54;
  b->cell = fmin(most, room / b->layout.width);
  if (b->cell > 2) b->cell = half_units(b->cell);
  b->tall = b->cell;
  if (b->kind == FAR__BOARD_GRAPH)
    b->tall = fmin(fmax(1.1 * b->cell, fmin(36, 220 / b->layout.height)), 64);
  b->width = b->cell * b->layout.width;
  b->height = b->tall * b->layout.height;
}

static uint32_t least_of(uint32_t a, double b) {
  return b < 1 ? 1 : (double)a < b ? a : (uint32_t)b;
}

/* Bands as broad as there is room for, with columns that can be seen. */
static void size_table(far__board *b, double room) {
  const uint32_t n = b->shape.n_states;
  const double most_bands = fmax(1, floor(24 / (double)b->def->n_panels));
  const double least = b->shape.n_states <= 200 ? 3 : 5;
  room -= b->left;
  b->per_band = room / n >= least ? n : least_of(n, room / least);
  b->bands = least_of((n + b->per_band - 1) / b->per_band, most_bands);
  if (b->bands > 1 && b->bands * b->per_band >= n) b->per_band = (n + b->bands - 1) / b->bands;
  b->shown = b->bands * b->per_band < n ? b->bands * b->per_band : n;
  b->cell = fmin(40, room / b->per_band);
  if (b->cell > 4) b->cell = half_units(b->cell);
  b->tall = b->rows > 12 ? fmax(4, 160.0 / b->rows) : fmin(fmax(b->cell, 15), 24);
  if (b->rows == 1) b->tall = fmin(fmax(b->cell, 22), 32);
  b->width = b->left + b->cell * b->per_band;
  b->height = b->bands * (b->rows * b->tall + AXIS);
}

static double room_of(const far__board *b, size_t columns) {
  return (b->def->width - 32 - GAP * (double)(columns - 1)) / (double)columns;
}

static void size_for(far__board *b, size_t columns) {
  const double room = room_of(b, columns);
  b->columns = columns;
  if (b->kind == FAR__BOARD_TABLE)
    size_table(b, room);
  else
    size_grid(b, room);
  b->slot = fmin(room, fmax(b->width, NARROWEST));
}

double far__board_pitch(const far__board *b) {
  return b->height + TITLE + 14;
}

/* The greatest height: tables of many states and large maps may be taller. */
static double tallest(const far__board *b) {
  if (b->kind == FAR__BOARD_TABLE) return b->shape.n_states > 24 ? 780 : 560;
  if (b->kind == FAR__BOARD_GRAPH && b->shape.n_states > 60) return 900;
  return b->layout.width * b->layout.height > 200 ? 720 : 560;
}

/* The largest cells with which the figure is not too tall; of equal ones the fewest rows. A table had better
 * show all states, and in one band. */
static void arrange(far__board *b) {
  size_t best = 1;
  double best_cell = -1, lowest = INFINITY;
  for (size_t c = 1; c <= b->def->n_panels && (c == 1 || room_of(b, c) >= NARROWEST); ++c) {
    size_for(b, c);
    const size_t rows = (b->def->n_panels + b->columns - 1) / b->columns;
    const double height = (double)rows * far__board_pitch(b);
    const bool fits = height <= tallest(b);
    const bool whole = b->kind != FAR__BOARD_TABLE || b->shown == b->shape.n_states;
    const bool one = b->kind != FAR__BOARD_TABLE || b->bands == 1;
    const double cell = fits ? b->cell + (whole ? 1000 : 0) + (one ? 1000 : 0) : 0;
    if (cell > 0 ? cell >= best_cell : best_cell <= 0 && height < lowest) best = c;
    best_cell = fmax(best_cell, cell);
    lowest = fmin(lowest, height);
  }
  size_for(b, best);
}

/* ---- numbers in cells ---- */

static double widest_number(const far__board *b) {
  double widest = 0;
  char text[FAR__TICK_TEXT];
  for (size_t i = 0; i < far__board_panels(b->def); ++i)
    for (uint32_t s = 0; s < b->shape.n_states; ++s) {
      const far__layout_panel *p = far__board_panel(b->def, i);
      if (far__board_look(b, p, s) != FAR__LOOK_SHOWN) continue;
      for (uint32_t a = 0; a < (b->split ? b->shape.n_actions : 1); ++a) {
        far__tint_number(text, b->split ? far__board_pair(b, p, s, a) : far__board_state(b, p, s));
        widest = fmax(widest, far__text_length(text, 1, false));
      }
    }
  return widest;
}

/* As large as all numbers fit, if they can be read then. Arrows need the room for themselves. */
static double number_size(const far__board *b) {
  const double cell = b->kind == FAR__BOARD_GRAPH ? 0.64 * b->cell : b->cell;
  const bool table = b->kind == FAR__BOARD_TABLE;
  if (b->def->no_numbers || b->def->panels[0].policy != NULL || cell < 16 ||
      (table && b->tall < 13))
    return 0;
  double room = 0.88 * cell, most = table ? 0.68 * b->tall : 0.4 * cell;
  if (b->split && !table) room *= far__part_room(b), most *= 0.5;
  const double widest = widest_number(b);
  const double size = fmin(fmin(11, most), widest > 0 ? room / widest : 11);
  return size >= 7 ? size : 0;
}

/* ---- the whole ---- */

static far_status make_map(far__board *b, far_error *error) {
  const size_t columns = (size_t)b->layout.width, rows = (size_t)b->layout.height;
  if (b->kind != FAR__BOARD_GRID) return FAR_OK;
  b->at = malloc((columns * rows + 1) * sizeof *b->at);
  if (b->at == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
  memset(b->at, 0xff, columns * rows * sizeof *b->at);
  for (uint32_t s = 0; s < b->shape.n_states; ++s)
    b->at[(size_t)b->layout.y[s] * columns + (size_t)b->layout.x[s]] = s;
  return FAR_OK;
}

static double names_width(const far__board *b) {
  double width = 0;
  for (uint32_t a = 0; a < b->rows; ++a) {
    char digits[24];
    const char *name = far_mdp_action_name(b->def->mdp, a);
    if (name == NULL && b->layout.action_label != NULL) name = b->layout.action_label[a];
    snprintf(digits, sizeof digits, "action %lu", (unsigned long)a);
    width = fmax(
        width, far__text_length(name != NULL && *name != '\0' ? name : digits, FAR__SMALL, false));
  }
  return fmin(width, 90) + 8;
}

static far_status check(const far__board *b, far_error *error) {
  const far__layout_figure_def *def = b->def;
  if (def->n_panels < 1 || def->n_panels > FAR__LAYOUT_PANELS)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a figure has 1 to %d panels, not %zu",
                     (int)FAR__LAYOUT_PANELS, def->n_panels);
  if (!(def->width >= 200 && def->width <= 5000))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the width must be 200 to 5,000, not %g",
                     def->width);
  if (b->kind != FAR__BOARD_TABLE && (b->shape.n_states > FAR__LAYOUT_STATES / def->n_panels ||
                                      b->layout.width * b->layout.height > 4e6))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "%lu states in %zu panels are too many to draw: at most %d together",
                     (unsigned long)b->shape.n_states, def->n_panels, (int)FAR__LAYOUT_STATES);
  return FAR_OK;
}

enum { MOST_ROWS = 64, MOST_TIPS = 2500 };

far_status far__board_create(far__board *b, const far__layout_figure_def *def, far_error *error) {
  *b = (far__board){
      .def = def, .layout = far_mdp_layout(def->mdp), .shape = far_mdp_shape(def->mdp)};
  if (b->layout.kind == FAR_LAYOUT_GRID) b->kind = FAR__BOARD_GRID;
  if (b->layout.kind == FAR_LAYOUT_GRAPH) b->kind = FAR__BOARD_GRAPH;
  const far_status status = check(b, error);
  if (status != FAR_OK) return status;
  const bool table = b->kind == FAR__BOARD_TABLE;
  b->rows = def->pairs ? least_of(b->shape.n_actions, MOST_ROWS) : 1;
  b->shown = b->shape.n_states;
  if (table && b->rows > 1) b->left = names_width(b);
  arrange(b);
  b->split = def->pairs && (table || (!def->whole && far__parts_exist(b)));
  b->tint = far__tint_create(def, &b->shape, b->split);
  b->number = number_size(b);
  b->tips =
      (double)b->shown * (b->split ? b->shape.n_actions : 1) * (double)def->n_panels <= MOST_TIPS;
  return make_map(b, error);
}

void far__board_free(far__board *b) {
  free(b->at);
}
