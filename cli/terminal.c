/* Signals, progress and the last write. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal; /* the number of the signal that asked to stop, or 0 */

static void on_interrupt(int number) {
  stop_signal = number;
}

/* A signal that was ignored before (a background job, nohup) stays ignored; a second one ends the
 * program at once, since the handler is installed for one. */
static void catch_one(int number) {
  struct sigaction before, action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, NULL);
}

void catch_interrupts(void) {
  catch_one(SIGINT);
  catch_one(SIGTERM);
}

bool interrupted(void) {
  return stop_signal != 0;
}

int interrupted_code(void) {
  return 128 + (stop_signal != 0 ? (int)stop_signal : SIGINT);
}

/* "2.1 thousand", "68 million". */
static void print_rate(double rate) {
  static const char *const units[] = {"", "thousand ", "million ", "billion "};
  size_t unit = 0;
  for (; rate >= 999.5 && unit < 3; ++unit) rate /= 1000;
  fprintf(stderr, "  %.*f %ssteps/s", rate < 9.95 && unit > 0 ? 1 : 0, rate, units[unit]);
}

bool show_progress(void *user, const far_progress *p) {
  (void)user;
  static bool shown;
  if (!isatty(STDERR_FILENO)) return !interrupted();
  const double rate = p->seconds > 0 ? p->steps_done / p->seconds : 0;
  const bool over = p->runs_done == p->runs || interrupted();
  if (!over && p->seconds > 0.3) {
    fprintf(stderr, "\r\033[K  %3.0f%%  %lld of %lld runs", 100 * p->steps_done / p->steps,
            (long long)p->runs_done, (long long)p->runs);
    if (rate > 0) print_rate(rate);
    if (p->seconds_left < 360000) fprintf(stderr, "  about %.0f s left", ceil(p->seconds_left));
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
