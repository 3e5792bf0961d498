/* The theorems as the library offers them: their entries, the numbers that the paper's readers can
 * check by hand, the inverse, the limits. tests/theory/check.py has the formulas at high precision. */
#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "theory/delayed.h"

static double get(const far_guarantee *g, const char *name) {
  const far_quantity *q = far_guarantee_quantity(g, name);
  CHECK(q != NULL);
  return q != NULL ? q->value : NAN;
}

static far_guarantee evaluate(const char *name, const far_problem *p) {
  far_guarantee g = {0};
  far_error error = {0};
  CHECK(far_theorem_find(name) != NULL);
  CHECK(far_theorem_evaluate(&g, far_theorem_find(name), p, &error) == FAR_OK);
  return g;
}

/* S = 10, A = 2, gamma = 0.9, eps = 0.5, delta = 0.1 */
static far_problem small(void) {
  far_problem p = far_problem_default(10, 2);
  p.gamma = 0.9;
  p.eps = 0.5;
  return p;
}

/* ---- entries ---- */

static bool is_agent(const char *name) {
  for (size_t i = 0; far_agent_type(i) != NULL; ++i)
    if (strcmp(far_agent_type(i)->name, name) == 0) return true;
  return false;
}

enum {
  THEOREMS = 0
#define FAR_THEOREM(name) +1
#include "theory/theorems.def"
#undef FAR_THEOREM
};

/* Parameters of these proofs were not at hand, as docs/theory.md says of them. */
static void test_unchecked(void) {
  static const char *const names[] = {"ucbmq",         "rand-ql",        "q-advantage",
                                      "psrl-episodic", "rlsvi-episodic", "bayes-ucbvi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    CHECK(!far_theorem_find(names[i])->is_checked);
}

static void test_entries(void) {
  size_t n = 0, n_explicit = 0;
  for (const far_theorem *t; (t = far_theorem_at(n)) != NULL; ++n) {
    CHECK(far_theorem_find(t->name) == t);
    CHECK(t->title[0] && t->reference[0] && t->statement[0] && t->assumptions[0]);
    CHECK(t->order[0] && t->constants[0]);
    CHECK(t->agent == NULL || is_agent(t->agent));
    /* whoever reads the remark learns which kind it is */
    CHECK(strncmp(t->constants, "Explicit", 8) == 0 || !t->is_explicit);
    CHECK(t->is_checked || !t->is_explicit);
    n_explicit += t->is_explicit;
    for (size_t i = 0; i < n; ++i) CHECK(strcmp(far_theorem_at(i)->name, t->name) != 0);
  }
  CHECK(n == THEOREMS);
  CHECK(n_explicit == 12);
  CHECK(far_theorem_find("no-such") == NULL);
}

/* Every entry, over a wide grid: a number exactly where constants are explicit, and never inf or
 * NaN in its place. */
static void check_guarantee(const far_guarantee *g) {
  CHECK(g->n_quantities > 0 || !g->applies);
  CHECK(g->n_quantities < FAR_GUARANTEE_QUANTITIES);
  CHECK(g->applies == (g->missing[0] == '\0'));
  CHECK(g->has_number == (g->theorem->is_explicit && g->applies));
  if (g->has_number) {
    CHECK(g->log10_bound > 0 && g->log10_bound < 1000);
    CHECK(g->bound >= 1);
  }
  for (size_t i = 0; i < g->n_quantities; ++i) {
    const far_quantity *q = &g->quantity[i];
    CHECK(q->formula[0] && q->source[0] && q->meaning[0] && q->name[0]);
    const bool imaginary = strcmp(q->name, "V_top") == 0 && !g->theorem->is_explicit;
    const bool huge = q->value == INFINITY && q->log10 > 308 && q->log10 < 1000;
    CHECK(q->value - q->value == 0 || imaginary || huge);
  }
}

static void test_grid(void) {
  static const double gammas[] = {0, 0.5, 0.7, 0.95, 0.999999, 1 - 0x1p-53};
  static const double shares[] = {1e-60, 1e-20, 1e-3, 0.1, 1, 7};
  static const double sizes[] = {1, 10, 1e6, 4294967295.0}, deltas[] = {1e-60, 0.1, 0.999};
  for (size_t i = 0; i < 6 * 6 * 4 * 3; ++i) {
    far_problem p = far_problem_default(sizes[i / 36 % 4], sizes[i / 36 % 4]);
    p.gamma = gammas[i % 6];
    p.delta = deltas[i / 144];
    p.range = i % 2 ? 1e-30 : 1e30;
    p.eps = shares[i / 6 % 6] * p.range / (1 - p.gamma);
    p.diameter = 1 + 1e30 * (i % 3 == 0);
    p.gamma_e = i % 5 ? 0.99 : 0;
    for (size_t t = 0; far_theorem_at(t) != NULL; ++t) {
      const far_guarantee g = evaluate(far_theorem_at(t)->name, &p);
      check_guarantee(&g);
      CHECK(g.vacuous == (shares[i / 6 % 6] >= 1));
    }
  }
}

/* ---- numbers ---- */

static void test_printed(void) {
  const far_problem p = small();
  const far_guarantee g = evaluate("directed-delayed-q-printed", &p);
  CHECK_NEAR(get(&g, "eps1"), 0.0125, 1e-15);
  CHECK_NEAR(get(&g, "lambda"), 0.2333, 5e-5);
  CHECK_NEAR(get(&g, "m"), 4.1869e6, 50);
  CHECK(get(&g, "rho") < get(&g, "rho_least")); /* the contradiction */
  CHECK(get(&g, "m2") < get(&g, "m"));
  CHECK(!g.has_number);
}

/* Three examples, eps1 and lambda as in print and the rest repaired: m* and rho*. */
static void test_fixed_points(void) {
  static const double in[][4] = {{10, 0.9, 0.5, 0}, {10, 0.95, 1, 0}, {50, 0.99, 5, 0}};
  static const double out[][2] = {{1.03e7, 40.2}, {4.40e7, 82.9}, {1.36e9, 462}};
  for (size_t i = 0; i < 3; ++i) {
    const far__problem p = {in[i][0], 2, in[i][1], 1};
    const double eps1 = in[i][2] * (1 - in[i][1]) / 4;
    const far__window w =
        far__theory_interval(p, eps1, far__lambda_paper(eps1, 1, far__ln_eta(eps1)), 0.1);
    CHECK_NEAR(w.m, out[i][0], 0.005 * out[i][0]);
    CHECK_NEAR(eps1 * sqrt(w.m), out[i][1], 0.002 * out[i][1]);
  }
}

/* The repaired m serves both lemmas, and the next smaller one does not. */
static void test_both_lemmas(void) {
  for (double gamma = 0.5; gamma < 0.99; gamma += 0.04) {
    far_problem p = small();
    p.gamma = gamma;
    p.eps = 0.3 / (1 - gamma);
    const far_guarantee g = evaluate("directed-delayed-q", &p);
    const double m = get(&g, "m"), c = get(&g, "c"), b = get(&g, "B");
    CHECK(get(&g, "rho") >= get(&g, "rho_least") * (1 - 1e-15));
    CHECK(m >= c * log(b * m));
    CHECK(m - 1 < c * log(b * (m - 1)));
    CHECK(m >= c * log(b)); /* Lemma 1's Hoeffding bound */
  }
}

/* ---- the agent that a guarantee names has the parameters that it names ---- */

static double spec_value(const char *spec, const char *key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "%s=", key);
  for (const char *at = spec; (at = strstr(at, pattern)) != NULL; ++at)
    if (at[-1] == ',' || at[-1] == ':') return strtod(at + strlen(pattern), NULL);
  return NAN;
}

static void test_agents(void) {
  static const char *const keys[] = {"m",    "eps1", "lambda", "eta",   "rho",   "a", "b",  "h",
                                     "beta", "c",    "L1",     "batch", "delay", "u", "c2", "tail"};
  far_problem p = small();
  p.eps = 4;
  p.diameter = 10;
  p.horizon = 20;
  int compared = 0;
  for (size_t t = 0; far_theorem_at(t) != NULL; ++t) {
    const far_guarantee g = evaluate(far_theorem_at(t)->name, &p);
    if (g.agent[0] == '\0') continue;
    const far_shape shape = SHAPE(10, 2, 0, 1, false, NULL, g.theorem->finite_horizon ? 20 : 0);
    far_agent *agent = NULL;
    far_error error = {0};
    CHECK(far_agent_create(&agent, g.agent, &shape, 1, 0, &error) == FAR_OK);
    if (agent == NULL) printf("%s: %s\n", g.agent, error.message);
    for (size_t k = 0; agent != NULL && k < sizeof keys / sizeof *keys; ++k) {
      const far_quantity *q = far_guarantee_quantity(&g, keys[k]);
      const double has = spec_value(far_agent_spec(agent), strcmp(keys[k], "L1") ? keys[k] : "l1");
      const bool other =
          strcmp(g.theorem->name, "ucrl-gamma") == 0 && k == 0; /* not the agent's m */
      if (q == NULL || has != has || other) continue;
      CHECK_NEAR(has, q->value, 1e-12 * q->value);
      compared += 1;
    }
    far_agent_free(agent);
  }
  CHECK(compared >= 30);
}

/* ---- the inverse ---- */

static void test_inverse(void) {
  for (size_t t = 0; far_theorem_at(t) != NULL; ++t) {
    for (double share = 1e-8; share < 0.9; share *= 7) {
      far_problem p = small();
      p.diameter = 10;
      p.eps = share * 10;
      const far_guarantee forward = evaluate(far_theorem_at(t)->name, &p);
      far_guarantee back;
      if (!forward.has_number) continue;
      CHECK(far_theorem_invert(&back, far_theorem_at(t), &p, forward.bound, NULL) == FAR_OK);
      CHECK(back.has_number && !back.vacuous);
      CHECK_NEAR(back.problem.eps, p.eps, 1e-6 * p.eps);
      CHECK(back.log10_bound <= forward.log10_bound * (1 + 1e-15));
    }
  }
}

static void test_inverse_limits(void) {
  const far_theorem *t = far_theorem_find("delayed-q");
  const far_problem p = small();
  far_guarantee g;
  far_error error;
  CHECK(far_theorem_invert(&g, t, &p, 100, &error) == FAR_OK);
  CHECK(g.has_number && g.vacuous); /* not even Vmax */
  CHECK(far_theorem_invert(&g, t, &p, 0, &error) == FAR_STATUS_RANGE);
  CHECK(far_theorem_invert(&g, t, &p, 1e301, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "1e300");
  CHECK(far_theorem_invert(&g, t, &p, 1e300, &error) == FAR_OK); /* no smaller eps is considered */
  CHECK_NEAR(g.problem.eps, 10 * 1e-60, 1e-70);
  CHECK(far_theorem_invert(&g, far_theorem_find("oim"), &p, 1e9, &error) == FAR_OK);
  CHECK(!g.has_number);
  CHECK(far_theorem_invert(&g, far_theorem_find("ucrl2"), &p, 1e9, &error) == FAR_OK);
  CHECK(!g.applies && !g.has_number); /* without a diameter */
}

/* ---- errors ---- */

static void refuse(far_problem p, const char *says) {
  far_guarantee g;
  far_error error = {0};
  CHECK(far_theorem_evaluate(&g, far_theorem_at(0), &p, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, says);
}

static void test_errors(void) {
#define REFUSE(field, value, says)                                                                 \
  do {                                                                                             \
    far_problem p = small();                                                                       \
    p.field = (value);                                                                             \
    refuse(p, says);                                                                               \
  } while (0)
  REFUSE(states, 0, "states");
  REFUSE(states, 1.5, "whole");
  REFUSE(states, NAN, "states");
  REFUSE(actions, 1e10, "actions");
  REFUSE(gamma, 1, "gamma");
  REFUSE(gamma, -0.1, "gamma");
  REFUSE(range, 0, "range");
  REFUSE(range, INFINITY, "range");
  REFUSE(eps, -1, "eps");
  REFUSE(eps, NAN, "eps");
  REFUSE(delta, 0, "delta");
  REFUSE(delta, 1, "delta");
  REFUSE(gamma_e, 1, "gamma_e");
  REFUSE(diameter, 0.5, "diameter");
  far_guarantee g;
  const far_problem p = small();
  CHECK(far_theorem_evaluate(&g, NULL, &p, NULL) == FAR_STATUS_UNKNOWN);
}

int main(void) {
  test_entries();
  test_unchecked();
  test_grid();
  test_printed();
  test_fixed_points();
  test_both_lemmas();
  test_agents();
  test_inverse();
  test_inverse_limits();
  test_errors();
  return check_report();
}
