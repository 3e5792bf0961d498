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

#ifdef __cplusplus
}
#endif

#endif
