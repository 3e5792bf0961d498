/* Entries of the benchmark that fail, and that know too much. */
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "questions/benchmark/benchmark.h"
#include "report/build.h"

/* ---- an agent that knows the models of the suite, and predicts the random numbers from a seed ---- */

enum { MOST_PROBLEMS = 64, FAILS_AFTER = 100 };

typedef struct known {
  far_mdp *mdp;
  far_solution best;
} known;

static known models[MOST_PROBLEMS];
static size_t n_models;
static _Atomic uint64_t told; /* the last seed that an agent was told */

static void learn_suite(void) {
  const far__benchmark_problem *p;
  far_solve_def def = far_solve_def_default();
  for (size_t i = 0; (p = far__benchmark_problem_at(i)) != NULL; ++i) {
    if (!p->tuning || p->setting != FAR__SETTING_CONTINUING) continue;
    known *k = &models[n_models++];
    far_solver *solver;
    CHECK(far_mdp_create(&k->mdp, p->env, NULL) == FAR_OK);
    CHECK(far_solver_create(&solver, k->mdp, NULL) == FAR_OK);
    CHECK(far_solver_discounted(&k->best, solver, &def, NULL) == FAR_OK);
    far_solver_free(solver);
  }
}

static void forget_suite(void) {
  for (size_t i = 0; i < n_models; ++i) {
    far_solution_free(&models[i].best);
    far_mdp_free(models[i].mdp);
  }
}

typedef struct cheat {
  const known *k; /* NULL: a problem that it does not know */
  bool by_heart;
  far_rng rng;
} cheat;

static far_status reset(void *of, uint64_t seed, uint64_t replicate, far_error *error) {
  cheat *x = of;
  (void)error;
  told = seed;
  far_rng_init(&x->rng, x->by_heart ? FAR__BENCHMARK_SEED : seed, replicate,
               FAR_PURPOSE_TRANSITION);
  return FAR_OK;
}

static far_status create(void **out, const void *params, const far_shape *shape, uint64_t seed,
                         uint64_t replicate, void *user, far_error *error) {
  cheat *x = calloc(1, sizeof *x);
  (void)params;
  *out = x;
  if (x == NULL) return FAR_STATUS_MEMORY;
  x->by_heart = user != NULL;
  for (size_t i = 0; i < n_models; ++i) {
    const far_shape s = far_mdp_shape(models[i].mdp);
    if (s.n_states == shape->n_states && s.n_actions == shape->n_actions &&
        s.episodic == shape->episodic && shape->horizon == 0)
      x->k = &models[i];
  }
  return reset(x, seed, replicate, error);
}

/* What each action would lead to with the number that is next. */
static far_status act(void *of, uint32_t s, uint32_t *a, far_error *error) {
  const cheat *x = of;
  double most = -1e300;
  (void)error;
  *a = 0;
  for (uint32_t i = 0; x->k != NULL && i < x->k->best.n_actions; ++i) {
    far_rng rng = x->rng;
    const far_outcome *o = far_mdp_step(x->k->mdp, s, i, &rng);
    const double value = o->reward + 0.99 * x->k->best.v[o->next];
    if (value > most) *a = i;
    most = value > most ? value : most;
  }
  return FAR_OK;
}

static far_status observe(void *of, const far_transition *step, far_error *error) {
  cheat *x = of;
  (void)error;
  if (x->k != NULL) (void)far_mdp_step(x->k->mdp, step->s, step->a, &x->rng);
  return FAR_OK;
}

/* ---- one that fails, one that answers nonsense ---- */

static far_status fail_later(void *of, const far_transition *step, far_error *error) {
  int *steps = of;
  (void)step;
  if (++*steps < FAILS_AFTER) return FAR_OK;
  *error = (far_error){FAR_STATUS_IO, -1, "the battery is empty"};
  return FAR_STATUS_IO;
}

static far_status create_plain(void **out, const void *params, const far_shape *shape,
                               uint64_t seed, uint64_t replicate, void *user, far_error *error) {
  (void)params, (void)shape, (void)seed, (void)replicate, (void)user, (void)error;
  *out = calloc(1, sizeof(int));
  return *out != NULL ? FAR_OK : FAR_STATUS_MEMORY;
}

static far_status act_first(void *of, uint32_t s, uint32_t *a, far_error *error) {
  (void)of, (void)s, (void)error;
  *a = 0;
  return FAR_OK;
}

static far_status act_nonsense(void *of, uint32_t s, uint32_t *a, far_error *error) {
  (void)of, (void)s, (void)error;
  *a = 77;
  return FAR_OK;
}

static void register_all(void) {
  static int yes;
  far_agent_def def = {.size = sizeof def,
                       .name = "reads-seed",
                       .create = create,
                       .free = free,
                       .act = act,
                       .observe = observe,
                       .reset = reset};
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  def.name = "by-heart";
  def.user = &yes;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  def = (far_agent_def){.size = sizeof def,
                        .name = "fails",
                        .create = create_plain,
                        .free = free,
                        .act = act_first,
                        .observe = fail_later};
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
  def.name = "nonsense";
  def.act = act_nonsense;
  CHECK(far_agent_register(&def, NULL) == FAR_OK);
}

/* ---- tests ---- */

static far__benchmark *run(const char *const *agents, size_t n, uint64_t seed, far_store *store) {
  far__benchmark_def def = far__benchmark_def_default();
  far__benchmark *b;
  far_error error;
  def.agents = agents;
  def.n_agents = n;
  def.tuning = true;
  def.runs = 2;
  def.seed = seed;
  def.store = store;
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_OK);
  if (b == NULL) printf("  %s\n", error.message);
  return b;
}

static const far__standing *find(const far__benchmark *b, far__setting setting, const char *agent) {
  const far__benchmark_part *part = &b->parts[setting];
  for (size_t j = 0; j < part->n_agents + part->n_failed; ++j)
    if (strcmp(part->standings[j].agent, agent) == 0) return &part->standings[j];
  CHECK(false);
  return &part->standings[0];
}

/* It gains by the seed where it is told the true one, and the mark shows it; in the benchmark it is told
 * another. */
static void test_seed(void) {
  const char *agents[] = {"reads-seed", "by-heart", "optimal"};
  far__benchmark *b = run(agents, 3, FAR__BENCHMARK_SEED, NULL);
  if (b == NULL) return;
  const far__standing *best = find(b, FAR__SETTING_CONTINUING, "optimal");
  const far__standing *reader = find(b, FAR__SETTING_CONTINUING, "reads-seed");
  const far__standing *heart = find(b, FAR__SETTING_CONTINUING, "by-heart");
  CHECK(told == far__benchmark_agent_seed(FAR__BENCHMARK_SEED) && told != FAR__BENCHMARK_SEED);
  CHECK(heart->score > best->high && heart->impossible);
  CHECK(reader->score < best->low && !reader->impossible && !best->impossible);
  CHECK(heart->late > 1 && heart->n_locked == 0 && heart->n_judged == best->n_judged);
  far__benchmark_free(b);
  b = run(agents, 3, 7, NULL); /* another seed: what it knows by heart is of no use */
  if (b == NULL) return;
  CHECK(!find(b, FAR__SETTING_CONTINUING, "by-heart")->impossible);
  CHECK(told == far__benchmark_agent_seed(7));
  far__benchmark_free(b);
}

/* A batch that says nothing else tells the seed itself. */
static void test_plain_batch(void) {
  const far_cell cell = {.mdp = models[0].mdp, .agent = "reads-seed", .steps = 10};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = 1;
  def.seed = 5;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  CHECK(told == 5);
  far_batch_free(batch);
}

static void test_failures(void) {
  const char *agents[] = {"fails", "random", "nonsense"};
  far_store *store;
  far_report *report;
  far_error error;
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK);
  far__benchmark *b = run(agents, 3, FAR__BENCHMARK_SEED, store);
  if (b == NULL) return;
  CHECK(far__benchmark_failed(b) == 2 * FAR__SETTING_COUNT);
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    const far__benchmark_part *part = &b->parts[k];
    CHECK(part->n_agents == 1 && part->n_failed == 2);
    CHECK_TEXT(part->standings[0].agent, "random");
    CHECK(part->standings[0].last == 1 && part->standings[0].failure[0] == '\0');
    CHECK_TEXT(part->standings[1].agent, "fails");
  }
  const char *why = find(b, FAR__SETTING_CONTINUING, "fails")->failure;
  CHECK(find(b, FAR__SETTING_CONTINUING, "fails")->late !=
        find(b, FAR__SETTING_CONTINUING, "fails")->late);
  CHECK(strncmp(why, "chain:n=8: fails, step 100 of replicate", 39) == 0);
  CHECK(strstr(why, "the battery is empty") != NULL);
  CHECK(strstr(find(b, FAR__SETTING_CONTINUING, "nonsense")->failure, "action 77") != NULL);
  CHECK(far_report_create(&report, "benchmark", &error) == FAR_OK);
  far__benchmark_report(b, report);
  CHECK(far__report_status(report, &error) == FAR_OK);
  far_report_free(report);
  far__benchmark_free(b);
  b = run(agents, 1, FAR__BENCHMARK_SEED, store); /* alone: nobody is judged */
  if (b != NULL) CHECK(b->parts[0].n_agents == 0 && b->parts[0].comparison == NULL);
  far__benchmark_free(b);
  far_store_close(store);
}

/* Two that are the same are refused before anything is run, and so is a spec that is wrong. */
static void test_refusals(void) {
  const char *twice[] = {"fails", "fails"}, *wrong[] = {"random", "fails:x=1"};
  far__benchmark_def def = far__benchmark_def_default();
  far__benchmark *b;
  far_error error;
  def.agents = twice;
  def.n_agents = 2;
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_STATUS_CONFLICT && b == NULL);
  def.agents = wrong;
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_STATUS_UNKNOWN && b == NULL);
  wrong[1] = "r-max:m=[1,2]";
  CHECK(far__benchmark_run(&b, &def, &error) == FAR_STATUS_SYNTAX && b == NULL);
}

int main(void) {
  far_store *store;
  learn_suite();
  register_all();
  test_plain_batch();
  if (far_store_open(&store, "", FAR_STORE_MEMORY, NULL) == FAR_OK) {
    far_store_close(store);
    test_seed();
    test_failures();
    test_refusals();
  }
  forget_suite();
  return check_report();
}
