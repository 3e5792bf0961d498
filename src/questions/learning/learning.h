/* Parts of learning.c. */
#ifndef FARSIGHT_ANALYSIS_LEARNING_H
#define FARSIGHT_ANALYSIS_LEARNING_H

#include "farsight/learning.h"

/* Solves the model, if it is asked for, and compares the frames with it. */
far_status far__learning_exact(far_learning *x, const far_agent *agent, const far_learning_def *def,
                               far_error *error);

#endif
