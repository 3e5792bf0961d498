/* What the drawings on layouts share: the scale of colours, the board that all panels are drawn on. */
#ifndef FAR_QUESTIONS_LEARNING_LAYOUT_H
#define FAR_QUESTIONS_LEARNING_LAYOUT_H

#include "farsight/mdp.h"
#include "questions/learning/layout-figure.h"
#include "report/figure/axes.h"

/* ---- colours of numbers ---- */

typedef struct far__tint {
  bool exists;   /* there is any number */
  bool sign;     /* zero is in the middle */
  bool infinite; /* some number is */
  far__axis axis;
} far__tint;

/* The scale of all panels; `split`: values of pairs are drawn one by one, else folded. */
far__tint far__tint_create(const far__layout_figure_def *def, const far_shape *shape, bool split);

/* The one number of a state, from a row of its pairs. */
double far__folded(far__fold fold, const double *row, uint32_t n);

/* FAR__NO_INK for NAN. */
far__ink far__tint_ink(const far__tint *tint, double x);

/* A number as it stands in a cell: three digits; "" for NAN. */
void far__tint_number(char out[FAR__TICK_TEXT], double x);

/* The bar with ticks and what it shows, from (x, y); its height. */
double far__tint_bar(far_figure *f, const far__tint *tint, double x, double y, double width,
                     const char *title);

/* ---- the board ---- */

typedef enum far__board_kind {
  FAR__BOARD_TABLE,
  FAR__BOARD_GRID,
  FAR__BOARD_GRAPH
} far__board_kind;

typedef struct far__board {
  const far__layout_figure_def *def;
  far__board_kind kind;
  far_layout layout;
  far_shape shape;
  far__tint tint;
  bool split; /* a cell shows each action */
  bool tips;
  double cell;       /* side of a state's square; of a table the breadth of a column */
  double tall;       /* of a graph the distance of rows; of a table the height of a row */
  double number;     /* size of numbers in cells; 0: there is no room */
  double left;       /* of a table: room for the names of actions */
  uint32_t shown;    /* of a table: states */
  uint32_t rows;     /* of a table: rows in a band, which are actions */
  uint32_t per_band; /* of a table: states in a band */
  uint32_t bands;
  double width, height; /* of a panel, without its title */
  double slot;          /* room for the title */
  size_t columns;       /* of panels */
  uint32_t *at;         /* of a grid: the state of a cell, row by row; UINT32_MAX: none */
} far__board;

typedef enum far__look {
  FAR__LOOK_SHOWN,
  FAR__LOOK_UNVISITED,
  FAR__LOOK_TERMINAL,
  FAR__LOOK_UNREACHED, /* no run comes there */
} far__look;

/* The panels that are drawn, then those that share their scale and size; how many there are of both. */
size_t far__board_panels(const far__layout_figure_def *def);
const far__layout_panel *far__board_panel(const far__layout_figure_def *def, size_t i);

/* The bytes of a text that has no more than `most`, whole characters. */
int far__whole_bytes(const char *text, size_t most);

far__look far__board_look(const far__board *b, const far__layout_panel *p, uint32_t s);

/* The one number of a state. */
double far__board_state(const far__board *b, const far__layout_panel *p, uint32_t s);

/* The number of a pair; NAN where it is drawn empty. */
double far__board_pair(const far__board *b, const far__layout_panel *p, uint32_t s, uint32_t a);

/* "state 12 (S)" and "left": never NULL. */
const char *far__board_state_name(far_figure *f, const far__board *b, uint32_t s);
const char *far__board_action_name(far_figure *f, const far__board *b, uint32_t a);

/* The next shape tells the number of a state (a = UINT32_MAX) or pair. */
void far__board_tip(far_figure *f, const far__board *b, uint32_t s, uint32_t a, double x);

/* ---- parts of cells ---- */

enum { FAR__PART_ACTIONS = 8, FAR__PART_CORNERS = 4 + FAR__PART_ACTIONS };

/* A convex polygon in the square from -1/2 to 1/2. */
typedef struct far__part {
  size_t n;
  double x[FAR__PART_CORNERS], y[FAR__PART_CORNERS];
} far__part;

/* Can the square be divided among the actions? */
bool far__parts_exist(const far__board *b);

/* Are the parts in the directions of actions, or else strips? */
/* The action points somewhere in the layout. */
bool far__board_directed(const far__board *b, uint32_t a);
bool far__parts_point(const far__board *b);

/* The part of an action: towards its direction, or a strip. */
far__part far__part_of(const far__board *b, uint32_t a);

/* Its centre; and the breadth that a text may have in any part, where the square is 1. */
void far__part_centre(const far__part *part, double *x, double *y);
double far__part_room(const far__board *b);

/* ---- panels, drawn from their upper left corner ---- */

void far__draw_grid(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                    double y);
void far__draw_graph(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                     double y);
void far__draw_table(far_figure *f, const far__board *b, const far__layout_panel *p, double x,
                     double y);

/* A state's square of side `cell` about (x, y): its colours, numbers, label. */
void far__draw_cell(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                    double x, double y, double cell);

/* A rectangle without a number. */
void far__draw_empty(far_figure *f, const far__board *b, double x, double y, double width,
                     double height);

/* The policy of a state as arrows or as a text about (x, y). */
void far__draw_policy(far_figure *f, const far__board *b, const far__layout_panel *p, uint32_t s,
                      double x, double y, double cell, far__ink ink);

/* ---- layout-board.c ---- */

/* Chooses the drawing and all sizes. RANGE or MEMORY. */
far_status far__board_create(far__board *out, const far__layout_figure_def *def, far_error *error);
void far__board_free(far__board *board);

/* From one row of panels to the next. */
double far__board_pitch(const far__board *board);

#endif
