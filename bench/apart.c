#define _DEFAULT_SOURCE /* for ru_maxrss */
#include "bench/apart.h"

#include <errno.h>
#include <farsight/farsight.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/available.h"
#include "base/clock.h"

struct apart {
  int to;
  size_t size;
};

void apart_give(apart *to, const void *result) {
  if (write(to->to, result, to->size) != (ssize_t)to->size) _exit(1);
}

/* Reads one whole result; false when the pipe is at its end. */
static bool take(int from, char *result, size_t size) {
  size_t got = 0;
  while (got < size) {
    const ssize_t n = read(from, result + got, size - got);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) got += (size_t)n;
  }
  return true;
}

static void describe_end(char end[80], pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  end[0] = '\0';
  if (WIFSIGNALED(status))
    snprintf(end, 80, "the measuring process was ended by signal %d%s", WTERMSIG(status),
             WTERMSIG(status) == 9 ? ", as for want of memory" : "");
  else if (WEXITSTATUS(status) != 0)
    snprintf(end, 80, "the measuring process failed with code %d", WEXITSTATUS(status));
}

size_t do_apart(apart_fn *fn, void *of, void *results, size_t size, size_t most, char end[80]) {
  int ends[2];
  size_t count = 0;
  snprintf(end, 80, "no process to measure in");
  if (pipe(ends) != 0) return 0;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    fn(of, &(apart){ends[1], size});
    _exit(0);
  }
  close(ends[1]);
  while (child > 0 && count < most && take(ends[0], (char *)results + count * size, size)) ++count;
  close(ends[0]);
  if (child > 0) describe_end(end, child);
  return count;
}

double peak_memory(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return (double)usage.ru_maxrss;
#else
  return 1024.0 * (double)usage.ru_maxrss;
#endif
}

bool read_limits(const arguments *args, limits *out) {
  int64_t pairs = 1000000000;
  double gigabytes = (double)far__memory_available() / 2e9;
  *out = (limits){.seconds = 300};
  if (!args_integer(args, "max-pairs", 1, pairs, &pairs) ||
      !args_real(args, "memory", &gigabytes) || !args_real(args, "seconds", &out->seconds))
    return false;
  if (!(gigabytes > 0) || !(out->seconds > 0 && out->seconds < 1e6)) {
    usage_error(args, "--memory and --seconds must be above 0");
    return false;
  }
  out->pairs = (double)pairs;
  out->memory = 1e9 * gigabytes;
  out->end = far__clock_seconds() + out->seconds;
  return true;
}

bool left_out(char why[WHY_SIZE], const limits *within, double pairs, double bytes,
              double seconds) {
  const double left = within->end - far__clock_seconds();
  why[0] = '\0';
  if (pairs > within->pairs)
    snprintf(why, WHY_SIZE, "more than %.0f pairs (--max-pairs)", within->pairs);
  else if (bytes > within->memory)
    snprintf(why, WHY_SIZE, "needs about %.3g GB of memory; the limit is %.3g GB (--memory)",
             bytes / 1e9, within->memory / 1e9);
  else if (left <= 0)
    snprintf(why, WHY_SIZE, "the %.3g s are spent (--seconds)", within->seconds);
  else if (seconds > left)
    snprintf(why, WHY_SIZE, "takes about %.2g s; %.2g s of %.3g are left (--seconds)", seconds,
             left, within->seconds);
  return why[0] != '\0';
}
