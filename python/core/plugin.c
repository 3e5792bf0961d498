/* Agents written in Python, registered with the library. */
#include "core.h"

bool core_add_plugin(PyObject *module) {
  (void)module;
  return true;
}
