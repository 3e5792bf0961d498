/* The solution of a model as the members of a JSON document. */
#include "base/json.h"
#include "questions/model/model-solution.h"

static void write_reals(far__json *j, const char *key, const double *x, size_t n) {
  far__json_array(j, key);
  for (size_t i = 0; i < n; ++i) far__json_real(j, NULL, x[i]);
  far__json_end(j);
}

static void write_indices(far__json *j, const char *key, const uint32_t *x, size_t n) {
  far__json_array(j, key);
  for (size_t i = 0; i < n; ++i) far__json_integer(j, NULL, x[i]);
  far__json_end(j);
}

static void write_rows(far__json *j, const char *key, const double *x, size_t rows, size_t width) {
  far__json_array(j, key);
  for (size_t i = 0; i < rows; ++i) write_reals(j, NULL, x + i * width, width);
  far__json_end(j);
}

/* ---- the problems ---- */

static void write_values(far__json *j, const far__model_solution *solution) {
  const far_solution *x = &solution->values;
  far__json_real(j, "gamma", x->gamma);
  write_reals(j, "v", x->v, x->n_states);
  write_rows(j, "q", x->q, x->n_states, x->n_actions);
  write_indices(j, "policy", x->policy, x->n_states);
  far__json_real(j, "residual", x->residual);
  far__json_real(j, "error", x->error);
  far__json_real(j, "tolerance", solution->def.tolerance);
  far__json_text(j, "method", far_method_name(x->method));
  far__json_integer(j, "sweeps", (uint64_t)x->sweeps);
  far__json_real(j, "start", solution->start);
  far__json_real(j, "span", x->span);
  far__json_object(j, "gap");
  far__json_real(j, "least", solution->gaps.least);
  far__json_real(j, "least_positive", solution->gaps.least_positive);
  far__json_integer(j, "state", solution->gaps.at);
  far__json_integer(j, "tied", solution->gaps.n_tied);
  far__json_end(j);
}

static void write_horizon(far__json *j, const far__model_solution *solution) {
  const far_horizon *x = &solution->horizon;
  far__json_real(j, "gamma", x->gamma);
  far__json_integer(j, "horizon", (uint64_t)x->horizon);
  write_rows(j, "v", x->v, (size_t)x->horizon + 1, x->n_states);
  far__json_array(j, "policy");
  for (int64_t t = 0; t < x->horizon; ++t)
    write_indices(j, NULL, x->policy + (size_t)t * x->n_states, x->n_states);
  far__json_end(j);
  far__json_real(j, "error", x->error);
  far__json_real(j, "start", solution->start);
}

static void write_average(far__json *j, const far_average *x) {
  far__json_real(j, "gain", x->gain);
  far__json_real(j, "error", x->error);
  write_reals(j, "bias", x->bias, x->n_states);
  write_indices(j, "policy", x->policy, x->n_states);
  far__json_real(j, "span", x->span);
  far__json_integer(j, "sweeps", (uint64_t)x->sweeps);
}

/* ---- structure ---- */

static void write_structure(far__json *j, const far__model_solution *solution) {
  const far_structure *x = &solution->structure;
  far__json_object(j, "structure");
  far__json_text(j, "kind", far_chain_name(x->kind));
  far__json_integer(j, "classes", x->n_classes);
  far__json_integer(j, "closed", x->n_closed);
  far__json_integer(j, "recurrent", x->n_recurrent);
  if (solution->has_diameter) {
    const far_diameter *d = &solution->diameter;
    far__json_real(j, "diameter", d->value);
    far__json_real(j, "diameter_error", d->error);
    far__json_integer(j, "diameter_from", d->from);
    far__json_integer(j, "diameter_to", d->to);
    far__json_flag(j, "diameter_converged", d->converged);
  }
  write_indices(j, "class_of", x->class_of, x->n_states);
  far__json_end(j);
}

void far__solution_json(const void *user, far__json *j) {
  const far__model_solution *x = user;
  far__json_integer(j, "states", x->shape.n_states);
  far__json_integer(j, "actions", x->shape.n_actions);
  switch (x->def.kind) {
  case FAR__SOLVE_HORIZON: write_horizon(j, x); break;
  case FAR__SOLVE_AVERAGE: write_average(j, &x->average); break;
  default: write_values(j, x);
  }
  far__json_flag(j, "converged", x->converged);
  far__json_text(j, "env", far_mdp_spec(x->def.mdp));
  if (x->has_structure) write_structure(j, x);
  if (x->has_measures) far__measures_json(x, j);
}
