/* Performance profiles: which share of the runs of an agent reaches which score, over all environments.
 *
 *     far__profiles_def def = far__profiles_def_default();
 *     far__profiles *profiles;
 *     far_status status = far__profiles_create(&profiles, comparison, 0, &def, &error);
 *     ... profiles->shares[j * profiles->n_scores + k].value ...    agent j above profiles->scores[k]
 *     far__profiles_report(profiles, report);
 *     far__profiles_free(profiles);
 *
 * Scores are normalised by the scales of the comparison (far_comparison_scale): 0 is the random and 1 the best
 * policy, or the worst and the best run. Every environment whose scale is used counts the same.
 */
#ifndef FAR_QUESTIONS_COMPARISON_PROFILES_H
#define FAR_QUESTIONS_COMPARISON_PROFILES_H

#include "farsight/comparison.h"

typedef struct far__profiles_def {
  size_t n_scores; /* of the grid, evenly from `low` to `high`; 101 by default, 2 to 100,000 */
  /* Ends of the grid; NAN, the default: from the least score of all runs or 0 to the greatest or 1, but not
   * below -1 nor above 2. */
  double low, high;
  const size_t *agents; /* only these of the group; none, the default: all */
  size_t n_agents;
  /* Of the bands, which hold at each score, not at all at once. Replicates are resampled together where an agent has the
   * same on all environments; `together` is not read. */
  far_bootstrap_def bootstrap;
  /* Bands are Student's at the bootstrap's level, over the shares of single replicates, cut at 0 and 1. All environments
   * must have the same replicates of an agent. False by default. */
  bool by_replicate;
  far_comparison_progress_fn *progress; /* with "profile"; may be NULL */
  void *user;
} far__profiles_def;

far__profiles_def far__profiles_def_default(void);

typedef struct far__profiles {
  const far_comparison *comparison; /* the caller's */
  size_t group;                     /* of the comparison */
  size_t n_agents;
  size_t n_envs;     /* whose scales are used */
  size_t n_observed; /* of these, how many scales are from the worst to the best run */
  size_t n_scores;
  double *scores;
  bool *exists; /* of an agent: it is asked for, and has runs on all of these environments */
  /* Share of the runs of agent j with a score above scores[k], at j * n_scores + k, as far_profile has it. Ends of
   * the band are NAN where an environment has a single run. */
  far_estimate *shares;
  bool by_replicate; /* as the definition has it */
  double level;
} far__profiles;

/* The profiles of a group of the comparison, which must stay (one with `quick` is enough). Where no
 * environment has a scale, no agent exists. Fails with RANGE (no such group, or a definition that makes no
 * sense), CONFLICT (by_replicate, and an agent has other replicates on another environment), CANCELLED or MEMORY; *out
 * is then NULL. */
far_status far__profiles_create(far__profiles **out, const far_comparison *comparison, size_t group,
                                const far__profiles_def *def, far_error *error);
void far__profiles_free(far__profiles *profiles); /* NULL is fine */

/* Adds a heading, the table "profiles" with a row for every agent and score, and the methods. */
void far__profiles_report(const far__profiles *profiles, far_report *report);

#endif
