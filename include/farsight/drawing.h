/* Layouts drawn with characters: a grid or a row of states, with an arrow for the action of each.
 *
 *     far_drawing_def def = {.mdp = mdp, .policy = best.policy};
 *     if (far_drawing_report(&def, report)) ...
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
#ifndef FARSIGHT_DRAWING_H
#define FARSIGHT_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include "farsight/layout.h"
#include "farsight/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- in a report ---- */

/* The most columns and rows of states that are drawn. */
enum { FAR_DRAWING_COLUMNS = 36, FAR_DRAWING_ROWS = 24 };

typedef struct far_drawing_def {
  const far_mdp *mdp;
  /* The action of each state, UINT32_MAX where there is none; those of terminal states are not read. NULL:
   * only the layout is drawn, and the legend names all actions. */
  const uint32_t *policy;
  const char *caption; /* NULL: "the layout." */
} far_drawing_def;

/* Adds the drawing, a legend and the caption to the report, as the picture "layout". False, with the report
 * as it was, where the model has no layout of a line or a grid, or one that is too large: more than
 * FAR_DRAWING_COLUMNS or FAR_DRAWING_ROWS, or lines of more than 78 columns. Models and policies are only
 * read. Does not allocate, but what far_report_drawing does. */
FAR_API bool far_drawing_report(const far_drawing_def *def, far_report *report);

/* ---- anywhere: the pieces of a layout, on a grid of characters ---- */

enum { FAR_DRAWING_TEXT = 32 }; /* bytes of a state's text, with its end */

typedef enum far_drawing_part {
  FAR_DRAWING_STATE,
  FAR_DRAWING_WALL,    /* with breadth */
  FAR_DRAWING_UPRIGHT, /* a wall without: on the left of a cell */
  FAR_DRAWING_LEVEL,   /* and above one */
} far_drawing_part;

/* `width` columns of characters from column x of row y on. The further rows of a state are the caller's. */
typedef struct far_drawing_piece {
  far_drawing_part part;
  uint32_t s; /* UINT32_MAX of walls */
  int x, y, width;
} far_drawing_piece;

typedef struct far_drawing_map {
  const far_mdp *mdp; /* with a layout of a line or a grid */
  /* The part of the layout that is drawn; what reaches beyond it is empty. */
  int first_column, first_row, columns, rows;
  int cell_width, cell_height; /* of a state, in characters */
  int gap;                     /* columns between states, and before the first: 0 or 1 */
  /* A row of characters for walls of the part FAR_DRAWING_LEVEL, where there are any. There may then be
   * FAR_DRAWING_ROWS rows. */
  bool level;
  void (*put)(void *user, const far_drawing_piece *piece);
  void *user;
} far_drawing_map;

/* Calls `put` for every piece, walls after states; the rows of characters. */
FAR_API int far_drawing_pieces(const far_drawing_map *map);

/* What stands in a state: its label and the mark of action a. With UINT32_MAX for a, and without a label, "×"
 * where episodes end and "·" elsewhere. */
FAR_API void far_drawing_text(char out[FAR_DRAWING_TEXT], const far_mdp *mdp, uint32_t s,
                              uint32_t a);

/* The arrow of an action, NULL if it has no direction; the same or the action's number. */
FAR_API const char *far_drawing_arrow(const far_mdp *mdp, uint32_t a);
FAR_API void far_drawing_mark(char out[FAR_DRAWING_TEXT], const far_mdp *mdp, uint32_t a);

#ifdef __cplusplus
}
#endif

#endif
