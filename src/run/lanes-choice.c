/* Which cells are faster in lanes, and in how many. The size of the tables decides: if they fit into a processor's cache,
 * lanes use vector registers, where there are loops for it. Larger ones are interleaved, unless steps stay near recent
 * states, which are cached however large the model is. */
#include <string.h>

#include "run/interleave.h"
#include "run/loop.h"
#include "run/vectors.h"

/* Bytes: a thread's own cache; and the size from which more lanes are better. */
static const double CACHE = 1 << 20, LARGE = 8 << 20;

enum { FEW = 8 };

/* A walk by random actions is examined in its second half, by groups of NEAR consecutive states. */
enum { WALK = 8192, NEAR = 4, MOST_GROUPS = 1 << 12 };

/* Do steps often come to states that the cache has lost? `each`: bytes per state. */
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
    uint32_t *place = &cache[s / NEAR % places]; /* each group of states has one place */
    lost += k >= WALK / 2 && *place != s / NEAR;
    *place = s / NEAR;
    const far_outcome *o = far_mdp_step(mdp, s, far_rng_below(&rng, mdp->shape.n_actions), &rng);
    s = o->done ? far_mdp_start(mdp, &rng) : o->next;
  }
  return lost > WALK / 8;
}

/* The full width if the tables of all lanes take part of the cache; half of it up to a few times the cache. */
static far__lanes_loop *in_vectors(const far_agent *agent, far__fused loop, size_t *width) {
  const far__vectors *vectors = far__vectors_at(0);
  if (vectors == NULL || !far__vectors_take(agent)) return NULL;
  const double all = (double)far__lane_bytes(agent) * (double)vectors->width;
  *width = all <= CACHE / 2 ? vectors->width : vectors->width / 2;
  return all / 2 <= 3 * CACHE ? vectors->loop[loop] : NULL;
}

far__lanes_loop *far__lanes_for(const far_agent *agent, const far_mdp *mdp, size_t *width) {
  const far__fused loop = far__fused_of(agent);
  const double outcomes = (double)mdp->row[mdp->n_rows];
  /* what steps read of the agent and of the model */
  const double bytes = (double)far__lane_bytes(agent) + (double)mdp->n_rows * sizeof *mdp->row +
                       outcomes * (sizeof *mdp->outcome + sizeof *mdp->upto);
  *width = bytes < LARGE ? FEW : FAR__INTERLEAVED;
  if (loop == FAR__FUSED_NONE) return NULL;
  /* the logarithms of DORA take longer than waiting for memory, except in large models */
  if (bytes <= (loop == FAR__FUSED_dora ? LARGE : CACHE)) return in_vectors(agent, loop, width);
  if (!scatters(mdp, bytes / mdp->shape.n_states)) return NULL;
  return far__interleave(loop, mdp->shape.n_actions);
}
