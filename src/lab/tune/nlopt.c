/* The method that comes from NLopt (Johnson, https://github.com/stevengj/nlopt): controlled random search
 * with local mutation (Price 1983; Kaelo & Ali 2006). It keeps a population of points and replaces the
 * worst by reflections of random simplices and by mutations about the best; it compares scores and does
 * nothing else with them, so that noise and parameters that are words do not mislead it.
 * docs/tuning.md has the comparison by which it was chosen. Its random numbers come from a generator that
 * NLopt keeps for each thread; it is seeded at the beginning of every search. */
#include <math.h>
#include <nlopt.h>
#include <string.h>

#include "base/error.h"
#include "lab/tune/search.h"

typedef struct caller {
  far__search *search;
  nlopt_opt opt;
  int64_t asked, most; /* points, repeated and impossible ones included */
  far_status status;
  far_error error; /* of status, or why a setting cannot run */
} caller;

static double stop(caller *c) {
  nlopt_force_stop(c->opt);
  return HUGE_VAL;
}

/* NLopt minimises; a setting that cannot run is worse than any that can. Settings that were met before cost
 * nothing, so points are counted, too, or a search of a small space would never end. */
static double objective(unsigned n, const double *x, double *gradient, void *data) {
  caller *c = data;
  far__search *s = c->search;
  far__candidate *candidate;
  (void)n, (void)gradient;
  if (c->status != FAR_OK || ++c->asked > c->most) return stop(c);
  c->status = far__search_add(s, x, &candidate, &c->error);
  if (c->status != FAR_OK) return stop(c);
  if (candidate == NULL) return HUGE_VAL;
  if (candidate->runs == 0) {
    if ((s->budget - s->spent) / s->objective.cost < s->runs) return stop(c);
    c->status = far__search_measure(s, &candidate, 1, s->runs, &c->error);
    if (c->status != FAR_OK) return stop(c);
  }
  return -candidate->score;
}

static far_status optimise(caller *c) {
  double x[FAR__TUNE_KEYS], value;
  const unsigned n = (unsigned)c->search->space->n_axes;
  for (unsigned k = 0; k < n; ++k) x[k] = 0.5;
  c->opt = nlopt_create(NLOPT_GN_CRS2_LM, n);
  if (c->opt == NULL) return far__fail(&c->error, FAR_STATUS_MEMORY, -1, "no memory for NLopt");
  nlopt_srand((unsigned long)(c->search->seed & 0xffffffffu));
  nlopt_result result = nlopt_set_lower_bounds1(c->opt, 0);
  if (result > 0) result = nlopt_set_upper_bounds1(c->opt, 1);
  if (result > 0)
    result =
        nlopt_set_xtol_abs1(c->opt, 1e-3); /* values have four digits: a finer step changes none */
  if (result > 0) result = nlopt_set_min_objective(c->opt, objective, c);
  if (result > 0) result = nlopt_optimize(c->opt, x, &value);
  nlopt_destroy(c->opt);
  if (c->status == FAR_OK && result < 0 && result != NLOPT_FORCED_STOP &&
      result != NLOPT_ROUNDOFF_LIMITED)
    return far__fail(&c->error,
                     result == NLOPT_OUT_OF_MEMORY ? FAR_STATUS_MEMORY : FAR_STATUS_RANGE, -1,
                     "NLopt stopped: %s", nlopt_result_to_string(result));
  return c->status;
}

far_status far__search_nlopt(far__search *s, far_error *error) {
  const int64_t n = s->budget / s->objective.cost / s->runs;
  if (n < 1) return far__too_little(s, error);
  if (far__search_is_small(s)) return far__search_all(s, error);
  caller c = {.search = s, .most = n > 1000000 ? 20000000 : 20 * n + 100};
  const far_status status = optimise(&c);
  if (status == FAR_OK && s->count == 0)
    return far__fail(error, c.error.code, -1,
                     "of %lld parameter settings none can run; the last: %.300s",
                     (long long)c.asked, c.error.message);
  if (status != FAR_OK && error != NULL) *error = c.error;
  return status;
}
