/* A program that uses us may have set a locale with a decimal comma. */
#ifndef FARSIGHT_TESTS_COMMA_H
#define FARSIGHT_TESTS_COMMA_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

/* Says so where none is installed; then the tests run in the locale they had. */
static inline void set_decimal_comma(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  bool set = false;
  for (size_t i = 0; i < 3 && !set; ++i) set = setlocale(LC_ALL, names[i]) != NULL;
  if (!set) printf("skipped: no locale with a decimal comma is installed\n");
}

#endif
