#include "solve/band.h"

#include <math.h> /* only for fabs and INFINITY */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NONE UINT32_MAX

enum { HUB_ABOVE = 64, MOST_HUBS = 16 }; /* a hub has more than HUB_ABOVE neighbours */

/* ---- neighbours ---- */

/* Neighbours in both directions; those of s are next[first[s]] ... next[first[s + 1] - 1]. */
typedef struct graph {
  const far_mdp *mdp;
  size_t *first;
  uint32_t *next;
} graph;

static size_t outcomes_end(const far_mdp *mdp, uint32_t s) {
  return mdp->row[((size_t)s + 1) * mdp->shape.n_actions];
}

static size_t outcomes_begin(const far_mdp *mdp, uint32_t s) {
  return mdp->row[(size_t)s * mdp->shape.n_actions];
}

/* Counts in g->first the edges of each state, between states that are not terminal; or fills g->next. */
static void add_edges(graph *g, bool fill) {
  const far_mdp *mdp = g->mdp;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    if (mdp->terminal[s]) continue;
    for (size_t k = outcomes_begin(mdp, s); k < outcomes_end(mdp, s); ++k) {
      const uint32_t t = mdp->outcome[k].next;
      if (t == s || mdp->terminal[t]) continue;
      const size_t a = g->first[s]++, b = g->first[t]++;
      if (!fill) continue;
      g->next[a] = t;
      g->next[b] = s;
    }
  }
}

static bool create_graph(graph *g, const far_mdp *mdp) {
  const size_t n = mdp->shape.n_states;
  *g = (graph){.mdp = mdp, .first = calloc(n + 1, sizeof *g->first)};
  if (g->first == NULL) return false;
  add_edges(g, false);
  size_t total = 0;
  for (size_t s = 0; s < n; ++s) {
    const size_t count = g->first[s];
    g->first[s] = total;
    total += count;
  }
  g->next = malloc((total + 1) * sizeof *g->next);
  if (g->next == NULL) return false;
  add_edges(g, true); /* moves first[s] to first[s + 1] */
  memmove(g->first + 1, g->first, n * sizeof *g->first);
  g->first[0] = 0;
  return true;
}

/* ---- the order ---- */

static bool is_free(const far__band *x, uint32_t s) {
  return !x->mdp->terminal[s] && x->place[s] == NONE;
}

static void put(far__band *x, uint32_t *count, uint32_t s) {
  x->place[s] = *count;
  x->state[(*count)++] = s;
}

/* Places all states connected with the root, by breadth-first search; the last one is far from the root. */
static void search(far__band *x, const graph *g, uint32_t *count, uint32_t root) {
  uint32_t at = *count;
  put(x, count, root);
  for (; at < *count; ++at) {
    const uint32_t s = x->state[at];
    for (size_t k = g->first[s]; k < g->first[s + 1]; ++k)
      if (is_free(x, g->next[k])) put(x, count, g->next[k]);
  }
}

/* Orders each connected part by a breadth-first search that begins at the last state of a first search. */
static void order_by_distance(far__band *x, const graph *g) {
  uint32_t count = 0;
  for (uint32_t s = 0; s < g->mdp->shape.n_states; ++s) {
    if (!is_free(x, s)) continue;
    const uint32_t begun = count;
    search(x, g, &count, s);
    const uint32_t end = x->state[count - 1];
    for (uint32_t i = begun; i < count; ++i) x->place[x->state[i]] = NONE;
    count = begun;
    search(x, g, &count, end);
  }
}

static void order_by_number(far__band *x) {
  uint32_t count = 0;
  for (uint32_t s = 0; s < x->mdp->shape.n_states; ++s)
    if (is_free(x, s)) put(x, &count, s);
}

static void measure(far__band *x) {
  const uint32_t within = x->n - x->n_hubs;
  x->below = x->above = 0;
  for (uint32_t i = 0; i < within; ++i) {
    const uint32_t s = x->state[i];
    for (size_t k = outcomes_begin(x->mdp, s); k < outcomes_end(x->mdp, s); ++k) {
      const uint32_t j = x->place[x->mdp->outcome[k].next];
      if (j == NONE || j >= within) continue;
      if (j < i && i - j > x->below) x->below = i - j;
      if (j > i && j - i > x->above) x->above = j - i;
    }
  }
}

static void forget_places(far__band *x) {
  for (uint32_t i = 0; i < x->n - x->n_hubs; ++i) x->place[x->state[i]] = NONE;
}

static void find_order(far__band *x, const graph *g) {
  /* hubs go behind all other states; with their places set, the search does not visit them */
  for (uint32_t s = 0; s < g->mdp->shape.n_states && x->n_hubs < MOST_HUBS; ++s) {
    if (g->mdp->terminal[s] || g->first[s + 1] - g->first[s] <= HUB_ABOVE) continue;
    x->n_hubs += 1;
    x->place[s] = x->n - x->n_hubs;
    x->state[x->n - x->n_hubs] = s;
  }
  order_by_number(x);
  measure(x);
  const double own = far__band_cost(x);
  forget_places(x);
  order_by_distance(x, g);
  measure(x);
  if (far__band_cost(x) <= own) return;
  forget_places(x);
  order_by_number(x);
  measure(x);
}

far_status far__band_create(far__band *out, const far_mdp *mdp, far_error *error) {
  const size_t n = mdp->shape.n_states;
  *out = (far__band){
      .mdp = mdp, .state = malloc(n * sizeof *out->state), .place = malloc(n * sizeof *out->place)};
  for (size_t s = 0; s < n; ++s) out->n += !mdp->terminal[s];
  graph g = {0};
  const bool ready = out->state != NULL && out->place != NULL && create_graph(&g, mdp);
  if (ready) {
    memset(out->place, 0xff, n * sizeof *out->place);
    find_order(out, &g);
  } else {
    far__band_free(out);
  }
  free(g.first);
  free(g.next);
  return ready ? FAR_OK
               : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to order %zu states", n);
}

void far__band_free(far__band *band) {
  free(band->state);
  free(band->place);
  *band = (far__band){0};
}

/* ---- the equations of a policy ----
 *
 * x = r + gamma P x. Within the band the matrix is B, the columns of hubs are E, the rows of hubs F and C:
 * B x + E h = r, F x + C h = s. So x = y - Y h with B y = r, B Y = E, and (C - F Y) h = s - F y. B and the
 * right sides (r, E) are stored by rows. All matrices are strictly diagonally dominant, or were made so by a policy
 * that ends: no pivoting is needed. */

typedef struct equations {
  const far__band *band;
  size_t m, h, width, sides; /* states within, hubs, of a row of B, and of a row of right sides */
  double *b;                 /* m x width: column j of row i at b[i * width + below + j - i] */
  double *right;             /* (m + h) x sides: r, then E; of the hubs s, then C */
  double *f;                 /* h x m */
  double *other;             /* values of another policy, n_states */
} equations;

double far__band_cost(const far__band *x) {
  const double m = x->n - x->n_hubs, h = x->n_hubs;
  const double below = (double)x->below, above = (double)x->above;
  const double memory = m * (below + above + 2 + 2 * h);
  if (memory > 0x1p26) return INFINITY; /* half a gigabyte */
  return m * (below * (above + 2 + h) + above * (1 + h) + h * h);
}

static bool create_equations(equations *x, const far__band *band) {
  const size_t h = band->n_hubs, m = band->n - h;
  *x = (equations){
      .band = band, .m = m, .h = h, .width = band->below + 1 + band->above, .sides = 1 + h};
  x->b = malloc((m * x->width + 1) * sizeof *x->b);
  x->right = malloc((m + h) * x->sides * sizeof *x->right);
  x->f = malloc((h * m + 1) * sizeof *x->f);
  x->other = calloc(band->mdp->shape.n_states, sizeof *x->other);
  return x->b != NULL && x->right != NULL && x->f != NULL && x->other != NULL;
}

/* The entry of equation i for the unknown j, both by their places. */
static double *entry(equations *x, size_t i, size_t j) {
  if (j >= x->m) return &x->right[i * x->sides + 1 + (j - x->m)];
  if (i >= x->m) return &x->f[(i - x->m) * x->m + j];
  return &x->b[i * x->width + x->band->below + j - i];
}

static void fill_equation(equations *x, double gamma, size_t i, const uint32_t *policy) {
  const far_mdp *mdp = x->band->mdp;
  const uint32_t s = x->band->state[i];
  *entry(x, i, i) = 1;
  if (mdp->terminal[s]) return;
  const size_t row = (size_t)s * mdp->shape.n_actions + policy[s];
  double reward = 0;
  for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    reward += o->probability * o->reward;
    if (!mdp->terminal[o->next]) *entry(x, i, x->band->place[o->next]) -= gamma * o->probability;
  }
  x->right[i * x->sides] = reward;
}

static void fill(equations *x, double gamma, const uint32_t *policy) {
  memset(x->b, 0, x->m * x->width * sizeof *x->b);
  memset(x->right, 0, (x->m + x->h) * x->sides * sizeof *x->right);
  memset(x->f, 0, x->h * x->m * sizeof *x->f);
  for (size_t i = 0; i < x->m + x->h; ++i) fill_equation(x, gamma, i, policy);
}

/* row[0 ... n) -= factor * other[0 ... n) */
static void subtract(double *restrict row, const double *restrict other, double factor, size_t n) {
  for (size_t i = 0; i < n; ++i) row[i] -= factor * other[i];
}

static void eliminate(equations *x) {
  const size_t below = x->band->below, above = x->band->above, m = x->m;
  for (size_t i = 0; i < m; ++i) {
    const double *pivot = x->b + i * x->width + below;
    const size_t last = i + below < m ? i + below : m - 1;
    const size_t wide = i + above < m ? above : m - 1 - i;
    for (size_t r = i + 1; r <= last; ++r) {
      double *row = x->b + r * x->width + below - (r - i);
      const double factor = row[0] / pivot[0];
      if (factor == 0) continue;
      subtract(row + 1, pivot + 1, factor, wide);
      subtract(x->right + r * x->sides, x->right + i * x->sides, factor, x->sides);
    }
  }
  for (size_t i = m; i-- > 0;) {
    const double *pivot = x->b + i * x->width + below;
    const size_t last = i + above < m ? i + above : m - 1;
    double *y = x->right + i * x->sides;
    for (size_t c = i + 1; c <= last; ++c)
      if (pivot[c - i] != 0) subtract(y, x->right + c * x->sides, pivot[c - i], x->sides);
    for (size_t k = 0; k < x->sides; ++k) y[k] /= pivot[0];
  }
}

/* Solves (C - F Y) h = s - F y in place, by plain elimination: there are few hubs. */
static void solve_hubs(equations *x) {
  const size_t sides = x->sides, m = x->m, h = x->h;
  double *rest = x->right + m * sides;
  for (size_t i = 0; i < h; ++i)
    for (size_t j = 0; j < m; ++j)
      if (x->f[i * m + j] != 0)
        subtract(rest + i * sides, x->right + j * sides, x->f[i * m + j], sides);
  for (size_t i = 0; i < h; ++i)
    for (size_t r = 0; r < h; ++r) {
      const double factor = rest[r * sides + 1 + i] / rest[i * sides + 1 + i];
      if (r != i && factor != 0) subtract(rest + r * sides, rest + i * sides, factor, sides);
    }
  for (size_t i = 0; i < h; ++i) rest[i * sides] /= rest[i * sides + 1 + i];
}

static void evaluate(equations *x, double gamma, const uint32_t *policy, double *v) {
  fill(x, gamma, policy);
  eliminate(x);
  solve_hubs(x);
  for (size_t i = 0; i < x->m + x->h; ++i) {
    const double *y = x->right + i * x->sides;
    double value = y[0];
    for (size_t k = 0; i < x->m && k < x->h; ++k)
      value -= y[1 + k] * x->right[(x->m + k) * x->sides];
    v[x->band->state[i]] = value;
  }
}

/* ---- policy iteration ---- */

typedef struct choice {
  double value;
  uint32_t action;
} choice;

static choice best_of(const far_mdp *mdp, double gamma, const double *v, uint32_t s) {
  choice best = {-INFINITY, 0};
  for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
    const size_t row = (size_t)s * mdp->shape.n_actions + a;
    double q = 0;
    for (size_t k = mdp->row[row]; k < mdp->row[row + 1]; ++k) {
      const far_outcome *o = &mdp->outcome[k];
      q += o->probability * (mdp->terminal[o->next] ? o->reward : o->reward + gamma * v[o->next]);
    }
    if (q > best.value) best = (choice){q, a};
  }
  return best;
}

/* Backs up all states in place, in the order of the band or against it: a change at one end of a corridor reaches
 * the other in one sweep. Returns the greatest change. */
static double renew(const far__band *x, double gamma, double *v, bool back) {
  double most = 0;
  for (uint32_t i = 0; i < x->n; ++i) {
    const uint32_t s = x->state[back ? x->n - 1 - i : i];
    if (x->mdp->terminal[s]) continue;
    const double value = best_of(x->mdp, gamma, v, s).value;
    const double change = fabs(value - v[s]);
    most = change > most ? change : most;
    v[s] = value;
  }
  return most;
}

/* Makes the policy greedy in v; true if that changes it. */
static bool choose(const far__band *x, double gamma, const double *v, uint32_t *policy) {
  bool changed = false;
  for (uint32_t i = 0; i < x->n; ++i) {
    const uint32_t s = x->state[i];
    if (x->mdp->terminal[s]) continue;
    const uint32_t a = best_of(x->mdp, gamma, v, s).action;
    changed = changed || a != policy[s];
    policy[s] = a;
  }
  return changed;
}

/* Sets v to the maximum over the values of the policies that always take the same action: near the best values along a
 * corridor, where improvements would need many policies to spread from one end to the other. */
static void begin(equations *x, double gamma, uint32_t *policy, double *v) {
  enum { MOST = 8 };
  const far_mdp *mdp = x->band->mdp;
  const size_t n = mdp->shape.n_states;
  if (mdp->shape.n_actions > MOST) return;
  for (uint32_t a = 0; a < mdp->shape.n_actions; ++a) {
    for (size_t s = 0; s < n; ++s) policy[s] = a;
    evaluate(x, gamma, policy, a == 0 ? v : x->other);
    for (size_t s = 0; a > 0 && s < n; ++s) v[s] = x->other[s] > v[s] ? x->other[s] : v[s];
  }
}

/* Between two policies the values are swept forth and back. Let v be the values of a policy. Then Tv >= v; a
 * sweep in place keeps that and gives v' >= Tv; and the policy that is greedy in v' is worth at least v'.
 * So this converges at least as fast as value iteration. */
static far_status iterate(equations *x, double gamma, uint32_t *policy, bool given, double *v,
                          double enough, far__band_tick tick, void *user, far_error *error) {
  enum { MOST = 200 };
  const far__band *band = x->band;
  far_status status = FAR_OK;
  for (int i = 0; i < MOST && status == FAR_OK; ++i) {
    if (i > 0 || !given) {
      const double change = renew(band, gamma, v, i % 2 == 0);
      if (i > 0 && change <= enough) break;
      renew(band, gamma, v, i % 2 != 0);
      if (!choose(band, gamma, v, policy) && i > 0) break;
    }
    status = tick(user, error);
    if (status == FAR_OK) evaluate(x, gamma, policy, v);
  }
  return status;
}

far_status far__band_iterate(const far__band *band, double gamma, uint32_t *policy, double *v,
                             double enough, far__band_tick tick, void *user, far_error *error) {
  uint32_t *own = policy == NULL ? calloc(band->mdp->shape.n_states, sizeof *own) : NULL;
  equations x = {0};
  far_status status = FAR_OK;
  if ((policy != NULL || own != NULL) && create_equations(&x, band)) {
    if (policy == NULL) begin(&x, gamma, own, v);
    status = iterate(&x, gamma, policy != NULL ? policy : own, policy != NULL, v, enough, tick,
                     user, error);
  } else {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the equations of %lu states",
                       (unsigned long)band->n);
  }
  free(x.b);
  free(x.right);
  free(x.f);
  free(x.other);
  free(own);
  return status;
}
