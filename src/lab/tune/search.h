/* Searches over a space, whatever it is that judges candidates. */
#ifndef FAR_LAB_TUNE_SEARCH_H
#define FAR_LAB_TUNE_SEARCH_H

#include "farsight/base.h"
#include "lab/study/parts.h"
#include "lab/tune/space.h"

typedef struct far__candidate {
  size_t index;
  double u[FAR__TUNE_KEYS]; /* NAN where the key does not apply */
  char *spec;               /* without the cells' own keys */
  int64_t runs;             /* measured on so many */
  double score;             /* the larger the better; NAN before it is measured */
  double *totals;           /* the objective's own; freed with the candidate */
} far__candidate;

typedef struct far__objective {
  /* Can it run? The position of the error is in the spec. */
  far_status (*check)(void *user, const char *spec, far_error *error);
  /* Does the agent of a spec that can run have the parameter? NULL: all have all. Fails with MEMORY. */
  far_status (*applies)(void *user, const char *spec, const char *key, bool *out, far_error *error);
  /* Measures candidates, which all have the same number of runs, on more, `runs` in all, and sets
   * their scores. Runs are numbered, and run k has the same random numbers for all. */
  far_status (*measure)(void *user, far__candidate *const *list, size_t n, int64_t runs,
                        far_error *error);
  void *user;
  int64_t cost; /* steps of one run of one candidate */
} far__objective;

typedef struct far__search {
  const far__space *space;
  far__objective objective;
  int64_t budget, spent; /* steps */
  int64_t runs;          /* of a candidate that is measured to the end */
  uint64_t seed;
  far__candidate **candidates;
  size_t count, capacity;
  bool all_added; /* the candidates are all settings of the space that can run */
  size_t *table;  /* of indices + 1 by the hash of the spec */
  size_t table_size;
  far_tune_trial *trials;
  size_t n_trials, trial_capacity;
} far__search;

void far__search_free(far__search *search);

/* Every value in a list must be able to run with some of the others, and every key must apply to some
 * settings. Otherwise a part of the space would be missing without a word. */
far_status far__search_check(const far__search *search, far_error *error);

/* The candidate at a point; keys that do not apply to it (an epsilon with explore=softmax) are left out
 * of its spec. One that rounds to the same setting as another is that other. *out is NULL, and
 * *error says why, if it cannot run. Fails with MEMORY. */
far_status far__search_add(far__search *search, const double *u, far__candidate **out,
                           far_error *error);

/* A candidate that is not there yet, at a random point. *out is NULL if none was found in many tries: the
 * space is used up. Fails if there is none at all that can run. */
far_status far__search_draw(far__search *search, far_rng *rng, far__candidate **out,
                            far_error *error);

/* Measures, notes the trials and counts the steps; never asks for more than the budget. */
far_status far__search_measure(far__search *search, far__candidate *const *list, size_t n,
                               int64_t runs, far_error *error);

/* The highest score among those with the most runs, of equals the first; NULL if none is measured. */
const far__candidate *far__search_best(const far__search *search);

/* Adds all settings of a space whose values can be counted, without those that cannot run. Fails if
 * none can. */
far_status far__search_add_all(far__search *search, far_error *error);

/* Does the budget pay for all settings of the space, each on all runs? Then there is nothing to search: every
 * method measures them all. */
bool far__search_is_small(const far__search *search);
far_status far__search_all(far__search *search, far_error *error);

/* ---- methods ---- */

/* As many candidates as the budget pays for, each measured to the end. */
far_status far__search_random(far__search *search, far_error *error);

/* Successive halving (Jamieson & Talwalkar 2016) with factor 3, the runs being the resource: all
 * are measured on few runs, and the best third of each rung continues on three times as many. */
far_status far__search_halving(far__search *search, far_error *error);

/* The schedule of halving: rung k measures counts[k] candidates on runs[k] runs in all. The most rungs,
 * down to one run, with which the first has 3^(rungs - 1) candidates at least, and at most a million. 0
 * if the budget does not pay for one candidate. */
enum { FAR__RUNGS = 40 };
typedef struct far__schedule {
  int rungs;
  int64_t counts[FAR__RUNGS], runs[FAR__RUNGS];
  int64_t steps;
} far__schedule;
far__schedule far__halving_schedule(int64_t budget, int64_t cost, int64_t runs);

/* The final, with what is left of the budget: the best of the candidates that were measured to the
 * end meet again on three times as many runs, and the best third of those on nine times as many.
 * The winner of a search is partly chosen by noise; this removes most of that. */
far_status far__search_final(far__search *search, far_error *error);

/* A method of NLopt. Fails with ABSENT where there is none. */
far_status far__search_nlopt(far__search *search, far_error *error);

far_status far__too_little(const far__search *search, far_error *error);

#endif
