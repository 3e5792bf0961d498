/* How runs are judged: the optimal values, and how far below them is a mistake. */
#ifndef FAR_RUN_METRICS_OPTIMUM_H
#define FAR_RUN_METRICS_OPTIMUM_H

#include "run/metrics/metric.h"

/* Stands for the start distribution where a state is expected. */
#define FAR__START UINT32_MAX

/* The keys of every metric that compares with optimal values; the first member of its parameters. */
typedef struct FAR__PARAMS far__value_params {
  double eps, gamma;
  int32_t relative;
  int32_t gamma_given; /* no key: set by far__value_resolve */
} far__value_params;

#define FAR__ROW_EPS_OF(type)                                                                      \
  {                                                                                                \
    .name = "eps", .kind = FAR_PARAM_REAL, .fallback = "0.1", .min = 0, .min_open = true,          \
    .max = INFINITY, .max_open = true, .offset = offsetof(type, value.eps),                        \
    .help = "how far below the optimal value a policy may be, in units of value"                   \
  }
#define FAR__ROW_RELATIVE_OF(type)                                                                 \
  {                                                                                                \
    .name = "relative", .kind = FAR_PARAM_CHOICE, .fallback = "off", .choices = "off|on",          \
    .offset = offsetof(type, value.relative),                                                      \
    .help = "on: eps is a fraction of the optimal value of the start"                              \
  }
#define FAR__ROW_GAMMA_OF(type)                                                                    \
  {                                                                                                \
    .name = "gamma", .kind = FAR_PARAM_REAL, .derived = true, .fallback = FAR__THE_PROBLEMS,       \
    .min = 0, .max = 1, .max_open = true, .offset = offsetof(type, value.gamma),                   \
    .help = "discount of rewards"                                                                  \
  }

/* Records whether gamma is given; if not, it is left out of the canonical spec. `offset` is that of the
 * far__value_params. */
void far__value_resolve(far__spec *spec, size_t offset);

/* The hook by_criterion: true unless gamma is given. */
bool far__value_by_criterion(const void *params);

typedef struct far__optimum {
  const far_mdp *mdp;
  double gamma;
  double v_max;  /* an upper bound on |value| */
  double eps;    /* in units of value */
  double *v;     /* optimal, of every state */
  double start;  /* of the start distribution */
  double *least; /* of every state: a policy with a lower value makes a mistake there */
  double least_start;
} far__optimum;

/* Solves the model. Values are exact within 1e-10 v_max, and `least` is v - eps - 1e-9 v_max, so
 * that rounding causes no mistakes and a policy whose value is exactly v - eps makes none. CONFLICT
 * if the model has a horizon, if the average reward counts and no gamma is given, or if eps is relative to 0; RANGE; MEMORY. */
far_status far__optimum_create(far__optimum *out, const far__scene *scene,
                               const far__value_params *p, far_error *error);
void far__optimum_free(far__optimum *optimum);

/* Steps after which no more than `horizon_error` of discounted value is left. */
double far__optimum_horizon(const far__optimum *optimum, double horizon_error);

/* Warns if no policy is worse than eps from the start or, with `counts`, anywhere (then nothing can
 * be counted). */
far_status far__optimum_advise(const far__optimum *optimum, bool counts, const far__warner *warner,
                               far_error *error);

/* The expectation of v over the start distribution. */
double far__start_value(const far_mdp *mdp, const double *v);

#endif
