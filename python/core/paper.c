/* The paper's tables. */
#include "core.h"

bool core_add_paper(PyObject *module) {
  (void)module;
  return true;
}
