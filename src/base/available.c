/* How much memory this process may still use: the least of what the system has, what its group of
 * processes may have, its own limit of addresses, and what the program allows itself. */
#include "base/available.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "farsight/base.h"

/* Sizes up to here are not checked: looking at the system's files would cost more. A limit may be small itself. */
enum { SMALL = 64 << 20, SMALL_LIMITED = 1 << 20 };

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The number behind `key` in a file of lines "key number"; with the key "" its first number. False if there is
 * no number ("max"). */
static bool read_number(const char *path, const char *key, uint64_t *out) {
  char line[256];
  bool found = false;
  FILE *file = fopen(path, "r");
  while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, key, strlen(key)) != 0) continue;
    const char *text = line + strlen(key);
    char *end;
    const uint64_t value = strtoull(text, &end, 10);
    found = end != text;
    if (found) *out = value;
  }
  if (file != NULL) fclose(file);
  return found;
}

/* What a container (control group) may still use, as seen from within; file pages that can be dropped are free. */
static uint64_t of_group(const char *limit, const char *used, const char *stat, const char *key) {
  uint64_t most, now = 0, dropped = 0;
  if (!read_number(limit, "", &most)) return UINT64_MAX;
  (void)read_number(used, "", &now);
  (void)read_number(stat, key, &dropped);
  now -= least(now, dropped);
  return most > now ? most - now : 0;
}

#define V2 "/sys/fs/cgroup/memory."
#define V1 "/sys/fs/cgroup/memory/memory."

/* What is left of a limit, `most`, after the memory in use; 0 is no limit. */
static uint64_t of_limit(uint64_t most) {
  uint64_t kib = 0;
  if (most == 0) return UINT64_MAX;
  (void)read_number("/proc/self/status", "VmRSS:", &kib);
  return most > kib << 10 ? most - (kib << 10) : 0;
}

/* The least of what the machine has without swapping (or in all, where the system does not say), what the
 * container may use, and the limit of addresses (ulimit -v) less those in use. */
static uint64_t of_system(void) {
  const long all = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  uint64_t kib, pages = 0, out = UINT64_MAX;
  if (read_number("/proc/meminfo", "MemAvailable:", &kib))
    out = kib << 10;
  else if (all > 0 && size > 0)
    out = (uint64_t)all * (uint64_t)size;
  out = least(out, of_group(V2 "max", V2 "current", V2 "stat", "inactive_file "));
  out = least(
      out, of_group(V1 "limit_in_bytes", V1 "usage_in_bytes", V1 "stat", "total_inactive_file "));
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return out;
  (void)read_number("/proc/self/statm", "", &pages);
  const uint64_t used = pages * (uint64_t)size, most = limit.rlim_cur;
  return least(out, most > used ? most - used : 0);
}

uint64_t far__memory_available(void) {
  return least(of_system(), of_limit(far_limits_get().memory));
}

far_status far__check_memory(double bytes, const char *what, far_error *error) {
  const uint64_t limit = far_limits_get().memory;
  if (bytes <= (limit > 0 ? SMALL_LIMITED : SMALL)) return FAR_OK;
  const double left = (double)of_limit(limit);
  if (bytes > left)
    return far__fail(error, FAR_STATUS_MEMORY, -1,
                     "%s needs about %.0f bytes (%.3g GB); of the limit of %.3g GB (--max-memory) "
                     "%.3g GB are left",
                     what, bytes, bytes / 1e9, (double)limit / 1e9, left / 1e9);
  if (bytes <= SMALL) return FAR_OK;
  const double available = (double)of_system();
  if (bytes <= available) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1,
                   "%s needs about %.0f bytes (%.3g GB); %.3g GB of memory are available", what,
                   bytes, bytes / 1e9, available / 1e9);
}

far_status far__check_states(uint64_t states, const char *what, far_error *error) {
  const uint64_t most = far_limits_get().states;
  if (most == 0 || states <= most) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "%s of %llu states: the limit is %llu (--max-states)", what,
                   (unsigned long long)states, (unsigned long long)most);
}
