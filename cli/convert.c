/* farsight convert: a model from any environment or file to a file. */
#include "hints.h"
#include "outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "the environment to write, instead of FROM", COMPLETE_ENVIRONMENT},
    {'o', "output", "FILE", "where to write, instead of TO", COMPLETE_OUTPUT},
    {0, "from", "FORMAT", "FROM is a file of this format: cassandra, drn or json", COMPLETE_NONE},
    {0, "to", "FORMAT", "the format to write (default: by the extension of TO)", COMPLETE_NONE},
    {0, "horizon", "H", "give the model a horizon: episodes of H steps", COMPLETE_NONE},
    {0, "discount", "G", "the discount to write (default: the model's own)", COMPLETE_NONE},
};

/* False after printing a usage error. */
static bool read_format(const arguments *args, const char *option, far_format *out) {
  const char *text = args_last(args, option);
  if (text == NULL) return true;
  const char *names[8];
  size_t count = 0;
  for (; far_format_name((far_format)count) != NULL; ++count) {
    names[count] = far_format_name((far_format)count);
    if (count > 0 && strcmp(text, names[count]) == 0) {
      *out = (far_format)count;
      return true;
    }
  }
  *out = far_format_of_path(text[0] == '.' ? text : ""); /* .pomdp */
  if (*out != FAR_FORMAT_AUTO) return true;
  usage_error(args, "--%s %s: must be cassandra, drn or json", option, text);
  return false;
}

/* Reads up to LONGEST_FILE bytes; more only as far as needed to see that there are more. NULL without memory. */
static char *read_input(size_t *length) {
  char *text = NULL;
  size_t capacity = 0;
  *length = 0;
  do {
    if (*length == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char *grown = realloc(text, capacity);
      if (grown == NULL) {
        free(text);
        return NULL;
      }
      text = grown;
    }
    *length += fread(text + *length, 1, capacity - *length, stdin);
  } while (*length <= (size_t)LONGEST_FILE && !feof(stdin) && !ferror(stdin));
  return text;
}

static int read_standard_input(far_mdp **out, far_format format) {
  far_error error;
  size_t length;
  char *text = read_input(&length);
  if (text == NULL) {
    complain("no memory to read standard input");
    return EXIT_FAILED;
  }
  if (ferror(stdin)) {
    free(text);
    return complain("cannot read standard input: %s", strerror(errno));
  }
  if (length > (size_t)LONGEST_FILE) {
    free(text);
    complain("standard input: it has more than %lld bytes", (long long)LONGEST_FILE);
    return EXIT_FAILED;
  }
  const far_status status = far_mdp_read(out, text, length, format, &error);
  free(text);
  if (status != FAR_OK) {
    complain("standard input: %s", error.message);
    return EXIT_FAILED;
  }
  print_caveat(*out, "standard input");
  return EXIT_OK;
}

static int read_model(const arguments *args, const char *from, far_mdp **out) {
  far_format format = FAR_FORMAT_AUTO;
  far_error error;
  if (!read_format(args, "from", &format)) return EXIT_USAGE;
  if (args_text(args, "env", 0) != NULL ||
      (format == FAR_FORMAT_AUTO && far_spec_type(far_mdp_family, from) != NULL))
    return model_from_spec(out, from);
  if (strcmp(from, "-") == 0) return read_standard_input(out, format);
  if (format == FAR_FORMAT_AUTO && far_format_of_path(from) == FAR_FORMAT_AUTO && is_absent(from)) {
    /* without the extension of a model it is more likely a misspelt environment than a file */
    const int length = (int)strcspn(from, ":");
    const char *near = nearest_type(far_mdp_family, from);
    if (near == NULL)
      return usage_error(args, "there is neither a file nor an environment '%.*s'", length, from);
    return usage_error(args,
                       "there is neither a file nor an environment '%.*s'; did you mean '%s'?",
                       length, from, near);
  }
  if (far_mdp_load(out, from, format, &error) != FAR_OK) return run_error(&error);
  print_caveat(*out, from);
  return EXIT_OK;
}

static int write_model(const arguments *args, const far_mdp *mdp, const char *to, double discount) {
  far_format format = FAR_FORMAT_AUTO;
  far_error error;
  if (!read_format(args, "to", &format)) return EXIT_USAGE;
  const bool standard = strcmp(to, "-") == 0;
  const far_format named = standard ? FAR_FORMAT_AUTO : far_format_of_path(to);
  if (format == FAR_FORMAT_AUTO) format = named;
  if (format == FAR_FORMAT_AUTO)
    return usage_error(args, "%s%s%s does not show the format; give --to cassandra|drn|json",
                       standard ? "" : "'", standard ? "standard output" : to, standard ? "" : "'");
  if (!standard) {
    if (far_mdp_save(mdp, to, format, discount, &error) != FAR_OK) return run_error(&error);
    if (named != FAR_FORMAT_AUTO && named != format)
      note("'%s' is written as %s; file:%s will take it for %s", to, far_format_name(format), to,
           far_format_name(named));
    return EXIT_OK;
  }
  char *text;
  size_t length;
  if (far_mdp_print(&text, &length, mdp, format, discount, &error) != FAR_OK)
    return run_error(&error);
  fwrite(text, 1, length, stdout);
  free(text);
  return EXIT_OK;
}

static int run(const arguments *args) {
  const char *env = args_text(args, "env", 0), *output = args_last(args, "output");
  const char *from = env != NULL ? env : args_word(args, 0);
  const size_t next = env == NULL;
  const char *to = output != NULL ? output : args_word(args, next);
  double discount = 0;
  if (from == NULL)
    return usage_error(args, "no model is given, as in 'farsight convert maze.mdp maze.drn'");
  if (args_word(args, next + (output == NULL)) != NULL)
    return usage_error(args, "unexpected argument '%s'", args_word(args, next + (output == NULL)));
  if (args_text(args, "env", 1) != NULL)
    return usage_error(args, "one environment at a time, please");
  if (env != NULL && args_flag(args, "from"))
    return usage_error(args, "--from is for files; %s is an environment", env);
  if (!args_real(args, "discount", &discount)) return EXIT_USAGE;
  if (args_flag(args, "discount") && !(discount > 0 && discount <= 1))
    return usage_error(args, "--discount %s: must be in (0, 1]", args_last(args, "discount"));
  int64_t horizon = 0;
  if (!args_integer(args, "horizon", 1, FAR_HORIZON_MAX, &horizon)) return EXIT_USAGE;
  far_mdp *mdp = NULL;
  far_error error;
  int code = check_output_file(args, to);
  if (code == EXIT_OK) code = read_model(args, from, &mdp);
  if (code == EXIT_OK && horizon > 0 && far_mdp_set_horizon(mdp, horizon, &error) != FAR_OK)
    code = run_error(&error);
  if (code == EXIT_OK) code = write_model(args, mdp, to != NULL ? to : "-", discount);
  far_mdp_free(mdp);
  return code;
}

const command cmd_convert = {
    .name = "convert",
    .synopsis = "FROM [TO] [OPTIONS]",
    .summary = "Write a model as a file: Cassandra's format, Storm's DRN, or JSON",
    .details =
        "FROM is an environment (chain:n=10) or a file; TO is a file, whose extension gives the\n"
        "format: .mdp or .pomdp (Cassandra's), .drn (Storm's) or .json (the dictionary P of\n"
        "Gymnasium). '-' is standard input or output. What is written reads back as the same\n"
        "model to the last bit; docs/formats.md describes what other programs see of it. "
        "Cassandra's\n"
        "format needs a discount; a model that has none gets 0.95.\n",
    .examples = "  farsight convert tiger.POMDP tiger.json\n"
                "  farsight convert chain:n=10 chain.drn\n"
                "  farsight convert -e chain:n=10 --to cassandra --discount 0.99\n"
                "  farsight run -e file:tiger.json -a directed-delayed-q\n",
    .words = "",
    .complete = COMPLETE_ENVIRONMENT,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
