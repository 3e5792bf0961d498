/* What every agent keeps, whatever it learns: the same bits again, through files and copies; choices
 * that change nothing; no memory asked for where none may be. Runs over all agents there are, one that
 * is registered among them, and every word of their choices. */
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#include "base/bytes.h"
#include "plain-q.h"
#include "suite.h"

static far_mdp *worlds[2]; /* with ends and without */
static char file[64], other[64];

/* In memory where that can be had: every save is flushed to the disk. */
static char in_memory[] = "/dev/shm/farsight-conformance-XXXXXX";
static char on_disk[] = "/tmp/farsight-conformance-XXXXXX";

/* ---- files as bytes ---- */

typedef struct bytes {
  unsigned char *data;
  size_t size;
} bytes;

static bytes slurp(const char *name) {
  bytes b = {NULL, 0};
  FILE *f = fopen(name, "rb");
  if (f != NULL && fseek(f, 0, SEEK_END) == 0) {
    b.size = (size_t)ftell(f);
    b.data = malloc(b.size + 1);
    rewind(f);
  }
  if (b.data == NULL || fread(b.data, 1, b.size, f) != b.size) {
    printf("cannot read %s\n", name);
    exit(1);
  }
  fclose(f);
  return b;
}

static void spill(const char *name, const bytes *b) {
  FILE *f = fopen(name, "wb");
  CHECK(f != NULL && fwrite(b->data, 1, b->size, f) == b->size);
  if (f != NULL) fclose(f);
}

static bytes saved(const far_agent *agent) {
  CHECK(far_agent_save(agent, file, NULL) == FAR_OK);
  return slurp(file);
}

/* Two agents save the same file. */
static bool same_files(const far_agent *x, const far_agent *y) {
  const bytes a = saved(x), b = saved(y);
  const bool same = a.size == b.size && a.size > 0 && memcmp(a.data, b.data, a.size) == 0;
  free(a.data);
  free(b.data);
  return same;
}

/* ---- the same again ---- */

static void test_determinism(const char *spec, const far_mdp *mdp) {
  far_agent *x = begin_in(mdp, spec, 1), *y = begin_in(mdp, spec, 1), *fresh;
  walk v = begin_walk(mdp, 5), w = begin_walk(mdp, 5);
  bool same = true;
  for (int t = 0; t < 300; ++t) same = walk_step(&v, x) == walk_step(&w, y) && same;
  check_agent(same && same_agent(x, y) && same_files(x, y), spec, "the same actions and file");
  far_agent_reset(y, 1, 0); /* its pool, if any, has grown by now */
  fresh = begin_in(mdp, spec, 1);
  check_agent(same_agent(y, fresh) && same_files(y, fresh), spec, "reset is as good as new");
  w = begin_walk(mdp, 5);
  walk_steps(&w, y, 300);
  check_agent(same_agent(x, y), spec, "after a reset the same again");
  far_agent_reset(y, 2, 0);
  check_agent(!same_stream(y, fresh), spec, "another seed is another stream");
  far_agent_free(x);
  far_agent_free(y);
  far_agent_free(fresh);
}

/* ---- files ---- */

enum { LENGTH = 240 };

/* Loads or restores what stands in the file and walks on to the end, where all must be as in x. */
static void goes_on(const char *spec, walk w, const far_agent *end, bool restore) {
  far_agent *agent = NULL;
  if (restore) { /* into an agent with another past */
    agent = begin_in(w.mdp, spec, 9);
    walk elsewhere = begin_walk(w.mdp, 9);
    walk_steps(&elsewhere, agent, 50);
    CHECK(far_agent_restore(agent, file, NULL) == FAR_OK);
  } else {
    CHECK(far_agent_load(&agent, file, NULL) == FAR_OK);
  }
  if (agent == NULL) return;
  CHECK(far_agent_save(agent, other, NULL) == FAR_OK);
  const bytes a = slurp(file), b = slurp(other);
  check_agent(a.size == b.size && memcmp(a.data, b.data, a.size) == 0, spec, "loaded, saved: same");
  free(a.data);
  free(b.data);
  walk_steps(&w, agent, LENGTH - w.t);
  check_agent(same_agent(agent, end), spec, "from a file as without one");
  far_agent_free(agent);
}

static void test_files(const char *spec, const far_mdp *mdp) {
  far_agent *end = begin_in(mdp, spec, 3), *x = begin_in(mdp, spec, 3);
  walk whole = begin_walk(mdp, 3), w = begin_walk(mdp, 3);
  walk_steps(&whole, end, LENGTH);
  bool after_end = false;
  for (int t = 0; t < LENGTH; ++t) {
    const bool first_end = w.ended && !after_end;
    if (t == 0 || t == 1 || t == 37 || t == 131 || t == LENGTH - 1 || first_end) {
      CHECK(far_agent_save(x, file, NULL) == FAR_OK);
      goes_on(spec, w, end, t % 2 == 1);
    }
    after_end |= w.ended;
    walk_step(&w, x);
  }
  CHECK(after_end == far_mdp_shape(mdp).episodic);
  check_agent(same_agent(x, end), spec, "saving changes nothing");
  far_agent_free(x);
  far_agent_free(end);
}

/* A copy is of its own: what the original learns later does not reach it. */
static void test_clone(const char *spec, const far_mdp *mdp) {
  far_agent *x = begin_in(mdp, spec, 4), *copy, *second;
  walk w = begin_walk(mdp, 4);
  walk_steps(&w, x, 120);
  CHECK(far_agent_clone(&copy, x, NULL) == FAR_OK);
  CHECK(far_agent_clone(&second, x, NULL) == FAR_OK);
  check_agent(same_agent(x, copy), spec, "a copy is the same");
  walk at = w;
  walk_steps(&w, x, 120);
  check_agent(same_agent(copy, second), spec, "a copy stays as it is");
  walk_steps(&at, copy, 120);
  check_agent(same_agent(copy, x) && same_files(copy, x), spec, "a copy goes the same way");
  far_agent_free(x); /* and survives the original */
  walk_steps(&at, copy, 20);
  check_agent(!same_agent(copy, second), spec, "copies part");
  far_agent_free(copy);
  far_agent_free(second);
}

/* ---- damaged files whose checksum is right ---- */

enum { FIRST_WORD = 7, SPEC_LENGTH_WORD = 12, HEADER_WORDS = 15, HASH = 32, DAMAGES = 60 };

static uint64_t word_of(const bytes *b, size_t i) {
  return far__get_u64(b->data + 8 * i);
}

/* Something else in place of a word; often what only a check of the whole state can refuse. */
static uint64_t damaged_word(const bytes *b, size_t i, far_rng *rng) {
  const uint64_t word = word_of(b, i);
  switch (far_rng_below(rng, 12)) {
  case 0: return 0;
  case 1: return UINT64_MAX;
  case 2: return far__bits(NAN);
  case 3: return far__bits(INFINITY);
  case 4: return far__bits(-1);
  case 5: return far__bits(1e300);
  case 6: return word + 1;
  case 7: return word - 1;
  case 8: return far_rng_below(rng, 40);
  case 9: return word_of(b, FIRST_WORD + far_rng_below(rng, (uint32_t)(b->size / 8 - 11)));
  case 10: return far__bits(5);
  default: return word ^ (UINT64_C(1) << far_rng_below(rng, 64));
  }
}

/* Where the damage is in the marks of absent states, it is an agent for another problem. */
static bool is_for(const far_agent *agent, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  bool same = true;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    same &= far_shape_is_live(&shape, s) == far_shape_is_live(far_agent_shape(agent), s);
  return same;
}

/* What is being tried, for the one who looks for the cause of a crash. */
static char trying[SPEC_SIZE + 160];
static const int FATAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction default_action[sizeof FATAL / sizeof *FATAL];

/* Says it, and lets the signal come again to those who had it before. */
static void crashed(int signal) {
  const ssize_t written = write(STDERR_FILENO, trying, strlen(trying));
  (void)written;
  for (size_t i = 0; i < sizeof FATAL / sizeof *FATAL; ++i)
    if (FATAL[i] == signal) sigaction(signal, &default_action[i], NULL);
}

/* damaged: in what way, NULL if nothing is. */
static void try_now(const char *spec, const char *damaged) {
  if (damaged == NULL)
    snprintf(trying, sizeof trying, "%s: crashed\n", spec);
  else
    snprintf(
        trying, sizeof trying,
        "%s: crashed on a damaged file (%s): its `valid` accepts a state that cannot have come "
        "from running\n",
        spec, damaged);
}

static void watch_crashes(void) {
  struct sigaction action = {.sa_handler = crashed};
  for (size_t i = 0; i < sizeof FATAL / sizeof *FATAL; ++i)
    sigaction(FATAL[i], &action, &default_action[i]);
}

/* Like walk_steps, but an action that does not exist is not taken. */
static bool acts_within(far_agent *agent, const far_mdp *mdp, uint64_t seed) {
  walk w = begin_walk(mdp, seed);
  for (int t = 0; t < 50; ++t) {
    const uint32_t a = far_agent_act(agent, w.s);
    if (a >= far_agent_shape(agent)->n_actions) return false;
    const far_transition step = go(&w, a);
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  }
  return true;
}

static void try_damaged(const char *spec, const far_mdp *mdp, uint64_t seed, const char *damaged) {
  far_agent *agent = NULL;
  try_now(spec, damaged);
  const far_status status = far_agent_load(&agent, other, NULL);
  check_agent(status == FAR_OK || status == FAR_STATUS_FORMAT, spec, "accepted or refused");
  const bool good = status != FAR_OK || !is_for(agent, mdp) || acts_within(agent, mdp, seed);
  check_agent(good, spec, "`valid` accepts a state that leads to an action that does not exist");
  if (!good) printf("  %s\n", damaged);
  try_now(spec, NULL);
  far_agent_free(agent);
}

/* Where and what, for messages. After the spec come the marks of absent states and then the state. */
static void tell_damage(char *out, size_t size, const bytes *b, size_t i, size_t n, uint64_t word) {
  const size_t state = HEADER_WORDS + (size_t)(word_of(b, SPEC_LENGTH_WORD) + 7) / 8;
  double number;
  memcpy(&number, &word, 8);
  snprintf(out, size, "word %zu %s%s: %" PRIu64 ", as a double %g", i < state ? i : i - state,
           i < state ? "of the header" : "after the spec", n > 1 ? " and the following" : "", word,
           number);
}

/* Damages the words i ... i+n-1 of a copy, puts the checksum right, and tries it. */
static void damage(const char *spec, const far_mdp *mdp, const bytes *b, size_t i, size_t n,
                   far_rng *rng) {
  bytes copy = {malloc(b->size), b->size};
  if (copy.data == NULL) return;
  memcpy(copy.data, b->data, b->size);
  const uint64_t word = damaged_word(b, i, rng);
  for (size_t k = i; k < i + n; ++k) far__put_u64(copy.data + 8 * k, word);
  far_hash(copy.data + copy.size - HASH, copy.data, copy.size - HASH);
  spill(other, &copy);
  free(copy.data);
  char damaged[100];
  tell_damage(damaged, sizeof damaged, b, i, n, word);
  try_damaged(spec, mdp, rng->word[0], damaged);
}

static void test_damaged(const char *spec, const far_mdp *mdp) {
  far_agent *x = begin_in(mdp, spec, 6);
  far_rng rng;
  walk w = begin_walk(mdp, 6);
  far_rng_init(&rng, 6, 0, FAR_PURPOSE_SEARCH);
  walk_steps(&w, x, 150);
  const bytes b = saved(x);
  const size_t spec_words = (size_t)(word_of(&b, SPEC_LENGTH_WORD) + 7) / 8;
  const size_t first = HEADER_WORDS + spec_words, n = (b.size - HASH) / 8 - first;
  for (int k = 0; k < DAMAGES; ++k) {
    const size_t i = first + (n > 0 ? far_rng_below(&rng, (uint32_t)n) : 0), left = first + n - i;
    if (k % 10 == 0 || n == 0)                                             /* some have no state */
      damage(spec, mdp, &b, FIRST_WORD + far_rng_below(&rng, 5), 1, &rng); /* clock, stream */
    else if (k % 10 < 7)
      damage(spec, mdp, &b, i, 1, &rng);
    else
      damage(spec, mdp, &b, i, left < 40 ? left : 40, &rng); /* a stretch of one table */
  }
  free(b.data);
  far_agent_free(x);
}

/* ---- choosing changes nothing that is learned ---- */

/* The same experience, which neither of them chose: one is asked three times a step. */
static void test_pure(const char *plain, const far_mdp *mdp) {
  char spec[SPEC_SIZE];
  with_setting(spec, plain, "ties", "lowest");
  far_agent *asked = begin_in(mdp, spec, 8), *silent = begin_in(mdp, spec, 8);
  far_agent *fresh = begin_in(mdp, spec, 8);
  walk w = begin_walk(mdp, 8);
  far_rng rng;
  far_rng_init(&rng, 8, 0, FAR_PURPOSE_SEARCH);
  bool draws = false;
  for (int t = 0; t < 200; ++t) {
    const far_rng before = asked->rng;
    far_agent_act(asked, w.s);
    far_agent_act(asked, far_rng_below(&rng, WORLD_STATES));
    far_agent_act(asked, w.s);
    draws |= memcmp(&before, &asked->rng, sizeof before) != 0;
    const far_transition step = go(&w, far_rng_below(&rng, WORLD_ACTIONS));
    CHECK(far_agent_observe(asked, &step, NULL) == FAR_OK);
    CHECK(far_agent_observe(silent, &step, NULL) == FAR_OK);
  }
  const bool learning_draws = !same_stream(silent, fresh); /* then choices may shift its luck */
  if (!draws) check_agent(same_stream(asked, silent), spec, "the stream is the same");
  if (!draws || !learning_draws) check_agent(same_state(asked, silent), spec, "act is pure");
  far_agent_free(asked);
  far_agent_free(silent);
  far_agent_free(fresh);
}

/* ---- memory ---- */

#ifdef FARSIGHT_WRAPPED_MALLOC
static long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) {
  ++allocations;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  ++allocations;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
  ++allocations;
  return __real_realloc(old, size);
}

/* None in act and reset; none in the steps of a model-free agent, few in those of the others, whose
 * pool doubles. */
static void test_allocations(const far_type_info *type, const char *spec, const far_mdp *mdp) {
  long before = allocations;
  far_agent *agent = begin_in(mdp, spec, 1);
  CHECK(allocations > before); /* the count works */
  walk w = begin_walk(mdp, 1);
  long acting = 0, learning = 0;
  double x;
  for (int t = 0; t < 300; ++t) {
    before = allocations;
    const uint32_t a = far_agent_act(agent, w.s);
    far_agent_value(agent, FAR_VALUE_Q, w.s, a, &x);
    acting += allocations - before;
    const far_transition step = go(&w, a);
    before = allocations;
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    learning += allocations - before;
  }
  before = allocations;
  far_agent_reset(agent, 1, 0);
  check_agent(acting == 0 && allocations == before, spec, "act and reset allocate nothing");
  check_agent(learning <= (type->model_based ? 20 : 0), spec, "steps allocate nothing");
  far_agent_free(agent);
}
#else
static void test_allocations(const far_type_info *type, const char *spec, const far_mdp *mdp) {
  (void)type;
  (void)spec;
  (void)mdp;
}
#endif

static void test_all(const far_type_info *type, const char *spec) {
  try_now(spec, NULL);
  for (int i = 0; i < 2; ++i) {
    test_determinism(spec, worlds[i]);
    test_files(spec, worlds[i]);
    test_clone(spec, worlds[i]);
    test_damaged(spec, worlds[i]);
    test_pure(spec, worlds[i]);
    test_allocations(type, spec, worlds[i]);
  }
}

int main(int argc, char **argv) {
  const char *folder = mkdtemp(in_memory);
  if (folder == NULL) folder = mkdtemp(on_disk);
  if (folder == NULL) {
    puts("no folder for files");
    return 1;
  }
  snprintf(file, sizeof file, "%s/agent", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* a crash loses nothing */
  watch_crashes();
  worlds[0] = dyadic_world(true, 1, 0);
  worlds[1] = dyadic_world(false, 1, 0);
  const far_agent_def guest = plain_q_def();
  CHECK(far_agent_register(&guest, NULL) == FAR_OK);
  each_spec(test_all, argc, argv);
  for (int i = 0; i < 2; ++i) far_mdp_free(worlds[i]);
  unlink(file);
  unlink(other);
  CHECK(rmdir(folder) == 0);
#ifndef FARSIGHT_WRAPPED_MALLOC
  puts("allocations were not counted: the linker cannot wrap malloc");
#endif
  return check_report();
}
