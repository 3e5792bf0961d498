#include "wrap.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

int text_width(const char *text, size_t length) {
  int n = 0;
  for (size_t i = 0; i < length; ++i) n += ((unsigned char)text[i] & 0xc0) != 0x80;
  return n;
}

/* Words are separated by spaces and line breaks. */
static void wrap(const char *words, size_t length, int used, int indent) {
  bool first = true; /* of its line */
  char *copy = locale_copy(words, length);
  for (const char *text = copy; *text != '\0';) {
    const size_t n = strcspn(text, " \n");
    const int width = text_width(text, n);
    if (!first && used + 1 + width > LINE_WIDTH) {
      printf("\n%*s", indent, "");
      used = indent;
      first = true;
    }
    printf("%s%.*s", first ? "" : " ", (int)n, text);
    used += width + !first;
    first = false;
    text += n;
    text += strspn(text, " \n");
  }
  free(copy);
  putchar('\n');
}

void print_wrapped(const char *text, int used, int indent) {
  wrap(text, strlen(text), used, indent);
}

void print_paragraph(const char *text, int indent) {
  printf("%*s", indent, "");
  wrap(text, strlen(text), indent, indent);
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
