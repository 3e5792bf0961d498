#define _GNU_SOURCE /* dladdr */
#include "base/backend-file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define LIBRARY "libfarsight-gpu.so"

enum { PATH_SIZE = 4096 };

/* FOLDER/MIDDLE/libfarsight-gpu.so, FOLDER being that of the file which holds this. */
static void *load_near(const char *middle) {
  static const char here = 0;
  Dl_info self;
  char path[PATH_SIZE];
  if (dladdr(&here, &self) == 0 || self.dli_fname == NULL) return NULL;
  const char *slash = strrchr(self.dli_fname, '/');
  const int folder = slash != NULL ? (int)(slash - self.dli_fname) : 0;
  const int n = snprintf(path, sizeof path, "%.*s%s/%s", folder, self.dli_fname, middle, LIBRARY);
  if (slash == NULL || n < 0 || n >= PATH_SIZE) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* It is never unloaded: drivers do not like that. */
static void *load(const char *library) {
  if (library == NULL) library = getenv("FARSIGHT_GPU_LIBRARY");
  if (library != NULL && library[0] != '\0') return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *handle = load_near("");
  if (handle == NULL) handle = load_near("/../lib");
  return handle != NULL ? handle : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

far_status far__backend_symbol(void **out, const char *library, const char *symbol,
                               far_error *error) {
  void *handle = load(library);
  *out = NULL;
  if (handle == NULL) {
    const char *text = dlerror();
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "the backend cannot be loaded (%.180s)",
                     text != NULL ? text : "no reason given");
  }
  *out = dlsym(handle, symbol);
  return FAR_OK;
}

far_status far__backend_mismatch(far_error *error) {
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the backend was built for another version of the library");
}
