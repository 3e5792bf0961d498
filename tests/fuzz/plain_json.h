/* A second, plain reader of JSON: is it a document of RFC 8259, within the bounds of the library's? */
#ifndef FARSIGHT_TESTS_FUZZ_PLAIN_JSON_H
#define FARSIGHT_TESTS_FUZZ_PLAIN_JSON_H

#include <farsight/farsight.h>

#include "base/json.h"
#include "base/number.h"
#include "fuzz.h"

typedef struct plain {
  const char *at, *end;
  int depth;
} plain;

static inline bool plain_value(plain *p);

static inline void plain_space(plain *p) {
  while (p->at < p->end && *p->at != '\0' && strchr(" \t\r\n", *p->at) != NULL) ++p->at;
}

static inline bool plain_letter(plain *p, char c) {
  if (p->at == p->end || *p->at != c) return false;
  ++p->at;
  return true;
}

static inline bool plain_word(plain *p, const char *text) {
  for (; *text != '\0'; ++text)
    if (!plain_letter(p, *text)) return false;
  return true;
}

static inline size_t plain_digits(plain *p) {
  const char *begin = p->at;
  while (p->at < p->end && *p->at >= '0' && *p->at <= '9') ++p->at;
  return (size_t)(p->at - begin);
}

static inline bool plain_number(plain *p) {
  const char *begin = p->at;
  double x;
  (void)plain_letter(p, '-');
  if (!plain_letter(p, '0') && plain_digits(p) == 0) return false;
  if (plain_letter(p, '.') && plain_digits(p) == 0) return false;
  if (plain_letter(p, 'e') || plain_letter(p, 'E')) {
    if (!plain_letter(p, '-')) (void)plain_letter(p, '+');
    if (plain_digits(p) == 0) return false;
  }
  return far__real_parse(begin, (size_t)(p->at - begin), &x); /* of a size that is taken */
}

static inline bool plain_unit(plain *p, unsigned *out) {
  *out = 0;
  for (int i = 0; i < 4; ++i, ++p->at) {
    if (p->at == p->end) return false;
    const char c = *p->at;
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'F',
               lower = c >= 'a' && c <= 'f';
    if (!digit && !upper && !lower) return false;
    *out = 16 * *out + (unsigned)(c - (digit ? '0' : upper ? 'A' - 10 : 'a' - 10));
  }
  return true;
}

static inline bool plain_escape(plain *p) {
  unsigned high, low;
  if (p->at == p->end) return false;
  const char c = *p->at++;
  if (c != 'u') return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
  if (!plain_unit(p, &high) || high == 0) return false; /* texts end at a zero */
  if (high >= 0xdc00 && high < 0xe000) return false;
  if (high < 0xd800 || high >= 0xe000) return true;
  return plain_word(p, "\\u") && plain_unit(p, &low) && low >= 0xdc00 && low < 0xe000;
}

static inline bool plain_text(plain *p) {
  if (!plain_letter(p, '"')) return false;
  while (p->at < p->end && *p->at != '"') {
    if ((unsigned char)*p->at < 32) return false;
    if (*p->at++ == '\\' && !plain_escape(p)) return false;
  }
  return plain_letter(p, '"');
}

static inline bool plain_list(plain *p, char close, bool keys) {
  if (++p->depth > FAR__JSON_NESTING) return false;
  ++p->at;
  plain_space(p);
  if (!plain_letter(p, close)) {
    do {
      plain_space(p);
      if (keys && !plain_text(p)) return false;
      plain_space(p);
      if ((keys && !plain_letter(p, ':')) || !plain_value(p)) return false;
      plain_space(p);
    } while (plain_letter(p, ','));
    if (!plain_letter(p, close)) return false;
  }
  --p->depth;
  return true;
}

static inline bool plain_value(plain *p) {
  plain_space(p);
  if (p->at == p->end) return false;
  switch (*p->at) {
  case '{': return plain_list(p, '}', true);
  case '[': return plain_list(p, ']', false);
  case '"': return plain_text(p);
  case 't': return plain_word(p, "true");
  case 'f': return plain_word(p, "false");
  case 'n': return plain_word(p, "null");
  default: return plain_number(p);
  }
}

static inline bool is_json(const char *bytes, size_t size) {
  plain p = {.at = bytes, .end = bytes + size};
  if (!plain_value(&p)) return false;
  plain_space(&p);
  return p.at == p.end;
}

#endif
