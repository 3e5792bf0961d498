/* What the commands share: their descriptions, their arguments, their errors and signals.
 *
 * A command is one const descriptor; it alone feeds the parser, --help, the shell completion and
 * the manual page.
 */
#ifndef FARSIGHT_CLI_H
#define FARSIGHT_CLI_H

#include <farsight/farsight.h>
#include <stdbool.h>
#include <stdio.h>
#include "base/number.h"
#include "report/build.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* The most bytes of a file that a command reads by itself: fewer where addresses have 32 bits. */
#define LONGEST_FILE ((int64_t)1 << (sizeof(size_t) > 4 ? 32 : 30))

typedef enum complete {
  COMPLETE_NONE,
  COMPLETE_AGENT,
  COMPLETE_ENVIRONMENT,
  COMPLETE_THEOREM,
  COMPLETE_METRIC,
  COMPLETE_FORMAT,
  COMPLETE_OUTPUT /* any file: the command writes it, and so must not read it (outputs.h) */
} complete;

typedef struct option_info {
  char letter; /* 0 if there is none */
  const char *name;
  const char *value; /* what it takes, e.g. "N"; NULL for a flag */
  const char *help;
  complete complete;
} option_info;

typedef struct arguments arguments;

typedef struct command {
  const char *name;
  const char *synopsis; /* what follows the name */
  const char *summary;  /* one line */
  const char *details;  /* paragraphs; "" if there are none */
  const char *examples; /* lines of "command  # remark" */
  const char *words;    /* words that can stand as arguments, separated by spaces */
  complete complete;    /* or what else can */
  const option_info *options;
  size_t n_options;
  size_t max_words; /* how many arguments besides options */
  /* What --table may name, separated by ", ", where there is long work before the report: a slip must
   * not cost it. NULL: only the report says. */
  const char *tables;
  int (*run)(const arguments *args);
  bool is_program; /* a program of its own: farsight-bench */
} command;

#define COMMAND(name) extern const command cmd_##name;
#include "commands.def"
#undef COMMAND

/* The options of a command: its own, then those that all commands have. NULL past the end. */
const option_info *command_option(const command *c, size_t index);

/* All commands of farsight, ended by NULL. */
extern const command *const all_commands[];

/* ---- arguments ---- */

/* The words besides options, and the values of a repeatable option; NULL past the end. */
const char *args_word(const arguments *args, size_t index);
const char *args_text(const arguments *args, const char *option, size_t index);
const char *args_last(const arguments *args, const char *option); /* its last value, or NULL */
bool args_flag(const arguments *args, const char *option);

/* The values of all options, as they were given; NULL past the end. */
const char *args_value(const arguments *args, size_t index, const option_info **option);

/* The last value of an option as a number within bounds; *out stays as it is if the option was not
 * given. False after printing a usage error. */
bool args_integer(const arguments *args, const char *option, int64_t min, int64_t max,
                  int64_t *out);
bool args_real(const arguments *args, const char *option, double *out);
bool args_seed(const arguments *args, const char *option, uint64_t *out); /* any of 64 bits */

/* The same for a word: *out is its place among `words`, which NULL ends. */
bool args_choice(const arguments *args, const char *option, const char *const *words, int *out);

/* The name of the command, the words that it knows, and the tables that it may print or NULL. */
const char *args_command(const arguments *args);
const char *args_keywords(const arguments *args);
const char *args_tables(const arguments *args);

/* How it is called: "farsight run"; NULL: the program. */
far__brief called(const command *c);
far__brief args_called(const arguments *args);

/* ---- a line of arguments ---- */

/* What each program has of its own (commands.c, bench/bench.c): its name, and what a line asks for. */
extern const char program_name[];
int dispatch(int argc, char **argv);

/* Reads argv[first] and what follows as options and words of the command, and runs it; prints its help
 * where that is asked for. The exit code. */
int run_command(const command *c, int argc, char **argv, int first);
int print_command_help(const command *c);
void print_version(void);

/* Complains about a name ("option", "--", "stesp"), with the nearest one of those that there are. */
int unknown(const arguments *args, const char *what, const char *dashes, const char *text,
            size_t length, const char *const *names, size_t count);

/* The command as it was typed, for the provenance of results. */
const char *command_line(void);

/* A number as it was given: the shortest that reads back, so that 0.9999999999 is not shown as 1. */
typedef struct exact_text {
  char text[FAR__NUMBER_SIZE];
} exact_text;

static inline exact_text exact(double x) {
  exact_text out;
  far__real_format(out.text, x);
  return out;
}

/* A bound, or a number to be pasted: rounded up to so many digits. */
static inline exact_text above(double x, int digits) {
  exact_text out;
  far__real_above(out.text, x, digits);
  return out;
}

/* ---- text for people ---- */

/* printf, in ASCII where the locale is C or POSIX. All text for people that is no report goes through it;
 * what programs read does not. */
void say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A copy of text[0..length), to be freed: in ASCII always, or where the locale asks for it. */
char *ascii_copy(const char *text, size_t length);
char *locale_copy(const char *text, size_t length);

/* ---- messages, all on standard error, each a line behind "farsight: " ---- */

/* --quiet: nothing but errors. Known before a command runs. */
void set_quiet(bool is_quiet);
bool is_quiet(void);

/* What is no error, unless --quiet is given. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An error; these return the exit code. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2))); /* 1 */
int usage_error(const arguments *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a library's error in what was given: 2, or 1 where memory, a file or the build is to blame. */
int exit_code_of(far_status code);

/* Prints such an error. */
int library_error(const far_error *error);

/* The same in a spec, with the spec and a caret below it. */
int spec_error(const far_error *error, const char *spec);

/* A failure of the library that no other command line would mend: 1. */
int run_error(const far_error *error);

/* Makes an environment; an exit code, after printing the error, or a warning of what the reader of its
 * file had to assume. */
int model_from_spec(far_mdp **out, const char *spec);

/* Of every command that has environments: one discount for all of them. */
#define GAMMA_OPTION                                                                               \
  {                                                                                                \
    0, "gamma", "G",                                                                               \
        "discount of the problems, for all agents (default: what the environment says, or 0.95)",  \
        COMPLETE_NONE                                                                              \
  }

/* --gamma, in (0, 1); *out stays as it is without it. False after printing an error. */
bool gamma_option(const arguments *args, double *out);

/* The same with that discount, and the spec that says so. An error if the spec names another one. */
int model_of_problem(far_mdp **out, char whole[FAR_SPEC_SIZE], const arguments *args,
                     const char *spec);
/* The same where runs are made: with a note where something else counts than that discount. */
int model_to_run(far_mdp **out, char whole[FAR_SPEC_SIZE], const arguments *args, const char *spec);
int model_with_gamma(far_mdp **out, char whole[FAR_SPEC_SIZE], double gamma, const char *spec);
void print_caveat(const far_mdp *mdp, const char *name);

/* Prints what far_agent_check has to say of an agent (on an environment, unless that is NULL): see
 * notes.h. */
void print_warnings(const arguments *args, const char *agent, const char *env,
                    const far_shape *shape);

/* ---- many machines ---- */

/* Who computes batches: all ranks of the MPI job; NULL, the threads of this process, if it is alone. */
far_pool *all_ranks(void);
int count_ranks(void); /* 1: alone */

/* From now on they use their devices; what these have done. */
void use_devices_of_ranks(far_device device, far_device_note_fn *tell);
far_device_info devices_of_ranks(void);

/* ---- signals and progress ---- */

/* From now on Ctrl-C ends the program at once with interrupted_code: there is nothing to keep. */
void leave_on_interrupts(void);

/* From now on Ctrl-C only sets a flag, and a second one ends the program. Whatever takes longer than a
 * moment must look at the flag, or run aside. */
void catch_interrupts(void);
bool interrupted(void);
bool out_of_time(void); /* interrupted a while ago: what is not finished stays undone */

/* Runs work(user), which knows nothing of the flag, in a thread of its own. False when interrupted: the
 * work still goes on then, so that whatever it uses must neither be freed nor be on the stack, and the
 * program must end with leave_program. One at a time. */
bool run_aside(void (*work)(void *user), void *user);
_Noreturn void leave_program(int code);

/* What a signal that ends the program at once and leave_program call first, to put a terminal in order;
 * it must be safe in a signal handler. NULL: nothing. */
void on_leaving(void (*restore)(void));
void restore_terminal(void); /* calls it */
int interrupted_code(void);  /* what to exit with then: 130 after Ctrl-C */

/* A line of progress on standard error, unless --quiet is given: rewritten in place on a terminal, cut to
 * its width; on a dumb terminal a line every 5 seconds, elsewhere every 30. It may be called often. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void); /* takes the line away; messages and reports do so themselves */

/* A far_progress_fn that prints such lines; stops when interrupted. */
bool show_progress(void *user, const far_progress *progress);

/* Keeps the errno of a failed write to standard output, for finish_output to report: the stream does not keep it. */
void output_failed(int why);

/* Writes out what is buffered; false if that failed, which finish_output reports. */
bool flush_output(void);

/* The last flush; an error and EXIT_FAILED if a write to standard output has failed. */
int finish_output(int code);

#endif
