/* The limits of the process. There is one copy of them in a program, so that this file stands in libfarsight alone
 * and not among the copies of src/base that the shared laboratory hides (cmake/laboratory.cmake). */
#include <stdatomic.h>

#include "farsight/memory.h"

static _Atomic uint64_t most_memory, most_states;

void far_limits_set(far_limits limits) {
  atomic_store(&most_memory, limits.memory);
  atomic_store(&most_states, limits.states);
}

far_limits far_limits_get(void) {
  return (far_limits){.memory = atomic_load(&most_memory), .states = atomic_load(&most_states)};
}
