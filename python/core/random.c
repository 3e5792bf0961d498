/* Random: a random stream of the library. */
#include "core.h"

bool core_add_random(PyObject *module) {
  (void)module;
  return true;
}
