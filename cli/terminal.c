/* Signals, progress and the last write. */
#include "cli.h"

#include <errno.h>
#include <farsight/lab.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "output.h"
#include "report/build.h"

static volatile sig_atomic_t stop_signal; /* the number of the signal that asked to stop, or 0 */
static double stop_time;                  /* when it came */
static volatile sig_atomic_t line_shown;  /* is there a line of progress on the terminal? */
static void (*volatile leaving)(void);    /* puts the terminal in order, or NULL */
static volatile sig_atomic_t keeping; /* is there something to keep, so that it only sets a flag? */

void on_leaving(void (*restore)(void)) {
  leaving = restore;
}

void restore_terminal(void) {
  void (*const restore)(void) = leaving;
  if (restore != NULL) restore();
}

/* A second signal ends the program at once, unless it comes with the first: a shell, timeout or mpirun may
 * send one to the program and one to its group. */
static void on_interrupt(int number) {
  const double now = far__clock_seconds();
  if (!keeping) {
    restore_terminal();
    static const char text[] = "\r\033[Kfarsight: stopped\n"; /* a line of progress goes */
    const size_t skipped = line_shown ? 0 : strlen("\r\033[K");
    (void)!write(STDERR_FILENO, text + skipped, sizeof text - 1 - skipped);
    _exit(128 + number);
  } else if (stop_signal == 0) {
    stop_time = now;
    stop_signal = number;
  } else if (now - stop_time > 1.5) {
    restore_terminal();
    signal(number, SIG_DFL);
    raise(number);
  }
}

/* A signal that was ignored before (a background job, nohup) stays ignored. */
static void catch_one(int number) {
  struct sigaction before, action = {.sa_handler = on_interrupt};
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, NULL);
}

void leave_on_interrupts(void) {
  catch_one(SIGINT);
  catch_one(SIGTERM);
  catch_one(SIGHUP);
}

void catch_interrupts(void) {
  keeping = 1;
  /* mpirun passes this on and nothing else; a second after the others it kills its ranks */
  if (all_ranks() != NULL) catch_one(SIGUSR1);
}

bool interrupted(void) {
  return stop_signal != 0;
}

bool out_of_time(void) {
  return interrupted() && far__clock_seconds() - stop_time > 0.4;
}

int interrupted_code(void) {
  return 128 + (stop_signal != 0 ? (int)stop_signal : SIGINT);
}

/* ---- work that knows nothing of signals ---- */

typedef struct aside {
  void (*work)(void *user);
  void *user;
  bool done; /* guarded by the lock */
  pthread_mutex_t lock;
} aside;

static void *run_work(void *of) {
  aside *x = of;
  x->work(x->user);
  pthread_mutex_lock(&x->lock);
  x->done = true;
  pthread_mutex_unlock(&x->lock);
  return NULL;
}

static bool is_done(aside *x) {
  pthread_mutex_lock(&x->lock);
  const bool done = x->done;
  pthread_mutex_unlock(&x->lock);
  return done;
}

/* Naps from a tenth of a millisecond on, so that short work costs nothing, up to a twentieth of a second. */
bool run_aside(void (*work)(void *user), void *user) {
  static aside x; /* the work may outlive this call */
  pthread_t thread;
  x = (aside){.work = work, .user = user, .lock = PTHREAD_MUTEX_INITIALIZER};
  if (all_ranks() != NULL || pthread_create(&thread, NULL, run_work, &x) != 0) {
    work(user);
    return true;
  }
  for (long nap = 100000; !is_done(&x); nap = nap < 25000000 ? 2 * nap : 50000000) {
    if (interrupted()) return false;
    nanosleep(&(struct timespec){0, nap}, NULL);
  }
  pthread_join(thread, NULL);
  return true;
}

/* ---- the line of progress ---- */

/* Can a line be rewritten, and how many seconds are between two? */
typedef struct line_pace {
  bool rewritten;
  double first, pause;
} line_pace;

static line_pace find_pace(void) {
  const char *term = getenv("TERM");
  const bool terminal = isatty(STDERR_FILENO);
  const bool rewritten = terminal && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
  const double pause = rewritten ? 0.1 : terminal ? 5 : 30;
  return (line_pace){rewritten, rewritten ? 0.3 : pause, pause};
}

/* The bytes of as many characters as fit a line. */
static int fitting(const char *text) {
  const int width = terminal_width(STDERR_FILENO);
  int n = 0, columns = 0;
  for (; text[n] != '\0'; ++n) {
    columns += ((unsigned char)text[n] & 0xc0) != 0x80;
    if (width > 0 && columns >= width) break;
  }
  return n;
}

void progress(const char *format, ...) {
  static double next;    /* when the next line is due; 0 before the first */
  static line_pace pace; /* asked once: questions come more often than lines */
  char text[400];
  const double now = far__clock_seconds();
  if (next == 0) pace = find_pace(), next = now + pace.first;
  if (is_quiet() || now < next) return;
  next = now + pace.pause;
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  line_shown = pace.rewritten;
  say(stderr, "%s%.*s%s", pace.rewritten ? "\r\033[K" : "", pace.rewritten ? fitting(text) : -1,
      text, pace.rewritten ? "" : "\n");
  fflush(stderr);
}

void progress_end(void) {
  if (line_shown) fprintf(stderr, "\r\033[K");
  line_shown = 0;
}

/* "2.1 thousand", "68 million". */
static far__brief format_rate(double rate) {
  static const char *const units[] = {"", "thousand ", "million ", "billion "};
  size_t unit = 0;
  far__brief out;
  for (; rate >= 999.5 && unit < 3; ++unit) rate /= 1000;
  snprintf(out.text, sizeof out.text, "  %.*f %ssteps/s", rate < 9.95 && unit > 0 ? 1 : 0, rate,
           units[unit]);
  return out;
}

/* The parts of the line that not all batches have. */
static far__brief format_cells(const far_progress *p) {
  far__brief out = {""};
  if (p->cells > 1)
    snprintf(out.text, sizeof out.text, "  cell %.20s of %.20s",
             far__brief_count(p->cells_done + (p->cells_done < p->cells)).text,
             far__brief_count(p->cells).text);
  return out;
}

static far__brief format_ranks(void) {
  far__brief out = {""};
  if (count_ranks() > 1)
    snprintf(out.text, sizeof out.text, "  %.20s ranks × %zu", far__brief_count(count_ranks()).text,
             all_ranks()->workers(all_ranks()) / (size_t)count_ranks());
  return out;
}

static far__brief format_left(double seconds) {
  far__brief out = {""};
  if (seconds < 1e9)
    snprintf(out.text, sizeof out.text, "  about %.40s left", far__brief_seconds(seconds).text);
  return out;
}

bool show_progress(void *user, const far_progress *p) {
  (void)user;
  const double rate = p->seconds > 0 ? (p->steps_done - p->steps_known) / p->seconds : 0;
  if (p->runs_done == p->runs || interrupted())
    progress_end();
  else
    progress("  %3.0f%%%s  %s of %s runs%s%s%s", 100 * p->steps_done / p->steps,
             format_cells(p).text, far__brief_count(p->runs_done).text,
             far__brief_count(p->runs).text, rate > 0 ? format_rate(rate).text : "",
             format_ranks().text, format_left(p->seconds_left).text);
  return !interrupted();
}

static int output_failure; /* errno of the first write that failed, 0 if it is not known */

void output_failed(int why) {
  if (output_failure == 0) output_failure = why;
}

/* The stream drops what it could not write, and then has nothing to flush. */
bool flush_output(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  output_failed(errno);
  return false;
}

int finish_output(int code) {
  if (flush_output()) return code;
  /* where the cause is not known: one byte more, behind output that is cut off anyway, gives it */
  output_failed(write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0);
  if (output_failure != EPIPE) /* the reader has ended, as in ... | head */
    complain("cannot write the output: %s",
             output_failure != 0 ? strerror(output_failure) : "an earlier write has failed");
  return code == EXIT_OK ? EXIT_FAILED : code;
}

void leave_program(int code) {
  restore_terminal();
  _exit(finish_output(code));
}
