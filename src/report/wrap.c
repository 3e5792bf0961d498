#include <string.h>

#include "base/text.h"
#include "report/build.h"

static bool put_break(far_sink sink, int indent) {
  bool taken = sink.write(sink.user, "\n", 1);
  for (; taken && indent > 0; --indent) taken = sink.write(sink.user, " ", 1);
  return taken;
}

static size_t word_length(const char *text, size_t length) {
  size_t n = 0;
  while (n < length && text[n] != ' ' && text[n] != '\n') ++n;
  return n;
}

bool far__text_wrap(far_sink sink, const char *text, size_t length, int used, int indent,
                    int width) {
  bool first = true, taken = true; /* first of its line */
  for (const char *end = text + length; taken && text < end;) {
    const size_t n = word_length(text, (size_t)(end - text));
    const int columns = far__text_width(text, n);
    if (!first && used + 1 + columns > width) {
      taken = put_break(sink, indent);
      used = indent;
      first = true;
    }
    if (!first) taken = taken && sink.write(sink.user, " ", 1);
    taken = taken && sink.write(sink.user, text, n);
    used += columns + !first;
    first = false;
    text += n;
    while (text < end && (*text == ' ' || *text == '\n')) ++text;
  }
  return taken && sink.write(sink.user, "\n", 1);
}
