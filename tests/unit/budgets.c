/* Every method with a guarantee, or with optimism in place of one, learns the problems that are hard
 * to explore within a budget that is stated here; those that dither fail in the same budget.
 *
 *     unit_budgets                          checks all rows, and that docs/behaviour.md has them
 *     unit_budgets --tables                 prints the tables for that page, below its marker:
 *         (sed '/<!--/q' docs/behaviour.md; unit_budgets --tables) >new && mv new docs/behaviour.md
 *     unit_budgets ENV AGENT STEPS [RUNS]   tries one row
 *
 * "Learned" is a run that earns at least 0.8 of the optimum in its last fifth. The optimum is the
 * exact gain of the model, where the end of an episode leads to the next start.
 */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "run/loop.h"

/* ---- the optimum: relative value iteration, with half of every step standing still ---- */

typedef struct solver {
  const far_mdp *mdp;
  uint32_t n_states, n_actions;
  double *v, *next;
} solver;

static double start_value(const solver *g) {
  size_t count;
  const far_outcome *o = far_mdp_starts(g->mdp, &count);
  double sum = 0;
  for (size_t k = 0; k < count; ++k) sum += o[k].probability * g->v[o[k].next];
  return sum;
}

static double pair_value(const solver *g, uint32_t s, uint32_t a, double start) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(g->mdp, s, a, &count);
  double sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += o[k].probability * (o[k].reward + (o[k].done ? start : g->v[o[k].next]));
  return sum;
}

/* One sweep; the least and the greatest change bound half the gain from both sides. */
static void sweep(const solver *g, double *least, double *most) {
  const double start = start_value(g);
  *least = INFINITY;
  *most = -INFINITY;
  for (uint32_t s = 0; s < g->n_states; ++s) {
    if (far_mdp_terminal(g->mdp, s)) continue;
    double best = -INFINITY;
    for (uint32_t a = 0; a < g->n_actions; ++a) best = fmax(best, pair_value(g, s, a, start));
    g->next[s] = 0.5 * (best + g->v[s]);
    *least = fmin(*least, g->next[s] - g->v[s]);
    *most = fmax(*most, g->next[s] - g->v[s]);
  }
  for (uint32_t s = 0; s < g->n_states; ++s) g->v[s] = g->next[s] - *least;
}

static double optimal_gain(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  const solver g = {mdp, shape.n_states, shape.n_actions, calloc(shape.n_states, sizeof(double)),
                    calloc(shape.n_states, sizeof(double))};
  double least = 0, most = 1;
  for (int i = 0; i < 1000000 && most - least > 1e-9; ++i) sweep(&g, &least, &most);
  CHECK(most - least <= 1e-9);
  free(g.v);
  free(g.next);
  return least + most;
}

/* The best reward a step where episodes have a horizon and do not end before it. */
static double optimal_episode(const far_mdp *mdp, int64_t horizon) {
  far_solver *exact;
  far_horizon best;
  CHECK(far_solver_create(&exact, mdp, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&best, exact, horizon, 1, NULL) == FAR_OK);
  const solver g = {mdp, best.n_states, best.n_actions, best.v, NULL};
  const double value = start_value(&g);
  far_horizon_free(&best);
  far_solver_free(exact);
  return value / (double)horizon;
}

static double optimum(const far_mdp *mdp) {
  const int64_t horizon = far_mdp_horizon(mdp);
  return horizon > 0 ? optimal_episode(mdp, horizon) : optimal_gain(mdp);
}

/* ---- rows: the agents' defaults where they do ---- */

enum { RUNS = 10, ENOUGH = 9 };

static const double LEARNED = 0.8, FAILED = 0.2;

typedef struct row {
  const char *agent;
  int64_t steps; /* 0: as the problem says */
} row;

typedef struct problem {
  const char *env;
  int64_t steps;
  const row *learn, *fail; /* ended by a row without an agent */
} problem;

static const row CHAIN_10[] = {
    {"directed-delayed-q:preset=practical,m=10", 0},
    {"delayed-q:preset=practical", 0},
    {"delayed-q-ie:preset=practical,m=10", 0},
    {"q-learning:q0=20,epsilon=0,alpha=0.5", 0}, /* optimistic */
    {"count-q", 0},
    {"dora:temperature=0.5", 0},
    {"ucb-q", 0},
    {"bayes-q", 0},
    {"r-max", 0},
    {"r-max:plan=rtdp", 0},
    {"v-max", 0},
    {"mbie", 0},
    {"mbie-eb", 0},
    {"beb", 0},
    {"oim", 0},
    {"mormax", 0},
    {"e3", 0},
    {"ucrl2", 0},
    {"ucrl-gamma", 0},
    {"ucrl2b", 0},
    {"ucbvi-gamma", 0},
    {"kl-ucrl", 0},
    {"imed-rl", 0},
    {"ucrl3", 0},
    {"psrl", 0},
    {"rlsvi", 0},
    {NULL, 0},
};

static const row CHAIN_50[] = {
    {"directed-delayed-q:preset=practical", 0},
    {"delayed-q:preset=practical", 0},
    {"delayed-q-ie:preset=practical,m=10", 0},
    {"q-learning:q0=20,epsilon=0,alpha=0.5", 0},
    {"count-q", 0},
    {"dora:temperature=0.5", 0},
    {"ucb-q:c=0.05", 0},
    {"r-max", 0},
    {"r-max:plan=rtdp", 0},
    {"v-max", 0},
    {"mbie", 0},
    {"mbie-eb", 0},
    {"beb", 0},
    {"oim", 0},
    {"mormax", 0},
    {"e3", 0},
    {"ucrl2:scale=0.03", 100000},
    {"ucrl-gamma", 0},
    {"ucrl2b", 0},
    {"ucbvi-gamma", 0},
    {"kl-ucrl", 0},
    {"ucrl3", 0},
    {"psrl:prior=0.1,resample=tsde,sn=0.25", 20000},
    {"rlsvi", 0},
    {NULL, 0},
};

static const row RIVERSWIM[] = {
    {"directed-delayed-q", 100000},
    {"delayed-q", 100000},
    {"delayed-q-ie", 100000},
    {"q-learning:q0=20,epsilon=0,alpha=0.02", 200000},
    {"count-q", 0},
    {"dora:temperature=0.1", 0},
    {"ucb-q", 0},
    {"r-max", 0},
    {"r-max:plan=rtdp", 0},
    {"v-max", 0},
    {"mbie", 0},
    {"mbie-eb", 0},
    {"beb", 0},
    {"oim", 0},
    {"mormax", 0},
    {"e3", 0},
    {"ucrl2", 0},
    {"ucrl-gamma", 0},
    {"ucrl2b", 0},
    {"ucbvi-gamma", 0},
    {"kl-ucrl", 0},
    {"imed-rl", 0},
    {"ucrl3", 0},
    {"psrl", 0},
    {"rlsvi", 0},
    {NULL, 0},
};

static const row DEEPSEA_10[] = {
    {"directed-delayed-q", 0},
    {"delayed-q", 0},
    {"delayed-q-ie", 0},
    {"q-learning:q0=1,epsilon=0,alpha=1", 0},
    {"count-q", 0},
    {"dora", 0},
    {"ucb-q", 0},
    {"r-max", 0},
    {"r-max:plan=rtdp", 0},
    {"v-max", 0},
    {"mbie", 0},
    {"mbie-eb", 0},
    {"beb", 0},
    {"oim:gamma=0.95,ve=10", 0},
    {"mormax", 0},
    {"e3", 0},
    {"ucrl2:scale=0.02", 0},
    {"ucrl-gamma", 0},
    {"ucrl2b", 0},
    {"ucbvi-gamma", 0},
    {"kl-ucrl", 0},
    {"imed-rl", 0},
    {"ucrl3", 0},
    {"psrl", 0},
    {"rlsvi", 0},
    {NULL, 0},
};

static const row DEEPSEA_20[] = {
    {"directed-delayed-q", 0},
    {"delayed-q:gamma=0.9", 0},
    {"q-learning:gamma=0.95,q0=1,epsilon=0,alpha=1", 0},
    {"count-q:gamma=0.95,beta=0.1", 0},
    {"dora:alpha=0.1,temperature=0.01", 0},
    {"ucb-q:gamma=0.95,c=0.001", 0},
    {"r-max:m=1", 0},
    {NULL, 0},
};

static const row LOCK_20[] = {
    {"directed-delayed-q", 0},
    {"delayed-q", 0},
    {"q-learning:q0=20,epsilon=0,alpha=0.5", 0},
    {"count-q", 0},
    {"dora:temperature=0.01", 0},
    {"ucb-q:c=0.001", 0},
    {"r-max:m=1", 0},
    {NULL, 0},
};

/* Five of its 16 states are terminal: an agent that hopes to meet them never gets this far. */
static const row FROZEN_LAKE[] = {
    {"count-q:gamma=0.95,beta=0.1", 0},
    {"r-max:m=50", 0},
    {"mbie", 0},
    {"mbie-eb:beta=0.42", 0},
    {"beb", 0},
    {"oim", 0},
    {"e3", 0},
    {"ucrl2", 0},
    {"ucrl-gamma", 0},
    {"ucrl2b", 0},
    {"ucbvi-gamma", 0},
    {"kl-ucrl", 0},
    {"ucrl3", 0},
    {"psrl", 0},
    {NULL, 0},
};

/* Dithering needs about 2^n tries for a sequence of n actions, and as many to swim upstream against
 * rewards that pull back; greedy among equals it does not even leave the left of the chain. (Softmax
 * of temperature 0.05 does learn deepsea:n=10 in 100,000 steps: 2^10 tries are few. It fails on the
 * larger one.) */
static const row NONE[] = {{NULL, 0}};
static const row DITHER_CHAIN[] = {{"q-learning:ties=lowest", 100000}, {NULL, 0}};
static const row DITHER[] = {{"q-learning", 0},
                             {"q-learning:ties=lowest", 0},
                             {"q-learning:temperature=0.5", 0},
                             {"speedy-q", 0},
                             {NULL, 0}};
static const row DITHER_20[] = {{"q-learning", 0},
                                {"q-learning:ties=lowest", 0},
                                {"q-learning:temperature=0.5", 0},
                                {"q-learning:temperature=0.05", 0},
                                {"speedy-q", 0},
                                {NULL, 0}};
static const row DITHER_SLOW[] = {{"q-learning", 200000},
                                  {"q-learning:ties=lowest", 200000},
                                  {"q-learning:temperature=0.5", 200000},
                                  {"speedy-q", 200000},
                                  {NULL, 0}};

/* Policies by steps; dithering stays where the current takes it. */
static const row RIVERSWIM_20[] = {
    {"ucb-h", 0},
    {"ucb-b", 0},
    {"ucbmq", 0},
    {"rand-ql", 0},
    {"q-advantage:c=0.02,settle=1", 80000},
    {"ucbvi", 10000},
    {"mvp", 10000},
    {"ubev", 10000},
    {"orlc", 10000},
    {"bpi-ucbvi", 0},
    {"psrl-episodic", 10000},
    {"rlsvi-episodic:sn=0.5", 0},
    {"rf-express", 0},
    {"rf-ucrl", 0},
    {"bayes-ucbvi", 10000},
    {NULL, 0},
};
static const row DITHER_RIVER[] = {{"q-learning", 0}, {"q-learning:ties=lowest", 0}, {NULL, 0}};

static const problem PROBLEMS[] = {
    {"chain:n=10", 20000, CHAIN_10, NONE},
    {"chain:n=50", 40000, CHAIN_50, DITHER_CHAIN},
    {"riverswim", 50000, RIVERSWIM, DITHER_SLOW},
    {"deepsea:n=10", 20000, DEEPSEA_10, DITHER},
    {"deepsea:n=20", 100000, DEEPSEA_20, DITHER_20},
    {"combination-lock:n=20", 100000, LOCK_20, DITHER_20},
    {"frozen-lake", 100000, FROZEN_LAKE, NONE},
    {"riverswim:n=6,form=2013,horizon=20", 40000, RIVERSWIM_20, DITHER_RIVER},
};

/* On so many of these, and on those with a horizon, every method with a guarantee must have a row. */
enum { GUARANTEED = 4 };

enum { LINE = 160, PAGE = 100000 };

typedef struct outcome {
  int learned;              /* runs that learned */
  double least, mean, most; /* fraction of the optimum in the last fifth */
} outcome;

/* The fraction of the optimum that a run earns in its last fifth. */
static double last_fifth(const far_mdp *mdp, far_agent *agent, double gain, int64_t steps,
                         uint64_t replicate) {
  far__run run = {.mdp = mdp, .agent = agent, .replicate = replicate, .most_episodes = INT64_MAX};
  far__loop *loop = far__loop_fused(agent);
  CHECK(far__run_begin(&run, 1, 1, NULL) == FAR_OK);
  const int64_t part = steps / 5;
  CHECK(loop(&run, steps - part, NULL) == FAR_OK);
  const double before = run.total;
  CHECK(loop(&run, part, NULL) == FAR_OK);
  return (run.total - before) / (gain * (double)part);
}

static outcome try_row(const far_mdp *mdp, const char *spec, int64_t steps, int runs) {
  const far_shape shape = far_shape_for(far_mdp_shape(mdp), steps, 0);
  const double gain = optimum(mdp);
  outcome out = {0, INFINITY, 0, -INFINITY};
  far_agent *agent;
  far_error error;
  CHECK(far_agent_create(&agent, spec, &shape, 1, 0, &error) == FAR_OK);
  if (agent == NULL) {
    printf("%s: %s\n", spec, error.message);
    return out;
  }
  for (int i = 0; i < runs; ++i) {
    const double x = last_fifth(mdp, agent, gain, steps, (uint64_t)i);
    out.learned += x >= LEARNED;
    out.least = fmin(out.least, x);
    out.most = fmax(out.most, x);
    out.mean += x / runs;
  }
  far_agent_free(agent);
  return out;
}

/* To two decimals there is no -0.00. */
static double rounded(double x) {
  return x < 0 && x > -0.005 ? 0 : x;
}

static void print_row(char line[LINE], const char *spec, int64_t steps, int runs,
                      const outcome *o) {
  snprintf(line, LINE, "| `%s` | %lld | %d of %d | %.2f | %.2f |", spec, (long long)steps,
           o->learned, runs, rounded(o->mean), rounded(o->least));
  puts(line);
  fflush(stdout);
}

static void print_head(const char *env, double gain) {
  printf("\n**%s**, optimum %.4g a step:\n\n", env, gain);
  puts("| agent | steps | learned | mean | least |\n|---|---|---|---|---|");
}

/* The page says what this program found: all is the same bits everywhere. */
static void test_page(const char *line) {
  static char page[PAGE];
  if (page[0] == '\0') {
    FILE *f = fopen(FARSIGHT_BEHAVIOUR_PAGE, "rb");
    CHECK(f != NULL);
    if (f == NULL) return;
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
  }
  const bool good = strstr(page, line) != NULL;
  CHECK(good);
  if (!good) printf("  docs/behaviour.md does not have this line\n");
}

static void test_rows(const problem *p, const far_mdp *mdp, const row *r, bool fails, bool print) {
  for (; r->agent != NULL; ++r) {
    const int64_t steps = r->steps > 0 ? r->steps : p->steps;
    const outcome o = try_row(mdp, r->agent, steps, RUNS);
    char line[LINE];
    print_row(line, r->agent, steps, RUNS, &o);
    if (print) continue;
    test_page(line);
    CHECK(fails ? o.most < FAILED : o.learned >= ENOUGH);
  }
}

static bool has_row(const row *r, const char *name) {
  for (; r->agent != NULL; ++r)
    if (strcspn(r->agent, ":") == strlen(name) && strncmp(r->agent, name, strlen(name)) == 0)
      return true;
  return false;
}

/* Nobody with a guarantee is left out. */
static void test_complete(const problem *p) {
  const far_type_info *type;
  for (size_t i = 0; (type = far_agent_type(i)) != NULL; ++i) {
    if (strncmp(type->guarantee, "none", 4) == 0) continue;
    if (type->finite_horizon != (strstr(p->env, "horizon=") != NULL)) continue;
    const bool good = has_row(p->learn, type->name);
    CHECK(good);
    if (!good) printf("  %s has a guarantee but no row for %s\n", type->name, p->env);
  }
}

static void test_problem(const problem *p, bool complete, bool print) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, p->env, NULL) == FAR_OK);
  print_head(p->env, optimum(mdp));
  test_rows(p, mdp, p->learn, false, print);
  test_rows(p, mdp, p->fail, true, print);
  if (complete || far_mdp_horizon(mdp) > 0) test_complete(p);
  far_mdp_free(mdp);
}

/* ENV AGENT STEPS [RUNS] */
static int try_one(int argc, char **argv) {
  far_mdp *mdp;
  far_error error;
  if (far_mdp_create(&mdp, argv[1], &error) != FAR_OK) {
    puts(error.message);
    return 2;
  }
  const int64_t steps = (int64_t)strtod(argv[3], NULL);
  const int runs = argc > 4 ? (int)strtol(argv[4], NULL, 10) : RUNS;
  print_head(argv[1], optimum(mdp));
  const outcome o = try_row(mdp, argv[2], steps, runs);
  char line[LINE];
  print_row(line, argv[2], steps, runs, &o);
  far_mdp_free(mdp);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 3) return try_one(argc, argv);
  const bool print = argc > 1 && strcmp(argv[1], "--tables") == 0;
  for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; ++i)
    test_problem(&PROBLEMS[i], i < GUARANTEED, print);
  return print ? check_failed > 0 : check_report();
}
