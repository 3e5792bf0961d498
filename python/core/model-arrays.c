/* Models as arrays: from_csr, to_csr and the layout of Model (farsight/mdp.h). */
#include "core.h"

#include <string.h>

/* ---- from arrays ---- */

/* What a model is made from: the objects that keep its arrays alive, and the indices converted to uint32. `dict` is
 * a copy: reading an item may run code that changes the original. */
typedef struct given {
  PyObject *dict, *held[8];
  int n_held;
  uint32_t *next, *start_state;
} given;

static void release(given *g) {
  for (int i = 0; i < g->n_held; ++i) Py_XDECREF(g->held[i]);
  Py_XDECREF(g->dict);
  PyMem_Free(g->next);
  PyMem_Free(g->start_state);
}

/* An item of the dict, borrowed; NULL with a KeyError if it is missing. */
static PyObject *item(const given *g, const char *key) {
  PyObject *value = PyDict_GetItemString(g->dict, key);
  if (value == NULL && PyErr_Occurred() == NULL)
    PyErr_Format(PyExc_KeyError, "the arrays of a model need '%s'", key);
  return value;
}

/* The data of an array of the dict. *count < 0 accepts any length; *count is set to the length. */
static const void *array(given *g, const char *key, int type, Py_ssize_t *count) {
  PyObject *value = item(g, key), **held = &g->held[g->n_held];
  const void *data = value != NULL ? core_data(held, value, key, type, *count) : NULL;
  if (data == NULL) return NULL;
  g->n_held += 1;
  *count = PyArray_SIZE((PyArrayObject *)*held);
  return data;
}

static bool read_sizes(far_csr *csr, const given *g) {
  PyObject *states = item(g, "n_states"), *actions = states != NULL ? item(g, "n_actions") : NULL;
  uint32_t n_states, n_actions;
  if (actions == NULL || !core_size(&n_states, states, "n_states") ||
      !core_size(&n_actions, actions, "n_actions"))
    return false;
  *csr = far_csr_default(n_states, n_actions);
  return true;
}

/* Reads an optional number; *out stays as it was if the key is missing or None. */
static bool read_number(double *out, const given *g, const char *key) {
  PyObject *value = PyDict_GetItemString(g->dict, key);
  return value == NULL || value == Py_None || core_double(out, value, key);
}

static bool read_rows(far_csr *csr, given *g) {
  const double pairs = (double)csr->n_states * (double)csr->n_actions;
  if (pairs >= (double)(PY_SSIZE_T_MAX / 16)) {
    PyErr_Format(PyExc_MemoryError, "%lu states x %lu actions are too many",
                 (unsigned long)csr->n_states, (unsigned long)csr->n_actions);
    return false;
  }
  Py_ssize_t n = (Py_ssize_t)pairs + 1, count = -1;
  csr->offsets = array(g, "offsets", NPY_INT64, &n);
  if (csr->offsets == NULL) return false;
  csr->probability = array(g, "probability", NPY_DOUBLE, &count);
  if (csr->probability == NULL) return false;
  csr->n_outcomes = (size_t)count;
  csr->reward = array(g, "reward", NPY_DOUBLE, &count);
  PyObject *next = csr->reward != NULL ? item(g, "next") : NULL;
  if (next == NULL) return false;
  csr->next = g->next = core_indices(&count, next, "next", csr->n_states);
  return g->next != NULL;
}

static bool read_starts(far_csr *csr, given *g) {
  PyObject *states = item(g, "start_state");
  Py_ssize_t count = -1, n_states = (Py_ssize_t)csr->n_states;
  if (states == NULL) return false;
  csr->start_state = g->start_state = core_indices(&count, states, "start_state", csr->n_states);
  if (csr->start_state == NULL) return false;
  csr->n_starts = (size_t)count;
  csr->start_probability = array(g, "start_probability", NPY_DOUBLE, &count);
  if (csr->start_probability == NULL) return false;
  PyObject *terminal = PyDict_GetItemString(g->dict, "terminal");
  if (terminal == NULL || terminal == Py_None) return true;
  csr->terminal = array(g, "terminal", NPY_BOOL, &n_states);
  return csr->terminal != NULL;
}

/* Reads the optional horizon, which stays as it was (0: none) if the key is missing or None. */
static bool read_horizon(far_csr *csr, given *g) {
  PyObject *value = PyDict_GetItemString(g->dict, "horizon");
  if (value == NULL || value == Py_None) return true;
  csr->horizon = PyLong_AsLongLong(value);
  return csr->horizon != -1 || PyErr_Occurred() == NULL;
}

static bool read_csr(far_csr *csr, given *g) {
  return read_sizes(csr, g) && read_rows(csr, g) && read_starts(csr, g) &&
         read_number(&csr->reward_min, g, "reward_min") &&
         read_number(&csr->reward_max, g, "reward_max") &&
         read_number(&csr->discount, g, "discount") && read_horizon(csr, g);
}

/* ---- names ---- */

typedef far_status name_setter(far_mdp_builder *builder, uint32_t i, const char *name,
                               far_error *error);

static bool set_name(far_mdp_builder *b, uint32_t i, PyObject *name, const char *what,
                     name_setter *set) {
  const char *text;
  far_error error;
  if (name == NULL || !core_text(&text, name, what, true)) return false;
  if (text == NULL || set(b, i, text, &error) == FAR_OK) return true;
  PyErr_Format(PyExc_ValueError, "%s[%lu] is %R: %s", what, (unsigned long)i, name, error.message);
  return false;
}

static bool set_names(far_mdp_builder *b, uint32_t n, PyObject *names, const char *what,
                      name_setter *set) {
  if (names == Py_None) return true;
  const Py_ssize_t size = PySequence_Size(names);
  if (size < 0) return false;
  if (size != (Py_ssize_t)n) {
    PyErr_Format(PyExc_ValueError, "there are %zd %s: must be %lu", size, what, (unsigned long)n);
    return false;
  }
  for (uint32_t i = 0; i < n; ++i) {
    PyObject *name = PySequence_GetItem(names, (Py_ssize_t)i);
    const bool good = set_name(b, i, name, what, set);
    Py_XDECREF(name);
    if (!good) return false;
  }
  return true;
}

/* ---- the layout ---- */

static const char *const KINDS[] = {"none", "line", "grid", "graph"}; /* of far_layout_kind */

static bool find_kind(far_layout_kind *out, PyObject *object) {
  const char *name;
  int found;
  if (!core_text(&name, object, "the kind of a layout", false) ||
      !core_choice(&found, name, "layout", KINDS + 1, 3))
    return false;
  *out = (far_layout_kind)(found + 1);
  return true;
}

typedef far_status point_setter(far_mdp_builder *builder, uint32_t i, double x, double y,
                                const char *label, far_error *error);

static bool set_point(far_mdp_builder *b, uint32_t i, double x, double y, PyObject *label,
                      point_setter *set) {
  const char *text;
  far_error error;
  if (label == NULL || !core_text(&text, label, "a label", true)) return false;
  if (text != NULL && text[0] == '\0') text = NULL;
  if (set(b, i, x, y, text, &error) == FAR_OK) return true;
  core_raise(&error, NULL);
  return false;
}

/* Points with labels: the states' places, or the actions' arrows. */
static bool set_points(far_mdp_builder *b, given *g, uint32_t n, const char *const keys[3],
                       point_setter *set) {
  Py_ssize_t count = (Py_ssize_t)n;
  const double *x = array(g, keys[0], NPY_DOUBLE, &count);
  const double *y = x != NULL ? array(g, keys[1], NPY_DOUBLE, &count) : NULL;
  PyObject *labels = y != NULL ? item(g, keys[2]) : NULL;
  if (labels == NULL) return false;
  if (PySequence_Size(labels) != count) {
    if (PyErr_Occurred() == NULL)
      PyErr_Format(PyExc_ValueError, "the layout must have %zd %s", count, keys[2]);
    return false;
  }
  for (uint32_t i = 0; i < n; ++i) {
    PyObject *label = PySequence_GetItem(labels, (Py_ssize_t)i);
    const bool good = set_point(b, i, x[i], y[i], label, set);
    Py_XDECREF(label);
    if (!good) return false;
  }
  return true;
}

static bool set_walls(far_mdp_builder *b, given *g) {
  Py_ssize_t count = -1;
  far_error error;
  const double *w = array(g, "walls", NPY_DOUBLE, &count);
  if (w == NULL) return false;
  if (count % 4 != 0) {
    PyErr_SetString(PyExc_ValueError, "walls must have rows of four: x0, y0, x1, y1");
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i += 4)
    if (far_mdp_builder_wall(b, w[i], w[i + 1], w[i + 2], w[i + 3], &error) != FAR_OK) {
      core_raise(&error, NULL);
      return false;
    }
  return true;
}

static bool begin_layout(far_mdp_builder *b, const given *g) {
  far_layout_kind kind;
  double width = 0, height = 0;
  far_error error;
  PyObject *name = item(g, "kind");
  if (name == NULL || !find_kind(&kind, name) || !read_number(&width, g, "width") ||
      !read_number(&height, g, "height"))
    return false;
  if (far_mdp_builder_layout(b, kind, width, height, &error) == FAR_OK) return true;
  core_raise(&error, NULL);
  return false;
}

static bool set_layout(far_mdp_builder *b, const far_csr *csr, PyObject *layout) {
  static const char *const places[] = {"x", "y", "labels"};
  static const char *const arrows[] = {"dx", "dy", "action_labels"};
  if (layout == Py_None) return true;
  if (!PyDict_Check(layout)) {
    PyErr_SetString(PyExc_TypeError, "a layout must be a dict");
    return false;
  }
  given g = {.dict = PyDict_Copy(layout)};
  const bool good = g.dict != NULL && begin_layout(b, &g) &&
                    set_points(b, &g, csr->n_states, places, far_mdp_builder_place) &&
                    set_points(b, &g, csr->n_actions, arrows, far_mdp_builder_arrow) &&
                    set_walls(b, &g);
  release(&g);
  return good;
}

/* ---- the whole model ---- */

static far_mdp_builder *begin(const far_csr *csr) {
  far_mdp_builder *b;
  far_error error;
  if (far_mdp_builder_create(&b, csr->n_states, csr->n_actions, &error) == FAR_OK) {
    if (far_mdp_builder_csr(b, csr, &error) == FAR_OK) return b;
    far_mdp_builder_free(b);
  }
  core_raise(&error, NULL);
  return NULL;
}

static far_mdp *build(const far_csr *csr, PyObject *states, PyObject *actions, PyObject *layout) {
  far_mdp *mdp;
  far_error error;
  far_mdp_builder *b = begin(csr);
  if (b == NULL) return NULL;
  if (!set_names(b, csr->n_states, states, "state_names", far_mdp_builder_state_name) ||
      !set_names(b, csr->n_actions, actions, "action_names", far_mdp_builder_action_name) ||
      !set_layout(b, csr, layout)) {
    far_mdp_builder_free(b);
    return NULL;
  }
  if (far_mdp_builder_finish(&mdp, b, &error) == FAR_OK) return mdp;
  core_raise(&error, NULL);
  return NULL;
}

/* Makes the average reward the model's criterion if the dict says so; false with an exception set. */
static bool set_average(far_mdp *mdp, const given *g) {
  far_error error;
  PyObject *value = PyDict_GetItemString(g->dict, "average");
  const int average = value != NULL ? PyObject_IsTrue(value) : 0;
  if (average < 0) return false;
  if (average == 0 || far_mdp_set_average(mdp, &error) == FAR_OK) return true;
  core_raise(&error, NULL);
  return false;
}

PyObject *core_model_from_csr(PyObject *type, PyObject *args) {
  PyObject *arrays, *states = Py_None, *actions = Py_None, *layout = Py_None;
  if (!PyArg_ParseTuple(args, "O!|OOO:from_csr", &PyDict_Type, &arrays, &states, &actions, &layout))
    return NULL;
  far_csr csr;
  given g = {.dict = PyDict_Copy(arrays)};
  far_mdp *mdp = g.dict != NULL && read_csr(&csr, &g) ? build(&csr, states, actions, layout) : NULL;
  if (mdp != NULL && !set_average(mdp, &g)) {
    far_mdp_free(mdp);
    mdp = NULL;
  }
  release(&g);
  return mdp != NULL ? core_model_new((PyTypeObject *)type, mdp) : NULL;
}

/* ---- to arrays ---- */

static PyObject *dict_of(const far_csr *csr, bool average) {
  const npy_intp pairs = (npy_intp)csr->n_states * (npy_intp)csr->n_actions;
  const npy_intp n = (npy_intp)csr->n_outcomes, starts = (npy_intp)csr->n_starts;
  return Py_BuildValue("{s:k,s:k,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:L,s:N}", "n_states",
                       (unsigned long)csr->n_states, "n_actions", (unsigned long)csr->n_actions,
                       "offsets", core_array_of_int64(csr->offsets, pairs + 1), "probability",
                       core_array_of_double(csr->probability, n), "next",
                       core_array_of_uint32(csr->next, n), "reward",
                       core_array_of_double(csr->reward, n), "terminal",
                       core_array_of_bool(csr->terminal, (npy_intp)csr->n_states), "start_state",
                       core_array_of_uint32(csr->start_state, starts), "start_probability",
                       core_array_of_double(csr->start_probability, starts), "reward_min",
                       csr->reward_min, "reward_max", csr->reward_max, "discount", csr->discount,
                       "horizon", (long long)csr->horizon, "average", PyBool_FromLong(average));
}

PyObject *core_model_to_csr(PyObject *self, PyObject *unused) {
  (void)unused;
  far_csr csr;
  far_error error;
  if (far_mdp_to_csr(&csr, core_model(self), &error) != FAR_OK) return core_raise(&error, NULL);
  PyObject *dict = dict_of(&csr, far_mdp_shape(core_model(self)).average);
  far_csr_free(&csr);
  return dict;
}

static PyObject *labels(const char (*label)[FAR_LABEL_SIZE], uint32_t n) {
  PyObject *list = PyList_New(0);
  for (uint32_t i = 0; list != NULL && i < n; ++i)
    core_append(&list, PyUnicode_DecodeUTF8(label[i], (Py_ssize_t)strlen(label[i]), "replace"));
  return list;
}

static PyObject *walls(const far_layout *l) {
  const npy_intp dims[] = {(npy_intp)l->n_walls, 4};
  PyObject *array = core_array(NPY_DOUBLE, 2, dims);
  if (array != NULL && l->n_walls > 0)
    memcpy(PyArray_DATA((PyArrayObject *)array), l->walls, l->n_walls * sizeof *l->walls);
  return array;
}

PyObject *core_model_layout(PyObject *self, void *unused) {
  (void)unused;
  const far_mdp *mdp = core_model(self);
  const far_layout l = far_mdp_layout(mdp);
  const far_shape shape = far_mdp_shape(mdp);
  const npy_intp states = (npy_intp)shape.n_states, actions = (npy_intp)shape.n_actions;
  if (l.kind == FAR_LAYOUT_NONE) Py_RETURN_NONE;
  return Py_BuildValue("{s:s,s:d,s:d,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "kind", KINDS[l.kind], "width",
                       l.width, "height", l.height, "x", core_array_of_double(l.x, states), "y",
                       core_array_of_double(l.y, states), "labels", labels(l.label, shape.n_states),
                       "dx", core_array_of_double(l.dx, actions), "dy",
                       core_array_of_double(l.dy, actions), "action_labels",
                       labels(l.action_label, shape.n_actions), "walls", walls(&l));
}
