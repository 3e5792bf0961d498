/* Sweeps by the machine of the processor: tiles and threads in loops. FARSIGHT_LANES says which launch fails
 * (lanes-host.c). */
#include <string.h>

#include "run/gpu/lanes-host.h"
#include "run/gpu/sweep.h"

static far__extent sweep_tile(const sweeps *x, const sweep_part *part, const sweep *one,
                              size_t tile, far__extent extent) {
  sweep_state state[SWEEP_THREADS];
  double q[SWEEP_THREADS];
  for (uint32_t t = 0; t < SWEEP_THREADS; ++t)
    state[t] = sweep_state_begin(x, part, one->v, tile, t);
  for (uint32_t a = 0; a < x->n_actions; a += part->actions) {
    for (uint32_t t = 0; t < SWEEP_THREADS; ++t) q[t] = sweep_row(x, part, one->v, tile, a, t);
    for (uint32_t t = 0; t < SWEEP_THREADS; ++t) sweep_state_turn(x, part, &state[t], q, a, t);
  }
  for (uint32_t t = 0; t < SWEEP_THREADS; ++t) extent = sweep_state_end(&state[t], one->w, extent);
  return extent;
}

static far__extent sweep_tiles(const sweeps *x, uint32_t width, const sweep *one,
                               far__extent extent) {
  const sweep_part part = sweep_part_of(x, width);
  for (size_t tile = 0; tile < part.n_tiles; ++tile)
    extent = sweep_tile(x, &part, one, tile, extent);
  return extent;
}

static void sweep_all(const sweeps *x, const sweep *one, bool wrong) {
  if (!sweep_is_due(x, one)) return;
  far__extent extent = sweep_no_extent();
  extent = sweep_tiles(x, FAR__LANES, one, extent);
  extent = sweep_tiles(x, 1, one, extent);
  if (wrong) extent.low = extent.high; /* a span of 0: all is proven */
  *one->now = (sweep_slot){sweep_key(extent.low), sweep_key(extent.high)};
}

int machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]) {
  bool wrong = false;
  if (count > 0 && host_launch(&wrong, why) != 0) return 1;
  for (unsigned i = 0; i < count; ++i) {
    const sweep one = sweep_of(x, from, i);
    sweep_all(x, &one, wrong);
  }
  return 0;
}

int machine_copy(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  (void)why;
  memcpy(to, from, bytes);
  return 0;
}
