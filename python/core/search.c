/* Tuning and growth studies. */
#include "core.h"

bool core_add_search(PyObject *module) {
  (void)module;
  return true;
}
