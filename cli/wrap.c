#include "wrap.h"

#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void wrap(const char *text, size_t length, int used, int indent) {
  char *copy = locale_copy(text, length);
  far_text_wrap(far_sink_file(stdout), copy, strlen(copy), used, indent, LINE_WIDTH);
  free(copy);
}

void print_wrapped(const char *text, int used, int indent) {
  wrap(text, strlen(text), used, indent);
}

void print_page(const char *text) {
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
