/* What a scaling study found: its numbers, and the laws that they follow. */
#include <math.h>

#include "questions/growth/scaling.h"
#include "statistics/growth.h"

const far__scaling_def *far__scaling_def_of(const far__scaling *s) {
  return &s->def;
}

double far__scaling_value(const far__scaling *s, size_t size, size_t agent) {
  const far__scaling_cell *cell = far__scaling_cell_of(s, size, agent);
  if (!cell->known) return NAN;
  return far__measures_time(s) ? cell->times.median : cell->mean;
}

/* The numbers of an agent or its gaps; those that are not known are left out. How many there are. */
static size_t points_of(double *sizes, double *values, const far__scaling *s, size_t agent,
                        bool gap) {
  size_t n = 0;
  for (size_t i = 0; i < s->def.n_sizes; ++i) {
    double value = far__scaling_value(s, i, agent);
    const double first = far__scaling_value(s, i, 0);
    if (gap) value = far__measures_time(s) ? value / first : first / value;
    if (!(value > 0 && value < INFINITY)) continue;
    sizes[n] = (double)s->def.sizes[i];
    values[n++] = value;
  }
  return n;
}

static bool contains_zero(double x, double ci95) {
  return fabs(x) <= ci95;
}

static void judge(far__scaling_fit *f) {
  const far__fit *laws = f->growth.laws;
  const far__fit *power = &laws[FAR__LAW_POLYNOMIAL], *rate = &laws[FAR__LAW_EXPONENTIAL];
  if (f->growth.evidence >= FAR__EVIDENCE) f->better = FAR__LAW_POLYNOMIAL;
  if (f->growth.evidence <= -FAR__EVIDENCE) f->better = FAR__LAW_EXPONENTIAL;
  f->mixed_better = laws[FAR__LAW_MIXED].aicc <= fmin(power->aicc, rate->aicc) - FAR__EVIDENCE;
  f->flat =
      contains_zero(power->power, power->power_ci95) && contains_zero(rate->rate, rate->rate_ci95);
}

far__scaling_fit far__fit_points(const double *sizes, const double *values, size_t n) {
  far__scaling_fit out = {.growth = {.points = n}, .better = FAR__LAW_COUNT};
  out.fitted = n >= 3 && far__growth_fit(&out.growth, sizes, values, n, NULL) == FAR_OK;
  if (out.fitted) judge(&out);
  return out;
}

far__scaling_fit far__scaling_fit_of(const far__scaling *s, size_t agent, bool gap) {
  double sizes[FAR__SCALING_SIZES], values[FAR__SCALING_SIZES];
  const size_t n = points_of(sizes, values, s, agent, gap);
  return far__fit_points(sizes, values, n);
}
