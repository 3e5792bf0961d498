#include "report/html.h"

typedef enum where { CONTENT, LINES, ATTRIBUTE } where;

/* The code point of a UTF-8 sequence of n bytes. */
static unsigned code_point(const char *text, size_t n) {
  const unsigned char *p = (const unsigned char *)text;
  if (n == 1) return p[0];
  unsigned code = p[0] & (0xffU >> (n + 1));
  for (size_t i = 1; i < n; ++i) code = code << 6 | (p[i] & 0x3fU);
  return code;
}

/* Embeddings, overrides and isolates: what follows them would be read in another order than it is written. */
static bool turns(unsigned code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool is_control(unsigned code) {
  return code < 32 || (code >= 127 && code < 160) || code == 0xfffe || code == 0xffff;
}

static const char *entity(char c) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  default: return NULL;
  }
}

/* U+2400 and following show the control characters of ASCII. */
static void put_control(far_buffer *out, unsigned code) {
  if (code < 32)
    far__text_format(out, "&#%u;", 0x2400 + code);
  else
    far__put(out, code == 127 ? "&#9249;" : "\xef\xbf\xbd");
}

static void put_code(far_buffer *out, const char *bytes, size_t n, where at) {
  const unsigned code = code_point(bytes, n);
  if (code == '\n' && at == LINES)
    far__put(out, "\n");
  else if (code == '\n' || code == '\t')
    far__put(out, at == LINES ? "\t" : " ");
  else if (is_control(code))
    put_control(out, code);
  else if (turns(code) && at == ATTRIBUTE)
    far__put(out, "\xef\xbf\xbd");
  else if (turns(code))
    far__text_format(out, "<span class=\"code\">U+%04X</span>", code);
  else if (n == 1 && entity(*bytes) != NULL)
    far__put(out, entity(*bytes));
  else
    far_buffer_add(out, bytes, n);
}

static void put_some(far_buffer *out, const char *text, size_t length, where at) {
  for (size_t i = 0; i < length;) {
    const size_t n = far__utf8_length(text + i, length - i);
    if (n == 0)
      far__put(out, "\xef\xbf\xbd");
    else
      put_code(out, text + i, n, at);
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
  put_all(out, text, ATTRIBUTE);
}

void far__html_lines(far_buffer *out, const char *text) {
  put_all(out, text, LINES);
}

enum { SHORT = 32 }; /* bytes of a piece that stays in one line */

/* A piece of a command: up to a space, or a comma or colon, and that. */
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
