/* Batch: the numbers of a study that was run, as read-only arrays without a copy. Immutable, and so free to be
 * shared by threads. */
#include "results.h"

#include <math.h> /* NAN */

#include "lab/study/parts.h"

static PyTypeObject *batch_type;

typedef struct batch {
  PyObject_HEAD far_results *results;
  PyObject *study; /* the study that the results borrow from */
} batch;

PyObject *core_results_new(PyObject *study, far_results *results) {
  batch *self = (batch *)core_new_object(batch_type);
  if (self == NULL) {
    far_results_free(results);
    return NULL;
  }
  self->results = results;
  Py_INCREF(study);
  self->study = study;
  return (PyObject *)self;
}

static void batch_free(PyObject *self) {
  far_results_free(((batch *)self)->results);
  Py_XDECREF(((batch *)self)->study);
  core_free_object(self);
}

static const far_results *results_of(PyObject *self) {
  return ((batch *)self)->results;
}

/* ---- arrays ---- */

static bool take_cell(uint32_t *out, PyObject *self, PyObject *object) {
  return core_index(out, object, "cell", (uint32_t)results_of(self)->def.n_cells);
}

/* Reads (cell, metric). *metric is n_metrics, which stands for the total, if the metric is None. */
static bool take_place(uint32_t *cell, size_t *metric, PyObject *self, PyObject *args) {
  PyObject *where, *which;
  uint32_t k = 0;
  const size_t n = results_of(self)->def.n_metrics;
  if (!PyArg_ParseTuple(args, "OO", &where, &which) || !take_cell(cell, self, where)) return false;
  if (which != Py_None && !core_index(&k, which, "metric", (uint32_t)n)) return false;
  *metric = which == Py_None ? n : k;
  return true;
}

static PyObject *values(PyObject *self, PyObject *args) {
  uint32_t cell;
  size_t metric;
  if (!take_place(&cell, &metric, self, args)) return NULL;
  const far_results *r = results_of(self);
  const far_result *result = metric < r->def.n_metrics ? far_batch_metric(r->batch, cell, metric)
                                                       : far_batch_result(r->batch, cell);
  const npy_intp runs = (npy_intp)result->runs;
  return core_view_of_double(result->totals, 1, &runs, self);
}

/* Which runs of a cell are finished; None: all. */
static PyObject *finished(PyObject *self, PyObject *object) {
  uint32_t cell;
  if (!take_cell(&cell, self, object)) return NULL;
  const far_results *r = results_of(self);
  const int64_t *runs = far_batch_finished(r->batch, cell);
  if (runs == NULL) Py_RETURN_NONE;
  return core_array_of_int64(runs, (npy_intp)far_batch_result(r->batch, cell)->runs);
}

static const far_point *point_of(const far_results *r, size_t cell, size_t metric, size_t k) {
  return metric < r->def.n_metrics ? far_batch_metric_point(r->batch, cell, metric, k)
                                   : far_batch_point(r->batch, cell, k);
}

/* A view of the totals at all checkpoints of a cell. The rows lie at equal distances; after a stop the distance is
 * more than the length of a row. */
static PyObject *view_of_rows(const far_point *first, const far_point *second, npy_intp rows,
                              npy_intp runs, PyObject *owner) {
  const npy_intp dims[] = {rows, runs};
  const npy_intp row = second != NULL ? (npy_intp)(second->totals - first->totals) : runs;
  npy_intp strides[] = {row * (npy_intp)sizeof(double), (npy_intp)sizeof(double)};
  PyObject *array = PyArray_New(&PyArray_Type, 2, dims, NPY_DOUBLE, strides, (void *)first->totals,
                                0, NPY_ARRAY_ALIGNED, NULL);
  if (array == NULL) return NULL;
  Py_INCREF(owner);
  if (PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0) Py_CLEAR(array);
  return array;
}

static PyObject *curve(PyObject *self, PyObject *args) {
  uint32_t cell;
  size_t metric;
  if (!take_place(&cell, &metric, self, args)) return NULL;
  const far_results *r = results_of(self);
  const far_point *first = point_of(r, cell, metric, 0);
  if (first == NULL) Py_RETURN_NONE;
  return view_of_rows(first, point_of(r, cell, metric, 1),
                      (npy_intp)r->def.cells[cell].n_checkpoints,
                      (npy_intp)far_batch_result(r->batch, cell)->runs, self);
}

/* Mean and half-width of the 95% interval at each checkpoint: (2, K). */
static PyObject *bands(PyObject *self, PyObject *args) {
  uint32_t cell;
  size_t metric;
  if (!take_place(&cell, &metric, self, args)) return NULL;
  const far_results *r = results_of(self);
  if (point_of(r, cell, metric, 0) == NULL) Py_RETURN_NONE;
  const npy_intp n = (npy_intp)r->def.cells[cell].n_checkpoints, dims[] = {2, n};
  PyObject *array = core_array(NPY_DOUBLE, 2, dims);
  if (array == NULL) return NULL;
  double *out = PyArray_DATA((PyArrayObject *)array);
  for (npy_intp k = 0; k < n; ++k) {
    const far_point *p = point_of(r, cell, metric, (size_t)k);
    out[k] = p->mean;
    out[n + k] = p->ci95;
  }
  return array;
}

/* ---- cells ---- */

static PyObject *summary(PyObject *self, PyObject *args) {
  uint32_t cell;
  size_t metric;
  if (!take_place(&cell, &metric, self, args)) return NULL;
  const far_results *r = results_of(self);
  const bool total = metric == r->def.n_metrics;
  const far_result *x =
      total ? far_batch_result(r->batch, cell) : far_batch_metric(r->batch, cell, metric);
  const int64_t computed = r->sequential ? r->looks[cell].computed : x->runs - x->known;
  const far_times *times = total ? NULL : far__results_times(r, cell, metric);
  PyObject *censored = times != NULL ? PyLong_FromLongLong((long long)times->censored) : Py_None;
  if (times == NULL) Py_INCREF(censored);
  return Py_BuildValue("{ss,sL,sL,sd,sd,sd,sd,sd,sd,ss,sN,sd}", "agent", x->agent, "runs",
                       (long long)x->runs, "computed", (long long)computed, "mean", x->mean, "std",
                       x->std, "ci95", total ? far__results_half_width(r, cell) : x->ci95, "min",
                       x->min, "max", x->max, "seconds", x->seconds, "hash", x->hash, "censored",
                       censored, "median", times != NULL ? times->median : NAN);
}

static PyObject *document(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *made = core_document_new("run");
  if (made == NULL) return NULL;
  if (!core_document_keep(made, self)) {
    Py_DECREF(made);
    return NULL;
  }
  far_results_report(results_of(self), core_document_report(made));
  return made;
}

/* ---- the type ---- */

static PyObject *get_stopped(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(results_of(self)->stopped);
}

static PyGetSetDef attributes[] = {{"stopped", get_stopped, NULL,
                                    "bool: Whether it was stopped before all runs were finished.",
                                    NULL},
                                   {0}};

static PyMethodDef methods[] = {
    {"values", values, METH_VARARGS,
     "values(self, cell, metric, /)\n--\n\n"
     "values(cell: int, metric: int | None) -> FloatArray\n\n"
     "A number of each finished run: the total, or a metric. A view."},
    {"finished", finished, METH_O,
     "finished(self, cell, /)\n--\n\nfinished(cell: int) -> IntArray | None\n\n"
     "The replicates of the finished runs; None if all are."},
    {"curve", curve, METH_VARARGS,
     "curve(self, cell, metric, /)\n--\n\n"
     "curve(cell: int, metric: int | None) -> FloatArray | None\n\n"
     "The same at each checkpoint, (K, runs); None if there is none. A view."},
    {"bands", bands, METH_VARARGS,
     "bands(self, cell, metric, /)\n--\n\n"
     "bands(cell: int, metric: int | None) -> FloatArray | None\n\n"
     "Mean and half-width of the 95% interval at each checkpoint, (2, K)."},
    {"summary", summary, METH_VARARGS,
     "summary(self, cell, metric, /)\n--\n\n"
     "summary(cell: int, metric: int | None) -> dict[str, Any]\n\n"
     "agent, runs, computed, mean, std, ci95, min, max, seconds, hash."},
    {"document", document, METH_NOARGS,
     "document(self, /)\n--\n\ndocument() -> Document\n\nAll of it, as the command shows it."},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "The numbers of a study that was run."},
                              {Py_tp_dealloc, batch_free},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Batch",
                           .basicsize = sizeof(batch),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

bool core_add_results(PyObject *module) {
  batch_type = core_add_type(module, &spec);
  return batch_type != NULL;
}
