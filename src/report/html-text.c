#include "report/html.h"

#include "base/markup.h"

typedef enum where { CONTENT, LINES } where;

static void put_character(far_buffer *out, const char *bytes, size_t n, where at) {
  const uint32_t code = n > 0 ? far__utf8_code(bytes, n) : 0xffff;
  if (at == LINES && (code == '\n' || code == '\t'))
    far_buffer_add(out, bytes, n);
  else if (far__code_turns(code))
    far__text_format(out, "<span class=\"code\">U+%04X</span>", (unsigned)code);
  else
    far__markup_character(out, bytes, n);
}

static void put_some(far_buffer *out, const char *text, size_t length, where at) {
  for (size_t i = 0; i < length;) {
    const size_t n = far__utf8_length(text + i, length - i);
    put_character(out, text + i, n, at);
    i += n > 0 ? n : 1;
  }
}

static void put_all(far_buffer *out, const char *text, where at) {
  put_some(out, text, strlen(text), at);
}

void far__html_text(far_buffer *out, const char *text) {
  put_all(out, text, CONTENT);
}

void far__html_attribute(far_buffer *out, const char *text) {
  far__markup_text(out, text);
}

void far__html_lines(far_buffer *out, const char *text) {
  put_all(out, text, LINES);
}

enum { SHORT = 32 }; /* bytes; a piece with a hyphen and no more bytes is not broken */

/* The length of the next piece of a command: up to a space or line break, or up to and with a comma or colon. */
static size_t piece_length(const char *text) {
  const size_t n = strcspn(text, " \n,:");
  return n + (text[n] == ',' || text[n] == ':');
}

void far__html_words(far_buffer *out, const char *text) {
  while (*text != '\0') {
    const size_t space = strspn(text, " \n"), piece = piece_length(text + space);
    const char *end = text + space + piece;
    const bool whole = piece <= SHORT && memchr(text + space, '-', piece) != NULL;
    put_some(out, text, space, LINES);
    if (whole) far__put(out, "<span>");
    put_some(out, text + space, piece, LINES);
    if (whole) far__put(out, "</span>");
    if (*end != '\0' && *end != ' ' && *end != '\n') far__put(out, "<wbr>");
    text = end;
  }
}

void far__html_name(far_buffer *out, const char *text) {
  bool plain = true;
  for (const char *p = text; *p != '\0' && plain; ++p) plain = (unsigned char)*p < 128;
  if (!plain) far__put(out, "<bdi>");
  far__html_text(out, text);
  if (!plain) far__put(out, "</bdi>");
}

void far__html_scope(far_buffer *out, int scope) {
  if (scope > 0) far__text_format(out, " data-env=\"%d\"", scope);
}
