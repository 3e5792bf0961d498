/* Agents written in Python, registered with the library. farsight/pyagent.py makes their definitions: a table
 * of parameters, and a function `make` that returns the learner of one run. */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 32 };

/* A definition. Once registered it is never freed: the library keeps it for the whole process. */
typedef struct family {
  PyObject *make;
  far_param rows[MOST_PARAMS];
  size_t n_rows, size;
} family;

/* A learner of one run. */
typedef struct learner {
  PyObject *self, *act, *observe;
  uint32_t n_actions;
  far_error why;     /* the error of a hook that cannot return one */
  PyObject *written; /* the bytes that `save` is asked for twice; or NULL */
} learner;

/* ---- making a learner ---- */

/* Word number `index` of the choices "a|b|c". */
static PyObject *word_at(const char *words, int32_t index) {
  for (; index > 0; --index) words += strcspn(words, "|") + 1;
  return PyUnicode_FromStringAndSize(words, (Py_ssize_t)strcspn(words, "|"));
}

static PyObject *value_of(const far_param *row, const void *params) {
  const unsigned char *at = (const unsigned char *)params + row->offset;
  double real;
  int64_t whole;
  int32_t index;
  switch (row->kind) {
  case FAR_PARAM_REAL: memcpy(&real, at, sizeof real); return PyFloat_FromDouble(real);
  case FAR_PARAM_INTEGER: memcpy(&whole, at, sizeof whole); return PyLong_FromLongLong(whole);
  case FAR_PARAM_CHOICE: memcpy(&index, at, sizeof index); return word_at(row->choices, index);
  case FAR_PARAM_TEXT:
    return PyUnicode_DecodeUTF8((const char *)at, (Py_ssize_t)strlen((const char *)at), "replace");
  }
  return NULL;
}

static PyObject *values_of(const family *f, const void *params) {
  PyObject *values = PyTuple_New((Py_ssize_t)f->n_rows);
  for (size_t i = 0; values != NULL && i < f->n_rows; ++i) {
    PyObject *value = value_of(&f->rows[i], params);
    if (value == NULL || PyTuple_SetItem(values, (Py_ssize_t)i, value) < 0) Py_CLEAR(values);
  }
  return values;
}

static void drop(learner *l) {
  Py_XDECREF(l->self);
  Py_XDECREF(l->act);
  Py_XDECREF(l->observe);
  Py_XDECREF(l->written);
  free(l);
}

/* A learner that takes the reference `self`; NULL with an exception set. */
static learner *learner_of(PyObject *self, uint32_t n_actions) {
  learner *l = self != NULL ? calloc(1, sizeof *l) : NULL;
  if (l == NULL) {
    if (self != NULL) PyErr_NoMemory();
    Py_XDECREF(self);
    return NULL;
  }
  l->self = self;
  l->n_actions = n_actions;
  l->act = PyObject_GetAttrString(self, "act");
  l->observe = l->act != NULL ? PyObject_GetAttrString(self, "observe") : NULL;
  if (l->observe != NULL) return l;
  drop(l);
  return NULL;
}

static learner *make(const family *f, const void *params, const far_shape *shape, uint64_t seed,
                     uint64_t replicate) {
  PyObject *values = values_of(f, params), *self = NULL;
  PyObject *tuple = values != NULL ? core_shape_tuple(shape) : NULL;
  if (tuple != NULL)
    self = PyObject_CallFunction(f->make, "OOKK", values, tuple, (unsigned long long)seed,
                                 (unsigned long long)replicate);
  Py_XDECREF(values);
  Py_XDECREF(tuple);
  return learner_of(self, shape->n_actions);
}

/* ---- hooks ---- */

static far_status hook_create(void **instance, const void *params, const far_shape *shape,
                              uint64_t seed, uint64_t replicate, void *user, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  *instance = make(user, params, shape, seed, replicate);
  const far_status status = *instance != NULL ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

static void hook_free(void *instance) {
  core_visit visit;
  if (!core_enter(&visit)) return; /* the interpreter is gone, and with it the memory */
  drop(instance);
  core_leave(&visit);
}

static bool act(const learner *l, uint32_t s, uint32_t *a) {
  PyObject *state = PyLong_FromUnsignedLong(s);
  PyObject *answer = state != NULL ? PyObject_CallFunctionObjArgs(l->act, state, NULL) : NULL;
  Py_XDECREF(state);
  const bool fine = answer != NULL && core_index(a, answer, "what act returned", l->n_actions);
  Py_XDECREF(answer);
  return fine;
}

static far_status hook_act(void *instance, uint32_t s, uint32_t *a, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const far_status status = act(instance, s, a) ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

static bool observe(const learner *l, const far_transition *step) {
  PyObject *s = PyLong_FromUnsignedLong(step->s), *a = PyLong_FromUnsignedLong(step->a);
  PyObject *r = PyFloat_FromDouble(step->r), *next = PyLong_FromUnsignedLong(step->next);
  PyObject *answer = NULL;
  if (s != NULL && a != NULL && r != NULL && next != NULL)
    answer =
        PyObject_CallFunctionObjArgs(l->observe, s, a, r, next, step->done ? Py_True : Py_False,
                                     step->cut ? Py_True : Py_False, NULL);
  Py_XDECREF(s);
  Py_XDECREF(a);
  Py_XDECREF(r);
  Py_XDECREF(next);
  Py_XDECREF(answer);
  return answer != NULL;
}

static far_status hook_observe(void *instance, const far_transition *step, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const far_status status = observe(instance, step) ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

static far_status hook_reset(void *instance, uint64_t seed, uint64_t replicate, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const learner *l = instance;
  PyObject *answer = PyObject_CallMethod(l->self, "_restart", "KK", (unsigned long long)seed,
                                         (unsigned long long)replicate);
  const far_status status = answer != NULL ? FAR_OK : core_keep_exception(error);
  Py_XDECREF(answer);
  core_leave(&visit);
  return status;
}

/* False if the learner has no value of this kind, or with an exception set. */
static bool value(const learner *l, far_value kind, uint32_t s, uint32_t a, double *out) {
  PyObject *answer = PyObject_CallMethod(l->self, "value", "skk", core_value_names[kind],
                                         (unsigned long)s, (unsigned long)a);
  const bool there = answer != NULL && answer != Py_None;
  const bool fine = there && core_double(out, answer, "what value returned");
  Py_XDECREF(answer);
  return fine;
}

/* After an exception the value is NAN, and hook_explain gives the error. */
static bool hook_value(const void *instance, far_value kind, uint32_t s, uint32_t a, double *out) {
  core_visit visit;
  learner *l = (learner *)instance;
  l->why = (far_error){.position = -1};
  if (!core_enter(&visit)) return false;
  bool there = value(l, kind, s, a, out);
  if (PyErr_Occurred() != NULL) {
    (void)core_keep_exception(&l->why);
    *out = NAN;
    there = true;
  }
  core_leave(&visit);
  return there;
}

static void hook_explain(const void *instance, far_error *error) {
  *error = ((const learner *)instance)->why;
}

static bool policy(const learner *l, uint32_t s, double *out) {
  PyObject *answer = PyObject_CallMethod(l->self, "policy", "k", (unsigned long)s), *held = NULL;
  const double *data = NULL;
  if (answer != NULL)
    data = core_data(&held, answer, "what policy returned", NPY_DOUBLE, (Py_ssize_t)l->n_actions);
  if (data != NULL) memcpy(out, data, l->n_actions * sizeof *out);
  Py_XDECREF(answer);
  Py_XDECREF(held);
  return data != NULL;
}

static far_status hook_policy(const void *instance, uint32_t s, double *out, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const far_status status = policy(instance, s, out) ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

static far_status hook_clone(void **copy, const void *instance, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const learner *l = instance;
  *copy = learner_of(PyObject_CallMethod(l->self, "copy", NULL), l->n_actions);
  const far_status status = *copy != NULL ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

/* ---- as bytes ---- */

/* Asks the learner for its bytes. */
static bool write_bytes(learner *l) {
  Py_CLEAR(l->written);
  l->written = PyObject_CallMethod(l->self, "save", NULL);
  if (l->written == NULL) return false;
  if (PyBytes_Check(l->written)) return true;
  PyErr_Format(PyExc_TypeError, "what save returned must be bytes, not %R",
               (PyObject *)Py_TYPE(l->written));
  return false;
}

/* The first call asks for the size alone; the second gets the same bytes. */
static size_t hook_save(const void *instance, void *bytes, size_t room) {
  core_visit visit;
  learner *l = (learner *)instance;
  l->why = (far_error){.position = -1};
  if (!core_enter(&visit)) return SIZE_MAX;
  size_t size = SIZE_MAX;
  if ((bytes != NULL && l->written != NULL) || write_bytes(l)) {
    size = (size_t)PyBytes_Size(l->written);
    if (bytes != NULL && size <= room) memcpy(bytes, PyBytes_AsString(l->written), size);
  } else {
    (void)core_keep_exception(&l->why);
  }
  if (bytes != NULL || size == SIZE_MAX) Py_CLEAR(l->written);
  core_leave(&visit);
  return size;
}

static far_status hook_load(void *instance, const void *bytes, size_t size, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const learner *l = instance;
  PyObject *answer =
      PyObject_CallMethod(l->self, "load", "y#", (const char *)bytes, (Py_ssize_t)size);
  const far_status status = answer != NULL ? FAR_OK : core_keep_exception(error);
  Py_XDECREF(answer);
  core_leave(&visit);
  return status;
}

/* ---- registering ---- */

static size_t size_of(far_param_kind kind) {
  return kind == FAR_PARAM_TEXT ? FAR_TEXT_SIZE : 8;
}

/* Reads a row of the parameters: (name, kind, default, min, max, min_open, max_open, choices, help). The list keeps
 * its texts. */
static bool read_row(family *f, PyObject *tuple) {
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a row of the parameters must be a tuple");
    return false;
  }
  far_param *row = &f->rows[f->n_rows++];
  int kind, min_open, max_open;
  if (!PyArg_ParseTuple(tuple, "sisddppzs:row", &row->name, &kind, &row->fallback, &row->min,
                        &row->max, &min_open, &max_open, &row->choices, &row->help))
    return false;
  row->kind = (far_param_kind)kind;
  row->min_open = min_open != 0;
  row->max_open = max_open != 0;
  row->offset = f->size;
  f->size += size_of(row->kind);
  return true;
}

static bool read_rows(family *f, PyObject *list) {
  const Py_ssize_t n = PyList_Size(list);
  if (n > MOST_PARAMS) {
    PyErr_Format(PyExc_ValueError, "%zd parameters: must be at most %d", n, MOST_PARAMS);
    return false;
  }
  bool fine = n >= 0;
  for (Py_ssize_t i = 0; fine && i < n; ++i) fine = read_row(f, PyList_GetItem(list, i));
  return fine;
}

/* Copies the texts of choices, which are needed after the list is gone. Must be done before the agent is registered:
 * from then on another thread may make one. */
static bool keep_choices(family *f) {
  for (size_t i = 0; i < f->n_rows; ++i) {
    if (f->rows[i].choices == NULL) continue;
    f->rows[i].choices = strdup(f->rows[i].choices);
    if (f->rows[i].choices == NULL) return PyErr_NoMemory() != NULL;
  }
  return true;
}

/* Frees a definition that was not registered. `kept`: its choices are copies (keep_choices). */
static void free_family(family *f, bool kept) {
  for (size_t i = 0; kept && i < f->n_rows; ++i) free((char *)f->rows[i].choices);
  Py_XDECREF(f->make);
  free(f);
}

static bool has(PyObject *hooks, const char *name) {
  PyObject *text = PyUnicode_FromString(name);
  const int found = text != NULL ? PySequence_Contains(hooks, text) : -1;
  Py_XDECREF(text);
  if (found < 0) PyErr_Clear();
  return found > 0;
}

static far_agent_def define(const char *name, const char *summary, family *f, PyObject *hooks) {
  const bool saves = has(hooks, "save");
  return (far_agent_def){.size = sizeof(far_agent_def),
                         .name = name,
                         .summary = summary,
                         .params = f->rows,
                         .n_params = f->n_rows,
                         .params_size = f->size,
                         .user = f,
                         .create = hook_create,
                         .free = hook_free,
                         .act = hook_act,
                         .observe = hook_observe,
                         .reset = has(hooks, "reset") ? hook_reset : NULL,
                         .value = has(hooks, "value") ? hook_value : NULL,
                         .policy = has(hooks, "policy") ? hook_policy : NULL,
                         .clone = has(hooks, "copy") ? hook_clone : NULL,
                         .save = saves ? hook_save : NULL,
                         .load = saves ? hook_load : NULL,
                         .explain = hook_explain,
                         .replaces = true};
}

static PyObject *register_agent(PyObject *self, PyObject *args) {
  (void)self;
  const char *name, *summary;
  PyObject *rows, *maker, *hooks;
  if (!PyArg_ParseTuple(args, "ssO!OO:register_agent", &name, &summary, &PyList_Type, &rows, &maker,
                        &hooks))
    return NULL;
  family *f = calloc(1, sizeof *f);
  if (f == NULL) return PyErr_NoMemory();
  const bool kept = read_rows(f, rows) && keep_choices(f);
  f->make = maker;
  Py_INCREF(maker);
  if (kept) {
    far_error error;
    const far_agent_def def = define(name, summary, f, hooks);
    if (far_agent_register(&def, &error) == FAR_OK) Py_RETURN_NONE;
    core_raise(&error, NULL);
  }
  free_family(f, kept);
  return NULL;
}

static PyMethodDef functions[] = {
    {"register_agent", register_agent, METH_VARARGS,
     "register_agent(name, summary, rows, make, hooks, /)\n--\n\n"
     "register_agent(name: str, summary: str, rows: list[tuple[object, ...]], "
     "make: Callable[..., object], hooks: Collection[str]) -> None\n\n"
     "Registers an agent that is written in Python; see farsight.PyAgent."},
    {0}};

bool core_add_plugin(PyObject *module) {
  return core_add_functions(module, functions);
}
