/* Signals, progress and the last write. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_requested;

static void on_interrupt(int number) {
  stop_requested = 1;
  signal(number, SIG_DFL); /* a second one ends the program at once */
}

void catch_interrupts(void) {
  struct sigaction action = {.sa_handler = on_interrupt};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) {
  return stop_requested != 0;
}

bool show_progress(void *user, const far_progress *p) {
  (void)user;
  static bool shown;
  if (!isatty(STDERR_FILENO)) return !interrupted();
  const double rate = p->seconds > 0 ? p->steps_done / p->seconds : 0;
  const bool over = p->runs_done == p->runs || interrupted();
  if (!over && p->seconds > 0.3) {
    const double left = rate > 0 ? (p->steps - p->steps_done) / rate : INFINITY;
    fprintf(stderr, "\r\033[K  %3.0f%%  %lld of %lld runs  %.0f million steps/s  ",
            100 * p->steps_done / p->steps, (long long)p->runs_done, (long long)p->runs,
            rate / 1e6);
    if (left < 360000) fprintf(stderr, "%.0f s left", left);
    shown = true;
  } else if (over && shown) {
    fprintf(stderr, "\r\033[K");
    shown = false;
  }
  fflush(stderr);
  return !interrupted();
}

int finish_output(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  fprintf(stderr, "farsight: cannot write the output: %s\n", strerror(errno));
  return code == EXIT_OK ? EXIT_FAILED : code;
}
