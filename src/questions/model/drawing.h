/* Layouts drawn with characters: a grid or a row of states, with an arrow for the action of each.
 *
 *     far__drawing_def def = {.mdp = mdp, .policy = best.policy};
 *     if (far__drawing_report(&def, report)) ...
 *
 *       ┌─────────────┐
 *       │ S←  ↑  ↑  ↑ │
 *       │  ←  H  ←  H │
 *       │  ↑  ↓  ←  H │
 *       │  H  →  ↓  G │
 *       └─────────────┘
 *       ← left (0)  ↓ down (1)  → right (2)  ↑ up (3)
 *       S start  H terminal  G terminal
 */
#ifndef FAR_QUESTIONS_MODEL_DRAWING_H
#define FAR_QUESTIONS_MODEL_DRAWING_H

#include "farsight/mdp.h"
#include "farsight/report.h"

/* ---- in a report ---- */

/* The most columns and rows of states that are drawn. */
enum { FAR__DRAWING_COLUMNS = 36, FAR__DRAWING_ROWS = 24 };

typedef struct far__drawing_def {
  const far_mdp *mdp;
  /* The action of each state, UINT32_MAX where there is none; those of terminal states are not read. NULL:
   * only the layout is drawn, and the legend names all actions. */
  const uint32_t *policy;
  const char *caption; /* NULL: "the layout." */
} far__drawing_def;

/* Adds the drawing, a legend and the caption to the report, as the picture "layout". False, with the report
 * as it was, where the model has no layout of a line or a grid, or one that is too large: more than
 * FAR__DRAWING_COLUMNS or FAR__DRAWING_ROWS, or lines of more than 78 columns. Models and policies are only
 * read. Does not allocate, but what far__report_drawing does. */
bool far__drawing_report(const far__drawing_def *def, far_report *report);

/* ---- anywhere: the pieces of a layout, on a grid of characters ---- */

enum { FAR__DRAWING_TEXT = 32 }; /* bytes of a state's text, with its end */

typedef enum far__drawing_part {
  FAR__DRAWING_STATE,
  FAR__DRAWING_WALL,    /* with breadth */
  FAR__DRAWING_UPRIGHT, /* a wall without: on the left of a cell */
  FAR__DRAWING_LEVEL,   /* and above one */
} far__drawing_part;

/* `width` columns of characters from column x of row y on. The further rows of a state are the caller's. */
typedef struct far__drawing_piece {
  far__drawing_part part;
  uint32_t s; /* UINT32_MAX of walls */
  int x, y, width;
} far__drawing_piece;

typedef struct far__drawing_map {
  const far_mdp *mdp; /* with a layout of a line or a grid */
  /* The part of the layout that is drawn; what reaches beyond it is empty. */
  int first_column, first_row, columns, rows;
  int cell_width, cell_height; /* of a state, in characters */
  int gap;                     /* columns between states, and before the first: 0 or 1 */
  /* A row of characters for walls of the part FAR__DRAWING_LEVEL, where there are any. There may then be
   * FAR__DRAWING_ROWS rows. */
  bool level;
  void (*put)(void *user, const far__drawing_piece *piece);
  void *user;
} far__drawing_map;

/* Calls `put` for every piece, walls after states; the rows of characters. */
int far__drawing_pieces(const far__drawing_map *map);

/* What stands in a state: its label and the mark of action a. With UINT32_MAX for a, and without a label, "×"
 * where episodes end and "·" elsewhere. */
void far__drawing_text(char out[FAR__DRAWING_TEXT], const far_mdp *mdp, uint32_t s, uint32_t a);

/* The arrow of an action, NULL if it has no direction; the same or the action's number. */
const char *far__drawing_arrow(const far_mdp *mdp, uint32_t a);
void far__drawing_mark(char out[FAR__DRAWING_TEXT], const far_mdp *mdp, uint32_t a);

#endif
