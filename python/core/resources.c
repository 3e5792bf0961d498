/* Limits on the memory and the states of the process, and the third-party libraries that it uses. */
#include "core.h"

#include <string.h>

#include "base/number.h"
#include "questions/listing/dependencies.h"

static PyObject *limits(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  const far_limits now = far_limits_get();
  return Py_BuildValue("KK", (unsigned long long)now.memory, (unsigned long long)now.states);
}

static PyObject *set_limits(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *objects[2];
  if (!PyArg_ParseTuple(args, "OO:set_limits", &objects[0], &objects[1])) return NULL;
  far_limits wanted;
  if (!core_uint64(&wanted.memory, objects[0], "memory") ||
      !core_uint64(&wanted.states, objects[1], "states"))
    return NULL;
  far_limits_set(wanted);
  Py_RETURN_NONE;
}

static PyObject *size_of(PyObject *self, PyObject *object) {
  (void)self;
  const char *text;
  uint64_t bytes;
  if (!core_text(&text, object, "size", false)) return NULL;
  if (far__size_parse(text, strlen(text), &bytes)) return PyLong_FromUnsignedLongLong(bytes);
  const far_error error = {FAR_STATUS_SYNTAX, 0, "must be a size in bytes, as in 512M or 4G"};
  return core_raise(&error, text);
}

static PyObject *dependencies(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  far__dependency d;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && far__dependency_at(&d, i); ++i) {
    PyObject *row = Py_BuildValue("sssss", d.name, d.built, d.running, d.licence, d.use);
    if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

static PyMethodDef functions[] = {
    {"limits", limits, METH_NOARGS,
     "limits()\n--\n\nlimits() -> tuple[int, int]\n\n"
     "The most memory and the most states that the process may use; 0: no limit."},
    {"set_limits", set_limits, METH_VARARGS,
     "set_limits(memory, states, /)\n--\n\nset_limits(memory: int, states: int) -> None\n\n"
     "Sets them, from now on."},
    {"size_of", size_of, METH_O,
     "size_of(text, /)\n--\n\nsize_of(text: str) -> int\n\nThe bytes of '512M' or '4G'."},
    {"dependencies", dependencies, METH_NOARGS,
     "dependencies()\n--\n\ndependencies() -> list[tuple[str, str, str, str, str]]\n\n"
     "Name, version at build and at run time, licence and use of each library of others."},
    {0}};

bool core_add_resources(PyObject *module) {
  return core_add_functions(module, functions);
}
