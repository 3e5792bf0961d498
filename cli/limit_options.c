/* What a command may use. The library refuses what it knows to be too large before it is allocated. The system's limit of
 * data (RLIMIT_DATA) is the safety net for allocations that the library does not estimate: texts, tables of results, the
 * pages of a store. A failed allocation then ends the command as it does where the machine has no more.
 *
 * RLIMIT_DATA counts memory that the process may write to. RLIMIT_AS counts addresses, also those that are only reserved
 * (64 MiB for each thread's heap, terabytes for a GPU's driver or a sanitizer), and would end commands that need little
 * memory. Stacks of threads are reserved as well and count as data: they are added to the limit.
 */
#include "limit_options.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/number.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { LEAST_STACK = 256 << 10 }; /* more than any command needs; threads have the same limit */

#ifdef SANITIZED /* whose own memory counts */
enum { HAS_NET = 0 };
#else
enum { HAS_NET = 1 };
#endif

/* A thread or two for every processor, and one to spare. */
static rlim_t stacks(void) {
  enum { USUAL = 8 << 20 };
  struct rlimit stack;
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  const bool known = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
  return (known ? stack.rlim_cur : USUAL) * (rlim_t)(2 * (n < 1 ? 1 : n) + 1);
}

int check_stack(void) {
  struct rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= LEAST_STACK) return EXIT_OK;
  return complain("the system's limit of the stack is %llu KiB, and this program needs %d KiB: "
                  "'ulimit -s %d' sets it, where 'ulimit -H -s' allows that",
                  (unsigned long long)stack.rlim_cur / 1024, LEAST_STACK / 1024,
                  LEAST_STACK / 1024);
}

/* Sets RLIMIT_DATA. Where the system refuses, only the library's own limits hold. */
static void limit_data(uint64_t memory) {
  struct rlimit data;
  const rlim_t most = (rlim_t)memory + stacks();
  if (!HAS_NET || getrlimit(RLIMIT_DATA, &data) != 0) return;
  if (data.rlim_cur != RLIM_INFINITY && data.rlim_cur <= most) return;
  data.rlim_cur = most;
  (void)setrlimit(RLIMIT_DATA, &data);
}

static void impose(far_limits limits) {
  far_limits_set(limits);
  if (limits.memory > 0) limit_data(limits.memory);
}

int set_limits(const arguments *args) {
  const char *size = args_last(args, "max-memory");
  far_limits limits = {0};
  int64_t states = 0;
  if (size != NULL && !far__size_parse(size, strlen(size), &limits.memory))
    return usage_error(args, "--max-memory '%s': must be a size in bytes, as in 512M or 4G", size);
  if (!args_integer(args, "max-states", 1, INT64_MAX, &states)) return EXIT_USAGE;
  limits.states = (uint64_t)states;
  impose(limits);
  return EXIT_OK;
}

/* The value of the option that this word is, "--NAME VALUE" or "--NAME=VALUE"; NULL if it is another. */
static const char *value_at(char *const *word, const char *name) {
  const size_t length = strlen(name);
  if (strncmp(*word, name, length) != 0) return NULL;
  if ((*word)[length] == '=') return *word + length + 1;
  return (*word)[length] == '\0' ? word[1] : NULL;
}

void set_limits_of_line(char *const *words) {
  far_limits limits = {0};
  for (char *const *word = words; *word != NULL && strcmp(*word, "--") != 0; ++word) {
    const char *size = value_at(word, "--max-memory"), *states = value_at(word, "--max-states");
    if (size != NULL) (void)far__size_parse(size, strlen(size), &limits.memory);
    if (states != NULL) (void)far__unsigned_parse(states, strlen(states), &limits.states);
  }
  impose(limits);
}
