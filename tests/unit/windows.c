/* What the defaults of the delayed family make of its windows: of the pairs that a run visits, how many fill one, and how many
 * are ever switched off. */
#include <farsight/farsight.h>
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "agents/delayed.h"
#include "check.h"
#include "questions/results/results.h"

enum { STEPS = 20000, RUNS = 5 };

typedef struct shares {
  double filled, off; /* of the pairs that were visited */
} shares;

typedef struct pair_seen {
  bool visited, filled, off;
} pair_seen;

static const delayed_window *window_of(far_agent *agent, size_t pair) {
  const delayed_state *state = far__agent_state(agent);
  const double *words = (const double *)(state + 1);
  const size_t n = delayed_window_words(
      strncmp(far_agent_spec(agent), "directed", 8) == 0 ? DELAYED_DIRECTED : DELAYED_PLAIN);
  return (const delayed_window *)(const void *)(words + pair * n);
}

/* A window is full when a sample is added to m - 1 others, whatever comes of it. */
static void look(pair_seen *seen, int64_t before, int64_t after, int64_t m) {
  seen->visited = true;
  seen->filled = seen->filled || ((before & 1) != 0 && before / 2 == m - 1);
  seen->off = seen->off || (after & 1) == 0;
}

static void live(shares *sum, const far_mdp *mdp, const char *spec, uint64_t replicate) {
  const far_shape shape = far_mdp_shape(mdp);
  const size_t pairs = (size_t)shape.n_states * shape.n_actions;
  pair_seen *seen = calloc(pairs, sizeof *seen);
  far_agent *agent = NULL;
  far_rng luck, start;
  double m = 0, visited = 0, filled = 0, off = 0;
  CHECK(far_agent_create_on(&agent, spec, mdp, STEPS, 1, replicate, NULL) == FAR_OK);
  CHECK(far_agent_param(agent, "m", &m));
  far_rng_init(&luck, 1, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&start, 1, replicate, FAR_PURPOSE_START);
  uint32_t s = far_mdp_start(mdp, &start);
  for (int t = 0; t < STEPS; ++t) {
    const uint32_t a = far_agent_act(agent, s);
    const size_t pair = (size_t)s * shape.n_actions + a;
    const far_outcome *o = far_mdp_step(mdp, s, a, &luck);
    const int64_t before = window_of(agent, pair)->count;
    const far_transition step = {s, a, o->reward, o->next, o->done, false};
    CHECK(far_agent_observe(agent, &step, NULL) == FAR_OK);
    look(&seen[pair], before, window_of(agent, pair)->count, (int64_t)m);
    s = o->done ? far_mdp_start(mdp, &start) : o->next;
  }
  for (size_t i = 0; i < pairs; ++i)
    visited += seen[i].visited, filled += seen[i].filled, off += seen[i].off;
  sum->filled += filled / visited / RUNS;
  sum->off += off / visited / RUNS;
  far_agent_free(agent);
  free(seen);
}

static shares shares_of(const char *spec, const char *env) {
  shares out = {0, 0};
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, env, NULL) == FAR_OK);
  for (uint64_t r = 0; r < RUNS; ++r) live(&out, mdp, spec, r);
  far_mdp_free(mdp);
  return out;
}

/* docs/agents.md says so: fully delayed, windows fill and flags go off. With intervals a window of the defaults is longer than
 * what a pair gets, so that hardly any fills: the agent averages from the largest value down, and that is all. */
static void check_defaults(void) {
  for (size_t i = 0; far__standard_problem(i) != NULL; ++i) {
    const char *env = far__standard_problem(i);
    const shares full = shares_of("delayed-q", env), interval = shares_of("delayed-q-ie", env),
                 directed = shares_of("directed-delayed-q", env);
    CHECK(full.filled > 0.8 && full.off > 0.1);
    CHECK(interval.filled < 0.1 && interval.off < 0.05);
    CHECK(directed.filled < 0.1 && directed.off < 0.05);
  }
  /* with windows of five samples both work */
  const shares short_ones = shares_of("directed-delayed-q:preset=practical", "chain:n=10");
  CHECK(short_ones.filled > 0.7 && short_ones.off > 0.2);
}

/* unit_windows AGENT prints the shares that it has. */
int main(int argc, char **argv) {
  if (argc == 1) check_defaults();
  for (size_t i = 0; argc > 1 && far__standard_problem(i) != NULL; ++i) {
    const shares x = shares_of(argv[1], far__standard_problem(i));
    printf("%-12s filled %.2f, LEARN off %.2f\n", far__standard_problem(i), x.filled, x.off);
  }
  return check_report();
}
