#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/markup.h"
#include "base/number.h"
#include "base/text.h"

static void put(far__json *j, const char *bytes, size_t length) {
  if (!j->failed && length > 0) j->failed = !j->sink.write(j->sink.user, bytes, length);
}

static void put_text(far__json *j, const char *text) {
  put(j, text, strlen(text));
}

static uint64_t bit(const far__json *j) {
  return (uint64_t)1 << j->depth;
}

void far__json_begin(far__json *j, far_sink sink) {
  *j = (far__json){.sink = sink};
}

/* The bytes of the character at text if it needs no escape; else 0. Control characters need one. */
static size_t plain_length(const char *text, const char *end) {
  if (*text == '"' || *text == '\\') return 0;
  const size_t n = far__utf8_length(text, (size_t)(end - text));
  return n == 0 || far__code_obeyed(far__utf8_code(text, n)) ? 0 : n;
}

/* Writes a string. What is not UTF-8 (in paths, or messages that were cut) becomes U+FFFD, so that the output is
 * JSON whatever the input is. */
static void put_string(far__json *j, const char *text) {
  const char *end = text + strlen(text);
  put_text(j, "\"");
  while (text < end) {
    const char *from = text;
    size_t n = 0;
    while (text < end && (n = plain_length(text, end)) > 0) text += n;
    put(j, from, (size_t)(text - from));
    if (text == end) break;
    char escape[8];
    n = far__utf8_length(text, (size_t)(end - text));
    if (n == 0)
      snprintf(escape, sizeof escape, "\\ufffd");
    else if (*text == '"' || *text == '\\')
      snprintf(escape, sizeof escape, "\\%c", *text);
    else
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)far__utf8_code(text, n) & 0xffffu);
    put_text(j, escape);
    text += n > 0 ? n : 1;
  }
  put_text(j, "\"");
}

/* The comma before a value, and its key. */
static void put_key(far__json *j, const char *key) {
  if (j->started & bit(j)) put_text(j, ",");
  j->started |= bit(j);
  if (key == NULL) return;
  put_string(j, key);
  put_text(j, ":");
}

static void open_level(far__json *j, const char *key, bool array) {
  const bool line = !array && j->depth > 0 && (j->arrays & bit(j));
  put_key(j, key);
  if (line) {
    put_text(j, "\n");
    for (int i = 1; i < j->depth; ++i) put_text(j, " ");
  }
  put_text(j, array ? "[" : "{");
  j->failed = j->failed || j->depth == FAR__JSON_DEPTH;
  if (j->failed) return;
  j->depth += 1;
  j->started &= ~bit(j);
  j->arrays = array ? j->arrays | bit(j) : j->arrays & ~bit(j);
}

void far__json_object(far__json *j, const char *key) {
  open_level(j, key, false);
}

void far__json_array(far__json *j, const char *key) {
  open_level(j, key, true);
}

void far__json_end(far__json *j) {
  if (j->failed || j->depth == 0) return;
  put_text(j, j->arrays & bit(j) ? "]" : "}");
  j->depth -= 1;
}

void far__json_raw(far__json *j, const char *key, const char *text, size_t length) {
  put_key(j, key);
  put(j, text, length);
}

void far__json_text(far__json *j, const char *key, const char *text) {
  put_key(j, key);
  if (text != NULL)
    put_string(j, text);
  else
    put_text(j, "null");
}

void far__json_real(far__json *j, const char *key, double x) {
  char text[FAR__NUMBER_SIZE] = "null";
  const size_t n = x - x == 0 ? far__real_format(text, x) : strlen(text);
  far__json_raw(j, key, text, n);
}

void far__json_integer(far__json *j, const char *key, uint64_t x) {
  char text[FAR__NUMBER_SIZE + 2] = "\"";
  const size_t n = far__unsigned_format(text + 1, x);
  text[n + 1] = '"';
  if (x > (uint64_t)1 << 53)
    far__json_raw(j, key, text, n + 2);
  else
    far__json_raw(j, key, text + 1, n);
}

void far__json_flag(far__json *j, const char *key, bool x) {
  far__json_raw(j, key, x ? "true" : "false", x ? 4 : 5);
}

void far__json_null(far__json *j, const char *key) {
  far__json_raw(j, key, "null", 4);
}
