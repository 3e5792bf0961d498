/* Findings: what a comparison comes to. Which agent is best on each environment and over all of them, and
 * whether that is decided.
 *
 *     far__findings *findings;
 *     far_status status = far__findings_create(&findings, comparison, 0, &error);
 *     const far__finding *f = &findings->envs[0];
 *     if (f->kind == FAR__FINDING_BEST) ... group->agents[f->leader].label, f->p ...
 *     far__findings_free(findings);
 *
 * An agent is called best only if its mean is better than that of every other agent after the correction for
 * all pairs of agents on all environments, whichever baseline the comparison has. Nothing is run.
 */
#ifndef FAR_QUESTIONS_COMPARISON_FINDINGS_H
#define FAR_QUESTIONS_COMPARISON_FINDINGS_H

#include "farsight/comparison.h"

typedef enum far__finding_kind {
  FAR__FINDING_NOTHING, /* no agent has runs */
  FAR__FINDING_ALONE,   /* one agent: there is nothing to compare */
  FAR__FINDING_BEST,    /* the leader is better than every other agent */
  FAR__FINDING_TIED,    /* the leader cannot be told apart from some */
} far__finding_kind;

/* An agent that is not told apart from the leader. */
typedef struct far__finding_rival {
  size_t agent;
  bool tested;       /* else there are too few runs, or these do not vary, or some are infinite */
  bool same;         /* all pairs of runs are equal, or all runs are */
  double p_adjusted; /* NAN unless tested */
} far__finding_rival;

/* Agents are indices in the group; n_agents of the group where there is none. */
typedef struct far__finding {
  far__finding_kind kind;
  size_t leader;     /* the contestant with the best mean */
  size_t next;       /* that with the second best */
  size_t n_compared; /* contestants with runs, the leader among them */
  double p;    /* the greatest adjusted p-value of those that are told apart; NAN without any */
  double lead; /* the leader's mean less that of `next`, on the environment */
  double low, high;           /* its simultaneous interval; NAN where there is none */
  double lead_p;              /* its adjusted p-value; NAN where there is none */
  far__finding_rival *rivals; /* the best first */
  size_t n_rivals, n_untested;
} far__finding;

/* Over all environments of the group, if there are two or more: by the probability of improvement
 * (far__pairwise), which needs no scale. */
typedef struct far__finding_overall {
  bool exists;
  far__finding_kind kind;
  size_t n_compared; /* contestants with runs on all environments */
  /* The contestant that is better than the others most often, in the mean over these. */
  size_t leader;
  double better; /* the least probability that its run is better than one of another contestant */
  double p;      /* as in far__finding */
  far__finding_rival *rivals;
  size_t n_rivals;
  /* Contestants with the greatest interquartile mean and mean of their scores; the group's n_agents where there
   * are no scores. */
  size_t by_iqm, by_mean;
} far__finding_overall;

typedef struct far__findings {
  const far_comparison *comparison; /* the caller's */
  size_t group;
  far__finding *envs; /* one for each environment of the group */
  size_t n_envs;
  far__finding_overall overall;
  /* All agents of the group, best first: by the IQM of their scores where these exist, then by their rank in the
   * mean over environments; references last. */
  size_t *order;
  size_t *won;     /* of each agent: environments on which it is best */
  size_t *led;     /* likewise: has the best mean */
  bool *reference; /* of each agent: it is told about the model, and no contestant */
  size_t n_tests;  /* that p-values and intervals are corrected for */
} far__findings;

/* Of a group of the comparison, which must stay. Time grows with runs x agents x agents. Fails with RANGE (no
 * such group) or MEMORY; *out is then NULL. */
far_status far__findings_create(far__findings **out, const far_comparison *comparison, size_t group,
                                far_error *error);
void far__findings_free(far__findings *findings); /* NULL is fine */

/* ---- what its files share: one tests environments, the other looks over all of them ---- */

/* Fills `overall`; `reference` is set. Fails with MEMORY. */
far_status far__find_overall(far__findings *out, far_error *error);

/* Fills `order`. Fails with MEMORY. */
far_status far__find_order(far__findings *out, far_error *error);

#endif
