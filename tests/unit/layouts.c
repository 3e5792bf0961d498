/* Saved agents whose state is laid out as no algorithm of the library's is: one word a state, however
 * many actions there are. The program is linked with its own copies of agent.c and save.c, made with a
 * list of algorithms that has this one as well (tests/unit/per-state). */
#include <farsight/farsight.h>
#include <stdlib.h>
#include <unistd.h>

#include "agents/agent.h"
#include "base/bytes.h"
#include "check.h"
#include "farsight/base.h"

/* ---- an agent that counts the visits of states ---- */

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)spec, (void)shape, (void)error;
  return FAR_OK;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)spec, (void)shape, (void)advice;
}

static size_t state_size(const far_shape *shape, const void *params) {
  (void)params;
  return (size_t)shape->n_states * sizeof(int64_t);
}

static void init(far_agent *agent) {
  (void)agent;
}

static uint32_t act(far_agent *agent, uint32_t s) {
  (void)agent, (void)s;
  return 0;
}

static void observe(far_agent *agent, const far_transition *step) {
  ((int64_t *)far__agent_state(agent))[step->s] += 1;
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const int64_t *visits = far__agent_state((far_agent *)agent); /* only read through */
  *out = (double)visits[pair / agent->shape.n_actions];
  return kind == FAR_VALUE_N;
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  (void)agent, (void)s, (void)out;
  return false;
}

static bool valid(const far_agent *agent) {
  const int64_t *visits = far__agent_state((far_agent *)agent);
  int64_t sum = 0;
  for (uint32_t s = 0; s < agent->shape.n_states; ++s) sum += visits[s];
  return sum == agent->t;
}

const far__agent_type far__per_state = {
    .info = {.name = "per-state", .summary = "", .reference = "", .guarantee = ""},
    .resolve = resolve,
    .advise = advise,
    .state_size = state_size,
    .init = init,
    .act = act,
    .observe = observe,
    .value = value,
    .policy = policy,
    .valid = valid,
};

/* ---- its files ---- */

enum { WORD = 8, STATES_AT = 2 * WORD, ACTIONS_AT = 3 * WORD };

static char path[] = "/tmp/farsight-layouts-XXXXXX";

static far_agent *experienced(uint32_t n_states, uint32_t n_actions) {
  const far_shape shape = far_shape_default(n_states, n_actions);
  far_agent *agent = NULL;
  CHECK(far_agent_create(&agent, "per-state", &shape, 1, 0, NULL) == FAR_OK);
  for (uint32_t s = 0; s < n_states; ++s)
    for (uint32_t k = 0; k <= s; ++k)
      CHECK(far_agent_observe(agent, &(far_transition){s, 0, 0, 0, false, false}, NULL) == FAR_OK);
  return agent;
}

static void test_reads_back(uint32_t n_states, uint32_t n_actions) {
  far_agent *agent = experienced(n_states, n_actions), *again = NULL;
  far_error error = {.message = ""};
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  CHECK(far_agent_load(&again, path, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  for (uint32_t s = 0; again != NULL && s < n_states; ++s) {
    double n = 0;
    CHECK(far_agent_value(again, FAR_VALUE_N, s, n_actions - 1, &n) && n == s + 1);
  }
  CHECK(far_agent_restore(agent, path, NULL) == FAR_OK);
  far_agent_free(again);
  far_agent_free(agent);
}

/* A word of the file is another, and its checksum is right all the same. */
static void forge(size_t at, uint64_t word) {
  static uint8_t data[4096];
  FILE *file = fopen(path, "rb+");
  const size_t size = file != NULL ? fread(data, 1, sizeof data, file) : 0;
  CHECK(size > FAR_HASH_BYTES && size < sizeof data);
  if (size <= FAR_HASH_BYTES) return;
  far__put_u64(data + at, word);
  far_hash(data + size - FAR_HASH_BYTES, data, size - FAR_HASH_BYTES);
  rewind(file);
  CHECK(fwrite(data, 1, size, file) == size);
  fclose(file);
}

/* A shape that the file has no room for is refused as such, and no memory is asked for. */
static void test_forged(size_t at, uint64_t word, const char *why) {
  far_agent *agent = experienced(3, 4), *again = NULL;
  far_error error = {.message = ""};
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  far_agent_free(agent);
  forge(at, word);
  CHECK(far_agent_load(&again, path, &error) == FAR_STATUS_FORMAT && again == NULL);
  CHECK_CONTAINS(error.message, why);
}

int main(void) {
  const int fd = mkstemp(path);
  CHECK(fd >= 0);
  if (fd >= 0) close(fd);
  test_reads_back(1, 1);
  test_reads_back(3, 4); /* three words for twelve pairs */
  test_reads_back(5, 100);
  test_forged(STATES_AT, 4, "wrong size");
  test_forged(STATES_AT, UINT32_MAX, /* with 32 bits no memory could hold them */
              SIZE_MAX > UINT32_MAX ? "wrong size" : "too many for this machine");
  test_forged(STATES_AT, (uint64_t)UINT32_MAX + 1, "too many states or actions");
  test_forged(STATES_AT, 0, "the number of states must be at least 1");
  test_forged(ACTIONS_AT, 0, "the number of actions must be at least 1");
  remove(path);
  return check_report();
}
