#define _GNU_SOURCE /* dladdr */
#include "base/own-folder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool far__own_folder(char *out, size_t size) {
  static const char here = 0;
  Dl_info self;
  if (dladdr(&here, &self) == 0 || self.dli_fname == NULL) return false;
  if (strchr(self.dli_fname, '/') == NULL) {
    /* A program found through PATH is named without a folder; Linux knows where it is. */
    const ssize_t n = readlink("/proc/self/exe", out, size);
    if (n <= 0 || (size_t)n >= size) return false;
    out[n] = '\0';
  } else if ((size_t)snprintf(out, size, "%s", self.dli_fname) >= size) {
    return false;
  }
  *strrchr(out, '/') = '\0';
  return true;
}
