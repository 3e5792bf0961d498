/* Agent: a learner. */
#include "core.h"

bool core_add_agent(PyObject *module) {
  (void)module;
  return true;
}
