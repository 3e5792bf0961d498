/* Solves the parts of a model in their order. The parts that a part leads to are solved before it, so that it is a
 * small model of its own whose other outcomes end with a known value; a single state needs one backup (Dai & Goldsmith
 * 2007, topological value iteration). A part is swept as long as that promises to be quick, and else
 * solved by elimination where it is narrow (band.h).
 *
 * None of this is trusted: the last sweeps go over the whole model and prove the values as in the
 * other methods (iteration.h). Their bound is 1 / (1 - gamma) times the change of a sweep, so parts
 * are solved until that is small enough.
 */
#include <math.h> /* only for INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "solve/band.h"
#include "solve/evaluate.h"
#include "solve/structure.h"

/* ---- sweeps, while they promise to be quick ---- */

far_status far__iterate_quickly(far__iteration *it, const far__sliced *rows, bool *over,
                                far_error *error) {
  enum { FIRST = 8, BACK = 4, QUICK = 200 };
  double past[BACK] = {0}, left = 0;
  for (int i = 0; left <= QUICK; ++i) {
    const double sure = i < FIRST ? FIRST - i + 1 : 1;
    const far_status status = far__iteration_sweep(it, rows, sure, over, error);
    if (status != FAR_OK || *over) return status;
    if (i >= FIRST) left = far__iteration_left(it, past[i % BACK], BACK);
    past[i % BACK] = it->error - it->rounding;
  }
  return far__iteration_fetch(it, rows, error);
}

/* ---- a strongly connected part ---- */

typedef struct connected {
  far__iteration *it;
  double policy_work; /* of one policy, in sweeps */
} connected;

static far_status tick(void *user, far_error *error) {
  const connected *x = user;
  bool over;
  x->it->work += x->policy_work;
  return far__iteration_over(x->it, &over, error);
}

/* Work of one policy, in sweeps: a multiplication of a band takes about an eighth of the time of an outcome in a
 * sweep, and a policy six sweeps more. */
static double policy_work(const far__band *band, double outcomes) {
  return 0.125 * far__band_cost(band) / outcomes + 6;
}

static far_status sweep_for(far__iteration *it, const far__sliced *rows, double sweeps, bool *over,
                            far_error *error) {
  far_status status = FAR_OK;
  for (double i = 0; i < sweeps && status == FAR_OK && !*over; ++i) {
    status = far__iteration_sweep(it, rows, sweeps - i, over, error);
  }
  return status == FAR_OK ? far__iteration_fetch(it, rows, error) : status;
}

/* Neither the number of sweeps nor that of policies is known in advance. So the part is swept for as long as
 * elimination would take, and only then solved by elimination: at most about twice the time of the
 * better one. The caller proves the values. */
static far_status solve_connected(far__iteration *it, const far_mdp *mdp, const far__sliced *rows,
                                  bool *over, far_error *error) {
  enum { POLICIES = 12 };
  const double gamma = it->def->gamma;
  const double exact = 0.25 * it->rounding * (1 - gamma); /* changes that may be rounding */
  const double small = 0.1 * it->def->tolerance * (1 - gamma);
  far__band band;
  far_status status = far__iterate_quickly(it, rows, over, error);
  if (status != FAR_OK || *over) return status;
  status = far__band_create(&band, mdp, error);
  if (status != FAR_OK) return status;
  connected x = {it, policy_work(&band, (double)rows->n_outcomes)};
  if (x.policy_work > 2 * POLICIES)
    status = sweep_for(it, rows, POLICIES * x.policy_work, over, error);
  if (status == FAR_OK && !*over) {
    it->method = FAR_METHOD_TOPOLOGICAL;
    status = far__band_iterate(&band, gamma, NULL, it->v, small > exact ? small : exact, tick, &x,
                               error);
  }
  far__band_free(&band);
  return status;
}

/* ---- the model of a part ---- */

typedef struct topology {
  far__iteration *it; /* of the whole model */
  const far_mdp *mdp;
  const far__sliced *rows;
  far__parts parts;
  uint32_t *place; /* of a state in its part */
  double share;    /* of the part's outcomes in all outcomes */
  double done;     /* work before the part */
} topology;

static void free_model(far_mdp *part) {
  free(part->row);
  free(part->outcome);
  free(part->terminal);
}

/* One more state, the last, is the successor of all outcomes that leave the part. */
static bool allocate_model(far_mdp *part, const topology *x, const uint32_t *state, uint32_t n) {
  const size_t n_actions = x->mdp->shape.n_actions;
  size_t total = 0;
  for (uint32_t i = 0; i < n; ++i)
    total += x->mdp->row[(state[i] + (size_t)1) * n_actions] - x->mdp->row[state[i] * n_actions];
  *part = (far_mdp){.shape = {.n_states = n + 1, .n_actions = x->mdp->shape.n_actions},
                    .n_rows = (n + (size_t)1) * n_actions + 1};
  part->row = calloc(part->n_rows + 1, sizeof *part->row);
  part->outcome = malloc((total + 1) * sizeof *part->outcome);
  part->terminal = calloc(n + (size_t)1, sizeof *part->terminal);
  if (part->row != NULL && part->outcome != NULL && part->terminal != NULL) return true;
  free_model(part);
  return false;
}

/* An outcome of the part's model. Outcomes that leave the part end, and their reward includes the value behind them. */
static far_outcome outcome_of(const topology *x, const far_outcome *o, const uint32_t *state,
                              uint32_t n) {
  const uint32_t i = x->place[o->next];
  const bool inside = i < n && state[i] == o->next;
  if (inside) return (far_outcome){o->probability, o->reward, i, false};
  const double later = x->mdp->terminal[o->next] ? 0 : x->it->def->gamma * x->it->v[o->next];
  return (far_outcome){o->probability, o->reward + later, n, true};
}

static far_status create_model(far_mdp *part, const topology *x, const uint32_t *state, uint32_t n,
                               far_error *error) {
  const size_t n_actions = x->mdp->shape.n_actions;
  if (!allocate_model(part, x, state, n))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a part of %lu states",
                     (unsigned long)n);
  for (uint32_t i = 0; i < n; ++i) x->place[state[i]] = i;
  size_t at = 0, row = 0;
  for (uint32_t i = 0; i < n; ++i)
    for (size_t a = 0; a < n_actions; ++a) {
      const size_t from = state[i] * n_actions + a;
      part->row[row++] = at;
      for (size_t k = x->mdp->row[from]; k < x->mdp->row[from + 1]; ++k)
        part->outcome[at++] = outcome_of(x, &x->mdp->outcome[k], state, n);
    }
  for (; row <= part->n_rows; ++row) part->row[row] = at;
  part->terminal[n] = true;
  return FAR_OK;
}

/* ---- a part ---- */

static bool report(void *user, int64_t sweeps, double error) {
  const topology *x = user;
  const far_solve_def *def = x->it->def;
  (void)error; /* the part's; the whole model's error is reported */
  if (def->progress == NULL) return true;
  return def->progress(def->user, (int64_t)(x->done + x->share * (double)sweeps), x->it->error);
}

/* The tolerance of a part with which the last sweeps prove all. An error in a part changes the values
 * in a sweep by up to twice as much, but an error that all values of a closed part share only by 1 - gamma of
 * it. Not smaller than rounding allows. */
static double tolerance_of(const far__iteration *it, const far__sliced *rows) {
  const double gamma = it->def->gamma, stays = gamma * (1 - rows->least_end);
  const double closed = rows->most_end > 0 ? 0.5 * (1 - gamma) : 1;
  const double wanted = 0.25 * closed * it->def->tolerance;
  const double possible = 0.5 * it->rounding * (1 - gamma) / (1 - stays);
  return wanted > possible ? wanted : possible;
}

/* Sweeps that are left to the part; without a limit, a number after which nothing changes any more. */
static int64_t limit_of(const topology *x) {
  const far_solve_def *def = x->it->def;
  const double enough = 64 + 50 / (1 - def->gamma);
  const double left = ((double)def->max_sweeps - x->it->work) / x->share + 1;
  return (int64_t)(def->max_sweeps > 0 && left < enough ? left : enough);
}

static far_status iterate_part(topology *x, const far_mdp *part, const far__sliced *rows,
                               const uint32_t *state, far_error *error) {
  far_solve_def def = *x->it->def;
  far__iteration it;
  bool over = false;
  x->share = (double)rows->n_outcomes / (double)x->rows->n_outcomes;
  x->done = x->it->work;
  def.tolerance = tolerance_of(x->it, rows);
  def.max_sweeps = limit_of(x);
  def.device = FAR_DEVICE_CPU; /* parts are small, or one after the other */
  def.progress = report;
  def.user = x;
  far_status status = far__iteration_begin(&it, rows, &def, error);
  if (status != FAR_OK) return status;
  for (uint32_t i = 0; i < part->shape.n_states - 1; ++i) it.v[i] = x->it->v[state[i]];
  status = solve_connected(&it, part, rows, &over, error);
  if (status == FAR_OK && !over) status = far__iterate_values(&it, rows, error);
  if (status == FAR_OK) far__iteration_center(&it);
  for (uint32_t i = 0; i < part->shape.n_states - 1; ++i) x->it->v[state[i]] = it.v[i];
  x->it->work = x->done + x->share * it.work;
  far__iteration_free(&it);
  return status;
}

static far_status solve_part(topology *x, const uint32_t *state, uint32_t n, far_error *error) {
  far_mdp part;
  far__sliced rows;
  far_status status = create_model(&part, x, state, n, error);
  if (status != FAR_OK) return status;
  status = far__sliced_create(&rows, &part, NULL, error);
  if (status == FAR_OK) {
    status = iterate_part(x, &part, &rows, state, error);
    far__sliced_free(&rows);
  }
  free_model(&part);
  return status;
}

/* Solves a single state: an action that stays with probability p is taken until it leaves. */
static void solve_state(topology *x, uint32_t s) {
  const far_mdp *mdp = x->mdp;
  const double gamma = x->it->def->gamma;
  double best = -INFINITY;
  if (mdp->terminal[s]) return;
  for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
    const size_t row = (size_t)s * mdp->shape.n_actions + a;
    double sum = 0, stays = 0;
    for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
      const far_outcome *o = &mdp->outcome[k];
      sum += o->probability * o->reward;
      if (o->next == s)
        stays += o->probability;
      else if (!mdp->terminal[o->next])
        sum += o->probability * gamma * x->it->v[o->next];
    }
    const double value = sum / (1 - gamma * stays);
    best = value > best ? value : best;
  }
  x->it->v[s] = best;
  x->it->work += 1.0 / (double)x->mdp->shape.n_states;
}

/* ---- all of them ---- */

/* Single states report their progress now and then, larger parts by their own sweeps. */
static far_status solve_parts(topology *x, far_error *error) {
  enum { BETWEEN = 1 << 16 };
  const double limit = x->it->def->max_sweeps > 0 ? (double)x->it->def->max_sweeps : INFINITY;
  far_status status = FAR_OK;
  bool over;
  x->it->method = FAR_METHOD_TOPOLOGICAL;
  for (uint32_t p = 0; p < x->parts.n_parts && status == FAR_OK; ++p) {
    const uint32_t *state = x->parts.state + x->parts.first[p];
    const uint32_t n = x->parts.first[p + 1] - x->parts.first[p];
    if (x->it->work >= limit) break;
    if (n == 1)
      solve_state(x, state[0]);
    else
      status = solve_part(x, state, n, error);
    if (status == FAR_OK && p % BETWEEN == BETWEEN - 1)
      status = far__iteration_over(x->it, &over, error);
  }
  return status;
}

far_status far__iterate_parts(far__iteration *it, const far_mdp *mdp, const far__sliced *rows,
                              far_error *error) {
  topology x = {.it = it, .mdp = mdp, .rows = rows};
  far_status status = far__parts_create(&x.parts, mdp, error);
  if (status != FAR_OK) return status;
  x.place = calloc(mdp->shape.n_states, sizeof *x.place);
  bool over = false;
  const bool one_part = x.parts.n_parts == rows->n_terminal + 1;
  if (x.place == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %lu parts",
                       (unsigned long)x.parts.n_parts);
  else if (one_part && mdp->shape.n_states - rows->n_terminal > 1)
    status = solve_connected(it, mdp, rows, &over, error);
  else
    status = solve_parts(&x, error);
  if (status == FAR_OK && !over) status = far__iterate_values(it, rows, error);
  free(x.place);
  far__parts_free(&x.parts);
  return status;
}

/* ---- the rows of a policy as a model with one action ---- */

static size_t fill_policy(far_mdp *out, const far_mdp *mdp, const far_policy *policy) {
  const uint32_t n_actions = mdp->shape.n_actions;
  size_t at = 0;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    const double *weight =
        policy->probability != NULL ? policy->probability + (size_t)s * n_actions : NULL;
    double total = 0;
    out->row[s] = at;
    out->terminal[s] = mdp->terminal[s];
    for (uint32_t a = 0; weight != NULL && a < n_actions; ++a) total += weight[a];
    for (uint32_t a = 0; a < n_actions && !mdp->terminal[s]; ++a) {
      const double w = weight != NULL ? weight[a] / total : a == policy->action[s];
      const size_t row = (size_t)s * n_actions + a;
      for (size_t k = mdp->row[row]; w > 0 && k < mdp->row[row + 1]; ++k, ++at) {
        out->outcome[at] = mdp->outcome[k];
        out->outcome[at].probability *= w;
      }
    }
  }
  return at;
}

far_status far__iterate_policy_parts(far__iteration *it, const far_mdp *mdp,
                                     const far_policy *policy, const far__sliced *rows,
                                     far_error *error) {
  const size_t n = mdp->shape.n_states;
  far_mdp chain = {.shape = {.n_states = mdp->shape.n_states, .n_actions = 1}, .n_rows = n + 1};
  chain.row = calloc(n + 2, sizeof *chain.row);
  chain.terminal = calloc(n, sizeof *chain.terminal);
  chain.outcome =
      malloc((rows->n_outcomes + 1) * sizeof *chain.outcome); /* enough: counts padding */
  far_status status = FAR_OK;
  if (chain.row != NULL && chain.terminal != NULL && chain.outcome != NULL) {
    chain.row[n] = chain.row[n + 1] = fill_policy(&chain, mdp, policy);
    status = far__iterate_parts(it, &chain, rows, error);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the rows of a policy");
  }
  free_model(&chain);
  return status;
}
