/* Simulator: an environment without a model, such as those of Gymnasium, in batches of the library. Python
 * code gives a function `make` that returns a new environment, as a pair of functions
 *
 *     reset(seed: int) -> int                                         the state in which an episode begins
 *     step(action: int) -> (state, reward, terminated, truncated)
 *
 * Each worker thread has an environment of its own. The seed of an episode is drawn from the replicate's
 * stream, so that results do not depend on threads.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *core_simulator_type;

typedef struct simulator {
  PyObject_HEAD far_simulator_def def; /* its `user` is the function `make` */
  PyObject *name, *absent, *version;   /* keep what the definition points to */
} simulator;

/* An environment of one thread. */
typedef struct world {
  PyObject *reset, *step;
} world;

/* ---- hooks ---- */

static void drop(world *w) {
  Py_XDECREF(w->reset);
  Py_XDECREF(w->step);
  free(w);
}

static world *make(PyObject *function) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  PyObject *pair = PyObject_CallObject(function, NULL);
  if (pair != NULL && !PyTuple_Check(pair))
    PyErr_SetString(PyExc_TypeError, "the environment must be a tuple (reset, step)");
  else if (pair != NULL && PyArg_ParseTuple(pair, "OO:environment", &w->reset, &w->step)) {
    Py_INCREF(w->reset);
    Py_INCREF(w->step);
  }
  Py_XDECREF(pair);
  if (w->step != NULL) return w;
  free(w);
  return NULL;
}

static far_status hook_create(void **instance, void *user, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  *instance = make(user);
  const far_status status = *instance != NULL ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

static void hook_free(void *instance) {
  core_visit visit;
  if (!core_enter(&visit)) return;
  drop(instance);
  core_leave(&visit);
}

static far_status hook_reset(void *instance, far_rng *rng, uint32_t *s, far_error *error) {
  core_visit visit;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const world *w = instance;
  PyObject *state = PyObject_CallFunction(w->reset, "k", (unsigned long)(far_rng_next(rng) >> 32));
  const bool fine = state != NULL && core_index(s, state, "the first state", UINT32_MAX);
  Py_XDECREF(state);
  const far_status status = fine ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

/* Reads (state, reward, terminated, truncated); the state of a terminated step is ignored. */
static bool read_step(PyObject *answer, far_transition *step) {
  PyObject *state, *reward;
  int terminated, truncated;
  if (!PyTuple_Check(answer)) {
    PyErr_SetString(PyExc_TypeError, "a step must be (state, reward, terminated, truncated)");
    return false;
  }
  if (!PyArg_ParseTuple(answer, "OOpp:step", &state, &reward, &terminated, &truncated) ||
      !core_double(&step->r, reward, "the reward"))
    return false;
  step->done = terminated != 0;
  step->cut = !step->done && truncated != 0;
  return step->done || core_index(&step->next, state, "the next state", UINT32_MAX);
}

static far_status hook_step(void *instance, far_rng *rng, far_transition *step, far_error *error) {
  core_visit visit;
  (void)rng;
  if (!core_enter(&visit)) return FAR_STATUS_CANCELLED;
  const world *w = instance;
  PyObject *answer = PyObject_CallFunction(w->step, "k", (unsigned long)step->a);
  const bool fine = answer != NULL && read_step(answer, step);
  Py_XDECREF(answer);
  const far_status status = fine ? FAR_OK : core_keep_exception(error);
  core_leave(&visit);
  return status;
}

/* ---- the type ---- */

const far_simulator_def *core_simulator(PyObject *object) {
  if (PyObject_TypeCheck(object, core_simulator_type)) return &((simulator *)object)->def;
  PyErr_Format(PyExc_TypeError, "expected a farsight.Simulator, not %R",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

static bool fill(simulator *self, PyObject *name, PyObject *shape, PyObject *function,
                 PyObject *version) {
  far_error error;
  Py_INCREF(name);
  Py_INCREF(function);
  Py_INCREF(version);
  self->name = name;
  self->version = version;
  self->def = (far_simulator_def){.size = sizeof self->def,
                                  .user = function,
                                  .create = hook_create,
                                  .free = hook_free,
                                  .reset = hook_reset,
                                  .step = hook_step};
  if (!core_text(&self->def.name, name, "name", false) ||
      !core_text(&self->def.version, version, "version", true) ||
      !core_shape(&self->def.shape, &self->absent, shape))
    return false;
  return far_simulator_check(&self->def, &error) == FAR_OK || core_raise(&error, NULL) != NULL;
}

static PyObject *simulator_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  PyObject *name, *shape, *function, *version = Py_None;
  (void)named;
  if (!PyArg_ParseTuple(args, "OOO|O:Simulator", &name, &shape, &function, &version)) return NULL;
  PyObject *self = core_new_object(type);
  if (self != NULL && !fill((simulator *)self, name, shape, function, version)) Py_CLEAR(self);
  return self;
}

static void simulator_free(PyObject *object) {
  simulator *self = (simulator *)object;
  Py_XDECREF((PyObject *)self->def.user);
  Py_XDECREF(self->name);
  Py_XDECREF(self->version);
  Py_XDECREF(self->absent);
  core_free_object(object);
}

static PyObject *get_name(PyObject *self, void *unused) {
  (void)unused;
  PyObject *name = ((simulator *)self)->name;
  Py_INCREF(name);
  return name;
}

static PyObject *get_version(PyObject *self, void *unused) {
  (void)unused;
  PyObject *version = ((simulator *)self)->version;
  Py_INCREF(version);
  return version;
}

static PyObject *get_shape(PyObject *self, void *unused) {
  (void)unused;
  return core_shape_tuple(&((simulator *)self)->def.shape);
}

static PyObject *stored_as(PyObject *self, PyObject *unused) {
  char spec[FAR_SPEC_SIZE];
  far_error error;
  (void)unused;
  if (far_simulator_spec(spec, &((simulator *)self)->def, &error) != FAR_OK)
    return core_raise(&error, NULL);
  return PyUnicode_FromString(spec);
}

static PyMethodDef methods[] = {{"_stored_as", stored_as, METH_NOARGS,
                                 "_stored_as(self, /)\n--\n\n_stored_as() -> str\n\n"
                                 "What stores call it; an InvalidError if it has no version."},
                                {0}};

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "str: The name in tables and messages.", NULL},
    {"version", get_version, NULL,
     "str | None: By it and the name stores know the runs; None: no store takes them.", NULL},
    {"shape", get_shape, NULL,
     "tuple[int, int, float, float, bool, BoolArray | None, int, float, bool, int]: The numbers of "
     "states and actions, the reward range, whether episodes end, the states that no agent acts "
     "in, "
     "horizon, discount (0: none is given), whether the average reward counts, and 0.",
     NULL},
    {0}};

static PyType_Slot slots[] = {{Py_tp_doc,
                               "Simulator(name, shape, make, version=None, /)\n--\n\n"
                               "Simulator(name: str, shape: tuple[object, ...], "
                               "make: Callable[[], tuple[Callable[[int], int], "
                               "Callable[[int], tuple[int, float, bool, bool]]]], version: str | "
                               "None = None)\n\n"
                               "An environment without a model."},
                              {Py_tp_new, simulator_new},
                              {Py_tp_dealloc, simulator_free},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {0}};

static PyType_Spec spec = {.name = "farsight._core.Simulator",
                           .basicsize = sizeof(simulator),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

bool core_add_simulator(PyObject *module) {
  core_simulator_type = core_add_type(module, &spec);
  return core_simulator_type != NULL;
}
