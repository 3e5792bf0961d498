/* The probability of improvement for all pairs of agents. */
#include "farsight/pairwise.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* The runs of a group, better ones greater; those of each cell also in ascending order. */
typedef struct comparing {
  const far_comparison_group *g;
  bool lower, paired;
  far_sample *sorted;     /* of each cell; heap */
  far_outcomes *outcomes; /* room for one of each environment */
  far_sample *x, *y;      /* likewise */
} comparing;

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the pairs of agents");
}

static const far_comparison_cell *cell_of(const comparing *c, size_t e, size_t j) {
  return &c->g->cells[e * c->g->n_agents + j];
}

/* ---- what is compared ---- */

static void end(comparing *c) {
  for (size_t i = 0; c->sorted != NULL && i < c->g->n_envs * c->g->n_agents; ++i)
    free((double *)c->sorted[i].x);
  free(c->sorted);
  free(c->outcomes);
  free(c->x);
  free(c->y);
}

static bool sort_cell(far_sample *out, const far_comparison_cell *cell, bool lower) {
  double *x = malloc(((size_t)cell->runs + 1) * sizeof *x);
  *out = (far_sample){x, cell->runs};
  if (x == NULL) return false;
  for (int64_t i = 0; i < cell->runs; ++i) x[i] = lower ? -cell->values[i] : cell->values[i];
  far_sort(x, cell->runs);
  return true;
}

static bool begin(comparing *c, const far_comparison *comparison, size_t group) {
  const far_comparison_group *g = &comparison->groups[group];
  *c = (comparing){.g = g,
                   .lower = comparison->lower,
                   .paired = comparison->paired,
                   .sorted = calloc(g->n_envs * g->n_agents + 1, sizeof *c->sorted),
                   .outcomes = calloc(g->n_envs + 1, sizeof *c->outcomes),
                   .x = calloc(g->n_envs + 1, sizeof *c->x),
                   .y = calloc(g->n_envs + 1, sizeof *c->y)};
  bool good = c->sorted != NULL && c->outcomes != NULL && c->x != NULL && c->y != NULL;
  for (size_t i = 0; good && i < g->n_envs * g->n_agents; ++i)
    good = sort_cell(&c->sorted[i], &g->cells[i], c->lower);
  return good;
}

/* ---- two agents ---- */

/* Runs of the same replicate are pairs where they were computed, or where the caller says so. */
static bool pairable(const comparing *c, size_t e, size_t i, size_t j) {
  const far_comparison_cell *x = cell_of(c, e, i), *y = cell_of(c, e, j);
  const far_origin a = c->g->agents[i].origin, b = c->g->agents[j].origin;
  if (a == FAR_ORIGIN_COMPUTED && b == FAR_ORIGIN_COMPUTED) return true;
  return c->paired && a == b && x->records == 1 && y->records == 1;
}

static far_outcomes count_pairs(const far_comparison_cell *x, const far_comparison_cell *y,
                                bool lower) {
  far_outcomes out = {0};
  for (int64_t i = 0, j = 0; i < x->runs && j < y->runs;) {
    if (x->replicates[i] == y->replicates[j]) {
      const double a = x->values[i++], b = y->values[j++];
      *(a == b ? &out.tied : (a > b) != lower ? &out.won : &out.lost) += 1;
    } else {
      *(x->replicates[i] < y->replicates[j] ? &i : &j) += 1;
    }
  }
  return out;
}

/* As in a comparison: a single pair tells less than two samples, if these have more. */
static bool has_pairs(const far_outcomes *o, const far_comparison_cell *x,
                      const far_comparison_cell *y) {
  const int64_t n = o->won + o->tied + o->lost, most = x->runs < y->runs ? x->runs : y->runs;
  return n >= 2 || (n == 1 && most < 2);
}

static void sum_up(far_pairwise_cell *out, const far_outcomes *outcomes) {
  double sum = 0;
  for (size_t e = 0; e < out->n_envs; ++e) {
    const far_outcomes *o = &outcomes[e];
    const int64_t n = o->won + o->tied + o->lost;
    sum += ((double)o->won + (double)o->tied / 2) / (double)n;
    out->pairs += n;
    out->won += o->won;
    out->tied += o->tied;
  }
  out->better = sum / (double)out->n_envs;
  out->p = far_sign_test(outcomes, out->n_envs);
}

static far_pairwise_cell compare(const comparing *c, size_t i, size_t j) {
  far_pairwise_cell out = {.better = NAN, .paired = true, .p = NAN, .p_adjusted = NAN};
  for (size_t e = 0; e < c->g->n_envs; ++e) {
    const far_comparison_cell *x = cell_of(c, e, i), *y = cell_of(c, e, j);
    if (x->runs == 0 || y->runs == 0) continue;
    far_outcomes *o = &c->outcomes[out.n_envs];
    *o = pairable(c, e, i, j) ? count_pairs(x, y, c->lower) : (far_outcomes){0};
    out.paired = out.paired && has_pairs(o, x, y);
    c->x[out.n_envs] = c->sorted[e * c->g->n_agents + i];
    c->y[out.n_envs++] = c->sorted[e * c->g->n_agents + j];
  }
  out.paired = out.paired && out.n_envs > 0;
  if (out.paired)
    sum_up(&out, c->outcomes);
  else if (out.n_envs > 0)
    out.p = far_rank_sum_test(&out.better, c->x, c->y, out.n_envs);
  return out;
}

/* ---- all of them ---- */

static far_pairwise_cell reversed(far_pairwise_cell cell) {
  cell.better = 1 - cell.better;
  cell.won = cell.pairs - cell.tied - cell.won;
  return cell;
}

static void fill(far_pairwise *out, const comparing *c) {
  const far_pairwise_cell self = {.better = NAN, .p = NAN, .p_adjusted = NAN};
  const size_t n = out->n_agents;
  for (size_t i = 0; i < n; ++i) {
    out->cells[i * n + i] = self;
    for (size_t j = i + 1; j < n; ++j) {
      const far_pairwise_cell cell = compare(c, i, j);
      out->cells[i * n + j] = cell;
      out->cells[j * n + i] = reversed(cell);
      out->n_tests += cell.n_envs > 0;
    }
  }
}

static void settle(far_pairwise_cell *cell, double p, double level) {
  cell->p_adjusted = p;
  cell->decided = p <= 1 - level;
}

/* All pairs that have met count, whatever came out. */
static far_status adjust(far_pairwise *out, far_error *error) {
  const size_t n = out->n_agents;
  double *p = malloc((out->n_tests + 1) * sizeof *p);
  size_t k = 0;
  if (p == NULL) return no_memory(error);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j)
      if (out->cells[i * n + j].n_envs > 0) p[k++] = out->cells[i * n + j].p;
  const far_status status =
      k > 0 ? far_p_adjust(p, p, k, out->comparison->correction, error) : FAR_OK;
  k = 0;
  for (size_t i = 0; i < n && status == FAR_OK; ++i)
    for (size_t j = i + 1; j < n; ++j) {
      if (out->cells[i * n + j].n_envs == 0) continue;
      settle(&out->cells[i * n + j], p[k], out->level);
      settle(&out->cells[j * n + i], p[k++], out->level);
    }
  free(p);
  return status;
}

far_status far_pairwise_create(far_pairwise **out, const far_comparison *comparison, size_t group,
                               far_error *error) {
  *out = NULL;
  if (group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the comparison has no group %zu", group);
  const size_t n = comparison->groups[group].n_agents;
  comparing c;
  far_pairwise *pairs = calloc(1, sizeof *pairs);
  const bool good = begin(&c, comparison, group) && pairs != NULL;
  if (pairs != NULL)
    *pairs = (far_pairwise){.comparison = comparison,
                            .group = group,
                            .n_agents = n,
                            .cells = calloc(n * n + 1, sizeof *pairs->cells),
                            .level = comparison->bootstrap.level};
  far_status status = good && pairs->cells != NULL ? FAR_OK : no_memory(error);
  if (status == FAR_OK) fill(pairs, &c);
  if (status == FAR_OK) status = adjust(pairs, error);
  end(&c);
  if (status == FAR_OK)
    *out = pairs;
  else
    far_pairwise_free(pairs);
  return status;
}

void far_pairwise_free(far_pairwise *pairs) {
  if (pairs != NULL) free(pairs->cells);
  free(pairs);
}
