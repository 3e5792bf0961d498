/* The clocks run forwards, and work takes time of both. */
#include <farsight/farsight.h>

#include "base/clock.h"
#include "check.h"

int main(void) {
  const double begun = far__clock_seconds(), worked = far__clock_thread();
  double before = begun;
  bool forwards = true;
  while (far__clock_thread() - worked < 0.002) {
    const double now = far__clock_seconds();
    forwards = forwards && now >= before;
    before = now;
  }
  CHECK(forwards);
  CHECK(worked >= 0 && far__clock_seconds() > begun);
  return check_report();
}
