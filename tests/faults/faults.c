/* A library to be preloaded, for tests of what a program does when something fails: from main() on it counts what
 * could fail, in all libraries, and lets one of these fail. Environment:
 *
 *   FAULTS_KIND=K     memory: an allocation gives NULL
 *                     EIO, ENOSPC, EINTR: a call of the system gives this error
 *                     short: a read or a write does half of what it is asked for
 *                     kill: the process is killed before a call of the system
 *   FAULTS_AT=N       the N-th of these fails (from 1; 0 or absent: none does)
 *   FAULTS_ON=1       so do all that follow it, but for locks and what is on standard input, output and error
 *   FAULTS_COUNT=FILE at the end, their number is written there
 *   FAULTS_HIT=FILE   the call that failed is written there: its name and its file
 *
 * Allocations: malloc and its kin stand before the C library's (or before the address sanitizer's), and the true
 * functions are called by their other names, so that nothing has to be looked up while nothing can be allocated.
 *
 * Calls of the system: stdio and SQLite make them inside of libraries, where no function can stand before them. So the
 * kernel is asked (seccomp) to send a signal in place of each that comes from the text of the C library. The handler
 * makes the call itself, from this library's text, or fails. A child that has executed another program has its C
 * library elsewhere and is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

enum { MEMORY = 1, ERROR = 2, ROOM = 4, INTERRUPT = 8, SHORT = 16, KILL = 32 };

static atomic_bool counting;
static atomic_long count;
static long fails_at;
static bool goes_on;
static unsigned kind; /* one of the above */
static int code;      /* the error of a call */
static const char *hit_path;

/* Is this the one? */
static bool is_due(bool may_follow) {
  const long n = atomic_fetch_add(&count, 1) + 1;
  return fails_at > 0 && (n == fails_at || (goes_on && may_follow && n > fails_at));
}

/* ---- memory ---- */

#ifdef FAULTS_ADDRESS_SANITIZER
#define TRUE(name) __interceptor_##name
#else
#define TRUE(name) __libc_##name
#endif
void *TRUE(malloc)(size_t size);
void *TRUE(calloc)(size_t number, size_t size);
void *TRUE(realloc)(void *old, size_t size);
void *TRUE(memalign)(size_t alignment, size_t size);

static bool no_memory(void) {
  if (kind != MEMORY || !atomic_load(&counting) || !is_due(true)) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  return no_memory() ? NULL : TRUE(malloc)(size);
}

void *calloc(size_t number, size_t size) {
  return no_memory() ? NULL : TRUE(calloc)(number, size);
}

void *realloc(void *old, size_t size) {
  return size > 0 && no_memory() ? NULL : TRUE(realloc)(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return no_memory() ? NULL : TRUE(memalign)(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *memory = aligned_alloc(alignment, size);
  if (memory == NULL) return ENOMEM;
  *out = memory;
  return 0;
}

#ifdef FAULTS_ADDRESS_SANITIZER /* whose copies of texts do not ask malloc */
char *strndup(const char *text, size_t most) {
  const size_t length = strnlen(text, most);
  char *out = malloc(length + 1);
  if (out == NULL) return NULL;
  out[length] = '\0';
  return memcpy(out, text, length);
}

char *strdup(const char *text) {
  return strndup(text, strlen(text));
}
#endif

/* ---- calls of the system ---- */

#if defined __x86_64__
static long call(long number, const long a[6]) {
  register long r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static long *result_of(ucontext_t *context, long a[6]) {
  static const int places[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  for (int i = 0; i < 6; ++i) a[i] = (long)context->uc_mcontext.gregs[places[i]];
  return (long *)&context->uc_mcontext.gregs[REG_RAX];
}
#elif defined __aarch64__
static long call(long number, const long a[6]) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a[0], x1 __asm__("x1") = a[1],
                   x2 __asm__("x2") = a[2], x3 __asm__("x3") = a[3], x4 __asm__("x4") = a[4],
                   x5 __asm__("x5") = a[5];
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}

static long *result_of(ucontext_t *context, long a[6]) {
  for (int i = 0; i < 6; ++i) a[i] = (long)context->uc_mcontext.regs[i];
  return (long *)&context->uc_mcontext.regs[0];
}
#endif

/* What can happen to a call, and its argument that is a descriptor, or else the one that is a path. */
typedef struct call_info {
  long number;
  const char *name;
  unsigned kinds;
  int descriptor, path;
} call_info;

#define ON_FILE(name, kinds)                                                                       \
  { SYS_##name, #name, ERROR | KILL | (kinds), 0, -1 }
#define ON_PATH(name, at, kinds)                                                                   \
  { SYS_##name, #name, ERROR | KILL | (kinds), -1, at }

static const call_info calls[] = {
    ON_FILE(read, INTERRUPT | SHORT),
    ON_FILE(pread64, INTERRUPT | SHORT),
    ON_FILE(readv, INTERRUPT),
    ON_FILE(write, INTERRUPT | SHORT | ROOM),
    ON_FILE(pwrite64, INTERRUPT | SHORT | ROOM),
    ON_FILE(writev, INTERRUPT | ROOM),
    ON_FILE(fsync, INTERRUPT | ROOM),
    ON_FILE(fdatasync, INTERRUPT | ROOM),
    ON_FILE(ftruncate, INTERRUPT | ROOM),
    ON_FILE(fallocate, INTERRUPT | ROOM),
    ON_FILE(close, INTERRUPT | ROOM),
    ON_FILE(fcntl, INTERRUPT),
    ON_FILE(lseek, 0),
    ON_FILE(fstat, 0),
    ON_FILE(fchmod, 0),
    ON_FILE(fchown, 0),
    ON_FILE(getdents64, 0),
    ON_PATH(openat, 1, INTERRUPT | ROOM),
    ON_PATH(newfstatat, 1, 0),
    ON_PATH(statx, 1, 0),
    ON_PATH(unlinkat, 1, 0),
    ON_PATH(mkdirat, 1, ROOM),
    ON_PATH(renameat, 1, ROOM),
    ON_PATH(renameat2, 1, ROOM),
    ON_PATH(faccessat, 1, 0),
    ON_PATH(faccessat2, 1, 0),
    ON_PATH(readlinkat, 1, 0),
    {SYS_mmap, "mmap", ERROR | KILL, 4, -1},
#ifdef SYS_open
    ON_PATH(open, 0, INTERRUPT | ROOM),
    ON_PATH(stat, 0, 0),
    ON_PATH(lstat, 0, 0),
    ON_PATH(unlink, 0, 0),
    ON_PATH(mkdir, 0, ROOM),
    ON_PATH(rename, 0, ROOM),
    ON_PATH(access, 0, 0),
    ON_PATH(readlink, 0, 0),
#endif
};

enum { N_CALLS = sizeof calls / sizeof *calls };

static const call_info *find_call(long number) {
  for (size_t i = 0; i < N_CALLS; ++i)
    if (calls[i].number == number) return &calls[i];
  return NULL;
}

/* Can this kind of fault happen here? A read of one byte cannot be short, a file that is not made needs no room, a
 * mapping of no file is memory, and to give up a lock does not fail. */
static bool can_fail(const call_info *info, const long a[6]) {
  if ((info->kinds & kind) == 0) return false;
  if (kind == SHORT) return a[2] > 1;
  if (kind == ROOM && info->number == SYS_openat) return (a[2] & O_CREAT) != 0;
#ifdef SYS_open
  if (kind == ROOM && info->number == SYS_open) return (a[1] & O_CREAT) != 0;
#endif
  if (info->number == SYS_fcntl)
    return a[1] != F_SETLK || ((const struct flock *)a[2])->l_type != F_UNLCK;
  return info->number != SYS_mmap || (int)a[4] >= 0;
}

/* A disk that stays broken is not the terminal. And SQLite takes a lock of shared memory that fails for one that
 * another process holds, for which it waits for minutes. */
static bool may_follow(const call_info *info, const long a[6]) {
  return info->number != SYS_fcntl && (info->descriptor < 0 || (int)a[info->descriptor] > 2);
}

/* Files and the names of descriptors, by calls that are not counted. */
static void write_line(const char *path, const char *text, const char *more) {
  const int file =
      (int)call(SYS_openat, (long[6]){AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_APPEND, 0666});
  if (file < 0) return;
  const char *const parts[] = {text, " ", more, "\n"};
  for (int i = 0; i < 4; ++i)
    call(SYS_write, (long[6]){file, (long)parts[i], (long)strlen(parts[i])});
  call(SYS_close, (long[6]){file});
}

static char *digits_of(long n, char *end) {
  *--end = '\0';
  do {
    *--end = (char)('0' + n % 10);
  } while ((n /= 10) > 0);
  return end;
}

static void report(const call_info *info, const long a[6]) {
  static const char folder[] = "/proc/self/fd/";
  char link[64], digits[24], name[4096];
  if (hit_path == NULL) return;
  if (info->descriptor < 0) {
    write_line(hit_path, info->name, (const char *)a[info->path]);
    return;
  }
  memcpy(link, folder, sizeof folder);
  strcat(link, digits_of((int)a[info->descriptor], digits + sizeof digits));
  const long length =
      call(SYS_readlinkat, (long[6]){AT_FDCWD, (long)link, (long)name, sizeof name - 1});
  name[length > 0 ? length : 0] = '\0';
  write_line(hit_path, info->name, (int)a[info->descriptor] > 2 ? name : link);
}

static long fail(const call_info *info, long a[6]) {
  report(info, a);
  if (kind == KILL) call(SYS_kill, (long[6]){call(SYS_getpid, (long[6]){0}), SIGKILL});
  if (kind == SHORT) {
    a[2] = (a[2] + 1) / 2;
    return call(info->number, a);
  }
  if (info->number == SYS_close) call(info->number, a); /* it is closed, whatever the system says */
  return -code;
}

static void on_call(int signal, siginfo_t *what, void *context) {
  long a[6];
  long *result = result_of(context, a);
  const call_info *info = find_call(what->si_syscall);
  (void)signal;
  if (info != NULL && atomic_load(&counting) && can_fail(info, a) && is_due(may_follow(info, a)))
    *result = fail(info, a);
  else
    *result = call(what->si_syscall, a);
}

/* ---- the filter ---- */

typedef struct range {
  uint64_t begin, end;
} range;

static int find_text(struct dl_phdr_info *info, size_t size, void *user) {
  range *out = user;
  (void)size;
  if (strstr(info->dlpi_name, "/libc.so") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
      out->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      out->end = out->begin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

/* A signal for each of `calls` whose instruction is in the text; it must not cross a multiple of 2^32. */
static bool install(const range *text) {
  enum { HEAD = 6 };
  struct sock_filter filter[HEAD + N_CALLS + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(text->begin >> 32), 0, N_CALLS + 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)text->begin, 0, N_CALLS + 2),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)text->end, N_CALLS + 1, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  for (int i = 0; i < N_CALLS; ++i)
    filter[HEAD + i] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, (uint8_t)(N_CALLS - i), 0);
  filter[HEAD + N_CALLS] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[HEAD + N_CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  const struct sock_fprog program = {.len = HEAD + N_CALLS + 2, .filter = filter};
  struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- from main() to the end of the program ---- */

static main_function *true_main;
static char *count_path;

static void read_kind(const char *name) {
  static const struct {
    const char *name;
    unsigned kind;
    int code;
  } known[] = {{"memory", MEMORY, 0},       {"EIO", ERROR, EIO}, {"ENOSPC", ROOM, ENOSPC},
               {"EINTR", INTERRUPT, EINTR}, {"short", SHORT, 0}, {"kill", KILL, 0}};
  for (size_t i = 0; name != NULL && i < sizeof known / sizeof *known; ++i)
    if (strcmp(known[i].name, name) == 0) kind = known[i].kind, code = known[i].code;
}

static long number(const char *name) {
  const char *text = getenv(name);
  return text != NULL ? strtol(text, NULL, 10) : 0;
}

static char *taken(const char *name) {
  const char *text = getenv(name);
  return text != NULL ? strdup(text) : NULL;
}

/* Programs that this one starts are not to be disturbed. */
static void read_environment(void) {
  static const char *const names[] = {"LD_PRELOAD", "FAULTS_KIND",  "FAULTS_AT",
                                      "FAULTS_ON",  "FAULTS_COUNT", "FAULTS_HIT"};
  read_kind(getenv("FAULTS_KIND"));
  fails_at = number("FAULTS_AT");
  goes_on = number("FAULTS_ON") != 0;
  count_path = taken("FAULTS_COUNT");
  hit_path = taken("FAULTS_HIT");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) unsetenv(names[i]);
}

static int counted_main(int argc, char **argv, char **environment) {
  enum { CANNOT = 77 };
  range text = {0};
  (void)environment;
  dl_iterate_phdr(find_text, &text);
  if (text.begin >> 32 != text.end >> 32) execv("/proc/self/exe", argv); /* to another place */
  read_environment();
  if (kind != MEMORY && (text.begin == 0 || !install(&text))) return CANNOT;
  atomic_store(&counting, true);
  return true_main(argc, argv, environ);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  start_function *start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  true_main = main;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static __attribute__((destructor)) void write_count(void) {
  char digits[24];
  atomic_store(&counting, false);
  if (count_path != NULL)
    write_line(count_path, digits_of(atomic_load(&count), digits + sizeof digits), "");
}
