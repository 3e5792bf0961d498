/* The cover time of few pairs: for every set of pairs that have been taken, from all down to none, the expected
 * number of remaining steps from each state; and step by step, the probability that t steps suffice. */
#include "solve/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MOST_WORK 3e7 /* products, for the covering time */

typedef struct sets {
  const far__walk *walk;
  size_t n, n_sets;             /* states; 2^pairs */
  double *rest;                 /* expected, of a set at set * n */
  double *q, *leave, *b;        /* of one system */
  double *chance, *next_chance; /* of a set at set * n */
} sets;

/* The row of the model of a pair; pairs are numbered by the chain's states. */
static size_t row_of(const far__walk *w, size_t pair) {
  const size_t actions = w->mdp->shape.n_actions;
  return w->chain.state[pair / actions] * actions + pair % actions;
}

/* The mean of v after a pair, at the set that includes this pair. */
static double mean_after(const sets *x, const double *v, size_t set, size_t pair) {
  const double *then = v + (set | (size_t)1 << pair) * x->n;
  const double ended = x->walk->mdp->shape.episodic ? far__walk_start(x->walk, then) : 0;
  return far__walk_mean(x->walk, row_of(x->walk, pair), then, ended);
}

/* Adds the probabilities of moving from state i to the others by a pair. */
static void add_row(sets *x, size_t i, size_t pair, double weight) {
  const far__walk *w = x->walk;
  const size_t row = row_of(w, pair);
  for (size_t k = w->mdp->row[row]; k < w->mdp->row[row + 1]; ++k) {
    const far_outcome *o = &w->mdp->outcome[k];
    if (!o->done) x->q[i * x->n + w->chain.index[o->next]] += weight * o->probability;
    for (size_t j = 0; o->done && j < x->n; ++j)
      x->q[i * x->n + j] += weight * o->probability * w->start[j];
  }
}

/* Expected remaining steps of a set, with those of larger sets known: one step, and the rest after it. A step by a
 * pair of the set stays within the set, any other leaves it. */
static void solve_set(sets *x, size_t set) {
  const size_t n = x->n, actions = x->walk->mdp->shape.n_actions;
  const double chance = 1 / (double)actions;
  memset(x->q, 0, n * n * sizeof *x->q);
  for (size_t i = 0; i < n; ++i) {
    x->leave[i] = 0, x->b[i] = 1;
    for (size_t a = 0; a < actions; ++a) {
      const size_t pair = i * actions + a;
      if ((set >> pair & 1) != 0) {
        add_row(x, i, pair, chance);
        continue;
      }
      x->leave[i] += chance;
      x->b[i] += chance * mean_after(x, x->rest, set, pair);
    }
  }
  far__chain_absorb(x->q, x->leave, x->b, n);
  memcpy(x->rest + set * n, x->b, n * sizeof *x->b);
}

/* Advances from the probabilities that t steps suffice to those of t + 1. That of the set of all pairs stays 1. */
static void lengthen(sets *x) {
  const size_t n = x->n, actions = x->walk->mdp->shape.n_actions;
  for (size_t set = 0; set + 1 < x->n_sets; ++set)
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t a = 0; a < actions; ++a) sum += mean_after(x, x->chance, set, i * actions + a);
      x->next_chance[set * n + i] = sum / (double)actions;
    }
  double *swap = x->chance;
  x->chance = x->next_chance, x->next_chance = swap;
}

static bool may_continue(const far_solve_def *def, int64_t done) {
  return def->progress == NULL || def->progress(def->user, done, 0);
}

/* Finds the covering time, unless that takes too much work. A probability of exactly 1/2 must not be lost by
 * rounding. False if it was cancelled. */
static bool find_length(far_cover *out, sets *x, const far_solve_def *def) {
  const far_mdp *mdp = x->walk->mdp;
  const double step = (double)x->n_sets * (double)mdp->row[mdp->n_rows];
  const size_t all = (x->n_sets - 1) * x->n;
  for (size_t i = 0; i < x->n; ++i) x->chance[all + i] = x->next_chance[all + i] = 1;
  if (out->length_low * step > MOST_WORK) return true;
  for (double t = 1; t * step <= MOST_WORK && t <= out->length_high; ++t) {
    lengthen(x);
    if (!may_continue(def, (int64_t)t)) return false;
    double least = 1;
    for (size_t i = 0; i < x->n; ++i) least = x->chance[i] < least ? x->chance[i] : least;
    if (least < 0.5 - 1e-12) continue;
    out->length_low = out->length_high = t;
    break;
  }
  return true;
}

static bool solve_all(far_cover *out, sets *x, const far_solve_def *def) {
  for (size_t set = x->n_sets - 1; set-- > 0;) {
    solve_set(x, set);
    if (set % 256 == 0 && !may_continue(def, (int64_t)(x->n_sets - set))) return false;
  }
  out->expected = far__walk_start(x->walk, x->rest);
  for (size_t i = 0; i < x->n; ++i) out->worst = x->rest[i] > out->worst ? x->rest[i] : out->worst;
  return find_length(out, x, def);
}

far_status far__cover_exact(far_cover *out, const far__walk *walk, const far_solve_def *def,
                            far_error *error) {
  const size_t n = walk->chain.n, n_sets = (size_t)1 << out->n_pairs;
  sets x = {.walk = walk,
            .n = n,
            .n_sets = n_sets,
            .rest = calloc(n_sets * n, sizeof *x.rest),
            .chance = calloc(n_sets * n, sizeof *x.chance),
            .next_chance = calloc(n_sets * n, sizeof *x.next_chance),
            .q = malloc(n * n * sizeof *x.q),
            .leave = malloc(n * sizeof *x.leave),
            .b = malloc(n * sizeof *x.b)};
  far_status status = FAR_OK;
  if (!x.rest || !x.chance || !x.next_chance || !x.q || !x.leave || !x.b)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cover time");
  else if (!solve_all(out, &x, def))
    status = far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  free(x.rest);
  free(x.chance);
  free(x.next_chance);
  free(x.q);
  free(x.leave);
  free(x.b);
  return status;
}
