#include "outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

/* An output that is there, and how it was named. */
typedef struct output {
  const char *path;
  struct stat info;
} output;

/* False for an output that is no input: standard output, or a file that does not exist yet. */
static bool find_output(output *out, const char *path) {
  out->path = path;
  return path != NULL && strcmp(path, "-") != 0 && stat(path, &out->info) == 0;
}

static int compare(const arguments *args, const output *out, const char *input) {
  struct stat info;
  const bool standard = strcmp(input, "-") == 0;
  if ((standard ? fstat(STDIN_FILENO, &info) : stat(input, &info)) != 0) return EXIT_OK;
  if (info.st_dev != out->info.st_dev || info.st_ino != out->info.st_ino) return EXIT_OK;
  return usage_error(args,
                     "cannot write '%s': it is the same file as %s%s%s, which the command reads; "
                     "write to another file",
                     out->path, standard ? "" : "'", standard ? "standard input" : input,
                     standard ? "" : "'");
}

/* The file of a parameter as in map=@PATH,slip=0.1, which begins at `text`. */
static int compare_parameter(const arguments *args, const output *out, const char *text) {
  char *path = copy_of(text);
  path[strcspn(path, ",")] = '\0';
  const int code = compare(args, out, path);
  free(path);
  return code;
}

static int compare_spec(const arguments *args, const output *out, const char *spec) {
  if (strncmp(spec, "file:", 5) == 0) return compare(args, out, spec + 5);
  int code = EXIT_OK;
  for (const char *at = spec; code == EXIT_OK && (at = strstr(at, "=@")) != NULL; at += 2)
    code = compare_parameter(args, out, at + 2);
  return code;
}

/* Is `word` one of the words that choose what a command does? */
static bool is_keyword(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " "))
    if (strcspn(words, " ") == length && strncmp(words, word, length) == 0) return true;
  return false;
}

static int compare_word(const arguments *args, const output *out, size_t index) {
  const char *word = args_word(args, index);
  if (word == out->path || (index == 0 && is_keyword(args_keywords(args), word))) return EXIT_OK;
  const int code = compare(args, out, word);
  return code == EXIT_OK ? compare_spec(args, out, word) : code;
}

static int compare_option(const arguments *args, const output *out, const option_info *option,
                          const char *value) {
  if (option->complete == COMPLETE_OUTPUT || option->value == NULL) return EXIT_OK;
  if (strcmp(option->value, "FILE") == 0) return compare(args, out, value);
  return compare_spec(args, out, value);
}

static int compare_all(const arguments *args, const output *out) {
  const option_info *option;
  const char *value;
  int code = EXIT_OK;
  for (size_t i = 0; code == EXIT_OK && args_word(args, i) != NULL; ++i)
    code = compare_word(args, out, i);
  for (size_t i = 0; code == EXIT_OK && (value = args_value(args, i, &option)) != NULL; ++i)
    code = compare_option(args, out, option, value);
  return code;
}

int check_outputs(const arguments *args) {
  const option_info *option;
  const char *value;
  int code = EXIT_OK;
  for (size_t i = 0; code == EXIT_OK && (value = args_value(args, i, &option)) != NULL; ++i)
    if (option->complete == COMPLETE_OUTPUT && value == args_last(args, option->name))
      code = check_output_file(args, value);
  return code;
}

int check_output_file(const arguments *args, const char *path) {
  output out;
  return find_output(&out, path) ? compare_all(args, &out) : EXIT_OK;
}

int check_output_of_spec(const arguments *args, const char *path, const char *spec) {
  output out;
  return find_output(&out, path) ? compare_spec(args, &out, spec) : EXIT_OK;
}
