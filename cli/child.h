/* A program that answers lines: started by the shell, asked and read with a time limit, ended for sure.
 *
 * It is used by the threads of a batch, so that lack of memory is a status here and not the end of the
 * command. */
#ifndef FARSIGHT_CLI_CHILD_H
#define FARSIGHT_CLI_CHILD_H

#include <farsight/farsight.h>
#include <sys/types.h>

typedef struct child {
  const char *command; /* for /bin/sh -c; must outlive it */
  pid_t pid;           /* 0: not running */
  int in, out;         /* its standard input and output, our ends */
  char *buffer;        /* what it has said and was not yet read */
  size_t used, room;
} child;

/* The longest answer in bytes. */
enum { LONGEST_ANSWER = 1 << 20 };

/* Starts it, in a process group of its own. */
far_status child_start(child *c, far_error *error);

/* Sends the line (which ends in a newline) and waits for the answer, at most so long: one line, without
 * its newline, in the child's buffer and ended by a zero. An answer that does not come or is too long, a
 * line that nobody asked for, and the end of the program are failures that name it; it is then ended.
 * CANCELLED when Ctrl-C was pressed. */
far_status child_ask(child *c, const char *line, size_t length, double seconds, char **answer,
                     size_t *answer_length, far_error *error);

/* Closes its input, lets it go or kills it and all that it has started, and reaps it. */
void child_end(child *c);

/* Starts a program, of PATH, that outlives this one: in a process group of its own, so that Ctrl-C leaves it alone,
 * with nothing to read and nowhere to write. An error number. `words` are ended by NULL. */
int child_launch(const char *const *words);

/* Fails with IO and "'COMMAND' ...". */
far_status child_fail(const child *c, far_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
