/* Figures: drawings of the library as Python objects. */
#ifndef FARSIGHT_PYTHON_FIGURE_H
#define FARSIGHT_PYTHON_FIGURE_H

#include "core.h"

/* What a call that draws returns, after core_work_end: the figure, or the exception. Takes the figure, which is
 * NULL after a failure. */
PyObject *core_figure_answer(far_figure *figure, far_status status, const far_error *error);

/* The scale of an axis or of colours: auto, linear or log. */
bool core_plot_scale(far_plot_scale *out, const char *word, const char *what);

/* Sets the title and the caption, if the dict `look` has them, and returns the figure; NULL after an exception, and
 * for NULL. */
PyObject *core_figure_headed(PyObject *figure, PyObject *look);

/* How a plot looks, from a dict that may have x, y, width, most, parameter and per_step, and whose texts the definition
 * borrows; title and caption are for core_figure_headed. */
bool core_plot_look(far_plot_def *out, PyObject *look);

#endif
