/* farsight completion: written from the commands' own descriptions. */
#include <farsight/lab.h>
#include <string.h>

#include "cli.h"

static void print_agents(const char *separator) {
  for (size_t i = 0; far_agent_type(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_agent_type(i)->name);
}

static void print_environments(const char *separator) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_mdp_family(i)->name);
}

static void print_theorems(const char *separator) {
  for (size_t i = 0; far_theorem_at(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_theorem_at(i)->name);
}

static void print_metrics(const char *separator) {
  for (size_t i = 0; far_metric_type(i) != NULL; ++i)
    printf("%s%s", i ? separator : "", far_metric_type(i)->name);
}

static void print_formats(const char *separator) {
  for (int f = 0; far_report_format_name((far_report_format)f) != NULL; ++f)
    printf("%s%s", f ? separator : "", far_report_format_name((far_report_format)f));
}

static void print_specs_of(complete what) {
  if (what == COMPLETE_AGENT) print_agents(" ");
  if (what == COMPLETE_ENVIRONMENT) print_environments(" ");
  if (what == COMPLETE_THEOREM) print_theorems(" ");
  if (what == COMPLETE_METRIC) print_metrics(" ");
  if (what == COMPLETE_FORMAT) print_formats(" ");
}

static void print_bash_options(const command *c) {
  printf("    %s) words=\"%s ", c->name, c->words);
  print_specs_of(c->complete);
  for (size_t i = 0; i < c->n_options; ++i) printf(" --%s", c->options[i].name);
  printf(" --help\" ;;\n");
}

static void print_bash(void) {
  printf("# bash completion of farsight: source <(farsight completion bash)\n"
         "_farsight() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  case $previous in\n"
         "    -a|--agent|agents) words=\"");
  print_agents(" ");
  printf("\" ;;\n    -e|--env|envs) words=\"");
  print_environments(" ");
  printf("\" ;;\n    theorems) words=\"");
  print_theorems(" ");
  printf("\" ;;\n    --metric|metrics) words=\"");
  print_metrics(" ");
  printf("\" ;;\n    --format) words=\"");
  print_formats(" ");
  printf("\" ;;\n    *) case ${COMP_WORDS[1]} in\n");
  for (const command *const *c = all_commands; *c != NULL; ++c) print_bash_options(*c);
  printf("    esac ;;\n  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"");
  for (const command *const *c = all_commands; *c != NULL; ++c) printf("%s ", (*c)->name);
  printf("help --help --version\"; fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _farsight farsight\n");
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
        print_specs_of(o->complete);
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
