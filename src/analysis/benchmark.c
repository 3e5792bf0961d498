#include "farsight/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/results.h"
#include "farsight/solve.h"

/* ---- the suite ---- */

enum { TEST, TUNING };

static const far_benchmark_problem problems[] = {
#define FAR_PROBLEM(setting, part, spec, why) {spec, FAR_SETTING_##setting, part == TUNING, why},
#include "analysis/benchmark.def"
#undef FAR_PROBLEM
};

enum { N_PROBLEMS = sizeof problems / sizeof *problems };

const far_benchmark_problem *far_benchmark_problem_at(size_t index) {
  return index < N_PROBLEMS ? &problems[index] : NULL;
}

const char *far_setting_name(far_setting setting) {
  static const char *const names[] = {"continuing", "episodic", "finite horizon"};
  return (size_t)setting < FAR_SETTING_COUNT ? names[setting] : NULL;
}

far_benchmark_def far_benchmark_def_default(void) {
  return (far_benchmark_def){.runs = FAR_BENCHMARK_RUNS};
}

/* ---- a setting ---- */

/* What is run in one setting: which problems, and which of the agents. */
typedef struct plan {
  const char *envs[N_PROBLEMS];
  size_t n_envs;
  const char **agents;
  size_t n_agents;
} plan;

static bool runs_in(const char *agent, far_setting setting) {
  const far_type_info *type = far_spec_type(far_agent_type, agent);
  return type == NULL || !type->finite_horizon || setting == FAR_SETTING_HORIZON;
}

static void make_plan(plan *p, const far_benchmark_def *def, far_setting setting) {
  for (size_t i = 0; i < N_PROBLEMS; ++i)
    if (problems[i].setting == setting && problems[i].tuning == def->tuning)
      p->envs[p->n_envs++] = problems[i].env;
  for (size_t i = 0; i < def->n_agents; ++i)
    if (runs_in(def->agents[i], setting)) p->agents[p->n_agents++] = def->agents[i];
}

/* ---- running ---- */

/* Cost a step of each agent of the plan, over its problems. */
static void find_costs(far_benchmark_part *part, const far_results *results, const plan *p) {
  for (size_t j = 0; j < p->n_agents; ++j) {
    double seconds = 0, steps = 0;
    for (size_t i = 0; i < p->n_envs; ++i) {
      const far_result *r = far_batch_result(results->batch, i * p->n_agents + j);
      seconds += r->seconds;
      steps += (double)r->runs * FAR_BENCHMARK_STEPS;
    }
    part->standings[j].seconds = steps > 0 ? seconds / steps : NAN;
  }
}

static far_status run_plan(far_benchmark_part *part, const far_benchmark_def *def, far_store *store,
                           const plan *p, far_error *error) {
  far_study_def d = far_study_def_default();
  d.envs = p->envs;
  d.n_envs = p->n_envs;
  d.agents = p->agents;
  d.n_agents = p->n_agents;
  d.steps = FAR_BENCHMARK_STEPS;
  d.runs = def->runs;
  d.seed = FAR_BENCHMARK_SEED;
  d.note = def->note;
  d.note_user = def->note_user;
  far_study *study;
  far_results *results = NULL;
  far_status status = far_study_create(&study, &d, error);
  if (status != FAR_OK) return status;
  const far_study_run_def how = {.store = store,
                                 .threads = def->threads,
                                 .pool = def->pool,
                                 .progress = def->progress,
                                 .user = def->user};
  status = far_study_run(&results, study, &how, error);
  if (status == FAR_OK) find_costs(part, results, p);
  far_results_free(results);
  far_study_free(study);
  return status;
}

/* ---- standings ---- */

static far_status compare(far_benchmark_part *part, far_store *store, const plan *p,
                          far_error *error) {
  far_comparison_def d = far_comparison_def_default();
  d.steps = FAR_BENCHMARK_STEPS;
  d.one_seed = true;
  d.seed = FAR_BENCHMARK_SEED;
  d.envs = p->envs;
  d.n_envs = p->n_envs;
  d.agents = p->agents;
  d.n_agents = p->n_agents;
  d.agent_names = p->agents;
  d.env_names = p->envs;
  d.most_agents = 0;
  d.quick = true;
  const far_status status = far_comparison_create(&part->comparison, store, &d, error);
  if (status != FAR_OK) return status;
  if (part->comparison->n_groups == 1) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the store has results of the suite by other numerics: give another store");
}

static double score(const far_comparison_scale *scale, double total) {
  return (total - scale->low) / (scale->high - scale->low);
}

/* More than the best policy earns, by more than chance or a lucky start explains: over six standard errors
 * and a tenth of the scale. (The best long-run policy is no bound for a short run: hence the tenth.) */
static bool is_impossible(const far_comparison_group *g, size_t e, size_t j) {
  const far_comparison_scale *scale = &g->envs[e].scale;
  const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
  if (scale->kind != FAR_SCALE_POLICIES || cell->runs < 2) return false;
  const double error = cell->summary.std / sqrt((double)cell->runs);
  return cell->summary.mean > scale->high + 0.1 * (scale->high - scale->low) + 6 * error;
}

/* The scores of agent j: its replicates' means over the problems go to `mean`. Replicates are independent
 * of one another; the problems of one are not, since they share random numbers. */
static void judge(far_standing *x, const far_comparison_group *g, size_t j, int64_t runs,
                  double *mean) {
  double n_scales = 0;
  x->least = INFINITY;
  for (int64_t k = 0; k < runs; ++k) mean[k] = 0;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_scale *scale = &g->envs[e].scale;
    const far_comparison_cell *cell = &g->cells[e * g->n_agents + j];
    if (scale->kind == FAR_SCALE_NONE) continue;
    n_scales += 1;
    for (int64_t k = 0; k < runs; ++k) mean[k] += score(scale, cell->values[k]);
    x->impossible |= is_impossible(g, e, j);
    const double own = score(scale, cell->summary.mean);
    if (own < x->least) x->weakest = g->envs[e].label;
    x->least = fmin(x->least, own);
  }
  for (int64_t k = 0; k < runs; ++k) mean[k] /= n_scales;
  const far_moments m = far_sample_moments(mean, runs);
  x->score = m.mean;
  x->low = m.ci95 > 0 ? m.mean - m.ci95 : NAN;
  x->high = m.ci95 > 0 ? m.mean + m.ci95 : NAN;
}

/* Which agents are decidedly better than which: a paired t-test over the replicates' means of each two,
 * adjusted for all of them (Holm). Who is better comes before, who is worse after; what is between is a
 * tie. */
static far_status rank(far_standing *x, const double *means, size_t n, int64_t runs, double *p,
                       far_error *error) {
  const far_bootstrap_def none = {.level = 0.95};
  far_status status = FAR_OK;
  size_t m = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n && status == FAR_OK; ++j) {
      far_paired pair;
      status = far_pairs_compare(&pair, means + i * (size_t)runs, means + j * (size_t)runs, runs,
                                 &none, error);
      p[m++] = pair.p;
    }
  if (status == FAR_OK && m > 0) status = far_p_adjust(p, p, m, FAR_CORRECTION_HOLM, error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; i < n; ++i) {
    x[i].first = 1;
    x[i].last = n;
  }
  m = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j) {
      if (!(p[m++] <= 0.05)) continue;
      const size_t better = x[i].score > x[j].score ? i : j, worse = i + j - better;
      x[better].last -= 1;
      x[worse].first += 1;
    }
  return FAR_OK;
}

static far_status judge_all(far_benchmark_part *part, int64_t runs, far_error *error) {
  const far_comparison_group *g = &part->comparison->groups[0];
  const size_t n = part->n_agents;
  double *means = calloc(n, (size_t)runs * sizeof *means), *p = calloc(n * n, sizeof *p);
  far_status status = FAR_OK;
  if (means == NULL || p == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for scores");
  for (size_t j = 0; status == FAR_OK && j < n; ++j) {
    part->standings[j].agent = g->agents[j].label;
    judge(&part->standings[j], g, j, runs, means + j * (size_t)runs);
  }
  if (status == FAR_OK) status = rank(part->standings, means, n, runs, p, error);
  free(means);
  free(p);
  return status;
}

static int better_first(const void *x, const void *y) {
  const far_standing *a = x, *b = y;
  if (a->score == b->score) return strcmp(a->agent, b->agent);
  return a->score > b->score ? -1 : 1;
}

static far_status run_part(far_benchmark_part *part, const far_benchmark_def *def, far_store *store,
                           const plan *p, far_error *error) {
  part->n_problems = p->n_envs;
  part->n_agents = p->n_agents;
  if (p->n_agents == 0) return FAR_OK;
  part->standings = calloc(p->n_agents, sizeof *part->standings);
  if (part->standings == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for standings");
  far_status status = run_plan(part, def, store, p, error);
  if (status == FAR_OK) status = compare(part, store, p, error);
  if (status == FAR_OK) status = judge_all(part, def->runs, error);
  if (status != FAR_OK) return status;
  qsort(part->standings, p->n_agents, sizeof *part->standings, better_first);
  return FAR_OK;
}

static far_status run_parts(far_benchmark *b, const far_benchmark_def *def, far_store *store,
                            far_error *error) {
  far_status status = FAR_OK;
  for (int k = 0; k < FAR_SETTING_COUNT && status == FAR_OK; ++k) {
    plan p = {.agents = (const char **)calloc(def->n_agents, sizeof *p.agents)};
    if (p.agents == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for agents");
    make_plan(&p, def, (far_setting)k);
    b->parts[k].setting = (far_setting)k;
    status = run_part(&b->parts[k], def, store, &p, error);
    free((void *)p.agents);
  }
  return status;
}

far_status far_benchmark_run(far_benchmark **out, const far_benchmark_def *def, far_error *error) {
  *out = NULL;
  if (def->n_agents == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "no agent is given for the benchmark");
  far_store *own = NULL;
  far_status status = FAR_OK;
  if (def->store == NULL) status = far_store_open(&own, "", FAR_STORE_MEMORY, error);
  if (status != FAR_OK) return status;
  far_benchmark *b = calloc(1, sizeof *b);
  if (b == NULL) {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the benchmark");
  } else {
    b->tuning = def->tuning;
    b->runs = def->runs;
    status = run_parts(b, def, def->store != NULL ? def->store : own, error);
  }
  far_store_close(own);
  if (status == FAR_OK)
    *out = b;
  else
    far_benchmark_free(b);
  return status;
}

void far_benchmark_free(far_benchmark *b) {
  if (b == NULL) return;
  for (int k = 0; k < FAR_SETTING_COUNT; ++k) {
    far_comparison_free(b->parts[k].comparison);
    free(b->parts[k].standings);
  }
  free(b);
}
