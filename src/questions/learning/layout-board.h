/* Making boards. */
#ifndef FAR_QUESTIONS_LEARNING_LAYOUT_BOARD_H
#define FAR_QUESTIONS_LEARNING_LAYOUT_BOARD_H

#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"

/* Chooses the drawing and all sizes. RANGE or MEMORY. */
far_status far__board_create(far__board *out, const far__layout_figure_def *def, far_error *error);
void far__board_free(far__board *board);

/* From one row of panels to the next. */
double far__board_pitch(const far__board *board);

#endif
