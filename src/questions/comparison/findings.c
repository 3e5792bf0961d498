/* Who is best on each environment: the agent with the best mean, tested against all others. */
#include "questions/comparison/findings.h"
#include "questions/comparison/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "statistics/sample.h"

/* The tests of all pairs of agents on all environments, in the order of find_tests. */
typedef struct finding {
  far__findings *out;
  const far_comparison *comparison;
  const far_comparison_group *g;
  double *x, *y; /* room for the pairs of two cells */
  double *p;     /* of all tests, adjusted; 1 where the runs allow one and there is none */
  size_t n_tests;
} finding;

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the findings");
}

/* ---- one test ---- */

/* As the comparison tests (comparison-differences.c): pairs where there are any, else two samples. */
typedef struct test {
  bool possible; /* the numbers of runs allow it: counts among the tests */
  bool exists;   /* and there is a p-value */
  bool same;
  double mean, low, high, p;
} test;

static int64_t match(const finding *f, size_t e, size_t i, size_t j) {
  const far_comparison_cell *x = far__cell_of(f->g, e, i), *y = far__cell_of(f->g, e, j);
  if (!far__pairable(f->g, f->comparison->paired, e, i, j)) return 0;
  const int64_t most = x->runs < y->runs ? x->runs : y->runs;
  const int64_t n = far__pairs_match(f->x, f->y, x->values, x->replicates, x->runs, y->values,
                                     y->replicates, y->runs);
  return n >= 2 || most < 2 ? n : 0;
}

/* False without memory. */
static bool compare_pairs(test *out, const finding *f, int64_t n, double level) {
  const far_bootstrap_def how = {.level = level};
  far_paired d;
  if (far_pairs_compare(&d, f->x, f->y, n, &how, NULL) != FAR_OK) return false;
  *out = (test){n > 1, n > 1 && d.low < d.high, d.tied == 1, d.mean, d.low, d.high, d.p};
  return true;
}

static bool compare_samples(test *out, const far_comparison_cell *x, const far_comparison_cell *y,
                            double level) {
  far_welch d;
  if (far_samples_compare(&d, x->values, x->runs, y->values, y->runs, level, NULL) != FAR_OK)
    return false;
  const bool possible = x->runs > 1 && y->runs > 1;
  const bool constant = x->summary.min == x->summary.max && y->summary.min == y->summary.max;
  *out = (test){
      possible, possible && d.low < d.high, constant && d.mean == 0, d.mean, d.low, d.high, d.p};
  return true;
}

/* Agent i less agent j. What does not vary has no p: that does not show how much other runs would. */
static bool compare(test *out, const finding *f, size_t e, size_t i, size_t j, double level) {
  const far_comparison_cell *x = far__cell_of(f->g, e, i), *y = far__cell_of(f->g, e, j);
  *out = (test){.mean = NAN};
  bool good = true;
  if (x->runs == 0 || y->runs == 0) return true;
  const int64_t n = match(f, e, i, j);
  out->possible = n > 1 || (n == 0 && x->runs > 1 && y->runs > 1);
  if (x->finite && y->finite)
    good = n > 0 ? compare_pairs(out, f, n, level) : compare_samples(out, x, y, level);
  if (!out->exists) out->low = out->high = out->p = NAN;
  return good;
}

/* ---- all tests ---- */

static size_t pairs_of(size_t n) {
  return n * (n - 1) / 2;
}

/* Where the p-value of a pair of agents i < j on an environment is. */
static size_t place_of(const finding *f, size_t e, size_t i, size_t j) {
  const size_t n = f->g->n_agents, low = i < j ? i : j, high = i < j ? j : i;
  return e * pairs_of(n) + low * (2 * n - low - 1) / 2 + (high - low - 1);
}

/* All pairs of agents might have been compared, since the leaders are chosen by the results. What has no
 * p counts as 1; what the numbers of runs do not allow does not count: NAN. */
static bool find_tests(finding *f) {
  const far_comparison_group *g = f->g;
  bool good = true;
  for (size_t e = 0; e < g->n_envs; ++e)
    for (size_t i = 0; i < g->n_agents; ++i)
      for (size_t j = i + 1; j < g->n_agents && good; ++j) {
        test t;
        good = compare(&t, f, e, i, j, f->comparison->bootstrap.level);
        f->p[place_of(f, e, i, j)] = t.exists ? t.p : t.possible ? 1 : NAN;
        f->n_tests += good && t.possible;
      }
  return good;
}

static far_status adjust(finding *f, far_error *error) {
  const size_t all = f->g->n_envs * pairs_of(f->g->n_agents);
  double *p = calloc(f->n_tests + 1, sizeof *p);
  size_t k = 0;
  if (p == NULL) return no_memory(error);
  for (size_t i = 0; i < all; ++i)
    if (f->p[i] == f->p[i]) p[k++] = f->p[i];
  const far_status status =
      k > 0 ? far_p_adjust(p, p, k, f->comparison->correction, error) : FAR_OK;
  k = 0;
  for (size_t i = 0; i < all && status == FAR_OK; ++i)
    if (f->p[i] == f->p[i]) f->p[i] = p[k++];
  free(p);
  return status;
}

/* ---- one environment ---- */

typedef struct ranked {
  double mean; /* more is better */
  size_t agent;
} ranked;

static int by_mean(const void *a, const void *b) {
  const ranked *p = a, *q = b;
  if (p->mean != q->mean) return p->mean > q->mean ? -1 : 1;
  return p->agent < q->agent ? -1 : p->agent > q->agent;
}

/* Contestants with runs, the best mean first. */
static size_t rank(ranked *out, const finding *f, size_t e) {
  size_t n = 0;
  for (size_t j = 0; j < f->g->n_agents; ++j) {
    const far_comparison_cell *cell = far__cell_of(f->g, e, j);
    const double mean = cell->runs > 0 ? cell->summary.mean : NAN;
    if (f->out->reference[j] || mean != mean) continue;
    out[n++] = (ranked){f->comparison->lower ? -mean : mean, j};
  }
  qsort(out, n, sizeof *out, by_mean);
  return n;
}

/* Compares the leader with another; a rival unless it is told apart. */
static bool meet(far__finding *out, const finding *f, size_t e, size_t other) {
  const double level = far_simultaneous_level(f->comparison->bootstrap.level, f->n_tests);
  const double alpha = 1 - f->comparison->bootstrap.level;
  test t;
  if (!compare(&t, f, e, out->leader, other, level)) return false;
  const double p = t.exists ? f->p[place_of(f, e, out->leader, other)] : NAN;
  if (other == out->next) {
    out->lead = t.mean;
    out->low = t.low;
    out->high = t.high;
    out->lead_p = p;
  }
  if (p <= alpha) {
    out->p = out->p >= p ? out->p : p;
    return true;
  }
  out->rivals[out->n_rivals++] =
      (far__finding_rival){.agent = other, .tested = t.exists, .same = t.same, .p_adjusted = p};
  out->n_untested += !t.exists;
  return true;
}

static bool find_on(far__finding *out, const finding *f, size_t e, ranked *order) {
  const size_t none = f->g->n_agents, n = rank(order, f, e);
  *out = (far__finding){.leader = n > 0 ? order[0].agent : none,
                        .next = n > 1 ? order[1].agent : none,
                        .n_compared = n,
                        .p = NAN,
                        .lead = NAN,
                        .low = NAN,
                        .high = NAN,
                        .lead_p = NAN};
  out->rivals = calloc(n + 1, sizeof *out->rivals);
  bool good = out->rivals != NULL;
  for (size_t k = 1; k < n && good; ++k) good = meet(out, f, e, order[k].agent);
  out->kind = n == 0               ? FAR__FINDING_NOTHING
              : n == 1             ? FAR__FINDING_ALONE
              : out->n_rivals == 0 ? FAR__FINDING_BEST
                                   : FAR__FINDING_TIED;
  return good;
}

/* ---- the whole ---- */

/* Agents that are told about the model set a mark; where there are no others, they compete. */
static void find_references(far__findings *out, const far_comparison_group *g) {
  size_t n = 0;
  for (size_t j = 0; j < g->n_agents; ++j) {
    const far_type_info *type = g->agents[j].origin == FAR_ORIGIN_COMPUTED
                                    ? far_spec_type(far_agent_type, far__agent_spec(g, j))
                                    : NULL;
    n += out->reference[j] = type != NULL && type->peeks;
  }
  for (size_t j = 0; j < g->n_agents && n == g->n_agents; ++j) out->reference[j] = false;
}

static void count_wins(far__findings *out) {
  for (size_t e = 0; e < out->n_envs; ++e) {
    const far__finding *f = &out->envs[e];
    if (f->kind < FAR__FINDING_BEST) continue;
    out->led[f->leader] += 1;
    out->won[f->leader] += f->kind == FAR__FINDING_BEST;
  }
}

static far_status find_envs(finding *f, far_error *error) {
  ranked *order = malloc((f->g->n_agents + 1) * sizeof *order);
  bool good = order != NULL;
  for (size_t e = 0; e < f->g->n_envs && good; ++e) good = find_on(&f->out->envs[e], f, e, order);
  free(order);
  if (good) count_wins(f->out);
  return good ? FAR_OK : no_memory(error);
}

static far_status find(far__findings *out, const far_comparison_group *g, far_error *error) {
  const size_t runs = (size_t)far__most_runs(g) + 1;
  finding f = {.out = out,
               .comparison = out->comparison,
               .g = g,
               .x = malloc(runs * sizeof *f.x),
               .y = malloc(runs * sizeof *f.y),
               .p = malloc((g->n_envs * pairs_of(g->n_agents) + 1) * sizeof *f.p)};
  const bool good = f.x != NULL && f.y != NULL && f.p != NULL && find_tests(&f);
  far_status status = good ? adjust(&f, error) : no_memory(error);
  if (status == FAR_OK) status = find_envs(&f, error);
  out->n_tests = f.n_tests;
  free(f.x);
  free(f.y);
  free(f.p);
  return status;
}

static far__findings *start(const far_comparison *comparison, size_t group) {
  const far_comparison_group *g = &comparison->groups[group];
  far__findings *out = calloc(1, sizeof *out);
  if (out == NULL) return NULL;
  *out = (far__findings){.comparison = comparison,
                         .group = group,
                         .envs = calloc(g->n_envs + 1, sizeof *out->envs),
                         .n_envs = g->n_envs,
                         .order = calloc(g->n_agents + 1, sizeof *out->order),
                         .won = calloc(g->n_agents + 1, sizeof *out->won),
                         .led = calloc(g->n_agents + 1, sizeof *out->led),
                         .reference = calloc(g->n_agents + 1, sizeof *out->reference)};
  if (out->envs != NULL && out->order != NULL && out->won != NULL && out->led != NULL &&
      out->reference != NULL)
    return out;
  far__findings_free(out);
  return NULL;
}

far_status far__findings_create(far__findings **out, const far_comparison *comparison, size_t group,
                                far_error *error) {
  *out = NULL;
  if (group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the comparison has no group %zu", group);
  const far_comparison_group *g = &comparison->groups[group];
  far__findings *f = start(comparison, group);
  if (f == NULL) return no_memory(error);
  find_references(f, g);
  far_status status = find(f, g, error);
  if (status == FAR_OK) status = far__find_overall(f, error);
  if (status == FAR_OK) status = far__find_order(f, error);
  if (status == FAR_OK)
    *out = f;
  else
    far__findings_free(f);
  return status;
}

void far__findings_free(far__findings *f) {
  if (f == NULL) return;
  for (size_t e = 0; f->envs != NULL && e < f->n_envs; ++e) free(f->envs[e].rivals);
  free(f->envs);
  free(f->overall.rivals);
  free(f->order);
  free(f->won);
  free(f->led);
  free(f->reference);
  free(f);
}
