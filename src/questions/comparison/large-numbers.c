/* Numbers of any size for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "questions/guarantees/theorems.h"

/* "1.0320e+07" becomes "1.032e7". */
static void tidy_exponent(char *text) {
  char *e = strchr(text, 'e');
  if (e == NULL) return;
  char *digits = e + 2;
  const bool negative = e[1] == '-';
  while (digits[0] == '0' && digits[1] != '\0') ++digits;
  char *end = e;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  char rest[16];
  snprintf(rest, sizeof rest, "e%s%s", negative ? "-" : "", digits);
  memmove(end, rest, strlen(rest) + 1);
}

far__big_text far__big(double value, double log10) {
  far__big_text out = {"–"};
  const double size = fabs(value);
  if (value != value) return out;
  const bool whole = value == floor(value);
  if (size > 1e300)
    snprintf(out.text, sizeof out.text, "10^%.1f", log10);
  else if (size < 1e6 && (whole || size >= 1e4))
    snprintf(out.text, sizeof out.text, "%.0f", value);
  else if (size >= 1e-4 && size < 1e4)
    snprintf(out.text, sizeof out.text, "%.4g", value);
  else {
    snprintf(out.text, sizeof out.text, "%.3e", value);
    tidy_exponent(out.text);
  }
  return out;
}

far__big_text far__big_above(double value, double log10) {
  const double size = fabs(value);
  double rounded = value;
  if (size > 1e300) return far__big(value, ceil(10 * log10) / 10);
  if (size >= 1e4 && size < 1e6) {
    rounded = ceil(value);
  } else if (value == value) {
    char text[FAR__NUMBER_SIZE];
    far__real_above(text, value, 4);
    far__real_parse(text, strlen(text), &rounded);
  }
  return far__big(rounded, log10);
}
