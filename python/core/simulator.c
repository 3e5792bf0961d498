/* Environments without a model, such as those of Gymnasium, in batches of the library. */
#include "core.h"

bool core_add_simulator(PyObject *module) {
  (void)module;
  return true;
}
