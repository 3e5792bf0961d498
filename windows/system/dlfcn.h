/* Libraries loaded by a program: there is no backend of devices for Windows, and none is found. */
#ifndef FARSIGHT_WINDOWS_DLFCN_H
#define FARSIGHT_WINDOWS_DLFCN_H

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
  static char text[] = "there are no backends for Windows";
  return text;
}

#endif
