/* The probability of improvement for all pairs of agents. */
#include "questions/comparison/comparison.h"
#include "questions/comparison/pairwise.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "statistics/sort.h"

/* Pairs of runs with the same random numbers on one environment. */
typedef struct counts {
  int64_t won, tied, lost;
} counts;

/* The runs of a group, better ones greater; those of each cell also in ascending order. */
typedef struct comparing {
  const far_comparison_group *g;
  bool lower, paired;
  far_sample *sorted;   /* of each cell; heap */
  counts *pairs;        /* room for one of each environment */
  size_t *envs;         /* likewise: those that two agents are on */
  far_sample *x, *y;    /* likewise */
  int64_t *replicates;  /* all of the group's, ascending */
  int64_t n_replicates; /* how many they are */
  double
      *differences; /* of two agents: for each replicate what it has won, less what it has lost */
  far_outcomes *outcomes; /* room for one of each replicate */
} comparing;

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the pairs of agents");
}

/* ---- what is compared ---- */

static void end(comparing *c) {
  for (size_t i = 0; c->sorted != NULL && i < c->g->n_envs * c->g->n_agents; ++i)
    free((double *)c->sorted[i].x);
  free(c->sorted);
  free(c->x);
  free(c->y);
  free(c->replicates);
  free(c->pairs);
  free(c->envs);
  free(c->differences);
  free(c->outcomes);
}

static bool sort_cell(far_sample *out, const far_comparison_cell *cell, bool lower) {
  double *x = malloc(((size_t)cell->runs + 1) * sizeof *x);
  *out = (far_sample){x, cell->runs};
  if (x == NULL) return false;
  for (int64_t i = 0; i < cell->runs; ++i) x[i] = lower ? -cell->values[i] : cell->values[i];
  far__sort(x, cell->runs);
  return true;
}

static int by_number(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool list_replicates(comparing *c) {
  const size_t n_cells = c->g->n_envs * c->g->n_agents;
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < n_cells; ++i) n += (size_t)c->g->cells[i].runs;
  int64_t *all = c->replicates = malloc((n + 1) * sizeof *all);
  if (all == NULL) return false;
  n = 0;
  for (size_t i = 0; i < n_cells; ++i)
    for (int64_t k = 0; k < c->g->cells[i].runs; ++k) all[n++] = c->g->cells[i].replicates[k];
  qsort(all, n, sizeof *all, by_number);
  for (size_t k = 0; k < n; ++k)
    if (k == 0 || all[k] != all[k - 1]) all[kept++] = all[k];
  c->n_replicates = (int64_t)kept;
  return true;
}

static bool make_room(comparing *c) {
  const size_t n_envs = c->g->n_envs + 1, n = (size_t)c->n_replicates + 1;
  c->pairs = calloc(n_envs, sizeof *c->pairs);
  c->envs = calloc(n_envs, sizeof *c->envs);
  c->x = calloc(n_envs, sizeof *c->x);
  c->y = calloc(n_envs, sizeof *c->y);
  c->differences = calloc(n, sizeof *c->differences);
  c->outcomes = calloc(n, sizeof *c->outcomes);
  return c->pairs != NULL && c->envs != NULL && c->x != NULL && c->y != NULL &&
         c->differences != NULL && c->outcomes != NULL;
}

static bool begin(comparing *c, const far_comparison *comparison, size_t group) {
  const far_comparison_group *g = &comparison->groups[group];
  *c = (comparing){.g = g,
                   .lower = comparison->lower,
                   .paired = comparison->paired,
                   .sorted = calloc(g->n_envs * g->n_agents + 1, sizeof *c->sorted)};
  bool good = c->sorted != NULL && list_replicates(c) && make_room(c);
  for (size_t i = 0; good && i < g->n_envs * g->n_agents; ++i)
    good = sort_cell(&c->sorted[i], &g->cells[i], c->lower);
  return good;
}

/* ---- two agents ---- */

/* Counts the pairs of two cells, and adds to the difference of each replicate: weight if it was won, -weight if it was
 * lost. */
static counts match(const comparing *c, const far_comparison_cell *x, const far_comparison_cell *y,
                    double weight) {
  counts out = {0};
  int64_t place = 0;
  for (int64_t i = 0, j = 0; i < x->runs && j < y->runs;) {
    const int64_t replicate = x->replicates[i];
    if (replicate != y->replicates[j]) {
      *(replicate < y->replicates[j] ? &i : &j) += 1;
      continue;
    }
    const double a = x->values[i++], b = y->values[j++];
    while (c->replicates[place] < replicate) ++place;
    *(a == b ? &out.tied : (a > b) != c->lower ? &out.won : &out.lost) += 1;
    if (a != b) c->differences[place] += (a > b) != c->lower ? weight : -weight;
  }
  return out;
}

static int64_t number(const counts *o) {
  return o->won + o->tied + o->lost;
}

/* As in a comparison: a single pair tells less than two samples, if these have more. */
static bool has_pairs(const counts *o, const far_comparison_cell *x, const far_comparison_cell *y) {
  const int64_t n = number(o), most = x->runs < y->runs ? x->runs : y->runs;
  return n >= 2 || (n == 1 && most < 2);
}

static void sum_up(far__pairwise_cell *out, const counts *pairs) {
  double sum = 0;
  for (size_t e = 0; e < out->n_envs; ++e) {
    const counts *o = &pairs[e];
    sum += ((double)o->won + (double)o->tied / 2) / (double)number(o);
    out->pairs += number(o);
    out->won += o->won;
    out->tied += o->tied;
  }
  out->better = sum / (double)out->n_envs;
}

/* What each replicate has won less what it has lost, over environments of equal weight: all replicates together have
 * the sum of (won - lost) / n over environments, but for a factor, by which weights are 1 where all n are equal. */
static void take_differences(const comparing *c, size_t n_envs, size_t i, size_t j) {
  int64_t most = 0;
  for (int64_t k = 0; k < c->n_replicates; ++k) c->differences[k] = 0;
  for (size_t e = 0; e < n_envs; ++e)
    most = number(&c->pairs[e]) > most ? number(&c->pairs[e]) : most;
  for (size_t e = 0; e < n_envs; ++e)
    match(c, far__cell_of(c->g, c->envs[e], i), far__cell_of(c->g, c->envs[e], j),
          (double)most / (double)number(&c->pairs[e]));
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return fabs(x) != fabs(y) ? (fabs(x) < fabs(y) ? -1 : 1) : (x > y) - (x < y);
}

/* The sign test over replicates: these are independent of one another, the environments of one are not. */
static double test_replicates(const comparing *c) {
  size_t n = 0;
  qsort(c->differences, (size_t)c->n_replicates, sizeof *c->differences, by_size);
  for (int64_t k = 0; k < c->n_replicates; ++k) {
    const double d = c->differences[k];
    if (d == 0) continue;
    if (n == 0 || c->outcomes[n - 1].weight != fabs(d))
      c->outcomes[n++] = (far_outcomes){.weight = fabs(d)};
    *(d > 0 ? &c->outcomes[n - 1].won : &c->outcomes[n - 1].lost) += 1;
  }
  return far_sign_test(c->outcomes, n);
}

static far__pairwise_cell compare(const comparing *c, size_t i, size_t j) {
  far__pairwise_cell out = {.better = NAN, .paired = true, .p = NAN, .p_adjusted = NAN};
  for (size_t e = 0; e < c->g->n_envs; ++e) {
    const far_comparison_cell *x = far__cell_of(c->g, e, i), *y = far__cell_of(c->g, e, j);
    if (x->runs == 0 || y->runs == 0) continue;
    counts *o = &c->pairs[out.n_envs];
    *o = far__pairable(c->g, c->paired, e, i, j) ? match(c, x, y, 0) : (counts){0};
    out.paired = out.paired && has_pairs(o, x, y);
    c->envs[out.n_envs] = e;
    c->x[out.n_envs] = c->sorted[e * c->g->n_agents + i];
    c->y[out.n_envs++] = c->sorted[e * c->g->n_agents + j];
  }
  out.paired = out.paired && out.n_envs > 0;
  if (out.paired) {
    sum_up(&out, c->pairs);
    take_differences(c, out.n_envs, i, j);
    out.p = test_replicates(c);
  } else if (out.n_envs > 0) {
    out.p = far_rank_sum_test(&out.better, c->x, c->y, out.n_envs);
  }
  return out;
}

/* ---- all of them ---- */

static far__pairwise_cell reversed(far__pairwise_cell cell) {
  cell.better = 1 - cell.better;
  cell.won = cell.pairs - cell.tied - cell.won;
  return cell;
}

static void fill(far__pairwise *out, const comparing *c) {
  const far__pairwise_cell self = {.better = NAN, .p = NAN, .p_adjusted = NAN};
  const size_t n = out->n_agents;
  for (size_t i = 0; i < n; ++i) {
    out->cells[i * n + i] = self;
    for (size_t j = i + 1; j < n; ++j) {
      const far__pairwise_cell cell = compare(c, i, j);
      out->cells[i * n + j] = cell;
      out->cells[j * n + i] = reversed(cell);
      out->n_tests += cell.n_envs > 0;
    }
  }
}

static void settle(far__pairwise_cell *cell, double p, double level) {
  cell->p_adjusted = p;
  cell->decided = p <= 1 - level;
}

/* All pairs that have met count, whatever came out. */
static far_status adjust(far__pairwise *out, far_error *error) {
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

far_status far__pairwise_create(far__pairwise **out, const far_comparison *comparison, size_t group,
                                far_error *error) {
  *out = NULL;
  if (group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the comparison has no group %zu", group);
  const size_t n = comparison->groups[group].n_agents;
  comparing c;
  far__pairwise *pairs = calloc(1, sizeof *pairs);
  const bool good = begin(&c, comparison, group) && pairs != NULL;
  if (pairs != NULL)
    *pairs = (far__pairwise){.comparison = comparison,
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
    far__pairwise_free(pairs);
  return status;
}

void far__pairwise_free(far__pairwise *pairs) {
  if (pairs != NULL) free(pairs->cells);
  free(pairs);
}
