/* farsight completion: written from the commands' own descriptions and from the parameter tables.
 *
 * bash hands a word over in pieces, cut at the characters of COMP_WORDBREAKS, among them ':' and '=', and
 * takes replies for the last piece alone. So the script reads the word from the line, completes all of
 * it, and cuts off what stands before the last piece. */
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* ---- names ---- */

static const char *theorem_name(size_t i) {
  const far_theorem *theorem = far_theorem_at(i);
  return theorem != NULL ? theorem->name : NULL;
}

static const char *format_name(size_t i) {
  return far_report_format_name((far_report_format)i);
}

/* Names come from a list of types, which have keys, or from a function. */
static const struct {
  complete what;
  const char *name, *listed; /* in the scripts; the word of `farsight list` before such a name */
  far_listing *types;
  const char *(*names)(size_t i);
} kinds[] = {{COMPLETE_AGENT, "agent", "agents", far_agent_type, NULL},
             {COMPLETE_ENVIRONMENT, "env", "envs", far_mdp_family, NULL},
             {COMPLETE_METRIC, "metric", "metrics", far_metric_type, NULL},
             {COMPLETE_THEOREM, "theorem", "theorems", NULL, theorem_name},
             {COMPLETE_FORMAT, "format", NULL, NULL, format_name}};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const char *name_at(size_t kind, size_t i) {
  if (kinds[kind].names != NULL) return kinds[kind].names(i);
  const far_type_info *type = kinds[kind].types(i);
  return type != NULL ? type->name : NULL;
}

static const char *kind_name(complete what) {
  for (size_t k = 0; k < N_KINDS; ++k)
    if (kinds[k].what == what) return kinds[k].name;
  return NULL;
}

/* What a shell needs for a list of cases: before a label, behind it, and behind its words. */
typedef struct syntax {
  const char *label, *words, *end;
} syntax;

static void print_name_cases(const syntax *x) {
  for (size_t k = 0; k < N_KINDS; ++k) {
    printf("%s%s%s", x->label, kinds[k].name, x->words);
    for (size_t i = 0; name_at(k, i) != NULL; ++i) printf("%s%s", i > 0 ? " " : "", name_at(k, i));
    printf("%s", x->end);
  }
}

static void print_choice_cases(const syntax *x, const char *kind, const far_type_info *type) {
  for (size_t i = 0; i < type->n_params; ++i) {
    const far_param *param = &type->params[i];
    if (param->kind != FAR_PARAM_CHOICE) continue;
    printf("%s%s:%s:%s%s", x->label, kind, type->name, param->name, x->words);
    const char *words = param->choices;
    for (; *words != '\0'; ++words) putchar(*words == '|' ? ' ' : *words);
    printf("%s", x->end);
  }
}

/* Keys by "agent:r-max", words of keys by "agent:r-max:ties". */
static void print_key_cases(const syntax *x) {
  for (size_t k = 0; k < N_KINDS; ++k)
    for (size_t i = 0; kinds[k].types != NULL && kinds[k].types(i) != NULL; ++i) {
      const far_type_info *type = kinds[k].types(i);
      if (type->bare) continue;
      printf("%s%s:%s%s", x->label, kinds[k].name, type->name, x->words);
      for (size_t p = 0; p < type->n_params; ++p)
        printf("%s%s=", p > 0 ? " " : "", type->params[p].name);
      printf("%s", x->end);
      print_choice_cases(x, kinds[k].name, type);
    }
}

/* ---- bash and zsh ---- */

static const syntax bash = {"    ", ") echo '", "' ;;\n"};

/* The kinds of what follows an option: by "run:-a", "run:--agent". */
static void print_bash_kinds(const command *c) {
  const option_info *o;
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i) {
    if (kind_name(o->complete) == NULL) continue;
    printf("    %s:--%s", c->name, o->name);
    if (o->letter) printf("|%s:-%c", c->name, o->letter);
    printf(") kind=%s ;;\n", kind_name(o->complete));
  }
}

static void print_bash_words(const command *c) {
  const option_info *o;
  const char *kind = kind_name(c->complete);
  printf("    %s) words='%s", c->name, c->words);
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i)
    printf("%s--%s", i > 0 || c->words[0] ? " " : "", o->name);
  printf("'");
  if (kind != NULL) printf("; kind=%s", kind);
  printf(" ;;\n");
}

static void print_bash(void) {
  printf("# bash completion of farsight: source <(farsight completion bash)\n");
  printf("_farsight_names() {\n  case $1 in\n");
  print_name_cases(&bash);
  printf("  esac\n}\n_farsight_keys() {\n  case $1 in\n");
  print_key_cases(&bash);
  printf("  esac\n}\n"
         "# What a spec of the kind $1 that begins with $2 can be: its name, a key, the word of a "
         "key.\n"
         "_farsight_specs() {\n"
         "  local name=${2%%%%:*} last=${2##*[:,]} key\n"
         "  case $2 in *:*) ;; *) _farsight_names \"$1\"; return ;; esac\n"
         "  case $last in\n"
         "    *=*) for key in $(_farsight_keys \"$1:$name:${last%%%%=*}\"); do\n"
         "           echo \"${2%%\"$last\"}${last%%%%=*}=$key\"; done ;;\n"
         "    *) for key in $(_farsight_keys \"$1:$name\"); do\n"
         "         case $2 in *[:,]\"$key\"*) ;; *) echo \"${2%%\"$last\"}$key\" ;; esac; done ;;\n"
         "  esac\n}\n");
  printf(
      "_farsight() {\n"
      "  local line=${COMP_LINE:0:${COMP_POINT:-0}} piece=${COMP_WORDS[COMP_CWORD]}\n"
      "  local word before previous option= kind= words= reply\n"
      "  if [ -z \"$line\" ]; then line=\"${COMP_WORDS[*]}\"; fi\n"
      "  word=${line##*[[:space:]]}\n"
      "  before=${line%%\"$word\"}\n"
      "  before=${before%%\"${before##*[![:space:]]}\"}\n"
      "  previous=${before##*[[:space:]]}\n"
      "  case $word in --*=*) previous=${word%%%%=*}; option=$previous=; word=${word#*=} ;; esac\n"
      "  case ${COMP_WORDS[1]}:$previous in\n");
  for (size_t k = 0; k < N_KINDS; ++k)
    if (kinds[k].listed != NULL)
      printf("    list:%s) kind=%s ;;\n", kinds[k].listed, kinds[k].name);
  for (const command *const *c = all_commands; *c != NULL; ++c) print_bash_kinds(*c);
  printf("    *) case ${COMP_WORDS[1]} in\n");
  for (const command *const *c = all_commands; *c != NULL; ++c) print_bash_words(*c);
  printf("    esac ;;\n  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then kind=; words='");
  for (const command *const *c = all_commands; *c != NULL; ++c) printf("%s ", (*c)->name);
  printf("help --help --version'; fi\n"
         "  if [ -n \"$kind\" ]; then words=\"$words $(_farsight_specs \"$kind\" \"$word\")\"; fi\n"
         "  case $piece in :|=) piece= ;; esac\n"
         "  before=$option$word\n"
         "  before=${before%%\"$piece\"}\n"
         "  COMPREPLY=()\n"
         "  for reply in $(compgen -W \"$words\" -- \"$word\"); do\n"
         "    case $reply in *=) compopt -o nospace 2>/dev/null ;; esac\n"
         "    reply=$option$reply\n"
         "    COMPREPLY+=(\"${reply#\"$before\"}\")\n"
         "  done\n"
         "}\n"
         "complete -o default -F _farsight farsight\n");
}

/* ---- fish ---- */

static const syntax fish = {"    case '", "'\n      string split ' ' '", "'\n"};

/* A text between double quotes. */
static void print_fish_text(const char *utf8) {
  char *copy = ascii_copy(utf8, strlen(utf8));
  for (const char *text = copy; *text != '\0'; ++text) {
    if (strchr("\"\\$", *text) != NULL) putchar('\\');
    putchar(*text);
  }
  free(copy);
}

static void print_fish_option(const command *c, const option_info *o) {
  const char *kind = kind_name(o->complete);
  printf("complete -c farsight -n \"__fish_seen_subcommand_from %s\" -l %s", c->name, o->name);
  if (o->letter) printf(" -s %c", o->letter);
  if (o->value) printf(" -r");
  if (kind != NULL) printf(" -a \"(__farsight_specs %s)\"", kind);
  printf(" -d \"");
  print_fish_text(o->help);
  printf("\"\n");
}

static void print_fish_command(const command *c) {
  const option_info *o;
  const char *kind = kind_name(c->complete);
  printf("complete -c farsight -n __fish_use_subcommand -a %s -d \"", c->name);
  print_fish_text(c->summary);
  printf("\"\n");
  if (c->words[0] != '\0' || kind != NULL)
    printf("complete -c farsight -n \"__fish_seen_subcommand_from %s\" -a \"%s", c->name, c->words);
  if (kind != NULL) printf(" (__farsight_specs %s)", kind);
  if (c->words[0] != '\0' || kind != NULL) printf("\"\n");
  for (size_t i = 0; (o = command_option(c, i)) != NULL; ++i) print_fish_option(c, o);
}

static void print_fish(void) {
  printf("# fish completion of farsight: farsight completion fish | source\n");
  printf("function __farsight_names\n  switch $argv[1]\n");
  print_name_cases(&fish);
  printf("  end\nend\nfunction __farsight_keys\n  switch $argv[1]\n");
  print_key_cases(&fish);
  printf("  end\nend\n"
         "function __farsight_specs\n"
         "  set -l word (commandline -ct | string replace -r '^--[^=]*=' '')\n"
         "  set -l part (string match -r '^(([^:]*):(?:.*,)?)(?:([^,=]*)=)?[^,]*$' -- $word)\n"
         "  if test (count $part) -eq 0\n"
         "    __farsight_names $argv[1]\n"
         "  else if test (count $part) -gt 3\n"
         "    printf '%%s\\n' $part[2]$part[4]=(__farsight_keys $argv[1]:$part[3]:$part[4])\n"
         "  else\n"
         "    printf '%%s\\n' $part[2](__farsight_keys $argv[1]:$part[3])\n"
         "  end\nend\n");
  printf("complete -c farsight -f\n");
  for (const command *const *c = all_commands; *c != NULL; ++c) print_fish_command(*c);
}

/* ---- the command ---- */

static int run_completion(const arguments *args) {
  const char *shell = args_word(args, 0);
  if (shell != NULL && strcmp(shell, "bash") == 0)
    print_bash();
  else if (shell != NULL && strcmp(shell, "zsh") == 0) {
    /* zsh runs bash's completion through its own emulation */
    printf("#compdef farsight\nautoload -U +X bashcompinit && bashcompinit\n");
    print_bash();
  } else if (shell != NULL && strcmp(shell, "fish") == 0)
    print_fish();
  else
    return usage_error(args, "which shell? bash, zsh or fish");
  return EXIT_OK;
}

const command cmd_completion = {
    .name = "completion",
    .synopsis = "bash|zsh|fish",
    .summary = "Print the completion script of a shell",
    .details =
        "The script completes commands, options, names, the keys of a spec (r-max:m=) and the\n"
        "words that a key takes (r-max:ties=lowest).\n",
    .examples = "  source <(farsight completion bash)\n",
    .words = "bash zsh fish",
    .max_words = 1,
    .run = run_completion,
};
