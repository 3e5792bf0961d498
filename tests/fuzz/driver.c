/* Runs a fuzz target over the files of some folders and, if asked, over random mutations of them: where there is no
 * libFuzzer, and where inputs are to be many. Coverage is not looked at, so that an input costs what the target costs.
 *
 * usage: TARGET FOLDER... [-runs=N] [-max_total_time=SECONDS] [-seed=S] [-max_len=BYTES] [-artifact_prefix=PATH]
 *
 * The options and what is printed at the end are named as libFuzzer's. An input that ends the process, or that takes ten
 * processor seconds, is left in PATHcrash-SEED. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                                                     unsigned seed);

enum { LONGEST = 1 << 20, PATIENCE = 10 };

typedef struct file {
  uint8_t *bytes;
  size_t size;
} file;

static struct {
  const char *folders[16];
  size_t n_folders;
  uint64_t runs, seconds, seed;
  size_t most;
  const char *prefix;
} options = {.seed = 1, .most = 4096, .prefix = ""};

static file *corpus;
static size_t n_files;
static uint8_t input[LONGEST];
static size_t input_size;
static volatile uint64_t executed;
static uint64_t word = 1;

/* ---- an input that ends the process is kept ---- */

__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void keep_input(const char *why) {
  char path[4096];
  snprintf(path, sizeof path, "%scrash-%llu", options.prefix, (unsigned long long)options.seed);
  const int f = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (f >= 0 && write(f, input, input_size) >= 0) close(f);
  fprintf(stderr, "%s after %llu inputs: %s\n", why, (unsigned long long)executed, path);
}

static void on_death(int signal_number) {
  keep_input(signal_number == SIGABRT ? "an expectation was not met" : "a signal came");
  _exit(77);
}

static void on_report(void) {
  keep_input("a sanitizer ends it");
}

static void on_second(int signal_number) {
  static uint64_t before;
  static int seconds;
  (void)signal_number;
  seconds = executed == before ? seconds + 1 : 0;
  before = executed;
  if (seconds > PATIENCE) {
    keep_input("an input takes too long");
    _exit(77);
  }
}

/* Sanitizers have handlers of their own for the signals after the first. */
static void watch(void) {
  static const int deadly[] = {SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE};
  const size_t count = __sanitizer_set_death_callback != NULL ? 1 : sizeof deadly / sizeof *deadly;
  const struct sigaction death = {.sa_handler = on_death},
                         second = {.sa_handler = on_second, .sa_flags = SA_RESTART};
  for (size_t i = 0; i < count; ++i) sigaction(deadly[i], &death, NULL);
  if (__sanitizer_set_death_callback != NULL) __sanitizer_set_death_callback(on_report);
  sigaction(SIGPROF, &second, NULL);
  setitimer(ITIMER_PROF, &(struct itimerval){{1, 0}, {1, 0}},
            NULL); /* of this process's own time */
}

static void run(void) {
  LLVMFuzzerTestOneInput(input, input_size);
  ++executed;
}

/* ---- mutations ---- */

static uint64_t random_word(void) { /* xorshift64* of S. Vigna */
  word ^= word >> 12;
  word ^= word << 25;
  word ^= word >> 27;
  return word * 2685821657736338717u;
}

static size_t below(size_t n) {
  return (size_t)((random_word() >> 32) * n >> 32);
}

static size_t insert(uint8_t *data, size_t size, size_t most, const uint8_t *piece, size_t length) {
  if (length == 0 || size + length > most) return size;
  const size_t at = below(size + 1);
  memmove(data + at + length, data + at, size - at);
  memcpy(data + at, piece, length);
  return size + length;
}

static size_t erase(uint8_t *data, size_t size) {
  const size_t at = below(size), length = 1 + below(size - at < 16 ? size - at : 16);
  memmove(data + at, data + at + length, size - at - length);
  return size - length;
}

/* A piece of this input or of any. */
static size_t splice(uint8_t *data, size_t size, size_t most) {
  const file *from = &corpus[below(n_files)];
  uint8_t piece[64];
  if (from->size == 0) return size;
  const size_t at = below(from->size), left = from->size - at;
  const size_t length = 1 + below(left < sizeof piece ? left : sizeof piece);
  memcpy(piece, from->bytes + at, length);
  if (below(2) == 0 || size < length) return insert(data, size, most, piece, length);
  memcpy(data + below(size - length + 1), piece, length);
  return size;
}

/* Numbers at the edges of what fits somewhere. */
static size_t insert_number(uint8_t *data, size_t size, size_t most) {
  static const char *const numbers[] = {
      "0",   "-1",  "1e308", "1e-320", "4294967296", "9223372036854775807", "18446744073709551616",
      "inf", "nan", "0.1",   "1e4",    "255"};
  const char *text = numbers[below(sizeof numbers / sizeof *numbers)];
  return insert(data, size, most, (const uint8_t *)text, strlen(text));
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  const uint8_t byte = (uint8_t)random_word();
  if (size == 0) return insert(data, size, most, &byte, 1);
  switch (below(8)) {
  case 0: data[below(size)] = byte; return size;
  case 1: data[below(size)] ^= (uint8_t)(1u << below(8)); return size;
  case 2: data[below(size)] = data[below(size)]; return size;
  case 3: return insert(data, size, most, &byte, 1);
  case 4: return erase(data, size);
  case 5: return insert_number(data, size, most);
  default: return splice(data, size, most);
  }
}

static void mutate(void) {
  const file *from = &corpus[below(n_files)];
  input_size = from->size < options.most ? from->size : options.most;
  if (input_size > 0) memcpy(input, from->bytes, input_size);
  for (size_t n = 1 + below(4); n > 0; --n)
    input_size =
        LLVMFuzzerCustomMutator != NULL && below(2) == 0
            ? LLVMFuzzerCustomMutator(input, input_size, options.most, (unsigned)random_word())
            : LLVMFuzzerMutate(input, input_size, options.most);
}

/* ---- the whole ---- */

static void add(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return;
  input_size = fread(input, 1, sizeof input, f);
  fclose(f);
  corpus = realloc(corpus, (n_files + 1) * sizeof *corpus);
  uint8_t *bytes = malloc(input_size + 1);
  if (corpus == NULL || bytes == NULL) exit(2);
  memcpy(bytes, input, input_size);
  corpus[n_files++] = (file){bytes, input_size};
}

static void add_folder(const char *path) {
  DIR *folder = opendir(path);
  char name[4096];
  if (folder == NULL) {
    fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
    exit(2);
  }
  for (struct dirent *e; (e = readdir(folder)) != NULL;)
    if (e->d_name[0] != '.' && snprintf(name, sizeof name, "%s/%s", path, e->d_name) > 0) add(name);
  closedir(folder);
}

static void read_arguments(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const char *value = strchr(argv[i], '=');
    const uint64_t n = value != NULL ? strtoull(value + 1, NULL, 10) : 0;
    if (strncmp(argv[i], "-runs=", 6) == 0)
      options.runs = n;
    else if (strncmp(argv[i], "-max_total_time=", 16) == 0)
      options.seconds = n;
    else if (strncmp(argv[i], "-seed=", 6) == 0)
      options.seed = n;
    else if (strncmp(argv[i], "-max_len=", 9) == 0)
      options.most = n < LONGEST ? (size_t)n : LONGEST;
    else if (strncmp(argv[i], "-artifact_prefix=", 17) == 0)
      options.prefix = value + 1;
    else if (argv[i][0] != '-' && options.n_folders < 16)
      options.folders[options.n_folders++] = argv[i];
  }
}

static double seconds_since(const struct timespec *begun) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

static void run_mutations(void) {
  struct timespec begun;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  word = options.seed * 2654435769u + 1;
  for (uint64_t n = 0; options.runs == 0 || n < options.runs; ++n) {
    if (n % 1024 == 0 && options.seconds > 0 && seconds_since(&begun) >= (double)options.seconds)
      break;
    mutate();
    run();
  }
  const double seconds = seconds_since(&begun);
  fprintf(stderr, "stat::number_of_executed_units: %llu\n", (unsigned long long)executed);
  fprintf(stderr, "stat::average_exec_per_sec: %.0f\n",
          (double)executed / (seconds > 1 ? seconds : 1));
  fprintf(stderr, "stat::processor_seconds: %.1f\n", (double)clock() / CLOCKS_PER_SEC);
}

int main(int argc, char **argv) {
  read_arguments(argc, argv);
  for (size_t i = 0; i < options.n_folders; ++i) add_folder(options.folders[i]);
  if (n_files == 0) return 2;
  for (size_t i = 0; i < n_files; ++i) {
    input_size = corpus[i].size;
    memcpy(input, corpus[i].bytes, input_size);
    run();
  }
  fprintf(stderr, "%zu passed, 0 failed\n", n_files);
  if (options.runs == 0 && options.seconds == 0) return 0;
  watch();
  run_mutations();
  return 0;
}
