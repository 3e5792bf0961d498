/* Plots: figures of stored results. */
#include "comparison.h"
#include "figure.h"

/* ---- kinds ---- */

static PyObject *plot_kinds(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  far_plot_info info;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && far_plot_info_at(&info, i); ++i)
    core_append(&list, Py_BuildValue("(ss)", info.name, info.summary));
  return list;
}

/* ---- looks ---- */

static bool find_scale(far_plot_scale *out, const char *word, const char *what) {
  static const char *const words[] = {"auto", "linear", "log"};
  int found;
  if (!core_choice(&found, word, what, words, 3)) return false;
  *out = (far_plot_scale)found;
  return true;
}

bool core_plot_look(far_plot_def *out, PyObject *tuple) {
  const char *x, *y;
  long long most;
  if (!PyArg_ParseTuple(tuple, "ssdL:look", &x, &y, &out->width, &most) ||
      !find_scale(&out->x_scale, x, "scale of x") || !find_scale(&out->y_scale, y, "scale of y"))
    return false;
  if (!(out->width >= 300 && out->width <= 4000)) {
    PyErr_SetString(PyExc_ValueError, "width must be between 300 and 4000");
    return false;
  }
  if (most < 1) {
    PyErr_SetString(PyExc_ValueError, "most must be 1 or more");
    return false;
  }
  out->most_series = (size_t)most;
  return true;
}

/* ---- of a store ---- */

static PyObject *draw(const char *kind, core_question *q, far_plot_def *def) {
  far_figure *figure = NULL;
  far_error error;
  core_asking asking;
  far_store *store = core_asking_begin(&asking, q);
  if (store == NULL) return NULL;
  def->results = q->def;
  const far_status status = far_plot_create(&figure, kind, store, def, &error);
  if (core_asking_end(&asking, status, &error)) return core_figure_new(figure);
  far_figure_free(figure);
  return NULL;
}

static PyObject *plot(PyObject *self, PyObject *args, PyObject *named) {
  (void)self;
  const char *kind;
  PyObject *look = PyTuple_GetSlice(args, 0, 2), *figure = NULL, *given;
  far_plot_def def = far_plot_def_default();
  core_question q = {0};
  if (look == NULL) return NULL;
  if (PyArg_ParseTuple(look, "sO:plot", &kind, &given) && core_plot_look(&def, given) &&
      core_question_take(&q, args, 2, named))
    figure = draw(kind, &q, &def);
  core_question_free(&q);
  Py_DECREF(look);
  return figure;
}

static PyMethodDef functions[] = {
    {"plot_kinds", plot_kinds, METH_NOARGS,
     "plot_kinds()\n--\n\nplot_kinds() -> list[tuple[str, str]]\n\n"
     "The kinds of plots of stored results: name, and summary in a line."},
    {"plot", CORE_METHOD(plot), METH_VARARGS | METH_KEYWORDS,
     "plot(kind, look, " CORE_QUESTION_SIGNATURE ")\n--\n\n"
     "plot(kind: str, look: tuple[str, str, float, int], " CORE_QUESTION_TYPES ") -> Figure\n\n"
     "A figure of stored results; look is (x, y, width, most), the rest as in stats."},
    {0}};

bool core_add_plot(PyObject *module) {
  return core_add_functions(module, functions);
}
