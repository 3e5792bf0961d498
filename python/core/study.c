/* Study: environments x agents, and its results. */
#include "core.h"

bool core_add_study(PyObject *module) {
  (void)module;
  return true;
}
