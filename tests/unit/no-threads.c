/* A system that gives no threads: the caller computes all, with the same bits. It is so in WebAssembly (ports/wasm/), and
 * where a user has too many processes. */
#include <errno.h>
#include <farsight/farsight.h>
#include <pthread.h>

#include "check.h"

static int refused;

/* In place of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
  (void)thread, (void)attributes, (void)run, (void)argument;
  refused += 1;
  return EAGAIN;
}

static bool count_calls(void *user, const far_progress *progress) {
  (void)progress;
  *(int *)user += 1;
  return true;
}

static void run(char hash[FAR_HASH_TEXT], const far_mdp *mdp, unsigned threads, int *calls) {
  const far_cell cell = {.mdp = mdp, .agent = "directed-delayed-q", .steps = 500};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  hash[0] = '\0';
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 40;
  def.threads = threads;
  def.progress = calls != NULL ? count_calls : NULL;
  def.user = calls;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  if (batch != NULL) strcpy(hash, far_batch_result(batch, 0)->hash);
  far_batch_free(batch);
}

static void test_batch(const far_mdp *mdp) {
  char one[FAR_HASH_TEXT], many[FAR_HASH_TEXT];
  int calls = 0;
  run(one, mdp, 1, NULL);
  CHECK(refused == 0); /* one thread is the caller */
  run(many, mdp, 7, NULL);
  CHECK(refused > 0);
  CHECK_TEXT(many, one);
  run(many, mdp, 1, &calls); /* progress is shown between blocks */
  CHECK_TEXT(many, one);
  CHECK(calls > 0);
}

static void solve(far_solution *out, const far_solver *solver, unsigned threads) {
  far_solve_def def = far_solve_def_default();
  def.method = FAR_METHOD_VALUE;
  def.threads = threads;
  CHECK(far_solver_discounted(out, solver, &def, NULL) == FAR_OK);
}

static void test_solver(void) {
  far_mdp *mdp;
  far_solver *solver;
  far_solution one, many;
  CHECK(far_mdp_create(&mdp, "chain:n=40000", NULL) == FAR_OK); /* enough for a team */
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  solve(&one, solver, 1);
  const int before = refused;
  solve(&many, solver, 7);
  CHECK(refused > before);
  CHECK(memcmp(one.v, many.v, one.n_states * sizeof *one.v) == 0);
  far_solution_free(&one);
  far_solution_free(&many);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

int main(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=50", NULL) == FAR_OK);
  test_batch(mdp);
  test_solver();
  far_mdp_free(mdp);
  return check_report();
}
