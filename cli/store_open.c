/* Stores that Ctrl-C can stop, and that say what they wait for. */
#include "cells.h"

#include <unistd.h>

static bool go_on(void *user, double waited) {
  static bool told;
  const char *path = user;
  if (waited > 3 && !told && !interrupted()) {
    told = true;
    fprintf(stderr, "%sfarsight: waiting for another process that writes to '%s'\n",
            isatty(STDERR_FILENO) ? "\r\033[K" : "", path);
  }
  return !interrupted();
}

far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error) {
  return far_store_open_watched(out, path, mode, go_on, (void *)path, error);
}
