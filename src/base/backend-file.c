#include "base/backend-file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/own-folder.h"

#define LIBRARY "libfarsight-gpu.so"

enum { PATH_SIZE = 4096 };

/* FOLDER/MIDDLE/libfarsight-gpu.so, where FOLDER is that of the program or library with this code. */
static void *load_near(const char *middle) {
  char folder[PATH_SIZE], path[PATH_SIZE];
  if (!far__own_folder(folder, sizeof folder)) return NULL;
  const int n = snprintf(path, sizeof path, "%s%s/%s", folder, middle, LIBRARY);
  return n > 0 && n < PATH_SIZE ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* The handle is never closed: GPU drivers may fail when their library is unloaded. */
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
