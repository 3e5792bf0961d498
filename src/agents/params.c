#include "agents/params.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

far_status far__check_v_max(const far_shape *shape, double gamma, far_error *error) {
  const double range = shape->reward_max - shape->reward_min, v_max = range / (1 - gamma);
  if (v_max - v_max == 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "the largest value, range/(1-gamma) = %g/(1-%g), exceeds every number", range,
                   gamma);
}

far_status far__check_episode(const far_shape *shape, far_error *error) {
  const double range = shape->reward_max - shape->reward_min, steps = (double)shape->horizon;
  if (range * steps - range * steps == 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "the largest value, range x horizon = %g x %g, exceeds every number", range,
                   steps);
}

far_status far__refuse(far__spec *spec, const far__refusal *rules, size_t n, far_error *error) {
  for (size_t i = 0; i < n; ++i) {
    if (!rules[i].hide) continue;
    const far_status status = far__spec_refuse(spec, rules[i].offset, rules[i].why, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

far_status far__consume_preset(far__spec *spec, bool practical, size_t preset, const size_t *others,
                               size_t n_others, far_error *error) {
  far__spec_hide(spec, preset);
  for (size_t i = 0; i < n_others; ++i) {
    far__spec_hide(spec, others[i]);
    const far_status status =
        practical ? far__spec_needs(spec, others[i], "preset=theory", error) : FAR_OK;
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

void far__advise_nothing(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)spec, (void)shape, (void)advice;
}

void far__say(const far__advice *advice, bool severe, const char *format, ...) {
  char message[320];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  advice->warn(advice->user, severe, message);
}
