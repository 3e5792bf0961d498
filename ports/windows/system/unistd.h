/* What MinGW's unistd.h lacks: the numbers of the system, and links, of which there are none. */
#ifndef FARSIGHT_WINDOWS_UNISTD_H
#define FARSIGHT_WINDOWS_UNISTD_H

#include_next <unistd.h>

enum { _SC_NPROCESSORS_ONLN, _SC_PHYS_PAGES, _SC_PAGESIZE };

long sysconf(int what); /* system.c; pages are those that can be had now */

static inline ssize_t readlink(const char *path, char *out, size_t size) {
  (void)path, (void)out, (void)size;
  return -1;
}

#endif
