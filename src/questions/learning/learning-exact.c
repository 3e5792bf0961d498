/* The exact values beside what an agent knows: of the step shown, where it plans by the steps of an episode;
 * else discounted, of a problem that goes on. */
#include "questions/learning/learning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "base/error.h"
#include "farsight/solve.h"

/* Of an agent that plans by steps: undiscounted, unless somebody says otherwise. */
static double gamma_of(const far__learning_def *def, const far_agent *agent) {
  if (def->gamma == def->gamma) return def->gamma;
  return far__agent_by_step(agent) ? 1 : far_mdp_gamma(def->mdp);
}

/* ---- solving ---- */

static bool tick_solve(void *user, int64_t sweeps, double error) {
  const far__learning_def *def = user;
  (void)error;
  return def->progress(def->user, "solve", sweeps, 0);
}

static far_status solve_discounted(far__learning *x, const far_solver *solver,
                                   const far__learning_def *def, far_error *error) {
  /* In proportion to the values, so that the unit of the rewards does not matter. */
  const far_shape shape = far_mdp_shape(def->mdp);
  far_solve_def how = far_solve_def_default();
  how.gamma = x->exact.gamma;
  how.method = FAR_METHOD_VALUE; /* stored results were measured by its policy */
  how.tolerance = 1e-6 * (shape.reward_max - shape.reward_min) / (1 - how.gamma);
  if (def->progress != NULL) how.progress = tick_solve;
  how.user = (void *)def;
  far_solution best = {0};
  const far_status status = far_solver_discounted(&best, solver, &how, error);
  if (status == FAR_OK) {
    x->exact.v = best.v;
    x->exact.q = best.q;
    x->exact.policy = best.policy;
    x->exact.error = best.error;
    best.v = best.q = NULL;
    best.policy = NULL;
    far_solution_free(&best);
  }
  return status;
}

/* Room for S x A x what is left of the steps, as the agents have. */
static far_status check_room(const far__learning *x, far_error *error) {
  const double left = (double)(x->horizon - x->step);
  if ((double)x->n_states * left <= 0x1p28) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "%lu states x %lld steps are too many to solve",
                   (unsigned long)x->n_states, (long long)(x->horizon - x->step));
}

/* The first step of an episode of those that are left. */
static far_status solve_steps(far__learning *x, const far_solver *solver, far_error *error) {
  far_horizon best = {0};
  far_status status = check_room(x, error);
  if (status == FAR_OK)
    status = far_solver_horizon(&best, solver, x->horizon - x->step, x->exact.gamma, error);
  if (status != FAR_OK) return status;
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  x->exact.v = malloc(x->n_states * sizeof *x->exact.v);
  x->exact.q = malloc(pairs * sizeof *x->exact.q);
  x->exact.policy = malloc(x->n_states * sizeof *x->exact.policy);
  if (x->exact.v == NULL || x->exact.q == NULL || x->exact.policy == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for exact values");
  if (status == FAR_OK) status = far_horizon_pairs(x->exact.q, &best, solver, 0, error);
  if (status == FAR_OK) {
    memcpy(x->exact.v, best.v, x->n_states * sizeof *x->exact.v);
    memcpy(x->exact.policy, best.policy, x->n_states * sizeof *x->exact.policy);
    x->exact.error = best.error;
  }
  far_horizon_free(&best);
  return status;
}

/* Only what says nothing about the model is a failure. */
static far_status solve_model(far__learning *x, const far__learning_def *def, far_error *error) {
  far_error why = {FAR_OK, -1, ""};
  far_solver *solver = NULL;
  far_status status = far_solver_create(&solver, def->mdp, &why);
  if (status == FAR_OK)
    status = x->by_step ? solve_steps(x, solver, &why) : solve_discounted(x, solver, def, &why);
  far_solver_free(solver);
  if (status == FAR_OK) return FAR_OK;
  if (status == FAR_STATUS_CANCELLED)
    return far__fail(error, status, -1, "stopped while solving the model");
  if (status == FAR_STATUS_MEMORY) return far__fail(error, status, -1, "%s", why.message);
  snprintf(x->exact.why, sizeof x->exact.why, "%.250s", why.message);
  return FAR_OK;
}

/* ---- comparing ---- */

static uint32_t likeliest(const double *probability, uint32_t n_actions) {
  uint32_t best = 0;
  for (uint32_t a = 1; a < n_actions; ++a)
    if (probability[a] > probability[best]) best = a;
  return best;
}

static bool is_visited(const double *visits, uint32_t n_actions) {
  for (uint32_t a = 0; a < n_actions; ++a)
    if (visits[a] > 0) return true;
  return false;
}

/* As far as the certified error tells. */
static bool is_optimal(const far__learning_exact *exact, uint32_t s, size_t pair) {
  return exact->q[pair] >= exact->v[s] - 2 * exact->error;
}

static void compare_policy(far__learning_frame *f, const far__learning *x, uint32_t s,
                           bool visited) {
  const size_t at = (size_t)s * x->n_actions;
  if (far_mdp_terminal(x->mdp, s)) return;
  for (uint32_t a = 0; a < x->n_actions; ++a)
    if (is_optimal(&x->exact, s, at + a)) f->optimal[s] += f->policy[at + a];
  if (visited)
    f->states_optimal += is_optimal(&x->exact, s, at + likeliest(f->policy + at, x->n_actions));
}

static void compare_values(far__learning_frame *f, const far__learning *x, uint32_t s) {
  for (uint32_t a = 0; a < x->n_actions; ++a) {
    const size_t i = (size_t)s * x->n_actions + a;
    const double d = f->q[i] - x->exact.q[i], gap = d < 0 ? -d : d;
    if (f->visits_at[i] > 0 && !(gap <= f->q_error)) f->q_error = gap;
  }
}

static void compare_frame(far__learning_frame *f, const far__learning *x) {
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const bool visited = is_visited(f->visits_at + (size_t)s * x->n_actions, x->n_actions);
    f->states_compared += visited;
    if (f->policy != NULL) compare_policy(f, x, s, visited);
    if (f->q != NULL && visited && x->exact.same_gamma) compare_values(f, x, s);
  }
}

far_status far__learning_solve(far__learning *x, const far_agent *agent,
                               const far__learning_def *def, far_error *error) {
  const bool none = far_mdp_shape(def->mdp).average && def->gamma != def->gamma;
  double planned;
  x->exact.gamma = gamma_of(def, agent);
  x->exact.same_gamma =
      x->by_step || !far_agent_param(agent, "gamma", &planned) || planned == x->exact.gamma;
  if (!def->exact)
    snprintf(x->exact.why, sizeof x->exact.why, "they were not asked for");
  else if (none)
    snprintf(x->exact.why, sizeof x->exact.why,
             "the average reward counts in the problem, and values are discounted");
  const far_status status = def->exact && !none ? solve_model(x, def, error) : FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < x->n_frames; ++i) {
    far__learning_frame *f = &x->frames[i];
    if (x->exact.q == NULL || f->policy == NULL) f->optimal = NULL;
    if (x->exact.q != NULL) compare_frame(f, x);
  }
  return status;
}
