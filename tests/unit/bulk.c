/* Many calls in one: values, policies, actions, steps; agents as blocks of memory. */
#include <unistd.h>

#include "agents/facts.h"
#include "suite.h"

/* ---- tables ---- */

static void check_table(const far_agent *agent, const char *spec, far_value kind) {
  double table[WORLD_STATES * WORLD_ACTIONS], x;
  const bool there = far_agent_value(agent, kind, 0, 0, &x);
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) table[i] = -77;
  check_agent(far_agent_values(agent, kind, table) == there, spec, "both have the number or none");
  bool same = true;
  for (uint32_t s = 0; s < WORLD_STATES; ++s)
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a) {
      const double got = table[s * WORLD_ACTIONS + a];
      same = same && (there ? far_agent_value(agent, kind, s, a, &x) && got == x : got == -77);
    }
  check_agent(same, spec, "the table holds the numbers of the pairs");
}

static void check_policies(const far_agent *agent, const char *spec) {
  double table[WORLD_STATES * WORLD_ACTIONS], row[WORLD_ACTIONS];
  const bool there = far_agent_policy(agent, 0, row);
  check_agent(far_agent_policies(agent, table) == there, spec, "both have a policy or none");
  bool same = true;
  for (uint32_t s = 0; there && s < WORLD_STATES; ++s) {
    const bool live = far_shape_is_live(far_agent_shape(agent), s);
    far_agent_policy(agent, s, row);
    for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
      same = same && table[s * WORLD_ACTIONS + a] == (live ? row[a] : 0);
  }
  check_agent(same, spec, "the table holds the policies of the states");
}

static void test_tables(const far_type_info *type, const char *spec) {
  (void)type;
  far_mdp *mdp = dyadic_world(true, 1, 0); /* its last state is terminal, and so not live */
  far_agent *agent = begin_in(mdp, spec, 1);
  walk w = begin_walk(mdp, 1);
  walk_steps(&w, agent, 100);
  for (int kind = 0; kind < FAR_VALUE_COUNT; ++kind) check_table(agent, spec, (far_value)kind);
  check_policies(agent, spec);
  far_agent_free(agent);
  far_mdp_free(mdp);
}

/* Of each step of an episode, and of the present one without a word of which; of no other. */
static void test_by_step(void) {
  enum { H = TEST_HORIZON };
  const far_shape shape = far_shape_default(WORLD_STATES, WORLD_ACTIONS);
  double table[WORLD_STATES * WORLD_ACTIONS], rows[WORLD_STATES * WORLD_ACTIONS], x;
  double row[WORLD_ACTIONS];
  far_agent *agent = begin_agent("ucb-h", &shape, 1);
  for (uint32_t t = 0; t < 2 * H + 1; ++t) {
    const far_transition step = {.s = t % 2, .a = 1, .r = 0.25 * (t % 4), .next = (t + 1) % 2};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
  }
  CHECK(far_agent_episode_step(agent) == 1);
  for (int64_t h = 0; h < H; ++h) {
    CHECK(far_agent_values_at(agent, FAR_VALUE_Q, h, table));
    CHECK(far_agent_policies_at(agent, h, rows));
    for (uint32_t s = 0; s < WORLD_STATES; ++s) {
      CHECK(far_agent_policy_at(agent, h, s, row));
      CHECK(memcmp(row, rows + s * WORLD_ACTIONS, sizeof row) == 0);
      for (uint32_t a = 0; a < WORLD_ACTIONS; ++a)
        CHECK(far_agent_value_at(agent, FAR_VALUE_Q, h, s, a, &x) &&
              table[s * WORLD_ACTIONS + a] == x);
    }
  }
  CHECK(!far_agent_values_at(agent, FAR_VALUE_Q, H, table) &&
        !far_agent_policies_at(agent, H, rows));
  CHECK(!far_agent_values_at(agent, FAR_VALUE_Q, -1, table));
  CHECK(!far_agent_policies_at(agent, -1, rows));
  double now[WORLD_STATES * WORLD_ACTIONS], first[WORLD_STATES * WORLD_ACTIONS];
  CHECK(far_agent_values(agent, FAR_VALUE_Q, now));
  CHECK(far_agent_values_at(agent, FAR_VALUE_Q, 1, table));
  CHECK(far_agent_values_at(agent, FAR_VALUE_Q, 0, first));
  CHECK(memcmp(now, table, sizeof now) == 0 && memcmp(now, first, sizeof now) != 0);
  CHECK(far_agent_policies(agent, now) && far_agent_policies_at(agent, 1, rows));
  CHECK(memcmp(now, rows, sizeof now) == 0);
  CHECK(far__agent_by_step(agent));
  far_agent_free(agent);
}

/* One that takes no notice of the horizon has the same numbers at each step of an episode. */
static void test_stationary(void) {
  far_shape shape = far_shape_default(2, 2);
  far_agent *agent = begin_agent("q-learning", &shape, 1);
  CHECK(!far__agent_by_step(agent));
  far_agent_free(agent);
  shape.horizon = 2;
  agent = begin_agent("q-learning", &shape, 1);
  double table[2][4];
  CHECK(!far__agent_by_step(agent));
  CHECK(far_agent_observe(agent, &(far_transition){.r = 0.5, .next = 1}, NULL) == FAR_OK);
  for (int h = 0; h < 2; ++h) CHECK(far_agent_values_at(agent, FAR_VALUE_Q, h, table[h]));
  CHECK(memcmp(table[0], table[1], sizeof table[0]) == 0);
  CHECK(!far_agent_values_at(agent, FAR_VALUE_Q, 2, table[0]));
  far_agent_free(agent);
}

/* ---- many actions and steps ---- */

static void test_many(const far_type_info *type, const char *spec) {
  (void)type;
  enum { STEPS = 50 };
  far_mdp *mdp = dyadic_world(true, 1, 0);
  far_agent *one = begin_in(mdp, spec, 1), *many = begin_in(mdp, spec, 1);
  walk w = begin_walk(mdp, 1);
  far_transition steps[STEPS];
  uint32_t states[STEPS], actions[STEPS];
  for (int t = 0; t < STEPS; ++t) {
    steps[t] = go(&w, (uint32_t)t % WORLD_ACTIONS);
    states[t] = steps[t].s;
    CHECK(far_agent_observe(one, &steps[t], NULL) == FAR_OK);
  }
  size_t learned = 0;
  CHECK(far_agent_observe_many(many, steps, STEPS, &learned, NULL) == FAR_OK && learned == STEPS);
  check_agent(same_agent(one, many), spec, "many steps are so many single ones");
  CHECK(far_agent_act_many(many, states, STEPS, actions, NULL) == FAR_OK);
  bool same = true;
  for (int t = 0; t < STEPS; ++t) same = same && actions[t] == far_agent_act(one, states[t]);
  check_agent(same && same_agent(one, many), spec, "many actions are so many single ones");
  far_agent_free(one);
  far_agent_free(many);
  far_mdp_free(mdp);
}

static void test_refused(void) {
  const far_shape shape = far_shape_default(3, 2);
  far_agent *agent = begin_agent("q-learning", &shape, 1);
  const far_transition steps[] = {{.next = 1}, {.s = 1, .a = 1, .next = 2}, {.s = 3}, {.next = 1}};
  size_t learned = 77;
  far_error error = {0};
  CHECK(far_agent_observe_many(agent, steps, 4, &learned, &error) == FAR_STATUS_RANGE);
  CHECK(learned == 2 && far_agent_steps(agent) == 2);
  CHECK_CONTAINS(error.message, "state 3");
  CHECK(far_agent_observe_many(agent, NULL, 0, NULL, NULL) == FAR_OK);
  CHECK(far_agent_act_many(agent, NULL, 0, NULL, NULL) == FAR_OK);
  const uint32_t states[] = {0, 1, 3, 0};
  uint32_t actions[] = {9, 9, 9, 9};
  CHECK(far_agent_act_many(agent, states, 4, actions, &error) == FAR_STATUS_RANGE);
  CHECK(actions[0] < 2 && actions[1] < 2 && actions[2] == 9 && actions[3] == 9);
  CHECK_CONTAINS(error.message, "state 3");
  far_agent_free(agent);
}

/* ---- memory ---- */

static bool holds(const far_agent *agent, const void *expected, size_t length) {
  void *data = NULL;
  size_t size = 0;
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  const bool same = size == length && memcmp(data, expected, length) == 0;
  far_free(data);
  return same;
}

/* What the file holds is what the memory holds, and goes on to the last bit. */
static void test_memory(const far_type_info *type, const char *spec) {
  (void)type;
  char path[64];
  snprintf(path, sizeof path, "bulk-test-%ld.far", (long)getpid());
  far_mdp *mdp = dyadic_world(true, 1, 0);
  far_agent *agent = begin_in(mdp, spec, 1), *loaded = NULL, *copy = NULL;
  walk w = begin_walk(mdp, 1);
  void *data;
  size_t size, read = 0;
  walk_steps(&w, agent, 60);
  CHECK(far_agent_save_memory(&data, &size, agent, NULL) == FAR_OK);
  CHECK(far_agent_clone(&copy, agent, NULL) == FAR_OK);
  check_agent(holds(copy, data, size), spec, "a copy holds the same, a learned model as well");
  CHECK(far_agent_save(agent, path, NULL) == FAR_OK);
  unsigned char *file = malloc(size + 1);
  FILE *f = fopen(path, "rb");
  if (f != NULL) read = fread(file, 1, size + 1, f);
  if (f != NULL) fclose(f);
  check_agent(read == size && memcmp(file, data, size) == 0, spec, "the same bytes as the file");
  memmove(file + 1, data, size); /* at an odd address */
  CHECK(far_agent_load_memory(&loaded, file + 1, size, NULL) == FAR_OK);
  if (loaded != NULL) {
    walk other = w;
    walk_steps(&w, agent, 40);
    walk_steps(&other, loaded, 40);
    check_agent(same_agent(agent, loaded), spec, "a loaded agent goes on as the saved one");
  }
  remove(path);
  free(file);
  far_free(data);
  far_agent_free(agent);
  far_agent_free(loaded);
  far_agent_free(copy);
  far_mdp_free(mdp);
}

static void refuses(const unsigned char *data, size_t size, const char *part) {
  far_agent *agent = (far_agent *)1;
  far_error error = {0};
  CHECK(far_agent_load_memory(&agent, data, size, &error) == FAR_STATUS_FORMAT);
  CHECK(agent == NULL);
  CHECK_CONTAINS(error.message, part);
}

/* Every length, every byte, and what only a sound checksum lets through. */
static void test_damage(void) {
  const bool absent[] = {false, false, true};
  far_shape shape = far_shape_default(3, 2);
  shape.absent = absent;
  far_agent *agent = begin_agent("psrl", &shape, 1);
  CHECK(far_agent_observe(agent, &(far_transition){.next = 1}, NULL) == FAR_OK);
  void *block;
  size_t size;
  CHECK(far_agent_save_memory(&block, &size, agent, NULL) == FAR_OK);
  unsigned char *data = block;
  for (size_t n = 0; n < size; ++n) refuses(data, n, "the block of memory is");
  for (size_t i = 0; i < size; ++i) {
    data[i] ^= 0x40;
    refuses(data, size, "the block of memory");
    data[i] ^= 0x40;
  }
  /* (offset, value) of a byte, and what is said once the checksum is right */
  static const struct {
    size_t at;
    unsigned char value;
    const char *part;
  } lies[] = {{0, 'X', "is not a saved agent"},
              {8, 9, "format version 9"},
              {20, 1, "too many states"},
              {28, 1, "too many states or actions"},
              {48, 15, "absent states cannot be read"},
              {63, 0x7f, "clock"},
              {96, 1, "sizes do not add up"},
              {104, 1, "sizes do not add up"},
              {112, 1, "sizes do not add up"},
              {120, '?', "is damaged"}};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
    const unsigned char before = data[lies[i].at];
    data[lies[i].at] = lies[i].value;
    far_hash(data + size - FAR_HASH_BYTES, data, size - FAR_HASH_BYTES);
    refuses(data, size, lies[i].part);
    data[lies[i].at] = before;
  }
  far_free(block);
  far_agent_free(agent);
}

int main(int argc, char **argv) {
  each_spec(test_tables, argc, argv);
  test_by_step();
  test_stationary();
  each_spec(test_many, argc, argv);
  test_refused();
  each_spec(test_memory, argc, argv);
  test_damage();
  return check_report();
}
