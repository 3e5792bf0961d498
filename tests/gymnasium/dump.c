/* Prints a model as JSON: dump SPEC. For the comparison with Gymnasium. */
#include <farsight/farsight.h>

#include <stdio.h>

static void print_outcomes(const far_outcome *o, size_t count) {
  printf("[");
  for (size_t k = 0; k < count; ++k)
    printf("%s[%.17g,%lu,%.17g,%d]", k ? "," : "", o[k].probability, (unsigned long)o[k].next,
           o[k].reward, o[k].done);
  printf("]");
}

static void print_model(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  printf("{\"states\":%lu,\"actions\":%lu,\"starts\":", (unsigned long)shape.n_states,
         (unsigned long)shape.n_actions);
  print_outcomes(starts, count);
  printf(",\"rows\":[");
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    printf("%s\n[", s ? "," : "");
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      printf("%s", a ? "," : "");
      print_outcomes(o, count);
    }
    printf("]");
  }
  printf("]}\n");
}

int main(int argc, char **argv) {
  far_mdp *mdp;
  far_error error;
  if (argc != 2 || far_mdp_create(&mdp, argv[1], &error) != FAR_OK) {
    fprintf(stderr, "%s\n", argc == 2 ? error.message : "usage: dump SPEC");
    return 2;
  }
  print_model(mdp);
  far_mdp_free(mdp);
  return 0;
}
