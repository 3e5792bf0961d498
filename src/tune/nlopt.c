/* The method that NLopt has (Johnson, https://github.com/stevengj/nlopt). Its random numbers come from a
 * generator that NLopt keeps for each thread; it is seeded at the beginning of every search. */
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tune/search.h"

typedef struct caller {
  far__search *search;
  nlopt_opt opt;
  int64_t asked, most; /* points, repeated and impossible ones included */
  far_status status;
  far_error error;
} caller;

static double stop(caller *c) {
  nlopt_force_stop(c->opt);
  return HUGE_VAL;
}

/* NLopt minimises; a set that cannot run is worse than any that can. Sets that were met before cost
 * nothing, so points are counted, too, or a search that has converged would never end. */
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
    if ((s->budget - s->spent) / s->judge.cost < s->runs) return stop(c);
    c->status = far__search_measure(s, &candidate, 1, s->runs, &c->error);
    if (c->status != FAR_OK) return stop(c);
  }
  return -candidate->score;
}

static bool nlopt_is_local(nlopt_algorithm w) { return w == NLOPT_LN_SBPLX || w == NLOPT_LN_BOBYQA || w == NLOPT_LN_COBYLA || w == NLOPT_LN_NELDERMEAD; }
static nlopt_algorithm named(const char *algorithm) {
  static const struct {
    const char *name;
    nlopt_algorithm algorithm;
  } all[] = {{"crs", NLOPT_GN_CRS2_LM},   {"esch", NLOPT_GN_ESCH},
             {"isres", NLOPT_GN_ISRES},   {"sbplx", NLOPT_LN_SBPLX},
             {"bobyqa", NLOPT_LN_BOBYQA}, {"cobyla", NLOPT_LN_COBYLA}, {"neldermead", NLOPT_LN_NELDERMEAD}, {"direct", NLOPT_GN_DIRECT_L_RAND}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(algorithm, all[i].name) == 0) return all[i].algorithm;
  return NLOPT_NUM_ALGORITHMS;
}

static far_status run_from(caller *c, nlopt_algorithm algorithm, double *x, double step) {
  const unsigned n = (unsigned)c->search->space->n_axes;
  double value;
  c->opt = nlopt_create(algorithm, n);
  if (c->opt == NULL) return far__fail(&c->error, FAR_STATUS_MEMORY, -1, "no memory for NLopt");
  nlopt_set_lower_bounds1(c->opt, 0);
  nlopt_set_upper_bounds1(c->opt, 1);
  if (step > 0) nlopt_set_initial_step1(c->opt, step);
  nlopt_set_xtol_abs1(c->opt, 1e-3);
  nlopt_set_min_objective(c->opt, objective, c);
  const nlopt_result result = nlopt_optimize(c->opt, x, &value);
  nlopt_destroy(c->opt);
  if (c->status == FAR_OK && result < 0 && result != NLOPT_FORCED_STOP &&
      result != NLOPT_ROUNDOFF_LIMITED)
    return far__fail(&c->error, FAR_STATUS_CONFLICT, -1, "NLopt failed: %s",
                     nlopt_result_to_string(result));
  return c->status;
}

far_status far__search_nlopt(far__search *s, const char *algorithm, far_error *error) {
  const int64_t n = s->budget / s->judge.cost / s->runs;
  caller c = {.search = s, .most = 20 * n + 100};
  double x[FAR_TUNE_KEYS];
  if (n < 1) return far__too_little(s, error);
  for (size_t k = 0; k < s->space->n_axes; ++k) x[k] = 0.5;
  nlopt_srand((unsigned long)(s->seed & 0xffffffffu));
  const bool after_halving = algorithm[0] == 'h';
  const nlopt_algorithm which = named(algorithm + after_halving);
  if (nlopt_is_local(which)) {
    const int64_t all = s->budget;
    s->budget = all / 2 < s->runs * s->judge.cost ? all : all / 2;
    c.status = after_halving ? far__search_halving(s, &c.error) : far__search_random(s, &c.error);
    s->budget = all;
    memcpy(x, far__search_best(s)->u, sizeof x);
  }
  for (double step = after_halving ? 0.1 : 0.2;
       c.status == FAR_OK && (s->budget - s->spent) / s->judge.cost >= s->runs && c.asked < c.most;
       step /= 2) {
    c.status =
        run_from(&c, which, x, nlopt_is_local(which) ? step : 0);
    if (step < 0.001) break;
  }
  if (c.status != FAR_OK && error != NULL) *error = c.error;
  return c.status;
}
