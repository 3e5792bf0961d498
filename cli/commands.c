/* farsight: all commands, and which of them a line asks for. */
#include <string.h>

#include "hints.h"

const char program_name[] = "farsight";

const command *const all_commands[] = {
#define COMMAND(name) &cmd_##name,
#include "commands.def"
#undef COMMAND
    NULL};

/* ---- help ---- */

static int print_help(void) {
  printf("Farsight %s: exploration with guarantees in finite Markov decision processes\n\n"
         "Usage: farsight COMMAND [ARGUMENTS]\n\n",
         far_version());
  for (const command *const *c = all_commands; *c != NULL; ++c)
    say(stdout, "  %-12s%s\n", (*c)->name, (*c)->summary);
  printf("\nRun 'farsight COMMAND --help' for details; --version prints the version.\n"
         "\nAgents and environments are named by specs, NAME:KEY=VALUE,KEY=VALUE,...; see\n"
         "'farsight list agents' and 'farsight list envs'.\n\n"
         "Pages named docs/... are in share/doc/farsight of an installation; begin with\n"
         "docs/manual.md.\n\n"
         "Exit codes: 0 success, 1 failure, 2 wrong usage, 130 stopped by Ctrl-C.\n");
  return EXIT_OK;
}

static const command *find_command(const char *name) {
  for (const command *const *c = all_commands; *c != NULL; ++c)
    if (strcmp((*c)->name, name) == 0) return *c;
  return NULL;
}

static int unknown_command(const char *name) {
  if (strcmp(name, "bench") == 0)
    return usage_error(NULL, "'bench' is now a program of its own, farsight-bench");
  const char *names[32];
  size_t count = 0;
  for (; all_commands[count] != NULL; ++count) names[count] = all_commands[count]->name;
  return unknown(NULL, "command", "", name, strlen(name), names, count);
}

/* ---- options before the command ---- */

static const option_info *find_any(const command *c, const char *text) {
  return text[1] == '-' ? find_option(c, text + 2, strcspn(text + 2, "="))
                        : find_letter(c, text[1]);
}

/* The command that an option argv[0] before the command belongs to, preferably the one that follows
 * it; NULL if no command has it. */
static const command *command_with(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    for (const command *const *c = all_commands; *c != NULL; ++c)
      if (strcmp((*c)->name, argv[i]) == 0 && find_any(*c, argv[0]) != NULL) return *c;
  for (const command *const *c = all_commands; *c != NULL; ++c)
    if (find_any(*c, argv[0]) != NULL) return *c;
  return NULL;
}

/* An option where the command is expected. */
static int early_option(int argc, char **argv) {
  static const char *const names[] = {"help", "version"};
  const char *text = argv[0];
  const command *c = command_with(argc, argv);
  const int length = (int)strcspn(text, "=");
  if (c != NULL)
    return usage_error(NULL, "options come after the command, as in 'farsight %s %.*s'", c->name,
                       length, text);
  if (text[1] != '-') return usage_error(NULL, "unknown option '%s'", text);
  return unknown(NULL, "option", "--", text + 2, (size_t)length - 2, names, 2);
}

/* ---- the line ---- */

int dispatch(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    print_help();
    return EXIT_USAGE;
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return print_help();
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    print_version();
    return EXIT_OK;
  }
  if (strcmp(name, "help") == 0) {
    if (argc == 2) return print_help();
    const command *c = find_command(argv[2]);
    return c != NULL ? print_command_help(c) : unknown_command(argv[2]);
  }
  if (name[0] == '-' && name[1] != '\0') return early_option(argc - 1, argv + 1);
  const command *c = find_command(name);
  if (c == NULL) return unknown_command(name);
  return run_command(c, argc, argv, 2);
}
