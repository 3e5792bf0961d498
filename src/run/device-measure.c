/* Estimates the time that a device takes for a cell: runs a block for a few steps, and for so many more that the
 * difference is more than noise. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/device-pool.h"

enum { SHORT_STEPS = 64, LONG_STEPS = 320, MOST_STEPS = 100000, TIMES = 4 };

/* A trial of ENOUGH_SECONDS is not repeated with more steps: then the shorter one was disturbed. */
static const double NOISE_SECONDS = 2e-3, ENOUGH_SECONDS = 0.05;

typedef struct trial {
  double begin, run; /* seconds */
} trial;

/* Runs `lanes` runs for `steps` steps; false after a failure. */
static bool run_trial(trial *out, far__device_pool *p, far__device_task task, int64_t steps,
                      int64_t lanes) {
  const far__backend *backend = p->device.backend;
  char why[FAR__WHY] = "";
  bool stopped, good = false;
  double *values = malloc((size_t)lanes * (1 + task.n_tallies) * sizeof *values);
  task.steps = steps;
  task.n_checkpoints = 0;
  if (values == NULL) {
    far__device_give_up(p, "the device is not used: ", "no memory for a block");
    return false;
  }
  const double begun = far__clock_seconds();
  if (backend->begin(p->device.state, &task, lanes, why) == 0) {
    const double ready = far__clock_seconds();
    good = backend->run(p->device.state, 0, lanes, values, NULL, NULL, &stopped, why) == 0;
    *out = (trial){.begin = ready - begun, .run = far__clock_seconds() - ready};
    backend->end(p->device.state);
  }
  if (!good) far__device_give_up(p, "the device failed: ", why);
  free(values);
  return good;
}

/* Runs each loop once before it is measured: the first use takes longer. */
static bool warm_up(far__device_pool *p, const far__device_task *task) {
  trial unused;
  const unsigned bit = 1U << task->loop;
  if ((p->warm & bit) != 0) return true;
  p->warm |= bit;
  return run_trial(&unused, p, *task, 1, 1);
}

static int64_t at_most(int64_t steps, const far__device_task *task) {
  return steps < task->steps ? steps : task->steps;
}

static bool is_noise(trial shorter, trial longer) {
  return longer.run < ENOUGH_SECONDS && longer.run - shorter.run < NOISE_SECONDS;
}

double far__device_measure(far__device_pool *p, const far__device_task *task, int64_t runs,
                           int64_t lanes) {
  const int64_t together = runs < lanes ? runs : lanes;
  const int64_t few = at_most(SHORT_STEPS, task);
  int64_t most = few;
  trial shorter, longer;
  if (!warm_up(p, task) || !run_trial(&shorter, p, *task, few, together)) return NAN;
  longer = shorter;
  for (int64_t steps = LONG_STEPS;
       most < task->steps && steps < MOST_STEPS && (most == few || is_noise(shorter, longer));
       steps *= TIMES) {
    most = at_most(steps, task);
    if (!run_trial(&longer, p, *task, most, together)) return NAN;
  }
  const double more = longer.run - shorter.run;
  const double step = more > 0 ? more / (double)(most - few) : longer.run / (double)most;
  const double first = fmax(0, longer.run - step * (double)most); /* states and seeds */
  const double blocks = ceil((double)runs / (double)together);
  return longer.begin + blocks * (first + step * (double)task->steps);
}
