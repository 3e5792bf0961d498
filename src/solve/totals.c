/* Totals of the optimal and of the uniform policy: the ends of a scale for agents. */
#include <math.h> /* NAN */
#include <stdlib.h>

#include "base/error.h"
#include "farsight/solve.h"

/* Is the failure one of the machine or on request? Any other says that there is no such number. */
static bool is_failure(far_status status) {
  return status == FAR_STATUS_MEMORY || status == FAR_STATUS_CANCELLED;
}

/* ---- episodes of a horizon ---- */

/* The expected reward and length of an episode of a policy. */
typedef struct episode {
  const far_mdp *mdp;
  const uint32_t *action; /* of step t in s, at t * n_states + s; NULL: the uniform policy */
  double *now, *next;     /* the probability of being in a state in an episode that has not ended */
  double reward, length;
} episode;

/* Adds the outcomes of action a in s, where the episode is with probability p. */
static void take(episode *e, uint32_t s, uint32_t a, double p) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(e->mdp, s, a, &count);
  for (size_t k = 0; k < count; ++k) {
    e->reward += p * o[k].probability * o[k].reward;
    if (!o[k].done) e->next[o[k].next] += p * o[k].probability;
  }
}

static void pass_step(episode *e, size_t t) {
  const far_shape shape = far_mdp_shape(e->mdp);
  for (uint32_t s = 0; s < shape.n_states; ++s) {
    const double p = e->now[s];
    e->now[s] = 0;
    if (p == 0) continue;
    e->length += p;
    if (e->action != NULL)
      take(e, s, e->action[t * shape.n_states + s], p);
    else
      for (uint32_t a = 0; a < shape.n_actions; ++a) take(e, s, a, p / shape.n_actions);
  }
  double *was = e->now;
  e->now = e->next;
  e->next = was;
}

/* Computes the episode of a policy. */
static far_status follow_episode(episode *out, const far_mdp *mdp, const uint32_t *action,
                                 far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t n_starts;
  const far_outcome *starts = far_mdp_starts(mdp, &n_starts);
  episode e = {.mdp = mdp, .action = action};
  e.now = calloc(shape.n_states, sizeof *e.now);
  e.next = calloc(shape.n_states, sizeof *e.next);
  const bool ready = e.now != NULL && e.next != NULL;
  for (size_t i = 0; ready && i < n_starts; ++i) e.now[starts[i].next] += starts[i].probability;
  for (int64_t t = 0; ready && t < shape.horizon; ++t) pass_step(&e, (size_t)t);
  free(e.now);
  free(e.next);
  e.now = e.next = NULL;
  *out = e;
  return ready ? FAR_OK : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for an episode");
}

static far_status best_episode(episode *out, const far_solver *solver, const far_mdp *mdp,
                               far_error *error) {
  far_horizon best;
  far_status status = far_solver_horizon(&best, solver, far_mdp_horizon(mdp), 1, error);
  if (status != FAR_OK) return status;
  status = follow_episode(out, mdp, best.policy, error);
  far_horizon_free(&best);
  return status;
}

far_status far_solve_best_return(double *out, const far_mdp *mdp, far_error *error) {
  far_solver *solver;
  episode e;
  *out = NAN;
  if (far_mdp_horizon(mdp) == 0) return FAR_OK;
  far_status status = far_solver_create(&solver, mdp, error);
  if (status != FAR_OK) return status;
  status = best_episode(&e, solver, mdp, error);
  if (status == FAR_OK) *out = e.reward;
  far_solver_free(solver);
  return is_failure(status) ? status : FAR_OK;
}

far_status far_solve_random_return(double *out, const far_mdp *mdp, far_error *error) {
  episode e;
  *out = NAN;
  if (far_mdp_horizon(mdp) == 0) return FAR_OK;
  const far_status status = follow_episode(&e, mdp, NULL, error);
  if (status == FAR_OK) *out = e.reward;
  return status;
}

/* ---- the best policy ---- */

static far_status best_rate(double *out, const far_solver *solver, const far_mdp *mdp,
                            const far_solve_def *def, far_error *error) {
  far_average best;
  episode e;
  if (far_mdp_horizon(mdp) > 0) {
    const far_status status = best_episode(&e, solver, mdp, error);
    if (status == FAR_OK) *out = e.reward / e.length;
    return status;
  }
  const far_status status = far_solver_average(&best, solver, def, error);
  if (status != FAR_OK) return status;
  *out = best.gain;
  far_average_free(&best);
  return FAR_OK;
}

far_status far_solve_best_total(double *out, const far_mdp *mdp, int64_t steps,
                                const far_solve_def *def, far_error *error) {
  const far_solve_def standard = far_solve_def_default();
  far_solver *solver;
  double rate;
  *out = NAN;
  far_status status = far_solver_create(&solver, mdp, error);
  if (status != FAR_OK) return status;
  status = best_rate(&rate, solver, mdp, def != NULL ? def : &standard, error);
  if (status == FAR_OK) *out = rate * (double)steps;
  far_solver_free(solver);
  return is_failure(status) ? status : FAR_OK;
}

/* ---- the random policy ---- */

/* Adds the outcomes of all actions of s, as those of one action. */
static far_status mix_actions(far_mdp_builder *b, const far_mdp *mdp, uint32_t s,
                              uint32_t n_actions, far_error *error) {
  far_status status = FAR_OK;
  for (uint32_t a = 0; status == FAR_OK && a < n_actions; ++a) {
    size_t count;
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    for (size_t i = 0; status == FAR_OK && i < count; ++i)
      status = far_mdp_builder_outcome(b, s, 0, o[i].probability / n_actions, o[i].next,
                                       o[i].reward, error);
  }
  return status;
}

/* The model with one action, which takes any of the actions with the same probability. */
static far_status mix(far_mdp **out, const far_mdp *mdp, far_error *error) {
  const far_shape shape = far_mdp_shape(mdp);
  size_t n_starts;
  const far_outcome *starts = far_mdp_starts(mdp, &n_starts);
  far_mdp_builder *b;
  *out = NULL;
  far_status status = far_mdp_builder_create(&b, shape.n_states, 1, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; status == FAR_OK && s < shape.n_states; ++s)
    status = far_mdp_terminal(mdp, s) ? far_mdp_builder_terminal(b, s, error)
                                      : mix_actions(b, mdp, s, shape.n_actions, error);
  for (size_t i = 0; status == FAR_OK && i < n_starts; ++i)
    status = far_mdp_builder_start(b, starts[i].next, starts[i].probability, error);
  if (status == FAR_OK) return far_mdp_builder_finish(out, b, error);
  far_mdp_builder_free(b);
  return status;
}

far_status far_solve_random_total(double *out, const far_mdp *mdp, int64_t steps,
                                  const far_solve_def *def, far_error *error) {
  far_mdp *mixed;
  *out = NAN;
  if (far_mdp_horizon(mdp) > 0) {
    episode e;
    const far_status done = follow_episode(&e, mdp, NULL, error);
    if (done == FAR_OK) *out = e.reward / e.length * (double)steps;
    return done;
  }
  far_status status = mix(&mixed, mdp, error);
  if (status != FAR_OK) return is_failure(status) ? status : FAR_OK;
  status = far_solve_best_total(out, mixed, steps, def, error);
  far_mdp_free(mixed);
  return status;
}
