/* The tables of the library: agents, environments, metrics, theorems, with their parameters. */
#include "core.h"

#include <string.h>

#include "base/json.h"
#include "questions/listing/listing.h"

static bool write_list(far__json *json, const char *kind) {
  if (strcmp(kind, "agents") == 0)
    far__types_write(far_agent_type, NULL, json, NULL);
  else if (strcmp(kind, "environments") == 0)
    far__types_write(far_mdp_family, NULL, json, NULL);
  else if (strcmp(kind, "metrics") == 0)
    far__types_write(far_metric_type, NULL, json, NULL);
  else if (strcmp(kind, "theorems") == 0)
    far__theorems_write(NULL, json, NULL);
  else {
    PyErr_Format(PyExc_ValueError, "there is no list '%s': agents, environments, metrics, theorems",
                 kind);
    return false;
  }
  return true;
}

static PyObject *types(PyObject *self, PyObject *kind) {
  (void)self;
  const char *name;
  if (!core_text(&name, kind, "kind", false)) return NULL;
  far_buffer buffer = {0};
  far__json json;
  far__json_begin(&json, far_sink_buffer(&buffer));
  PyObject *text = NULL;
  if (write_list(&json, name)) {
    if (buffer.failed)
      PyErr_NoMemory();
    else
      text = PyUnicode_FromStringAndSize(buffer.bytes, (Py_ssize_t)buffer.length);
  }
  far_buffer_free(&buffer);
  return text;
}

static PyObject *spec_with(PyObject *self, PyObject *args) {
  (void)self;
  const char *spec, *key, *value;
  if (!PyArg_ParseTuple(args, "sss:spec_with", &spec, &key, &value)) return NULL;
  char out[FAR_SPEC_SIZE];
  far_error error;
  if (far_spec_with(out, spec, key, value, &error) != FAR_OK) return core_raise(&error, spec);
  return PyUnicode_FromString(out);
}

static PyMethodDef functions[] = {
    {"spec_with", spec_with, METH_VARARGS,
     "spec_with(spec, key, value, /)\n--\n\nspec_with(spec: str, key: str, value: str) -> str\n\n"
     "The spec with key=value: in place of the value that it gives to the key, or at its end."},
    {"types", types, METH_O,
     "types(kind, /)\n--\n\ntypes(kind: str) -> str\n\n"
     "A list of the library as JSON: agents, environments, metrics or theorems."},
    {0}};

bool core_add_types(PyObject *module) {
  return core_add_functions(module, functions) &&
         PyModule_AddStringConstant(module, "version", far_version()) == 0 &&
         PyModule_AddIntConstant(module, "numerics", far_numerics()) == 0;
}
