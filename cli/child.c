#include "child.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The time that a program has to end once its input is closed, and between checks for Ctrl-C. */
static const double GRACE_SECONDS = 0.5, LOOK_SECONDS = 0.1;

/* A program that another thread starts at the same time must not inherit these pipes. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

far_status child_fail(const child *c, far_error *error, const char *format, ...) {
  char what[300];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  *error = (far_error){.code = FAR_STATUS_IO, .position = -1};
  snprintf(error->message, sizeof error->message, "'%.120s' %s", c->command, what);
  return FAR_STATUS_IO;
}

/* ---- the beginning ---- */

static void close_pair(const int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

/* A pipe whose end `ours` does not block; neither end is inherited but by dup2. */
static bool make_pipe(int pair[2], int ours) {
  if (pipe(pair) != 0) {
    pair[0] = pair[1] = -1;
    return false;
  }
  return fcntl(pair[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(pair[1], F_SETFD, FD_CLOEXEC) == 0 &&
         fcntl(pair[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* Starts a program with these standard files and default signals; an error number. */
static int spawn(pid_t *pid, const char *const *words, const int standard[3]) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t plain;
  if (posix_spawn_file_actions_init(&files) != 0) return ENOMEM;
  if (posix_spawnattr_init(&how) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return ENOMEM;
  }
  sigemptyset(&plain);
  sigaddset(&plain, SIGPIPE);
  sigaddset(&plain, SIGINT);
  sigaddset(&plain, SIGTERM);
  int code = 0;
  for (int i = 0; code == 0 && i < 3; ++i)
    code = posix_spawn_file_actions_adddup2(&files, standard[i], i);
  if (code == 0) code = posix_spawnattr_setsigdefault(&how, &plain);
  if (code == 0)
    code = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  if (code == 0) code = posix_spawnp(pid, words[0], &files, &how, (char *const *)words, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

int child_launch(const char *const *words) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return errno;
  pid_t pid;
  const int code = spawn(&pid, words, (const int[]){null, null, null});
  close(null);
  return code;
}

far_status child_start(child *c, far_error *error) {
  const char *const words[] = {"/bin/sh", "-c", c->command, NULL};
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  pthread_mutex_lock(&starting);
  int code = 0;
  if (!make_pipe(to, 1) || !make_pipe(from, 0)) code = errno;
  if (code == 0) code = spawn(&c->pid, words, (const int[]){to[0], from[1], STDERR_FILENO});
  pthread_mutex_unlock(&starting);
  if (code != 0) {
    close_pair(to);
    close_pair(from);
    c->pid = 0;
    return child_fail(c, error, "cannot be started: %s", strerror(code));
  }
  close(to[0]);
  close(from[1]);
  c->in = to[1];
  c->out = from[0];
  c->used = 0;
  return FAR_OK;
}

/* ---- the end ---- */

/* Has the program ended? It is not reaped yet, so that no other process can have its number. */
static bool has_ended(const child *c) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static void wait_for_end(const child *c, double seconds) {
  const double until = now_seconds() + seconds;
  for (long nap = 200000; !has_ended(c) && now_seconds() < until;
       nap = nap < 20000000 ? 2 * nap : nap)
    nanosleep(&(struct timespec){0, nap}, NULL);
}

/* Kills what is left of the program's process group, and reaps the program. Returns its status as waitpid gives it. */
static int reap(child *c) {
  int status = 0;
  kill(-c->pid, SIGKILL);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) continue;
  close(c->in);
  close(c->out);
  c->pid = 0;
  return status;
}

void child_end(child *c) {
  if (c->pid != 0) {
    close(c->in);
    c->in = open("/dev/null", O_RDONLY); /* reap closes it again */
    wait_for_end(c, GRACE_SECONDS);
    reap(c);
  }
  free(c->buffer);
  c->buffer = NULL;
  c->used = c->room = 0;
}

/* The error of a program that has closed its output or its input. */
static far_status gone(child *c, const char *while_asked, far_error *error) {
  wait_for_end(c, GRACE_SECONDS);
  const bool alive = !has_ended(c);
  const int status = reap(c);
  if (alive)
    return child_fail(c, error, "closed its input or output when it was asked %.100s", while_asked);
  if (WIFSIGNALED(status))
    return child_fail(c, error, "was killed by signal %d when it was asked %.100s",
                      WTERMSIG(status), while_asked);
  return child_fail(c, error, "ended with exit code %d when it was asked %.100s",
                    WEXITSTATUS(status), while_asked);
}

/* ---- one question ---- */

typedef struct question {
  const char *line;
  size_t length, sent;
  double until, seconds;
  char shown[104]; /* without its newline */
} question;

/* Waits until this pipe can be read or written, or is closed at the other end; CANCELLED when
 * interrupted. Only one is looked at: a closed one is always ready, and would end every wait for the
 * other. */
static far_status wait_until(child *c, int pipe_end, short event, const question *q,
                             far_error *error) {
  for (;;) {
    struct pollfd fd = {pipe_end, event, 0};
    const int n = poll(&fd, 1, (int)(1000 * LOOK_SECONDS));
    if (interrupted()) {
      child_fail(c, error, "was interrupted");
      return error->code = FAR_STATUS_CANCELLED;
    }
    if (n > 0) return FAR_OK;
    if (now_seconds() < q->until) continue;
    reap(c);
    return child_fail(c, error, "did not answer %.100s within %g s (--answer-limit)", q->shown,
                      q->seconds);
  }
}

static far_status send_all(child *c, question *q, far_error *error) {
  while (q->sent < q->length) {
    const ssize_t n = write(c->in, q->line + q->sent, q->length - q->sent);
    if (n > 0) {
      q->sent += (size_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
      return gone(c, q->shown, error);
    } else {
      const far_status status = wait_until(c, c->in, POLLOUT, q, error);
      if (status != FAR_OK) return status;
    }
  }
  return FAR_OK;
}

/* The error of an answer that quotes what the program said, printable and cut. */
static far_status says(child *c, const char *fault, far_error *error) {
  char shown[61];
  size_t n = 0;
  for (; n < c->used && n < sizeof shown - 1 && c->buffer[n] != '\n'; ++n)
    shown[n] = c->buffer[n] >= 32 && c->buffer[n] < 127 ? c->buffer[n] : '?';
  shown[n] = '\0';
  reap(c);
  return child_fail(c, error, "%s: it said '%s'%s", fault, shown, n < c->used ? " and more" : "");
}

/* Reads more of the program's output; *ended: there is none any more. */
static far_status read_some(child *c, bool *ended, far_error *error) {
  if (c->used + 1 >= c->room) {
    const size_t room = c->room > 0 ? 2 * c->room : 4096;
    char *buffer = realloc(c->buffer, room);
    if (buffer == NULL) {
      *error = (far_error){FAR_STATUS_MEMORY, -1, "no memory for an answer"};
      return FAR_STATUS_MEMORY;
    }
    c->buffer = buffer;
    c->room = room;
  }
  const ssize_t n = read(c->out, c->buffer + c->used, c->room - c->used - 1);
  *ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
  if (n > 0) c->used += (size_t)n;
  return FAR_OK;
}

static far_status read_answer(child *c, const question *q, char **answer, size_t *length,
                              far_error *error) {
  for (size_t seen = 0;;) {
    far_status status = wait_until(c, c->out, POLLIN, q, error);
    bool ended = false;
    if (status == FAR_OK) status = read_some(c, &ended, error);
    if (status != FAR_OK) return status;
    if (ended) return gone(c, q->shown, error);
    char *end = memchr(c->buffer + seen, '\n', c->used - seen);
    if (end != NULL && end + 1 != c->buffer + c->used)
      return says(c, "says more than it was asked", error);
    if (end == NULL && c->used > LONGEST_ANSWER)
      return says(c, "answers with a line of more than 1 MiB", error);
    if (end == NULL && now_seconds() > q->until)
      return says(c, "did not end its line in time", error);
    seen = c->used;
    if (end == NULL) continue;
    *end = '\0';
    *answer = c->buffer;
    *length = (size_t)(end - c->buffer);
    return FAR_OK;
  }
}

/* A line before the question would be taken for the answer to it. */
static far_status check_silence(child *c, far_error *error) {
  struct pollfd fd = {c->out, POLLIN, 0};
  bool ended;
  c->used = 0;
  if (poll(&fd, 1, 0) <= 0 || (fd.revents & POLLIN) == 0) return FAR_OK;
  const far_status status = read_some(c, &ended, error);
  return status != FAR_OK || c->used == 0 ? status
                                          : says(c, "says something without being asked", error);
}

far_status child_ask(child *c, const char *line, size_t length, double seconds, char **answer,
                     size_t *answer_length, far_error *error) {
  question q = {
      .line = line, .length = length, .until = now_seconds() + seconds, .seconds = seconds};
  snprintf(q.shown, sizeof q.shown, "%.*s", (int)strcspn(line, "\n"), line);
  far_status status = check_silence(c, error);
  if (status == FAR_OK) status = send_all(c, &q, error);
  if (status == FAR_OK) status = read_answer(c, &q, answer, answer_length, error);
  return status;
}
