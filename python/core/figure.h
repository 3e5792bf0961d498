/* Figures: drawings of the library as Python objects. */
#ifndef FARSIGHT_PYTHON_FIGURE_H
#define FARSIGHT_PYTHON_FIGURE_H

#include "core.h"

PyObject *core_figure_new(far_figure *figure); /* takes the figure */

/* How figures look: (x, y, width, most), the scales as words. */
bool core_plot_look(far_plot_def *out, PyObject *tuple);

#endif
