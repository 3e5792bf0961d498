/* Specs of agents and shapes of problems, without an agent. */
#include "agent.h"

#include <string.h>

typedef struct found {
  const char *spec;
  far_shape shape;
  PyObject *held;
} found;

static bool spec_and_shape(found *out, PyObject *args, const char *format) {
  PyObject *text, *problem;
  return PyArg_ParseTuple(args, format, &text, &problem) &&
         core_text(&out->spec, text, "spec", false) && core_shape(&out->shape, &out->held, problem);
}

static PyObject *resolve_agent(PyObject *module, PyObject *args) {
  (void)module;
  found f;
  if (!spec_and_shape(&f, args, "OO:resolve_agent")) return NULL;
  char spec[FAR_SPEC_SIZE];
  far_error error;
  const far_status status = far_agent_resolve(spec, f.spec, &f.shape, &error);
  Py_XDECREF(f.held);
  return status == FAR_OK ? PyUnicode_FromString(spec) : core_raise(&error, f.spec);
}

static void add_warning(void *list, bool severe, const char *message) {
  PyObject *item = Py_BuildValue("(Os)", severe ? Py_True : Py_False, message);
  if (item != NULL) PyList_Append(list, item);
  Py_XDECREF(item);
}

static PyObject *check_agent(PyObject *module, PyObject *args) {
  (void)module;
  found f;
  if (!spec_and_shape(&f, args, "OO:check_agent")) return NULL;
  PyObject *list = PyList_New(0);
  far_error error;
  if (list != NULL && far_agent_check(f.spec, &f.shape, add_warning, list, &error) != FAR_OK)
    core_raise(&error, f.spec);
  Py_XDECREF(f.held);
  if (PyErr_Occurred() != NULL) Py_CLEAR(list);
  return list;
}

static PyObject *shape_of(PyObject *module, PyObject *problem) {
  (void)module;
  far_shape shape;
  PyObject *held;
  if (!core_shape(&shape, &held, problem)) return NULL;
  PyObject *tuple = core_shape_tuple(&shape);
  Py_XDECREF(held);
  return tuple;
}

PyMethodDef agent_functions[] = {
    {"shape_of", shape_of, METH_O,
     "shape_of(problem, /)\n--\n\n"
     "shape_of(problem: Model | tuple[object, ...]) -> tuple[int, int, float, float, bool, "
     "BoolArray | None, int, float, bool, int]\n\n"
     "What an agent may know of a problem: n_states, n_actions, reward_min, reward_max, episodic, "
     "absent, horizon, gamma, average, steps; 0 is none."},
    {"resolve_agent", resolve_agent, METH_VARARGS,
     "resolve_agent(spec, problem, /)\n--\n\n"
     "resolve_agent(spec: str, problem: Model | tuple[object, ...]) -> str\n\n"
     "The canonical spec of an agent on a problem; nothing is created."},
    {"check_agent", check_agent, METH_VARARGS,
     "check_agent(spec, problem, /)\n--\n\n"
     "check_agent(spec: str, problem: Model | tuple[object, ...]) -> list[tuple[bool, str]]\n\n"
     "The reasons why an agent cannot learn (True) or loses its guarantee (False) on a problem."},
    {0}};
