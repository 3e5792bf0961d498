#include "hints.h"

#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/spec.h"
#include "limit_options.h"
#include "memory.h"
#include "outputs.h"
#include "questions/comparison/recipes.h"
#include "report/build.h"

enum { MAX_ARGS = 256 };

struct arguments {
  const command *command;
  size_t n_words, n_values;
  const char *words[MAX_ARGS];
  const option_info *option_of[MAX_ARGS];
  const char *values[MAX_ARGS];
};

/* What every command takes; --help is answered before a command's options are read. */
static const option_info common[] = {
    {'q', "quiet", NULL, "print errors only: no notes, warnings or progress", COMPLETE_NONE},
    {'v', "verbose", NULL, "print the details of notes", COMPLETE_NONE},
    LIMIT_OPTIONS,
    {0, "help", NULL, "print this help", COMPLETE_NONE}};

const option_info *command_option(const command *c, size_t index) {
  if (index < c->n_options) return &c->options[index];
  index -= c->n_options;
  return index < sizeof common / sizeof *common ? &common[index] : NULL;
}

/* ---- reading them ---- */

const char *args_word(const arguments *args, size_t index) {
  return index < args->n_words ? args->words[index] : NULL;
}

const char *args_text(const arguments *args, const char *option, size_t index) {
  for (size_t i = 0; i < args->n_values; ++i)
    if (strcmp(args->option_of[i]->name, option) == 0 && index-- == 0) return args->values[i];
  return NULL;
}

const char *args_value(const arguments *args, size_t index, const option_info **option) {
  if (index >= args->n_values) return NULL;
  *option = args->option_of[index];
  return args->values[index];
}

const char *args_keywords(const arguments *args) {
  return args->command->words;
}

const char *args_command(const arguments *args) {
  return args->command->name;
}

far__brief called(const command *c) {
  const bool named = c != NULL && !c->is_program;
  far__brief out;
  snprintf(out.text, sizeof out.text, "%s%s%s", program_name, named ? " " : "",
           named ? c->name : "");
  return out;
}

far__brief args_called(const arguments *args) {
  return called(args != NULL ? args->command : NULL);
}

const char *args_tables(const arguments *args) {
  return args->command->tables;
}

bool args_flag(const arguments *args, const char *option) {
  return args_text(args, option, 0) != NULL;
}

const char *args_last(const arguments *args, const char *option) {
  const char *last = NULL;
  for (size_t i = 0;; ++i) {
    const char *text = args_text(args, option, i);
    if (text == NULL) return last;
    last = text;
  }
}

bool args_integer(const arguments *args, const char *option, int64_t min, int64_t max,
                  int64_t *out) {
  const char *text = args_last(args, option);
  if (text == NULL) return true;
  int64_t value;
  if (!far__integer_parse(text, strlen(text), &value) || value < min || value > max) {
    usage_error(args, "--%s '%s': must be a whole number from %lld to %lld", option, text,
                (long long)min, (long long)max);
    return false;
  }
  *out = value;
  return true;
}

bool args_real(const arguments *args, const char *option, double *out) {
  const char *text = args_last(args, option);
  if (text == NULL) return true;
  double value;
  if (!far__real_parse(text, strlen(text), &value) || value - value != 0) {
    usage_error(args, "--%s '%s': must be a finite number", option, text);
    return false;
  }
  *out = value;
  return true;
}

bool args_seed(const arguments *args, const char *option, uint64_t *out) {
  const char *text = args_last(args, option);
  if (text == NULL) return true;
  if (!far__unsigned_parse(text, strlen(text), out)) {
    usage_error(args, "--%s '%s': must be " FAR_SEED_BOUNDS, option, text);
    return false;
  }
  return true;
}

bool args_choice(const arguments *args, const char *option, const char *const *words, int *out) {
  const char *given = args_last(args, option);
  char *choices;
  size_t size;
  if (given == NULL) return true;
  for (int i = 0; words[i] != NULL; ++i)
    if (strcmp(words[i], given) == 0) {
      *out = i;
      return true;
    }
  FILE *text = open_text(&choices, &size);
  for (size_t i = 0; words[i] != NULL; ++i) {
    const char *join = i == 0 ? "" : words[i + 1] != NULL ? ", " : " or ";
    if (fprintf(text, "%s%s", join, words[i]) < 0) out_of_memory();
  }
  close_text(text, &choices);
  usage_error(args, "--%s '%s': must be %s", option, given, choices);
  free(choices);
  return false;
}

hint word_hint_of(const arguments *args, const char *word) {
  return word_hint(args->command, word);
}

int absent_file(const arguments *args, const char *what, const char *path) {
  const hint meant = word_hint_of(args, path);
  return meant.text[0] != '\0' ? usage_error(args, "there is no %s '%s'%s", what, path, meant.text)
                               : complain("there is no %s '%s'", what, path);
}

/* ---- parsing ---- */

int unknown(const arguments *args, const char *what, const char *dashes, const char *text,
            size_t length, const char *const *names, size_t count) {
  const char *near = far__nearest(text, length, names, count);
  return near ? usage_error(args, "unknown %s '%s%.*s'; did you mean '%s%s'?", what, dashes,
                            (int)length, text, dashes, near)
              : usage_error(args, "unknown %s '%s%.*s'", what, dashes, (int)length, text);
}

static int unknown_option(const arguments *args, const char *name, size_t length,
                          const char *value) {
  const hint meant = option_hint(args, args->command, name, length, value);
  if (meant.text[0] != '\0')
    return usage_error(args, "unknown option '--%.*s'%s", (int)length, name, meant.text);
  const char *names[64];
  size_t count = 0;
  for (const option_info *o; (o = command_option(args->command, count)) != NULL; ++count)
    names[count] = o->name;
  return unknown(args, "option", "--", name, length, names, count);
}

/* One option at argv[*at]; *at moves on to its last word. */
static int parse_option(arguments *args, int argc, char **argv, int *at) {
  const char *text = argv[*at], *next = *at + 1 < argc ? argv[*at + 1] : NULL, *value = NULL;
  const option_info *o;
  if (text[1] == '-') {
    const size_t length = strcspn(text + 2, "=");
    o = find_option(args->command, text + 2, length);
    if (text[2 + length] == '=') value = text + 3 + length;
    if (o == NULL)
      return unknown_option(args, text + 2, length,
                            value != NULL || next == NULL || next[0] == '-' ? value : next);
  } else {
    o = find_letter(args->command, text[1]);
    if (o == NULL) return usage_error(args, "unknown option '-%c'", text[1]);
    if (text[2] != '\0') value = text + 2;
  }
  if (o->value == NULL && value != NULL) return usage_error(args, "--%s takes no value", o->name);
  if (o->value != NULL && value == NULL) {
    if (next == NULL) return usage_error(args, "--%s needs a value: %s", o->name, o->value);
    value = next;
    *at += 1;
  }
  args->option_of[args->n_values] = o;
  args->values[args->n_values++] = value != NULL ? value : "";
  return EXIT_OK;
}

static int parse(arguments *args, int argc, char **argv) {
  bool only_words = false;
  if (argc > MAX_ARGS) return usage_error(args, "more than %d arguments", MAX_ARGS);
  for (int i = 0; i < argc; ++i) {
    if (!only_words && strcmp(argv[i], "--") == 0) {
      only_words = true;
    } else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
      const int code = parse_option(args, argc, argv, &i);
      if (code != EXIT_OK) return code;
    } else if (args->n_words == args->command->max_words) {
      return usage_error(args, "unexpected argument '%s'%s", argv[i],
                         word_hint(args->command, argv[i]).text);
    } else {
      args->words[args->n_words++] = argv[i];
    }
  }
  return EXIT_OK;
}

/* ---- help ---- */

enum { LINE_WIDTH = 79 };

static void wrap(const char *text, size_t length, int used, int indent) {
  char *copy = locale_copy(text, length);
  far__text_wrap(far_sink_file(stdout), copy, strlen(copy), used, indent, LINE_WIDTH);
  free(copy);
}

/* Prints words and ends the line. `used` columns of the first line are taken, and further lines begin behind `indent`
 * spaces. */
static void print_wrapped(const char *text, int used, int indent) {
  wrap(text, strlen(text), used, indent);
}

/* Lines that begin with a space stay as they are; the others are joined and wrapped. */
static void print_page(const char *text) {
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    const bool plain = text[0] != ' ' && text[0] != '\n';
    while (plain && text[length] == '\n' && strchr(" \n", text[length + 1]) == NULL)
      length += 1 + strcspn(text + length + 1, "\n");
    if (plain)
      wrap(text, length, 0, 0);
    else
      say(stdout, "%.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

int print_command_help(const command *c) {
  say(stdout, "Usage: %s%s%s\n\n%s.\n", called(c).text, c->synopsis[0] ? " " : "", c->synopsis,
      c->summary);
  if (c->details[0]) printf("\n");
  print_page(c->details);
  printf("\nOptions:\n");
  int width = 0;
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i) {
    const int n = (int)strlen(o->name) + (o->value ? (int)strlen(o->value) + 1 : 0);
    width = n > width ? n : width;
  }
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i) {
    char letter[5] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    const int used =
        printf("  %s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
    printf("%*s", width + 10 - used, "");
    print_wrapped(o->help, width + 10, width + 10);
  }
  if (c->examples[0]) say(stdout, "\nExamples:\n%s", c->examples);
  return EXIT_OK;
}

static bool wants_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

/* ---- the line as it was typed ---- */

static char line[2000]; /* for the provenance of results; cut where it is longer */

const char *command_line(void) {
  return line;
}

/* As a shell would read it back, without the program's path; the ranks of an MPI job are a remark. */
static void note_line(int argc, char **argv) {
  size_t used = (size_t)snprintf(line, sizeof line, "%s", program_name);
  for (int i = 1; i < argc && used + 4 < sizeof line; ++i) {
    char *word = far__shell_quote(argv[i]);
    if (word == NULL) out_of_memory();
    used += (size_t)snprintf(line + used, sizeof line - used, " %s", word);
    free(word);
  }
  if (count_ranks() > 1 && used < sizeof line)
    snprintf(line + used, sizeof line - used, " # %d ranks", count_ranks());
}

/* The version, and which libraries the build found: what is missing is said here and where it is asked for. */
void print_version(void) {
  printf("%s %s\n", program_name, far_version());
  if (FARSIGHT_WITH[0] != '\0') printf("with %s\n", FARSIGHT_WITH);
  if (FARSIGHT_WITHOUT[0] != '\0') printf("without %s\n", FARSIGHT_WITHOUT);
}

int run_command(const command *c, int argc, char **argv, int first) {
  arguments args = {.command = c};
  if (wants_help(argc - first, argv + first)) return print_command_help(c);
  note_line(argc, argv);
  const int code = parse(&args, argc - first, argv + first);
  if (code != EXIT_OK) return code;
  if (args_flag(&args, "quiet") && args_flag(&args, "verbose"))
    return usage_error(&args, "--quiet and --verbose do not go together");
  set_quiet(args_flag(&args, "quiet"));
  int refused = set_limits(&args);
  if (refused == EXIT_OK) refused = check_outputs(&args);
  return refused == EXIT_OK ? c->run(&args) : refused;
}
