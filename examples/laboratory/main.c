/* Results that are kept: two agents on the paper's chain, through a store. Run it twice with the same
 * file, and the second time nothing is computed. */
#include <farsight/lab.h>
#include <stdio.h>

static int fail(const far_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: laboratory STORE\n");
    return 2;
  }
  far_error error;
  far_mdp *chain;
  far_store *store;
  far_batch *batch;
  if (far_mdp_create(&chain, "chain:n=10", &error) != FAR_OK) return fail(&error);
  const far_cell cells[] = {
      {.mdp = chain, .agent = "directed-delayed-q", .steps = 1000},
      {.mdp = chain, .agent = "q-learning", .steps = 1000},
  };
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 20;
  if (far_store_open(&store, argv[1], FAR_STORE_WRITE, &error) != FAR_OK) return fail(&error);
  if (far_store_run(&batch, store, &def, &error) != FAR_OK) return fail(&error);
  for (size_t i = 0; i < def.n_cells; ++i) {
    const far_result *result = far_batch_result(batch, i);
    printf("%s: %.6g, %lld of %lld runs were known\n", cells[i].agent, result->mean,
           (long long)result->known, (long long)result->runs);
  }
  far_batch_free(batch);
  far_store_close(store);
  far_mdp_free(chain);
  return 0;
}
