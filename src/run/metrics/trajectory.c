/* The estimator `trajectory`, see estimator.h, and the metric `loss`, the mean of the losses that it judges: the
 * instantaneous loss il(t) = V*(s_t) - (r_t + gamma r_t+1 + ... until the episode ends) (Strehl &
 * Littman 2008). The last steps of a run, whose returns its end cuts off, do not count. */
#include <stdlib.h>

#include "run/metrics/estimator.h"
#include "base/error.h"

typedef struct moment {
  double r;
  uint32_t s;
  bool done;
} moment;

typedef struct trajectory {
  const far__optimum *best;
  int64_t steps, counted, t;
  moment at[]; /* every step */
} trajectory;

static far_status trajectory_create(trajectory **out, const far__optimum *best, int64_t steps,
                                    double horizon, far_error *error) {
  *out = NULL;
  if ((double)steps <= horizon)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a return needs %.0f steps (horizon_error), but a run has only %lld", horizon,
                     (long long)steps);
  const bool fits = (uint64_t)steps < (SIZE_MAX - sizeof **out) / sizeof(moment);
  trajectory *x = fits ? malloc(sizeof *x + (size_t)steps * sizeof *x->at) : NULL;
  if (x == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lld steps", (long long)steps);
  *x = (trajectory){best, steps, steps - (int64_t)horizon, 0};
  *out = x;
  return FAR_OK;
}

static void take(trajectory *x, const far_transition *step) {
  if (x->t < x->steps) x->at[x->t++] = (moment){step->r, step->s, step->done};
}

/* How many of the steps so far have a complete return. */
static int64_t counted_sofar(const trajectory *x) {
  const int64_t cut = x->steps - x->counted;
  return x->t > cut ? x->t - cut : 0;
}

/* Goes backwards from the last step, where a return is the reward plus gamma times the next return; returns the sum of
 * the losses of the first `counted` steps. */
static double add_losses(const trajectory *x, int64_t counted, far__tally *tally) {
  double back = 0, sum = 0;
  for (int64_t t = x->t; t-- > 0;) {
    const moment *m = &x->at[t];
    back = m->r + (m->done ? 0 : x->best->gamma * back);
    if (t >= counted) continue;
    sum += x->best->v[m->s] - back;
    if (back >= x->best->least[m->s]) continue;
    tally->mistakes += 1;
    if (tally->last == 0) tally->last = (double)(t + 1);
  }
  return sum;
}

/* ---- the estimator ---- */

static far_status create(void **out, const far__scene *scene, const far__optimum *best,
                         far_error *error) {
  trajectory *x;
  const double horizon = far__mistake_horizon(scene->params, best);
  const far_status status = trajectory_create(&x, best, scene->steps, horizon, error);
  *out = x;
  return status;
}

static far_status begin(void *of, far__tally *tally, const far_agent *agent, uint32_t s,
                        far_error *error) {
  (void)tally, (void)agent, (void)s, (void)error;
  ((trajectory *)of)->t = 0;
  return FAR_OK;
}

static far_status step(void *of, far__tally *tally, const far_agent *agent,
                       const far_transition *step, uint32_t next, far_error *error) {
  (void)tally, (void)agent, (void)next, (void)error;
  take(of, step);
  return FAR_OK;
}

static void end(void *of, far__tally *tally) {
  const trajectory *x = of;
  add_losses(x, x->counted, tally);
}

static far__tally sofar(const void *of, const far__tally *tally, const far_agent *agent) {
  const trajectory *x = of;
  far__tally out = {0};
  (void)tally, (void)agent;
  add_losses(x, counted_sofar(x), &out);
  return out;
}

const far__estimator far__estimator_trajectory = {create, begin, step, end, sofar, free};

/* ---- the metric ---- */

typedef struct FAR__PARAMS loss_params {
  far__value_params value;
  double horizon_error;
  int64_t horizon_given; /* no key */
} loss_params;

static const far_param params[] = {
    FAR__ROW_GAMMA_OF(loss_params),
    {.name = "horizon_error",
     .kind = FAR_PARAM_REAL,
     .derived = true,
     .fallback = "0.001 rmax/(1-gamma)",
     .min = 0,
     .min_open = true,
     .max = INFINITY,
     .max_open = true,
     .offset = offsetof(loss_params, horizon_error),
     .help = "largest return beyond the horizon; that many last steps do not count"},
};

static far_status resolve(far__spec *spec, far_error *error) {
  loss_params *p = (loss_params *)spec->values;
  (void)error;
  far__value_resolve(spec, offsetof(loss_params, value));
  p->horizon_given = far__spec_given(spec, offsetof(loss_params, horizon_error));
  if (!p->horizon_given) far__spec_hide(spec, offsetof(loss_params, horizon_error));
  return FAR_OK;
}

typedef struct watcher {
  far__optimum best;
  trajectory *run;
} watcher;

static far_status create_loss(void **out, const far__scene *scene, far_error *error) {
  const loss_params *p = scene->params;
  watcher *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a metric");
  *out = w;
  const far_status status = far__optimum_create(&w->best, scene, &p->value, error);
  if (status != FAR_OK) return status;
  const double beyond = p->horizon_given ? p->horizon_error : 0.001 * w->best.v_max;
  return trajectory_create(&w->run, &w->best, scene->steps, far__optimum_horizon(&w->best, beyond),
                           error);
}

static far_status begin_loss(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  return begin(((watcher *)of)->run, NULL, agent, s, error);
}

static far_status step_loss(void *of, const far_agent *agent, const far_transition *step,
                            uint32_t next, far_error *error) {
  (void)agent, (void)next, (void)error;
  take(((watcher *)of)->run, step);
  return FAR_OK;
}

static double end_loss(void *of, const far_agent *agent) {
  const watcher *w = of;
  far__tally tally = {0};
  (void)agent;
  return add_losses(w->run, w->run->counted, &tally) / (double)w->run->counted;
}

/* Infinite as long as no return is complete. Takes time proportional to the steps so far, at every checkpoint. */
static double sofar_loss(void *of, const far_agent *agent) {
  const watcher *w = of;
  far__tally tally = {0};
  const int64_t counted = counted_sofar(w->run);
  (void)agent;
  return counted > 0 ? add_losses(w->run, counted, &tally) / (double)counted : INFINITY;
}

static void free_loss(void *of) {
  watcher *w = of;
  if (w == NULL) return;
  free(w->run);
  far__optimum_free(&w->best);
  free(w);
}

const far__metric_type far__metric_loss = {
    .info = {.name = "loss",
             .summary = "Mean over the steps of the optimal value less the run's own return",
             .reference = "Strehl & Littman, An Analysis of Model-Based Interval Estimation, 2008",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .by_criterion = far__value_by_criterion,
    .resolve = resolve,
    .create = create_loss,
    .begin = begin_loss,
    .step = step_loss,
    .end = end_loss,
    .sofar = sofar_loss,
    .free = free_loss,
};
