/* Figures on the layout of a model: numbers of states or of pairs, policies, and what an agent knows. */
#include "agent.h"
#include "figure.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"

#include <math.h>

/* ---- any numbers ---- */

/* The panels of a figure, and the arrays that they borrow from. */
typedef struct sheets {
  far__layout_panel panels[FAR__LAYOUT_PANELS];
  PyObject *held[FAR__LAYOUT_PANELS][3];
  size_t n;
} sheets;

static void free_sheets(sheets *s) {
  for (size_t i = 0; i < FAR__LAYOUT_PANELS; ++i)
    for (size_t k = 0; k < 3; ++k) Py_XDECREF(s->held[i][k]);
}

static bool take_array(const double **out, PyObject **held, PyObject *array, const char *what,
                       size_t count) {
  if (array == Py_None) return true;
  *out = core_data(held, array, what, NPY_DOUBLE, (Py_ssize_t)count);
  return *out != NULL;
}

/* Reads a panel (title, values, policy, visits), each item of which may be None. */
static bool take_panel(sheets *s, PyObject *item, const far_shape *shape, bool pairs) {
  far__layout_panel *panel = &s->panels[s->n];
  PyObject **held = s->held[s->n], *values, *policy, *visits;
  const size_t all = agent_n_pairs(shape);
  if (!PyArg_ParseTuple(item, "zOOO:panel", &panel->title, &values, &policy, &visits)) return false;
  ++s->n;
  return take_array(&panel->values, &held[0], values, "values", pairs ? all : shape->n_states) &&
         take_array(&panel->policy, &held[1], policy, "policy", all) &&
         take_array(&panel->visits, &held[2], visits, "visits", all);
}

static bool take_panels(sheets *s, PyObject *tuple, const far_shape *shape, bool pairs) {
  const Py_ssize_t n = PyTuple_Size(tuple);
  if (n < 1 || n > FAR__LAYOUT_PANELS) {
    PyErr_Format(PyExc_ValueError, "there are %zd arrays: a figure has room for 1 to %d", n,
                 FAR__LAYOUT_PANELS);
    return false;
  }
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!take_panel(s, PyTuple_GetItem(tuple, i), shape, pairs)) return false;
  return true;
}

static PyObject *draw_layout(const far__layout_figure_def *def) {
  far_figure *figure;
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status = far__layout_figure(&figure, def, &error);
  core_work_end(&work);
  return core_figure_answer(figure, status, &error);
}

static PyObject *layout_figure(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"model", "panels", "pairs", "whole", "total", "empty", "low",
                          "high",  "scale",  "title", "what",  "width", NULL};
  far__layout_figure_def def = far__layout_figure_def_default();
  PyObject *model, *panels, *figure = NULL;
  const char *scale = "auto";
  int pairs = 0, whole = 0, total = 0, empty = 0;
  sheets s = {0};
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, named, "OO!|ppppO&O&szzO&:layout_figure", names, &model,
                                   &PyTuple_Type, &panels, &pairs, &whole, &total, &empty,
                                   CORE_DOUBLE("low", &def.low), CORE_DOUBLE("high", &def.high),
                                   &scale, &def.title, &def.scale,
                                   CORE_DOUBLE("width", &def.width)) ||
      (def.mdp = core_model(model)) == NULL || !core_plot_scale(&def.colours, scale, "scale"))
    return NULL;
  const far_shape shape = far_mdp_shape(def.mdp);
  def.panels = s.panels;
  def.pairs = pairs != 0;
  def.whole = whole != 0;
  def.fold = total != 0 ? FAR__FOLD_SUM : FAR__FOLD_MAX;
  def.zero_is_empty = empty != 0;
  if (take_panels(&s, panels, &shape, def.pairs)) {
    def.n_panels = s.n;
    figure = draw_layout(&def);
  }
  free_sheets(&s);
  return figure;
}

/* ---- an agent as it is ---- */

static bool tick(void *work, const char *what, int64_t done, int64_t count) {
  (void)what, (void)done, (void)count;
  return core_continue(work, NULL, NULL);
}

static far_status draw_agent(far_figure **out, const agent *a, far__learning_def *what,
                             far__learned quantity, const far__learning_figure_def *how,
                             far_error *error) {
  far__learning *learning;
  *out = NULL;
  far_status status = far__learning_from_agent(&learning, a->agent, a->counts, what, error);
  if (status == FAR_OK) status = far__learning_figure(out, learning, quantity, how, error);
  far__learning_free(learning);
  return status;
}

static bool find_quantity(far__learned *out, const char *name) {
  const char *words[FAR__LEARNED_COUNT];
  int found;
  for (size_t i = 0; i < FAR__LEARNED_COUNT; ++i) words[i] = far__learned_name(i);
  if (!core_choice(&found, name, "figure of an agent", words, FAR__LEARNED_COUNT)) return false;
  *out = (far__learned)found;
  return true;
}

PyObject *agent_figure(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"model", "what",  "name", "exact", "gamma",
                          "scale", "width", "step", NULL};
  far__learning_def def = far__learning_def_default();
  far__learning_figure_def how = far__learning_figure_def_default();
  PyObject *model;
  const char *word, *scale = "auto";
  far__learned quantity;
  far_figure *figure;
  far_error error;
  int exact = 0;
  def.step = FAR__LEARNING_FIRST;
  if (!PyArg_ParseTupleAndKeywords(args, named, "Os|zpO&sO&O&:figure", names, &model, &word,
                                   &def.name, &exact, CORE_DOUBLE("gamma", &def.gamma), &scale,
                                   CORE_DOUBLE("width", &how.width),
                                   CORE_INT64("step", &def.step)) ||
      (def.mdp = core_model(model)) == NULL || !find_quantity(&quantity, word) ||
      !core_plot_scale(&how.colours, scale, "scale") || !agent_take((agent *)self))
    return NULL;
  def.exact = how.exact = exact != 0;
  core_work work = core_work_begin(Py_None);
  def.progress = tick;
  def.user = &work;
  const far_status status = draw_agent(&figure, (agent *)self, &def, quantity, &how, &error);
  core_work_end(&work);
  core_release(&((agent *)self)->lock);
  return core_figure_answer(figure, status, &error);
}

/* ---- the functions ---- */

static PyMethodDef functions[] = {
    {"layout_figure", CORE_METHOD(layout_figure), METH_VARARGS | METH_KEYWORDS,
     "layout_figure(model, panels, pairs=False, whole=False, total=False, empty=False, low=nan, "
     "high=nan, scale='auto', title=None, what=None, width=720.0)\n--\n\n"
     "layout_figure(model: Model, panels: tuple[Any, ...], pairs: bool = False, whole: bool = "
     "False, total: bool = False, empty: bool = False, low: float = ..., high: float = ..., scale: "
     "str = 'auto', title: str | None = None, what: str | None = None, width: float = 720.0) -> "
     "Figure\n\n"
     "Numbers on the layout of a model: of each panel (title, values, policy, visits)."},
    {0}};

bool core_add_layout(PyObject *module) {
  return core_add_functions(module, functions);
}
