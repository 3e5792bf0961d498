/* The clocks run forwards, and work takes time of both. */
#include <farsight/farsight.h>

#include "check.h"

int main(void) {
  const double begun = far_clock_seconds(), worked = far_clock_thread();
  double before = begun;
  bool forwards = true;
  while (far_clock_thread() - worked < 0.002) {
    const double now = far_clock_seconds();
    forwards = forwards && now >= before;
    before = now;
  }
  CHECK(forwards);
  CHECK(worked >= 0 && far_clock_seconds() > begun);
  return check_report();
}
