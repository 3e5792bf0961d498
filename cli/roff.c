#include "roff.h"

#include <stdlib.h>
#include <string.h>

void print_roff(const char *utf8) {
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

static void print_block(const char *text) {
  printf(".RS\n.nf\n");
  print_roff(text);
  printf(".fi\n.RE\n");
}

void print_command_page(const command *c) {
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
    print_block(c->examples);
  }
}
