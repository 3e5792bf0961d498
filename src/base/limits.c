/* The limits of the process. A program needs one copy of them: this file is in libfarsight alone, not among the
 * hidden copies of src/base in the shared laboratory (cmake/laboratory.cmake). */
#include <stdatomic.h>

#include "farsight/base.h"

static _Atomic uint64_t most_memory, most_states;

void far_limits_set(far_limits limits) {
  atomic_store(&most_memory, limits.memory);
  atomic_store(&most_states, limits.states);
}

far_limits far_limits_get(void) {
  return (far_limits){.memory = atomic_load(&most_memory), .states = atomic_load(&most_states)};
}
