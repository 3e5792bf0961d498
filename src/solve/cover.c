/* The cover time of all pairs under the policy that takes every action with the same probability.
 *
 * Let H(i, j) be the expected steps from state i to state j, and A the number of actions. From s the pair
 * (s, a) is taken after W(s, a) = A + sum over the other actions of E H(next, s) steps in expectation, and
 * from i after H(i, s) + W(s, a). Let t be the greatest of these and h the least from behind another pair, that is,
 * after a step by it.
 * With the pairs in a random order the k-th is taken after all before it with probability 1 / k, so that for n
 * pairs (Matthews 1988; Levin & Peres 2017, chapter 11)
 *
 *     h (1/2 + ... + 1/n)  <=  expected steps until all are taken  <=  t (1 + 1/2 + ... + 1/n).
 *
 * By Markov's inequality the covering time L is at most twice the upper bound, rounded down to a whole number of
 * steps plus one; and since L steps take any pair with probability at least 1/2, t <= 2 L.
 */
#include "solve/cover.h"

#include <math.h> /* only for fabs, sqrt, ceil, floor and INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/sliced.h"

#define MOST_STEPS 1e8 /* that a simulation may take, by the upper bound */

const char *far_cover_name(far_cover_kind kind) {
  static const char *const names[] = {"never", "exact", "simulated", "bounded"};
  return names[kind];
}

/* ---- the walk ---- */

static void free_walk(far__walk *w) {
  far__chain_free(&w->chain);
  free(w->start);
}

static far_status new_walk(far__walk *w, const far_mdp *mdp, far_error *error) {
  *w = (far__walk){.mdp = mdp};
  const far_status status = far__chain_create(&w->chain, mdp, NULL, error);
  if (status != FAR_OK) return status;
  w->start = calloc(w->chain.n, sizeof *w->start);
  if (w->start == NULL) {
    free_walk(w);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cover time");
  }
  for (size_t k = mdp->row[mdp->n_rows - 1]; k < mdp->row[mdp->n_rows]; ++k)
    w->start[w->chain.index[mdp->outcome[k].next]] += mdp->outcome[k].probability;
  return FAR_OK;
}

/* ---- how long to a pair ---- */

/* Extremes over all targets. */
typedef struct times {
  double longest;  /* t */
  double shortest; /* h */
  double start;    /* the longest from the start of a run */
  double residual; /* relative error of the hitting times */
} times;

/* One state as a target of the walk. */
typedef struct target {
  const far__walk *walk;
  size_t s;         /* of the chain */
  const double *to; /* expected steps from each state ... */
  double *after;    /* ... after each pair ... */
  double start;     /* ... and from the start of a run */
} target;

/* The relative error of the steps to the target, as in diameter.c, and the longest of them. */
static double residual_of(const target *x, double *longest) {
  const size_t actions = x->walk->mdp->shape.n_actions;
  double most = 0;
  *longest = 0;
  for (size_t i = 0; i < x->walk->chain.n; ++i) {
    double sum = 0;
    if (i == x->s) continue;
    for (size_t a = 0; a < actions; ++a) sum += x->after[i * actions + a];
    const double change = fabs(1 + sum / (double)actions - x->to[i]);
    most = change > most ? change : most;
    *longest = x->to[i] > *longest ? x->to[i] : *longest;
  }
  return most + x->walk->chain.unit * (1 + *longest);
}

/* The least number of steps to the target after a pair other than `but`. */
static double shortest_way(const target *x, size_t but) {
  double least = INFINITY;
  for (size_t i = 0; i < x->walk->chain.n * (size_t)x->walk->mdp->shape.n_actions; ++i)
    if (i != but && x->after[i] < least) least = x->after[i];
  return least;
}

/* Updates the extremes with the pairs of the target. */
static void take(times *out, const target *x) {
  const size_t actions = x->walk->mdp->shape.n_actions;
  double longest;
  const double residual = residual_of(x, &longest);
  out->residual = residual > out->residual ? residual : out->residual;
  for (size_t a = 0; a < actions; ++a) {
    const size_t pair = x->s * actions + a;
    double wait = (double)actions;
    for (size_t b = 0; b < actions; ++b) wait += b == a ? 0 : x->after[x->s * actions + b];
    const double far_away = longest + wait, start = x->start + wait;
    const double near = shortest_way(x, pair) + wait;
    out->longest = far_away > out->longest ? far_away : out->longest;
    out->start = start > out->start ? start : out->start;
    out->shortest = near < out->shortest ? near : out->shortest;
  }
}

static far_status find_times(times *out, const far__walk *w, const far_solve_def *def,
                             far_error *error) {
  const size_t n = w->chain.n;
  double *to = malloc(n * n * sizeof *to);
  double *after = malloc(n * w->mdp->shape.n_actions * sizeof *after);
  far_status status = to != NULL && after != NULL
                          ? far__chain_hitting(to, &w->chain, def, error)
                          : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for hitting times");
  *out = (times){.shortest = INFINITY};
  for (size_t s = 0; s < n && status == FAR_OK; ++s) {
    target x = {.walk = w, .s = s, .to = to + s * n, .after = after};
    x.start = far__walk_start(w, x.to);
    for (size_t i = 0; i < n; ++i)
      for (size_t a = 0; a < w->mdp->shape.n_actions; ++a)
        after[i * w->mdp->shape.n_actions + a] = far__walk_mean(
            w, w->chain.state[i] * (size_t)w->mdp->shape.n_actions + a, x.to, x.start);
    take(out, &x);
  }
  free(to);
  free(after);
  return status;
}

/* ---- by simulation ---- */

/* Steps until all pairs are taken. */
static double simulate(const far_mdp *mdp, bool *taken, size_t n_pairs, uint64_t replicate) {
  far_rng start, step, act;
  const uint32_t actions = mdp->shape.n_actions;
  far_rng_init(&start, 0, replicate, FAR_PURPOSE_START);
  far_rng_init(&step, 0, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&act, 0, replicate, FAR_PURPOSE_AGENT);
  memset(taken, false, mdp->shape.n_states * (size_t)actions * sizeof *taken);
  double steps = 0;
  for (uint32_t s = far_mdp_start(mdp, &start); n_pairs > 0; ++steps) {
    const uint32_t a = far_rng_below(&act, actions);
    bool *now = &taken[(size_t)s * actions + a];
    n_pairs -= !*now;
    *now = true;
    const far_outcome *o = far_mdp_step(mdp, s, a, &step);
    s = o->done ? far_mdp_start(mdp, &start) : o->next;
  }
  return steps;
}

static far_status simulate_all(far_cover *out, const far_mdp *mdp, const far_solve_def *def,
                               far_error *error) {
  double steps[FAR_COVER_RUNS], sum = 0, square = 0;
  bool *taken = malloc(mdp->shape.n_states * (size_t)mdp->shape.n_actions * sizeof *taken);
  if (taken == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cover time");
  for (int i = 0; i < FAR_COVER_RUNS; ++i) {
    steps[i] = simulate(mdp, taken, out->n_pairs, (uint64_t)i);
    sum += steps[i];
    if (def->progress == NULL || def->progress(def->user, i, 0)) continue;
    free(taken);
    return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  }
  free(taken);
  out->kind = FAR_COVER_SIMULATED;
  out->expected = sum / FAR_COVER_RUNS;
  for (int i = 0; i < FAR_COVER_RUNS; ++i) {
    const double d = steps[i] - out->expected;
    square += d * d;
  }
  out->standard_error = sqrt(square / (FAR_COVER_RUNS - 1) / FAR_COVER_RUNS);
  return FAR_OK;
}

/* ---- cover times of a model ---- */

/* Sets the bounds on the safe side of the certified error. */
static void set_bounds(far_cover *out, const times *x) {
  const bool certain = x->residual < 0.5;
  const double up = certain ? 1 / (1 - x->residual) : 1, down = certain ? 1 / (1 + x->residual) : 1;
  double sum = 0; /* 1 + 1/2 + ... + 1/n_pairs */
  for (size_t k = out->n_pairs; k > 0; --k) sum += 1 / (double)k;
  const double low = out->n_pairs > 1 ? x->shortest * (sum - 1) : 1;
  out->hitting = x->longest;
  out->hitting_error = certain ? x->longest * (up - 1) : INFINITY;
  out->high = x->longest * up * sum;
  out->low = (low > x->start ? low : x->start) * down;
  out->length_low = ceil(x->longest * down / 2 * (1 - 1e-12));
  out->length_high = floor(2 * out->high) + 1;
  if (out->length_low < (double)out->n_pairs) out->length_low = (double)out->n_pairs;
  if (out->low < (double)out->n_pairs) out->low = (double)out->n_pairs;
}

static far_status cover(far_cover *out, const far__walk *w, const far_solve_def *def,
                        far_error *error) {
  times x;
  const far_status status = find_times(&x, w, def, error);
  if (status != FAR_OK) return status;
  if (!(x.longest < INFINITY)) return FAR_OK; /* beyond what doubles can hold */
  out->kind = FAR_COVER_BOUNDED;
  out->expected = out->worst = 0;
  set_bounds(out, &x);
  if (out->n_pairs <= FAR_COVER_EXACT_PAIRS) {
    out->kind = FAR_COVER_EXACT;
    return far__cover_exact(out, w, def, error);
  }
  if (FAR_COVER_RUNS * out->high <= MOST_STEPS) return simulate_all(out, w->mdp, def, error);
  return FAR_OK;
}

static far_status cover_model(far_cover *out, const far_mdp *mdp, const far_solve_def *def,
                              far_error *error) {
  far__walk w;
  far__closed closed = {0};
  far_status status = new_walk(&w, mdp, error);
  if (status != FAR_OK) return status;
  out->n_pairs = (size_t)w.chain.n * mdp->shape.n_actions;
  status = far__chain_closed(&closed, &w.chain, error);
  if (status == FAR_OK && closed.n_states == w.chain.n) status = cover(out, &w, def, error);
  far__closed_free(&closed);
  free_walk(&w);
  return status;
}

far_status far_solver_cover(far_cover *out, const far_solver *solver, const far_solve_def *def,
                            far_error *error) {
  far_mdp *unrolled;
  *out = (far_cover){.expected = INFINITY,
                     .worst = INFINITY,
                     .low = INFINITY,
                     .high = INFINITY,
                     .hitting = INFINITY,
                     .length_low = INFINITY,
                     .length_high = INFINITY};
  if (far_mdp_horizon(solver->mdp) == 0) return cover_model(out, solver->mdp, def, error);
  far_status status = far_mdp_unroll(&unrolled, solver->mdp, far_mdp_horizon(solver->mdp), error);
  if (status != FAR_OK) return status;
  status = cover_model(out, unrolled, def, error);
  far_mdp_free(unrolled);
  return status;
}
