/* farsight completion and farsight man: written from the commands' own descriptions. */
#include "cli.h"

#include <string.h>

/* ---- shell completion ---- */

static void print_agents(const char *separator) {
  for (size_t i = 0; far_agent_type(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_agent_type(i)->name);
}

static void print_environments(const char *separator) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_mdp_family(i)->name);
}

static void print_bash_options(const command *c) {
  printf("    %s) words=\"%s", c->name, c->words);
  for (size_t i = 0; i < c->n_options; ++i) printf(" --%s", c->options[i].name);
  printf(" --help\"");
  if (c->max_words == 1 && strcmp(c->name, "agent") == 0) {
    printf("\" ");
    print_agents(" ");
    printf("\"");
  }
  printf(" ;;\n");
}

static void print_bash(void) {
  printf("# bash completion of farsight: source <(farsight completion bash)\n"
         "_farsight() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  case $previous in\n"
         "    -a|--agent) words=\"");
  print_agents(" ");
  printf("\" ;;\n    -e|--env) words=\"");
  print_environments(" ");
  printf("\" ;;\n    *) case ${COMP_WORDS[1]} in\n");
  for (const command *const *c = all_commands; *c != NULL; ++c) print_bash_options(*c);
  printf("    esac ;;\n  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"");
  for (const command *const *c = all_commands; *c != NULL; ++c) printf("%s ", (*c)->name);
  printf("help --help --version\"; fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -F _farsight farsight\n");
}

/* zsh runs bash's completion through its own emulation */
static void print_zsh(void) {
  printf("#compdef farsight\nautoload -U +X bashcompinit && bashcompinit\n");
  print_bash();
}

static void print_fish(void) {
  printf("# fish completion of farsight: farsight completion fish | source\ncomplete -c farsight "
         "-f\n");
  for (const command *const *c = all_commands; *c != NULL; ++c) {
    printf("complete -c farsight -n __fish_use_subcommand -a %s -d \"%s\"\n", (*c)->name,
           (*c)->summary);
    for (size_t i = 0; i < (*c)->n_options; ++i) {
      const option_info *o = &(*c)->options[i];
      printf("complete -c farsight -n \"__fish_seen_subcommand_from %s\" -l %s", (*c)->name,
             o->name);
      if (o->letter) printf(" -s %c", o->letter);
      if (o->value) printf(" -r");
      if (o->complete != COMPLETE_NONE) {
        printf(" -a \"");
        if (o->complete == COMPLETE_AGENT)
          print_agents(" ");
        else
          print_environments(" ");
        printf("\"");
      }
      printf(" -d \"%s\"\n", o->help);
    }
  }
}

static int run_completion(const arguments *args) {
  const char *shell = args_word(args, 0);
  if (shell != NULL && strcmp(shell, "bash") == 0)
    print_bash();
  else if (shell != NULL && strcmp(shell, "zsh") == 0)
    print_zsh();
  else if (shell != NULL && strcmp(shell, "fish") == 0)
    print_fish();
  else
    return usage_error(args, "say for which shell: bash, zsh or fish");
  return EXIT_OK;
}

const command cmd_completion = {
    .name = "completion",
    .synopsis = "bash|zsh|fish",
    .summary = "Print the completion script of a shell",
    .details = "",
    .examples = "  source <(farsight completion bash)\n",
    .words = "bash zsh fish",
    .max_words = 1,
    .run = run_completion,
};

/* ---- the manual page, in the man macros of groff ---- */

static void print_roff(const char *text) {
  bool line_start = true;
  for (; *text; ++text) {
    if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else if (*text == '-')
      fputs("\\-", stdout);
    else
      putchar(*text);
    line_start = *text == '\n';
  }
}

static void print_block(const char *text) {
  printf(".RS\n.nf\n");
  print_roff(text);
  printf(".fi\n.RE\n");
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
  for (size_t i = 0; i < c->n_options; ++i) {
    const option_info *o = &c->options[i];
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
    print_block(c->examples);
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
         ".IR NAME : KEY = VALUE , KEY = VALUE ,...;\n"
         "The command 'farsight list' tells names, keys, defaults and bounds.\n.SH COMMANDS\n",
         far_version());
  for (const command *const *c = all_commands; *c != NULL; ++c) print_command_page(*c);
  printf(".SH EXIT STATUS\n0 on success, 1 on failure, 2 on wrong usage, 130 after Ctrl\\-C (what "
         "was finished is printed).\n");
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
