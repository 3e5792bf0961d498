/* Garnet: generic average random models (Archibald, McKinnon & Thomas 1995; Bhatnagar, Sutton,
 * Ghavamzadeh & Lee 2009, section 8). Every pair has `branching` different successors, all sets
 * being equally likely, with the probabilities into which branching - 1 uniform points cut the unit
 * interval. A share `rewarded` of the pairs pays a reward uniform in [0, 1), the others 0. (The
 * original draws rewards from a normal distribution; agents with guarantees need bounds.) The start
 * is state 0. Nothing says that all states can be reached.
 *
 * The model follows from the seed alone: pair by pair in the order of states and actions it draws
 * the successors, the points, and two uniform numbers for the reward. */
#include "model/envs/family.h"

#include <stdlib.h>

#include "base/error.h"

typedef struct FAR__PARAMS garnet_params {
  int64_t states, actions, branching, seed;
  double rewarded;
  far__criterion criterion;
} garnet_params;

#define AT(field) .offset = offsetof(garnet_params, field)

static const far_param params[] = {
    {.name = "states",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "50",
     .min = 1,
     .max = 100000000,
     AT(states),
     .help = "number of states"},
    {.name = "actions",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "4",
     .min = 1,
     .max = 10000,
     AT(actions),
     .help = "number of actions"},
    {.name = "branching",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "3",
     .min = 1,
     .max = 1000000,
     AT(branching),
     .help = "number of successors of a pair, at most states"},
    {.name = "rewarded",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 1,
     AT(rewarded),
     .help = "share of the pairs that pay a reward"},
    {.name = "seed",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "0",
     FAR__ANY_SEED,
     AT(seed),
     .help = "seed of the model"},
    FAR__ROWS_CRITERION(garnet_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  const garnet_params *p = (const garnet_params *)spec->values;
  const far__factor factors[] = {
      {(double)p->states, "states", offsetof(garnet_params, states)},
      {(double)p->actions, "actions", offsetof(garnet_params, actions)},
      {(double)p->branching, "successors", offsetof(garnet_params, branching)},
  };
  if (p->branching <= p->states) return far__check_outcomes(spec, factors, 3, error);
  return far__spec_fail(spec, offsetof(garnet_params, branching), error,
                        "branching=%ld successors are more than the %ld states", (long)p->branching,
                        (long)p->states);
}

typedef struct garnet {
  const garnet_params *p;
  uint32_t *order; /* a permutation of the states, shuffled a little for every pair */
  double *cut;     /* branching + 1 points from 0 to 1 */
} garnet;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void add_pair(far__sketch *k, const garnet *g, uint32_t s, uint32_t a, far_rng *rng) {
  const uint32_t n = (uint32_t)g->p->states, branching = (uint32_t)g->p->branching;
  for (uint32_t i = 0; i < branching; ++i) { /* the first steps of a Fisher-Yates shuffle */
    const uint32_t j = i + far_rng_below(rng, n - i), chosen = g->order[j];
    g->order[j] = g->order[i];
    g->order[i] = chosen;
  }
  g->cut[0] = 0;
  for (uint32_t i = 1; i < branching; ++i) g->cut[i] = far_rng_uniform(rng);
  g->cut[branching] = 1;
  qsort(g->cut, branching + 1, sizeof *g->cut, ascending);
  const bool pays = far_rng_uniform(rng) < g->p->rewarded;
  const double height = far_rng_uniform(rng), reward = pays ? height : 0;
  for (uint32_t i = 0; i < branching; ++i)
    far__outcome(k, s, a, g->cut[i + 1] - g->cut[i], g->order[i], reward);
}

static void fill(far__sketch *k, const void *what) {
  const garnet *g = what;
  far__range(k, (const double[]){1}, 1);
  far__start(k, 0, 1);
  far_rng rng;
  far_rng_init(&rng, (uint64_t)g->p->seed, 0, FAR_PURPOSE_MODEL);
  for (uint32_t s = 0; s < (uint32_t)g->p->states && k->status == FAR_OK; ++s)
    for (uint32_t a = 0; a < (uint32_t)g->p->actions; ++a) add_pair(k, g, s, a, &rng);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const garnet_params *p = values;
  const uint32_t n = (uint32_t)p->states;
  garnet g = {p, malloc(n * sizeof *g.order), malloc(((size_t)p->branching + 1) * sizeof *g.cut)};
  far_status status;
  if (g.order == NULL || g.cut == NULL) {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a model of %lu states",
                       (unsigned long)n);
  } else {
    for (uint32_t s = 0; s < n; ++s) g.order[s] = s;
    status = far__family_build(out, n, (uint32_t)p->actions, (double)p->branching, fill, &g, error);
  }
  free(g.order);
  free(g.cut);
  return status;
}

static double outcomes(const void *values) {
  const garnet_params *p = values;
  return (double)p->states * (double)p->actions * (double)p->branching;
}

const far__family far__family_garnet = {
    .info = {.name = "garnet",
             .summary = "Random sparse models: a few random successors of every pair",
             .reference = "Archibald, McKinnon & Thomas 1995; Bhatnagar et al. 2009, section 8",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
    .outcomes = outcomes,
};
