/* Libraries loaded by a program: here there are none, so that a backend of devices is never found. */
#ifndef FARSIGHT_WASM_DLFCN_H
#define FARSIGHT_WASM_DLFCN_H

#include <stddef.h>

enum { RTLD_NOW = 2, RTLD_LOCAL = 0 };

typedef struct Dl_info {
  const char *dli_fname;
} Dl_info;

static inline void *dlopen(const char *path, int mode) {
  (void)path, (void)mode;
  return NULL;
}

static inline void *dlsym(void *library, const char *name) {
  (void)library, (void)name;
  return NULL;
}

static inline int dladdr(const void *address, Dl_info *out) {
  (void)address, (void)out;
  return 0;
}

static inline char *dlerror(void) {
  static char text[] = "libraries are not loaded on this system";
  return text;
}

#endif
