/* What the solvers refuse, and what they leave when they are stopped: every question about a model is asked again
 * and again, and stopped one report later each time. It then says CANCELLED and leaves nothing behind (the address
 * sanitizer sees that), or gives the answer that it gives undisturbed. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "worlds.h"

/* ---- the questions ---- */

/* A number that stands for the answer. */
typedef far_status question(double *out, const far_solver *solver, const far_mdp *mdp,
                            const far_solve_def *def, far_error *error);

static far_status ask_discounted(double *out, const far_solver *solver, const far_mdp *mdp,
                                 const far_solve_def *def, far_error *error) {
  far_solution x;
  (void)mdp;
  const far_status status = far_solver_discounted(&x, solver, def, error);
  CHECK((status == FAR_OK) == (x.v != NULL));
  *out = status == FAR_OK ? x.v[0] : NAN;
  far_solution_free(&x);
  return status;
}

static far_status ask_policy(double *out, const far_solver *solver, const far_mdp *mdp,
                             const far_solve_def *def, far_error *error) {
  uint32_t *action = calloc(far_mdp_shape(mdp).n_states, sizeof *action);
  far_solution x;
  const far_status status =
      far_solver_evaluate(&x, solver, def, &(far_policy){.action = action}, error);
  CHECK((status == FAR_OK) == (x.v != NULL));
  *out = status == FAR_OK ? x.v[0] : NAN;
  far_solution_free(&x);
  free(action);
  return status;
}

static far_status ask_average(double *out, const far_solver *solver, const far_mdp *mdp,
                              const far_solve_def *def, far_error *error) {
  far_average x;
  (void)mdp;
  const far_status status = far_solver_average(&x, solver, def, error);
  CHECK((status == FAR_OK) == (x.bias != NULL && x.policy != NULL));
  *out = x.gain;
  far_average_free(&x);
  return status;
}

static far_status ask_diameter(double *out, const far_solver *solver, const far_mdp *mdp,
                               const far_solve_def *def, far_error *error) {
  far_diameter x;
  (void)mdp;
  const far_status status = far_solver_diameter(&x, solver, def, error);
  *out = x.value;
  return status;
}

static far_status ask_effective(double *out, const far_solver *solver, const far_mdp *mdp,
                                const far_solve_def *def, far_error *error) {
  far_solve_def alone = *def;
  far_solution best;
  far_effective x;
  (void)mdp;
  alone.progress = NULL;
  CHECK(far_solver_discounted(&best, solver, &alone, NULL) == FAR_OK);
  const far_status status = far_solver_effective(&x, solver, def, &best, error);
  *out = x.horizon;
  far_solution_free(&best);
  return status;
}

static far_status ask_finite(double *out, const far_solver *solver, const far_mdp *mdp,
                             const far_solve_def *def, far_error *error) {
  far_horizon best;
  far_effective x;
  (void)mdp;
  CHECK(far_solver_horizon(&best, solver, 9, 1, NULL) == FAR_OK);
  const far_status status = far_solver_effective_finite(&x, solver, def, &best, error);
  *out = x.horizon;
  far_horizon_free(&best);
  return status;
}

static far_status ask_mixing(double *out, const far_solver *solver, const far_mdp *mdp,
                             const far_solve_def *def, far_error *error) {
  far_mixing x;
  (void)mdp;
  const far_status status = far_solver_mixing(&x, solver, def, NULL, error);
  *out = x.time;
  return status;
}

static far_status ask_cover(double *out, const far_solver *solver, const far_mdp *mdp,
                            const far_solve_def *def, far_error *error) {
  far_cover x;
  (void)mdp;
  const far_status status = far_solver_cover(&x, solver, def, error);
  *out = x.expected;
  return status;
}

static far_status ask_best_total(double *out, const far_solver *solver, const far_mdp *mdp,
                                 const far_solve_def *def, far_error *error) {
  (void)solver;
  return far_solve_best_total(out, mdp, 100, def, error);
}

static far_status ask_random_total(double *out, const far_solver *solver, const far_mdp *mdp,
                                   const far_solve_def *def, far_error *error) {
  (void)solver;
  return far_solve_random_total(out, mdp, 100, def, error);
}

/* ---- stopping ---- */

typedef struct clock {
  int64_t reports, most; /* the last is answered by a stop; 0: none */
} clock;

static bool count(void *user, int64_t sweeps, double error) {
  clock *c = user;
  CHECK(sweeps >= 0 && !(error < 0));
  c->reports += 1;
  return c->reports != c->most;
}

/* Stopped at report k there are just k of them, and no answer. */
static void stop_everywhere(question *ask, const far_mdp *mdp, far_solve_def def, bool reports) {
  enum { MOST = 40 };
  far_solver *solver;
  double right, out;
  far_error error;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  clock all = {0};
  def.progress = count;
  def.user = &all;
  CHECK(ask(&right, solver, mdp, &def, NULL) == FAR_OK);
  CHECK((all.reports > 0) == reports);
  const int64_t stride = all.reports / MOST + 1;
  for (int64_t k = 1; k <= all.reports; k += stride) {
    clock c = {.most = k};
    def.user = &c;
    CHECK(ask(&out, solver, mdp, &def, &error) == FAR_STATUS_CANCELLED);
    CHECK(c.reports == k && error.code == FAR_STATUS_CANCELLED && error.position == -1);
    CHECK_CONTAINS(error.message, "stopped");
  }
  clock none = {.most = all.reports + 1};
  def.user = &none;
  CHECK(ask(&out, solver, mdp, &def, NULL) == FAR_OK && out == right);
  far_solver_free(solver);
}

/* One step ahead for three back: a diameter that sweeps would not find. */
static far_mdp *walk_world(uint32_t n) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, n, 1, NULL);
  for (uint32_t s = 0; s < n; ++s) {
    far_mdp_builder_outcome(b, s, 0, 0.25, s + 1 < n ? s + 1 : s, 0, NULL);
    far_mdp_builder_outcome(b, s, 0, 0.75, s > 0 ? s - 1 : 0, 1, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* Two crowds of states that lead to one another by any way, and from one crowd to the other hardly ever: too slow for
 * sweeps, and too wide for elimination to be tried at once. */
static far_mdp *crowds_world(uint32_t n) {
  far_rng rng;
  far_mdp_builder *b;
  far_mdp *mdp;
  far_rng_init(&rng, 1, 0, FAR_PURPOSE_SEARCH);
  far_mdp_builder_create(&b, 2 * n, 1, NULL);
  for (uint32_t s = 0; s < 2 * n; ++s) {
    const uint32_t crowd = s / n;
    for (int k = 0; k < 2; ++k)
      far_mdp_builder_outcome(b, s, 0, 0.4995, crowd * n + far_rng_below(&rng, n), crowd, NULL);
    far_mdp_builder_outcome(b, s, 0, 0.001, (s + n) % (2 * n), 0.5, NULL);
  }
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_crowds(void) {
  far_mdp *mdp = crowds_world(150);
  far_solve_def def = far_solve_def_default();
  def.method = FAR_METHOD_TOPOLOGICAL;
  def.gamma = 0.9999;
  stop_everywhere(ask_discounted, mdp, def, true);
  far_mdp_free(mdp);
}

static void test_stops(void) {
  far_solve_def def = far_solve_def_default();
  far_mdp *chain, *lake, *walk = walk_world(10), *wide = random_world(3, 320, 2, 3);
  CHECK(far_mdp_create(&chain, "chain:n=40", NULL) == FAR_OK);
  CHECK(far_mdp_create(&lake, "frozen-lake", NULL) == FAR_OK);
  for (size_t m = 0; far_method_name(m) != NULL; ++m) {
    def.method = (far_method)m;
    def.gamma = 0.999;
    stop_everywhere(ask_discounted, chain, def, true);
    stop_everywhere(ask_policy, chain, def, true);
    def.gamma = 0.9;
    stop_everywhere(ask_discounted, lake, def, true);
    stop_everywhere(ask_discounted, wide, def, true);
  }
  def = far_solve_def_default();
  stop_everywhere(ask_average, chain, def, true);
  stop_everywhere(ask_best_total, lake, def, true);
  stop_everywhere(ask_random_total, lake, def, true);
  stop_everywhere(ask_diameter, chain, def, true);
  stop_everywhere(ask_diameter, walk, def, true);
  stop_everywhere(ask_effective, lake, def, true);
  stop_everywhere(ask_finite, lake, def, true);
  stop_everywhere(ask_mixing, chain, def, true);
  stop_everywhere(ask_cover, lake, def, true);
  far_mdp_free(chain);
  far_mdp_free(lake);
  far_mdp_free(walk);
  far_mdp_free(wide);
}

/* ---- refusals ---- */

static void refuse(question *ask, const far_solver *solver, const far_mdp *mdp, far_solve_def def,
                   const char *part) {
  far_error error = {.code = FAR_OK};
  double out;
  CHECK(ask(&out, solver, mdp, &def, &error) == FAR_STATUS_RANGE && error.position == -1);
  CHECK_CONTAINS(error.message, part);
}

/* A tolerance is a number above 0, and below what the answer can be; a discount is in [0, 1). */
static void test_definitions(void) {
  static const double tolerances[] = {0, -1e-6, INFINITY, NAN}, gammas[] = {-0.1, 1, NAN};
  question *const all[] = {ask_discounted, ask_policy, ask_average, ask_diameter};
  enum { DISCOUNTED = 2, ALL = sizeof all / sizeof *all };
  far_mdp *mdp = random_world(1, 6, 2, 2);
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  for (int i = 0; i < ALL; ++i) {
    far_solve_def def = far_solve_def_default();
    for (int k = 0; k < 4; ++k) {
      def.tolerance = tolerances[k];
      refuse(all[i], solver, mdp, def, "tolerance");
    }
    def = far_solve_def_default();
    for (int k = 0; i < DISCOUNTED && k < 3; ++k) {
      def.gamma = gammas[k];
      refuse(all[i], solver, mdp, def, "must be in [0, 1)");
    }
    def = far_solve_def_default();
    def.max_sweeps = -1;
    if (i < DISCOUNTED) refuse(all[i], solver, mdp, def, "max_sweeps must not be negative");
    def = far_solve_def_default();
    def.gamma = 0;
    double out;
    CHECK(all[i](&out, solver, mdp, &def, NULL) == FAR_OK);
  }
  far_solve_def def = far_solve_def_default();
  def.tolerance = 1;
  refuse(ask_diameter, solver, mdp, def, "must be in (0, 1)");
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* The average's own bound on what doubles can certify is known only on the way; it names a tolerance that is then
 * possible. */
static void test_average_certifies(void) {
  far_mdp *mdp;
  far_solver *solver;
  far_average x;
  far_error error;
  far_solve_def def = far_solve_def_default();
  CHECK(far_mdp_create(&mdp, "riverswim", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
  const double gain = x.gain;
  far_average_free(&x);
  def.tolerance = 1e-18;
  CHECK(far_solver_average(&x, solver, &def, &error) == FAR_STATUS_RANGE && x.bias == NULL);
  CHECK_CONTAINS(error.message, "below what doubles can certify in this model; ");
  const char *number = strstr(error.message, "model; ");
  def.tolerance = number != NULL ? strtod(number + strlen("model; "), NULL) : 1;
  CHECK(def.tolerance > 1e-18 && def.tolerance < 1e-6);
  CHECK(far_solver_average(&x, solver, &def, NULL) == FAR_OK);
  CHECK(x.converged && x.error <= def.tolerance);
  CHECK_NEAR(x.gain, gain, 2e-6);
  far_average_free(&x);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* Horizons and the steps in them. */
static void test_horizons(void) {
  far_mdp *mdp = random_world(2, 5, 2, 2), *unrolled;
  far_solver *solver;
  far_horizon x;
  far_error error;
  double q[10];
  static const double bad[] = {-0.1, 1.1, NAN};
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  for (int i = 0; i < 3; ++i) {
    CHECK(far_solver_horizon(&x, solver, 3, bad[i], &error) == FAR_STATUS_RANGE && x.v == NULL);
    CHECK_CONTAINS(error.message, "must be in [0, 1]");
  }
  const uint32_t action[3 * 5] = {0};
  CHECK(far_solver_horizon_evaluate(&x, solver, 0, 1, &(far_policy){.action = action}, &error) ==
        FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "a horizon must be at least 1");
  CHECK(far_solver_horizon(&x, solver, 3, 1, NULL) == FAR_OK);
  CHECK(far_horizon_pairs(q, &x, solver, -1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "step -1 is outside 0 ... 2");
  CHECK(error.position == -1);
  CHECK(far_horizon_pairs(q, &x, solver, 3, &error) == FAR_STATUS_RANGE);
  CHECK(far_horizon_pairs(q, &x, solver, 0, &error) == FAR_OK);
  for (uint32_t s = 0; s < 5; ++s) CHECK(fmax(q[2 * s], q[2 * s + 1]) == x.v[s]);
  far_horizon_free(&x);
  CHECK(far_mdp_unroll(&unrolled, mdp, 0, &error) == FAR_STATUS_RANGE && unrolled == NULL);
  CHECK(far_mdp_unroll(&unrolled, mdp, (int64_t)FAR_HORIZON_MAX + 1, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "a horizon must be in 1 ... ");
  CHECK(error.position == -1);
  CHECK(far_mdp_unroll(&unrolled, mdp, FAR_HORIZON_MAX, &error) == FAR_STATUS_MEMORY);
  CHECK_CONTAINS(error.message, "no memory for 5 states at 1000000000 steps");
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* A limit of sweeps is one of the k that are tried. */
static void test_fewer_tries(void) {
  far_mdp *mdp;
  far_solver *solver;
  far_solution best;
  far_horizon finite;
  far_effective x;
  far_solve_def def = far_solve_def_default();
  CHECK(far_mdp_create(&mdp, "chain:n=8", NULL) == FAR_OK);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  CHECK(far_solver_horizon(&finite, solver, 20, 1, NULL) == FAR_OK);
  def.max_sweeps = 1;
  CHECK(far_solver_effective(&x, solver, &def, &best, NULL) == FAR_OK);
  CHECK(x.tried == 1);
  CHECK(far_solver_effective_finite(&x, solver, &def, &finite, NULL) == FAR_OK);
  CHECK(x.tried == 1);
  def.max_sweeps = 50; /* more than there are steps */
  CHECK(far_solver_effective_finite(&x, solver, &def, &finite, NULL) == FAR_OK);
  CHECK(x.tried <= 20);
  far_horizon_free(&finite);
  far_solution_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

int main(void) {
  test_stops();
  test_crowds();
  test_definitions();
  test_average_certifies();
  test_horizons();
  test_fewer_tries();
  return check_report();
}
