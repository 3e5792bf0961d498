/* Models, solutions, agents, runs and statistics while memory runs out: failing-memory.h says what is tested. */
#include "failing-memory.h"
#include "horizons.h"

static far_status make_model(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  char hash[FAR_HASH_TEXT];
  uint32_t unreached = 0, first;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status != FAR_OK) return status;
  far_mdp_hash(hash, mdp);
  status = far_mdp_unreachable(mdp, &unreached, &first, error);
  const far_layout layout = far_mdp_layout(mdp);
  *out = digest(hash, strlen(hash)) + unreached + layout.width + (double)layout.n_walls;
  far_mdp_free(mdp);
  return status;
}

static far_status write_and_read(double *out, const far_mdp *mdp, far_format format,
                                 far_error *error) {
  char *text;
  size_t length;
  far_mdp *again = NULL;
  far_status status = far_mdp_print(&text, &length, mdp, format, 0.9, error);
  if (status != FAR_OK) return status;
  *out += digest(text, length);
  status = far_mdp_read(&again, text, length, format, error);
  far_mdp_free(again);
  free(text);
  if (status == FAR_OK) status = far_mdp_save(mdp, store_path("model"), format, 0.9, error);
  if (status == FAR_OK) status = far_mdp_load(&again, store_path("model"), format, error);
  if (status == FAR_OK) far_mdp_free(again);
  return status;
}

static far_status convert(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  for (int f = FAR_FORMAT_AUTO + 1; status == FAR_OK && far_format_name((far_format)f); ++f)
    status = write_and_read(out, mdp, (far_format)f, error);
  far_mdp_free(mdp);
  return status;
}

static far_status solve_discounted(double *out, const far_solver *solver, far_error *error) {
  far_solve_def def = far_solve_def_default();
  far_status status = FAR_OK;
  for (size_t m = 0; status == FAR_OK && far_method_name(m) != NULL; ++m) {
    far_solution x;
    def.method = (far_method)m;
    status = far_solver_discounted(&x, solver, &def, error);
    if (status != FAR_OK) break;
    *out += x.v[0];
    const far_policy policy = {.action = x.policy};
    far_solution y;
    status = far_solver_evaluate(&y, solver, &def, &policy, error);
    if (status == FAR_OK) *out += y.v[0];
    if (status == FAR_OK) far_solution_free(&y);
    far_effective ahead;
    if (status == FAR_OK && m == 0) status = far_solver_effective(&ahead, solver, &def, &x, error);
    if (status == FAR_OK && m == 0) *out += ahead.horizon;
    far_solution_free(&x);
  }
  return status;
}

/* The chains are those of the uniform policy, as episodes of a horizon, too. */
static far_status solve_measures(double *out, const far_mdp *mdp, const far_solver *solver,
                                 far_error *error) {
  const far_solve_def def = far_solve_def_default();
  far_mixing mixing;
  far_cover cover;
  far_norm norm;
  far_reciprocals gaps;
  far_horizon horizon;
  far_effective finite;
  far_mdp *unrolled = NULL;
  far_status status = far_solver_mixing(&mixing, solver, &def, NULL, error);
  if (status == FAR_OK) status = far_solver_cover(&cover, solver, &def, error);
  if (status == FAR_OK) status = far_mdp_unroll(&unrolled, mdp, 3, error);
  far_mdp_free(unrolled);
  if (status == FAR_OK) status = far_solver_horizon(&horizon, solver, 5, 1, error);
  if (status != FAR_OK) return status;
  status = far_horizon_norm(&norm, &horizon, mdp, error);
  if (status == FAR_OK) status = far_horizon_reciprocals(&gaps, &horizon, mdp, error);
  if (status == FAR_OK)
    status = far_solver_effective_finite(&finite, solver, &def, &horizon, error);
  far_horizon_free(&horizon);
  if (status == FAR_OK)
    *out += mixing.time + cover.hitting + norm.value + gaps.sum + finite.horizon;
  return status;
}

static far_status solve_others(double *out, const far_solver *solver, far_error *error) {
  const far_solve_def def = far_solve_def_default();
  far_average average;
  far_horizon horizon;
  far_structure structure;
  far_diameter diameter;
  far_status status = far_solver_average(&average, solver, &def, error);
  if (status != FAR_OK) return status;
  *out += average.gain;
  far_average_free(&average);
  if ((status = far_solver_horizon(&horizon, solver, 5, 1, error)) != FAR_OK) return status;
  *out += horizon.v[0];
  far_horizon_free(&horizon);
  if ((status = far_solver_structure(&structure, solver, error)) != FAR_OK) return status;
  *out += structure.n_classes;
  far_structure_free(&structure);
  status = far_solver_diameter(&diameter, solver, &def, error);
  if (status == FAR_OK && diameter.value < INFINITY) *out += diameter.value;
  return status;
}

/* A model as arrays, and back. */
static far_status copy_arrays(double *out, const char *what, far_error *error) {
  far_mdp *mdp, *copy = NULL;
  far_csr csr = far_csr_default(0, 0);
  char hash[FAR_HASH_TEXT];
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_mdp_to_csr(&csr, mdp, error);
  if (status == FAR_OK) status = far_mdp_from_csr(&copy, &csr, error);
  if (status == FAR_OK) far_mdp_hash(hash, copy);
  if (status == FAR_OK) *out = digest(hash, sizeof hash);
  far_csr_free(&csr);
  far_mdp_free(copy);
  far_mdp_free(mdp);
  return status;
}

static far_status solve(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = solve_discounted(out, solver, error);
  if (status == FAR_OK) status = solve_others(out, solver, error);
  if (status == FAR_OK) status = solve_measures(out, mdp, solver, error);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* What takes many sweeps is solved by elimination. */
static far_status solve_slow(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_solution x = {0}, y = {0};
  far_diameter diameter = {0};
  far_solve_def def = far_solve_def_default();
  def.gamma = 0.999;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  const far_policy policy = {.action = x.policy};
  if (status == FAR_OK) status = far_solver_evaluate(&y, solver, &def, &policy, error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, error);
  if (status == FAR_OK) *out = x.v[0] + y.v[0] + diameter.value;
  far_solution_free(&x);
  far_solution_free(&y);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* Against the current: three states back for one ahead, so that the diameter is for elimination. */
static far_status build_walk(far_mdp **out, uint32_t n, far_error *error) {
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, n, 1, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; s < n && status == FAR_OK; ++s) {
    status = far_mdp_builder_outcome(b, s, 0, 0.25, s + 1 < n ? s + 1 : s, 0, error);
    if (status == FAR_OK)
      status = far_mdp_builder_outcome(b, s, 0, 0.75, s > 0 ? s - 1 : 0, 1, error);
  }
  if (status == FAR_OK) status = far_mdp_builder_start(b, 0, 1, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

static far_status solve_walk(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_diameter diameter = {0};
  const far_solve_def def = far_solve_def_default();
  (void)what;
  far_status status = build_walk(&mdp, 10, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_diameter(&diameter, solver, &def, error);
  *out = diameter.value;
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

/* A model that is large enough to be shared by threads. */
static far_status solve_shared(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_solver *solver = NULL;
  far_solution x = {0};
  far_average average = {0};
  far_solve_def def = far_solve_def_default();
  def.max_sweeps = 2;
  def.threads = 2;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&x, solver, &def, error);
  if (status == FAR_OK) status = far_solver_average(&average, solver, &def, error);
  if (status == FAR_OK) *out = x.v[0] + average.gain;
  far_solution_free(&x);
  far_average_free(&average);
  far_solver_free(solver);
  far_mdp_free(mdp);
  return status;
}

static far_status totals(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  double best = 0, random = 0;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_solve_best_total(&best, mdp, 100, NULL, error);
  if (status == FAR_OK) status = far_solve_random_total(&random, mdp, 100, NULL, error);
  *out = best + random;
  far_mdp_free(mdp);
  return status;
}

/* One that peeks is made on a model. */
static far_status begin_walk(far_agent **out, const char *what, const far_shape *shape,
                             far_error *error) {
  far_mdp *mdp;
  const far_status status = far_agent_create(out, what, shape, 1, 0, error);
  if (status != FAR_STATUS_CONFLICT) return status;
  const far_status made = far_mdp_create(&mdp, "chain:n=7", error);
  if (made != FAR_OK) return made;
  const far_status told = far_agent_create_on(out, what, mdp, 0, 1, 0, error);
  far_mdp_free(mdp);
  return told;
}

/* An agent that walks, is saved, loaded and restored. */
static far_status walk(double *out, const char *what, far_error *error) {
  const far_shape shape = shape_for(what, far_shape_default(7, 2));
  far_agent *agent, *other = NULL;
  const char *path = store_path("agent");
  far_status status = far_agent_check(what, &shape, NULL, NULL, error);
  if (status == FAR_OK) status = begin_walk(&agent, what, &shape, error);
  if (status != FAR_OK) return status;
  for (uint32_t t = 0; status == FAR_OK && t < 60; ++t) {
    const uint32_t s = t * 5 % 7, a = far_agent_act(agent, s);
    const bool done = t % 11 == 10 && far_agent_shape(agent)->episodic;
    const far_transition step = {s, a, (s + a) % 3 / 2.0, (s * 3 + a + t) % 7, done, false};
    status = far_agent_observe(agent, &step, error);
    *out += a;
  }
  if (status == FAR_OK) status = far_agent_save(agent, path, error);
  if (status == FAR_OK) status = far_agent_restore(agent, path, error);
  if (status == FAR_OK) status = far_agent_load(&other, path, error);
  if (status == FAR_OK) far_agent_free(other);
  if (status == FAR_OK) status = far_agent_clone(&other, agent, error);
  if (status == FAR_OK) far_agent_free(other);
  void *data = NULL;
  size_t size;
  if (status == FAR_OK) status = far_agent_save_memory(&data, &size, agent, error);
  if (status == FAR_OK) status = far_agent_load_memory(&other, data, size, error);
  if (status == FAR_OK) far_agent_free(other);
  far_free(data);
  far_agent_free(agent);
  return status;
}

/* Worlds are made once; nothing is allocated while they step. */
static far_status step_worlds(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_worlds *worlds = NULL;
  uint32_t actions[5] = {0}, states[5];
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = far_worlds_create(&worlds, mdp, 5, NULL, error);
  const long before = atomic_load(&count);
  if (status == FAR_OK) status = far_worlds_reset(worlds, NULL, states, error);
  for (int t = 0; status == FAR_OK && t < 50; ++t) {
    status = far_worlds_step(worlds, actions, states, NULL, NULL, NULL, NULL, error);
    *out += states[t % 5];
  }
  CHECK(atomic_load(&count) == before);
  far_worlds_free(worlds);
  far_mdp_free(mdp);
  return status;
}

static far_status measure(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_metric *metric = NULL;
  const bool timed = far_spec_type(far_metric_type, what)->finite_horizon;
  far_status status = far_mdp_create(&mdp, timed ? "chain:n=4,horizon=5" : "chain:n=4", error);
  if (status == FAR_OK) status = far_metric_create(&metric, what, error);
  if (status == FAR_OK) status = run_cells(out, mdp, metric, 1, NULL, error);
  far_metric_free(metric);
  far_mdp_free(mdp);
  return status;
}

static far_status run_threads(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far_status status = far_mdp_create(&mdp, what, error);
  if (status == FAR_OK) status = run_cells(out, mdp, NULL, 3, NULL, error);
  far_mdp_free(mdp);
  return status;
}

static far_status enlist(double *out, const char *what, far_error *error) {
  static int number;
  char name[24];
  far_agent_def def = plain_q_def();
  (void)what;
  snprintf(name, sizeof name, "swept-%d", number++);
  def.name = name;
  *out = 1;
  return far_agent_register(&def, error);
}

static far_status statistics(double *out, const char *what, far_error *error) {
  const double x[] = {1, 4, 2, 8, 5, 7}, y[] = {3, 1, 4, 1, 5, 9}, p[] = {0.01, 0.3, 0.02};
  const far_sample both[] = {{x, 6}, {y, 6}};
  far_bootstrap_def def = far_bootstrap_def_default();
  far_estimate e;
  far_paired pairs;
  far_aggregate a;
  far_summary summary;
  double adjusted[3];
  (void)what;
  def.resamples = 100;
  far_status status = far_sample_summarise(&summary, x, 6, 0.95, error);
  if (status == FAR_OK) status = far_pairs_compare(&pairs, x, y, 6, &def, error);
  if (status == FAR_OK) status = far_improvement(&e, both, both + 1, 1, &def, error);
  if (status == FAR_OK) status = far_scores_aggregate(&a, both, 2, &def, error);
  if (status == FAR_OK) status = far_p_adjust(adjusted, p, 3, FAR_CORRECTION_HOLM, error);
  if (status != FAR_OK) return status;
  *out = summary.median + pairs.bootstrap.low + e.value + a.iqm.value + adjusted[0];
  return FAR_OK;
}

static far_status rank_samples(double *out, const char *what, far_error *error) {
  double x[45], y[45];
  const far_sample cells[] = {{x, 45}, {y, 45}, {x, 45}};
  far_ranking_def def = far_ranking_def_default();
  far_ranking *r;
  (void)what;
  def.first = 30;
  for (int i = 0; i < 45; ++i) x[i] = i % 4, y[i] = 1 - i % 3;
  far_status status = far_ranking_create(&r, &def, 1, 3, error);
  if (status == FAR_OK) status = far_ranking_look(r, cells, NULL, error);
  if (r != NULL && status == FAR_STATUS_MEMORY) status = far_ranking_look(r, cells, NULL, error);
  if (status == FAR_OK) status = far_ranking_compute(r, cells, error);
  if (status == FAR_OK)
    *out = far_ranking_pair_at(r, 0)->p + far_ranking_pair_at(r, 1)->p_adjusted +
           far_ranking_info_of(r).looks;
  far_ranking_free(r);
  return status;
}

static void sweep_all(bool stores) {
  (void)stores;
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i)
    if (!far_mdp_family(i)->bare) sweep(make_model, far_mdp_family(i)->name);
  sweep(convert, "chain:n=3");
  sweep(convert, "frozen-lake");
  sweep(copy_arrays, "frozen-lake");
  sweep(solve, "chain:n=4");
  sweep(solve, "frozen-lake");
  sweep(solve_slow, "chain:n=40");
  sweep(solve_walk, "");
  sweep(solve_shared, "chain:n=16500");
  sweep(totals, "chain:n=4");
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) sweep(walk, far_agent_type(i)->name);
  sweep(step_worlds, "frozen-lake");
  for (size_t i = 0; far_metric_type(i) != NULL; ++i) {
    const char *name = far_metric_type(i)->name;
    sweep(measure,
          strcmp(name, "loss") == 0 ? "loss:gamma=0.5" : name); /* whose returns are short */
  }
  sweep(run_threads, "chain:n=4");
  sweep(enlist, "");
  sweep(statistics, "");
  sweep(rank_samples, "");
}

int main(void) {
  return sweep_memory(sweep_all);
}
