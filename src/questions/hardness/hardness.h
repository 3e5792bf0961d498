/* Hardness: how hard the environments of a comparison are by exact solution of their models, beside the
 * scores that agents reach on them.
 *
 *     far__hardness_def def = far__hardness_def_default();
 *     far__hardness *hardness;
 *     far_status status = far__hardness_create(&hardness, comparison, &def, &error);
 *     ... hardness->envs[0].diameter, hardness->scores[0].value ...
 *     far__hardness_free(hardness);
 *
 * The measures:
 * - the diameter (Jaksch, Ortner & Auer 2010): the greatest over pairs of states of the least expected
 *   number of steps from one to the other, in the problem that an agent faces (far_diameter with
 *   live_only);
 * - the smallest positive gap: the least over states of the best action value less the second best
 *   (far_gaps);
 * - the sum of the reciprocals of the gaps of pairs (far_reciprocals; in the table only);
 * - the environmental value norm (Maillard, Mann & Mannor 2014, "How hard is my MDP? The
 *   distribution-norm to the rescue"; as a measure of hardness Conserva & Rauber 2022): the greatest over
 *   pairs of a state and an action of the standard deviation of the optimal value of the next state. It
 *   is 0 where nothing is random.
 * All are of the live states (far_shape_live).
 */
#ifndef FAR_QUESTIONS_HARDNESS_HARDNESS_H
#define FAR_QUESTIONS_HARDNESS_HARDNESS_H

#include "farsight/base.h"
#include "farsight/comparison.h"
#include "farsight/report.h"

/* ---- the question ---- */

typedef struct far__hardness_def {
  size_t group; /* of the comparison; 0 by default */
  double gamma; /* of values and gaps, in [0, 1); NAN, the default: that of a model's file, else
                            * that of far_solve_def_default */
  size_t most_outcomes; /* models with more are not solved; 2,000,000 by default */
  uint32_t most_states; /* with more there is no diameter; 1,000 by default */
  far_comparison_progress_fn
      *progress; /* "solve" and how many environments are done; may be NULL */
  void *user;
} far__hardness_def;

far__hardness_def far__hardness_def_default(void);

/* ---- the answer ---- */

typedef struct far__hardness_env {
  const char *label;
  const char
      *left_out; /* why the model is not solved, and what follows is 0 or NAN; NULL if it is */
  uint32_t n_states, n_actions; /* n_states: those that a run can be in */
  double gamma;
  double diameter; /* INFINITY if some states cannot be reached from others; NAN: not computed */
  double diameter_error; /* certified */
  double gap; /* smallest positive; INFINITY if there is only one action, or all are equally
                          * good everywhere */
  double value_norm;
  /* Certified bound on the errors of the optimal values and of the value norm. */
  double value_error;
  double reciprocals; /* the sum of 1 / gap over the pairs whose gap is certainly above 0 */
} far__hardness_env;

/* A score: 0 at the low end of the environment's scale, 1 at its high end. NAN where there is none. */
typedef struct far__hardness_score {
  double value, low, high; /* the mean and its interval, on that scale */
} far__hardness_score;

typedef struct far__hardness {
  const char *series;
  bool lower;   /* lower values of the series are better; higher scores always are */
  double level; /* of the intervals */
  bool
      policies; /* all scales are from the random to the best policy; else some from the worst to the
                  * best run (far_scale_kind) */
  const far__hardness_env *envs;
  size_t n_envs;
  const char *const *agents; /* labels */
  size_t n_agents;
  const far__hardness_score *scores; /* of environment e and agent j: e * n_agents + j */
} far__hardness;

/* Makes and solves the model of every environment of a group, one after the other. Fails with RANGE (no
 * such group, or gamma), CANCELLED (progress returned false) or MEMORY; *out is then NULL. A model that
 * cannot be made or solved is left out, with the reason. */
far_status far__hardness_create(far__hardness **out, const far_comparison *comparison,
                                const far__hardness_def *def, far_error *error);
void far__hardness_free(far__hardness *hardness); /* NULL is fine */

/* Adds the numbers to a report: the tables "hardness" (a row for each environment) and "scores", notes
 * on what is left out, and the methods. */
void far__hardness_report(const far__hardness *hardness, far_report *report);

/* The plot "hardness". `def->results` is not read. Fails with MEMORY, and with UNKNOWN where
 * there is nothing to draw; *out is then NULL. */
far_status far__hardness_figure(far_figure **out, const far__hardness *hardness,
                                const far_plot_def *def, far_error *error);

#endif
