/* Any bytes as a saved agent; the checksum is put right, so that the checks behind it are reached. The mutator saves
 * agents of every kind, after some steps, and changes words of their state. What loads can be used, and saved and
 * loaded again it is the same. */
#include "grammar.h"

enum { WORD = 8, DIGEST = 32, HEADER = 15 * WORD };

static void step(far_agent *agent, const far_shape *shape, uint32_t t) {
  const uint32_t s = t % shape->n_states, a = far_agent_act(agent, s);
  expect(a < shape->n_actions);
  far_agent_observe(agent,
                    &(far_transition){s, a, t % 2 ? shape->reward_min : shape->reward_max,
                                      (t + 1) % shape->n_states, shape->episodic && t % 7 == 6,
                                      t % 5 == 4},
                    NULL);
}

static void use(far_agent *agent) {
  const far_shape shape = *far_agent_shape(agent);
  double x;
  for (uint32_t t = 0; t < 8; ++t) step(agent, &shape, t);
  for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind)
    far_agent_value(agent, (far_value)kind, shape.n_states - 1, shape.n_actions - 1, &x);
  far_agent_certificate(agent, &x);
  far_agent_stopped(agent);
}

static void check_again(const far_agent *agent) {
  void *once, *twice;
  size_t n, m;
  far_agent *again;
  expect(far_agent_save_memory(&once, &n, agent, NULL) == FAR_OK);
  expect(far_agent_load_memory(&again, once, n, NULL) == FAR_OK);
  expect(far_agent_save_memory(&twice, &m, again, NULL) == FAR_OK);
  expect(n == m && memcmp(once, twice, n) == 0);
  far_agent_free(again);
  free(once);
  free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  far_agent *agent;
  far_error error = {FAR_OK, -1, ""};
  char *copy = copy_of(data, size, 0);
  if (size > DIGEST) far_hash((uint8_t *)copy + size - DIGEST, copy, size - DIGEST);
  const far_status status = far_agent_load_memory(&agent, copy, size, &error);
  drop_copy(copy);
  if (status == FAR_OK) {
    check_again(agent);
    use(agent);
  } else {
    expect(agent == NULL && error.code == status && error.message[0] != '\0');
  }
  far_agent_free(agent);
  return 0;
}

/* ---- the mutator ---- */

/* An agent of any kind as it is saved after some steps, if there is room. */
static size_t save_any(uint8_t *data, size_t size, size_t most, dice *d) {
  far_shape shape = far_shape_default(1 + (uint32_t)roll(d, 4), 1 + (uint32_t)roll(d, 3));
  const bool absent[4] = {roll(d, 2), roll(d, 2), roll(d, 2), false};
  if (roll(d, 4) == 0 && shape.n_states == 4) shape.absent = absent;
  shape.episodic = roll(d, 2);
  shape.horizon = (int64_t)roll(d, 4);
  line spec = {.length = 0};
  put_spec(&spec, d, far_agent_type);
  far_agent *agent;
  void *saved = NULL;
  size_t n = 0;
  if (far_agent_create(&agent, spec.text, &shape, d->word, 0, NULL) != FAR_OK) return size;
  for (uint32_t t = 0, end = (uint32_t)roll(d, 30); t < end && shape.absent == NULL; ++t)
    step(agent, &shape, t);
  expect(far_agent_save_memory(&saved, &n, agent, NULL) == FAR_OK);
  check_again(agent);
  if (n <= most) memcpy(data, saved, n);
  free(saved);
  far_agent_free(agent);
  return n <= most ? n : size;
}

/* Any word becomes another one: small, large, not a number, or its neighbour. */
static void change_word(uint8_t *data, size_t size, dice *d) {
  static const uint64_t words[] = {0,
                                   1,
                                   2,
                                   3,
                                   255,
                                   UINT64_MAX,
                                   UINT64_C(1) << 63,
                                   INT64_MAX,
                                   UINT32_MAX,
                                   UINT64_C(0x7ff8000000000000),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0xfff0000000000000),
                                   UINT64_C(0x3ff0000000000000),
                                   UINT64_C(0x7fefffffffffffff)};
  const size_t first = roll(d, 4) > 0 && size > HEADER + WORD ? HEADER : 0;
  uint8_t *at = data + first + roll(d, (size - first) / WORD) * WORD;
  uint64_t word;
  memcpy(&word, at, WORD);
  if (roll(d, 3) == 0)
    word += roll(d, 5) - UINT64_C(2);
  else
    word = words[roll(d, sizeof words / sizeof *words)];
  memcpy(at, &word, WORD);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  dice d = dice_of(seed);
  if (roll(&d, 8) == 0) return LLVMFuzzerMutate(data, size, most);
  if (roll(&d, 3) == 0 || size < HEADER + WORD) size = save_any(data, size, most, &d);
  for (size_t n = roll(&d, 4); n > 0 && size >= WORD; --n) change_word(data, size, &d);
  return size;
}
