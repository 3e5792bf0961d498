/* farsight man: the manual page in the man macros of groff, written from the commands' own
 * descriptions. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* In ASCII, whatever the locale: an installed page is read in others. */
static void print_roff(const char *utf8) {
  bool line_start = true;
  char *copy = ascii_copy(utf8, strlen(utf8));
  for (const char *text = copy; *text; ++text) {
    if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
    line_start = *text == '\n';
  }
  free(copy);
}

static void print_command_page(const command *c) {
  printf(".SS farsight ");
  print_roff(c->name);
  printf(" ");
  print_roff(c->synopsis);
  printf("\n");
  print_roff(c->summary);
  printf(".\n");
  if (c->details[0]) {
    printf(".PP\n.nf\n");
    print_roff(c->details);
    printf(".fi\n");
  }
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i) {
    printf(".TP\n.B ");
    if (o->letter) printf("\\-%c, ", o->letter);
    printf("\\-\\-%s", o->name);
    if (o->value) printf(" \\fI%s\\fR", o->value);
    printf("\n");
    print_roff(o->help);
    printf("\n");
  }
  if (c->examples[0]) {
    printf(".PP\nExamples:\n");
    printf(".RS\n.nf\n");
    print_roff(c->examples);
    printf(".fi\n.RE\n");
  }
}

static int run_man(const arguments *args) {
  (void)args;
  printf(".TH FARSIGHT 1 \"\" \"farsight %s\" \"User Commands\"\n"
         ".SH NAME\nfarsight \\- exploration with guarantees in finite Markov decision processes\n"
         ".SH SYNOPSIS\n.B farsight\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n"
         ".SH DESCRIPTION\n"
         "Farsight runs and compares reinforcement-learning agents that explore with guarantees, "
         "above all Directed Delayed Q-learning (Oh & Iyengar 2018), on finite Markov decision "
         "processes. Every number it prints can be computed again to the last bit.\n.PP\n"
         "Agents and environments are named by specs,\n"
         ".IR NAME : KEY = VALUE , KEY = VALUE ,... .\n"
         "The command 'farsight list' prints names, keys, defaults and bounds.\n.SH COMMANDS\n",
         far_version());
  for (const command *const *c = all_commands; *c != NULL; ++c) print_command_page(*c);
  printf(".SH EXIT STATUS\n0 on success, 1 on failure, 2 on wrong usage, 130 after Ctrl\\-C (what "
         "was finished is printed).\n"
         ".SH SEE ALSO\nPages that are named as docs/... are in share/doc/farsight of the "
         "installation; docs/manual.md is the manual.\n");
  return EXIT_OK;
}

const command cmd_man = {
    .name = "man",
    .synopsis = "",
    .summary = "Print the manual page",
    .details = "",
    .examples = "  farsight man | man -l -\n",
    .words = "",
    .run = run_man,
};
