#include "agents/problem.h"

#include <string.h>

#include "agents/params.h"
#include "base/number.h"

/* The steps and episodes of a run where they are not known. */
static const int64_t usual_steps = 10000, usual_episodes = 10000;

/* A parameter that the problem fills in, or NULL. Registered agents have none: their defaults are fixed. */
static const far_param *numeric(const far__spec *spec, const char *name, far_param_kind kind) {
  const far_param *p = far_type_param(spec->type, name, strlen(name));
  return p != NULL && p->kind == kind && p->derived ? p : NULL;
}

static bool is_theory(const far__spec *spec) {
  const far_param *p = far_type_param(spec->type, "preset", strlen("preset"));
  return p != NULL && far__spec_word_is(spec, p->offset, "theory");
}

double far__short_gamma(const far_shape *shape, int64_t steps) {
  const double samples = (double)steps / ((double)far_shape_live(shape) * shape->n_actions);
  double h = samples / FAR__SHORT_SAMPLES, furthest = 1 / (1 - far_shape_gamma(shape));
  if (shape->horizon > 0) furthest = (double)shape->horizon;
  if (furthest > FAR__SHORT_FURTHEST) furthest = FAR__SHORT_FURTHEST;
  if (h < FAR__SHORT_NEAREST) h = FAR__SHORT_NEAREST;
  return 1 - 1 / (h < furthest ? h : furthest);
}

/* Does an agent that plans with gamma solve another problem than this one? */
static bool plans_otherwise(const far_shape *shape, double gamma) {
  return shape->horizon == 0 && shape->gamma > 0 && (shape->average || gamma != shape->gamma);
}

static int64_t take_steps(far__spec *spec, const far_shape *shape) {
  const far_param *p = numeric(spec, "steps", FAR_PARAM_INTEGER);
  int64_t steps = shape->steps > 0 ? shape->steps : usual_steps;
  if (p == NULL) return steps;
  if (far__spec_given(spec, p->offset)) {
    memcpy(&steps, spec->values + p->offset, sizeof steps);
    return steps;
  }
  if ((double)steps < p->min) steps = (int64_t)p->min;
  memcpy(spec->values + p->offset, &steps, sizeof steps);
  return steps;
}

/* A run has at most as many episodes as steps; where none can end early, as many as begin in these steps. */
static int64_t most_episodes(const far_shape *shape) {
  if (shape->episodes > 0) return shape->episodes;
  if (shape->steps == 0 || shape->horizon == 0) return usual_episodes;
  if (shape->episodic) return shape->steps;
  return (shape->steps - 1) / shape->horizon + 1;
}

static void take_episodes(far__spec *spec, const far_shape *shape) {
  const far_param *p = numeric(spec, "episodes", FAR_PARAM_INTEGER);
  const int64_t episodes = most_episodes(shape);
  if (p != NULL && !far__spec_given(spec, p->offset))
    memcpy(spec->values + p->offset, &episodes, sizeof episodes);
}

far_status far__take_problem(far__spec *spec, const far_shape *shape, far_error *error) {
  const int64_t steps = take_steps(spec, shape);
  take_episodes(spec, shape);
  const far_param *p = numeric(spec, "gamma", FAR_PARAM_REAL);
  if (p == NULL) return FAR_OK;
  double gamma;
  memcpy(&gamma, spec->values + p->offset, sizeof gamma);
  const bool is_given = far__spec_given(spec, p->offset);
  if (!is_given) gamma = far_shape_gamma(shape);
  if (gamma != gamma) gamma = far__short_gamma(shape, steps);
  memcpy(spec->values + p->offset, &gamma, sizeof gamma);
  if (!is_given || shape->average || !is_theory(spec) || !plans_otherwise(shape, gamma))
    return FAR_OK;
  char own[FAR__NUMBER_SIZE], problem[FAR__NUMBER_SIZE];
  far__real_format(own, gamma);
  far__real_format(problem, shape->gamma);
  return far__spec_fail(
      spec, p->offset, error,
      "preset=theory is about the problem, whose discount is %s, not %s: give the problem that "
      "discount (gamma=%s in the environment's spec, or --gamma %s)",
      problem, own, own, own);
}

void far__advise_discount(const far__spec *spec, const far_shape *shape,
                          const far__advice *advice) {
  const far_param *p = numeric(spec, "gamma", FAR_PARAM_REAL);
  if (p == NULL) return;
  char own[FAR__NUMBER_SIZE], problem[FAR__NUMBER_SIZE];
  double gamma;
  memcpy(&gamma, spec->values + p->offset, sizeof gamma);
  if (!plans_otherwise(shape, gamma)) return;
  far__real_format(own, gamma);
  far__real_format(problem, shape->gamma);
  if (shape->average)
    far__say(advice, false,
             FAR_WARNING_PLANNING "%s; the average reward is what counts in the problem", own);
  else
    far__say(advice, false, FAR_WARNING_PLANNING "%s; the problem's is %s%s", own, problem,
             gamma > shape->gamma ? ", so that it looks further ahead than what it is judged by"
                                  : "");
}
