/* Prints a model for other solvers: a line with the sizes, "start S P" lines, "end S" lines, and
 * "S A P NEXT REWARD" lines. usage: print_model SPEC */
#include <farsight/farsight.h>
#include <stdio.h>

static void print_rows(const far_mdp *mdp, far_shape shape) {
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    if (far_mdp_terminal(mdp, s)) printf("end %u\n", s);
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      size_t n;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
      for (size_t k = 0; k < n; ++k)
        printf("%u %u %.17g %u %.17g\n", s, a, o[k].probability, o[k].next, o[k].reward);
    }
  }
}

int main(int argc, char **argv) {
  far_mdp *mdp;
  far_error error;
  if (argc != 2) return 2;
  if (far_mdp_create(&mdp, argv[1], &error) != FAR_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const far_shape shape = far_mdp_shape(mdp);
  size_t n;
  const far_outcome *start = far_mdp_starts(mdp, &n);
  printf("%u %u\n", shape.n_states, shape.n_actions);
  for (size_t k = 0; k < n; ++k) printf("start %u %.17g\n", start[k].next, start[k].probability);
  print_rows(mdp, shape);
  far_mdp_free(mdp);
  return 0;
}
