/* Hardness: measures against closed forms and plain loops, scores against the comparison, limits, models
 * of no spec, stopping, and the report. */
#include "base/number.h"
#include "questions/hardness/hardness.h"
#include "solve/parts.h"
#include "stores.h"

/* ---- the value norm ---- */

/* State 0 leads to 1 or 2, or ends; 1 earns a reward for ever, 2 nothing. State 3 is never reached, and
 * would be the hardest of all. */
static far_mdp *fork_model(double end) {
  far_mdp_builder *b;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 5, 2, NULL) == FAR_OK);
  for (uint32_t a = 0; a < 2; ++a) {
    far_mdp_builder_outcome(b, 0, a, 0.5, 1, 0, NULL);
    far_mdp_builder_outcome(b, 0, a, 0.5 - end, 2, 0, NULL);
    if (end > 0) far_mdp_builder_outcome(b, 0, a, end, 4, 0, NULL);
    far_mdp_builder_outcome(b, 1, a, 1, 1, a == 0 ? 1 : 0.75, NULL);
    far_mdp_builder_outcome(b, 2, a, 1, 2, 0, NULL);
    far_mdp_builder_outcome(b, 3, a, 0.5, 1, 0, NULL);
    far_mdp_builder_outcome(b, 3, a, 0.5, 3, -9, NULL);
  }
  far_mdp_builder_terminal(b, 4, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_value_norm(void) {
  const double v[] = {1, 2, 0, -10, 77}; /* what stands at an end does not count */
  for (int i = 0; i < 2; ++i) {
    far_mdp *mdp = fork_model(i * 0.25);
    CHECK(far__value_norm(mdp, v) == 1); /* 2 or 0, half each */
    far_mdp_free(mdp);
  }
}

/* By plain value iteration, and the variance as the mean square less the squared mean. */
static void check_by_loops(const far__hardness_env *env, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  double v[64] = {0}, norm = 0, gap = INFINITY, sum = 0;
  CHECK(shape.n_states <= 64 && shape.n_actions == 2);
  for (int sweep = 0; sweep < 2000; ++sweep)
    for (uint32_t s = 0; s < shape.n_states; ++s) {
      double q[2] = {0, 0};
      for (uint32_t a = 0; a < 2; ++a) {
        size_t n;
        const far_outcome *o = far_mdp_outcomes(mdp, s, a, &n);
        double mean = 0, square = 0;
        for (size_t k = 0; k < n; ++k) {
          const double next = o[k].done ? 0 : v[o[k].next];
          q[a] += o[k].probability * (o[k].reward + env->gamma * next);
          mean += o[k].probability * next;
          square += o[k].probability * next * next;
        }
        if (sweep == 1999) norm = fmax(norm, sqrt(fmax(square - mean * mean, 0)));
      }
      v[s] = fmax(q[0], q[1]);
      const double off = fabs(q[0] - q[1]);
      if (sweep == 1999 && off > 1e-5) gap = fmin(gap, off), sum += 1 / off;
    }
  CHECK_NEAR(env->value_norm, norm, 1e-5);
  CHECK_NEAR(env->gap, gap, 1e-5);
  CHECK_NEAR(env->reciprocals, sum, 1e-3 * sum);
}

/* ---- a store ---- */

static const char *const specs[] = {"riverswim:n=5", "chain:n=4", "chain:n=9"};
enum { N_ENVS = 4, N_AGENTS = 2, RUNS = 4, STEPS = 300 };

static void make_mdps(far_mdp **mdps) {
  for (int e = 0; e < 3; ++e) CHECK(far_mdp_create(&mdps[e], specs[e], NULL) == FAR_OK);
  mdps[3] = fork_model(0);
}

static void make_store(const char *name, far_mdp *const *mdps) {
  static const char *const agents[] = {"q-learning", "r-max:m=2"};
  far_cell cells[N_ENVS * N_AGENTS];
  far_batch_def def = far_batch_def_default();
  for (int i = 0; i < N_ENVS * N_AGENTS; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / N_AGENTS], .agent = agents[i % N_AGENTS], .steps = STEPS};
  def.cells = cells;
  def.n_cells = N_ENVS * N_AGENTS;
  def.runs = RUNS;
  def.threads = 1;
  run_through(name, &def);
}

static far_comparison *compare(const char *name, far_mdp *const *mdps, size_t n_mdps) {
  far_comparison_def def = far_comparison_def_default();
  far_comparison *out = NULL;
  def.bootstrap.resamples = 100;
  def.models = (const far_mdp *const *)mdps;
  def.n_models = n_mdps;
  far_store *store = open_store(name, FAR_STORE_READ);
  CHECK(far_comparison_create(&out, store, &def, NULL) == FAR_OK);
  far_store_close(store);
  return out;
}

static far__hardness *measure(const far_comparison *c, const far__hardness_def *def) {
  far__hardness *out = NULL;
  far_error error = {.message = ""};
  CHECK(far__hardness_create(&out, c, def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return out;
}

static const far__hardness_env *env_of(const far__hardness *x, const char *label) {
  for (size_t e = 0; e < x->n_envs; ++e)
    if (strcmp(x->envs[e].label, label) == 0) return &x->envs[e];
  return NULL;
}

static void check_env(const far__hardness_env *env, const far_mdp *mdp) {
  far_solver *solver;
  far_diameter diameter;
  far_solve_def def = far_solve_def_default();
  def.live_only = true;
  CHECK(env != NULL && env->left_out == NULL);
  CHECK(env->n_states == far_mdp_shape(mdp).n_states && env->n_actions == 2);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_diameter(&diameter, solver, &def, NULL) == FAR_OK);
  far_solver_free(solver);
  CHECK(env->diameter == diameter.value && env->diameter_error == diameter.error);
  CHECK(env->gamma == 0.95 && env->value_error <= 1e-6);
  check_by_loops(env, mdp);
}

static void check_scores(const far__hardness *x, const far_comparison_group *g) {
  for (size_t i = 0; i < g->n_envs * g->n_agents; ++i) {
    const far_comparison_scale *scale = &g->envs[i / g->n_agents].scale;
    const far_comparison_cell *cell = &g->cells[i];
    double sum = 0;
    for (int64_t k = 0; k < cell->runs; ++k)
      sum += (cell->values[k] - scale->low) / (scale->high - scale->low);
    if (scale->kind == FAR_SCALE_NONE) {
      CHECK(x->scores[i].value != x->scores[i].value);
    } else {
      CHECK_NEAR(x->scores[i].value, sum / (double)cell->runs, 1e-12);
      CHECK(!(x->scores[i].low > x->scores[i].high));
    }
  }
}

static void test_measures(const far_comparison *c, far_mdp *const *mdps) {
  far__hardness_def def = far__hardness_def_default();
  far__hardness *x = measure(c, &def);
  CHECK(x->n_envs == N_ENVS && x->n_agents == N_AGENTS && !x->lower);
  for (int e = 0; e < 3; ++e) check_env(env_of(x, specs[e]), mdps[e]);
  check_scores(x, &c->groups[0]);
  for (size_t e = 0; e < x->n_envs; ++e) {
    if (strncmp(x->envs[e].label, "chain", 5) == 0 || strncmp(x->envs[e].label, "river", 5) == 0)
      continue;
    CHECK(x->envs[e].left_out == NULL && x->envs[e].n_states == 3);
    CHECK(x->envs[e].diameter == INFINITY);
    CHECK_NEAR(x->envs[e].value_norm, 10, 1e-5); /* 20 or 0 */
    CHECK_NEAR(x->envs[e].gap, 0.25, 1e-5);
  }
  far__hardness_free(x);
  far__hardness_free(NULL);
}

/* The model that no spec describes, where the comparison was not given it. */
static void test_left_out(const far_comparison *c) {
  const far__hardness_def def = far__hardness_def_default();
  far__hardness *x = measure(c, &def);
  size_t left = 0;
  for (size_t e = 0; e < x->n_envs; ++e) left += x->envs[e].left_out != NULL;
  CHECK(left == 1);
  far__hardness_free(x);
}

static void test_limits(const far_comparison *c) {
  far__hardness_def def = far__hardness_def_default();
  def.most_states = 4;
  def.gamma = 0.5;
  far__hardness *x = measure(c, &def);
  const far__hardness_env *large = env_of(x, "chain:n=9");
  CHECK(env_of(x, "chain:n=4")->diameter > 0 && large->diameter != large->diameter);
  CHECK(large->left_out == NULL && large->gamma == 0.5 && large->value_norm > 0);
  far__hardness_free(x);
  def.most_outcomes = 20;
  x = measure(c, &def);
  large = env_of(x, "chain:n=9");
  CHECK(env_of(x, "chain:n=4")->left_out == NULL);
  CHECK_TEXT(large->left_out, "it has more than 20 outcomes");
  CHECK(large->gap != large->gap && large->n_states == 9);
  far__hardness_free(x);
}

typedef struct watch {
  int calls, most;
  size_t last;
} watch;

static bool watching(void *user, const char *what, size_t done, size_t count) {
  watch *w = user;
  CHECK_TEXT(what, "solve");
  CHECK(done <= count && count == N_ENVS && done >= w->last);
  w->last = done;
  return ++w->calls < w->most;
}

static void test_progress(const far_comparison *c) {
  far__hardness_def def = far__hardness_def_default();
  watch all = {.most = 1 << 30};
  far__hardness *x;
  far_error error;
  def.progress = watching;
  def.user = &all;
  far__hardness_free(measure(c, &def));
  CHECK(all.last == N_ENVS && all.calls > N_ENVS);
  for (int stop = 1; stop < all.calls; stop += 1 + all.calls / 20) {
    watch some = {.most = stop};
    def.user = &some;
    CHECK(far__hardness_create(&x, c, &def, &error) == FAR_STATUS_CANCELLED && x == NULL);
    CHECK(some.calls == stop);
  }
  def = far__hardness_def_default();
  def.gamma = 1;
  CHECK(far__hardness_create(&x, c, &def, &error) == FAR_STATUS_RANGE && x == NULL);
  CHECK_CONTAINS(error.message, "gamma must be in [0, 1)");
  def.gamma = 0.5;
  def.group = 3;
  CHECK(far__hardness_create(&x, c, &def, &error) == FAR_STATUS_RANGE && x == NULL);
}

static void test_report(const far_comparison *c) {
  const far__hardness_def def = far__hardness_def_default();
  far__hardness *x = measure(c, &def);
  far_report *report;
  far_buffer buffer = {0};
  far_render_def how = far_render_def_default();
  char number[FAR__NUMBER_SIZE];
  CHECK(far_report_create(&report, "plot", NULL) == FAR_OK);
  far__hardness_report(x, report);
  how.format = FAR_REPORT_CSV;
  how.table = "hardness";
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  far__real_format(number, env_of(x, "chain:n=9")->value_norm);
  CHECK_CONTAINS(buffer.bytes, number);
  far_buffer_free(&buffer);
  how.format = FAR_REPORT_TEXT;
  CHECK(far_report_render(report, &how, far_sink_buffer(&buffer), NULL) == FAR_OK);
  CHECK_CONTAINS(buffer.bytes, "is left out");
  far_buffer_free(&buffer);
  far_report_free(report);
  far__hardness_free(x);
}

int main(void) {
  test_value_norm();
  if (!stores_begin()) return stores_end();
  far_mdp *mdps[N_ENVS];
  make_mdps(mdps);
  make_store("hard.db", mdps);
  far_comparison *c = compare("hard.db", mdps, N_ENVS);
  test_measures(c, mdps);
  test_limits(c);
  test_progress(c);
  far_comparison_free(c);
  c = compare("hard.db", mdps, 0);
  test_left_out(c);
  test_report(c);
  far_comparison_free(c);
  for (int e = 0; e < N_ENVS; ++e) far_mdp_free(mdps[e]);
  return stores_end();
}
