/* mechanism: what happens inside Directed Delayed Q-learning on the paper's chain, as gamma_e
 * falls.
 *
 * usage: mechanism SPEC [RUNS]     SPEC without gamma_e, e.g. the set of `farsight reproduce`
 *
 * For each gamma_e and both chains, the means over the runs of: total reward, the part of runs that
 * ever reach the right end, successful updates, the part of those that raise Q, the largest Q in
 * units of Vmax, the step of the last success, and the part of steps spent on pairs that are
 * switched off. docs/reproduction.md reads the table.
 */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10000 };

typedef struct account {
  double reward, reached, successes, raised, peak, last, idle;
} account;

static double value(const far_agent *agent, far_value kind, uint32_t s, uint32_t a) {
  double x = 0;
  far_agent_value(agent, kind, s, a, &x);
  return x;
}

static account follow(const far_mdp *mdp, const char *spec, uint64_t replicate) {
  const far_shape shape = far_mdp_shape(mdp);
  account sum = {0};
  far_agent *agent;
  far_error error;
  far_rng rng;
  if (far_agent_create(&agent, spec, &shape, 1, replicate, &error) != FAR_OK) {
    fprintf(stderr, "mechanism: %s\n", error.message);
    exit(2);
  }
  far_rng_init(&rng, 1, replicate, FAR_PURPOSE_TRANSITION);
  uint32_t s = 0;
  const double v_max = value(agent, FAR_VALUE_Q, 0, 0); /* every Q starts there */
  for (int t = 1; t <= STEPS; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const far_outcome *o = far_mdp_step(mdp, s, a, &rng);
    const double q = value(agent, FAR_VALUE_Q, s, a), e = value(agent, FAR_VALUE_E, s, a);
    far_agent_observe(agent, &(far_transition){s, a, o->reward, o->next, false, false}, NULL);
    const double now = value(agent, FAR_VALUE_Q, s, a);
    if (now != q || value(agent, FAR_VALUE_E, s, a) != e) {
      sum.successes += 1;
      sum.raised += now > q;
      sum.last = t;
    }
    if (now / v_max > sum.peak) sum.peak = now / v_max;
    sum.idle += value(agent, FAR_VALUE_LEARN, s, a) == 0;
    sum.reward += o->reward;
    if (o->next == shape.n_states - 1) sum.reached = 1;
    s = o->next;
  }
  far_agent_free(agent);
  return sum;
}

static void print_row(const far_mdp *mdp, const char *spec, const char *label, int runs) {
  account all = {0};
  for (int i = 0; i < runs; ++i) {
    const account one = follow(mdp, spec, (uint64_t)i);
    all.reward += one.reward;
    all.reached += one.reached;
    all.successes += one.successes;
    all.raised += one.raised;
    all.peak += one.peak;
    all.last += one.last;
    all.idle += one.idle;
  }
  const double raised = all.successes > 0 ? 100 * all.raised / all.successes : 0;
  printf("  N=%-3lu %-14s %8.0f %8.0f%% %10.0f %8.1f%% %8.2f %8.0f %8.0f%%\n",
         (unsigned long)far_mdp_shape(mdp).n_states, label, all.reward / runs,
         100 * all.reached / runs, all.successes / runs, raised, all.peak / runs, all.last / runs,
         all.idle / runs / STEPS * 100);
}

int main(int argc, char **argv) {
  static const char *const envs[] = {"chain:n=10", "chain:n=50"};
  static const char *const discounts[] = {"0.99", "0.9", "0.75", "0.5", "0.25"};
  const int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 100;
  if (argc < 2 || argc > 3 || runs < 1 || strchr(argv[1], ':') == NULL) {
    fprintf(stderr, "usage: mechanism directed-delayed-q:KEY=VALUE,... [RUNS]\n");
    return 2;
  }
  printf("%s, %d runs\n  %-5s %-14s %8s %9s %10s %9s %8s %8s %9s\n", argv[1], runs, "", "",
         "reward", "at right", "successes", "raise Q", "Q/Vmax", "last at", "off");
  for (int i = 0; i < 2; ++i) {
    far_mdp *mdp;
    if (far_mdp_create(&mdp, envs[i], NULL) != FAR_OK) return 1;
    for (int k = 0; k < 5; ++k) {
      char spec[1024], label[32];
      snprintf(spec, sizeof spec, "%s,gamma_e=%s", argv[1], discounts[k]);
      snprintf(label, sizeof label, "gamma_e=%s", discounts[k]);
      print_row(mdp, spec, label, runs);
    }
    far_mdp_free(mdp);
  }
  return 0;
}
