/* Model: a finite Markov decision process; immutable, and so free to be shared by threads. */
#include "core.h"

#include <string.h>

PyTypeObject *core_model_type;

typedef struct model {
  PyObject_HEAD far_mdp *mdp;
} model;

PyObject *core_model_new(PyTypeObject *type, far_mdp *mdp) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  model *self = (model *)allocate(type, 0);
  if (self == NULL)
    far_mdp_free(mdp);
  else
    self->mdp = mdp;
  return (PyObject *)self;
}

const far_mdp *core_model(PyObject *object) {
  if (PyObject_TypeCheck(object, core_model_type)) return ((model *)object)->mdp;
  PyErr_Format(PyExc_TypeError, "expected a model (farsight.MDP), not %R",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

static void model_free(PyObject *self) {
  far_mdp_free(((model *)self)->mdp);
  core_free_object(self);
}

static PyObject *from_spec(PyObject *type, PyObject *text) {
  const char *spec;
  if (!core_text(&spec, text, "spec", false)) return NULL;
  far_mdp *mdp;
  far_error error;
  if (far_mdp_create(&mdp, spec, &error) != FAR_OK) return core_raise(&error, spec);
  return core_model_new((PyTypeObject *)type, mdp);
}

/* ---- the shape of a problem ---- */

static bool shape_from_tuple(far_shape *out, PyObject **held, PyObject *tuple) {
  unsigned int states, actions;
  int episodic;
  PyObject *absent;
  *held = NULL;
  if (!PyArg_ParseTuple(tuple, "IIddpO:shape", &states, &actions, &out->reward_min,
                        &out->reward_max, &episodic, &absent))
    return false;
  out->n_states = states;
  out->n_actions = actions;
  out->episodic = episodic != 0;
  out->absent = NULL;
  if (absent == Py_None) return true;
  out->absent = core_data(held, absent, "absent", NPY_BOOL, (Py_ssize_t)states);
  return out->absent != NULL;
}

bool core_shape(far_shape *out, PyObject **held, PyObject *object) {
  if (PyTuple_Check(object)) return shape_from_tuple(out, held, object);
  const far_mdp *mdp = core_model(object);
  if (mdp == NULL) return false;
  *out = far_mdp_shape(mdp);
  *held = object;
  Py_INCREF(object);
  return true;
}

/* The marks are copied: the library's own do not outlive the call. */
static PyObject *marks(const bool *absent, npy_intp count) {
  if (absent == NULL) Py_RETURN_NONE;
  PyObject *array = core_array(NPY_BOOL, 1, &count);
  if (array != NULL) memcpy(PyArray_DATA((PyArrayObject *)array), absent, (size_t)count);
  return array;
}

PyObject *core_shape_tuple(const far_shape *shape) {
  PyObject *absent = marks(shape->absent, (npy_intp)shape->n_states);
  if (absent == NULL) return NULL;
  return Py_BuildValue("(kkddNN)", (unsigned long)shape->n_states, (unsigned long)shape->n_actions,
                       shape->reward_min, shape->reward_max, PyBool_FromLong(shape->episodic),
                       absent);
}

/* ---- attributes ---- */

static const far_mdp *mdp_of(PyObject *self) {
  return ((model *)self)->mdp;
}

static PyObject *get_spec(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(far_mdp_spec(mdp_of(self)));
}

static PyObject *get_n_states(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(far_mdp_shape(mdp_of(self)).n_states);
}

static PyObject *get_n_actions(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromUnsignedLong(far_mdp_shape(mdp_of(self)).n_actions);
}

static PyObject *get_hash(PyObject *self, void *unused) {
  (void)unused;
  char text[FAR_HASH_TEXT];
  far_mdp_hash(text, mdp_of(self));
  return PyUnicode_FromString(text);
}

static PyGetSetDef attributes[] = {
    {"spec", get_spec, NULL, "str: The canonical spec; '' for a model that was built.", NULL},
    {"n_states", get_n_states, NULL, "int: The number of states.", NULL},
    {"n_actions", get_n_actions, NULL, "int: The number of actions.", NULL},
    {"hash", get_hash, NULL, "str: SHA-256 of everything that can affect a run.", NULL},
    {0}};

static PyMethodDef methods[] = {{"from_spec", from_spec, METH_O | METH_CLASS,
                                 "from_spec(spec, /)\n--\n\nfrom_spec(spec: str) -> Self\n\nA "
                                 "model from a spec, as in 'chain:n=50'."},
                                {0}};

static PyType_Slot slots[] = {{Py_tp_doc, "A finite Markov decision process; immutable."},
                              {Py_tp_dealloc, model_free},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Model",
                           .basicsize = sizeof(model),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

bool core_add_model(PyObject *module) {
  core_model_type = core_add_type(module, &spec);
  return core_model_type != NULL;
}
