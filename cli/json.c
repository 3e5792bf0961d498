#include "json.h"

#include <farsight/farsight.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* ---- writing ---- */

/* The length of the UTF-8 sequence at p, or 0 if there is none (RFC 3629). */
static int utf8_length(const unsigned char *p) {
  const int n = p[0] < 0x80                   ? 1
                : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                : (p[0] & 0xf0) == 0xe0       ? 3
                : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                              : 0;
  for (int i = 1; i < n; ++i)
    if ((p[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
  const bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
  return overlong || outside ? 0 : n;
}

static bool lost;

bool json_lost(void) {
  const bool out = lost;
  lost = false;
  return out;
}

void json_print(FILE *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (vfprintf(out, format, list) < 0) lost = true;
  va_end(list);
}

/* What is no UTF-8 (a path can be anything, and a message may be cut) becomes the replacement
 * character, so that the output is JSON whatever the input was. */
void json_write_string(FILE *out, const char *text) {
  json_print(out, "\"");
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    const unsigned char *begin = p;
    int n = utf8_length(p);
    while (*p >= 32 && *p != '"' && *p != '\\' && n > 0) n = utf8_length(p += n);
    if (p > begin) json_print(out, "%.*s", (int)(p - begin), (const char *)begin);
    if (*p == '\0') break;
    if (n == 0)
      json_print(out, "\\ufffd");
    else if (*p < 32)
      json_print(out, "\\u%04x", *p);
    else
      json_print(out, "\\%c", *p);
    ++p;
  }
  json_print(out, "\"");
}

void json_write_real(FILE *out, double x) {
  char text[FAR_NUMBER_SIZE] = "null";
  if (x - x == 0) far_real_format(text, x);
  json_print(out, "%s", text);
}

void json_write_integer(FILE *out, uint64_t x) {
  const char *quote = x > (uint64_t)1 << 53 ? "\"" : "";
  json_print(out, "%s%llu%s", quote, (unsigned long long)x, quote);
}

void json_add_integer(FILE *out, const char *name, uint64_t x) {
  json_print(out, ",\"%s\":", name);
  json_write_integer(out, x);
}

void json_add_real(FILE *out, const char *name, double x) {
  json_print(out, ",\"%s\":", name);
  json_write_real(out, x);
}

void json_add_text(FILE *out, const char *name, const char *text) {
  json_print(out, ",\"%s\":", name);
  if (text != NULL)
    json_write_string(out, text);
  else
    json_print(out, "null");
}

void json_add_flag(FILE *out, const char *name, bool x) {
  json_print(out, ",\"%s\":%s", name, x ? "true" : "false");
}

/* ---- reading: recursive descent over a text that ends in '\0' ---- */

typedef struct reader {
  json_document *document;
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

static int new_value(reader *r, json_kind kind) {
  if (r->document->count == JSON_VALUES) return fail(r, "too many values");
  const int i = r->document->count++;
  r->document->values[i] = (json_value){.kind = kind, .first = -1, .next = -1};
  return i;
}

static int read_word(reader *r, const char *word, json_kind kind) {
  const size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
    return fail(r, "expected a JSON value");
  r->at += n;
  return new_value(r, kind);
}

static char *skip_digits(char *p) {
  while (*p >= '0' && *p <= '9') ++p;
  return p;
}

static int read_number(reader *r) {
  char *p = r->at + (*r->at == '-');
  char *digits = p;
  p = skip_digits(p);
  if (p == digits || (*digits == '0' && p > digits + 1)) return fail(r, "expected a number");
  if (*p == '.') {
    digits = ++p;
    p = skip_digits(p);
    if (p == digits) return fail(r, "expected a digit after the point");
  }
  if (*p == 'e' || *p == 'E') {
    p += 1 + (p[1] == '+' || p[1] == '-');
    digits = p;
    p = skip_digits(p);
    if (p == digits) return fail(r, "expected an exponent");
  }
  double x;
  if (!far_real_parse(r->at, (size_t)(p - r->at), &x))
    return fail(r, "the number is too large or too long");
  r->at = p;
  const int i = new_value(r, JSON_NUMBER);
  if (i >= 0) r->document->values[i].number = x;
  return i;
}

static bool read_hex4(reader *r, uint32_t *out) {
  *out = 0;
  for (int i = 0; i < 4; ++i, ++r->at) {
    const char c = *r->at;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return false;
    *out = *out << 4 | (uint32_t)digit;
  }
  return true;
}

static char *put_utf8(char *to, uint32_t c) {
  const int tail = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(lead[tail] | c >> (6 * tail));
  for (int i = tail - 1; i >= 0; --i) *to++ = (char)(0x80 | (c >> (6 * i) & 0x3f));
  return to;
}

/* After "\u"; surrogates must come in pairs, and \u0000 would end the text early. */
static char *read_unicode(reader *r, char *to) {
  uint32_t c, low;
  if (!read_hex4(r, &c)) return NULL;
  if (c >= 0xd800 && c < 0xdc00) {
    if (r->at[0] != '\\' || r->at[1] != 'u') return NULL;
    r->at += 2;
    if (!read_hex4(r, &low) || low < 0xdc00 || low > 0xdfff) return NULL;
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  } else if (c == 0 || (c >= 0xdc00 && c < 0xe000)) {
    return NULL;
  }
  return put_utf8(to, c);
}

/* Removes the escapes in place: no text grows by that. */
static char *read_text(reader *r) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
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
    ++r->at;
    const char *name = *r->at ? strchr(names, *r->at) : NULL;
    if (name != NULL) {
      *to++ = meanings[name - names];
      ++r->at;
      continue;
    }
    to = *r->at++ == 'u' ? read_unicode(r, to) : NULL;
    if (to == NULL) {
      fail(r, "a bad escape in a string");
      return NULL;
    }
  }
  ++r->at;
  *to = '\0';
  return text;
}

static int read_string(reader *r) {
  const char *text = read_text(r);
  if (text == NULL) return -1;
  const int i = new_value(r, JSON_STRING);
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
  if (json_member(r->document, &r->document->values[object], key) != NULL) {
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

/* Puts a value behind its siblings. Elements of an array are checked and then forgotten: nobody asks for
 * them, and there may be more than a document has room for. */
static void add_child(json_document *d, int parent, int last, int child) {
  if (d->values[parent].kind == JSON_ARRAY)
    d->count = parent + 1;
  else if (last < 0)
    d->values[parent].first = child;
  else
    d->values[last].next = child;
}

static int read_children(reader *r, json_kind kind, char close) {
  const int parent = new_value(r, kind);
  if (parent < 0) return -1;
  if (++r->depth > JSON_DEPTH) return fail(r, "nested too deeply");
  ++r->at;
  skip_space(r);
  for (int last = -1; *r->at != close;) {
    const char *key = NULL;
    if (kind == JSON_OBJECT && (key = read_key(r, parent)) == NULL) return -1;
    const int child = read_value(r);
    if (child < 0) return -1;
    r->document->values[child].key = key;
    add_child(r->document, parent, last, child);
    last = child;
    skip_space(r);
    if (*r->at == close) break;
    if (*r->at != ',')
      return fail(r, kind == JSON_OBJECT ? "expected ',' or '}'" : "expected ',' or ']'");
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
  case '{': return read_children(r, JSON_OBJECT, '}');
  case '[': return read_children(r, JSON_ARRAY, ']');
  case '"': return read_string(r);
  case 't': return read_word(r, "true", JSON_TRUE);
  case 'f': return read_word(r, "false", JSON_FALSE);
  case 'n': return read_word(r, "null", JSON_NULL);
  default: break;
  }
  if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) return read_number(r);
  return fail(r, "expected a JSON value");
}

bool json_read(json_document *out, char *text, size_t length) {
  reader r = {.document = out, .at = text, .begin = text, .end = text + length};
  out->count = 0;
  out->error[0] = '\0';
  text[length] = '\0';
  if (read_value(&r) < 0) return false;
  skip_space(&r);
  if (r.at != r.end) fail(&r, "something follows the JSON value");
  return out->error[0] == '\0';
}

const json_value *json_member(const json_document *d, const json_value *object, const char *key) {
  if (object->kind != JSON_OBJECT) return NULL;
  for (int i = object->first; i >= 0; i = d->values[i].next)
    if (strcmp(d->values[i].key, key) == 0) return &d->values[i];
  return NULL;
}
