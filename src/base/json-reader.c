#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json-grammar.h"
#include "base/json.h"
#include "base/number.h"

/* ---- reading: recursive descent over a text that ends in '\0' ---- */

typedef struct reader {
  far__json_document *document;
  char *at, *begin, *end;
  int depth;
} reader;

static int read_value(reader *r);

static int fail(reader *r, const char *message) {
  if (r->document->error[0] == '\0')
    snprintf(r->document->error, sizeof r->document->error, "%s at character %ld", message,
             (long)(r->at - r->begin) + 1);
  return -1;
}

static void skip_space(reader *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n') ++r->at;
}

static int new_value(reader *r, far__json_kind kind) {
  if (r->document->count == FAR__JSON_VALUES) return fail(r, "too many values");
  const int i = r->document->count++;
  r->document->values[i] = (far__json_value){.kind = kind, .first = -1, .next = -1};
  return i;
}

static int read_word(reader *r, const char *word, far__json_kind kind) {
  const size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
    return fail(r, "expected a JSON value");
  r->at += n;
  return new_value(r, kind);
}

static int read_number(reader *r) {
  const size_t n = far__json_number(r->at, (size_t)(r->end - r->at));
  double x;
  if (n == 0) return fail(r, "expected a number");
  if (!far__real_parse(r->at, n, &x)) return fail(r, "the number is too large or too long");
  r->at += n;
  const int i = new_value(r, FAR__JSON_NUMBER);
  if (i >= 0) r->document->values[i].number = x;
  return i;
}

/* Reads a string, removing escapes in place: they are longer than what they stand for. An escaped zero is
 * refused, for it would end the text early. */
static char *read_text(reader *r) {
  char *text = ++r->at, *to = text;
  while (*r->at != '"') {
    if ((unsigned char)*r->at < 32) {
      fail(r, r->at == r->end ? "the string is not closed" : "a control character in a string");
      return NULL;
    }
    if (*r->at != '\\') {
      *to++ = *r->at++;
      continue;
    }
    char bytes[4];
    size_t used;
    const size_t n = far__json_escape(bytes, r->at + 1, (size_t)(r->end - r->at - 1), &used);
    if (n == 0 || bytes[0] == '\0') {
      fail(r, "a bad escape in a string");
      return NULL;
    }
    memcpy(to, bytes, n);
    to += n;
    r->at += 1 + used;
  }
  ++r->at;
  *to = '\0';
  return text;
}

static int read_string(reader *r) {
  const char *text = read_text(r);
  if (text == NULL) return -1;
  const int i = new_value(r, FAR__JSON_STRING);
  if (i >= 0) r->document->values[i].text = text;
  return i;
}

/* "key" : , giving the key */
static const char *read_key(reader *r, int object) {
  if (*r->at != '"') {
    fail(r, "expected a key in quotes");
    return NULL;
  }
  const char *key = read_text(r);
  if (key == NULL) return NULL;
  if (far__json_member(r->document, &r->document->values[object], key) != NULL) {
    fail(r, "the same key twice");
    return NULL;
  }
  skip_space(r);
  if (*r->at != ':') {
    fail(r, "expected ':'");
    return NULL;
  }
  ++r->at;
  return key;
}

static int read_children(reader *r, far__json_kind kind, char close) {
  const int parent = new_value(r, kind);
  if (parent < 0) return -1;
  if (++r->depth > FAR__JSON_NESTING) return fail(r, "nested too deeply");
  ++r->at;
  skip_space(r);
  for (int last = -1; *r->at != close;) {
    const char *key = NULL;
    if (kind == FAR__JSON_OBJECT && (key = read_key(r, parent)) == NULL) return -1;
    const int child = read_value(r);
    if (child < 0) return -1;
    r->document->values[child].key = key;
    if (kind == FAR__JSON_ARRAY) /* elements are checked and dropped: there may be more than fit */
      r->document->count = parent + 1;
    else if (last < 0)
      r->document->values[parent].first = child;
    else
      r->document->values[last].next = child;
    last = child;
    skip_space(r);
    if (*r->at == close) break;
    if (*r->at != ',')
      return fail(r, kind == FAR__JSON_OBJECT ? "expected ',' or '}'" : "expected ',' or ']'");
    ++r->at;
    skip_space(r);
    if (*r->at == close) return fail(r, "nothing after ','");
  }
  ++r->at;
  --r->depth;
  return parent;
}

static int read_value(reader *r) {
  skip_space(r);
  switch (*r->at) {
  case '{': return read_children(r, FAR__JSON_OBJECT, '}');
  case '[': return read_children(r, FAR__JSON_ARRAY, ']');
  case '"': return read_string(r);
  case 't': return read_word(r, "true", FAR__JSON_TRUE);
  case 'f': return read_word(r, "false", FAR__JSON_FALSE);
  case 'n': return read_word(r, "null", FAR__JSON_NULL);
  default: break;
  }
  if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) return read_number(r);
  return fail(r, "expected a JSON value");
}

bool far__json_read(far__json_document *out, char *text, size_t length) {
  reader r = {.document = out, .at = text, .begin = text, .end = text + length};
  out->count = 0;
  out->error[0] = '\0';
  text[length] = '\0';
  if (read_value(&r) < 0) return false;
  skip_space(&r);
  if (r.at != r.end) fail(&r, "something follows the JSON value");
  return out->error[0] == '\0';
}

const far__json_value *far__json_member(const far__json_document *d, const far__json_value *object,
                                        const char *key) {
  if (object->kind != FAR__JSON_OBJECT) return NULL;
  for (int i = object->first; i >= 0; i = d->values[i].next)
    if (strcmp(d->values[i].key, key) == 0) return &d->values[i];
  return NULL;
}
