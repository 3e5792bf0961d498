#include "base/json-grammar.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static size_t skip_digits(const char *text, size_t length, size_t at) {
  while (at < length && text[at] >= '0' && text[at] <= '9') ++at;
  return at;
}

size_t far__json_number(const char *text, size_t length) {
  const size_t whole = length > 0 && text[0] == '-';
  size_t n = skip_digits(text, length, whole);
  if (n == whole || (text[whole] == '0' && n > whole + 1)) return 0;
  if (n < length && text[n] == '.') {
    const size_t fraction = n + 1;
    n = skip_digits(text, length, fraction);
    if (n == fraction) return 0;
  }
  if (n < length && (text[n] == 'e' || text[n] == 'E')) {
    size_t exponent = n + 1;
    if (exponent < length && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    n = skip_digits(text, length, exponent);
    if (n == exponent) return 0;
  }
  return n;
}

static size_t put_utf8(char out[4], uint32_t c) {
  static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
  const size_t tail = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  out[0] = (char)(lead[tail] | c >> (6 * tail));
  for (size_t i = 1; i <= tail; ++i) out[i] = (char)(0x80 | (c >> (6 * (tail - i)) & 0x3f));
  return tail + 1;
}

/* "uXXXX" */
static bool read_unit(const char *text, size_t length, uint32_t *out) {
  static const char hex[] = "0123456789abcdefABCDEF";
  *out = 0;
  if (length < 5 || text[0] != 'u') return false;
  for (size_t i = 1; i < 5; ++i) {
    const char *digit = text[i] != '\0' ? strchr(hex, text[i]) : NULL;
    if (digit == NULL) return false;
    const size_t value = (size_t)(digit - hex);
    *out = *out << 4 | (uint32_t)(value < 16 ? value : value - 6);
  }
  return true;
}

size_t far__json_escape(char out[4], const char *text, size_t length, size_t *used) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *name = length > 0 && text[0] != '\0' ? strchr(names, text[0]) : NULL;
  uint32_t c, low;
  *used = 1;
  if (name != NULL) {
    out[0] = meanings[name - names];
    return 1;
  }
  if (!read_unit(text, length, &c) || (c >= 0xdc00 && c < 0xe000)) return 0;
  *used = 5;
  if (c < 0xd800 || c >= 0xe000) return put_utf8(out, c);
  if (length < 11 || text[5] != '\\' || !read_unit(text + 6, length - 6, &low)) return 0;
  if (low < 0xdc00 || low > 0xdfff) return 0;
  *used = 11;
  return put_utf8(out, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
}
