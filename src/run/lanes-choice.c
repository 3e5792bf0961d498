/* Which cells gain by lanes, and by how many. Memory decides: what fits into the cache of a processor goes side by
 * side in vector registers, where there are loops for it. The rest is computed as fast one after the other, and so are
 * steps that stay near where they were lately, however large the model. */
#include <string.h>

#include "run/interleave.h"
#include "run/loop.h"
#include "run/vectors.h"

/* Bytes: of the cache that a thread has to itself; and from where on more lanes are better. */
static const double CACHE = 1 << 20, LARGE = 8 << 20;

enum { FEW = 8 };

/* A walk by random actions is looked at in its second half, in groups of states that lie together. */
enum { WALK = 8192, NEAR = 4, MOST_GROUPS = 1 << 12 };

/* What steps read, of the agent and of the model. */
static double bytes_of(const far_agent *agent, const far_mdp *mdp) {
  const size_t outcomes = mdp->row[mdp->n_rows];
  return (double)far__lane_bytes(agent) + (double)mdp->n_rows * sizeof *mdp->row +
         (double)outcomes * (sizeof *mdp->outcome + sizeof *mdp->upto);
}

/* Groups of states in a cache where each has one place: was this one there? */
static bool visit(uint32_t *cache, uint32_t places, uint32_t s) {
  uint32_t *place = &cache[s / NEAR % places];
  const bool hit = *place == s / NEAR;
  *place = s / NEAR;
  return hit;
}

static uint32_t walk_on(const far_mdp *mdp, uint32_t s, far_rng *rng) {
  const uint32_t a = far_rng_below(rng, mdp->shape.n_actions);
  const far_outcome *o = far_mdp_step(mdp, s, a, rng);
  return o->done ? far_mdp_start(mdp, rng) : o->next;
}

/* Do steps often come to a state that the cache has lost? `each`: bytes of a state. */
static bool scatters(const far_mdp *mdp, double each) {
  uint32_t cache[MOST_GROUPS];
  const double fitting = CACHE / (NEAR * each);
  const uint32_t places = fitting < 1 ? 1 : fitting > MOST_GROUPS ? MOST_GROUPS : (uint32_t)fitting;
  far_rng rng;
  far_rng_init(&rng, 0, 0, FAR_PURPOSE_SEARCH);
  memset(cache, 0xff, sizeof cache);
  int lost = 0;
  uint32_t s = far_mdp_start(mdp, &rng);
  for (int k = 0; k < WALK; ++k) {
    const bool hit = visit(cache, places, s);
    lost += k >= WALK / 2 && !hit;
    s = walk_on(mdp, s, &rng);
  }
  return lost > WALK / 8;
}

/* The logarithms of DORA take longer than the waiting for all but large models. */
static double least_bytes(far__fused loop) {
  return loop == FAR__FUSED_dora ? LARGE : CACHE;
}

/* All of the width where the tables of all lanes take a part of the cache; half of it up to a few times the cache. */
static far__lanes_loop *in_vectors(const far_agent *agent, far__fused loop, size_t *width) {
  const far__vectors *vectors = far__vectors_at(0);
  if (vectors == NULL || !far__vectors_take(agent)) return NULL;
  const double all = (double)far__lane_bytes(agent) * (double)vectors->width;
  *width = all <= CACHE / 2 ? vectors->width : vectors->width / 2;
  return all / 2 <= 3 * CACHE ? vectors->loop[loop] : NULL;
}

far__lanes_loop *far__lanes_for(const far_agent *agent, const far_mdp *mdp, size_t *width) {
  const far__fused loop = far__fused_of(agent);
  const double bytes = bytes_of(agent, mdp);
  *width = bytes < LARGE ? FEW : FAR__INTERLEAVED;
  if (loop == FAR__FUSED_NONE) return NULL;
  if (bytes <= least_bytes(loop)) return in_vectors(agent, loop, width);
  if (!scatters(mdp, bytes / mdp->shape.n_states)) return NULL;
  return far__interleave(loop, mdp->shape.n_actions);
}
