/* Worlds: many copies of one model, stepped in one call. */
#include "core.h"

bool core_add_worlds(PyObject *module) {
  (void)module;
  return true;
}
