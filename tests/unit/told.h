/* What a device says, for tests: the last note, and how many there were. The backend is that of the processor. */
#ifndef FARSIGHT_TESTS_TOLD_H
#define FARSIGHT_TESTS_TOLD_H

#include <stdio.h>

static char told[512];
static int n_told;

static void tell(void *user, const char *text) {
  (void)user;
  snprintf(told, sizeof told, "%s", text);
  n_told += 1;
}

static const char *library = FARSIGHT_LANES_LIBRARY;

#endif
