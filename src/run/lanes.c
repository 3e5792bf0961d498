#include "run/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/available.h"
#include "base/pages.h"
#include "run/loop.h"
#include "run/pool.h"

/* LINE: bytes of a cache line. Lanes of up to SMALL bytes are not limited; others take 1/SHARE of the free memory. */
enum { LINE = 64, SMALL = 1 << 20, SHARE = 8 };

/* The distance between the states of two lanes: an odd number of cache lines, so that the same pair of all lanes does
 * not fall into the same few sets of the cache. */
static size_t stride_of(const far_agent *agent) {
  return ((far__lane_bytes(agent) + LINE - 1) / LINE | 1) * LINE;
}

/* The width, limited to what all threads together have memory for. */
static size_t fitting(size_t width, const far_batch_def *def, const far_agent *agent) {
  const double threads = far__pool_threads(def->threads), each = (double)stride_of(agent);
  if ((double)width * each <= SMALL) return width;
  const double most = (double)far__memory_available() / SHARE / threads / each;
  return (double)width <= most ? width : (size_t)most;
}

/* Lanes compute nothing but rewards: no metrics, hooks, simulators or runs that end by episodes. */
static far__lanes_loop *choose(const far_batch_def *def, const far_cell *cell,
                               const far_agent *agent, size_t *width) {
  const bool plain =
      cell->mdp != NULL && cell->episodes == 0 && def->n_metrics == 0 && !def->generic;
  far__lanes_loop *loop = plain ? far__lanes_for(agent, cell->mdp, width) : NULL;
  if (loop != NULL) *width = fitting(*width, def, agent);
  if (def->lanes > 0 && loop != NULL && *width > def->lanes) *width = def->lanes;
  if (loop != NULL && *width > 1) return loop;
  *width = 1;
  return NULL;
}

size_t far__lanes_width(const far_batch_def *def, const far_cell *cell, const far_agent *agent) {
  size_t width;
  choose(def, cell, agent, &width);
  return width;
}

void far__lanes_enter(far__lanes *out, const far_batch_def *def, const far_cell *cell,
                      const far_agent *agent) {
  *out = (far__lanes){.width = 1};
  size_t width;
  far__lanes_loop *loop = choose(def, cell, agent, &width);
  if (loop == NULL) return;
  const size_t each = stride_of(agent) + sizeof *out->body + sizeof *out->lane;
  const size_t bytes = (width * each + LINE - 1) / LINE * LINE;
  void *memory = aligned_alloc(LINE, bytes);
  if (memory == NULL) return;
  far__large_pages(memory, bytes);
  *out = (far__lanes){.loop = loop, .width = width, .memory = memory};
  const size_t stride = stride_of(agent);
  unsigned char *state =
      memory; /* the states, on cache lines of their own, then the bodies and the lanes */
  out->body = (far__body *)(state + width * stride);
  out->lane = (far__lane *)(out->body + width);
  for (size_t i = 0; i < width; ++i) {
    out->body[i] = far__agent_body(agent);
    out->body[i].state = state + i * stride;
  }
}

void far__lanes_leave(far__lanes *lanes) {
  free(lanes->memory);
  *lanes = (far__lanes){.width = 1};
}

/* No algorithm that has lanes draws at its reset: one first state serves all lanes. */
void far__lanes_begin(far__lanes *lanes, const far_batch_def *def, const far_mdp *mdp,
                      far_agent *agent, uint64_t first, size_t n) {
  far_agent_reset(agent, def->seed, first);
  for (size_t i = 0; i < n; ++i) {
    lanes->lane[i] = far__lane_begin(mdp, def->seed, first + i);
    memcpy(lanes->body[i].state, far__agent_state(agent), far__lane_bytes(agent));
  }
}
