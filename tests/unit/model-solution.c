/* A model solved as one question: what is computed, in which order, and how it is reported. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "questions/model/model-solution.h"
#include "solve/parts.h"

static far_mdp *make(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

static far__model_solution *solve(const far__model_solution_def *def) {
  far__model_solution *x = NULL;
  far_error error = {.message = ""};
  CHECK(far__model_solve(&x, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return x;
}

typedef struct page {
  char text[16384];
} page;

static page render(const far__model_solution *x, size_t most_rows, far_report_format format) {
  far_render_def how = far_render_def_default();
  far_report *report = NULL;
  far_buffer out = {0};
  page shown = {""};
  how.format = format;
  CHECK(far_report_create(&report, "solve", NULL) == FAR_OK);
  far__model_solution_report(x, most_rows, report);
  CHECK(far_report_render(report, &how, far_sink_buffer(&out), NULL) == FAR_OK);
  CHECK(out.length > 0 && out.length < sizeof shown.text);
  if (out.length > 0 && out.length < sizeof shown.text)
    memcpy(shown.text, out.bytes, out.length + 1);
  far_buffer_free(&out);
  far_report_free(report);
  return shown;
}

static size_t count_lines(const char *text) {
  size_t n = 0;
  for (; *text != '\0'; ++text) n += *text == '\n';
  return n;
}

/* ---- the problems ---- */

static void test_discounted(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("chain:n=5");
  far_solver *solver = NULL;
  far_solution best;
  const far_solve_def plain = far_solve_def_default();
  def.mdp = mdp;
  far__model_solution *x = solve(&def);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &plain, NULL) == FAR_OK);
  CHECK(x->def.gamma == 0.95 && x->n_outcomes == 20 && x->converged && x->error == best.error);
  CHECK(memcmp(x->values.v, best.v, 5 * sizeof(double)) == 0);
  CHECK(x->start == best.v[0] && far__model_solution_policy(x) == x->values.policy);
  CHECK(x->gaps.at == 0 && x->gap[0] == x->gaps.least && !x->has_structure && !x->has_diameter);
  CHECK(x->horizon.v == NULL && x->average.bias == NULL);
  far_solution_free(&best);
  far_solver_free(solver);
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

static void test_other_problems(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("chain:n=3,left=0");
  const uint32_t action[] = {1, 1, 1};
  def.mdp = mdp;
  def.kind = FAR__SOLVE_HORIZON;
  def.horizon = 2;
  far__model_solution *x = solve(&def);
  CHECK(x->def.gamma == 1 && x->values.v == NULL && x->gap == NULL && x->converged);
  CHECK_NEAR(x->horizon.v[2], 0.8 + 0.8 * 0.8 + 0.2 * 0.8, 1e-12);
  CHECK(far__model_solution_policy(x) == x->horizon.policy);
  far__model_solution_free(x);
  def.step = 1; /* one is left */
  x = solve(&def);
  CHECK(far__model_solution_policy(x) == x->horizon.policy + 3);
  far__model_solution_free(x);
  def.step = 2;
  CHECK(far__model_solve(&x, &def, NULL) == FAR_STATUS_RANGE && x == NULL);
  def.step = 0;
  def.kind = FAR__SOLVE_AVERAGE;
  x = solve(&def);
  CHECK_NEAR(x->average.gain, 0.75 / (1 - 1 / 64.0), 2e-6);
  CHECK(x->start != x->start && x->def.gamma != x->def.gamma && x->error == x->average.error);
  far__model_solution_free(x);
  def.kind = FAR__SOLVE_POLICY;
  def.policy.action = action;
  x = solve(&def);
  CHECK(x->def.policy.action == NULL && x->values.policy[0] == 1 && x->converged);
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

static void test_refusals(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far__model_solution *x = NULL;
  far_error error;
  far_mdp *mdp = make("chain:n=3");
  def.mdp = mdp;
  def.gamma = 1;
  CHECK(far__model_solve(&x, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  CHECK_CONTAINS(error.message, "gamma 1 must be in [0, 1)");
  def.gamma = NAN;
  def.max_sweeps = -1;
  CHECK(far__model_solve(&x, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  def.max_sweeps = 0;
  def.kind = (far__solve_kind)9;
  CHECK(far__model_solve(&x, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  far__model_solution_free(NULL);
  far_mdp_free(mdp);
}

/* ---- structure, progress and limits ---- */

typedef struct progress_log {
  int64_t states, sweeps, stop_at;
  int measured, stop_measures; /* calls of the measures */
  bool mixed;                  /* the diameter after the values, or these after the measures */
} progress_log;

static bool note(void *user, far__solving what, int64_t done, double error) {
  progress_log *l = user;
  CHECK(done >= 0 && error >= 0);
  if (what == FAR__SOLVING_DIAMETER) {
    l->states = done;
    l->mixed = l->mixed || l->sweeps > 0;
  } else if (what == FAR__SOLVING_VALUES) {
    l->sweeps = done;
    l->mixed = l->mixed || l->measured > 0;
  } else {
    return ++l->measured != l->stop_measures;
  }
  return l->stop_at == 0 || l->sweeps < l->stop_at;
}

static void test_structure(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("chain:n=6");
  progress_log l = {0};
  def.mdp = mdp;
  def.structure = true;
  def.progress = note;
  def.user = &l;
  far__model_solution *x = solve(&def);
  CHECK(x->has_structure && x->has_diameter && x->structure.n_classes == 1 &&
        x->diameter.converged);
  CHECK(l.states == 6 && l.sweeps == x->values.sweeps && !l.mixed && l.measured > 9);
  far__model_solution_free(x);
  for (int stop = 1; stop < l.measured; stop += 1 + l.measured / 9) {
    progress_log some = {.stop_measures = stop};
    def.user = &some;
    CHECK(far__model_solve(&x, &def, NULL) == FAR_STATUS_CANCELLED && x == NULL);
    CHECK(some.measured == stop);
  }
  def.user = &l;
  l.stop_at = 3;
  x = (far__model_solution *)&l;
  CHECK(far__model_solve(&x, &def, NULL) == FAR_STATUS_CANCELLED && x == NULL);
  far_mdp_free(mdp);
}

static void test_many_states(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("chain:n=1001");
  def.mdp = mdp;
  def.structure = true;
  far__model_solution *x = solve(&def);
  const far__measures *m = &x->measures;
  CHECK(x->has_structure && !x->has_diameter && x->has_measures && m->n_chain == 1001);
  CHECK(!m->has_mixing && !m->has_cover && !m->has_diameter && m->has_effective);
  const page text = render(x, 8, FAR_REPORT_TEXT);
  CHECK_CONTAINS(text.text, "diameter     not computed for more than 1000 states");
  CHECK_CONTAINS(text.text, "mixing       not computed for more than 300 states");
  CHECK_CONTAINS(text.text, "cover        not computed for more than 1000 states");
  far__model_solution_free(x);
  def.gamma = 0.9999;
  def.method = FAR_METHOD_MODIFIED;
  def.tolerance = 1e-2;
  x = solve(&def);
  CHECK(x->has_measures && !x->measures.has_effective);
  CHECK_CONTAINS(render(x, 8, FAR_REPORT_TEXT).text, "look-ahead   not computed: the model");
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

/* ---- measures of hardness ---- */

/* The same as the functions of farsight/solve.h say, of the problem that was solved. */
static void test_measures(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("riverswim");
  const uint32_t action[] = {1, 1, 1, 1, 1, 1};
  def.mdp = mdp;
  def.structure = true;
  far__model_solution *x = solve(&def);
  const far__measures best = x->measures;
  CHECK(best.has_gaps && best.has_effective && best.has_mixing && best.has_cover);
  CHECK(best.norm.value == far__value_norm(mdp, x->values.v) && best.n_chain == 6);
  CHECK(best.gaps.least == x->gaps.least_positive && best.gaps.n_positive == 6);
  CHECK(best.diameter.value == x->diameter.value && best.cover.kind == FAR_COVER_EXACT);
  const page text = render(x, 0, FAR_REPORT_TEXT), json = render(x, 0, FAR_REPORT_JSON);
  CHECK_CONTAINS(text.text,
                 "\n  mixing       17 steps, by the best policy\n               10 steps");
  CHECK_CONTAINS(json.text, "\"hardness\":{\"value_norm\":{\"value\":0.18");
  CHECK_CONTAINS(json.text, "\"mixing\":{\"time\":17,");
  CHECK_CONTAINS(json.text, "\"cover\":{\"kind\":\"exact\",\"pairs\":12,\"expected\":5058.18");
  far__model_solution_free(x);
  def.kind = FAR__SOLVE_POLICY; /* the best one is to go on to the right */
  def.policy.action = action;
  x = solve(&def);
  CHECK(!x->measures.has_gaps && !x->measures.has_effective);
  CHECK(x->measures.best.time == best.best.time && x->measures.cover.worst == best.cover.worst);
  CHECK_NEAR(x->measures.norm.value, best.norm.value, 2e-6);
  CHECK_CONTAINS(render(x, 0, FAR_REPORT_TEXT).text, "17 steps, by the policy given");
  far__model_solution_free(x);
  def.kind = FAR__SOLVE_AVERAGE;
  x = solve(&def);
  CHECK(x->measures.has_gaps && !x->measures.has_effective && x->measures.best.time == 17);
  CHECK(x->measures.norm.error == INFINITY && x->measures.norm.value > 0.1);
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

/* Episodes of a horizon: by the question, or by the model. */
static void test_timed(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *plain = make("chain:n=4"), *cut = make("chain:n=4,horizon=7");
  def.structure = true;
  def.kind = FAR__SOLVE_HORIZON;
  def.horizon = 7;
  def.mdp = plain;
  far__model_solution *x = solve(&def);
  def.mdp = cut;
  far__model_solution *y = solve(&def);
  CHECK(x->measures.n_chain == 22 && y->measures.n_chain == 22); /* 1 + 2 + 3 + 4 x 4 */
  CHECK(x->measures.cover.expected == y->measures.cover.expected);
  CHECK(x->measures.best.time == y->measures.best.time && x->measures.best.period == 7);
  CHECK(x->measures.diameter.value == y->measures.diameter.value && x->measures.has_diameter);
  CHECK(x->measures.effective.k == 1 && x->measures.gaps.n_positive > 0);
  CHECK_CONTAINS(render(x, 0, FAR_REPORT_TEXT).text, "of the timed states");
  far__model_solution_free(x);
  far__model_solution_free(y);
  def.kind = FAR__SOLVE_DISCOUNTED; /* one policy for all steps, but episodes are cut */
  x = solve(&def);
  CHECK(x->measures.n_chain == 22 && x->measures.best.period == 7);
  far__model_solution_free(x);
  def.kind = FAR__SOLVE_HORIZON;
  def.horizon = 6000;
  x = solve(&def);
  CHECK(x->measures.n_chain == 24000 && !x->measures.has_cover && !x->measures.has_mixing);
  far__model_solution_free(x);
  far_mdp_free(plain);
  far_mdp_free(cut);
}

/* From one of two states to the other takes 10^9 steps: nobody waits for that. */
static far_mdp *make_rare(void) {
  far_mdp_builder *b = NULL;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 2; ++s) {
    CHECK(far_mdp_builder_outcome(b, s, 0, 1e-9, 1 - s, 0, NULL) == FAR_OK);
    CHECK(far_mdp_builder_outcome(b, s, 0, 1 - 1e-9, s, s, NULL) == FAR_OK);
  }
  CHECK(far_mdp_builder_start(b, 0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_limits(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make_rare();
  def.mdp = mdp;
  def.kind = FAR__SOLVE_AVERAGE;
  def.diameter = true;
  def.max_sweeps = 5000;
  far__model_solution *x = solve(&def);
  CHECK(!x->converged && x->error > def.tolerance && x->average.sweeps <= 5002);
  CHECK(fabs(x->average.gain - 0.5) <= x->error);
  CHECK(x->has_diameter && !x->diameter.converged && x->diameter.error == INFINITY);
  CHECK(x->diameter.value > 4000 && x->diameter.value < 1e9);
  const page text = render(x, 0, FAR_REPORT_TEXT), json = render(x, 0, FAR_REPORT_JSON);
  CHECK_CONTAINS(text.text, "The tolerance 1e-06 was not reached within 5000 sweeps;");
  CHECK_CONTAINS(text.text, "steps; 5000 sweeps a state were not enough");
  CHECK_CONTAINS(json.text, "\"converged\":false,\"env\":");
  CHECK_CONTAINS(json.text, "\"diameter_error\":null,");
  CHECK_CONTAINS(json.text, "\"diameter_converged\":false,");
  CHECK_CONTAINS(json.text, "\"kind\":\"caveat\"");
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

/* The diameter can be stopped while it seeks the first state. */
static bool refuse(void *user, int64_t done, double error) {
  (void)error;
  *(int64_t *)user = done;
  return false;
}

static void test_stopped_diameter(void) {
  far_solve_def def = far_solve_def_default();
  far_mdp *mdp = make_rare();
  far_solver *solver = NULL;
  far_diameter diameter;
  int64_t done = -1;
  def.progress = refuse;
  def.user = &done;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_diameter(&diameter, solver, &def, NULL) == FAR_STATUS_CANCELLED && done == 0);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- the report ---- */

static void test_report(void) {
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = make("frozen-lake");
  def.mdp = mdp;
  def.structure = true;
  far__model_solution *x = solve(&def);
  const page text = render(x, 8, FAR_REPORT_TEXT), csv = render(x, 0, FAR_REPORT_CSV);
  CHECK_CONTAINS(text.text, "16 states, 4 actions, 132 outcomes; gamma 0.95; value iteration\n");
  CHECK_CONTAINS(text.text, "\n  │ S←  ↑  ←  ↑ │\n");
  CHECK_CONTAINS(text.text, "\n(10 more states; JSON and CSV have all)\n");
  CHECK_CONTAINS(text.text, "\n      3  0.13255     3  0.09057");
  CHECK(strstr(text.text, "\n      4  ") == NULL);
  CHECK_CONTAINS(text.text, "\n     15  0.00000   end\n");
  CHECK_CONTAINS(text.text, "\n  diameter     56.45454");
  CHECK(count_lines(csv.text) == 17);
  CHECK(strncmp(csv.text, "state,terminal,v,action,q_0,q_1,q_2,q_3,gap\n", 43) == 0);
  CHECK_CONTAINS(csv.text, "\n15,1,0,0,0,0,0,0,");
  CHECK_CONTAINS(render(x, 0, FAR_REPORT_MARKDOWN).text, "```\n┌──");
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

/* Names are cut for people alone. */
static void test_names(void) {
  static const char model[] =
      "discount: 0.9\nvalues: reward\nstates: a-state-whose-name-is-very-long-indeed b\n"
      "actions: go stay\nT: * uniform\nR: go : * : * : * 1\n";
  far__model_solution_def def = far__model_solution_def_default();
  far_mdp *mdp = NULL;
  CHECK(far_mdp_read(&mdp, model, strlen(model), FAR_FORMAT_CASSANDRA, NULL) == FAR_OK);
  if (mdp == NULL) return;
  def.mdp = mdp;
  far__model_solution *x = solve(&def);
  CHECK(x->def.gamma == 0.9); /* the model's own */
  CHECK(strncmp(render(x, 0, FAR_REPORT_TEXT).text, "Model from arrays\n", 18) == 0);
  CHECK_CONTAINS(render(x, 0, FAR_REPORT_TEXT).text,
                 "\n  a-state-whose-name-is-ve…  10.00000  go ");
  CHECK_CONTAINS(render(x, 0, FAR_REPORT_CSV).text,
                 "\n0,a-state-whose-name-is-very-long-indeed,0,");
  far__model_solution_free(x);
  far_mdp_free(mdp);
}

int main(void) {
  test_discounted();
  test_other_problems();
  test_refusals();
  test_structure();
  test_many_states();
  test_measures();
  test_timed();
  test_limits();
  test_stopped_diameter();
  test_report();
  test_names();
  return check_report();
}
