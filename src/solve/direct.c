/* Policy iteration with elimination. A row of the model is read as rates: s is left for t at rate p(t), and the rest of
 * 1 stays. So
 *
 *     Th(s) - h(s) = max over a of r(s, a) + sum over t of p(t) (h(t) - h(s)),
 *
 * which needs no row to add to 1 and loses nothing where s is hardly ever left. Numbers have 106 bits: the
 * bias may be as great as the longest way, and its differences decide.
 *
 * Elimination is that of eliminate.c, without subtractions of rates. A state that leads to none of the remaining ones
 * is the last of a set that the policy never leaves (a root). It stays, and the reward of its visits divided by their
 * time is the gain of the set. All other states are then put back in.
 *
 * For any h the best gain of every state lies between the least and the greatest of Th - h: T^n h lies between
 * h + n least and h + n greatest. That is the certificate. Stored probabilities are rounded by a few units in
 * their last place, e of them in relation. Stationary frequencies are ratios of sums of products of at most n rates
 * (the Markov chain tree theorem), so that the gain of any policy moves by no more than (2n + 2) e times the
 * greatest |reward|. */
#include "solve/direct.h"

#include <math.h> /* only for fabs, NAN and INFINITY */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/pairs.h"
#include "solve/wide.h"

#define NONE UINT32_MAX
#define SAME 0x1p-44 /* gains that differ by less than this, relative to rewards, are equal */
#define BETTER                                                                                     \
  0x1p-90 /* a better action must be better by this, relative to the terms of its value */

enum { MOST_POLICIES = 1000 }; /* a few suffice; rounding could make them repeat */

typedef struct direct {
  const far__scope *scope;
  const far_mdp *mdp;
  uint32_t n;            /* states that are not terminal */
  uint32_t *state;       /* of the model */
  uint32_t *index;       /* of a state of the model */
  uint32_t *action;      /* the policy */
  bool *root;            /* is the state the last of a set that is never left? */
  uint32_t *column;      /* scratch: the entries of a row that are not 0 */
  far__wide *rate;       /* n x n */
  far__wide *time, *out; /* expected time of a visit; rate of leaving for the remaining states */
  far__wide *reward;     /* of a visit, then its surplus over the gain */
  far__wide *gain, *bias;
  double most_reward, most_bias;
} direct;

static double size_of(far__wide x) {
  return fabs(x.high);
}

/* ---- rows ---- */

typedef far__wide visit_row(void *user, uint32_t next, far__wide rate, far__wide sum);

/* Folds `visit` over the rates of a row; an end leads to the starts that follow it. */
static far__wide fold_row(const direct *x, size_t row, visit_row *visit, void *user,
                          far__wide sum) {
  const far_mdp *mdp = x->mdp;
  const size_t first = mdp->row[mdp->n_rows - 1], end = mdp->row[mdp->n_rows];
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    if (!o->done) sum = visit(user, x->index[o->next], far__wide_of(o->probability), sum);
    for (size_t i = first; o->done && i < end; ++i)
      sum = visit(user, x->index[mdp->outcome[i].next],
                  far__wide_product(o->probability, mdp->outcome[i].probability), sum);
  }
  return sum;
}

static size_t row_of(const direct *x, uint32_t i, uint32_t a) {
  return (size_t)x->state[i] * x->mdp->shape.n_actions + a;
}

static far__wide reward_of(const direct *x, size_t row) {
  far__wide sum = {0};
  for (size_t k = x->mdp->row[row]; k < x->mdp->row[row + 1]; ++k) {
    const far_outcome *o = &x->mdp->outcome[k];
    sum = far__wide_add(sum, far__wide_product(o->probability, o->reward));
  }
  return sum;
}

/* ---- a policy ---- */

static far__wide put_rate(void *user, uint32_t next, far__wide rate, far__wide sum) {
  far__wide *row = user;
  row[next] = far__wide_add(row[next], rate);
  return sum;
}

/* Finds the remaining states that state k leads to; x->out[k] is their total rate. */
static uint32_t find_columns(direct *x, uint32_t k) {
  const far__wide *row = x->rate + (size_t)k * x->n;
  uint32_t count = 0;
  x->out[k] = (far__wide){0};
  for (uint32_t j = 0; j < x->n; ++j) {
    if (!(j < k || x->root[j]) || j == k || !(row[j].high > 0)) continue;
    x->out[k] = far__wide_add(x->out[k], row[j]);
    x->column[count++] = j;
  }
  return count;
}

/* Eliminates state k: states that led to it lead to those that follow it, and take over its time. */
static void leave_out(direct *x, uint32_t k, uint32_t count) {
  const far__wide *from = x->rate + (size_t)k * x->n;
  for (uint32_t i = 0; i < k; ++i) {
    far__wide *row = x->rate + (size_t)i * x->n;
    if (!(row[k].high > 0)) continue;
    const far__wide in = row[k] = far__wide_divide(row[k], x->out[k]);
    x->time[i] = far__wide_add(x->time[i], far__wide_multiply(in, x->time[k]));
    for (uint32_t c = 0; c < count; ++c) {
      const uint32_t j = x->column[c];
      row[j] = far__wide_add(row[j], far__wide_multiply(in, from[j]));
    }
  }
}

/* Adds the b of each eliminated state to the states that led to it. */
static void gather(const direct *x, far__wide *b) {
  for (uint32_t k = x->n; k-- > 0;)
    for (uint32_t i = 0; i < k && !x->root[k]; ++i) {
      const far__wide in = x->rate[(size_t)i * x->n + k];
      if (in.high > 0) b[i] = far__wide_add(b[i], far__wide_multiply(in, b[k]));
    }
}

/* Puts the eliminated states back in, in their order; `value` is known for the roots. */
static void put_back(direct *x, const far__wide *b, far__wide *value) {
  for (uint32_t k = 0; k < x->n; ++k) {
    if (x->root[k]) continue;
    const uint32_t count = find_columns(x, k);
    far__wide sum = b == NULL ? (far__wide){0} : b[k];
    for (uint32_t c = 0; c < count; ++c) {
      const uint32_t j = x->column[c];
      sum = far__wide_add(sum, far__wide_multiply(x->rate[(size_t)k * x->n + j], value[j]));
    }
    value[k] = far__wide_divide(sum, x->out[k]);
  }
}

/* Computes the gain of each state, then its bias, which is 0 at roots. */
static void evaluate(direct *x) {
  const size_t n = x->n;
  memset(x->rate, 0, n * n * sizeof *x->rate);
  for (uint32_t i = 0; i < n; ++i) {
    const size_t row = row_of(x, i, x->action[i]);
    fold_row(x, row, put_rate, x->rate + i * n, (far__wide){0});
    x->reward[i] = reward_of(x, row);
    x->time[i] = far__wide_of(1);
  }
  for (uint32_t k = x->n; k-- > 0;) {
    const uint32_t count = find_columns(x, k);
    x->root[k] = count == 0;
    if (!x->root[k]) leave_out(x, k, count);
  }
  far__wide *b = x->bias;
  memcpy(b, x->reward, x->n * sizeof *b);
  gather(x, b);
  for (uint32_t i = 0; i < x->n; ++i)
    if (x->root[i]) x->gain[i] = far__wide_divide(b[i], x->time[i]);
  put_back(x, NULL, x->gain);
  for (uint32_t i = 0; i < x->n; ++i) x->reward[i] = far__wide_subtract(x->reward[i], x->gain[i]);
  gather(x, x->reward);
  for (uint32_t i = 0; i < x->n; ++i)
    if (x->root[i]) x->bias[i] = (far__wide){0};
  put_back(x, x->reward, x->bias);
  x->most_bias = 0;
  for (uint32_t i = 0; i < x->n; ++i)
    if (size_of(x->bias[i]) > x->most_bias) x->most_bias = size_of(x->bias[i]);
}

/* ---- improving the policy ---- */

typedef struct drift {
  const far__wide *value;
  uint32_t from;
  double same; /* differences up to this count as none */
} drift;

static far__wide add_drift(void *user, uint32_t next, far__wide rate, far__wide sum) {
  const drift *d = user;
  if (next == d->from) return sum;
  const far__wide difference = far__wide_subtract(d->value[next], d->value[d->from]);
  if (size_of(difference) <= d->same) return sum;
  return far__wide_add(sum, far__wide_multiply(rate, difference));
}

/* The expected change of the gain by action a. */
static double gain_drift(const direct *x, uint32_t i, uint32_t a) {
  drift d = {x->gain, i, SAME * x->most_reward};
  return fold_row(x, row_of(x, i, a), add_drift, &d, (far__wide){0}).high;
}

/* The part of action a in Th - h. */
static far__wide bias_drift(const direct *x, uint32_t i, uint32_t a) {
  drift d = {x->bias, i, 0};
  const size_t row = row_of(x, i, a);
  return fold_row(x, row, add_drift, &d, reward_of(x, row));
}

static bool improve_gain(direct *x) {
  bool changed = false;
  for (uint32_t i = 0; i < x->n; ++i) {
    double best = BETTER * x->most_reward;
    for (uint32_t a = 0; a < x->mdp->shape.n_actions; ++a) {
      const double by = gain_drift(x, i, a);
      if (!(by > best)) continue;
      best = by;
      x->action[i] = a;
      changed = true;
    }
  }
  return changed;
}

/* Improves the bias among the actions that keep the gain. */
static bool improve_bias(direct *x) {
  const double least = BETTER * (x->most_reward + x->most_bias);
  bool changed = false;
  for (uint32_t i = 0; i < x->n; ++i) {
    far__wide best = bias_drift(x, i, x->action[i]);
    for (uint32_t a = 0; a < x->mdp->shape.n_actions; ++a) {
      if (gain_drift(x, i, a) < 0) continue;
      const far__wide own = bias_drift(x, i, a);
      if (!(far__wide_subtract(own, best).high > least)) continue;
      best = own;
      x->action[i] = a;
      changed = true;
    }
  }
  return changed;
}

static far_status iterate(direct *x, far_average *out, const far_solve_def *def, far_error *error) {
  bool changed = true;
  for (int policies = 0; changed && policies < MOST_POLICIES; ++policies) {
    if (def->progress != NULL && !def->progress(def->user, out->sweeps, out->error))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
    evaluate(x);
    out->sweeps += 1;
    changed = improve_gain(x) || improve_bias(x);
  }
  return FAR_OK;
}

/* ---- certificate ---- */

/* The rounding of backups in 106 bits, and that of the stored probabilities. */
static double rounding_of(const direct *x, double low, double high) {
  const far_mdp *mdp = x->mdp;
  const double starts = (double)(mdp->row[mdp->n_rows] - mdp->row[mdp->n_rows - 1]);
  const double longest = (double)far__longest_row(mdp);
  const double terms = longest * starts + 16, e = (longest + starts + 16) * 0x1p-53;
  return 8 * terms * 0x1p-102 * (x->most_reward + 2 * x->most_bias) +
         (2 * (double)x->n + 4) * e * x->most_reward + 0x1p-50 * (fabs(low) + fabs(high));
}

/* Th - h at a state. Also makes the policy greedy in h: its gain is at least the least of Th - h. */
static double best_drift(direct *x, uint32_t i) {
  far__wide best = bias_drift(x, i, x->action[i]);
  for (uint32_t a = 0; a < x->mdp->shape.n_actions; ++a) {
    const far__wide own = bias_drift(x, i, a), more = far__wide_subtract(own, best);
    if (more.high != more.high) return NAN;
    if (!(more.high > 0)) continue;
    best = own;
    x->action[i] = a;
  }
  return best.high;
}

static void certify(direct *x, const far_solve_def *def, far_average *out) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < x->n; ++i) {
    const double most = best_drift(x, i);
    low = most < low || most != most ? most : low;
    high = most > high || most != most ? most : high;
  }
  out->gain = 0.5 * low + 0.5 * high;
  out->error = 0.5 * (high - low) + rounding_of(x, low, high);
  out->converged = out->error <= def->tolerance;
}

typedef struct state_text {
  char text[64];
} state_text;

/* The state's name, or its number, in the caller's model. */
static state_text text_of(const direct *x, uint32_t i) {
  const uint32_t s = x->state[i], own = x->scope->old == NULL ? s : x->scope->old[s];
  const char *name = far_mdp_state_name(x->scope->whole, own);
  state_text out;
  if (name != NULL)
    snprintf(out.text, sizeof out.text, "'%.48s'", name);
  else
    snprintf(out.text, sizeof out.text, "%lu", (unsigned long)own);
  return out;
}

/* The error for a result that cannot be certified. */
static far_status refuse(const direct *x, const far_average *out, const far_solve_def *def,
                         far_error *error) {
  uint32_t least = 0, most = 0;
  for (uint32_t i = 1; i < x->n; ++i) {
    if (x->gain[i].high < x->gain[least].high) least = i;
    if (x->gain[i].high > x->gain[most].high) most = i;
  }
  const double low = x->gain[least].high, high = x->gain[most].high;
  if (high - low > SAME * x->most_reward)
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "the model is multichain, and the best average reward depends on the state: "
        "it is %.10g from state %s and %.10g from state %s; solve with a discount instead",
        high, text_of(x, most).text, low, text_of(x, least).text);
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "tolerance %s is below what can be certified in this model, whose bias is as "
                   "great as %.3g; %s or more is possible",
                   far__shortest(def->tolerance).text, x->most_bias, far__above(out->error).text);
}

/* ---- solving ---- */

static bool create(direct *x, const far__scope *scope) {
  const size_t n = scope->mdp->shape.n_states;
  *x = (direct){.scope = scope,
                .mdp = scope->mdp,
                .state = malloc(n * sizeof *x->state),
                .index = malloc(n * sizeof *x->index),
                .action = calloc(n, sizeof *x->action),
                .root = calloc(n, sizeof *x->root),
                .column = malloc(n * sizeof *x->column),
                .rate = malloc(n * n * sizeof *x->rate),
                .time = malloc(5 * n * sizeof *x->time)};
  if (x->time == NULL) return false;
  x->out = x->time + n;
  x->reward = x->out + n;
  x->gain = x->reward + n;
  x->bias = x->gain + n;
  if (x->state == NULL || x->index == NULL || x->action == NULL || x->root == NULL ||
      x->column == NULL || x->rate == NULL)
    return false;
  for (uint32_t s = 0; s < n; ++s) {
    x->index[s] = NONE;
    if (x->mdp->terminal[s]) continue;
    x->index[s] = x->n;
    x->state[x->n++] = s;
  }
  for (size_t k = 0; k < x->mdp->row[x->mdp->n_rows - 1]; ++k)
    if (fabs(x->mdp->outcome[k].reward) > x->most_reward)
      x->most_reward = fabs(x->mdp->outcome[k].reward);
  return true;
}

far_status far__average_direct(far_average *out, const far__scope *scope, const far_solve_def *def,
                               far_error *error) {
  direct x;
  far_status status = FAR_OK;
  if (create(&x, scope)) {
    status = iterate(&x, out, def, error);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the chain of %lu states",
                       (unsigned long)scope->mdp->shape.n_states);
  }
  if (status == FAR_OK) {
    certify(&x, def, out);
    for (uint32_t i = 0; i < x.n; ++i) {
      out->bias[x.state[i]] = far__wide_subtract(x.bias[i], x.bias[0]).high;
      out->policy[x.state[i]] = x.action[i];
    }
    if (!out->converged) status = refuse(&x, out, def, error);
  }
  free(x.state);
  free(x.index);
  free(x.action);
  free(x.root);
  free(x.column);
  free(x.rate);
  free(x.time);
  return status;
}
