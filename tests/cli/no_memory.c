/* A library to be preloaded, for tests of what a program does when memory runs out: from main() on
 * it counts malloc, calloc, realloc and aligned allocations, those of libraries included, and lets
 * one of them fail. Environment:
 *
 *   NO_MEMORY_AT=N       the N-th allocation fails (from 1; 0 or absent: none does)
 *   NO_MEMORY_ON=1       so do all that follow it
 *   NO_MEMORY_COUNT=FILE at the end, the number of allocations is written there
 *
 * It needs glibc: the true functions are called by glibc's other names, so that nothing has to be
 * looked up while nothing can be allocated.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static atomic_bool counting;
static atomic_long count;
static long fails_at;
static bool goes_on;

static bool fails(void) {
  if (!atomic_load(&counting)) return false;
  const long n = atomic_fetch_add(&count, 1) + 1;
  if (fails_at == 0 || !(n == fails_at || (goes_on && n > fails_at))) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  return fails() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  return size > 0 && fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *memory = aligned_alloc(alignment, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}

/* ---- from main() to the end of the program ---- */

static main_function *true_main;

static long number(const char *name) {
  const char *text = getenv(name);
  return text != NULL ? strtol(text, NULL, 10) : 0;
}

static int counted_main(int argc, char **argv, char **environment) {
  fails_at = number("NO_MEMORY_AT");
  goes_on = number("NO_MEMORY_ON") != 0;
  atomic_store(&counting, true);
  return true_main(argc, argv, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  start_function *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  true_main = main;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static __attribute__((destructor)) void write_count(void) {
  const char *path = getenv("NO_MEMORY_COUNT");
  char digits[24], *at = digits + sizeof digits;
  atomic_store(&counting, false);
  if (path == NULL) return;
  long n = atomic_load(&count);
  do {
    *--at = (char)('0' + n % 10);
  } while ((n /= 10) > 0);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  if (write(file, at, (size_t)(digits + sizeof digits - at)) < 0) (void)unlink(path);
  close(file);
}
