/* farsight man: the manual page in the man macros of groff, written from the commands' own
 * descriptions. */
#include "roff.h"

static void print_section(const command *c) {
  printf(".SS farsight ");
  print_roff(c->name);
  printf(" ");
  print_roff(c->synopsis);
  printf("\n");
  print_command_page(c);
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
  for (const command *const *c = all_commands; *c != NULL; ++c) print_section(*c);
  printf(".SH EXIT STATUS\n0 on success, 1 on failure, 2 on wrong usage, 130 after Ctrl\\-C (what "
         "was finished is printed).\n"
         ".SH SEE ALSO\n.BR farsight\\-bench (1)\n.PP\nPages that are named as docs/... are in "
         "share/doc/farsight of the installation; docs/manual.md is the manual.\n");
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
