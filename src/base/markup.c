#include "base/markup.h"

#include <string.h>

#include "base/text.h"

static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */

bool far__code_turns(uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool far__code_obeyed(uint32_t code) {
  return code < 32 || (code >= 127 && code < 160) || far__code_turns(code);
}

static const char *entity(uint32_t code) {
  switch (code) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  default: return NULL;
  }
}

void far__markup_character(far_buffer *out, const char *bytes, size_t n) {
  const uint32_t code = n > 0 ? far__utf8_code(bytes, n) : 0xffff;
  if (code == '\n' || code == '\t')
    far__put(out, " ");
  else if (code < 32) /* U+2400 and following are pictures of the control characters */
    far__text_format(out, "&#%u;", 0x2400 + (unsigned)code);
  else if (code == 127)
    far__put(out, "&#9249;");
  else if (far__code_obeyed(code) || code == 0xfffe || code == 0xffff)
    far__put(out, unknown);
  else if (entity(code) != NULL)
    far__put(out, entity(code));
  else
    far_buffer_add(out, bytes, n);
}

void far__markup_text(far_buffer *out, const char *text) {
  const size_t length = strlen(text);
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    far__markup_character(out, text + at, n);
    at += n > 0 ? n : 1;
  }
}

/* A file with a zero among its first bytes is no page. */
bool far__is_page(const char *head, size_t length) {
  const size_t n = sizeof FAR__PAGE_MARK - 1;
  if (memchr(head, '\0', length) != NULL) return false;
  for (size_t at = 0; at + n <= length; ++at)
    if (memcmp(head + at, FAR__PAGE_MARK, n) == 0) return true;
  return false;
}
