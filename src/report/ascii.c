/* Text for terminals: without control characters, and in ASCII where the terminal has nothing else. */
#include <string.h>

#include "base/markup.h"
#include "base/text.h"
#include "report/build.h"
#include "report/document.h"

/* Characters and their replacements, which have at most 5 bytes for each byte of the character. */
static const char *const replacements[][2] = {
    {"±", "+/-"},   {"–", "-"},     {"—", "--"},    {"…", "..."},    {"×", "x"},     {"∞", "inf"},
    {"─", "-"},     {"│", "|"},     {"≤", "<="},    {"≥", ">="},     {"≈", "~"},     {"≠", "!="},
    {"→", "->"},    {"←", "<-"},    {"↑", "^"},     {"↓", "v"},      {"·", "*"},     {"−", "-"},
    {"γ", "gamma"}, {"ε", "eps"},   {"δ", "delta"}, {"λ", "lambda"}, {"κ", "kappa"}, {"σ", "sigma"},
    {"π", "pi"},    {"θ", "theta"}, {"α", "alpha"}, {"β", "beta"},   {"ρ", "rho"},   {"τ", "tau"},
    {"Δ", "Delta"}, {"Σ", "Sum"},   {"²", "^2"},    {"³", "^3"},     {"½", "1/2"},   {"√", "sqrt"},
    {"‘", "'"},     {"’", "'"},     {"“", "\""},    {"”", "\""},     {"⋮", ":"},     {"§", "sec."},
    {"°", "deg"},   {"▁", "_"},     {"▂", "."},     {"▃", "-"},      {"▄", "="},     {"▅", "+"},
    {"▆", "*"},     {"▇", "%"},     {"█", "#"},     {"á", "a"},      {"é", "e"},     {"è", "e"},
    {"ö", "oe"},    {"ä", "ae"},    {"ü", "ue"},    {"ó", "o"},      {"í", "i"},     {"ñ", "n"},
    {"ç", "c"},
};

static const char *replacement(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof replacements / sizeof *replacements; ++i)
    if (strlen(replacements[i][0]) == length && memcmp(replacements[i][0], text, length) == 0)
      return replacements[i][1];
  return "?";
}

/* The replacement in a drawing, where each character becomes exactly one, so that columns stay aligned. The pairs
 * here take precedence over `replacements`. */
static char drawn(const char *text, size_t length) {
  static const char *const pairs[][2] = {{"→", ">"},  {"←", "<"},  {"↗", "/"}, {"↙", "/"},
                                         {"↖", "\\"}, {"↘", "\\"}, {"┌", "+"}, {"┐", "+"},
                                         {"└", "+"},  {"┘", "+"},  {"·", "."}, {"…", "."}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (strlen(pairs[i][0]) == length && memcmp(pairs[i][0], text, length) == 0)
      return pairs[i][1][0];
  const char *by = replacement(text, length);
  return by[1] == '\0' ? by[0] : '?';
}

void far__ascii_drawing(char *out, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    *out++ = n == 1 ? text[at] : n > 1 ? drawn(text + at, n) : '?';
    at += n > 1 ? n : 1;
  }
  *out = '\0';
}

size_t far__ascii(char *out, const char *text, size_t length) {
  char *to = out;
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    if (n == 1) {
      *to++ = text[at++];
      continue;
    }
    const char *by = n > 1 ? replacement(text + at, n) : "?";
    memcpy(to, by, strlen(by));
    to += strlen(by);
    at += n > 1 ? n : 1;
  }
  *to = '\0';
  return (size_t)(to - out);
}

size_t far__printable(char *out, const char *text, size_t length) {
  size_t used = 0;
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    if (n == 0 || (text[at] != '\n' && far__code_obeyed(far__utf8_code(text + at, n))))
      out[used++] = text[at] == '\t' ? ' ' : '?';
    else
      for (size_t i = 0; i < n; ++i) out[used++] = text[at + i];
    at += n > 0 ? n : 1;
  }
  out[used] = '\0';
  return used;
}
