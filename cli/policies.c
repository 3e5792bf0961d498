#include "policies.h"

#include "cli.h"
#include "memory.h"

/* Where a batch was interrupted, what takes longer is left out. */
static bool continues(void *user, int64_t sweeps, double error) {
  (void)user, (void)sweeps, (void)error;
  return !out_of_time();
}

typedef far_status total_of(double *out, const far_mdp *mdp, int64_t steps,
                            const far_solve_def *def, far_error *error);

static double total(total_of *policy, const far_mdp *mdp, int64_t steps) {
  far_solve_def def = far_solve_def_default();
  double out;
  def.progress = continues;
  need_memory(policy(&out, mdp, steps, &def, NULL));
  return out;
}

double best_total(const far_mdp *mdp, int64_t steps) {
  return total(far_solve_best_total, mdp, steps);
}

double random_total(const far_mdp *mdp, int64_t steps) {
  return total(far_solve_random_total, mdp, steps);
}
