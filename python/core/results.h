/* Batch: the numbers of a study that was run. */
#ifndef FARSIGHT_PYTHON_RESULTS_H
#define FARSIGHT_PYTHON_RESULTS_H

#include "core.h"

bool core_add_results(PyObject *module);

/* A Batch that owns the results and keeps `study` alive. */
PyObject *core_results_new(PyObject *study, far_results *results);

#endif
