/* What counts in a problem: its discount, horizon or average reward, from the spec of an environment to every agent
 * and all that is exact. */
#include <farsight/farsight.h>
#include <farsight/lab.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model/criterion.h"
#include "questions/benchmark/benchmark.h"
#include "questions/results/results.h"

static far_mdp *model(const char *spec) {
  far_mdp *mdp = NULL;
  far_error error = {0};
  CHECK(far_mdp_create(&mdp, spec, &error) == FAR_OK);
  if (mdp == NULL) printf("  %s: %s\n", spec, error.message);
  return mdp;
}

/* ---- specs of environments ---- */

static void check_spec(const char *spec, double gamma, int64_t horizon, bool average,
                       const char *canonical) {
  far_mdp *mdp = model(spec);
  const far_shape shape = far_mdp_shape(mdp);
  CHECK(far_mdp_gamma(mdp) == gamma && far_shape_gamma(&shape) == gamma);
  CHECK(far_mdp_horizon(mdp) == horizon && shape.average == average);
  CHECK(shape.steps == 0 && far_shape_for(shape, 7, 2).steps == 7);
  CHECK(shape.episodes == 0 && far_shape_for(shape, 7, 2).episodes == 2);
  CHECK_TEXT(far_mdp_spec(mdp), canonical);
  far_mdp_free(mdp);
}

/* A criterion that is what it would be anyhow is no part of the canonical spec. */
static void test_specs(void) {
#define CHAIN "chain:n=3,slip=0.2,left=0.001,right=1"
  check_spec("chain:n=3", FAR_GAMMA_DEFAULT, 0, false, CHAIN);
  check_spec("chain:n=3,gamma=0.95", 0.95, 0, false, CHAIN);
  check_spec("chain:n=3,average=off", 0.95, 0, false, CHAIN);
  check_spec("chain:gamma=0.5,n=3", 0.5, 0, false, CHAIN ",gamma=0.5");
  check_spec("chain:n=3,average=on", 0.95, 0, true, CHAIN ",average=on");
  check_spec("chain:n=3,horizon=8", 0.95, 8, false, CHAIN ",horizon=8");
}

static int check_refused(const char *spec, const char *why) {
  far_mdp *mdp = NULL;
  far_error error = {0};
  CHECK(far_mdp_create(&mdp, spec, &error) != FAR_OK && mdp == NULL);
  CHECK_CONTAINS(error.message, why);
  return error.position;
}

static void test_refused(void) {
  check_refused("chain:gamma=1",
                "gamma must be a number in (0, 1); a problem without a discount has");
  check_refused("chain:gamma=0", "gamma must be a number in (0, 1)");
  check_refused("chain:gamma=short", "gamma must be a number in (0, 1)");
  check_refused("chain:gamma=0.9,horizon=5", "a problem has one criterion: horizon or gamma");
  check_refused("chain:average=on,horizon=5", "a problem has one criterion: horizon or average=on");
  check_refused("chain:average=on,gamma=0.5", "a problem has one criterion: gamma or average=on");
  /* the later one is to blame, which a form has just taken */
  CHECK(check_refused("chain:gamma=0.9,horizon=5", "horizon or gamma") == 24);
  CHECK(check_refused("chain:horizon=5,gamma=0.9", "horizon or gamma") == 22);
  CHECK(check_refused("chain:gamma=0.9,average=on", "gamma or average=on") == 24);
  CHECK(check_refused("chain:average=on,horizon=5", "horizon or average=on") == 25);
}

/* Every family takes the keys. */
static void test_families(void) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    if (far_mdp_family(i)->bare) continue;
    char spec[80];
    snprintf(spec, sizeof spec, "%s:gamma=0.75", far_mdp_family(i)->name);
    far_mdp *mdp = model(spec);
    CHECK(far_mdp_gamma(mdp) == 0.75 && far_mdp_discount(mdp) == 0.75);
    far_mdp_free(mdp);
    snprintf(spec, sizeof spec, "%s:average=on", far_mdp_family(i)->name);
    mdp = model(spec);
    CHECK(far_mdp_shape(mdp).average);
    far_mdp_free(mdp);
  }
}

static void check_with(const char *spec, double gamma, const char *expected) {
  char out[FAR_SPEC_SIZE];
  CHECK(far__mdp_spec_with_gamma(out, spec, gamma, NULL) == FAR_OK);
  CHECK_TEXT(out, expected);
}

/* One discount for many environments: those that say what counts stay as they are. */
static void test_with_gamma(void) {
  check_with("chain", 0.9, "chain:gamma=0.9");
  check_with("chain:n=3", 0.9, "chain:n=3,gamma=0.9");
  check_with("chain:n=3", NAN, "chain:n=3");
  check_with("chain:gamma=0.5", 0.9, "chain:gamma=0.5");
  check_with("chain:horizon=5", 0.9, "chain:horizon=5");
  check_with("chain:average=on", 0.9, "chain:average=on");
  check_with("file:a,b.mdp", 0.9, "file:a,b.mdp,gamma=0.9");
  check_with("file:a.mdp,gamma=0.5", 0.9, "file:a.mdp,gamma=0.5");
  check_with("file:a.mdp,horizon=5", 0.9, "file:a.mdp,horizon=5");
  check_with("no-such-family", 0.9, "no-such-family"); /* whoever makes it will say so */
  char out[FAR_SPEC_SIZE], long_one[FAR_SPEC_SIZE];
  far_error error = {0};
  memset(long_one, 'x', sizeof long_one - 1);
  memcpy(long_one, "file:", 5);
  long_one[sizeof long_one - 1] = '\0';
  CHECK(far__mdp_spec_with_gamma(out, long_one, 0.9, &error) != FAR_OK);
  CHECK(error.code == FAR_STATUS_RANGE);
}

/* The spec and the discount of the model that is made; or what the error says. */
static void check_made(const char *spec, double gamma, const char *whole, double has) {
  char canonical[FAR_SPEC_SIZE];
  far_spec *read;
  far_mdp *mdp = NULL;
  far_error error = {0};
  CHECK(far_spec_of_env(&read, spec, gamma, &error) == FAR_OK);
  CHECK(far_mdp_from(&mdp, read, &error) == (has > 0 ? FAR_OK : FAR_STATUS_CONFLICT));
  CHECK_TEXT(far_spec_typed(read), spec);
  far_spec_free(read);
  if (has > 0) CHECK(far_mdp_resolve(canonical, whole, NULL) == FAR_OK);
  if (has > 0) CHECK_TEXT(far_mdp_spec(mdp), canonical);
  if (has > 0) CHECK(far_mdp_gamma(mdp) == has);
  if (has == 0) CHECK_CONTAINS(error.message, whole);
  if (has == 0) CHECK(mdp == NULL);
  far_mdp_free(mdp);
}

static void write_file(char *path, const char *text) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Models of files: their own discount gives way to one for all, a horizon does not. */
static void test_create_with_gamma(void) {
  char spec[80], whole[80];
  char plain[] = "criterion-plain.json", timed[] = "criterion-timed.json";
#define STAYS "\"P\": {\"0\": {\"0\": [[1, 0, 1, false]]}}"
  write_file(plain, "{\"discount\": 0.5, " STAYS "}");
  write_file(timed, "{\"horizon\": 3, " STAYS "}");
  check_made("chain:n=3", 0.9, "chain:n=3,gamma=0.9", 0.9);
  check_made("chain:n=3", NAN, "chain:n=3", 0.95);
  check_made("chain:gamma=0.9", 0.9, "chain:gamma=0.9", 0.9);
  check_made("chain:gamma=0.5", 0.9,
             "chain:gamma=0.5 has the discount 0.5, and all environments are to have 0.9", 0);
  check_made("chain:horizon=5", 0.9, "chain:horizon=5", 0.95);
  check_made("chain:average=on", 0.9, "chain:average=on", 0.95);
  snprintf(spec, sizeof spec, "file:%s", plain);
  snprintf(whole, sizeof whole, "file:%s,gamma=0.9", plain);
  check_made(spec, NAN, spec, 0.5);
  check_refused("file:criterion-plain.json,gamma=0.9,horizon=5", "two stand behind the path");
  check_refused("file:criterion-plain.json,gamma=x", "gamma must be a number in (0, 1)");
  check_refused("file:criterion-plain.json,gamma=1", "the discount 1 is outside (0, 1)");
  check_refused("file:criterion-plain.json,average=yes", "one of off, on");
  check_made(spec, 0.9, whole, 0.9);
  snprintf(spec, sizeof spec, "file:%s", timed);
  check_made(spec, 0.9, spec, 0.95);
  remove(plain), remove(timed);
}

/* ---- models of a program ---- */

static void test_models(void) {
  far_mdp *mdp = model("chain:n=3"), *timed = model("chain:n=3,horizon=4");
  char plain[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  far_error error = {0};
  far_mdp_hash(plain, mdp);
  CHECK(far_mdp_set_gamma(mdp, 1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "outside (0, 1)");
  CHECK(far_mdp_set_gamma(mdp, NAN, NULL) == FAR_STATUS_RANGE && far_mdp_gamma(mdp) == 0.95);
  CHECK(far_mdp_set_gamma(mdp, 0.5, NULL) == FAR_OK && far_mdp_gamma(mdp) == 0.5);
  far_mdp_hash(other, mdp);
  CHECK(strcmp(plain, other) != 0);
  CHECK(far_mdp_set_gamma(mdp, 0.95, NULL) == FAR_OK);
  far_mdp_hash(other, mdp);
  CHECK_TEXT(other, plain);
  CHECK(far_mdp_set_average(mdp, NULL) == FAR_OK && far_mdp_shape(mdp).average);
  far_mdp_hash(other, mdp);
  CHECK(strcmp(plain, other) != 0);
  CHECK(far_mdp_set_gamma(timed, 0.5, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "a problem has one criterion");
  CHECK(far_mdp_set_average(timed, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "takes no average reward");
  far_mdp_free(mdp);
  far_mdp_free(timed);
}

static far_mdp *with_discount(double discount) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 1, 1, NULL) == FAR_OK);
  far_mdp_builder_outcome(b, 0, 0, 1, 0, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  if (discount > 0) CHECK(far_mdp_builder_discount(b, discount, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* A model's own discount counts, but for 1, with which nobody can plan who discounts: that is said. */
static void test_own_discount(void) {
  static const double discounts[] = {0, 0.5, 1};
  static const double gammas[] = {0.95, 0.5, 0.95};
  for (int i = 0; i < 3; ++i) {
    far_mdp *mdp = with_discount(discounts[i]);
    CHECK(far_mdp_gamma(mdp) == gammas[i]);
    CHECK((far__mdp_caveat(mdp) != NULL) == (i == 2));
    if (i == 2) CHECK_CONTAINS(far__mdp_caveat(mdp), "discount is 1");
    CHECK((i % 2 ? far_mdp_set_average(mdp, NULL) : far_mdp_set_gamma(mdp, 0.5, NULL)) == FAR_OK);
    CHECK(far__mdp_caveat(mdp) == NULL);
    far_mdp_free(mdp);
  }
}

/* ---- agents ---- */

static double gamma_of(const char *agent, const char *env) {
  far_mdp *mdp = model(env);
  far_agent *made = NULL;
  far_error error = {0};
  double gamma = NAN;
  CHECK(far_agent_create_on(&made, agent, mdp, 1000, 1, 0, &error) == FAR_OK);
  if (made == NULL) printf("  %s: %s\n", agent, error.message);
  if (made != NULL) far_agent_param(made, "gamma", &gamma);
  far_agent_free(made);
  far_mdp_free(mdp);
  return gamma;
}

/* Every agent that discounts plans with the problem's discount. */
static void test_agents(void) {
  int discounted = 0;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *type = far_agent_type(i);
    if (type->finite_horizon || far_type_param(type, "gamma", 5) == NULL) continue;
    CHECK(gamma_of(type->name, "chain:n=4") == FAR_GAMMA_DEFAULT);
    CHECK(gamma_of(type->name, "chain:n=4,gamma=0.875") == 0.875);
    ++discounted;
  }
  CHECK(discounted > 20);
  CHECK(gamma_of("q-learning:gamma=0.5", "chain:n=4") == 0.5);
  CHECK(gamma_of("r-max:gamma=short", "chain:n=4") == 0.8); /* 1000/8/25 = 5 steps */
}

typedef struct heard {
  int notes;
  char last[300];
} heard;

static void hear(void *user, bool severe, const char *message) {
  heard *h = user;
  if (strncmp(message, FAR_WARNING_PLANNING, strlen(FAR_WARNING_PLANNING)) != 0) return;
  CHECK(!severe);
  h->notes += 1;
  snprintf(h->last, sizeof h->last, "%s\n", message);
}

static void check_note(const char *agent, const char *env, const char *says) {
  far_mdp *mdp = model(env);
  const far_shape shape = far_mdp_shape(mdp);
  heard h = {0};
  CHECK(far_agent_check(agent, &shape, hear, &h, NULL) == FAR_OK);
  CHECK(h.notes == (says[0] != '\0'));
  CHECK_CONTAINS(h.last, says);
  far_mdp_free(mdp);
}

static void test_notes(void) {
  check_note("q-learning", "chain:n=4", "");
  check_note("q-learning:gamma=0.95", "chain:n=4", "");
  check_note("q-learning:gamma=0.5", "chain:n=4,gamma=0.5", "");
  check_note("q-learning:gamma=0.9", "chain:n=4", "discount 0.9; the problem's is 0.95");
  check_note("q-learning:gamma=0.9", "chain:n=4", "the problem's is 0.95\n"); /* and no more */
  check_note("psrl:gamma=0.99", "chain:n=4", "looks further ahead than what it is judged by");
  check_note("q-learning", "chain:n=4,average=on", "the average reward is what counts");
  check_note("q-learning:gamma=0.9", "chain:n=4,horizon=5", ""); /* which has a note of its own */
  check_note("ucrl2", "chain:n=4,average=on", "");
  check_note("optimal:gamma=0.5", "chain:n=4", ""); /* peeks, and plays what it is told to */
}

/* The theorem is about the problem. */
static void test_theory(void) {
  far_mdp *mdp = model("chain:n=4,gamma=0.5");
  const far_shape shape = far_mdp_shape(mdp), unknown = far_shape_default(4, 2);
  far_error error = {0};
  CHECK(far_agent_check("r-max:preset=theory", &shape, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_agent_check("r-max:preset=theory,gamma=0.5", &shape, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_agent_check("r-max:preset=theory,gamma=0.9", &unknown, NULL, NULL, NULL) == FAR_OK);
  CHECK(far_agent_check("r-max:preset=theory,gamma=0.9", &shape, NULL, NULL, &error) != FAR_OK);
  CHECK_CONTAINS(error.message, "whose discount is 0.5, not 0.9");
  CHECK(error.position == 26);
  far_mdp_free(mdp);
  mdp = model("chain:n=4,average=on"); /* there is no discount that it could have in common */
  const far_shape average = far_mdp_shape(mdp);
  CHECK(far_agent_check("r-max:preset=theory,gamma=0.9", &average, NULL, NULL, NULL) == FAR_OK);
  far_mdp_free(mdp);
}

/* ---- runs ---- */

static double total(const char *env, const char *agent, int64_t steps) {
  far_mdp *mdp = model(env);
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = steps};
  far_batch_def def = far_batch_def_default();
  far_batch *batch = NULL;
  def.cells = &cell, def.n_cells = 1, def.runs = 20;
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const double mean = batch != NULL ? far_batch_result(batch, 0)->mean : NAN;
  far_batch_free(batch);
  far_mdp_free(mdp);
  return mean;
}

/* What nobody says is what the key would say. */
static void test_told(void) {
  static const char *const agents[] = {"directed-delayed-q", "delayed-q", "delayed-q-ie"};
  for (int i = 0; i < 3; ++i) {
    char told[60], other[60];
    snprintf(told, sizeof told, "%s:steps=4000", agents[i]);
    snprintf(other, sizeof other, "%s:steps=40000", agents[i]);
    CHECK(total("riverswim", agents[i], 4000) == total("riverswim", told, 4000));
    CHECK(total("riverswim", agents[i], 4000) != total("riverswim", other, 4000));
  }
  CHECK(total("riverswim", "q-learning:gamma=0.5", 500) ==
        total("riverswim:gamma=0.5", "q-learning", 500));
}

/* ---- the default discount ---- */

/* The model in which the policy is the only choice. */
static far_mdp *obeying(const far_mdp *mdp, const uint32_t *policy) {
  const far_shape shape = far_mdp_shape(mdp);
  far_mdp_builder *b;
  far_mdp *out = NULL;
  size_t n;
  CHECK(far_mdp_builder_create(&b, shape.n_states, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    if (far_mdp_terminal(mdp, s)) {
      far_mdp_builder_terminal(b, s, NULL);
      continue;
    }
    const far_outcome *o = far_mdp_outcomes(mdp, s, policy[s], &n);
    for (size_t k = 0; k < n; ++k)
      far_mdp_builder_outcome(b, s, 0, o[k].probability, o[k].next, o[k].reward, NULL);
  }
  const far_outcome *start = far_mdp_starts(mdp, &n);
  for (size_t k = 0; k < n; ++k)
    far_mdp_builder_start(b, start[k].next, start[k].probability, NULL);
  CHECK(far_mdp_builder_finish(&out, b, NULL) == FAR_OK);
  return out;
}

/* The best policy by the default discount keeps this share of what lies between the random policy and the one that is
 * best in the long run. */
static double kept(const char *env) {
  far_mdp *mdp = model(env);
  far_solver *solver;
  far_solution best;
  far_solve_def def = far_solve_def_default();
  double most = NAN, least = NAN, has = NAN;
  def.gamma = far_mdp_gamma(mdp);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  far_mdp *one = obeying(mdp, best.policy);
  CHECK(far_solve_best_total(&most, mdp, 10000, NULL, NULL) == FAR_OK);
  CHECK(far_solve_random_total(&least, mdp, 10000, NULL, NULL) == FAR_OK);
  CHECK(far_solve_random_total(&has, one, 10000, NULL, NULL) == FAR_OK);
  far_mdp_free(one);
  far_solution_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return (has - least) / (most - least);
}

static void test_default(void) {
  int compared = 0;
  for (size_t i = 0; far__standard_problem(i) != NULL || far__benchmark_problem_at(i) != NULL;
       ++i) {
    const far__benchmark_problem *p = far__benchmark_problem_at(i);
    const char *const envs[] = {far__standard_problem(i),
                                p != NULL && p->setting != FAR__SETTING_HORIZON ? p->env : NULL};
    for (int k = 0; k < 2; ++k) {
      if (envs[k] == NULL) continue;
      const double share = kept(envs[k]);
      if (share != share) continue; /* every policy earns the same */
      CHECK(share >= 0.98);
      if (!(share >= 0.98)) printf("  %s: %g\n", envs[k], share);
      ++compared;
    }
  }
  CHECK(compared >= 27);
}

int main(void) {
  test_specs();
  test_refused();
  test_families();
  test_with_gamma();
  test_create_with_gamma();
  test_models();
  test_own_discount();
  test_agents();
  test_notes();
  test_theory();
  test_told();
  test_default();
  return check_report();
}
