/* The solution of a model as the members of a JSON document. */
#include "questions/model/model-solution.h"

static void write_reals(far_json *j, const char *key, const double *x, size_t n) {
  far_json_array(j, key);
  for (size_t i = 0; i < n; ++i) far_json_real(j, NULL, x[i]);
  far_json_end(j);
}

static void write_indices(far_json *j, const char *key, const uint32_t *x, size_t n) {
  far_json_array(j, key);
  for (size_t i = 0; i < n; ++i) far_json_integer(j, NULL, x[i]);
  far_json_end(j);
}

static void write_rows(far_json *j, const char *key, const double *x, size_t rows, size_t width) {
  far_json_array(j, key);
  for (size_t i = 0; i < rows; ++i) write_reals(j, NULL, x + i * width, width);
  far_json_end(j);
}

/* ---- the problems ---- */

static void write_gaps(far_json *j, const far_gaps *gaps) {
  far_json_object(j, "gap");
  far_json_real(j, "least", gaps->least);
  far_json_real(j, "least_positive", gaps->least_positive);
  far_json_integer(j, "state", gaps->at);
  far_json_integer(j, "tied", gaps->n_tied);
  far_json_end(j);
}

static void write_values(far_json *j, const far_model_solution *solution) {
  const far_solution *x = &solution->values;
  far_json_real(j, "gamma", x->gamma);
  write_reals(j, "v", x->v, x->n_states);
  write_rows(j, "q", x->q, x->n_states, x->n_actions);
  write_indices(j, "policy", x->policy, x->n_states);
  far_json_real(j, "residual", x->residual);
  far_json_real(j, "error", x->error);
  far_json_real(j, "tolerance", solution->def.tolerance);
  far_json_text(j, "method", far_method_name(x->method));
  far_json_integer(j, "sweeps", (uint64_t)x->sweeps);
  far_json_real(j, "start", solution->start);
  far_json_real(j, "span", x->span);
  write_gaps(j, &solution->gaps);
}

static void write_horizon(far_json *j, const far_model_solution *solution) {
  const far_horizon *x = &solution->horizon;
  far_json_real(j, "gamma", x->gamma);
  far_json_integer(j, "horizon", (uint64_t)x->horizon);
  write_rows(j, "v", x->v, (size_t)x->horizon + 1, x->n_states);
  far_json_array(j, "policy");
  for (int64_t t = 0; t < x->horizon; ++t)
    write_indices(j, NULL, x->policy + (size_t)t * x->n_states, x->n_states);
  far_json_end(j);
  far_json_real(j, "error", x->error);
  far_json_real(j, "start", solution->start);
}

static void write_average(far_json *j, const far_average *x) {
  far_json_real(j, "gain", x->gain);
  far_json_real(j, "error", x->error);
  write_reals(j, "bias", x->bias, x->n_states);
  write_indices(j, "policy", x->policy, x->n_states);
  far_json_real(j, "span", x->span);
  far_json_integer(j, "sweeps", (uint64_t)x->sweeps);
}

/* ---- structure ---- */

/* An infinite diameter is null, and then the pair says what is out of reach. */
static void write_diameter(far_json *j, const far_diameter *d) {
  far_json_real(j, "diameter", d->value);
  far_json_real(j, "diameter_error", d->error);
  far_json_integer(j, "diameter_from", d->from);
  far_json_integer(j, "diameter_to", d->to);
  far_json_flag(j, "diameter_converged", d->converged);
}

static void write_structure(far_json *j, const far_model_solution *solution) {
  const far_structure *x = &solution->structure;
  far_json_object(j, "structure");
  far_json_text(j, "kind", far_chain_name(x->kind));
  far_json_integer(j, "classes", x->n_classes);
  far_json_integer(j, "closed", x->n_closed);
  far_json_integer(j, "recurrent", x->n_recurrent);
  if (solution->has_diameter) write_diameter(j, &solution->diameter);
  write_indices(j, "class_of", x->class_of, x->n_states);
  far_json_end(j);
}

void far__solution_json(const void *user, far_json *j) {
  const far_model_solution *x = user;
  far_json_integer(j, "states", x->shape.n_states);
  far_json_integer(j, "actions", x->shape.n_actions);
  switch (x->def.kind) {
  case FAR_SOLVE_HORIZON: write_horizon(j, x); break;
  case FAR_SOLVE_AVERAGE: write_average(j, &x->average); break;
  default: write_values(j, x);
  }
  far_json_flag(j, "converged", x->converged);
  far_json_text(j, "env", far_mdp_spec(x->def.mdp));
  if (x->has_structure) write_structure(j, x);
  if (x->has_measures) far__measures_json(x, j);
}
