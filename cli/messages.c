/* What the commands print besides their data: notes, warnings and errors. One place knows of --quiet and
 * of locales that have nothing but ASCII. */
#include <math.h> /* only for NAN */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "model/criterion.h"
#include "output.h"
#include "report/build.h"

/* Set once, before a command runs, so that functions which print notes need not have the arguments. */
static bool quiet;

void set_quiet(bool is_quiet) {
  quiet = is_quiet;
}

bool is_quiet(void) {
  return quiet;
}

/* ---- text ---- */

char *ascii_copy(const char *text, size_t length) {
  char *out = room_for(5 * length + 1, 1);
  far__ascii(out, text, length);
  return out;
}

char *locale_copy(const char *text, size_t length) {
  if (ascii_only()) return ascii_copy(text, length);
  char *out = room_for(length + 1, 1);
  memcpy(out, text, length);
  return out;
}

/* Writes a text in the characters of the locale. */
static void put_text(FILE *to, const char *text, size_t length) {
  enum { SHORT = 2000 };
  char ascii[5 * SHORT + 1];
  if (!ascii_only()) {
    fputs(text, to);
  } else if (length < SHORT) {
    far__ascii(ascii, text, length);
    fputs(ascii, to);
  } else {
    char *copy = ascii_copy(text, length);
    fputs(copy, to);
    free(copy);
  }
}

/* Messages that fit the stack need no memory: there may be none, which is what they say. What a message quotes may
 * come from an untrusted file, so its control characters are replaced. */
static void say_list(FILE *to, bool quotes, const char *format, va_list list) {
  char brief[2000], *text = brief;
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(brief, sizeof brief, format, list);
  if (length >= (int)sizeof brief) {
    text = room_for((size_t)length + 1, 1);
    length = vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  if (length < 0) return;
  put_text(to, text, quotes ? far__printable(text, text, (size_t)length) : (size_t)length);
  if (text != brief) free(text);
}

void say(FILE *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_list(to, false, format, list);
  va_end(list);
}

/* ---- notes ---- */

static void print_line(const char *kind, const char *format, va_list list) {
  progress_end();
  fprintf(stderr, "%s: %s", program_name, kind);
  say_list(stderr, true, format, list);
  fputc('\n', stderr);
}

void note(const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!quiet) print_line("note: ", format, list);
  va_end(list);
}

void warning(const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!quiet) print_line("warning: ", format, list);
  va_end(list);
}

void print_caveat(const far_mdp *mdp, const char *name) {
  if (far__mdp_caveat(mdp) != NULL) warning("%s: %s", name, far__mdp_caveat(mdp));
}

/* ---- errors ---- */

int complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  print_line("", format, list);
  va_end(list);
  return EXIT_FAILED;
}

int usage_error(const arguments *args, const char *format, ...) {
  const far__brief name = args_called(args);
  va_list list;
  va_start(list, format);
  progress_end();
  fprintf(stderr, "%s: ", name.text);
  say_list(stderr, true, format, list);
  fprintf(stderr, "\nTry '%s --help'.\n", name.text);
  va_end(list);
  return EXIT_USAGE;
}

/* Wrong usage is what another command line would mend. */
int exit_code_of(far_status code) {
  const bool usage = code == FAR_STATUS_SYNTAX || code == FAR_STATUS_UNKNOWN ||
                     code == FAR_STATUS_RANGE || code == FAR_STATUS_CONFLICT;
  return usage ? EXIT_USAGE : EXIT_FAILED;
}

int library_error(const far_error *error) {
  complain("%s", error->message);
  return exit_code_of(error->code);
}

int spec_error(const far_error *error, const char *spec) {
  const int code = library_error(error);
  char shown[200];
  if (error->position >= 0 && strlen(spec) < sizeof shown) {
    far__printable(shown, spec, strlen(spec));
    for (char *at = shown; (at = strchr(at, '\n')) != NULL;) *at = ' ';
    say(stderr, "  %s\n  %*s^\n", shown, error->position, "");
  }
  return code;
}

int run_error(const far_error *error) {
  return complain("%s", error->message);
}

bool gamma_option(const arguments *args, double *out) {
  if (!args_real(args, "gamma", out)) return false;
  if (!args_flag(args, "gamma") || (*out > 0 && *out < 1)) return true;
  usage_error(args,
              "--gamma %s: must be in (0, 1); without a discount give the environment horizon=H or "
              "average=on",
              exact(*out).text);
  return false;
}

int model_of_problem(far_mdp **out, char whole[FAR_SPEC_SIZE], const arguments *args,
                     const char *spec) {
  double gamma = NAN;
  *out = NULL;
  return gamma_option(args, &gamma) ? model_with_gamma(out, whole, gamma, spec) : EXIT_USAGE;
}

int model_to_run(far_mdp **out, char whole[FAR_SPEC_SIZE], const arguments *args,
                 const char *spec) {
  double gamma = NAN;
  const int code = model_of_problem(out, whole, args, spec);
  if (code != EXIT_OK || !args_real(args, "gamma", &gamma) || gamma != gamma) return code;
  const far_shape shape = far_mdp_shape(*out);
  if (shape.horizon > 0 || shape.average)
    note("%s: --gamma %s does not count here: the %s does", spec, exact(gamma).text,
         shape.average ? "average reward" : "horizon");
  return code;
}

int model_with_gamma(far_mdp **out, char whole[FAR_SPEC_SIZE], double gamma, const char *spec) {
  far_error error;
  far_spec *env;
  *out = NULL;
  far_status status = far_spec_of_env(&env, spec, gamma, &error);
  if (status == FAR_OK) status = far_mdp_from(out, env, &error);
  far_spec_free(env);
  if (status != FAR_OK) return spec_error(&error, spec);
  /* a file's horizon stands, whatever discount was asked for */
  far__mdp_spec_with_gamma(whole, spec, far_mdp_horizon(*out) > 0 ? NAN : gamma, NULL);
  print_caveat(*out, spec);
  return EXIT_OK;
}

int model_from_spec(far_mdp **out, const char *spec) {
  char whole[FAR_SPEC_SIZE];
  return model_with_gamma(out, whole, NAN, spec);
}
