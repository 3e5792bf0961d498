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

static void put_all(far_buffer *out, const char *text, where at) {
  const size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    const size_t n = far__utf8_length(text + i, length - i);
    if (n == 0)
      far__put(out, "\xef\xbf\xbd");
    else
      put_code(out, text + i, n, at);
    i += n > 0 ? n : 1;
  }
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
