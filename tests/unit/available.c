/* Models and agents that do not fit into the memory that there is are refused at once, with the bytes that they need.
 * A limit of the process's addresses stands for a machine with little memory. */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agents/facts.h"
#include "base/available.h"
#include "check.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Leaves this process so many bytes more; false where it cannot be known how many it has. */
static bool leave(uint64_t bytes) {
  unsigned long long pages;
  FILE *file = fopen("/proc/self/statm", "r");
  const bool known = file != NULL && fscanf(file, "%llu", &pages) == 1;
  if (file != NULL) fclose(file);
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = known ? pages * (uint64_t)sysconf(_SC_PAGESIZE) + bytes : 0;
  return known && setrlimit(RLIMIT_AS, &limit) == 0;
}

static void leave_all(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}

static void refused(const char *spec) {
  far_mdp *mdp;
  far_error error = {.message = ""};
  if (far_mdp_create(&mdp, spec, &error) != FAR_STATUS_MEMORY) printf("  %s\n", spec);
  CHECK(mdp == NULL && error.code == FAR_STATUS_MEMORY);
  CHECK_CONTAINS(error.message, " bytes (");
  CHECK_CONTAINS(error.message, "GB of memory are available");
  far_mdp_free(mdp);
}

static void test_families(void) {
  refused("garnet:states=5000000,actions=2");
  refused("chain:n=5000000");
  refused("dirichlet:states=3000");
  refused("combination-lock:n=10000,actions=1000");
  refused("deepsea:n=2000");
  refused("bridge:n=1000000");
  refused("riverswim:n=1000000");
  refused("loop:length=1000000");
  refused("mountain-car:positions=5000,velocities=1000");
  refused("hard-bandit:actions=2,depth=20");
}

/* A map of `side` x `side` cells. */
static void test_map(int side) {
  char path[] = "/tmp/farsight-map-XXXXXX", spec[64];
  const int to = mkstemp(path);
  FILE *file = fdopen(to, "w");
  for (int i = 0; i < side; ++i)
    for (int j = 0; j <= side; ++j) putc(j == side ? '\n' : i + j == 0 ? 'S' : '.', file);
  fclose(file);
  snprintf(spec, sizeof spec, "grid:map=@%s", path);
  refused(spec);
  unlink(path);
}

static void test_agents(void) {
  const far_shape shape = far_shape_default(1000000, 10);
  static const char *const agents[] = {"directed-delayed-q", "q-learning", "r-max"};
  for (size_t i = 0; i < sizeof agents / sizeof *agents; ++i) {
    far_agent *agent;
    far_error error = {.message = ""};
    size_t bytes = 0;
    CHECK(far__agent_bytes(&bytes, agents[i], &shape, &error) == FAR_OK && bytes >= 80000000);
    CHECK(far_agent_create(&agent, agents[i], &shape, 1, 0, &error) == FAR_STATUS_MEMORY);
    CHECK_CONTAINS(error.message, "1000000 states x 10 actions needs about");
    far_agent_free(agent);
  }
}

#ifndef SANITIZED /* whose own memory counts */
/* One that nobody announced is refused while it grows. */
static void test_builder(void) {
  far_mdp_builder *builder;
  far_error error = {.message = ""};
  far_status status = far_mdp_builder_create(&builder, 2, 1, &error);
  CHECK(status == FAR_OK);
  for (int i = 0; status == FAR_OK && i < 5000000; ++i)
    status = far_mdp_builder_outcome(builder, 0, 0, 1e-9, 1, 0, &error);
  CHECK(status == FAR_STATUS_MEMORY);
  CHECK_CONTAINS(error.message, "a model of more than 4194304 outcomes needs about");
  far_mdp_builder_free(builder);
}
#endif

/* No more threads than have memory for an agent each. */
static void test_threads(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  const far_cell cell = {.mdp = mdp, .agent = "r-max", .steps = 1};
  far_batch_def def = far_batch_def_default();
  far_pool *pool;
  size_t bytes = 0;
  def.cells = &cell;
  def.n_cells = 1;
  CHECK(far__agent_bytes(&bytes, cell.agent, &shape, NULL) == FAR_OK && bytes > 0);
  CHECK(far_pool_create(&pool, 4, NULL) == FAR_OK);
  CHECK(leave(2 * (uint64_t)bytes + bytes / 2));
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && pool->workers(pool) == 2);
  pool->end(pool);
  leave_all();
  CHECK(pool->begin(pool, &def, NULL) == FAR_OK && pool->workers(pool) == 4);
  pool->end(pool);
  far_pool_free(pool);
}

/* What fits is made. */
static void test_small(void) {
  far_mdp *mdp;
  far_error error;
  CHECK(far_mdp_create(&mdp, "garnet:states=1000", &error) == FAR_OK);
  far_mdp_free(mdp);
}

/* What the program allows itself, where the machine has far more: refused with the need, the limit and the option. */
static void test_limits(void) {
  const far_shape shape = far_shape_default(1000, 2);
  far_mdp *mdp;
  far_agent *agent;
  far_error error = {.message = ""};
  CHECK(far_limits_get().memory == 0 && far_limits_get().states == 0);
  far_limits_set((far_limits){.memory = (uint64_t)1 << 40, .states = 999});
  CHECK(far_limits_get().memory == (uint64_t)1 << 40 && far_limits_get().states == 999);
  CHECK(far__memory_available() <= (uint64_t)1 << 40);
  CHECK(far_mdp_create(&mdp, "chain:n=1000", &error) == FAR_STATUS_RANGE && mdp == NULL);
  CHECK_TEXT(error.message, "a model of 1000 states: the limit is 999 (--max-states)");
  CHECK(far_agent_create(&agent, "r-max", &shape, 1, 0, &error) == FAR_STATUS_RANGE);
  CHECK_TEXT(error.message, "an agent of 1000 states: the limit is 999 (--max-states)");
  CHECK(far_mdp_create(&mdp, "chain:n=999", &error) == FAR_OK);
  far_mdp_free(mdp);
  far_limits_set((far_limits){.memory = 3 << 20});
  CHECK(far_mdp_create(&mdp, "chain:n=100000", &error) == FAR_STATUS_MEMORY && mdp == NULL);
  CHECK_CONTAINS(error.message, NARROW ? "outcomes needs about 15900000 bytes (0.0159 GB)"
                                       : "outcomes needs about 16700000 bytes (0.0167 GB)");
  CHECK_CONTAINS(error.message, "; of the limit of 0.00315 GB (--max-memory) ");
  CHECK(far_mdp_create(&mdp, "chain:n=1000", &error) == FAR_OK);
  far_mdp_free(mdp);
  far_limits_set((far_limits){0});
  CHECK(far_mdp_create(&mdp, "chain:n=100000", &error) == FAR_OK);
  far_mdp_free(mdp);
}

int main(void) {
  far_mdp *large;
  CHECK(far__memory_available() > 0);
  test_limits();
  if (!leave((uint64_t)120 << 20)) {
    printf("skipped: the memory of this process cannot be limited\n");
    return check_report();
  }
  CHECK(far__memory_available() <= (uint64_t)120 << 20);
  test_families();
  test_map(1800);
  test_small();
  leave((uint64_t)64 << 20);
  test_agents();
#ifndef SANITIZED
  leave((uint64_t)250 << 20);
  test_builder();
#endif
  leave_all();
  CHECK(far__memory_available() > (uint64_t)250 << 20);
  CHECK(far_mdp_create(&large, "chain:n=1000000,slip=0", NULL) == FAR_OK);
  test_threads(large);
  far_mdp_free(large);
  return check_report();
}
