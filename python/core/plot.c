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

bool core_plot_scale(far_plot_scale *out, const char *word, const char *what) {
  static const char *const words[] = {"auto", "linear", "log"};
  int found;
  if (!core_choice(&found, word, what, words, 3)) return false;
  *out = (far_plot_scale)found;
  return true;
}

/* Checks the same bounds as the command. */
static bool check_look(const far_plot_def *def, int64_t most) {
  if (!(def->width >= 300 && def->width <= 4000))
    PyErr_SetString(PyExc_ValueError, "width must be between 300 and 4000");
  else if (most < 1 || most > 1000)
    PyErr_SetString(PyExc_ValueError, "most must be between 1 and 1000");
  return PyErr_Occurred() == NULL;
}

bool core_plot_look(far_plot_def *out, PyObject *look) {
  static char *names[] = {"x",        "y",     "width",   "most", "parameter",
                          "per_step", "title", "caption", NULL};
  const char *x = "auto", *y = "auto", *title = NULL, *caption = NULL;
  int per_step = 0;
  int64_t most = (int64_t)out->most_series;
  PyObject *nothing = PyTuple_New(0);
  if (nothing == NULL) return false;
  const bool good =
      PyArg_ParseTupleAndKeywords(nothing, look, "|ssO&O&zpzz:look", names, &x, &y,
                                  CORE_DOUBLE("width", &out->width), CORE_INT64("most", &most),
                                  &out->parameter, &per_step, &title, &caption) &&
      core_plot_scale(&out->x_scale, x, "scale of x") &&
      core_plot_scale(&out->y_scale, y, "scale of y") && check_look(out, most);
  Py_DECREF(nothing);
  out->most_series = (size_t)most;
  out->per_step = per_step != 0;
  return good;
}

/* ---- figures of a store ---- */

static PyObject *draw(const char *kind, core_question *q, far_plot_def *def) {
  far_figure *figure = NULL;
  far_error error;
  core_asking asking;
  far_store *store = core_asking_begin(&asking, q);
  if (store == NULL) return NULL;
  def->results = q->def;
  const far_status status = far_plot_create(&figure, kind, store, def, &error);
  core_asking_end(&asking, status, &error);
  return core_figure_answer(figure, status, &error);
}

static PyObject *plot(PyObject *self, PyObject *args, PyObject *named) {
  (void)self;
  const char *kind;
  PyObject *first = PyTuple_GetSlice(args, 0, 2), *figure = NULL, *look;
  far_plot_def def = far_plot_def_default();
  core_question q = {0};
  if (first == NULL) return NULL;
  if (PyArg_ParseTuple(first, "sO!:plot", &kind, &PyDict_Type, &look) &&
      core_plot_look(&def, look) && core_question_take(&q, args, 2, named))
    figure = core_figure_headed(draw(kind, &q, &def), look);
  core_question_free(&q);
  Py_DECREF(first);
  return figure;
}

static PyMethodDef functions[] = {
    {"plot_kinds", plot_kinds, METH_NOARGS,
     "plot_kinds()\n--\n\nplot_kinds() -> list[tuple[str, str]]\n\n"
     "The kinds of plots of stored results: name, and summary in a line."},
    {"plot", CORE_METHOD(plot), METH_VARARGS | METH_KEYWORDS,
     "plot(kind, look, " CORE_QUESTION_SIGNATURE ")\n--\n\n"
     "plot(kind: str, look: dict[str, Any], " CORE_QUESTION_TYPES ") -> Figure\n\n"
     "A figure of stored results; look may have x, y, width, most, parameter, per_step, title and "
     "caption, the rest is as in stats."},
    {0}};

bool core_add_plot(PyObject *module) {
  return core_add_functions(module, functions);
}
