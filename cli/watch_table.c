/* A table of the states: blocks of columns, one block a quantity and one column an action. */
#include <math.h>
#include <string.h>

#include "memory.h"
#include "questions/learning/player.h"
#include "questions/model/drawing.h"
#include "watch.h"

enum { NUMBER_WIDTH = 7, LEARN_WIDTH = 2, MOST_BLOCKS = N_QUANTITIES, NAME_WIDTH = 9 };

typedef struct block {
  quantity quantity;
  int x, column; /* where it begins, and the width of a column */
  uint32_t n_columns;
  scale scale;
} block;

typedef struct plan {
  block blocks[MOST_BLOCKS];
  size_t n_blocks;
} plan;

/* ---- which columns ---- */

static int column_width(quantity q) {
  return q == SHOW_LEARN ? LEARN_WIDTH : NUMBER_WIDTH;
}

/* The width of a block, with room for its heading: with two actions, "LEARN" is wider than its columns. */
static int block_width(const watch *w, quantity q) {
  const int columns = column_width(q) * (int)w->shape.n_actions;
  const int title = frame_width(quantity_name(q)) + 1;
  return (columns > title ? columns : title) + 1;
}

/* Chooses the quantities that fit into `width`: first the one that the map shows, then the others, the most informative
 * first. */
static void choose(const watch *w, size_t k, int width, bool chosen[N_QUANTITIES]) {
  static const quantity order[] = {SHOW_Q, SHOW_LEARN, SHOW_VISITS, SHOW_BONUS,
                                   SHOW_E, SHOW_VALUE, SHOW_POLICY};
  memset(chosen, 0, N_QUANTITIES * sizeof *chosen);
  const bool *has = w->numbers[k]->has;
  if (has[w->shown]) chosen[w->shown] = true, width -= block_width(w, w->shown);
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    const quantity q = order[i];
    const quantity same = q == SHOW_Q ? SHOW_VALUE : q == SHOW_VALUE ? SHOW_Q : q;
    if (same != q && chosen[same] && !has[SHOW_BONUS]) continue;
    if (chosen[q] || !has[q] || block_width(w, q) > width) continue;
    chosen[q] = true;
    width -= block_width(w, q);
  }
}

static plan make_plan(const watch *w, size_t k, rectangle box) {
  plan p = {.n_blocks = 0};
  bool chosen[N_QUANTITIES];
  int x = box.x + NAME_WIDTH;
  choose(w, k, box.width - NAME_WIDTH, chosen);
  for (int q = 0; q < N_QUANTITIES; ++q) {
    if (!chosen[q]) continue;
    block *b = &p.blocks[p.n_blocks++];
    *b = (block){.quantity = (quantity)q, .x = x, .column = column_width((quantity)q)};
    const int fit = (box.x + box.width - x) / b->column;
    b->n_columns =
        fit < (int)w->shape.n_actions ? (uint32_t)(fit > 0 ? fit : 0) : w->shape.n_actions;
    b->scale = empty_scale();
    scale_pairs(&b->scale, w->numbers[k], b->quantity, &w->shape);
    x += block_width(w, (quantity)q);
  }
  return p;
}

/* ---- rows ---- */

static void draw_number(const watch *w, size_t k, frame *f, const block *b, int y, uint32_t s,
                        uint32_t a, bool best) {
  const double x = pair_number(w->numbers[k], b->quantity, s, a);
  const bool shown = b->quantity == w->shown;
  const bool marked =
      w->marked == (int)k && w->marked_s == s && w->marked_a == a && b->quantity == w->marked_q;
  look style = STYLE_NO_SHADE;
  if (shown) style |= STYLE_HEAT(heat_on(&b->scale, b->quantity, x));
  if (best && b->quantity != SHOW_VISITS) style |= STYLE_BOLD;
  if (marked) style = STYLE_REVERSE | STYLE_BOLD | w->message_style;
  const int at = b->x + (int)a * b->column, width = b->column;
  frame_line(f, at, y, width, style & ~(look)STYLE_BOLD, ' ');
  if (b->quantity == SHOW_LEARN)
    frame_set(f, at + width - 1, y, style, x > 0 ? 0x25cf : 0xb7);
  else
    frame_put_right(f, at, y, width, style, fit_number(x, width - 1, b->scale.decimals).text);
}

static void draw_name(const watch *w, size_t k, frame *f, int x, int y, uint32_t s) {
  const bool here = far__player_run_of(w->player, k)->s == s;
  const char *name = far_mdp_state_name(w->mdp, s);
  char text[80];
  if (name == NULL && w->layout.kind != FAR_LAYOUT_NONE) name = w->layout.label[s];
  snprintf(text, sizeof text, "%lu %.40s", (unsigned long)s, name != NULL ? name : "");
  const look style = here ? STYLE_MARK : !far_shape_is_live(&w->shape, s) ? STYLE_DIM : STYLE_PLAIN;
  frame_put(f, x, y, 1, STYLE_BOLD, here ? "▶" : " ");
  if (here) frame_line(f, x + 1, y, NAME_WIDTH - 2, style, ' ');
  frame_put(f, x + 1, y, NAME_WIDTH - 2, style, text);
}

static void draw_row(const watch *w, size_t k, frame *f, const plan *p, rectangle box, int y,
                     uint32_t s) {
  draw_name(w, k, f, box.x, y, s);
  const uint32_t best = likely_action(w->numbers[k], s);
  for (size_t i = 0; i < p->n_blocks; ++i)
    for (uint32_t a = 0; a < p->blocks[i].n_columns; ++a)
      draw_number(w, k, f, &p->blocks[i], y, s, a, a == best);
}

/* ---- headings ---- */

static void draw_headings(const watch *w, frame *f, const plan *p, rectangle box) {
  frame_put(f, box.x + 1, box.y + 1, NAME_WIDTH - 1, STYLE_DIM, "state");
  for (size_t i = 0; i < p->n_blocks; ++i) {
    const block *b = &p->blocks[i];
    const int width = b->column * (int)b->n_columns;
    const int title = frame_width(quantity_name(b->quantity));
    frame_put_right(f, b->x + 1, box.y, width - 1 > title ? width - 1 : title,
                    b->quantity == w->shown ? STYLE_BOLD : STYLE_PLAIN, quantity_name(b->quantity));
    for (uint32_t a = 0; a < b->n_columns; ++a) {
      char mark[FAR__DRAWING_TEXT];
      far__drawing_mark(mark, w->mdp, a);
      frame_put_right(f, b->x + (int)a * b->column, box.y + 1, b->column, STYLE_DIM, mark);
    }
  }
}

/* ---- which states: those in which an agent acts ---- */

uint32_t *table_states(const far_shape *shape) {
  if (shape->absent == NULL) return NULL;
  uint32_t *out = room_for(far_shape_live(shape), sizeof *out), n = 0;
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (far_shape_is_live(shape, s)) out[n++] = s;
  return out;
}

static uint32_t state_of(const watch *w, uint32_t row) {
  return w->states != NULL ? w->states[row] : row;
}

/* The row of a state; that of the next state if this one has none. */
static uint32_t row_of(const watch *w, uint32_t s) {
  uint32_t low = 0, high = w->n_live;
  if (w->states == NULL) return s;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (w->states[middle] < s)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int64_t table_page(const watch *w, size_t k, int rows) {
  const int64_t row = row_of(w, far__player_run_of(w->player, k)->s);
  return w->n_live <= (uint32_t)rows ? 0 : row / rows * rows;
}

/* The first row of the page that the agent is on, moved by what was scrolled. */
static uint32_t first_row(const watch *w, size_t k, int rows) {
  const int64_t n = w->n_live, last = n > rows ? n - rows : 0;
  const int64_t first = table_page(w, k, rows) + w->scroll;
  return (uint32_t)(first < 0 ? 0 : first > last ? last : first);
}

/* Writes the first and the last state that are shown, and of all states, left of the first block's heading. */
static void draw_range(const watch *w, frame *f, const plan *p, rectangle box, uint32_t first,
                       int rows) {
  const uint32_t ends[4] = {first, first + (uint32_t)rows - 1, 0, w->n_live - 1};
  far__brief number[4];
  char text[100];
  int width = box.width;
  if (p->n_blocks > 0) {
    const block *b = &p->blocks[0];
    width =
        NAME_WIDTH + b->column * (int)b->n_columns - frame_width(quantity_name(b->quantity)) - 1;
  }
  for (size_t i = 0; i < 4; ++i) number[i] = far__brief_count(state_of(w, ends[i]));
  snprintf(text, sizeof text, "%.20s–%.20s of %.20s–%.20s", number[0].text, number[1].text,
           number[2].text, number[3].text);
  if (frame_width(text) >= width) text[strcspn(text, " ")] = '\0';
  if (frame_width(text) < width) frame_put(f, box.x + 1, box.y, width - 1, STYLE_DIM, text);
}

int table_height(const watch *w, int most) {
  return w->n_live + 2 < (uint32_t)most ? (int)w->n_live + 2 : most;
}

void draw_table(const watch *w, size_t k, frame *f, rectangle box) {
  const plan p = make_plan(w, k, box);
  const int rows = box.height - 2;
  if (rows < 1) return;
  draw_headings(w, f, &p, box);
  const uint32_t first = first_row(w, k, rows);
  if (w->table != NULL && k == 0) *w->table = (table_shown){first, rows};
  for (int i = 0; i < rows && first + (uint32_t)i < w->n_live; ++i)
    draw_row(w, k, f, &p, box, box.y + 2 + i, state_of(w, first + (uint32_t)i));
  if (w->n_live > (uint32_t)rows) draw_range(w, f, &p, box, first, rows);
}
