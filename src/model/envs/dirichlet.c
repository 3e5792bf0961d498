/* Random dense models: every pair's successors have a Dirichlet distribution with all parameters
 * equal to alpha, the prior of Bayesian agents (Strens 2000; Osband, Russo & Van Roy 2013); alpha = 1
 * is uniform over all distributions, a small alpha gives nearly certain moves. A share `rewarded` of
 * the pairs pays a reward uniform in [0, 1), the others 0. The start is state 0.
 *
 * The model follows from the seed alone: pair by pair in the order of states and actions it draws
 * one gamma variate a successor and two uniform numbers for the reward. */
#include "model/envs/family.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/variate.h"

typedef struct FAR__PARAMS dirichlet_params {
  int64_t states, actions, seed;
  double alpha, rewarded;
  far__criterion criterion;
} dirichlet_params;

#define AT(field) .offset = offsetof(dirichlet_params, field)

static const far_param params[] = {
    {.name = "states",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "10",
     .min = 1,
     .max = 10000,
     AT(states),
     .help = "number of states"},
    {.name = "actions",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "3",
     .min = 1,
     .max = 10000,
     AT(actions),
     .help = "number of actions"},
    {.name = "alpha",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
     .min = 0.0001,
     .max = 1000000,
     AT(alpha),
     .help = "the parameter of each successor"},
    {.name = "rewarded",
     .kind = FAR_PARAM_REAL,
     .fallback = "1",
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
    FAR__ROWS_CRITERION(dirichlet_params),
};

static far_status resolve(far__spec *spec, far_error *error) {
  const dirichlet_params *p = (const dirichlet_params *)spec->values;
  const far__factor factors[] = {
      {(double)p->states, "states", offsetof(dirichlet_params, states)},
      {(double)p->actions, "actions", offsetof(dirichlet_params, actions)},
      {(double)p->states, "successors", offsetof(dirichlet_params, states)},
  };
  return far__check_outcomes(spec, factors, 3, error);
}

typedef struct dirichlet {
  const dirichlet_params *p;
  double *weight; /* of the successors of a pair */
} dirichlet;

static void add_pair(far__sketch *k, const dirichlet *d, uint32_t s, uint32_t a, far_rng *rng) {
  const uint32_t n = (uint32_t)d->p->states;
  double sum = 0;
  for (uint32_t i = 0; i < n; ++i) {
    d->weight[i] = far__gamma(rng, d->p->alpha);
    sum += d->weight[i];
  }
  if (sum == 0) { /* all underflowed: nearly all mass would be on one of them */
    d->weight[far_rng_below(rng, n)] = 1;
    sum = 1;
  }
  const bool pays = far_rng_uniform(rng) < d->p->rewarded;
  const double height = far_rng_uniform(rng), reward = pays ? height : 0;
  for (uint32_t i = 0; i < n; ++i) far__outcome(k, s, a, d->weight[i] / sum, i, reward);
}

static void fill(far__sketch *k, const void *what) {
  const dirichlet *d = what;
  far__range(k, (const double[]){1}, 1);
  far__start(k, 0, 1);
  far_rng rng;
  far_rng_init(&rng, (uint64_t)d->p->seed, 0, FAR_PURPOSE_MODEL);
  for (uint32_t s = 0; s < (uint32_t)d->p->states; ++s)
    for (uint32_t a = 0; a < (uint32_t)d->p->actions && k->status == FAR_OK; ++a)
      add_pair(k, d, s, a, &rng);
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const dirichlet_params *p = values;
  const uint32_t n = (uint32_t)p->states;
  const dirichlet d = {p, malloc(n * sizeof *d.weight)};
  if (d.weight == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a model of %lu states",
                     (unsigned long)n);
  const far_status status = far__family_build(out, n, (uint32_t)p->actions, n, fill, &d, error);
  free(d.weight);
  return status;
}

static double outcomes(const void *values) {
  const dirichlet_params *p = values;
  return (double)p->states * (double)p->actions * (double)p->states;
}

const far__family far__family_dirichlet = {
    .info = {.name = "dirichlet",
             .summary = "Random dense models, drawn from the prior of Bayesian agents",
             .reference = "Strens 2000; Osband, Russo & Van Roy 2013",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
    .outcomes = outcomes,
};
