/* The file of a saved agent, word by word: what stands where, which words are refused and with which
 * message, and which agents take the state of which others. */
#include <farsight/farsight.h>
#include <math.h> /* only for INFINITY and NAN */
#include <stdlib.h>
#include <unistd.h>

#include "agents/agent.h"
#include "base/bytes.h"
#include "check.h"
#include "farsight/base.h"

enum { S = 3, A = 2, H = 4, WORD = 8, MOST = 4096 };

/* Words of the head. */
enum { MAGIC, VERSION, STATES, ACTIONS, LOW, HIGH, KIND, CLOCK, RNG, SPEC = 12, STATE, POOL, HEAD };

static const bool ABSENT[S] = {false, false, true};

typedef struct file {
  uint8_t bytes[MOST];
  size_t size;
} file;

static file saved(const char *spec, far_shape shape, int steps) {
  far_agent *agent = NULL;
  file out = {{0}, 0};
  void *data = NULL;
  CHECK(far_agent_create(&agent, spec, &shape, 5, 6, NULL) == FAR_OK);
  for (int i = 0; i < steps; ++i) {
    const far_transition step = {0, 1, 0.5, 1, false, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  }
  CHECK(far_agent_save_memory(&data, &out.size, agent, NULL) == FAR_OK && out.size <= MOST);
  if (data != NULL) memcpy(out.bytes, data, out.size);
  far_free(data);
  far_agent_free(agent);
  return out;
}

static uint64_t word_of(const file *f, size_t i) {
  return far__get_u64(f->bytes + i * WORD);
}

/* ---- what stands where ---- */

static void test_head(void) {
  const file f = saved("ucb-h", SHAPE(S, A, -1, 1, true, ABSENT, H), 3);
  const size_t length = strlen("ucb-h:c=0.001,log=off,ties=random"); /* 33: five words */
  CHECK(memcmp(f.bytes, "FARAGENT", WORD) == 0 && word_of(&f, VERSION) == 3);
  CHECK(word_of(&f, STATES) == S && word_of(&f, ACTIONS) == A);
  CHECK(far__get_f64(f.bytes + LOW * WORD) == -1 && far__get_f64(f.bytes + HIGH * WORD) == 1);
  CHECK(word_of(&f, KIND) == 1 + 2 + 4 && word_of(&f, CLOCK) == 3);
  CHECK(word_of(&f, SPEC) == length && word_of(&f, STATE) == 2 * S * A * H);
  CHECK(word_of(&f, POOL) == 0);
  CHECK(word_of(&f, HEAD) == H && word_of(&f, HEAD + 1) == 3); /* the step of the episode */
  CHECK(memcmp(f.bytes + (HEAD + 2) * WORD, "ucb-h:c=0.001,log=off,ties=random", length) == 0);
  const uint8_t *marks = f.bytes + (HEAD + 2 + 5) * WORD;
  for (size_t s = 0; s < WORD; ++s) CHECK(marks[s] == (s == 2));
  CHECK(f.size == (HEAD + 2 + 5 + 1 + 2 * S * A * H) * WORD + FAR_HASH_BYTES);
}

/* Without an end, absent states or a horizon the head is short. */
static void test_short_head(void) {
  const file f = saved("random", SHAPE(S, A, -1, 1, false, NULL, 0), 1);
  CHECK(word_of(&f, KIND) == 0 && word_of(&f, SPEC) == 6);
  CHECK(f.size == (HEAD + 1) * WORD + FAR_HASH_BYTES);
}

static const far_shape *shape_again(far_agent **agent, const file *f) {
  CHECK(far_agent_load_memory(agent, f->bytes, f->size, NULL) == FAR_OK);
  return far_agent_shape(*agent);
}

/* What an agent was told of its problem is in the file; where it was told nothing the file is as it always was. */
static void test_told(void) {
  far_shape shape = SHAPE(S, A, -1, 1, true, ABSENT, 0);
  shape.gamma = 0.9;
  shape.steps = 700;
  const file f = saved("directed-delayed-q", shape, 3);
  CHECK(word_of(&f, VERSION) == 4 && word_of(&f, KIND) == 1 + 2 + 8);
  CHECK(far__get_f64(f.bytes + HEAD * WORD) == 0.9 && word_of(&f, HEAD + 1) == 0 &&
        word_of(&f, HEAD + 2) == 700);
  far_agent *agent = NULL;
  const far_shape *again = shape_again(&agent, &f);
  CHECK(again->gamma == 0.9 && !again->average && again->steps == 700);
  CHECK_CONTAINS(far_agent_spec(agent), "gamma=0.9,");
  far_agent_free(agent);
  shape = SHAPE(S, A, -1, 1, true, NULL, H);
  shape.average = true;
  const file timed = saved("random", shape, 2);
  CHECK(word_of(&timed, KIND) == 1 + 4 + 8 && word_of(&timed, HEAD + 1) == 2 &&
        word_of(&timed, HEAD + 3) == 1);
  agent = NULL;
  again = shape_again(&agent, &timed);
  CHECK(again->average && again->horizon == H && again->steps == 0);
  far_agent_free(agent);
}

/* ---- what is refused ---- */

static void seal(file *f) {
  far_hash(f->bytes + f->size - FAR_HASH_BYTES, f->bytes, f->size - FAR_HASH_BYTES);
}

static void check_load(const file *f, const char *why) {
  far_agent *agent = NULL;
  far_error error = {0};
  const far_status status = far_agent_load_memory(&agent, f->bytes, f->size, &error);
  CHECK(status == (why == NULL ? FAR_OK : FAR_STATUS_FORMAT));
  CHECK((agent != NULL) == (why == NULL));
  char text[300] = "";
  if (why != NULL) snprintf(text, sizeof text, "the block of memory %s", why);
  CHECK_TEXT(error.message, text);
  CHECK(why == NULL || (error.position == -1 && error.code == FAR_STATUS_FORMAT));
  far_agent_free(agent);
}

/* The file with one word another; NULL: it is taken. */
static void with_word(file f, size_t i, uint64_t value, const char *why) {
  far__put_u64(f.bytes + i * WORD, value);
  seal(&f);
  check_load(&f, why);
}

static void with_size(file f, size_t size, const char *why) {
  f.size = size;
  check_load(&f, why);
}

static const char CUT[] = "is damaged: it is cut short",
                  MANY[] = "is damaged: it has too many states or actions";
static const char SIZES[] = "is damaged: its sizes do not add up";
static const char MARKS[] = "is damaged: its absent states cannot be read";
static const char TIME[] = "is damaged: its horizon or step is out of bounds";

static void test_sizes(void) {
  const file f = saved("random", SHAPE(S, A, -1, 1, true, NULL, 0), 1);
  check_load(&f, NULL);
  with_size(f, 0, "is not a saved agent");
  with_size(f, WORD - 1, "is not a saved agent");
  with_size(f, WORD, CUT);
  with_size(f, 2 * WORD - 1, CUT);
  with_size(f, 2 * WORD, CUT);
  with_size(f, HEAD * WORD + FAR_HASH_BYTES - 1, CUT);
  with_size(f, HEAD * WORD + FAR_HASH_BYTES, "is damaged: its checksum does not match");
  with_word(f, MAGIC, 0, "is not a saved agent");
  with_word(f, VERSION, 2, "has format version 2; this program reads versions 3 and 4");
}

static void test_told_words(void) {
  static const char OUT[] = "is damaged: its discount or number of steps is out of bounds";
  static const double wrong[] = {1, -0.5, INFINITY, NAN};
  far_shape shape = SHAPE(S, A, -1, 1, true, NULL, 0);
  shape.steps = 50;
  const file f = saved("random", shape, 1);
  check_load(&f, NULL);
  with_word(f, VERSION, 3, MARKS);
  with_word(f, KIND, 1, MARKS);
  with_word(f, KIND, 16 + 9, MARKS);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    uint64_t word;
    memcpy(&word, &wrong[i], sizeof word);
    with_word(f, HEAD, word, OUT);
  }
  with_word(f, HEAD + 1, 2, OUT);
  with_word(f, HEAD + 1, 1, NULL);
  with_word(f, HEAD + 2, (uint64_t)INT64_MAX, OUT);
  with_word(f, HEAD + 2, 0, NULL);
}

static void test_words(void) {
  const file f = saved("count-q", SHAPE(S, A, -1, 1, true, ABSENT, 0), 1);
  const uint64_t words = word_of(&f, STATE), length = word_of(&f, SPEC);
  with_word(f, VERSION, 4, MARKS);
  with_word(f, KIND, 8, MARKS);
  with_word(f, KIND, 2, NULL); /* without end: only the meaning changes */
  with_word(f, KIND, 1, SIZES);
  with_word(f, STATES, (uint64_t)1 << 32, MANY);
  with_word(f, ACTIONS, (uint64_t)1 << 32, MANY);
  with_word(f, STATES, f.size + 1, MANY);
  with_word(f, STATES, f.size, SIZES);
  with_word(f, SPEC, length + 8, SIZES);
  with_word(f, SPEC, 1 << 20, SIZES);
  with_word(f, STATE, words + 1, SIZES);
  with_word(f, POOL, 1, SIZES);
  with_word(f, STATE, UINT64_MAX, SIZES); /* and POOL: sums that run over add up to nothing */
  with_word(f, POOL, UINT64_MAX, SIZES);
  with_word(f, CLOCK, INT64_MAX / 2, NULL);
  with_word(f, CLOCK, (uint64_t)INT64_MAX / 2 + 1, "is damaged: its clock is out of bounds");
  with_word(f, CLOCK, 0, "is damaged: no agent can be in its state");
  with_word(f, STATES, 4, "is damaged: its state has the wrong size");
  with_word(f, ACTIONS, 0, "is damaged: the number of actions must be at least 1");
  file g = f;
  g.bytes[(HEAD * WORD + length + WORD - 1) / WORD * WORD + 1] = 2;
  seal(&g);
  check_load(&g, MARKS);
}

static void test_horizon(void) {
  const file f = saved("ucb-h", SHAPE(S, A, -1, 1, true, NULL, H), 3);
  with_word(f, HEAD, 0, TIME);
  with_word(f, HEAD, 1000000001, TIME);
  with_word(f, HEAD, 1000000000,
            "is damaged: 3 states x 2 actions x 1000000000 steps are too many: "
            "an agent that plans by steps has room for 2^31");
  with_word(f, HEAD + 1, 0, NULL);
  with_word(f, HEAD + 1, H, TIME);
}

/* ---- who takes whose state ---- */

/* All is given that would follow from the problem. */
static const char SPEC_OF_BOTH[] = "count-q:q0=1,beta=0.5";

static void check_restore(far_agent *agent, const char *path, const char *spec, far_shape shape,
                          const char *why) {
  far_agent *other = NULL;
  far_error error = {0};
  CHECK(far_agent_create(&other, spec, &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  const far_status status = far_agent_restore(other, path, &error);
  CHECK(status == (why == NULL ? FAR_OK : FAR_STATUS_MISMATCH));
  CHECK_TEXT(error.message, why == NULL ? "" : why);
  CHECK(why == NULL || error.position == -1);
  CHECK(far_agent_steps(other) == (why == NULL ? 1 : 0));
  CHECK(other == NULL || other->shape.n_states == shape.n_states);
  far_agent_free(other);
}

static void test_restore(const char *path) {
  const far_shape ours = SHAPE(S, A, -1, 1, true, NULL, 0);
  const far_transition step = {0, 1, 0.5, 1, false, false};
  far_agent *agent = NULL;
  CHECK(far_agent_create(&agent, SPEC_OF_BOTH, &ours, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  check_restore(agent, path, SPEC_OF_BOTH, ours, NULL);
  check_restore(agent, path, SPEC_OF_BOTH, SHAPE(S, A, -1, 1, true, ABSENT, 0),
                "the file is for a problem with other absent states than this agent's");
  check_restore(agent, path, SPEC_OF_BOTH, SHAPE(S, A, -1, 1, true, NULL, 7),
                "the file is for a horizon of 0 steps, this agent for 7 (0: none)");
  check_restore(
      agent, path, "random", ours,
      "the file holds another agent, "
      "count-q:gamma=0.95,place=target,beta=0.5,decay=sqrt,step=horizon,q0=1,ties=random; "
      "this is random");
  const struct {
    far_shape shape;
    const char *is;
  } others[] = {{SHAPE(4, A, -1, 1, true, NULL, 0), "4 x 2 and [-1, 1] with ends"},
                {SHAPE(S, 3, -1, 1, true, NULL, 0), "3 x 3 and [-1, 1] with ends"},
                {SHAPE(S, A, -2, 1, true, NULL, 0), "3 x 2 and [-2, 1] with ends"},
                {SHAPE(S, A, -1, 2, true, NULL, 0), "3 x 2 and [-1, 2] with ends"},
                {SHAPE(S, A, -1, 1, false, NULL, 0), "3 x 2 and [-1, 1] without end"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    char why[300];
    snprintf(
        why, sizeof why,
        "the file is for 3 states x 2 actions and rewards in [-1, 1] with ends; this agent has "
        "%s",
        others[i].is);
    check_restore(agent, path, SPEC_OF_BOTH, others[i].shape, why);
  }
  far_agent_free(agent);
}

/* A file that is not there, and one that is none: the agent is what it was. */
static void test_restore_nothing(const char *path) {
  const far_shape shape = far_shape_default(S, A);
  const far_transition step = {0, 1, 0.5, 1, false, false};
  far_agent *agent = NULL;
  far_error error = {0};
  CHECK(far_agent_create(&agent, "r-max", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  CHECK(far_agent_restore(agent, "/nonexistent/agent", &error) == FAR_STATUS_IO);
  CHECK_CONTAINS(error.message, "cannot read '/nonexistent/agent'");
  CHECK(truncate(path, 0) == 0 && far_agent_restore(agent, path, &error) == FAR_STATUS_FORMAT);
  CHECK_CONTAINS(error.message, "is not a saved agent");
  CHECK(far_agent_steps(agent) == 1);
  far_agent_free(agent);
}

static bool never(void *user) {
  (void)user;
  return false;
}

/* What ends plans early is lent: a copy does without it, and one that takes another's state keeps its own. */
static void test_stop(const char *path) {
  const far_shape shape = far_shape_default(S, A);
  far_agent *agent = NULL, *copy = NULL;
  far__stop stop = {never, NULL, false};
  CHECK(far_agent_create(&agent, "r-max", &shape, 1, 0, NULL) == FAR_OK);
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  agent->stop = &stop;
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK && copy->stop == NULL);
  CHECK(far_agent_restore(agent, path, NULL) == FAR_OK && agent->stop == &stop);
  far_agent_free(copy);
  far_agent_free(agent);
}

/* At the ends of the parameters' ranges all numbers are finite, and what is saved is taken again. */
static void test_extremes(void) {
  static const char *const specs[] = {
      "rlsvi:sp=1e70,sn=1e-70",  "psrl:sp=1e70,sn=1e-70",
      "rlsvi:sp=1e-70,sn=1e70",  "rlsvi-episodic:sp=1e70,sn=1e-70",
      "psrl:mu0=1e100,sp=1e-70", "psrl-episodic:mu0=-1e100,sp=1e-70"};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
    const file f = saved(specs[i], SHAPE(S, A, -1, 1, true, NULL, H), 9);
    check_load(&f, NULL);
  }
  far_agent *agent;
  far_error error;
  const far_shape shape = far_shape_default(S, A);
  CHECK(far_agent_create(&agent, "rlsvi:sp=1e71", &shape, 1, 0, &error) == FAR_STATUS_RANGE);
}

int main(void) {
  char path[] = "/tmp/farsight-saved-XXXXXX";
  const int handle = mkstemp(path);
  CHECK(handle >= 0);
  test_head();
  test_short_head();
  test_sizes();
  test_words();
  test_told();
  test_told_words();
  test_horizon();
  test_extremes();
  test_restore(path);
  test_stop(path);
  test_restore_nothing(path);
  close(handle);
  unlink(path);
  return check_report();
}
