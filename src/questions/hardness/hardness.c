/* The hardness of environments by exact solution, and the scores of agents on them. */
#include "questions/hardness/hardness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/kept.h"
#include "base/text.h"
#include "farsight/mdp.h"
#include "solve/parts.h"

/* The result comes first. */
typedef struct whole {
  far__hardness result;
  far__kept kept;
} whole;

far__hardness_def far__hardness_def_default(void) {
  return (far__hardness_def){.gamma = NAN, .most_outcomes = 2000000, .most_states = 1000};
}

void far__hardness_free(far__hardness *hardness) {
  if (hardness == NULL) return;
  far__kept_free(&((whole *)hardness)->kept);
  free(hardness);
}

/* ---- solving ---- */

/* State while environments are solved. */
typedef struct work {
  const far__hardness_def *def;
  whole *out;
  size_t env, n_envs;
  bool stopped;
} work;

static bool goes_on(void *user, int64_t sweeps, double error) {
  work *w = user;
  (void)sweeps, (void)error;
  if (w->def->progress == NULL) return true;
  w->stopped = w->stopped || !w->def->progress(w->def->user, "solve", w->env, w->n_envs);
  return !w->stopped;
}

static far_solve_def solve_def(work *w, double gamma) {
  far_solve_def out = far_solve_def_default();
  out.gamma = gamma;
  out.live_only = true;
  out.method = FAR_METHOD_VALUE; /* reports of stores keep their digits */
  out.progress = goes_on;
  out.user = w;
  return out;
}

static double gamma_of(const far__hardness_def *def, const far_mdp *mdp) {
  if (def->gamma == def->gamma) return def->gamma;
  return far_mdp_gamma(mdp);
}

static far_status solve_values(work *w, far__hardness_env *env, const far_solver *solver,
                               const far_mdp *mdp, far_error *error) {
  const far_solve_def def = solve_def(w, env->gamma);
  far_solution x;
  const far_status status = far_solver_discounted(&x, solver, &def, error);
  if (status != FAR_OK) return status;
  const far_reciprocals gaps = far_solution_reciprocals(&x, mdp);
  env->gap = gaps.least;
  env->reciprocals = gaps.sum;
  env->value_norm = far__value_norm(mdp, x.v);
  env->value_error = x.error;
  far_solution_free(&x);
  return FAR_OK;
}

static far_status solve_diameter(work *w, far__hardness_env *env, const far_solver *solver,
                                 far_error *error) {
  const far_solve_def def = solve_def(w, env->gamma);
  far_diameter diameter;
  const far_status status = far_solver_diameter(&diameter, solver, &def, error);
  if (status != FAR_OK) return status;
  env->diameter = diameter.value;
  env->diameter_error = diameter.error;
  return FAR_OK;
}

static far_status solve_model(work *w, far__hardness_env *env, const far_mdp *mdp,
                              far_error *error) {
  far_solver *solver = NULL;
  far_status status = far_solver_create(&solver, mdp, error);
  if (status == FAR_OK) status = solve_values(w, env, solver, mdp, error);
  if (status == FAR_OK && env->n_states <= w->def->most_states)
    status = solve_diameter(w, env, solver, error);
  far_solver_free(solver);
  return status;
}

/* ---- one environment ---- */

static size_t count_outcomes(const far_mdp *mdp, size_t most) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t total = 0, n;
  for (uint32_t s = 0; s < shape.n_states && total <= most; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) {
      far_mdp_outcomes(mdp, s, a, &n);
      total += n;
    }
  return total;
}

static void leave_out(work *w, far__hardness_env *env, const char *why) {
  env->left_out = far__kept_text(&w->out->kept, why);
  env->diameter = env->gap = env->reciprocals = env->value_norm = env->value_error = NAN;
}

static far_status measure(work *w, far__hardness_env *env, const far_mdp *mdp, far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  far_error why = {.code = FAR_OK};
  env->n_states = far_shape_live(&shape);
  env->n_actions = shape.n_actions;
  env->gamma = gamma_of(w->def, mdp);
  if (count_outcomes(mdp, w->def->most_outcomes) > w->def->most_outcomes) {
    char *text =
        far__kept_format(&w->out->kept, "it has more than %zu outcomes", w->def->most_outcomes);
    leave_out(w, env, text);
    return FAR_OK;
  }
  const far_status status = solve_model(w, env, mdp, &why);
  if (status == FAR_STATUS_MEMORY || status == FAR_STATUS_CANCELLED) {
    if (error != NULL) *error = why;
    return status;
  }
  if (status != FAR_OK) leave_out(w, env, why.message);
  return FAR_OK;
}

static far_status measure_env(work *w, far__hardness_env *env, const far_comparison_env *from,
                              far_error *error) {
  *env = (far__hardness_env){.label = far__kept_text(&w->out->kept, from->label),
                             .gamma = NAN,
                             .diameter = NAN,
                             .diameter_error = NAN,
                             .gap = NAN,
                             .reciprocals = NAN,
                             .value_norm = NAN,
                             .value_error = NAN};
  if (from->mdp != NULL) return measure(w, env, from->mdp, error);
  leave_out(w, env,
            from->unusable != NULL ? from->unusable : "no spec of an environment describes it");
  return FAR_OK;
}

/* ---- scores ---- */

static far__hardness_score score_of(const far_comparison_scale *scale,
                                    const far_comparison_cell *cell) {
  const far_summary *s = &cell->summary;
  far__hardness_score out = {NAN, NAN, NAN};
  if (cell->runs == 0 || !cell->finite || scale->kind == FAR_SCALE_NONE) return out;
  const double unit = scale->high - scale->low;
  out.value = (s->mean - scale->low) / unit;
  const double x = (s->low - scale->low) / unit, y = (s->high - scale->low) / unit;
  out.low = x < y ? x : y;
  out.high = x < y ? y : x;
  if (s->low != s->low) out.low = out.high = NAN;
  return out;
}

static void fill_scores(whole *w, const far_comparison_group *g) {
  const size_t n = g->n_envs * g->n_agents;
  far__hardness_score *scores = far__kept_room(&w->kept, n, sizeof *scores);
  const char **agents = far__kept_room(&w->kept, g->n_agents, sizeof *agents);
  if (w->kept.failed) return;
  for (size_t j = 0; j < g->n_agents; ++j) agents[j] = far__kept_text(&w->kept, g->agents[j].label);
  for (size_t i = 0; i < n; ++i)
    scores[i] = score_of(&g->envs[i / g->n_agents].scale, &g->cells[i]);
  w->result.policies = true;
  for (size_t e = 0; e < g->n_envs; ++e)
    w->result.policies = w->result.policies && g->envs[e].scale.kind != FAR_SCALE_OBSERVED;
  w->result.agents = agents;
  w->result.n_agents = g->n_agents;
  w->result.scores = scores;
}

/* ---- the whole ---- */

static far_status measure_all(work *w, const far_comparison_group *g, far_error *error) {
  far__hardness_env *envs = far__kept_room(&w->out->kept, g->n_envs, sizeof *envs);
  far_status status = FAR_OK;
  w->out->result.envs = envs;
  w->out->result.n_envs = g->n_envs;
  w->n_envs = g->n_envs;
  for (size_t e = 0; e < g->n_envs && status == FAR_OK && !w->out->kept.failed; ++e) {
    w->env = e;
    if (goes_on(w, 0, 0)) status = measure_env(w, &envs[e], &g->envs[e], error);
    if (w->stopped) break;
  }
  w->env = g->n_envs;
  if (status == FAR_OK && !w->stopped) goes_on(w, 0, 0);
  return w->stopped && status != FAR_STATUS_MEMORY
             ? far__fail(error, FAR_STATUS_CANCELLED, -1, "solving was stopped")
             : status;
}

static far_status check_def(const far_comparison *comparison, const far__hardness_def *def,
                            far_error *error) {
  if (def->group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no group %zu; there are %zu",
                     def->group, comparison->n_groups);
  if (def->gamma == def->gamma && !(def->gamma >= 0 && def->gamma < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma must be in [0, 1), not %s",
                     far__shortest(def->gamma).text);
  return FAR_OK;
}

far_status far__hardness_create(far__hardness **out, const far_comparison *comparison,
                                const far__hardness_def *def, far_error *error) {
  *out = NULL;
  far_status status = check_def(comparison, def, error);
  if (status != FAR_OK) return status;
  whole *w = calloc(1, sizeof *w);
  if (w == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the hardness");
  w->result.series = far__kept_text(&w->kept, comparison->series);
  w->result.lower = comparison->lower;
  w->result.level = comparison->bootstrap.level;
  fill_scores(w, &comparison->groups[def->group]);
  work at = {.def = def, .out = w};
  if (!w->kept.failed) status = measure_all(&at, &comparison->groups[def->group], error);
  if (status == FAR_OK && w->kept.failed)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the hardness");
  if (status == FAR_OK)
    *out = &w->result;
  else
    far__hardness_free(&w->result);
  return status;
}
