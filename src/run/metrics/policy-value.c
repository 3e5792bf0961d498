#include "run/metrics/policy-value.h"

#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "base/error.h"
#include "model/model.h"

#define EXACT 1e-11   /* error of the dense form, relative to v_max */
#define DECIDED 1e-10 /* relative to v_max: smaller differences are not decided by more sweeps */
#define VALUED 1e-6   /* error of a value by sweeps, relative to v_max */

struct far__policy_value {
  const far__optimum *best;
  const far_mdp *mdp;
  uint32_t n_states, n_actions;
  double gamma;
  far__stop *stop; /* the agent's */
  bool local;      /* only the visited row can change */
  bool dense;
  int64_t version;
  double residual; /* a bound on |Tv - v| */
  double *rows;    /* the policy: probability of every pair */
  double *row;     /* scratch: one row */
  double *v;
  double *inverse; /* dense: n_states^2, row by row ... */
  double *column;  /* ... and scratch of n_states each */
  double *product;
};

static double *reals(size_t n) {
  return calloc(n > 0 ? n : 1, sizeof(double));
}

far_status far__policy_value_create(far__policy_value **out, const far__optimum *best,
                                    const far_agent *agent, far_error *error) {
  const far_shape shape = far_mdp_shape(best->mdp);
  const size_t n = shape.n_states;
  far__policy_value *j = calloc(1, sizeof *j);
  *out = j;
  if (j == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a policy_value");
  *j = (far__policy_value){.best = best,
                           .mdp = best->mdp,
                           .n_states = shape.n_states,
                           .n_actions = shape.n_actions,
                           .gamma = best->gamma,
                           .local = far__agent_local(agent)};
  /* a policy that changes everywhere at every step is followed by sweeps: it changes little */
  j->dense = n <= FAR__DENSE_STATES && (j->local || far__agent_type_of(agent)->info.model_based);
  j->rows = reals(n * shape.n_actions);
  j->row = reals(shape.n_actions);
  j->v = reals(n);
  j->inverse = reals(j->dense ? n * n : 0);
  j->column = reals(n);
  j->product = reals(n);
  if (j->rows == NULL || j->row == NULL || j->v == NULL || j->inverse == NULL ||
      j->column == NULL || j->product == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to evaluate policies of %zu states",
                     n);
  if (far_agent_policy(agent, 0, j->row)) return FAR_OK;
  if (agent->guest != NULL) { /* a registered agent has no hook for it, or one that failed */
    const far_status status = far__agent_failure(agent, error);
    if (status != FAR_OK) return status;
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "%s does not provide its policy (it has no `policy` hook), so it cannot be evaluated",
        far__agent_type_of(agent)->info.name);
  }
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "this agent draws its actions in a way whose probabilities have no closed form, "
                   "so its frozen policy cannot be evaluated; use estimator=rollout of mistakes");
}

void far__policy_value_free(far__policy_value *j) {
  if (j == NULL) return;
  free(j->rows);
  free(j->row);
  free(j->v);
  free(j->inverse);
  free(j->column);
  free(j->product);
  free(j);
}

int64_t far__policy_value_version(const far__policy_value *j) {
  return j->version;
}

/* ---- backups ---- */

/* (Tv)(s) for the policy; s is not terminal. */
static double backup(const far__policy_value *j, uint32_t s) {
  const double *p = j->rows + (size_t)s * j->n_actions;
  double sum = 0;
  for (uint32_t a = 0; a < j->n_actions; ++a) {
    if (p[a] == 0) continue;
    const size_t i = (size_t)s * j->n_actions + a;
    double reward = 0, next = 0;
    for (size_t k = j->mdp->row[i]; k < j->mdp->row[i + 1]; ++k) {
      const far_outcome *o = &j->mdp->outcome[k];
      reward += o->probability * o->reward;
      if (!o->done) next += o->probability * j->v[o->next];
    }
    sum += p[a] * (reward + j->gamma * next);
  }
  return sum;
}

static double true_residual(const far__policy_value *j) {
  double most = 0;
  for (uint32_t s = 0; s < j->n_states; ++s)
    if (!j->mdp->terminal[s]) most = fmax(most, fabs(backup(j, s) - j->v[s]));
  return most;
}

static double error_of(const far__policy_value *j) {
  return j->residual / (1 - j->gamma);
}

/* One sweep in place; false if it was stopped. */
static bool sweep(far__policy_value *j) {
  double most = 0;
  far__patience patience = far__patience_with(j->stop);
  for (uint32_t s = 0; s < j->n_states; ++s) {
    if (j->mdp->terminal[s]) continue;
    const double next = backup(j, s);
    most = fmax(most, fabs(next - j->v[s]));
    j->v[s] = next;
    if (far__patience_over(&patience, j->n_actions)) return false;
  }
  j->residual = j->gamma * most;
  return !far__stopped(j->stop);
}

/* ---- the dense form ---- */

/* Fills row s of I - gamma P; returns its expected reward. */
static double fill_row(const far__policy_value *j, uint32_t s, double *m) {
  const double *p = j->rows + (size_t)s * j->n_actions;
  double reward = 0;
  memset(m, 0, j->n_states * sizeof *m);
  m[s] = 1;
  if (j->mdp->terminal[s]) return 0;
  for (uint32_t a = 0; a < j->n_actions; ++a) {
    const size_t i = (size_t)s * j->n_actions + a;
    for (size_t k = j->mdp->row[i]; p[a] != 0 && k < j->mdp->row[i + 1]; ++k) {
      const far_outcome *o = &j->mdp->outcome[k];
      reward += p[a] * o->probability * o->reward;
      if (!o->done) m[o->next] -= j->gamma * (p[a] * o->probability);
    }
  }
  return reward;
}

/* Inverts in place by Gauss-Jordan elimination. The matrix is strictly diagonally dominant, so it needs no
 * pivoting. */
static void invert(double *m, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    double *pivot = m + i * n;
    const double scale = 1 / pivot[i];
    pivot[i] = 1;
    for (size_t c = 0; c < n; ++c) pivot[c] *= scale;
    for (size_t r = 0; r < n; ++r) {
      double *row = m + r * n;
      const double factor = row[i];
      if (r == i || factor == 0) continue;
      row[i] = 0;
      for (size_t c = 0; c < n; ++c) row[c] -= factor * pivot[c];
    }
  }
}

static void factor_anew(far__policy_value *j) {
  const size_t n = j->n_states;
  for (uint32_t s = 0; s < n; ++s) j->column[s] = fill_row(j, s, j->inverse + s * n);
  invert(j->inverse, n);
  for (size_t s = 0; s < n; ++s) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += j->inverse[s * n + i] * j->column[i];
    j->v[s] = sum;
  }
}

/* product += weight * (row of the inverse), for every successor of a pair */
static void add_successors(far__policy_value *j, size_t pair, double weight) {
  const size_t n = j->n_states;
  double *w = j->product;
  for (size_t k = j->mdp->row[pair]; k < j->mdp->row[pair + 1]; ++k) {
    const far_outcome *o = &j->mdp->outcome[k];
    if (o->done) continue;
    const double x = weight * o->probability;
    const double *m = j->inverse + o->next * n;
    for (size_t c = 0; c < n; ++c) w[c] += x * m[c];
  }
}

/* Updates inverse and values by the formulas of the header; the new row is in place, `old` is the row before. */
static void update_dense(far__policy_value *j, uint32_t s, const double *old) {
  const size_t n = j->n_states, first = (size_t)s * j->n_actions;
  memset(j->product, 0, n * sizeof *j->product);
  for (uint32_t a = 0; a < j->n_actions; ++a) {
    const double change = j->rows[first + a] - old[a];
    if (change != 0) add_successors(j, first + a, change);
  }
  const double divisor = 1 - j->gamma * j->product[s];
  const double by = (backup(j, s) - j->v[s]) / divisor, scale = j->gamma / divisor;
  for (size_t i = 0; i < n; ++i) j->column[i] = j->inverse[i * n + s];
  for (size_t i = 0; i < n; ++i) {
    const double x = scale * j->column[i];
    double *m = j->inverse + i * n;
    j->v[i] += by * j->column[i];
    if (x == 0) continue;
    for (size_t c = 0; c < n; ++c) m[c] += x * j->product[c];
  }
}

static void certify(far__policy_value *j) {
  j->residual = true_residual(j);
  if (error_of(j) <= EXACT * j->best->v_max) return;
  factor_anew(j);
  j->residual = true_residual(j);
}

/* ---- following the policy ---- */

/* Reads row s; true if it has changed. The old row is then in j->row. */
static bool read_row(far__policy_value *j, const far_agent *agent, uint32_t s) {
  double *now = j->rows + (size_t)s * j->n_actions;
  far_agent_policy(agent, s, j->row);
  bool same = true;
  for (uint32_t a = 0; a < j->n_actions; ++a) same &= now[a] == j->row[a];
  if (same) return false;
  for (uint32_t a = 0; a < j->n_actions; ++a) {
    const double old = now[a];
    now[a] = j->row[a];
    j->row[a] = old;
  }
  return true;
}

void far__policy_value_begin(far__policy_value *j, const far_agent *agent) {
  j->stop = agent->stop;
  for (uint32_t s = 0; s < j->n_states; ++s) read_row(j, agent, s);
  j->version += 1;
  if (j->dense)
    factor_anew(j);
  else
    memcpy(j->v, j->best->v, j->n_states * sizeof *j->v);
  j->residual = true_residual(j);
}

static void change(far__policy_value *j, uint32_t s) {
  if (j->dense)
    update_dense(j, s, j->row);
  else
    j->residual = fmax(j->residual, fabs(backup(j, s) - j->v[s]));
}

/* Reads all rows. With more than `many` changed rows it is cheaper to factor anew. */
static void look_everywhere(far__policy_value *j, const far_agent *agent) {
  const uint32_t many = j->n_states / 4 + 1;
  uint32_t changed = 0;
  for (uint32_t s = 0; s < j->n_states; ++s) {
    if (j->mdp->terminal[s] || !read_row(j, agent, s)) continue;
    changed += 1;
    if (!j->dense || changed <= many) change(j, s);
  }
  if (changed == 0) return;
  j->version += 1;
  if (!j->dense) return;
  if (changed > many) factor_anew(j);
  certify(j);
}

void far__policy_value_look(far__policy_value *j, const far_agent *agent, uint32_t s) {
  if (!j->local) {
    look_everywhere(j, agent);
    return;
  }
  if (!read_row(j, agent, s)) return;
  j->version += 1;
  change(j, s);
  if (j->dense) certify(j);
}

/* ---- queries ---- */

static double value_at(const far__policy_value *j, uint32_t s) {
  return s == FAR__START ? far__start_value(j->mdp, j->v) : j->v[s];
}

bool far__policy_value_mistaken(far__policy_value *j, uint32_t s) {
  const double least = s == FAR__START ? j->best->least_start : j->best->least[s];
  double away = value_at(j, s) - least;
  while (!j->dense && fabs(away) <= error_of(j) && error_of(j) > DECIDED * j->best->v_max) {
    if (!sweep(j)) break;
    away = value_at(j, s) - least;
  }
  return away < 0;
}

double far__policy_value_at(far__policy_value *j, uint32_t s) {
  while (!j->dense && error_of(j) > VALUED * j->best->v_max && sweep(j)) continue;
  return value_at(j, s);
}
