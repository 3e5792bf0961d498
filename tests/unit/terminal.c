/* The command's progress where standard error is no terminal: a line every 30 seconds, by a clock of the
 * test's own. */
#include <farsight/lab.h>
#include "base/clock.h"

static double clock_now;

static double read_clock(void) {
  return clock_now;
}

#define far__clock_seconds read_clock
#include "../../cli/terminal.c"
#include "check.h"

/* ---- what terminal.c needs of the rest of the command ---- */

static bool quiet;

bool is_quiet(void) {
  return quiet;
}

void say(FILE *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(to, format, list);
  va_end(list);
}

int complain(const char *format, ...) {
  (void)format;
  return EXIT_FAILED;
}

int terminal_width(int fd) {
  (void)fd;
  return 0;
}

far_pool *all_ranks(void) {
  return NULL;
}

int count_ranks(void) {
  return 1;
}

static const char *path;

/* How many lines there are by now. */
static int count_lines(void) {
  FILE *f = fopen(path, "r");
  int n = 0;
  fflush(stderr);
  for (int c; f != NULL && (c = getc(f)) != EOF;) n += c == '\n';
  if (f != NULL) fclose(f);
  return n;
}

static int lines_after(double seconds, int64_t runs_done) {
  const far_progress p = {.cells = 1,
                          .runs_done = runs_done,
                          .runs = 100,
                          .steps_done = (double)runs_done,
                          .steps = 100,
                          .seconds = seconds,
                          .seconds_left = 60};
  clock_now = 1000 + seconds;
  CHECK(show_progress(NULL, &p));
  return count_lines();
}

int main(void) {
  char name[] = "/tmp/farsight-terminal-XXXXXX";
  const int file = mkstemp(name);
  path = name;
  CHECK(file >= 0 && freopen(name, "w", stderr) != NULL);
  CHECK(lines_after(1, 1) == 0);
  CHECK(lines_after(30, 20) == 0);
  CHECK(lines_after(32, 30) == 1);
  CHECK(lines_after(40, 40) == 1);
  CHECK(lines_after(63, 60) == 2);
  CHECK(lines_after(95, 100) == 2); /* finished: the result says so */
  CHECK(lines_after(96, 1) == 3);   /* another batch */
  quiet = true;
  CHECK(lines_after(200, 50) == 3);
  close(file);
  unlink(name);
  return check_report();
}
