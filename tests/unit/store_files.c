/* The file itself: foreign, damaged, later, read-only, on a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "lab/store/access.h"
#include "stores.h"

typedef struct bytes {
  uint8_t *data;
  size_t size;
} bytes;

static bytes read_bytes(const char *name) {
  bytes out = {0};
  FILE *f = fopen(store_path(name), "rb");
  if (f == NULL) return out;
  fseek(f, 0, SEEK_END);
  out.size = (size_t)ftell(f);
  rewind(f);
  out.data = malloc(out.size + 1);
  CHECK(fread(out.data, 1, out.size, f) == out.size);
  fclose(f);
  return out;
}

static void write_bytes(const char *name, const void *data, size_t size) {
  FILE *f = fopen(store_path(name), "wb");
  CHECK(f != NULL && fwrite(data, 1, size, f) == size);
  if (f != NULL) fclose(f);
}

static bool same_bytes(bytes x, bytes y) {
  return x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
}

/* Neither mode takes the file or changes it, and nothing appears beside it. */
static void refuses(const char *name, far_status expected, const char *part) {
  const bytes before = read_bytes(name);
  for (int mode = FAR_STORE_READ; mode <= FAR_STORE_WRITE; ++mode) {
    far_store *store;
    far_error error = {.message = ""};
    CHECK(far_store_open(&store, store_path(name), (far_store_mode)mode, &error) == expected);
    CHECK(store == NULL && error.position == -1);
    CHECK_CONTAINS(error.message, part);
    far_store_close(store);
  }
  const bytes after = read_bytes(name);
  CHECK(same_bytes(before, after));
  char beside[100];
  for (int i = 0; i < 3; ++i) {
    snprintf(beside, sizeof beside, "%s%s", name, i == 0 ? "-wal" : i == 1 ? "-shm" : "-journal");
    CHECK(!is_there(beside));
  }
  free(before.data);
  free(after.data);
}

static void make_store(const char *name) {
  small_batch b;
  small_make(&b, 60);
  run_through(name, &b.def);
  small_free(&b);
}

static void test_foreign(void) {
  far_error error;
  far_store *store;
  write_bytes("letter.txt", "Dear store,\nyou cannot read this.\n", 35);
  refuses("letter.txt", FAR_STATUS_FORMAT, "is not a farsight store; it is left unchanged");
  write_bytes("short", "S", 1);
  refuses("short", FAR_STATUS_FORMAT, "is not a farsight store");
  make_store("made.db");
  bytes made = read_bytes("made.db");
  made.data[71] ^= 1; /* the application's number */
  write_bytes("foreign.db", made.data, made.size);
  refuses("foreign.db", FAR_STATUS_FORMAT, "is a database of another program");
  made.data[71] ^= 1;
  made.data[63] = 4; /* the format's */
  write_bytes("later.db", made.data, made.size);
  refuses("later.db", FAR_STATUS_MISMATCH, "was written by a later version of farsight (format 4;");
  made.data[63] = 2; /* that of a store with snapshots, but without their table */
  write_bytes("tableless.db", made.data, made.size);
  refuses("tableless.db", FAR_STATUS_FORMAT, "its tables are not those of a store");
  made.data[63] = 1;
  write_bytes("cut.db", made.data, made.size / 2 / 4096 * 4096);
  refuses("cut.db", FAR_STATUS_FORMAT, "is damaged");
  write_bytes("page.db", made.data, 4096);
  refuses("page.db", FAR_STATUS_FORMAT, "is damaged");
  free(made.data);
  CHECK(far_store_open(&store, store_path("none.db"), FAR_STORE_READ, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "none.db': No such file");
  CHECK(!is_there("none.db") && error.position == -1);
  CHECK(far_store_open(&store, store_folder, FAR_STORE_WRITE, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "is not a regular file");
  CHECK(error.position == -1);
  CHECK(far_store_open(&store, store_path("no/such/folder.db"), FAR_STORE_WRITE, &error) ==
        FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "its folder must be there");
  CHECK(far_store_open(&store, "", FAR_STORE_WRITE, &error) == FAR_STATUS_IO);
}

static void test_empty(void) {
  far_store *store;
  far_error error;
  write_bytes("empty.db", "", 0);
  CHECK(far_store_open(&store, store_path("empty.db"), FAR_STORE_READ, &error) ==
        FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "is empty");
  CHECK(error.position == -1);
  make_store("empty.db");
  CHECK_TEXT(content("empty.db", NULL), content("made.db", NULL));
}

/* Killed while it is being made: a file that is empty, half made, or whole, and always taken. */
static void test_killed_when_new(void) {
  char name[20];
  for (int i = 0; i < 40; ++i) {
    snprintf(name, sizeof name, "new-%d.db", i);
    const pid_t child = fork();
    if (child == 0) {
      far_store *store = NULL;
      _exit(far_store_open(&store, store_path(name), FAR_STORE_WRITE, NULL) != FAR_OK);
    }
    nanosleep(&(struct timespec){.tv_nsec = 300000L * i}, NULL);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    far_store_close(open_store(name, FAR_STORE_WRITE));
    CHECK(strlen(content(name, NULL)) == 64);
    remove_store(name);
  }
}

/* Reading changes nothing, and leaves nothing behind. */
static void test_reading(void) {
  small_batch b;
  int64_t known = 0;
  far_batch *batch;
  small_make(&b, 60);
  const bytes before = read_bytes("made.db");
  far_store *store = open_store("made.db", FAR_STORE_READ);
  CHECK(far__store_known(&known, store, &b.def, 0, NULL) == FAR_OK && known == 60);
  CHECK(far_store_run(&batch, store, &b.def, NULL) == FAR_STATUS_CONFLICT);
  far_store *again = open_store("made.db", FAR_STORE_READ); /* two in one process */
  far_store_close(again);
  far_store_close(store);
  const bytes after = read_bytes("made.db");
  CHECK(same_bytes(before, after));
  CHECK(!is_there("made.db-wal") && !is_there("made.db-shm"));
  free(before.data);
  free(after.data);
  small_free(&b);
}

/* As another user if this one is root, whom nothing is forbidden; the exit code of the child. */
static int as_nobody(int (*work)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(9);
    _exit(work());
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int read_locked(void) {
  far_store *store;
  far_store_report report;
  far_error error;
  if (far_store_open(&store, store_path("locked/made.db"), FAR_STORE_READ, &error) != FAR_OK) {
    printf("  %s\n", error.message);
    return 1;
  }
  if (far_store_check(&report, store, NULL, NULL, &error) != FAR_OK) return 2;
  far_store_close(store);
  if (report.faults > 0 || report.values != 4 * 60 * SMALL_WIDTH) return 3;
  if (far_store_open(&store, store_path("locked/made.db"), FAR_STORE_WRITE, &error) !=
      FAR_STATUS_IO)
    return 4;
  if (strstr(error.message, "cannot write") == NULL) return 5;
  return far_store_open(&store, store_path("locked/new.db"), FAR_STORE_WRITE, &error) !=
                 FAR_STATUS_IO
             ? 6
             : 0;
}

/* A file that only may be read is taken as one that does not change; here it does. */
static int read_changing(void) {
  far_store *store;
  far_store_report report;
  far_error error = {.message = ""};
  const bytes made = read_bytes("made.db");
  write_bytes("open/made.db", made.data, made.size);
  if (chmod(store_path("open/made.db"), 0444) != 0) return 8;
  if (far_store_open(&store, store_path("open/made.db"), FAR_STORE_READ, &error) != FAR_OK)
    return 1;
  if (chmod(store_path("open/made.db"), 0644) != 0) return 8;
  memset((char *)made.data + made.size / 4, 7, made.size / 2);
  write_bytes("open/made.db", made.data, made.size);
  free(made.data);
  if (far_store_check(&report, store, NULL, NULL, &error) != FAR_STATUS_IO) return 2;
  far_store_close(store);
  if (strstr(error.message, "being written meanwhile; try again") == NULL) return 3;
  if (chmod(store_path("open/made.db"), 0) != 0) return 8;
  if (far_store_open(&store, store_path("open/made.db"), FAR_STORE_READ, &error) != FAR_STATUS_IO)
    return 4;
  return strstr(error.message, "the file must be readable") != NULL ? 0 : 5;
}

static void test_changing(void) {
  CHECK(chmod(store_path("made.db"), 0644) == 0);
  CHECK(mkdir(store_path("open"), 0777) == 0 && chmod(store_path("open"), 0777) == 0);
  CHECK(as_nobody(read_changing) == 0);
}

static void test_read_only(void) {
  const bytes made = read_bytes("made.db");
  CHECK(chmod(store_folder, 0755) == 0);
  CHECK(mkdir(store_path("locked"), 0755) == 0);
  write_bytes("locked/made.db", made.data, made.size);
  CHECK(chmod(store_path("locked/made.db"), 0444) == 0);
  CHECK(chmod(store_path("locked"), 0555) == 0);
  CHECK(as_nobody(read_locked) == 0);
  CHECK(!is_there("locked/made.db-wal") && !is_there("locked/made.db-shm"));
  CHECK(chmod(store_path("locked"), 0755) == 0);
  free(made.data);
}

/* A store that is open and whose file cannot be looked at any more: it has not 0 bytes. */
static void test_size_unknown(void) {
  const bytes made = read_bytes("made.db");
  far_store_info info;
  far_error error;
  CHECK(mkdir(store_path("folder"), 0755) == 0);
  write_bytes("folder/made.db", made.data, made.size);
  far_store *store = open_store("folder/made.db", FAR_STORE_READ);
  CHECK(far_store_info_of(&info, store, NULL) == FAR_OK && info.bytes >= (int64_t)made.size);
  CHECK(rename(store_path("folder"), store_path("elsewhere")) == 0);
  write_bytes("folder", "", 0); /* a file in place of the folder */
  CHECK(far_store_info_of(&info, store, &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "folder/made.db': Not a directory");
  CHECK(error.position == -1);
  far_store_close(store);
  CHECK(unlink(store_path("folder")) == 0);
  free(made.data);
}

/* ---- damage ---- */

static void count_fault(void *user, const char *sentence) {
  CHECK(sentence[0] != '\0');
  *(int *)user += 1;
}

/* One flipped bit or a page of noise: an error in words, a fault that is found, or nothing of any
 * result is touched. */
static void try_damaged(const char *hash) {
  far_store *store;
  far_error error = {.message = ""};
  far_store_report report;
  small_batch b;
  int faults = 0;
  const far_status status =
      far_store_open(&store, store_path("damaged.db"), FAR_STORE_READ, &error);
  if (status != FAR_OK) {
    CHECK(status == FAR_STATUS_FORMAT || status == FAR_STATUS_MISMATCH);
    CHECK(error.message[0] != '\0');
    return;
  }
  const far_status checked = far_store_check(&report, store, count_fault, &faults, &error);
  CHECK(checked == FAR_OK && (faults > 0 || strcmp(report.hash, hash) == 0));
  if (checked != FAR_OK) printf("  %d %s\n", checked, error.message);
  far_record record;
  bool found = true;
  for (size_t i = 0; found && far_store_record(&record, &found, store, i, &error) == FAR_OK; ++i)
    if (!found) break;
  far_store_close(store);
  /* and a batch that goes through it has the right numbers or an error */
  small_make(&b, 60);
  far_batch *batch = NULL;
  if (far_store_open(&store, store_path("damaged.db"), FAR_STORE_WRITE, &error) == FAR_OK) {
    const far_status ran = far_store_run(&batch, store, &b.def, &error);
    CHECK(ran == FAR_OK || (ran == FAR_STATUS_FORMAT && error.message[0] != '\0'));
    static char expected[FAR_HASH_TEXT];
    if (ran == FAR_OK && expected[0] == '\0') strcpy(expected, far_batch_result(batch, 0)->hash);
    if (ran == FAR_OK) CHECK_TEXT(far_batch_result(batch, 0)->hash, expected);
    far_batch_free(batch);
    far_store_close(store);
  }
  small_free(&b);
  remove_store("damaged.db");
}

static void test_damage(void) {
  bytes made = read_bytes("made.db");
  const char *hash = content("made.db", NULL);
  char kept[FAR_HASH_TEXT];
  strcpy(kept, hash);
  write_bytes("damaged.db", made.data, made.size);
  try_damaged(kept); /* not at all */
  far_rng rng;
  far_rng_init(&rng, 1, 2, FAR_PURPOSE_AGENT);
  for (int i = 0; i < 300; ++i) {
    const size_t at = (size_t)far_rng_below(&rng, (uint32_t)made.size);
    const uint8_t was = made.data[at];
    made.data[at] ^= (uint8_t)(1u << far_rng_below(&rng, 8));
    write_bytes("damaged.db", made.data, made.size);
    try_damaged(kept);
    made.data[at] = was;
  }
  for (size_t page = 0; page < made.size / 4096; ++page) {
    bytes copy = {malloc(made.size), made.size};
    memcpy(copy.data, made.data, made.size);
    for (size_t i = page == 0 ? 100 : 0; i < 4096; ++i)
      copy.data[4096 * page + i] = (uint8_t)far_rng_next(&rng);
    write_bytes("damaged.db", copy.data, copy.size);
    try_damaged(kept);
    free(copy.data);
  }
  free(made.data);
}

/* ---- a full disk ---- */

/* The system refuses to let any file grow beyond the limit. */
static int run_limited(void) {
  small_batch b;
  far_store *store;
  far_batch *batch = NULL;
  far_error error = {.message = ""};
  const struct rlimit limit = {100000, 100000};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
  small_make(&b, 6000);
  if (far_store_open(&store, store_path("full.db"), FAR_STORE_WRITE, &error) != FAR_OK) return 8;
  const far_status status = far_store_run(&batch, store, &b.def, &error);
  far_store_close(store);
  small_free(&b);
  if (status != FAR_STATUS_IO || batch != NULL) return 1;
  if (strstr(error.message, "cannot write") == NULL) return 3;
  return strstr(error.message, "what was committed is kept") != NULL ? 0 : 2;
}

static void test_full_disk(void) {
  small_batch b;
  int64_t known = 0, all = 0;
  const pid_t child = fork();
  if (child == 0) _exit(run_limited());
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(strlen(content("full.db", NULL)) == 64);
  small_make(&b, 6000);
  far_store *store = open_store("full.db", FAR_STORE_WRITE);
  for (size_t i = 0; i < 4; ++i) {
    CHECK(far__store_known(&known, store, &b.def, i, NULL) == FAR_OK);
    all += known;
  }
  CHECK(all > 0 && all < 4 * 6000);
  far_store_close(store);
  run_through("full.db", &b.def);
  run_through("roomy.db", &b.def);
  CHECK_TEXT(content("full.db", NULL), content("roomy.db", NULL));
  small_free(&b);
}

int main(void) {
  if (!stores_begin()) return stores_end();
  test_foreign();
  test_empty();
  test_killed_when_new();
  test_reading();
  test_read_only();
  test_changing();
  test_size_unknown();
  test_damage();
  test_full_disk();
  return stores_end();
}
